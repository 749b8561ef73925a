"""The bits of numbers, and the inverses of the error functions."""

from __future__ import annotations

import statistics

import numpy as np

from warpsmith.validation.oracle.builtins.scalars import real
from warpsmith.validation.oracle.values.interpretation_errors import Unsupported
from warpsmith.validation.oracle.values.operators import Row
from warpsmith.validation.oracle.values.value_types import INTEGERS, NUMBERS, Lanes, Type, Value, describe

_NORMAL = statistics.NormalDist(sigma=0.5**0.5)
"""The distribution whose cumulative function is (1 + erf(x)) / 2."""


def _bit_count(value: Value) -> Value:
    if type(value) not in INTEGERS:
        raise Unsupported(f"bit_count of {describe(value)}")
    return np.int32(int(value).__and__((1 << 8 * value.dtype.itemsize) - 1).bit_count())


def reinterpreted(value: Value, target: Type) -> Value:
    """Return the number with the same bits."""
    if type(value) is Lanes and value.data.ndim == 1 and value.data.dtype.itemsize == np.dtype(target.scalar).itemsize:
        return Lanes(value.data.view(target.scalar)) if not target.shape else reinterpreted(value.of_lane(0), target)
    if type(value) not in NUMBERS or target.shape or value.dtype.itemsize != np.dtype(target.scalar).itemsize:
        raise Unsupported(f"a cast of {describe(value)} to {target}")
    return value.view(target.scalar)


def _inverse_erf(x: float) -> float:
    return _NORMAL.inv_cdf((x + 1.0) / 2.0) if abs(x) < 1.0 else float(np.copysign(np.inf, x)) if abs(x) == 1.0 else np.nan


def _inverse_erfc(x: float) -> float:
    return -_NORMAL.inv_cdf(x / 2.0) if 0.0 < x < 2.0 else {0.0: np.inf, 2.0: -np.inf}.get(x, np.nan)


ROWS: dict[str, Row] = {
    "bit_count": _bit_count,
    "erfinv": real("erfinv", _inverse_erf),
    "erfcinv": real("erfcinv", _inverse_erfc),
}
