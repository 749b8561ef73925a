"""Memory that a process apart shares with the one that started it: results come back without a word being said."""

from __future__ import annotations

import ctypes
import math
import mmap
from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

CHUNK = 4 << 20
ALIGNMENT = 64


def address(array: npt.NDArray[Any]) -> int:
    """Where an array begins. Not from ``__array_interface__``, which spells out the type of a structure first: 30 µs."""
    first: int = array.ctypes.data
    return first


class Arena:
    """Hands out arrays in shared memory; `clear` takes all of them back at once."""

    def __init__(self) -> None:
        self._chunks: list[mmap.mmap] = [mmap.mmap(-1, CHUNK)]
        self._current = 0
        self._used = 0

    def clear(self) -> None:
        """Hand out the same memory from the start again."""
        self._current = self._used = 0

    def empty(self, shape: Iterable[int], dtype: npt.DTypeLike) -> npt.NDArray[Any]:
        """Return an array of whatever was there before."""
        shape, dtype = tuple(shape), np.dtype(dtype)
        size = max(math.prod(shape) * dtype.itemsize, 1)
        while self._used + size > len(self._chunks[self._current]):
            self._current, self._used = self._current + 1, 0
            if self._current == len(self._chunks):
                self._chunks.append(mmap.mmap(-1, max(CHUNK, size)))
        array: npt.NDArray[Any] = np.ndarray(shape, dtype, self._chunks[self._current], self._used)
        self._used += -(-size // ALIGNMENT) * ALIGNMENT
        return array

    def copy(self, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return an array that holds ``values``."""
        array = self.empty(values.shape, values.dtype)
        array[...] = values
        return array

    def zeros(self, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return an array of zeros as large as ``values``."""
        array = self.empty(values.shape, values.dtype)
        array[...] = 0
        return array

    def cleared(self, shape: tuple[int, ...], dtype: np.dtype[Any]) -> npt.NDArray[Any]:
        """Return an array of structures in which every byte is zero, those between the members, too."""
        array = self.empty(shape, dtype)
        ctypes.memset(address(array), 0, array.nbytes)
        return array
