"""Closures of loops, and the jumps that leave a block: break, continue or return."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from warpsmith.validation.oracle.boxes import Query
from warpsmith.validation.oracle.closures import Code, Frame
from warpsmith.validation.oracle.errors import Undefined, Unsupported
from warpsmith.validation.oracle.expressions import integer
from warpsmith.validation.oracle.operators import truth
from warpsmith.validation.oracle.types import Value


@dataclass(frozen=True, slots=True)
class Jump:
    """A jump out of a block, with the value that a function returns."""

    keyword: str
    value: Value = None


BREAK, CONTINUE = Jump("break"), Jump("continue")
Step: TypeAlias = Callable[[Frame], Jump | None]
"""A compiled statement or block; it returns the jump that leaves the block, or None."""


def for_range(name: str, bounds: Sequence[Code], body: Step) -> Step:
    """Return a loop over a range."""

    def loop(frame: Frame) -> Jump | None:
        values = [integer(bound(frame)) for bound in bounds]
        if len(values) == 3 and values[2] == 0:
            raise Undefined("a range with step zero")
        return _each(name, map(np.int32, range(*values)), body, frame)

    return loop


def for_each(name: str, query: Code, body: Step) -> Step:
    """Return a loop over what a query finds."""

    def loop(frame: Frame) -> Jump | None:
        found = query(frame)
        if not isinstance(found, Query):
            raise Unsupported("a for loop that is not over a range")
        return _each(name, found, body, frame)

    return loop


def _each(name: str, values: Iterable[Value], body: Step, frame: Frame) -> Jump | None:
    """Run the body for each value of a variable, and return the jump that leaves the loop and its block."""
    for value in values:
        frame[name] = value
        jump = body(frame)
        if jump is BREAK:
            break
        if jump is not None and jump is not CONTINUE:
            return jump
    return None


def while_loop(condition: Code, body: Step) -> Step:
    """Return a loop under a condition."""

    def loop(frame: Frame) -> Jump | None:
        while truth(condition(frame)):
            jump = body(frame)
            if jump is BREAK:
                break
            if jump is not None and jump is not CONTINUE:
                return jump
        return None

    return loop
