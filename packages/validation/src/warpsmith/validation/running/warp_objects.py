"""Meshes, BVHs, grids, volumes and textures, built by Warp's own classes on the device of a run.

A kernel receives an address, on a CPU an address in this process: the caller keeps the objects until the launch has ended, and
a fork that runs the kernel has the same memory. `core.inputs` limits the sizes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import warp as wp

from warpsmith.core.inputs.launch_objects import build_of
from warpsmith.core.inputs.shapes import corners, triangles
from warpsmith.core.inputs.values import Values
from warpsmith.core.records.launch import Argument
from warpsmith.extraction.warp import nanovdb, runtime

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
            lowers, uppers = corners(argument, values)
            boxes = _vectors(lowers, device), _vectors(uppers, device)
            return wp.Bvh(*boxes, constructor="sah", **_groups(argument, values, device))
        case "hash_grid":
            return _hash_grid(argument, values, device)
        case "volume":
            return _volume(argument, values, device)
    return _texture(argument, values[argument.name], device)


def _vectors(values: Values, device: str) -> Any:
    return wp.array(values.reshape(-1, 3), dtype=wp.vec3, device=device)


def _mesh(argument: Argument, values: Mapping[str, Values], device: str) -> Any:
    name = argument.name
    velocities = values.get(f"{name}.velocities")
    points, indices = triangles(argument, values)
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
        return nanovdb.index_volume(values[f"{name}.voxels"], values[f"{name}.transform"], device)
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
