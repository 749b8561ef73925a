"""Arrays between pages that cannot be accessed: a thread that leaves an array stops."""

from __future__ import annotations

import ctypes
import mmap
from typing import Any

import numpy as np
import numpy.typing as npt

_NO_ACCESS, _READ_ONLY, _ANY_ACCESS = 0, mmap.PROT_READ, mmap.PROT_READ | mmap.PROT_WRITE
_PATTERN = 0xFF
"""The bytes between an array and the end of its pages."""

_CHUNK = 64 * mmap.PAGESIZE
"""The least bytes that are mapped at once."""

Array = npt.NDArray[Any]


class GuardedMemory:
    """Shared memory that holds arrays, each between two pages without access.

    Args:
        at_end: whether arrays end where their pages end; otherwise they start where their pages start. Only the side that
            touches a page without access is exact to the byte.
    """

    def __init__(self, at_end: bool) -> None:
        self._at_end = at_end
        self._memory = mmap.mmap(-1, mmap.PAGESIZE)
        self._used = mmap.PAGESIZE

    def copy(self, values: Array, read_only: bool = False) -> Array:
        """Return a copy of ``values`` that the process, with its forks, can read, and write unless ``read_only``."""
        size = -(-max(values.nbytes, 1) // mmap.PAGESIZE) * mmap.PAGESIZE
        pages = self._pages(size)
        first = _address(self._memory) + pages
        _protect(first, size, _ANY_ACCESS)
        ctypes.memset(first, _PATTERN, size)
        array: Array = np.ndarray(
            values.shape, values.dtype, self._memory, pages + (size - values.nbytes if self._at_end else 0)
        )
        array[...] = values
        if read_only:
            _protect(first, size, _READ_ONLY)
        return array

    def _pages(self, size: int) -> int:
        """Return the offset of pages in the memory, between two pages without access."""
        if self._used + size + mmap.PAGESIZE > len(self._memory):
            self._memory = mmap.mmap(-1, max(size + 2 * mmap.PAGESIZE, _CHUNK))
            _protect(_address(self._memory), len(self._memory), _NO_ACCESS)
            self._used = mmap.PAGESIZE
        start, self._used = self._used, self._used + size + mmap.PAGESIZE
        return start


def _address(memory: mmap.mmap) -> int:
    return ctypes.addressof(ctypes.c_char.from_buffer(memory))


def _protect(address: int, size: int, access: int) -> None:
    """Set the access to whole pages.

    Raises:
        OSError: if the system refuses.
    """
    if _libc.mprotect(ctypes.c_void_p(address), ctypes.c_size_t(size), access) != 0:
        raise OSError(ctypes.get_errno(), "memory cannot be protected")


_libc = ctypes.CDLL(None, use_errno=True)
