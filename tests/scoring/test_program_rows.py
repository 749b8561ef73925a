"""Rows of tasks about programs: in files, in the columns of training libraries, and by the command."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import orjson
import pytest

from warpsmith.core.records.program_record import ProgramRecord, encode_program_record
from warpsmith.scoring import program_tasks_of
from warpsmith.scoring.tasks.any_task import read_any_tasks
from warpsmith.scoring.tasks.columns import from_texts, to_texts
from warpsmith.scoring.tasks.program_task import PROGRAM_KINDS, ProgramTask
from warpsmith.validation.programs.program_verdicts import ProgramVerdict
from warpsmith.validation.programs.stored_program_verdicts import stored_as_they_come

Command = Callable[..., tuple[int, str, str]]


@pytest.fixture
def folder(tmp_path: Path, spreading_record: ProgramRecord) -> Path:
    (tmp_path / "programs-00000.jsonl").write_bytes(encode_program_record(spreading_record))
    return tmp_path


def test_rows_and_columns_keep_the_task(spreading_record: ProgramRecord) -> None:
    tasks = list(program_tasks_of([spreading_record]))
    assert [task.kind for task in tasks] == list(PROGRAM_KINDS)
    for task in tasks:
        assert ProgramTask.from_row(orjson.loads(orjson.dumps(task.to_row()))) == task
        columns = to_texts(task)
        assert set(columns) == {"task_id", "task", "prompt", "category", "pair", "entry_point"}
        assert from_texts(columns) == replace(task, prompt="")


def test_the_prompt_shows_the_launches_and_not_the_answer(spreading_record: ProgramRecord) -> None:
    host, kernel, _ = program_tasks_of([spreading_record])
    assert "- `spread`: 5 launches, dim 12, with now: array float32 of shape 12, rate: float32" in host.prompt
    assert "In order: spread × 5, add_up" in host.prompt
    assert "wp.launch(" not in host.prompt
    assert "2.0 * now[i]" not in kernel.prompt


def test_the_command_takes_programs_that_pass(folder: Path, command: Command, spreading_record: ProgramRecord) -> None:
    tasks, verdicts = folder / "tasks.jsonl", folder / "verdicts.jsonl"
    assert "give --verdicts" in _failed(command, folder, "-o", tasks)
    assert "write it with" in _failed(command, folder, "--verdicts", verdicts, "-o", tasks)
    assert "unknown task" in _failed(command, folder, "--verdicts", verdicts, "--task", "python_to_cuda", "-o", tasks)
    [*stored_as_they_come(verdicts, [ProgramVerdict(spreading_record.id, "x", "pass")])]
    code, out, _ = command("tasks", folder, "--verdicts", verdicts, "-o", tasks, "--json")
    assert (code, orjson.loads(out)["tasks"]) == (0, {"program_host": 1, "program_kernel": 1, "program_to_cuda": 1})
    assert [task.kind for task in read_any_tasks(tasks)] == list(PROGRAM_KINDS)
    assert "programs-00000.jsonl" in orjson.loads((folder / "tasks.origin.json").read_bytes())["dataset"]["of"]


def test_programs_that_fail_give_no_task(folder: Path, command: Command, spreading_record: ProgramRecord) -> None:
    verdicts = folder / "verdicts.jsonl"
    [*stored_as_they_come(verdicts, [ProgramVerdict(spreading_record.id, "x", "fail")])]
    message = _failed(command, folder, "--verdicts", verdicts, "-o", folder / "tasks.jsonl")
    assert "1 programs that do not pass their check left out" in message


def _failed(command: Command, folder: Path, *arguments: Any) -> str:
    code, _, error = command("tasks", folder, *arguments)
    assert code == 2
    return " ".join(error.split())
