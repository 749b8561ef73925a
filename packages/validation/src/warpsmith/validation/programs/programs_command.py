"""`warpsmith-validate programs`: the verdicts of generated programs."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import click

from warpsmith.core import terminal
from warpsmith.core.commands import options
from warpsmith.core.errors import EXIT_DONE, EXIT_FAILED, TargetError
from warpsmith.core.records.program_record import ProgramRecord, read_program_records
from warpsmith.validation.programs.program_verdicts import ProgramVerdict, check_program_records

_MAX_PRINTED = 20
"""The most programs without a pass that are printed."""


def programs_command(dataset: Path, level: str, count: int | None, unconfined: bool, as_json: bool) -> int:
    """Check the programs of a folder or file, print the results, and return the exit code.

    Raises:
        TargetError: if there are no programs.
        WarpsmithError: if a line is no program.
    """
    start = time.monotonic()
    programs = islice(_programs(dataset), count)
    verdicts: list[ProgramVerdict] = []
    for verdict in check_program_records(programs, level, unconfined):
        verdicts.append(verdict)
        if verdict.status != "pass" and not as_json and len(verdicts) <= _MAX_PRINTED:
            terminal.err.print(f"{verdict.status}: {verdict.id} ({verdict.scheme}): {verdict.reason}", soft_wrap=True)
    seconds = time.monotonic() - start
    counts = Counter(verdict.status for verdict in verdicts)
    if as_json:
        options.print_json({"programs": verdicts, "counts": dict(counts), "seconds": round(seconds, 1)})
    else:
        listed = ", ".join(f"{number:,} {status}" for status, number in counts.most_common())
        click.echo(f"{len(verdicts):,} programs: {listed}")
        click.echo(
            f"{sum(verdict.kernels for verdict in verdicts):,} kernels; "
            f"{sum(verdict.compared for verdict in verdicts):,} of {sum(verdict.launches for verdict in verdicts):,} launches "
            f"compared with the interpreter; {sum(verdict.tapes for verdict in verdicts):,} backward passes compared; "
            f"{seconds:.1f} s"
        )
    return EXIT_FAILED if counts["fail"] else EXIT_DONE


def _programs(dataset: Path) -> Iterator[ProgramRecord]:
    files = [dataset] if dataset.is_file() else sorted(dataset.glob("programs-*.jsonl"))
    if not files:
        raise TargetError(f"{dataset} holds no programs-*.jsonl: make them with warpsmith-synthesize make --programs")
    for file in files:
        yield from read_program_records(file)
