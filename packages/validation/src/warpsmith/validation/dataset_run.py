"""`validate_dataset`: checks the pairs of a dataset by levels, in sandboxed workers, and writes the verdicts."""

from __future__ import annotations

import hashlib
import heapq
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from warpsmith.core.commands.terminal import progress
from warpsmith.core.datasets.folder import Dataset
from warpsmith.core.execution.executor import Executor, InProcess, Report, ignore
from warpsmith.core.records.jsonl import Line, read_lines
from warpsmith.core.records.verdict import Verdict
from warpsmith.validation.levels.registry import Level
from warpsmith.validation.sandbox.pool import WorkerPool, batches
from warpsmith.validation.sandbox.supervisor import WORKER

VerdictKey = tuple[str, str]
"""A pair's id and the name of a level."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a run.

    Attributes:
        pairs: the number of checked lines.
        statuses: the number of verdicts by level and status.
        failures: the verdicts with the status ``fail``, and one verdict for each repeated id.
    """

    pairs: int
    statuses: dict[str, Counter[str]]
    failures: tuple[Verdict, ...]


@dataclass(frozen=True, slots=True)
class Job:
    """The arguments of a run, see `validate_dataset`."""

    dataset: Dataset
    levels: tuple[Level, ...]
    sample: int | None
    again: bool
    module: str

    def shards(self, numbers: dict[Path, set[int]] | None) -> list[ShardJob]:
        """Return the work on each shard; ``numbers`` are the lines to check by shard, None for all."""
        return [
            ShardJob(
                replace(self.dataset, shards=(shard,), manifest=None),
                self.levels,
                None if numbers is None else frozenset(numbers[shard]),
                self.again,
                self.module,
            )
            for shard in self.dataset.shards
        ]


@dataclass(frozen=True, slots=True)
class ShardJob:
    """The work on one shard.

    Attributes:
        dataset: the dataset, with the shard as its only one.
        levels: the levels to check, in order.
        numbers: the numbers of the lines to check, None for all.
        again: whether pairs that have verdicts are checked, too.
        module: the module that the sandboxed workers run.
    """

    dataset: Dataset
    levels: tuple[Level, ...]
    numbers: frozenset[int] | None
    again: bool
    module: str

    @property
    def shard(self) -> Path:
        """The file to check."""
        return self.dataset.shards[0]


@dataclass(frozen=True, slots=True)
class ShardResult:
    """The result for one shard.

    Attributes:
        statuses: the number of verdicts by level and status.
        failures: the verdicts with the status ``fail``.
        positions: the id and ``"<file>:<line number>"`` of every checked line.
    """

    statuses: dict[str, Counter[str]]
    failures: list[Verdict]
    positions: list[tuple[str, str]]


def validate_dataset(
    dataset: Dataset,
    levels: Sequence[Level],
    *,
    sample: int | None = None,
    again: bool = False,
    module: str = WORKER,
    executor: Executor | None = None,
) -> Outcome:
    """Check a dataset by ``levels``, in order of cost, and write the verdicts next to its shards.

    Args:
        dataset: the dataset.
        levels: the levels.
        sample: the number of lines to check; the choice is always the same. None for all lines.
        again: whether pairs that have verdicts are checked, too.
        module: the module that the sandboxed workers run, see `Supervisor`.
        executor: runs the work: a remote executor, or `InProcess` with a number of sandboxed workers, by default one.
    """
    executor = executor or InProcess()
    statuses: dict[str, Counter[str]] = {level.name: Counter() for level in levels}
    failures: list[Verdict] = []
    seen: set[str] = set()
    total = 0
    with dataset.locked():
        check = _check_remotely if executor.remote else _check_locally
        for result in check(Job(dataset, tuple(levels), sample, again, module), executor):
            for name, counts in result.statuses.items():
                statuses[name].update(counts)
            failures += result.failures
            failures += _repeated_ids(result.positions, seen)
            total += len(result.positions)
    return Outcome(total, statuses, tuple(failures))


def _check_locally(job: Job, executor: Executor) -> Iterator[ShardResult]:
    """Check one shard after the other; the workers of one pool share its lines."""
    numbers = select_lines(job.dataset, job.sample)
    pool = WorkerPool(executor.workers or 1, job.levels, job.module)
    total = sum(map(len, numbers.values()))
    with pool, progress(f"validate {job.levels[-1].name}", total, "pairs") as advance:
        for _, result in executor.run(partial(check_shard, pool), job.shards(numbers), advance):
            yield result


def _check_remotely(job: Job, executor: Executor) -> Iterator[ShardResult]:
    """Check each shard with a separate worker, on any node; yield the results in the order of the shards."""
    folder = job.dataset.folder.absolute()  # nodes have other working directories
    dataset = replace(job.dataset, folder=folder, shards=tuple(folder / shard.name for shard in job.dataset.shards))
    job = replace(job, dataset=dataset)
    numbers = None if job.sample is None else select_lines(dataset, job.sample)  # reading all shards here would be slow
    results: dict[Path, ShardResult] = {}
    with progress(f"validate {job.levels[-1].name}", len(dataset.shards), "shards") as advance:
        for shard_job, result in executor.run(check_shard_alone, job.shards(numbers), ignore):
            results[shard_job.shard] = result
            advance()
    yield from (results[shard] for shard in dataset.shards)


def check_shard_alone(job: ShardJob, report: Report) -> ShardResult:
    """Check a shard with a worker that only this shard uses."""
    with WorkerPool(1, job.levels, job.module) as pool:
        return check_shard(pool, job, report)


def check_shard(pool: WorkerPool, job: ShardJob, report: Report) -> ShardResult:
    """Check a shard with the workers of ``pool`` and write its verdicts."""
    lines = [line for line in read_lines(job.shard) if job.numbers is None or line.number in job.numbers]
    known = {} if job.again else job.dataset.read_verdicts(job.shard)
    names = [level.name for level in job.levels]
    unchecked = _unchecked(lines, names, known)
    report(len(lines) - len(unchecked))
    checked: dict[int, list[Verdict]] = {}
    for batch, verdicts in pool.map(
        lambda supervisor, batch: supervisor.verdicts(batch), batches(unchecked, pool.share(unchecked))
    ):
        for position, line in enumerate(batch):
            checked[line.number] = verdicts[position * len(names) : (position + 1) * len(names)]
        report(len(batch))
    if checked:
        _write_verdicts(job, checked, known)
    all_verdicts = [
        verdict for line in lines for verdict in checked.get(line.number) or [known[line.identity, name] for name in names]
    ]
    statuses: dict[str, Counter[str]] = {
        name: Counter(verdict.status for verdict in all_verdicts if verdict.level == name) for name in names
    }
    failures = [verdict for verdict in all_verdicts if verdict.status == "fail"]
    return ShardResult(statuses, failures, [(line.identity, f"{line.path.name}:{line.number}") for line in lines])


def _unchecked(lines: Sequence[Line], names: Sequence[str], known: dict[VerdictKey, Verdict]) -> list[Line]:
    """Return the lines without verdicts; lines that share an id are always checked, because verdicts are known by id."""
    repeated = {identity for identity, count in Counter(line.identity for line in lines).items() if count > 1}
    return [line for line in lines if line.identity in repeated or not all((line.identity, name) in known for name in names)]


def _write_verdicts(job: ShardJob, checked: dict[int, list[Verdict]], known: dict[VerdictKey, Verdict]) -> None:
    """Write the verdicts of a shard: the new ones, and the known ones that they do not replace."""
    new = [verdict for verdicts in checked.values() for verdict in verdicts]
    replaced = {(verdict.id, verdict.level) for verdict in new}
    kept = [verdict for key, verdict in known.items() if key not in replaced]
    job.dataset.write_verdicts(job.shard, kept + new)


def _repeated_ids(positions: list[tuple[str, str]], seen: set[str]) -> Iterator[Verdict]:
    """Yield a failure for each line whose id is in ``seen``, and add the other ids to it."""
    for identity, position in positions:
        if identity in seen:
            yield Verdict(identity, "schema", "fail", f"this id occurs before {position}", 0.0)
        seen.add(identity)


def select_lines(dataset: Dataset, sample: int | None) -> dict[Path, set[int]]:
    """Return the numbers of the lines to check by shard: all lines, or those whose positions have the smallest digests."""
    positions = []
    for shard in dataset.shards:
        with shard.open("rb") as file:
            positions += [(shard, number) for number, raw in enumerate(file, start=1) if raw.strip()]
    if sample is not None and sample < len(positions):
        positions = heapq.nsmallest(sample, positions, key=lambda position: _digest(*position))
    selected: dict[Path, set[int]] = {shard: set() for shard in dataset.shards}
    for shard, number in positions:
        selected[shard].add(number)
    return selected


def _digest(shard: Path, number: int) -> bytes:
    return hashlib.sha256(f"{shard.name}:{number}".encode()).digest()
