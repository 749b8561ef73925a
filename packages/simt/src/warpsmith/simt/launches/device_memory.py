"""Memory of a launch: arrays at the addresses that a kernel uses, aligned as ``cudaMalloc`` aligns them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

ALIGNMENT = 256
"""Bytes; see the CUDA programming guide, "Device Memory Accesses"."""

FIRST_ADDRESS = 0x7F00_0000_0000
"""Where arrays start. Addresses are the same in every launch, so that results do not depend on where the process has memory."""

MODULE_ADDRESS = 0x7E00_0000_0000
"""Where the variables of a module start."""

HEAP_ADDRESS = 0x7FF0_0000_0000
"""Where the memory of ``malloc`` starts; behind everything else."""

GAP = 4096
"""Bytes between two arrays, none of which may be accessed."""


@dataclass(frozen=True, slots=True)
class Region:
    """A part of memory.

    Attributes:
        address: where a kernel finds it.
        memory: the bytes.
        argument: the index of the argument that it is the array of, or -1.
        writable: whether a kernel may store there.
    """

    address: int
    memory: npt.NDArray[np.uint8]
    argument: int = -1
    writable: bool = True


class DeviceMemory:
    """The arrays of a launch.

    Attributes:
        regions: in the order of their addresses.
    """

    def __init__(self) -> None:
        self.regions: list[Region] = []
        self._next = FIRST_ADDRESS

    def add(self, array: npt.NDArray[Any], argument: int = -1) -> Region:
        """Copy an array to a new address."""
        content = np.frombuffer(np.ascontiguousarray(array).tobytes(), np.uint8).copy()
        region = Region(self._next, content, argument)
        self._next += -(-(content.size + GAP) // ALIGNMENT) * ALIGNMENT
        self.regions.append(region)
        return region
