"""Scores in real workers: the same for the same seed, and none without an answer or a reference."""

from __future__ import annotations

import sys
from dataclasses import replace

import pytest

from scoring_datasets import REFERENCES, task_of
from shift_pair import make_pair
from warpsmith.core.records.pair import Pair
from warpsmith.scoring.scorer import Scorer
from warpsmith.scoring.tasks.task import Task

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the confinement of workers requires Linux")


def completion(task: Task, text: str) -> str:
    return f"An answer.\n```{task.language}\n{text}\n```\n"


def reference(task: Task) -> str:
    text = getattr(task.pair, REFERENCES[task.kind])
    assert isinstance(text, str)
    return text


@pytest.fixture(scope="module")
def pair() -> Pair:
    return make_pair()


def test_scores_are_the_same_for_the_same_seed_and_alone(real_scorer: Scorer, pair: Pair) -> None:
    task = task_of("python_to_cuda", pair)
    wrong = reference(task).replace("1.0;", "1.0001;")
    assert wrong != reference(task)
    items = [(task_of(kind, pair), text) for kind in REFERENCES for text in ("no code", reference(task))]
    _, together, *_ = real_scorer.score_all([items[0], (task, completion(task, wrong)), *items[1:]])
    (alone,) = real_scorer.score(task, [completion(task, wrong)])
    assert alone.counterexample is not None
    assert alone == together


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "text", ["", "no code", "```cuda\n```", "```cuda\n\x00\n```", "```cuda\n" + "{" * 100_000 + "\n```", "```\n" * 9]
)
def test_completions_without_an_answer(real_scorer: Scorer, pair: Pair, text: str) -> None:
    for kind in REFERENCES:
        (found,) = real_scorer.score(task_of(kind, pair), [text])
        assert (found.reward, found.passed, found.level, found.status) == (0.0, False, "", "fail")


def test_a_task_whose_reference_cannot_run_pays_nothing(real_scorer: Scorer, pair: Pair) -> None:
    task = task_of("python_to_cuda", pair)
    broken = replace(task, pair=replace(task.pair, cuda_ir_forward=reference(task).replace("wp::mul", "wp::nothing")))
    (found,) = real_scorer.score(broken, [completion(task, reference(task))])
    assert (found.reward, found.status) == (0.0, "inconclusive")
    assert found.reason.startswith("the reference cannot be run: ")
