"""The CUDA types of values: built-in numbers and vectors, and small structs for matrices, quaternions and poses."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from warpsmith.validation.oracle.values.interpretation_errors import Unsupported
from warpsmith.validation.oracle.values.kernel_arrays import Arrays, Struct
from warpsmith.validation.oracle.values.value_types import INTEGERS, Quaternion, Transform, Type

SCALARS: dict[Any, str] = {
    np.float32: "float", np.float64: "double", np.bool_: "bool", np.int8: "signed char", np.uint8: "unsigned char",
    np.int16: "short", np.uint16: "unsigned short", np.int32: "int", np.uint32: "unsigned int", np.int64: "long long",
    np.uint64: "unsigned long long", np.float16: "__half",
}  # fmt: skip
"""The CUDA types of numbers."""

_VECTOR_PREFIX: dict[Any, str] = {
    np.float32: "float", np.float64: "double", np.int32: "int", np.uint32: "uint", np.int64: "longlong",
    np.uint64: "ulonglong", np.int16: "short", np.uint16: "ushort", np.int8: "char", np.uint8: "uchar",
}  # fmt: skip
_SUFFIX: dict[Any, str] = {np.float32: "", np.float64: "d", np.int32: "i", np.uint32: "u", np.int64: "l"}

HALF = Type(np.float16)
FLOAT, DOUBLE, INT, UINT, BOOL = Type(np.float32), Type(np.float64), Type(np.int32), Type(np.uint32), Type(np.bool_)
LONG = Type(np.int64)


@dataclass(frozen=True, slots=True)
class Tuple:
    """The type of several values that a function returns."""

    types: tuple[Any, ...]


Kind: TypeAlias = "Type | Struct | Arrays | Tuple"
"""The type of an expression."""


def is_float(kind: Kind) -> bool:
    """Return whether a type is a number with a fraction."""
    return isinstance(kind, Type) and not kind.shape and kind.scalar in (np.float32, np.float64)


def is_integer(kind: Kind) -> bool:
    """Return whether a type is an integer."""
    return isinstance(kind, Type) and not kind.shape and kind.scalar in INTEGERS


def is_number(kind: Kind) -> bool:
    """Return whether a type is a number or a truth value."""
    return isinstance(kind, Type) and not kind.shape


def is_vector(kind: Kind) -> bool:
    """Return whether a type is a vector, and neither quaternion nor pose."""
    return isinstance(kind, Type) and len(kind.shape) == 1 and kind.kind is np.ndarray


def is_matrix(kind: Kind) -> bool:
    """Return whether a type is a matrix."""
    return isinstance(kind, Type) and len(kind.shape) == 2


def is_quaternion(kind: Kind) -> bool:
    """Return whether a type is a quaternion."""
    return isinstance(kind, Type) and kind.kind is Quaternion


def is_pose(kind: Kind) -> bool:
    """Return whether a type is a position with a rotation."""
    return isinstance(kind, Type) and kind.kind is Transform


def is_builtin_vector(kind: Kind) -> bool:
    """Return whether CUDA has the type, such as ``float3``."""
    return is_vector(kind) and isinstance(kind, Type) and kind.shape[0] in (2, 3, 4)


def scalar_of(kind: Type) -> Type:
    """Return the type of the components."""
    return Type(kind.scalar)


def vector(scalar: Any, length: int) -> Type:
    """Return a vector type."""
    return Type(scalar, (length,))


def type_name(kind: Kind) -> str:
    """Return the CUDA name of a type.

    Raises:
        Unsupported: if it has none.
    """
    if isinstance(kind, Struct):
        return kind.name
    if not isinstance(kind, Type) or kind.scalar not in SCALARS:
        raise Unsupported(f"the type {kind}")
    if not kind.shape:
        return SCALARS[kind.scalar]
    suffix = _SUFFIX.get(kind.scalar)
    if is_builtin_vector(kind) and kind.scalar in _VECTOR_PREFIX:
        return f"{_VECTOR_PREFIX[kind.scalar]}{kind.shape[0]}"
    if suffix is None:
        raise Unsupported(f"the type {kind}")
    if is_quaternion(kind):
        return f"quat{suffix}"
    if is_pose(kind):
        return f"pose{suffix}"
    return f"{'vec' if len(kind.shape) == 1 else 'mat'}{''.join(map(str, kind.shape))}{suffix}"


def definition(kind: Type) -> str | None:
    """Return the members of the struct of a type, or None if CUDA has the type."""
    if not kind.shape or is_builtin_vector(kind):
        return None
    scalar = SCALARS[kind.scalar]
    if is_quaternion(kind):
        return f"{scalar} x, y, z, w;"
    if is_pose(kind):
        return f"{scalar}3 p; {type_name(rotation_of(kind))} q;"
    return f"{scalar} m[{kind.shape[0]}][{kind.shape[1]}];" if is_matrix(kind) else f"{scalar} c[{kind.shape[0]}];"


def rotation_of(pose: Type) -> Type:
    """Return the quaternion of a pose."""
    return Type(pose.scalar, (4,), Quaternion)


def components(kind: Type) -> list[str]:
    """Return what follows a value to access each of its components, row by row."""
    if is_builtin_vector(kind) or is_quaternion(kind):
        return [f".{name}" for name in "xyzw"[: kind.shape[0]]]
    if is_pose(kind):
        return [".p.x", ".p.y", ".p.z", ".q.x", ".q.y", ".q.z", ".q.w"]
    if is_matrix(kind):
        return [f".m[{row}][{column}]" for row in range(kind.shape[0]) for column in range(kind.shape[1])]
    return [f".c[{number}]" for number in range(kind.shape[0])]


def size(kind: Type) -> int:
    """Return the number of components."""
    return math.prod(kind.shape)
