"""Arrays of the launch, and structs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np

from warpsmith.validation.oracle.values.choices import CHOICES
from warpsmith.validation.oracle.values.interpretation_errors import Apart, Misuse, Unsupported
from warpsmith.validation.oracle.values.thread_accesses import Accesses
from warpsmith.validation.oracle.values.value_types import INTEGERS, Components, Lanes, Type, Value, describe

Key: TypeAlias = Any
"""A member's name, or a tuple of indices, each an integer or a slice."""


@dataclass(frozen=True, slots=True)
class Struct:
    """A struct type and its members; values are loaded from and stored to structured NumPy arrays with the same fields."""

    name: str
    members: dict[str, Type | Struct | Arrays]

    def __str__(self) -> str:
        return self.name

    def holds(self, value: Value) -> bool:
        """Return whether ``value`` has this type."""
        return isinstance(value, Record) and value.type is self

    def load_all(self, raw: Components) -> Record:
        """Return the elements of several threads, whose first dimension counts the threads."""
        return Record(self, {name: member.load_all(raw[name]) for name, member in self.members.items()})

    def dump_all(self, value: Value, count: int) -> Components:
        """Return the stored form of the values of ``count`` threads, or of a value that is the same for all of them."""
        if not self.holds(value):
            raise Unsupported(f"{describe(value)} stored where {self} is expected")
        raw = np.empty(count, self.stored[0])
        for name, member in self.members.items():
            raw[name] = member.dump_all(value.members[name], count)
        return raw

    @property
    def stored(self) -> tuple[Any, tuple[int, ...]]:
        """The NumPy type of an element of an array, and the shape of its components."""
        return [(name, *member.stored) for name, member in self.members.items()], ()

    def zero(self) -> Record:
        """Return the value of a variable without an assignment."""
        return Record(self, {name: member.zero() for name, member in self.members.items()})

    def load(self, raw: Any) -> Record:
        """Return an element of an array as a value."""
        return Record(self, {name: member.load(raw[name]) for name, member in self.members.items()})

    def dump(self, value: Value) -> Any:
        """Return the stored form of ``value``."""
        if not self.holds(value):
            raise Unsupported(f"{describe(value)} stored where {self} is expected")
        return tuple(member.dump(value.members[name]) for name, member in self.members.items())


@dataclass(frozen=True, slots=True)
class Arrays:
    """The type of a member that is an array; only a launch creates such arrays."""

    element: Type | Struct
    dimensions: int

    def __str__(self) -> str:
        return f"an array of {self.element}"

    def holds(self, value: Value) -> bool:
        """Return whether ``value`` has this type."""
        return isinstance(value, Array) and value.element == self.element and len(value.shape) == self.dimensions

    def zero(self) -> Value:
        """Raise Unsupported: a variable without an assignment contains no array."""
        raise Unsupported(f"a struct that holds {self} and was not given any")

    def load(self, _: Any) -> Value:
        """Raise Unsupported: structs with arrays cannot be elements of arrays."""
        raise Unsupported(f"an array of structs that hold {self}")

    load_all = load

    def dump_all(self, *_: Any) -> Components:
        """Raise Unsupported: structs with arrays cannot be elements of arrays."""
        raise Unsupported(f"an array of structs that hold {self}")

    @property
    def stored(self) -> tuple[Any, tuple[int, ...]]:
        """Raise Unsupported: structs with arrays cannot be elements of arrays."""
        raise Unsupported(f"an array of structs that hold {self}")

    def dump(self, _: Value) -> Value:
        """Raise Unsupported: structs with arrays cannot be elements of arrays."""
        raise Unsupported(f"an array of structs that hold {self}")


@dataclass(frozen=True, slots=True)
class Record:
    """A value of a struct type."""

    type: Struct
    members: dict[str, Value]

    def mapped(self, change: Callable[[Value], Value]) -> Record:
        """Return the struct with changed members."""
        return Record(self.type, {name: change(member) for name, member in self.members.items()})

    def combined(self, other: Value, combine: Callable[[Value, Value], Value]) -> Record:
        """Return the struct of combined members of two structs."""
        if not self.type.holds(other):
            raise Apart("a variable with values of several types")
        return Record(self.type, {name: combine(member, other.members[name]) for name, member in self.members.items()})

    def gathered(self, values: Sequence[Value], combine: Callable[[Sequence[Value]], Value]) -> Record:
        """Return the struct of combined members of several structs."""
        if not all(self.type.holds(value) for value in values):
            raise Apart("values of several types")
        return Record(self.type, {name: combine([record.members[name] for record in values]) for name in self.members})


@dataclass(frozen=True, slots=True)
class Array:
    """An array of the launch; the memory has the shape of the array followed by the shape of an element.

    The shape of an indexed array is the shape that ``indices`` select from the memory, with one row of indices per dimension.
    """

    data: Components
    shape: tuple[int, ...]
    element: Type | Struct
    indices: tuple[Components, ...] = ()
    accesses: Accesses | None = None
    """The accesses of the launch if its threads run together."""
    row: Components | None = field(init=False)
    """The memory if elements are numbers in one dimension without indices, which is the most frequent case."""

    def __post_init__(self) -> None:
        alone = self.accesses is None and not self.indices
        is_row = len(self.shape) == 1 and alone and isinstance(self.element, Type) and not self.element.shape
        object.__setattr__(self, "row", self.data if is_row else None)

    def get(self, key: tuple[Value, ...]) -> Value:
        """Return the element at ``key``, or a subarray if there are slices or fewer indices than dimensions."""
        if self.accesses is None and len(key) == len(self.shape) and not self.indices:
            places = []
            for index, length in zip(key, self.shape, strict=True):
                if type(index) is not np.int32 or not 0 <= (place := int(index)) < length:
                    break
                places.append(place)
            else:
                return self.element.load(self.data[tuple(places)])
        if any(isinstance(index, slice) for index in key):
            return self._sliced(key)
        position = self.position(key)
        if len(position) == len(self.shape):
            if self.accesses is not None:
                return self.accesses.load(self.data, position, self.element)
            return self.element.load(self.data[position])
        if any(isinstance(index, np.ndarray) for index in position):
            raise Apart("a part of an array for each thread")
        return Array(
            self.data[position], self.shape[len(position) :], self.element, self.indices[len(position) :], self.accesses
        )

    def _sliced(self, key: tuple[Value, ...]) -> Array:
        if self.indices or len(key) > len(self.shape):
            raise Unsupported("slices of this array")
        position: list[int | slice] = []
        for index, length in zip(key, self.shape, strict=False):
            if isinstance(index, slice) and (not 0 <= (index.start or 0) < length or not 0 < (index.stop or length) <= length):
                raise Unsupported("a slice with bounds beyond the array, or counted from its end")
            if isinstance(index, slice) and (index.step or 1) < 1:
                raise Unsupported("a slice that runs backwards")
            if type(index) is Lanes:
                raise Apart("a part of an array for each thread")
            position.append(index if isinstance(index, slice) else index_of(index, length))
        raw = self.data[tuple(position)]
        inner = 0 if isinstance(self.element, Struct) else len(self.element.shape)
        return Array(raw, raw.shape[: raw.ndim - inner], self.element, accesses=self.accesses)

    def set(self, key: tuple[Value, ...], value: Value) -> None:
        """Store an element."""
        position = self.position(key)
        if len(position) != len(self.shape):
            raise Unsupported("assignment to a part of an array")
        if self.accesses is not None:
            self.accesses.store(self.data, position, self.element, value)
        else:
            self.data[position] = self.element.dump(value)

    def update(self, key: tuple[Value, ...], operation: Callable[[Value, Value], Value], value: Value) -> Value:
        """Replace an element by the result of an operation on it and ``value``, and return the old element."""
        if self.accesses is not None and len(key) == len(self.shape):
            return self.accesses.update(self.data, self.position(key), self.element, operation, value)
        old = self.get(key)
        self.set(key, operation(old, value))
        return old

    def position(self, key: tuple[Value, ...]) -> tuple[Any, ...]:
        """Check the indices and return them, integers counted from the start; negative indices count from the end."""
        if len(key) > len(self.shape):
            raise Unsupported(f"{len(key)} indices for an array of {len(self.shape)} dimensions")
        position = tuple([index_of(index, length) for index, length in zip(key, self.shape, strict=False)])
        if self.indices:
            return tuple([_place(row, index) for row, index in zip(self.indices, position, strict=False)])
        return position


def _place(row: Components, index: Any) -> Any:
    """Return the index that an indexed array selects, of each thread for several."""
    return row[index].astype(np.int64) if isinstance(index, np.ndarray) else int(row[index])


def index_of(index: Value, length: int) -> Any:
    """Check an index and return it as an integer, or as integers that may count from the end for several threads."""
    if type(index) is Lanes:
        return _indices(index.data, length)
    if type(index) not in INTEGERS:
        raise Unsupported(f"an index that is {'a slice' if isinstance(index, slice) else describe(index)}")
    if not -length <= index < length:
        raise Misuse(f"index {index} where there are {length} elements")
    if index < 0:
        CHOICES.wrapped = True
        return int(index) + length
    return int(index)


def _indices(index: Components, length: int) -> Components:
    if index.ndim > 1 or index.dtype.kind not in "iu":
        raise Unsupported("indices that are no integers")
    if index.max() >= length or (least := index.min()) < -length:
        raise Misuse(f"an index where there are {length} elements")
    if least < 0:
        CHOICES.wrapped = True
    return index
