"""Measures a dataset in sandboxed workers, writes `stats.json`, and reads it again while it is current."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import orjson

from warpsmith.core.commands.terminal import err, progress
from warpsmith.core.datasets.folder import Dataset
from warpsmith.core.datasets.manifest import file_digest
from warpsmith.core.errors import SandboxError, WarpsmithError
from warpsmith.core.records.jsonl import Line, raw_lines, write_atomic
from warpsmith.core.records.leftovers import remove_leftovers
from warpsmith.validation.sandbox.pool import BATCH, WorkerPool, batches
from warpsmith.validation.sandbox.protocol import STATS
from warpsmith.validation.sandbox.supervisor import WORKERS, Supervisor
from warpsmith.validation.statistics.comparison import harvest_target, shares
from warpsmith.validation.statistics.reading import read_statistics
from warpsmith.validation.statistics.sections import Measurement, merge, summarize, unread
from warpsmith.validation.statistics.summary import Statistics

STATS_SECONDS = 60.0
"""The time limit for the statistics of a batch."""


def measure(
    dataset: Dataset, workers: int, other: tuple[str, Dataset] | None = None, *, unconfined: bool = False
) -> Statistics:
    """Measure a dataset, write `stats.json` to its folder, and return its content.

    Args:
        dataset: the dataset.
        workers: the number of worker processes; the figures do not depend on it.
        other: a name and a dataset to compare with.
        unconfined: whether to work without the parts of the sandbox that this system lacks.
    """
    digests = _digests(dataset)
    statistics = summarize(merge(_measurements(dataset, workers, "statistics", WORKERS[unconfined])))
    if other is not None:
        name, kernels = other
        compared = summarize(merge(_measurements(kernels, workers, f"statistics of {name}", WORKERS[unconfined])))
        statistics["beside"] = {"target": name, "shares": shares(statistics, compared), "statistics": compared}
    statistics["shards"] = digests
    path = dataset.folder / "stats.json"
    remove_leftovers(path)
    write_atomic(path, orjson.dumps(statistics, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE))
    return statistics


def measure_and_compare(dataset: Dataset, workers: int, target: str, *, unconfined: bool = False) -> Statistics:
    """Measure a dataset and compare it with a target: another dataset, or a module, package or file with kernels.

    Raises:
        TargetError: if the target cannot be read or imported.
    """
    path = Path(target)
    if path.is_dir() or path.suffix == ".jsonl":
        return measure(dataset, workers, (target, Dataset.open(path)), unconfined=unconfined)
    with tempfile.TemporaryDirectory(prefix="warpsmith-") as folder:
        kernels = Dataset.open(harvest_target(target, Path(folder)))
        return measure(dataset, workers, (target, kernels), unconfined=unconfined)


def known_statistics(dataset: Dataset) -> Statistics | None:
    """Return the content of `stats.json`, or None if it is missing or cannot be used, which is printed.

    It cannot be used if it is not a file of this version of warpsmith, or was measured on other content of the shards.
    """
    path = dataset.folder / "stats.json"
    if not (path.exists() or path.is_symlink()):
        return None
    statistics = read_statistics(path)
    if statistics is None:
        err.print(f"{path} is not a file of these statistics: measuring again", soft_wrap=True)
    elif statistics["shards"] != _digests(dataset):
        err.print(f"{path} was measured on other content of the shards: measuring again", soft_wrap=True)
    else:
        return statistics
    return None


def _digests(dataset: Dataset) -> dict[str, str]:
    return {shard.name: file_digest(shard) for shard in dataset.shards}


def _measurements(dataset: Dataset, workers: int, label: str, module: str) -> Iterator[Measurement]:
    """Yield the measurements of all batches, in order."""
    total = _count_lines(dataset)
    with WorkerPool(workers, module=module) as pool, progress(label, total, "lines") as advance:
        for lines, measurement in pool.map(measure_batch, batches(dataset.lines(), BATCH)):
            yield measurement
            advance(len(lines))


def measure_batch(worker: Supervisor, lines: list[Line]) -> Measurement:
    """Measure lines in a worker; a line on which the worker dies or exceeds its time limit is counted as unread."""
    try:
        return cast(Measurement, worker.run_task(STATS, lines, STATS_SECONDS))
    except SandboxError:
        raise
    except WarpsmithError:
        if len(lines) == 1:
            return unread(lines)
        middle = len(lines) // 2
        return merge(measure_batch(worker, half) for half in (lines[:middle], lines[middle:]))


def _count_lines(dataset: Dataset) -> int:
    return sum(1 for shard in dataset.shards for _ in raw_lines(shard))
