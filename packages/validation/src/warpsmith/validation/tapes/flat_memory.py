"""Numbers at addresses of a program as slots of one array: views and slices share slots as they share memory."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from warpsmith.core.records.tape_recording import Memory

Slots = npt.NDArray[np.int64]


class FlatMemory:
    """The slots of some memory.

    Attributes:
        size: how many slots there are.

    Args:
        memories: all memory that has slots.

    Examples:
        >>> whole, part = Memory(64, (4,), (4,), "float32"), Memory(72, (2,), (4,), "float32")
        >>> FlatMemory([whole, part]).slots(part)
        array([2, 3])
    """

    def __init__(self, memories: Iterable[Memory]) -> None:
        used = [memory for memory in memories if memory.nbytes]
        self._grain = min((np.dtype(memory.dtype).itemsize for memory in used), default=1)
        extents = sorted({extent(memory) for memory in used})
        self._starts: list[int] = []
        self._bases: list[int] = []
        self.size = end = 0
        for first, last in extents:
            if not self._starts or first >= end:
                self._starts.append(first)
                self._bases.append(self.size)
                end = first
            if last > end:
                self.size += -(-(last - end) // self._grain)
                end = last
        self._known: dict[Memory, Slots] = {}

    def slots(self, memory: Memory) -> Slots:
        """Return the slot of each number."""
        if memory not in self._known:
            offsets = np.zeros((), np.int64)
            for length, stride in zip(memory.shape, memory.strides, strict=True):
                offsets = offsets[..., None] + np.arange(length, dtype=np.int64) * stride
            addresses: Any = memory.address + offsets
            region = np.searchsorted(self._starts, addresses, side="right") - 1
            starts, bases = np.asarray(self._starts, np.int64), np.asarray(self._bases, np.int64)
            self._known[memory] = np.asarray(bases[region] + (addresses - starts[region]) // self._grain, np.int64)
        return self._known[memory]


def extent(memory: Memory) -> tuple[int, int]:
    """Return the first address of a memory, and the one after its last."""
    ends = [(length - 1) * stride for length, stride in zip(memory.shape, memory.strides, strict=True)]
    first = memory.address + sum(min(end, 0) for end in ends)
    last = memory.address + sum(max(end, 0) for end in ends)
    return first, last + np.dtype(memory.dtype).itemsize
