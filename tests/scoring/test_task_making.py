"""Tasks from a dataset: only pairs whose verdicts pass are offered, stored ones or new ones."""

from __future__ import annotations

import itertools
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from scoring_datasets import LEVELS, stored
from warpsmith.core import Dataset, Pair, Verdict
from warpsmith.core.errors import TargetError, WarpsmithError
from warpsmith.core.records.encoding import encode
from warpsmith.scoring import task_making
from warpsmith.scoring.scores import Score
from warpsmith.scoring.task_making import dataset_tasks, judged_tasks, tasks_of
from warpsmith.scoring.tasks.prompts import fenced
from warpsmith.scoring.tasks.quota import LeftOut, Quota
from warpsmith.scoring.tasks.task import Task


def ids(dataset: Dataset, *kinds: str, **options: Any) -> list[str]:
    return [task.task_id for task in dataset_tasks(dataset, kinds, **options)]


def test_pairs_that_pass_every_level_are_offered(samples: list[Pair], tmp_path: Path) -> None:
    dataset = stored(
        tmp_path / "data",
        samples[:7],
        {},
        {"gradient": "fail"},
        {"gradient": "inconclusive"},
        {"gradient": "not_applicable"},
        {"emulate": "fail", "gradient": "skipped"},
        {"gradient": ""},
        {"oracle": "fail"},
    )
    left_out = LeftOut()
    offered = ids(dataset, "python_to_cuda", "forward_to_adjoint", left_out=left_out)
    expected = ["python_to_cuda 0", "forward_to_adjoint 0", "python_to_cuda 2", "python_to_cuda 3", "python_to_cuda 5"]
    assert offered == [f"{kind}/{samples[int(index)].id}" for kind, index in map(str.split, expected)]
    assert list(left_out.lines()) == [
        "forward_to_adjoint: 5 pairs that do not pass every level left out",
        "forward_to_adjoint: 1 pairs without verdicts left out",
        "python_to_cuda: 3 pairs that do not pass every level left out",
    ]


def test_a_limit_counts_the_tasks_of_each_kind(samples: list[Pair], tmp_path: Path) -> None:
    dataset = stored(tmp_path / "data", samples[:4], {}, {"gradient": "fail"}, {}, {})
    assert ids(dataset, "forward_to_adjoint", "cuda_to_python", quota=Quota(2)) == [
        f"{kind}/{samples[index].id}" for index in (0, 2) for kind in ("forward_to_adjoint", "cuda_to_python")
    ]


def test_a_limit_counts_the_tasks_of_each_category(all_samples: list[Pair], tmp_path: Path) -> None:
    dataset = stored(tmp_path / "data", all_samples[:40], *[{}] * 40)
    found = list(dataset_tasks(dataset, ["cuda_to_python"], quota=Quota(per_category=2)))
    assert len(found) == 20
    assert set(Counter(task.category for task in found).values()) == {2}


def test_pairs_close_to_an_excluded_text_are_left_out(samples: list[Pair], tmp_path: Path) -> None:
    dataset = stored(tmp_path / "data", samples[:4], *[{}] * 4)
    renamed = samples[1].python_source.replace(samples[1].metadata.kernel_name, "another_name")
    (tmp_path / "train.jsonl").write_bytes(encode({"text": renamed}))
    left_out = LeftOut()
    offered = ids(dataset, "python_to_cuda", exclude=[tmp_path / "train.jsonl"], left_out=left_out)
    assert offered == [f"python_to_cuda/{samples[index].id}" for index in (0, 2, 3)]
    assert list(left_out.lines()) == ["python_to_cuda: 1 pairs close to an excluded text left out"]


class HalfScorer:
    """A scorer by which the references of some pairs pass."""

    def __init__(self, passing: set[str]) -> None:
        self._passing = passing

    def score_all(self, items: Sequence[tuple[Task, str]]) -> list[Score]:
        for task, text in items:
            assert task.reference
            assert text == fenced(task.language, task.reference)
        return [Score(1.0, task.pair.id in self._passing, "right", "pass") for task, _ in items]


def test_judged_tasks_have_references_that_score_1(samples: list[Pair]) -> None:
    left_out = LeftOut()
    tasks = tasks_of(samples[:6], ["python_to_cuda", "cuda_to_python"])
    quota = Quota(limit=2)
    found = [
        task.task_id for task in judged_tasks(tasks, HalfScorer({samples[index].id for index in (0, 2, 4)}), quota, left_out)
    ]  # type: ignore[arg-type]
    expected = [f"{kind}/{samples[index].id}" for index in (0, 2) for kind in ("python_to_cuda", "cuda_to_python")]
    assert found == expected
    assert next(iter(left_out.lines())) == "cuda_to_python: 3 tasks whose reference does not score 1 left out"


def test_lines_with_the_same_id_and_lines_that_are_no_pairs_are_left_out(samples: list[Pair], tmp_path: Path) -> None:
    pairs = [samples[0], samples[1], samples[0]]
    dataset = stored(tmp_path / "data", pairs, {}, {}, {})
    left_out = LeftOut()
    assert ids(dataset, "python_to_cuda", left_out=left_out) == [f"python_to_cuda/{samples[1].id}"]
    assert list(left_out.lines()) == ["python_to_cuda: 2 lines whose id another line has left out"]


def test_without_verdicts_the_error_names_both_ways(samples: list[Pair], tmp_path: Path) -> None:
    path = tmp_path / "pairs-00000.jsonl"
    path.write_bytes(encode(samples[0]))
    both_ways = (
        rf"no verdicts of the level 'schema'; run warpsmith-validate run {tmp_path} --level gradient first, or give --check"
    )
    with pytest.raises(TargetError, match=both_ways):
        ids(Dataset.open(tmp_path), "cuda_to_python")
    with pytest.raises(TargetError, match="--level emulate first"):
        ids(Dataset.open(tmp_path), "python_to_cuda")


def test_verdicts_on_another_shard_do_not_count(samples: list[Pair], tmp_path: Path) -> None:
    dataset = stored(tmp_path / "data", samples[:1], {})
    dataset.shards[0].write_bytes(encode(samples[1]))
    with pytest.raises(TargetError, match="no verdicts of the level 'schema' that can be used: the shard changed since; run"):
        ids(dataset, "python_to_cuda")


def test_an_unknown_kind_is_an_error(samples: list[Pair], tmp_path: Path) -> None:
    with pytest.raises(WarpsmithError, match="unknown task 'no'"):
        ids(stored(tmp_path / "data", samples[:1], {}), "no")


def test_check_validates_in_batches_until_there_are_enough(
    samples: list[Pair], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[tuple[int, str]] = []

    class StubValidator:
        def __init__(self, unconfined: bool) -> None:
            assert unconfined

        def __enter__(self) -> StubValidator:
            return self

        def __exit__(self, *_: object) -> None:
            calls.append((0, "closed"))

        def validate(self, pairs: Sequence[Pair], level: str) -> list[list[Verdict]]:
            calls.append((len(pairs), level))
            failing = samples[0].id
            return [
                [Verdict(pair.id, name, "fail" if pair.id == failing else "pass", "", 1.0) for name in LEVELS] for pair in pairs
            ]

    monkeypatch.setattr(task_making, "Validator", StubValidator)
    monkeypatch.setattr(task_making, "PAIRS_PER_BATCH", 8)
    (tmp_path / "pairs-00000.jsonl").write_bytes(b"".join(map(encode, samples[:30])))
    offered = ids(Dataset.open(tmp_path), "python_to_cuda", "cuda_to_python", check=True, unconfined=True, quota=Quota(10))
    wanted = [f"{kind}/{pair.id}" for pair in samples[1:11] for kind in ("python_to_cuda", "cuda_to_python")]
    assert offered == wanted
    assert calls == [(8, "gradient"), (8, "gradient"), (0, "closed")]


@pytest.mark.exhaustive  # `test_endless_pairs_are_checked` is a smaller version
def test_check_with_the_real_levels(samples: list[Pair], tmp_path: Path) -> None:
    (tmp_path / "pairs-00000.jsonl").write_bytes(b"".join(map(encode, samples[:2])))
    assert len(ids(Dataset.open(tmp_path), "python_to_cuda", "forward_to_adjoint", "cuda_to_python", check=True)) == 6


@pytest.mark.skipif(sys.platform != "linux", reason="the confinement of workers requires Linux")
def test_endless_pairs_are_checked(samples: list[Pair], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(task_making, "PAIRS_PER_BATCH", 2)
    good = samples[0]
    wrong = replace(good, id="wrong", cuda_ir_forward=(good.cuda_ir_forward or "").replace("wp::add", "wp::sub", 1))
    assert wrong.cuda_ir_forward != good.cuda_ir_forward
    endless = task_making.tasks_of(itertools.cycle([wrong, good]), ["python_to_cuda"], check=True)
    assert [task.pair.id for task in itertools.islice(endless, 2)] == [good.id, good.id]
    unchecked = task_making.tasks_of(itertools.cycle([wrong, good]), ["python_to_cuda"])
    assert [task.pair.id for task in itertools.islice(unchecked, 2)] == ["wrong", good.id]
