"""Rules of operators, of selection, and of functions of numbers."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from warpsmith.validation.oracle.derivatives.duals import Dual, angle_of
from warpsmith.validation.oracle.derivatives.rule_forms import (
    Rule,
    components_of,
    constant,
    formula,
    linear,
    multilinear,
    of_number,
    times,
    typed,
)
from warpsmith.validation.oracle.values.interpretation_errors import Unsupported
from warpsmith.validation.oracle.values.lanes import merged, part_of, shape_of
from warpsmith.validation.oracle.values.moving_values import CORNERS, paired, tangent_of, value_of
from warpsmith.validation.oracle.values.operators import Row, truths
from warpsmith.validation.oracle.values.tile_values import Tile
from warpsmith.validation.oracle.values.value_types import Lanes, Value, describe

_PI = math.pi


def multiply(row: Row, a: Value, b: Value) -> Value:
    """Apply the product rule; a number that does not move contributes nothing, even beside an infinite one."""
    if shape_of(value_of(a)) == shape_of(value_of(b)) == ():
        value = row(value_of(a), value_of(b))
        change = typed(
            lambda _, a, b, s, t: times(s, b) + times(t, a), value, value_of(a), value_of(b), tangent_of(a), tangent_of(b)
        )
        return paired(value, change)
    return multilinear(row, a, b)


def divide(row: Row, a: Value, b: Value) -> Value:
    """Apply the rule of a quotient; where neither part moves the quotient does not, even if it is infinite."""
    value = row(value_of(a), value_of(b))
    if isinstance(value, Tile):
        raise Unsupported("the derivative of a quotient of tiles")

    def change(q: Any, b: Any, s: Any, t: Any) -> Any:
        rest = s - times(t, q)
        return CORNERS.stays((s != 0) | (t != 0), rest / b)

    return paired(value, typed(change, value, value_of(b), tangent_of(a), tangent_of(b)))


def _remainder(row: Row, a: Value, b: Value) -> Value:
    value = row(value_of(a), value_of(b))

    def change(m: Any, a: Any, b: Any, s: Any, t: Any) -> Any:
        CORNERS.note("mod", (m == 0) & (a != 0) & (s != times(t, np.trunc(a / b))))
        return s - times(t, np.trunc(a / b))

    return paired(value, typed(change, value, value_of(a), value_of(b), tangent_of(a), tangent_of(b)))


def _floor_quotient(row: Row, a: Value, b: Value) -> Value:
    x, y, s, t = value_of(a), value_of(b), tangent_of(a), tangent_of(b)
    CORNERS.note_where("floordiv", lambda x, y, s, t: (x / y == np.floor(x / y)) & (s != times(t, x / y)), x, y, s, t)
    value = row(x, y)
    return paired(value, tangent_of(value))


def _power(row: Row, a: Value, b: Value) -> Value:
    value = row(value_of(a), value_of(b))

    def change(y: Any, a: Any, b: Any, s: Any, t: Any) -> Any:
        by_base = np.where(b == 0, 0.0, b * np.power(a, b - 1.0))
        return times(s, by_base) + times(t, np.where(y == 0, 0.0, y * np.log(a)))

    return paired(value, typed(change, value, value_of(a), value_of(b), tangent_of(a), tangent_of(b)))


def compare(name: str) -> Rule:
    """Make the rule of a comparison: two equal numbers that move apart are at a corner."""

    def apply(row: Row, a: Value, b: Value) -> Value:
        x, y = value_of(a), value_of(b)
        CORNERS.note_where(name, lambda x, y, s, t: (x == y) & (s != t), x, y, tangent_of(a), tangent_of(b))
        return row(x, y)

    return apply


# -------------------------------------------------------------------------------------------------------------- selection


def _extreme(name: str, first: Callable[[Any, Any], Any]) -> Rule:
    """Make the rule of min or max; ``first`` returns where the first number is the result."""

    def two(row: Row, a: Value, b: Value) -> Value:
        value = row(value_of(a), value_of(b))

        def change(_: Any, a: Any, b: Any, s: Any, t: Any) -> Any:
            CORNERS.note(name, (a == b) & (s != t))
            return np.where(first(a, b) | (b != b), s, t)  # noqa: PLR0124 - only NaN differs from itself

        return paired(value, typed(change, value, value_of(a), value_of(b), tangent_of(a), tangent_of(b)))

    def apply(row: Row, a: Value, *more: Value) -> Value:
        if more:
            return two(row, a, *more)
        value, x, t = row(a.value), components_of(a.value), components_of(a.tangent)
        result = value.data if type(value) is Lanes else value
        equal = x == result
        place = np.argmax(equal, axis=0)
        picked = np.take_along_axis(t, place[None], axis=0)[0] if t.ndim > 1 else t[place]
        CORNERS.note(name, np.any(equal & (t != picked), axis=0))
        return paired(value, typed(lambda _, t: t, value, Lanes(picked) if type(value) is Lanes else picked))

    return apply


_minimum, _maximum = _extreme("min", np.less_equal), _extreme("max", np.greater_equal)


def _clamp(row: Row, x: Value, low: Value, high: Value) -> Value:
    value = row(value_of(x), value_of(low), value_of(high))

    def change(_: Any, x: Any, low: Any, high: Any, *tangents: Any) -> Any:
        t, s, u = tangents
        raised = np.where(low >= x, low, x)
        from_low = np.where(low >= x, s, t)
        CORNERS.note("clamp", ((low == x) & (s != t)) | ((raised == high) & (from_low != u)))
        return np.where(raised <= high, from_low, u)

    several = (x, low, high)
    return paired(value, typed(change, value, *map(value_of, several), *map(tangent_of, several)))


def _where(_: Row, condition: Value, a: Value, b: Value) -> Value:
    holds = truths(value_of(condition))
    if describe(value_of(a)) != describe(value_of(b)):
        raise Unsupported(f"where of {describe(value_of(a))} and {describe(value_of(b))}")
    if not isinstance(holds, np.ndarray):
        return a if holds else b
    places = np.flatnonzero(holds)
    return merged(b, part_of(a, places), places, len(holds))


def _smoothstep(low: Dual, high: Dual, x: Dual) -> Dual:
    t = (x - low) / (high - low)
    outside = (t.value <= 0) | (t.value >= 1)
    t = Dual(np.clip(t.value, 0.0, 1.0), np.where(outside, 0.0, t.tangent))  # smooth at both ends
    return t * t * (3.0 - 2.0 * t)


def _copysign(x: Dual, sign: Dual) -> Dual:
    CORNERS.note("copysign", ((x.value == 0) & (x.tangent != 0)) | ((sign.value == 0) & (sign.tangent != 0)))
    return Dual(x.value, x.tangent * np.sign(x.value) * np.copysign(1.0, sign.value))


def _halted(name: str, rounding: Callable[[Any], Any]) -> Rule:
    """Make the rule of a rounding, which jumps where ``rounding`` leaves a number as it is."""
    return of_number(lambda x, _: np.zeros_like(x), lambda x: x == rounding(x), name)


def _inside(slope: Callable[[Any], Any]) -> Callable[[Any, Any], Any]:
    return lambda x, _: np.where(np.abs(x) < 1.0, slope(np.where(np.abs(x) < 1.0, x, 0.0)), 0.0)


def _half(x: Any) -> Any:
    return np.floor(x) + 0.5


def _at_zero(x: Any) -> Any:
    return x == 0


RULES: dict[str, Rule] = {
    **{name: compare(name) for name in ("<", "<=", ">", ">=", "==", "!=")},
    "add": linear,
    "sub": linear,
    "neg": linear,
    "pos": linear,
    "unot": constant,
    "mul": multiply,
    "div": divide,
    "div_approx": divide,
    "mod": _remainder,
    "floordiv": _floor_quotient,
    "pow": _power,
    "min": _minimum,
    "max": _maximum,
    "clamp": _clamp,
    "where": _where,
    "lerp": formula(lambda a, b, t: a * (1.0 - t) + b * t),
    "smoothstep": formula(_smoothstep),
    "copysign": formula(_copysign),
    "atan2": formula(angle_of),
    "abs": of_number(lambda x, _: np.sign(x), _at_zero, "abs"),
    "sign": of_number(lambda x, _: np.zeros_like(x), _at_zero, "sign"),
    "step": of_number(lambda x, _: np.zeros_like(x), _at_zero, "step"),
    "nonzero": of_number(lambda x, _: np.zeros_like(x), _at_zero, "nonzero"),
    "sqrt": of_number(lambda _, y: 0.5 / y),
    "cbrt": of_number(lambda _, y: 1.0 / (3.0 * y * y)),
    "degrees": linear,
    "radians": linear,
    "floor": _halted("floor", np.floor),
    "ceil": _halted("ceil", np.ceil),
    "trunc": _halted("trunc", lambda x: np.where(x == 0, np.nan, np.trunc(x))),
    "rint": _halted("rint", _half),
    "round": _halted("round", _half),
    "frac": of_number(lambda x, _: np.ones_like(x), lambda x: (x == np.trunc(x)) & (x != 0), "frac"),
    "sin": of_number(lambda x, _: np.cos(x)),
    "cos": of_number(lambda x, _: -np.sin(x)),
    "tan": of_number(lambda _, y: 1.0 + y * y),
    "asin": of_number(_inside(lambda x: 1.0 / np.sqrt(1.0 - x * x)), lambda x: np.abs(x) == 1.0, "asin"),
    "acos": of_number(_inside(lambda x: -1.0 / np.sqrt(1.0 - x * x)), lambda x: np.abs(x) == 1.0, "acos"),
    "atan": of_number(lambda x, _: 1.0 / (1.0 + x * x)),
    "sinh": of_number(lambda x, _: np.cosh(x)),
    "cosh": of_number(lambda x, _: np.sinh(x)),
    "tanh": of_number(lambda _, y: 1.0 - y * y),
    "exp": of_number(lambda _, y: y),
    "log": of_number(lambda x, _: 1.0 / x),
    "log2": of_number(lambda x, _: 1.0 / (x * math.log(2.0))),
    "log10": of_number(lambda x, _: 1.0 / (x * math.log(10.0))),
    "erf": of_number(lambda x, _: 2.0 / math.sqrt(_PI) * np.exp(-x * x)),
    "erfc": of_number(lambda x, _: -2.0 / math.sqrt(_PI) * np.exp(-x * x)),
    "erfinv": of_number(lambda _, y: 0.5 * math.sqrt(_PI) * np.exp(y * y)),
    "erfcinv": of_number(lambda _, y: -0.5 * math.sqrt(_PI) * np.exp(y * y)),
    **dict.fromkeys(("isfinite", "isnan", "isinf", "print", "printf", "expect_eq", "expect_neq", "expect_near"), constant),
}
