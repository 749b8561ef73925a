"""`check_shards`: checks the lines of shards in sandboxed workers, and writes the verdicts."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from warpsmith.core.datasets.dataset_folder import Dataset
from warpsmith.core.datasets.line_index import REPEATED, ShardIndex
from warpsmith.core.datasets.manifest import file_digest
from warpsmith.core.datasets.verdict_files import Judge, StoredVerdicts, VerdictKey, origin_file
from warpsmith.core.errors import TargetError
from warpsmith.core.execution.executor import Report
from warpsmith.core.files import storage
from warpsmith.core.records.jsonl import TOO_LONG, Digest, Line, decode, raw_lines, read_id
from warpsmith.core.records.verdict import Verdict
from warpsmith.validation.confinement.measures import Confinement
from warpsmith.validation.levels.registry import Level
from warpsmith.validation.levels.sampling import selects
from warpsmith.validation.outcome import Outcome, certain_verdicts
from warpsmith.validation.sandbox.pool import WorkerPool, batches


@dataclass(frozen=True, slots=True, eq=False)
class ShardJob:
    """The work on one shard.

    Attributes:
        dataset: the dataset, with the shard as its only one.
        index: the index of the shard.
        levels: the levels to check, in order.
        judges: the software that checks, by level.
        sample: the numbers of the lines to check, None for all.
        again: whether pairs that have verdicts are checked, too.
        module: the module that the sandboxed workers run.
    """

    dataset: Dataset
    index: ShardIndex
    levels: tuple[Level, ...]
    judges: Mapping[str, Judge]
    sample: frozenset[int] | None
    again: bool
    module: str

    @property
    def shard(self) -> Path:
        """The file to check."""
        return self.index.shard

    @property
    def names(self) -> list[str]:
        """The names of the levels."""
        return [level.name for level in self.levels]

    @property
    def numbers(self) -> list[int]:
        """The numbers of the lines to check."""
        return [number for number in self.index.numbers if self.sample is None or number in self.sample]


class ShardBatch(NamedTuple):
    """Lines of a shard that are checked together; the last batch of a shard has none.

    Attributes:
        run: the work on the shard.
        lines: the lines.
    """

    run: ShardRun
    lines: list[Line]


def check_shards(pool: WorkerPool, jobs: Iterable[ShardJob], report: Report) -> Iterator[Outcome]:
    """Check the lines of shards with the workers of ``pool``, write their verdicts, and yield the outcomes in order.

    Shards are streamed: a few batches of lines are held at a time, also those of the next shard while workers still check the
    one before, and the verdicts. After Ctrl-C or an error, the verdicts of the lines that are finished are written.

    Raises:
        TargetError: if a shard changes while it is read, or the verdicts cannot be written.
    """
    unfinished: list[ShardRun] = []

    def begun() -> Iterator[ShardBatch]:
        for job in jobs:
            run = ShardRun(job)
            unfinished.append(run)
            report(run.skipped)
            for lines in batches(run.lines(), pool.share(run.to_check)):
                yield ShardBatch(run, lines)
            yield ShardBatch(run, [])

    try:
        for (run, lines), verdicts in pool.map(lambda supervisor, batch: supervisor.check(batch.lines), begun()):
            run.add(lines, verdicts)
            report(len(lines))
            if not lines:
                run.write()
                unfinished.remove(run)
                pool.drop_finished(run.job.shard)
                yield run.outcome(pool.sandbox)
    except BaseException:
        for run in unfinished:
            run.write_finished(pool.finished(run.job.shard))
        raise


class ShardRun:
    """The work on one shard: what is known about its lines, and what is found.

    Attributes:
        job: the arguments.
        to_check: the numbers of the lines to check.
        skipped: how many lines are not checked.

    Args:
        job: the arguments.

    Raises:
        TargetError: if the verdicts cannot be written.
    """

    def __init__(self, job: ShardJob) -> None:
        self.job = job
        self._stored = job.dataset.stored_verdicts(job.shard, job.index.sha256)
        self._known, self._discarded = _usable(job, self._stored)
        self._numbers = job.numbers
        self._reused = _reused(job, self._numbers, self._known)
        self.to_check = [number for number in self._numbers if number not in self._reused and number not in job.index.repeated]
        self.skipped = len(self._numbers) - len(self.to_check)
        self._checked: dict[int, list[Verdict]] = {}
        self._content = hashlib.sha256()
        if self._is_new:
            for path in (job.dataset.verdict_file(job.shard), origin_file(job.dataset.verdict_file(job.shard))):
                storage.check_replaceable(path)

    @property
    def _is_new(self) -> bool:
        """Whether a line has no verdicts yet."""
        return len(self._reused) < len(self._numbers)

    def lines(self) -> Iterator[Line]:
        """Yield the lines to check, and keep verdicts on those that are refused without a check."""
        return _stream(self.job, frozenset(self.to_check), self._checked, self._content) if self._is_new else iter(())

    def add(self, lines: Sequence[Line], verdicts: Sequence[list[Verdict]]) -> None:
        """Keep the verdicts on lines."""
        for line, found in zip(lines, verdicts, strict=True):
            self._checked[line.number] = _of_sample(self.job, found)

    def write(self) -> None:
        """Write the verdicts, after all lines.

        Raises:
            TargetError: if the shard has changed, or they cannot be written.
        """
        if not self._is_new:
            return
        if self._content.hexdigest() != self.job.index.sha256:
            raise TargetError(f"{self.job.shard} changed while it was checked: run the command again")
        _write_verdicts(self.job, self._stored, self._known, self._checked)

    def write_finished(self, finished: Mapping[int, list[Verdict]]) -> None:
        """Write the verdicts of an interrupted run, and those of ``finished`` lines by number, unless the shard has changed."""
        if self._is_new and file_digest(self.job.shard) == self.job.index.sha256:
            found = {number: _of_sample(self.job, verdicts) for number, verdicts in finished.items()}
            _write_verdicts(self.job, self._stored, self._known, found | self._checked)

    def outcome(self, sandbox: Confinement | None) -> Outcome:
        """Return the outcome of the shard, checked in a sandbox with these measures."""
        result = Outcome.of_levels(self.job.levels)
        result.reused, result.discarded, result.sandbox = len(self._reused), self._discarded, sandbox
        for number in self._numbers:
            result.count(self._checked[number] if number in self._checked else _known(self.job, self._known, number))
        return result


def _usable(job: ShardJob, stored: StoredVerdicts) -> tuple[dict[VerdictKey, Verdict], Counter[str]]:
    """Return the stored verdicts that this judge made or that belong to other levels, and count the others by reason."""
    discarded: Counter[str] = Counter()
    if stored.problem is not None:
        discarded[stored.problem] += stored.unusable
    usable = {}
    for key, verdict in stored.verdicts.items():
        judge = stored.judges[verdict.level]
        if job.judges.get(verdict.level, judge) == judge:
            usable[key] = verdict
        else:
            discarded[f"{judge} made them"] += 1
    return usable, Counter() if job.again else discarded


def _reused(job: ShardJob, numbers: Sequence[int], known: Mapping[VerdictKey, Verdict]) -> set[int]:
    """Return the lines that are not checked because they have all verdicts."""
    if job.again:
        return set()
    first = job.names[0]
    return {
        number
        for number in numbers
        if number not in job.index.repeated
        and (number, first) in known
        and len(_known(job, known, number)) == len(_selecting(job, known[number, first].id))
        and not known[number, first].reason.startswith(REPEATED)  # the other line may have gone
    }


def _selecting(job: ShardJob, identity: str) -> list[str]:
    """Return the names of the levels that check a pair."""
    return [level.name for level in job.levels if selects(level, identity)]


def _known(job: ShardJob, known: Mapping[VerdictKey, Verdict], number: int) -> list[Verdict]:
    """Return the known verdicts of the levels that check a line."""
    names = _selecting(job, known[number, job.names[0]].id)
    return [known[number, name] for name in names if (number, name) in known]


def _of_sample(job: ShardJob, verdicts: Sequence[Verdict]) -> list[Verdict]:
    """Return the verdicts of the levels that check a pair; a pair outside of a sample has no verdict."""
    return [verdict for level, verdict in zip(job.levels, verdicts, strict=False) if selects(level, verdict.id)]


def _stream(job: ShardJob, numbers: frozenset[int], checked: dict[int, list[Verdict]], content: Digest) -> Iterator[Line]:
    """Yield the lines ``numbers`` that can be checked, and add verdicts on those that are refused."""
    for number, raw in raw_lines(job.shard, content):
        position = f"{job.shard.name}:{number}"
        if number in job.index.repeated and (job.sample is None or number in job.sample):
            identity = None if raw is None else read_id(raw, job.shard, number)
            checked[number] = _of_sample(job, _refused(identity or position, job.names, job.index.repeated[number]))
        elif number in numbers and raw is None:
            checked[number] = _of_sample(job, _refused(position, job.names, TOO_LONG))
        elif number in numbers and raw is not None:
            yield decode(raw, job.shard, number)


def _refused(identity: str, names: Sequence[str], reason: str) -> list[Verdict]:
    """Return the verdicts on a line that fails the first level."""
    first, *remaining = names
    failure = Verdict(identity, first, "fail", reason, 0.0)
    return [failure, *(Verdict(identity, name, "skipped", f"{first} failed", 0.0) for name in remaining)]


def _write_verdicts(
    job: ShardJob, stored: StoredVerdicts, known: Mapping[VerdictKey, Verdict], checked: Mapping[int, list[Verdict]]
) -> None:
    """Write the verdicts of a shard: the new ones, and the known ones that they do not replace."""
    failed = {number for number, verdicts in checked.items() if any(verdict.status == "fail" for verdict in verdicts)}
    rows = {(number, verdict.level): verdict for number in checked for verdict in certain_verdicts(checked[number])}
    for key, verdict in known.items():
        if key[0] not in failed:  # later levels skip a pair that fails
            rows.setdefault(key, verdict)
    if rows != stored.verdicts:
        job.dataset.write_verdicts(job.shard, rows, {**stored.judges, **job.judges}, job.index.sha256)
