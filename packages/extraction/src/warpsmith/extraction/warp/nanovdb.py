"""NanoVDB volumes: their voxels and bytes, and volumes of indices that are built from voxels."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import warp as wp

Values = npt.NDArray[Any]


def voxels_of(volume: Any) -> Values:
    """Return the coordinates of the active voxels of a volume, of shape (voxels, 3), in the order of their indices."""
    active = getattr(volume, "get_active_stats", None)  # a volume that can be rebuilt reports its capacity as its voxels
    count = active().voxel_count if active is not None else volume.get_voxel_count()
    return np.array(volume.get_voxels().numpy().reshape(-1, 3)[:count], np.int32)


def transform_of(volume: Any) -> Values:
    """Return the matrix, row by row, and the translation from the indices of voxels to the world."""
    info = volume.get_grid_info()
    return np.array([*(number for row in info.transform_matrix for number in row), *info.translation], np.float32)


def index_volume(voxels: Values, transform: Values, device: str) -> Any:
    """Return a volume of indices with the given voxels.

    Args:
        voxels: a result of `voxels_of`.
        transform: a result of `transform_of`.
        device: Warp's name of the device.
    """
    matrix, translation = wp.mat33(*map(float, transform[:9])), tuple(map(float, transform[9:]))
    points: Any = wp.array(np.ascontiguousarray(voxels), dtype=wp.vec3i, device=device)
    return wp.Volume.allocate_by_voxels(points, translation=translation, transform=matrix, device=device)


def is_rebuilt_alike(volume: Any) -> bool:
    """Return whether `index_volume` numbers the voxels of a volume as the volume itself does."""
    voxels, transform = voxels_of(volume), transform_of(volume)
    again = index_volume(voxels, transform, "cpu")
    same_type = again.get_grid_info().type_str == volume.get_grid_info().type_str
    return same_type and np.array_equal(voxels_of(again), voxels) and np.array_equal(transform_of(again), transform)
