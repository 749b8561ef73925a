"""Closures of branches and loops, which threads may take and leave one by one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from warpsmith.validation.oracle.builtins.boxes import Query
from warpsmith.validation.oracle.interpreter.closures import Code, Run
from warpsmith.validation.oracle.interpreter.expression_closures import integer
from warpsmith.validation.oracle.interpreter.jumps import BREAK, CONTINUE, Jump, Jumps, Outcome, Step
from warpsmith.validation.oracle.values.frames import Frame, Part
from warpsmith.validation.oracle.values.interpretation_errors import Apart, Undefined, Unsupported
from warpsmith.validation.oracle.values.lanes import Objects
from warpsmith.validation.oracle.values.operators import truths
from warpsmith.validation.oracle.values.value_types import Components, Lanes, Value


def branch(run: Run, condition: Code, body: Step, orelse: Step | None) -> Step:
    """Return a branch."""

    def choose(frame: Frame) -> Outcome:
        holds = truths(condition(frame))
        if isinstance(holds, np.ndarray):
            count = np.count_nonzero(holds)
            if 0 < count < len(holds):
                return split(frame, holds)
            holds = count > 0
        if holds:
            return body(frame)
        return orelse(frame) if orelse is not None else None

    def split(frame: Frame, holds: Components) -> Outcome:
        jumps = Jumps(len(holds))
        for places, step in ((np.flatnonzero(holds), body), (np.flatnonzero(~holds), orelse)):
            if step is not None:
                part = run.enter(frame, places)
                jumps.add(places, step(part))
                run.leave(part)
        return jumps.outcome()

    return choose


class _Loop:
    """A run of a loop: the threads that are still in it, and the jumps of those that returned."""

    def __init__(self, run: Run, frame: Frame) -> None:
        self.run, self.frame, self.current = run, frame, frame
        self.places: Components | None = None
        self.jumps = Jumps(run.width)

    def keep(self, inner: Components) -> bool:
        """Let only the threads at some of the current places stay, and return whether there are any."""
        if len(inner) < self.run.width:
            places = inner if self.places is None else self.places[inner]
            self._leave()
            self.places, self.current = places, self.run.enter(self.frame, places)
        return len(inner) > 0

    def turn(self, body: Step) -> bool:
        """Run the body once, and return whether a thread stays."""
        outcome = body(self.current)
        if outcome is None or outcome is CONTINUE:
            return True
        if outcome is BREAK:
            return False
        places = np.arange(self.run.width) if self.places is None else self.places
        if isinstance(outcome, Jump):
            self.jumps.add(places, outcome)
            return False
        for inner, jump in outcome.jumps:
            if jump.keyword == "return":
                self.jumps.add(places[inner], jump)
        return self.keep(outcome.remaining_places("break", "return"))

    def end(self) -> Outcome:
        """Let all threads go on after the loop."""
        self._leave()
        return self.jumps.outcome()

    def _leave(self) -> None:
        if isinstance(self.current, Part) and self.current is not self.frame:
            self.run.leave(self.current)


def for_range(run: Run, name: str, bounds: Sequence[Code], body: Step) -> Step:
    """Return a loop over a range."""

    def go(frame: Frame) -> Outcome:
        values = [bound(frame) for bound in bounds]
        loop = _Loop(run, frame)
        if any(type(value) is Lanes for value in values):
            turns = _turns(loop, values)
        else:
            numbers = [integer(value) for value in values]
            if len(numbers) == 3 and numbers[2] == 0:
                raise Undefined("a range with step zero")
            turns = map(np.int32, range(*numbers))
        for value in turns:
            loop.current[name] = value
            if not loop.turn(body):
                break
        return loop.end()

    return go


def _turns(loop: _Loop, bounds: Sequence[Value]) -> Iterator[Value]:
    """Yield the values of the variable of a loop with as many turns as each thread has."""
    start, stop, step = (np.int32(0), bounds[0], np.int32(1)) if len(bounds) == 1 else (*bounds, np.int32(1))[:3]
    first, last, stride = (_lane_integers(loop.run.width, value) for value in (start, stop, step))
    if not stride.all():
        raise Undefined("a range with step zero")
    counts, number = -((first - last) // stride), 0
    while True:
        places = slice(None) if loop.places is None else loop.places
        if not loop.keep(np.flatnonzero(counts[places] > number)):
            return
        places = slice(None) if loop.places is None else loop.places
        if type(start) is Lanes or type(step) is Lanes:
            yield Lanes((first + number * stride)[places].astype(np.int32))
        else:
            yield np.int32(int(start) + number * int(step))
        number += 1


def _lane_integers(count: int, value: Value) -> Components:
    if type(value) is not Lanes:
        return np.full(count, integer(value), np.int64)
    if value.data.dtype.type is not np.int32:
        raise Apart("a range of other integers")
    return value.data.astype(np.int64)


def for_each(run: Run, name: str, query: Code, body: Step) -> Step:
    """Return a loop over what a query finds."""

    def go(frame: Frame) -> Outcome:
        found, loop = query(frame), _Loop(run, frame)
        for value in _numbers(loop, found):
            loop.current[name] = value
            if not loop.turn(body):
                break
        return loop.end()

    return go


def _numbers(loop: _Loop, found: Value) -> Iterator[Value]:
    """Yield the numbers that a query found, or the queries of several threads."""
    queries = found.each if isinstance(found, Objects) else [found]
    if not all(isinstance(query, Query) for query in queries):
        raise Unsupported("a for loop that is not over a range")
    if found is queries[0]:
        yield from found
        return
    rests = [iter(query) for query in queries]
    while True:
        staying = rests if loop.places is None else [rests[place] for place in loop.places]
        numbers = [next(rest, None) for rest in staying]
        if not loop.keep(np.flatnonzero([number is not None for number in numbers])):
            return
        yield Lanes(np.array([number for number in numbers if number is not None], np.int32))


def while_loop(run: Run, condition: Code, body: Step) -> Step:
    """Return a loop under a condition."""

    def go(frame: Frame) -> Outcome:
        loop = _Loop(run, frame)
        while True:
            holds = truths(condition(loop.current))
            if not (loop.keep(np.flatnonzero(holds)) if isinstance(holds, np.ndarray) else holds) or not loop.turn(body):
                return loop.end()

    return go
