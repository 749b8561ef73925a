"""Writes the report of a dataset."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from warpsmith.core.datasets.dataset_folder import Dataset
from warpsmith.core.files.atomic import write_atomic
from warpsmith.core.files.leftovers import remove_leftovers
from warpsmith.validation.report import page
from warpsmith.validation.report.dataset_scan import scan, scan_verdicts
from warpsmith.validation.report.figures import overview
from warpsmith.validation.report.page_choice import choose
from warpsmith.validation.report.page_pairs import page_pairs
from warpsmith.validation.statistics.stats_types import Statistics

PAIRS = 200
"""The default number of pairs on a page."""


@dataclass(frozen=True, slots=True)
class Report:
    """A written report: its path and size, the pairs of the dataset, and how many of them the page contains."""

    path: Path
    bytes: int
    pairs: int
    shown: int


def write_report(
    dataset: Dataset,
    statistics: Statistics | None,
    levels: Sequence[str],
    count: int = PAIRS,
    output: Path | None = None,
    *,
    unconfined: bool = False,
) -> Report:
    """Write the report of a dataset.

    Args:
        dataset: the dataset.
        statistics: the content of `stats.json`, or None if the dataset is not measured, which the page states.
        levels: the names of levels in the order in which they are shown; other levels with verdicts follow.
        count: the number of pairs on the page.
        output: the file, by default `report.html` in the folder of the dataset.
        unconfined: whether to work without the parts of the sandbox that this system lacks.

    Raises:
        WarpsmithError: if the extra is not installed, or the page cannot be written.
    """
    lines = scan(dataset)
    verdicts = scan_verdicts(dataset, levels)
    chosen = choose(lines.entries, verdicts.failing, count, verdicts.judged)
    pairs = list(page_pairs(chosen, verdicts.by_pair, unconfined))
    content = page.render(overview(dataset, lines, statistics, verdicts), pairs)
    path = output or dataset.folder / "report.html"
    remove_leftovers(path)
    write_atomic(path, content)
    return Report(path, len(content), lines.pairs, len(pairs))
