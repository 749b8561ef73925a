"""The tolerance of each element: the errors that rounding, or sums in another order, explain at this element.

Other elements do not count: beside a large number, the error of a small one stays small. The components of a vector or a matrix
are one element, whose sums and products contain each other.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from warpsmith.core.inputs.values import Values

FACTOR = 16.0
"""The largest error, as a multiple of the difference between results that differ by rounding."""

ROUNDINGS = 128.0
"""The error that is always allowed, in units in the last place of the element, or of the least element that is not zero.

An element that is zero may be the difference of equal numbers, which another order of operations leaves a little apart.
"""


def element_limits(expected: Values, alternatives: Iterable[Values], components: int = 0) -> Values:
    """Return the largest error of each element that rounding explains; infinity where results may be anything.

    Args:
        expected: the results in single precision.
        alternatives: the same results in double precision, rounded up or down, or of threads in another order.
        components: how many axes, the last ones, are those of a vector or a matrix.
    """
    if expected.dtype.kind != "f":
        limits = np.zeros(expected.shape)
        for other in alternatives:
            limits[other != expected] = np.inf
        return limits
    numbers = expected.astype(np.float64)
    sizes = np.abs(numbers)
    known = sizes[np.isfinite(sizes) & (sizes > 0.0)]
    least = float(known.min(initial=np.inf)) if known.size else 0.0
    eps = float(np.finfo(expected.dtype).eps)
    limits = np.where(np.isfinite(sizes), ROUNDINGS * eps * np.maximum(sizes, least), 0.0)
    for other in alternatives:
        explained = _explained(numbers, other.astype(np.float64), expected.dtype)
        if components:
            finite = np.where(np.isfinite(explained), explained, 0.0)
            explained = np.maximum(explained, finite.max(axis=tuple(range(-components, 0)), keepdims=True, initial=0.0))
        limits = np.maximum(limits, explained)
    return limits


def _explained(expected: Values, other: Values, dtype: np.dtype[np.floating]) -> Values:
    """Return the errors that the difference from other results explains; results of another class explain everything."""
    with np.errstate(invalid="ignore", over="ignore"):
        distance = np.abs(expected - other)
        largest = float(np.finfo(dtype).max)
        overflows = np.isinf(expected) & (np.sign(expected) == np.sign(other)) & (np.abs(other) > largest)
    same = overflows | (np.isnan(expected) & np.isnan(other)) | (expected == other)
    limits = np.where(np.isfinite(distance), FACTOR * distance, np.inf)
    return np.where(same, 0.0, limits)
