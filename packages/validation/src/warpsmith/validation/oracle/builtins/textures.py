"""Textures: texels that kernels sample at coordinates, by interpolation or at the nearest texel."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np

from warpsmith.core.records.launch import Build
from warpsmith.validation.oracle.builtins.named_parameters import Named
from warpsmith.validation.oracle.values.interpretation_errors import Undefined, Unsupported
from warpsmith.validation.oracle.values.value_types import Components, Type, Value, describe

_FARTHEST = np.float32(2.0**30)


@dataclass(frozen=True, slots=True)
class Texture:
    """A texture of one channel or several; the first coordinate runs along the last dimension of ``texels``."""

    texels: Components
    dimensions: int
    build: Build

    @property
    def attributes(self) -> dict[str, int]:
        """The members that a kernel can read."""
        names = ("width", "height", "depth")[: self.dimensions]
        return dict(zip(names, reversed(self.texels.shape[: self.dimensions]), strict=True))

    def sample(self, coordinates: Components) -> Value:
        """Return the value at coordinates, from the first to the last."""
        lengths = self.texels.shape[: self.dimensions][::-1]
        linear = self.build.filter == "linear"
        axes = [self._neighbours(coordinate, length, linear) for coordinate, length in zip(coordinates, lengths, strict=True)]
        total: Value = np.zeros(self.texels.shape[self.dimensions :])
        for corner in itertools.product(*axes):
            share = np.prod([part for _, part in corner])
            place = [self._texel(index, length) for (index, _), length in zip(corner, lengths, strict=True)]
            if share and -1 not in place:
                total = total + share * self.texels[tuple(reversed(place))].astype(np.float64)
        return np.float32(total)

    def _neighbours(self, coordinate: Value, length: int, linear: bool) -> list[tuple[int, float]]:
        """Return the nearest texels along an axis, which may lie beyond it, and their shares."""
        size = float(length) if self.build.normalized else 1.0
        place = float(coordinate) * size
        if not linear:
            return [(int(np.floor(place)), 1.0)]
        place -= 0.5
        if self.build.address == "clamp":
            place = min(max(place, 0.0), length - 1.0)
        base = np.floor(place)
        return [(int(base), 1.0 - (place - base)), (int(base) + 1, place - base)]

    def _texel(self, index: int, length: int) -> int:
        """Return the texel that stands for an index, or -1 beyond the border."""
        match self.build.address:
            case "wrap":
                return index % length
            case "mirror":
                index %= 2 * length
                return index if index < length else 2 * length - 1 - index
            case "clamp":
                return min(max(index, 0), length - 1)
        return index if 0 <= index < length else -1


def _sample(texture: Value, *rest: Value) -> Value:
    *coordinates, dtype = rest
    if not isinstance(texture, Texture) or not isinstance(dtype, Type) or dtype.scalar is not np.float32:
        raise Unsupported(f"a sample of {describe(texture)}")
    point = np.concatenate([np.ravel(coordinate) for coordinate in coordinates]) if coordinates else np.zeros(0)
    if (
        point.dtype != np.float32
        or len(point) != texture.dimensions
        or dtype.shape != texture.texels.shape[texture.dimensions :]
    ):
        raise Unsupported(f"a sample at {', '.join(map(describe, coordinates))}")
    if not np.all(np.abs(point) < _FARTHEST):
        raise Undefined("a sample at a point that is too far away")
    return texture.sample(point)


NAMED: dict[str, Named] = {"texture_sample": Named("tex *coordinates dtype", _sample)}
