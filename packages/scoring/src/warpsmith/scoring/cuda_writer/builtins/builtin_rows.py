"""The table of Warp's builtins: how each is written in CUDA."""

from __future__ import annotations

from collections.abc import Callable

from warpsmith.scoring.cuda_writer.code_pieces import Code
from warpsmith.scoring.cuda_writer.device_library import Library

Row = Callable[[Library, list[Code]], Code]
"""Returns the call of a builtin with arguments, and adds the functions that it needs to the text."""

CALLS: dict[str, Row] = {}
"""The rows by the name in Warp."""


def row(*names: str) -> Callable[[Row], Row]:
    """Return a decorator that adds a row under some names."""

    def add(function: Row) -> Row:
        CALLS.update(dict.fromkeys(names, function))
        return function

    return add


def named_row(*names: str) -> Callable[[Callable[[str, Library, list[Code]], Code]], None]:
    """Return a decorator that adds a row under some names, which the row receives first."""

    def add(function: Callable[[str, Library, list[Code]], Code]) -> None:
        for name in names:
            CALLS[name] = _bound(function, name)

    return add


def _bound(function: Callable[[str, Library, list[Code]], Code], name: str) -> Row:
    return lambda library, arguments: function(name, library, arguments)
