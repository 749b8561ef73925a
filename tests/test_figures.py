"""Figures of bench runs: ratios and their spread."""

from __future__ import annotations

from statistics import stdev

import numpy as np
import pytest

from bench.figures import DEVIATIONS, Figures, ratio_of_sums, spread


def test_a_ratio_adds_the_rounds_before_it_divides() -> None:
    assert ratio_of_sums([(9.0, 1.0), (1.0, 4.0)]) == 2.0


def test_a_single_round_has_no_spread_and_equal_rounds_have_none() -> None:
    assert spread([(2.0, 1.0)]) is None
    assert spread([(2.0, 1.0)] * 5) == pytest.approx(0.0, abs=1e-12)


def test_the_spread_is_that_of_repeated_runs() -> None:
    """Compare the spread, which one run computes, with the deviation of the ratios of two thousand runs."""
    rng = np.random.default_rng(7)

    def rounds() -> list[tuple[float, float]]:
        return [(rng.normal(2.0, 0.2), rng.normal(1.0, 0.1)) for _ in range(20)]

    runs = [rounds() for _ in range(2000)]
    found = sum(spread(run) or 0.0 for run in runs) / len(runs)
    assert found == pytest.approx(DEVIATIONS * stdev(map(ratio_of_sums, runs)), rel=0.05)


def test_figures_are_shown_with_spread_and_unit() -> None:
    figures = Figures()
    figures.rate("pairs", 1234.5, "pairs/s")
    figures.ratio("one", [(3.0, 2.0)], "times Warp")
    figures.ratio("two", [(3.0, 2.0), (3.0, 2.0)], "times Warp")
    assert [str(figure) for figure in (*figures.rates.values(), *figures.ratios.values())] == [
        "1,234 pairs/s",
        "1.50 times Warp",
        "1.50 ± 0.00 times Warp",
    ]
