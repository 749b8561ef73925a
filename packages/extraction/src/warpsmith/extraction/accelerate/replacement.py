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


class Installation:
    """Replacements and where they belong; their caches stay from one `active` block to the next."""

    def __init__(self, replacements: Sequence[Replacement]) -> None:
        self._places: list[tuple[Any, str, Any, Any]] = []
        for replacement in replacements:
            owner, name = locate(replacement.path)
            original = inspect.getattr_static(owner, name)
            is_static = isinstance(original, staticmethod)
            faster = replacement.make(original.__func__ if is_static else original)
            # Warp's modules import functions from each other by name.
            for holder in (owner,) if inspect.isclass(owner) else PRIVATE.values():
                if inspect.getattr_static(holder, name, None) is original:
                    self._places.append((holder, name, original, staticmethod(faster) if is_static else faster))

    @contextlib.contextmanager
    def active(self) -> Iterator[None]:
        """Put the replacements into Warp's modules and classes, and Warp's functions back at the end."""
        try:
            for holder, name, _, faster in self._places:
                setattr(holder, name, faster)
            yield
        finally:
            for holder, name, original, _ in reversed(self._places):
                setattr(holder, name, original)
