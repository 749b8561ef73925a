"""The arguments of one launch in the layout of generated code: C structures that refer to arrays in shared memory.

C++ entry points receive a pointer to a structure of all arguments and another to a structure of all adjoints; CUDA kernels
receive each argument separately, from the fields of the same structures. Results are read leaf by leaf: the member of an array
of structs is a view of the memory of the structs.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from warpsmith.core.inputs.launch_objects import is_object
from warpsmith.core.inputs.values import Values
from warpsmith.core.records.launch import Argument, Launch
from warpsmith.validation.running.memory_layout import describe_array, describe_indexed, describe_object, layout, members_form
from warpsmith.validation.running.shared_memory import Arena, address
from warpsmith.validation.running.warp_objects import build

_NARROW = (np.dtype(np.float32), np.dtype(np.float16))


def promoted(values: Values) -> Values:
    """Return ``values``, floats as float64."""
    return values.astype(np.float64) if values.dtype in _NARROW else values


@dataclass(slots=True)
class Arguments:
    """The arguments of one launch.

    Attributes:
        arrays: contents of the arrays by leaf; the launch changes them.
        adjoints: the gradients of the arrays of floats by leaf.
        value_adjoints: the gradients of plain arguments and members that are floats; only some texts return them.
        values: the C structure of all arguments.
        adjoint_values: the C structure of all adjoints.
        slots: the memory of each leaf that is no object.
        objects: objects of Warp that have to live as long as the launch.
        kept: contents of the arrays after the forward pass, if `keep` was called.
    """

    arrays: dict[str, Values]
    adjoints: dict[str, Values]
    value_adjoints: dict[str, Values]
    values: Values
    adjoint_values: Values
    slots: dict[str, Values] = field(default_factory=dict)
    objects: list[Any] = field(default_factory=list)
    kept: dict[str, Values] = field(default_factory=dict)

    @property
    def after_forward(self) -> dict[str, Values]:
        """Contents of the arrays after the forward pass."""
        return self.kept or self.arrays

    def set(self, values: Mapping[str, Values]) -> None:
        """Replace the contents of leaves."""
        for name, slot in self.slots.items():
            slot[...] = values[name]

    def keep(self, arena: Arena) -> Callable[[], None]:
        """Return a call between the passes that copies the arrays, because some backward passes write arrays again."""
        self.kept = {name: arena.empty(array.shape, array.dtype) for name, array in self.arrays.items()}

        def copy() -> None:
            for name, array in self.arrays.items():
                self.kept[name][...] = array

        return copy

    def structures(self) -> tuple[int, int]:
        """Return the addresses of the structures of arguments and of adjoints, for C++."""
        return address(self.values), address(self.adjoint_values)

    def pointers(self, bounds: Any, backward: bool) -> Any:
        """Return the address of each argument, for CUDA: bounds, arguments and, if ``backward``, adjoints."""
        fields = [ctypes.addressof(bounds), *_addresses(self.values)]
        if backward:
            fields += _addresses(self.adjoint_values)
        return (ctypes.c_void_p * len(fields))(*fields)


def _addresses(structure: Values) -> list[int]:
    start, fields = address(structure), structure.dtype.fields
    return [start + entry[1] for entry in fields.values()] if fields is not None else []


def lay_out(launch: Launch, values: Mapping[str, Values], arena: Arena) -> Arguments:
    """Lay out the arguments of a launch.

    Args:
        launch: names and types of the arguments.
        values: contents of the arguments by leaf; they are copied.
        arena: the shared memory, for everything that a fork writes to.
    """
    structure = layout(members_form(launch.args, values))
    laid_out = Arguments({}, {}, {}, arena.cleared((), structure), arena.cleared((), structure))
    builder = _Builder(laid_out, values, arena)
    for argument in launch.args:
        builder.put(
            argument, argument.name, laid_out.values[argument.name], laid_out.adjoint_values[argument.name], in_array=False
        )
    return laid_out


@dataclass(slots=True)
class _Builder:
    """Fills in arguments; members of structs follow the structs."""

    laid_out: Arguments
    values: Mapping[str, Values]
    arena: Arena

    def put(self, argument: Argument, name: str, slot: Values, adjoint: Values | None, in_array: bool) -> None:
        """Fill in one argument or member.

        Args:
            argument: the argument or member.
            name: the name of its leaf, or the prefix of the names of its leaves.
            slot: its memory, with the shape of the arrays of structs around it.
            adjoint: the memory of its adjoint, or None if it contains no floats.
            in_array: whether it is inside an array of structs.
        """
        if argument.kind == "null_array":
            return  # memory is cleared: a descriptor without an address
        if argument.kind == "struct" and not argument.fields:
            return
        if argument.kind == "array":
            self._put_array(argument, name, slot, adjoint, in_array)
        elif argument.kind == "indexed_array":
            self._put_indexed(argument, name, slot)
        elif is_object(argument):
            self._put_object(replace(argument, name=name), slot)
        elif argument.fields:
            for member in argument.fields:
                inner = adjoint[member.name] if adjoint is not None else None
                self.put(member, f"{name}.{member.name}", slot[member.name], inner, in_array)
        else:
            slot[...] = self.values[name]
            self.laid_out.slots[name] = slot
            floating = slot.dtype.kind == "f"
            if in_array:
                self.laid_out.arrays[name] = slot
            if floating and adjoint is not None:
                (self.laid_out.adjoints if in_array else self.laid_out.value_adjoints)[name] = adjoint

    def _put_array(self, argument: Argument, name: str, slot: Values, adjoint: Values | None, in_array: bool) -> None:
        content, gradient = self._structs(argument, name, slot) if argument.fields else self._numbers(name)
        dimensions = len(argument.shape)
        for index in np.ndindex(slot.shape):
            element = gradient[index] if gradient is not None else None
            slot[index] = describe_array(content[index], element, dimensions)
            if adjoint is not None and not in_array:  # as in Warp: structs of gradients contain no arrays
                adjoint[index] = describe_array(element, None, dimensions)

    def _put_indexed(self, argument: Argument, name: str, slot: Values) -> None:
        """Fill in an indexed array; its adjoint stays empty, because Warp has no gradients of indexed arrays."""
        self.laid_out.arrays[name] = self.laid_out.slots[name] = content = self.arena.copy(self.values[name])
        indices = [self.arena.copy(self.values[f"{name}[{dimension}]"]) for dimension in range(len(argument.shape))]
        slot[()] = describe_indexed(content, indices)

    def _put_object(self, argument: Argument, slot: Values) -> None:
        built = build(argument, self.values, "cpu")
        self.laid_out.objects.append(built)
        slot[()] = describe_object(built, slot.dtype)

    def _numbers(self, name: str) -> tuple[Values, Values | None]:
        self.laid_out.arrays[name] = self.laid_out.slots[name] = content = self.arena.copy(self.values[name])
        if content.dtype.kind != "f":
            return content, None
        self.laid_out.adjoints[name] = gradient = self.arena.zeros(content)
        return content, gradient

    def _structs(self, argument: Argument, name: str, slot: Values) -> tuple[Values, Values]:
        structure = layout(members_form(argument.fields, self.values, f"{name}."))
        shape = (*slot.shape, *argument.shape)
        content, gradient = self.arena.cleared(shape, structure), self.arena.cleared(shape, structure)
        for member in argument.fields:
            self.put(member, f"{name}.{member.name}", content[member.name], gradient[member.name], in_array=True)
        return content, gradient
