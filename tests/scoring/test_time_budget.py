"""Limits of time: of all launches of one answer, and of a batch; scorers in threads, and after they are closed."""

from __future__ import annotations

import sys
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from scoring_datasets import task_of
from shift_pair import make_pair
from warpsmith.core.errors import WarpsmithError
from warpsmith.core.records.pair import Pair
from warpsmith.scoring.judging.time_budget import SPENT
from warpsmith.scoring.scorer import Scorer
from warpsmith.scoring.tasks.task import Task

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the confinement of workers requires Linux")

SLOW = """    i = wp.tid()
    zero = float(0.0)
    for j in range(40000):
        zero = zero + 0.0 * wp.sin(float(j + i))
"""
"""Statements that take a fraction of a second in a launch, and change no result."""


@pytest.fixture(scope="module")
def task() -> Task:
    pair: Pair = make_pair(100)
    return task_of("cuda_to_python", pair)


def slow(task: Task) -> str:
    text = task.reference.replace("    i = wp.tid()\n", SLOW).replace("* x[i] + 1.0", "* x[i] + 1.0 + zero")
    assert text.count("zero") == 4
    return text


def test_all_launches_of_an_answer_share_a_limit(real_scorer: Scorer, task: Task, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(real_scorer, "_seconds", 0.5)
    started = time.monotonic()
    right, late, also_right = real_scorer.score(task, [task.reference, slow(task), task.reference])
    assert (right.reward, also_right.reward) == (1.0, 1.0)
    assert (late.level, late.reward, late.status) == ("compile", 0.1, "fail")
    assert late.reason.startswith("it ran for more than 0.5 s in all launches")
    assert time.monotonic() - started < 60.0


def test_answers_without_time_are_inconclusive(real_scorer: Scorer, task: Task, monkeypatch: pytest.MonkeyPatch) -> None:
    (right,) = real_scorer.score(task, [task.reference])
    monkeypatch.setattr(real_scorer, "_batch_seconds", 0.001)
    late, again = real_scorer.score(task, [task.reference] * 2)
    assert (late.status, late.reward, late.reason) == ("inconclusive", 0.0, again.reason)
    assert SPENT in late.reason
    monkeypatch.undo()
    assert real_scorer.score(task, [task.reference]) == [right]


def test_threads_share_a_scorer(real_scorer: Scorer, task: Task) -> None:
    wrong = task.reference.replace("+ 1.0", "+ 2.0")
    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(lambda text: real_scorer.score(task, text)[0].passed, [task.reference, wrong] * 3))
    assert found == [True, False] * 3


def test_a_closed_scorer_says_so(task: Task) -> None:
    scorer = Scorer()
    scorer.close()
    scorer.close()
    with pytest.raises(WarpsmithError, match="the scorer is closed: make a new one"):
        scorer.score(task, [task.reference])


@pytest.mark.parametrize("limits", [{"seconds_per_answer": 0.0}, {"seconds_per_answer": -1.0}, {"seconds_per_batch": 0.0}])
def test_limits_are_positive(limits: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="limits of time are positive"):
        Scorer(**limits)  # type: ignore[arg-type]
