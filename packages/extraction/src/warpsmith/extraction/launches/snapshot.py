"""Copies of the arguments of one launch, as they were before it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from warpsmith.core.records.launch import Build
from warpsmith.extraction.launches import live_objects
from warpsmith.extraction.warp import live_arguments
from warpsmith.extraction.warp.live_arguments import Parameter

Values = npt.NDArray[Any]


class NotExpressible(Exception):
    """An argument that the record of a launch cannot describe; the message is the reason."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A copy of one argument, or of a member of a struct.

    Attributes:
        name: the name of the parameter or member.
        kind: as `warpsmith.core.records.launch.Argument` has it.
        dtype: as the record has it.
        shape: the shape of an array or an object; empty for values and structs.
        values: the numbers, with the shape of an element last; None for structs, null arrays and most objects.
        fields: the members of a struct or of an array of structs. Each value of the latter has the array's shape first.
        build: how to build an object.
        parts: the arrays that an object is built from, by the last part of their names; the empty name is the object's own.
        address: where the program has an array, or the points of a hash grid; 0 if that is not known.
    """

    name: str
    kind: Any
    dtype: str
    shape: tuple[int, ...] = ()
    values: Values | None = None
    fields: tuple[Snapshot, ...] = ()
    build: Build | None = None
    parts: Mapping[str, Values] = field(default_factory=dict)
    address: int = 0


@dataclass(slots=True)
class Copier:
    """Copies the arguments of one launch.

    Attributes:
        objects: the objects of the process.
        max_bytes: the most bytes that are copied.
        copied: the bytes that were copied.
    """

    objects: live_objects.LiveObjects
    max_bytes: int
    copied: int = 0

    def copy(self, parameters: Sequence[Parameter], values: Sequence[Any]) -> tuple[Snapshot, ...]:
        """Return copies of all arguments.

        Raises:
            NotExpressible: if the record of a launch cannot describe one of them, or they are too large.
        """
        return tuple(self._copy(parameter, value, parameter.name) for parameter, value in zip(parameters, values, strict=True))

    def _copy(self, parameter: Parameter, value: Any, path: str) -> Snapshot:
        try:
            return self._copy_kind(parameter, value, path)
        except ValueError as error:
            raise NotExpressible(f"argument {path!r}: {error}") from None

    def _copy_kind(self, parameter: Parameter, value: Any, path: str) -> Snapshot:
        name, dtype = parameter.name, parameter.dtype
        if parameter.kind == "struct":
            members = live_arguments.struct_members(value, parameter)
            fields = tuple(self._copy(member, inner, f"{path}.{member.name}") for member, inner in members)
            return Snapshot(name, "struct", dtype, fields=fields)
        if parameter.kind in ("array", "indexed_array"):
            return self._array(parameter, value)
        if parameter.kind == "texture":
            return self._object(parameter, live_objects.texture(value))
        if parameter.kind != "value":
            raise ValueError(f"an array of class {parameter.kind}")
        numbers = live_arguments.value_of(value, parameter.element)
        if dtype == "uint64" and (found := self.objects.describe(int(numbers))) is not None:
            return self._object(parameter, found)
        return Snapshot(name, "value", dtype, values=numbers)

    def _array(self, parameter: Parameter, value: Any) -> Snapshot:
        name, dtype = parameter.name, parameter.dtype
        if value is None:
            if parameter.kind != "array":
                raise ValueError("None for an indexed array")
            return Snapshot(name, "null_array", dtype)
        memory = live_arguments.array_memory(value, parameter.element)
        self._count(memory.nbytes)
        content = live_arguments.read_array(memory, parameter.element)
        if not parameter.members:
            if dtype == "uint64" and any(self.objects.is_handle(int(number)) for number in content.reshape(-1)[:64]):
                raise ValueError("an array of handles of objects")
            return Snapshot(name, parameter.kind, dtype, memory.shape, content, address=memory.address)
        if parameter.kind != "array":
            raise ValueError("an indexed array of structs")
        fields = tuple(self._column(member, content[member.name]) for member in parameter.members)
        return Snapshot(name, "array", dtype, memory.shape, fields=fields)

    def _column(self, member: Parameter, content: Values) -> Snapshot:
        """Return the values of a member of all structs in an array."""
        if member.kind == "struct":
            fields = tuple(self._column(inner, content[inner.name]) for inner in member.members)
            return Snapshot(member.name, "struct", member.dtype, fields=fields)
        if member.kind != "value":
            raise ValueError(f"structs in an array with {member.name!r}, which is no number")
        if member.dtype == "uint64" and any(self.objects.is_handle(int(number)) for number in content.reshape(-1)[:64]):
            raise ValueError(f"structs in an array with {member.name!r}, the handle of an object")
        return Snapshot(member.name, "value", member.dtype, values=np.ascontiguousarray(content))

    def _object(self, parameter: Parameter, found: live_objects.Description) -> Snapshot:
        self._count(found.nbytes)
        name, dtype = parameter.name, parameter.dtype
        return Snapshot(name, found.kind, dtype, found.shape, None, (), found.build, found.read(), found.address)

    def _count(self, nbytes: int) -> None:
        self.copied += nbytes
        if self.copied > self.max_bytes:
            raise ValueError(f"arguments of more than {self.max_bytes} bytes are not copied")
