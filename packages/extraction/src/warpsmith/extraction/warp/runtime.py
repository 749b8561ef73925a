"""Warp's native runtime: start, objects linked into this process, and the C structures of a launch."""

from __future__ import annotations

import math
import os
from pathlib import Path
from typing import Any

import warp as wp

from warpsmith.extraction.warp.private import warp_context, warp_types

ArrayDescriptor: Any = warp_types.array_t
"""The C structure of an array argument: data, grad, shape, strides, ndim, flags."""


def start_runtime() -> None:
    """Load Warp's native libraries without the banner and without the warning that there is no CUDA driver."""
    if warp_context.runtime is not None:
        return
    level, stderr = wp.config.log_level, os.dup(2)
    try:
        with Path(os.devnull).open("wb") as null:
            os.dup2(null.fileno(), 2)
        wp.config.log_level = wp.LOG_ERROR
        warp_context.init()
    finally:
        os.dup2(stderr, 2)
        os.close(stderr)
        wp.config.log_level = level


def share_precompiled_headers() -> None:
    """Create the folder of clang's precompiled headers now: forks of this process use it, instead of a new one each."""
    start_runtime()
    warp_context.runtime.get_clang_pch_dir()


def load_object(path: Path, handle: str) -> None:
    """Link an object into this process.

    Args:
        path: the object.
        handle: a name that no other loaded object has.

    Raises:
        OSError: if Warp's linker rejects the object.
    """
    if warp_context.runtime.llvm.wp_load_obj(os.fsencode(path), handle.encode(), wp.config.legacy_cpu_linker) != 0:
        raise OSError(f"{path.name} cannot be loaded")


def look_up(handle: str, symbol: str) -> int:
    """Return the address of a C symbol of a loaded object, 0 if the object lacks the symbol."""
    address: int = warp_context.runtime.llvm.wp_lookup(handle.encode(), symbol.encode())
    return address


def unload_object(handle: str) -> None:
    """Unload an object from this process."""
    warp_context.runtime.llvm.wp_unload_obj(handle.encode())


def launch_bounds(dim: tuple[int, ...], dimensions: int | None) -> Any:
    """Return the C structure that is the first argument of a kernel, for a launch of ``dim`` threads.

    Args:
        dim: the shape of the launch.
        dimensions: the number of coordinates that the kernel's ``wp.tid()`` has; threads that differ in further dimensions
            share their coordinates. None for texts of Warp before 1.19, whose structure is the same for all numbers.
    """
    if dimensions is None:
        return warp_types.launch_bounds_t(dim)
    kept, folded = (*dim, *(1 for _ in range(dimensions - len(dim))))[:dimensions], dim[dimensions:]
    bounds = warp_types.launch_bounds_t(kept)
    if folded:
        bounds.coord_mult = math.prod(folded)
        bounds.size *= bounds.coord_mult
    return bounds
