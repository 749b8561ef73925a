"""Patterns as level `gradient` judges them, with the figures of adjoints and of reasons beside the exact ones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from real_patterns.figures import derivative
from real_patterns.pattern import Formula, Pattern
from warpsmith.core.inputs.values import leaves
from warpsmith.validation.levels.context import BatchContext
from warpsmith.validation.levels.derivatives.disagreement import Disagreement, parse_disagreement
from warpsmith.validation.levels.derivatives.pair_origins import actual_roles, differentiable_leaves
from warpsmith.validation.levels.derivatives.probe import FAILURES, Failure
from warpsmith.validation.levels.finding import Finding
from warpsmith.validation.levels.level_results import LAUNCHES, LaunchResult, line_key
from warpsmith.validation.levels.registry import LEVELS
from warpsmith.validation.running.entry_calls import seed
from warpsmith.validation.worker.check_worker import load_check

NEEDED = ("regenerate", "execute", "gradient")
"""The levels that are run."""

TOLERANCE = 2.0e-4
"""The relative error of a right adjoint in single precision."""

PRINTED = 2.0e-5
"""The relative error of a derivative by differences, which a reason prints with six digits."""


class Figure(NamedTuple):
    """A derivative as Warp's adjoint or as a reason gives it, and the exact one."""

    got: float
    exact: float
    allowed: float

    @property
    def agrees(self) -> bool:
        """Whether the figures agree within what is allowed."""
        return abs(self.got - self.exact) <= self.allowed


@dataclass(frozen=True)
class Judged:
    """A pattern as the levels judge it.

    Attributes:
        finding: the finding of level `gradient`.
        earlier: those of the levels before it.
        launch: the result of the pattern's own launch, or None if there is none.
        failure: where the adjoint is wrong, or None if there is no such point.
    """

    finding: Finding
    earlier: Mapping[str, Finding]
    launch: LaunchResult | None
    failure: Failure | None

    def figure(self, formula: Formula) -> Figure | None:
        """Return the figure of the reason for a failure, else that of the adjoint; None if the reason has none."""
        disagreement = parse_disagreement(self.finding.reason)
        if self.finding.status != "fail":
            return self._of_adjoint(formula)
        if disagreement is None or self.failure is None:
            return None
        return _of_reason(formula, disagreement, self.failure)

    def _of_adjoint(self, formula: Formula) -> Figure | None:
        """Return the derivative by the adjoint that the program receives, along a direction in all inputs."""
        if self.launch is None or self.launch.stopped:
            return None
        launch = actual_roles(self.launch)
        random, direction, parts = np.random.default_rng(7), {}, []
        for leaf in differentiable_leaves(launch, self.launch.values, with_plain=False):
            if leaf.role == "input":
                values = self.launch.values[leaf.name].astype(np.float64)
                direction[leaf.name] = random.standard_normal(values.shape) * np.where(values == 0.0, 1.0, np.abs(values))
                parts.append((direction[leaf.name] * self.launch.outputs.gradients[leaf.name]).ravel())
        seeds = {leaf.name: seed(self.launch.values[leaf.name]) for leaf in leaves(launch) if leaf.role != "input"}
        terms = np.concatenate(parts)
        exact = derivative(formula, self.launch.values, direction, seeds)
        return Figure(float(terms.sum()), exact, TOLERANCE * max(float(np.abs(terms).sum()), abs(exact)))


def _of_reason(formula: Formula, disagreement: Disagreement, failure: Failure) -> Figure:
    """Return the derivative that a reason expects, along one element or along the direction of the failure."""
    probe, direction = failure.probe, dict(failure.probe.direction)
    if disagreement.element:
        direction = {disagreement.argument: np.zeros(probe.point[disagreement.argument].shape)}
        direction[disagreement.argument][disagreement.index] = 1.0
    exact = derivative(formula, probe.point, direction, probe.seeds)
    return Figure(disagreement.expected, exact, PRINTED * abs(exact) + 1.0e-9)


def judged(patterns: Mapping[str, Pattern], folder: Path) -> dict[str, Judged]:
    """Return the patterns as the levels judge them together.

    Args:
        patterns: the patterns by name.
        folder: the folder of the levels' files.
    """
    lines = {name: pattern.line(name, number) for number, (name, pattern) in enumerate(patterns.items(), start=1)}
    levels = {level.name: level for level in LEVELS}
    context, found = BatchContext(folder), {}
    try:
        for name in NEEDED:
            context.begin(levels[name])
            found[name] = dict(zip(lines, load_check(levels[name])(list(lines.values()), context), strict=True))
        launches, failures = context.results(LAUNCHES), context.results(FAILURES)
        return {
            name: Judged(
                found["gradient"][name],
                {level: found[level][name] for level in NEEDED[:-1]},
                next(iter(launches.get(line_key(line), ())), None),
                failures.get(line_key(line)),
            )
            for name, line in lines.items()
        }
    finally:
        context.clear()
