"""Volumes: dense blocks of voxels, which kernels sample at points by interpolation or at the nearest voxel."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

import numpy as np

from warpsmith.validation.oracle.builtins.linear_algebra import is_vector
from warpsmith.validation.oracle.builtins.named_parameters import Named
from warpsmith.validation.oracle.values.interpretation_errors import Undefined, Unsupported
from warpsmith.validation.oracle.values.kernel_arrays import Array
from warpsmith.validation.oracle.values.value_types import Components, Type, Value, describe

_CORNERS = np.array(list(itertools.product((0, 1), repeat=3)))
_SIGNS = 2.0 * _CORNERS - 1.0
_FARTHEST = 2.0**30
_LEAF = 8
"""The edge of the blocks in which a volume stores its voxels."""

_STRIDES = np.array([_LEAF * _LEAF, _LEAF, 1])
_FLOAT, _INT, _VECTOR = Type(np.float32), Type(np.int32), Type(np.float32, (3,))
_CLOSEST = np.int32(0)


@dataclass(frozen=True, slots=True)
class Volume:
    """A volume at the origin: ``voxels`` has three dimensions, before those of a voxel; elsewhere every voxel is zero."""

    voxels: Components
    width: float
    element: Type

    def at(self, places: Components) -> Components:
        """Return the voxels at rows of three integers."""
        inside = np.all((places >= 0) & (places < self.voxels.shape[:3]), axis=1)
        found: Components = self.voxels[tuple(np.where(inside[:, None], places, 0).T)]
        found[~inside] = 0
        return found


@dataclass(frozen=True, slots=True)
class Beside:
    """An array with an element for each voxel of a volume, and the value elsewhere."""

    data: Components
    background: Any

    def at(self, places: Components) -> Components:
        """Return the elements at rows of three integers."""
        inside = np.all((places >= 0) & (places < _LEAF), axis=1)
        return np.where(inside, self.data[np.where(inside, places @ _STRIDES, 0)], self.background)


def volume_of(voxels: Components, width: float, element: Type) -> Volume:
    """Return a volume whose memory ends at a whole block; the values are copied."""
    lengths = [-(-length // _LEAF) * _LEAF for length in voxels.shape[:3]]
    padded = np.zeros((*lengths, *element.shape), element.scalar)
    padded[tuple(slice(length) for length in voxels.shape[:3])] = voxels
    return Volume(padded, width, element)


def _checked(volume: Value, element: Type | None = None) -> Volume:
    if not isinstance(volume, Volume) or element not in (None, volume.element):
        raise Unsupported(f"a volume that is {describe(volume)}, or has other voxels than {element}")
    return volume


# ---------------------------------------------------------------------------------------------------------------- samples


def near_point(point: Value, length: int = 3) -> Components:
    """Return a point whose coordinates are not too large for integers.

    Raises:
        Undefined: for other points.
        Unsupported: for other values.
    """
    if not is_vector(point, length) or point.dtype != np.float32:
        raise Unsupported(f"a point that is {describe(point)}")
    if not np.all(np.abs(point) < _FARTHEST):
        raise Undefined("a sample at a point that is too far away")
    return np.asarray(point)


def _interpolated(source: Volume | Beside, uvw: Value, mode: Value) -> tuple[Value, Components]:
    """Return the value at a point, and its derivatives by the coordinates of the point in the last dimension."""
    point = near_point(uvw)
    if type(mode) is not np.int32 or mode not in (0, 1):
        raise Unsupported(f"the sampling mode {mode}")
    if mode == _CLOSEST:
        place = np.copysign(np.floor(np.abs(point) + np.float32(0.5)), point).astype(np.int64)
        value = source.at(place[None])[0]
        return value, np.zeros((*np.shape(value), 3), np.float32)
    if isinstance(source, Volume) and source.element.scalar is not np.float32:
        raise Unsupported("interpolation of integers")
    base = np.floor(point)
    inside = (point - base).astype(np.float64)
    values = source.at(base.astype(np.int64) + _CORNERS).astype(np.float64)
    x, y, z = np.where(_CORNERS, inside, 1.0 - inside).T
    slopes = _SIGNS * np.stack([y * z, x * z, x * y], axis=1)
    return np.float32(values.T @ (x * y * z)), (values.T @ slopes).astype(np.float32)


def _sampled(source: Volume | Beside, uvw: Value, mode: Value) -> Value:
    return _interpolated(source, uvw, mode)[0]


def _beside(volume: Value, data: Value, background: Value) -> Beside:
    _numbered(_checked(volume))
    if not isinstance(data, Array) or data.shape != (_LEAF**3,) or data.element != _FLOAT or data.indices:
        raise Unsupported(f"voxels that are in {describe(data)}")
    return Beside(data.data, background)


# ----------------------------------------------------------------------------------------------------------------- voxels


def _place(indices: tuple[Value, ...]) -> Components:
    if any(type(index) is not np.int32 for index in indices):
        raise Unsupported("a voxel at indices that are not int32")
    return np.array(indices, np.int64)


def _looked_up(volume: Volume, *indices: Value) -> Value:
    return volume.element.load(volume.at(_place(indices)[None])[0])


def _store(volume: Volume, *rest: Value) -> None:
    """Store a voxel; outside of the blocks, nothing happens."""
    place, stored = _place(rest[:3]), volume.element.dump(rest[3])
    if np.all((place >= 0) & (place < volume.voxels.shape[:3])):
        volume.voxels[tuple(place)] = stored


def _numbered(volume: Volume) -> None:
    if volume.voxels.shape[:3] != (_LEAF,) * 3:
        raise Unsupported("numbers of the voxels of several blocks, whose order is not documented")


def _number(volume: Volume, *indices: Value) -> Value:
    _numbered(volume)
    place = _place(indices)
    return np.int32(place @ _STRIDES if np.all((place >= 0) & (place < _LEAF)) else -1)


def _scaled(point: Value, factor: float) -> Value:
    return near_point(point) * np.float32(factor)


NAMED: dict[str, Named] = {
    "volume_sample": Named("id uvw sampling_mode dtype", lambda v, p, mode, t: _sampled(_checked(v, t), p, mode)),
    "volume_sample_f": Named("id uvw sampling_mode", lambda v, p, mode: _sampled(_checked(v, _FLOAT), p, mode)),
    "volume_sample_v": Named("id uvw sampling_mode", lambda v, p, mode: _sampled(_checked(v, _VECTOR), p, mode)),
    "volume_sample_i": Named("id uvw", lambda v, p: _sampled(_checked(v, _INT), p, _CLOSEST)),
    "volume_sample_index": Named(
        "id uvw sampling_mode voxel_data background", lambda v, p, mode, data, rest: _sampled(_beside(v, data, rest), p, mode)
    ),
    "volume_sample_grad": Named(
        "id uvw sampling_mode grad dtype", lambda v, p, mode, _, t: _interpolated(_checked(v, t), p, mode), ("grad",)
    ),
    "volume_sample_grad_f": Named(
        "id uvw sampling_mode grad", lambda v, p, mode, _: _interpolated(_checked(v, _FLOAT), p, mode), ("grad",)
    ),
    "volume_sample_grad_index": Named(
        "id uvw sampling_mode voxel_data background grad",
        lambda v, p, mode, data, rest, _: _interpolated(_beside(v, data, rest), p, mode),
        ("grad",),
    ),
    "volume_lookup": Named("id i j k dtype", lambda v, i, j, k, t: _looked_up(_checked(v, t), i, j, k)),
    "volume_store": Named("id i j k value", lambda v, *rest: _store(_checked(v), *rest), ordered=True),
    "volume_lookup_index": Named("id i j k", lambda v, *place: _number(_checked(v), *place)),
    "volume_voxel_count": Named("id", lambda v: np.int32(np.prod(_checked(v).voxels.shape[:3]))),
    "volume_world_to_index": Named("id xyz", lambda v, p: _scaled(p, 1.0 / _checked(v).width)),
    "volume_world_to_index_dir": Named("id xyz", lambda v, p: _scaled(p, 1.0 / _checked(v).width)),
    "volume_index_to_world": Named("id uvw", lambda v, p: _scaled(p, _checked(v).width)),
    "volume_index_to_world_dir": Named("id uvw", lambda v, p: _scaled(p, _checked(v).width)),
}


def _typed(suffix: str, element: Type) -> dict[str, Named]:
    return {
        f"volume_lookup_{suffix}": Named("id i j k", lambda v, *place: _looked_up(_checked(v, element), *place)),
        f"volume_store_{suffix}": Named("id i j k value", lambda v, *rest: _store(_checked(v, element), *rest), ordered=True),
    }


NAMED |= _typed("f", _FLOAT) | _typed("v", _VECTOR) | _typed("i", _INT)
