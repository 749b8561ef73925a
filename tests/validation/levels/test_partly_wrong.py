"""Level gradient fails adjoints that are right for some gradients of outputs, for some inputs, or in their first digits."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from warpsmith.core.records.jsonl import Line
from warpsmith.core.records.launch import Argument, Launch
from warpsmith.validation.levels.finding import Finding

pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")

SOURCE = """import warp as wp


@wp.func
def cube(x: float):
    return x * x * x


@wp.func_grad(cube)
def adj_cube(x: float, adj_ret: float):
    wp.adjoint[x] += {adjoint}


@wp.kernel
def k(x: wp.array(dtype=float), y: wp.array(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    out[i] = {result}
"""

ADJOINTS = {
    # name: (adjoint of the cube, result of the kernel, verdict)
    "as it is": ("3.0 * x * x * adj_ret", "cube(x[i]) + y[i]", "pass"),
    "clipped": ("3.0 * x * x * wp.clamp(adj_ret, -1.6, 1.6)", "cube(x[i]) + y[i]", "fail"),
    "of one sign": ("3.0 * x * x * wp.max(adj_ret, 0.0)", "cube(x[i]) + y[i]", "fail"),
    "dropped if small": ("wp.where(wp.abs(adj_ret) < 0.02, 0.0, 3.0 * x * x * adj_ret)", "cube(x[i]) + y[i]", "fail"),
    "of a small share": ("3.0 * x * x * adj_ret", "0.01 * cube(x[i]) + 1000.0 * y[i]", "pass"),
    "of a small share, wrong in the fourth digit": ("3.0006 * x * x * adj_ret", "0.01 * cube(x[i]) + 1000.0 * y[i]", "fail"),
}

IN_PLACE = {
    # name: (what a kernel without other floats does, verdict)
    "doubled in place": ("x[i] = 2.0 * x[i]", "pass"),
    "squared in place": ("x[i] = x[i] * x[i]", "fail"),
}


PLAIN = """import warp as wp


@wp.kernel
def k(x: wp.array(dtype=float), y: wp.array(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    out[i] = wp.sin(x[i]) + y[i]
"""
FEW = PLAIN.replace("out[i] = wp.sin(x[i]) + y[i]", "out[i] = y[i]\n    if i < 3:\n        out[i] = wp.sin(x[i]) + y[i]")
SOME = PLAIN.replace(
    "out[i] = wp.sin(x[i]) + y[i]", "out[i] = x[i] + y[i]\n    if i % 3 == 0:\n        out[i] = wp.sin(x[i]) + y[i]"
)
ROLES = (("x", "input"), ("y", "input"), ("out", "output"))


def around(pattern: str, before: str, after: str) -> Callable[[dict[str, Any]], None]:
    """Return a change that puts statements before and after the one line of the adjoint that matches, in both texts."""

    def change(record: dict[str, Any]) -> None:
        for key in ("cpp_backward", "cuda_ir_backward"):
            record[key], count = re.subn(rf"(?m)^.*{pattern}.*$", rf"{before}\g<0>{after}", record[key])
            assert count == 1

    return change


HALF, HALF_OF_FEW = "the gradient is rounded to half", "three gradients are rounded to half"
HALF_OF_SOME = "a third of the gradients is rounded to half"
KEPT = "{ auto& kept = adj_out.data ? adj_out.data[var_0] : var_out.grad[var_0]; const auto before = kept;\n"
DAMAGES = {
    "the gradient of the contents is kept": around(r"wp::adj_array_store\(", KEPT, "\nkept = before; }"),
    HALF: around(r"wp::adj_sin\(\w+, (\w+).*", "", r"\n\1 = wp::float32(wp::float16(\1));"),
}


@pytest.fixture(scope="module")
def findings(
    argument: Callable[..., Argument], pair_line: Callable[..., Line], change_line: Any, run_levels: Any
) -> dict[str, Finding]:
    """Return the findings of level gradient on all kernels."""
    x, y, out = (argument(name, "float32", (64,), role=role, low=0.5, high=1.5) for name, role in ROLES)
    lines = {
        name: pair_line(SOURCE.format(adjoint=adjoint, result=result), Launch(dim=(64,), args=(x, y, out)), identity=name)
        for name, (adjoint, result, _) in ADJOINTS.items()
    }
    for name, (statement, _) in IN_PLACE.items():
        source = f"import warp as wp\n\n\n@wp.kernel\ndef k(x: wp.array(dtype=float)):\n    i = wp.tid()\n    {statement}\n"
        lines[name] = pair_line(source, Launch(dim=(64,), args=(replace(x, role="inout"),)), identity=name)
    plain = pair_line(PLAIN, Launch(dim=(64,), args=(x, y, out)), identity="plain")
    lines |= {"plain": plain} | {name: change_line(plain, damage) for name, damage in DAMAGES.items()}
    few = pair_line(FEW, Launch(dim=(64,), args=(replace(x, shape=(3,)), y, out)), identity="few")
    some = pair_line(SOME, Launch(dim=(64,), args=(x, y, out)), identity="some")
    lines |= {"few": few, HALF_OF_FEW: change_line(few, DAMAGES[HALF])}
    lines |= {"some": some, HALF_OF_SOME: change_line(some, DAMAGES[HALF])}
    numbered = [replace(line, number=number) for number, line in enumerate(lines.values(), start=1)]
    by_level = run_levels(numbered, "execute", "gradient")
    assert {finding.status for finding in by_level["execute"]} == {"pass"}
    return dict(zip(lines, by_level["gradient"], strict=True))


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", ADJOINTS)
def test_an_adjoint_that_is_right_for_some_numbers(findings: dict[str, Finding], name: str) -> None:
    assert findings[name].status == ADJOINTS[name][-1], findings[name]


@pytest.mark.parametrize("name", IN_PLACE)
def test_a_kernel_whose_only_floats_are_changed_in_place(findings: dict[str, Finding], name: str) -> None:
    assert findings[name].status == IN_PLACE[name][-1], findings[name]


@pytest.mark.parametrize("name", ["plain", "few", "some"])
def test_a_right_text(findings: dict[str, Finding], name: str) -> None:
    assert findings[name].status == "pass", findings[name]


@pytest.mark.parametrize("name", [*DAMAGES, HALF_OF_FEW, HALF_OF_SOME])
def test_a_damaged_text(findings: dict[str, Finding], name: str) -> None:
    assert findings[name].status == "fail", findings[name]
