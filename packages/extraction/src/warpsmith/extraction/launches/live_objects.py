"""Meshes, BVHs, hash grids, volumes and textures behind handles, and the arrays that they are built from."""

from __future__ import annotations

import math
import weakref
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import warp as wp

from warpsmith.core.inputs import launch_objects
from warpsmith.core.inputs.stored import MAX_STORED_BYTES
from warpsmith.core.records.launch import ArgumentKind, Build
from warpsmith.extraction.warp import live_arguments, nanovdb

Values = npt.NDArray[Any]

_MAX_CELLS = launch_objects.MAX_ELEMENTS // 2
"""The most cells of a hash grid in a record, which leaves room for its points."""


@dataclass(frozen=True, slots=True)
class Description:
    """An object as the record of a launch describes it.

    Attributes:
        kind: the kind of the argument.
        shape: the shape that the record has.
        build: how to build the object besides its arrays.
        nbytes: the bytes of its arrays.
        address: where the points of a hash grid are; 0 for other objects.
        read: copies the arrays, by the last part of their names; the empty name is the object's own.
    """

    kind: ArgumentKind
    shape: tuple[int, ...]
    build: Build
    nbytes: int
    address: int
    read: Callable[[], dict[str, Values]]


@dataclass(slots=True)
class LiveObjects:
    """Objects of this process by their handles.

    Handles are found by a search among all objects of Python, which also finds those that were created before the capture; it
    runs again only for a number that is no known handle and may be one.

    Attributes:
        known: the objects that were found.
        grids: the points and the width that each hash grid was built with; the grid keeps neither.
        misses: numbers that were no handles at the last search.
    """

    known: weakref.WeakValueDictionary[int, Any] = field(default_factory=weakref.WeakValueDictionary)
    grids: weakref.WeakKeyDictionary[Any, tuple[Any, float]] = field(default_factory=weakref.WeakKeyDictionary)
    misses: set[int] = field(default_factory=set)

    def is_handle(self, number: int) -> bool:
        """Return whether a number is the handle of a live object."""
        return self._find(number) is not None

    def describe(self, number: int) -> Description | None:
        """Return the object with a handle, or None if the number is no handle.

        Raises:
            ValueError: if the object cannot be described.
        """
        found = self._find(number)
        if found is None:
            return None
        for cls, describe in _DESCRIPTIONS.items():
            if isinstance(found, cls):
                return describe(found, self.grids)
        raise ValueError(f"a {type(found).__name__}, whose values are not read")

    def _find(self, number: int) -> Any:
        found = self.known.get(number)
        if (found is None or found.id != number) and number and number not in self.misses:
            self.known = weakref.WeakValueDictionary(live_arguments.live_objects())
            found = self.known.get(number)
            if found is None and len(self.misses) < 1 << 16:
                self.misses.add(number)
        return found


def _mesh(mesh: Any, _: Mapping[Any, tuple[Any, float]]) -> Description:
    arrays = {"points": (mesh.points, wp.vec3), "indices": (mesh.indices, wp.int32)}
    if mesh.velocities is not None and len(mesh.velocities):
        arrays["velocities"] = (mesh.velocities, wp.vec3)
    return _description("mesh", (len(mesh.points), len(mesh.indices) // 3), arrays | _groups(mesh), Build())


def _bvh(bvh: Any, _: Mapping[Any, tuple[Any, float]]) -> Description:
    arrays = {"lowers": (bvh.lowers, wp.vec3), "uppers": (bvh.uppers, wp.vec3)}
    return _description("bvh", (len(bvh.lowers),), arrays | _groups(bvh), Build())


def _groups(found: Any) -> dict[str, tuple[Any, Any]]:
    groups = getattr(found, "groups", None)
    return {} if groups is None else {"groups": (groups, wp.int32)}


def _hash_grid(grid: Any, grids: Mapping[Any, tuple[Any, float]]) -> Description:
    if grid not in grids:
        raise ValueError("a hash grid that was not built during the capture")
    if getattr(grid, "groups", None) is not None or getattr(grid, "dtype", wp.float32) is not wp.float32:
        raise ValueError("a hash grid with groups, or of other numbers than float32")
    points, width = grids[grid]
    return _description(
        "hash_grid", _few_cells(live_arguments.grid_cells(grid)), {"points": (points, wp.vec3)}, Build(width=width)
    )


def _volume(volume: Any, _: Mapping[Any, tuple[Any, float]]) -> Description:
    if not volume.is_index:
        return _nanovdb(volume)
    voxels, transform = nanovdb.voxels_of(volume), nanovdb.transform_of(volume)
    if not 0 < len(voxels) <= launch_objects.MAX_ELEMENTS:
        raise ValueError(f"a volume of {len(voxels)} voxels")
    if not nanovdb.is_rebuilt_alike(volume):
        raise ValueError("a volume whose voxels have other numbers when it is built again")
    parts = {"voxels": voxels, "transform": transform}
    nbytes = voxels.nbytes + transform.nbytes
    return Description("volume", (len(voxels),), Build(voxels="index"), nbytes, 0, lambda: parts)


def _nanovdb(volume: Any) -> Description:
    content = volume.array()
    if content.size > MAX_STORED_BYTES:
        raise ValueError(f"a volume of {content.size} bytes, more than {MAX_STORED_BYTES}")
    build = Build(voxels="nanovdb")
    return Description("volume", (content.size,), build, content.size, 0, lambda: {"": np.array(content.numpy())})


def _few_cells(shape: tuple[int, ...]) -> tuple[int, ...]:
    """Return the shape of a hash grid of at most `_MAX_CELLS` cells.

    Coordinates are taken modulo the shape, so that a query of a smaller grid also returns all points within its radius.
    """
    cells = list(shape)
    while math.prod(cells) > _MAX_CELLS:
        longest = cells.index(max(cells))
        cells[longest] = (cells[longest] + 1) // 2
    return tuple(cells)


def _description(
    kind: ArgumentKind, shape: tuple[int, ...], arrays: Mapping[str, tuple[Any, Any]], build: Build
) -> Description:
    memories = {name: (live_arguments.array_memory(array, element), element) for name, (array, element) in arrays.items()}

    def read() -> dict[str, Values]:
        copies = {name: live_arguments.read_array(memory, element) for name, (memory, element) in memories.items()}
        return {
            name: values.reshape(-1) if name in ("indices", "groups") else values.reshape(-1, 3)
            for name, values in copies.items()
        }

    address = memories["points"][0].address if kind == "hash_grid" else 0
    return Description(kind, shape, build, sum(memory.nbytes for memory, _ in memories.values()), address, read)


_DESCRIPTIONS: dict[type, Callable[[Any, Mapping[Any, tuple[Any, float]]], Description]] = {
    wp.Mesh: _mesh,
    wp.Bvh: _bvh,
    wp.HashGrid: _hash_grid,
    wp.Volume: _volume,
}


_ADDRESS_MODES: Mapping[str, Any] = {"CLAMP": "clamp", "WRAP": "wrap", "MIRROR": "mirror", "BORDER": "border"}
_CHANNELS: Mapping[int, Literal[1, 2, 4]] = {1: 1, 2: 2, 4: 4}
_FILTERS: Mapping[str, Any] = {"LINEAR": "linear", "CLOSEST": "closest"}


def texture(value: Any) -> Description:
    """Return the description of a texture.

    Raises:
        ValueError: if the record of a launch cannot describe it.
    """
    if value is None or not isinstance(value, wp.Texture1D | wp.Texture2D | wp.Texture3D):
        raise ValueError(f"a texture given as {type(value).__name__}")
    if value.dtype is not wp.float32 or value.num_channels not in _CHANNELS or not value.device.is_cpu:
        raise ValueError("a texture of other texels than 1, 2 or 4 float32 on a CPU")
    memory = live_arguments.texture_memory(value)
    build = Build(
        channels=_CHANNELS[value.num_channels],
        filter=_FILTERS[memory.filter_mode],
        address=_ADDRESS_MODES[memory.address_mode],
        normalized=memory.normalized,
    )
    return Description("texture", memory.shape, build, memory.nbytes, 0, lambda: {"": memory.read()})
