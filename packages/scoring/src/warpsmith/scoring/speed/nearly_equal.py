"""Whether two kernels left the same numbers, as far as rounding and the order of threads allow."""

from __future__ import annotations

import numpy as np

from warpsmith.core.inputs.values import Values

TOLERANCE, SHARE = 1e-3, 0.99
"""The difference beside the largest number up to which numbers are equal, and the share of numbers that has to be."""


def nearly_equal(actual: Values, expected: Values) -> bool:
    """Return whether nearly all elements of two arrays are equal.

    Examples:
        >>> nearly_equal(np.array([1.0, 2.0]), np.array([1.0, 2.0001])), nearly_equal(np.array([1, 3]), np.array([1, 2]))
        (True, False)
    """
    if not actual.size:
        return True
    if actual.dtype.kind != "f":
        return bool(np.mean(actual == expected) >= SHARE)
    finite = expected[np.isfinite(expected)]
    tolerance = TOLERANCE * float(np.abs(finite).max(initial=0.0))
    return bool(np.mean(np.isclose(actual, expected, TOLERANCE, tolerance, equal_nan=True)) >= SHARE)
