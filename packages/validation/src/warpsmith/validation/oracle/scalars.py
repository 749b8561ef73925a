"""Selection and functions of numbers, applied per component to vectors where Warp does so.

Functions of the C library are computed in double precision and rounded once, which equals the result of an accurate
single-precision library in all but a few cases.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from warpsmith.validation.oracle.errors import Unsupported
from warpsmith.validation.oracle.operators import Row, of_one_type, truth
from warpsmith.validation.oracle.types import FLOATS, NUMBERS, Value, describe, of

# -------------------------------------------------------------------------------------------------------------- selection


def _lesser(a: Value, b: Value) -> Value:
    """Return the smaller number; if one is NaN, return the other."""
    return a if a <= b else (b if b == b else a)  # noqa: PLR0124 - only NaN differs from itself


def _greater(a: Value, b: Value) -> Value:
    return a if a >= b else (b if b == b else a)  # noqa: PLR0124 - see above


def _extreme(name: str, scalar: Row, components: Row) -> Row:
    two = of_one_type(name, lambda a, b: components(a, b) if isinstance(a, np.ndarray) else scalar(a, b))

    def apply(a: Value, *more: Value) -> Value:
        if not more and isinstance(a, np.ndarray) and a.ndim == 1:
            return components.reduce(a)  # type: ignore[attr-defined]
        if len(more) != 1:
            raise Unsupported(f"{name} of {len(more) + 1} values")
        return two(a, more[0])

    return apply


def _clamp(x: Value, low: Value, high: Value) -> Value:
    return MINIMUM(MAXIMUM(low, x), high)


def _step(x: Value) -> Value:
    return type(x)(1 if x < 0 else 0)


def _sign(x: Value) -> Value:
    if isinstance(x, np.ndarray):
        return np.where(x < 0, x.dtype.type(-1), x.dtype.type(1)).view(type(x))
    return type(x)(-1 if x < 0 else 1)


def _where(condition: Value, a: Value, b: Value) -> Value:
    if type(a) is not type(b):
        raise Unsupported(f"where of {describe(a)} and {describe(b)}")
    return a if truth(condition) else b


def _lerp(a: Value, b: Value, t: Value) -> Value:
    kind = of(a)
    if kind is None or kind != of(b) or type(t) not in FLOATS or kind.scalar is not type(t):
        raise Unsupported(f"lerp of {describe(a)}, {describe(b)} by {describe(t)}")
    return a * (type(t)(1) - t) + b * t


def _smoothstep(low: Value, high: Value, x: Value) -> Value:
    kind = type(x)
    if not kind is type(low) is type(high) or kind not in FLOATS:
        raise Unsupported(f"smoothstep of {describe(low)}, {describe(high)}, {describe(x)}")
    t = _clamp((x - low) / (high - low), kind(0), kind(1))
    return t * t * (kind(3) - kind(2) * t)


MINIMUM = _extreme("min", _lesser, np.fmin)
MAXIMUM = _extreme("max", _greater, np.fmax)


# -------------------------------------------------------------------------------------------------------------- functions


def _one(name: str, operation: Row, kinds: frozenset[Any] = FLOATS, *, vectors: bool = False) -> Row:
    def apply(x: Value) -> Value:
        if type(x) in kinds or (vectors and isinstance(x, np.ndarray)):
            return operation(x)
        raise Unsupported(f"{name} of {describe(x)}")

    return apply


def real(name: str, function: Callable[[float], float], limit: Callable[[Any], Any] | None = None) -> Row:
    """Make a row of a C library function; ``limit`` is used where Python's function raises: at poles and outside the domain."""

    def apply(x: Value) -> Value:
        kind = type(x)
        if kind not in FLOATS:
            raise Unsupported(f"{name} of {describe(x)}")
        try:
            return kind(function(float(x)))
        except (ValueError, OverflowError):
            return kind(np.nan if limit is None else limit(np.float64(x)))

    return apply


def _within(function: Callable[[float], float]) -> Callable[[float], float]:
    """Limit the argument of asin and acos to [-1, 1], as Warp does; NaN becomes -1."""
    return lambda x: function(x if -1.0 <= x <= 1.0 else 1.0 if x > 1.0 else -1.0)


def _round(x: Value) -> Value:
    """Round to the nearest integer, halves away from zero."""
    size = np.floor(np.abs(x))
    return np.copysign(size + (np.abs(x) - size >= 0.5), x).astype(x.dtype)


def _atan2(y: Value, x: Value) -> Value:
    return type(x)(math.atan2(float(y), float(x)))


def _scaled(factor: float) -> Row:
    return lambda x: type(x)(float(x) * factor)


_C_LIBRARY: dict[str, tuple[Callable[[float], float], Callable[[Any], Any] | None]] = {
    "sin": (math.sin, None),
    "cos": (math.cos, None),
    "tan": (math.tan, None),
    "asin": (_within(math.asin), None),
    "acos": (_within(math.acos), None),
    "atan": (math.atan, None),
    "sinh": (math.sinh, np.sinh),
    "cosh": (math.cosh, np.cosh),
    "tanh": (math.tanh, None),
    "exp": (math.exp, np.exp),
    "log": (math.log, np.log),
    "log2": (math.log2, np.log2),
    "log10": (math.log10, np.log10),
    "erf": (math.erf, None),
    "erfc": (math.erfc, None),
}

ROWS: dict[str, Row] = {
    "min": MINIMUM,
    "max": MAXIMUM,
    "clamp": _clamp,
    "abs": _one("abs", np.abs, NUMBERS, vectors=True),
    "sign": _one("sign", _sign, NUMBERS, vectors=True),
    "step": _one("step", _step, NUMBERS),
    "nonzero": _one("nonzero", lambda x: type(x)(0 if x == 0 else 1), NUMBERS),
    "where": _where,
    "lerp": _lerp,
    "smoothstep": _smoothstep,
    "copysign": of_one_type("copysign", np.copysign, FLOATS, vectors=False),
    "atan2": of_one_type("atan2", _atan2, FLOATS, vectors=False),
    "sqrt": _one("sqrt", np.sqrt),
    "cbrt": _one("cbrt", lambda x: type(x)(np.cbrt(np.float64(x)))),
    "degrees": _one("degrees", _scaled(180.0 / math.pi)),
    "radians": _one("radians", _scaled(math.pi / 180.0)),
    "floor": _one("floor", np.floor),
    "ceil": _one("ceil", np.ceil),
    "trunc": _one("trunc", np.trunc),
    "rint": _one("rint", np.rint),
    "round": _one("round", _round),
    "frac": _one("frac", lambda x: x - np.trunc(x)),
    "isfinite": _one("isfinite", lambda x: np.bool_(np.all(np.isfinite(x))), vectors=True),
    "isnan": _one("isnan", lambda x: np.bool_(np.any(np.isnan(x))), vectors=True),
    "isinf": _one("isinf", lambda x: np.bool_(np.any(np.isinf(x))), vectors=True),
    **{name: real(name, function, limit) for name, (function, limit) in _C_LIBRARY.items()},
}
