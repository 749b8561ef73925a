"""Tasks about pairs and about programs, where both may be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from warpsmith.scoring.tasks.program_task import PROGRAM_TABLE, ProgramTask
from warpsmith.scoring.tasks.task import Task, read_tasks_by

AnyTask = Task | ProgramTask
"""A task about a pair, or about a program."""


def task_of_row(row: Mapping[str, object]) -> AnyTask:
    """Return the task of a row of a tasks file.

    Raises:
        RecordError: if a field is missing or has the wrong type, or the record cannot carry such a task.
    """
    return ProgramTask.from_row(row) if row.get("task") in PROGRAM_TABLE else Task.from_row(row)


def read_any_tasks(path: Path) -> Iterator[AnyTask]:
    """Yield the tasks of a JSONL file.

    Raises:
        TargetError: if the file cannot be read.
        RecordError: at the first line that is no task, or repeats an id, with file and line number.
    """
    yield from read_tasks_by(task_of_row, path)
