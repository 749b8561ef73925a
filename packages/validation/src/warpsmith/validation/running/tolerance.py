"""The tolerance between results on two devices, measured for each pair by its own text in double precision.

A GPU rounds differently from a CPU: it has other libraries, fused multiply-add, and sums in another order. The difference
between single and double precision on the CPU measures how sensitive a kernel is to rounding.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from warpsmith.core.inputs.values import Values

FACTOR = 32.0
"""The largest rounding error allowed on the device, as a multiple of the error on the CPU or of the change by moved inputs."""

ROUNDINGS = 128.0
"""The error that is always allowed, in units in the last place of the largest value.

Single precision may equal double precision by chance.
"""

JUMP = 1.0e-3
"""The difference between single and double precision, relative to the largest value, above which a comparison has flipped."""

REORDERED = {2: 2.0e-2, 4: 1.0e-3, 8: 1.0e-3}
"""The tolerance for sums in another order, by bytes of a float, relative to the largest value of the array, or to 1."""


def difference(
    actual: Values, expected: Values, exact: Values | None = None, changes: Callable[[], Values | None] = lambda: None
) -> str | None:
    """Describe how an array on the device differs from the array on the CPU; return None if rounding explains it.

    Args:
        actual: the array on the device.
        expected: the array on the CPU.
        exact: the array in double precision; without one, `JUMP` is the tolerance.
        changes: called if the values above explain too little; returns how far each element moves with the inputs, as rounding
            may move it, or None.
    """
    if not np.array_equal(np.isfinite(actual), np.isfinite(expected)):
        return "finite in one place and not in the other"
    error = np.abs(actual.astype(np.float64) - expected.astype(np.float64))
    error[~np.isfinite(error)] = 0.0
    limits = allowed(expected, exact)
    wrong = error > limits
    if wrong.any() and (moves := changes()) is not None:
        limits = np.maximum(limits, FACTOR * moves)
        wrong = error > limits
    if not wrong.any():
        return None
    return f"{np.mean(wrong):.1%} of the elements differ, at most by {error.max():.3g} where {limits.min():.3g} is allowed"


def allowed(expected: Values, exact: Values | None = None) -> Values:
    """Return the largest error of each element that rounding explains, see `difference`."""
    scale = float(np.abs(expected[np.isfinite(expected)]).max(initial=0.0))
    limits = np.full(expected.shape, tolerance(expected, exact, scale))
    if exact is not None:  # a comparison that flips in double precision may also flip elsewhere
        limits[_distance(expected, exact) > JUMP * scale] = np.inf
    return limits


def tolerance(expected: Values, exact: Values | None, scale: float) -> float:
    """Return the largest difference that rounding explains, for an array whose values reach ``scale``."""
    if expected.dtype.kind != "f":
        return 0.0
    least = ROUNDINGS * float(np.finfo(expected.dtype).eps) * scale
    if exact is None:
        return max(JUMP * max(scale, 1.0), least)
    distance = _distance(expected, exact)
    is_noise = distance > JUMP * scale
    if is_noise[np.abs(expected) >= scale / 2].all():  # even the largest elements, so that none is right to any digit
        return max(FACTOR * float(distance[np.isfinite(distance)].max(initial=0.0)), least)
    return max(FACTOR * float(distance[distance <= JUMP * scale].max(initial=0.0)), least)


def _distance(expected: Values, exact: Values) -> Values:
    with np.errstate(invalid="ignore"):
        return np.nan_to_num(np.abs(expected.astype(np.float64) - exact.astype(np.float64)), nan=np.inf)
