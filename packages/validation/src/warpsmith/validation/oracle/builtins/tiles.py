"""Builtins that create, load, store and rearrange tiles; all threads of a block call them together."""

from __future__ import annotations

from typing import Any

import numpy as np

from warpsmith.validation.oracle.builtins.named_parameters import Named
from warpsmith.validation.oracle.builtins.randoms import Stream, next_state
from warpsmith.validation.oracle.values.conversions import cast
from warpsmith.validation.oracle.values.interpretation_errors import Unsupported
from warpsmith.validation.oracle.values.kernel_arrays import Array
from warpsmith.validation.oracle.values.operators import Row
from warpsmith.validation.oracle.values.tile_values import Tile
from warpsmith.validation.oracle.values.value_types import INTEGERS, Type, Value, describe, of

_LARGEST = 1 << 16


def tile_of(value: Value) -> Tile:
    """Return a tile.

    Raises:
        Unsupported: for other values.
    """
    if not isinstance(value, Tile):
        raise Unsupported(f"a tile that is {describe(value)}")
    return value


def as_integers(value: Value) -> tuple[int, ...]:
    """Return a shape, an offset or axes as Python integers."""
    parts = value if isinstance(value, tuple) else (value,)
    if any(type(part) not in INTEGERS for part in parts):
        raise Unsupported(f"a shape or an offset that is {describe(value)}")
    return tuple(int(part) for part in parts)


def _shape(value: Value) -> tuple[int, ...]:
    shape = as_integers(value)
    if not all(length > 0 for length in shape) or np.prod(shape) > _LARGEST:
        raise Unsupported(f"a tile of shape {shape}")
    return shape


# --------------------------------------------------------------------------------------------------------------- creation


def filled(shape: Value, value: Value, dtype: Value) -> Tile:
    """Return a tile with equal elements."""
    element = dtype if isinstance(dtype, Type) else of(value)
    if element is None:
        raise Unsupported(f"a tile of {describe(value)}")
    converted = cast(value, element.scalar) if not element.shape else value
    return Tile(np.full((*_shape(shape), *element.shape), converted, element.scalar), element)


def _arange(*rest: Value) -> Tile:
    *ends, dtype, _ = rest
    element = dtype if isinstance(dtype, Type) else of(ends[0]) if ends else None
    if element is None or element.shape or not 1 <= len(ends) <= 3:
        raise Unsupported("tile_arange with such arguments")
    start, stop, step = (0, *ends, 1) if len(ends) == 1 else (*ends, 1)[:3]
    count = int(np.ceil((float(stop) - float(start)) / float(step)))
    if not 0 < count <= _LARGEST:
        raise Unsupported(f"a range of {count} elements")
    places = np.arange(count).astype(element.scalar)
    return Tile((element.scalar(start) + places * element.scalar(step)).astype(element.scalar), element)


def _random(block: int, shape: Value, rng: Value, low: Value, high: Value, *, floats: bool) -> Tile:
    """Return random numbers: thread by thread from its own stream, each for every block-th element."""
    if type(rng) is not np.uint32 or (low is None) != (high is None):
        raise Unsupported("random tiles with such arguments")
    lengths = _shape(shape)
    streams = [Stream(next_state((lane + int(rng)) & 0xFFFFFFFF)) for lane in range(block)]
    numbers = [streams[place % block] for place in range(int(np.prod(lengths)))]
    if floats:
        return Tile(np.array([stream.uniform(low, high) for stream in numbers], np.float32).reshape(lengths), Type(np.float32))
    ends = (0, 1 << 32) if low is None else (int(low), int(high))
    drawn = [(stream.bits() % ((ends[1] - ends[0]) or 1) + ends[0]) & 0xFFFFFFFF for stream in numbers]
    return Tile(np.array(drawn, np.uint32).astype(np.int32).reshape(lengths), Type(np.int32))


# ---------------------------------------------------------------------------------------------------------------- arrays


def _window(array: Value, shape: tuple[int, ...], offset: Value) -> tuple[Any, Any]:
    """Return the part of an array under a tile, and the part of the tile over the array."""
    if not isinstance(array, Array) or array.indices or not isinstance(array.element, Type):
        raise Unsupported(f"tiles of {describe(array)}")
    starts = as_integers(offset) if offset is not None else (0,) * len(array.shape)
    if len(shape) != len(array.shape) or len(starts) != len(array.shape):
        raise Unsupported(f"a tile of shape {shape} in an array of {len(array.shape)} dimensions")
    lows = [max(start, 0) for start in starts]
    highs = [
        max(min(start + length, end), low) for start, length, end, low in zip(starts, shape, array.shape, lows, strict=True)
    ]
    inside = tuple(slice(low, high) for low, high in zip(lows, highs, strict=True))
    return inside, tuple(slice(low - start, high - start) for low, high, start in zip(lows, highs, starts, strict=True))


def _load(array: Value, shape: Value, offset: Value, *_: Value) -> Tile:
    """Return a part of an array; elements beyond the array are zero."""
    lengths = _shape(shape)
    inside, over = _window(array, lengths, offset)
    tile = Tile(np.zeros((*lengths, *array.element.shape), array.element.scalar), array.element)
    tile.data[over] = array.data[inside]
    return tile


def _fitting(array: Value, value: Value) -> Tile:
    tile = tile_of(value)
    if not isinstance(array, Array) or array.element != tile.element:
        raise Unsupported(f"a tile of {tile.element} stored in {describe(array)}")
    return tile


def _store(array: Value, value: Value, offset: Value, *_: Value) -> None:
    tile = _fitting(array, value)
    inside, over = _window(array, tile.shape, offset)
    array.data[inside] = tile.data[over]


def _atomic_add(array: Value, value: Value, offset: Value, *_: Value) -> Tile:
    tile = _fitting(array, value)
    inside, over = _window(array, tile.shape, offset)
    old = _load(array, tuple(np.int32(length) for length in tile.shape), offset)
    array.data[inside] = array.data[inside] + tile.data[over]
    return old


def _rows(array: Value, indices: Value, shape: tuple[int, ...], offset: Value, axis: Value) -> tuple[Any, Any]:
    """Return the coordinates that a tile of indices selects from an array, and which of them exist."""
    along = 0 if axis is None else as_integers(axis)[0]
    starts = as_integers(offset) if offset is not None else (0,) * len(shape)
    chosen = tile_of(indices)
    if not isinstance(array, Array) or array.indices or len(shape) != len(array.shape) or chosen.shape != (shape[along],):
        raise Unsupported("such a tile of indices")
    rows = [np.arange(length) + start for length, start in zip(shape, starts, strict=True)]
    rows[along] = chosen.data + starts[along]
    grid = np.meshgrid(*rows, indexing="ij")
    inside = np.all([(index >= 0) & (index < length) for index, length in zip(grid, array.shape, strict=True)], axis=0)
    return tuple(index[inside] for index in grid), inside


def _load_indexed(array: Value, indices: Value, shape: Value, offset: Value, axis: Value, *_: Value) -> Tile:
    lengths = _shape(shape)
    places, inside = _rows(array, indices, lengths, offset, axis)
    tile = Tile(np.zeros((*lengths, *array.element.shape), array.element.scalar), array.element)
    tile.data[inside] = array.data[places]
    return tile


def _indexed(*, add: bool) -> Row:
    def apply(array: Value, indices: Value, value: Value, offset: Value, axis: Value) -> None:
        tile = _fitting(array, value)
        places, inside = _rows(array, indices, tile.shape, offset, axis)
        if add:
            np.add.at(array.data, places, tile.data[inside])
        else:
            array.data[places] = tile.data[inside]

    return apply


# ------------------------------------------------------------------------------------------------------------------ views


def _view(value: Value, offset: Value, shape: Value) -> Value:
    tile, starts = tile_of(value), as_integers(offset)
    if shape is None:
        return tile.item(tuple(np.int32(start) for start in starts))
    parts = tuple(slice(start, start + length) for start, length in zip(starts, _shape(shape), strict=True))
    if any(part.start < 0 or part.stop > length for part, length in zip(parts, tile.shape, strict=False)):
        raise Unsupported("a view beyond a tile")
    return Tile(tile.data[parts], tile.element)


def _assign(target: Value, source: Value, offset: Value) -> None:
    tile, part = tile_of(target), tile_of(source)
    starts = as_integers(offset) if offset is not None else (0,) * len(part.shape)
    parts = tuple(slice(start, start + length) for start, length in zip(starts, part.shape, strict=True))
    if tile.element != part.element or tile.data[parts].shape != part.data.shape:
        raise Unsupported("a part of a tile assigned beyond it")
    tile.data[parts] = part.data


def _reshape(value: Value, shape: Value) -> Tile:
    tile, lengths = tile_of(value), as_integers(shape)
    if np.prod(lengths) != np.prod(tile.shape) and -1 not in lengths:
        raise Unsupported(f"a tile of shape {tile.shape} reshaped to {lengths}")
    return Tile(tile.data.reshape(*lengths, *tile.element.shape), tile.element)


def _squeeze(value: Value, axis: Value) -> Tile:
    tile = tile_of(value)
    axes = tuple(place for place, length in enumerate(tile.shape) if length == 1) if axis is None else as_integers(axis)
    try:
        return Tile(np.squeeze(tile.data, axis=axes), tile.element)
    except ValueError as error:
        raise Unsupported(f"a squeezed tile: {error}") from None


def _broadcast(value: Value, shape: Value) -> Tile:
    tile, lengths = tile_of(value), _shape(shape)
    inner = tile.element.shape
    try:
        return Tile(np.broadcast_to(tile.data, (*lengths, *inner)) if not inner else _wide(tile, lengths), tile.element)
    except ValueError as error:
        raise Unsupported(f"a broadcast tile: {error}") from None


def _wide(tile: Tile, lengths: tuple[int, ...]) -> Any:
    padded = tile.data.reshape((1,) * (len(lengths) - len(tile.shape)) + tile.data.shape)
    return np.broadcast_to(padded, (*lengths, *tile.element.shape))


def _transpose(value: Value) -> Tile:
    tile = tile_of(value)
    if len(tile.shape) != 2:
        raise Unsupported(f"a transposed tile of shape {tile.shape}")
    return Tile(tile.data.swapaxes(0, 1), tile.element)


def _astype(value: Value, dtype: Value) -> Tile:
    tile = tile_of(value)
    if tile.element.shape or not isinstance(dtype, Type) or dtype.shape:
        raise Unsupported(f"a tile converted to {dtype}")
    return Tile(np.array([cast(element, dtype.scalar) for element in tile.values()], dtype.scalar).reshape(tile.shape), dtype)


NAMED: dict[str, Named] = {
    "tile_zeros": Named("shape dtype storage?", lambda shape, dtype, _: filled(shape, np.int32(0), dtype)),
    "tile_empty": Named("shape dtype storage?", lambda shape, dtype, _: filled(shape, np.int32(0), dtype)),
    "tile_ones": Named("shape dtype storage?", lambda shape, dtype, _: filled(shape, np.int32(1), dtype)),
    "tile_full": Named("shape value dtype? storage?", lambda shape, value, dtype, _: filled(shape, value, dtype)),
    "tile_arange": Named("*args dtype? storage?", _arange),
    "block_dim": Named("&block", np.int32),
    "tile_randi": Named("&block shape rng min? max? storage?", lambda *rest: _random(*rest[:5], floats=False)),
    "tile_randf": Named("&block shape rng min? max? storage?", lambda *rest: _random(*rest[:5], floats=True)),
    "tile_load": Named("a shape offset? storage? bounds_check? aligned?", _load),
    "tile_store": Named("a t offset? bounds_check? aligned?", _store),
    "tile_atomic_add": Named("a t offset? bounds_check?", _atomic_add),
    "tile_load_indexed": Named("a indices shape offset? axis? storage?", _load_indexed),
    "tile_store_indexed": Named("a indices t offset? axis?", _indexed(add=False)),
    "tile_atomic_add_indexed": Named("a indices t offset? axis?", _indexed(add=True)),
    "tile_view": Named("t offset shape?", _view),
    "tile_assign": Named("dst src offset?", _assign),
    "tile_extract": Named("a *indices", lambda tile, *indices: tile_of(tile).item(indices)),
    "tile_reshape": Named("t shape", _reshape),
    "tile_squeeze": Named("t axis?", _squeeze),
    "tile_broadcast": Named("a shape", _broadcast),
    "tile_transpose": Named("a", _transpose),
    "tile_astype": Named("t dtype", _astype),
}
