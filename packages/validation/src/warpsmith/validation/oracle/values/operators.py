"""Operators with the semantics of C, applied per component to vectors where Warp does so."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

from warpsmith.validation.oracle.values.choices import CHOICES
from warpsmith.validation.oracle.values.conversions import cast
from warpsmith.validation.oracle.values.interpretation_errors import Undefined, Unsupported
from warpsmith.validation.oracle.values.kernel_arrays import Array
from warpsmith.validation.oracle.values.lanes import class_of, lane_aware, shape_of, with_lane_axis
from warpsmith.validation.oracle.values.tile_values import Tile, combined
from warpsmith.validation.oracle.values.value_types import FLOATS, INTEGERS, NUMBERS, Lanes, Value, describe

Row: TypeAlias = Callable[..., Value]
"""The implementation of a builtin: from typed values to a typed value; raises Unsupported for other types."""


def same_type_row(
    name: str, operation: Row, kinds: frozenset[Any] = NUMBERS, *, vectors: bool = True, each: bool = False
) -> Row:
    """Make a row of an operation on two values of the same type, without conversions.

    Args:
        name: the name of the row.
        operation: the operation, on scalars and arrays.
        kinds: the scalar types that the operation supports.
        vectors: whether it supports components.
        each: whether it supports scalars only, and is called for each thread.
    """

    def apply(a: Value, b: Value) -> Value:
        kind = type(a)
        if kind is type(b):
            if kind in kinds:
                return operation(a, b)
            if vectors and isinstance(a, np.ndarray) and a.shape == b.shape and a.dtype == b.dtype and a.dtype.type in kinds:
                return operation(a, b)
        if (kind is Tile or type(b) is Tile) and (a if kind is Tile else b).element.scalar in kinds:
            return combined(name, operation, a, b)
        if (kind is Lanes or type(b) is Lanes) and same_type(a, b):
            left, right = with_lane_axis(a), with_lane_axis(b)
            if left.dtype.type in kinds and (vectors or left.ndim < 2):
                return Lanes(operation(left, right))
        raise Unsupported(f"{name} of {describe(a)} and {describe(b)}")

    return apply if each else lane_aware(apply)


def same_type(a: Value, b: Value) -> bool:
    """Return whether two values of several threads have one type."""
    if type(a) is type(b) is Lanes:
        return a.data.dtype == b.data.dtype and a.data.shape == b.data.shape and class_of(a) is class_of(b)
    return class_of(a) is class_of(b) and shape_of(a) == shape_of(b) and with_lane_axis(a).dtype == with_lane_axis(b).dtype


def quotient(a: Value, b: Value) -> Value:
    """Divide scalars or components; integer quotients are truncated toward zero."""
    if a.dtype.type in FLOATS:
        return a / b
    _check_divisor(a, b)
    floored = a // b
    return floored + ((floored < 0) & (floored * b != a)).astype(a.dtype)


def remainder(a: Value, b: Value) -> Value:
    """Return the remainder of `quotient`, with the sign of ``a``."""
    if a.dtype.type in INTEGERS:
        _check_divisor(a, b)
    return np.fmod(a, b)


def floor_quotient(a: Value, b: Value) -> Value:
    """Divide and round down."""
    if a.dtype.type in FLOATS:
        return np.floor(a / b)
    _check_divisor(a, b)
    return a // b


_LEAST = {kind: kind(np.iinfo(kind).min) for kind in INTEGERS}
"""The least integers of all types."""


def _check_divisor(a: Value, b: Value) -> None:
    if not b.all():
        raise Undefined("an integer division by zero")
    if a.dtype.kind == "i" and np.any((b == -1) & (a == _LEAST[a.dtype.type])):
        raise Undefined("an integer division that overflows")


def _shift(operation: Row) -> Row:
    def apply(a: Value, b: Value) -> Value:
        if np.any(b < 0) or np.any(b >= 8 * a.dtype.itemsize):
            raise Undefined("a shift by more bits than there are")
        return operation(a, b)

    return apply


def _power(a: Value, b: Value) -> Value:
    try:
        return CHOICES.of_library(type(a)(math.pow(float(a), float(b))))
    except (ValueError, OverflowError):
        return type(a)(np.power(np.float64(a), np.float64(b)))


@lane_aware
def negative(a: Value) -> Value:
    """Negate; a scalar is subtracted from zero, so that the result for zero has no sign."""
    if type(a) in NUMBERS:
        return type(a)(0) - a
    if isinstance(a, np.ndarray):
        return -a
    if isinstance(a, Tile):
        return Tile(-a.data, a.element)
    if type(a) is Lanes and a.data.dtype.type in NUMBERS:
        return Lanes(-a.data if a.data.ndim > 1 else a.data.dtype.type(0) - a.data)
    raise Unsupported(f"minus {describe(a)}")


@lane_aware
def positive(a: Value) -> Value:
    """Return the value itself."""
    if type(a) in NUMBERS or isinstance(a, (np.ndarray, Lanes)):
        return a
    raise Unsupported(f"plus {describe(a)}")


@lane_aware
def _invert(a: Value) -> Value:
    if type(a) in INTEGERS or (type(a) is np.ndarray and a.dtype.type in INTEGERS):
        return ~a
    if type(a) is Lanes and a.data.dtype.type in INTEGERS:
        return Lanes(~a.data)
    raise Unsupported(f"~ of {describe(a)}")


def truth(value: Value) -> bool:
    """Return whether a scalar is not zero, or an array has memory."""
    if isinstance(value, Array):
        return value.data.size > 0
    if type(value) is np.bool_ or (isinstance(value, np.generic) and value.shape == ()):
        return bool(value)
    raise Unsupported(f"{describe(value)} as a condition")


def truths(value: Value) -> Any:
    """Return whether a scalar is not zero: one answer, or the answers of several threads."""
    if type(value) is not Lanes:
        return truth(value)
    if value.data.ndim > 1:
        raise Unsupported(f"{describe(value)} as a condition")
    return value.data if value.data.dtype.type is np.bool_ else value.data.astype(np.bool_)


@lane_aware
def _not(value: Value) -> Value:
    holds = truths(value)
    return np.bool_(not holds) if isinstance(holds, bool) else Lanes(~holds)


def compare(name: str, operation: Row, *, vectors: bool = False) -> Row:
    """Make a row of a comparison; scalars of different types are compared as in C, vectors only for equality."""

    def apply(a: Value, b: Value) -> Value:
        kind = type(a)
        if kind is type(b) and (kind in NUMBERS or kind is np.bool_):
            return operation(a, b)
        if kind is Lanes or type(b) is Lanes:
            return _compare_all(name, operation, a, b, vectors=vectors)
        if isinstance(a, np.generic) and isinstance(b, np.generic):
            common = _common(kind, type(b))
            return operation(cast(a, common), cast(b, common))
        if vectors and isinstance(a, np.ndarray) and kind is type(b) and a.shape == b.shape and a.dtype == b.dtype:
            return np.bool_(np.all(a == b))
        raise Unsupported(f"{describe(a)} {name} {describe(b)}")

    return lane_aware(apply)


def _compare_all(name: str, operation: Row, a: Value, b: Value, *, vectors: bool) -> Lanes:
    """Compare the values of several threads."""
    left, right, shape = with_lane_axis(a), with_lane_axis(b), shape_of(a)
    if shape == shape_of(b) == ():
        if left.dtype != right.dtype:
            common = _common(left.dtype.type, right.dtype.type)
            left, right = with_lane_axis(cast(a, common)), with_lane_axis(cast(b, common))
        return Lanes(operation(left, right))
    if not vectors or not same_type(a, b):
        raise Unsupported(f"{describe(a)} {name} {describe(b)}")
    return Lanes(np.all(left == right, axis=tuple(range(len(shape or ())))))


def _common(a: Any, b: Any) -> Any:
    """Return the type in which C compares two numbers: the wider float, else at least int, unsigned for equal widths."""
    real = [kind for kind in (a, b) if kind in FLOATS]
    if real:
        return max(real, key=lambda kind: np.dtype(kind).itemsize)
    widened = [np.int32 if np.dtype(kind).itemsize < 4 else kind for kind in (a, b)]
    return max(widened, key=lambda kind: (np.dtype(kind).itemsize, np.issubdtype(kind, np.unsignedinteger)))


ROWS: dict[str, Row] = {
    "add": same_type_row("add", operator.add),
    "sub": same_type_row("sub", operator.sub),
    "mod": same_type_row("mod", remainder),
    "floordiv": same_type_row("floordiv", floor_quotient, vectors=False),
    "pow": same_type_row("pow", _power, FLOATS, vectors=False, each=True),
    "bit_and": same_type_row("bit_and", operator.and_, INTEGERS),
    "bit_or": same_type_row("bit_or", operator.or_, INTEGERS),
    "bit_xor": same_type_row("bit_xor", operator.xor, INTEGERS),
    "lshift": same_type_row("lshift", _shift(operator.lshift), INTEGERS),
    "rshift": same_type_row("rshift", _shift(operator.rshift), INTEGERS),
    "invert": _invert,
    "neg": negative,
    "pos": positive,
    "unot": _not,
}

COMPARISONS: dict[str, Row] = {
    "<": compare("<", operator.lt),
    "<=": compare("<=", operator.le),
    ">": compare(">", operator.gt),
    ">=": compare(">=", operator.ge),
    "==": compare("==", operator.eq, vectors=True),
    "!=": compare("!=", operator.ne),
}

QUICK: dict[str, Row] = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}
"""Operations on two numbers of one type that need no check."""
