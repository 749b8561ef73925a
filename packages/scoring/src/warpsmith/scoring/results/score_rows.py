"""Scores of a completions file: batches of completions become rows of results, which are written as they are made."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING

from warpsmith.core.errors import RecordError, TargetError
from warpsmith.core.execution.batches import divide
from warpsmith.scoring.results.partial_results import StoredResult
from warpsmith.scoring.results.score_table import TaskResult
from warpsmith.scoring.tasks.any_task import AnyTask, read_any_tasks
from warpsmith.scoring.tasks.completions import Completion, read_completions
from warpsmith.scoring.tasks.json_rows import encode_any_text

if TYPE_CHECKING:  # the scorer loads the sandbox
    from warpsmith.core.terminal import Advance
    from warpsmith.scoring.scorer import Scorer
    from warpsmith.scoring.scores import Score

COMPLETIONS_PER_BATCH = 64
"""How many completions are scored at once."""

RESULT = ("passed", "reward", "level", "status", "reason", "counterexample")
"""The fields that a row of results has besides those of the completion."""

SPEEDS = ("speed", "device_speed")
"""The fields that it has for a right answer if speeds are asked for."""


def read_pending(tasks: Path, completions: Path) -> tuple[list[tuple[AnyTask, Completion]], int]:
    """Return every completion with its task, and the number of tasks without completions.

    Raises:
        TargetError: if a file cannot be read, or there are no completions.
        RecordError: if a line is no task or no completion, or a completion names a task that does not exist.
    """
    known = {task.task_id: task for task in read_any_tasks(tasks)}
    pending = []
    for completion in read_completions(completions):
        if completion.task_id not in known:
            raise RecordError(f"{completions}:{completion.line}: {tasks} has no task {completion.task_id!r}")
        pending.append((known[completion.task_id], completion))
    if not pending:
        raise TargetError(f'{completions} contains no completions: a line is {{"task_id": …, "completion": …}}')
    return pending, len(known) - len({completion.task_id for _, completion in pending})


def _fields(score: Score) -> dict[str, object]:
    """Return the fields of a row of results."""
    speeds = {name: getattr(score, name).to_json() for name in SPEEDS if getattr(score, name) is not None}
    return {**{name: getattr(score, name) for name in RESULT}, **speeds}


def count_results(
    pending: Sequence[tuple[AnyTask, Completion]], stored: Sequence[StoredResult]
) -> tuple[dict[str, TaskResult], int]:
    """Return the results by task id of the first completions, and the number of those whose status is ``inconclusive``."""
    results: dict[str, TaskResult] = {}
    inconclusive = 0
    for (task, _), result in zip(pending, stored, strict=False):
        results.setdefault(task.task_id, TaskResult(task.kind, task.category)).add(result)
        inconclusive += result.status == "inconclusive"
    return results, inconclusive


def score_pending(
    pending: Sequence[tuple[AnyTask, Completion]],
    scorer: Scorer,
    file: IO[bytes],
    advance: Advance,
    done: Sequence[StoredResult] = (),
) -> tuple[dict[str, TaskResult], int]:
    """Score completions in batches and write a row for each, in order.

    Args:
        pending: the completions with their tasks.
        scorer: scores them.
        file: receives the rows.
        advance: receives the number of completions of each finished batch.
        done: the results of the first completions, which are in the file already.

    Returns:
        As `count_results`.
    """
    results, inconclusive = count_results(pending, done)
    advance(len(done))
    for batch in divide(pending[len(done) :], COMPLETIONS_PER_BATCH):
        scores = scorer.score_all([(task, completion.completion) for task, completion in batch])
        for (task, completion), score in zip(batch, scores, strict=True):
            file.write(encode_any_text({**completion.row, **_fields(score)}))
            results.setdefault(task.task_id, TaskResult(task.kind, task.category)).add(score)
            inconclusive += score.status == "inconclusive"
        file.flush()
        advance(len(batch))
    return results, inconclusive
