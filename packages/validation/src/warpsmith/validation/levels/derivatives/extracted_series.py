"""The draws of an extracted kernel at level `gradient`: they move only what a program has gradients of, and by its own scale.

A program receives gradients of arrays, and none of plain arguments. Values of real launches have no common range: a length is
close to another, and a flag of 1e10 says that there is none. Each number therefore moves in proportion to itself. Zeros, which
often stand for something that does not move, keep their value in every other draw.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from warpsmith.core.inputs.values import Values, generator, leaves
from warpsmith.core.records.jsonl import Line
from warpsmith.core.records.launch import Argument, Launch
from warpsmith.validation.compiling.clang import Library
from warpsmith.validation.compiling.part import UnitPart
from warpsmith.validation.levels.context import BatchContext
from warpsmith.validation.levels.derivatives.balance import input_factors, output_factors, random_seeds, size_of
from warpsmith.validation.levels.derivatives.derivative import Derivative, has_gradient
from warpsmith.validation.levels.derivatives.probe import Probe
from warpsmith.validation.levels.derivatives.series import DIRECTIONS, JITTER, NONE, SMALL, Alone, Series, range_of, step_of
from warpsmith.validation.levels.finding import PASS, Finding, inconclusive
from warpsmith.validation.levels.level_results import LaunchResult
from warpsmith.validation.running.shared_arguments import promoted
from warpsmith.validation.running.shared_memory import Arena

AGREEING = 4
"""How many directions have to agree. Real kernels have more bends than synthesized ones, and none may disagree."""

SLOW_DRAWS = 2
"""How many directions have to agree for a kernel whose draws do not end in time."""

LARGEST = 1.0e15
"""The absolute value from which a number does not move: arrays of real programs also contain memory that nobody has written."""

DRAWN = ("uniform", "unit", "near_identity", "sorted")
"""The domains whose values fill their range."""


NOT_FINITE = "the gradient is not finite, and the kernel has no derivative at this launch"
"""The finding on a kernel whose derivative is infinite, such as the root of zero."""


CONSTANT = "no output depends on an input of floats at this launch"


class ExtractedSeries(Series):
    """The draws of one extracted kernel.

    Attributes:
        suspect: the derivative that the adjoint does not agree with, if there is one.
        moves_alone: whether one leaf moves alone in it, or one output alone has seeds.
    """

    def __init__(self, line: Line, library: Library, part: UnitPart, context: BatchContext) -> None:
        super().__init__(line, library, part, context)
        self.launches = [replace(result, launch=actual_roles(result)) for result in self.launches]
        self.suspect: Derivative | None = None
        self.moves_alone = False
        self._constant, self._singular, self._hidden = 0, "", ""
        self._needed, self._max_draws = AGREEING, DIRECTIONS

    def begin_again(self) -> None:
        """Clear the finding on a slow kernel; `SLOW_DRAWS` are enough then."""
        self.finished, self.finding = False, Finding("inconclusive", "nothing was drawn")
        self._agreed = self._drawn = self._constant = 0
        self._singular = self._hidden = ""
        self._needed = self._max_draws = SLOW_DRAWS

    def add(self, derivative: Derivative) -> None:
        """Count the finding of one draw; a failure is final unless it cannot be confirmed."""
        if self.finished:
            return
        finding = derivative.finding()
        self._drawn += 1
        if finding.status == "fail":
            self.suspect, self.failing = derivative, derivative.probe
            self.finish(finding)
        elif finding.status == "inconclusive":
            reason = f"{self._agreed} of {self._drawn} draws agree, others show nothing: {finding.reason}"
            self.finding = Finding("inconclusive", reason)
            if not np.isfinite(derivative.adjoint):
                self._singular = f"{NOT_FINITE}: {finding.reason}"
        elif derivative.hidden or derivative.adjoint == derivative.contributions == 0.0:
            self._constant, self._hidden = self._constant + 1, self._hidden or derivative.hidden
            if self._constant == self._drawn:
                self.finding = inconclusive(self._hidden) if self._hidden else Finding("not_applicable", CONSTANT)
        else:
            self._agreed += 1
            self.note_shares(derivative)
        enough = self._agreed >= min(self._needed, self._drawn - self._constant) > 0
        if self._drawn >= self._max_draws and not self.finished and (enough or self._singular):
            self.finish(inconclusive(self._singular) if self._singular else PASS)

    def _probe(self, draw: int) -> Probe:
        probe = self.probe(draw, self.moving())
        random = generator(f"{self.identity}/contents/{draw}")
        contents = {name: size * random.standard_normal(size.shape) for name, size in self.overwritten.items()}
        return replace(probe, direction={**probe.direction, **contents})

    def unseen(self) -> list[Alone]:
        """Return the leaves whose gradient no draw has shown, see `Series.unseen`; none of a slow kernel.

        The contents of arrays that the kernel reads and writes are checked by `confirmation.contents_finding`.
        """
        if self._needed == SLOW_DRAWS:
            return []
        moving = self.moving() if len(self.moving()) > 1 else []
        small = [leaf for leaf in moving if self._shares.get(leaf.name, 0.0) < SMALL]
        outputs = [leaf for leaf in leaves(self.launches[0].launch) if 0.0 < self._output_shares.get(leaf.name, 0.0) < SMALL]
        return [*map(Alone, small), *(Alone(leaf, is_seeded=True) for leaf in outputs)]

    def derivative_of(self, alone: Alone, draw: int, arena: Arena) -> Derivative:
        """Return the derivative at the point of a draw along a direction in which one leaf alone moves, or of one output."""
        name = alone.leaf.name
        probe = self.probe(draw, self.moving() if alone.is_seeded else [alone.leaf], f"{name}/")
        if alone.is_seeded:
            seeds = {key: value if key == name else np.zeros_like(value) for key, value in probe.seeds.items()}
            probe = replace(probe, seeds=seeds)
        return Derivative(self.kernel, probe, self.shape(probe.launch), arena)

    def shows(self, derivative: Derivative) -> bool:
        """Return whether a derivative of one leaf shows that its gradient is right or wrong, which has to be confirmed."""
        is_shown = super().shows(derivative)
        if self.failing is not None and self.suspect is None:
            self.suspect, self.moves_alone = derivative, True
        return is_shown

    def moving(self) -> list[Argument]:
        """Return the leaves whose gradients are checked, see `moving_leaves`."""
        return moving_leaves(self.launches[0].launch, self.launches[0].values)

    def written_inputs(self) -> list[Argument]:
        """Return the leaves that the kernel reads and writes, if there are others that it only reads."""
        found = _with_role(self.launches[0].launch, self.launches[0].values, "inout")
        return [] if found == self.moving() else found

    def probe(self, draw: int, moving: list[Argument], key: str = "") -> Probe:
        """Return the point and the direction of a draw in which ``moving`` leaves move; another key gives other ones."""
        result = self.launches[draw % len(self.launches)]
        random = generator(f"{self.identity}/{key}{draw}")
        point = {name: promoted(value) for name, value in result.values.items()}
        direction, factors = {}, input_factors(self._shares, draw)
        for leaf in moving:
            scale = scale_of(leaf, point[leaf.name], with_zeros=draw % 2 == 1)
            point[leaf.name] = jittered(leaf, point[leaf.name], scale, random)
            direction[leaf.name] = factors.get(leaf.name, 1.0) * scale * random.standard_normal(scale.shape)
        seeds = seeds_of(result, random, size_of(draw), output_factors(self._output_shares, draw))
        return Probe(result.launch, point, direction, seeds, step_of(draw), changed_only=True)


def actual_roles(result: LaunchResult) -> Launch:
    """Return a launch in which no argument that the kernel changes has the role of an input."""

    def corrected(argument: Argument, prefix: str) -> Argument:
        name = prefix + argument.name
        members = tuple(corrected(member, f"{name}.") for member in argument.fields)
        before, after = result.values.get(name), result.outputs.arrays.get(name)
        changed = before is not None and after is not None and before.tobytes() != after.tobytes()
        return replace(argument, fields=members, role="inout" if changed and argument.role == "input" else argument.role)

    return replace(result.launch, args=tuple(corrected(argument, "") for argument in result.launch.args))


def no_gradient(result: LaunchResult) -> str | None:
    """Return why a program has no gradients of a kernel, or None if it has."""
    launch, values = actual_roles(result), result.values
    if not any(leaf.role != "input" and leaf.kind != "value" and has_gradient(leaf, values) for leaf in leaves(launch)):
        return "no output holds floats"
    return None if moving_leaves(launch, values) else "no array that the kernel reads holds floats"


def moving_leaves(launch: Launch, values: Mapping[str, Values]) -> list[Argument]:
    """Return the leaves whose gradients are checked: those that the kernel reads, else what outputs contain before it."""
    return _with_role(launch, values, "input") or _with_role(launch, values, "inout")


def _with_role(launch: Launch, values: Mapping[str, Values], role: str) -> list[Argument]:
    return [leaf for leaf in leaves(launch) if leaf.role == role and leaf.kind != "value" and has_gradient(leaf, values)]


def scale_of(leaf: Argument, values: Values, with_zeros: bool) -> Values:
    """Return how far each number may move; 0 for those that do not."""
    if leaf.domain is not None and leaf.domain.kind in DRAWN:
        return np.full(values.shape, range_of(leaf) if range_of(leaf) < LARGEST else 0.0)
    known = np.abs(values) < LARGEST  # false for NaN
    size = np.abs(np.where(known, values, 0.0))
    typical = float(np.median(size[size > 0.0])) if size.any() else 1.0
    return np.where(known & (size == 0.0), typical, size) if with_zeros or not size.any() else size


def jittered(leaf: Argument, values: Values, scale: Values, random: np.random.Generator) -> Values:
    """Return values at a small distance, inside of a domain whose values fill their range."""
    if leaf.domain is not None and leaf.domain.kind == "uniform":
        values = values + 2.0 * JITTER * ((leaf.domain.low + leaf.domain.high) / 2.0 - values)
    return np.asarray(values + JITTER * scale * random.uniform(-1.0, 1.0, values.shape))


def seeds_of(
    result: LaunchResult, random: np.random.Generator, size: float = 1.0, factors: Mapping[str, float] = NONE
) -> dict[str, Values]:
    """Return gradients of the outputs, 0 for numbers that are not finite."""
    arrays = result.outputs.arrays
    return {
        leaf.name: np.where(
            np.isfinite(arrays[leaf.name]),
            random_seeds(arrays[leaf.name].shape, random, size * factors.get(leaf.name, 1.0)),
            0.0,
        )
        for leaf in leaves(result.launch)
        if leaf.role != "input" and leaf.kind != "value" and has_gradient(leaf, result.values)
    }
