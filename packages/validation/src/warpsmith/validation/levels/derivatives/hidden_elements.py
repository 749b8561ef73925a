"""The elements of outputs that rounding of others hides.

A sum beside 1e18 rounds by more than all other elements contribute to a derivative. Without a seed for such an element, the
differences show whether the adjoint is the derivative of the others. The element itself stays undecided.
"""

from __future__ import annotations

from collections.abc import Sequence

from warpsmith.validation.levels.context import BatchContext
from warpsmith.validation.levels.derivatives.launch_passes import run_passes
from warpsmith.validation.levels.derivatives.series import Series


def check_hidden_elements(several: Sequence[Series], context: BatchContext) -> None:
    """Measure derivatives without the elements that round too much; one that does not agree makes its pair a suspect."""
    for series in several:
        probe = series.tally.hiding
        if (
            probe is None
            or series.tally.finding.status != "inconclusive"
            or not any(seeds.any() for seeds in probe.seeds.values())
        ):
            continue
        context.arena.clear()
        derivative = series.derivative_at(probe, context.arena)
        if run_passes([[derivative]], context.launch_seconds) == [None]:
            series.tally.shows(derivative)
