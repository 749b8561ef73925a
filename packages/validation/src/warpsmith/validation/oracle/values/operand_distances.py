"""How far apart the operands of each comparison of floats are, in each thread of a launch.

A comparison is a test of the Python, or a call that chooses between numbers, such as ``wp.clamp``. Inputs that turn a branch,
or that lie exactly where it turns, are found from these distances, see `branches`.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np

from warpsmith.validation.oracle.values.lanes import with_lane_axis
from warpsmith.validation.oracle.values.thread_accesses import Accesses
from warpsmith.validation.oracle.values.value_types import FLOATS, Components, Value

Place: TypeAlias = tuple[int, int]
"""The line and the column of an operand or a call."""

Site: TypeAlias = tuple[Place, int]
"""A comparison: its place in the source, and how often it was evaluated before in the same launch."""

MAX_COMPARISONS = 24
"""The largest number of comparisons that are noted; a loop evaluates the same comparison many times."""

CHOICES = {"min": ((0, 1),), "max": ((0, 1),), "clamp": ((0, 1), (0, 2))}
"""The calls that choose between numbers, with the places of the arguments that they compare."""


@dataclass(slots=True)
class Watch:
    """The comparisons of one launch.

    Attributes:
        count: the number of threads.
        distances: the left operand minus the right one by comparison and thread; NaN in threads that do not compare.
        scales: the size of the operand that all threads share, such as a constant, otherwise of the right one, likewise.
        turns: how often each place was evaluated.
        arrays: the arrays of the launch by name; none if it ends early.
        accesses: the accesses of the threads to them.
    """

    count: int
    distances: dict[Site, Components] = field(default_factory=dict)
    scales: dict[Site, Components] = field(default_factory=dict)
    turns: Counter[Place] = field(default_factory=Counter)
    arrays: dict[str, Components] = field(default_factory=dict)
    accesses: Accesses | None = None

    def reads_of(self, name: str) -> tuple[Components, Components] | None:
        """Return the numbers of the elements of an array that threads read, and the threads; None if that is not known."""
        return self.accesses.reads_of(self.arrays[name]) if self.accesses is not None and name in self.arrays else None

    def note(self, place: Place, left: Value, right: Value, threads: Components) -> None:
        """Note two operands of some threads, unless they are no floats of one type."""
        a, b = with_lane_axis(left), with_lane_axis(right)
        if len(self.distances) == MAX_COMPARISONS or np.ndim(a) > 1 or np.ndim(b) > 1:
            return
        if getattr(a, "dtype", None) != getattr(b, "dtype", None) or a.dtype.type not in FLOATS:
            return
        site = (place, self.turns[place])
        self.turns[place] += 1
        self.distances[site], self.scales[site] = np.full((2, self.count), np.nan)
        self.distances[site][threads] = np.subtract(a, b, dtype=np.float64)
        self.scales[site][threads] = np.abs(a if np.ndim(a) < np.ndim(b) else b)
