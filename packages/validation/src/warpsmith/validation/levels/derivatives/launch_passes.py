"""Runs the launches of derivatives; some continue after their first launches."""

from __future__ import annotations

from collections.abc import Sequence

from warpsmith.validation.levels.derivatives.derivative import Derivative
from warpsmith.validation.running.fork_runner import run_forked


def run_passes(drawn: Sequence[Sequence[Derivative]], seconds: float) -> list[str | None]:
    """Run all launches of the derivatives of each pair and return the problem of each pair, or None."""
    problems = run_forked([[call for one in several for call in one.calls] for several in drawn], seconds)
    finished = [number for number, problem in enumerate(problems) if problem is None]
    later = {number: [call for one in drawn[number] for call in one.continued()] for number in finished}
    later = {number: job for number, job in later.items() if job}
    for number, problem in zip(later, run_forked(list(later.values()), seconds), strict=True):
        if any(one.needs_continuation for one in drawn[number]):
            problems[number] = problem
    return problems
