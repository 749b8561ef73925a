"""Runs levels and statistics over a dataset, several children side by side, and writes what they find."""

from __future__ import annotations

import hashlib
import heapq
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from typing import Any, TypeVar

import orjson

from warpsmith.core.commands.terminal import progress
from warpsmith.core.datasets.folder import Dataset
from warpsmith.core.errors import WarpsmithError
from warpsmith.core.records.jsonl import Line, read_lines, write_atomic
from warpsmith.core.records.verdict import Verdict
from warpsmith.validation.levels.registry import Level
from warpsmith.validation.sandbox.headers import Headers
from warpsmith.validation.sandbox.supervisor import Supervisor
from warpsmith.validation.statistics import merge, summarize, unread
from warpsmith.validation.statistics.comparison import shares

BATCH = 500
"""The most pairs that are judged together: compilers share the work of reading headers and instantiating templates."""

STATS_SECONDS = 60.0
"""How long the statistics of a batch may take."""

WORKER = "warpsmith.validation.sandbox.worker"
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run found: how many verdicts of each level and status, and the first failures."""

    pairs: int
    statuses: dict[str, Counter[str]]
    failures: tuple[Verdict, ...]


@dataclass(frozen=True, slots=True)
class Job:
    """What is judged, and how, see `judge`; ``chosen`` are the numbers of the lines of each shard, or None for all."""

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
"""Judges shards, wherever that is, and yields what it found in each, in order; its arguments are those of `judge`."""


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


def judge(
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
    """Judge a shard and write its verdicts, see `judge`."""
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
    total = sum(map(len, chosen_lines(dataset, None).values()))
    with WorkerPool(workers) as children, progress(label, total, "lines") as advance:
        for lines, measured in children.map(_ask_for_statistics, _batches(dataset.lines(), BATCH)):
            yield measured
            advance(len(lines))


def _ask_for_statistics(child: Supervisor, lines: list[Line]) -> dict[str, Any]:
    """The look at some lines; a line that a child dies of, or sits over for too long, is counted as unread."""
    try:
        return child.ask("stats", lines, STATS_SECONDS)
    except WarpsmithError:
        if len(lines) == 1:
            return unread(lines)
        middle = len(lines) // 2
        return merge(_ask_for_statistics(child, half) for half in (lines[:middle], lines[middle:]))


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
    for batch, verdicts in children.map(lambda child, batch: child.verdicts(batch), _batches(todo, children.share(todo))):
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


def _batches(lines: Iterable[Line], size: int) -> Iterator[list[Line]]:
    batch: list[Line] = []
    for line in lines:
        batch.append(line)
        if len(batch) == size:
            yield batch
            batch = []
    if batch:
        yield batch


class WorkerPool:
    """Several limited children; each is talked to by one thread at a time."""

    def __init__(self, count: int, levels: Sequence[Level] = (), module: str = WORKER) -> None:
        self._headers = Headers()
        self._judges = [Supervisor(levels, module, self._headers) for _ in range(count)]
        self._free: SimpleQueue[Supervisor] = SimpleQueue()
        for judge_ in self._judges:
            self._free.put(judge_)
        self._threads = ThreadPoolExecutor(count)

    def __enter__(self) -> WorkerPool:
        return self

    def __exit__(self, *_: object) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)
        for judge_ in self._judges:
            judge_.end()
        self._threads.shutdown(wait=True)
        for judge_ in self._judges:
            judge_.__exit__()
        self._headers.__exit__()

    def map(
        self, ask: Callable[[Supervisor, list[Line]], T], batches: Iterable[list[Line]]
    ) -> Iterator[tuple[Sequence[Line], T]]:
        """Yield each batch with its answer, in order; few batches are read ahead."""
        waiting: deque[tuple[list[Line], Future[T]]] = deque()
        for batch in batches:
            waiting.append((batch, self._threads.submit(self._with_free, ask, batch)))
            while len(waiting) > 2 * len(self._judges):
                first, future = waiting.popleft()
                yield first, future.result()
        for first, future in waiting:
            yield first, future.result()

    def share(self, lines: Sequence[Line]) -> int:
        """The size of batches of ``lines`` that keeps all children busy to the end."""
        rounds = -(-len(lines) // (BATCH * len(self._judges)))
        return max(-(-len(lines) // (max(rounds, 1) * len(self._judges))), 1)

    def _with_free(self, ask: Callable[[Supervisor, list[Line]], T], batch: list[Line]) -> T:
        child = self._free.get()
        try:
            return ask(child, batch)
        finally:
            self._free.put(child)
