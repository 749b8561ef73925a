"""Literals, conversions between types, and construction of values."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from warpsmith.validation.oracle.values.interpretation_errors import Undefined, Unsupported
from warpsmith.validation.oracle.values.moving_values import CORNERS, paired, tangent_of, value_of
from warpsmith.validation.oracle.values.value_types import (
    FLOATS,
    INTEGERS,
    NUMBERS,
    PRECISION,
    Components,
    Lanes,
    Moving,
    Type,
    Value,
    describe,
)


def literal(value: Any) -> Value:
    """Return a number of the source as a typed scalar: integers become int32, other numbers float32, see `Precision`."""
    kind = type(value)  # float64 is a float, too
    if kind is bool:
        return np.bool_(value)
    if kind is float:
        return PRECISION.of(np.float32)(value)
    if kind is int:
        if not -(2**63) <= value < 2**64:
            raise Unsupported("a literal of more than 64 bits")
        return _wrap(value, np.int32)
    return value


def cast(value: Value, scalar: Any) -> Value:
    """Convert a scalar as in C, or a number of the source as in Python: it is not narrowed to int32 or float32 first."""
    kind = type(value)
    if kind is scalar:
        return value
    if kind is bool or kind is int or kind is float:
        if scalar is np.float64 or (kind is int and scalar in FLOATS):
            return scalar(value)
        if kind is int and np.dtype(scalar).itemsize == 8:
            return _wrap(value, scalar)
        value = literal(value)
    if type(value) is Lanes:
        return Lanes(_cast_all(value.data, scalar))
    if type(value) not in NUMBERS and type(value) is not np.bool_:
        raise Unsupported(f"{describe(value)} converted to {scalar.__name__}")
    if scalar in INTEGERS and type(value) in FLOATS:
        limits = np.iinfo(scalar)
        if not limits.min <= np.trunc(np.float64(value)) <= limits.max:
            raise Undefined(f"{value} converted to {scalar.__name__}")
        return scalar(int(value))
    return value.astype(scalar)


def _cast_all(values: Components, scalar: Any) -> Components:
    """Convert the scalars of several threads."""
    kind = values.dtype.type
    if kind is scalar:
        return values
    if values.ndim > 1:
        raise Unsupported(f"components converted to {scalar.__name__}")
    if scalar in INTEGERS and kind in FLOATS:
        if np.dtype(scalar).itemsize == 8:
            return np.array([cast(value, scalar) for value in values], scalar)
        limits, numbers = np.iinfo(scalar), np.trunc(values.astype(np.float64))
        if not np.all((limits.min <= numbers) & (numbers <= limits.max)):
            raise Undefined(f"a number converted to {scalar.__name__}")
        return numbers.astype(scalar)
    return values.astype(scalar)


def _wrap(value: int, scalar: Any) -> Value:
    return np.uint64(value & (2**64 - 1)).astype(scalar)


_SEVERAL = frozenset((Lanes, Moving))


def moving_made(target: Type, arguments: Sequence[Value]) -> Value:
    """Construct a value of arguments that move. The construction is linear; integers do not move."""
    value = make(target, [value_of(argument) for argument in arguments])
    if target.scalar not in FLOATS:
        for argument in arguments:
            CORNERS.note_jump(target.scalar.__name__, argument, np.trunc)
        return value
    return paired(value, make(target, [tangent_of(argument) for argument in arguments]))


def make(target: Type, arguments: Sequence[Value]) -> Value:
    """Construct a value from nothing, one value for all components, a value of the same shape, parts, or components."""
    if not _SEVERAL.isdisjoint(map(type, arguments)):
        return moving_made(target, arguments) if Moving in map(type, arguments) else _make_all(target, arguments)
    count = len(arguments)
    if count == 0:
        return target.zero()
    if not target.shape:
        if count != 1:
            raise Unsupported(f"{target} made of {count} values")
        return cast(arguments[0], target.scalar)
    if target.shape == (count,) and all(type(argument) is target.scalar for argument in arguments):
        return np.array(arguments, target.scalar).view(target.kind)
    first = arguments[0]
    if count == 1 and isinstance(first, np.ndarray) and first.shape == target.shape:
        return converted(first, target.scalar).view(target.kind)
    if all(isinstance(argument, np.ndarray) for argument in arguments) and len(target.shape) == 2:
        if count == target.shape[1] and all(argument.shape == target.shape[:1] for argument in arguments):
            return np.stack([converted(argument, target.scalar) for argument in arguments], axis=1)
        raise Unsupported(f"{target} made of {count} vectors")
    size = int(np.prod(target.shape))
    if count == 1 and not isinstance(first, np.ndarray):
        return np.full(target.shape, _component(first, target.scalar)).view(target.kind)
    parts: list[Value] = []
    for argument in arguments:
        parts += list(argument) if isinstance(argument, np.ndarray) and argument.ndim == 1 else [argument]
    if len(parts) != size:
        raise Unsupported(f"{target} made of {len(parts)} components")
    flat = np.array([_component(part, target.scalar) for part in parts], target.scalar)
    return flat.reshape(target.shape).view(target.kind)


def _make_all(target: Type, arguments: Sequence[Value]) -> Lanes:
    """Construct the values of several threads."""
    if not target.shape:
        if len(arguments) != 1:
            raise Unsupported(f"{target} made of {len(arguments)} values")
        value: Lanes = cast(arguments[0], target.scalar)
        return value
    count = next(argument.count for argument in arguments if type(argument) is Lanes)
    flat: list[Value] = []
    for argument in arguments:
        data = argument.data if type(argument) is Lanes else argument
        if type(argument) is Lanes and data.ndim == 1:
            flat.append(_cast_all(data, target.scalar))
        elif isinstance(data, np.ndarray) and data.ndim - (type(argument) is Lanes) == 1 and len(target.shape) == 1:
            flat += [part if part.dtype.type is target.scalar else _unlike(target) for part in data]
        elif isinstance(data, np.ndarray):
            _unlike(target)
        else:
            flat.append(_component(data, target.scalar))
    if len(flat) == 1:
        flat *= math.prod(target.shape)
    if len(flat) != math.prod(target.shape):
        raise Unsupported(f"{target} made of {len(flat)} components")
    stacked = np.empty((len(flat), count), target.scalar)
    for place, part in enumerate(flat):
        stacked[place] = part
    return Lanes(stacked.reshape(*target.shape, count).view(target.kind))


def _unlike(target: Type) -> Value:
    raise Unsupported(f"{target} made of such values of several threads")


def _component(value: Value, scalar: Any) -> Value:
    return cast(value, scalar)


def converted(value: Components, scalar: Any) -> Components:
    """Convert every component as in C."""
    if value.dtype.type is scalar:
        return value
    return np.array([cast(component, scalar) for component in value.flat], scalar).reshape(value.shape).view(type(value))
