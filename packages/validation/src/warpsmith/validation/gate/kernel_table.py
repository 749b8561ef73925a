"""The table of the kernels of a project, for the terminal."""

from __future__ import annotations

from warpsmith.core import terminal
from warpsmith.validation.gate.decision import Decision
from warpsmith.validation.gate.gate_run import UPDATE
from warpsmith.validation.gate.kernel_result import PROGRAM, SETTLED, in_order, summary_lines

COLUMNS = ("kernel", "file:line", "verdict", "what is wrong")


def print_results(level: str, decision: Decision) -> None:
    """Print the kernels that need attention, and the numbers of all results."""
    listed = [result for result in in_order(decision.results) if result.label not in SETTLED]
    rows = [(result.kernel, result.place, result.label, result.what) for result in listed]
    if rows:
        what = "backward passes" if level == PROGRAM else "kernels"
        terminal.print_table(f"{what} that did not pass {level}", COLUMNS, rows, left=len(COLUMNS))
    for line in (*decision.baseline_lines(UPDATE), *summary_lines(decision.results)):
        terminal.out.print(line, soft_wrap=True)
