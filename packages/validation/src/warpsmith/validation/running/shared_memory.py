"""Memory that a fork shares with its parent, so that results need no messages, and portions of work that fit in memory."""

from __future__ import annotations

import ctypes
import math
import mmap
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

CHUNK = 4 << 20

KEPT = 64 << 20
"""The most bytes that an arena keeps for later arrays when it is cleared."""

ALIGNMENT = 64

PORTION = 1 << 30
"""The bytes of arguments that launches of different pairs may take together; one pair may take more."""

T = TypeVar("T")


def portions(items: Iterable[T], nbytes: Callable[[T], int], limit: int = PORTION) -> Iterator[list[T]]:
    """Yield the items in lists whose sizes add up to at most ``limit`` bytes, or that contain a single item.

    Examples:
        >>> list(portions([3, 4, 9, 1], lambda item: item, limit=8))
        [[3, 4], [9], [1]]
    """
    portion: list[T] = []
    total = 0
    for item in items:
        size = nbytes(item)
        if portion and total + size > limit:
            yield portion
            portion, total = [], 0
        portion.append(item)
        total += size
    if portion:
        yield portion


def address(array: npt.NDArray[Any]) -> int:
    """Return the address of an array. ``__array_interface__`` takes 30 µs longer: it describes the structure's type."""
    first: int = array.ctypes.data
    return first


class Image:
    """A copy of an arena's contents, in memory that processes do not have which are forked later.

    Args:
        chunks: the chunks of the arena, with the number of bytes to copy of each.
    """

    def __init__(self, chunks: Sequence[tuple[mmap.mmap, int]]) -> None:
        self._copies = [mmap.mmap(-1, size) for _, size in chunks]
        for copy, (chunk, size) in zip(self._copies, chunks, strict=True):
            copy.madvise(mmap.MADV_DONTFORK)
            _copy(chunk, copy, size)

    def put_back(self, chunks: Sequence[mmap.mmap]) -> None:
        """Copy the contents into the chunks that they come from, and clear the rest of the chunks."""
        for copy, chunk in zip(self._copies, chunks, strict=True):
            _copy(copy, chunk, len(copy))
            if len(copy) < len(chunk):
                chunk.madvise(mmap.MADV_REMOVE, len(copy))


def _copy(source: mmap.mmap, target: mmap.mmap, size: int) -> None:
    """Copy bytes without a copy in this process's own memory, which later forks would have."""
    with memoryview(source) as read, memoryview(target) as written:
        written[:size] = read[:size]


class Arena:
    """An allocator of arrays in shared memory; `clear` frees all of them at once."""

    def __init__(self) -> None:
        self._chunks: list[mmap.mmap] = [mmap.mmap(-1, CHUNK)]
        self._current = 0
        self._used = 0

    def clear(self) -> None:
        """Free all arrays: later ones reuse their memory. Memory beyond `KEPT` is returned once no array refers to it."""
        self._current = self._used = 0
        total = 0
        for number, chunk in enumerate(self._chunks):
            total += len(chunk)
            if number and total > KEPT:
                del self._chunks[number:]
                return

    def hide(self) -> None:
        """Leave the memory out of processes that are forked from now on; this process still reads it."""
        for chunk in self._chunks:
            chunk.madvise(mmap.MADV_DONTFORK)

    def image(self) -> Image:
        """Return a copy of the contents; no later fork has it."""
        page = mmap.PAGESIZE
        last = min(-(-max(self._used, 1) // page) * page, len(self._chunks[self._current]))
        return Image([(chunk, len(chunk)) for chunk in self._chunks[: self._current]] + [(self._chunks[self._current], last)])

    def put_back(self, image: Image) -> None:
        """Replace the contents by those of an image of this arena, which has not grown since; clear the other memory in use."""
        image.put_back(self._chunks[: self._current + 1])

    def empty(self, shape: Iterable[int], dtype: npt.DTypeLike) -> npt.NDArray[Any]:
        """Return an array with undefined contents."""
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
        """Return a copy of ``values``."""
        array = self.empty(values.shape, values.dtype)
        array[...] = values
        return array

    def zeros(self, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return an array of zeros as large as ``values``."""
        array = self.empty(values.shape, values.dtype)
        array[...] = 0
        return array

    def cleared(self, shape: tuple[int, ...], dtype: np.dtype[Any]) -> npt.NDArray[Any]:
        """Return an array of structures in which every byte is zero, including the bytes between members."""
        array = self.empty(shape, dtype)
        ctypes.memset(address(array), 0, array.nbytes)
        return array
