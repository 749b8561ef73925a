"""LM Evaluation Harness: the functions of the task ``warpsmith_kernels``, which ``warpsmith_kernels.yaml`` defines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from warpsmith.core.errors import WarpsmithError
from warpsmith.core.extras import Extra
from warpsmith.scoring.process_scorer import SCORER
from warpsmith.scoring.tasks.columns import from_texts, read_rows_of_texts

LM_EVAL = Extra("warpsmith-scoring[lm-eval]", "the task of the LM Evaluation Harness")

FOLDER = Path(__file__).parent
"""The argument of ``--include_path``."""


def load(tasks: str | Path | None = None, **_: Any) -> dict[str, Any]:
    """Return the split ``test`` with the tasks of a file.

    Args:
        tasks: the tasks file, from ``--metadata``.

    Raises:
        TargetError: if the file cannot be read.
        RecordError: at the first line that is no task.
        WarpsmithError: if no file is given, or the extra is not installed.
    """
    if tasks is None:
        raise WarpsmithError('no tasks file: add --metadata \'{"tasks": "tasks.jsonl"}\'')
    return {"test": LM_EVAL.load("datasets").Dataset.from_list(list(read_rows_of_texts(tasks)))}


def process_results(doc: Mapping[str, Any], results: Sequence[str | Sequence[str]]) -> dict[str, float]:
    """Return the metrics of a task: means over its completions.

    Args:
        doc: the row of the task.
        results: the completion, or several if the filters keep them.

    Raises:
        RecordError: if the row is no task.
        SandboxError: if the sandbox does not work or is incomplete on this machine.
    """
    completions = [text for result in results for text in ([result] if isinstance(result, str) else result)]
    task = from_texts(doc)
    scores = SCORER.score_all([(task, completion) for completion in completions])
    return {
        "passed": sum(score.passed for score in scores) / len(scores),
        "reward": sum(score.reward for score in scores) / len(scores),
        "inconclusive": sum(not score.is_judged for score in scores) / len(scores),
    }
