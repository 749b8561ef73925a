"""Figures of bench runs: rates, and ratios within one run; they are stored, plotted and compared with earlier runs.

Rates depend on the machine and its load. Ratios are comparable between machines: a smaller ratio is a loss of speed.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

DROP = 0.15
"""A ratio this much smaller than the median of the last runs causes a warning."""

LAST = 5
"""The number of runs of the same machine that a new run is compared with."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure; larger ratios are better."""

    value: float
    unit: str
    ratio: bool

    def __str__(self) -> str:
        digits = 2 if self.ratio or self.value < 10 else 1 if self.value < 100 else 0
        return f"{self.value:,.{digits}f} {self.unit}"


@dataclass(slots=True)
class Figures:
    """The figures of one run, in the order of measurement."""

    found: dict[str, Figure] = field(default_factory=dict)

    def rate(self, name: str, value: float, unit: str) -> None:
        """Store a figure of this machine."""
        self.found[name] = Figure(value, unit, ratio=False)

    def ratio(self, name: str, value: float, unit: str = "times") -> None:
        """Store a ratio of two figures that were measured together."""
        self.found[name] = Figure(value, unit, ratio=True)

    def run(self, machine: str, when: str, commit: str) -> dict[str, Any]:
        """Return the run as a line of the history."""
        return {
            "machine": machine,
            "when": when,
            "commit": commit,
            "figures": {name: asdict(figure) for name, figure in self.found.items()},
        }


def read_history(path: Path) -> list[dict[str, Any]]:
    """Return all runs, oldest first."""
    return [json.loads(line) for line in path.read_text().splitlines() if line.strip()] if path.exists() else []


def drops(run: dict[str, Any], history: list[dict[str, Any]]) -> list[str]:
    """Return a warning for each ratio of ``run`` that is smaller than in the last runs on the same machine."""
    before = [past for past in history if past["machine"] == run["machine"]][-LAST:]
    warnings = []
    for name, figure in run["figures"].items():
        values = sorted(past["figures"][name]["value"] for past in before if name in past["figures"])
        if not figure["ratio"] or not values:
            continue
        usual = values[len(values) // 2]
        if figure["value"] < (1.0 - DROP) * usual:
            warnings.append(f"{name}: {figure['value']:.2f}, {1.0 - figure['value'] / usual:.0%} below the usual {usual:.2f}")
    return warnings


def plot_ratios(history: list[dict[str, Any]], path: Path) -> None:
    """Plot every ratio over the runs, if there is any."""
    names = list(dict.fromkeys(name for run in history for name, item in run["figures"].items() if item["ratio"]))
    if not names:
        return
    import matplotlib as mpl  # noqa: PLC0415 - takes half a second, which only plots need

    mpl.use("Agg")
    from matplotlib import pyplot as plt  # noqa: PLC0415 - after the choice of the backend

    columns = 3
    rows = -(-len(names) // columns)
    figure, plots = plt.subplots(rows, columns, figsize=(4.2 * columns, 2.2 * rows), squeeze=False, layout="constrained")
    for plot, name in zip(plots.flat, names, strict=False):
        points = [(number, run["figures"][name]["value"]) for number, run in enumerate(history) if name in run["figures"]]
        plot.plot(*zip(*points, strict=True), marker="o", markersize=3, linewidth=1)
        plot.set_title(name, fontsize=7)
        plot.set_ylim(bottom=0)
        plot.tick_params(labelsize=6)
        plot.xaxis.get_major_locator().set_params(integer=True)
    for plot in list(plots.flat)[len(names) :]:
        plot.remove()
    figure.savefig(path, dpi=120)
    plt.close(figure)
