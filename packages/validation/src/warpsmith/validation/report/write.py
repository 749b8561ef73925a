"""Write the report of a dataset."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from warpsmith.core.datasets.folder import Dataset
from warpsmith.core.records.jsonl import write_atomic
from warpsmith.validation.report import page
from warpsmith.validation.report.figures import overview
from warpsmith.validation.report.pairs import shown_pairs
from warpsmith.validation.report.sample import choose
from warpsmith.validation.report.scan import judged, survey

PAIRS = 200
"""How many pairs a page holds if nobody says otherwise."""


@dataclass(frozen=True, slots=True)
class Report:
    """What was written: where, how large it is, how many pairs there are and how many of them it shows."""

    path: Path
    bytes: int
    pairs: int
    shown: int


def write_report(dataset: Dataset, statistics: dict[str, Any] | None, levels: Sequence[str], count: int = PAIRS) -> Report:
    """Write `report.html` beside a dataset.

    Args:
        dataset: what to show.
        statistics: what `stats.json` holds; None if that is not known, and the page says so.
        levels: names of checks in the order in which they are shown; others that have verdicts come behind.
        count: how many pairs the page holds.

    Raises:
        WarpsmithError: if the extra is not installed, or the page cannot be written.
    """
    found = survey(dataset)
    verdicts = judged(dataset, levels)
    chosen = choose(found.entries, verdicts.troubled, count)
    shown = list(shown_pairs(chosen, verdicts.of))
    content = page.render(overview(dataset, found, statistics, verdicts), shown)
    path = dataset.folder / "report.html"
    write_atomic(path, content)
    return Report(path, len(content), found.pairs, len(shown))
