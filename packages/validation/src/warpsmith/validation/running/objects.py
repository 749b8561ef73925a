"""Meshes, BVHs, grids, volumes and textures, built by Warp's own classes on the device of a run.

A kernel receives an address, on a CPU an address in this process: the caller keeps the objects until the launch has ended, and
a fork that runs the kernel has the same memory. `core.inputs` limits the sizes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import warp as wp

from warpsmith.core.inputs.objects import build_of, is_stored
from warpsmith.core.inputs.values import Values
from warpsmith.core.records.launch import Argument
from warpsmith.extraction.warp import runtime, volumes

_BACKGROUNDS: dict[str, Any] = {"float32": 0.0, "int32": 0, "vec3f": (0.0, 0.0, 0.0)}


def build(argument: Argument, values: Mapping[str, Values], device: str) -> Any:
    """Build the object of an argument.

    Args:
        argument: the argument, as `warpsmith.core.inputs.values.objects` returns it.
        values: the arrays that the object is built from, by name.
        device: Warp's name of the device.
    """
    runtime.start_runtime()
    match argument.kind:
        case "mesh":
            return _mesh(argument, values, device)
        case "bvh":
            lowers, uppers = _corners(argument, values)
            corners = _vectors(lowers, device), _vectors(uppers, device)
            return wp.Bvh(*corners, constructor="sah", **_groups(argument, values, device))
        case "hash_grid":
            return _hash_grid(argument, values, device)
        case "volume":
            return _volume(argument, values, device)
    return _texture(argument, values[argument.name], device)


def _vectors(values: Values, device: str) -> Any:
    return wp.array(values.reshape(-1, 3), dtype=wp.vec3, device=device)


def grid_of_triangles(heights: Values) -> tuple[Values, Values]:
    """Return the vertices and the indices of a height field over [-1, 1] x [-1, 1].

    Args:
        heights: an array of shape (rows, columns); rows extend along y, columns along x.
    """
    rows, columns = heights.shape
    x, y = np.meshgrid(np.linspace(-1.0, 1.0, columns), np.linspace(-1.0, 1.0, rows))
    points = np.stack([x, y, heights], axis=-1).reshape(-1, 3).astype(np.float32)
    corner = np.arange(rows * columns, dtype=np.int32).reshape(rows, columns)
    a, b, c, d = corner[:-1, :-1], corner[:-1, 1:], corner[1:, :-1], corner[1:, 1:]
    return points, np.stack([a, b, c, b, d, c], axis=-1).reshape(-1)


def _mesh(argument: Argument, values: Mapping[str, Values], device: str) -> Any:
    name = argument.name
    velocities = values.get(f"{name}.velocities")
    if is_stored(argument):
        points, indices = values[f"{name}.points"], values[f"{name}.indices"]
    else:
        points, indices = grid_of_triangles(values[name])
    return wp.Mesh(
        _vectors(points, device),
        wp.array(indices, dtype=wp.int32, device=device),
        velocities=None if velocities is None else _vectors(velocities, device),
        support_winding_number=True,
        bvh_constructor="sah",
        **_groups(argument, values, device),
    )


def _groups(argument: Argument, values: Mapping[str, Values], device: str) -> dict[str, Any]:
    """Return the option for the groups of triangles or boxes, which older releases of Warp do not have."""
    groups = values.get(f"{argument.name}.groups")
    return {} if groups is None else {"groups": wp.array(groups, dtype=wp.int32, device=device)}


def _corners(argument: Argument, values: Mapping[str, Values]) -> tuple[Values, Values]:
    """Return the lower and the upper corners of the boxes of a BVH."""
    name = argument.name
    if is_stored(argument):
        return values[f"{name}.lowers"], values[f"{name}.uppers"]
    centres, half_sizes = values[name], values[f"{name}.half_sizes"]
    return centres - half_sizes, centres + half_sizes


def _hash_grid(argument: Argument, values: Mapping[str, Values], device: str) -> Any:
    options = build_of(argument)
    x, y, z = argument.shape
    grid = wp.HashGrid(x, y, z, device=device)
    points = values[options.points or f"{argument.name}.points"]
    grid.build(_vectors(points.astype(np.float32), device), options.width)
    return grid


def _volume(argument: Argument, values: Mapping[str, Values], device: str) -> Any:
    name, options = argument.name, build_of(argument)
    if options.voxels == "index":
        return volumes.index_volume(values[f"{name}.voxels"], values[f"{name}.transform"], device)
    if options.voxels == "nanovdb":
        return wp.Volume(wp.array(values[name], dtype=wp.uint8, device=device))
    background = _BACKGROUNDS[options.voxels]
    return wp.Volume.load_from_numpy(values[name], (0.0, 0.0, 0.0), options.width, background, device=device)


def _texture(argument: Argument, texels: Values, device: str) -> Any:
    options = build_of(argument)
    return getattr(wp, argument.dtype)(
        texels,
        filter_mode=getattr(wp.TextureFilterMode, options.filter.upper()),
        address_mode=getattr(wp.TextureAddressMode, options.address.upper()),
        normalized_coords=options.normalized,
        device=device,
    )
