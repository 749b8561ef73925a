"""The files of a dataset while it is made: parts of shards, their summaries, and the shards put together from them."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from warpsmith.core.records.jsonl import encode, write_atomic
from warpsmith.core.records.pair import Reject
from warpsmith.synthesis.production.plan import Part, part_file, shard_file

WORK_FOLDER = ".work"
"""Where a run keeps what it needs to continue; gone when the dataset is complete."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """What is known of a part, or of a shard put together from its parts; ``text_bytes`` counts the generated code alone."""

    file: str
    pairs: int
    bytes: int
    text_bytes: int
    sha256: str
    categories: dict[str, int]
    rejects: tuple[Reject, ...]


def join_parts(shard: int, parts: Sequence[Summary], folder: Path) -> Summary:
    """Put a shard together from its parts, write it whole, and drop the parts."""
    try:
        content = b"".join((folder / WORK_FOLDER / part.file).read_bytes() for part in parts)
    except FileNotFoundError:
        # A worker elsewhere that was given up, but was only cut off, has done the same meanwhile.
        if (finished := finished_shard(shard, folder)) is None:
            raise
        return finished
    categories: Counter[str] = Counter()
    for part in parts:
        categories.update(part.categories)
    summary = Summary(
        file=shard_file(shard),
        pairs=sum(part.pairs for part in parts),
        bytes=len(content),
        text_bytes=sum(part.text_bytes for part in parts),
        sha256=hashlib.sha256(content).hexdigest(),
        categories=dict(categories),
        rejects=tuple(reject for part in parts for reject in part.rejects),
    )
    write_atomic(summary_path(folder, summary.file), encode(summary))
    write_atomic(folder / summary.file, content)
    for part in parts:
        summary_path(folder, part.file).unlink(missing_ok=True)
        (folder / WORK_FOLDER / part.file).unlink(missing_ok=True)
    return summary


def summary_path(folder: Path, file: str) -> Path:
    """Where the summary of a shard or a part stands while its dataset is not complete."""
    return folder / WORK_FOLDER / f"{file}.json"


def read_summary(path: Path) -> Summary | None:
    """Read a summary, or None if there is none or it is damaged."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=Summary)
    except (FileNotFoundError, msgspec.DecodeError):
        return None


def whole(path: Path, summary: Summary | None) -> bool:
    """Whether the file that a summary is about is there, in its full length."""
    return summary is not None and path.exists() and path.stat().st_size == summary.bytes


def finished_shard(shard: int, folder: Path) -> Summary | None:
    """The summary of a shard that is there, whole."""
    summary = read_summary(summary_path(folder, shard_file(shard)))
    return summary if whole(folder / shard_file(shard), summary) else None


def finished_part(part: Part, folder: Path) -> Summary | None:
    """The summary of a part that is there, whole, and as long as it should be: another release may divide shards otherwise."""
    summary = read_summary(summary_path(folder, part_file(part)))
    if summary is None or summary.pairs + len(summary.rejects) != part.stop - part.start:
        return None
    return summary if whole(folder / WORK_FOLDER / part_file(part), summary) else None
