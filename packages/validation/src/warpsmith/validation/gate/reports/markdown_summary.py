"""The results of a run as Markdown, for the page of a run of GitHub Actions."""

from __future__ import annotations

from warpsmith.validation.gate.decision import Decision
from warpsmith.validation.gate.kernel_result import SETTLED, in_order, summary_lines
from warpsmith.validation.gate.reports.places import Places

MAX_ROWS = 200
"""The most rows of the table: GitHub shows no page of more than 1 MiB."""


def markdown_summary(decision: Decision, places: Places, update_option: str, problem: str = "") -> str:
    """Return the table of kernels that need attention, and the numbers of all results.

    Args:
        decision: what the results mean.
        places: where the files are.
        update_option: the option that updates the baseline.
        problem: why the check could not be made, if so.
    """
    listed = [result for result in in_order(decision.results) if result.label not in SETTLED]
    lines = ["## Gradients of Warp kernels", ""]
    if problem:
        lines += [f"**{_cell(problem)}**", ""]
    if listed:
        lines += ["| | kernel | file:line | result | what |", "|---|---|---|---|---|"]
    for result in listed[:MAX_ROWS]:
        sign = "❌" if decision.is_failure(result) else ""
        cells = (sign, f"`{result.kernel}`", places.link(result), result.label, _cell(result.what))
        lines.append(f"| {' | '.join(cells)} |")
    if len(listed) > MAX_ROWS:
        lines.append(f"| | … and {len(listed) - MAX_ROWS} more | | | |")
    lines += [""] * bool(listed)
    lines += [f"- {_cell(line)}" for line in (*summary_lines(decision.results), *decision.baseline_lines(update_option))]
    if decision.shortcomings and (decision.strict or decision.nothing_checked):
        lines.append(f"- {'strict' if decision.strict else 'warning'}: {', '.join(decision.shortcomings)}")
    return "\n".join(lines) + "\n"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;").replace("\n", " ")
