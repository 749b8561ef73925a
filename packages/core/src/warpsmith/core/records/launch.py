"""The launch: how to run the kernel of a pair, with which arguments and values."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

_ARGUMENT = re.compile(r"[.\[]")
"""The end of the name of an argument in the name of one of its leaves."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Domain:
    """The values that are safe for an argument.

    Attributes:
        kind: the distribution. ``uniform``: each component is sampled from [low, high], for integers with both ends.
            ``unit``: vectors and quaternions have length one; the quaternion of a transform has length one, too, and its
            position is sampled from [low, high]. ``near_identity``: the identity matrix plus a sample from [low, high] for
            each entry. ``fill``: every component is ``low``. ``sorted``: scalars as for ``uniform`` that do not decrease along
            the last dimension. ``offsets``: such integers, the first of which is ``low`` and the last is ``high``.
            ``permutation``: different integers from [low, high]. ``stored``: the values are in `Launch.stored`; ``low`` and
            ``high`` are their range.
        low: the least value.
        high: the largest value.
    """

    kind: Literal["uniform", "unit", "near_identity", "fill", "sorted", "offsets", "permutation", "stored"]
    low: int | float
    high: int | float


ArgumentKind = Literal[
    "value", "array", "struct", "indexed_array", "null_array", "mesh", "bvh", "hash_grid", "volume", "texture"
]
"""The kinds of arguments. Those from ``mesh`` on are objects of Warp, see `warpsmith.core.inputs.launch_objects`.

A ``null_array`` is an array for which the caller passes None. It has no shape, no domain and no members.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Build:
    """How to build an object of Warp, besides its shape and values; members that do not apply to its kind keep their default.

    Attributes:
        width: the edge length of a cell of a hash grid, or of a voxel of a volume.
        points: the array of vec3f that a hash grid is built over, by the name of its leaf.
        voxels: the type of a volume's voxels. With stored values also ``index``, a volume of voxels without values, and
            ``nanovdb``, a volume in its own format.
        channels: the number of channels of a texture.
        filter: the filter mode of a texture.
        address: the address mode of a texture.
        normalized: whether a texture has normalized coordinates.
    """

    width: float = 0.0
    points: str = ""
    voxels: Literal["float32", "int32", "vec3f", "index", "nanovdb"] = "float32"
    channels: Literal[1, 2, 4] = 1
    filter: Literal["linear", "closest"] = "linear"
    address: Literal["clamp", "wrap", "mirror", "border"] = "clamp"
    normalized: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Argument:
    """One kernel argument, or a member of a struct: its type, shape and values.

    Attributes:
        name: the parameter's name in the kernel, or the member's name in the struct.
        kind: the kind of argument; objects of Warp are built from the arrays that `warpsmith.core.inputs.launch_objects` names.
        dtype: Warp's canonical name (``float32``, ``vec3f``, ``mat33f``) or a struct's name.
        role: whether the kernel reads it, writes it, or both. The roles of the members of a struct may differ in captured
            launches; the struct is ``inout`` then.
        shape: the shape of an array, for an indexed array the shape that its indices select; empty for values and structs.
            Arrays of captured launches may have no elements.
        domain: the values; null exactly for a ``struct``, where ``fields`` is not empty, for a ``null_array``, and for a
            ``hash_grid`` over an argument.
        fields: the members of a ``struct``, or of the elements of an ``array`` of structs.
        build: for objects of Warp only; absent from the record of any other argument.
    """

    name: str
    kind: ArgumentKind
    dtype: str
    role: Literal["input", "output", "inout"]
    shape: tuple[int, ...]
    domain: Domain | None
    fields: tuple[Argument, ...] = ()
    build: Build | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Launch:
    """How to run the kernel.

    Attributes:
        dim: the number of threads in each dimension.
        args: the arguments in order.
        stored: contents of leaves whose meaning a domain would lose, such as the connectivity of a mesh, by the name of the
            leaf, as `warpsmith.core.inputs.stored` encodes them; absent from the record where it is empty.

    Examples:
        >>> from warpsmith.core.records.launch import Argument, Domain
        >>> domain = Domain(kind="uniform", low=0, high=9)
        >>> n = Argument(name="n", kind="value", dtype="int32", role="input", shape=(), domain=domain)
        >>> Launch(dim=(64,), args=(n,)).args[0].dtype
        'int32'
    """

    dim: tuple[int, ...]
    args: tuple[Argument, ...]
    stored: dict[str, str] = field(default_factory=dict, hash=False)

    def with_args(self, args: Iterable[Argument]) -> Launch:
        """Return this launch with other arguments, and with the stored values of these only."""
        args = tuple(args)
        names = {argument.name for argument in args}
        stored = {name: text for name, text in self.stored.items() if _ARGUMENT.split(name, maxsplit=1)[0] in names}
        return Launch(dim=self.dim, args=args, stored=stored)
