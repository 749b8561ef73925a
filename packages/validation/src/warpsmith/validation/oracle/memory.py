"""What kernels reach into: the arrays of the launch, structs, and the parts of values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from warpsmith.validation.oracle.errors import Undefined, Unsupported
from warpsmith.validation.oracle.types import INTEGERS, Components, Quaternion, Transform, Type, Value, describe

Key: TypeAlias = Any
"""A member's name, or a tuple of indices, each an integer or a slice."""

_LETTERS = {"x": 0, "y": 1, "z": 2, "w": 3}


@dataclass(frozen=True, slots=True)
class Struct:
    """A struct type and its members; it loads from and stores to structured NumPy memory with fields of the same names."""

    name: str
    members: dict[str, Type | Struct | Arrays]

    def __str__(self) -> str:
        return self.name

    def holds(self, value: Value) -> bool:
        """Whether ``value`` is of this type."""
        return isinstance(value, Record) and value.type is self

    def zero(self) -> Record:
        """The value of a variable that nothing was assigned to."""
        return Record(self, {name: member.zero() for name, member in self.members.items()})

    def load(self, raw: Any) -> Record:
        """Take an element out of the memory of an array."""
        return Record(self, {name: member.load(raw[name]) for name, member in self.members.items()})

    def dump(self, value: Value) -> Any:
        """Return what is to be stored for ``value``."""
        if not self.holds(value):
            raise Unsupported(f"{describe(value)} stored where {self} is expected")
        return tuple(member.dump(value.members[name]) for name, member in self.members.items())


@dataclass(frozen=True, slots=True)
class Arrays:
    """The type of a member that is an array; a launch gives it its memory, nobody else can make one."""

    element: Type | Struct
    dimensions: int

    def __str__(self) -> str:
        return f"an array of {self.element}"

    def holds(self, value: Value) -> bool:
        """Whether ``value`` is of this type."""
        return isinstance(value, Array) and value.element == self.element and len(value.shape) == self.dimensions

    def zero(self) -> Value:
        """There is no array in a variable that nothing was assigned to."""
        raise Unsupported(f"a struct that holds {self} and was not given any")

    def load(self, _: Any) -> Value:
        """Structs in memory hold no arrays here."""
        raise Unsupported(f"an array of structs that hold {self}")

    def dump(self, _: Value) -> Value:
        """Structs in memory hold no arrays here."""
        raise Unsupported(f"an array of structs that hold {self}")


@dataclass(frozen=True, slots=True)
class Record:
    """A value of a struct type."""

    type: Struct
    members: dict[str, Value]


@dataclass(frozen=True, slots=True)
class Array:
    """An array of the launch: memory of shape ``shape`` and then that of an element.

    Of an indexed array ``shape`` is what its ``indices`` leave of the memory, one row of them for each dimension.
    """

    data: Components
    shape: tuple[int, ...]
    element: Type | Struct
    indices: tuple[Components, ...] = ()

    def get(self, key: tuple[Value, ...]) -> Value:
        """Return the element at ``key``, or for fewer indices than dimensions the array that is left."""
        place = self.place(key)
        raw = self.data[place]
        if len(place) == len(self.shape):
            return self.element.load(raw)
        return Array(raw, self.shape[len(place) :], self.element, self.indices[len(place) :])

    def put(self, key: tuple[Value, ...], value: Value) -> None:
        """Store an element."""
        place = self.place(key)
        if len(place) != len(self.shape):
            raise Unsupported("assignment to a part of an array")
        self.data[place] = self.element.dump(value)

    def place(self, key: tuple[Value, ...]) -> tuple[int, ...]:
        """Check the indices, of which negative ones count from the end, and return them counted from the start."""
        if len(key) > len(self.shape):
            raise Unsupported(f"{len(key)} indices for an array of {len(self.shape)} dimensions")
        place = tuple([_index(index, length) for index, length in zip(key, self.shape, strict=False)])
        if self.indices:
            return tuple([int(row[index]) for row, index in zip(self.indices, place, strict=False)])
        return place


def _index(index: Value, length: int) -> int:
    if type(index) not in INTEGERS:
        raise Unsupported(f"an index that is {'a slice' if isinstance(index, slice) else describe(index)}")
    if not -length <= index < length:
        raise Undefined(f"index {index} where there are {length} elements")
    return int(index) + length if index < 0 else int(index)


def part(value: Value, key: Key) -> Value:
    """Return ``value.key`` or ``value[key]``."""
    if isinstance(value, Array):
        if isinstance(key, tuple):
            return value.get(key)
        if key == "shape":
            return tuple(np.int32(length) for length in value.shape)
        if key == "size":
            return np.int32(int(np.prod(value.shape)))
        if key == "ndim":
            return np.int32(len(value.shape))
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
    elif isinstance(value, tuple) and isinstance(key, tuple) and len(key) == 1:
        return value[_index(key[0], len(value))]
    raise Unsupported(f"{f'.{key}' if isinstance(key, str) else 'an index'} of {describe(value)}")


def replaced(value: Value, key: Key, new: Value) -> Value:
    """Return ``value`` with its part at ``key`` being ``new``."""
    if isinstance(value, Record):
        if not isinstance(key, str) or key not in value.members:
            raise Unsupported(f"assignment to a member {key!r} of {value.type}")
        member = value.type.members[key]
        if not member.holds(new):
            raise Unsupported(f"{describe(new)} stored where {member} is expected")
        return Record(value.type, {**value.members, key: new})
    if not isinstance(value, np.ndarray):
        raise Unsupported(f"assignment to a part of {describe(value)}")
    place: Any = _component(value, key)
    if isinstance(value, Transform) and key in ("p", "q"):
        place = slice(0, 3) if key == "p" else slice(3, 7)
    copy = value.copy()
    if getattr(new, "dtype", None) != copy.dtype or np.shape(new) != copy[place].shape:
        raise Unsupported(f"{describe(new)} assigned to a part of {describe(value)}")
    copy[place] = new
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
