"""Values and types of a launch as Python source text."""

from __future__ import annotations

from typing import Any

import numpy as np
import warp as wp

from warpsmith.core.inputs.elements import element
from warpsmith.core.inputs.values import Values

PYTHON_TYPES = {"float32": "float", "int32": "int"}
"""The types of Warp that Python's own types stand for."""


def array_text(values: Values) -> str:
    """Return an expression for an array, with ``np`` for NumPy; every number is the same when it is read again.

    Examples:
        >>> array_text(np.array([0.1, 2.0], np.float32))
        'np.array([0.1, 2.0], np.float32)'
        >>> array_text(np.zeros((2, 3), np.int32)), array_text(np.full(2, 0.5))
        ('np.zeros((2, 3), np.int32)', 'np.full(2, 0.5, np.float64)')
    """
    dtype = f"np.{'bool_' if values.dtype.kind == 'b' else values.dtype.name}"
    flat = values.reshape(-1)
    if values.ndim and (flat.size == 0 or (flat.size > 1 and np.all(flat == flat[0]))):
        shape = repr(values.shape if values.ndim > 1 else values.size)
        if not flat.any() and not np.signbit(flat).any():
            return f"np.zeros({shape}, {dtype})"
        return f"np.full({shape}, {number_text(flat[0])}, {dtype})"
    return f"np.array({_nested(values)}, {dtype})"


def _nested(values: Any) -> str:
    if np.ndim(values) == 0:
        return number_text(values[()])
    return f"[{', '.join(_nested(row) for row in values)}]"


def number_text(value: Any) -> str:
    """Return an expression for a number, with ``np`` for NumPy."""
    text = str(value)  # the shortest text that is this number in its own precision
    return {"nan": "np.nan", "inf": "np.inf", "-inf": "-np.inf"}.get(text, text)


def type_text(dtype: str) -> str:
    """Return an expression for a type that is no struct, with ``wp`` for Warp.

    Examples:
        >>> type_text("float32")
        'float'
        >>> type_text("vec3f"), type_text("vec7f"), type_text("mat25d")
        ('wp.vec3f', 'wp.types.vector(7, wp.float32)', 'wp.types.matrix((2, 5), wp.float64)')
    """
    if dtype in PYTHON_TYPES:
        return PYTHON_TYPES[dtype]
    if hasattr(wp, dtype):
        return f"wp.{dtype}"
    scalar, shape = element(dtype)
    name = f"wp.{np.dtype(scalar).name}"
    return f"wp.types.vector({shape[0]}, {name})" if len(shape) == 1 else f"wp.types.matrix({shape!r}, {name})"
