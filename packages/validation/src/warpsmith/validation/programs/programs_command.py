"""`warpsmith-validate programs`: the verdicts of generated programs."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import click

from warpsmith.core import terminal
from warpsmith.core.commands import options
from warpsmith.core.errors import EXIT_DONE, EXIT_FAILED, TargetError
from warpsmith.core.records.jsonl import raw_lines
from warpsmith.core.records.program_record import ProgramRecord, read_program_records
from warpsmith.validation.programs.program_verdicts import ProgramVerdict, check_program_records
from warpsmith.validation.programs.stored_program_verdicts import stored_as_they_come, stored_program_verdicts

_MAX_PRINTED = 20
"""The most programs without a pass that are printed."""


@dataclass(frozen=True, slots=True)
class ProgramsRequest:
    """The arguments of `warpsmith-validate programs`.

    Attributes:
        dataset: a folder with ``programs-*.jsonl``, or one such file.
        level: the last level that kernels are checked at.
        count: how many programs are checked; None for all.
        workers: how many sandboxed workers check side by side.
        unconfined: whether they run without the sandbox.
        output: the file of verdicts that a later run continues; None for none.
        as_json: whether results are printed as JSON.
    """

    dataset: Path
    level: str
    count: int | None
    workers: int
    unconfined: bool
    output: Path | None
    as_json: bool


def programs_command(request: ProgramsRequest) -> int:
    """Check the programs of a folder or file, print the results, and return the exit code.

    Raises:
        TargetError: if there are no programs, or the output belongs to others.
        WarpsmithError: if a line is no program.
    """
    start = time.monotonic()
    files = _files(request.dataset)
    number = min(sum(1 for file in files for _ in raw_lines(file)), request.count or 10**12)
    verdicts = stored_program_verdicts(request.output) if request.output else []
    programs = islice(_programs(files), number)
    _skip(programs, verdicts, request.output)
    found: Iterable[ProgramVerdict] = check_program_records(
        programs, request.level, request.workers, unconfined=request.unconfined
    )
    if request.output:
        found = stored_as_they_come(request.output, found)
    with terminal.progress("programs", number, "programs", len(verdicts)) as advance:
        for verdict in found:
            verdicts.append(verdict)
            advance()
    _print(verdicts, time.monotonic() - start, request.as_json)
    return EXIT_FAILED if any(verdict.status == "fail" for verdict in verdicts) else EXIT_DONE


def _skip(programs: Iterator[ProgramRecord], verdicts: Sequence[ProgramVerdict], output: Path | None) -> None:
    """Pass over the programs that have verdicts."""
    for verdict in verdicts:
        program = next(programs, None)
        if program is None or program.id != verdict.id:
            raise TargetError(f"{output} holds the verdict of {verdict.id}, which is not in its place. Choose another --output")


def _print(verdicts: Sequence[ProgramVerdict], seconds: float, as_json: bool) -> None:
    counts = Counter(verdict.status for verdict in verdicts)
    if as_json:
        options.print_json({"programs": verdicts, "counts": dict(counts), "seconds": round(seconds, 1)})
        return
    for verdict in islice((verdict for verdict in verdicts if verdict.status != "pass"), _MAX_PRINTED):
        terminal.err.print(f"{verdict.status}: {verdict.id} ({verdict.scheme}): {verdict.reason}", soft_wrap=True)
    listed = ", ".join(f"{number:,} {status}" for status, number in counts.most_common())
    click.echo(f"{len(verdicts):,} programs: {listed}")
    click.echo(
        f"{sum(verdict.kernels for verdict in verdicts):,} kernels; "
        f"{sum(verdict.compared for verdict in verdicts):,} of {sum(verdict.launches for verdict in verdicts):,} launches "
        f"compared with the interpreter; {sum(verdict.tapes for verdict in verdicts):,} backward passes compared; "
        f"{seconds:.1f} s"
    )


def _files(dataset: Path) -> list[Path]:
    files = [dataset] if dataset.is_file() else sorted(dataset.glob("programs-*.jsonl"))
    if not files:
        raise TargetError(f"{dataset} holds no programs-*.jsonl: make them with warpsmith-synthesize make --programs")
    return files


def _programs(files: Sequence[Path]) -> Iterator[ProgramRecord]:
    for file in files:
        yield from read_program_records(file)
