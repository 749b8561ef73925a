"""Decompositions of small matrices in double precision, in the form that Warp documents.

The signs of singular and eigenvectors, the order of eigenvalues, and the vectors of equal values are open: they are choices.
Warp iterates a fixed number of times, so that a result may be wrong in the third digit; see `ROUGHNESS`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from warpsmith.validation.oracle.values.choices import CHOICES
from warpsmith.validation.oracle.values.interpretation_errors import Undefined, Unsupported
from warpsmith.validation.oracle.values.operators import Row
from warpsmith.validation.oracle.values.value_types import FLOATS, Components, Value, describe

ROUGHNESS = 2.0e-2
"""The tolerance of a launch that uses ``svd3`` or ``eig3``, as a share of the largest value of an array.

For 20,000 random matrices on an x86-64 CPU, the rotation ``U * transpose(V)`` of Warp's ``svd3`` is wrong by 5e-5 in one of a
hundred, and by 5e-3 at most.
"""

_EQUAL = 1.0e-3
"""The share of the largest value by which two singular values or eigenvalues count as equal."""


def _row(name: str, length: int, operation: Row) -> Row:
    def apply(m: Value) -> tuple[Value, ...]:
        if not isinstance(m, np.ndarray) or m.shape != (length, length) or m.dtype.type not in FLOATS:
            raise Unsupported(f"{name} of {describe(m)}")
        if not np.all(np.isfinite(m)):
            raise Undefined(f"{name} of a matrix that is not finite")
        return tuple(part.astype(m.dtype) for part in operation(m.astype(np.float64)))

    return apply


def _turned(values: Components, *vectors: Components) -> None:
    """For the second choices, replace the vectors of equal values by other ones."""
    limit = _EQUAL * max(float(np.abs(values).max()), 1e-30)
    for i in range(len(values) - 1):
        if CHOICES.other and abs(values[i] - values[i + 1]) <= limit:
            for matrix in vectors:
                a, b = matrix[:, i].copy(), matrix[:, i + 1].copy()
                matrix[:, i], matrix[:, i + 1] = (a + b) / np.sqrt(2.0), (b - a) / np.sqrt(2.0)


def _svd3(m: Components) -> Any:
    """Return rotations and singular values; the last one has the sign of the determinant."""
    CHOICES.use(ROUGHNESS)
    u, s, v = np.linalg.svd(m)
    v = v.T
    for matrix in (u, v):
        if np.linalg.det(matrix) < 0.0:
            matrix[:, 2] *= -1.0
            s[2] *= -1.0
    _turned(s, u, v)
    if CHOICES.other:
        u[:, :2] *= -1.0
        v[:, :2] *= -1.0
    return u, s, v


def _svd2(m: Components) -> Any:
    """Return an orthogonal matrix, singular values and a rotation."""
    CHOICES.use()
    u, s, v = np.linalg.svd(m)
    v = v.T
    if np.linalg.det(v) < 0.0:
        u[:, 1] *= -1.0
        v[:, 1] *= -1.0
    _turned(s, u, v)
    return (-u, s, -v) if CHOICES.other else (u, s, v)


def _qr3(m: Components) -> Any:
    """Return a rotation and an upper triangle whose first two diagonal entries are positive, which makes them unique."""
    q, r = np.linalg.qr(m)
    diagonal = np.diagonal(r)
    if np.abs(diagonal).min() <= _EQUAL * max(np.abs(m).max(), 1e-30):
        raise Undefined("qr3 of a matrix that is nearly singular")
    signs = np.sign(diagonal)
    signs[2] = signs[0] * signs[1] * np.linalg.det(q)
    return q * signs, r * signs[:, None]


def _eig3(m: Components) -> Any:
    """Return a rotation whose columns are eigenvectors, and the eigenvalues, in any order."""
    if np.abs(m - m.T).max() > 1e-5 * np.abs(m).max():
        raise Undefined("eig3 of a matrix that is not symmetric")
    CHOICES.use(ROUGHNESS)
    values, vectors = np.linalg.eigh((m + m.T) / 2.0)
    _turned(values, vectors)
    if CHOICES.other:
        values, vectors = np.roll(values, 1), np.roll(vectors, 1, axis=1) * np.array([-1.0, 1.0, -1.0])
    return vectors * np.array([np.linalg.det(vectors), 1.0, 1.0]), values


ROWS: dict[str, Row] = {
    "svd3": _row("svd3", 3, _svd3),
    "svd2": _row("svd2", 2, _svd2),
    "qr3": _row("qr3", 3, _qr3),
    "eig3": _row("eig3", 3, _eig3),
}
