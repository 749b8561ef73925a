"""The derivatives of all memory along random directions, before and after each launch of a recording.

A direction moves what no launch of the recording has written: the program's inputs, and what its Python sets in between. Only
numbers with a gradient move: the others are constants of the program.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from warpsmith.core.inputs.values import Values, generator, leaves
from warpsmith.core.records.jsonl import Line
from warpsmith.core.records.launch import Launch
from warpsmith.core.records.tape_recording import Access, Event, Recording
from warpsmith.validation.tapes.flat_memory import Slots
from warpsmith.validation.tapes.launch_tangents import Tangents, TangentSource, without
from warpsmith.validation.tapes.recorded_tape import RecordedTape

DIRECTIONS = 2
"""How many random directions are followed."""


@dataclass(slots=True)
class Change:
    """What an event does to the derivatives of some numbers, one row for each direction.

    Attributes:
        slots: the numbers.
        before: their derivatives before.
        after: those after.
    """

    slots: Slots
    before: Values
    after: Values


@dataclass(slots=True)
class Step:
    """An event in the chain.

    Attributes:
        event: the event.
        moved: numbers that the program's Python has set since the event before, or that no event has written before, and
            that move from here on.
        change: what the event does; None if nothing.
        error: the error of each derivative after the event, by slot of ``change``.
        problem: why the derivatives are unknown; empty if they are known. What the launch writes then moves by chance.
        stopped: leaves whose derivative ends here: they have no gradient.
    """

    event: Event
    moved: Change | None = None
    change: Change | None = None
    error: Values | None = None
    problem: str = ""
    stopped: list[str] = field(default_factory=list)


class TangentChain:
    """The chain of a recording.

    Attributes:
        tape: the recording.
        covered: the numbers of the launches that a function on the tape replaces.
        steps: its events, in order.
        final: the derivatives of all memory at the end, one row for each direction.

    Args:
        tape: the recording.
        lines: the pairs of its kernels.
        sources: ways to the derivatives of a launch; the first whose errors are small is used.
        refused: why the kernel of a pair must not run, by the number of the pair.
    """

    def __init__(
        self, tape: RecordedTape, lines: Sequence[Line], sources: Sequence[TangentSource], refused: Mapping[str, str]
    ) -> None:
        self.tape = tape
        self.lines = lines
        self.sources = sources
        self._random = generator(f"{tape.recording.id}/directions")
        size = tape.data.size
        self._tangents = np.zeros((DIRECTIONS, size))
        self._contents = np.full(size, np.nan)
        self._known = np.zeros(size, bool)
        self._refused = refused
        self._roles = [{leaf.name: leaf.role for leaf in leaves(launch)} for launch in tape.recording.launches]
        self.covered = _covered(tape.recording)
        self.steps = [self._step(number, event) for number, event in enumerate(tape.recording.events)]
        self.final = self._tangents

    def _step(self, number: int, event: Event) -> Step:
        step = Step(event)
        step.moved = self._moved(event)
        if number in self.covered:
            self._unknown(step, "a function that the program recorded on its tape passes its gradient on")
        elif event.other:
            self._unknown(step, "another tape or the program itself runs its adjoint")
        elif event.name == "wp.copy":
            self._copied(step)
        elif str(event.pair) in self._refused:
            self._unknown(step, self._refused[str(event.pair)])
        elif event.pair < 0 or event.launch < 0 or event.reason:
            self._unknown(step, event.reason or "its launch is unknown")
        else:
            self._launched(step)
        for access in self.tape.floats(event):
            slots = self.tape.slots(access)
            self._contents[slots.ravel()] = self.tape.content(access.after).ravel()
            self._known[slots.ravel()] = True
        return step

    def _moved(self, event: Event) -> Change | None:
        """Let numbers move that have new contents which no event has written."""
        found, roles = [], self.roles(event)
        for access in self.tape.floats(event):
            if roles.get(access.leaf) == "output":
                continue  # what it contains before the launch does not matter
            slots, content = self.tape.slots(access).ravel(), self.tape.content(access.before).ravel()
            with np.errstate(invalid="ignore"):
                same = (self._contents[slots] == content) | (np.isnan(self._contents[slots]) & np.isnan(content))
            found.append(slots[~(self._known[slots] & same)])
        slots = self._different(found)
        if not slots.size:
            return None
        return self._redrawn(slots, event)

    def _redrawn(self, slots: Slots, event: Event) -> Change:
        """Let numbers move."""
        before = self._tangents[:, slots].copy()
        self._tangents[:, slots] = self._drawn(slots, event)
        return Change(slots, before, self._tangents[:, slots].copy())

    def touched(self, step: Step) -> Slots:
        """Return the numbers of the arrays of an event, and those that it changes."""
        parts = [self.tape.slots(access).ravel() for access in self.tape.floats(step.event)]
        return self._different(parts + ([step.change.slots] if step.change is not None else []))

    def _different(self, parts: Sequence[Slots]) -> Slots:
        """Return the different slots of several arrays; a mask is faster than sorting."""
        mask = np.zeros(self.tape.data.size, bool)
        for part in parts:
            mask[part] = True
        return np.flatnonzero(mask)

    def _drawn(self, slots: Slots, event: Event) -> Values:
        """Return random derivatives, of the size of the contents; 0 for numbers without a gradient."""
        drawn = np.zeros((DIRECTIONS, self.tape.data.size))
        for access in self.tape.floats(event):  # not by slots, whose order depends on addresses
            content = np.abs(self.tape.content(access.before).astype(np.float64))
            nonzero = content[np.isfinite(content) & (content > 0.0)]
            size = float(np.median(nonzero)) if nonzero.size else 1.0
            drawn[:, self.tape.slots(access).ravel()] = size * self._random.standard_normal((DIRECTIONS, content.size))
        return np.where(self.tape.has_gradient[slots], drawn[:, slots], 0.0)

    def _written(self, event: Event) -> list[Access]:
        roles = self.roles(event)
        return [
            access for access in self.tape.floats(event)
            if access.before != access.after or roles.get(access.leaf, "input") != "input"
        ]  # fmt: skip

    def roles(self, event: Event) -> Mapping[str, str]:
        """Return whether a launch reads or writes its leaves."""
        if event.name == "wp.copy":
            return {"dest": "output", "src": "input"}
        return self._roles[event.launch] if event.launch >= 0 else {}

    def launch(self, event: Event) -> Launch:
        """Return the launch of an event that has one."""
        return self.tape.recording.launches[event.launch]

    def _unknown(self, step: Step, problem: str) -> None:
        step.problem = problem
        written = self._written(step.event)
        slots = self._different([self.tape.slots(access).ravel() for access in written])
        if slots.size:
            step.change = self._redrawn(slots, step.event)

    def _copied(self, step: Step) -> None:
        by_leaf = {access.leaf: access for access in step.event.accesses}
        if step.event.reason or "dest" not in by_leaf:
            self._unknown(step, step.event.reason or "an incomplete copy")
            return
        if not all(access.memory.is_float for access in by_leaf.values()):
            return
        dest, src = self.tape.slots(by_leaf["dest"]).ravel(), self.tape.slots(by_leaf["src"]).ravel()
        if by_leaf["src"].gradient is None:
            step.moved = self._redrawn(dest, step.event)
            return
        self._set(step, dest, self._tangents[:, src], np.zeros(dest.size))

    def _launched(self, step: Step) -> None:
        event = step.event
        if self._overlaps(event):
            self._unknown(step, "two of its arrays overlap, and it writes one of them")
            return
        rows = []
        for row in range(DIRECTIONS):
            found = self.along(event, self._tangents[row])
            if found.problem:
                self._unknown(step, found.problem)
                return
            rows.append(found)
        parts = []
        for access in self._written(event):
            slots = self.tape.slots(access).ravel()
            values = np.stack([found.values[access.leaf].ravel() for found in rows])
            errors = np.max([found.errors[access.leaf].ravel() for found in rows], axis=0)
            if (
                not self.tape.has_gradient[slots].all()
                and np.abs(values[:, ~self.tape.has_gradient[slots]]).max(initial=0.0) > 0.0
            ):
                step.stopped.append(access.leaf)
            parts.append((slots, values, errors))
        if parts:
            all_values, all_errors = np.zeros((DIRECTIONS, self.tape.data.size)), np.zeros(self.tape.data.size)
            for slots, values, errors in parts:
                all_values[:, slots], all_errors[slots] = values, errors
            slots = self._different([part[0] for part in parts])
            self._set(step, slots, all_values[:, slots], all_errors[slots])

    def _set(self, step: Step, slots: Slots, values: Values, errors: Values) -> None:
        kept = np.where(self.tape.has_gradient[slots], values, 0.0)
        before = self._tangents[:, slots].copy()
        self._tangents[:, slots] = kept
        step.change, step.error = Change(slots, before, kept), errors

    def direction(self, event: Event, tangents: Values) -> dict[str, Values]:
        """Return the derivatives of all memory as those of the leaves of a launch that move."""
        found = {}
        for access in self.tape.floats(event):
            values = tangents[self.tape.slots(access)]
            if np.any(values):
                found[access.leaf] = values
        return found

    def along(self, event: Event, tangents: Values) -> Tangents:
        """Return the derivatives of what a launch writes, by the first source whose errors are small, else the last one."""
        found = list(self.opinions(event, tangents))
        usable = [opinion for opinion in found if not opinion.problem]
        resolved = next((opinion for opinion in usable if opinion.is_resolved), None)
        if resolved is None and not usable:
            return without("; ".join(opinion.problem for opinion in found))
        return resolved or usable[0]

    def opinions(self, event: Event, tangents: Values, *, all_sources: bool = False) -> Iterator[Tangents]:
        """Yield what the sources say of a launch, up to the first one whose errors are small, or what all of them say."""
        direction = self.direction(event, tangents)
        if not direction:
            zeros = {access.leaf: np.zeros(access.memory.shape) for access in self.tape.floats(event)}
            yield Tangents(zeros, zeros)
            return
        for source in self.sources:
            found = source.tangents(self.lines[event.pair], self.launch(event), self.tape.values(event), direction)
            yield replace(found, problem=f"{source.name}: {found.problem}") if found.problem else found
            if not found.problem and found.is_resolved and not all_sources:
                return

    def _overlaps(self, event: Event) -> bool:
        """Return whether an array that a launch writes overlaps another one."""
        written = {access.leaf for access in self._written(event)}
        accesses = list(self.tape.floats(event))
        for number, access in enumerate(accesses):
            mask = np.zeros(self.tape.data.size, bool)
            mask[self.tape.slots(access).ravel()] = True
            for other in accesses[number + 1 :]:
                if (access.leaf in written or other.leaf in written) and mask[self.tape.slots(other)].any():
                    return True
        return False


def _covered(recording: Recording) -> set[int]:
    """Return the launches that are not on the tape and come right before a function of the program, which replaces them."""
    covered = set()
    for position in recording.functions:
        number = position - 1
        while number >= 0 and not recording.events[number].on_tape:
            covered.add(number)
            number -= 1
    return covered
