"""The sandboxed worker: whatever parses, loads or compiles the content of a pair runs here.

The process that the user started only decodes the lines. Run this module as
``python -m warpsmith.validation.worker.check_worker SCRATCH``; other packages run `main` with other levels.
Requests come on stdin, answers go to stdout, see `protocol`. The worker has its own folder, no network where the system can
take it away, and limits on memory, file size, open files and core dumps. Its client limits the time, and starts another worker
when this one dies.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import os
import pkgutil
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import IO, TypeAlias

from warpsmith.core.errors import describe
from warpsmith.core.execution import framing
from warpsmith.core.records.jsonl import Line
from warpsmith.core.records.verdict import MACHINE, Verdict
from warpsmith.validation.confinement import WORKER_MEMORY, Confinement, confine_worker
from warpsmith.validation.confinement.machine_problems import machine_problem
from warpsmith.validation.levels.context import BatchContext
from warpsmith.validation.levels.finding import Finding, fail, of_machine, skipped
from warpsmith.validation.levels.registry import LEVELS, Level
from warpsmith.validation.levels.sampling import selects
from warpsmith.validation.running.fork_runner import LAUNCH_SECONDS
from warpsmith.validation.sandbox import protocol
from warpsmith.validation.worker.self_test import TaskProblem, problem_of_files, problem_of_limits

Check: TypeAlias = Callable[[Sequence[Line], BatchContext], Iterable[Finding]]

COLLECTIONS = (50_000, 20, 100)
"""The thresholds of Python's garbage collector. A batch keeps what it makes until its end: collecting as often as Python does
takes an eighth of all time, and the peak of memory stays the same."""


LARGE = 100
"""The lines of a batch after which a worker returns memory: a collection takes as long as some pairs."""


def precompile_headers(_: Sequence[Line]) -> TaskProblem:
    """Precompile Warp's headers into the working folder; the answer contains the problem, or null."""
    from warpsmith.validation.compiling.clang import precompile  # noqa: PLC0415 - loads Warp; schema and parse run without it

    try:
        precompile(Path.cwd())
    except Exception as error:  # noqa: BLE001 - the client reports every error
        return {"problem": describe(error)}
    return {"problem": None}


def compile_machine(_: Sequence[Line]) -> TaskProblem:
    """Compile the SIMT machine into the working folder; the answer contains the problem, or null."""
    try:
        load_usual: Callable[[], None] = pkgutil.resolve_name("warpsmith.validation.simt_launches.ptx_units:load_machine")
        load_usual()  # the extra `simt` may be absent
    except Exception as error:  # noqa: BLE001 - the client reports every error
        return {"problem": describe(error)}
    return {"problem": None}


def main(
    levels: tuple[Level, ...] = LEVELS,
    memory: int = WORKER_MEMORY,
    launch_seconds: float = LAUNCH_SECONDS,
    unconfined: bool = False,
    serve: Callable[[IO[bytes], IO[bytes]], None] | None = None,
) -> None:
    """Answer requests until there are no more.

    Args:
        levels: the levels that requests may name.
        memory: bytes of address space, or 0 for no limit.
        launch_seconds: the time limit for the launches of one pair at one level.
        unconfined: whether to work without the measures that the system lacks, with access to all files for reading.
        serve: replaces the loop over requests once the process is confined; receives the streams of requests and answers.
    """
    table = {level.name: level for level in levels}
    scratch = Path(sys.argv[1])
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):  # what a check prints must not get between the answers
        os.dup2(nowhere, descriptor)
    if not _become_ready(answers, scratch, memory, unconfined):
        return
    if serve is not None:
        serve(requests, answers)
        return
    gc.set_threshold(*COLLECTIONS)
    context = BatchContext(scratch, launch_seconds)
    while (received := protocol.receive_request(requests)) is not None:
        request, lines = received
        if request.task != protocol.CHECK:
            framing.send(answers, perform(request, lines))
            continue
        requested = [replace(table[name], share=request.shares.get(name, 1)) for name in request.levels]
        if (problem := _problem_of_levels(requested)) is not None:
            framing.send(answers, {"problem": problem})
            return
        for verdict in check_batch(lines, requested, context):
            framing.send(answers, verdict)
        if len(lines) >= LARGE:
            context.clear()
            _return_memory()


def perform(request: protocol.Request, lines: Sequence[Line]) -> object:
    """Run the function that a request names, and return its answer, which becomes JSON.

    Raises:
        ValueError: if it is not a function of warpsmith.
    """
    if not request.task.startswith("warpsmith."):
        raise ValueError(f"not a task of warpsmith: {request.task}")
    task: Callable[..., object] = pkgutil.resolve_name(request.task)
    return task(lines, **request.options)


def _become_ready(answers: IO[bytes], scratch: Path, memory: int, unconfined: bool) -> bool:
    """Confine this process and report what holds and what does not work; return whether everything works."""
    report: Confinement | None = None
    try:
        report = confine_worker(scratch, memory, reading=unconfined)
        problem = (None if unconfined else report.problem) or problem_of_limits(memory) or problem_of_files(scratch)
    except Exception as error:  # noqa: BLE001 - the client reports every error
        problem = describe(error)
    framing.send(answers, {"ready": report or {}, "problem": problem})
    return problem is None


def _problem_of_levels(levels: Iterable[Level]) -> str | None:
    """Import the checks of ``levels``; return why one cannot be imported, or None."""
    for level in levels:
        try:
            load_check(level)
        except Exception as error:  # noqa: BLE001 - a broken installation says nothing about a pair
            return f"level {level.name} cannot be loaded: {describe(error)}"
    return None


def check_batch(lines: Sequence[Line], levels: Sequence[Level], context: BatchContext) -> Iterator[Verdict]:
    """Yield the verdicts of the first level on all lines, then those of the next; lines skip the levels after a failure.

    A line that a level could not check because of the machine skips later levels, too. A line outside of the sample of a level
    skips that level.
    """
    context.clear()
    failed: dict[int, str] = {}
    for level in levels:
        outside = {number for number, line in enumerate(lines) if not selects(level, line.identity)}
        remaining = [line for number, line in enumerate(lines) if number not in failed and number not in outside]
        context.begin(level, remaining)
        findings = _timed(level, remaining, context)
        for number, line in enumerate(lines):
            if number in failed:
                finding, ms = skipped(failed[number]), 0.0
            elif number in outside:
                finding, ms = skipped(f"{level.name} checks one pair in {level.share:,}"), 0.0
            else:
                finding, ms = next(findings)
            if finding.status == "fail":
                failed[number] = f"{level.name} failed"
            elif finding.reason.startswith(MACHINE):
                failed[number] = f"{level.name} was not checked"
            yield Verdict(line.identity, level.name, finding.status, finding.reason, ms)


def _return_memory() -> None:
    """Return the memory of a batch to the system. Its allocator keeps what is free in pieces: 200 MB more after each batch."""
    gc.collect()
    if sys.platform == "linux" and (trim := getattr(ctypes.CDLL(None), "malloc_trim", None)) is not None:  # glibc only
        trim(0)


def load_check(level: Level) -> Check:
    """Import and return the check of a level."""
    check: Check = pkgutil.resolve_name(level.entry_point)
    return check


def _timed(level: Level, lines: Sequence[Line], context: BatchContext) -> Iterator[tuple[Finding, float]]:
    """Yield findings with their milliseconds; the time of work on a batch is divided among its lines."""
    if not level.takes_batches:
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
        if (problem := _problem_of_system(error)) is not None:
            return [of_machine(problem) for _ in lines]
        if len(lines) > 1:
            return [finding for line in lines for finding in _findings(level, [line], context)]
        return [fail(f"the check stopped: {describe(error)}")]


def _problem_of_system(error: Exception) -> str | None:
    """Return what the machine lacks if ``error`` says so: a refused system call of the worker itself is not about a pair."""
    if isinstance(error, OSError) and error.errno is not None:
        return describe(error)
    return machine_problem(error)


def _milliseconds(start: float) -> float:
    return round((time.perf_counter() - start) * 1000.0, 3)


if __name__ == "__main__":
    with contextlib.suppress(BrokenPipeError):  # the client is gone
        main()
