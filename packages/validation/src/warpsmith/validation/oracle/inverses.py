"""Determinants and inverses, of the components of one thread or of several."""

from __future__ import annotations

import numpy as np

from warpsmith.validation.oracle.errors import Unsupported
from warpsmith.validation.oracle.lanes import choose
from warpsmith.validation.oracle.types import Components, Value, describe
from warpsmith.validation.oracle.vectors import cross, dot


def determinant(m: Components) -> Value:
    """Return the determinant of a matrix with two, three or four rows."""
    rows = len(m)
    if rows == 2:
        return m[0, 0] * m[1, 1] - m[1, 0] * m[0, 1]
    if rows == 3:
        return dot(m[0], cross(m[1], m[2]))
    if rows == 4:
        # Pairs of rows: six minors of the first two columns with the six of the last two.
        return _laplace(m.astype(np.float64)).astype(m.dtype)
    raise Unsupported(f"the determinant of {describe(m)}")


def _laplace(m: Components) -> Value:
    pairs = [(0, 1, 2, 3, 1), (0, 2, 1, 3, -1), (0, 3, 1, 2, 1), (1, 2, 0, 3, 1), (1, 3, 0, 2, -1), (2, 3, 0, 1, 1)]
    return sum(sign * determinant(m[[a, b], :2]) * determinant(m[[c, d], 2:]) for a, b, c, d, sign in pairs)


def inverse(m: Components) -> Value:
    """Return the inverse by cofactors, or zero for a singular matrix."""
    size, rows = determinant(m), len(m)
    if rows == 2:
        adjugate = np.array([[m[1, 1], -m[0, 1]], [-m[1, 0], m[0, 0]]], m.dtype)
        return choose(size == 0, np.zeros_like(m), adjugate * (m.dtype.type(1) / size))
    wide = m.astype(np.float64)
    others = [[k for k in range(rows) if k != i] for i in range(rows)]
    cofactors = [[(-1) ** (i + j) * determinant(wide[np.ix_(others[i], others[j])]) for i in range(rows)] for j in range(rows)]
    scale = dot(wide[0], np.array([row[0] for row in cofactors]))
    return choose(size == 0, np.zeros_like(m), (np.array(cofactors) / scale).astype(m.dtype))
