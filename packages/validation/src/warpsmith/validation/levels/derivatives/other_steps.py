"""The confirmation of derivatives in single precision that do not agree: they are measured with other steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from warpsmith.validation.levels.context import BatchContext
from warpsmith.validation.levels.derivatives.derivative import Derivative
from warpsmith.validation.levels.derivatives.launch_passes import run_passes
from warpsmith.validation.levels.derivatives.probe import Probe
from warpsmith.validation.levels.derivatives.series import Series
from warpsmith.validation.levels.derivatives.wide_steps import STEP
from warpsmith.validation.levels.finding import Finding, inconclusive

OTHER_STEPS = (2.0, 0.5)
"""The steps with which a direction has to disagree, too, before the adjoint counts as wrong, relative to the first step."""

NARROW = STEP / 4.0
"""The step with which a direction along which the adjoint is zero has to disagree, too.

A number of neighbours, say, jumps by one. Over wide steps, several jumps at equal distances look like a slope; over a narrow
one, nearly all elements stay as they are. A slope exceeds its rounding there, too, although not by enough to show small errors.
"""


def confirm_with_other_steps(several: Sequence[Series], context: BatchContext) -> None:
    """Measure each derivative that does not agree with other steps; a pair fails if one agrees with none of them."""
    suspicious = [series for series in several if series.tally.suspects]
    context.arena.clear()
    drawn = [
        [
            series.derivative_at(replace(suspect.probe, step=step), context.arena)
            for suspect in series.tally.suspects
            for step in _other_steps(suspect.probe)
        ]
        for series in suspicious
    ]
    for series, derivatives, problem in zip(suspicious, drawn, run_passes(drawn, context.launch_seconds), strict=True):
        if problem is None:
            series.tally.finish(_confirmed(series.tally.finding, derivatives))
    for series in several:
        series.tally.finish(series.origin.in_single(series.tally.finding))


def _other_steps(probe: Probe) -> tuple[float, ...]:
    return *(factor * probe.step for factor in OTHER_STEPS), NARROW


def _confirmed(finding: Finding, derivatives: Sequence[Derivative]) -> Finding:
    size = len(OTHER_STEPS) + 1
    for start in range(0, len(derivatives), size):
        *wide, narrow = derivatives[start : start + size]
        again = [derivative.finding() for derivative in wide]
        jumps = narrow.finding().status == "pass" and narrow.adjoint == 0.0
        if not jumps and all(found.status == "fail" for found in again):
            return again[-1]
    return (
        inconclusive("the derivatives with some steps agree, and with others they do not")
        if finding.status == "fail"
        else finding
    )
