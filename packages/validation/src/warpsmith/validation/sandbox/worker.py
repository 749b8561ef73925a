"""The sandboxed worker: whatever parses, loads or compiles the content of a pair runs here.

The process that the user started only decodes the lines. Run this module as ``python -m warpsmith.validation.sandbox.worker
SCRATCH``; other packages run `main` with levels and tasks of their own. Requests come on stdin, answers go to stdout, see
`protocol`. The worker has its own folder, no network where the system can take it away, and limits on memory, file size, open
files and core dumps. Its client limits the time, and starts another worker when this one dies.
"""

from __future__ import annotations

import contextlib
import os
import pkgutil
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from warpsmith.core.errors import describe
from warpsmith.core.records.jsonl import Line
from warpsmith.core.records.verdict import Verdict
from warpsmith.validation.levels.context import BatchContext
from warpsmith.validation.levels.finding import Finding, fail, skipped
from warpsmith.validation.levels.registry import LEVELS, Level
from warpsmith.validation.running.fork_runner import LAUNCH_SECONDS
from warpsmith.validation.sandbox import protocol
from warpsmith.validation.sandbox.confine import WORKER_MEMORY, confine_worker

Check: TypeAlias = Callable[[Sequence[Line], BatchContext], Iterable[Finding]]

TASKS: Mapping[str, str] = {
    protocol.STATS: "warpsmith.validation.statistics.sections:measure_lines",
    protocol.CANDIDATES: "warpsmith.validation.reduction.candidates:list_candidates",
    protocol.REBUILD: "warpsmith.validation.reduction.rebuild:rebuild",
    protocol.SHEET: "warpsmith.validation.report.sheets:write_sheet",
    protocol.PRECOMPILE: "warpsmith.validation.sandbox.worker:precompile_headers",
}
"""Tasks besides `CHECK`: ``module:function`` by name. Each function receives the lines and the options of the request."""


def precompile_headers(_: Sequence[Line]) -> dict[str, Any]:
    """Precompile Warp's headers into the working folder."""
    from warpsmith.validation.compiling.clang import precompile  # noqa: PLC0415 - loads Warp; schema and parse run without it

    precompile(Path.cwd())
    return {}


def main(
    levels: tuple[Level, ...] = LEVELS,
    memory: int = WORKER_MEMORY,
    tasks: Mapping[str, str] = TASKS,
    launch_seconds: float = LAUNCH_SECONDS,
) -> None:
    """Answer requests until there are no more.

    Args:
        levels: the levels that requests may name.
        memory: bytes of address space, or 0 for no limit.
        tasks: the tasks that requests may name besides `CHECK`, see `TASKS`.
        launch_seconds: the time limit for the launches of one pair at one level.
    """
    table = {level.name: level for level in levels}
    scratch = Path(sys.argv[1])
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):  # what a check prints must not get between the answers
        os.dup2(nowhere, descriptor)
    confine_worker(scratch, memory)
    context = BatchContext(scratch, launch_seconds)
    while (received := protocol.receive_request(requests)) is not None:
        request, lines = received
        if request.task in tasks:
            protocol.send(answers, pkgutil.resolve_name(tasks[request.task])(lines, **request.options))
            continue
        for verdict in check_batch(lines, [table[name] for name in request.levels], context):
            protocol.send_verdict(answers, verdict)


def check_batch(lines: Sequence[Line], levels: Sequence[Level], context: BatchContext) -> Iterator[Verdict]:
    """Yield the verdicts of the first level on all lines, then those of the next; lines that failed skip later levels."""
    context.clear()
    failed: dict[int, str] = {}
    for level in levels:
        remaining = [line for number, line in enumerate(lines) if number not in failed]
        context.begin(level, remaining)
        findings = _timed(level, remaining, context)
        for number, line in enumerate(lines):
            if number in failed:
                finding, ms = skipped(f"{failed[number]} failed"), 0.0
            else:
                finding, ms = next(findings)
            if finding.status == "fail":
                failed[number] = level.name
            yield Verdict(line.identity, level.name, finding.status, finding.reason, ms)


def load_check(level: Level) -> Check:
    """Import and return the check of a level."""
    check: Check = pkgutil.resolve_name(level.entry_point)
    return check


def _timed(level: Level, lines: Sequence[Line], context: BatchContext) -> Iterator[tuple[Finding, float]]:
    """Yield findings with their milliseconds; the time of work on a whole batch is divided among its lines."""
    if not level.whole_batch:
        for line in lines:
            start = time.perf_counter()
            (finding,) = _findings(level, [line], context)
            yield finding, _milliseconds(start)
    elif lines:
        start = time.perf_counter()
        findings = _findings(level, lines, context)
        ms = round(_milliseconds(start) / len(lines), 3)
        for finding in findings:
            yield finding, ms


def _findings(level: Level, lines: Sequence[Line], context: BatchContext) -> list[Finding]:
    try:
        return list(load_check(level)(lines, context))
    except Exception as error:  # noqa: BLE001 - an exception of a check on a pair is a finding about the pair
        if len(lines) > 1:
            return [finding for line in lines for finding in _findings(level, [line], context)]
        return [fail(f"the check stopped: {describe(error)}")]


def _milliseconds(start: float) -> float:
    return round((time.perf_counter() - start) * 1000.0, 3)


if __name__ == "__main__":
    with contextlib.suppress(BrokenPipeError):  # the client is gone
        main()
