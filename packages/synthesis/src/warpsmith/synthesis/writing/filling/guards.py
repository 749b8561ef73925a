"""Guards that keep a value within bounds: clamps, floors under divisors, soft limits, scale factors.

`fit` wraps an expression until its bounds are inside the required ones. This makes kernels valid by construction: the argument
of a square root is never negative, a divisor is never close to zero, and no value grows without limit.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from warpsmith.synthesis.language.nodes import Component, Expr, Name
from warpsmith.synthesis.language.ranges import magnitude
from warpsmith.synthesis.language.terms import apply, const, construct
from warpsmith.synthesis.language.types import BOOL, FLOAT, INT
from warpsmith.synthesis.random_stream import RandomStream

_ROUND_NUMBERS = (0.1, 0.2, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 8.0, 10.0, 20.0, 50.0, 100.0, 1000.0)
_SCALES = (0.5, 0.25, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.001, 0.0001, 0.00001, 0.000001)


def fits(expr: Expr, low: float, high: float) -> bool:
    """Return whether every value of ``expr`` lies in [low, high]."""
    return low <= expr.low and expr.high <= high


def fit(expr: Expr, low: float, high: float, rng: RandomStream) -> Expr:
    """Return ``expr``, or an expression made from it, with bounds in [low, high].

    Raises:
        ValueError: if no guard achieves the bounds; a row or a motif has an error.
    """
    if fits(expr, low, high) or expr.type is BOOL:
        return expr
    if expr.type is FLOAT:
        return _fit_float(expr, low, high, rng)
    if expr.type is INT:
        return _fit_int(expr, math.ceil(low), math.floor(high), rng)
    return _fit_components(expr, low, high, rng)


def _fit_float(expr: Expr, low: float, high: float, rng: RandomStream) -> Expr:
    ways: list[Callable[[], Expr]] = [lambda: _clamp(expr, low, high, rng)]
    if fits_bounds(-1.0, 1.0, low, high):
        ways += [lambda: apply("tanh", _shrunk(expr, 20.0)), lambda: apply("sin", _shrunk(expr, 20.0))]
    if low >= 0.0 and expr.high <= high:
        ways += [lambda: apply("max", expr, _inner(low, high, rng))] * 2
    if low >= 0.0 and magnitude(expr) + 1.0 <= high:
        positive = expr if expr.low >= 0.0 else apply("abs", expr)
        ways += [lambda: apply("add", positive, _inner(low, high, rng))] * 2
    if low >= 0.0 and magnitude(expr) ** 2 + 1.0 <= high and isinstance(expr, Name | Component):
        ways.append(lambda: apply("add", apply("mul", expr, expr), _inner(low, high, rng)))
    if low < 0.0 < high and magnitude(expr) * _SCALES[-1] <= min(-low, high):
        ways += [lambda: scale(expr, low, high)] * 2
    written = rng.choice(ways)()
    return written if fits(written, low, high) else _clamp(expr, low, high, rng)


def fits_bounds(inner_low: float, inner_high: float, low: float, high: float) -> bool:
    """Return whether [inner_low, inner_high] lies in [low, high]."""
    return low <= inner_low and inner_high <= high


def _inner(low: float, high: float, rng: RandomStream) -> Expr:
    """Return a small round number within the bounds, such as the 0.1 under a divisor."""
    fitting = [number for number in _ROUND_NUMBERS if max(low, 1.0e-3) <= number <= min(high, 1.0)]
    return const(rng.choice(fitting[:3]) if fitting else _between(low, high))


def _between(low: float, high: float) -> float:
    return round((low + high) / 2.0, 3)


def _clamp(expr: Expr, low: float, high: float, rng: RandomStream) -> Expr:
    """Write ``wp.clamp(x, low, high)`` with round numbers inside the bounds."""
    ceilings = [number for number in _ROUND_NUMBERS if low < number <= high]
    top = rng.choice(ceilings[-4:]) if ceilings else high
    if low >= 0.0:
        floors = [number for number in _ROUND_NUMBERS if low <= number < top]
        bottom = floors[0] if floors else low
        bottom = 0.0 if low == 0.0 else bottom
    else:
        bottom = max(-top, low) if rng.chance(0.7) or low > -1.0 else max(low, -1.0)
    return apply("clamp", expr, const(bottom), const(top))


def _shrunk(expr: Expr, limit: float) -> Expr:
    return scale(expr, -limit, limit)


def scale(expr: Expr, low: float, high: float) -> Expr:
    """Return ``expr``, or its product with the largest factor, such as 0.1, that brings it within the bounds."""
    if fits(expr, low, high):
        return expr
    for scale in _SCALES:
        smaller = apply("mul", const(scale), expr)
        if fits(smaller, low, high):
            return smaller
    raise ValueError(f"no factor brings [{expr.low}, {expr.high}] into [{low}, {high}]")


def _fit_int(expr: Expr, low: int, high: int, rng: RandomStream) -> Expr:
    if expr.low >= 0 and low <= 0 and high >= 1 and rng.chance(0.7):
        divisors = [divisor for divisor in (2, 3, 4, 5, 8, 10, 16, 32, 64) if divisor - 1 <= high]
        return apply("mod", expr, const(rng.choice(divisors[-3:])))
    return apply("clamp", expr, const(low), const(high))


def _fit_components(expr: Expr, low: float, high: float, rng: RandomStream) -> Expr:
    if low < 0.0 < high:
        if expr.type.is_vector and fits_bounds(-1.0, 1.0, low, high) and rng.chance(0.4):
            return apply("normalize", expr)
        return scale(expr, low, high)
    if expr.type.is_vector:
        floor = construct(expr.type, _inner(low, high, rng))
        return apply("max", scale(expr, -high, high) if expr.high > high else expr, floor)
    raise ValueError(f"no way to bring the entries of a {expr.type.name} into [{low}, {high}]")


def moderate(expr: Expr, rng: RandomStream) -> Expr:
    """Return ``expr``, guarded if it could get large, so that expressions made from it stay within float32's precision."""
    if expr.type is BOOL or magnitude(expr) <= 1.0e4:
        return expr
    return fit(expr, -100.0, 100.0, rng)
