"""Determinants and inverses, of the components of one thread or of several."""

from __future__ import annotations

import numpy as np

from warpsmith.validation.oracle.builtins.vector_sums import cross, dot, summed
from warpsmith.validation.oracle.values.interpretation_errors import Unsupported
from warpsmith.validation.oracle.values.lanes import choose
from warpsmith.validation.oracle.values.value_types import Components, Value, describe


def determinant(m: Components) -> Value:
    """Return the determinant of a matrix with two, three or four rows, rounded after each operation as Warp rounds it."""
    rows = len(m)
    if rows == 2:
        return _minor(m, (0, 1), (0, 1))
    if rows == 3:
        return dot(m[0], cross(m[1], m[2]))
    if rows == 4:
        terms = [m[row, 0] * _cofactor(m, row, 0).astype(m.dtype) for row in (3, 2, 1, 0)]
        return summed(np.array(terms, m.dtype))
    raise Unsupported(f"the determinant of {describe(m)}")


def _minor(m: Components, rows: tuple[int, ...], columns: tuple[int, ...]) -> Value:
    """Return the determinant of two rows and two columns."""
    (a, b), (p, q) = rows, columns
    return m[a, p] * m[b, q] - m[b, p] * m[a, q]


def _cofactor(m: Components, row: int, column: int) -> Value:
    """Return a cofactor of four rows, in the order and precision of Warp's headers.

    The minors of two rows have the precision of the matrix. The rest is computed in double precision, except for half
    precision.
    """
    rows = [index for index in range(4) if index != row]
    if (row + column) % 2:
        rows = [*rows[1:], rows[0]]  # so that the first term is positive
    pair, single = ((2, 3), 1 - column) if column < 2 else ((0, 1), 5 - column)
    wide = m.dtype if m.dtype.itemsize == 2 else np.dtype(np.float64)
    terms = [m[index, single].astype(wide) * _minor(m, _without(rows, index), pair).astype(wide) for index in rows]
    signs = (1, -1, -1) if (row + column) % 2 else (1, -1, 1)
    return summed(np.array([sign * term for sign, term in zip(signs, terms, strict=True)], wide))


def _without(numbers: list[int], excluded: int) -> tuple[int, ...]:
    return tuple(sorted(number for number in numbers if number != excluded))


def inverse(m: Components) -> Value:
    """Return the inverse by cofactors, or zero for a singular matrix.

    If the determinant is no number, so is the inverse with three rows; with two and four it is zero, as in Warp's headers.
    """
    size, rows, kind = determinant(m), len(m), m.dtype.type
    singular = size == 0 if rows == 3 else ~(abs(size) > 0)
    if rows == 2:
        adjugate = np.array([[m[1, 1], -m[0, 1]], [-m[1, 0], m[0, 0]]], m.dtype)
    elif rows == 3:
        # The cyclic order of rows and columns gives each cofactor its sign.
        next_two = [((i + 1) % 3, (i + 2) % 3) for i in range(3)]
        adjugate = np.array([[_minor(m, next_two[j], next_two[i]) for j in range(3)] for i in range(3)], m.dtype)
    else:
        wide = [[_cofactor(m, row, column) for row in range(4)] for column in range(4)]
        wide[:2] = [[cofactor.astype(kind).astype(np.float64) for cofactor in line] for line in wide[:2]]
        exact = np.array(wide) * (1.0 / np.asarray(size, np.float64))
        return choose(singular, np.zeros_like(m), exact.astype(m.dtype))
    return choose(singular, np.zeros_like(m), adjugate * (kind(1) / size))
