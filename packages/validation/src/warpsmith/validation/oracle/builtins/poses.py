"""Euler angles, twists, matrices of transformations, and velocities and forces of rigid bodies."""

from __future__ import annotations

import math

import numpy as np

from warpsmith.validation.oracle.builtins.linear_algebra import quaternion_product, rotated
from warpsmith.validation.oracle.builtins.named_parameters import Named
from warpsmith.validation.oracle.builtins.rotations import (
    from_axis_angle,
    from_matrix,
    position,
    quaternion,
    to_matrix,
    turn,
    typed_row,
)
from warpsmith.validation.oracle.builtins.vector_sums import cross, dot, normalized
from warpsmith.validation.oracle.values.interpretation_errors import Unsupported
from warpsmith.validation.oracle.values.operators import Row
from warpsmith.validation.oracle.values.value_types import Components, Transform, Value

_CYCLIC = frozenset({(0, 1, 2), (1, 2, 0), (2, 0, 1)})
_NEAR = 1.0e-6
"""How near to its limits the second Euler angle leaves only a sum of the two others defined."""

# ---------------------------------------------------------------------------------------------------------- Euler angles


def _axes(i: Value, j: Value, k: Value) -> tuple[int, int, int]:
    axes = (int(i), int(j), int(k))
    if not all(0 <= axis <= 2 for axis in axes) or axes[0] == axes[1] or axes[1] == axes[2]:
        raise Unsupported(f"Euler angles about the axes {axes}")
    return axes


def _from_euler(angles: Components, *sequence: Value) -> Value:
    """Return the rotation about three fixed axes, one after the other."""
    first, second, third = (from_axis_angle(np.eye(3, dtype=angles.dtype)[axis], angles[axis]) for axis in _axes(*sequence))
    return quaternion_product(third, quaternion_product(second, first))


def _to_euler(q: Components, *sequence: Value) -> Value:
    """Return Euler angles by their axes (Bernardes and Viollet, 2022)."""
    i, j, k = _axes(*sequence)
    kind, proper = q.dtype.type, i == k
    k = 3 - i - j if proper else k
    sign = kind(1 if (i, j, k) in _CYCLIC else -1)
    a, b, c, d = q[3], q[i], q[j], q[k] * sign
    if not proper:
        a, b, c, d = a - q[j], b + q[k] * sign, c + q[3], d - q[i]
    squares = (a * a + b * b) / (a * a + b * b + c * c + d * d)
    second = kind(math.acos(min(max(float(kind(2) * squares - kind(1)), -1.0), 1.0)))
    plus, minus = kind(math.atan2(b, a)), kind(math.atan2(d, c))
    first, third = plus - minus, plus + minus
    if second < _NEAR:
        first, third = kind(0), kind(2) * plus
    elif abs(second - kind(math.pi)) < _NEAR:
        first, third = kind(0), kind(2) * minus
    if not proper:
        second, third = second - kind(math.pi / 2), third * sign
    angles = np.zeros(3, kind)
    angles[[i, j, k]] = first, second, third
    return angles


def _to_roll_pitch_yaw(q: Components) -> Value:
    kind = q.dtype.type
    unit, two = kind(1), kind(2)
    x, y, z, w = q
    roll = math.atan2(two * (w * x + y * z), unit - two * (x * x + y * y))
    pitch = math.asin(min(max(float(two * (w * y - z * x)), -1.0), 1.0))
    yaw = math.atan2(two * (w * z + x * y), unit - two * (y * y + z * z))
    return np.array([roll, pitch, yaw], kind)


def _twist(axis: Components, q: Components) -> Value:
    x, y, z = dot(q.view(np.ndarray)[:3], axis) * axis
    return normalized(quaternion(x, y, z, q[3], q.dtype))


def _twist_angle(axis: Components, q: Components) -> Value:
    kind = q.dtype.type
    return kind(2) * kind(math.atan2(dot(axis, q.view(np.ndarray)[:3]), q[3]))


def _unsigned_twist_angle(axis: Components, q: Components) -> Value:
    kind = q.dtype.type
    return kind(2) * kind(math.atan2(abs(dot(axis, q.view(np.ndarray)[:3])), q[3]))


# -------------------------------------------------------------------------------------------------------------- matrices


def _composed(place: Components, q: Components, scale: Components) -> Value:
    scaled = to_matrix(q) * scale
    matrix = np.zeros((4, 4, *np.broadcast_shapes(scaled.shape[2:], place.shape[1:])), q.dtype)
    matrix[:3, :3], matrix[:3, 3], matrix[3, 3] = scaled, place, 1
    return matrix


def _decomposed(m: Components) -> tuple[Value, Value, Value]:
    scale = np.sqrt(m[0, :3] * m[0, :3] + m[1, :3] * m[1, :3] + m[2, :3] * m[2, :3])
    return m[:3, 3].copy(), from_matrix(m[:3, :3] / np.where(scale == 0, m.dtype.type(1), scale)), scale


def _pose(m: Components) -> Value:
    return np.concatenate([m[:3, 3], from_matrix(m)]).view(Transform)


def _pose_matrix(t: Components) -> Value:
    return _composed(position(t), turn(t), np.ones_like(position(t)))


def _with_position(t: Components, place: Components) -> tuple[None, Value]:
    return None, np.concatenate([place, turn(t)]).view(Transform)


def _with_turn(t: Components, q: Components) -> tuple[None, Value]:
    return None, np.concatenate([position(t), q]).view(Transform)


# ---------------------------------------------------------------------------------------------------------- rigid bodies


def _velocity_at(twist: Components, place: Components) -> Value:
    return twist[3:] + cross(twist[:3], place)


def _moved_twist(t: Components, twist: Components) -> Value:
    angular = rotated(turn(t), twist[:3])
    return np.concatenate([angular, rotated(turn(t), twist[3:]) + cross(position(t), angular)])


def _moved_wrench(t: Components, wrench: Components) -> Value:
    force = rotated(turn(t), wrench[3:])
    return np.concatenate([rotated(turn(t), wrench[:3]) + cross(position(t), force), force])


def _adjoint(r: Components, s: Components) -> Value:
    return np.concatenate([np.concatenate([r, np.zeros_like(r)], axis=1), np.concatenate([s, r], axis=1)])


_TABLE: dict[str, tuple[str, Row]] = {
    "quat_from_euler": ("viii", _from_euler),
    "quat_to_euler": ("qiii", _to_euler),
    "quat_to_rpy": ("q", _to_roll_pitch_yaw),
    "quat_twist": ("vq", _twist),
    "quat_twist_angle": ("vq", _unsigned_twist_angle),
    "quat_twist_angle_signed": ("vq", _twist_angle),
    "transform_compose": ("vqv", _composed),
    "transform_decompose": ("h", _decomposed),
    "transform_from_matrix": ("h", _pose),
    "transform_to_matrix": ("t", _pose_matrix),
    "transform_twist": ("ts", _moved_twist),
    "transform_wrench": ("ts", _moved_wrench),
    "velocity_at_point": ("sv", _velocity_at),
    "spatial_adjoint": ("nn", _adjoint),
}

_TOGETHER = frozenset(
    ("transform_compose", "transform_to_matrix", "transform_twist", "transform_wrench", "velocity_at_point", "spatial_adjoint")
)
"""The rows whose operation supports the components of several threads."""

ROWS: dict[str, Row] = {name: typed_row(name, *entry, each=name not in _TOGETHER) for name, entry in _TABLE.items()}
NAMED: dict[str, Named] = {
    "transform_set_translation": Named(
        "xform p", typed_row("transform_set_translation", "tv", _with_position, each=True), ("xform",)
    ),
    "transform_set_rotation": Named("xform q", typed_row("transform_set_rotation", "tq", _with_turn, each=True), ("xform",)),
}
