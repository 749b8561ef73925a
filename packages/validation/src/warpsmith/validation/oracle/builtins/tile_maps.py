"""Maps and reductions of tiles by functions of the kernel's file."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

import numpy as np

from warpsmith.validation.oracle.builtins.tiles import as_integers, tile_of
from warpsmith.validation.oracle.values.interpretation_errors import Apart, Unsupported
from warpsmith.validation.oracle.values.lanes import FEWEST
from warpsmith.validation.oracle.values.operators import Row
from warpsmith.validation.oracle.values.tile_values import Tile
from warpsmith.validation.oracle.values.value_types import Lanes, Value, describe, of


def _of_values(values: list[Value], shape: tuple[int, ...]) -> Tile:
    """Return a tile with these elements, which have one type."""
    element = of(values[0])
    if element is None or (len(set(map(type, values))) > 1) or (element.shape and not all(map(element.holds, values))):
        raise Unsupported(f"a tile of {describe(values[0])}")
    return Tile(np.array(values, element.scalar).reshape(*shape, *element.shape), element)


def tile_map(op: Row, *arguments: Value) -> Tile:
    """Return the tile of a function of the elements of tiles, and of numbers."""
    tiles = [argument for argument in arguments if isinstance(argument, Tile)]
    if not tiles or any(tile.shape != tiles[0].shape for tile in tiles):
        raise Unsupported("a map over tiles of different shapes")
    if len(arguments) == 1 and tiles[0].data.dtype.kind in "iu" and not tiles[0].element.shape:
        return _map_of_integers(op, tiles[0])
    return _map_all(op, arguments, tiles[0].shape)


def _map_of_integers(op: Row, tile: Tile) -> Tile:
    """Return a map over a tile whose elements repeat."""
    found, places = np.unique(tile.data, return_inverse=True)
    results = _map_all(op, [Tile(found, tile.element)], found.shape)
    return Tile(results.data[places.reshape(tile.shape)], results.element)


def _map_all(op: Row, arguments: Sequence[Value], shape: tuple[int, ...]) -> Tile:
    count = int(np.prod(shape))
    if count >= FEWEST:
        with suppress(Exception):  # one element after another shows what is wrong
            return _map_together(op, count, shape, arguments)
    columns = [argument.values() if isinstance(argument, Tile) else [argument] * count for argument in arguments]
    return _of_values([op(*row) for row in zip(*columns, strict=True)], shape)


def _map_together(op: Row, count: int, shape: tuple[int, ...], arguments: Sequence[Value]) -> Tile:
    """Return a map whose function is evaluated once for all elements, as if each had a thread."""
    values = [
        argument.element.load_all(argument.data.reshape(-1, *argument.element.shape))
        if isinstance(argument, Tile)
        else argument
        for argument in arguments
    ]
    if not all(isinstance(value, (Lanes, np.generic, np.ndarray)) for value in values):
        raise Apart("a map with other arguments than numbers")
    result = op(*values)
    element = of(result)
    if element is None:
        raise Apart("a map that returns no numbers")
    return Tile(np.array(element.dump_all(result, count)).reshape(*shape, *element.shape), element)


def tile_reduce(op: Row, value: Value, axis: Value) -> Tile:
    """Return a tile reduced by a function of two elements, to one element or along an axis."""
    tile = tile_of(value)
    if axis is None:
        total, *rest = tile.values()
        for element in rest:
            total = op(total, element)
        return _of_values([total], (1,))
    (along,) = as_integers(axis)
    lines = np.moveaxis(tile.data, along, 0)
    first = Tile(lines[0], tile.element)
    for line in lines[1:]:
        first = tile_map(op, first, Tile(line, tile.element))
    return first
