"""Access to elements, components and members of values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from warpsmith.validation.oracle.values.interpretation_errors import Apart, Unsupported
from warpsmith.validation.oracle.values.kernel_arrays import Array, Key, Record, index_of
from warpsmith.validation.oracle.values.lanes import count_of, shape_of, with_lane_axis
from warpsmith.validation.oracle.values.moving_values import paired, tangent_of, value_of
from warpsmith.validation.oracle.values.tile_values import Tile
from warpsmith.validation.oracle.values.value_types import Components, Lanes, Moving, Quaternion, Transform, Value, describe

_LETTERS = {"x": 0, "y": 1, "z": 2, "w": 3}
_PARTS = {"p": slice(0, 3), "q": slice(3, 7)}
"""The position and the quaternion of a transformation."""

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
    elif isinstance(value, (np.ndarray, Lanes)):
        return _component_of(value, key)
    elif isinstance(value, Record):
        if isinstance(key, str) and key in value.members:
            return value.members[key]
    elif isinstance(value, Tile) and isinstance(key, tuple):
        return value.item(key)
    elif isinstance(value, tuple) and isinstance(key, tuple) and len(key) == 1:
        if type(key[0]) is Lanes:
            raise Apart("an element of a tuple for each thread")
        return value[index_of(key[0], len(value))]
    elif type(value) is Moving:
        return paired(get_item(value.value, key), get_item(value.tangent, key))
    elif isinstance(key, str) and (attributes := getattr(value, "attributes", None)) is not None and key in attributes:
        return np.int32(attributes[key])
    raise Unsupported(f"{f'.{key}' if isinstance(key, str) else 'an index'} of {describe(value)}")


def _component_of(value: Value, key: Key) -> Value:
    """Return a component or several components."""
    position = _position(value, key)
    if type(value) is Lanes:
        part = value.data.view(np.ndarray)[_of_each(position, value.data)]
    else:
        part = value.view(np.ndarray)[position]
        if isinstance(part, np.generic):
            return part
        if _differs(position):
            return Lanes(part if part.ndim == 1 else _apart())
    if key == "q" and isinstance(with_lane_axis(value), Transform):
        part = part.view(Quaternion)
    return part if type(value) is not Lanes else Lanes(part)


def with_item(value: Value, key: Key, new: Value) -> Value:
    """Return ``value`` with ``new`` as its element or member ``key``."""
    if isinstance(value, Record):
        if not isinstance(key, str) or key not in value.members:
            raise Unsupported(f"assignment to a member {key!r} of {value.type}")
        member = value.type.members[key]
        if not member.holds(new):
            raise Unsupported(f"{describe(new)} stored where {member} is expected")
        return Record(value.type, {**value.members, key: new})
    if type(value) is Moving or type(new) is Moving:
        return paired(with_item(value_of(value), key, value_of(new)), with_item(tangent_of(value), key, tangent_of(new)))
    if not isinstance(value, (np.ndarray, Lanes)):
        raise Unsupported(f"assignment to a part of {describe(value)}")
    position, count = _position(value, key), count_of((value, new, key))
    if isinstance(value, np.ndarray) and not count:
        copy = value.copy()
        if getattr(new, "dtype", None) != copy.dtype or np.shape(new) != copy[position].shape:
            raise Unsupported(f"{describe(new)} assigned to a part of {describe(value)}")
        copy[position] = new
        return copy
    data = with_lane_axis(value)
    wide = data.copy() if data.shape[-1] == count else np.repeat(data, count, axis=-1)
    position = _of_each(position, wide)
    shape = () if _differs(position) else wide[position].shape[:-1]
    if getattr(with_lane_axis(new), "dtype", None) != wide.dtype or shape_of(new) != shape:
        raise Unsupported(f"{describe(new)} assigned to a part of {describe(value)}")
    wide[position] = with_lane_axis(new)
    return Lanes(wide)


def _position(value: Value, key: Key) -> Any:
    """Return the position of components for a letter, a part of a transformation, or indices."""
    shape = shape_of(value) or ()
    if isinstance(key, str):
        if len(shape) == 1 and shape[0] <= len(_LETTERS) and _LETTERS.get(key, shape[0]) < shape[0]:
            return (_LETTERS[key],)
        if isinstance(with_lane_axis(value), Transform) and key in _PARTS:
            return (_PARTS[key],)
        raise Unsupported(f".{key} of {describe(value)}")
    if len(key) > len(shape):
        raise Unsupported(f"{len(key)} indices for {describe(value)}")
    return tuple(
        [index if isinstance(index, slice) else index_of(index, length) for index, length in zip(key, shape, strict=False)]
    )


def _differs(position: Any) -> bool:
    return any(isinstance(index, np.ndarray) for index in position)


def _of_each(position: Any, data: Components) -> Any:
    """Return a position in the components of several threads; where it differs between threads, of one component each."""
    if not _differs(position):
        return position
    if len(position) < data.ndim - 1 or any(isinstance(index, slice) for index in position):
        _apart()
    return (*position, np.arange(data.shape[-1]))


def _apart() -> Any:
    raise Apart("several components of each thread")
