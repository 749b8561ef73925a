"""The estimated speed of right answers: serial kernels are slow, and the reward says so where it is asked to."""

from __future__ import annotations

import sys
from collections.abc import Callable

import pytest

from scoring_datasets import task_of
from shift_pair import make_pair
from warpsmith.core.errors import DeviceError
from warpsmith.core.records.pair import Pair
from warpsmith.scoring.plain.reference.translation import translate
from warpsmith.scoring.scorer import Scorer
from warpsmith.scoring.scores import Score
from warpsmith.scoring.speed.speed import LAUNCH_MICROSECONDS, Cost, Speed
from warpsmith.scoring.tasks.task import Task

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the confinement of workers requires Linux")

WEIGHT = 0.5


@pytest.fixture(scope="module")
def pair() -> Pair:
    return make_pair(100)


@pytest.fixture(scope="module")
def task(pair: Pair) -> Task:
    return task_of("python_to_plain_cuda", pair)


@pytest.fixture(scope="module")
def fast_scorer(scorer_with: Callable[..., Scorer]) -> Scorer:
    return scorer_with(seed=3, speed_weight=WEIGHT)


@pytest.fixture(scope="module")
def scores(fast_scorer: Scorer, task: Task) -> dict[str, Score]:
    loop = "for (int rest = 0; rest < 20; ++rest) if (blockIdx.x == 1 << 20) y[rest] = 0.0f;"
    answers = {
        "reference": task.reference,
        "serial": translate(task.pair, task.entry_point, serial=True) or "",
        "wrong": task.reference.replace("thread0 >= dim0", "thread0 >= dim0 - 1"),
        "by stride": _strided(task.reference),
        "with idle work": task.reference.replace(") return;", f") return;\n    {loop}", 1),
    }
    return dict(zip(answers, fast_scorer.score(task, [f"```cuda\n{text}\n```" for text in answers.values()]), strict=True))


def _strided(text: str) -> str:
    """Return a text in which neighbours access elements that are far from each other."""
    at = "blockIdx.x * blockDim.x + threadIdx.x"
    assert at in text
    return text.replace(at, "threadIdx.x * gridDim.x + blockIdx.x")


def speed(score: Score) -> Speed:
    assert score.passed, score.reason
    assert score.speed is not None
    return score.speed


def test_the_reference_is_as_fast_as_itself_and_a_serial_kernel_is_not(scores: dict[str, Score]) -> None:
    reference, serial = speed(scores["reference"]), speed(scores["serial"])
    assert reference.ratio == 1.0
    assert reference.threads >= 1 << 19
    assert reference.serial == serial.answer
    assert serial.ratio < 0.01
    assert serial.answer.longest_warp > 1000 * reference.answer.longest_warp


def test_scattered_accesses_touch_more_sectors(scores: dict[str, Score]) -> None:
    coalesced, strided = speed(scores["reference"]), speed(scores["by stride"])
    assert strided.answer.global_sectors > 2 * coalesced.answer.global_sectors


def test_more_instructions_take_longer(scores: dict[str, Score]) -> None:
    plain, idle = speed(scores["reference"]), speed(scores["with idle work"])
    assert idle.answer.instructions > plain.answer.instructions
    assert idle.answer.longest_warp > plain.answer.longest_warp


def test_part_of_the_reward_depends_on_the_speed(scores: dict[str, Score]) -> None:
    assert scores["reference"].reward == 1.0
    assert scores["serial"].reward == pytest.approx(1.0 - WEIGHT * (1.0 - speed(scores["serial"]).ratio))
    assert (scores["wrong"].passed, scores["wrong"].speed) == (False, None)


def test_speeds_are_estimated_only_where_they_are_asked_for(real_scorer: Scorer, task: Task) -> None:
    (score,) = real_scorer.score(task, f"```cuda\n{task.reference}\n```")
    assert (score.passed, score.reward, score.speed, score.device_speed) == (True, 1.0, None, None)


def test_answers_in_the_form_of_warp_have_no_speed(fast_scorer: Scorer, pair: Pair) -> None:
    task = task_of("python_to_cuda", pair)
    (score,) = fast_scorer.score(task, f"```cuda\n{task.reference}\n```")
    assert (score.passed, score.reward, score.speed) == (True, 1.0, None)


def test_an_answer_that_does_nothing_in_large_launches_has_no_speed(fast_scorer: Scorer, task: Task) -> None:
    """The launches that decide whether an answer is right are smaller than those that are counted."""
    lazy = task.reference.replace(") return;", " || dim0 > 900) return;", 1)
    (score,) = fast_scorer.score(task, f"```cuda\n{lazy}\n```")
    assert (score.passed, score.speed) == (True, None)


def test_the_ratio_contains_the_launch() -> None:
    cost = Cost(LAUNCH_MICROSECONDS, "memory", 1, 1, 1, 1, 0, 0, 0)
    assert Speed(1, cost, Cost(3 * LAUNCH_MICROSECONDS, "memory", 1, 1, 1, 1, 0, 0, 0)).ratio == 2.0


@pytest.mark.parametrize("weight", [-0.1, 1.1])
def test_a_weight_is_a_share(weight: float) -> None:
    with pytest.raises(ValueError, match="from 0 to 1"):
        Scorer(speed_weight=weight)


def test_a_missing_device_is_an_error_that_says_so() -> None:
    with pytest.raises(DeviceError, match="cuda:77"):
        Scorer(device="cuda:77")
    with pytest.raises(DeviceError, match="not on the CPU"):
        Scorer(device="cpu")
