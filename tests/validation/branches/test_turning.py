"""Directed inputs, judged by plain Python versions of the kernels: NumPy says on which side of a comparison a thread is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np
import pytest

from warpsmith.core.inputs.values import Values, make_inputs
from warpsmith.core.records.launch import Argument, Domain, Launch
from warpsmith.validation.branches.turning import Turning
from warpsmith.validation.oracle.interpreter.comparison_distances import watch

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
    assert np.sum(np.abs(missed) <= 1.0e-6) >= COUNT // 24
    for aim in (0.002, -0.002, 0.01, -0.01, 0.04, -0.04):
        assert np.sum(np.abs(missed - aim) <= abs(aim) / 4.0) >= COUNT // 24


def test_threads_that_read_elements_of_other_numbers() -> None:
    """The element that thread ``i`` reads moves with it; one that two threads read moves with one of them."""
    inputs = found("    y[i] = wp.min(x[(7 * i + 3) % 48] + x[i // 2], 1.0)\n")
    assert inputs is not None
    number = np.arange(COUNT)
    missed = inputs["x"][(7 * number + 3) % 48].astype(np.float64) + inputs["x"][number // 2] - 1.0
    assert np.sum(np.abs(missed) <= 1.0e-6) >= 1
    assert np.sum((missed > 0.0) & (missed <= 0.003)) >= 1
    assert np.sum((missed < 0.0) & (missed >= -0.003)) >= 1


def test_elements_that_all_threads_read_stay() -> None:
    """The threads move their own elements only: an element that moved with one thread would move all others."""
    inputs = found("    y[i] = wp.max(x[i] + 0.1 * x[5] * x[7], 0.5)\n")
    assert inputs is not None
    missed = inputs["x"].astype(np.float64) + 0.1 * inputs["x"][5] * inputs["x"][7] - 0.5
    assert np.sum(np.abs(missed) <= 1.0e-6) >= COUNT // 16
    assert np.sum((np.abs(missed) > 1.0e-4) & (np.abs(missed) <= 0.002)) >= COUNT // 16


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
    assert sums == pytest.approx([0.499, 0.5, 0.501], abs=1.0e-4)


def test_a_kernel_without_arrays_of_floats() -> None:
    """Nothing can move thread by thread, and plain arguments still do."""
    launch = Launch(dim=(COUNT,), args=LAUNCH.args[1:])
    text = (HEAD + "    y[i] = wp.where(a * 2.0 > 1.0, 1.0, float(i))\n").replace("x: wp.array(dtype=float), ", "")
    turning = Turning(launch, lambda values: watch(text, "k", launch, values))
    own, *others = (make_inputs(launch, name) for name in "abcdef")
    assert turning.inputs(own, others[:2]) is None
    assert sorted(2.0 * float(one["a"]) for one in turning.plain_inputs(own, others)) == pytest.approx(
        [0.998, 1.0, 1.002], abs=1.0e-4
    )


def test_elements_that_all_threads_read_move_too() -> None:
    inputs = found("    for j in range(3):\n        if x[j] > 1.5:\n            y[i] = a\n")
    assert inputs is not None
    assert np.min(np.abs(inputs["x"][:3] - 1.5)) <= 0.07


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
