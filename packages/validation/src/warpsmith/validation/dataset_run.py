"""Runs levels and statistics over a dataset, several children side by side, and writes what they find."""

from __future__ import annotations

import hashlib
import heapq
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from warpsmith.core.commands.terminal import progress
from warpsmith.core.datasets.folder import Dataset
from warpsmith.core.records.jsonl import Line, read_lines
from warpsmith.core.records.verdict import Verdict
from warpsmith.validation.levels.registry import Level
from warpsmith.validation.sandbox.pool import WORKER, WorkerPool, batches


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run found: how many verdicts of each level and status, and the first failures."""

    pairs: int
    statuses: dict[str, Counter[str]]
    failures: tuple[Verdict, ...]


@dataclass(frozen=True, slots=True)
class Job:
    """The work of a run; ``chosen`` contains the line numbers to check by shard, or None for all."""

    dataset: Dataset
    levels: Sequence[Level]
    chosen: dict[Path, set[int]] | None
    again: bool
    module: str


@dataclass(frozen=True, slots=True)
class Found:
    """What judging a shard found: verdicts counted by level and status, the failures, and the ids and places of its lines."""

    statuses: dict[str, Counter[str]]
    failures: list[Verdict]
    places: list[tuple[str, str]]


Executor = Callable[[Dataset, Sequence[Level], int | None, int, bool, str], Iterator[Found]]
"""Checks shards and yields the result of each in order; the arguments are those of `validate_dataset`."""


def on_this_machine(
    dataset: Dataset, levels: Sequence[Level], sample: int | None, workers: int, again: bool, module: str
) -> Iterator[Found]:
    """Judge one shard after the other, several children at a time."""
    job = Job(dataset, levels, chosen_lines(dataset, sample), again, module)
    total = sum(map(len, (job.chosen or {}).values()))
    label = f"validate {levels[-1].name}"
    with WorkerPool(workers, levels, module) as children, progress(label, total, "pairs") as advance:
        for shard in dataset.shards:
            yield judge_shard(job, shard, children, advance)


def validate_dataset(
    dataset: Dataset,
    levels: Sequence[Level],
    sample: int | None,
    workers: int,
    again: bool,
    module: str = WORKER,
    executor: Executor = on_this_machine,
) -> Outcome:
    """Judge a dataset by ``levels``, cheapest first, and write the verdicts beside its shards.

    Args:
        dataset: what to judge.
        levels: the checks.
        sample: how many pairs, chosen by their ids, the same ones every time; None for all.
        workers: how many children.
        again: judge those too that have verdicts.
        module: what the children run, see `Supervisor`.
        executor: where the shards are judged.
    """
    statuses: dict[str, Counter[str]] = {level.name: Counter() for level in levels}
    failures: list[Verdict] = []
    seen: set[str] = set()
    total = 0
    with dataset.held():
        for found in executor(dataset, levels, sample, workers, again, module):
            for name, counts in found.statuses.items():
                statuses[name].update(counts)
            failures += found.failures
            failures += _repeated(found.places, seen)
            total += len(found.places)
    return Outcome(total, statuses, tuple(failures))


def judge_shard(job: Job, shard: Path, children: WorkerPool, advance: Callable[[int], None]) -> Found:
    """Judge a shard and write its verdicts, see `validate_dataset`."""
    lines = [line for line in read_lines(shard) if job.chosen is None or line.number in job.chosen[shard]]
    known = {} if job.again else job.dataset.read_verdicts(shard)
    names = [level.name for level in job.levels]
    verdicts = _judge_shard(job.dataset, shard, lines, names, known, children, advance)
    statuses: dict[str, Counter[str]] = {
        name: Counter(verdict.status for verdict in verdicts if verdict.level == name) for name in names
    }
    failures = [verdict for verdict in verdicts if verdict.status == "fail"]
    return Found(statuses, failures, [(line.identity, f"{line.path.name}:{line.number}") for line in lines])


def _repeated(places: list[tuple[str, str]], seen: set[str]) -> Iterator[Verdict]:
    """Yield a failure for every line whose id was ``seen``, and remember the others."""
    for identity, place in places:
        if identity in seen:
            yield Verdict(identity, "schema", "fail", f"this id occurs before {place}", 0.0)
        seen.add(identity)


def _judge_shard(
    dataset: Dataset,
    shard: Path,
    lines: list[Line],
    names: list[str],
    known: dict[tuple[str, str], Verdict],
    children: WorkerPool,
    advance: Callable[[int], None],
) -> list[Verdict]:
    """Judge those of a shard's lines that have no verdicts, write all, and return those of ``lines``."""
    repeated = {identity for identity, count in Counter(line.identity for line in lines).items() if count > 1}
    todo = [line for line in lines if line.identity in repeated or not all((line.identity, name) in known for name in names)]
    advance(len(lines) - len(todo))
    fresh: dict[int, list[Verdict]] = {}
    for batch, verdicts in children.map(lambda child, batch: child.verdicts(batch), batches(todo, children.share(todo))):
        for position, line in enumerate(batch):
            fresh[line.number] = verdicts[position * len(names) : (position + 1) * len(names)]
        advance(len(batch))
    if fresh:
        judged = {(verdict.id, verdict.level) for verdicts in fresh.values() for verdict in verdicts}
        kept = [verdict for key, verdict in known.items() if key not in judged]
        dataset.write_verdicts(shard, kept + [verdict for verdicts in fresh.values() for verdict in verdicts])
    return [verdict for line in lines for verdict in fresh.get(line.number) or [known[line.identity, name] for name in names]]


def chosen_lines(dataset: Dataset, sample: int | None) -> dict[Path, set[int]]:
    """The numbers of the lines to judge, by shard: all, or those with the smallest digests."""
    places = []
    for shard in dataset.shards:
        with shard.open("rb") as file:
            places += [(shard, number) for number, raw in enumerate(file, start=1) if raw.strip()]
    if sample is not None and sample < len(places):
        places = heapq.nsmallest(
            sample, places, key=lambda place: hashlib.sha256(f"{place[0].name}:{place[1]}".encode()).digest()
        )
    chosen: dict[Path, set[int]] = {shard: set() for shard in dataset.shards}
    for shard, number in places:
        chosen[shard].add(number)
    return chosen
