"""Plain CUDA that is written by hand, in real workers: right answers pass, and answers with a mistake do not."""

from __future__ import annotations

import sys
from collections.abc import Mapping

import pytest

from scoring.kept import kept
from scoring.plain.answers import RIGHT, WRONG, Answer
from selected import selected
from warpsmith.scoring.scorer import Scorer
from warpsmith.scoring.scores import Score
from warpsmith.scoring.tasks.task import make_task

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the confinement of workers requires Linux")


ENDLESS = "an endless loop"
"""The answer that takes as long as the limit."""


def judged(real_scorer: Scorer, answers: Mapping[str, Answer]) -> dict[str, Score]:
    """Return the scores of answers, judged together."""
    items = []
    for answer in answers.values():
        pair = kept(answer.index)
        task = make_task("python_to_plain_cuda", pair)
        assert task is not None
        items.append((task, f"```cuda\n{answer.text(pair)}```\n"))
    return dict(zip(answers, real_scorer.score_all(items), strict=True))


@pytest.fixture(scope="module")
def scores(request: pytest.FixtureRequest, real_scorer: Scorer) -> dict[str, Score]:
    answers = {f"right: {name}": answer for name, answer in selected(request, RIGHT).items()}
    answers |= {f"wrong: {name}": answer for name, answer in selected(request, WRONG).items() if name != ENDLESS}
    return judged(real_scorer, answers)


@pytest.mark.sampled(8)
@pytest.mark.parametrize("name", RIGHT)
def test_right_answers_pass(scores: dict[str, Score], name: str) -> None:
    score = scores[f"right: {name}"]
    assert (score.reason, score.reward, score.status) == ("", 1.0, "pass")


def assert_wrong(score: Score) -> None:
    assert (score.passed, score.status) == (False, "fail")
    assert score.level in ("compile", "run"), score.reason


@pytest.mark.parametrize("name", [name for name in WRONG if name != ENDLESS])
def test_answers_with_a_mistake_fail(scores: dict[str, Score], name: str) -> None:
    assert_wrong(scores[f"wrong: {name}"])


@pytest.mark.exhaustive
def test_an_endless_loop_fails(real_scorer: Scorer) -> None:
    assert_wrong(judged(real_scorer, {ENDLESS: WRONG[ENDLESS]})[ENDLESS])
