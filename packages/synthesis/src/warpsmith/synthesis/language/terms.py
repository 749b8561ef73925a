"""How terms are made: each gets its type from Warp's registry and its bounds from its parts."""

from __future__ import annotations

from warpsmith.synthesis.language import ranges
from warpsmith.synthesis.language.builtins.registry import ROWS, result_type
from warpsmith.synthesis.language.nodes import (
    Apply,
    Array,
    Compare,
    Component,
    Const,
    Construct,
    Expr,
    Load,
    Logic,
    Name,
    Ternary,
)
from warpsmith.synthesis.language.types import BOOL, FLOAT, INT, TYPES, Type


def const(value: float | bool) -> Const:
    """A literal of the type that Warp gives it."""
    if isinstance(value, bool):
        return Const(value, BOOL)
    return Const(value, INT if isinstance(value, int) else FLOAT)


def apply(key: str, *args: Expr) -> Apply:
    """A builtin or operator applied to ``args``.

    Raises:
        TypeError: if Warp has no overload for these types; a generator that asks for one is wrong.
    """
    dtype = result_type(key, tuple(arg.type for arg in args))
    if dtype is None:
        raise TypeError(f"{key} has no overload for {', '.join(arg.type.name for arg in args)}")
    low, high = ROWS[key].range(args)
    return Apply(key, args, dtype, low, high)


def construct(dtype: Type, *args: Expr) -> Construct:
    """A vector or matrix of its components, or of one value for all."""
    low, high = ranges.hull(*args)
    return Construct(args, dtype, low, high)


def component(value: Expr, *indices: Expr, letters: bool = False) -> Component:
    """A component of a vector or an entry of a matrix."""
    return Component(value, indices, TYPES[value.type.scalar], value.low, value.high, letters)


def load(array: Array, *indices: Expr) -> Load:
    """An element of an array parameter."""
    return Load(array.name, indices, array.element, array.low, array.high)


def compare(operator: str, left: Expr, right: Expr) -> Compare:
    """``left < right`` and the like."""
    return Compare((operator,), (left, right))


def between(low: Expr, value: Expr, high: Expr) -> Compare:
    """``low < value < high``."""
    return Compare(("<", "<"), (low, value, high))


def both(*conditions: Expr) -> Logic:
    """``a and b``."""
    return Logic("and", conditions)


def negate(condition: Expr) -> Logic:
    """``not a``."""
    return Logic("not", (condition,))


def ternary(condition: Expr, then: Expr, other: Expr) -> Ternary:
    """``then if condition else other``."""
    low, high = ranges.hull(then, other)
    return Ternary(condition, then, other, then.type, low, high)


def index(name: str, size: int, extent: str) -> Name:
    """A variable that indexes the array dimension ``extent`` of length ``size``."""
    return Name(name, INT, 0, size - 1, extent)
