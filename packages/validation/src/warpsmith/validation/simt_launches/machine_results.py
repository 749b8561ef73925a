"""Comparison of results of the SIMT machine with those of C++ code on the CPU.

Both compute in the same precision, with different libraries of mathematical functions, and the machine adds in another order.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import NamedTuple

import numpy as np

from warpsmith.core.inputs.values import Values
from warpsmith.validation.running import tolerance
from warpsmith.validation.running.outputs import LaunchOutputs

CLOSE = {2: 4.0e-3, 4: 1.0e-5, 8: 1.0e-10}
"""The difference that always passes, by bytes of a float, relative to the largest value of the array, or to 1 if the launch has
values of that size: the gradient of an array may be zero up to rounding.

Without fused multiply-add, results of 600 pairs agreed within 1e-5 on all their launches. A larger difference passes only if
the result of the pair's text in double precision shows that it is rounding, see `warpsmith.validation.running.tolerance`.
"""

_GROUPS = (("", "arrays"), ("the gradient of ", "gradients"), ("after the backward pass, ", "rewritten"))

Exact = Callable[[], LaunchOutputs | None]
"""Returns the results in double precision, or other arrays of the same names, or None if there are none."""


class Disagreement(NamedTuple):
    """A difference of results.

    Attributes:
        text: a description.
        in_forward: whether the forward pass caused it.
        is_certain: whether results in double precision show that it is no rounding.
    """

    text: str
    in_forward: bool
    is_certain: bool


def disagreement(actual: LaunchOutputs, expected: LaunchOutputs, exact: Exact, changes: Exact) -> Disagreement | None:
    """Return how results on the machine differ from the expected ones; None if rounding explains all differences.

    Args:
        actual: the results on the machine.
        expected: the results of C++ code on the CPU.
        exact: called once if results are not close.
        changes: called once if rounding by these does not explain a difference; returns how far each element moves with the
            inputs.
    """
    exact, changes = cache(exact), cache(changes)
    scale = min(max((_largest(array) for _, group in _GROUPS for array in getattr(expected, group).values()), default=0.0), 1.0)
    for what, group in _GROUPS:
        found, wanted = getattr(actual, group), getattr(expected, group)
        least = min(max(map(_largest, wanted.values()), default=0.0), 1.0)
        for name, value in wanted.items():
            if name not in found or are_close(found[name], value, CLOSE, least):
                continue
            if group == "gradients" and not value.any() and are_close(found[name], value, tolerance.REORDERED, scale):
                continue  # contributions cancel, in the order of the CPU exactly
            double = _array(exact, group, name)
            moves = partial(_array, changes, group, name)
            if (problem := tolerance.difference(found[name], value, double, moves)) is not None:
                return Disagreement(
                    f"{what}{name} is not what the kernel leaves: {problem}", group == "arrays", double is not None
                )
    return None


def dependence_on_order(actual: LaunchOutputs, other: LaunchOutputs) -> str | None:
    """Return which result differs between two orders of threads by more than sums in another order; None if none does."""
    for what, group in _GROUPS:
        found, reordered = getattr(actual, group), getattr(other, group)
        for name, value in reordered.items():
            if name in found and not are_close(found[name], value, tolerance.REORDERED, 1.0):
                return f"{what}{name} depends on the order of threads"
    return None


def are_close(actual: Values, expected: Values, limits: Mapping[int, float], least: float) -> bool:
    """Return whether an array equals the expected one, or differs from it by no more than rounding.

    Args:
        actual: the array.
        expected: the expected array.
        limits: the largest difference by bytes of a float, relative to the largest expected value.
        least: what the difference is relative to at least.
    """
    if actual.tobytes() == expected.tobytes() or np.array_equal(actual, expected, equal_nan=expected.dtype.kind == "f"):
        return True
    if expected.dtype.kind != "f":
        return False
    finite = np.isfinite(expected)
    if not np.array_equal(finite, np.isfinite(actual)) or not np.array_equal(
        actual[~finite], expected[~finite], equal_nan=True
    ):
        return False
    wide, found = expected[finite].astype(np.float64), actual[finite].astype(np.float64)
    scale = max(_largest(expected), least)
    return bool(np.all(np.abs(found - wide) <= limits[expected.dtype.itemsize] * scale))


def _array(results: Exact, group: str, name: str) -> Values | None:
    array: Values | None = getattr(results(), group, {}).get(name)
    return array


def _largest(array: Values) -> float:
    """Return the largest finite absolute value of an array of floats; 0 for others."""
    return float(np.abs(array[np.isfinite(array)]).max(initial=0.0)) if array.dtype.kind == "f" else 0.0
