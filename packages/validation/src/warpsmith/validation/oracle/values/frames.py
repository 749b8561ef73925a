"""The variables of a function call, and those of some of its threads."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from warpsmith.validation.oracle.values.lanes import merged, part_of
from warpsmith.validation.oracle.values.value_types import Components, Value

Gap: TypeAlias = tuple[Components, Value]
"""Which threads have assigned a variable, and the values of all threads, which are arbitrary for those that have not."""


class Frame(dict[str, Value]):
    """The variables of a function call by name; ``gaps`` contains those that only some of the threads have assigned."""

    gaps: dict[str, Gap] | None = None

    def assign(self, name: str, value: Value, places: Components, count: int) -> None:
        """Assign the values of some of ``count`` threads."""
        try:
            old = self[name]
        except KeyError:
            self._fill(name, value, places, count)
        else:
            self[name] = merged(old, value, places, count)

    def _fill(self, name: str, value: Value, places: Components, count: int) -> None:
        if self.gaps is None:
            self.gaps = {}
        if name in self.gaps:
            assigned, old = self.gaps[name]
            values = merged(old, value, places, count)
        else:
            assigned, sources = np.zeros(count, np.bool_), np.zeros(count, np.int64)
            sources[places] = np.arange(len(places))
            values = part_of(value, sources)
        assigned[places] = True
        if assigned.all():
            self[name] = values
            self.gaps.pop(name, None)
        else:
            self.gaps[name] = assigned, values


class Part(Frame):
    """The variables of some of the threads of a frame; they are selected when they are first read.

    Attributes:
        frame: the variables of all threads.
        places: the places of these threads among the threads of the frame.
        threads: the numbers of all threads of the frame.
        count: how many these are.
        selected: the variables that were selected from the frame.
    """

    def __init__(self, frame: Frame, places: Components, threads: Components) -> None:
        super().__init__()
        self.frame, self.places, self.threads, self.count = frame, places, threads, len(threads)
        self.selected: dict[str, Value] = {}

    def __missing__(self, name: str) -> Value:
        """Return the variable of the whole frame.

        Raises:
            KeyError: if a thread has not assigned it.
        """
        if self.gaps is not None and name in self.gaps:
            raise KeyError(name)
        try:
            value = self.frame[name]
        except KeyError:
            assigned, value = (self.frame.gaps or {})[name]
            if not assigned[self.places].all():
                raise
        self[name] = self.selected[name] = value = part_of(value, self.places)
        return value

    def leave(self) -> None:
        """Return the variables to the whole frame."""
        for name, value in self.items():
            if self.selected.get(name, self) is not value:
                self.frame.assign(name, value, self.places, self.count)
        for name, (assigned, value) in (self.gaps or {}).items():
            if name in self:
                continue
            lanes = np.flatnonzero(assigned)
            self.frame.assign(name, part_of(value, lanes), self.places[lanes], self.count)
