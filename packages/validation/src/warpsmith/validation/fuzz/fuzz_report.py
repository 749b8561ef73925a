"""The report of a search in Markdown: figures, new clusters with their kernels, and what the ledger knew."""

from __future__ import annotations

from warpsmith.validation.fuzz.fault_clusters import Cluster
from warpsmith.validation.fuzz.fuzz_state import FuzzState
from warpsmith.validation.fuzz.grammar.cases import case_of
from warpsmith.validation.fuzz.grammar.forms import parse_form

POINTS = 12
"""The number of rows of the table over time."""


def report(state: FuzzState, plot: str = "") -> str:
    """Return the report, with the file of a plot over time if there is one."""
    new = [cluster for cluster in state.clusters if not cluster.bug]
    known = [cluster for cluster in state.clusters if cluster.bug]
    parts = [
        f"# Forms of Warp {state.warp}, seed {state.seed}",
        _figures(state, len(new), len(known)),
        "## Over time\n\n" + (f"![Over time]({plot})\n\n" if plot else "") + _timeline(state),
        f"## New clusters\n\n{len(new)} clusters that the ledger does not have."
        + "".join(f"\n\n{_shown(cluster)}" for cluster in new),
        "## Known clusters\n\n" + _known(known),
    ]
    return "\n\n".join(parts) + "\n"


def _figures(state: FuzzState, new: int, known: int) -> str:
    rows = [
        ("kernels", f"{state.kernels:,}"),
        ("kernels a second", f"{state.kernels / max(state.seconds, 1.0):.1f}"),
        ("accepted by Warp", f"{100.0 * state.accepted:.1f}%"),
        ("distinct forms", f"{len(state.forms):,}"),
        ("metamorphic pairs", f"{state.pairs:,}"),
        ("elements of gradients compared with differences", f"{state.compared:,}"),
        ("clusters", f"{new} new, {known} known"),
        ("bugs of the ledger that were found", f"{len({cluster.bug for cluster in state.clusters if cluster.bug})}"),
    ]
    return "\n".join(["| figure | value |", "|---|---|", *(f"| {name} | {value} |" for name, value in rows)])


def _timeline(state: FuzzState) -> str:
    step = max(len(state.timeline) // POINTS, 1)
    points = state.timeline[step - 1 :: step]
    rows = [f"| {seconds / 60.0:.1f} | {kernels:,} | {forms:,} | {clusters} |" for seconds, kernels, forms, clusters in points]
    return "\n".join(["| minutes | kernels | distinct forms | clusters |", "|---|---|---|---|", *rows])


def _shown(cluster: Cluster) -> str:
    source = cluster.source or case_of(parse_form(cluster.form)).source
    pair = f" and `{cluster.other}`, which means the same" if cluster.other else ""
    return (
        f"### {cluster.kind}: {cluster.form} {cluster.difference}\n\nFound {cluster.count} times, first after "
        f"{cluster.seconds / 60.0:.1f} minutes, as `{cluster.form}`{pair}. {cluster.detail}\n\n"
        f"```python\n{source.strip()}\n```\n\n"
        f"`clusters/{cluster.name}.py` shows it with Warp and NumPy alone."
    )


def _known(clusters: list[Cluster]) -> str:
    rows = [
        f"| {found.bug} | {found.kind} | {found.form} {found.difference} | {found.count} | {found.seconds / 60.0:.1f} |"
        for found in sorted(clusters, key=lambda cluster: cluster.bug)
    ]
    return "\n".join(["| bug | kind | form | times | minutes |", "|---|---|---|---|---|", *rows])
