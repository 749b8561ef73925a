"""A launch: how to run the kernel of a pair, with which arguments and values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class Domain:
    """The values that are safe for an argument.

    ``uniform``: each component drawn from [low, high], integers with both ends. ``unit``: vectors and quaternions of length
    one; of a transform the quaternion has that length, and the position is drawn from [low, high].
    ``near_identity``: the identity matrix plus a draw from [low, high] for each entry. ``fill``: every component is ``low``.
    """

    kind: Literal["uniform", "unit", "near_identity", "fill"]
    low: int | float
    high: int | float


Kind = Literal["value", "array", "struct", "indexed_array", "mesh", "bvh", "hash_grid", "volume", "texture"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Build:
    """How an object of Warp is built, beside its shape and its values; what a kind has no use for stays as it is.

    ``width``: of a cell of a hash grid, of a voxel of a volume. ``points``: the array of vec3f that a hash grid is built over,
    by the name of its leaf. ``voxels``: what a volume holds. The others are those of textures.
    """

    width: float = 0.0
    points: str = ""
    voxels: Literal["float32", "int32", "vec3f"] = "float32"
    channels: Literal[1, 2, 4] = 1
    filter: Literal["linear", "closest"] = "linear"
    address: Literal["clamp", "wrap", "mirror", "border"] = "clamp"
    normalized: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Argument:
    """One kernel argument, or a member of a struct: what to allocate and which values to put there.

    ``dtype`` is Warp's canonical name (``float32``, ``vec3f``, ``mat33f``) or a struct's name, whose members are ``fields``, of
    a ``struct`` as well as of an ``array`` of structs. ``shape`` is empty unless ``kind`` is ``array`` or ``indexed_array``; of
    the latter it is what the indices leave of it. ``domain`` is null exactly where ``fields`` is not empty; the ``role`` of a
    struct is that of each of its members.

    The other kinds are objects of Warp; `objects` says what they are made of. ``build`` is written for them only.
    """

    name: str
    kind: Kind
    dtype: str
    role: Literal["input", "output", "inout"]
    shape: tuple[int, ...]
    domain: Domain | None
    fields: tuple[Argument, ...] = ()
    build: Build | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Launch:
    """How to run the kernel: the launch shape ``dim`` (threads per dimension) and its arguments in order."""

    dim: tuple[int, ...]
    args: tuple[Argument, ...]
