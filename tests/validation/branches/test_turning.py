"""Directed inputs, judged by plain Python versions of the kernels: NumPy says on which side of a comparison a thread is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np
import pytest

from warpsmith.core.inputs.values import Values, make_inputs
from warpsmith.core.records.launch import Argument, Domain, Launch
from warpsmith.validation.branches.turning import Turning
from warpsmith.validation.oracle.watching import watch

COUNT = 48

HEAD = """import warp as wp


@wp.kernel
def k(x: wp.array(dtype=float), a: float, y: wp.array(dtype=float)):
    i = wp.tid()
"""


def argument(name: str, kind: Literal["value", "array"], role: Literal["input", "output"], low: float, high: float) -> Argument:
    domain = Domain(kind="uniform" if role == "input" else "fill", low=low, high=high)
    shape = (COUNT,) if kind == "array" else ()
    return Argument(name=name, kind=kind, dtype="float32", role=role, shape=shape, domain=domain)


LAUNCH = Launch(
    dim=(COUNT,),
    args=(
        argument("x", "array", "input", -2.0, 2.0),
        argument("a", "value", "input", 0.1, 0.9),
        argument("y", "array", "output", 0.0, 0.0),
    ),
)


def turning_of(body: str) -> Turning:
    return Turning(LAUNCH, lambda values: watch(HEAD + body, "k", LAUNCH, values))


def found(body: str) -> dict[str, Values] | None:
    own, *others = (make_inputs(LAUNCH, name) for name in "abc")
    return turning_of(body).inputs(own, others)


ONE = np.float32(1.0)
BODIES: dict[str, tuple[str, Callable[[Values, Values], Values]]] = {
    "a curve": ("    if x[i] * x[i] + x[i] > 1.0:\n        y[i] = 2.0\n", lambda x, _: x * x + x - ONE),
    "with a plain argument": ("    v = wp.exp(x[i]) * a\n    y[i] = wp.min(v, 1.0)\n", lambda x, a: np.exp(x) * a - ONE),
    "the other order": (
        "    if 1.0 <= wp.sin(x[i]) * 3.0:\n        y[i] = a\n",
        lambda x, _: ONE - np.sin(x) * np.float32(3.0),
    ),
    "a clamp": ("    y[i] = wp.clamp(3.0 * x[i], -9.0, 1.0)\n", lambda x, _: np.float32(3.0) * x - ONE),
    "in a chain": ("    if -9.0 < x[i] + a < 1.0:\n        y[i] = a\n", lambda x, a: x + a - ONE),
}


@pytest.mark.parametrize("name", BODIES)
def test_threads_are_near_and_at_the_boundary(name: str) -> None:
    body, distance = BODIES[name]
    inputs = found(body)
    assert inputs is not None
    assert inputs["x"].dtype == np.float32
    assert np.all(np.abs(inputs["x"]) <= 2.0)
    missed = distance(inputs["x"], inputs["a"]).astype(np.float64)
    assert np.sum(np.abs(missed) <= 1.0e-6) >= COUNT // 8
    for aim in (0.04, -0.04):
        assert np.sum(np.abs(missed - aim) <= 0.005) >= COUNT // 8


def test_a_comparison_with_one_outcome_has_no_inputs() -> None:
    turning = turning_of("    if x[i] * x[i] < 100.0:\n        y[i] = a\n")
    own, *others = (make_inputs(LAUNCH, name) for name in "abc")
    assert turning.inputs(own, others) is None
    assert turning.stuck == {(7, 7)}
    assert not turning.look(others[0])


def test_comparisons_of_integers_are_left_to_others() -> None:
    assert found("    if i > 3:\n        y[i] = x[i]\n") is None


def test_plain_arguments_move_to_both_sides() -> None:
    """A condition on a plain argument alone: one launch on each side of 0.35, and one at it."""
    turning = turning_of("    y[i] = x[i]\n    if a + 0.15 > 0.5:\n        y[i] = 2.0\n")
    own, *others = (make_inputs(LAUNCH, name) for name in "abcdef")
    assert turning.inputs(own, others[:2]) is None
    sums = sorted(float(one["a"]) + 0.15 for one in turning.plain_inputs(own, others))
    assert sums == pytest.approx([0.48, 0.5, 0.52], abs=1.0e-3)


def test_a_kernel_without_arrays_of_floats() -> None:
    """Nothing can move thread by thread, and plain arguments still do."""
    launch = Launch(dim=(COUNT,), args=LAUNCH.args[1:])
    text = (HEAD + "    y[i] = wp.where(a * 2.0 > 1.0, 1.0, float(i))\n").replace("x: wp.array(dtype=float), ", "")
    turning = Turning(launch, lambda values: watch(text, "k", launch, values))
    own, *others = (make_inputs(launch, name) for name in "abcdef")
    assert turning.inputs(own, others[:2]) is None
    assert sorted(2.0 * float(one["a"]) for one in turning.plain_inputs(own, others)) == pytest.approx([0.96, 1.0, 1.04])


def test_elements_that_all_threads_read_move_too() -> None:
    inputs = found("    for j in range(3):\n        if x[j] > 1.5:\n            y[i] = a\n")
    assert inputs is not None
    assert np.min(np.abs(inputs["x"][:3] - 1.5)) <= 0.0601


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    "condition",
    [
        "wp.exp(500.0 * x[i]) > 1.0",
        "x[i] < wp.exp(500.0)",
        "x[i] < wp.exp(500.0 * a)",
        "wp.exp(500.0 * x[i]) < wp.exp(400.0 * a)",
        "wp.float64(x[i]) * wp.exp(wp.float64(700.0)) > wp.exp(wp.float64(700.0) * wp.float64(a))",
        "wp.log(x[i]) < a",
    ],
)
def test_infinite_operands_are_no_fault(condition: str) -> None:
    """NumPy warns of products and differences of infinite numbers, and the warning would reach the user."""
    turning = turning_of(f"    if {condition}:\n        y[i] = 2.0\n")
    own, *others = (make_inputs(LAUNCH, name) for name in "abc")
    found = [turning.inputs(own, others), *turning.plain_inputs(own, others)]
    assert all(np.isfinite(inputs["a"]).all() for inputs in found if inputs is not None)
