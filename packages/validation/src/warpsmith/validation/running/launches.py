"""Launches of built code: C++ as Warp's launcher calls it, CUDA text over grids of blocks."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from warpsmith.core.inputs.values import Values, leaves
from warpsmith.core.records.launch import Launch
from warpsmith.extraction.warp import runtime
from warpsmith.validation.running.arguments import Arguments

_CPP_FORWARD = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)
_CPP_BACKWARD = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)
_GRID = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)

Call = Callable[[], None]


@dataclass(frozen=True, slots=True)
class Results:
    """What a launch leaves: all arrays after the forward pass, and the gradients after the backward pass.

    ``replayed`` holds the arrays after the backward pass, too, where that may write them again.
    """

    arrays: dict[str, Values]
    gradients: dict[str, Values]
    replayed: dict[str, Values] = field(default_factory=dict)


class Shape(ctypes.Structure):
    """How a grid is run: blocks, threads a block, last thread first or not, on fibers or not."""

    _fields_ = (("grid", ctypes.c_uint), ("block", ctypes.c_uint), ("reversed", ctypes.c_int), ("on_fibers", ctypes.c_int))

    def __str__(self) -> str:
        order = ", last thread first" if self.reversed else ""
        return f"{self.grid} x {self.block} threads{order}"


def in_order(how: Launch) -> list[Shape]:
    """Shapes that visit the threads one after the other: whole blocks, small blocks, one thread that strides over all."""
    threads = math.prod(how.dim)
    return [Shape(-(-threads // 256), 256), Shape(-(-threads // 32), 32), Shape(1, 1)]


def out_of_order(how: Launch) -> list[Shape]:
    """Shapes that do not: fewer threads than work, and the reverse."""
    threads = math.prod(how.dim)
    return [Shape(2, max(threads // 5, 1)), Shape(-(-threads // 64), 64, 1)]


def on_fibers(how: Launch, block: int, last_first: bool = False) -> Shape:
    """The shape of kernels whose threads wait for each other: blocks have the size that the code was made for."""
    return Shape(-(-math.prod(how.dim) // block), block, last_first, 1)


def cpp_forward(address: int, how: Launch, dimensions: int | None, arguments: Arguments) -> Call:
    """The forward launch of C++ code."""
    bounds = runtime.launch_bounds(how.dim, dimensions)
    function = _CPP_FORWARD(address)
    values, _ = arguments.structures()
    return lambda: function(ctypes.addressof(bounds), values)


def cpp_backward(address: int, how: Launch, dimensions: int | None, arguments: Arguments) -> Call:
    """The backward launch of C++ code."""
    bounds = runtime.launch_bounds(how.dim, dimensions)
    function = _CPP_BACKWARD(address)
    values, adjoints = arguments.structures()
    return lambda: function(ctypes.addressof(bounds), values, adjoints)


def grid(address: int, how: Launch, dimensions: int | None, shape: Shape, arguments: Arguments, backward: bool) -> Call:
    """A launch of CUDA text over a grid."""
    bounds = runtime.launch_bounds(how.dim, dimensions)
    function = _GRID(address)
    pointers = arguments.pointers(bounds, backward)

    def call() -> None:
        function(ctypes.addressof(shape), ctypes.addressof(pointers))

    call.__dict__["bounds"] = bounds  # what ``pointers`` points to has to live as long
    return call


def seed(output: Values) -> Values:
    """The gradient given to an output: numbers between 0.5 and 1.5 that differ from one element to the next."""
    numbers = 1.0 + 0.5 * np.sin(np.arange(output.size, dtype=np.float64))
    return np.asarray(numbers.reshape(output.shape).astype(output.dtype))


def give_seeds(how: Launch, arguments: Arguments, seeds: Mapping[str, Values] | None = None) -> None:
    """Set the gradients of the leaves that the kernel writes, to `seed` or to ``seeds``."""
    for argument in leaves(how):
        if argument.role != "input" and argument.name in arguments.adjoints:
            adjoint = arguments.adjoints[argument.name]
            adjoint[...] = seeds[argument.name] if seeds else seed(adjoint)


def results(arguments: Arguments, backward: bool) -> Results:
    """Copies of what a launch left; the gradients of outputs are there, too, because adjoints change them."""
    return Results(
        {name: array.copy() for name, array in arguments.left.items()},
        {name: array.copy() for name, array in arguments.adjoints.items()} if backward else {},
        {name: array.copy() for name, array in arguments.arrays.items()} if arguments.forward else {},
    )
