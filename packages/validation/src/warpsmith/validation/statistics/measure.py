"""Measures a dataset in sandboxed workers and writes `stats.json`."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson

from warpsmith.core.commands.terminal import progress
from warpsmith.core.datasets.folder import Dataset
from warpsmith.core.errors import WarpsmithError
from warpsmith.core.records.jsonl import Line, write_atomic
from warpsmith.validation.sandbox.pool import BATCH, WorkerPool, batches
from warpsmith.validation.sandbox.supervisor import Supervisor
from warpsmith.validation.statistics import merge, summarize, unread
from warpsmith.validation.statistics.comparison import harvested, shares

STATS_SECONDS = 60.0
"""The time limit for the statistics of a batch."""


def measure(dataset: Dataset, workers: int, beside: tuple[str, Dataset] | None = None) -> dict[str, Any]:
    """Return the statistics of a dataset and write them to `stats.json` beside it.

    Args:
        dataset: what to measure.
        workers: how many children; the figures do not depend on it.
        beside: other kernels that the dataset is held against, with a name for them.
    """
    statistics = summarize(merge(_measured(dataset, workers, "statistics")))
    if beside is not None:
        name, others = beside
        theirs = summarize(merge(_measured(others, workers, f"statistics of {name}")))
        statistics["beside"] = {"target": name, "shares": shares(statistics, theirs), "statistics": theirs}
    write_atomic(
        dataset.folder / "stats.json", orjson.dumps(statistics, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
    )
    return statistics


def measure_and_compare(dataset: Dataset, workers: int, target: str) -> dict[str, Any]:
    """Measure a dataset and compare it with a target: another dataset, or a module, package or file with kernels.

    Raises:
        TargetError: if the target cannot be read or imported.
    """
    path = Path(target)
    if path.is_dir() or path.suffix == ".jsonl":
        return measure(dataset, workers, (target, Dataset.open(path)))
    with tempfile.TemporaryDirectory(prefix="warpsmith-") as folder:
        return measure(dataset, workers, (target, Dataset.open(harvested(target, Path(folder)))))


def known_statistics(dataset: Dataset) -> dict[str, Any] | None:
    """Return what `stats.json` beside a dataset holds; None if it is older than a shard, damaged, or of other files."""
    path = dataset.folder / "stats.json"
    if not path.exists() or path.stat().st_mtime < max(shard.stat().st_mtime for shard in dataset.shards):
        return None
    try:
        found: dict[str, Any] = orjson.loads(path.read_bytes())
    except orjson.JSONDecodeError:
        return None
    size = sum(shard.stat().st_size for shard in dataset.shards)
    return found if isinstance(found, dict) and found.get("bytes") == size else None


def _measured(dataset: Dataset, workers: int, label: str) -> Iterator[dict[str, Any]]:
    """Yield looks at all lines, in order."""
    total = _count_lines(dataset)
    with WorkerPool(workers) as children, progress(label, total, "lines") as advance:
        for lines, measured in children.map(measure_lines, batches(dataset.lines(), BATCH)):
            yield measured
            advance(len(lines))


def measure_lines(child: Supervisor, lines: list[Line]) -> dict[str, Any]:
    """The look at some lines; a line that a child dies of, or sits over for too long, is counted as unread."""
    try:
        return child.ask("stats", lines, STATS_SECONDS)
    except WarpsmithError:
        if len(lines) == 1:
            return unread(lines)
        middle = len(lines) // 2
        return merge(measure_lines(child, half) for half in (lines[:middle], lines[middle:]))


def _count_lines(dataset: Dataset) -> int:
    total = 0
    for shard in dataset.shards:
        with shard.open("rb") as file:
            total += sum(1 for raw in file if raw.strip())
    return total
