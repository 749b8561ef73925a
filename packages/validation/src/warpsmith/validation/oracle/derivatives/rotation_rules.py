"""Rules of quaternions, transformations and spatial vectors, from formulas of textbooks."""

from __future__ import annotations

import math

import numpy as np

from warpsmith.validation.oracle.derivatives.duals import (
    Dual,
    absolute,
    angle_of,
    arc_sine,
    chosen,
    concatenated,
    cosine,
    cross,
    dot,
    length,
    root,
    sine,
    stacked,
    unit,
)
from warpsmith.validation.oracle.derivatives.rule_forms import Rule, formula, linear, multilinear
from warpsmith.validation.oracle.values.lanes import class_of
from warpsmith.validation.oracle.values.moving_values import CORNERS, value_of
from warpsmith.validation.oracle.values.operators import Row
from warpsmith.validation.oracle.values.value_types import Transform, Value

_IDENTITY = (0.0, 0.0, 0.0, 1.0)
_CYCLIC = frozenset({(0, 1, 2), (1, 2, 0), (2, 0, 1)})


def product(a: Dual, b: Dual) -> Dual:
    """Return the product of two quaternions."""
    v, w, p, s = a[:3], a[3], b[:3], b[3]
    along = cross(v, p)
    return stacked([*[w * p[i] + s * v[i] + along[i] for i in range(3)], w * s - dot(v, p)])


def conjugate(q: Dual) -> Dual:
    """Return the inverse of a unit quaternion."""
    return stacked([-q[0], -q[1], -q[2], q[3]])


def rotated(q: Dual, p: Dual) -> Dual:
    """Rotate a vector."""
    v, w = q[:3], q[3]
    along, across, scale = dot(v, p), cross(v, p), 2.0 * w * w - 1.0
    return stacked([p[i] * scale + 2.0 * (v[i] * along + w * across[i]) for i in range(3)])


def transformed(t: Dual, p: Dual) -> Dual:
    """Rotate and move a point."""
    return t[:3] + rotated(t[3:], p)


def _to_matrix(q: Dual) -> Dual:
    columns = [rotated(q, Dual(np.eye(3)[i].reshape(3, *(1 for _ in np.shape(q.value)[1:])))) for i in range(3)]
    return stacked([stacked([columns[j][i] for j in range(3)]) for i in range(3)])


def _about(axis: Dual, angle: Dual) -> Dual:
    half = 0.5 * angle
    s = sine(half)
    return stacked([axis[0] * s, axis[1] * s, axis[2] * s, cosine(half)])


def _axis_and_angle(q: Dual) -> tuple[Dual, Dual]:
    axis, w = unit(q[:3], (0.0, 0.0, 0.0)), q[3]
    CORNERS.note("quat_to_axis_angle", (w.value == 0) & (w.tangent != 0))
    return chosen(w.value < 0, -axis, axis), 2.0 * angle_of(length(q[:3]), absolute(w))


def _slerp(a: Dual, b: Dual, t: Dual) -> Dual:
    axis, angle = _axis_and_angle(product(conjugate(a), b))
    return product(a, _about(axis, t * angle))


def _from_angles(roll: Dual, pitch: Dual, yaw: Dual) -> Dual:
    (cr, sr), (cp, sp), (cy, sy) = ((cosine(0.5 * angle), sine(0.5 * angle)) for angle in (roll, pitch, yaw))
    return stacked(
        [
            cy * sr * cp - sy * cr * sp,
            cy * cr * sp + sy * sr * cp,
            sy * cr * cp - cy * sr * sp,
            cy * cr * cp + sy * sr * sp,
        ]
    )


def _from_matrix(m: Dual) -> Dual:
    trace = m[0][0] + m[1][1] + m[2][2]
    if trace.value >= 0:
        h = root(trace + 1.0)
        s = 0.5 / h
        parts = [(m[2][1] - m[1][2]) * s, (m[0][2] - m[2][0]) * s, (m[1][0] - m[0][1]) * s, 0.5 * h]
        return unit(stacked(parts), _IDENTITY)
    i = int(np.argmax([m.value[axis][axis] for axis in range(3)]))
    j, k = (i + 1) % 3, (i + 2) % 3
    h = root(m[i][i] - (m[j][j] + m[k][k]) + 1.0)
    s = 0.5 / h
    parts = [Dual(0.0)] * 4
    parts[i], parts[j], parts[k] = 0.5 * h, (m[i][j] + m[j][i]) * s, (m[k][i] + m[i][k]) * s
    parts[3] = (m[k][j] - m[j][k]) * s
    return unit(stacked(parts), _IDENTITY)


def _from_euler(angles: Dual, *sequence: Dual) -> Dual:
    turns = [_about(Dual(np.eye(3)[int(axis.value)]), angles[int(axis.value)]) for axis in sequence]
    return product(turns[2], product(turns[1], turns[0]))


def _to_euler(q: Dual, *sequence: Dual) -> Dual:
    i, j, k = (int(axis.value) for axis in sequence)
    proper = i == k
    k = 3 - i - j if proper else k
    sign = 1.0 if (i, j, k) in _CYCLIC else -1.0
    a, b, c, d = q[3], q[i], q[j], q[k] * sign
    if not proper:
        a, b, c, d = a - q[j], b + q[k] * sign, c + q[3], d - q[i]
    squares = (a * a + b * b) / (a * a + b * b + c * c + d * d)
    second = 0.5 * math.pi - arc_sine(2.0 * squares - 1.0)
    plus, minus = angle_of(b, a), angle_of(d, c)
    first, third = plus - minus, plus + minus
    if second.value < 1.0e-6 or abs(second.value - math.pi) < 1.0e-6:
        CORNERS.note("quat_to_euler", np.bool_(True))
    if not proper:
        second, third = second - 0.5 * math.pi, third * sign
    parts = dict(zip((i, j, k), (first, second, third), strict=True))
    return stacked([parts[axis] for axis in range(3)])


def _to_roll_pitch_yaw(q: Dual) -> Dual:
    x, y, z, w = (q[i] for i in range(4))
    roll = angle_of(2.0 * (w * x + y * z), 1.0 - 2.0 * (x * x + y * y))
    yaw = angle_of(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z))
    return stacked([roll, arc_sine(2.0 * (w * y - z * x)), yaw])


def _twist(axis: Dual, q: Dual) -> Dual:
    along = dot(q[:3], axis)
    return unit(stacked([*[along * axis[i] for i in range(3)], q[3]]), _IDENTITY)


def _inverse(t: Dual) -> Dual:
    back = conjugate(t[3:])
    return concatenated(-rotated(back, t[:3]), back)


def _composed(place: Dual, q: Dual, scale: Dual) -> Dual:
    matrix = _to_matrix(q)
    rows = [stacked([*[matrix[i][j] * scale[j] for j in range(3)], place[i]]) for i in range(3)]
    return stacked([*rows, stacked([Dual(0.0), Dual(0.0), Dual(0.0), Dual(1.0)]) + 0.0 * rows[0]])


def _decomposed(m: Dual) -> tuple[Dual, ...]:
    scale = stacked([root(m[0][j] * m[0][j] + m[1][j] * m[1][j] + m[2][j] * m[2][j]) for j in range(3)])
    safe = chosen(scale.value == 0, 1.0, scale)
    turn = stacked([stacked([m[i][j] / safe[j] for j in range(3)]) for i in range(3)])
    return stacked([m[i][3] for i in range(3)]), _from_matrix(turn), scale


def _moved_twist(t: Dual, twist: Dual) -> Dual:
    angular = rotated(t[3:], twist[:3])
    return concatenated(angular, rotated(t[3:], twist[3:]) + cross(t[:3], angular))


def _moved_wrench(t: Dual, wrench: Dual) -> Dual:
    force = rotated(t[3:], wrench[3:])
    return concatenated(rotated(t[3:], wrench[:3]) + cross(t[:3], force), force)


def _applied(on_point: bool) -> Rule:
    """Make the rule of a transformation, or a homogeneous matrix, applied to a point or a vector."""

    def by_matrix(m: Dual, v: Dual) -> Dual:
        return stacked([dot(m[i][:3], v) + (m[i][3] if on_point else 0.0) for i in range(3)])

    by_pose = formula(transformed if on_point else lambda t, v: rotated(t[3:], v))
    of_matrix = formula(by_matrix)
    return lambda row, t, v: (by_pose if class_of(value_of(t)) is Transform else of_matrix)(row, t, v)


def _multiply_poses(a: Dual, b: Dual) -> Dual:
    return concatenated(transformed(a, b[:3]), product(a[3:], b[3:]))


def multiply(row: Row, a: Value, b: Value, otherwise: Rule) -> Value:
    """Differentiate a product: transformations by their formula, all others by the product rule."""
    if class_of(value_of(a)) is class_of(value_of(b)) is Transform:
        return formula(_multiply_poses)(row, a, b)
    return otherwise(row, a, b)


RULES: dict[str, Rule] = {
    "quat_from_axis_angle": formula(_about),
    "quat_to_axis_angle": formula(_axis_and_angle),
    "quat_rpy": formula(_from_angles),
    "quat_inverse": linear,
    "quat_rotate": formula(rotated),
    "quat_rotate_inv": formula(lambda q, v: rotated(conjugate(q), v)),
    "quat_slerp": formula(_slerp),
    "quat_to_matrix": formula(_to_matrix),
    "quat_from_matrix": formula(_from_matrix, each=True),
    "quat_from_euler": formula(_from_euler, each=True),
    "quat_to_euler": formula(_to_euler, each=True),
    "quat_to_rpy": formula(_to_roll_pitch_yaw),
    "quat_twist": formula(_twist),
    "quat_twist_angle": formula(lambda axis, q: 2.0 * angle_of(absolute(dot(axis, q[:3])), q[3])),
    "quat_twist_angle_signed": formula(lambda axis, q: 2.0 * angle_of(dot(axis, q[:3]), q[3])),
    "transform_get_translation": linear,
    "transform_get_rotation": linear,
    "transform_set_translation": linear,
    "transform_set_rotation": linear,
    "transform_multiply": formula(_multiply_poses),
    "transform_inverse": formula(_inverse),
    "transform_point": _applied(on_point=True),
    "transform_vector": _applied(on_point=False),
    "transform_compose": formula(_composed),
    "transform_decompose": formula(_decomposed, each=True),
    "transform_from_matrix": formula(lambda m: concatenated(stacked([m[i][3] for i in range(3)]), _from_matrix(m)), each=True),
    "transform_to_matrix": formula(lambda t: _composed(t[:3], t[3:], Dual(np.ones(3)))),
    "transform_twist": formula(_moved_twist),
    "transform_wrench": formula(_moved_wrench),
    "velocity_at_point": formula(lambda twist, place: twist[3:] + cross(twist[:3], place)),
    **dict.fromkeys(("spatial_top", "spatial_bottom", "spatial_adjoint"), linear),
    **dict.fromkeys(("spatial_dot", "spatial_cross", "spatial_cross_dual"), multilinear),
}
