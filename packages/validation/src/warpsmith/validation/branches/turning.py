"""Finds inputs at which comparisons of a kernel turn, thread by thread.

Two launches whose inputs differ are interpreted. Where a comparison has another outcome in the second launch, the inputs of
that thread move along the line between the two, by a secant method with brackets, until the operands are equal, or until one is
larger by a little. Each thread is directed at one comparison. This supposes that a thread reads the elements of arrays that
have its number; where it does not, its inputs are as good as any others.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from warpsmith.core.inputs.values import Values, leaves
from warpsmith.core.records.launch import Argument, Launch
from warpsmith.validation.oracle.watch import Place, Site, Watch

AIMS = (0.0, 0.04, -0.04)
"""How far the operands are from each other in the end, relative to the right one: a constant may be wrong by a tenth."""

ROUNDS = 5
"""How often the inputs move."""

PLAIN_ROUNDS = 3
"""How often plain arguments move; each aim needs separate launches, and most comparisons are simple."""

Inputs = dict[str, Values]
Interpreter = Callable[[Inputs], Watch]


@dataclass(frozen=True, slots=True)
class Aim:
    """What some threads are directed at: a comparison, and how far apart its operands shall be, by thread."""

    site: Site
    distances: Values

    @np.errstate(invalid="ignore", over="ignore")
    def missed(self, watch: Watch) -> Values:
        """Return by how much each thread misses the aim; NaN where a thread does not compare."""
        found = watch.distances.get(self.site)
        return np.full(watch.count, np.nan) if found is None else found - self.distances

    def missed_by_all(self, watch: Watch) -> float:
        """Return by how much all threads miss an aim that does not depend on the thread; NaN if none compares."""
        missed = self.missed(watch)
        known = missed[np.isfinite(missed)]
        return float(known[0]) if len(known) else math.nan


class Turning:
    """The comparisons of a kernel, and inputs at which they turn.

    Args:
        launch: the launch.
        interpreter: interprets the launch with some values.
    """

    def __init__(self, launch: Launch, interpreter: Interpreter) -> None:
        self._launch, self._interpreter = launch, interpreter
        self._outcomes: dict[Place, set[bool]] = {}
        self._uniform: set[Site] = set()

    @property
    def stuck(self) -> set[Place]:
        """The comparisons that had one outcome in all launches until now."""
        return {place for place, outcomes in self._outcomes.items() if len(outcomes) == 1}

    def look(self, inputs: Inputs) -> bool:
        """Interpret the launch with other values, and return whether it turns a comparison that was stuck, or finds one."""
        before = {place: len(outcomes) for place, outcomes in self._outcomes.items()}
        self._watch(inputs)
        return any(len(outcomes) > before.get(place, 0) for place, outcomes in self._outcomes.items())

    @np.errstate(invalid="ignore", over="ignore")
    def inputs(self, first: Inputs, others: Sequence[Inputs]) -> Inputs | None:
        """Return inputs at which comparisons turn, or None if each has one outcome.

        Args:
            first: values of the arguments.
            others: further values; plain arguments keep those of ``first``.
        """
        threads = dict(_threads(self._launch, first))
        start = self._watch(first)
        ends = [{**first, **{name: one[name] for name in threads}} for one in others] if threads and start.distances else []
        watches = [self._watch(end) for end in ends]
        self._uniform |= _uniform_sites([start, *watches])
        if not watches:
            return None
        aims = list(_aims(start))
        below = np.array([aim.missed(start) for aim in aims])
        above = np.array([[aim.missed(watch) for aim in aims] for watch in watches])
        chosen, end = _chosen(below, above)
        lanes = np.flatnonzero(chosen >= 0)
        if not len(lanes):
            return None
        line = _Line(first, {name: np.stack([one[name] for one in ends]) for name in threads}, threads, end)
        bracket = _Bracket(below[chosen[lanes], lanes], above[end[lanes], chosen[lanes], lanes])
        places = np.zeros(start.count)
        for _ in range(ROUNDS):
            places[lanes] = bracket.next()
            watch = self._watch(line.at(places))
            missed = np.array([aim.missed(watch) for aim in aims])
            bracket.narrow(missed[chosen[lanes], lanes])
        places[lanes] = bracket.best()
        return line.at(places)

    def plain_inputs(self, first: Inputs, others: Sequence[Inputs]) -> Iterator[Inputs]:
        """Yield inputs at which comparisons turn that only depend on plain arguments, after a call of `inputs`.

        Args:
            first: values of the arguments; arrays keep them.
            others: further values.
        """
        plain = [leaf.name for leaf in leaves(self._launch) if leaf.kind == "value" and _moves(leaf, first)]
        if not self._uniform or not plain:
            return
        start = self._watch(first)
        ends = [{**first, **{name: one[name] for name in plain}} for one in others]
        watch_of = lru_cache(maxsize=None)(lambda number: self._watch(ends[number]))
        aims = [aim for aim in _aims(start) if aim.site in self._uniform]
        for aim in sorted(aims, key=lambda one: -np.nanmax(np.abs(one.distances), initial=0.0)):
            below = aim.missed_by_all(start)
            for number, end in enumerate(ends):
                above = aim.missed_by_all(watch_of(number))
                if above * below < 0.0:
                    yield self._between(first, {name: end[name] for name in plain}, aim, below, above)
                    break

    @np.errstate(invalid="ignore", over="ignore")
    def _between(self, first: Inputs, plain: Inputs, aim: Aim, below: float, above: float) -> Inputs:
        """Return inputs with plain arguments between those of ``first`` and ``plain``, which miss an aim to both sides."""
        thread = {name: np.zeros(value.shape, np.int64) for name, value in plain.items()}
        line = _Line(first, {name: value[None] for name, value in plain.items()}, thread, np.zeros(1, np.int64))
        bracket = _Bracket(np.array([below]), np.array([above]))
        for _ in range(PLAIN_ROUNDS):
            bracket.narrow(np.array([aim.missed_by_all(self._watch(line.at(bracket.next())))]))
        return line.at(bracket.best())

    def _watch(self, inputs: Inputs) -> Watch:
        watch = self._interpreter(inputs)
        for (place, _), distances in watch.distances.items():
            outcomes = self._outcomes.setdefault(place, set())
            outcomes |= {True} if np.any(distances < 0.0) else set()
            outcomes |= {False} if np.any(distances >= 0.0) else set()
        return watch


def _uniform_sites(watches: Sequence[Watch]) -> set[Site]:
    """Return the comparisons that have the same operands in all threads of launches whose arrays differ."""
    first, *others = watches
    found = set()
    for site, distances in first.distances.items():
        known = np.concatenate([distances, *(one.distances[site] for one in others if site in one.distances)])
        known = known[np.isfinite(known)]
        if len(known) and np.all(known == known[0]):
            found.add(site)
    return found


def _aims(watch: Watch) -> Iterator[Aim]:
    for site, scales in watch.scales.items():
        for share in AIMS:
            with np.errstate(invalid="ignore", over="ignore"):  # an operand may be infinite
                distances = share * scales
            yield Aim(site, distances)


def _chosen(below: Values, above: Values) -> tuple[Values, Values]:
    """Return for each thread one of the aims that lie between two launches, or -1, and the number of the second launch.

    Args:
        below: by how much each thread misses each aim in the first launch.
        above: likewise for other launches.
    """
    possible: Values = np.asarray(below * above < 0.0)
    uses = np.zeros(len(below), np.int64)
    chosen, end = np.full(below.shape[1], -1), np.zeros(below.shape[1], np.int64)
    any_end: Values = np.asarray(possible.any(axis=0))
    for thread in np.flatnonzero(any_end.any(axis=0)):
        aims = np.flatnonzero(any_end[:, thread])
        aim = aims[np.argmin(uses[aims])]
        uses[aim] += 1
        chosen[thread], end[thread] = aim, np.argmax(possible[:, aim, thread])
    return chosen, end


@dataclass(frozen=True, slots=True)
class _Line:
    """The lines between the inputs of two launches, one for each thread.

    Attributes:
        first: the inputs at one end.
        ends: the inputs at the other ends by leaf, with a first dimension for the launches.
        threads: the number of the thread for each number of a leaf.
        end: which of the other ends each thread's line has.
    """

    first: Inputs
    ends: Mapping[str, Values]
    threads: Mapping[str, Values]
    end: Values

    def at(self, places: Values) -> Inputs:
        """Return the inputs at a place of each thread's line, from 0 to 1."""
        moved = {}
        for name, threads in self.threads.items():
            start = self.first[name].astype(np.float64)
            stop = np.take_along_axis(self.ends[name], self.end[threads][None], axis=0)[0]
            moved[name] = (start + places[threads] * (stop - start)).astype(self.first[name].dtype)
        return {**self.first, **moved}


class _Bracket:
    """The ends of the part of each thread's line that contains its aim, and by how much the ends miss it."""

    def __init__(self, below: Values, above: Values) -> None:
        self._low, self._high = np.zeros(len(below)), np.ones(len(below))
        self._below, self._above = below.copy(), above.copy()
        self._place = np.zeros(len(below))
        self._best, self._least = np.zeros(len(below)), np.abs(below)
        self._side = np.zeros(len(below))

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


def _threads(launch: Launch, values: Mapping[str, Values]) -> Iterator[tuple[str, Values]]:
    """Yield the leaves that can move, with the number of the thread that each of their numbers belongs to."""
    for leaf in leaves(launch):
        if leaf.shape and _moves(leaf, values):
            yield leaf.name, np.broadcast_to(_thread_of(leaf, launch.dim, values[leaf.name].ndim), values[leaf.name].shape)


def _moves(leaf: Argument, values: Mapping[str, Values]) -> bool:
    """Return whether a leaf is an input of floats, and values between two allowed values are allowed."""
    dense = leaf.domain is not None and leaf.domain.kind in ("uniform", "near_identity", "sorted")
    return dense and leaf.role == "input" and values[leaf.name].dtype.kind == "f"


def _thread_of(leaf: Argument, dim: tuple[int, ...], dimensions: int) -> Values:
    """Return the number of the thread whose coordinates are the indices of an element; the last one has the elements beyond."""
    number = np.zeros((1,) * dimensions, np.int64)
    for place, (length, most) in enumerate(zip(leaf.shape, dim, strict=False)):
        index = np.minimum(np.arange(length), most - 1).reshape((1,) * place + (-1,) + (1,) * (dimensions - place - 1))
        number = number + index * math.prod(dim[place + 1 :])
    return number
