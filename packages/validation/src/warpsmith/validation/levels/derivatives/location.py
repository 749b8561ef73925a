"""Finds the element of an input at which a wrong gradient is wrong.

A derivative along a direction is the sum of what the elements of all inputs contribute, and so is its error. The elements are
halved until one is left; the half with the larger error is kept.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from warpsmith.core.inputs.values import Values, leaves
from warpsmith.core.records.launch import Argument
from warpsmith.validation.levels.derivatives.derivative import TOLERANCE
from warpsmith.validation.levels.derivatives.disagreement import Disagreement
from warpsmith.validation.levels.derivatives.probe import Failure
from warpsmith.validation.running.fork_runner import run_forked
from warpsmith.validation.running.prepared_launch import PreparedLaunch
from warpsmith.validation.running.shared_memory import Arena

UNCERTAIN = 10.0
"""How many times the distance between differences with two steps an error has to exceed."""


def locate(failures: Sequence[Failure], arena: Arena, seconds: float) -> list[Disagreement | None]:
    """Return for each failure the element at which the gradient is wrong, or None if no single element shows the error.

    Args:
        failures: the failures.
        arena: shared memory; it is cleared.
        seconds: the time limit for the launches of one kernel at a time.
    """
    searched = {number: _first_part(*found) for number, found in _gradients(failures, arena, seconds).items()}
    while wide := {number: part for number, part in searched.items() if part.stop - part.start > 1}:
        arena.clear()
        halves = {number: part.halves() for number, part in wide.items()}
        launches = {number: [half.prepare(arena) for half in pair] for number, pair in halves.items()}
        jobs = [[call for sides in pair for launch in sides for call in launch.calls] for pair in launches.values()]
        for number, problem in zip(wide, run_forked(jobs, seconds), strict=True):
            if problem is not None:
                del searched[number]
                continue
            errors = [half.error(*sides) for half, sides in zip(halves[number], launches[number], strict=True)]
            searched[number] = halves[number][errors[1] > errors[0]]
    return _compared(searched, len(failures), arena, seconds)


def _gradients(failures: Sequence[Failure], arena: Arena, seconds: float) -> dict[int, tuple[Failure, dict[str, Values]]]:
    """Run the adjoints, and return the number of each failure with the gradients of its inputs."""
    arena.clear()
    centres = [failure.prepare(0.0, arena, backward=True) for failure in failures]
    problems = run_forked([centre.calls for centre in centres], seconds)
    found = {}
    for number, (failure, centre, problem) in enumerate(zip(failures, centres, problems, strict=True)):
        if problem is None and failure.probe.direction:
            adjoints = centre.arguments.adjoints | centre.arguments.value_adjoints
            found[number] = failure, {name: adjoints[name].copy() for name in failure.probe.direction}
    return found


@dataclass(frozen=True, slots=True)
class _Part:
    """Some of the elements of all inputs: those from ``start`` up to ``stop``, counted through all inputs in order."""

    failure: Failure
    gradients: Mapping[str, Values]
    start: int
    stop: int

    def halves(self) -> tuple[_Part, _Part]:
        middle = (self.start + self.stop) // 2
        return (
            _Part(self.failure, self.gradients, self.start, middle),
            _Part(self.failure, self.gradients, middle, self.stop),
        )

    def direction(self) -> dict[str, Values]:
        """Return the direction of the failure, with zeros for all other elements."""
        masked, start = {}, 0
        for name, step in self.failure.probe.direction.items():
            flat = np.zeros(step.size)
            chosen = slice(max(self.start - start, 0), max(self.stop - start, 0))
            flat[chosen] = step.ravel()[chosen]
            masked[name], start = flat.reshape(step.shape), start + step.size
        return masked

    def prepare(self, arena: Arena) -> tuple[PreparedLaunch, PreparedLaunch]:
        """Prepare the launches on both sides of the point."""
        direction = self.direction()
        return self.failure.prepare(1.0, arena, direction), self.failure.prepare(-1.0, arena, direction)

    def error(self, above: PreparedLaunch, below: PreparedLaunch) -> float:
        """Return how far the adjoint is from the difference of two launches; infinity if one of them is not finite."""
        exact = sum(float(np.vdot(self.gradients[name].ravel(), step.ravel())) for name, step in self.direction().items())
        error = abs(exact - self.failure.probe.difference(above.arguments.after_forward, below.arguments.after_forward, 2.0)[0])
        return error if math.isfinite(error) else math.inf


def _first_part(failure: Failure, gradients: Mapping[str, Values]) -> _Part:
    """Return all elements, or the first one that moves and whose gradient is not finite."""
    flat = np.concatenate([gradients[name].ravel() for name in failure.probe.direction])
    moves = np.concatenate([step.ravel() != 0.0 for step in failure.probe.direction.values()])
    broken = np.flatnonzero(~np.isfinite(flat) & moves)
    start, stop = (int(broken[0]), int(broken[0]) + 1) if len(broken) else (0, len(flat))
    return _Part(failure, gradients, start, stop)


def _compared(parts: Mapping[int, _Part], count: int, arena: Arena, seconds: float) -> list[Disagreement | None]:
    """Compare the gradients of single elements with differences with two steps."""
    arena.clear()
    single = {number: _Element.of(part) for number, part in parts.items()}
    launches = {number: element.prepare(arena) for number, element in single.items()}
    found: list[Disagreement | None] = [None] * count
    problems = run_forked([[call for launch in prepared for call in launch.calls] for prepared in launches.values()], seconds)
    for number, problem in zip(single, problems, strict=True):
        if problem is None:
            found[number] = single[number].disagreement(launches[number])
    return found


@dataclass(frozen=True, slots=True)
class _Element:
    """One element of one input.

    Attributes:
        failure: the failure.
        leaf: the input.
        position: the position of the number among those of the input.
        gradient: the gradient that the adjoint gives.
        scale: how far the number moves in one step.
    """

    failure: Failure
    leaf: Argument
    position: int
    gradient: float
    scale: float

    @classmethod
    def of(cls, part: _Part) -> _Element:
        start, probe = part.start, part.failure.probe
        named = {leaf.name: leaf for leaf in leaves(probe.launch)}
        for name, step in probe.direction.items():
            if start < step.size:
                gradient, scale = float(part.gradients[name].ravel()[start]), abs(float(step.ravel()[start])) or 1.0
                return cls(part.failure, named[name], start, gradient, scale)
            start -= step.size
        raise ValueError("a part beyond the last input")

    @property
    def text(self) -> str:
        """The element as Python writes it."""
        return element_text(self.leaf, self.failure.probe.direction[self.leaf.name].shape, self.position)

    def prepare(self, arena: Arena) -> list[PreparedLaunch]:
        """Prepare launches at whole and half steps to both sides."""
        step = np.zeros(self.failure.probe.direction[self.leaf.name].shape)
        step.reshape(-1)[self.position] = self.scale
        return [self.failure.prepare(offset, arena, {self.leaf.name: step}) for offset in (1.0, -1.0, 0.5, -0.5)]

    def disagreement(self, launches: Sequence[PreparedLaunch]) -> Disagreement | None:
        up, down, half_up, half_down = (launch.arguments.after_forward for launch in launches)
        full, _ = self.failure.probe.difference(up, down, 2.0)
        half, size = self.failure.probe.difference(half_up, half_down, 1.0)
        expected = half + (half - full) / 3.0
        error = abs(self.gradient * self.scale - expected)
        if not math.isfinite(expected) or error <= max(TOLERANCE * size, UNCERTAIN * abs(half - full)):
            return None
        return Disagreement(self.leaf.name, self.text, self.gradient, expected / self.scale)


def element_text(leaf: Argument, shape: tuple[int, ...], position: int) -> str:
    """Return the element of a leaf with the given shape of numbers as Python writes it, such as ``x[3]`` or ``v[3][1]``."""
    index = np.unravel_index(position, shape)
    outer, inner = index[: len(leaf.shape)], index[len(leaf.shape) :]
    return leaf.name + "".join(f"[{', '.join(str(int(number)) for number in part)}]" for part in (outer, inner) if part)
