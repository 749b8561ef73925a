"""Vectors and matrices of plain numbers, with Warp's operators."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from operator import add, mul, neg, sub
from typing import Any, TypeAlias, Union

Value: TypeAlias = Union[float, "Vector", "Matrix"]
"""The value of an expression; ``float`` stands for integers and truth values, too."""


def check_index(index: int, length: int) -> int:
    """Return ``index``.

    Raises:
        IndexError: if the index is out of range; Python would count negative ones from the end.
    """
    if 0 <= index < length:
        return index
    raise IndexError(f"index {index} of {length}")


class Vector:
    """A vector of numbers of one type."""

    __slots__ = ("parts",)
    dtype = float

    def __init__(self, parts: Iterable[float]) -> None:
        self.parts = tuple(parts)

    def __getitem__(self, index: int) -> float:
        return self.parts[check_index(index, len(self.parts))]

    def __setitem__(self, index: int, part: float) -> None:
        position = check_index(index, len(self.parts))
        self.parts = (*self.parts[:position], part, *self.parts[position + 1 :])

    @property
    def x(self) -> float:
        """The first component."""
        return self.parts[0]

    @property
    def y(self) -> float:
        """The second component."""
        return self.parts[1]

    @property
    def z(self) -> float:
        """The third component."""
        return self.parts[2]

    @property
    def w(self) -> float:
        """The fourth component."""
        return self.parts[3]

    def __add__(self, other: Vector) -> Vector:
        return Vector(map(add, self.parts, other.parts))

    def __sub__(self, other: Vector) -> Vector:
        return Vector(map(sub, self.parts, other.parts))

    def __neg__(self) -> Vector:
        return Vector(map(neg, self.parts))

    def __mul__(self, other: float | Matrix) -> Vector:
        if isinstance(other, Matrix):
            return Vector(inner(self.parts, column) for column in zip(*other.rows))
        return Vector([part * other for part in self.parts])

    def __rmul__(self, factor: float) -> Vector:
        return self * factor

    def __matmul__(self, other: Matrix) -> Vector:
        return self * other

    def __truediv__(self, divisor: float) -> Vector:
        return Vector([part / divisor for part in self.parts])

    def __rtruediv__(self, dividend: float) -> Vector:
        return Vector([dividend / part for part in self.parts])

    def __mod__(self, other: Vector) -> Vector:
        return Vector(map(math.fmod, self.parts, other.parts))


class Matrix:
    """A matrix, as a tuple of rows."""

    __slots__ = ("rows",)
    dtype = float

    def __init__(self, rows: Iterable[Iterable[float]]) -> None:
        self.rows = tuple(map(tuple, rows))

    def __getitem__(self, position: int | tuple[int, int]) -> Any:
        if isinstance(position, int):
            return Vector(self.rows[check_index(position, len(self.rows))])
        row, column = position
        return self.rows[check_index(row, len(self.rows))][check_index(column, len(self.rows[0]))]

    def __add__(self, other: Matrix) -> Matrix:
        return entrywise(add, self, other)

    def __sub__(self, other: Matrix) -> Matrix:
        return entrywise(sub, self, other)

    def __neg__(self) -> Matrix:
        return self._each(neg)

    def __mul__(self, other: Value) -> Value:
        if isinstance(other, Vector):
            return Vector(inner(row, other.parts) for row in self.rows)
        if isinstance(other, Matrix):
            columns = tuple(zip(*other.rows))
            return Matrix([inner(row, column) for column in columns] for row in self.rows)
        return self._each(lambda entry: entry * other)

    def __matmul__(self, other: Value) -> Value:
        return self * other

    def __rmul__(self, factor: float) -> Matrix:
        return self._each(lambda entry: factor * entry)

    def __truediv__(self, divisor: float) -> Matrix:
        return self._each(lambda entry: entry / divisor)

    def __rtruediv__(self, dividend: float) -> Matrix:
        return self._each(lambda entry: dividend / entry)

    def _each(self, change: Callable[[float], float]) -> Matrix:
        return Matrix(map(change, row) for row in self.rows)


def inner(a: Iterable[float], b: Iterable[float]) -> float:
    """Return the sum of products."""
    return math.fsum(map(mul, a, b))


def entrywise(combine: Callable[[float, float], float], a: Matrix, b: Matrix) -> Matrix:
    """Return the matrix of ``combine`` applied to corresponding entries."""
    return Matrix(map(combine, left, right) for left, right in zip(a.rows, b.rows))


Wrap: TypeAlias = Callable[[Any], Value]
"""Makes a value of nested lists of its components."""

WRAPS: tuple[Wrap | None, ...] = (None, Vector, Matrix)
"""The constructor for nested lists of each depth; numbers need none."""


def components(value: Value) -> tuple[float, ...]:
    """Return all numbers of a value, row after row."""
    if isinstance(value, Vector):
        return value.parts
    if isinstance(value, Matrix):
        return tuple(entry for row in value.rows for entry in row)
    return (value,)
