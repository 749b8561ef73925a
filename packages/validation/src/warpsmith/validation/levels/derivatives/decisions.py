"""Decisions by the exact derivative of the Python, where central differences show nothing or are wrong."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from warpsmith.core.inputs.values import leaves
from warpsmith.validation.levels.context import BatchContext
from warpsmith.validation.levels.derivatives.confirmation import overwritten
from warpsmith.validation.levels.derivatives.derivative import Derivative
from warpsmith.validation.levels.derivatives.draw_tallies import CONSTANT
from warpsmith.validation.levels.derivatives.exact_derivative import ExactDerivative, exact_derivative, is_regular
from warpsmith.validation.levels.derivatives.launch_passes import run_passes
from warpsmith.validation.levels.derivatives.probe import STEP
from warpsmith.validation.levels.derivatives.series import Series
from warpsmith.validation.levels.finding import PASS, Finding, fail, inconclusive

DECIDING = 3
"""Along how many directions an adjoint has to be the exact derivative."""

ATTEMPTS = 8
"""How many directions are drawn for them: at some points there is a corner."""

MAX_LEAVES = 6
"""How many leaves move alone along the first direction."""

OTHER_STEPS = (STEP, 64.0 * STEP, STEP / 64.0, 4096.0 * STEP)
"""The steps of differences that are compared with an exact derivative which is not the adjoint."""

NOT_FINITE = "the differences are not finite"
"""The reason of differences that show no derivative at all, see `Derivative`."""


class _Opinion(NamedTuple):
    """The adjoint and the exact derivative at one point along one direction."""

    derivative: Derivative
    exact: ExactDerivative


def decided(series: Series, context: BatchContext) -> Finding:
    """Return the finding by the exact derivative on a pair whose differences show nothing, or are wrong.

    The adjoint is right if it is the exact derivative along `DECIDING` random directions, and, of the first one, along each
    leaf alone.
    """
    before, agreed, is_constant, seen = series.tally.finding.reason, 0, True, "no direction shows it"
    for draw in range(ATTEMPTS):
        for opinion in _opinions(series, draw, context):
            if isinstance(opinion, str):
                seen = opinion
                break
            derivative, exact = opinion
            is_constant &= derivative.adjoint == exact.derivative == exact.contributions == 0.0
            if exact.agrees(derivative.adjoint):
                continue
            if not exact.corners:
                return _wrong(series, opinion, context)
            seen = f"its point is at a corner of {', '.join(exact.corners[:3])}"
            break
        else:
            agreed += 1
            if agreed == DECIDING:
                return CONSTANT if is_constant else PASS
        if agreed == 0 and draw > DECIDING:
            break
    return inconclusive(f"{before}; the exact derivative of the Python does not decide: {seen}")


def _opinions(series: Series, draw: int, context: BatchContext) -> Iterator[_Opinion | str]:
    """Yield the opinions along the direction of a draw; for the first one, before it along each leaf alone.

    The first `DECIDING` draws are at the inputs of a launch, the following ones near them.
    """
    context.arena.clear()
    probe = series.probe(draw, series.moving(), contents=series.overwritten)
    if draw < DECIDING:
        recorded = series.launches[draw % len(series.launches)].values
        probe = replace(probe, point={name: series.precision.read(value) for name, value in recorded.items()})
    together = series.derivative_at(probe, context.arena)
    directions = together.probe.direction
    names = list(directions)[:MAX_LEAVES] if draw == 0 and len(directions) > 1 else []
    several = [
        *(series.derivative_at(replace(together.probe, direction={name: directions[name]}), context.arena) for name in names),
        together,
    ]
    (problem,) = run_passes([several], context.launch_seconds)
    if problem is not None:
        yield str(problem)
        return
    for derivative in several:
        derivative.finding()
        exact = exact_derivative(series, derivative.probe)
        yield exact if isinstance(exact, str) else _Opinion(derivative, exact)


def _wrong(series: Series, opinion: _Opinion, context: BatchContext) -> Finding:
    """Return the finding on an adjoint that is not the exact derivative: a failure if differences with some step confirm it."""
    derivative, exact = opinion
    figures = f"the adjoint gives {derivative.adjoint:.9g}, the exact derivative of the Python is {exact.derivative:.9g}"
    if not math.isfinite(derivative.adjoint) and not is_regular(series, derivative.probe):
        return inconclusive(f"{figures}, and slopes are infinite")
    context.arena.clear()
    several = [series.derivative_at(replace(derivative.probe, step=step), context.arena) for step in OTHER_STEPS]
    (problem,) = run_passes([several], context.launch_seconds)
    if problem is not None:
        return inconclusive(f"{figures}, and near its inputs {problem}")
    findings = [other.finding() for other in several]
    confirmed = [
        other.numeric
        for other, finding in zip(several, findings, strict=True)
        if finding.reason != NOT_FINITE and exact.is_confirmed(derivative.adjoint, other.numeric)
    ]
    contradicted = any(
        finding is PASS and not other.hidden and abs(other.numeric - derivative.adjoint) < abs(other.numeric - exact.derivative)
        for other, finding in zip(several, findings, strict=True)
    )
    if contradicted or not confirmed:
        listed = ", ".join(f"{other.numeric:.9g}" for other in several)
        return inconclusive(f"{figures}, and central differences with several steps give {listed}")
    name = next(iter(derivative.probe.direction))
    roles = {leaf.name: leaf.role for leaf in leaves(derivative.probe.launch)}
    if roles[name] != "input" or overwritten(series, derivative.probe, exact.derivative, exact.contributions, "iubf", context):
        return inconclusive(f"{figures}, of {name}, but the kernel changes arrays that it reads")
    series.tally.failing = derivative.probe
    return fail(
        f"the gradient of {', '.join(list(derivative.probe.direction)[:3])} is not the derivative: the adjoint gives "
        f"{derivative.adjoint:.9g}, central differences {confirmed[0]:.9g} along a random direction; "
        f"central differences and the exact derivative of the Python agree: {exact.derivative:.9g}"
    )
