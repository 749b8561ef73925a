"""Pairs of components and their derivatives with operators, for formulas of builtins."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from functools import reduce
from typing import Any

import numpy as np

from warpsmith.validation.oracle.values.moving_values import CORNERS


class Dual:
    """Numbers or components, and their derivatives; the last dimension may count threads."""

    __slots__ = ("tangent", "value")
    __array_ufunc__ = None

    def __init__(self, value: Any, tangent: Any = 0.0) -> None:
        self.value = value
        self.tangent = tangent if np.ndim(tangent) == np.ndim(value) else np.zeros_like(value) + tangent

    def __add__(self, other: Any) -> Dual:
        other = _dual(other)
        return Dual(self.value + other.value, self.tangent + other.tangent)

    __radd__ = __add__

    def __neg__(self) -> Dual:
        return Dual(-self.value, -self.tangent)

    def __sub__(self, other: Any) -> Dual:
        return self + -_dual(other)

    def __rsub__(self, other: Any) -> Dual:
        return _dual(other) - self

    def __mul__(self, other: Any) -> Dual:
        other = _dual(other)
        return Dual(self.value * other.value, self.tangent * other.value + self.value * other.tangent)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Dual:
        other = _dual(other)
        quotient = self.value / other.value
        return Dual(quotient, (self.tangent - quotient * other.tangent) / other.value)

    def __rtruediv__(self, other: Any) -> Dual:
        return _dual(other) / self

    def __getitem__(self, key: Any) -> Dual:
        return Dual(self.value[key], self.tangent[key])

    def __len__(self) -> int:
        return len(self.value)


def _dual(value: Any) -> Dual:
    return value if isinstance(value, Dual) else Dual(value)


def stacked(parts: Sequence[Any]) -> Dual:
    """Return components from their parts."""
    duals = [_dual(part) for part in parts]
    shapes = np.broadcast_shapes(*[np.shape(part) for dual in duals for part in (dual.value, dual.tangent)])
    values, tangents = (
        np.stack([np.broadcast_to(part, shapes) for part in several])
        for several in ([dual.value for dual in duals], [dual.tangent for dual in duals])
    )
    return Dual(values, tangents)


def concatenated(*parts: Dual) -> Dual:
    """Return the components of several vectors."""
    return stacked([part[place] for part in parts for place in range(len(part))])


def chosen(condition: Any, a: Any, b: Any) -> Dual:
    """Return one of two numbers or vectors, by a condition."""
    a, b = _dual(a), _dual(b)
    return Dual(np.where(condition, a.value, b.value), np.where(condition, a.tangent, b.tangent))


def dot(a: Dual, b: Dual) -> Dual:
    """Return the dot product."""
    return reduce(operator.add, [a[place] * b[place] for place in range(len(a))])


def cross(a: Dual, b: Dual) -> Dual:
    """Return the cross product."""
    return stacked([a[i] * b[j] - a[j] * b[i] for i, j in ((1, 2), (2, 0), (0, 1))])


def root(x: Any) -> Dual:
    """Return the square root."""
    x = _dual(x)
    value = np.sqrt(x.value)
    return Dual(value, CORNERS.stays(x.tangent != 0, 0.5 * x.tangent / value))


def length(v: Dual) -> Dual:
    """Return the length of a vector; at zero there is a corner, and the derivative is taken as zero."""
    size = np.sqrt(sum(np.square(part) for part in v.value))
    is_zero = size == 0
    CORNERS.note("length", is_zero & np.any(v.tangent != 0, axis=0))
    change = sum(part * moved for part, moved in zip(v.value, v.tangent, strict=True))
    return Dual(size, np.where(is_zero, 0.0, change / np.where(is_zero, 1.0, size)))


def unit(v: Dual, zero: Sequence[float] = ()) -> Dual:
    """Return the unit vector, or ``zero`` for one of length zero, where there is a jump."""
    size = length(v)
    is_zero = size.value == 0
    scaled = v / chosen(is_zero, 1.0, size)
    return scaled if not zero else stacked([chosen(is_zero, end, part) for end, part in zip(zero, _parts(scaled), strict=True)])


def _parts(v: Dual) -> list[Dual]:
    return [v[place] for place in range(len(v))]


def sine(x: Dual) -> Dual:
    """Return the sine."""
    return Dual(np.sin(x.value), np.cos(x.value) * x.tangent)


def cosine(x: Dual) -> Dual:
    """Return the cosine."""
    return Dual(np.cos(x.value), -np.sin(x.value) * x.tangent)


def angle_of(y: Dual, x: Dual) -> Dual:
    """Return the angle of a point of the plane; at the origin it has no derivative."""
    square = np.square(x.value) + np.square(y.value)
    change = x.value * y.tangent - y.value * x.tangent
    moving = (x.tangent != 0) | (y.tangent != 0)
    CORNERS.note("atan2", ((square == 0) | ((y.value == 0) & (x.value < 0))) & moving)
    with np.errstate(all="ignore"):
        return Dual(np.arctan2(y.value, x.value), np.where(change == 0, 0.0, change / square))


def arc_sine(x: Dual) -> Dual:
    """Return the arc sine of a number that is limited to [-1, 1]."""
    inside, at_end = np.abs(x.value) < 1.0, np.abs(x.value) == 1.0
    CORNERS.note("asin", at_end & (x.tangent != 0))
    slope = 1.0 / np.sqrt(np.where(inside, 1.0 - np.square(x.value), 1.0))
    return Dual(np.arcsin(np.clip(x.value, -1.0, 1.0)), np.where(inside, x.tangent * slope, 0.0))


def absolute(x: Dual) -> Dual:
    """Return the absolute value, with a corner at zero."""
    CORNERS.note("abs", (x.value == 0) & (x.tangent != 0))
    return Dual(np.abs(x.value), np.sign(x.value) * x.tangent)
