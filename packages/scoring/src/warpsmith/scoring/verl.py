"""verl: the function ``compute_score``, and Parquet files of tasks as its trainers read them.

::

    reward.custom_reward_function.path=pkg://warpsmith.scoring.verl
    reward.custom_reward_function.name=compute_score
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TypedDict

import orjson

from warpsmith.core.errors import RecordError
from warpsmith.core.extras import Extra
from warpsmith.scoring.process_scorer import SCORER
from warpsmith.scoring.tasks.any_task import AnyTask
from warpsmith.scoring.tasks.columns import from_texts, read_rows_of_texts
from warpsmith.scoring.tasks.task import Message

VERL = Extra("warpsmith-scoring[verl]", "a Parquet file for verl")

ROW_GROUP = 1000
"""The number of rows that a reader of Parquet loads at once."""


class RewardModel(TypedDict):
    """How verl judges a row: ``ground_truth`` is the row of the task as JSON."""

    style: str
    ground_truth: str


class ExtraInfo(TypedDict):
    """What verl passes on with a row."""

    split: str
    index: int
    task_id: str
    category: str


class VerlRow(TypedDict):
    """A row of a Parquet file."""

    data_source: str
    prompt: list[Message]
    ability: str
    reward_model: RewardModel
    extra_info: ExtraInfo


def compute_score(
    data_source: str,  # noqa: ARG001 - verl passes all arguments by name
    solution_str: str | None,
    ground_truth: str,
    extra_info: Mapping[str, Any] | None = None,  # noqa: ARG001
    **_: Any,
) -> dict[str, float]:
    """Return the reward of a completion as ``score``, and whether it is right as ``acc``.

    ``inconclusive`` is 1 if no judgement was possible; the score is 0 then, because verl has no missing scores.

    Args:
        data_source: the kind of the task, see `write_parquet`.
        solution_str: the completion.
        ground_truth: the row of the task as JSON.
        extra_info: what else verl knows about the row.

    Raises:
        RecordError: if ``ground_truth`` is no row of a task.
        SandboxError: if the sandbox does not work or is incomplete on this machine.
    """
    [score] = SCORER.score_all([(_task(ground_truth), solution_str)])
    return {
        "score": score.reward,
        "acc": float(score.passed),
        "inconclusive": float(not score.is_judged),
    }


def write_parquet(tasks: str | Path | Iterable[AnyTask], output: str | Path, split: str = "train") -> int:
    """Write tasks as rows of verl, and return their number.

    Args:
        tasks: a tasks file, or tasks.
        output: the file to write.
        split: the name of the split, which rows contain.

    Raises:
        TargetError: if the tasks file cannot be read.
        RecordError: at the first line that is no task.
        WarpsmithError: if the extra is not installed.
    """
    arrow, parquet = VERL.load("pyarrow"), VERL.load("pyarrow.parquet")
    rows = [_row(row, split, index) for index, row in enumerate(read_rows_of_texts(tasks))]
    parquet.write_table(arrow.Table.from_pylist(rows), output, compression="zstd", row_group_size=ROW_GROUP)
    return len(rows)


def _row(row: Mapping[str, str], split: str, index: int) -> VerlRow:
    judged = {name: row[name] for name in ("task_id", "task", "entry_point", "pair")}
    return {
        "data_source": f"warpsmith/{row['task']}",
        "prompt": [{"role": "user", "content": row["prompt"]}],
        "ability": "code",
        "reward_model": {"style": "rule", "ground_truth": orjson.dumps(judged).decode()},
        "extra_info": {"split": split, "index": index, "task_id": row["task_id"], "category": row["category"]},
    }


def _task(ground_truth: str) -> AnyTask:
    try:
        row = orjson.loads(ground_truth)
    except orjson.JSONDecodeError as error:
        raise RecordError(f"ground_truth: not JSON: {error}") from None
    if not isinstance(row, dict):
        raise RecordError("ground_truth: not a JSON object")
    return from_texts(row)
