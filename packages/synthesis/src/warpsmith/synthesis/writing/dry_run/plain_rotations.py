"""Quaternions, rigid transforms and spatial vectors of plain numbers, and random states, with the builtins that take them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from warpsmith.synthesis.writing.dry_run.plain_vectors import WRAPS, Matrix, Vector, Wrap, inner


class Quaternion(Vector):
    """A quaternion (x, y, z, w)."""

    __slots__ = ()

    def __mul__(self, other: Any) -> Quaternion:
        if not isinstance(other, Quaternion):
            return Quaternion(part * other for part in self.parts)
        (ax, ay, az, aw), (bx, by, bz, bw) = self.parts, other.parts
        return Quaternion(
            (
                aw * bx + ax * bw + ay * bz - az * by,
                aw * by - ax * bz + ay * bw + az * bx,
                aw * bz + ax * by - ay * bx + az * bw,
                aw * bw - ax * bx - ay * by - az * bz,
            )
        )

    def __add__(self, other: Vector) -> Quaternion:
        return Quaternion(super().__add__(other).parts)

    def __sub__(self, other: Vector) -> Quaternion:
        return Quaternion(super().__sub__(other).parts)


class Transform(Vector):
    """A rigid transform: three numbers of the position, then a quaternion."""

    __slots__ = ()

    @property
    def position(self) -> Vector:
        """The position."""
        return Vector(self.parts[:3])

    @property
    def rotation(self) -> Quaternion:
        """The rotation."""
        return Quaternion(self.parts[3:])

    def __mul__(self, other: Any) -> Transform:
        if not isinstance(other, Transform):
            return Transform(part * other for part in self.parts)
        return transform(transform_point(self, other.position), self.rotation * other.rotation)


class RandomState:
    """The state of a random generator; its numbers differ from Warp's."""

    def __init__(self, seed: int, offset: int = 0) -> None:
        self._state = (int(seed) * 7919 + int(offset) * 104729 + 12345) & 0xFFFFFFFF

    def next(self) -> int:
        """Return the next 32 bits."""
        self._state = (self._state * 1664525 + 1013904223) & 0xFFFFFFFF
        return (self._state ^ (self._state >> 15)) * 2654435761 & 0xFFFFFFFF

    def uniform(self, low: float = 0.0, high: float = 1.0) -> float:
        """Return a number of [low, high)."""
        return low + (high - low) * self.next() / 2**32


def transform(position: Vector, rotation: Vector) -> Transform:
    """Return a transform of its parts."""
    return Transform((*position.parts, *rotation.parts))


def rotate(q: Vector, v: Vector) -> Vector:
    """Return a vector rotated by a quaternion."""
    x, y, z, w = q.parts
    vx, vy, vz = v.parts
    tx, ty, tz = 2.0 * (y * vz - z * vy), 2.0 * (z * vx - x * vz), 2.0 * (x * vy - y * vx)
    return Vector((vx + w * tx + y * tz - z * ty, vy + w * ty + z * tx - x * tz, vz + w * tz + x * ty - y * tx))


def inverse(q: Vector) -> Quaternion:
    """Return the conjugate of a unit quaternion."""
    x, y, z, w = q.parts
    return Quaternion((-x, -y, -z, w))


def transform_point(t: Transform, p: Vector) -> Vector:
    """Return a point moved by a transform."""
    return t.position + rotate(t.rotation, p)


def _transform_inverse(t: Transform) -> Transform:
    back = inverse(t.rotation)
    return transform(-rotate(back, t.position), back)


def _axis_angle(axis: Vector, angle: float) -> Quaternion:
    length = math.sqrt(inner(axis.parts, axis.parts)) or 1.0
    sine = math.sin(0.5 * angle) / length
    return Quaternion((*(part * sine for part in axis.parts), math.cos(0.5 * angle)))


def _rpy(roll: float, pitch: float, yaw: float) -> Quaternion:
    about = [_axis_angle(Vector(axis), angle) for axis, angle in zip(_AXES, (roll, pitch, yaw), strict=True)]
    return about[2] * about[1] * about[0]


_AXES = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


def _to_matrix(q: Vector) -> Matrix:
    columns = [rotate(q, Vector(axis)).parts for axis in _AXES]
    return Matrix(zip(*columns, strict=True))


def _quat(*parts: Any) -> Quaternion:
    if len(parts) == 2:
        return Quaternion((*parts[0].parts, parts[1]))
    return Quaternion(parts or (0.0, 0.0, 0.0, 0.0))


def _spatial(*parts: Any) -> Vector:
    if len(parts) == 2:
        return Vector((*parts[0].parts, *parts[1].parts))
    return Vector(parts if len(parts) == 6 else (parts or (0.0,)) * 6)


def _unit(state: RandomState, size: int) -> Vector:
    parts: Sequence[float] = [state.uniform(-1.0, 1.0) for _ in range(size)]
    length = math.sqrt(inner(parts, parts)) or 1.0
    return Vector(part / length for part in parts)


def _randi(state: RandomState, *ends: int) -> int:
    return state.next() - 2**31 if not ends else ends[0] + state.next() % max(ends[1] - ends[0], 1)


def _transform(*parts: Any) -> Transform:
    return transform(*parts) if len(parts) == 2 else Transform(parts or (0.0,) * 7)


ROTATION_FUNCTIONS: dict[str, Callable[..., Any]] = {
    **{f"quat{kind}": _quat for kind in ("", *"fdh")},
    "quat_identity": lambda **_: Quaternion((0.0, 0.0, 0.0, 1.0)),
    "quat_rotate": rotate,
    "quat_rotate_inv": lambda q, v: rotate(inverse(q), v),
    "quat_inverse": inverse,
    "quat_from_axis_angle": _axis_angle,
    "quat_rpy": _rpy,
    "quat_to_matrix": _to_matrix,
    **{f"transform{kind}": _transform for kind in ("", *"fdh")},
    "transform_identity": lambda **_: Transform((0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0)),
    "transform_point": transform_point,
    "transform_vector": lambda t, v: rotate(t.rotation, v),
    "transform_inverse": _transform_inverse,
    "transform_multiply": lambda a, b: a * b,
    "transform_get_translation": lambda t: t.position,
    "transform_get_rotation": lambda t: t.rotation,
    **{f"spatial_vector{kind}": _spatial for kind in ("", *"fdh")},
    "spatial_top": lambda s: Vector(s.parts[:3]),
    "spatial_bottom": lambda s: Vector(s.parts[3:]),
    "spatial_dot": lambda a, b: inner(a.parts, b.parts),
    "rand_init": RandomState,
    "randf": RandomState.uniform,
    "randi": _randi,
    "randu": RandomState.next,
    "randn": lambda state: sum(state.uniform() for _ in range(12)) - 6.0,
    "sample_unit_sphere": lambda state: _unit(state, 3) * state.uniform(),
    "sample_unit_sphere_surface": lambda state: _unit(state, 3),
    "sample_unit_hemisphere_surface": lambda state: _unit(state, 3),
    "sample_unit_disk": lambda state: _unit(state, 2) * state.uniform(),
    "sample_unit_ring": lambda state: _unit(state, 2),
    "sample_unit_square": lambda state: Vector((state.uniform(-0.5, 0.5), state.uniform(-0.5, 0.5))),
    "sample_unit_cube": lambda state: Vector(state.uniform(-0.5, 0.5) for _ in range(3)),
}
"""Substitutes for the builtins of rotations and random numbers, by the name that follows ``wp.``."""


def wrap_of(dtype: str, depth: int) -> Wrap | None:
    """Return what makes a value of a type of nested lists of this depth; None for numbers.

    Args:
        dtype: Warp's canonical name of the type.
        depth: 1 for vectors, 2 for matrices.
    """
    if dtype.startswith("quat"):
        return Quaternion
    return Transform if dtype.startswith("transform") else WRAPS[depth]
