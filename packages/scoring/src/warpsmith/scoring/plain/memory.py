"""Arrays between pages that cannot be accessed: a thread that leaves an array stops."""

from __future__ import annotations

import ctypes
import mmap
from typing import Any

import numpy as np
import numpy.typing as npt

_NO_ACCESS, _READ_ONLY = 0, mmap.PROT_READ
_PATTERN = 0xFF
"""The bytes between an array and the end of its pages."""

Array = npt.NDArray[Any]


class GuardedMemory:
    """Shared memory that holds arrays, each between two pages without access.

    Args:
        at_end: whether arrays end where their pages end; otherwise they start where their pages start. Only the side that
            touches a page without access is exact to the byte.
    """

    def __init__(self, at_end: bool) -> None:
        self._at_end = at_end
        self._maps: list[mmap.mmap] = []

    def copy(self, values: Array, read_only: bool = False) -> Array:
        """Return a copy of ``values`` that the process, with its forks, can read, and write unless ``read_only``."""
        page = mmap.PAGESIZE
        inner = -(-max(values.nbytes, 1) // page) * page
        memory = mmap.mmap(-1, inner + 2 * page)
        self._maps.append(memory)
        start = page + (inner - values.nbytes if self._at_end else 0)
        memory[page : page + inner] = bytes((_PATTERN,)) * inner
        array: Array = np.ndarray(values.shape, values.dtype, memory, start)
        array[...] = values
        first = ctypes.addressof(ctypes.c_char.from_buffer(memory))
        _protect(first, page, _NO_ACCESS)
        _protect(first + page + inner, page, _NO_ACCESS)
        if read_only:
            _protect(first + page, inner, _READ_ONLY)
        return array


def _protect(address: int, size: int, access: int) -> None:
    """Set the access to whole pages.

    Raises:
        OSError: if the system refuses.
    """
    if _libc.mprotect(ctypes.c_void_p(address), ctypes.c_size_t(size), access) != 0:
        raise OSError(ctypes.get_errno(), "memory cannot be protected")


_libc = ctypes.CDLL(None, use_errno=True)
