"""The leaves of live arguments: which array of the program each one belongs to, and where its numbers are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy.typing as npt
import warp as wp

from warpsmith.core.records.tape_recording import Memory
from warpsmith.extraction.launches.snapshot import Snapshot
from warpsmith.extraction.warp import live_arguments
from warpsmith.extraction.warp.live_arguments import Parameter

Values = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class LiveLeaf:
    """A leaf of an array that a launch receives.

    Attributes:
        name: the name of the leaf.
        array: the array of the program.
        element: Warp's type of its elements.
        members: the names of the members that lead to the leaf in an array of structs.
    """

    name: str
    array: wp.array[Any]
    element: Any
    members: tuple[str, ...] = ()

    @property
    def memory(self) -> Memory:
        """Where the numbers are."""
        return memory_of(self.array, self.element, self.members)

    def gradient(self, given: Mapping[int, Any]) -> LiveLeaf | None:
        """Return the gradient as a leaf, or None; ``given`` has gradients of a backward pass by the id of the array."""
        gradient = self.array.grad
        gradient = given.get(id(self.array)) if gradient is None else gradient
        return LiveLeaf(self.name, gradient, self.element, self.members) if type(gradient) is wp.array else None

    def read(self) -> Values:
        """Return a copy of the numbers."""
        return read_leaf(self.array, self.element, self.members)


def memory_of(array: Any, element: Any, members: Sequence[str]) -> Memory:
    """Return where the numbers of an array, or of a member of its structs, are."""
    dtype, address = live_arguments.element_dtype(element), int(array.ptr or 0)
    for member in members:
        fields: Any = dtype.fields
        dtype, address = fields[member][0], address + fields[member][1]
    inner_shape, base = dtype.shape, dtype.base
    strides: list[int] = []
    width = base.itemsize
    for length in reversed(inner_shape):
        strides.insert(0, width)
        width *= length
    return Memory(address, (*map(int, array.shape), *inner_shape), (*map(int, array.strides), *strides), base.name)


def read_leaf(array: Any, element: Any, members: Sequence[str]) -> Values:
    """Return a copy of the numbers of an array, or of a member of its structs."""
    content = live_arguments.read_array(live_arguments.array_memory(array, element), element)
    for member in members:
        content = content[member]
    return content


def array_leaves(parameters: Sequence[Parameter], values: Sequence[Any]) -> Iterator[LiveLeaf]:
    """Yield the leaves of all arrays among the arguments of a launch.

    Raises:
        ValueError: if an array is no plain array of Warp; the message is the reason.
    """
    for parameter, value in zip(parameters, values, strict=True):
        yield from _leaves(parameter, value, parameter.name)


def _leaves(parameter: Parameter, value: Any, path: str) -> Iterator[LiveLeaf]:
    if parameter.kind == "struct":
        for member, inner in live_arguments.struct_members(value, parameter):
            yield from _leaves(member, inner, f"{path}.{member.name}")
    elif parameter.kind == "array" and value is not None:
        if not isinstance(value, wp.array):
            raise ValueError(f"argument {path!r} is an array of class {type(value).__name__}")
        yield from _columns(parameter, value, path, ())
    elif parameter.kind == "indexed_array":
        raise ValueError(f"argument {path!r} is an indexed array")


def _columns(parameter: Parameter, array: wp.array[Any], path: str, members: tuple[str, ...]) -> Iterator[LiveLeaf]:
    element = array.dtype
    if not parameter.members:
        yield LiveLeaf(path, array, element, members)
    for member in parameter.members:
        yield from _columns(member, array, f"{path}.{member.name}", (*members, member.name))


def snapshot_leaves(snapshots: Sequence[Snapshot], prefix: str = "") -> Iterator[tuple[str, Values]]:
    """Yield the names and numbers of all leaves of copied arguments, and of the parts of objects."""
    for snapshot in snapshots:
        path = prefix + snapshot.name
        if snapshot.fields:
            yield from snapshot_leaves(snapshot.fields, f"{path}.")
        elif snapshot.values is not None:
            yield path, snapshot.values
        for part, values in snapshot.parts.items():
            yield (f"{path}.{part}" if part else path), values
