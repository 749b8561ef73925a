"""The table of levels, in order of cost. A pair that fails one is not given to the next."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from warpsmith.extraction.errors import WarpsmithError
from warpsmith.extraction.jsonl import Line
from warpsmith.validation.levels import compile as compiling
from warpsmith.validation.levels import parse, regenerate, schema
from warpsmith.validation.verdict import Finding


@dataclass(frozen=True, slots=True)
class Level:
    """A check.

    Attributes:
        name: as users write it.
        check: finds out about one line, given a folder to write in.
        seconds: how long one pair may take.
    """

    name: str
    check: Callable[[Line, Path], Finding]
    seconds: float


LADDER = (
    Level("schema", schema.check, 10.0),
    Level("parse", parse.check, 10.0),
    Level("regenerate", regenerate.check, 60.0),
    Level("compile", compiling.check, 300.0),
)


def levels_to(name: str) -> tuple[Level, ...]:
    """Return the levels of `LADDER` up to and with ``name``.

    Raises:
        WarpsmithError: if there is no such level.
    """
    names = [level.name for level in LADDER]
    if name not in names:
        raise WarpsmithError(f"unknown level {name!r}: choose from {', '.join(names)}")
    return LADDER[: names.index(name) + 1]
