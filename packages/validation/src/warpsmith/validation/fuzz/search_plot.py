"""The plot of a search over time: kernels and distinct forms, clusters and the bugs of the ledger that they are."""

from __future__ import annotations

import io

from warpsmith.core.errors import WarpsmithError
from warpsmith.validation.fuzz.fuzz_state import FuzzState
from warpsmith.validation.report import extra

PLOT = "over_time.svg"
"""The file of the plot in the folder of a search."""

PANELS = (("kernels", "distinct forms"), ("clusters", "bugs of the ledger"))
"""The curves that share an axis."""


def curves_of(state: FuzzState) -> dict[str, list[float]]:
    """Return the curves of a search by label, a count for each batch, and beside them its end in ``minutes``.

    A bug counts from the first of its clusters on.
    """
    first: dict[str, float] = {}
    for cluster in state.clusters:
        if cluster.bug:
            first[cluster.bug] = min(cluster.seconds, first.get(cluster.bug, cluster.seconds))
    return {
        "minutes": [seconds / 60.0 for seconds, *_ in state.timeline],
        "kernels": [kernels for _, kernels, _, _ in state.timeline],
        "distinct forms": [forms for _, _, forms, _ in state.timeline],
        "clusters": [clusters for *_, clusters in state.timeline],
        "bugs of the ledger": [sum(found <= seconds for found in first.values()) for seconds, *_ in state.timeline],
    }


def search_plot(state: FuzzState) -> bytes | None:
    """Return the plot as a file of SVG, or None without the library of the extra ``report``."""
    try:
        figure_class = extra.load("matplotlib.figure").Figure
        settings = extra.load("matplotlib").rc_context({"svg.hashsalt": PLOT, "svg.fonttype": "none", "font.size": 9})
    except WarpsmithError:
        return None
    curves = curves_of(state)
    with settings:
        figure = figure_class(figsize=(9.0, 3.2), layout="constrained")
        for axes, labels in zip(figure.subplots(1, len(PANELS)), PANELS, strict=True):
            for label, style in zip(labels, ("-", "--"), strict=True):
                axes.plot(curves["minutes"], curves[label], style, label=label, linewidth=1.8)
            axes.set_xlabel("minutes")
            axes.set_ylim(bottom=0)
            axes.legend(frameon=False)
            axes.spines[["top", "right"]].set_visible(False)
        file = io.BytesIO()
        figure.savefig(file, format="svg", metadata={"Date": None, "Creator": None})
    return file.getvalue()
