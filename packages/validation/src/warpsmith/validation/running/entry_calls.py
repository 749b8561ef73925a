"""Calls of compiled code: C++ as Warp's launcher calls it, CUDA text over a grid of blocks."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, TypeAlias

import numpy as np

from warpsmith.core.inputs.values import Values, leaves
from warpsmith.core.records.launch import Launch
from warpsmith.extraction.warp import runtime
from warpsmith.validation.running.shared_arguments import Arguments

_CPP_FORWARD = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)
_CPP_BACKWARD = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)
_GRID = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)
_PROGRAM = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)
_PROGRAM_GRID = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)

Call: TypeAlias = Callable[[], None]


class GridShape(ctypes.Structure):
    """The shape of a grid: blocks, threads per block, whether the last thread runs first, whether threads run on fibers."""

    _fields_ = (("grid", ctypes.c_uint), ("block", ctypes.c_uint), ("reversed", ctypes.c_int), ("on_fibers", ctypes.c_int))

    def __str__(self) -> str:
        order = ", last thread first" if self.reversed else ""
        return f"{self.grid} x {self.block} threads{order}"


def in_order(launch: Launch, strides: bool = True) -> list[GridShape]:
    """Return three shapes that run the threads in order: whole blocks, small blocks, one thread that strides over all elements.

    Args:
        launch: the size of the launch.
        strides: whether threads continue with further elements; otherwise, the last shape has blocks of one thread.
    """
    threads = math.prod(launch.dim)
    return [GridShape(-(-threads // 256), 256), GridShape(-(-threads // 32), 32), GridShape(1 if strides else threads, 1)]


def out_of_order(launch: Launch, strides: bool = True) -> list[GridShape]:
    """Return two shapes that run the threads in another order: fewer threads than elements, and the reverse order.

    Args:
        launch: the size of the launch.
        strides: whether threads continue with further elements; otherwise, both shapes have the reverse order.
    """
    threads = math.prod(launch.dim)
    first = GridShape(2, max(threads // 5, 1)) if strides else GridShape(threads, 1, 1)
    return [first, GridShape(-(-threads // 64), 64, 1)]


def on_fibers(launch: Launch, block: int, last_first: bool = False) -> GridShape:
    """Return the shape for kernels whose threads synchronize: blocks have the size that the code was generated for."""
    return GridShape(-(-math.prod(launch.dim) // block), block, last_first, 1)


@lru_cache(maxsize=1024)
def _bounds(dim: tuple[int, ...], dimensions: int | None) -> Any:
    """Return the bounds of a launch. Kernels that run in a fork cannot change them for launches of other forks."""
    return runtime.launch_bounds(dim, dimensions)


def cpp_forward(address: int, launch: Launch, dimensions: int | None, arguments: Arguments) -> Call:
    """Return the forward launch of C++ code."""
    bounds = _bounds(launch.dim, dimensions)
    function = _CPP_FORWARD(address)
    values, _ = arguments.structures()
    return lambda: function(ctypes.addressof(bounds), values)


def cpp_backward(address: int, launch: Launch, dimensions: int | None, arguments: Arguments) -> Call:
    """Return the backward launch of C++ code."""
    bounds = _bounds(launch.dim, dimensions)
    function = _CPP_BACKWARD(address)
    values, adjoints = arguments.structures()
    return lambda: function(ctypes.addressof(bounds), values, adjoints)


def program(runner: int, address: int, launch: Launch, dimensions: int | None, arguments: Arguments) -> Call:
    """Return the launch of one direction of a kernel that ``runner`` runs as a program, see `calls`."""
    bounds = _bounds(launch.dim, dimensions)
    function = _PROGRAM(runner)
    values, adjoints = arguments.structures()
    return lambda: function(address, ctypes.addressof(bounds), values, adjoints)


def grid(
    launch: Launch, dimensions: int | None, shape: GridShape, arguments: Arguments, backward: bool, runner: int = 0
) -> Callable[[int], None]:
    """Return a launch over a grid of the CUDA text whose entry point has the address that the launch receives.

    If there is a ``runner``, the address is that of a program, see `calls`.
    """
    bounds = _bounds(launch.dim, dimensions)
    pointers = arguments.pointers(bounds, backward)

    def run(address: int) -> None:
        if runner:
            _PROGRAM_GRID(runner)(address, ctypes.addressof(shape), ctypes.addressof(pointers))
        else:
            _GRID(address)(ctypes.addressof(shape), ctypes.addressof(pointers))

    run.__dict__["bounds"] = bounds  # ``pointers`` refers to it, so it has to live as long as the launch
    return run


def seed(output: Values) -> Values:
    """Return the gradient that an output starts the backward pass with: numbers from 0.5 to 1.5 that vary by element."""
    return _seed(output.shape, output.dtype)


@lru_cache(maxsize=256)
def _seed(shape: tuple[int, ...], dtype: np.dtype[Any]) -> Values:
    numbers = 1.0 + 0.5 * np.sin(np.arange(math.prod(shape), dtype=np.float64))
    seeds = np.asarray(numbers.reshape(shape).astype(dtype))
    seeds.flags.writeable = False
    return seeds


def seed_gradients(launch: Launch, arguments: Arguments, seeds: Mapping[str, Values] | None = None) -> None:
    """Set the gradients of the leaves that the kernel writes, to `seed` or to ``seeds``."""
    for argument in leaves(launch):
        if argument.role != "input" and argument.name in arguments.adjoints:
            adjoint = arguments.adjoints[argument.name]
            adjoint[...] = seeds[argument.name] if seeds else seed(adjoint)
