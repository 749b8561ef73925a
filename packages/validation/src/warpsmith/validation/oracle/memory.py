"""Arrays of the launch, structs, and access to the elements of values."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np

from warpsmith.validation.oracle.errors import Undefined, Unsupported
from warpsmith.validation.oracle.tile_values import Tile
from warpsmith.validation.oracle.types import INTEGERS, Components, Quaternion, Transform, Type, Value, describe

Key: TypeAlias = Any
"""A member's name, or a tuple of indices, each an integer or a slice."""

_LETTERS = {"x": 0, "y": 1, "z": 2, "w": 3}


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

    def dump(self, _: Value) -> Value:
        """Raise Unsupported: structs with arrays cannot be elements of arrays."""
        raise Unsupported(f"an array of structs that hold {self}")


@dataclass(frozen=True, slots=True)
class Record:
    """A value of a struct type."""

    type: Struct
    members: dict[str, Value]


@dataclass(frozen=True, slots=True)
class Array:
    """An array of the launch; the memory has the shape of the array followed by the shape of an element.

    The shape of an indexed array is the shape that ``indices`` select from the memory, with one row of indices per dimension.
    """

    data: Components
    shape: tuple[int, ...]
    element: Type | Struct
    indices: tuple[Components, ...] = ()
    row: Components | None = field(init=False)
    """The memory if elements are numbers in one dimension without indices, which is the most frequent case."""

    def __post_init__(self) -> None:
        is_row = len(self.shape) == 1 and not self.indices and isinstance(self.element, Type) and not self.element.shape
        object.__setattr__(self, "row", self.data if is_row else None)

    def get(self, key: tuple[Value, ...]) -> Value:
        """Return the element at ``key``, or a subarray if there are slices or fewer indices than dimensions."""
        if len(key) == len(self.shape) and not self.indices:
            places = []
            for index, length in zip(key, self.shape, strict=True):
                if type(index) is not np.int32 or not -length <= (place := int(index)) < length:
                    break
                places.append(place)
            else:
                return self.element.load(self.data[tuple(places)])
        if any(isinstance(index, slice) for index in key):
            return self._sliced(key)
        position = self.position(key)
        raw = self.data[position]
        if len(position) == len(self.shape):
            return self.element.load(raw)
        return Array(raw, self.shape[len(position) :], self.element, self.indices[len(position) :])

    def _sliced(self, key: tuple[Value, ...]) -> Array:
        if self.indices or len(key) > len(self.shape):
            raise Unsupported("slices of this array")
        position: list[int | slice] = []
        for index, length in zip(key, self.shape, strict=False):
            if isinstance(index, slice) and (not 0 <= (index.start or 0) < length or not 0 < (index.stop or length) <= length):
                raise Unsupported("a slice with bounds beyond the array, or counted from its end")
            if isinstance(index, slice) and (index.step or 1) < 1:
                raise Unsupported("a slice that runs backwards")
            position.append(index if isinstance(index, slice) else _index(index, length))
        raw = self.data[tuple(position)]
        inner = 0 if isinstance(self.element, Struct) else len(self.element.shape)
        return Array(raw, raw.shape[: raw.ndim - inner], self.element)

    def set(self, key: tuple[Value, ...], value: Value) -> None:
        """Store an element."""
        position = self.position(key)
        if len(position) != len(self.shape):
            raise Unsupported("assignment to a part of an array")
        self.data[position] = self.element.dump(value)

    def position(self, key: tuple[Value, ...]) -> tuple[int, ...]:
        """Check the indices and return them counted from the start; negative indices count from the end."""
        if len(key) > len(self.shape):
            raise Unsupported(f"{len(key)} indices for an array of {len(self.shape)} dimensions")
        position = tuple([_index(index, length) for index, length in zip(key, self.shape, strict=False)])
        if self.indices:
            return tuple([int(row[index]) for row, index in zip(self.indices, position, strict=False)])
        return position


def _index(index: Value, length: int) -> int:
    if type(index) not in INTEGERS:
        raise Unsupported(f"an index that is {'a slice' if isinstance(index, slice) else describe(index)}")
    if not -length <= index < length:
        raise Undefined(f"index {index} where there are {length} elements")
    return int(index) + length if index < 0 else int(index)


_SIZES: dict[str, Callable[[tuple[int, ...]], Value]] = {
    "shape": lambda shape: tuple(np.int32(length) for length in shape),
    "size": lambda shape: np.int32(int(np.prod(shape))),
    "ndim": lambda shape: np.int32(len(shape)),
}


def get_item(value: Value, key: Key) -> Value:
    """Return ``value.key`` or ``value[key]``."""
    if isinstance(value, Array):
        if isinstance(key, tuple):
            return value.get(key)
        if key in _SIZES:
            return _SIZES[key](value.shape)
    elif isinstance(value, np.ndarray):
        plain = value.view(np.ndarray)
        if isinstance(value, Transform) and key == "p":
            return plain[:3]
        if isinstance(value, Transform) and key == "q":
            return plain[3:].view(Quaternion)
        return plain[_component(value, key)]
    elif isinstance(value, Record):
        if isinstance(key, str) and key in value.members:
            return value.members[key]
    elif isinstance(value, Tile) and isinstance(key, tuple):
        return value.item(key)
    elif isinstance(value, tuple) and isinstance(key, tuple) and len(key) == 1:
        return value[_index(key[0], len(value))]
    elif isinstance(key, str) and (attributes := getattr(value, "attributes", None)) is not None and key in attributes:
        return np.int32(attributes[key])
    raise Unsupported(f"{f'.{key}' if isinstance(key, str) else 'an index'} of {describe(value)}")


def with_item(value: Value, key: Key, new: Value) -> Value:
    """Return ``value`` with ``new`` as its element or member ``key``."""
    if isinstance(value, Record):
        if not isinstance(key, str) or key not in value.members:
            raise Unsupported(f"assignment to a member {key!r} of {value.type}")
        member = value.type.members[key]
        if not member.holds(new):
            raise Unsupported(f"{describe(new)} stored where {member} is expected")
        return Record(value.type, {**value.members, key: new})
    if not isinstance(value, np.ndarray):
        raise Unsupported(f"assignment to a part of {describe(value)}")
    position: Any = _component(value, key)
    if isinstance(value, Transform) and key in ("p", "q"):
        position = slice(0, 3) if key == "p" else slice(3, 7)
    copy = value.copy()
    if getattr(new, "dtype", None) != copy.dtype or np.shape(new) != copy[position].shape:
        raise Unsupported(f"{describe(new)} assigned to a part of {describe(value)}")
    copy[position] = new
    return copy


def _component(value: Components, key: Key) -> Any:
    if isinstance(key, str):
        if value.ndim == 1 and len(value) <= len(_LETTERS) and _LETTERS.get(key, len(value)) < len(value):
            return _LETTERS[key]
        if isinstance(value, Transform) and key in ("p", "q"):
            return 0
        raise Unsupported(f".{key} of {describe(value)}")
    if len(key) > value.ndim:
        raise Unsupported(f"{len(key)} indices for {describe(value)}")
    return tuple(
        index if isinstance(index, slice) else _index(index, length) for index, length in zip(key, value.shape, strict=False)
    )
