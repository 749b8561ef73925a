"""Perlin noise, its periodic form and its curl: gradients at the corners of a lattice, interpolated.

The corners are hashed with integers; interpolation is computed in double precision and rounded once.
"""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from warpsmith.validation.oracle.builtins.randoms import Stream, centered, initial
from warpsmith.validation.oracle.values.interpretation_errors import Undefined, Unsupported
from warpsmith.validation.oracle.values.operators import Row
from warpsmith.validation.oracle.values.value_types import Components, Value, describe

_PRIMES = (73856093, 19349663, 53471161, 10000019)
_OFFSETS = (10019689, 13112221)
"""The offsets of the second and third potential of `_curl` from the one before."""

_OCTAVES, _LACUNARITY, _GAIN = np.uint32(1), np.float32(2), np.float32(0.5)
_FARTHEST = 2.0**30


def _gradient(state: int, corner: tuple[int, ...]) -> Any:
    """Return the direction of steepest ascent at a corner; in one dimension, a slope from [-1, 1)."""
    *first, last = (cell * prime for cell, prime in zip(corner, _PRIMES, strict=False))
    mixed = (last + state) & 0xFFFFFFFF  # in Warp's expression, + binds more tightly than ^
    for part in first:
        mixed ^= part & 0xFFFFFFFF
    stream = Stream(mixed)
    if not first:
        return [stream.uniform(np.float32(-1), np.float32(1))]
    vector = centered(stream, len(corner)).astype(np.float64)
    size = np.sqrt(vector @ vector)
    return vector / size if size > 0 else vector


class _Lattice:
    """The cell around a point: its corners, and the distance from the lowest one."""

    def __init__(self, point: Components, periods: tuple[int, ...] = ()) -> None:
        if not np.all(np.abs(point) < _FARTHEST):
            raise Undefined("noise at a point that is too far away")
        cells = np.floor(point)
        lowest = [int(cell) for cell in cells]
        pairs = [(cell, cell + 1) for cell in lowest]
        if periods:  # remainders with the sign of the dividend, as in C
            pairs = [
                (first := int(np.fmod(cell, period)), int(np.fmod(first + 1, period)))
                for cell, period in zip(lowest, periods, strict=True)
            ]
        self.corners = list(itertools.product(*pairs))
        self.inside = (point - cells).astype(np.float64)

    def field(self, state: int) -> tuple[Any, Components]:
        """Return the noise and its derivatives."""
        count = len(self.inside)
        slopes = np.array([_gradient(state, corner) for corner in self.corners], np.float64)
        steps = np.array(list(itertools.product((0.0, 1.0), repeat=count)))
        values, grads = np.sum((self.inside - steps) * slopes, axis=1), slopes
        # the first axis varies slowest in `corners`, and is interpolated last
        for axis in reversed(range(count)):
            t = self.inside[axis]
            weight, slope = t**3 * (t * (t * 6.0 - 15.0) + 10.0), 30.0 * t * t * (t * (t - 2.0) + 1.0)
            low, high = values[0::2], values[1::2]
            grads = grads[0::2] + (grads[1::2] - grads[0::2]) * weight
            grads[:, axis] += (high - low) * slope
            values = low + (high - low) * weight
        return values[0], grads[0]


def _point(name: str, state: Value, point: Value) -> Components:
    row = np.atleast_1d(point) if isinstance(point, (np.float32, np.ndarray)) else np.zeros(0)
    if type(state) is not np.uint32 or row.dtype != np.float32 or row.ndim != 1 or not 1 <= len(row) <= 4:
        raise Unsupported(f"{name} of {describe(state)} and {describe(point)}")
    return row


def _noise(state: Value, point: Value) -> Value:
    return np.float32(_Lattice(_point("noise", state, point)).field(int(state))[0])


def _periodic(state: Value, point: Value, *periods: Value) -> Value:
    row = _point("pnoise", state, point)
    if len(periods) != len(row) or any(type(period) is not np.int32 for period in periods):
        raise Unsupported(f"pnoise with {len(periods)} periods")
    if any(period == 0 for period in periods):
        raise Undefined("noise with a period of zero")
    return np.float32(_Lattice(row, tuple(int(period) for period in periods)).field(int(state))[0])


def _curl(state: Value, point: Value, octaves: Value = _OCTAVES, lacunarity: Value = _LACUNARITY, gain: Value = _GAIN) -> Value:
    row = _point("curlnoise", state, point)
    if len(row) < 2 or (type(octaves), type(lacunarity), type(gain)) != (np.uint32, np.float32, np.float32):
        raise Unsupported("curlnoise with such arguments")
    seed, frequency, amplitude = int(state), np.float32(1), np.float32(1)
    sums = np.zeros((1 if len(row) == 2 else 3, len(row)))
    for _ in range(int(octaves)):
        lattice = _Lattice(frequency * row)
        for number in range(len(sums)):
            seed = initial(seed, _OFFSETS[number - 1]) if number else seed
            sums[number] += amplitude * lattice.field(seed)[1]
        amplitude, frequency = amplitude * gain, frequency * lacunarity
    if len(row) == 2:
        return np.array([-sums[0, 1], sums[0, 0]], np.float32)
    a, b, c = sums
    return np.array([c[1] - b[2], a[2] - c[0], b[0] - a[1]], np.float32)


ROWS: dict[str, Row] = {"noise": _noise, "pnoise": _periodic, "curlnoise": _curl}
