"""The types of values: NumPy scalars, and arrays of scalars for vectors, matrices, quaternions and transformations.

Values are immutable: assigning a component creates a new vector, which gives kernels their value semantics.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from warpsmith.validation.oracle.errors import Undefined, Unsupported

Value: TypeAlias = Any
"""A NumPy scalar, an array of components, an `Array` of the launch, a `Record`, or a tuple of values."""

Components: TypeAlias = npt.NDArray[Any]


class Quaternion(np.ndarray[Any, Any]):
    """Four components x, y, z, w; arithmetic preserves the type."""


class Transform(np.ndarray[Any, Any]):
    """Seven components, a position and a quaternion; arithmetic preserves the type."""


_SIGNED = (np.int8, np.int16, np.int32, np.int64)
_UNSIGNED = (np.uint8, np.uint16, np.uint32, np.uint64)
INTEGERS: frozenset[Any] = frozenset((*_SIGNED, *_UNSIGNED))
FLOATS: frozenset[Any] = frozenset((np.float16, np.float32, np.float64))
NUMBERS = INTEGERS | FLOATS

_SCALARS: dict[str, Any] = {kind.__name__: kind for kind in (*_SIGNED, *_UNSIGNED, np.float16, np.float32, np.float64)}
_SCALARS |= {"float": np.float32, "int": np.int32, "uint": np.uint32, "bool": np.bool_, "half": np.float16}
_LETTERS: dict[str, Any] = {"": np.float32, "h": np.float16, "f": np.float32, "d": np.float64}
_LETTERS |= {"b": np.int8, "s": np.int16, "i": np.int32, "l": np.int64}
_LETTERS |= {"ub": np.uint8, "us": np.uint16, "u": np.uint32, "ui": np.uint32, "ul": np.uint64}
_NAME = re.compile(r"(vec(\d)|mat(\d)(\d)|quat|transform|spatial_vector|spatial_matrix)([a-z]{0,2})")
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
        if not self.shape:
            return type(value) is self.scalar
        return type(value) is self.kind and value.shape == self.shape and value.dtype.type is self.scalar

    def zero(self) -> Value:
        """Return the value of a variable without an assignment."""
        return np.zeros(self.shape, self.scalar).view(self.kind) if self.shape else self.scalar(0)

    def load(self, raw: Any) -> Value:
        """Return an element of an array as a value."""
        if not self.shape:
            return raw
        return raw.copy() if self.kind is np.ndarray else raw.copy().view(self.kind)

    def dump(self, value: Value) -> Value:
        """Return the stored form of ``value``."""
        if not self.holds(value):
            raise Unsupported(f"{describe(value)} stored where {self} is expected")
        return value


@cache
def named(name: str) -> Type | None:
    """Return the type with the Warp name ``name``, such as ``float32``, ``vec3`` or ``mat33f``, or None if it is unknown."""
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
    if isinstance(value, np.ndarray):
        return Type(value.dtype.type, value.shape, type(value))
    return Type(type(value)) if isinstance(value, np.generic) and not isinstance(value, np.void) else None


def describe(value: Value) -> str:
    """Return the type of a value for a message."""
    return str(of(value) or type(value).__name__)


def literal(value: object) -> Value:
    """Return a number of the source as a typed scalar: integers become int32, other numbers float32."""
    if isinstance(value, bool):
        return np.bool_(value)
    if isinstance(value, float):
        return np.float32(value)
    if isinstance(value, int):
        if not -(2**63) <= value < 2**64:
            raise Unsupported("a literal of more than 64 bits")
        return _wrap(value, np.int32)
    return value


def cast(value: Value, scalar: Any) -> Value:
    """Convert a scalar or a number of the source as in C; a literal for a 64-bit type is not narrowed first."""
    if isinstance(value, (bool, int, float)):
        if scalar is np.float64 and not isinstance(value, bool):
            return np.float64(value)
        if isinstance(value, int) and np.dtype(scalar).itemsize == 8 and scalar in INTEGERS:
            return _wrap(value, scalar)
        value = literal(value)
    if type(value) is scalar:
        return value
    if type(value) not in NUMBERS and type(value) is not np.bool_:
        raise Unsupported(f"{describe(value)} converted to {scalar.__name__}")
    if scalar in INTEGERS and type(value) in FLOATS:
        limits = np.iinfo(scalar)
        if not limits.min <= np.trunc(np.float64(value)) <= limits.max:
            raise Undefined(f"{value} converted to {scalar.__name__}")
        return scalar(int(value))
    return value.astype(scalar)


def _wrap(value: int, scalar: Any) -> Value:
    return np.uint64(value & (2**64 - 1)).astype(scalar)


def make(target: Type, arguments: Sequence[Value]) -> Value:
    """Construct a value from nothing, one value for all components, a value of the same shape, parts, or components."""
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


def _component(value: Value, scalar: Any) -> Value:
    return cast(literal(value), scalar)


def converted(value: Components, scalar: Any) -> Components:
    """Convert every component as in C."""
    if value.dtype.type is scalar:
        return value
    return np.array([cast(one, scalar) for one in value.flat], scalar).reshape(value.shape).view(type(value))
