"""Selection and functions of numbers, applied per component to vectors where Warp does so.

Functions of the C library are computed in double precision and rounded once, which equals the result of an accurate
single-precision library in all but a few cases.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from warpsmith.validation.oracle.values.choices import CHOICES
from warpsmith.validation.oracle.values.interpretation_errors import Unsupported
from warpsmith.validation.oracle.values.lanes import applied, choose, class_of, lane_aware, shape_of
from warpsmith.validation.oracle.values.operators import Row, same_type, same_type_row, truth, truths
from warpsmith.validation.oracle.values.value_types import FLOATS, NUMBERS, Lanes, Value, describe, of

# -------------------------------------------------------------------------------------------------------------- selection


def _lesser(a: Value, b: Value) -> Value:
    """Return the smaller number; if one is NaN, return the other."""
    return choose(a <= b, a, choose(b == b, b, a))  # noqa: PLR0124 - only NaN differs from itself


def _greater(a: Value, b: Value) -> Value:
    return choose(a >= b, a, choose(b == b, b, a))  # noqa: PLR0124 - see above


def _extreme(name: str, choice: Row) -> Row:
    two = same_type_row(name, choice)

    @lane_aware
    def apply(a: Value, *more: Value) -> Value:
        if not more and len(shape_of(a) or ()) == 1:
            return applied(lambda v: functools.reduce(choice, v.view(np.ndarray)), a)
        if len(more) != 1:
            raise Unsupported(f"{name} of {len(more) + 1} values")
        return two(a, more[0])

    return apply


@lane_aware
def _clamp(x: Value, low: Value, high: Value) -> Value:
    return MINIMUM(MAXIMUM(low, x), high)


def _step(x: Value) -> Value:
    kind = x.dtype.type
    return choose(x < 0, kind(1), kind(0))


def _sign(x: Value) -> Value:
    kind = x.dtype.type
    signs = choose(x < 0, np.array(-1).astype(kind)[()], kind(1))
    return signs.view(type(x)) if isinstance(x, np.ndarray) else signs


@lane_aware
def _where(condition: Value, a: Value, b: Value) -> Value:
    if Lanes in (type(condition), type(a), type(b)):
        holds = truths(condition)
        if not same_type(a, b):
            raise Unsupported(f"where of {describe(a)} and {describe(b)}")
        return applied(choose, Lanes(holds), a, b) if isinstance(holds, np.ndarray) else a if holds else b
    if type(a) is not type(b):
        raise Unsupported(f"where of {describe(a)} and {describe(b)}")
    return a if truth(condition) else b


@lane_aware
def _lerp(a: Value, b: Value, t: Value) -> Value:
    kind, scalar = of(a), class_of(t)
    if kind is None or kind != of(b) or scalar not in FLOATS or kind.scalar is not scalar:
        raise Unsupported(f"lerp of {describe(a)}, {describe(b)} by {describe(t)}")
    return applied(lambda a, b, t: a * (scalar(1) - t) + b * t, a, b, t)


@lane_aware
def _smoothstep(low: Value, high: Value, x: Value) -> Value:
    kind = class_of(x)
    if not kind is class_of(low) is class_of(high) or kind not in FLOATS:
        raise Unsupported(f"smoothstep of {describe(low)}, {describe(high)}, {describe(x)}")
    t = _clamp(applied(lambda low, high, x: (x - low) / (high - low), low, high, x), kind(0), kind(1))
    return applied(lambda t: t * t * (kind(3) - kind(2) * t), t)


MINIMUM = _extreme("min", _lesser)
MAXIMUM = _extreme("max", _greater)


# -------------------------------------------------------------------------------------------------------------- functions


def _unary_row(name: str, operation: Row, kinds: frozenset[Any] = FLOATS, *, vectors: bool = False) -> Row:
    def apply(x: Value) -> Value:
        if type(x) in kinds or (vectors and isinstance(x, np.ndarray)):
            return operation(x)
        if type(x) is Lanes and (vectors or (x.data.ndim == 1 and x.data.dtype.type in kinds)):
            return Lanes(operation(x.data))
        raise Unsupported(f"{name} of {describe(x)}")

    return lane_aware(apply)


def real(name: str, function: Callable[[float], float], limit: Callable[[Any], Any] | None = None) -> Row:
    """Make a row of a C library function; ``limit`` is used where Python's function raises: at poles and outside the domain."""

    def apply(x: Value) -> Value:
        kind = class_of(x)
        if kind not in FLOATS:
            raise Unsupported(f"{name} of {describe(x)}")
        first = np.float32 if kind is np.float16 else kind  # Warp computes half precision in single precision
        if type(x) is Lanes:
            return Lanes(CHOICES.of_library(np.array([value(number) for number in x.data.tolist()], first).astype(kind)))
        return CHOICES.of_library(kind(first(value(float(x)))))

    def value(x: float) -> Any:
        try:
            return function(x)
        except (ValueError, OverflowError):
            return np.nan if limit is None else limit(np.float64(x))

    return lane_aware(apply)


def _about(name: str, holds: Callable[[Any, Any], Any]) -> Row:
    """Make a row that states something about a number, or about the components of a vector or matrix."""

    def apply(x: Value) -> Value:
        if type(x) is Lanes and (x.data.ndim > 1 or x.data.dtype.type in FLOATS):
            return Lanes(holds(x.data, tuple(range(x.data.ndim - 1))))
        if type(x) in FLOATS or isinstance(x, np.ndarray):
            return np.bool_(holds(x, None))
        raise Unsupported(f"{name} of {describe(x)}")

    return lane_aware(apply)


def _within(function: Callable[[float], float]) -> Callable[[float], float]:
    """Limit the argument of asin and acos to [-1, 1], as Warp does; NaN becomes -1."""
    return lambda x: function(x if -1.0 <= x <= 1.0 else 1.0 if x > 1.0 else -1.0)


def _round(x: Value) -> Value:
    """Round to the nearest integer, halves away from zero."""
    size = np.floor(np.abs(x))
    return np.copysign(size + (np.abs(x) - size >= 0.5), x).astype(x.dtype)


def _atan2(y: Value, x: Value) -> Value:
    return CHOICES.of_library(type(x)(math.atan2(float(y), float(x))))


def _scaled(factor: float) -> Row:
    return lambda x: (x.astype(np.float64) * factor).astype(x.dtype)


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
    "abs": _unary_row("abs", np.abs, NUMBERS, vectors=True),
    "sign": _unary_row("sign", _sign, NUMBERS, vectors=True),
    "step": _unary_row("step", _step, NUMBERS),
    "nonzero": _unary_row("nonzero", lambda x: choose(x == 0, x.dtype.type(0), x.dtype.type(1)), NUMBERS),
    "where": _where,
    "lerp": _lerp,
    "smoothstep": _smoothstep,
    "copysign": same_type_row("copysign", np.copysign, FLOATS, vectors=False),
    "atan2": same_type_row("atan2", _atan2, FLOATS, vectors=False, each=True),
    "sqrt": _unary_row("sqrt", np.sqrt),
    "cbrt": _unary_row("cbrt", lambda x: CHOICES.of_library(np.cbrt(x.astype(np.float64)).astype(x.dtype))),
    "degrees": _unary_row("degrees", _scaled(180.0 / math.pi)),
    "radians": _unary_row("radians", _scaled(math.pi / 180.0)),
    "floor": _unary_row("floor", np.floor),
    "ceil": _unary_row("ceil", np.ceil),
    "trunc": _unary_row("trunc", np.trunc),
    "rint": _unary_row("rint", np.rint),
    "round": _unary_row("round", _round),
    "frac": _unary_row("frac", lambda x: x - np.trunc(x)),
    "isfinite": _about("isfinite", lambda x, axis: np.all(np.isfinite(x), axis)),
    "isnan": _about("isnan", lambda x, axis: np.any(np.isnan(x), axis)),
    "isinf": _about("isinf", lambda x, axis: np.any(np.isinf(x), axis)),
    **{name: real(name, function, limit) for name, (function, limit) in _C_LIBRARY.items()},
}
