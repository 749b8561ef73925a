"""Draws curves and histograms as inline SVG in the colours of the page's theme."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from warpsmith.validation.report import extra
from warpsmith.validation.statistics.stats_types import SaturationStep

# Placeholder colours, replaced by the variables of the theme in the finished SVG.
_THEME = {"#010203": "var(--accent)", "#040506": "var(--muted)", "#070809": "var(--line)", "#0a0b0c": "var(--second)",
          "#0d0e0f": "var(--third)"}  # fmt: skip
ACCENT, MUTED, LINE, SECOND, THIRD = _THEME

_INCHES = (4.2, 2.2)
_BINS = 28
_NICE = (1, 2, 5, 10)
"""The first digits of ticks."""


def histogram(name: str, values: Sequence[int], unit: str) -> str:
    """Draw a histogram of one number per pair.

    Bytes have logarithmic bins. The bins of other numbers contain equally many integers, so that no bar is high only because
    its bin is wide. The last of these bars contains the largest hundredth, too.

    Args:
        name: makes the ids of this picture unique.
        values: the numbers.
        unit: the label of the axis; ``"bytes"`` are shown as KB.
    """

    def draw(axes: Any) -> None:
        if unit == "bytes":
            least, largest = max(min(values), 1), max(*values, 2)
            axes.hist(np.maximum(values, 1), bins=np.geomspace(least, max(largest, least + 1), _BINS), color=ACCENT)
            axes.set_xscale("log")
            _ticks(axes, least, largest, unit)
        else:
            edges = integer_edges(values)
            axes.hist(np.minimum(values, edges[-1] - 0.5), bins=edges, color=ACCENT)
            longer = int(np.count_nonzero(np.asarray(values) > edges[-1]))
            axes.set_xlabel(f"{unit}; the last bar contains {longer:,} longer pairs" if longer else unit)
            axes.xaxis.set_major_locator(_locator(6))
        axes.set_ylabel("pairs")

    return inline_svg(f"histogram-{name}", draw)


def integer_edges(values: Sequence[int]) -> Any:
    """Return the edges of bins between integers, of equal width, up to the largest value or the 99th percentile.

    Examples:
        >>> integer_edges([3, 4, 4, 6]).tolist()
        [2.5, 3.5, 4.5, 5.5, 6.5]
    """
    least, largest = min(values), int(np.quantile(values, 0.99, method="higher"))
    width = -(-(largest - least + 1) // _BINS)
    return least - 0.5 + width * np.arange(-(-(largest - least + 1) // width) + 1)


def _locator(intervals: int) -> Any:
    """Return the places of at most so many ticks plus one, at integers."""
    return extra.load("matplotlib.ticker").MaxNLocator(intervals, steps=_NICE, integer=True)


def _ticks(axes: Any, least: float, largest: float, unit: str) -> None:
    steps = [step * 10**power for power in range(9) for step in _NICE[:3] if least <= step * 10**power <= largest]
    if len(steps) < 2:  # a range within one step, such as 12 to 18 KB
        steps = [int(step) for step in _locator(4).tick_values(least, largest) if least <= step <= largest]
    every = -(-len(steps) // 6) or 1
    labels = [f"{step / 1000:g} KB" if unit == "bytes" else f"{step:,}" for step in steps[::every]]
    axes.set_xticks(steps[::every], labels)
    axes.minorticks_off()
    if unit != "bytes":
        axes.set_xlabel(unit)


def saturation(steps: Sequence[SaturationStep]) -> str:
    """Draw the number of distinct builtins in the first pairs: alone, with scalar types, and with argument types."""
    curves = (
        ([step["types"] for step in steps], "with argument types", THIRD, ":"),
        ([step["scalars"] for step in steps], "with scalar types", SECOND, "--"),
        ([step["builtins"] for step in steps], "builtins", ACCENT, "-"),
    )

    def draw(axes: Any) -> None:
        pairs = [step["pairs"] for step in steps]
        for counts, label, colour, style in curves:
            axes.plot(pairs, counts, label=label, color=colour, linestyle=style, linewidth=1.8)
        axes.set_xscale("log")
        _ticks(axes, pairs[0], pairs[-1], "pairs")
        axes.set_ylim(bottom=0)
        axes.legend(frameon=False, labelcolor=MUTED, loc="upper left", fontsize=9)

    return inline_svg("saturation", draw)


def inline_svg(name: str, draw: Callable[[Any], None]) -> str:
    """Return a plot as an element of a page.

    Args:
        name: makes the ids of this picture unique.
        draw: draws into the axes, with the colours of this module, which the theme of the page replaces.
    """
    mpl, figure_class = extra.load("matplotlib"), extra.load("matplotlib.figure").Figure
    settings = {"svg.hashsalt": name, "svg.fonttype": "none", "font.size": 9, "text.color": MUTED, "axes.labelcolor": MUTED,
                "xtick.color": MUTED, "ytick.color": MUTED, "axes.edgecolor": LINE}  # fmt: skip
    with mpl.rc_context(settings):
        figure = figure_class(figsize=_INCHES, layout="constrained")
        axes = figure.add_subplot()
        axes.spines[["top", "right", "left"]].set_visible(False)
        axes.grid(axis="y", color=LINE, linewidth=0.8)
        axes.set_axisbelow(True)
        axes.tick_params(length=0)
        axes.yaxis.set_major_locator(_locator(4))
        axes.yaxis.set_major_formatter(mpl.ticker.StrMethodFormatter("{x:,.0f}"))
        draw(axes)
        text = io.StringIO()
        figure.savefig(text, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    return _themed(text.getvalue())


def _themed(document: str) -> str:
    """Make an SVG file fit for the page: without prologue, size and ids of groups, and with the colours of the theme."""
    element = document[document.index("<svg ") :]
    element = re.sub(r'(<svg [^>]*?) height="[^"]*"', r"\1", element, count=1)
    element = re.sub(r'(<svg [^>]*?) width="[^"]*"', r"\1", element, count=1)
    element = re.sub(r"<metadata>.*?</metadata>", "", element, flags=re.DOTALL)
    element = re.sub(r"<defs>\s*<style.*?</style>\s*</defs>", "", element, count=1, flags=re.DOTALL)
    element = re.sub(r' id="\w+_\d+"', "", element)
    element = re.sub(r" font-family: [^;]*;", "", element)
    element = re.sub(r"<!--.*?-->", "", element, flags=re.DOTALL)
    for colour, variable in _THEME.items():
        element = element.replace(colour, variable)
    return element
