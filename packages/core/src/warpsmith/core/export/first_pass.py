"""The first pass: the candidates of a dataset, read once for all formats, and the selection of each format."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from warpsmith.core.datasets.line_index import ShardIndex, index_dataset
from warpsmith.core.execution.executor import Executor, InProcess
from warpsmith.core.execution.local import LocalProcesses
from warpsmith.core.export.export_candidates import (
    FAILED_CONDITION,
    NOT_RECORD,
    REPEATED_ID,
    Candidate,
    Part,
    Row,
    read_part,
)
from warpsmith.core.export.export_reading import Reading
from warpsmith.core.export.export_request import SPLIT_BY, Request
from warpsmith.core.export.row_places import Place
from warpsmith.core.records.jsonl import LineStart
from warpsmith.core.similarity.shingles import ShingleSet
from warpsmith.core.terminal import progress

PRELOAD = "warpsmith.core.export.second_pass"
"""The module that workers have imported."""

LINES_PER_PART = 250
"""Lines that a worker reads at a time: a fraction of a second to a few seconds of work."""


@dataclass(slots=True)
class Scan:
    """The pairs that an export in one format contains.

    Attributes:
        form: the format.
        digests: the SHA-256 of each shard.
        ids: the ids of these pairs.
        categories: their categories.
        tasks: the tasks of their rows, none for whole records.
        places: where the lines are that the export contains: their rows, or their records.
        groups: by property of `SPLIT_BY`, its values of these pairs.
        python: the shingles of their Python.
        code: the shingles of their CUDA, or of their C++ where there is no CUDA.
        texts: the number of these pairs that have each text.
        tokens: the numbers of tokens, by text for whole records, otherwise of the rows by task.
        verdicts: the number of their verdicts, by level and status.
        failed_conditions: the number of pairs that do not meet the conditions on verdicts.
        without_task: the number of pairs that lack the texts of all tasks.
        too_long: the number of pairs all of whose rows are too long.
        long_rows: the number of rows that are too long.
        close: the number of pairs that are close to a benchmark text, by its file.
        repeated_ids: the number of lines whose id another line has.
        not_records: the number of lines that are no records.
    """

    form: str
    digests: dict[Path, str]
    ids: list[str] = field(default_factory=list)
    categories: list[str] = field(default_factory=list)
    tasks: list[tuple[str, ...]] = field(default_factory=list)
    places: list[tuple[Place, ...]] = field(default_factory=list)
    groups: dict[str, list[tuple[str, ...]]] = field(default_factory=lambda: {name: [] for name in SPLIT_BY})
    python: list[ShingleSet | None] = field(default_factory=list)
    code: list[ShingleSet | None] = field(default_factory=list)
    texts: Counter[str] = field(default_factory=Counter)
    tokens: dict[str, list[int]] = field(default_factory=dict)
    verdicts: dict[str, Counter[str]] = field(default_factory=dict)
    failed_conditions: int = 0
    without_task: int = 0
    too_long: int = 0
    long_rows: int = 0
    close: Counter[str] = field(default_factory=Counter)
    repeated_ids: int = 0
    not_records: int = 0

    def add(self, found: Candidate | str, request: Request) -> None:
        """Add a line: take it, or count why it is left out."""
        if isinstance(found, Candidate):
            rows = self._rows(found, request)
            if rows is not None:
                self._take(found, rows)
            return
        self.failed_conditions += found == FAILED_CONDITION
        self.repeated_ids += found == REPEATED_ID
        self.not_records += found == NOT_RECORD

    def _rows(self, candidate: Candidate, request: Request) -> dict[str, Row] | None:
        """Return the rows of a pair, or None for one that is left out, whose reason is counted."""
        rows = {task: candidate.rows[task] for task in request.tasks if task in candidate.rows}
        if request.tasks and not rows:
            self.without_task += 1
        elif candidate.close is not None:
            self.close[candidate.close] += 1
        else:
            kept = {task: row for task, row in rows.items() if request.fits(row.length)}
            self.long_rows += len(rows) - len(kept)
            if kept or not rows:
                return kept
            self.too_long += 1
        return None

    def _take(self, candidate: Candidate, rows: Mapping[str, Row]) -> None:
        self.ids.append(candidate.id)
        self.categories.append(candidate.category)
        self.tasks.append(tuple(rows))
        self.places.append(tuple(row.places[self.form] for row in rows.values()) or (candidate.place,))
        self.groups["structure"].append(candidate.structure)
        self.groups["idea"].append(candidate.ideas)
        self.groups["domain"].append(candidate.domain)
        self.python.append(candidate.python)
        self.code.append(candidate.code)
        self.texts.update(candidate.tokens.keys())
        counts = {task: row.length.total for task, row in rows.items()} or candidate.tokens
        for name, count in counts.items():
            self.tokens.setdefault(name, []).append(count)
        for level, status in candidate.verdicts:
            self.verdicts.setdefault(level, Counter())[status] += 1


def scan(reading: Reading, requests: Sequence[Request], workers: int = 1) -> list[Scan]:
    """Read a dataset once, after an index of it is made, and return what each request selects.

    Args:
        reading: what is read of each line.
        requests: the formats.
        workers: processes that read; the result does not depend on their number.

    Raises:
        TargetError: if a shard cannot be read.
        WarpsmithError: if pairs lack the verdicts that conditions name.
    """
    indexes = index_dataset(reading.dataset.shards)
    digests = {index.shard: index.sha256 for index in indexes}
    scans = [Scan(request.form.name, digests) for request in requests]
    for found in _candidates(reading, list(_parts(indexes)), workers):
        for scanned, request in zip(scans, requests, strict=True):
            scanned.add(found, request)
    return scans


def executor_of(workers: int) -> Executor:
    """Return an executor for the tasks of an export."""
    return LocalProcesses(workers, PRELOAD) if workers > 1 else InProcess()


def _parts(indexes: Sequence[ShardIndex]) -> Iterator[Part]:
    for index in indexes:
        for start in range(0, len(index.numbers), LINES_PER_PART):
            numbers = index.numbers[start : start + LINES_PER_PART]
            first, last = LineStart(numbers[0], index.offsets[start]), numbers[-1]
            repeated = frozenset(number for number in index.repeated if first.number <= number <= last)
            yield Part(index.shard, index.sha256, first, last, repeated, len(numbers))


def _candidates(reading: Reading, parts: Sequence[Part], workers: int) -> Iterator[Candidate | str]:
    """Yield what each line is, in the order of the lines."""
    executor = executor_of(min(workers, len(parts)))
    waiting: dict[Part, list[Candidate | str]] = {}
    order = iter(parts)
    expected = next(order, None)
    with progress("read", sum(part.count for part in parts), "pairs") as advance:
        for part, found in executor.run(partial(read_part, reading), parts, advance):
            waiting[part] = found
            while expected is not None and expected in waiting:
                yield from waiting.pop(expected)
                expected = next(order, None)
