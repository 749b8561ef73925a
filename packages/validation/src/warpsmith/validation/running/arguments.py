"""The arguments of one launch as generated code takes them: C structures in front of arrays in shared memory.

C++ entries take a pointer to one structure of all arguments, and one of all adjoints; CUDA kernels take each for itself. The
fields of the structures serve both. What a launch leaves is looked at leaf by leaf: the member of an array of structs is a view
of the memory where the structs are.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from warpsmith.core.inputs.objects import is_object
from warpsmith.core.inputs.values import Values
from warpsmith.core.records.launch import Argument, Launch
from warpsmith.validation.running.layout import describe_array, describe_indexed, describe_object, layout, members_form
from warpsmith.validation.running.memory import Arena, address
from warpsmith.validation.running.objects import build

_NARROW = (np.dtype(np.float32), np.dtype(np.float16))


def promoted(values: Values) -> Values:
    """``values`` as float64 where they are floats."""
    return values.astype(np.float64) if values.dtype in _NARROW else values


@dataclass(slots=True)
class Arguments:
    """What one launch is given.

    Attributes:
        arrays: contents of the arrays by leaf; the launch changes them.
        adjoints: the gradients of the arrays of floats by leaf.
        value_adjoints: those of plain arguments and members that are floats, which only some texts hand out.
        values: the C structure of all arguments.
        adjoint_values: that of their adjoints.
        objects: what has to live as long as the launch.
        kept: contents of the arrays after the forward pass, where `keep` was asked for them.
    """

    arrays: dict[str, Values]
    adjoints: dict[str, Values]
    value_adjoints: dict[str, Values]
    values: Values
    adjoint_values: Values
    objects: list[Any] = field(default_factory=list)
    kept: dict[str, Values] = field(default_factory=dict)

    @property
    def after_forward(self) -> dict[str, Values]:
        """What the forward pass left in the arrays."""
        return self.kept or self.arrays

    def keep(self, arena: Arena) -> Callable[[], None]:
        """Return a call for between the passes, which remembers what the arrays hold: some backward passes write them again."""
        self.kept = {name: arena.empty(array.shape, array.dtype) for name, array in self.arrays.items()}

        def copy() -> None:
            for name, array in self.arrays.items():
                self.kept[name][...] = array

        return copy

    def structures(self) -> tuple[int, int]:
        """The addresses of the structure of arguments and of that of their adjoints, for C++."""
        return address(self.values), address(self.adjoint_values)

    def pointers(self, bounds: Any, backward: bool) -> Any:
        """The address of each argument, for CUDA: bounds, arguments and, ``backward``, their adjoints."""
        fields = [ctypes.addressof(bounds), *_addresses(self.values)]
        if backward:
            fields += _addresses(self.adjoint_values)
        return (ctypes.c_void_p * len(fields))(*fields)


def _addresses(structure: Values) -> list[int]:
    start, fields = address(structure), structure.dtype.fields
    return [start + place[1] for place in fields.values()] if fields is not None else []


def lay_out(launch: Launch, values: Mapping[str, Values], arena: Arena) -> Arguments:
    """Lay out the arguments of a launch.

    Args:
        launch: names and kinds of the arguments.
        values: what their leaves hold; they are copied.
        arena: where everything is put that a process apart writes to.
    """
    structure = layout(members_form(launch.args, values))
    made = Arguments({}, {}, {}, arena.cleared((), structure), arena.cleared((), structure))
    builder = _Builder(made, values, arena)
    for argument in launch.args:
        builder.put(argument, argument.name, made.values[argument.name], made.adjoint_values[argument.name], in_array=False)
    return made


@dataclass(slots=True)
class _Builder:
    """Puts arguments in their places, members of structs after the structs."""

    made: Arguments
    values: Mapping[str, Values]
    arena: Arena

    def put(self, argument: Argument, name: str, place: Values, adjoint: Values | None, in_array: bool) -> None:
        """Fill in one argument or member.

        Args:
            argument: which.
            name: its leaf, or what its leaves begin with.
            place: where it is, with the shape of the arrays of structs around it.
            adjoint: where its adjoint is, or None if it holds no floats.
            in_array: whether there are such arrays.
        """
        if argument.kind == "array":
            self._put_array(argument, name, place, adjoint, in_array)
        elif argument.kind == "indexed_array":
            self._put_indexed(argument, name, place)
        elif is_object(argument):
            self._put_object(replace(argument, name=name), place)
        elif argument.fields:
            for member in argument.fields:
                inner = adjoint[member.name] if adjoint is not None else None
                self.put(member, f"{name}.{member.name}", place[member.name], inner, in_array)
        else:
            place[...] = self.values[name]
            floating = place.dtype.kind == "f"
            if in_array:
                self.made.arrays[name] = place
            if floating and adjoint is not None:
                (self.made.adjoints if in_array else self.made.value_adjoints)[name] = adjoint

    def _put_array(self, argument: Argument, name: str, place: Values, adjoint: Values | None, in_array: bool) -> None:
        content, gradient = self._structs(argument, name, place) if argument.fields else self._numbers(name)
        dimensions = len(argument.shape)
        for index in np.ndindex(place.shape):
            own = gradient[index] if gradient is not None else None
            place[index] = describe_array(content[index], own, dimensions)
            if adjoint is not None and not in_array:  # as Warp has it: structs that are gradients hold no arrays
                adjoint[index] = describe_array(own, None, dimensions)

    def _put_indexed(self, argument: Argument, name: str, place: Values) -> None:
        """Warp has no gradients of indexed arrays: their adjoints stay empty."""
        self.made.arrays[name] = content = self.arena.copy(self.values[name])
        indices = [self.arena.copy(self.values[f"{name}[{dimension}]"]) for dimension in range(len(argument.shape))]
        place[()] = describe_indexed(content, indices)

    def _put_object(self, argument: Argument, place: Values) -> None:
        made = build(argument, self.values, "cpu")
        self.made.objects.append(made)
        place[()] = describe_object(made, place.dtype)

    def _numbers(self, name: str) -> tuple[Values, Values | None]:
        self.made.arrays[name] = content = self.arena.copy(self.values[name])
        if content.dtype.kind != "f":
            return content, None
        self.made.adjoints[name] = gradient = self.arena.zeros(content)
        return content, gradient

    def _structs(self, argument: Argument, name: str, place: Values) -> tuple[Values, Values]:
        structure = layout(members_form(argument.fields, self.values, f"{name}."))
        shape = (*place.shape, *argument.shape)
        content, gradient = self.arena.cleared(shape, structure), self.arena.cleared(shape, structure)
        for member in argument.fields:
            self.put(member, f"{name}.{member.name}", content[member.name], gradient[member.name], in_array=True)
        return content, gradient
