"""The draws of a pair at level `gradient` whose code cannot be read in double precision.

Meshes, BVHs, hash grids, volumes and textures store single precision, and noise is written for it. The derivatives of such a
kernel are measured in single precision with wide steps, see `wide_steps`. Plain arguments do not move: the generated code
discards their gradients.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from warpsmith.core.inputs.values import Values, generator, leaves
from warpsmith.core.records.jsonl import Line
from warpsmith.core.records.launch import Argument
from warpsmith.validation.compiling.clang import Library
from warpsmith.validation.compiling.part import UnitPart
from warpsmith.validation.levels.context import BatchContext
from warpsmith.validation.levels.derivatives.balance import random_seeds, size_of
from warpsmith.validation.levels.derivatives.derivative import Derivative, has_gradient
from warpsmith.validation.levels.derivatives.launch_passes import run_passes
from warpsmith.validation.levels.derivatives.probe import Probe
from warpsmith.validation.levels.derivatives.series import Alone, Series, range_of
from warpsmith.validation.levels.derivatives.wide_steps import STEP, WideDerivative
from warpsmith.validation.levels.finding import PASS, Finding, inconclusive
from warpsmith.validation.levels.level_results import LaunchResult
from warpsmith.validation.running.shared_memory import Arena

AGREEING = 4
"""How many directions have to agree."""

SUSPECTS = 3
"""How many directions that do not agree end the draws."""

OTHER_STEPS = (2.0, 0.5)
"""The steps with which a direction has to disagree, too, before the adjoint counts as wrong, relative to the first step."""

NARROW = STEP / 4.0
"""The step with which a direction along which the adjoint is zero has to disagree, too.

A number of neighbours, say, jumps by one. Over wide steps, several jumps at equal distances look like a slope; over a narrow
one, nearly all elements stay as they are. A slope exceeds its rounding there, too, although not by enough to show small errors.
"""

LEAF_STEPS = (4.0 * STEP, 16.0 * STEP, STEP)
"""The steps for leaves that move alone, by attempt. What hardly depends on a leaf differs from rounding at wider steps."""

SMALL = 0.2
"""The share of a leaf in the derivative below which the leaf's gradient is checked alone."""

INSIDE = 2.5
"""How many steps a point stays away from the ends of a domain; the widest one that is made is two steps long."""


class SingleSeries(Series):
    """The draws of one pair in single precision.

    Attributes:
        suspects: the points and directions at which adjoint and differences do not agree.
    """

    def __init__(self, line: Line, library: Library, part: UnitPart, context: BatchContext) -> None:
        super().__init__(line, library, part, context)
        self.suspects: list[Probe] = []
        self._needed = AGREEING

    def derivative(self, draw: int, arena: Arena) -> WideDerivative:
        """Return the derivative at the point and along the direction of a draw."""
        result = self.launches[draw % len(self.launches)]
        return self._derivative(result, self.moving(), STEP, f"{self.identity}/{draw}", arena, self.seed_size(draw))

    def derivative_of(self, alone: Alone, draw: int, arena: Arena) -> WideDerivative:
        """Return the derivative at the point of a draw along a direction in which one leaf alone moves."""
        result = self.launches[draw % len(self.launches)]
        return self._derivative(result, [alone.leaf], LEAF_STEPS[draw], f"{self.identity}/{alone.leaf.name}/{draw}", arena)

    def _derivative(
        self, result: LaunchResult, moving: Sequence[Argument], step: float, key: str, arena: Arena, size: float = 1.0
    ) -> WideDerivative:
        launch, values, random = result.launch, result.values, generator(key)
        point = {**values, **{leaf.name: _inside(leaf, values[leaf.name], step) for leaf in self.moving()}}
        direction = {leaf.name: range_of(leaf) * random.uniform(-1.0, 1.0, point[leaf.name].shape) for leaf in moving}
        seeds = {
            leaf.name: random_seeds(values[leaf.name].shape, random, size).astype(values[leaf.name].dtype)
            for leaf in self._arrays()
            if leaf.role != "input"
        }
        return WideDerivative(self.kernel, Probe(launch, point, direction, seeds, step), self.shape(launch), arena)

    def seed_size(self, draw: int) -> float:
        """Return the size of the seeds of a draw; half precision has no room for other sizes than 1."""
        return 1.0 if self.has_halves else size_of(draw)

    def moving(self) -> list[Argument]:
        """Return the arrays of floats that the kernel reads only, or else those that it reads and writes."""
        inputs = [leaf for leaf in self._arrays() if leaf.role == "input"]
        return inputs or [leaf for leaf in self._arrays() if leaf.role == "inout"]

    def _arrays(self) -> list[Argument]:
        result = self.launches[0]
        return [leaf for leaf in leaves(result.launch) if has_gradient(leaf, result.values) and leaf.kind != "value"]

    def unseen(self) -> list[Alone]:
        """Return the leaves whose gradient no draw has shown, see `Series.unseen`."""
        arguments, moving = self._arrays(), self.moving()
        changed = self._with_contents(arguments, moving)
        small = [leaf for leaf in moving if self._shares.get(leaf.name, 0.0) < SMALL] if len(moving) > 1 else []
        return list(map(Alone, small + changed))

    def add(self, derivative: Derivative) -> None:
        """Count the finding of one draw."""
        if self.finished:
            return
        finding = derivative.finding()
        self._drawn += 1
        self._agreed += finding.status == "pass"
        if finding.status == "pass":
            self._shares = {name: max(share, self._shares.get(name, 0.0)) for name, share in derivative.shares.items()}
        elif finding.status == "fail":
            self.suspects.append(derivative.probe)
        if self._agreed >= self._needed:
            self.finish(PASS)
        elif len(self.suspects) >= SUSPECTS:
            self.finish(finding)
        else:
            self.finding = inconclusive(f"{self._agreed} of {self._drawn} draws in single precision agree: {finding.reason}")

    def shows(self, derivative: Derivative) -> bool:
        """Return whether a derivative of one leaf shows that its gradient is right or wrong."""
        finding = derivative.finding()
        if finding.status == "fail":
            self.suspects.append(derivative.probe)
        return finding.status == "fail" or (finding.status == "pass" and derivative.contributions > 0.0)


def judge_suspects(several: Sequence[SingleSeries], context: BatchContext) -> None:
    """Measure each derivative that does not agree with other steps; a pair fails if one agrees with none of them."""
    suspicious = [series for series in several if series.suspects]
    context.arena.clear()
    drawn = [
        [
            WideDerivative(series.kernel, replace(probe, step=step), series.shape(probe.launch), context.arena)
            for probe in series.suspects
            for step in _other_steps(probe)
        ]
        for series in suspicious
    ]
    for series, derivatives, problem in zip(suspicious, drawn, run_passes(drawn, context.launch_seconds), strict=True):
        if problem is None:
            series.finish(_judged(series.finding, derivatives))


def _other_steps(probe: Probe) -> tuple[float, ...]:
    return *(factor * probe.step for factor in OTHER_STEPS), NARROW


def _judged(finding: Finding, derivatives: Sequence[WideDerivative]) -> Finding:
    size = len(OTHER_STEPS) + 1
    for start in range(0, len(derivatives), size):
        *wide, narrow = derivatives[start : start + size]
        again = [derivative.finding() for derivative in wide]
        jumps = narrow.finding().status == "pass" and narrow.adjoint == 0.0
        if not jumps and all(finding.status == "fail" for finding in again):
            return again[-1]
    return (
        inconclusive("the derivatives with some steps agree, and with others they do not")
        if finding.status == "fail"
        else finding
    )


def _inside(argument: Argument, values: Values, step: float) -> Values:
    """Return values from which steps stay in the domain."""
    if argument.domain is None or argument.domain.kind != "uniform":
        return values
    middle = (argument.domain.low + argument.domain.high) / 2.0
    return np.asarray(values + 2.0 * INSIDE * step * (middle - values), values.dtype)
