"""Estimates of pass@k, compared with the enumeration of all subsets and with samples that are drawn one by one."""

from __future__ import annotations

import math
from itertools import combinations
from random import Random
from statistics import NormalDist, fmean

import pytest

from warpsmith.scoring.results.pass_at_k import Tally, estimate, interval, pass_at_k


@pytest.mark.parametrize("samples", range(1, 9))
def test_pass_at_k_is_the_share_of_subsets_with_a_pass(samples: int) -> None:
    for passed in range(samples + 1):
        outcomes = [True] * passed + [False] * (samples - passed)
        for k in range(1, samples + 1):
            share = fmean(any(subset) for subset in combinations(outcomes, k))
            assert pass_at_k(Tally(samples, passed), k) == pytest.approx(share, abs=1e-12)


@pytest.mark.parametrize("k", [0, 4])
def test_more_completions_are_needed(k: int) -> None:
    with pytest.raises(ValueError, match=rf"pass@{k} needs at least {k} completions, not 3"):
        pass_at_k(Tally(3, 1), k)


def test_the_estimate_is_the_mean_over_tasks() -> None:
    tallies = [Tally(4, 1), Tally(2, 2), Tally(10, 0)]
    found = estimate(tallies, 2)
    assert found is not None
    assert found.value == pytest.approx((0.5 + 1.0 + 0.0) / 3)
    assert found.low <= found.value <= found.high


def test_there_is_no_estimate_with_too_few_completions_of_a_task() -> None:
    assert estimate([Tally(10, 1), Tally(9, 9)], 10) is None
    assert estimate([], 1) is None


def wilson(passed: int, tasks: int) -> tuple[float, float]:
    """Return Wilson's score interval for a share, see Wilson, J. Am. Stat. Assoc. 22 (1927)."""
    z = NormalDist().inv_cdf(0.975)
    share, square = passed / tasks, z * z / tasks
    middle, half = share + square / 2, z * math.sqrt(share * (1 - share) / tasks + square / tasks / 4)
    return (middle - half) / (1 + square), (middle + half) / (1 + square)


@pytest.mark.parametrize("tasks", [1, 2, 5, 20, 200])
def test_the_interval_of_single_completions_contains_that_of_wilson(tasks: int) -> None:
    for passed in {0, 1, tasks // 2, tasks - 1, tasks}:
        found = interval([1.0] * passed + [0.0] * (tasks - passed))
        low, high = wilson(passed, tasks)
        assert 0.0 <= found.low <= low + 1e-9
        assert high - 1e-9 <= found.high <= 1.0
        assert found.high - found.low <= 1.35 * (high - low)
        assert found.value == pytest.approx(passed / tasks)
        assert found.low <= found.value <= found.high


@pytest.mark.parametrize("value", [0.0, 0.25, 0.5, 1.0])
@pytest.mark.parametrize("tasks", [1, 7, 200])
def test_equal_tasks_have_an_interval(value: float, tasks: int) -> None:
    """The interval does not shrink to a point because all tasks that were seen are alike."""
    found = interval([value] * tasks)
    assert found.low <= value <= found.high
    assert found.high - found.low > 0.9 / (tasks + 4)


SHAPES = {"easy": (49.0, 1.0), "hard": (0.2, 4.0), "mixed": (0.5, 0.5)}
"""The parameters of the beta distribution of a task's chance."""


@pytest.mark.parametrize(("samples", "k"), [(1, 1), (4, 1), (4, 2)])
@pytest.mark.parametrize("tasks", [10, 50])
@pytest.mark.parametrize("shape", SHAPES)
def test_intervals_contain_the_truth_as_often_as_they_say(samples: int, k: int, tasks: int, shape: str) -> None:
    rng, runs, covered = Random(f"{shape} {samples} {tasks} {k}"), 300, 0  # noqa: S311 - no secret
    a, b = SHAPES[shape]
    truth = 1.0 - math.prod((b + failed) / (a + b + failed) for failed in range(k))
    for _ in range(runs):
        chances = [rng.betavariate(a, b) for _ in range(tasks)]
        found = estimate([Tally(samples, sum(rng.random() < chance for _ in range(samples))) for chance in chances], k)
        covered += found is not None and found.low <= truth <= found.high
    assert covered / runs >= 0.91
