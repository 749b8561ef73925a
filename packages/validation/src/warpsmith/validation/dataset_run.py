"""`validate_dataset`: checks the pairs of a dataset by levels, in sandboxed workers, and writes the verdicts."""

from __future__ import annotations

import hashlib
import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path

from warpsmith.core.datasets.dataset_folder import Dataset
from warpsmith.core.datasets.line_index import ShardIndex, index_dataset
from warpsmith.core.datasets.verdict_files import Judge
from warpsmith.core.execution.executor import Executor, InProcess, Report, ignore
from warpsmith.core.terminal import progress
from warpsmith.validation.levels.registry import Level, judge_version
from warpsmith.validation.outcome import Outcome
from warpsmith.validation.sandbox.pool import WorkerPool
from warpsmith.validation.sandbox.supervisor import WORKER
from warpsmith.validation.shard_run import ShardJob, check_shards


@dataclass(frozen=True, slots=True)
class Job:
    """The arguments of a run, see `validate_dataset`."""

    dataset: Dataset
    levels: tuple[Level, ...]
    judges: dict[str, Judge]
    sample: int | None
    again: bool
    module: str

    def shards(self, indexes: Sequence[ShardIndex]) -> list[ShardJob]:
        """Return the work on each shard."""
        sample = None if self.sample is None else select_lines(indexes, self.sample)
        return [
            ShardJob(
                replace(self.dataset, shards=(index.shard,), manifest=None),
                index,
                self.levels,
                self.judges,
                None if sample is None else frozenset(sample[index.shard]),
                self.again,
                self.module,
            )
            for index in indexes
        ]


def validate_dataset(
    dataset: Dataset,
    levels: Sequence[Level],
    *,
    sample: int | None = None,
    again: bool = False,
    module: str = WORKER,
    executor: Executor | None = None,
    device: str = "",
) -> Outcome:
    """Check a dataset by ``levels``, in order of cost, and write the verdicts next to its shards.

    Lines whose id another line has fail the first level.

    Args:
        dataset: the dataset.
        levels: the levels.
        sample: the number of lines to check; the choice is always the same. None for all lines.
        again: whether pairs that have verdicts are checked, too.
        module: the module that the sandboxed workers run, see `Supervisor`.
        executor: runs the work: a remote executor, or `InProcess` with a number of sandboxed workers, by default one.
        device: the device that levels of other distributions use; verdicts on another device are not reused.

    Raises:
        TargetError: if a shard or a file of verdicts cannot be read or written, or another run is active.
    """
    executor = executor or InProcess()
    total = Outcome.of_levels(levels)
    with dataset.locked(), executor.session():
        check = _check_remotely if executor.remote else _check_locally
        judges = {level.name: judge(level, device) for level in levels}
        for result in check(Job(dataset, tuple(levels), judges, sample, again, module), executor):
            total.add(result)
    return total


def judge(level: Level, device: str = "") -> Judge:
    """Return the software that makes the verdicts of a level; levels of other distributions use a device."""
    text = judge_version(level)
    return Judge(f"{text} on {device}" if device and level.check else text, version("warp-lang"))


def _check_locally(job: Job, executor: Executor) -> Iterator[Outcome]:
    """Check the shards in order; the workers of one pool share their lines."""
    jobs = job.shards(index_dataset(job.dataset.shards))
    pool = WorkerPool(executor.workers or 1, job.levels, job.module)
    total = sum(len(shard_job.numbers) for shard_job in jobs)
    with pool, progress(f"validate {job.levels[-1].name}", total, "pairs") as advance:
        yield from check_shards(pool, jobs, advance)


def _check_remotely(job: Job, executor: Executor) -> Iterator[Outcome]:
    """Check each shard with a separate worker, on any node; yield the results in the order of the shards."""
    folder = job.dataset.folder.absolute()  # nodes have other working directories
    dataset = replace(job.dataset, folder=folder, shards=tuple(folder / shard.name for shard in job.dataset.shards))
    jobs = replace(job, dataset=dataset).shards(index_dataset(dataset.shards, executor))
    results: dict[Path, Outcome] = {}
    with progress(f"validate {job.levels[-1].name}", len(dataset.shards), "shards") as advance:
        for shard_job, result in executor.run(check_shard_alone, jobs, ignore):
            results[shard_job.shard] = result
            advance()
    yield from (results[shard] for shard in dataset.shards)


def check_shard_alone(job: ShardJob, report: Report) -> Outcome:
    """Check a shard with a worker that only this shard uses."""
    with WorkerPool(1, job.levels, job.module) as pool:
        (outcome,) = check_shards(pool, [job], report)
        return outcome


def select_lines(indexes: Sequence[ShardIndex], sample: int) -> dict[Path, set[int]]:
    """Return the numbers of the lines to check by shard: those whose positions have the smallest digests."""
    positions = ((index.shard, number) for index in indexes for number in index.numbers)
    selected: dict[Path, set[int]] = {index.shard: set() for index in indexes}
    for shard, number in heapq.nsmallest(sample, positions, key=lambda position: _digest(*position)):
        selected[shard].add(number)
    return selected


def _digest(shard: Path, number: int) -> bytes:
    return hashlib.sha256(f"{shard.name}:{number}".encode()).digest()
