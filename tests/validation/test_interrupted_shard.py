"""An interrupted run keeps the verdicts on the lines that it has finished, also of a batch that it has not."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from warpsmith.core.datasets.dataset_folder import Dataset
from warpsmith.validation import dataset_run
from warpsmith.validation.levels.registry import LEVELS
from warpsmith.validation.sandbox.pool import WorkerPool

CHECKED = LEVELS[:2]


@pytest.fixture
def shard(small: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(small / "pairs-00000.jsonl", tmp_path))


def interrupted_run(shard: Path, monkeypatch: pytest.MonkeyPatch, before: Callable[[], object]) -> None:
    """Check a shard, and interrupt the run when the first batch is checked, but not answered."""

    class InterruptedPool(WorkerPool):
        def map(self, request: Any, batches: Iterable[Any]) -> Iterator[Any]:
            for _ in super().map(request, batches):
                before()
                raise KeyboardInterrupt
            yield from ()

    monkeypatch.setattr(dataset_run, "WorkerPool", InterruptedPool)
    with pytest.raises(KeyboardInterrupt):
        dataset_run.validate_dataset(Dataset.open(shard), CHECKED)
    monkeypatch.setattr(dataset_run, "WorkerPool", WorkerPool)


def test_finished_lines_keep_their_verdicts(shard: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    interrupted_run(shard, monkeypatch, lambda: None)
    outcome = dataset_run.validate_dataset(Dataset.open(shard), CHECKED)
    assert (outcome.pairs, outcome.reused) == (10, 10)
    assert outcome.statuses["parse"] == {"pass": 10}


def test_verdicts_on_a_file_that_has_changed_are_dropped(shard: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    content = shard.read_bytes()
    interrupted_run(shard, monkeypatch, lambda: shard.write_bytes(content.replace(b"wp.tid()", b"wp.tid() ")))
    assert [path.name for path in shard.parent.iterdir() if "verdicts" in path.name] == []
