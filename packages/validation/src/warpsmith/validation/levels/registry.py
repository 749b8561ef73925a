"""The table of levels, in order of cost. A pair that fails one is not given to the next."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from warpsmith.core.errors import WarpsmithError
from warpsmith.core.records.jsonl import Line
from warpsmith.validation.levels import compile as compiling
from warpsmith.validation.levels import emulate, execute, gradient, oracle, parse, regenerate, schema
from warpsmith.validation.levels.context import BatchContext
from warpsmith.validation.levels.finding import Finding


@dataclass(frozen=True, slots=True)
class Level:
    """A check.

    Attributes:
        name: as users write it.
        check: finds out about the lines of a batch, in their order.
        seconds: how long the next finding may take to come.
        whole: findings come all at once, because the work is done for the whole batch; then every line adds `EACH` seconds.
    """

    name: str
    check: Callable[[Sequence[Line], BatchContext], Iterable[Finding]]
    seconds: float
    whole: bool = False

    def limit(self, lines: int) -> float:
        """How many seconds the next finding on a batch of so many lines may take to come."""
        return self.seconds + EACH * lines * self.whole


EACH = 1.0
"""Seconds that one line of a batch may take at a level: twenty times what it takes, but a text that a compiler chokes on, which
halves of the batch are tried to find, is found in minutes."""

LADDER = (
    Level("schema", schema.check, 10.0),
    Level("parse", parse.check, 10.0),
    Level("regenerate", regenerate.check, 60.0),
    Level("compile", compiling.check, 60.0, whole=True),
    Level("execute", execute.check, 60.0, whole=True),
    Level("emulate", emulate.check, 60.0, whole=True),
    Level("gradient", gradient.check, 60.0, whole=True),
    Level("oracle", oracle.check, 60.0),
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
