"""Python source text of Warp types, constants and literals."""

from __future__ import annotations

import enum
import math
from functools import cache
from typing import Any

import numpy as np
import warp as wp

from warpsmith.extraction.warp.types import Struct, array_class, composite_type, shape_of

_NAMED_BY_SCALAR = {"quat_t": "wp.quat", "transform_t": "wp.transform"}


@cache
def _public_types() -> dict[type, str]:
    """Return the public names of Warp's types by class; of two names, the shorter, which is the usual one."""
    names: dict[type, str] = {}
    for name, value in sorted(vars(wp).items(), key=lambda item: (len(item[0]), item[0])):
        if isinstance(value, type) and not name.startswith("_"):
            names.setdefault(value, f"wp.{name}")
    return names


def type_repr(annotation: Any) -> str | None:
    """Return the source text of a type annotation, or None if there is none.

    The text of a struct is its name; code that contains the text must define the struct.

    Examples:
        >>> import warp as wp
        >>> type_repr(wp.array(dtype=wp.vec3))
        'wp.array(dtype=wp.vec3, ndim=1)'
    """
    if annotation in (int, float, bool):
        return str(annotation.__name__)
    if isinstance(annotation, Struct):
        return str(annotation.cls.__name__)
    array = array_class(annotation)
    if array is not None:
        dtype = type_repr(annotation.dtype)
        return dtype and f"wp.{array}(dtype={dtype}, ndim={annotation.ndim})"
    if not isinstance(annotation, type):
        return None
    return _public_types().get(annotation) or _composite_repr(annotation)


def _composite_repr(cls: type) -> str | None:
    """Return the source text of a vector or matrix type without a public name, such as a vector of 7 floats."""
    composite = composite_type(cls)
    if composite is None:
        return None
    dtype = type_repr(composite.scalar)
    if composite.template in _NAMED_BY_SCALAR:  # Warp's functions return an unnamed base class of the named type
        return _NAMED_BY_SCALAR[composite.template] + {wp.float16: "h", wp.float32: "f", wp.float64: "d"}[composite.scalar]
    if composite.template == "vec_t":
        return f"wp.types.vector(length={composite.shape[0]}, dtype={dtype})"
    if composite.template == "mat_t":
        return f"wp.types.matrix(shape={tuple(composite.shape)}, dtype={dtype})"
    return None


def source_repr(value: Any) -> str | None:
    """Return an expression that evaluates to ``value``, or None if there is none.

    Examples:
        >>> source_repr((1, 2.5, float("inf")))
        "(1, 2.5, float('inf'))"
    """
    if isinstance(value, enum.Enum):
        return None
    if isinstance(value, type):
        return type_repr(value)
    if value is None or isinstance(value, bool | int | str | bytes):
        return repr(value)
    if isinstance(value, float):
        return repr(value) if math.isfinite(value) else f"float({str(value)!r})"
    if isinstance(value, np.generic):
        return source_repr(value.item())
    if isinstance(value, tuple | list):
        return _sequence_repr(value)
    if isinstance(value, dict):
        items = [(source_repr(key), source_repr(item)) for key, item in value.items()]
        return None if any(None in pair for pair in items) else "{" + ", ".join(f"{k}: {v}" for k, v in items) + "}"
    return _warp_value_repr(value)


def _sequence_repr(value: tuple[Any, ...] | list[Any]) -> str | None:
    items = [source_repr(item) for item in value]
    if any(item is None for item in items):
        return None
    inner = ", ".join(str(item) for item in items)
    if isinstance(value, list):
        return f"[{inner}]"
    return f"({inner},)" if len(items) == 1 else f"({inner})"


def _warp_value_repr(value: Any) -> str | None:
    """Return the constructor call of a Warp scalar, vector, matrix, quaternion or transform."""
    constructor, shape = type_repr(type(value)), shape_of(value)
    if constructor is None:
        return None
    if shape is None:
        return f"{constructor}({source_repr(value.value)})" if hasattr(value, "value") else None
    rows = [list(row) for row in value] if len(shape) == 2 else [list(value)]
    components = [source_repr(getattr(item, "value", item)) for row in rows for item in row]
    return f"{constructor}({', '.join(str(component) for component in components)})"
