"""Lines between the inputs of two launches, and where comparisons turn on them: a secant method with brackets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from warpsmith.core.inputs.values import Values
from warpsmith.validation.branches.input_owners import NOBODY, Owners

Inputs: TypeAlias = dict[str, Values]

ENOUGH = 1.0e-5
"""How near its aim a thread has to come, relative to the distance between both ends of its line."""


@dataclass(frozen=True, slots=True)
class Line:
    """The lines between the inputs of two launches, one for each thread.

    Attributes:
        first: the inputs at one end.
        ends: the inputs at the other ends by leaf, with a first dimension for the launches.
        owners: the thread for each number of a leaf.
        end: which of the other ends each thread's line has.
    """

    first: Inputs
    ends: Mapping[str, Values]
    owners: Owners
    end: Values

    def at(self, places: Values) -> Inputs:
        """Return the inputs at a place of each thread's line, from 0 to 1."""
        moved = {}
        for name, owners in self.owners.items():
            start = self.first[name].astype(np.float64)
            stop = np.take_along_axis(self.ends[name], self.end[owners][None], axis=0)[0]
            place = np.where(owners == NOBODY, 0.0, places[owners])
            moved[name] = (start + place * (stop - start)).astype(self.first[name].dtype)
        return {**self.first, **moved}


class Bracket:
    """The ends of the part of each thread's line that contains its aim, and by how much the ends miss it."""

    def __init__(self, below: Values, above: Values) -> None:
        self._low, self._high = np.zeros(len(below)), np.ones(len(below))
        self._below, self._above = below.copy(), above.copy()
        self._place = np.zeros(len(below))
        self._best, self._least = np.zeros(len(below)), np.abs(below)
        self._side = np.zeros(len(below))
        self._enough = ENOUGH * np.abs(below - above)

    @property
    def is_narrow(self) -> bool:
        """Whether every thread is so near its aim that it need not move again."""
        return bool(np.all(self._least <= self._enough))

    def next(self) -> Values:
        """Return the place to look at."""
        with np.errstate(divide="ignore"):
            share = self._below / (self._below - self._above)
        share = np.where(np.isfinite(share), share, 0.5)
        self._place = self._low + share * (self._high - self._low)
        return self._place

    def narrow(self, missed: Values) -> None:
        """Keep the part with the aim, by how much threads miss it at the place; a thread that does not compare stays."""
        known = np.isfinite(missed)
        better = known & (np.abs(missed) < self._least)
        self._best, self._least = np.where(better, self._place, self._best), np.where(better, np.abs(missed), self._least)
        low = known & (np.sign(missed) == np.sign(self._below))
        high = known & ~low
        # An end that stays twice counts less, or the other one would creep (the method of Anderson and Björck).
        with np.errstate(divide="ignore"):
            less = 1.0 - missed / np.where(low, self._below, self._above)
        less = np.where(less > 0.0, less, 0.5)
        self._above = np.where(low & (self._side < 0), less * self._above, self._above)
        self._below = np.where(high & (self._side > 0), less * self._below, self._below)
        self._low, self._below = np.where(low, self._place, self._low), np.where(low, missed, self._below)
        self._high, self._above = np.where(high, self._place, self._high), np.where(high, missed, self._above)
        self._side = np.where(low, -1.0, np.where(high, 1.0, self._side))

    def best(self) -> Values:
        """Return the places at which the aims were missed by the least."""
        return self._best
