"""The jumps that leave a block: break, continue or return."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np

from warpsmith.validation.oracle.values.frames import Frame
from warpsmith.validation.oracle.values.interpretation_errors import Apart
from warpsmith.validation.oracle.values.value_types import Components, Value


@dataclass(frozen=True, slots=True)
class Jump:
    """A jump out of a block, with the value that a function returns."""

    keyword: str
    value: Value = None


@dataclass(slots=True)
class Jumps:
    """The jumps of some of the threads that run together, with the places of these threads among them."""

    count: int
    jumps: list[tuple[Components, Jump]] = field(default_factory=list)

    def add(self, places: Components, outcome: Outcome) -> None:
        """Add how a block ended for the threads at some places."""
        if isinstance(outcome, Jump):
            self.jumps.append((places, outcome))
        elif outcome is not None:
            self.jumps += [(places[inner], jump) for inner, jump in outcome.jumps]

    def remaining_places(self, *keywords: str) -> Components:
        """Return the places of the threads that no jump by one of the keywords takes, or no jump at all."""
        staying = np.ones(self.count, np.bool_)
        for places, jump in self.jumps:
            if not keywords or jump.keyword in keywords:
                staying[places] = False
        return np.flatnonzero(staying)

    def outcome(self) -> Outcome:
        """Return how the block ends."""
        if not self.jumps:
            return None
        places, jump = self.jumps[0]
        return jump if len(places) == self.count else self

    def value(self) -> Value:
        """Return what a function returns.

        Raises:
            Apart: if some threads leave it without a value.
        """
        frame = Frame()
        for places, jump in self.jumps:
            frame.assign("value", jump.value, places, self.count)
        if "value" not in frame:
            raise Apart("a function that only some threads leave with a value")
        return frame["value"]


Outcome: TypeAlias = Jump | Jumps | None
"""How a block ends: with one jump of all threads, with jumps of some threads, or without any."""

BREAK, CONTINUE = Jump("break"), Jump("continue")

Step: TypeAlias = Callable[[Frame], Outcome]
"""A compiled statement or block."""
