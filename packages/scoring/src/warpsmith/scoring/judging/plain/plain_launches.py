"""Launches of a compiled plain kernel: its arguments in guarded memory, and the call over a grid."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from warpsmith.core.inputs.values import Values
from warpsmith.core.records.launch import Argument, Launch
from warpsmith.scoring.judging.plain.guarded_memory import GuardedMemory
from warpsmith.scoring.judging.plain.linking import driver
from warpsmith.scoring.judging.wire import array_names
from warpsmith.scoring.plain.grids import Grid, grid
from warpsmith.scoring.plain.plain_signature import Parameter
from warpsmith.validation.running.memory_layout import layout, members_form
from warpsmith.validation.running.outputs import LaunchOutputs
from warpsmith.validation.running.shared_memory import address

MAX_ISOLATED_BYTES = 1 << 28
"""The most bytes that an isolated launch compares, for each thread those of all arrays that the kernel writes."""

_DRIVER = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)


_COPIES = 4
"""How many copies of an array an isolated launch needs."""


class _Region(ctypes.Structure):
    _fields_ = (*((name, ctypes.c_void_p) for name in ("work", "seen", "block", "real", "initial")), ("size", ctypes.c_size_t))


class _Launch(ctypes.Structure):
    _fields_ = (
        ("grid", ctypes.c_uint * 3),
        ("block", ctypes.c_uint * 3),
        *((name, ctypes.c_int) for name in ("reversed", "on_fibers", "isolated", "arrays")),
        ("regions", ctypes.c_void_p),
    )


@dataclass(slots=True)
class PlainLaunch:
    """One launch with its arguments in place.

    Attributes:
        call: runs it.
        arrays: contents of the arrays by leaf; the launch changes them.
        kept: objects that have to live as long as the launch.
    """

    call: Callable[[], None]
    arrays: dict[str, Values]
    kept: tuple[Any, ...]

    def outputs(self, launch: Launch) -> LaunchOutputs:
        """Return copies of what the launch left."""
        return LaunchOutputs({name: np.array(self.arrays[name]) for name in array_names(launch)}, {})


def prepare_plain(
    entry: int,
    launch: Launch,
    parameters: Sequence[Parameter],
    values: Mapping[str, Values],
    number: int,
    on_fibers: bool,
) -> PlainLaunch:
    """Prepare a launch of the entry point at an address.

    Args:
        entry: the address.
        launch: the size of the launch and its arguments.
        parameters: the parameters of the kernel.
        values: contents of the arguments by leaf; they are copied.
        number: the number of the grid's shape.
        on_fibers: whether the threads of a block wait for each other.
    """
    shape = grid(launch.dim, number)
    memory = GuardedMemory(at_end=number % 2 == 0)
    arrays: dict[str, Values] = {}
    arguments = {argument.name: argument for argument in launch.args}
    contents = {argument.name: _content(argument, values, memory, arrays) for argument in launch.args}
    slots = [_slot(parameter, launch, arguments, contents) for parameter in parameters]
    pointers = (ctypes.c_void_p * len(slots))(*map(address, slots))
    written = [contents[argument.name] for argument in launch.args if argument.role != "input" and argument.kind == "array"]
    described, kept = _describe(shape, written, on_fibers)
    drive = _DRIVER(driver())

    def call() -> None:
        drive(entry, ctypes.addressof(described), ctypes.addressof(pointers))

    return PlainLaunch(call, arrays, (slots, pointers, described, kept, contents))


def _describe(shape: Grid, written: Sequence[Values], on_fibers: bool) -> tuple[_Launch, Any]:
    """Return the C structure of a launch, and what has to live as long."""
    threads = int(np.prod(shape.blocks)) * int(np.prod(shape.threads))
    isolated = shape.isolated and threads * sum(array.nbytes for array in written) <= MAX_ISOLATED_BYTES
    memory = GuardedMemory(at_end=True)
    copies = [memory.copy(array) for array in written for _ in range(_COPIES)] if isolated else []
    regions = (_Region * max(len(copies) // _COPIES, 1))()
    for number, array in enumerate(written if isolated else ()):
        places = map(address, (array, *copies[_COPIES * number : _COPIES * (number + 1)]))
        regions[number] = _Region(*places, array.nbytes)
    described = _Launch(
        (ctypes.c_uint * 3)(*shape.blocks), (ctypes.c_uint * 3)(*shape.threads),
        shape.is_reversed, on_fibers, isolated, len(copies) // _COPIES, ctypes.addressof(regions),
    )  # fmt: skip
    return described, (copies, regions)


def _content(argument: Argument, values: Mapping[str, Values], memory: GuardedMemory, arrays: dict[str, Values]) -> Values:
    """Return the memory of an argument; add the contents of its arrays to ``arrays``."""
    if argument.fields:
        structure = layout(members_form(argument.fields, values, f"{argument.name}."))
        content = np.zeros(argument.shape, structure)
        for member in argument.fields:
            content[member.name] = values[f"{argument.name}.{member.name}"]
    else:
        content = values[argument.name]
    placed = memory.copy(content, read_only=argument.role == "input")
    if argument.kind == "array" and argument.fields:
        arrays |= {f"{argument.name}.{member.name}": placed[member.name] for member in argument.fields}
    elif argument.kind == "array":
        arrays[argument.name] = placed
    return placed


def _slot(parameter: Parameter, launch: Launch, arguments: Mapping[str, Argument], contents: Mapping[str, Values]) -> Values:
    """Return the memory of a parameter."""
    if parameter.dimension is not None:
        shape = arguments[parameter.argument].shape if parameter.argument else launch.dim
        return np.array(shape[parameter.dimension], np.int32)
    content = contents[parameter.argument]
    return np.array(address(content), np.uint64) if parameter.ctype.endswith("*") else content
