"""Small datasets with verdicts, for the tests of scoring."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from warpsmith.core import Dataset, Pair, Verdict
from warpsmith.core.datasets.verdict_files import Judge
from warpsmith.core.records.encoding import encode
from warpsmith.scoring.tasks.task import Task, make_task

LEVELS = ("schema", "parse", "regenerate", "compile", "execute", "emulate", "oracle", "gradient")
"""The levels up to `gradient`, as the documentation lists them."""


def stored(folder: Path, pairs: Sequence[Pair], *statuses: dict[str, str]) -> Dataset:
    """Write pairs and their verdicts; each pair passes all levels but those that are given, and has no verdict on ``""``."""
    folder.mkdir(exist_ok=True)
    shard = folder / "pairs-00000.jsonl"
    shard.write_bytes(b"".join(map(encode, pairs)))
    dataset = Dataset.open(folder)
    verdicts: dict[Any, Any] = {}
    for number, (pair, given) in enumerate(zip(pairs, statuses, strict=True), start=1):
        for level, status in (dict.fromkeys(LEVELS, "pass") | given).items():
            if status:
                verdicts[number, level] = Verdict(pair.id, level, status, "", 1.0)  # type: ignore[arg-type]
    judges = dict.fromkeys({level for _, level in verdicts}, Judge("1", "1"))
    dataset.write_verdicts(shard, verdicts, judges)
    return dataset


REFERENCES = {"python_to_cuda": "cuda_ir_forward", "forward_to_adjoint": "cuda_ir_backward", "cuda_to_python": "python_source"}
"""The field of a pair that answers a kind of tasks, for the kinds that a field answers."""


def task_of(kind: str, pair: Pair) -> Task:
    """Return the task of a kind about a pair that can carry it."""
    task = make_task(kind, pair)
    assert task is not None
    return task
