"""Values and types of a launch as Python source text."""

from __future__ import annotations

from typing import Any

import numpy as np
import warp as wp

from warpsmith.core.inputs.elements import element
from warpsmith.core.inputs.values import Values


def array_text(values: Values) -> str:
    """Return an expression for an array, with ``np`` for NumPy; every number is the same when it is read again.

    Examples:
        >>> array_text(np.array([0.1, 2.0], np.float32))
        'np.array([0.1, 2.0], np.float32)'
        >>> array_text(np.zeros((2, 3), np.int32))
        'np.full((2, 3), 0, np.int32)'
    """
    dtype = f"np.{'bool_' if values.dtype.kind == 'b' else values.dtype.name}"
    flat = values.reshape(-1)
    if values.ndim and (flat.size == 0 or (flat.size > 1 and np.all(flat == flat[0]))):
        return f"np.full({values.shape!r}, {_number(flat[0]) if flat.size else 0}, {dtype})"
    return f"np.array({_nested(values)}, {dtype})"


def _nested(values: Any) -> str:
    if np.ndim(values) == 0:
        return _number(values[()])
    return f"[{', '.join(_nested(row) for row in values)}]"


def _number(value: Any) -> str:
    text = str(value)  # the shortest text that is this number in its own precision
    return {"nan": "np.nan", "inf": "np.inf", "-inf": "-np.inf"}.get(text, text)


def type_text(dtype: str) -> str:
    """Return an expression for a type that is no struct, with ``wp`` for Warp.

    Examples:
        >>> type_text("vec3f"), type_text("vec7f"), type_text("mat25d")
        ('wp.vec3f', 'wp.types.vector(7, wp.float32)', 'wp.types.matrix((2, 5), wp.float64)')
    """
    if hasattr(wp, dtype):
        return f"wp.{dtype}"
    scalar, shape = element(dtype)
    name = f"wp.{np.dtype(scalar).name}"
    return f"wp.types.vector({shape[0]}, {name})" if len(shape) == 1 else f"wp.types.matrix({shape!r}, {name})"
