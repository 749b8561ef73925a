"""Workers begin a shard while the last batch of the shard before it is checked, and each verdict belongs to its own shard."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from threading import Event

import pytest

from warpsmith.core.datasets.dataset_folder import Dataset
from warpsmith.core.execution.executor import InProcess
from warpsmith.core.records.jsonl import Line
from warpsmith.core.records.verdict import Verdict
from warpsmith.validation.dataset_run import validate_dataset
from warpsmith.validation.levels.registry import LEVELS
from warpsmith.validation.sandbox.supervisor import Supervisor


def test_no_worker_waits_for_the_end_of_a_shard(own_small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    next_has_begun = Event()

    def check(self: Supervisor, lines: Sequence[Line]) -> list[list[Verdict]]:
        if lines and lines[0].path.name == "pairs-00001.jsonl":
            next_has_begun.set()
        if lines and lines[0].path.name == "pairs-00000.jsonl" and lines[0].number > 1:
            assert next_has_begun.wait(20.0)
        return [[Verdict(line.identity, level.name, "pass", line.path.name, 0.0) for level in self.levels] for line in lines]

    monkeypatch.setattr(Supervisor, "check", check)
    dataset = Dataset.open(own_small)
    outcome = validate_dataset(dataset, LEVELS[:1], executor=InProcess(workers=2))
    assert outcome.statuses["schema"] == {"pass": 40}
    for shard in dataset.shards:
        text = dataset.verdict_file(shard).read_text()
        assert text.count(f'"reason":"{shard.name}"') == 10
