"""Objects among the arguments of a launch, from the arrays that they are built from."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from warpsmith.core.inputs.launch_objects import build_of
from warpsmith.core.inputs.shapes import corners, triangles
from warpsmith.core.inputs.values import Values
from warpsmith.core.records.launch import Argument
from warpsmith.validation.oracle.builtins.boxes import Boxes
from warpsmith.validation.oracle.builtins.hash_grids import Grid
from warpsmith.validation.oracle.builtins.meshes import Mesh
from warpsmith.validation.oracle.builtins.textures import Texture
from warpsmith.validation.oracle.builtins.volumes import volume_of
from warpsmith.validation.oracle.values.interpretation_errors import Unsupported
from warpsmith.validation.oracle.values.value_types import Value, named


def object_value(argument: Argument, values: Mapping[str, Values]) -> Value:
    """Return the kernel's value of an object.

    Raises:
        Unsupported: if there are no values for it, or the interpreter does not support the kind.
    """
    if argument.kind in ("mesh", "bvh", "hash_grid"):
        return _searched(argument, values)
    build = build_of(argument)
    content = values.get(argument.name)
    if argument.kind == "volume" and content is not None and (element := named(build.voxels)) is not None:
        return volume_of(content, build.width, element)
    if argument.kind == "texture" and content is not None:
        return Texture(np.array(content), len(argument.shape), build)
    raise Unsupported(f"arguments of kind {argument.kind}")


def _searched(argument: Argument, values: Mapping[str, Values]) -> Value:
    """Return an object that kernels search."""
    build, name = build_of(argument), argument.name
    try:
        if argument.kind == "mesh":
            points, indices = triangles(argument, values)
            velocities = values.get(f"{name}.velocities")
            return Mesh(points, indices, None if velocities is None else velocities.reshape(-1, 3))
        if argument.kind == "bvh":
            return Boxes(*corners(argument, values))
        return Grid(values[build.points or f"{name}.points"], argument.shape, build.width)
    except KeyError as missing:
        raise Unsupported(f"no values for {missing}") from None
