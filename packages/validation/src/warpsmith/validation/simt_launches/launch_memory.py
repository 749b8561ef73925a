"""The memory that a launch may access on the SIMT machine: its arrays, byte by byte, and objects of Warp."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from warpsmith.simt.launches.device_memory import Region
from warpsmith.validation.confinement.process_limits import memory_maps
from warpsmith.validation.running.shared_arguments import Arguments
from warpsmith.validation.running.shared_memory import Arena, address

GAP = 256
"""Bytes behind each array that no launch may access, so that an index beyond the end of an array is not in the next array."""

_MAPPING = re.compile(r"^([0-9a-f]+)-([0-9a-f]+) rw.p \S+ \S+ \S+ *(\S*)$", re.MULTILINE)
"""A private mapping that the process may write to: start, end and name."""


class SeparateArrays(Arena):
    """An allocator in the memory of another arena that leaves gaps between arrays and lists them.

    Attributes:
        arrays: the arrays, in order.
    """

    def __init__(self, arena: Arena) -> None:
        self.arrays: list[npt.NDArray[Any]] = []
        self._arena = arena

    def empty(self, shape: Iterable[int], dtype: npt.DTypeLike) -> npt.NDArray[Any]:
        """Return an array with undefined contents."""
        array = self._arena.empty(shape, dtype)
        self._arena.empty((GAP,), np.uint8)
        self.arrays.append(array)
        return array


class LaunchMemory:
    """The regions of a launch, and the names of their contents.

    Args:
        arguments: the arguments.
        arrays: all arrays of the launch, without the structures of the arguments themselves.
        has_objects: whether the launch has meshes, BVHs, grids or volumes. Warp allocates them in private memory of the
            process, which is then accessible as a whole.

    Attributes:
        regions: the memory that the kernel may access.
        names: the name of each array by the number of its region.
        elements: for each array an empty one with elements of the same size, for descriptions of findings.
    """

    def __init__(self, arguments: Arguments, arrays: Sequence[npt.NDArray[Any]], has_objects: bool) -> None:
        filled = [array for array in arrays if array.nbytes]
        places = {address(array): f"the gradient of {name}" for name, array in arguments.adjoints.items()}
        places |= {address(array): name for name, array in arguments.arrays.items()}
        self.regions = [Region(address(array), array.reshape(-1).view(np.uint8), number) for number, array in enumerate(filled)]
        self.names = [_name(array, places) for array in filled]
        self.elements = [np.empty(0, f"V{array.dtype.itemsize}") for array in filled]
        if has_objects:
            self.regions += _private_memory()


def _name(array: npt.NDArray[Any], places: dict[int, str]) -> str:
    """Return the name of the leaf that an array contains; indices of indexed arrays have none."""
    first = address(array)
    inside = (name for place, name in sorted(places.items()) if first <= place < first + array.nbytes)
    return next(inside, "the indices of an array")


def _private_memory() -> Iterator[Region]:
    for start, end, name in _MAPPING.findall(memory_maps()):
        if name in ("", "[heap]"):
            first, size = int(start, 16), int(end, 16) - int(start, 16)
            yield Region(first, np.ctypeslib.as_array((ctypes.c_uint8 * size).from_address(first)))
