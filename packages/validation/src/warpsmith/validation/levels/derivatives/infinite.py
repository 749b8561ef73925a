"""The confirmation of a gradient of an extracted kernel that is not finite where the differences are.

The root of zero and a division by zero have no finite derivative. No difference shows one whose zero stays as it is, such as a
plain argument: ``sqrt(a * x)`` is constant for an ``a`` of zero. Nor is there one for a number that underflows. The adjoint
counts as wrong if it is not finite, and the differences are, where no number of the launch has its value any more, and in all
modes of rounding, one of which leaves no zero where others underflow.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from warpsmith.core.inputs.values import generator, leaves
from warpsmith.validation.levels.context import BatchContext
from warpsmith.validation.levels.derivatives.derivative import Derivative, has_gradient
from warpsmith.validation.levels.derivatives.draw_tallies import Suspect
from warpsmith.validation.levels.derivatives.launch_passes import run_passes
from warpsmith.validation.levels.derivatives.pair_origins import jittered, scale_of
from warpsmith.validation.levels.derivatives.probe import Probe
from warpsmith.validation.levels.derivatives.rounding_modes import product
from warpsmith.validation.levels.derivatives.series import Series
from warpsmith.validation.levels.finding import Finding, attributed, inconclusive
from warpsmith.validation.running.directed_modes import DIRECTED, in_mode
from warpsmith.validation.running.fork_runner import run_forked

ATTEMPTS = 3
"""How many points are drawn; at some of them there may be a bend."""


def infinite_leaves(series: Series, suspect: Suspect, context: BatchContext) -> dict[str, Derivative] | Finding:
    """Return the leaves whose adjoint is not finite where the differences are, each with a derivative along it alone."""
    probes = [_moved(series, suspect.probe, attempt) for attempt in range(ATTEMPTS)]
    several = _measured(series, probes, context)
    if isinstance(several, Finding):
        return several
    for derivative in several:
        finding = derivative.finding()
        if finding.status == "fail" and not math.isfinite(derivative.adjoint):
            if is_finite_in_another_mode(series, derivative.probe, context):
                return inconclusive(f"{finding.reason}, but it is finite in another mode of rounding: numbers underflow")
            names = [name for name, share in derivative.shares.items() if not math.isfinite(share)]
            alone = _measured(
                series,
                [replace(derivative.probe, direction={name: derivative.probe.direction[name]}) for name in names],
                context,
            )
            return alone if isinstance(alone, Finding) else dict(zip(names, alone, strict=True))
    return inconclusive(f"{series.tally.finding.reason}, but not where zeros and plain arguments have other values")


def is_finite_in_another_mode(series: Series, probe: Probe, context: BatchContext) -> bool:
    """Return whether the gradient at a point is finite if operations round upwards or downwards."""
    context.arena.clear()
    shape = series.shape(probe.launch)
    prepared = [probe.prepare(series.kernel, 0.0, shape, context.arena, backward=True) for _ in DIRECTED]
    (problem,) = run_forked(
        [[in_mode(mode, launch.calls) for mode, launch in zip(DIRECTED, prepared, strict=True)]], context.launch_seconds
    )
    several = [
        [product(step, launch.arguments.adjoints[name]) for name, step in probe.direction.items()] for launch in prepared
    ]
    return problem is None and any(all(np.isfinite(values).all() for values in products) for products in several)


def _measured(series: Series, probes: Sequence[Probe], context: BatchContext) -> list[Derivative] | Finding:
    """Return the derivatives, or the finding on a kernel that stops."""
    context.arena.clear()
    several = [series.derivative_at(probe, context.arena) for probe in probes]
    (problem,) = run_passes([several], context.launch_seconds)
    if problem is not None:
        return attributed(problem, lambda text: inconclusive(f"{series.tally.finding.reason}, but near its inputs {text}"))
    for derivative in several:
        derivative.finding()
    return several


def _moved(series: Series, probe: Probe, attempt: int) -> Probe:
    """Return a probe near another one at which every float has another value, and along which every float of inputs moves."""
    random = generator(f"{series.identity}/moved/{attempt}")
    point, moving, direction = dict(probe.point), series.moving(), {}
    for leaf in leaves(probe.launch):
        if has_gradient(leaf, point):
            scale = scale_of(leaf, point[leaf.name], with_zeros=True)
            point[leaf.name] = jittered(leaf, point[leaf.name], scale, random)
            if leaf in moving:
                direction[leaf.name] = scale * random.standard_normal(scale.shape)
    return replace(probe, point=point, direction=direction)
