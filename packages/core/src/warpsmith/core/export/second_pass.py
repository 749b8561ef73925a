"""The second pass: each file of an export is a task, which copies the rows of its pairs into the format."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from pathlib import Path

from warpsmith.core.datasets.manifest import file_digest
from warpsmith.core.errors import TargetError
from warpsmith.core.execution.executor import Report
from warpsmith.core.export.export_manifest import ExportedFile
from warpsmith.core.export.export_request import Request
from warpsmith.core.export.first_pass import Scan, executor_of
from warpsmith.core.export.formats import FORMATS
from warpsmith.core.export.row_places import Place, lines_at
from warpsmith.core.terminal import progress


@dataclass(frozen=True, slots=True, eq=False)
class PlannedFile:
    """A file to write.

    Attributes:
        path: the file.
        split: its split.
        pairs: the lines of each of its pairs.
    """

    path: Path
    split: str
    pairs: Sequence[tuple[Place, ...]]


@dataclass(slots=True)
class SplitContent:
    """The counts of what a split contains."""

    pairs: int = 0
    lines: int = 0
    categories: Counter[str] = field(default_factory=Counter)
    tasks: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class Written:
    """What an export has written.

    Attributes:
        files: descriptions of the files, by split and number.
        splits: the content of each split.
        example: the first line.
    """

    files: Sequence[ExportedFile]
    splits: dict[str, SplitContent]
    example: bytes


def write(folder: Path, request: Request, scanned: Scan, splits: Sequence[str], workers: int = 1) -> Written:
    """Write all pairs.

    Args:
        folder: the folder of the export.
        request: the export.
        scanned: the result of the first pass.
        splits: the split of each pair.
        workers: processes that write; the bytes do not depend on their number.

    Raises:
        TargetError: if a shard is not the file that was read.
    """
    plans = list(_planned(folder, request, scanned, splits))
    task = partial(write_file, request.form.name, frozenset(scanned.texts))
    with progress("write", len(splits), "pairs") as advance:
        files = dict(executor_of(min(workers, len(plans))).run(task, plans, advance))
    for shard, digest in scanned.digests.items():
        if file_digest(shard) != digest:
            raise TargetError(f"{shard} changed while it was read: run the command again")
    example = next(lines_at(scanned.places[0]))
    return Written([files[plan] for plan in plans], _content(request, scanned, splits), example)


def _planned(folder: Path, request: Request, scanned: Scan, splits: Sequence[str]) -> Iterator[PlannedFile]:
    for split in request.fractions:
        pairs = [places for places, assigned in zip(scanned.places, splits, strict=True) if assigned == split]
        for number, start in enumerate(range(0, len(pairs), request.shard_size)):
            path = folder / f"{split}-{number:05}.{request.form.extension}"
            yield PlannedFile(path, split, pairs[start : start + request.shard_size])


def write_file(form: str, texts: Collection[str], plan: PlannedFile, report: Report) -> ExportedFile:
    """Write one file, flush it to the disk, and describe it.

    Args:
        form: the name of the format.
        texts: the texts that some of the pairs of the export have.
        plan: the file.
        report: receives the number of pairs.
    """
    writer = FORMATS[form].writer(plan.path, texts)
    lines = lines_at(chain.from_iterable(plan.pairs))
    for places in plan.pairs:
        for _ in places:
            writer.add(next(lines))
        report(1)
    writer.close()
    with plan.path.open("rb") as file:
        os.fsync(file.fileno())
    return ExportedFile(
        file=plan.path.name,
        split=plan.split,
        pairs=len(plan.pairs),
        lines=sum(map(len, plan.pairs)),
        bytes=plan.path.stat().st_size,
        sha256=file_digest(plan.path),
    )


def _content(request: Request, scanned: Scan, splits: Sequence[str]) -> dict[str, SplitContent]:
    found = {split: SplitContent() for split in request.fractions}
    for split, places, category, tasks in zip(splits, scanned.places, scanned.categories, scanned.tasks, strict=True):
        content = found[split]
        content.pairs += 1
        content.lines += len(places)
        content.categories[category] += 1
        content.tasks.update(tasks)
    return found
