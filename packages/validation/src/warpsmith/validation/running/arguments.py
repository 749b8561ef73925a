"""The arguments of one launch as generated code takes them: C structures in front of arrays in shared memory.

C++ entries take a pointer to one structure of all arguments, and one of all adjoints; CUDA kernels take each for itself. The
fields of the structures serve both.
"""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from warpsmith.extraction import warp_internals
from warpsmith.extraction.inputs import Values
from warpsmith.extraction.record import Launch
from warpsmith.validation.running.memory import Arena

_NARROW = (np.dtype(np.float32), np.dtype(np.float16))


def promoted(values: Values) -> Values:
    """``values`` as float64 where they are floats."""
    return values.astype(np.float64) if values.dtype in _NARROW else values


@dataclass(slots=True)
class Arguments:
    """What one launch is given.

    Attributes:
        arrays: contents of the array arguments by name; the launch changes them.
        adjoints: the gradients of the arrays of floats by name.
        values: the C structure of all arguments.
        adjoint_values: that of their adjoints.
    """

    arrays: dict[str, Values]
    adjoints: dict[str, Values]
    values: Any
    adjoint_values: Any

    def structures(self) -> tuple[int, int]:
        """The addresses of the structure of arguments and of that of their adjoints, for C++."""
        return ctypes.addressof(self.values), ctypes.addressof(self.adjoint_values)

    def pointers(self, bounds: Any, backward: bool) -> Any:
        """The address of each argument, for CUDA: bounds, arguments and, ``backward``, their adjoints."""
        fields = [ctypes.addressof(bounds), *_addresses(self.values)]
        if backward:
            fields += _addresses(self.adjoint_values)
        return (ctypes.c_void_p * len(fields))(*fields)


def prepare(how: Launch, values: Mapping[str, Values], arena: Arena) -> Arguments:
    """Lay out the arguments of a launch.

    Args:
        how: names and kinds of the arguments.
        values: what they hold; arrays are copied.
        arena: where everything is put that a process apart writes to.
    """
    arrays: dict[str, Values] = {}
    adjoints: dict[str, Values] = {}
    fields: list[Any] = []
    adjoint_fields: list[Any] = []
    types = []
    for argument in how.args:
        given = values[argument.name]
        floating = bool(np.issubdtype(given.dtype, np.floating))
        if argument.kind == "array":
            arrays[argument.name] = content = arena.copy(given)
            if floating:
                adjoints[argument.name] = arena.zeros(given)
            dimensions = len(argument.shape)
            fields.append(_descriptor(content, dimensions, adjoints.get(argument.name)))
            adjoint_fields.append(_descriptor(adjoints.get(argument.name), dimensions, None))
            types.append(("array", ()))
        else:
            fields.append(given)
            adjoint_fields.append(np.zeros_like(given))
            types.append((given.dtype.str, given.shape))
    structure = _structure(tuple(types))
    return Arguments(arrays, adjoints, _filled(structure, fields, arena), _filled(structure, adjoint_fields, arena))


def value_adjoints(arguments: Arguments, how: Launch) -> dict[str, Values]:
    """The adjoints of plain arguments of floats, after a launch of code that hands them out."""
    found = {}
    for position, argument in enumerate(how.args):
        if argument.kind == "array":
            continue
        name = f"_{position}"
        raw = getattr(arguments.adjoint_values, name)
        found[argument.name] = np.array(np.ctypeslib.as_array(raw) if isinstance(raw, ctypes.Array) else raw)
    return found


@cache
def _structure(types: tuple[tuple[str, tuple[int, ...]], ...]) -> Any:
    fields = []
    for position, (kind, shape) in enumerate(types):
        if kind == "array":
            form = warp_internals.ArrayDescriptor
        else:
            dtype = np.dtype(kind)
            form = ctypes.c_uint16 if dtype == np.float16 else np.ctypeslib.as_ctypes_type(dtype)
            if shape:
                form = form * int(np.prod(shape))
        fields.append((f"_{position}", form))
    return type("Arguments", (ctypes.Structure,), {"_fields_": fields})


def _filled(structure: Any, values: list[Any], arena: Arena) -> Any:
    filled = structure.from_buffer(arena.empty((ctypes.sizeof(structure),), np.uint8))
    for (name, _), value in zip(structure._fields_, values, strict=True):
        if isinstance(value, np.ndarray):
            place = ctypes.addressof(filled) + getattr(structure, name).offset
            raw = np.ascontiguousarray(value).tobytes()
            ctypes.memmove(place, raw, len(raw))
        else:
            setattr(filled, name, value)
    return filled


def _descriptor(content: Values | None, dimensions: int, gradient: Values | None) -> Any:
    if content is None:
        return warp_internals.ArrayDescriptor()
    return warp_internals.ArrayDescriptor(
        data=content.ctypes.data,
        grad=gradient.ctypes.data if gradient is not None else 0,
        ndim=dimensions,
        shape=content.shape[:dimensions],
        strides=content.strides[:dimensions],
    )


def _addresses(filled: Any) -> list[int]:
    start = ctypes.addressof(filled)
    return [start + getattr(type(filled), name).offset for name, _ in filled._fields_]
