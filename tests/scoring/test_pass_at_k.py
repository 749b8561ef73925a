"""Estimates of pass@k, compared with the enumeration of all subsets and with samples that are drawn one by one."""

from __future__ import annotations

import random
from itertools import combinations
from statistics import fmean

import pytest

from warpsmith.scoring.pass_at_k import Tally, bootstrap, estimate, pass_at_k


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


def test_the_interval_agrees_with_samples_drawn_one_by_one() -> None:
    rng = random.Random(5)  # noqa: S311 - no secret
    values = [rng.choice([0.0, 0.0, 0.25, 0.6, 1.0]) for _ in range(60)]
    means = sorted(fmean(rng.choices(values, k=len(values))) for _ in range(20_000))
    found = bootstrap(values)
    assert found.value == pytest.approx(fmean(values))
    assert found.low == pytest.approx(means[500], abs=0.01)
    assert found.high == pytest.approx(means[-501], abs=0.01)


def test_the_interval_of_equal_tasks_is_a_point_and_is_reproducible() -> None:
    one = bootstrap([0.5] * 7)
    assert (one.value, one.low, one.high) == (0.5, 0.5, 0.5)
    values = [0.0, 1.0, 0.5, 0.25]
    assert bootstrap(values) == bootstrap(values)
