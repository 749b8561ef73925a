"""Tiles: arrays of a block of threads, with operators and indices; a part of a tile shares its memory."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from warpsmith.validation.oracle.values.interpretation_errors import Misuse, Unsupported
from warpsmith.validation.oracle.values.value_types import Components, Type, Value, describe, of


@dataclass(eq=False, slots=True)
class Tile:
    """A tile; its memory has the shape of the tile followed by the shape of an element."""

    data: Components
    element: Type

    @property
    def shape(self) -> tuple[int, ...]:
        """The lengths of the dimensions."""
        return self.data.shape[: self.data.ndim - len(self.element.shape)]

    def copy(self) -> Tile:
        """Return a tile with separate memory."""
        return Tile(self.data.copy(), self.element)

    def values(self) -> list[Value]:
        """Return the elements in order."""
        rows = self.data.reshape(-1, *self.element.shape)
        return [self.element.load(row) for row in rows]

    def item(self, key: tuple[Value, ...]) -> Value:
        """Return an element, or a part of the tile; a tile of indices selects a copy."""
        if len(key) > len(self.shape):
            raise Unsupported(f"{len(key)} indices of a tile of {len(self.shape)} dimensions")
        position = tuple(_index(index, length) for index, length in zip(key, self.shape, strict=False))
        part = self.data[position]
        if len(key) == len(self.shape) and all(type(index) is int for index in position):
            return self.element.load(part)
        return Tile(part, self.element)


def _index(index: Value, length: int) -> Any:
    if isinstance(index, slice):
        return index
    if isinstance(index, Tile) and index.element == Type(np.int32) and len(index.shape) == 1:
        if np.any((index.data < 0) | (index.data >= length)):
            raise Misuse("a tile of indices beyond a tile")
        return index.data
    if type(index) is not np.int32:
        raise Unsupported(f"a tile at {describe(index)}")
    if not 0 <= index < length:
        raise Misuse(f"index {index} of a tile where there are {length} elements")
    return int(index)


def combined(name: str, operation: Callable[[Any, Any], Any], a: Value, b: Value) -> Tile:
    """Return the tile of an operation on two tiles, or on a tile and a number.

    Raises:
        Unsupported: if their types or shapes differ.
    """
    tiles = [operand for operand in (a, b) if isinstance(operand, Tile)]
    element = tiles[0].element
    if len(tiles) == 2:
        fits = a.element == b.element and a.shape == b.shape and (not element.shape or name in ("add", "sub"))
    else:
        other = b if tiles[0] is a else a
        fits = of(other) == Type(element.scalar) and name in ("mul", "div")
    if not fits:
        raise Unsupported(f"{name} of {_name(a)} and {_name(b)}")
    return Tile(np.asarray(operation(*(operand.data if isinstance(operand, Tile) else operand for operand in (a, b)))), element)


def _name(value: Value) -> str:
    return f"a tile of {value.element} of shape {value.shape}" if isinstance(value, Tile) else describe(value)
