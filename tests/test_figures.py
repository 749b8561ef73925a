"""The history of bench runs: the drops that cause a warning."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from typing import Any

import pytest

SPEC = importlib.util.spec_from_file_location("bench_figures", Path(__file__).with_name("bench") / "figures.py")
assert SPEC is not None
assert SPEC.loader is not None
bench = sys.modules["bench_figures"] = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(bench)


def run(ratio: float, rate: float = 100.0, machine: str = "this") -> dict[str, Any]:
    figures = bench.Figures()
    figures.ratio("worker over baseline", ratio)
    figures.rate("pairs", rate, "pairs/s")
    whole: dict[str, Any] = figures.run(machine, "2026-01-01T00:00:00+00:00", "abc")
    return whole


@pytest.mark.parametrize(
    ("before", "now", "warned"),
    [
        ([], 1.0, 0),
        ([2.0], 1.71, 0),
        ([2.0], 1.69, 1),
        ([2.0, 2.0, 9.0], 1.8, 0),  # a single fast run does not count
        ([9.0, 9.0, 9.0, 2.0, 2.0, 2.0, 2.0, 2.0], 1.9, 0),  # the last five count
    ],
)
def test_ratios_are_compared_with_the_last_runs(before: list[float], now: float, warned: int) -> None:
    assert len(bench.drops(run(now), [run(ratio) for ratio in before])) == warned


def test_rates_and_other_machines_are_ignored() -> None:
    assert bench.drops(run(2.0, rate=1.0), [run(2.0, rate=100.0)]) == []
    assert bench.drops(run(1.0), [run(2.0, machine="another")]) == []


def test_a_warning_contains_the_ratio_and_both_figures() -> None:
    assert bench.drops(run(1.0), [run(2.0)]) == ["worker over baseline: 1.00, 50% below the usual 2.00"]


def test_a_history_can_be_read(tmp_path: Path) -> None:
    path = tmp_path / "history.jsonl"
    assert bench.read_history(path) == []
    path.write_text(json.dumps(run(2.0)) + "\n" + json.dumps(run(1.0)) + "\n")
    assert [past["figures"]["worker over baseline"]["value"] for past in bench.read_history(path)] == [2.0, 1.0]


def test_ratios_are_plotted_and_a_run_without_ratios_is_valid(tmp_path: Path) -> None:
    plot, rates = tmp_path / "history.png", bench.Figures()
    rates.rate("pairs", 100.0, "pairs/s")
    bench.plot_ratios([rates.run("this", "2026-01-01T00:00:00+00:00", "abc")], plot)
    assert not plot.exists()
    bench.plot_ratios([run(2.0), run(1.0)], plot)
    assert plot.read_bytes().startswith(b"\x89PNG")
