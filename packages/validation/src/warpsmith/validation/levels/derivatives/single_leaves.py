"""The gradients of single leaves at level `gradient`: those that the draws along joint directions do not show.

A derivative along a direction in all inputs is the sum of what the inputs contribute, and its tolerance is in proportion to
this sum. The gradient of an input that contributes little may be wrong or missing within the tolerance. Such an input moves
alone, and so do the contents of each array that the kernel reads and writes. An output to which the inputs contribute little is
the only one with seeds.
"""

from __future__ import annotations

from collections.abc import Sequence

from warpsmith.validation.levels.context import BatchContext
from warpsmith.validation.levels.derivatives.derivative import COPIES
from warpsmith.validation.levels.derivatives.launch_passes import run_passes
from warpsmith.validation.levels.derivatives.series import Alone, Series
from warpsmith.validation.levels.finding import PASS, attributed, inconclusive
from warpsmith.validation.running.shared_memory import portions

ATTEMPTS = 3
"""How many points are drawn at most for a leaf: at a bend, or where nothing depends on the leaf, another one is drawn."""

Unseen = tuple[Series, list[Alone]]


def check_single_leaves(series: Sequence[Series], context: BatchContext) -> None:
    """Check the leaves that the draws of pairs have not shown; a wrong gradient is the finding of its pair."""
    remaining: list[Unseen] = [(pair_series, pair_series.unseen()) for pair_series in series]
    for attempt in range(ATTEMPTS):
        remaining = [(pair_series, unseen) for pair_series, unseen in remaining if unseen and pair_series.tally.failing is None]
        remaining = [
            checked
            for portion in portions(remaining, lambda entry: COPIES * len(entry[1]) * entry[0].launches[0].nbytes)
            for checked in _attempt(portion, attempt, context)
        ]


def _attempt(several: Sequence[Unseen], attempt: int, context: BatchContext) -> list[Unseen]:
    """Draw one point for each leaf, and return the leaves whose gradient is still not shown."""
    context.arena.clear()
    drawn = [[pair_series.derivative_of(leaf, attempt, context.arena) for leaf in unseen] for pair_series, unseen in several]
    # The launches of each leaf are a job of their own, so that they have as much time as those of all leaves together.
    problems = iter(run_passes([[derivative] for derivatives in drawn for derivative in derivatives], context.launch_seconds))
    remaining: list[Unseen] = []
    for (pair_series, unseen), derivatives in zip(several, drawn, strict=True):
        again = []
        for leaf, derivative, problem in zip(unseen, derivatives, problems, strict=False):
            if pair_series.tally.failing is None and problem is not None:
                pair_series.tally.finish(attributed(problem, lambda reason: inconclusive(f"near its inputs {reason}")))
            elif pair_series.tally.failing is None and not pair_series.tally.shows(derivative):
                again.append(leaf)
        remaining.append((pair_series, again))
    return [(pair_series, again) for pair_series, again in remaining if pair_series.tally.finding is PASS]
