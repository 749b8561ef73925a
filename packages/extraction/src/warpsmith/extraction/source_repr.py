"""How a value is written in Python: Warp types, constants and literals as source text."""

from __future__ import annotations

import enum
import math
from functools import cache
from typing import Any

import numpy as np
import warp as wp

from warpsmith.extraction.warp.registry import Struct, array_class

_NAMED_BY_SCALAR = {"quat_t": "wp.quat", "transform_t": "wp.transform"}


@cache
def _public_types() -> dict[type, str]:
    """Return Warp's named types by class; where a class has two names, the shorter is how people write it."""
    names: dict[type, str] = {}
    for name, value in sorted(vars(wp).items(), key=lambda item: (len(item[0]), item[0])):
        if isinstance(value, type) and not name.startswith("_"):
            names.setdefault(value, f"wp.{name}")
    return names


def type_repr(kind: Any) -> str | None:
    """Return the source text of a type annotation, or None if it has no spelling of its own.

    Structs are spelt by their name; whoever uses the text must define them.
    """
    if kind in (int, float, bool):
        return str(kind.__name__)
    if isinstance(kind, Struct):
        return str(kind.cls.__name__)
    array = array_class(kind)
    if array is not None:
        dtype = type_repr(kind.dtype)
        return dtype and f"wp.{array}(dtype={dtype}, ndim={kind.ndim})"
    if not isinstance(kind, type):
        return None
    return _public_types().get(kind) or _spell_composite(kind)


def _spell_composite(kind: type) -> str | None:
    """Spell a vector or matrix type that has no name, such as a vector of 7 floats."""
    scalar = getattr(kind, "_wp_scalar_type_", None)
    shape = getattr(kind, "_shape_", None)
    generic = getattr(kind, "_wp_generic_type_str_", None)
    if scalar is None or shape is None:
        return None
    dtype = type_repr(scalar)
    if generic in _NAMED_BY_SCALAR:  # what Warp's functions return is an unnamed base of the named type
        return _NAMED_BY_SCALAR[generic] + {wp.float16: "h", wp.float32: "f", wp.float64: "d"}[scalar]
    if generic == "vec_t":
        return f"wp.types.vector(length={shape[0]}, dtype={dtype})"
    if generic == "mat_t":
        return f"wp.types.matrix(shape={tuple(shape)}, dtype={dtype})"
    return None


def source_repr(value: Any) -> str | None:
    """Return an expression that evaluates to ``value``, or None if it cannot be written down."""
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
        return _spell_sequence(value)
    if isinstance(value, dict):
        items = [(source_repr(key), source_repr(item)) for key, item in value.items()]
        return None if any(None in pair for pair in items) else "{" + ", ".join(f"{k}: {v}" for k, v in items) + "}"
    return _spell_warp_value(value)


def _spell_sequence(value: tuple[Any, ...] | list[Any]) -> str | None:
    parts = [source_repr(item) for item in value]
    if any(part is None for part in parts):
        return None
    inner = ", ".join(str(part) for part in parts)
    if isinstance(value, list):
        return f"[{inner}]"
    return f"({inner},)" if len(parts) == 1 else f"({inner})"


def _spell_warp_value(value: Any) -> str | None:
    """Spell an instance of a Warp scalar, vector, matrix, quaternion or transform."""
    kind = type_repr(type(value))
    if kind is None:
        return None
    if hasattr(value, "value") and not hasattr(value, "_shape_"):
        return f"{kind}({source_repr(value.value)})"
    shape = getattr(value, "_shape_", None)
    if shape is None:
        return None
    rows = [list(row) for row in value] if len(shape) == 2 else [list(value)]
    components = [source_repr(getattr(item, "value", item)) for row in rows for item in row]
    return f"{kind}({', '.join(str(component) for component in components)})"
