"""Compares two sets of results within the error of floating-point arithmetic."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from warpsmith.core.inputs.values import Values

SHARE_OF_SCALE: dict[int, float] = {2: 2.0e-2, 4: 1.0e-5, 8: 2.0e-14}
"""The tolerance of floats by their size in bytes, as a share of the largest finite value of the array.

In single precision the tolerance is about eighty roundings. Of 3,616 result arrays of 967 generated kernels, run without
optimization on an x86-64 CPU, 96% equal the oracle's bit for bit. The other arrays differ where the C library rounds a
transcendental function differently, or where a matrix product uses fused multiply-add. The largest error was a share of 9e-7,
and no integer differed. Double precision has the same number of roundings; half precision has fewer, because the same number
would hide real errors.
"""


SPREADS = 4.0
"""How many times as far as rounding moves it an element may be from the expected one."""


def disagreement(
    actual: Mapping[str, Values],
    expected: Mapping[str, Values],
    roughness: float = 0.0,
    spreads: Mapping[str, Values] | None = None,
) -> str | None:
    """Return where results differ, or None if they agree.

    Integers and booleans must be equal. A float may differ by `SHARE_OF_SCALE` of the largest value of its array, because the
    difference of two similar values is a small number with the error of large ones. Values that are not finite must be equal.
    The rules apply to every element.

    Args:
        actual: results by name.
        expected: the results to compare with.
        roughness: a larger tolerance of floats, for builtins that are less accurate than rounding.
        spreads: how far rounding moves each element, by name; integers may differ, too, where it moves them.
    """
    if actual.keys() != expected.keys():
        return f"results {sorted(actual)} instead of {sorted(expected)}"
    known = spreads or {}
    reasons = (_differs(name, actual[name], values, roughness, known.get(name)) for name, values in expected.items())
    return next((reason for reason in reasons if reason), None)


def _differs(name: str, actual: Values, expected: Values, roughness: float, movement: Values | None = None) -> str | None:
    if (actual.shape, actual.dtype) != (expected.shape, expected.dtype):
        return f"{name}: {actual.dtype} of shape {actual.shape} instead of {expected.dtype} of shape {expected.shape}"
    if expected.dtype.names is not None:
        members = expected.dtype.names
        reasons = (_differs(f"{name}.{member}", actual[member], expected[member], roughness) for member in members)
        return next((reason for reason in reasons if reason), None)
    wrong = _unequal(actual, expected, roughness)
    if movement is not None:
        with np.errstate(invalid="ignore"):
            wrong &= ~(np.abs(actual.astype(np.float64) - expected.astype(np.float64)) <= SPREADS * movement)
    if not wrong.any():
        return None
    position = tuple(int(index) for index in np.argwhere(wrong)[0])
    count = np.count_nonzero(wrong)
    return f"{name}{list(position)} is {actual[position]} instead of {expected[position]}, {count} of {wrong.size} differ"


def _unequal(actual: Values, expected: Values, roughness: float) -> Values:
    if expected.dtype.kind != "f":
        return np.asarray(actual != expected)
    equal = actual == expected
    if equal.all():
        return np.asarray(~equal)
    finite = np.isfinite(expected) & np.isfinite(actual)
    same = equal | (np.isnan(actual) & np.isnan(expected))
    scale = float(np.max(np.abs(expected[finite]), initial=0.0))
    limit = max(SHARE_OF_SCALE[expected.dtype.itemsize], roughness) * scale
    with np.errstate(invalid="ignore"):
        close = np.abs(actual.astype(np.float64) - expected.astype(np.float64)) <= limit
    return np.asarray(~(same | (finite & close)))
