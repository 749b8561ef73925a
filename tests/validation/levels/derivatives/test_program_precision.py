"""A gradient that is imprecise in the program's precision passes if the kernel's own steps round so, and fails otherwise."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from warpsmith.core.records.jsonl import Line
from warpsmith.core.records.launch import Argument, Launch

pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")

OF_CLOSE_NUMBERS = """import warp as wp


@wp.func
def bowl(x: float):
    return x * x + 0.3 * wp.cos(3.0 * x)


@wp.kernel
def k(x: wp.array(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    h = 0.0005
    out[i] = (bowl(x[i] + h) - bowl(x[i] - h)) / (2.0 * h)
"""

OF_A_COARSE_ADJOINT = """import warp as wp


@wp.func
def square(x: float):
    return x * x


@wp.func_grad(square)
def adj_square(x: float, adj_ret: float):
    slope = (2.0 * x + 4096.0) - 4096.0
    wp.adjoint[x] += slope * adj_ret


@wp.kernel
def k(x: wp.array(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    out[i] = square(x[i])
"""
"""The adjoint has the precision of a half: adding 4096 leaves eleven bits."""


@pytest.mark.parametrize(("source", "status"), [(OF_CLOSE_NUMBERS, "pass"), (OF_A_COARSE_ADJOINT, "fail")])
def test_steps_of_the_kernel_are_told_from_a_coarse_adjoint(
    source: str, status: str, argument: Callable[..., Argument], pair_line: Callable[..., Line], run_levels: Any
) -> None:
    args = (argument("x", "float32", (64,)), argument("out", "float32", (64,), role="output"))
    [finding] = run_levels([pair_line(source, Launch(dim=(64,), args=args))], "execute", "gradient")["gradient"]
    assert finding.status == status, finding
    assert ("elements are imprecise" in finding.reason) == (status == "fail")
