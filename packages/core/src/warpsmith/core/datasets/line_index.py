"""The index of a dataset: the lines of each shard by number, and the lines whose ids occur more than once."""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from pathlib import Path

from warpsmith.core.execution.executor import Executor, InProcess, ignore, without_report
from warpsmith.core.records.jsonl import decode, placed_lines, raw_lines, read_id

REPEATED = "the id occurs more than once: "
"""The start of the reason of lines whose id another line has."""


@dataclass(frozen=True, slots=True, eq=False)
class ShardIndex:
    """The index of one shard. It holds 24 bytes for each line and no text.

    Attributes:
        shard: the file.
        sha256: the SHA-256 of its content.
        numbers: the numbers of its lines that are not empty, in order.
        offsets: the offset of the first byte of each of these lines.
        ids: a digest of 8 bytes of each id that could be read. Different ids may have the same digest.
        repeated: why lines are refused whose id occurs more than once in the dataset, by line number.
    """

    shard: Path
    sha256: str
    numbers: Sequence[int]
    offsets: Sequence[int]
    ids: Sequence[int]
    repeated: dict[int, str] = field(default_factory=dict)


def index_dataset(shards: Sequence[Path], executor: Executor | None = None) -> list[ShardIndex]:
    """Return the index of each shard, in order.

    Args:
        shards: all shards of a dataset.
        executor: runs the work, in this process by default.

    Raises:
        TargetError: if a shard cannot be read.
    """
    executor = executor or InProcess()
    indexes = dict(executor.run(without_report(index_shard), shards, ignore))
    suspects = _repeated_digests(indexes.values())
    if suspects:
        affected = [shard for shard in shards if not suspects.isdisjoint(indexes[shard].ids)]
        find = without_report(partial(find_ids, suspects))
        found = dict(executor.run(find, affected, ignore))
        _add_reasons(indexes, [(shard, number, identity) for shard in affected for number, identity in found[shard]])
    return [indexes[shard] for shard in shards]


def index_shard(shard: Path) -> ShardIndex:
    """Return the index of a shard, without the repeated ids."""
    content = hashlib.sha256()
    numbers, offsets, ids = array("Q"), array("Q"), array("Q")
    for (number, offset), raw in placed_lines(shard, content):
        numbers.append(number)
        offsets.append(offset)
        if raw is not None and (identity := read_id(raw, shard, number)) is not None:
            ids.append(_digest(identity))
    return ShardIndex(shard, content.hexdigest(), numbers, offsets, ids)


def find_ids(suspects: frozenset[int], shard: Path) -> list[tuple[int, str]]:
    """Return the numbers and ids of the records of a shard whose ids have one of some digests."""
    found = []
    for number, raw in raw_lines(shard):
        identity = None if raw is None else read_id(raw, shard, number)
        if raw is not None and identity is not None and _digest(identity) in suspects:
            pair = decode(raw, shard, number).pair  # a line that is no record has no id
            if pair is not None:
                found.append((number, pair.id))
    return found


def _digest(identity: str) -> int:
    return int.from_bytes(hashlib.blake2b(identity.encode(), digest_size=8).digest(), "little")


def _repeated_digests(indexes: Iterable[ShardIndex]) -> frozenset[int]:
    digests = sorted(digest for index in indexes for digest in index.ids)
    return frozenset(digest for digest, following in pairwise(digests) if digest == following)


def _add_reasons(indexes: dict[Path, ShardIndex], found: Sequence[tuple[Path, int, str]]) -> None:
    """Add the reason to each of several lines with one id: the first names the second, all others name the first."""
    first: dict[str, tuple[Path, int]] = {}
    for shard, number, identity in found:
        if identity not in first:
            first[identity] = (shard, number)
            continue
        other_shard, other_number = first[identity]
        indexes[shard].repeated[number] = f"{REPEATED}also in {other_shard.name}:{other_number}"
        indexes[other_shard].repeated.setdefault(other_number, f"{REPEATED}also in {shard.name}:{number}")
