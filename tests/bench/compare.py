"""Compares the ratios of a bench run with the last runs on the same machine class, and adds the run to the history.

    python -m bench.compare [--folder FOLDER]

The exit code is 1 if a ratio has fallen, and 2 if a file is broken; `nox -s bench` runs it after the measurements.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from bench.figures import Ratio
from bench.history import FOLDER, HistoryError, Run, read_history, read_run
from bench.history_page import page
from warpsmith.core.files.atomic import write_atomic

FALL = 0.1
"""A ratio that is smaller than the median of the last runs by more than this part of it has fallen."""

LAST = 5
"""The number of runs whose median a ratio is compared with."""

ENOUGH = 3
"""The number of runs that show how much a ratio varies between runs."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """A ratio and the last runs.

    Attributes:
        usual: the median of the last runs; None without any.
        noise: how much the ratio varies without a change of the code; None if the runs do not tell.
        runs: the number of runs that the ratio is compared with.
    """

    name: str
    ratio: Ratio
    usual: float | None
    noise: float | None
    runs: int

    @property
    def fallen(self) -> bool:
        """Whether the ratio is below the limit, even with its noise added."""
        if self.usual is None or self.noise is None:
            return False
        return self.ratio.value + self.noise < (1.0 - FALL) * self.usual

    def __str__(self) -> str:
        start = f"{self.name}: {self.ratio}"
        if self.usual is None:
            return f"{start}; no earlier run on this machine class has this ratio"
        change = f"{start}; {self.ratio.value / self.usual - 1.0:+.0%} of the median {self.usual:.2f} of {_runs(self.runs)}"
        if self.noise is None:
            return f"{change}; not judged: a ratio without spread needs {ENOUGH} runs"
        return f"{change}, which varies by {self.noise:.2f}"


def _runs(count: int) -> str:
    return "the last run" if count == 1 else f"the last {count} runs"


def compare(run: Run, history: Sequence[Run]) -> list[Comparison]:
    """Compare each ratio of a run with the last runs on the same machine class that have the ratio.

    Args:
        run: the new run.
        history: earlier runs, oldest first; the new one may be among them.
    """
    same = [past for past in history if past.machine == run.machine and past != run]
    return [
        _comparison(name, ratio, [past.ratios[name] for past in same if name in past.ratios][-LAST:])
        for name, ratio in run.ratios.items()
    ]


def _comparison(name: str, ratio: Ratio, past: Sequence[Ratio]) -> Comparison:
    values = [one.value for one in past]
    usual = median(values) if values else None
    spreads = [one.spread for one in past if one.spread is not None]
    # A single bad run, which a fall is, changes neither median.
    variations = [median(spreads)] if spreads else []
    if ratio.spread is not None:
        variations.append(ratio.spread)
    if usual is not None and len(values) >= ENOUGH:
        variations.append(median(abs(value - usual) for value in values))
    return Comparison(name, ratio, usual, max(variations, default=None), len(values))


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare, add the run to the history, draw the page, and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m bench.compare", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--folder", type=Path, default=FOLDER, help="the folder of run.json and the history (%(default)s)")
    folder = parser.parse_args(arguments).folder
    try:
        run, history = read_run(folder / "run.json"), read_history(folder / "history.jsonl")
    except HistoryError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    if not run.ratios:
        print("no ratio was measured: there is nothing to compare")
        return 0
    comparisons = compare(run, history)
    if run not in history:
        history.append(run)
        write_atomic(folder / "history.jsonl", "".join(f"{past.to_json()}\n" for past in history).encode())
    write_atomic(folder / "history.html", page(history).encode())
    return report(run, comparisons, folder)


def report(run: Run, comparisons: Sequence[Comparison], folder: Path) -> int:
    """Print the comparisons, the fallen ratios last, and return the exit code."""
    print(f"{run.commit} on {run.machine}:")
    for comparison in comparisons:
        print(f"  {comparison}")
    if all(comparison.usual is None for comparison in comparisons):
        print("nothing to compare with: this is the first run on this machine class")
    print(f"all runs are in {folder / 'history.jsonl'}, drawn in {folder / 'history.html'}")
    fallen = [comparison for comparison in comparisons if comparison.fallen]
    for comparison in fallen:
        print(f"error: fallen by more than {FALL:.0%}: {comparison}", file=sys.stderr)
    if fallen:
        print(
            f"error: find the commit in {folder / 'history.html'}, or run `nox -s bench` again to rule out load",
            file=sys.stderr,
        )
    return int(bool(fallen))


if __name__ == "__main__":
    sys.exit(main())
