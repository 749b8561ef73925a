"""A launch may be wider than the arrays where the Python checks the number of the thread; the generated code has to, too."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from warpsmith.core.records.jsonl import Line
from warpsmith.core.records.launch import Argument, Launch
from warpsmith.validation.levels.finding import Finding

pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")

HEAD = """import warp as wp


@wp.kernel
def k(x: wp.array(dtype=float), n: int, out: wp.array(dtype=float)):
    i = wp.tid()
"""
KERNELS = {
    "return": "    if i >= x.shape[0]:\n        return\n    out[i] = x[i] * 2.0\n",
    "branch": "    if i < x.shape[0]:\n        out[i] = x[i] * 2.0\n",
    "no guard": "    out[i] = x[i] * 2.0\n",
    "another comparison": "    out[i] = x[i]\n    if i > n:\n        out[i] = x[i] * 2.0\n",
}
WRONG = {
    "an element too many": ("return", "(var_0 >= ", "(var_0 > "),
    "another element too many": ("branch", "(var_0 < ", "(var_0 <= "),
    "no return": ("return", "if (var_", "if (false && var_"),
}


@pytest.fixture(scope="module")
def findings(
    argument: Callable[..., Argument], pair_line: Callable[..., Line], change_line: Any, run_levels: Any
) -> dict[str, Finding]:
    args = (
        argument("x", "float32", (32,)),
        argument("n", "int32", low=3, high=9),
        argument("out", "float32", (32,), role="output"),
    )
    found = {name: pair_line(HEAD + body, Launch(dim=(32,), args=args), identity=name) for name, body in KERNELS.items()}
    for name, (kernel, before, after) in WRONG.items():

        def change(record: dict[str, Any], before: str = before, after: str = after) -> None:
            for key in ("cpp_forward", "cuda_ir_forward"):
                assert record[key].count(before) == 1
                record[key] = record[key].replace(before, after)

        found[name] = change_line(found[kernel], change)
    lines = [replace(line, number=number) for number, line in enumerate(found.values(), start=1)]
    return dict(zip(found, run_levels(lines, "execute")["execute"], strict=True))


@pytest.mark.parametrize("name", KERNELS)
def test_right_pairs_pass(findings: dict[str, Finding], name: str) -> None:
    assert findings[name] == Finding("pass")


@pytest.mark.parametrize("name", WRONG)
def test_a_thread_beyond_the_end_that_runs_fails(findings: dict[str, Finding], name: str) -> None:
    assert findings[name].status == "fail"
    assert findings[name].reason.startswith("a launch that is wider than the arrays stops, but the Python supports it: ")
