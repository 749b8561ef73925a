"""Statements are compiled once for both texts of a pair only if the CUDA text and the C++ text agree line by line.

Emulation then has the same findings as with CUDA text that is compiled separately.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from warpsmith.core.records.ir import Code
from warpsmith.core.records.jsonl import Line
from warpsmith.core.records.launch import Argument, Launch
from warpsmith.validation.compiling import shared
from warpsmith.validation.compiling.shared import same_statements

CHANGED = """import warp as wp


@wp.kernel
def k(x: wp.array(dtype=float), scale: float, n: int, out: wp.array(dtype=float)):
    i = wp.tid()
    for j in range(n):
        scale = scale + x[j] * 0.5
    out[i] = scale * x[i]
"""


def texts(line: Line) -> tuple[Code, Code]:
    assert line.pair is not None
    cpp, cuda = (Code(line.pair.metadata.kernel_name, *line.pair.code(target)) for target in ("cpu", "cuda"))
    return cpp, cuda


def without_a_line(code: Code, direction: str, end: str = "") -> Iterator[tuple[str, Code]]:
    """Yield every line that is not blank and the code without it, up to a line that begins with ``end``."""
    name = f"{direction}_code"
    rows = getattr(code, name).splitlines(keepends=True)
    last = next((number for number, row in enumerate(rows) if end and row.startswith(end)), len(rows))
    for number, row in enumerate(rows[:last]):
        if row.strip():
            yield row, replace(code, **{name: "".join(rows[:number] + rows[number + 1 :])})


def test_nearly_all_texts_share_their_statements(lines: list[Line]) -> None:
    agreements = [same_statements(*texts(line)) for line in lines]
    assert sum(agreements) >= 0.95 * len(agreements)


@pytest.mark.sampled(1)
@pytest.mark.parametrize("direction", ["backward", "forward"])
def test_a_missing_line_in_one_text_is_detected(lines: list[Line], direction: str) -> None:
    """The time grows with the square of the length: the kernel is a short one of the first twenty."""
    shared = [both for line in lines[:20] if same_statements(*(both := texts(line)))]
    cpp, cuda = sorted(shared, key=lambda both: len(both[1].backward_code or ""))[len(shared) // 4]
    for row, shortened in without_a_line(cuda, direction):
        assert not same_statements(cpp, shortened), row
    for row, shortened in without_a_line(cpp, direction, end=f"struct {cpp.kernel_name}_cpu_block_payload"):
        assert not same_statements(shortened, cuda), row


@pytest.mark.parametrize("direction", ["forward", "backward"])
def test_a_different_statement_in_one_text_is_detected(lines: list[Line], direction: str) -> None:
    name = f"{direction}_code"
    for line in lines[:20]:
        cpp, cuda = texts(line)
        for old, new in (("var_0", "var_1"), ("continue;", "return;"), ("wp::array_store", "wp::store"), ("_idx <", "_idx <=")):
            other = replace(cuda, **{name: getattr(cuda, name).replace(old, new, 1)})
            assert other == cuda or not same_statements(cpp, other), old


def test_a_backward_pass_in_one_text_is_detected(lines: list[Line]) -> None:
    cpp, cuda = texts(lines[0])
    assert not same_statements(replace(cpp, backward_code=None), cuda)
    assert not same_statements(cpp, replace(cuda, backward_code=None))


@pytest.fixture(scope="module")
def changed(argument: Callable[..., Argument], pair_line: Callable[..., Line]) -> Line:
    """Return a kernel that changes an argument; in CUDA, the change affects later elements of the same thread."""
    launch = Launch(
        dim=(512,),
        args=(
            argument("x", "float32", (512,)),
            argument("scale", "float32"),
            argument("n", "int32", low=3, high=3),
            argument("out", "float32", (512,), "output"),
        ),
    )
    return pair_line(CHANGED, launch, backward=False)


def test_an_argument_that_both_texts_change_is_found(changed: Line, run_levels: Any) -> None:
    assert not same_statements(*texts(changed))
    (finding,) = run_levels([changed], "execute", "emulate")["emulate"]
    assert finding.status == "fail"
    assert "out is not what the kernel leaves" in finding.reason


CHANGES = {
    "p[0] += x[i]": "p[0]",
    "p[0] -= x[i]": "p[0]",
    "p[1] = p[1] + x[i]": "p[1]",
    "bits[0] |= int(x[i] * 1000.0)": "float(bits[0])",
    "bits[1] ^= int(x[i] * 1000.0)": "float(bits[1])",
    "u = wp.randf(seed)": "u",
    "u = wp.randn(seed)": "u",
    "u = wp.length(wp.sample_unit_cube(seed))": "u",
    "pose[0] += x[i]": "pose[0]",
    "wp.transform_set_translation(pose, wp.vec3(x[i], pose[0], 1.0))": "pose[1]",
}
"""Statements that change an argument, and a value that shows the change."""


@pytest.mark.sampled(4)
@pytest.mark.parametrize("statement", CHANGES)
def test_a_change_of_an_argument_by_reference_is_found(
    statement: str, argument: Callable[..., Argument], pair_line: Callable[..., Line], run_levels: Any
) -> None:
    source = f"""import warp as wp


@wp.kernel
def k(
    x: wp.array(dtype=float), p: wp.vec3, bits: wp.vec2i, pose: wp.transform, seed: wp.uint32,
    out: wp.array(dtype=float),
):
    i = wp.tid()
    {statement}
    out[i] = {CHANGES[statement]} * 2.0 + x[i]
"""
    kinds = {"p": "vec3f", "bits": "vec2i", "pose": "transformf", "seed": "uint32"}
    values = [argument(name, dtype, low=1, high=100) for name, dtype in kinds.items()]
    arrays = argument("x", "float32", (64,)), argument("out", "float32", (64,), "output")
    line = pair_line(source, Launch(dim=(64,), args=(arrays[0], *values, arrays[1])), backward=False)
    cpp, cuda = texts(line)
    assert same_statements(cpp, cuda) is False
    (finding,) = run_levels([line], "execute", "emulate")["emulate"]
    assert finding.status == "fail", finding.reason


def test_a_parameter_that_a_helper_changes_is_found(pair_line: Callable[..., Line]) -> None:
    helper = "@wp.func\ndef bump(p: wp.vec3, f: float):\n    {}\n\n\n"
    kernel = """@wp.kernel
def k(p: wp.vec3, x: wp.array(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    q = bump(p, x[i])
    out[i] = wp.dot(q, p)
"""
    for body, backward, same in (
        ("p[0] += f\n    return p", True, False),
        ("p[0] += f\n    return p", False, True),
        ("return p + wp.vec3(f)", True, True),
    ):
        line = pair_line("import warp as wp\n\n\n" + helper.format(body) + kernel, None, backward=backward)
        assert same_statements(*texts(line)) is same


@pytest.mark.exhaustive
def test_findings_do_not_depend_on_shared_statements(
    lines: list[Line], run_levels: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    shared_findings = run_levels(lines[:10], "execute", "emulate")
    compared: list[Code] = []

    def never(_: Code, cuda: Code) -> bool:
        compared.append(cuda)
        return False

    monkeypatch.setattr(shared, "same_statements", never)
    assert run_levels(lines[:10], "execute", "emulate") == shared_findings
    assert len(compared) == 10
    assert {finding.status for finding in shared_findings["emulate"]} == {"pass"}
