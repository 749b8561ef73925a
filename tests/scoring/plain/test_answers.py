"""Plain CUDA that is written by hand, in real workers: right answers pass, and answers with a mistake do not."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest

from scoring.plain.answers import RIGHT, WRONG, Answer
from warpsmith.core import Pair
from warpsmith.scoring.scorer import Score, Scorer
from warpsmith.scoring.task import make_task

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the confinement of workers requires Linux")


@pytest.fixture(scope="module")
def scorer() -> Iterator[Scorer]:
    with Scorer(seed=7) as one:
        yield one


def judged(scorer: Scorer, samples: list[Pair], answer: Answer) -> Score:
    pair = samples[answer.index]
    task = make_task("python_to_plain_cuda", pair)
    assert task is not None
    (score,) = scorer.score(task, [f"```cuda\n{answer.text(pair)}```\n"])
    return score


@pytest.mark.parametrize("name", RIGHT)
def test_right_answers_pass(scorer: Scorer, samples: list[Pair], name: str) -> None:
    score = judged(scorer, samples, RIGHT[name])
    assert (score.reason, score.reward, score.status) == ("", 1.0, "pass")


@pytest.mark.parametrize("name", WRONG)
def test_answers_with_a_mistake_fail(scorer: Scorer, samples: list[Pair], name: str) -> None:
    score = judged(scorer, samples, WRONG[name])
    assert (score.passed, score.status) == (False, "fail")
    assert score.level in ("compile", "run"), score.reason
