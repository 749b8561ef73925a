"""JSON lines: encoding, reading, and atomic writes."""

from __future__ import annotations

import contextlib
import fcntl
import os
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from warpsmith.core.datasets import storage
from warpsmith.core.errors import RecordError, TargetError, one_line
from warpsmith.core.records.pair import Pair, from_dict


def encode(value: Any) -> bytes:
    r"""Return ``value``, a dataclass or JSON values, as one line with its newline.

    The ``build`` of an argument is omitted where it is null. Replacing text is safe: ``build`` is the last key of an argument
    and follows a list, no other key of this name does, and quotes inside strings are escaped.

    Examples:
        >>> encode({"id": "2-2000-17"})
        b'{"id":"2-2000-17"}\n'
    """
    return orjson.dumps(value, option=orjson.OPT_APPEND_NEWLINE).replace(b'],"build":null}', b"]}")


def write_atomic(path: Path, content: bytes) -> None:
    """Write ``content`` such that ``path`` contains all of it or does not exist, even if the machine stops.

    Raises:
        TargetError: if the disk is full or the folder cannot be written; no incomplete file remains.
    """
    if not storage.is_local(path):
        storage.put(path, content)
        return
    temporary = path.with_name(f".{path.name}.{uuid.uuid4().hex}.tmp")  # unique among all machines that share the folder
    try:
        with temporary.open("wb") as file:
            fcntl.flock(file, fcntl.LOCK_EX)  # see `leftovers`
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise TargetError(f"cannot write {path}: {error.strerror}; free space or choose another folder") from error


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


def read_lines(path: Path) -> Iterator[Line]:
    """Yield every line of ``path``, invalid lines with an error instead of a pair; empty lines are skipped."""
    with path.open("rb") as file:
        for number, raw in enumerate(file, start=1):
            if raw.strip():
                yield decode(raw, path, number)


def decode(raw: bytes, path: Path, number: int) -> Line:
    """Decode one line; a line that is not JSON or not a record has an error instead of a pair."""
    try:
        return Line(path, number, raw, from_dict(orjson.loads(raw)), None)
    except orjson.JSONDecodeError as error:
        return Line(path, number, raw, None, f"not JSON: {one_line(str(error))}")
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
