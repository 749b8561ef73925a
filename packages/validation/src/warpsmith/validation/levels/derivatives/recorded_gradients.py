"""The gradients that a program receives at its own launch, where they are not finite although they are near it.

Draws move zeros, or leave them where they are and disregard their gradients. A root of zero whose derivative is finite, such as
that of ``x * sqrt(x * x)``, and a quotient that `wp.where` discards are not finite at the launch only. The launch itself shows
whether there is a derivative: differences around it, of the element alone, in double precision.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from warpsmith.core.inputs.values import Values
from warpsmith.core.records.launch import Argument
from warpsmith.validation.levels.context import BatchContext
from warpsmith.validation.levels.derivatives.derivative import Derivative
from warpsmith.validation.levels.derivatives.infinite import is_finite_in_another_mode
from warpsmith.validation.levels.derivatives.launch_passes import run_passes
from warpsmith.validation.levels.derivatives.pair_origins import scale_of
from warpsmith.validation.levels.derivatives.probe import STEP, Probe
from warpsmith.validation.levels.derivatives.series import Series
from warpsmith.validation.levels.finding import Finding, fail, inconclusive
from warpsmith.validation.running.entry_calls import seed

ELEMENTS = 3
"""How many elements of each input are measured: others have the same reason."""

STEPS = (STEP, STEP / 64.0)
"""The steps of the differences; a derivative is one with both of them."""

VANISHING = 32.0
"""How many times smaller the difference with the second step is where the derivative is 0, as that of ``x * abs(x)`` at 0."""


def check_recorded_gradients(several: Sequence[Series], context: BatchContext) -> None:
    """Measure the elements whose gradient is not finite at the launch of the program; one with a derivative is a failure."""
    for series in several:
        findings = [
            found
            for leaf in series.moving()
            for position in _not_finite(series, leaf)[:ELEMENTS]
            if (found := _finding(series, leaf, int(position), context)) is not None
        ]
        if findings:
            series.tally.finish(next((finding for finding in findings if finding.status == "fail"), findings[0]))


def _not_finite(series: Series, leaf: Argument) -> Values:
    """Return the positions of the finite numbers of an input whose gradient is not finite."""
    recorded = series.recorded_launch
    gradient = recorded.outputs.gradients.get(leaf.name)
    if gradient is None:
        return np.zeros(0, np.int64)
    return np.flatnonzero(~np.isfinite(gradient) & np.isfinite(recorded.values[leaf.name]))


def _finding(series: Series, leaf: Argument, position: int, context: BatchContext) -> Finding | None:
    """Return the finding on an element, or None if it does not move, or if it has no derivative either."""
    probe = _probe(series, leaf, position)
    context.arena.clear()
    several = [Derivative(series.kernel, probe.with_step(step), series.shape(probe.launch), context.arena) for step in STEPS]
    if run_passes([several], context.launch_seconds) != [None]:
        return None
    findings = [derivative.finding() for derivative in several]
    if any(np.isfinite(derivative.adjoint) or not np.isfinite(derivative.numeric) for derivative in several):
        return None
    wide, narrow = several
    if not wide.contributions and not all(np.isfinite(values).all() for values in series.launches[0].outputs.arrays.values()):
        return None  # an output that is not finite may be the only one that depends on the element
    if narrow.kink or wide.kink:
        kink = narrow.kink or wide.kink
        return inconclusive(f"the gradient of {leaf.name} is not finite at this launch, where the function has a kink: {kink}")
    if not all(finding.status == "fail" for finding in findings):
        if abs(narrow.numeric) > abs(wide.numeric) / VANISHING:
            return None
        probe = probe.with_step(STEPS[1] ** 2 / STEPS[0])
    if is_finite_in_another_mode(series, probe, context):
        return inconclusive(f"{narrow.figures}, but it is finite in another mode of rounding: numbers underflow")
    series.tally.failing = probe
    return fail(f"the gradient of {leaf.name} is not the derivative: of {leaf.name}, {narrow.figures}")


def _probe(series: Series, leaf: Argument, position: int) -> Probe:
    """Return the launch of the program as a probe along one element of an input."""
    result, read = series.launches[0], series.precision.read
    point = {name: read(values) for name, values in result.values.items()}
    scale = scale_of(leaf, point[leaf.name], with_zeros=True)
    direction = np.zeros_like(scale)
    direction.reshape(-1)[position] = scale.reshape(-1)[position]
    seeds = {
        output.name: series.origin.seeds(seed(point[output.name]), result.outputs.arrays[output.name])
        for output in series.outputs()
    }
    return Probe(result.launch, point, {leaf.name: direction}, seeds, changed_only=True)
