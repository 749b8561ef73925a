"""A page about the history of bench runs: a plot and a table for each ratio."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path
from string import ascii_uppercase
from typing import Any

from bench.history import Machine, Run
from warpsmith.validation.report import extra, plots

_COLOURS = (plots.ACCENT, plots.SECOND, plots.THIRD)
_STYLES = ("-", "--", ":", "-.")
_LABELS = 8
"""The largest number of commits under a plot."""

_STYLE = """
main { max-width: 1320px; margin: 0 auto; padding: 24px; }
.plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(380px, 1fr)); gap: 28px; margin-top: 20px; }
.plot h2 { font-size: 14px; }
td, th { padding: 1px 14px 1px 0; text-align: left; }
"""


def page(history: Sequence[Run]) -> str:
    """Return one file of HTML, which loads nothing.

    Args:
        history: the runs, oldest first.
    """
    names = dict.fromkeys(name for run in history for name in run.ratios)
    letters = machine_letters(history)
    style = Path(plots.__file__).with_name("page.css").read_text(encoding="utf-8")
    machines = "".join(f"<li><b>{letter}</b> {escape(str(machine))}</li>" for machine, letter in letters.items())
    sections = "".join(_section(number, name, history, letters) for number, name in enumerate(names))
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>Ratios of warpsmith</title>'
        f"<style>{style}{_STYLE}</style></head>\n<body><main><h1>Ratios by commit</h1>\n"
        "<p>Both sides of a ratio are measured in one run; larger is better. Bars show the spread. Runs on different machine "
        f'classes are not comparable:</p>\n<ul>{machines}</ul>\n<div class="plots">{sections}</div></main></body></html>\n'
    )


def machine_letters(history: Sequence[Run]) -> dict[Machine, str]:
    """Return a short name for each machine class, in the order of the runs: A to Z, A1 to Z1, and so on."""
    machines = dict.fromkeys(run.machine for run in history)
    count = len(ascii_uppercase)
    return {
        machine: ascii_uppercase[at % count] + (str(at // count) if at >= count else "") for at, machine in enumerate(machines)
    }


def _section(number: int, name: str, history: Sequence[Run], letters: dict[Machine, str]) -> str:
    unit = next(run.ratios[name].unit for run in reversed(history) if name in run.ratios)
    rows = "".join(_rows(name, history, letters))
    return (
        f'<section class="plot"><h2>{escape(name)}</h2><p class="note">{escape(unit)}</p>{plot(number, name, history)}'
        f"<details><summary>{rows.count('<tr>')} runs</summary><table><tr><th>commit</th><th>date</th><th>machine</th>"
        f"<th>ratio</th></tr>{rows}</table></details></section>\n"
    )


def _rows(name: str, history: Sequence[Run], letters: dict[Machine, str]) -> Iterator[str]:
    for run in reversed(history):
        if ratio := run.ratios.get(name):
            spread = "" if ratio.spread is None else f" ± {ratio.spread:.2f}"
            cells = (run.commit, run.date, letters[run.machine], f"{ratio.value:.2f}{spread}")
            yield "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in cells) + "</tr>"


def plot(number: int, name: str, history: Sequence[Run]) -> str:
    """Return a plot of one ratio: a point for each run that has the ratio, and a line for each machine class.

    Args:
        number: makes the ids of this plot unique; the points of a machine class have the id ``ratio-<number>-<letter>``.
        name: the name of the ratio.
        history: the runs, oldest first.
    """
    runs = [run for run in history if name in run.ratios]

    def draw(axes: Any) -> None:
        for index, (machine, letter) in enumerate(machine_letters(history).items()):
            points = [(at, run.ratios[name]) for at, run in enumerate(runs) if run.machine == machine]
            if points:
                _curve(axes, f"ratio-{number}-{letter}", letter, points, index)
        every = -(-len(runs) // _LABELS)
        axes.set_xticks(range(0, len(runs), every), [run.commit for run in runs[::every]], rotation=20)
        axes.set_ylim(bottom=0.0)
        ticker = extra.load("matplotlib.ticker")
        axes.yaxis.set_major_locator(ticker.MaxNLocator(5))
        axes.yaxis.set_major_formatter(ticker.StrMethodFormatter("{x:,g}"))
        axes.legend(frameon=False, labelcolor=plots.MUTED, loc="lower left", fontsize=9)

    return plots.inline_svg(f"ratio-{number}", draw)


def _curve(axes: Any, identity: str, letter: str, points: Sequence[tuple[int, Any]], index: int) -> None:
    places, ratios = zip(*points, strict=True)
    values = [ratio.value for ratio in ratios]
    colour, style = _COLOURS[index % len(_COLOURS)], _STYLES[index // len(_COLOURS) % len(_STYLES)]
    axes.errorbar(places, values, [ratio.spread or 0.0 for ratio in ratios], fmt="none", ecolor=colour, elinewidth=1)
    axes.plot(places, values, color=colour, linestyle=style, linewidth=1.4, label=letter)
    axes.plot(places, values, color=colour, linestyle="none", marker="o", markersize=4, gid=identity)
