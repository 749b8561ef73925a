"""Interval arithmetic: the bounds of a value, computed from the bounds of its arguments.

A bound holds for every component of a vector or matrix. The functions take expressions and return (low, high); rows of
builtins use them as their `range`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TypeAlias

from warpsmith.synthesis.language.nodes import Expr

Bounds: TypeAlias = tuple[float, float]
Range: TypeAlias = Callable[[tuple[Expr, ...]], Bounds]

LIMIT = 1.0e6
"""The largest absolute value that a kernel computes: within it float32 keeps its digits and int32 does not overflow."""


def hull(*values: Expr) -> Bounds:
    """Return the bounds of a value that is any one of ``values``."""
    return min(value.low for value in values), max(value.high for value in values)


def magnitude(value: Expr) -> float:
    """Return the largest absolute value of a component."""
    return max(abs(value.low), abs(value.high))


def least_magnitude(value: Expr) -> float:
    """Return the smallest absolute value of a component."""
    return 0.0 if value.low <= 0.0 <= value.high else min(abs(value.low), abs(value.high))


def product(args: tuple[Expr, ...]) -> Bounds:
    """Return the bounds of the product of any component of a and any component of b."""
    a, b = args
    corners = (a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high)
    return min(corners), max(corners)


def componentwise(args: tuple[Expr, ...]) -> Bounds:
    """Return the bounds of the componentwise product of a and b; a square is never negative."""
    low, high = product(args)
    return (least_magnitude(args[0]) ** 2 if args[0] == args[1] else low), high


def add(args: tuple[Expr, ...]) -> Bounds:
    """Return the bounds of ``a + b``."""
    return args[0].low + args[1].low, args[0].high + args[1].high


def sub(args: tuple[Expr, ...]) -> Bounds:
    """Return the bounds of ``a - b``."""
    return args[0].low - args[1].high, args[0].high - args[1].low


def mul(args: tuple[Expr, ...]) -> Bounds:
    """Return the bounds of ``a * b`` for scalars and of all products of scalars, vectors and matrices."""
    a, b = args
    if a.type.shape and b.type.shape:  # every component is a sum over a row or a column
        terms = a.type.shape[0]
        low, high = product(args)
        return terms * low, terms * high
    return componentwise(args)


def div(args: tuple[Expr, ...]) -> Bounds:
    """Return the bounds of ``a / b`` and ``a // b``; the domain keeps b away from zero."""
    a, b = args
    corners = (a.low / b.low, a.low / b.high, a.high / b.low, a.high / b.high)
    return min(corners), max(corners)


def floordiv(args: tuple[Expr, ...]) -> Bounds:
    """Return the bounds of ``a // b``."""
    low, high = div(args)
    return math.floor(low), math.floor(high)


def mod(args: tuple[Expr, ...]) -> Bounds:
    """Return the bounds of ``a % b`` with b positive; the result has the sign of a."""
    a, b = args
    top = b.high - 1 if b.type.scalar == "int32" else b.high
    return (0.0 if a.low >= 0 else -top), min(top, max(a.high, 0.0))


def neg(args: tuple[Expr, ...]) -> Bounds:
    """Return the bounds of ``-a``."""
    return -args[0].high, -args[0].low


def same(args: tuple[Expr, ...]) -> Bounds:
    """Return the bounds of a value that has the components of its argument, such as a transpose."""
    return args[0].low, args[0].high


def with_zero(args: tuple[Expr, ...]) -> Bounds:
    """Return the bounds of a matrix that has the components of its argument and zeros."""
    return min(args[0].low, 0.0), max(args[0].high, 0.0)


def symmetric(args: tuple[Expr, ...]) -> Bounds:
    """Return the bounds of a matrix of the argument's components with either sign."""
    size = magnitude(args[0])
    return -size, size


def absolute(args: tuple[Expr, ...]) -> Bounds:
    """Return the bounds of ``abs(a)``."""
    return least_magnitude(args[0]), magnitude(args[0])


def minimum(args: tuple[Expr, ...]) -> Bounds:
    """Return the bounds of ``min(a, b)``, or of the least component of one vector."""
    return min(value.low for value in args), min(value.high for value in args)


def maximum(args: tuple[Expr, ...]) -> Bounds:
    """Return the bounds of ``max(a, b)``, or of the greatest component of one vector."""
    return max(value.low for value in args), max(value.high for value in args)


def clamp(args: tuple[Expr, ...]) -> Bounds:
    """Return the bounds of ``clamp(x, low, high)``, which is ``min(max(low, x), high)``."""
    x, low, high = args
    return min(max(x.low, low.low), high.low), min(max(x.high, low.high), high.high)


def either(args: tuple[Expr, ...]) -> Bounds:
    """Return the bounds of ``where(condition, a, b)``."""
    return hull(*args[1:])


def blend(args: tuple[Expr, ...]) -> Bounds:
    """Return the bounds of ``lerp(a, b, t)`` with t in [0, 1]."""
    return hull(*args[:2])


def outward(args: tuple[Expr, ...]) -> Bounds:
    """Return the bounds of a value rounded in any direction."""
    return math.floor(args[0].low), math.ceil(args[0].high)


def fixed(low: float, high: float) -> Range:
    """Return a function for bounds that do not depend on the arguments."""
    return lambda _: (low, high)


def rising(function: Callable[[float], float]) -> Range:
    """Return a function for the bounds of a function of one argument that increases with it."""
    return lambda args: (function(args[0].low), function(args[0].high))


def falling(function: Callable[[float], float]) -> Range:
    """Return a function for the bounds of a function of one argument that decreases with it."""
    return lambda args: (function(args[0].high), function(args[0].low))


def even(function: Callable[[float], float]) -> Range:
    """Return a function for the bounds of a function that increases with the absolute value of its argument."""
    return lambda args: (function(least_magnitude(args[0])), function(magnitude(args[0])))


def power(args: tuple[Expr, ...]) -> Bounds:
    """Return the bounds of ``pow(x, y)`` with x positive."""
    x, y = args
    corners = [base**exponent for base in (x.low, x.high) for exponent in (y.low, y.high)]
    return min(corners), max(corners)


def dot(args: tuple[Expr, ...]) -> Bounds:
    """Return the bounds of the sum of the products of all components."""
    low, high = componentwise(args)
    terms = math.prod(args[0].type.shape)
    return terms * low, terms * high


def length(args: tuple[Expr, ...]) -> Bounds:
    """Return the bounds of the Euclidean norm."""
    root = math.sqrt(args[0].type.shape[0])
    return root * least_magnitude(args[0]), root * magnitude(args[0])


def length_squared(args: tuple[Expr, ...]) -> Bounds:
    """Return the bounds of the squared norm."""
    low, high = length(args)
    return low * low, high * high


def cross(args: tuple[Expr, ...]) -> Bounds:
    """Return the bounds of the cross product; each component is a difference of two products."""
    size = 2.0 * magnitude(args[0]) * magnitude(args[1])
    return -size, size


def determinant(args: tuple[Expr, ...]) -> Bounds:
    """Return the bounds of the determinant, by Hadamard's inequality: at most n^(n/2) products of n entries."""
    order = args[0].type.shape[0]
    size = order ** (order / 2) * magnitude(args[0]) ** order
    return -size, size


def trace(args: tuple[Expr, ...]) -> Bounds:
    """Return the bounds of the sum of the diagonal."""
    order = args[0].type.shape[0]
    return order * args[0].low, order * args[0].high
