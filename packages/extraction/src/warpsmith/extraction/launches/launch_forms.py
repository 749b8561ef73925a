"""What launches of one kernel have in common, and what distinguishes them."""

from __future__ import annotations

import ctypes
from collections.abc import Hashable
from typing import Any

import warp as wp

from warpsmith.extraction.warp import live_arguments

_PLAIN = frozenset({bool, int, float, str, type(None)})


def form_of(dim: tuple[int, ...], block_dim: int | None, values: list[Any]) -> tuple[Hashable, Hashable]:
    """Return what distinguishes launches of a kernel: dimensions, shapes and arrays that are None; and plain values."""
    shapes: list[Hashable] = [dim, block_dim]
    plain: list[Hashable] = []
    for value in values:
        _add_form(value, shapes, plain)
    return tuple(shapes), tuple(plain)


def _add_form(value: Any, shapes: list[Hashable], plain: list[Hashable]) -> None:
    kind = type(value)
    if kind is wp.array:
        shapes.append(value.shape)
    elif kind in _PLAIN:
        plain.append(value)
        shapes.append(value is None)
    elif isinstance(value, ctypes.Array):  # a vector, matrix, quaternion or transform
        plain.append(bytes(value))
    elif (members := live_arguments.member_names(value)) is not None:
        for name in members:
            _add_form(getattr(value, name), shapes, plain)
    elif hasattr(value, "shape"):
        shapes.append(tuple(value.shape) if hasattr(value.shape, "__iter__") else value.shape)
    else:
        plain.append(repr(value))
