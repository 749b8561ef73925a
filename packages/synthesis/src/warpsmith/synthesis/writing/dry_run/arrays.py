"""Arrays of a trial: those that a kernel reads, and those that it writes, which are asked at the end what they show."""

from __future__ import annotations

import math
from collections.abc import Callable
from operator import add, sub
from typing import Any, TypeAlias

from warpsmith.core.inputs.values import Values
from warpsmith.synthesis.writing.dry_run.vectors import WRAPS, Value, Vector, at, components

Index: TypeAlias = int | tuple[int, ...]


class Array:
    """An array that a kernel reads.

    Args:
        shape: of the array; what ``values`` has beyond it is the shape of an element.
        values: what it holds.
    """

    def __init__(self, shape: tuple[int, ...], values: Values) -> None:
        self.shape = shape
        self._raw = values if len(shape) == 1 else values.reshape(-1, *values.shape[len(shape) :])
        self._wrap = WRAPS[values.ndim - len(shape)]

    def __getitem__(self, index: Index) -> Value:
        return self._start(self._place(index))

    def _start(self, place: int) -> Value:
        """What stood at a place before the first thread."""
        raw = self._raw[place].tolist()  # one by one: most trials end before they have read three
        return self._wrap(raw) if self._wrap else raw

    def _place(self, index: Index) -> int:
        """Where an element stands when dimensions are laid out one after the other."""
        if isinstance(index, int):
            (length,) = self.shape
            return at(index, length)
        place = 0
        for part, length in zip(index, self.shape, strict=True):
            place = place * length + at(part, length)
        return place


class Output(Array):
    """An array that a kernel writes.

    Args:
        kept: whether what it holds before the launch counts.

    Attributes:
        shown: whether it is known before the last thread that it will hold what it must: two rows that differ or, if it is but
            one, another value than before. Sums of many rows are not known before the end: counts may come out all the same.
    """

    def __init__(self, shape: tuple[int, ...], values: Values, kept: bool) -> None:
        super().__init__(shape, values)
        self.shown = False
        self._kept = kept
        self._alone = len(self._raw) == 1
        self._first = components(self._start(0)) if self._alone else None
        self._written: dict[int, Value] = {}
        self._offers: dict[int, list[Value]] = {}

    def __getitem__(self, index: Index) -> Value:
        return self._now(self._place(index))

    def __setitem__(self, index: Index, value: Value) -> None:
        self._written[self._place(index)] = Vector(value.parts) if isinstance(value, Vector) else value  # it may change yet
        if not self.shown:
            row = components(value)
            if self._first is None:
                self._first = row
            self.shown = not alike(row, self._first)

    def update(self, combine: Callable[[Any, Any], Value], index: Index, value: Value) -> Value:
        """Do what an atomic does, and return what the element was before."""
        place = self._place(index)
        old = self._now(place)
        self._written[place] = new = combine(old, value)
        if combine not in (add, sub):
            self._offers.setdefault(place, []).append(value)
        elif self._alone and not isinstance(value, int):
            self.shown = not alike(components(new), components(self._start(0)))
        return old

    def problem(self, ties: bool) -> str | None:
        """Say what is wrong with what the array holds after the last thread, if anything is; with ``ties`` these are not."""
        places = range(len(self._raw))
        before, after = ([components(see(place)) for place in places] for see in (self._start, self._now))
        if (self._kept or self._alone) and all(map(alike, before, after)):
            return "is left as it was"
        if not self._alone and all(alike(row, after[0]) for row in after):
            return "is constant"
        return "has a tie" if not ties and any(map(self._tied, self._offers)) else None

    def _now(self, place: int) -> Value:
        return self._written[place] if place in self._written else self._start(place)

    def _tied(self, place: int) -> bool:
        """Whether several wrote the extreme that an atomic left: Warp's adjoint gives each of them the whole gradient."""
        extreme = self._written[place]
        if isinstance(extreme, int):
            return False
        offers = [*self._offers[place], self._start(place)]
        return sum(alike(components(offer), components(extreme)) for offer in offers) > 1


def alike(a: tuple[float, ...], b: tuple[float, ...]) -> bool:
    """Whether two rows are the same, or so near to each other that float32 may not tell them apart."""
    return a == b or all(math.isclose(one, other, rel_tol=1.0e-6, abs_tol=1.0e-6) for one, other in zip(a, b, strict=True))
