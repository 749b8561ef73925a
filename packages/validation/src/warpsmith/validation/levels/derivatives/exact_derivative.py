"""The exact derivative of a pair's Python at the point and along the direction of a probe: a second opinion on an adjoint.

The interpreter computes it forward in double precision, without a step: neither rounding nor a bend beside the point changes
it. It decides where central differences show nothing, and confirms the failures of extracted kernels.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from warpsmith.validation.levels.derivatives.probe import Probe
from warpsmith.validation.levels.derivatives.rounding_modes import product
from warpsmith.validation.levels.derivatives.series import Series
from warpsmith.validation.oracle.interpreter.interpret import BLOCK, interpret
from warpsmith.validation.oracle.interpreter.tangents import COST_APART, tangents
from warpsmith.validation.oracle.values.interpretation_errors import Exhausted, Undefined, Unsupported

AGREES = 1.0e-7
"""The tolerance for an adjoint, relative to the sum of what the elements of all outputs contribute to the exact derivative."""

CLOSER = 0.05
"""How far differences may be from the exact derivative, relative to their distance from the adjoint, to confirm it."""

WIDE_STEPS = (2.0**-8, 2.0**-9)
"""The steps of differences in the program's own precision."""

TELLING = 0.1
"""How far rounding may move these differences, relative to the distance between two derivatives that they tell apart."""

MAX_STEPS = 1_000_000
"""The number of statements that a launch may run."""


@dataclass(frozen=True, slots=True)
class ExactDerivative:
    """The derivative of the seeded sum of all outputs.

    Attributes:
        derivative: the derivative.
        contributions: the sum of what the elements of all outputs contribute to it.
        corners: the operations at which a value lies exactly on a corner; then any subgradient is right.
    """

    derivative: float
    contributions: float
    corners: tuple[str, ...]

    def agrees(self, adjoint: float) -> bool:
        """Return whether an adjoint gives this derivative."""
        return abs(adjoint - self.derivative) <= AGREES * max(self.contributions, abs(self.derivative))

    def is_confirmed(self, adjoint: float, numeric: float) -> bool:
        """Return whether differences agree with this derivative, and not with the adjoint."""
        if not math.isfinite(adjoint):
            return abs(numeric - self.derivative) <= CLOSER * max(self.contributions, abs(self.derivative))
        return abs(numeric - self.derivative) <= CLOSER * abs(numeric - adjoint)


def exact_derivative(series: Series, probe: Probe, *, is_strict: bool = False) -> ExactDerivative | str:
    """Return the exact derivative at a point along a direction, or the reason why there is none.

    Args:
        series: the draws of the pair.
        probe: the point and the direction.
        is_strict: whether infinite slopes count also where their operand does not move, see `tangents`.
    """
    if series.pair is None:
        return "there is no Python"
    metadata = series.pair.metadata
    block = int(str(metadata.module_options.get("block_dim", BLOCK)))
    try:
        arrays = tangents(
            series.source,
            metadata.kernel_name,
            probe.launch,
            probe.point,
            probe.direction,
            MAX_STEPS,
            block,
            is_strict=is_strict,
        )
    except (Unsupported, Undefined, Exhausted) as reason:
        return str(reason)
    total = contributions = 0.0
    corners: tuple[str, ...] = ()
    for name, seeds in probe.seeds.items():
        change = product(seeds, arrays[name].tangent)
        total, contributions = total + float(change.sum()), contributions + float(np.abs(change).sum())
        corners = arrays[name].corners
    return ExactDerivative(total, contributions, corners) if math.isfinite(total) else "it is not finite"


def program_difference(series: Series, probe: Probe) -> tuple[float, float] | None:
    """Return central differences of the Python in the program's own precision, and by how much rounding may change them.

    They need wide steps; bends between two of these steps count as rounding. None if the Python does not run there.
    """
    if series.pair is None:
        return None
    metadata, found = series.pair.metadata, []
    block = int(str(metadata.module_options.get("block_dim", BLOCK)))
    for step in WIDE_STEPS:
        wide, outputs = replace(probe, step=step), []
        for offset in (1.0, -1.0):
            values = {name: moved.astype(series.dtypes[name]) for name, moved in wide.values(offset).items()}
            try:
                outputs.append(
                    interpret(series.source, metadata.kernel_name, probe.launch, values, MAX_STEPS // COST_APART, block)
                )
            except Unsupported:
                return None
        above, below = ({name: array.astype(np.float64) for name, array in several.items()} for several in outputs)
        rounding = sum(
            float(np.abs(product(seeds, below[name])).sum()) * float(np.finfo(series.dtypes[name]).eps)
            for name, seeds in probe.seeds.items()
        )
        found.append((wide.difference(above, below, 2.0)[0], rounding / step))
    (first, _), (second, rounding) = found
    return second, abs(first - second) + rounding


def program_opinion(series: Series, probe: Probe, adjoint: float, expected: float) -> tuple[bool, str]:
    """Return whether differences in the program's own precision agree with an adjoint, and the end of a sentence about them.

    The text is empty where rounding hides which of two derivatives is right.
    """
    found, gap = program_difference(series, probe), abs(adjoint - expected)
    if found is None or not math.isfinite(gap) or not found[1] <= TELLING * gap:
        return False, ""
    text = f"; differences in the program's own precision give {found[0]:.6g}"
    return abs(found[0] - adjoint) <= 2.0 * TELLING * gap, text


def is_regular(series: Series, probe: Probe) -> bool:
    """Return whether all slopes along a direction are finite, also those of operands that do not move, and no corner is met."""
    strict = exact_derivative(series, probe, is_strict=True)
    return not isinstance(strict, str) and not strict.corners
