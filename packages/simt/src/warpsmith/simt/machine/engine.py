"""The machine: compiled by Warp's clang at first use, and loaded into this process."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache

from warpsmith.simt.machine.layout import SIZES, RawLaunch
from warpsmith.simt.machine.native_code import NativeCodeError, load
from warpsmith.simt.machine.source_files import machine_text


@cache
def start_machine() -> Callable[[RawLaunch], None]:
    """Return the function that runs a launch; the first call on a machine takes some seconds to compile.

    Raises:
        NativeCodeError: if Warp's clang does not compile the machine.
    """
    code = load(machine_text(), (), "simt_machine")
    sizes = (ctypes.c_uint32 * len(SIZES))()
    ctypes.CFUNCTYPE(None, ctypes.c_void_p)(code.address("simt_sizes"))(ctypes.addressof(sizes))
    if tuple(sizes) != SIZES:
        raise NativeCodeError(f"the structures of the machine have {tuple(sizes)} bytes instead of {SIZES}")
    function = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(code.address("simt_launch"))
    return lambda launch: function(ctypes.addressof(launch))
