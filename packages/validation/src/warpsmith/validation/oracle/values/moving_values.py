"""Values that move: pairs of a value and its derivative along one direction, arrays of such values, and corners."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from warpsmith.validation.oracle.values.interpretation_errors import Apart
from warpsmith.validation.oracle.values.kernel_arrays import Array, Record, Struct
from warpsmith.validation.oracle.values.lanes import applied
from warpsmith.validation.oracle.values.tile_values import Tile
from warpsmith.validation.oracle.values.value_types import FLOATS, Lanes, Moving, Type, Value, still


@dataclass(frozen=True, slots=True)
class MovingArray(Array):
    """An array of floats, or of structs that hold floats; ``tangent`` contains the derivatives of all elements."""

    tangent: Array = field(kw_only=True)

    def get(self, key: tuple[Value, ...]) -> Value:
        """Return the element at ``key``, or a subarray."""
        return paired(Array.get(self, key), self.tangent.get(key))

    def set(self, key: tuple[Value, ...], value: Value) -> None:
        """Store an element."""
        Array.set(self, key, value_of(value))
        self.tangent.set(key, tangent_of(value))

    def update(self, key: tuple[Value, ...], operation: Callable[[Value, Value], Value], value: Value) -> Value:
        """Replace an element by the result of an operation on it and ``value``, and return the old element.

        Raises:
            Apart: if threads that run together would apply an operation that is not linear.
        """
        if self.accesses is not None:
            if not getattr(operation, "is_sum", False):
                raise Apart("an operation on elements that is not linear")
            plain: Callable[[Value, Value], Value] = operation.row  # type: ignore[attr-defined]
            old = Array.update(self, key, plain, value_of(value))
            return paired(old, self.tangent.update(key, plain, tangent_of(value)))
        old = self.get(key)
        self.set(key, operation(old, value))
        return old


def paired(value: Value, tangent: Value) -> Value:
    """Return a value that moves, of two parts with the same form; what contains no float does not move."""
    if isinstance(value, (np.generic, np.ndarray)):
        return Moving(value, tangent) if value.dtype.kind == "f" else value
    if type(value) is Lanes:
        return Moving(value, tangent) if value.data.dtype.kind == "f" else value
    if isinstance(value, Record):
        return value.combined(tangent, paired)
    if isinstance(value, Array):
        if not holds_floats(value.element):
            return value
        return MovingArray(value.data, value.shape, value.element, value.indices, value.accesses, tangent=tangent)
    if isinstance(value, (tuple, list)):
        return type(value)([paired(part, other) for part, other in zip(value, tangent, strict=True)])
    if isinstance(value, Tile):
        return Moving(value, tangent) if holds_floats(value.element) else value
    return value


def holds_floats(element: Any) -> bool:
    """Return whether elements of a type contain floats."""
    if isinstance(element, Struct):
        return any(holds_floats(getattr(member, "element", member)) for member in element.members.values())
    return isinstance(element, Type) and element.scalar in FLOATS


def value_of(value: Value) -> Value:
    """Return a value without its derivative."""
    if type(value) is Moving:
        return value.value
    if isinstance(value, Record):
        return value.mapped(value_of)
    if isinstance(value, MovingArray):
        return Array(value.data, value.shape, value.element, value.indices, value.accesses)
    return tuple([value_of(part) for part in value]) if isinstance(value, tuple) else value


def tangent_of(value: Value) -> Value:
    """Return the derivative of a value, which is zero if it does not move; numbers that are no floats stay as they are."""
    if type(value) is Moving:
        return value.tangent
    if isinstance(value, MovingArray):
        return value.tangent
    if isinstance(value, Record):
        return value.mapped(tangent_of)
    if isinstance(value, tuple):
        return tuple([tangent_of(part) for part in value])
    if isinstance(value, Tile):
        return Tile(np.zeros_like(value.data), value.element) if holds_floats(value.element) else value
    components = value.data if type(value) is Lanes else value
    return still(value) if isinstance(components, (np.generic, np.ndarray)) and components.dtype.kind == "f" else value


def overwrite(tile: Value, new: Value) -> None:
    """Replace the elements of a tile, and their derivatives if it moves."""
    if type(tile) is Moving:
        overwrite(tile.value, value_of(new))
        overwrite(tile.tangent, tangent_of(new))
    else:
        tile.data[...] = new.data


def is_tile(value: Value) -> bool:
    """Return whether a value is a tile, which may move."""
    return isinstance(value.value if type(value) is Moving else value, Tile)


def moves(value: Value) -> bool:
    """Return whether a value contains a part that moves."""
    if type(value) is Moving or isinstance(value, MovingArray):
        return True
    if isinstance(value, Record):
        return any(map(moves, value.members.values()))
    return isinstance(value, tuple) and any(map(moves, value))


class Corners:
    """Where values of a run lie exactly on a corner or at a jump of an operation, and move across it.

    Attributes:
        found: the operations, in the order in which they were found.
        is_strict: whether what does not move has no derivative where a slope is infinite; otherwise its derivative is zero.
    """

    def __init__(self) -> None:
        self.found: dict[str, None] = {}
        self.is_strict = False

    def start(self) -> None:
        """Begin a run."""
        self.found = {}

    def note(self, name: str, mask: Any) -> None:
        """Note an operation if the mask holds anywhere."""
        if np.any(mask):
            self.found[name] = None

    def note_where(self, name: str, condition: Callable[..., Any], *operands: Value) -> None:
        """Note an operation if a condition on components holds anywhere."""

        def noted(*parts: Any) -> Any:
            self.note(name, condition(*parts))
            return parts[0]

        applied(noted, *operands)

    def note_jump(self, name: str, operand: Value, rounding: Callable[[Any], Any]) -> None:
        """Note the conversion or rounding of a number that is exact and moves."""
        if type(operand) is Moving:
            self.note_where(name, lambda x, t: (rounding(x) == x) & (t != 0), operand.value, operand.tangent)

    def stays(self, moves: Any, change: Any) -> Any:
        """Return a change where something moves, and zero elsewhere, even if the change is not finite there."""
        return change if self.is_strict else np.where(moves, change, 0.0)


CORNERS = Corners()
"""The corners of the launch that is interpreted now."""
