"""Runs the launches of derivatives; some continue after their first launches."""

from __future__ import annotations

from collections.abc import Sequence

from warpsmith.validation.levels.derivatives.derivative import Derivative
from warpsmith.validation.running.fork_runner import run_forked


def run_passes(drawn: Sequence[Sequence[Derivative]], seconds: float) -> list[str | None]:
    """Run all launches of the derivatives of each pair and return the problem of each pair, or None."""
    problems = run_forked([[call for derivative in several for call in derivative.calls] for several in drawn], seconds)
    finished = [number for number, problem in enumerate(problems) if problem is None]
    continuations = {number: [call for derivative in drawn[number] for call in derivative.continued()] for number in finished}
    continuations = {number: job for number, job in continuations.items() if job}
    for number, problem in zip(continuations, run_forked(list(continuations.values()), seconds), strict=True):
        if any(derivative.needs_continuation for derivative in drawn[number]):
            problems[number] = problem
    return problems
