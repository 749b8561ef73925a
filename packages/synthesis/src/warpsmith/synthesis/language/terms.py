"""Constructors of expressions: types come from Warp's registry, bounds from the parts."""

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
    """Return a literal with the type that Warp infers."""
    if isinstance(value, bool):
        return Const(value, BOOL)
    return Const(value, INT if isinstance(value, int) else FLOAT)


def apply(key: str, *args: Expr) -> Apply:
    """Apply a builtin or operator to ``args``.

    Raises:
        TypeError: if Warp has no overload for these types; the caller has a bug.
    """
    dtype = result_type(key, tuple(arg.type for arg in args))
    if dtype is None:
        raise TypeError(f"{key} has no overload for {', '.join(arg.type.name for arg in args)}")
    low, high = ROWS[key].range(args)
    return Apply(key, args, dtype, low, high)


def construct(dtype: Type, *args: Expr) -> Construct:
    """Return a vector or matrix of its components, or of one value for all components."""
    low, high = ranges.hull(*args)
    return Construct(args, dtype, low, high)


def component(value: Expr, *indices: Expr, letters: bool = False) -> Component:
    """Return a component of a vector or an entry of a matrix."""
    return Component(value, indices, TYPES[value.type.scalar], value.low, value.high, letters)


def load(array: Array, *indices: Expr) -> Load:
    """Return an element of an array parameter."""
    return Load(array.name, indices, array.element, array.low, array.high)


def compare(operator: str, left: Expr, right: Expr) -> Compare:
    """Return a comparison such as ``left < right``."""
    return Compare((operator,), (left, right))


def between(low: Expr, value: Expr, high: Expr) -> Compare:
    """Return ``low < value < high``."""
    return Compare(("<", "<"), (low, value, high))


def both(*conditions: Expr) -> Logic:
    """Return ``a and b``."""
    return Logic("and", conditions)


def negate(condition: Expr) -> Logic:
    """Return ``not a``."""
    return Logic("not", (condition,))


def ternary(condition: Expr, then: Expr, other: Expr) -> Ternary:
    """Return ``then if condition else other``."""
    low, high = ranges.hull(then, other)
    return Ternary(condition, then, other, then.type, low, high)


def index(name: str, size: int, extent: str) -> Name:
    """Return a variable that indexes the array dimension ``extent`` of length ``size``."""
    return Name(name, INT, 0, size - 1, extent)
