"""The filter: a new dataset from the pairs that have certain verdicts, such as all verified pairs or all compiler errors."""

from __future__ import annotations

import contextlib
import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO

from msgspec import UNSET, UnsetType

from warpsmith.core.datasets.checks import count_verdicts
from warpsmith.core.datasets.conditions import Condition, by_line, meets
from warpsmith.core.datasets.dataset_folder import Dataset
from warpsmith.core.datasets.filter_card import card
from warpsmith.core.datasets.line_index import ShardIndex, index_dataset
from warpsmith.core.datasets.manifest import FilterArguments, Manifest, Shard
from warpsmith.core.datasets.verdict_files import StoredVerdicts
from warpsmith.core.errors import TargetError
from warpsmith.core.files import storage
from warpsmith.core.files.atomic import replacing, write_atomic
from warpsmith.core.files.new_folder import appearing
from warpsmith.core.records.jsonl import Line, first_line, read_lines
from warpsmith.core.records.verdict import Verdict
from warpsmith.core.terminal import Advance, progress


@dataclass(frozen=True, slots=True)
class FilterResult:
    """The result of a filter.

    Attributes:
        pairs: the number of lines of the original dataset.
        taken: the number of pairs taken; ``categories`` is the same by category.
        repeated_ids: the number of lines whose id another line has; they are never taken.
        not_records: the number of lines that are no records; they are never taken.
    """

    pairs: int
    taken: int
    categories: dict[str, int]
    repeated_ids: int
    not_records: int


@dataclass(slots=True)
class _Selection:
    """The conditions, and the numbers of lines that are never taken."""

    required: Sequence[Condition]
    only: Sequence[Condition]
    repeated_ids: int = 0
    not_records: int = 0

    def takes(self, line: Line, index: ShardIndex, verdicts: Mapping[str, Verdict]) -> bool:
        """Return whether a line is taken."""
        if line.pair is None:
            self.not_records += 1
            return False
        if line.number in index.repeated:
            self.repeated_ids += 1
            return False
        return meets(line, verdicts, self.required, self.only)


def filter_dataset(dataset: Dataset, required: Sequence[Condition], only: Sequence[Condition], output: Path) -> FilterResult:
    """Write the pairs of ``dataset`` that meet all conditions, byte for byte, with their verdicts.

    A pair that any level fails is left out, unless a condition asks for failures. Lines that are no records, and lines whose id
    another line has, are never taken.

    Args:
        dataset: a dataset with verdicts.
        required: conditions for which ``not_applicable`` counts as ``pass``.
        only: conditions that must hold exactly.
        output: a folder that does not exist or is empty; the finished result of the same call is returned as it is.

    Raises:
        TargetError: if the folder cannot be used.
        WarpsmithError: if the dataset is incomplete, or pairs lack the verdicts that the conditions name.
    """
    dataset.require_complete()
    uncounted = FilterArguments(require=tuple(map(str, required)), only=tuple(map(str, only)), pairs=0, **dataset.digests())
    storage.check_new_folder(output)
    if (finished := _finished(output, uncounted)) is not None:
        return finished
    if storage.names(output):
        raise TargetError(f"{output} is not an empty folder: choose another, or delete it")
    indexes = index_dataset(dataset.shards)
    total = sum(len(index.numbers) for index in indexes)
    selection = _Selection(required, only)
    with appearing(output) as folder, progress("filter", total, "lines") as advance:
        filtered = (_filter_shard(dataset, index, selection, folder, advance) for index in indexes)
        shards = [shard for shard in filtered if shard is not None]
        arguments = replace(uncounted, pairs=total, repeated_ids=selection.repeated_ids, not_records=selection.not_records)
        return _write_manifest(dataset, arguments, shards, folder)


def _finished(output: Path, uncounted: FilterArguments) -> FilterResult | None:
    """Return the result of an earlier call with the same arguments, whose counts are ignored; None if there is none."""
    try:
        manifest = Manifest.read(output)
    except TargetError:
        return None
    arguments = manifest.filter_arguments if manifest else None
    if manifest is None or arguments is None or replace(arguments, pairs=0, repeated_ids=0, not_records=0) != uncounted:
        return None
    return _result(arguments, manifest)


def _result(arguments: FilterArguments, manifest: Manifest) -> FilterResult:
    return FilterResult(arguments.pairs, manifest.pairs, manifest.categories, arguments.repeated_ids, arguments.not_records)


def _filter_shard(dataset: Dataset, index: ShardIndex, selection: _Selection, output: Path, advance: Advance) -> Shard | None:
    """Write the pairs of a shard that are taken, with their verdicts; return None, and write nothing, if there are none."""
    stored = dataset.stored_verdicts(index.shard, index.sha256)
    verdicts = by_line(stored.verdicts)
    target = output / index.shard.name
    taken: list[int] = []
    categories: Counter[str] = Counter()
    read, written, size = hashlib.sha256(), hashlib.sha256(), 0
    with contextlib.ExitStack() as stack:
        file: IO[bytes] | None = None
        for line in read_lines(index.shard, read):
            if selection.takes(line, index, verdicts.get(line.number, {})):
                file = file or stack.enter_context(replacing(target))
                raw = line.raw if line.raw.endswith(b"\n") else line.raw + b"\n"
                file.write(raw)
                written.update(raw)
                size += len(raw)
                taken.append(line.number)
                categories[line.checked().metadata.category] += 1
            advance()
        if read.hexdigest() != index.sha256:
            raise TargetError(f"{index.shard} changed while it was read: run the command again")
    if not taken:
        return None
    _write_verdicts(stored, taken, target, written.hexdigest())
    return Shard(
        file=target.name,
        pairs=len(taken),
        bytes=size,
        sha256=written.hexdigest(),
        categories=dict(sorted(categories.items())),
    )


def _write_verdicts(stored: StoredVerdicts, taken: Sequence[int], target: Path, sha256: str) -> None:
    """Write the verdicts of the lines ``taken``, which are numbered from 1 in the new shard."""
    new_numbers = {number: position for position, number in enumerate(taken, start=1)}
    kept = {
        (new_numbers[number], level): verdict for (number, level), verdict in stored.verdicts.items() if number in new_numbers
    }
    Dataset(target.parent, (), None).write_verdicts(target, kept, stored.judges, sha256)


def _earlier_filters(source: Manifest | None) -> tuple[dict[str, object], ...] | UnsetType:
    """Return the arguments of all filters that a dataset went through, unset if there are none."""
    if source is None or source.filter_arguments is None:
        return UNSET
    return (*(source.filters or ()), source.filter_arguments.to_dict())


def _write_manifest(dataset: Dataset, arguments: FilterArguments, shards: list[Shard], output: Path) -> FilterResult:
    source = dataset.manifest
    categories: Counter[str] = Counter()
    for shard in shards:
        categories.update(shard.categories)
    manifest = Manifest(
        arguments=arguments.to_dict(),
        versions=source.versions if source else UNSET,
        preambles=source.preambles if source else UNSET,
        source=(source.source or source.arguments or None) if source else None,
        filters=_earlier_filters(source),
        pairs=sum(categories.values()),
        bytes=sum(shard.bytes for shard in shards),
        categories=dict(sorted(categories.items())),
        shards=tuple(shards),
    )
    written = Dataset(output, tuple(output / shard.file for shard in shards), None)
    write_atomic(output / "README.md", card(arguments, manifest, count_verdicts(written), first_line(written.shards)).encode())
    manifest.write(output)
    return _result(arguments, manifest)
