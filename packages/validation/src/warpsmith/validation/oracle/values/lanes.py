"""Functions of values that differ between the threads that run together, see `value_types.Lanes`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from warpsmith.validation.oracle.values.choices import CHOICES
from warpsmith.validation.oracle.values.interpretation_errors import Apart
from warpsmith.validation.oracle.values.value_types import Components, Lanes, Moving, Value, still


class Objects:
    """The objects of several threads, such as queries; each thread has one of its own."""

    __slots__ = ("each",)

    def __init__(self, each: Sequence[Value]) -> None:
        self.each = each


FEWEST = 6
"""The smallest number of threads that run together; fewer are faster one after another."""

LANE_AWARE_ROWS: set[Callable[..., Value]] = set()
"""The rows of builtins that accept `Lanes`; other rows are called for one thread after another."""


def lane_aware(row: Callable[..., Value]) -> Callable[..., Value]:
    """Register that a row accepts `Lanes`."""
    LANE_AWARE_ROWS.add(row)
    return row


def with_lane_axis(value: Value) -> Value:
    """Return the components of a value with a last dimension for the threads; the scalar of all threads needs none."""
    if type(value) is Lanes:
        return value.data
    return value[..., None] if isinstance(value, np.ndarray) else value


def shape_of(value: Value) -> tuple[int, ...] | None:
    """Return the shape of the components of each thread, or None for other values."""
    if type(value) is Lanes:
        shape: tuple[int, ...] = value.data.shape[:-1]
        return shape
    return value.shape if isinstance(value, (np.ndarray, np.generic)) else None


def class_of(value: Value) -> Any:
    """Return the scalar type of a number, or the class of components."""
    if type(value) is Lanes:
        return type(value.data) if value.data.ndim > 1 else value.data.dtype.type
    return type(value)


def applied(operation: Callable[..., Value], *values: Value) -> Value:
    """Return the result of an operation on components, of all threads at once where a value differs between threads."""
    for value in values:
        if type(value) is Lanes:
            result = operation(*[with_lane_axis(operand) for operand in values])
            return tuple([Lanes(part) for part in result]) if isinstance(result, tuple) else Lanes(result)
    return operation(*values)


def rounded(function: Callable[..., float], *numbers: Any) -> Any:
    """Return a function of numbers that is computed in double precision and rounded once, for each thread."""
    kind = numbers[0].dtype.type
    if not any(isinstance(number, np.ndarray) for number in numbers):
        return CHOICES.of_library(kind(function(*map(float, numbers))))
    rows = zip(*[number.tolist() for number in np.broadcast_arrays(*numbers)], strict=True)
    return CHOICES.of_library(np.array([function(*row) for row in rows], kind))


def choose(condition: Any, a: Value, b: Value) -> Value:
    """Return ``a`` where a condition on components holds, and ``b`` elsewhere."""
    if isinstance(condition, np.ndarray):
        chosen: Any = np.where(condition, a, b)
        return chosen.view(type(a)) if isinstance(a, np.ndarray) else chosen
    return a if condition else b


def components(parts: Any, scalar: Any) -> Components:
    """Return components from their parts, of which some may be the same for all threads."""
    arrays = [part for part in parts if isinstance(part, np.ndarray)]
    return np.array(parts if not arrays or len(arrays) == len(parts) else np.broadcast_arrays(*parts), scalar)


def part_of(value: Value, places: Components) -> Value:
    """Return the values of some of the threads."""
    if type(value) is Lanes:
        return Lanes(value.data[..., places])
    if type(value) is Objects:
        return Objects([value.each[place] for place in places])
    if isinstance(value, tuple):
        return tuple([part_of(element, places) for element in value])
    mapped = getattr(value, "mapped", None)
    return value if mapped is None else mapped(lambda member: part_of(member, places))


def merged(old: Value, new: Value, places: Components, count: int) -> Value:
    """Return the values of ``count`` threads: new ones at some places, old ones at the others.

    Raises:
        Apart: if their types differ.
    """
    if old is new:
        return old
    if isinstance(old, tuple) and isinstance(new, tuple) and len(old) == len(new):
        return tuple([merged(before, after, places, count) for before, after in zip(old, new, strict=True)])
    if (combined := getattr(old, "combined", None)) is not None:
        return combined(new, lambda before, after: merged(before, after, places, count))
    if type(new) is Moving:
        return merged(Moving(old, still(old)), new, places, count)
    if type(old) is type(new) is Objects:
        each = list(old.each)
        for place, value in zip(places, new.each, strict=True):
            each[place] = value
        return Objects(each)
    shape, kind = shape_of(old), class_of(old)
    if (
        shape is None
        or shape != shape_of(new)
        or kind is not class_of(new)
        or with_lane_axis(old).dtype != with_lane_axis(new).dtype
    ):
        raise Apart("a variable with values of several types")
    if type(old) is Lanes:
        data = old.data.copy()
    else:
        data = np.broadcast_to(with_lane_axis(old), (*shape, count)).copy()
        data = data.view(kind) if shape else data
    data[..., places] = with_lane_axis(new)
    return Lanes(data)


def joined(values: Sequence[Value]) -> Value:
    """Return the values of single threads as one value.

    Raises:
        Apart: if they are no numbers or components, or have several types.
    """
    first = values[0]
    if first is None and all(value is None for value in values):
        return None
    if isinstance(first, tuple) and all(isinstance(value, tuple) and len(value) == len(first) for value in values):
        return tuple([joined(parts) for parts in zip(*values, strict=True)])
    if (gathered := getattr(first, "gathered", None)) is not None:
        return gathered(values, joined)
    kind, shape = type(first), shape_of(first)
    if shape is None and all(type(value) is kind for value in values):
        return Objects(values)
    if shape is None or any(type(value) is not kind or value.shape != shape or value.dtype != first.dtype for value in values):
        raise Apart(f"values of {kind.__name__} and other types")
    if not shape:
        return Lanes(np.array(values, kind))
    return Lanes(np.stack(values, axis=-1).view(kind))


def lane_of(value: Value, lane: int) -> Value:
    """Return the value of one thread."""
    if type(value) is Lanes:
        return value.of_lane(lane)
    if type(value) is Objects:
        return value.each[lane]
    if isinstance(value, tuple):
        return tuple([lane_of(element, lane) for element in value])
    mapped = getattr(value, "mapped", None)
    return value if mapped is None else mapped(lambda member: lane_of(member, lane))


def count_of(value: Value) -> int:
    """Return the number of threads of a value, or zero if it is the same for all threads."""
    if type(value) is Lanes:
        return value.count
    if type(value) is Objects:
        return len(value.each)
    if isinstance(value, tuple):
        return max((count_of(element) for element in value), default=0)
    members = getattr(value, "members", None)
    return max((count_of(member) for member in members.values()), default=0) if isinstance(members, dict) else 0


def lifted(row: Callable[..., Value], is_apart: Callable[[], bool]) -> Callable[..., Value]:
    """Return a row that accepts `Lanes`, which do not occur while ``is_apart`` holds."""
    if row in LANE_AWARE_ROWS:
        return row

    def apply(*values: Value) -> Value:
        if is_apart():
            return row(*values)
        if not (count := count_of(values)):
            result = row(*values)
            if getattr(result, "per_thread", False):
                raise Apart("an object that every thread has")
            return result
        for value in values:
            if (accesses := getattr(value, "accesses", None)) is not None:
                accesses.read_all(value)
        return joined([row(*lane_of(values, lane)) for lane in range(count)])

    return apply
