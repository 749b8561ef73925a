"""Tasks from programs: from an iterator, or from a folder of programs that pass their check."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from warpsmith.core.errors import TargetError, WarpsmithError
from warpsmith.core.export.decontamination import Benchmarks
from warpsmith.core.records.program_record import ProgramRecord, read_program_records
from warpsmith.scoring.tasks.program_task import (
    PROGRAM_KINDS,
    PROGRAM_TABLE,
    ProgramKind,
    ProgramTask,
    make_program_task,
    program_task_or_reason,
)
from warpsmith.scoring.tasks.quota import LeftOut, Quota
from warpsmith.validation.programs.program_verdicts import check_program_records
from warpsmith.validation.programs.stored_program_verdicts import stored_program_verdicts

NOT_PASSED = "programs that do not pass their check"
UNCHECKED = "programs without verdicts"
EXCLUDED = "programs with a kernel close to an excluded text"
REPEATED_IDS = "programs whose id another program has"


def program_tasks_of(programs: Iterable[ProgramRecord], kinds: Sequence[str] = PROGRAM_KINDS) -> Iterator[ProgramTask]:
    """Yield the tasks that programs can carry. Whether the programs pass their check is not known.

    Args:
        programs: the programs, such as those of `warpsmith.core.records.program_record.read_program_records`.
        kinds: the kinds of tasks.

    Raises:
        WarpsmithError: if there is no such kind.
    """
    rows = [program_kind(name) for name in kinds]
    for program in programs:
        for row in rows:
            if (task := make_program_task(row.name, program)) is not None:
                yield task


def program_kind(name: str) -> ProgramKind:
    """Return the kind with a name.

    Raises:
        WarpsmithError: if there is no such kind.
    """
    if name not in PROGRAM_TABLE:
        raise WarpsmithError(f"unknown task {name!r} about programs: choose from {', '.join(PROGRAM_KINDS)}")
    return PROGRAM_TABLE[name]


def checked_programs(
    programs: Iterable[ProgramRecord], kinds: Sequence[ProgramKind], left_out: LeftOut, *, unconfined: bool = False
) -> Iterator[ProgramRecord]:
    """Yield the programs that pass their check now, in the sandbox.

    Raises:
        SandboxError: if the sandbox does not work or is incomplete on this machine.
    """
    known = [*programs]
    for program, verdict in zip(known, check_program_records(known, unconfined=unconfined), strict=True):
        if verdict.status == "pass":
            yield program
        else:
            _add(left_out, kinds, NOT_PASSED)


def programs_with_verdicts(
    programs: Iterable[ProgramRecord], verdicts: Path, kinds: Sequence[ProgramKind], left_out: LeftOut
) -> Iterator[ProgramRecord]:
    """Yield the programs that pass by a file of ``warpsmith-validate programs --output``.

    Raises:
        TargetError: if the file cannot be read.
    """
    if not verdicts.is_file():
        raise TargetError(f"no such file: {verdicts}; write it with warpsmith-validate programs DATASET -o {verdicts}")
    statuses = {verdict.id: verdict.status for verdict in stored_program_verdicts(verdicts)}
    for program in programs:
        if statuses.get(program.id) == "pass":
            yield program
        else:
            _add(left_out, kinds, NOT_PASSED if program.id in statuses else UNCHECKED)


def program_records(files: Sequence[Path]) -> Iterator[ProgramRecord]:
    """Yield the programs of files.

    Raises:
        RecordError: if a line is no program.
    """
    for file in files:
        yield from read_program_records(file)


def wanted_program_tasks(
    programs: Iterable[ProgramRecord],
    kinds: Sequence[ProgramKind],
    left_out: LeftOut,
    quota: Quota | None = None,
    exclude: Sequence[Path] = (),
) -> Iterator[ProgramTask]:
    """Yield the tasks of programs, until there are enough of each kind.

    Args:
        programs: the programs.
        kinds: the kinds of tasks.
        left_out: receives why programs became no task.
        quota: the most tasks, and the tasks so far; the domain of a program counts as its category.
        exclude: files of texts; programs with a kernel that is close to one of them give no task.
    """
    quota = quota or Quota()
    excluded, seen = Benchmarks(exclude) if exclude else None, set[str]()
    for program in programs:
        if program.id in seen:
            _add(left_out, kinds, REPEATED_IDS)
            continue
        seen.add(program.id)
        wanted = [kind for kind in kinds if quota.wants(kind.name, program.metadata.domain)]
        if wanted and excluded is not None and any(map(excluded.close, program.kernels)):
            _add(left_out, wanted, EXCLUDED)
            continue
        for kind in wanted:
            task = program_task_or_reason(kind.name, program)
            if isinstance(task, str):
                left_out.add(kind, task)
            else:
                quota.take(kind.name, task.category)
                yield task
        if not any(quota.wants(kind.name) for kind in kinds):
            return


def _add(left_out: LeftOut, kinds: Sequence[ProgramKind], reason: str) -> None:
    for kind in kinds:
        left_out.add(kind, reason)
