"""The confirmation of failures in double precision of synthesized kernels: rounding alone must not explain them.

The terms of an adjoint may cancel inside a thread: a pixel that is mapped to a position of 1e6 is a sum of equal border pixels
with weights, and the sum of the weights is constant. Differences of outputs do not show the rounding of such an adjoint; points
show it that differ by a few units in the last place.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from warpsmith.core.inputs.values import generator
from warpsmith.validation.levels.context import BatchContext
from warpsmith.validation.levels.derivatives.derivative import Derivative
from warpsmith.validation.levels.derivatives.launch_passes import run_passes
from warpsmith.validation.levels.derivatives.probe import Probe
from warpsmith.validation.levels.derivatives.series import Series
from warpsmith.validation.levels.finding import inconclusive

POINTS = 6
"""How many points around the failing one are measured."""

UNITS = 2.0
"""How many units in the last place a number of a point moves at most."""

ROUNDED = 4.0
"""The error of an adjoint, relative to the largest change between these points, up to which rounding explains it."""


def confirm_at_rounded_points(several: Sequence[Series], context: BatchContext) -> None:
    """Make failures inconclusive whose adjoint changes as much where inputs differ in their last bits."""
    for series in several:
        if series.tally.finding.status == "fail" and series.tally.failing is not None and not series.origin.is_program:
            _confirm(series, series.tally.failing, context)


def _confirm(series: Series, failing: Probe, context: BatchContext) -> None:
    context.arena.clear()
    random = generator(f"{series.identity}/rounded points")
    probes = [failing, *(_rounded(failing, random) for _ in range(POINTS))]
    derivatives = [series.derivative_at(probe, context.arena) for probe in probes]
    if run_passes([derivatives], context.launch_seconds) != [None]:
        return
    for derivative in derivatives:
        derivative.finding()
    change = _change(derivatives)
    if abs(derivatives[0].adjoint - derivatives[0].numeric) <= ROUNDED * change:
        reason = (
            f"{series.tally.finding.reason}, and inputs that differ in their last bits change the adjoint by up to {change:.3g}"
        )
        series.tally.finish(inconclusive(reason))


def _rounded(probe: Probe, random: np.random.Generator) -> Probe:
    """Return the probe at a point whose numbers that move differ by a few units in the last place."""
    moved = {}
    for name in probe.direction:
        values = probe.point[name]
        unit = UNITS * float(np.finfo(values.dtype).eps)
        with np.errstate(invalid="ignore", over="ignore"):  # memory that no thread reads may contain anything
            moved[name] = (values * (1.0 + unit * random.uniform(-1.0, 1.0, values.shape))).astype(values.dtype, copy=False)
    return replace(probe, point={**probe.point, **moved})


def _change(derivatives: Sequence[Derivative]) -> float:
    """Return how far the adjoints at other points are from the first one; 0 if one of them is not finite."""
    changes = [abs(derivative.adjoint - derivatives[0].adjoint) for derivative in derivatives]
    return max(changes) if all(map(math.isfinite, changes)) else 0.0
