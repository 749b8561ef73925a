"""The gradients of a backward pass, launch by launch, against the derivatives of the launches."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from warpsmith.core.inputs.values import Values
from warpsmith.core.records.tape_recording import Adjoint
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
        gradient_after: the gradients before it; for a launch only those of its arrays, without those of earlier backward
            passes, so that their product with the derivatives after it is ``after``.
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
        self._errors = np.zeros(self._tape.data.size)
        self.found = Walk()

    def walk(self) -> Walk:
        """Return what the walk finds."""
        found = self.found
        found.gradient = np.zeros(len(self._tangents))
        seeds = seeds_of(self._tape)
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

    def _compare_start(self, seeds: Values) -> None:
        numbers, grads = self._tape.numbers, self._tape.grads
        gradient = (self._gradient - self._base)[grads]
        before, scale = self._tangents[:, numbers] @ gradient, np.abs(self._tangents[:, numbers]) @ np.abs(gradient)
        if np.all(np.isfinite(self.found.loss)):
            self._part(len(self._chain.steps), "start", before, self.found.loss, TOLERANCE * scale, seeds)

    def _event(self, number: int, step: Step) -> None:
        adjoint = self._adjoints.get(number)
        if adjoint is not None and self._apply(adjoint, adjoint.before):
            self.found.unknown[number] = "a function of the program changes gradients before its adjoint"
        numbers, grads = self._tape.pairs_of(self._chain.touched(step))
        gradient_after, tangents = self._gradient[grads], self._tangents[:, numbers]
        after, scale = self._terms(gradient_after, grads, tangents)
        error = self._error(step, numbers, np.abs(gradient_after - self._base[grads]))
        if adjoint is not None:
            self._apply(adjoint, adjoint.after)
        if step.change is not None:
            self._tangents[:, step.change.slots] = step.change.before
        before, other_scale = self._terms(self._gradient[grads], grads, self._tangents[:, numbers])
        if step.problem:
            if np.any(np.abs(after - before) > 0.0):
                self.found.unknown[number] = step.problem
        elif not np.all(np.isfinite(after)):
            self.found.unknown[number] = "the gradients of what it writes are not finite"
        elif not np.all(np.isfinite(error)):
            self.found.unknown[number] = "differences do not resolve its derivative"
        else:
            self.found.compared += 1
            gradient = np.zeros_like(self._gradient)
            gradient[grads] = gradient_after - self._base[grads]
            self._part(number, "launch", before, after, TOLERANCE * (scale + other_scale) + error, gradient)

    def _terms(self, gradient: Values, grads: Values, tangents: Values) -> tuple[Any, Any]:
        """Return the product of gradients and derivatives, and the sum of the absolute terms, for each direction."""
        gradient = gradient - self._base[grads]
        return tangents @ gradient, np.abs(tangents) @ np.abs(gradient)

    def _error(self, step: Step, numbers: Values, gradient: Values) -> float:
        """Return how far the errors of the derivatives change the product."""
        if step.change is None or step.error is None:
            return 0.0
        self._errors[step.change.slots] = step.error
        with np.errstate(invalid="ignore"):
            terms = self._errors[numbers] * gradient
        self._errors[step.change.slots] = 0.0
        return float(np.where(gradient > 0.0, terms, 0.0).sum())

    def _apply(self, adjoint: Adjoint, contents: tuple[int, ...]) -> bool:
        """Set the gradients of the arrays of an event; return whether any differs."""
        event, changes = self._tape.recording.events[adjoint.event], False
        for access, content in zip(event.accesses, contents, strict=True):
            if content >= 0 and access.gradient is not None and access.gradient.is_float:
                values = self._tape.content(content).ravel()
                slots = self._tape.gradients.slots(access.gradient).ravel()
                changes = changes or not np.array_equal(self._gradient[slots], values, equal_nan=True)
                self._gradient[slots] = values
        return changes

    def _host(self, number: int, moved: Change) -> None:
        """Take back what moves from here on; what these numbers were before must not matter any more."""
        numbers, grads = self._tape.pairs_of(moved.slots)
        gradients = self._gradient[grads] - self._base[grads]
        is_moved = np.isin(numbers, moved.slots) if self._tape.has_several else np.ones(numbers.size, bool)
        numbers, gradients = numbers[is_moved], gradients[is_moved]
        self.found.gradient = self.found.gradient + self._tangents[:, numbers] @ gradients
        self._tangents[:, moved.slots] = moved.before
        left = self._tangents[:, numbers] @ gradients
        scale = np.abs(self._tangents[:, numbers]) @ np.abs(gradients)
        if np.all(np.isfinite(left)):
            self._part(number, "host", left, np.zeros_like(left), TOLERANCE * scale, self._gradient)

    def _part(self, number: int, kind: str, before: Any, after: Any, tolerance: Any, gradient_after: Values) -> None:
        distance = np.abs(before - after)
        with np.errstate(invalid="ignore"):
            wrong = ~(distance <= tolerance) & np.isfinite(after)  # true for a gradient of NaN with a finite derivative
        if not np.any(wrong):
            return
        tolerance = np.broadcast_to(tolerance, distance.shape)
        row = int(np.argmax(np.where(wrong, np.nan_to_num(distance, nan=np.inf), -1.0)))
        self.found.partings.append(
            Parting(
                number, kind, float(before[row]), float(after[row]), float(tolerance[row]), row,
                self._gradient.copy(), gradient_after.copy(), self._tangents.copy(),
            )
        )  # fmt: skip


def _start(tape: RecordedTape, sources: Values) -> tuple[Values, Values]:
    """Return the gradients when the backward pass starts, with its seeds, and what to leave out of them.

    Arrays that no launch writes keep the gradients of earlier backward passes on purpose, unless their contents are others.
    """
    gradient, base = np.zeros(tape.gradients.size), np.zeros(tape.gradients.size)
    is_source = np.zeros(tape.gradients.size, bool)
    is_source[tape.grads[sources[tape.numbers]]] = True
    for state in tape.recording.gradients:
        if not state.memory.is_float:
            continue
        slots = tape.gradients.slots(state.memory).ravel()
        gradient[slots] = tape.content(state.start if state.seed < 0 else state.seed).ravel()
        if state.seed < 0 and not state.earlier:
            base[slots] = np.where(is_source[slots], gradient[slots], 0.0)
    return gradient, base


def seeds_of(tape: RecordedTape) -> Values:
    """Return the seeds of the backward pass; 0 for other gradients."""
    seeds = np.zeros(tape.gradients.size)
    for state in tape.recording.gradients:
        if state.seed >= 0 and state.memory.is_float:
            seeds[tape.gradients.slots(state.memory).ravel()] = tape.content(state.seed).ravel()
    return seeds
