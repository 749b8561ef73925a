"""The types of values: NumPy scalars, and arrays of scalars for vectors, matrices, quaternions and transformations.

Values are immutable: assigning a component creates a new vector, which gives kernels their value semantics.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from warpsmith.validation.oracle.values.interpretation_errors import Unsupported

Value: TypeAlias = Any
"""A NumPy scalar, an array of components, an `Array` of the launch, a `Record`, or a tuple of values."""

Components: TypeAlias = npt.NDArray[Any]


class Quaternion(np.ndarray[Any, Any]):
    """Four components x, y, z, w; arithmetic preserves the type."""


class Transform(np.ndarray[Any, Any]):
    """Seven components, a position and a quaternion; arithmetic preserves the type."""


_SIGNED = (np.int8, np.int16, np.int32, np.int64)
_UNSIGNED = (np.uint8, np.uint16, np.uint32, np.uint64)


class Lanes:
    """The values of several threads that run together, all of one type.

    The last dimension of ``data`` counts the threads, so that operations on components treat the vector of one thread and the
    vectors of many alike. A value that is no `Lanes` is the same for all threads.
    """

    __slots__ = ("data",)

    def __init__(self, data: Components) -> None:
        self.data = data

    @property
    def count(self) -> int:
        """The number of threads."""
        return int(self.data.shape[-1])

    def of_lane(self, lane: int) -> Value:
        """Return the value of one thread."""
        return self.data[lane] if self.data.ndim == 1 else self.data[..., lane].copy()


class Moving:
    """A value of floats and its derivative along the direction of the run, both of one type, see `moving_values`."""

    __slots__ = ("tangent", "value")
    __array_ufunc__ = None  # a function of NumPy must not receive one

    def __init__(self, value: Value, tangent: Value) -> None:
        self.value, self.tangent = value, tangent

    @property
    def members(self) -> dict[str, Value]:
        """Both parts by name."""
        return {"value": self.value, "tangent": self.tangent}

    def mapped(self, change: Callable[[Value], Value]) -> Moving:
        """Return the pair of changed parts."""
        return Moving(change(self.value), change(self.tangent))

    def combined(self, other: Value, combine: Callable[[Value, Value], Value]) -> Moving:
        """Return the pair of combined parts of two values; one that is no pair does not move."""
        if type(other) is not Moving:
            other = Moving(other, still(other))
        return Moving(combine(self.value, other.value), combine(self.tangent, other.tangent))


def still(value: Value) -> Value:
    """Return the derivative of a number or of components that do not move: zeros of the same type."""
    if type(value) is Lanes:
        return Lanes(np.zeros_like(value.data))
    return np.zeros_like(value) if isinstance(value, np.ndarray) else type(value)(0)


class Precision:
    """The precision of a run: with ``is_double``, narrower floats of the kernel are read as float64."""

    is_double = False

    def of(self, scalar: Any) -> Any:
        """Return the type as which a scalar type is read."""
        return np.float64 if self.is_double and scalar in FLOATS else scalar


PRECISION = Precision()
"""The precision of the kernel that is compiled or interpreted now."""

INTEGERS: frozenset[Any] = frozenset((*_SIGNED, *_UNSIGNED))
FLOATS: frozenset[Any] = frozenset((np.float16, np.float32, np.float64))
NUMBERS = INTEGERS | FLOATS

_SCALARS: dict[str, Any] = {kind.__name__: kind for kind in (*_SIGNED, *_UNSIGNED, np.float16, np.float32, np.float64)}
_SCALARS |= {"float": np.float32, "int": np.int32, "uint": np.uint32, "bool": np.bool_, "half": np.float16}
_LETTERS: dict[str, Any] = {"": np.float32, "h": np.float16, "f": np.float32, "d": np.float64}
_LETTERS |= {"b": np.int8, "s": np.int16, "i": np.int32, "l": np.int64}
_LETTERS |= {"ub": np.uint8, "us": np.uint16, "u": np.uint32, "ui": np.uint32, "ul": np.uint64}
_NAME = re.compile(r"(vec([1-9]\d*)|mat(\d)(\d)|quat|transform|spatial_vector|spatial_matrix)([a-z]{0,2})")
_FIXED: dict[str, tuple[tuple[int, ...], Any]] = {
    "quat": ((4,), Quaternion),
    "transform": ((7,), Transform),
    "spatial_vector": ((6,), np.ndarray),
    "spatial_matrix": ((6, 6), np.ndarray),
}
LARGEST = 64
"""The largest number of rows, columns or components of a value."""


@dataclass(frozen=True, slots=True)
class Type:
    """A type of values: its scalar type, its shape, which is empty for scalars, and the class of its arrays."""

    scalar: Any
    shape: tuple[int, ...] = ()
    kind: Any = np.ndarray

    def __str__(self) -> str:
        name = self.kind.__name__.lower() if self.kind is not np.ndarray else "x".join(map(str, self.shape))
        return f"{name} {self.scalar.__name__}" if self.shape else str(self.scalar.__name__).rstrip("_")

    def holds(self, value: Value) -> bool:
        """Return whether ``value`` has this type."""
        if type(value) is Lanes:
            data = value.data
            return (
                data.dtype.type is self.scalar and data.shape[:-1] == self.shape and (type(data) is self.kind or not self.shape)
            )
        if not self.shape:
            return type(value) is self.scalar or (type(value) is Moving and self.holds(value.value))
        if type(value) is Moving:
            return self.holds(value.value)
        return type(value) is self.kind and value.shape == self.shape and value.dtype.type is self.scalar

    @property
    def stored(self) -> tuple[Any, tuple[int, ...]]:
        """The NumPy type of an element of an array, and the shape of its components."""
        return self.scalar, self.shape

    def zero(self) -> Value:
        """Return the value of a variable without an assignment."""
        return np.zeros(self.shape, self.scalar).view(self.kind) if self.shape else self.scalar(0)

    def load(self, raw: Any) -> Value:
        """Return an element of an array as a value."""
        if not self.shape:
            return raw
        return raw.copy() if self.kind is np.ndarray else raw.copy().view(self.kind)

    def load_all(self, raw: Components) -> Lanes:
        """Return the elements of several threads, whose first dimension counts the threads."""
        if not self.shape:
            return Lanes(raw)
        data = raw.T if len(self.shape) == 1 else np.moveaxis(raw, 0, -1)
        return Lanes(data if self.kind is np.ndarray else data.view(self.kind))

    def dump_all(self, value: Value, count: int) -> Components:
        """Return the stored form of the values of ``count`` threads, or of a value that is the same for all of them."""
        if not self.holds(value):
            raise Unsupported(f"{describe(value)} stored where {self} is expected")
        if type(value) is not Lanes:
            return np.broadcast_to(value, (count, *self.shape))
        return np.asarray(value.data.T if len(self.shape) < 2 else np.moveaxis(value.data, -1, 0))

    def dump(self, value: Value) -> Value:
        """Return the stored form of ``value``."""
        if not self.holds(value):
            raise Unsupported(f"{describe(value)} stored where {self} is expected")
        return value


def named(name: str) -> Type | None:
    """Return the type with the Warp name ``name``, such as ``float32``, ``vec3`` or ``mat33f``, or None if it is unknown."""
    known = _named(name)
    return replace(known, scalar=PRECISION.of(known.scalar)) if known is not None and PRECISION.is_double else known


@cache
def _named(name: str) -> Type | None:
    if name in _SCALARS:
        return Type(_SCALARS[name])
    match = _NAME.fullmatch(name)
    if match is None or match[5] not in _LETTERS:
        return None
    scalar = _LETTERS[match[5]]
    if match[2]:
        return Type(scalar, (int(match[2]),))
    if match[3]:
        return Type(scalar, (int(match[3]), int(match[4])))
    shape, kind = _FIXED[match[1]]
    return Type(scalar, shape, kind)


def sized(scalar: Type, *shape: int) -> Type:
    """Return the vector or matrix type with a scalar type and shape."""
    if scalar.shape or not all(0 < length <= LARGEST for length in shape):
        raise Unsupported(f"a type of shape {shape}")
    return Type(scalar.scalar, shape)


def of(value: Value) -> Type | None:
    """Return the type of a scalar, vector or matrix, or None for other values."""
    if type(value) is Lanes:
        return Type(value.data.dtype.type, value.data.shape[:-1], type(value.data))
    if isinstance(value, np.ndarray):
        return Type(value.dtype.type, value.shape, type(value))
    return Type(type(value)) if isinstance(value, np.generic) and not isinstance(value, np.void) else None


def describe(value: Value) -> str:
    """Return the type of a value for a message."""
    return str(of(value) or type(value).__name__)
