"""Functions of quaternions, transformations and spatial vectors."""

from __future__ import annotations

import math

import numpy as np

from warpsmith.validation.oracle.builtins.linear_algebra import multiply, quaternion_product, rotated
from warpsmith.validation.oracle.builtins.vector_sums import cross, dot, length, normalized
from warpsmith.validation.oracle.values.interpretation_errors import Unsupported
from warpsmith.validation.oracle.values.lanes import (
    applied,
    choose,
    class_of,
    components,
    lane_aware,
    rounded,
    shape_of,
    with_lane_axis,
)
from warpsmith.validation.oracle.values.operators import Row
from warpsmith.validation.oracle.values.value_types import FLOATS, Components, Quaternion, Transform, Value, describe


def quaternion(x: Value, y: Value, z: Value, w: Value, kind: Value) -> Components:
    """Return a quaternion of scalars of type ``kind``."""
    return components([x, y, z, w], kind).view(Quaternion)


def from_axis_angle(axis: Components, angle: Value) -> Components:
    """Return the rotation by an angle about an axis of length one."""
    kind = angle.dtype.type
    half = angle * kind(0.5)
    x, y, z = axis * rounded(math.sin, half)
    return quaternion(x, y, z, rounded(math.cos, half), kind)


def _to_axis_angle(q: Components) -> tuple[Components, Value]:
    kind = q.dtype.type
    plain = q.view(np.ndarray)
    v, w = plain[:3], plain[3]
    unit = normalized(v)
    return choose(w < 0, -unit, unit), kind(2) * rounded(math.atan2, length(v), abs(w))


def _from_angles(roll: Value, pitch: Value, yaw: Value) -> Components:
    kind = roll.dtype.type
    half = [angle * kind(0.5) for angle in (roll, pitch, yaw)]
    (cr, cp, cy), (sr, sp, sy) = ([rounded(function, angle) for angle in half] for function in (math.cos, math.sin))
    return quaternion(
        cy * sr * cp - sy * cr * sp,
        cy * cr * sp + sy * sr * cp,
        sy * cr * cp - cy * sr * sp,
        cy * cr * cp + sy * sr * sp,
        kind,
    )


def _conjugate(q: Components) -> Components:
    return quaternion(-q[0], -q[1], -q[2], q[3], q.dtype)


def _slerp(start: Components, end: Components, t: Value) -> Value:
    axis, angle = _to_axis_angle(quaternion_product(_conjugate(start), end))
    return quaternion_product(start, from_axis_angle(axis, t * angle))


def to_matrix(q: Components) -> Value:
    """Return the matrix of a rotation."""
    units = np.eye(3, dtype=q.dtype)
    return np.stack([rotated(q, unit.reshape(3, *(1 for _ in q.shape[1:]))) for unit in units], axis=1)


def from_matrix(m: Components) -> Value:
    """Return the quaternion of a rotation matrix; the divisor is its largest component, which is at least one half."""
    kind = m.dtype.type
    trace = m[0, 0] + m[1, 1] + m[2, 2]
    if trace >= 0:
        h = np.sqrt(trace + kind(1))
        w, h = kind(0.5) * h, kind(0.5) / h
        return normalized(quaternion((m[2, 1] - m[1, 2]) * h, (m[0, 2] - m[2, 0]) * h, (m[1, 0] - m[0, 1]) * h, w, kind))
    i = int(np.argmax(np.diagonal(m)[:3]))
    j, k = (i + 1) % 3, (i + 2) % 3
    h = np.sqrt(m[i, i] - (m[j, j] + m[k, k]) + kind(1))
    components = [kind(0)] * 4
    components[i], h = kind(0.5) * h, kind(0.5) / h
    components[j] = (m[i, j] + m[j, i]) * h
    components[k] = (m[k, i] + m[i, k]) * h
    components[3] = (m[k, j] - m[j, k]) * h
    return normalized(np.array(components, kind).view(Quaternion))


def position(t: Components) -> Value:
    """Return the position of a transformation."""
    return t.view(np.ndarray)[:3]


def turn(t: Components) -> Value:
    """Return the quaternion of a transformation."""
    return t.view(np.ndarray)[3:].view(Quaternion)


def _invert(t: Components) -> Value:
    back = _conjugate(turn(t))
    return np.concatenate([-rotated(back, position(t)), back]).view(Transform)


def _spatial_cross(a: Components, b: Components) -> Value:
    return np.concatenate([cross(a[:3], b[:3]), cross(a[3:], b[:3]) + cross(a[:3], b[3:])])


def _spatial_cross_dual(a: Components, b: Components) -> Value:
    return np.concatenate([cross(a[:3], b[:3]) + cross(a[3:], b[3:]), cross(a[:3], b[3:])])


# ------------------------------------------------------------------------------------------------------------------- rows

_CHECKS: dict[str, Row] = {
    "q": lambda value: class_of(value) is Quaternion,
    "t": lambda value: class_of(value) is Transform,
    "v": lambda value: class_of(value) is np.ndarray and shape_of(value) == (3,),
    "m": lambda value: shape_of(value) in ((3, 3), (4, 4)),
    "s": lambda value: class_of(value) is np.ndarray and shape_of(value) == (6,),
    "f": lambda value: class_of(value) in FLOATS,
    "n": lambda value: shape_of(value) == (3, 3),
    "h": lambda value: shape_of(value) == (4, 4),
    "i": lambda value: type(value) is np.int32,
}
"""The types that rows accept by a letter."""


def typed_row(name: str, letters: str, operation: Row, *, each: bool = False) -> Row:
    """Make a row for values with the types that ``letters`` name, all floats of one precision.

    Args:
        name: the name of the row.
        letters: a letter for the type of each value, see `_CHECKS`.
        operation: the operation.
        each: whether the operation is for one thread, and is called for one after another.
    """

    def apply(*values: Value) -> Value:
        fits = len(values) == len(letters) and all(
            _CHECKS[letter](value) for letter, value in zip(letters, values, strict=True)
        )
        if not fits or len({dtype for value in values if (dtype := with_lane_axis(value).dtype).kind == "f"}) > 1:
            raise Unsupported(f"{name} of {', '.join(map(describe, values))}")
        return applied(operation, *values)

    return apply if each else lane_aware(apply)


_TABLE: dict[str, tuple[str, Row]] = {
    "quat_from_axis_angle": ("vf", from_axis_angle),
    "quat_to_axis_angle": ("q", _to_axis_angle),
    "quat_rpy": ("fff", _from_angles),
    "quat_inverse": ("q", _conjugate),
    "quat_rotate": ("qv", rotated),
    "quat_rotate_inv": ("qv", lambda q, v: rotated(q, v, -1)),
    "quat_slerp": ("qqf", _slerp),
    "quat_to_matrix": ("q", to_matrix),
    "quat_from_matrix": ("m", from_matrix),
    "transform_get_translation": ("t", position),
    "transform_get_rotation": ("t", turn),
    "transform_multiply": ("tt", multiply),
    "transform_inverse": ("t", _invert),
    "spatial_top": ("s", lambda s: s[:3]),
    "spatial_bottom": ("s", lambda s: s[3:]),
    "spatial_dot": ("ss", dot),
    "spatial_cross": ("ss", _spatial_cross),
    "spatial_cross_dual": ("ss", _spatial_cross_dual),
}

ROWS: dict[str, Row] = {
    name: typed_row(name, letters, operation, each=operation is from_matrix) for name, (letters, operation) in _TABLE.items()
}
