"""Warp's native runtime: its start, objects that it links into this process, and the C structures of a launch."""

from __future__ import annotations

import math
import os
from pathlib import Path
from typing import Any

import warp as wp

from warpsmith.extraction.warp.private import warp_context, warp_types

ArrayDescriptor: Any = warp_types.array_t
"""The C structure of an array among the arguments of a kernel: data, grad, shape, strides, ndim, flags."""


def start_runtime() -> None:
    """Load Warp's native libraries without their banner; that there is no CUDA driver is no news to who asked for text."""
    if warp_context.runtime is not None:
        return
    level, stderr = wp.config.log_level, os.dup(2)
    try:
        with Path(os.devnull).open("wb") as nowhere:
            os.dup2(nowhere.fileno(), 2)
        wp.config.log_level = wp.LOG_ERROR
        warp_context.init()
    finally:
        os.dup2(stderr, 2)
        os.close(stderr)
        wp.config.log_level = level


def load_object(path: Path, handle: str) -> None:
    """Link an object into this process under a name of its own.

    Raises:
        OSError: if Warp's linker refuses it.
    """
    if warp_context.runtime.llvm.wp_load_obj(os.fsencode(path), handle.encode(), wp.config.legacy_cpu_linker) != 0:
        raise OSError(f"{path.name} cannot be loaded")


def look_up(handle: str, symbol: str) -> int:
    """Return the address of a C symbol of a loaded object, 0 if it has none."""
    address: int = warp_context.runtime.llvm.wp_lookup(handle.encode(), symbol.encode())
    return address


def unload_object(handle: str) -> None:
    """Take a loaded object out of this process again."""
    warp_context.runtime.llvm.wp_unload_obj(handle.encode())


def launch_bounds(dim: tuple[int, ...], dimensions: int | None) -> Any:
    """Return the C structure that a kernel takes as its first argument, for a launch of ``dim`` threads.

    Args:
        dim: the launch.
        dimensions: how many of them the kernel's ``wp.tid()`` tells apart; threads of the others share their coordinates.
            None: the structure is the same for any number, as before Warp 1.19.
    """
    if dimensions is None:
        return warp_types.launch_bounds_t(dim)
    kept, others = (*dim, *(1 for _ in range(dimensions - len(dim))))[:dimensions], dim[dimensions:]
    bounds = warp_types.launch_bounds_t(kept)
    if others:
        bounds.coord_mult = math.prod(others)
        bounds.size *= bounds.coord_mult
    return bounds
