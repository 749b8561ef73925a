"""The promise: statements are compiled once for both texts of a pair only where the CUDA text says the very same as the C++
text, line by line; then all that emulation finds is what it finds when the CUDA text is compiled for itself.
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
    """The code less one line, for each that says anything, up to the one that begins with ``end``."""
    name = f"{direction}_code"
    rows = getattr(code, name).splitlines(keepends=True)
    last = next((number for number, row in enumerate(rows) if end and row.startswith(end)), len(rows))
    for number, row in enumerate(rows[:last]):
        if row.strip():
            yield row, replace(code, **{name: "".join(rows[:number] + rows[number + 1 :])})


def test_nearly_all_texts_share_their_statements(lines: list[Line]) -> None:
    alike = [same_statements(*texts(line)) for line in lines]
    assert sum(alike) >= 0.95 * len(alike)


@pytest.mark.parametrize("direction", ["forward", "backward"])
def test_a_line_that_is_missing_from_one_text_is_missed(lines: list[Line], direction: str) -> None:
    cpp, cuda = texts(next(line for line in lines if same_statements(*texts(line))))
    for row, less in without_a_line(cuda, direction):
        assert not same_statements(cpp, less), row
    for row, less in without_a_line(cpp, direction, end=f"struct {cpp.kernel_name}_cpu_block_payload"):
        assert not same_statements(less, cuda), row


@pytest.mark.parametrize("direction", ["forward", "backward"])
def test_a_statement_that_both_texts_have_and_one_says_differently(lines: list[Line], direction: str) -> None:
    name = f"{direction}_code"
    for line in lines[:20]:
        cpp, cuda = texts(line)
        for old, new in (("var_0", "var_1"), ("continue;", "return;"), ("wp::array_store", "wp::store"), ("_idx <", "_idx <=")):
            other = replace(cuda, **{name: getattr(cuda, name).replace(old, new, 1)})
            assert other == cuda or not same_statements(cpp, other), old


def test_a_pass_that_only_one_has(lines: list[Line]) -> None:
    cpp, cuda = texts(lines[0])
    assert not same_statements(replace(cpp, backward_code=None), cuda)
    assert not same_statements(cpp, replace(cuda, backward_code=None))


@pytest.fixture(scope="module")
def changed(argument: Callable[..., Argument], pair_line: Callable[..., Line]) -> Line:
    """A kernel that changes an argument: in CUDA a thread takes the change along to its next element."""
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


def test_an_argument_that_a_thread_changes_is_found_though_both_texts_change_it(changed: Line, run_levels: Any) -> None:
    assert not same_statements(*texts(changed))
    (finding,) = run_levels([changed], "execute", "emulate")["emulate"]
    assert finding.status == "fail"
    assert "out is not what the kernel leaves" in finding.reason


def test_findings_are_the_same_either_way(lines: list[Line], run_levels: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    once = run_levels(lines[:30], "execute", "emulate")
    asked: list[Code] = []

    def never(_: Code, cuda: Code) -> bool:
        asked.append(cuda)
        return False

    monkeypatch.setattr(shared, "same_statements", never)
    assert run_levels(lines[:30], "execute", "emulate") == once
    assert len(asked) == 30
    assert {finding.status for finding in once["emulate"]} == {"pass"}
