"""Functions of vectors and matrices, in the precision of their components and the order of textbook formulas."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from warpsmith.validation.oracle.builtins.inverses import determinant, inverse
from warpsmith.validation.oracle.builtins.vector_sums import cross, dot, length, normalized, summed
from warpsmith.validation.oracle.values.interpretation_errors import Unsupported
from warpsmith.validation.oracle.values.lanes import applied, class_of, lane_aware, shape_of, with_lane_axis
from warpsmith.validation.oracle.values.operators import Row, quotient, same_type_row
from warpsmith.validation.oracle.values.tile_values import Tile, combined
from warpsmith.validation.oracle.values.value_types import NUMBERS, Components, Quaternion, Transform, Value, describe


def is_vector(value: Value, length: int | None = None) -> bool:
    """Return whether ``value`` has one dimension and ``length`` components."""
    shape = shape_of(value)
    return shape is not None and len(shape) == 1 and length in (None, shape[0])


def is_matrix(value: Value, *, square: bool = False) -> bool:
    """Return whether ``value`` has two dimensions and, for ``square``, as many rows as columns."""
    shape = shape_of(value)
    return shape is not None and len(shape) == 2 and (not square or shape[0] == shape[1])


# --------------------------------------------------------------------------------------------------------------- products


@lane_aware
def multiply(a: Value, b: Value) -> Value:
    """Return ``a * b`` of numbers, vectors, matrices, quaternions and transformations, as far as Warp defines it."""
    left, right = type(a), type(b)
    if left is right and left in NUMBERS:
        return a * b
    if left is Tile or right is Tile:
        return combined("mul", operator.mul, a, b)
    left, right, shape, other = class_of(a), class_of(b), shape_of(a), shape_of(b)
    if shape is None or other is None or with_lane_axis(a).dtype != with_lane_axis(b).dtype:
        raise Unsupported(f"mul of {describe(a)} and {describe(b)}")
    if right in NUMBERS or left in NUMBERS:
        return applied(operator.mul, a, b)
    if left is right is Quaternion:
        return applied(quaternion_product, a, b)
    if left is right is Transform:
        return applied(_transform_product, a, b)
    if left is right is np.ndarray and len(shape) + len(other) > 2 and shape[-1] == other[0]:
        if len(shape) == 2:
            return applied(_fused_product if len(other) == 2 else _matrix_on_vector, a, b)
        return applied(_vector_on_matrix, a, b)
    raise Unsupported(f"mul of {describe(a)} and {describe(b)}")


def _matrix_on_vector(m: Components, v: Components) -> Value:
    return summed((m * v).swapaxes(0, 1))


def _vector_on_matrix(v: Components, m: Components) -> Value:
    return summed(m * v[:, None])


def _transform_product(a: Components, b: Components) -> Components:
    return np.concatenate([transformed(a, b.view(np.ndarray)[:3]), quaternion_product(_turn(a), _turn(b))]).view(Transform)


def _fused_product(a: Components, b: Components) -> Value:
    """Return a product of matrices with fused multiply-add, as Warp computes it; in half precision, it rounds twice."""
    total: Value = a.dtype.type(0)
    for k in range(a.shape[1]):
        if a.dtype.itemsize == 2:
            total = total + a[:, k, None] * b[None, k]
        else:
            exact = a[:, k, None].astype(np.float64) * b[None, k].astype(np.float64) + total
            total = exact.astype(a.dtype)
    return total


@lane_aware
def divide(a: Value, b: Value) -> Value:
    """Return ``a / b`` where at least one is a number."""
    if type(a) is Tile or type(b) is Tile:
        return combined("div", quotient, a, b)
    shape, other = shape_of(a), shape_of(b)
    if shape is not None and other is not None and () in (shape, other):
        dtype = with_lane_axis(a).dtype
        if dtype == with_lane_axis(b).dtype and dtype.type in NUMBERS:
            return applied(quotient, a, b)
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
    plain = turn.view(np.ndarray)
    axis, w = plain[:3], plain[3]
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


def _extremum(choice: Any) -> Row:
    return lambda v: choice(v, axis=0).astype(np.uint32)


# --------------------------------------------------------------------------------------------------------------- matrices


def _diagonal(v: Components) -> Components:
    matrix = np.zeros((len(v), *v.shape), v.dtype)
    matrix[np.arange(len(v)), np.arange(len(v))] = v
    return matrix


def _main(m: Components) -> Components:
    """Return the diagonal of a matrix."""
    return m[np.arange(len(m)), np.arange(len(m))]


def _outer(a: Components, b: Components) -> Value:
    return a[:, None] * b[None, :]


@lane_aware
def _double_dot(a: Value, b: Value) -> Value:
    if not is_matrix(a) or not is_matrix(b):
        raise Unsupported(f"ddot of {describe(a)} and {describe(b)}")
    return _DDOT(a, b)


_DDOT = same_type_row("ddot", lambda a, b: summed(np.concatenate(a * b)))


def _skew(v: Components) -> Value:
    x, y, z = v
    zero = np.zeros_like(x)
    return np.array([[zero, -z, y], [z, zero, -x], [-y, x, zero]], v.dtype)


def _apply_point(m: Value, v: Components) -> Value:
    if type(m) is Transform:
        return transformed(m, v)
    return _homogeneous(m, v, 1)


def _apply_vector(m: Value, v: Components) -> Value:
    if type(m) is Transform:
        return rotated(_turn(m), v)
    return _homogeneous(m, v, 0)


def _homogeneous(m: Components, v: Components, last: int) -> Value:
    if m.shape[:2] != (4, 4):
        raise Unsupported(f"{describe(m)} applied to {describe(v)}")
    end = np.full((1, *v.shape[1:]), last, v.dtype)
    return _matrix_on_vector(m, np.concatenate([v, end]))[:3]


def _on(name: str, operation: Row, *, ndim: int, shape: tuple[int, ...] | None = None, square: bool = False) -> Row:
    """Make a row of an operation on one vector or matrix."""

    def apply(value: Value) -> Value:
        value_shape = shape_of(value)
        fits = value_shape is not None and len(value_shape) == ndim and shape in (None, value_shape)
        if not fits or (square and not is_matrix(value, square=True)):
            raise Unsupported(f"{name} of {describe(value)}")
        return applied(operation, value)

    return lane_aware(apply)


def _with_vector3(name: str, operation: Row) -> Row:
    def apply(left: Value, v: Value) -> Value:
        if not is_vector(v, 3) or not shape_of(left) or with_lane_axis(left).dtype != with_lane_axis(v).dtype:
            raise Unsupported(f"{name} of {describe(left)} and {describe(v)}")
        return applied(operation, left, v)

    return lane_aware(apply)


def _vectors(name: str, operation: Row, shape: tuple[int, ...] | None = None) -> Row:
    """Make a row of an operation on two vectors of one type."""

    @lane_aware
    def checked(a: Value, b: Value) -> Value:
        if not is_vector(a) or (shape is not None and shape_of(a) != shape):
            raise Unsupported(f"{name} of {describe(a)} and {describe(b)}")
        return row(a, b)

    row = same_type_row(name, operation)
    return checked


@lane_aware
def _outer_row(a: Value, b: Value) -> Value:
    if not (is_vector(a) and is_vector(b) and with_lane_axis(a).dtype == with_lane_axis(b).dtype):
        raise Unsupported(f"outer of {describe(a)} and {describe(b)}")
    return applied(_outer, a, b)


ROWS: dict[str, Row] = {
    "mul": multiply,
    "div": divide,
    "dot": _vectors("dot", dot),
    "cross": _vectors("cross", cross, (3,)),
    "length": _on("length", length, ndim=1),
    "length_sq": _on("length_sq", lambda v: dot(v, v), ndim=1),
    "normalize": _on("normalize", normalized, ndim=1),
    "cw_mul": same_type_row("cw_mul", lambda a, b: a * b),
    "cw_div": same_type_row("cw_div", quotient),
    "argmin": _on("argmin", _extremum(np.nanargmin), ndim=1),
    "argmax": _on("argmax", _extremum(np.nanargmax), ndim=1),
    "outer": _outer_row,
    "skew": _on("skew", _skew, ndim=1, shape=(3,)),
    "diag": _on("diag", _diagonal, ndim=1),
    "get_diag": _on("get_diag", _main, ndim=2, square=True),
    "transpose": _on("transpose", lambda m: m.swapaxes(0, 1).copy(), ndim=2),
    "trace": _on("trace", lambda m: summed(_main(m)), ndim=2, square=True),
    "determinant": _on("determinant", determinant, ndim=2, square=True),
    "inverse": _on("inverse", inverse, ndim=2, square=True),
    "ddot": _double_dot,
    "transform_point": _with_vector3("transform_point", _apply_point),
    "transform_vector": _with_vector3("transform_vector", _apply_vector),
}
