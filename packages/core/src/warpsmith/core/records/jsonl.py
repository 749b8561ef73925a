"""JSON lines: reading and decoding."""

from __future__ import annotations

import codecs
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, NamedTuple, Protocol

import msgspec
import orjson

from warpsmith.core.errors import RecordError, single_line
from warpsmith.core.files import storage
from warpsmith.core.records.pair import Pair, from_dict

MAX_LINE_BYTES = 64 << 20
"""The longest line that is read; the longest record of a generated dataset is a hundredth of it."""

TOO_LONG = f"longer than {MAX_LINE_BYTES >> 20} MiB"
"""The error of a longer line."""

_BLOCK_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a JSONL file: its position, and its pair or the reason why it is not a pair."""

    path: Path
    number: int
    raw: bytes
    pair: Pair | None
    error: str | None

    @property
    def identity(self) -> str:
        """The pair's id; for a line that is not a pair, its file and number."""
        return self.pair.id if self.pair else f"{self.path.name}:{self.number}"

    def checked(self) -> Pair:
        """Return the pair.

        Raises:
            RecordError: if the line is not a pair, with file and line number.
        """
        if self.pair is None:
            raise RecordError(f"{self.path}:{self.number}: {self.error}")
        return self.pair


class Digest(Protocol):
    """A hash of `hashlib`."""

    def update(self, data: bytes, /) -> None:
        """Add bytes."""


def raw_lines(path: Path, digest: Digest | None = None) -> Iterator[tuple[int, bytes | None]]:
    r"""Yield the number and the bytes of every line of ``path`` that is not empty; None for one that is too long.

    Lines end at ``\n`` and are counted from 1, empty ones too. The first line starts after a byte order mark.
    The file is read line by line, and of a line that is longer than `MAX_LINE_BYTES` only a block is held at a time.

    Args:
        path: the file.
        digest: receives all bytes of the file.

    Raises:
        TargetError: if the file cannot be read.
    """
    for start, raw in placed_lines(path, digest):
        yield start.number, raw


class LineStart(NamedTuple):
    """Where a line begins: its number, counted from 1, and the offset of its first byte in the file."""

    number: int
    offset: int


FILE_START = LineStart(1, 0)


def placed_lines(
    path: Path, digest: Digest | None = None, start: LineStart = FILE_START
) -> Iterator[tuple[LineStart, bytes | None]]:
    """Yield where every line that is not empty begins, and its bytes, see `raw_lines`.

    Args:
        path: the file.
        digest: receives all bytes that are read.
        start: the line to begin with.

    Raises:
        TargetError: if the file cannot be read.
    """
    number, offset = start
    with storage.reading(path) as file:
        file.seek(offset)
        while raw := file.readline(MAX_LINE_BYTES):
            if digest is not None:
                digest.update(raw)
            skipped = len(codecs.BOM_UTF8) if offset == 0 and raw.startswith(codecs.BOM_UTF8) else 0
            here, offset = LineStart(number, offset + skipped), offset + len(raw)
            number += 1
            if len(raw) == MAX_LINE_BYTES and not raw.endswith(b"\n"):
                del raw
                offset += _skip_line(file, digest)
                yield here, None
            elif (line := raw[skipped:]) and not line.isspace():
                yield here, line


def first_line(paths: Iterable[Path]) -> bytes | None:
    """Return the first line of some files that is not empty, or None if there is none or it is too long."""
    return next((raw for path in paths for _, raw in raw_lines(path)), None)


def _skip_line(file: IO[bytes], digest: Digest | None) -> int:
    """Read the rest of a line, and return its length."""
    length = 0
    while block := file.readline(_BLOCK_BYTES):
        length += len(block)
        if digest is not None:
            digest.update(block)
        if block.endswith(b"\n"):
            break
    return length


def read_lines(path: Path, digest: Digest | None = None) -> Iterator[Line]:
    """Yield every line of ``path``, invalid lines with an error instead of a pair; see `raw_lines`."""
    for number, raw in raw_lines(path, digest):
        yield Line(path, number, b"", None, TOO_LONG) if raw is None else decode(raw, path, number)


class _Identity(msgspec.Struct):
    """A record of which only the id is decoded."""

    id: str


_IDENTITY = msgspec.json.Decoder(_Identity)


def read_id(raw: bytes, path: Path, number: int) -> str | None:
    """Return the id of a line without decoding the rest, or None if it is no record and no id can be read.

    The line need not be a record, but a record always has the id that this function returns.
    """
    try:
        return _IDENTITY.decode(raw).id
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        pair = decode(raw, path, number).pair
        return None if pair is None else pair.id


def decode(raw: bytes, path: Path, number: int) -> Line:
    """Decode one line; a line that is not JSON or not a record has an error instead of a pair."""
    try:
        return Line(path, number, raw, from_dict(orjson.loads(raw)), None)
    except orjson.JSONDecodeError as error:
        return Line(path, number, raw, None, f"not JSON: {single_line(str(error))}")
    except RecordError as error:
        return Line(path, number, raw, None, str(error))
    except RecursionError:
        return Line(path, number, raw, None, "nested too deeply")


def read_pairs(path: Path) -> Iterator[Pair]:
    """Yield the pairs of a JSONL file.

    Raises:
        RecordError: at the first invalid line, with file and line number.
    """
    for line in read_lines(path):
        yield line.checked()
