"""Functions of vectors and matrices, in the precision of their components and the order of textbook formulas."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from warpsmith.validation.oracle.errors import Unsupported
from warpsmith.validation.oracle.operators import Row, of_one_type, quotient
from warpsmith.validation.oracle.tile_values import Tile, combined
from warpsmith.validation.oracle.types import NUMBERS, Components, Quaternion, Transform, Value, describe


def is_vector(value: Value, length: int | None = None) -> bool:
    """Return whether ``value`` has one dimension and ``length`` components."""
    return isinstance(value, np.ndarray) and value.ndim == 1 and length in (None, len(value))


def is_matrix(value: Value, *, square: bool = False) -> bool:
    """Return whether ``value`` has two dimensions and, for ``square``, as many rows as columns."""
    return isinstance(value, np.ndarray) and value.ndim == 2 and (not square or value.shape[0] == value.shape[1])


def summed(terms: Components) -> Value:
    """Return the sum of components from first to last, rounded after each addition."""
    total = terms[0]
    for term in terms[1:]:
        total = total + term
    return total


# --------------------------------------------------------------------------------------------------------------- products


def multiply(a: Value, b: Value) -> Value:
    """Return ``a * b`` of numbers, vectors, matrices, quaternions and transformations, as far as Warp defines it."""
    left, right = type(a), type(b)
    if left is right and left in NUMBERS:
        return a * b
    if left is Tile or right is Tile:
        return combined("mul", operator.mul, a, b)
    if not _of_one_precision(a, b):
        raise Unsupported(f"mul of {describe(a)} and {describe(b)}")
    if right in NUMBERS or (left in NUMBERS and isinstance(b, np.ndarray)):
        return a * b
    if left is right is Quaternion:
        return quaternion_product(a, b)
    if left is right is Transform:
        return np.concatenate([transformed(a, b.view(np.ndarray)[:3]), quaternion_product(_turn(a), _turn(b))]).view(Transform)
    if left is right is np.ndarray and a.ndim + b.ndim > 2 and a.shape[-1] == b.shape[0]:
        if a.ndim == 2 and b.ndim == 2:
            return _fused_product(a, b)
        terms = (a * b).T if a.ndim == 2 else b * a[:, None]
        return summed(terms)
    raise Unsupported(f"mul of {describe(a)} and {describe(b)}")


def _of_one_precision(a: Value, b: Value) -> bool:
    components = (np.generic, np.ndarray)
    return isinstance(a, components) and isinstance(b, components) and a.dtype == b.dtype


def _fused_product(a: Components, b: Components) -> Components:
    """Return a product of matrices with fused multiply-add, as Warp computes it."""
    total = np.zeros((a.shape[0], b.shape[1]), a.dtype)
    for k in range(a.shape[1]):
        exact = np.multiply.outer(a[:, k].astype(np.float64), b[k].astype(np.float64)) + total
        total = exact.astype(a.dtype)
    return total


def divide(a: Value, b: Value) -> Value:
    """Return ``a / b`` where at least one is a number."""
    if _of_one_precision(a, b) and a.dtype.type in NUMBERS and (type(a) in NUMBERS or type(b) in NUMBERS):
        return quotient(a, b)
    if type(a) is Tile or type(b) is Tile:
        return combined("div", quotient, a, b)
    raise Unsupported(f"div of {describe(a)} and {describe(b)}")


def quaternion_product(a: Components, b: Components) -> Components:
    """Return the quaternion of rotation ``b`` followed by ``a``."""
    x, y, z, w = a
    p, q, r, s = b
    return np.array(
        [
            w * p + s * x + y * r - q * z,
            w * q + s * y + z * p - r * x,
            w * r + s * z + x * q - p * y,
            w * s - x * p - y * q - z * r,
        ],
        a.dtype,
    ).view(Quaternion)


def rotated(turn: Components, vector: Components, sense: int = 1) -> Value:
    """Rotate a vector by a quaternion, or by its inverse for ``sense`` -1."""
    kind = turn.dtype.type
    axis, w = turn.view(np.ndarray)[:3], turn[3]
    along = kind(2) * summed(axis * vector)
    across = cross(axis, vector) * w * kind(2)
    straight = vector * (kind(2) * w * w - kind(1)) + axis * along
    return straight + across if sense > 0 else straight - across


def transformed(transform: Components, point: Components) -> Value:
    """Rotate and then translate a point."""
    return transform.view(np.ndarray)[:3] + rotated(_turn(transform), point)


def _turn(transform: Components) -> Components:
    return transform.view(np.ndarray)[3:].view(Quaternion)


# ---------------------------------------------------------------------------------------------------------------- vectors


def dot(a: Components, b: Components) -> Value:
    """Return the dot product."""
    return summed(a.view(np.ndarray) * b.view(np.ndarray))


def cross(a: Components, b: Components) -> Value:
    """Return the cross product of two vectors of three components."""
    (x, y, z), (p, q, r) = a, b
    return np.array([y * r - z * q, z * p - x * r, x * q - y * p], a.dtype)


def length(v: Components) -> Value:
    """Return the Euclidean length."""
    return np.sqrt(dot(v, v))


def normalized(v: Components) -> Value:
    """Return the unit vector; for length zero, the zero vector or the identity quaternion."""
    size = length(v)
    if not size > 0:
        return np.array([0, 0, 0, 1], v.dtype).view(Quaternion) if type(v) is Quaternion else np.zeros_like(v)
    return v * (v.dtype.type(1) / size) if type(v) is Quaternion else v / size


def _extremum(choose: Any) -> Row:
    return lambda v: np.uint32(choose(v))


# --------------------------------------------------------------------------------------------------------------- matrices


def determinant(m: Components) -> Value:
    """Return the determinant of a matrix with two, three or four rows."""
    rows = len(m)
    if rows == 2:
        return m[0, 0] * m[1, 1] - m[1, 0] * m[0, 1]
    if rows == 3:
        return dot(m[0], cross(m[1], m[2]))
    if rows == 4:
        # Pairs of rows: six minors of the first two columns with the six of the last two.
        return m.dtype.type(_laplace(m.astype(np.float64)))
    raise Unsupported(f"the determinant of {describe(m)}")


def _laplace(m: Components) -> Value:
    pairs = [(0, 1, 2, 3, 1), (0, 2, 1, 3, -1), (0, 3, 1, 2, 1), (1, 2, 0, 3, 1), (1, 3, 0, 2, -1), (2, 3, 0, 1, 1)]
    return sum(sign * determinant(m[[a, b], :2]) * determinant(m[[c, d], 2:]) for a, b, c, d, sign in pairs)


def inverse(m: Components) -> Value:
    """Return the inverse by cofactors, or zero for a singular matrix."""
    whole = determinant(m)
    if whole == 0:
        return np.zeros_like(m)
    rows = len(m)
    if rows == 2:
        return np.array([[m[1, 1], -m[0, 1]], [-m[1, 0], m[0, 0]]], m.dtype) * (m.dtype.type(1) / whole)
    wide = m.astype(np.float64)
    others = [[k for k in range(rows) if k != i] for i in range(rows)]
    cofactors = [[(-1) ** (i + j) * determinant(wide[np.ix_(others[i], others[j])]) for i in range(rows)] for j in range(rows)]
    scale = dot(wide[0], np.array([row[0] for row in cofactors]))
    return (np.array(cofactors) / scale).astype(m.dtype)


def _diagonal(v: Components) -> Components:
    return np.diag(v)


def _outer(a: Components, b: Components) -> Value:
    return a[:, None] * b[None, :]


def _skew(v: Components) -> Value:
    x, y, z = v
    zero = v.dtype.type(0)
    return np.array([[zero, -z, y], [z, zero, -x], [-y, x, zero]], v.dtype)


def _apply_point(m: Value, v: Components) -> Value:
    if type(m) is Transform:
        return transformed(m, v)
    return _homogeneous(m, v, 1)


def _apply_vector(m: Value, v: Components) -> Value:
    if type(m) is Transform:
        return rotated(_turn(m), v)
    return _homogeneous(m, v, 0)


def _homogeneous(m: Components, v: Components, last: int) -> Components:
    if m.shape != (4, 4):
        raise Unsupported(f"{describe(m)} applied to {describe(v)}")
    whole: Components = multiply(m, np.array([*v, v.dtype.type(last)], v.dtype))
    return whole[:3]


def _on(name: str, operation: Row, *, ndim: int, shape: tuple[int, ...] | None = None, square: bool = False) -> Row:
    """Make a row of an operation on one vector or matrix."""

    def apply(value: Value) -> Value:
        fits = isinstance(value, np.ndarray) and value.ndim == ndim and (shape is None or value.shape == shape)
        if not fits or (square and not is_matrix(value, square=True)):
            raise Unsupported(f"{name} of {describe(value)}")
        return operation(value)

    return apply


def _with_vector3(name: str, operation: Row) -> Row:
    def apply(left: Value, v: Value) -> Value:
        if not is_vector(v, 3) or not isinstance(left, np.ndarray) or left.dtype != v.dtype:
            raise Unsupported(f"{name} of {describe(left)} and {describe(v)}")
        return operation(left, v)

    return apply


def _vectors(name: str, operation: Row, shape: tuple[int, ...] | None = None) -> Row:
    """Make a row of an operation on two vectors of one type."""

    def checked(a: Value, b: Value) -> Value:
        if not is_vector(a) or (shape is not None and a.shape != shape):
            raise Unsupported(f"{name} of {describe(a)} and {describe(b)}")
        return operation(a, b)

    return of_one_type(name, checked)


def _outer_row(a: Value, b: Value) -> Value:
    if not (is_vector(a) and is_vector(b) and a.dtype == b.dtype):
        raise Unsupported(f"outer of {describe(a)} and {describe(b)}")
    return _outer(a, b)


ROWS: dict[str, Row] = {
    "mul": multiply,
    "div": divide,
    "dot": _vectors("dot", dot),
    "cross": _vectors("cross", cross, (3,)),
    "length": _on("length", length, ndim=1),
    "length_sq": _on("length_sq", lambda v: dot(v, v), ndim=1),
    "normalize": _on("normalize", normalized, ndim=1),
    "cw_mul": of_one_type("cw_mul", lambda a, b: a * b),
    "cw_div": of_one_type("cw_div", quotient),
    "argmin": _on("argmin", _extremum(np.nanargmin), ndim=1),
    "argmax": _on("argmax", _extremum(np.nanargmax), ndim=1),
    "outer": _outer_row,
    "skew": _on("skew", _skew, ndim=1, shape=(3,)),
    "diag": _on("diag", _diagonal, ndim=1),
    "get_diag": _on("get_diag", lambda m: np.diagonal(m).copy(), ndim=2, square=True),
    "transpose": _on("transpose", lambda m: m.T.copy(), ndim=2),
    "trace": _on("trace", lambda m: summed(np.diagonal(m)), ndim=2, square=True),
    "determinant": _on("determinant", determinant, ndim=2, square=True),
    "inverse": _on("inverse", inverse, ndim=2, square=True),
    "ddot": of_one_type("ddot", lambda a, b: summed((a * b).ravel())),
    "transform_point": _with_vector3("transform_point", _apply_point),
    "transform_vector": _with_vector3("transform_vector", _apply_vector),
}
