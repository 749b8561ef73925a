"""Python source text of Warp types, constants and literals."""

from __future__ import annotations

import enum
import math
import typing
from collections.abc import Callable
from functools import cache
from typing import Any, TypeAlias

import numpy as np
import warp as wp

from warpsmith.extraction.warp.objects import struct_class
from warpsmith.extraction.warp.type_properties import Struct, array_class, composite_type, shape_of

_NAMED_BY_SCALAR = {"quat_t": "wp.quat", "transform_t": "wp.transform"}
_SUFFIXES = {wp.float16: "h", wp.float32: "f", wp.float64: "d"}
_MAX_ARRAY_ELEMENTS = 4096
"""The largest NumPy array that is written as source text."""

NameOf: TypeAlias = Callable[[Any], str | None]
"""Returns an expression for an object without a literal, such as a struct or an enumeration, or None."""


def _struct_name(value: Any) -> str | None:
    """Return the name of a struct: code that contains the text must define it."""
    return struct_class(value).__name__ if isinstance(value, Struct) else None


@cache
def _public_names() -> dict[int, str]:
    """Return the public names of Warp's types by identity; of two names, the shorter, which is the usual one."""
    names: dict[int, str] = {}
    for name, value in sorted(vars(wp).items(), key=lambda item: (len(item[0]), item[0])):
        if not name.startswith("_") and (isinstance(value, type) or type(value).__name__ == "TypeVar"):
            names.setdefault(id(value), f"wp.{name}")
    return names


def type_repr(annotation: Any, name_of: NameOf = _struct_name) -> str | None:
    """Return the source text of a type annotation, or None if there is none.

    Args:
        annotation: the type.
        name_of: returns the text of types that are not Warp's own. By default, the text of a struct is its name.

    Examples:
        >>> import warp as wp
        >>> type_repr(wp.array(dtype=wp.vec3))
        'wp.array(dtype=wp.vec3, ndim=1)'
    """
    if any(annotation is builtin for builtin in (int, float, bool)):
        return str(annotation.__name__)
    if (public := _public_names().get(id(annotation))) is not None:
        return public
    if isinstance(annotation, tuple):  # the types of several results
        parts = [type_repr(part, name_of) for part in annotation]
        return None if None in parts else f"({', '.join(map(str, parts))},)"
    if typing.get_origin(annotation) is tuple:
        parts = [type_repr(part, name_of) for part in typing.get_args(annotation)]
        return None if None in parts else f"tuple[{', '.join(map(str, parts))}]"
    array = None if isinstance(annotation, Struct) else array_class(annotation)
    if array is not None:
        dtype = type_repr(annotation.dtype, name_of)
        shape = f", shape={annotation.shape!r}" if array == "fixedarray" else f", ndim={annotation.ndim}"
        return dtype and f"wp.{array}(dtype={dtype}{shape})"
    text = _composite_repr(annotation, name_of) if isinstance(annotation, type) else None
    return name_of(annotation) if text is None else text


def _composite_repr(cls: type, name_of: NameOf) -> str | None:
    """Return the source text of a vector or matrix type without a public name, such as a vector of 7 floats."""
    composite = composite_type(cls)
    if composite is None:
        return None
    if composite.template in _NAMED_BY_SCALAR:  # Warp's functions return an unnamed base class of the named type
        suffix = _SUFFIXES.get(composite.scalar)
        return None if suffix is None else _NAMED_BY_SCALAR[composite.template] + suffix
    dtype = type_repr(composite.scalar, name_of)
    sizes = [str(size) if isinstance(size, int) else name_of(size) for size in composite.parameters]
    if dtype is None or None in sizes:
        return None
    if composite.template == "vec_t":
        return f"wp.types.vector(length={sizes[0]}, dtype={dtype})"
    if composite.template == "mat_t":
        return f"wp.types.matrix(shape=({', '.join(map(str, sizes))}), dtype={dtype})"
    return None


def source_repr(value: Any, name_of: NameOf = _struct_name) -> str | None:
    """Return an expression that evaluates to ``value``, or None if there is none.

    Args:
        value: any object.
        name_of: returns the text of objects without text of their own, also inside containers.

    Examples:
        >>> source_repr((1, 2.5, float("inf")))
        "(1, 2.5, float('inf'))"
        >>> source_repr(np.float32(0.1))
        'np.float32(0.1)'
    """
    if isinstance(value, enum.Enum):
        return name_of(value)
    if isinstance(value, type):
        return type_repr(value, name_of)
    if isinstance(value, np.generic):
        return _numpy_repr(value)
    if value is None or isinstance(value, bool | int | str | bytes | range):
        return repr(value)
    if isinstance(value, float):
        return repr(value) if math.isfinite(value) else f"float({str(value)!r})"
    if isinstance(value, np.ndarray):
        return _array_repr(value)
    if type(value) in (tuple, list, set, frozenset):
        return _sequence_repr(value, name_of)
    if type(value) is dict:
        items = [(source_repr(key, name_of), source_repr(item, name_of)) for key, item in value.items()]
        return None if any(None in pair for pair in items) else "{" + ", ".join(f"{k}: {v}" for k, v in items) + "}"
    text = _warp_value_repr(value)
    return name_of(value) if text is None else text


def _numpy_repr(value: np.generic) -> str | None:
    """Return the constructor call of a NumPy scalar: Warp writes ``np.float32(0.1)`` and the same Python float differently."""
    if isinstance(value, np.str_ | np.bytes_):
        return repr(value.item())
    if not isinstance(value, np.number | np.bool_) or isinstance(value, np.complexfloating):
        return None
    text = repr(bool(value)) if isinstance(value, np.bool_) else str(value)
    if isinstance(value, np.floating) and not np.isfinite(value):
        text = repr(text)
    return f"np.{value.dtype.name}({text})"


def _array_repr(value: np.ndarray[Any, Any]) -> str | None:
    if value.size > _MAX_ARRAY_ELEMENTS or value.dtype.kind not in "biuf":
        return None
    items = source_repr(value.tolist())
    return items and f"np.array({items}, dtype=np.{value.dtype.name})"


def _sequence_repr(value: Any, name_of: NameOf) -> str | None:
    items = [source_repr(item, name_of) for item in value]
    if any(item is None for item in items):
        return None
    inner = ", ".join(str(item) for item in items)
    if isinstance(value, list):
        return f"[{inner}]"
    if isinstance(value, set | frozenset):
        return f"{type(value).__name__}([{inner}])"
    return f"({inner},)" if len(items) == 1 else f"({inner})"


def _warp_value_repr(value: Any) -> str | None:
    """Return the constructor call of a Warp scalar, vector, matrix, quaternion or transform."""
    constructor, shape = type_repr(type(value), lambda _: None), shape_of(value)
    if constructor is None:
        return None
    if shape is None:
        return f"{constructor}({source_repr(value.value)})" if hasattr(value, "value") else None
    rows = [list(row) for row in value] if len(shape) == 2 else [list(value)]
    components = [source_repr(getattr(item, "value", item)) for row in rows for item in row]
    return f"{constructor}({', '.join(str(component) for component in components)})"
