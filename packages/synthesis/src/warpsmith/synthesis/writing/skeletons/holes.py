"""Statements whose value is a hole."""

from __future__ import annotations

from warpsmith.synthesis.language.nodes import Array, Assign, Expr, Hole, Store
from warpsmith.synthesis.language.types import Type


def assign(name: str, dtype: Type, size: int = 2) -> Assign:
    """Return ``name = …`` with a hole for the value."""
    return Assign(name, Hole(dtype, size=size))


def store_result(array: Array, at: tuple[Expr, ...], *uses: str, size: int = 2) -> Store:
    """Return ``array[at] = …``, where the value reads the named variables and unread values."""
    return Store(array.name, at, Hole(array.element, size=size, uses=uses, gather=True))
