"""The replacement of a Warp function by a faster one with the same results."""

from __future__ import annotations

import contextlib
import inspect
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from warpsmith.extraction.warp.private import PRIVATE
from warpsmith.extraction.warp.tested_sources import locate

Accelerate = Callable[[Callable[..., Any]], Callable[..., Any]]
"""Receives Warp's function and returns its replacement."""


@dataclass(frozen=True, slots=True)
class Replacement:
    """The replacement of one function.

    Attributes:
        path: the function, ``module.name`` or ``module.Class.name``.
        make: returns the replacement, given Warp's function.
    """

    path: str
    make: Accelerate


@contextlib.contextmanager
def installed(replacements: Sequence[Replacement]) -> Iterator[None]:
    """Put replacements into Warp's modules and classes, and Warp's functions back at the end."""
    undo: list[tuple[Any, str, Any]] = []
    try:
        for replacement in replacements:
            owner, name = locate(replacement.path)
            original = inspect.getattr_static(owner, name)
            is_static = isinstance(original, staticmethod)
            faster = replacement.make(original.__func__ if is_static else original)
            # Warp's modules import functions from each other by name.
            for holder in (owner,) if inspect.isclass(owner) else PRIVATE.values():
                if inspect.getattr_static(holder, name, None) is original:
                    undo.append((holder, name, original))
                    setattr(holder, name, staticmethod(faster) if is_static else faster)
        yield
    finally:
        for holder, name, original in reversed(undo):
            setattr(holder, name, original)
