"""The table of the kernels of a project, for the terminal."""

from __future__ import annotations

from collections.abc import Sequence

from warpsmith.core import terminal
from warpsmith.validation.gate.kernel_result import KernelResult, in_order, summary_lines

COLUMNS = ("kernel", "file:line", "verdict", "what is wrong")

LISTED = ("fail", "not checked", "inconclusive")
"""The results that are listed one by one; the others are counted."""


def print_results(level: str, results: Sequence[KernelResult]) -> None:
    """Print the kernels that need attention, and the numbers of all results."""
    listed = [result for result in in_order(results) if result.result in LISTED]
    rows = [(result.kernel, result.place, result.result, result.what) for result in listed]
    if rows:
        terminal.print_table(f"kernels that did not pass {level}", COLUMNS, rows, left=len(COLUMNS))
    for line in summary_lines(results):
        terminal.out.print(line, soft_wrap=True)
