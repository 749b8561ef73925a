"""The triangles of a mesh and the boxes of a BVH, from the arrays that these objects are built from."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from warpsmith.core.inputs.launch_objects import is_stored
from warpsmith.core.inputs.values import Values
from warpsmith.core.records.launch import Argument


def triangles(argument: Argument, values: Mapping[str, Values]) -> tuple[Values, Values]:
    """Return the points of a mesh, and three indices for each triangle in one row."""
    if is_stored(argument):
        return values[f"{argument.name}.points"], values[f"{argument.name}.indices"]
    return grid_of_triangles(values[argument.name])


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


def corners(argument: Argument, values: Mapping[str, Values]) -> tuple[Values, Values]:
    """Return the lower and the upper corners of the boxes of a BVH."""
    name = argument.name
    if is_stored(argument):
        return values[f"{name}.lowers"], values[f"{name}.uppers"]
    centres, half_sizes = values[name], values[f"{name}.half_sizes"]
    return centres - half_sizes, centres + half_sizes
