"""The files of an unfinished dataset: chunks of shards, their summaries, and the shards that are joined from them."""

from __future__ import annotations

import hashlib
import logging
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from warpsmith.core.files.atomic import write_atomic
from warpsmith.core.records.encoding import encode
from warpsmith.core.records.pair import Reject
from warpsmith.synthesis.production.dataset_plan import Chunk, chunk_file

_LOGGER = logging.getLogger(__name__)

WORK_FOLDER = ".work"
"""The folder with the files that an interrupted run needs to continue; removed when the dataset is complete."""

BUILD_FOLDER = "warpsmith-build-"
"""The beginning of the name of a folder with built files, in the work folder."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """The counts and digest of a chunk or of a shard.

    ``text_bytes`` counts the generated code only, and ``plain`` the pairs by what became of their stand-alone CUDA.
    """

    file: str
    pairs: int
    bytes: int
    text_bytes: int
    sha256: str
    categories: dict[str, int]
    rejects: tuple[Reject, ...]
    plain: dict[str, int] = field(default_factory=dict)


def join_chunks(name: str, chunks: Sequence[Summary], folder: Path) -> Summary:
    """Join the chunks of the shard with a name, write the shard atomically, and delete the chunks."""
    try:
        content = b"".join((folder / WORK_FOLDER / chunk.file).read_bytes() for chunk in chunks)
    except FileNotFoundError:
        # A worker on a node that was lost only to the network may have joined them meanwhile.
        positions = sum(chunk.pairs + len(chunk.rejects) for chunk in chunks)
        if (finished := finished_shard(name, folder, positions)) is None:
            raise
        return finished
    categories: Counter[str] = Counter()
    plain: Counter[str] = Counter()
    for chunk in chunks:
        categories.update(chunk.categories)
        plain.update(chunk.plain)
    summary = Summary(
        file=name,
        pairs=sum(chunk.pairs for chunk in chunks),
        bytes=len(content),
        text_bytes=sum(chunk.text_bytes for chunk in chunks),
        sha256=hashlib.sha256(content).hexdigest(),
        categories=dict(categories),
        plain=dict(plain),
        rejects=tuple(reject for chunk in chunks for reject in chunk.rejects),
    )
    write_atomic(summary_path(folder, summary.file), encode(summary))
    write_atomic(folder / summary.file, content)
    _LOGGER.info("%s: %d pairs", folder / summary.file, summary.pairs)
    for chunk in chunks:
        summary_path(folder, chunk.file).unlink(missing_ok=True)
        (folder / WORK_FOLDER / chunk.file).unlink(missing_ok=True)
    return summary


def summary_path(folder: Path, file: str) -> Path:
    """Return the path of the summary of a shard or chunk."""
    return folder / WORK_FOLDER / f"{file}.json"


def read_summary(path: Path) -> Summary | None:
    """Read a summary; return None if it is missing or damaged."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=Summary)
    except (FileNotFoundError, msgspec.DecodeError):
        return None


def matches(path: Path, summary: Summary | None) -> bool:
    """Return whether the file at ``path`` exists and has the size that ``summary`` states."""
    return summary is not None and path.exists() and path.stat().st_size == summary.bytes


def covers_positions(summary: Summary, positions: int) -> bool:
    """Return whether a chunk or shard is about all of its positions, which it is not after its dataset has grown."""
    return summary.pairs + len(summary.rejects) == positions


def finished_shard(name: str, folder: Path, positions: int) -> Summary | None:
    """Return the summary of a shard if the shard is complete and about that many positions."""
    summary = read_summary(summary_path(folder, name))
    if summary is None or not covers_positions(summary, positions):
        return None
    return summary if matches(folder / name, summary) else None


def finished_chunk(chunk: Chunk, folder: Path) -> Summary | None:
    """Return the summary of a chunk if the chunk is complete and of the planned size, which differs between releases."""
    summary = read_summary(summary_path(folder, chunk_file(chunk)))
    if summary is None or not covers_positions(summary, chunk.stop - chunk.start):
        return None
    return summary if matches(folder / WORK_FOLDER / chunk_file(chunk), summary) else None
