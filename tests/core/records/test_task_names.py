"""One set of names of tasks, in exports and in scoring."""

from __future__ import annotations

from warpsmith.core.export.training_tasks import TASKS
from warpsmith.core.records.task_names import NOT_SCORED, SCORED, SUFFIXES
from warpsmith.scoring.tasks.program_task import PROGRAM_KINDS
from warpsmith.scoring.tasks.task_kinds import KINDS, REPAIR, TABLE


def test_exports_and_scoring_have_the_names_of_the_table() -> None:
    assert (*KINDS, REPAIR, *PROGRAM_KINDS) == SCORED
    assert TASKS.keys() - set(SCORED) == set(NOT_SCORED)
    assert {name: kind.suffix for name, kind in TABLE.items()} == SUFFIXES
