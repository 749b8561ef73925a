"""Builtins of tiles that take one value of each thread of a block; their rows receive the arguments of all threads."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from warpsmith.validation.oracle.builtins.named_parameters import Named
from warpsmith.validation.oracle.builtins.tiles import filled, tile_of
from warpsmith.validation.oracle.values.choices import CHOICES
from warpsmith.validation.oracle.values.interpretation_errors import Misuse, Undefined, Unsupported
from warpsmith.validation.oracle.values.tile_values import Tile
from warpsmith.validation.oracle.values.value_types import Quaternion, Type, Value, describe, of

Row = Sequence[Value]
"""One value of each thread."""


@dataclass(eq=False, slots=True)
class Stack:
    """A stack of values that all threads of a block share."""

    capacity: int
    element: Type
    values: list[Value] = field(default_factory=list)


def _tile(values: Row, preserve: Row) -> Row:
    element = of(values[0])
    if element is None or not all(element.holds(value) for value in values):
        raise Unsupported(f"a tile of {describe(values[0])}")
    data = np.array(values, element.scalar)
    if element.shape and not preserve[0]:
        if element.kind is Quaternion:
            raise Unsupported("a tile of the components of quaternions")
        return [Tile(np.moveaxis(data, 0, -1).copy(), Type(element.scalar))] * len(values)
    return [Tile(data, element)] * len(values)


def _untile(tiles: Row) -> Row:
    tile = tile_of(tiles[0])
    if tile.shape[-1] != len(tiles):
        raise Unsupported(f"a tile of shape {tile.shape} for {len(tiles)} threads")
    if len(tile.shape) == 1:
        return tile.values()
    element = Type(tile.element.scalar, tile.shape[:-1])
    return [element.load(np.asarray(part)) for part in np.moveaxis(tile.data, -1, 0)]


def _scatter(*, add: bool) -> Callable[..., Row]:
    def apply(tiles: Row, places: Row, values: Row, chosen: Row, *_: Row) -> Row:
        tile, nothing = tile_of(tiles[0]), [None] * len(tiles)
        for place, value, choice in zip(places, values, chosen, strict=True):
            if choice:
                if not tile.element.holds(value) or type(place) is not np.int32 or len(tile.shape) != 1:
                    raise Unsupported(f"{describe(value)} scattered to a tile of {tile.element}")
                if not 0 <= place < tile.shape[0]:
                    raise Misuse(f"index {place} of a tile of {tile.shape[0]} elements")
                tile.data[place] = tile.data[place] + value if add else value
        return nothing

    return apply


def _from_thread(shapes: Row, values: Row, threads: Row, _: Row) -> Row:
    if not 0 <= threads[0] < len(values):
        raise Undefined(f"thread {threads[0]} of a block of {len(values)}")
    return [filled(shapes[0], values[int(threads[0])], None)] * len(values)


# ----------------------------------------------------------------------------------------------------------------- stacks


def _stack(capacities: Row, dtypes: Row) -> Row:
    if not isinstance(dtypes[0], Type):
        raise Unsupported("a stack of such a type")
    return [Stack(int(capacities[0]), dtypes[0])] * len(capacities)


def _stack_of(value: Value) -> Stack:
    if not isinstance(value, Stack):
        raise Unsupported(f"a stack that is {describe(value)}")
    return value


def _push(stacks: Row, values: Row, chosen: Row) -> Row:
    """Push values; which thread receives which place is open, and which values are dropped."""
    stack, places = _stack_of(stacks[0]), [np.int32(-1)] * len(values)
    for lane in CHOICES.ordered([lane for lane, choice in enumerate(chosen) if choice]):
        if not stack.element.holds(values[lane]):
            raise Unsupported(f"{describe(values[lane])} pushed to a stack of {stack.element}")
        if len(stack.values) < stack.capacity:
            places[lane] = np.int32(len(stack.values))
            stack.values.append(values[lane])
    return places


def _pop(stacks: Row) -> Row:
    stack = _stack_of(stacks[0])
    results: list[Value] = [(stack.element.zero(), np.int32(-1))] * len(stacks)
    for lane in CHOICES.ordered(range(len(stacks))):
        if stack.values:
            results[lane] = (stack.values.pop(), np.int32(len(stack.values)))
    return results


def _clear(stacks: Row) -> Row:
    _stack_of(stacks[0]).values.clear()
    return [None] * len(stacks)


PER_THREAD: dict[str, Named] = {
    "tile": Named("x preserve_type?", _tile),
    "untile": Named("a", _untile),
    "tile_scatter_add": Named("a i value has_value atomic?", _scatter(add=True)),
    "tile_scatter_masked": Named("a i value has_value", _scatter(add=False)),
    "tile_from_thread": Named("shape value thread_idx storage?", _from_thread),
    "tile_stack": Named("capacity dtype", _stack),
    "tile_stack_push": Named("s value has_value", _push),
    "tile_stack_pop": Named("s", _pop),
    "tile_stack_count": Named("s", lambda stacks: [np.int32(len(_stack_of(stack).values)) for stack in stacks]),
    "tile_stack_clear": Named("s", _clear),
}
"""Each row returns one value for each thread."""
