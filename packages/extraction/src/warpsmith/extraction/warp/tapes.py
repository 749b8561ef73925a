"""Tapes: which one records now, and what is on them."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

import warp as wp

import warpsmith
from warpsmith.extraction.warp.private import warp_context

_WARP = f"{Path(wp.__file__).parent}/"
_WARPSMITH = tuple(f"{Path(folder)}/" for folder in warpsmith.__path__)
"""The folders of all packages of warpsmith."""


class Entry(NamedTuple):
    """What a tape has recorded.

    Attributes:
        inputs: the list of inputs of a launch, the very object that the program passed; None for a function.
        has_adjoint: whether the backward pass launches the adjoint of the kernel.
    """

    inputs: Any
    has_adjoint: bool


def active_tape() -> Any:
    """Return the tape that records now, or None."""
    return warp_context.runtime.tape if warp_context.runtime is not None else None


def length(tape: Any) -> int:
    """Return how many entries a tape has."""
    return len(tape.launches) if tape is not None else 0


def entries(tape: Any) -> Iterator[Entry]:
    """Yield what a tape has recorded, in order."""
    for item in tape.launches:
        if callable(item):
            yield Entry(None, True)
        else:
            kernel = item[0]
            enabled = kernel.options.get("enable_backward")
            if enabled is None:
                enabled = kernel.module.options.get("enable_backward")
            yield Entry(item[3], enabled is not False)


class Call(NamedTuple):
    """A statement of a program that runs.

    Attributes:
        file: the file.
        line: the line.
        function: the qualified name of the function.
    """

    file: str
    line: int
    function: str

    @property
    def place(self) -> str:
        """File and line."""
        return f"{self.file}:{self.line}" if self.file else ""


def call_of_program() -> Call:
    """Return the innermost statement of the program that runs now, outside of Warp and warpsmith."""
    return next(_calls(), Call("", 0, ""))


def places_of_calls(count: int) -> str:
    """Return the places of the innermost statements of the program, as one text."""
    return ", ".join(call.place for call in itertools.islice(_calls(), count))


def _calls() -> Iterator[Call]:
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        code = frame.f_code
        if not code.co_filename.startswith((_WARP, *_WARPSMITH)) or f"{_WARP}examples" in code.co_filename:
            yield Call(code.co_filename, frame.f_lineno, getattr(code, "co_qualname", code.co_name))  # from Python 3.11
        frame = frame.f_back
