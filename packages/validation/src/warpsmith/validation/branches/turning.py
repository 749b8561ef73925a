"""Finds inputs at which comparisons of a kernel turn, thread by thread.

Two launches whose inputs differ are interpreted. Where a comparison has another outcome in the second launch, the inputs of
that thread move along the line between the two, by a secant method with brackets, until the operands are equal, or until one is
larger by a little. Each thread is directed at one comparison, and moves the elements that it owns, see `input_owners`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from warpsmith.core.inputs.values import Values, leaves
from warpsmith.core.records.launch import Launch
from warpsmith.validation.branches.input_lines import Bracket, Inputs, Line
from warpsmith.validation.branches.input_owners import NOBODY, Owners, moves, ways
from warpsmith.validation.oracle.values.operand_distances import Place, Site, Watch

AIMS = (0.0, 0.002, -0.002, 0.01, -0.01, 0.04, -0.04)
"""How far the operands are from each other in the end, relative to the right one: a constant may be wrong in its third digit.
The larger distances are for comparisons that the search does not come nearer to."""

PLAIN_AIMS = (0.002, -0.002, 0.0)
"""Likewise where plain arguments move, in the order of launches."""

ROUNDS = 5
"""How often the inputs move at most."""

ROUNDED = 16.0
"""The distance of operands, relative to how far other roundings move it, up to which rounding decides their comparison."""

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
        rounded: likewise in other modes of rounding. Threads in which rounding decides a comparison then keep their inputs:
            code whose operations have another order may decide otherwise. Operands that no rounding changes may be equal.
    """

    def __init__(self, launch: Launch, interpreter: Interpreter, rounded: Sequence[Interpreter] = ()) -> None:
        self._launch, self._interpreter, self._rounded = launch, interpreter, rounded
        self._outcomes: dict[Place, set[bool]] = {}
        self._uniform: set[Site] = set()
        self._started: tuple[Inputs, Watch] | None = None

    @property
    def stuck(self) -> set[Place]:
        """The comparisons that had one outcome in all launches until now."""
        return {place for place, outcomes in self._outcomes.items() if len(outcomes) == 1}

    def look(self, inputs: Inputs) -> bool:
        """Interpret the launch with other values, and return whether it turns a comparison that was stuck, or finds one."""
        before = {place: len(outcomes) for place, outcomes in self._outcomes.items()}
        self._start(inputs)
        return any(len(outcomes) > before.get(place, 0) for place, outcomes in self._outcomes.items())

    @np.errstate(invalid="ignore", over="ignore")
    def inputs(self, first: Inputs, targets: Sequence[Inputs]) -> Inputs | None:
        """Return inputs at which comparisons turn, or None if each has one outcome.

        Args:
            first: values of the arguments.
            targets: the values that inputs move to; plain arguments keep those of ``first``.
        """
        start = self._start(first)
        seen, aimed = [start], None
        for owners in ways(self._launch, first, start) if start.distances else ():
            found = self._aimed(start, first, targets, owners)
            seen += found.watches
            aimed = found if aimed is None or found.sites > aimed.sites else aimed
            if aimed.sites == len(start.distances):
                break
        self._uniform |= _uniform_sites(seen)
        if aimed is None or not aimed.sites:
            return None
        places = np.zeros(start.count)
        for _ in range(ROUNDS):
            if aimed.bracket.is_narrow:
                break
            places[aimed.threads] = aimed.bracket.next()
            aimed.bracket.narrow(aimed.missed(self._watch(aimed.line.at(places))))
        places[aimed.threads] = aimed.bracket.best()
        places[self._decided_by_rounding(aimed.line.at(places), start.count)] = 0.0
        return aimed.line.at(places)

    def _aimed(self, start: Watch, first: Inputs, targets: Sequence[Inputs], owners: Owners) -> _Aimed:
        """Return the aims between a launch and its targets where threads own the numbers that move."""
        lines = [
            Line(first, {name: target[name][None] for name in owners}, owners, np.zeros(start.count, np.int64))
            for target in targets
        ]
        watches = [self._watch(line.at(np.ones(start.count))) for line in lines]
        aims = list(_aims(start, AIMS, start.scales))
        below = np.array([aim.missed(start) for aim in aims])
        above = np.array([[aim.missed(watch) for aim in aims] for watch in watches])
        has_inputs = np.zeros(start.count, np.bool_)
        for numbers in owners.values():
            has_inputs[numbers[numbers != NOBODY]] = True
        chosen, end = _chosen(np.where(has_inputs, below, np.nan), above)
        threads = np.flatnonzero(chosen >= 0)
        line = Line(first, {name: np.stack([target[name] for target in targets]) for name in owners}, owners, end)
        bracket = Bracket(below[chosen[threads], threads], above[end[threads], chosen[threads], threads])
        return _Aimed(aims, chosen[threads], threads, line, bracket, watches)

    def plain_inputs(self, first: Inputs, targets: Sequence[Inputs]) -> Iterator[Inputs]:
        """Yield inputs at which comparisons turn that only depend on plain arguments, after a call of `inputs`.

        Args:
            first: values of the arguments; arrays keep them.
            targets: the values that plain arguments move to.
        """
        plain = [leaf.name for leaf in leaves(self._launch) if leaf.kind == "value" and moves(leaf, first)]
        if not self._uniform or not plain:
            return
        start = self._start(first)
        ends = [{**first, **{name: target[name] for name in plain}} for target in targets]
        watch_of = lru_cache(maxsize=None)(lambda number: self._watch(ends[number]))
        for aim in _aims(start, PLAIN_AIMS, self._uniform):
            below = aim.missed_by_all(start)
            for number, end in enumerate(ends):
                above = aim.missed_by_all(watch_of(number))
                if above * below < 0.0:
                    found = self._between(first, {name: end[name] for name in plain}, aim, below, above)
                    if not self._decided_by_rounding(found, start.count).any():
                        yield found
                    break

    @np.errstate(invalid="ignore", over="ignore")
    def _between(self, first: Inputs, plain: Inputs, aim: Aim, below: float, above: float) -> Inputs:
        """Return inputs with plain arguments between those of ``first`` and ``plain``, which miss an aim to both sides."""
        thread = {name: np.zeros(value.shape, np.int64) for name, value in plain.items()}
        line = Line(first, {name: value[None] for name, value in plain.items()}, thread, np.zeros(1, np.int64))
        bracket = Bracket(np.array([below]), np.array([above]))
        for _ in range(ROUNDS):
            if bracket.is_narrow:
                break
            bracket.narrow(np.array([aim.missed_by_all(self._watch(line.at(bracket.next())))]))
        return line.at(bracket.best())

    @np.errstate(invalid="ignore", over="ignore")
    def _decided_by_rounding(self, inputs: Inputs, count: int) -> Values:
        """Return in which threads a comparison may have another outcome in other modes of rounding; in none without them."""
        decided = np.zeros(count, np.bool_)
        if not self._rounded:
            return decided
        nearest, *directed = (interpreter(inputs).distances for interpreter in (self._interpreter, *self._rounded))
        for site, distances in nearest.items():
            for other in directed:
                moved = other.get(site, np.full(count, np.nan))
                change = np.abs(moved - distances)
                decided |= (np.isnan(moved) != np.isnan(distances)) | ((change > 0.0) & (np.abs(distances) <= ROUNDED * change))
        return decided

    def _start(self, inputs: Inputs) -> Watch:
        """Return the comparisons at inputs that several searches start from, which run once."""
        if self._started is None or self._started[0] is not inputs:
            self._started = inputs, self._watch(inputs)
        return self._started[1]

    def _watch(self, inputs: Inputs) -> Watch:
        watch = self._interpreter(inputs)
        for (place, _), distances in watch.distances.items():
            outcomes = self._outcomes.setdefault(place, set())
            outcomes |= {True} if np.any(distances < 0.0) else set()
            outcomes |= {False} if np.any(distances >= 0.0) else set()
        return watch


@dataclass(frozen=True, slots=True)
class _Aimed:
    """The threads that are directed at comparisons.

    Attributes:
        aims: all aims.
        chosen: the number of the aim of each thread.
        threads: the numbers of the threads.
        line: the lines along which they move.
        bracket: the parts of the lines that contain the aims.
        watches: the comparisons at the other ends of the lines.
    """

    aims: Sequence[Aim]
    chosen: Values
    threads: Values
    line: Line
    bracket: Bracket
    watches: Sequence[Watch]

    @property
    def sites(self) -> int:
        """The number of comparisons that a thread is directed at."""
        return len({self.aims[number].site for number in self.chosen.tolist()})

    def missed(self, watch: Watch) -> Values:
        """Return by how much each thread misses its aim."""
        return np.array([aim.missed(watch) for aim in self.aims])[self.chosen, self.threads]


def _uniform_sites(watches: Sequence[Watch]) -> set[Site]:
    """Return the comparisons that have the same operands in all threads of launches whose arrays differ."""
    first, *further = watches
    found = set()
    for site, distances in first.distances.items():
        known = np.concatenate([distances, *(watch.distances[site] for watch in further if site in watch.distances)])
        known = known[np.isfinite(known)]
        if len(known) and np.all(known == known[0]):
            found.add(site)
    return found


def _aims(watch: Watch, shares: Sequence[float], sites: Container[Site]) -> Iterator[Aim]:
    """Yield the aims at some comparisons; the first distance of each comes first, because there may be few threads."""
    for share in shares:
        for site, scales in watch.scales.items():
            if site in sites:
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
