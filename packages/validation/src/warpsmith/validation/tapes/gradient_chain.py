"""The gradients of a backward pass, launch by launch, against the derivatives of the launches."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from warpsmith.core.inputs.values import Values
from warpsmith.core.records.tape_recording import Adjoint, Memory
from warpsmith.validation.tapes.recorded_tape import RecordedTape
from warpsmith.validation.tapes.tangent_chain import Change, Step, TangentChain

TOLERANCE = 2.0e-5
"""The difference of two products that single precision explains, relative to the sum of the absolute terms that changed."""


@dataclass(slots=True)
class Parting:
    """A launch, or what the program does before it, at which the product of gradients and derivatives changes.

    Attributes:
        number: the number of the event; that of all events for the start of the backward pass.
        kind: ``"launch"``; ``"host"`` for contents that the program's Python has set before the event; ``"start"``.
        before: the product on the side of the inputs.
        after: the product on the side of the loss.
        tolerance: the difference that is explained.
        row: the direction that shows it best.
        gradient_before: the gradients after the event's adjoint.
        gradient_after: the gradients before it.
        tangents: the derivatives before the event.
    """

    number: int
    kind: str
    before: float
    after: float
    tolerance: float
    row: int
    gradient_before: Values
    gradient_after: Values
    tangents: Values


@dataclass(slots=True)
class Walk:
    """What a walk over the backward pass finds.

    Attributes:
        partings: the launches where the tape goes wrong, in the order of the backward pass.
        unknown: for the number of an event why it was not compared.
        loss: the derivative of the loss by the chain, for each direction.
        gradient: the same by the gradients of the tape.
        compared: how many launches were compared.
    """

    partings: list[Parting] = field(default_factory=list)
    unknown: dict[int, str] = field(default_factory=dict)
    loss: Any = 0.0
    gradient: Any = 0.0
    compared: int = 0


class GradientWalk:
    """Walks over the events of a chain from the last to the first."""

    def __init__(self, chain: TangentChain) -> None:
        self._chain, self._tape = chain, chain.tape
        self._adjoints = {adjoint.event: adjoint for adjoint in self._tape.recording.adjoints}
        self._tangents = chain.final.copy()
        self._gradient, self._base = _start(self._tape, self._sources())
        self.found = Walk()

    def walk(self) -> Walk:
        """Return what the walk finds."""
        found = self.found
        found.gradient = np.zeros(len(self._tangents))
        seeds = _seeds(self._tape)
        found.loss = self._tape.product(seeds, self._tangents)
        self._compare_start(seeds)
        for number in reversed(range(len(self._chain.steps))):
            step = self._chain.steps[number]
            self._event(number, step)
            if step.moved is not None:
                self._host(number, step.moved)
        return found

    def _sources(self) -> Values:
        """Return which numbers no event writes: their gradients may accumulate over several backward passes."""
        written = np.zeros(self._tape.data.size, bool)
        for step in self._chain.steps:
            if step.change is not None:
                written[step.change.slots] = True
        return ~written

    def _product(self) -> Any:
        return self._tape.product(self._gradient - self._base, self._tangents)

    def _compare_start(self, seeds: Values) -> None:
        before = self._product()
        scale = self._tape.size(self._gradient - self._base, self._tangents, np.ones(self._tape.data.size, bool))
        self._part(len(self._chain.steps), "start", before, self.found.loss, TOLERANCE * scale, seeds, self._tangents)

    def _event(self, number: int, step: Step) -> None:
        adjoint = self._adjoints.get(number)
        if adjoint is not None:
            self._apply(adjoint, adjoint.before, number)
        after, gradient_after = self._product(), self._gradient
        where = np.zeros(self._tape.data.size, bool)
        scale = 0.0
        if step.change is not None:
            where[step.change.slots] = True
        if adjoint is not None:
            for access in self._tape.floats(step.event):
                where[self._tape.slots(access).ravel()] = True
        scale = self._tape.size(gradient_after - self._base, self._tangents, where)
        error = self._error(step)
        if adjoint is not None:
            self._apply(adjoint, adjoint.after, None)
        if step.change is not None:
            self._tangents[:, step.change.slots] = step.change.before
        before = self._product()
        scale = scale + self._tape.size(self._gradient - self._base, self._tangents, where)
        if step.problem:
            if np.any(np.abs(after - before) > 0.0):
                self.found.unknown[number] = step.problem
            return
        if not np.all(np.isfinite(error)):
            self.found.unknown[number] = "differences do not resolve its derivative"
            return
        self.found.compared += 1
        self._part(number, "launch", before, after, TOLERANCE * scale + error, gradient_after, self._tangents)

    def _error(self, step: Step) -> Any:
        if step.change is None or step.error is None:
            return 0.0
        errors = np.zeros((1, self._tape.data.size))
        errors[0, step.change.slots] = step.error
        gradient = np.abs(self._gradient - self._base)
        with np.errstate(invalid="ignore"):
            terms = errors[0, self._tape.numbers] * gradient[self._tape.grads]
        return float(np.where(gradient[self._tape.grads] > 0.0, terms, 0.0).sum())

    def _apply(self, adjoint: Adjoint, contents: tuple[int, ...], number: int | None) -> None:
        """Set the gradients of the arrays of an event; a change since the adjoint before comes from the program."""
        event = self._tape.recording.events[adjoint.event]
        changed = self._gradient.copy()
        for access, content in zip(event.accesses, contents, strict=True):
            if content >= 0 and access.gradient is not None and _is_float(access.gradient):
                values = self._tape.content(content, access.gradient)
                changed[self._tape.gradients.slots(access.gradient).ravel()] = values.ravel()
        if number is not None and not np.array_equal(changed, self._gradient, equal_nan=True):
            self.found.unknown[number] = "a function of the program changes gradients before its adjoint"
        self._gradient = changed

    def _host(self, number: int, moved: Change) -> None:
        """Take back what moves from here on; what these numbers were before must not matter any more."""
        where = np.zeros(self._tape.data.size, bool)
        where[moved.slots] = True
        kept = where[self._tape.numbers]
        numbers, gradients = self._tape.numbers[kept], (self._gradient - self._base)[self._tape.grads[kept]]
        self.found.gradient = self.found.gradient + self._tangents[:, numbers] @ gradients
        self._tangents[:, moved.slots] = moved.before
        left = self._tangents[:, numbers] @ gradients
        scale = np.abs(self._tangents[:, numbers]) @ np.abs(gradients)
        self._part(number, "host", left, np.zeros_like(left), TOLERANCE * scale, self._gradient, self._tangents)

    def _part(
        self, number: int, kind: str, before: Any, after: Any, tolerance: Any, gradient_after: Values, tangents: Values
    ) -> None:
        distance = np.abs(before - after)
        with np.errstate(invalid="ignore"):
            wrong = ~(distance <= tolerance)  # true for NaN
        if not np.any(wrong):
            return
        tolerance = np.broadcast_to(tolerance, distance.shape)
        row = int(np.argmax(np.where(wrong, np.nan_to_num(distance, nan=np.inf), -1.0)))
        self.found.partings.append(
            Parting(
                number, kind, float(before[row]), float(after[row]), float(tolerance[row]), row,
                self._gradient.copy(), gradient_after.copy(), tangents.copy(),
            )
        )  # fmt: skip


def _is_float(memory: Memory) -> bool:
    return np.dtype(memory.dtype).kind == "f"


def _start(tape: RecordedTape, sources: Values) -> tuple[Values, Values]:
    """Return the gradients when the backward pass starts, with its seeds, and what to leave out of them.

    Arrays that no launch writes keep the gradients of earlier backward passes on purpose, unless their contents are others.
    """
    gradient, base = np.zeros(tape.gradients.size), np.zeros(tape.gradients.size)
    is_source = np.zeros(tape.gradients.size, bool)
    is_source[tape.grads[sources[tape.numbers]]] = True
    for state in tape.recording.gradients:
        if not _is_float(state.memory):
            continue
        slots = tape.gradients.slots(state.memory).ravel()
        gradient[slots] = tape.content(state.start if state.seed < 0 else state.seed, state.memory).ravel()
        if state.seed < 0 and not state.earlier:
            base[slots] = np.where(is_source[slots], gradient[slots], 0.0)
    return gradient, base


def _seeds(tape: RecordedTape) -> Values:
    """Return the seeds of the backward pass; 0 for other gradients."""
    seeds = np.zeros(tape.gradients.size)
    for state in tape.recording.gradients:
        if state.seed >= 0 and _is_float(state.memory):
            seeds[tape.gradients.slots(state.memory).ravel()] = tape.content(state.seed, state.memory).ravel()
    return seeds
