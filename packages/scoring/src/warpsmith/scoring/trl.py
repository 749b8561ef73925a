"""TRL: a reward function for `GRPOTrainer` and other trainers with ``reward_funcs``, and datasets of tasks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from warpsmith.core.extras import Extra
from warpsmith.scoring.process_scorer import SCORER
from warpsmith.scoring.scores import Score
from warpsmith.scoring.tasks.any_task import AnyTask
from warpsmith.scoring.tasks.columns import Messages, completion_text, from_texts, read_rows_of_texts
from warpsmith.scoring.tasks.task import Message

TRL = Extra("warpsmith-scoring[trl]", "a dataset for TRL")


def reward(
    prompts: Sequence[str | Messages],  # noqa: ARG001 - TRL passes all arguments by name
    completions: Sequence[str | Messages | None],
    completion_ids: Sequence[Sequence[int]] | None = None,  # noqa: ARG001
    *,
    task_id: Sequence[str | None],
    task: Sequence[str],
    entry_point: Sequence[str | None],
    pair: Sequence[str | None],
    log_metric: Callable[[str, float], None] | None = None,
    log_extra: Callable[[str, list[Any]], None] | None = None,
    **_: Any,
) -> list[float | None]:
    """Return the reward of each completion; None where no judgement was possible, or where the column ``pair`` is None.

    The columns are those of `dataset`, and of the rows of ``warpsmith-dataset export --format prompt``.

    Args:
        prompts: the prompts.
        completions: the completions, as texts or as messages.
        completion_ids: the tokens of the completions.
        task_id: a column of `dataset`, as are ``task``, ``entry_point`` and ``pair``.
        task: see ``task_id``.
        entry_point: see ``task_id``.
        pair: see ``task_id``.
        log_metric: receives ``passed``, the share of right answers.
        log_extra: receives the columns ``level`` and ``reason`` of the table of completions.

    Raises:
        RecordError: if the columns hold no tasks.
        SandboxError: if the sandbox does not work or is incomplete on this machine.
    """
    columns = {"task_id": task_id, "task": task, "entry_point": entry_point, "pair": pair}
    scores = _scores([dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)], completions)
    judged = [score for score in scores if score is not None]
    if log_metric is not None and judged:
        log_metric("passed", sum(score.passed for score in judged) / len(judged))
    if log_extra is not None:
        log_extra("level", [score and score.level for score in scores])
        log_extra("reason", [score.reason if score else "the scorer judges no answers to this task" for score in scores])
    return [score.reward if score is not None and score.is_judged else None for score in scores]


def _scores(rows: Sequence[Mapping[str, object]], completions: Sequence[str | Messages | None]) -> list[Score | None]:
    """Return the score of each completion, None for rows without a pair."""
    judged = {number: from_texts(row) for number, row in enumerate(rows) if row["pair"] is not None}
    items = [(task, completion_text(completions[number])) for number, task in judged.items()]
    scores = dict(zip(judged, SCORER.score_all(items), strict=True))
    return [scores.get(number) for number in range(len(rows))]


def dataset(tasks: str | Path | Iterable[AnyTask], chat: bool = True) -> Any:
    """Return a `datasets.Dataset` with the columns that `reward` reads and the column ``prompt``.

    Args:
        tasks: a tasks file, or tasks.
        chat: whether prompts are messages; otherwise they are texts.

    Raises:
        TargetError: if the file cannot be read.
        RecordError: at the first line that is no task.
        WarpsmithError: if the extra is not installed.
    """
    library = TRL.load("datasets")
    return library.Dataset.from_list([_row(row, chat) for row in read_rows_of_texts(tasks)])


def _row(row: Mapping[str, str], chat: bool) -> dict[str, str | list[Message]]:
    prompt: list[Message] = [{"role": "user", "content": row["prompt"]}]
    return {**row, "prompt": prompt} if chat else {**row}
