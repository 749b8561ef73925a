"""The report of the pytest plugin, for the terminal."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from warpsmith.validation.gate.decision import Decision
from warpsmith.validation.gate.kernel_result import MACHINE_LEVEL, SETTLED, KernelResult, in_order, summary_lines
from warpsmith.validation.gate.observed import Observed
from warpsmith.validation.gate.project_checks import LEVEL

UPDATE = "--warpsmith-update-baseline"


def report_lines(decision: Decision, observed: Observed, output: Path | None) -> Iterator[str]:
    """Yield the lines of the report.

    Args:
        decision: what the results mean.
        observed: what was launched.
        output: the file with the pairs, if there is one.
    """
    for result in in_order(decision.results):
        if result.label in SETTLED or (result.label == "untested" and not decision.strict):
            continue
        yield f"{result.label.upper()} {result.place or result.id} {result.kernel}: {result.what}"
        if (test := observed.tests.get(result.id)) and not result.is_known:
            yield f"    first launched by {test}"
        if decision.is_failure(result) and result.kind and output is not None and result.level == LEVEL:
            yield f"    {_reduce(result, output)} --reproducer reproducer.py"
    yield from summary_lines(decision.results)
    yield from decision.baseline_lines(UPDATE)
    yield from _report_hint(decision, output)
    if observed.left_out:
        yield f"not checked: {observed.left_out} kernels of Warp itself (--warpsmith-only warp checks them)"
    if output is None and any(result.label == "fail" and result.level == LEVEL for result in decision.results):
        yield "with --warpsmith-output pairs.jsonl, `warpsmith-validate reduce` can write a reproducer"


def _report_hint(decision: Decision, output: Path | None) -> Iterator[str]:
    """Yield how to report that checks of warpsmith itself disagree."""
    found = [result for result in decision.results if result.label == "not checked (warpsmith)"]
    result = next((result for result in found if result.level != MACHINE_LEVEL), None)
    if result is not None:
        before = "" if output is not None else "pytest --warpsmith-gradients --warpsmith-output pairs.jsonl, then "
        command = _reduce(result, output or Path("pairs.jsonl"))
        yield f"please report what warpsmith could not check: {before}{command} -o reduced.jsonl writes the file to attach"


def _reduce(result: KernelResult, output: Path) -> str:
    return f"warpsmith-validate reduce {output} '{result.id}' --level {result.level}"
