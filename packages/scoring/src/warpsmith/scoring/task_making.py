"""Tasks from pairs: from an iterator without an end, or from a dataset, whose pairs have to pass the levels of validation."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from warpsmith.core.datasets.dataset_folder import Dataset
from warpsmith.core.datasets.line_index import ShardIndex, index_dataset
from warpsmith.core.errors import TargetError
from warpsmith.core.execution.batches import divide
from warpsmith.core.export.decontamination import Benchmarks
from warpsmith.core.records.jsonl import Line, read_lines
from warpsmith.core.records.pair import Pair
from warpsmith.core.records.verdict import Status
from warpsmith.core.terminal import progress
from warpsmith.scoring.tasks.any_task import AnyTask
from warpsmith.scoring.tasks.prompts import fenced
from warpsmith.scoring.tasks.quota import LeftOut, Quota
from warpsmith.scoring.tasks.task import Task, make_task
from warpsmith.scoring.tasks.task_kinds import KINDS, Kind, kind_of
from warpsmith.validation.levels.registry import levels_to
from warpsmith.validation.validator import Validator

if TYPE_CHECKING:  # the scorer loads the sandbox
    from warpsmith.scoring.scorer import Scorer

PAIRS_PER_BATCH = 64
"""How many pairs are checked at once."""

NOT_RECORDS = "lines that are no records"
REPEATED_IDS = "lines whose id another line has"
UNFIT = "pairs without the launch or the texts of the task"
UNCHECKED = "pairs without verdicts"
NOT_PASSED = "pairs that do not pass every level"
NOT_RIGHT = "tasks whose reference does not score 1"
EXCLUDED = "pairs close to an excluded text"

Statuses = Mapping[str, Status]
"""The status of a pair by level."""


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
        for batch in divide(pairs, PAIRS_PER_BATCH if check else 1):
            statuses = [None] * len(batch) if validator is None else _checked(validator, batch, rows)
            for pair, status in zip(batch, statuses, strict=True):
                for kind in rows:
                    usable = status is None or _problem(kind, status) is None
                    if usable and (task := make_task(kind.name, pair)) is not None:
                        yield task


def dataset_tasks(
    dataset: Dataset,
    kinds: Sequence[str] = KINDS,
    *,
    quota: Quota | None = None,
    exclude: Sequence[Path] = (),
    check: bool = False,
    unconfined: bool = False,
    left_out: LeftOut | None = None,
) -> Iterator[Task]:
    """Yield the tasks of a dataset whose references pass every level up to the one of their kind.

    Args:
        dataset: the dataset. Lines whose id another line has give no task.
        kinds: the kinds of tasks.
        quota: the most tasks, and the tasks so far.
        exclude: files of texts; pairs that are close to one of them give no task.
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
    selection = _Selection(
        rows, quota or Quota(), LeftOut() if left_out is None else left_out, Benchmarks(exclude) if exclude else None
    )
    if not check:
        _require_verdicts(dataset, rows, indexes)
    total = sum(len(index.numbers) for index in indexes)
    with contextlib.ExitStack() as stack:
        advance = stack.enter_context(progress("tasks", total, "lines"))
        validator = stack.enter_context(Validator(unconfined)) if check else None
        lines = ((index, line) for index in indexes for line in read_lines(index.shard))
        for batch in divide(lines, PAIRS_PER_BATCH):
            yield from selection.take(batch, dataset, validator)
            advance(len(batch))
            if not selection.wanted():
                break


def judged_tasks(
    tasks: Iterable[AnyTask], scorer: Scorer, quota: Quota, left_out: LeftOut, per_batch: int = PAIRS_PER_BATCH
) -> Iterator[AnyTask]:
    """Yield the tasks whose reference scores 1.

    Args:
        tasks: the tasks; those that are not wanted are skipped.
        scorer: judges the references.
        quota: the most tasks, and the tasks so far.
        left_out: receives the tasks whose reference does not score 1.
        per_batch: how many are judged together.
    """
    for batch in divide((task for task in tasks if quota.wants(task.kind, task.category)), per_batch):
        scores = scorer.score_all([(task, fenced(task.language, task.reference)) for task in batch])
        for task, score in zip(batch, scores, strict=True):
            if not score.passed:
                left_out.add(task.row, NOT_RIGHT)
            elif quota.wants(task.kind, task.category):
                quota.take(task.kind, task.category)
                yield task


@dataclass(slots=True)
class _Selection:
    """The kinds of tasks that are wanted, and the number of tasks so far."""

    kinds: list[Kind]
    quota: Quota
    left_out: LeftOut
    excluded: Benchmarks | None
    stored: tuple[Path, dict[int, dict[str, Status]]] = (Path(), {})

    def wanted(self) -> list[Kind]:
        """Return the kinds that have not reached the limit."""
        return [kind for kind in self.kinds if self.quota.wants(kind.name)]

    def take(self, batch: Sequence[tuple[ShardIndex, Line]], dataset: Dataset, validator: Validator | None) -> Iterator[Task]:
        """Yield the tasks of a batch of lines."""
        usable = [(index, line) for index, line in batch if self._usable(index, line)]
        if validator is None:
            statuses = [self._stored_statuses(dataset, index).get(line.number, {}) for index, line in usable]
        else:
            statuses = _checked(validator, [line.checked() for _, line in usable], self.wanted())
        for (_, line), status in zip(usable, statuses, strict=True):
            yield from self._tasks(line.checked(), status)

    def _tasks(self, pair: Pair, statuses: Statuses) -> Iterator[Task]:
        """Yield the tasks of a pair."""
        category = pair.metadata.category
        kinds = [kind for kind in self.kinds if self.quota.wants(kind.name, category)]
        is_excluded = bool(kinds) and self.excluded is not None and self.excluded.close(pair) is not None
        for kind in kinds:
            problem = EXCLUDED if is_excluded else _problem(kind, statuses)
            # The level parse has accepted the Python of a pair before its signature is read here.
            task = None if problem else make_task(kind.name, pair)
            if task is None:
                self.left_out.add(kind, problem or UNFIT)
            else:
                self.quota.take(kind.name, category)
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
    """Return why a reference gives no task of a kind, or None: all levels of the kind pass, and no other level fails.

    The interpreter of level `oracle` does not support every kernel; such kernels give tasks, too.
    """
    needed = [level.name for level in levels_to(kind.level)]
    passing = {name: ("pass", "not_applicable") if name == "oracle" else ("pass",) for name in needed}
    if any(name in statuses and statuses[name] not in passing[name] for name in needed) or "fail" in statuses.values():
        return NOT_PASSED
    return None if all(name in statuses for name in needed) else UNCHECKED


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
