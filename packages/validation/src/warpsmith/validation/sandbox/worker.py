"""The limited child: what parses, loads or compiles the content of a pair does it here, never in the process that the user
started, which decodes the lines and nothing more.

Run as ``python -m warpsmith.validation.sandbox.worker SCRATCH``; other packages run `main` with a ladder of their own. Requests come on
stdin, answers go to stdout, both framed by `send` and `receive`. The child has a folder of its own, no network where the system
can take it away, and limits on memory, file size, open files and core dumps; its parent limits its time and starts another one
when it dies.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import signal
import struct
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import IO, Any

import orjson

from warpsmith.core.errors import describe
from warpsmith.core.records.jsonl import Line, decode
from warpsmith.core.records.verdict import Verdict
from warpsmith.validation.levels.context import BatchContext
from warpsmith.validation.levels.finding import Finding, fail, skipped
from warpsmith.validation.levels.registry import LADDER, Level
from warpsmith.validation.reduction import candidates
from warpsmith.validation.reduction.rebuild import remake
from warpsmith.validation.sandbox.confine import CHECKING, confine_files, filter_calls
from warpsmith.validation.statistics.sections import measure_lines

MEMORY = 8 << 30
"""Bytes of address space; the compilers reserve much more than they use."""
FILE_SIZE = 256 << 20
OPEN_FILES = 256


def _precompile(_: Sequence[Line]) -> dict[str, Any]:
    from warpsmith.validation.compiling.clang import precompile  # noqa: PLC0415 - parents read this file, and do without Warp

    precompile(Path.cwd())
    return {}


TASKS: Mapping[str, Callable[..., Any]] = {
    "stats": measure_lines,
    "smaller": candidates.task,
    "remake": remake,
    "precompile": _precompile,
}
"""What can be asked of a child besides verdicts, by name: functions of the lines and of what else the request holds."""

HEADER = struct.Struct("<II")


def send(stream: IO[bytes], message: Any, blob: bytes = b"") -> None:
    """Write one frame: a JSON message, and bytes beside it."""
    encoded = orjson.dumps(message)
    stream.write(HEADER.pack(len(encoded), len(blob)) + encoded + blob)
    stream.flush()


def receive(stream: IO[bytes]) -> tuple[Any, bytes] | None:
    """Read one frame, or None at the end of the stream."""
    header = stream.read(HEADER.size)
    if len(header) < HEADER.size:
        return None
    message, blob = HEADER.unpack(header)
    return orjson.loads(stream.read(message)), stream.read(blob)


def limit(scratch: Path, memory: int) -> None:
    """Take away from this process what checks do not need, and move into ``scratch``; ``memory`` 0 leaves that unlimited.

    Without ``memory`` the child drives a device, and keeps the system calls and files that its driver needs.
    """
    os.chdir(scratch)
    if memory:
        confine_files([scratch, Path(os.devnull)])
    for name, value in (
        *([(resource.RLIMIT_AS, memory)] if memory else []),
        (resource.RLIMIT_FSIZE, FILE_SIZE),
        (resource.RLIMIT_NOFILE, OPEN_FILES),
        (resource.RLIMIT_CORE, 0),
    ):
        hard = resource.getrlimit(name)[1]
        wanted = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(name, (wanted, wanted))
    if sys.platform == "linux":
        _limit_on_linux()
    if memory:
        filter_calls(CHECKING)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's business


def _limit_on_linux() -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    set_death_signal, no_new_privileges = 1, 38
    libc.prctl(set_death_signal, signal.SIGKILL, 0, 0, 0)
    libc.prctl(no_new_privileges, 1, 0, 0, 0)
    new_user, new_network = 0x10000000, 0x40000000
    libc.unshare(new_user | new_network)  # where the kernel does not allow it, the other limits have to do


def main(ladder: tuple[Level, ...] = LADDER, memory: int = MEMORY, tasks: Mapping[str, Callable[..., Any]] = TASKS) -> None:
    """Answer requests until there are no more.

    Args:
        ladder: the levels that requests may name.
        memory: bytes of address space, or 0 for no limit.
        tasks: what requests may name besides verdicts.
    """
    table = {level.name: level for level in ladder}
    scratch = Path(sys.argv[1])
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):  # what is checked may print: it must not get between the answers
        os.dup2(nowhere, descriptor)
    limit(scratch, memory)
    context = BatchContext(scratch)
    while (request := receive(requests)) is not None:
        message, blob = request
        lines = list(_lines(message["lines"], blob))
        if message["task"] in tasks:
            send(answers, tasks[message["task"]](lines, **message["options"]))
            continue
        for verdict in judge_batch(lines, [table[name] for name in message["levels"]], context):
            send(answers, asdict(verdict))


def _lines(heads: list[list[Any]], blob: bytes) -> Iterator[Line]:
    start = 0
    for path, number, size in heads:
        yield decode(blob[start : start + size], Path(path), number)
        start += size


def judge_batch(lines: Sequence[Line], levels: Sequence[Level], context: BatchContext) -> Iterator[Verdict]:
    """Yield the verdicts of the first level on all lines, then those of the next; what failed is not given to the next."""
    context.clear()
    failed: dict[int, str] = {}
    for level in levels:
        given = [line for number, line in enumerate(lines) if number not in failed]
        findings = _timed(level, given, context)
        for number, line in enumerate(lines):
            if number in failed:
                finding, ms = skipped(f"{failed[number]} failed"), 0.0
            else:
                finding, ms = next(findings)
            if finding.status == "fail":
                failed[number] = level.name
            yield Verdict(line.identity, level.name, finding.status, finding.reason, ms)


def _timed(level: Level, lines: Sequence[Line], context: BatchContext) -> Iterator[tuple[Finding, float]]:
    """Yield findings with the milliseconds they took; what was done for all lines together is divided among them."""
    if not level.whole:
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
        return list(level.check(lines, context))
    except Exception as error:  # noqa: BLE001 - a check that stumbles over a pair has found something out about it
        if len(lines) > 1:
            return [finding for line in lines for finding in _findings(level, [line], context)]
        return [fail(f"the check stopped: {describe(error)}")]


def _milliseconds(start: float) -> float:
    return round((time.perf_counter() - start) * 1000.0, 3)


if __name__ == "__main__":
    with contextlib.suppress(BrokenPipeError):  # the parent went away
        main()
