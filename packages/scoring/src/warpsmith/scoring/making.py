"""Tasks from pairs: from an iterator without an end, or from a dataset, whose pairs have to pass the levels of validation."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from warpsmith.core.commands.terminal import progress
from warpsmith.core.datasets.folder import Dataset
from warpsmith.core.datasets.line_index import ShardIndex, index_dataset
from warpsmith.core.errors import TargetError
from warpsmith.core.execution.batches import divide
from warpsmith.core.records.jsonl import Line, read_lines
from warpsmith.core.records.pair import Pair
from warpsmith.core.records.verdict import Status
from warpsmith.scoring.plain.reference.translation import translate
from warpsmith.scoring.scorer import Scorer
from warpsmith.scoring.task import KINDS, Kind, Task, kind_of, make_task
from warpsmith.validation.levels.registry import levels_to
from warpsmith.validation.validator import Validator

BATCH = 64
"""How many pairs are checked at once."""

NOT_RECORDS = "lines that are no records"
REPEATED_IDS = "lines whose id another line has"
UNFIT = "pairs without the launch or the texts of the task"
UNCHECKED = "pairs without verdicts"
NOT_PASSED = "pairs that do not pass every level"
UNSOLVED = "pairs whose reference does not pass"

Statuses = Mapping[str, Status]
"""The status of a pair by level."""


@dataclass(slots=True)
class LeftOut:
    """Why lines of a dataset became no task of a kind: the number of lines by kind and reason."""

    counts: Counter[tuple[str, str]] = field(default_factory=Counter)

    def add(self, kind: Kind, reason: str) -> None:
        """Count one line."""
        self.counts[kind.name, reason] += 1

    def lines(self) -> Iterator[str]:
        """Yield a remark for each kind and reason."""
        for (kind, reason), count in sorted(self.counts.items()):
            yield f"{kind}: {count:,} {reason} left out"


def tasks_of(
    pairs: Iterable[Pair], kinds: Sequence[str] = KINDS, *, check: bool = False, unconfined: bool = False
) -> Iterator[Task]:
    """Yield the tasks that pairs can carry. The pairs may be endless.

    Args:
        pairs: the pairs.
        kinds: the kinds of tasks.
        check: whether to leave out tasks whose reference does not pass every level of their kind; pairs are checked in
            sandboxed workers, 64 at a time. Otherwise their levels are not checked.
        unconfined: whether the worker works without the parts of the sandbox that this system lacks.

    Raises:
        WarpsmithError: if there is no such kind.
        SandboxError: if the worker does not work on this machine.
    """
    rows = [kind_of(name) for name in kinds]
    with contextlib.ExitStack() as stack:
        validator = stack.enter_context(Validator(unconfined)) if check else None
        scorer = stack.enter_context(Scorer(seed=0, unconfined=unconfined)) if check and _judges(rows) else None
        for batch in divide(pairs, BATCH if check else 1):
            statuses = [None] * len(batch) if validator is None else _checked(validator, batch, rows)
            unsolved = _unsolved(scorer, rows, [(pair, status or {}) for pair, status in zip(batch, statuses, strict=True)])
            for pair, status in zip(batch, statuses, strict=True):
                for kind in rows:
                    usable = (status is None or _problem(kind, status) is None) and (kind.name, pair.id) not in unsolved
                    if usable and (task := make_task(kind.name, pair)) is not None:
                        yield task


def dataset_tasks(
    dataset: Dataset,
    kinds: Sequence[str] = KINDS,
    *,
    limit: int | None = None,
    check: bool = False,
    unconfined: bool = False,
    left_out: LeftOut | None = None,
) -> Iterator[Task]:
    """Yield the tasks of a dataset whose references pass every level up to the one of their kind.

    Args:
        dataset: the dataset. Lines whose id another line has give no task.
        kinds: the kinds of tasks.
        limit: the most tasks of each kind.
        check: whether to check the pairs now, in a sandboxed worker; otherwise the verdicts next to the shards count.
        unconfined: whether the worker works without the parts of the sandbox that this system lacks.
        left_out: receives why lines became no task.

    Raises:
        WarpsmithError: if there is no such kind.
        TargetError: if the dataset has no verdicts of the levels, and ``check`` is false.
        SandboxError: if the worker does not work on this machine.
    """
    rows = [kind_of(name) for name in dict.fromkeys(kinds)]
    indexes = index_dataset(dataset.shards)
    selection = _Selection(rows, limit, LeftOut() if left_out is None else left_out)
    if not check:
        _require_verdicts(dataset, rows, indexes)
    total = sum(len(index.numbers) for index in indexes)
    with contextlib.ExitStack() as stack:
        advance = stack.enter_context(progress("tasks", total, "lines"))
        validator = stack.enter_context(Validator(unconfined)) if check else None
        if check and _judges(rows):
            selection.scorer = stack.enter_context(Scorer(seed=0, unconfined=unconfined))
        lines = ((index, line) for index in indexes for line in read_lines(index.shard))
        for batch in divide(lines, BATCH):
            yield from selection.take(batch, dataset, validator)
            advance(len(batch))
            if not selection.wanted():
                break


@dataclass(slots=True)
class _Selection:
    """The kinds of tasks that are wanted, the tasks of each kind so far, and what judges the references of plain tasks."""

    kinds: list[Kind]
    limit: int | None
    left_out: LeftOut
    taken: Counter[str] = field(default_factory=Counter)
    stored: tuple[Path, dict[int, dict[str, Status]]] = (Path(), {})
    scorer: Scorer | None = None

    def wanted(self) -> list[Kind]:
        """Return the kinds that have not reached the limit."""
        return [kind for kind in self.kinds if self.limit is None or self.taken[kind.name] < self.limit]

    def take(self, batch: Sequence[tuple[ShardIndex, Line]], dataset: Dataset, validator: Validator | None) -> Iterator[Task]:
        """Yield the tasks of a batch of lines."""
        usable = [(index, line) for index, line in batch if self._usable(index, line)]
        if validator is None:
            statuses = [self._stored_statuses(dataset, index).get(line.number, {}) for index, line in usable]
        else:
            statuses = _checked(validator, [line.checked() for _, line in usable], self.wanted())
        pairs = [(line.checked(), status) for (_, line), status in zip(usable, statuses, strict=True)]
        unsolved = _unsolved(self.scorer, self.wanted(), pairs)
        for (_, line), status in zip(usable, statuses, strict=True):
            for kind in self.wanted():
                problem = _problem(kind, status) or (UNSOLVED if (kind.name, line.checked().id) in unsolved else None)
                # The level parse has accepted the Python of a pair before its signature is read here.
                task = None if problem else make_task(kind.name, line.checked())
                if task is None:
                    self.left_out.add(kind, problem or UNFIT)
                else:
                    self.taken[kind.name] += 1
                    yield task

    def _usable(self, index: ShardIndex, line: Line) -> bool:
        """Return whether a line is a pair with what all kinds need; otherwise count why not."""
        if line.pair is None:
            reason = NOT_RECORDS
        elif line.number in index.repeated:
            reason = REPEATED_IDS
        elif line.pair.metadata.launch is None or line.pair.cuda_ir_forward is None:
            reason = UNFIT
        else:
            return True
        for kind in self.wanted():
            self.left_out.add(kind, reason)
        return False

    def _stored_statuses(self, dataset: Dataset, index: ShardIndex) -> dict[int, dict[str, Status]]:
        """Return the statuses next to a shard, by line number and level; those of the last shard are kept."""
        if self.stored[0] != index.shard:
            statuses: dict[int, dict[str, Status]] = {}
            for (number, level), verdict in dataset.stored_verdicts(index.shard, index.sha256).verdicts.items():
                statuses.setdefault(number, {})[level] = verdict.status
            self.stored = (index.shard, statuses)
        return self.stored[1]


def _problem(kind: Kind, statuses: Statuses) -> str | None:
    """Return why a reference gives no task of a kind, or None: all levels of the kind pass, and no other level fails."""
    needed = [level.name for level in levels_to(kind.level)]
    if any(statuses.get(name, "pass") != "pass" for name in needed) or "fail" in statuses.values():
        return NOT_PASSED
    return None if all(name in statuses for name in needed) else UNCHECKED


def _judges(kinds: Sequence[Kind]) -> bool:
    """Return whether a check of kinds judges references that are not Warp's own text."""
    return any(kind.is_plain for kind in kinds)


def _unsolved(scorer: Scorer | None, kinds: Sequence[Kind], pairs: Sequence[tuple[Pair, Statuses]]) -> set[tuple[str, str]]:
    """Return the kinds and ids of the plain tasks whose reference does not pass; none without a scorer."""
    if scorer is None:
        return set()
    items = [
        (task, translate(pair, task.entry_point) or "")
        for kind in kinds
        for pair, statuses in pairs
        if kind.is_plain and _problem(kind, statuses) is None and (task := make_task(kind.name, pair)) is not None
    ]
    scores = scorer.score_all(items)
    return {(task.kind, task.pair.id) for (task, _), score in zip(items, scores, strict=True) if not score.passed}


def _checked(validator: Validator, pairs: Sequence[Pair], kinds: Sequence[Kind]) -> list[dict[str, Status]]:
    """Return the statuses of pairs by level, up to the highest level of the kinds."""
    if not pairs:
        return []
    checked = validator.validate(pairs, _highest(kinds))
    return [{verdict.level: verdict.status for verdict in verdicts} for verdicts in checked]


def _highest(kinds: Sequence[Kind]) -> str:
    """Return the highest of the levels that kinds of tasks use."""
    return max((kind.level for kind in kinds), key=lambda name: len(levels_to(name)))


def _require_verdicts(dataset: Dataset, kinds: Sequence[Kind], indexes: Sequence[ShardIndex]) -> None:
    """Check that some pairs of a dataset have verdicts of the levels of all kinds."""
    highest = _highest(kinds)
    missing, problem = {level.name: None for level in levels_to(highest)}, ""
    for index in indexes:
        stored = dataset.stored_verdicts(index.shard, index.sha256)
        problem = problem or (f" that can be used: {stored.problem}" if stored.problem else "")
        for _, level in stored.verdicts:
            missing.pop(level, None)
        if not missing:
            return
    raise TargetError(
        f"{dataset.folder} has no verdicts of the level {next(iter(missing))!r}{problem}; "
        f"run warpsmith-validate run {dataset.folder} --level {highest} first, or give --check to check the pairs now"
    )
