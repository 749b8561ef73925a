"""The draws of an extracted kernel whose code cannot be read in double precision, see `single_series`.

They move what a program has gradients of, each number in proportion to itself, see `extracted_series`. In single precision a
wrong derivative cannot be confirmed with finer steps and in another order of threads: one that disagrees is inconclusive.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from warpsmith.core.inputs.values import generator
from warpsmith.core.records.jsonl import Line
from warpsmith.core.records.launch import Argument
from warpsmith.validation.compiling.clang import Library
from warpsmith.validation.compiling.part import UnitPart
from warpsmith.validation.levels.context import BatchContext
from warpsmith.validation.levels.derivatives.derivative import Derivative
from warpsmith.validation.levels.derivatives.disagreement import parse_disagreement
from warpsmith.validation.levels.derivatives.extracted_series import (
    CONSTANT,
    SLOW_DRAWS,
    actual_roles,
    jittered,
    moving_leaves,
    scale_of,
    seeds_of,
)
from warpsmith.validation.levels.derivatives.probe import Probe
from warpsmith.validation.levels.derivatives.series import Alone
from warpsmith.validation.levels.derivatives.single_series import LEAF_STEPS, SingleSeries
from warpsmith.validation.levels.derivatives.wide_steps import STEP, WideDerivative
from warpsmith.validation.levels.finding import PASS, Finding, inconclusive
from warpsmith.validation.running.shared_memory import Arena


class ExtractedSingleSeries(SingleSeries):
    """The draws of one extracted kernel in single precision."""

    def __init__(self, line: Line, library: Library, part: UnitPart, context: BatchContext) -> None:
        super().__init__(line, library, part, context)
        self.launches = [replace(result, launch=actual_roles(result)) for result in self.launches]
        self._is_constant = True

    def begin_again(self) -> None:
        """Clear the finding on a slow kernel; `SLOW_DRAWS` are enough then."""
        self.finished, self.finding = False, Finding("inconclusive", "nothing was drawn")
        self._agreed = self._drawn = 0
        self._needed = SLOW_DRAWS

    def moving(self) -> list[Argument]:
        """Return the leaves whose gradients are checked, see `moving_leaves`."""
        return moving_leaves(self.launches[0].launch, self.launches[0].values)

    def derivative(self, draw: int, arena: Arena) -> WideDerivative:
        """Return the derivative at the point and along the direction of a draw."""
        return self._along(draw, self.moving(), STEP, f"{self.identity}/{draw}", arena)

    def unseen(self) -> list[Alone]:
        """Return the inputs whose gradient no draw has shown; none of a slow kernel."""
        return [alone for alone in super().unseen() if alone.leaf.role == "input"] if self._needed != SLOW_DRAWS else []

    def derivative_of(self, alone: Alone, draw: int, arena: Arena) -> WideDerivative:
        """Return the derivative at the point of a draw along a direction in which one leaf alone moves."""
        return self._along(draw, [alone.leaf], LEAF_STEPS[draw], f"{self.identity}/{alone.leaf.name}/{draw}", arena)

    def _along(self, draw: int, moving: Sequence[Argument], step: float, key: str, arena: Arena) -> WideDerivative:
        result, random = self.launches[draw % len(self.launches)], generator(key)
        point, direction = dict(result.values), {}
        for leaf in moving:
            values = point[leaf.name]
            scale = scale_of(leaf, values.astype(np.float64), with_zeros=draw % 2 == 1)
            point[leaf.name] = jittered(leaf, values, scale, random).astype(values.dtype)
            direction[leaf.name] = scale * random.uniform(-1.0, 1.0, values.shape)
        seeds = {
            name: seeds.astype(result.values[name].dtype)
            for name, seeds in seeds_of(result, random, self.seed_size(draw)).items()
        }
        probe = Probe(result.launch, point, direction, seeds, step)
        return WideDerivative(self.kernel, probe, self.shape(result.launch), arena)

    def add(self, derivative: Derivative) -> None:
        """Count the finding of one draw."""
        super().add(derivative)
        self._is_constant &= derivative.adjoint == derivative.contributions == 0.0
        if self.finding is PASS and self._is_constant:
            self.finding = Finding("not_applicable", CONSTANT)

    def finish_unconfirmed(self) -> None:
        """Make the finding final: one that disagrees is inconclusive, unless the adjoint is not finite."""
        found = parse_disagreement(self.finding.reason)
        if self.finding.status == "fail" and (found is None or math.isfinite(found.got)):
            self.finish(inconclusive(f"in single precision, which cannot confirm it, {self.finding.reason}"))
