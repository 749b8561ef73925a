"""Measures lines of a dataset or files of real code in sandboxed workers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Generic, TypeVar, cast

from warpsmith.core.datasets.dataset_folder import Dataset
from warpsmith.core.errors import SandboxError, WarpsmithError
from warpsmith.core.records.jsonl import Line, raw_lines
from warpsmith.core.terminal import progress
from warpsmith.validation.sandbox.pool import PAIRS_PER_BATCH, WorkerPool, batches
from warpsmith.validation.sandbox.supervisor import Supervisor
from warpsmith.validation.sandbox.worker_tasks import repeated
from warpsmith.validation.statistics import real_files, sections
from warpsmith.validation.statistics.real_files import CodeMeasurement
from warpsmith.validation.statistics.sections import Measurement

STATS_SECONDS = 60.0
"""The time limit for the statistics of a batch."""

FILES_OF_BATCH = 50
"""The most files of real code in a batch; a file can have a hundred kernels."""

M = TypeVar("M")


@dataclass(frozen=True)
class Task(Generic[M]):
    """A task of workers that measures.

    Attributes:
        name: its name in requests.
        unit: the plural name of what is measured.
        unread: returns the measurement of what a worker could not measure.
        merge: merges measurements in their order.
    """

    name: str
    unit: str
    unread: Callable[[Sequence[Line]], M]
    merge: Callable[[Iterable[M]], M]


LINES: Task[Measurement] = Task(
    "warpsmith.validation.statistics.sections:measure_lines", "lines", sections.unread, sections.merge
)
FILES: Task[CodeMeasurement] = Task(
    "warpsmith.validation.statistics.real_files:measure_files", "files", real_files.unread, real_files.merge
)


def measure_dataset(dataset: Dataset, workers: int, label: str, module: str) -> Measurement:
    """Return the measurement of all lines of a dataset."""
    lines = batches(dataset.lines(), PAIRS_PER_BATCH)
    return LINES.merge(_measurements(LINES, lines, _count_lines(dataset), workers, label, module))


def measure_code(paths: Sequence[Path], workers: int, label: str, module: str) -> CodeMeasurement:
    """Return the measurement of all Python files among and below ``paths``; nothing of them is imported."""
    listed, unread = real_files.python_files(paths), list[Path]()

    def readable() -> Iterator[Line]:
        for path in listed:
            if (line := real_files.read_file(path)) is None:
                unread.append(path)
            else:
                yield line

    measured = FILES.merge(_measurements(FILES, batches(readable(), FILES_OF_BATCH), len(listed), workers, label, module))
    return FILES.merge([measured, real_files.unread(unread)])


def _measurements(task: Task[M], lines: Iterable[list[Line]], total: int, workers: int, label: str, module: str) -> Iterator[M]:
    """Yield the measurements of all batches, in order."""
    with WorkerPool(workers, module=module) as pool, progress(label, total, task.unit) as advance:
        for batch, measurement in pool.map(partial(measure_batch, task), lines):
            yield measurement
            advance(len(batch))


def measure_batch(task: Task[M], worker: Supervisor, lines: list[Line]) -> M:
    """Measure lines in a worker; a line on which the worker dies or exceeds its time limit is counted as unread."""
    try:
        return cast(M, repeated(partial(worker.run_task, task.name, lines, STATS_SECONDS)))
    except SandboxError:
        raise
    except WarpsmithError:
        if len(lines) == 1:
            return task.unread(lines)
        middle = len(lines) // 2
        return task.merge(measure_batch(task, worker, half) for half in (lines[:middle], lines[middle:]))


def _count_lines(dataset: Dataset) -> int:
    return sum(1 for shard in dataset.shards for _ in raw_lines(shard))
