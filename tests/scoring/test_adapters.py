"""The adapters of training libraries without the libraries: what they convert, and how they share one scorer."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar

import orjson
import pytest

from warpsmith.core import Pair
from warpsmith.core.errors import RecordError, WarpsmithError
from warpsmith.core.records.encoding import encode
from warpsmith.scoring import inspect_ai as inspect_adapter
from warpsmith.scoring import lm_eval, process_scorer, trl, verl
from warpsmith.scoring.process_scorer import ProcessScorer
from warpsmith.scoring.scores import Score
from warpsmith.scoring.tasks.columns import completion_text, from_texts, read_rows_of_texts, to_texts
from warpsmith.scoring.tasks.task import Task, make_task
from warpsmith.scoring.tasks.task_kinds import KINDS


class StubScorer:
    """A scorer for which an answer is right that contains the word ``right``."""

    made: ClassVar[list[dict[str, Any]]] = []
    running = 0

    def __init__(self, **options: Any) -> None:
        self.made.append(options)
        self.calls: list[list[tuple[Task, str]]] = []
        self.closed = False

    def score_all(self, items: Sequence[tuple[Task, str]]) -> list[Score]:
        assert self.running == 0
        self.running += 1
        time.sleep(0.0001)
        self.calls.append(list(items))
        scores = [self._score(text) for _, text in items]
        self.running -= 1
        return scores

    def _score(self, text: str) -> Score:
        if "machine" in text:
            return Score(0.0, False, "", "inconclusive", "no memory")
        return Score(1.0, True, "right", "pass") if "right" in text else Score(0.1, False, "compile", "fail", "it stops")

    def close(self) -> None:
        self.closed = True


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[dict[str, Any]]]:
    """Replace the scorers of this process, and return the arguments of those that are made."""
    monkeypatch.setattr(process_scorer, "Scorer", StubScorer)
    monkeypatch.setattr(StubScorer, "made", [])
    process_scorer.SCORER.close()
    yield StubScorer.made
    process_scorer.SCORER.close()


@pytest.fixture(scope="module")
def tasks(samples: list[Pair]) -> list[Task]:
    made = [make_task(kind, pair) for pair in samples[:3] for kind in KINDS]
    return [task for task in made if task is not None]


def columns(tasks: Sequence[Task]) -> dict[str, list[Any]]:
    """Return the columns that TRL passes: all of the dataset but the prompts."""
    rows = list(map(to_texts, tasks))
    return {name: [row[name] for row in rows] for name in rows[0] if name != "prompt"}


# ------------------------------------------------------------------------------------------------------------- columns


def test_rows_of_texts_hold_the_task(tasks: list[Task]) -> None:
    assert len({task.kind for task in tasks}) == len(KINDS)
    for task in tasks:
        row = to_texts(task)
        assert all(isinstance(value, str) for value in row.values())
        again = from_texts(row)
        assert (again.task_id, again.kind, again.entry_point, again.pair) == (
            task.task_id,
            task.kind,
            task.entry_point,
            task.pair,
        )
        assert from_texts({**row, "pair": orjson.loads(row["pair"])}) == again


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"pair": "{"}, "pair: not JSON"),
        ({"pair": None}, "pair: "),
        ({"task": "poem"}, "unknown task"),
        ({"entry_point": "other"}, "entry_point is 'other'"),
        ({"task_id": 3}, "task_id is not a text"),
    ],
)
def test_other_rows_are_refused(tasks: list[Task], change: dict[str, Any], message: str) -> None:
    with pytest.raises(RecordError, match=message):
        from_texts(to_texts(tasks[0]) | change)


def test_rows_come_from_a_file_or_from_tasks(tasks: list[Task], tmp_path: Path) -> None:
    file = tmp_path / "tasks.jsonl"
    file.write_bytes(b"".join(encode(task.to_row()) for task in tasks))
    rows = [to_texts(task) for task in tasks]
    assert list(read_rows_of_texts(file)) == list(read_rows_of_texts(str(file))) == list(read_rows_of_texts(tasks)) == rows


@pytest.mark.parametrize(
    ("completion", "text"),
    [
        ("a", "a"),
        ([{"role": "assistant", "content": "a"}], "a"),
        ([{"role": "assistant", "content": "a"}, {"role": "tool", "content": "b"}, {"role": "assistant", "content": "c"}], "c"),
        ([{"role": "assistant", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}], "ab"),
        ([{"role": "assistant", "content": None, "tool_calls": []}], ""),
        ([{"role": "user", "content": "a"}], ""),
        ([], ""),
        ([None, {"role": "assistant", "content": "a"}], "a"),
        ([{"role": "assistant", "content": [{"type": "reasoning", "text": "a"}, {"type": "text", "text": "b"}]}], "b"),
        ([{"role": "assistant", "content": [{"type": "text", "text": None}, "b"]}], ""),
        (None, None),
    ],
)
def test_the_text_of_a_completion(completion: Any, text: str) -> None:
    assert completion_text(completion) == text


# ------------------------------------------------------------------------------------------------------------- the scorer


@pytest.mark.usefixtures("made")
def test_a_process_has_one_scorer(tasks: list[Task]) -> None:
    scorer = ProcessScorer()
    for _ in range(3):
        scorer.score_all([(tasks[0], "right")])
    assert len(StubScorer.made) == 1
    scorer.close()
    scorer.score_all([(tasks[0], "right")])
    assert len(StubScorer.made) == 2
    scorer.configure(seed=7, rewards={"right": 2.0}, speed_weight=0.5)
    scorer.score_all([(tasks[0], "right")])
    assert StubScorer.made[2] == {"seed": 7, "rewards": {"right": 2.0}, "speed_weight": 0.5}
    assert StubScorer.made[0] == {}


def test_an_argument_that_no_scorer_has_is_an_error_at_once() -> None:
    with pytest.raises(TypeError, match="speed_wight"):
        ProcessScorer().configure(speed_wight=0.5)


@pytest.mark.usefixtures("made")
def test_one_thread_at_a_time_uses_the_scorer(tasks: list[Task]) -> None:
    scorer, failed = ProcessScorer(), []

    def work() -> None:
        try:
            for _ in range(200):
                scorer.score_all([(tasks[0], "right")])
        except AssertionError as error:
            failed.append(error)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed
    assert len(StubScorer.made) == 1


FORK = """
import os, sys
from warpsmith.scoring import process_scorer

class Stub:
    def __init__(self, *_, **__): print("made", os.getpid() == parent, flush=True)
    def score_all(self, items): return []
    def close(self): print("closed", os.getpid() == parent, flush=True)

parent, process_scorer.Scorer = os.getpid(), Stub
process_scorer.SCORER.score_all([])
process_scorer.SCORER._lock.acquire()  # another thread of the parent is at work
if (child := os.fork()) == 0:
    process_scorer.SCORER.score_all([])
    sys.exit(0)
os.waitpid(child, 0)
process_scorer.SCORER._lock.release()
"""


def test_a_forked_process_has_its_own_scorer() -> None:
    done = subprocess.run([sys.executable, "-c", FORK], capture_output=True, text=True, check=True, timeout=120, env=os.environ)
    assert done.stdout.splitlines() == ["made True", "made False", "closed False", "closed True"]


# ------------------------------------------------------------------------------------------------------------- libraries


def test_the_reward_of_trl(made: list[Any], tasks: list[Task]) -> None:
    completions = [[{"role": "assistant", "content": text}] for text in ("right", "wrong", "machine")]
    metrics: dict[str, float] = {}
    extra: dict[str, list[Any]] = {}
    rewards = trl.reward(
        prompts=[task.messages for task in tasks[:3]],
        completions=completions,
        completion_ids=[[1], [2], [3]],
        trainer_state=None,
        log_metric=metrics.__setitem__,
        log_extra=extra.__setitem__,
        **columns(tasks[:3]),
    )
    assert rewards == [1.0, 0.1, None]
    assert metrics == {"passed": pytest.approx(1 / 3)}
    assert extra == {"level": ["right", "compile", ""], "reason": ["", "it stops", "no memory"]}
    assert len(made) == 1


@pytest.mark.usefixtures("made")
def test_the_reward_of_trl_belongs_to_the_task_of_each_row(tasks: list[Task]) -> None:
    trl.reward([""] * len(tasks), ["x"] * len(tasks), **columns(tasks))
    [call] = process_scorer.SCORER._scorer.calls  # type: ignore[union-attr]
    assert [(task.task_id, task.kind) for task, _ in call] == [(task.task_id, task.kind) for task in tasks]


@pytest.mark.usefixtures("made")
def test_the_score_of_verl(tasks: list[Task]) -> None:
    row = verl._row(to_texts(tasks[0]), "test", 4)
    assert row["data_source"] == f"warpsmith/{tasks[0].kind}"
    assert row["prompt"] == tasks[0].messages
    assert (row["extra_info"]["split"], row["extra_info"]["index"]) == ("test", 4)
    truth = row["reward_model"]["ground_truth"]
    for completion, expected in (("right", (1.0, 1.0, 0.0)), ("wrong", (0.1, 0.0, 0.0)), ("machine", (0.0, 0.0, 1.0))):
        found = verl.compute_score("", solution_str=completion, ground_truth=truth, extra_info={}, reward_router_address=None)
        assert tuple(found.values()) == expected
        assert list(found) == ["score", "acc", "inconclusive"]
    for truth in ("[]", "no", "{}"):
        with pytest.raises(RecordError):
            verl.compute_score("", "right", truth)


@pytest.mark.usefixtures("made")
def test_the_metrics_of_the_harness(tasks: list[Task]) -> None:
    doc = to_texts(tasks[0])
    assert lm_eval.process_results(doc, ["right"]) == {"passed": 1.0, "reward": 1.0, "inconclusive": 0.0}
    means = lm_eval.process_results(doc, [["right", "wrong", "machine", "right"]])
    assert means == {"passed": 0.5, "reward": pytest.approx(2.1 / 4), "inconclusive": 0.25}
    with pytest.raises(WarpsmithError, match="--metadata"):
        lm_eval.load(version=1.0)


@pytest.mark.parametrize(
    ("extra", "use", "blocked"),
    [
        ("trl", "trl.dataset([])", "datasets"),
        ("verl", "verl.write_parquet([], 'x')", "pyarrow"),
        ("lm-eval", "lm_eval.load('x')", "datasets"),
        ("inspect", "inspect_adapter.kernel_task([])", "inspect_ai"),
        ("verifiers", "importlib.import_module('warpsmith.scoring.verifiers')", "verifiers.v1"),
    ],
)
def test_a_missing_library_is_reported_with_its_extra(
    monkeypatch: pytest.MonkeyPatch, extra: str, use: str, blocked: str
) -> None:
    monkeypatch.setitem(sys.modules, blocked, None)
    monkeypatch.delitem(sys.modules, "warpsmith.scoring.verifiers", raising=False)
    import importlib  # noqa: PLC0415 - a name of the expressions

    names = {"trl": trl, "verl": verl, "lm_eval": lm_eval, "inspect_adapter": inspect_adapter, "importlib": importlib}
    with pytest.raises(WarpsmithError, match=rf"extra warpsmith-scoring\[{extra}\]: .* install .+"):
        eval(use, names)  # noqa: S307 - an expression of this file
