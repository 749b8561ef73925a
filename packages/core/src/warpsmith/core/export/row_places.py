"""Rows between the two passes of an export: the first pass writes them one after another, the second one copies them.

The splits are known only when all pairs were read. A row is made once, since a text about a kernel takes longer than the rest
of its export.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from warpsmith.core.files import storage


@dataclass(frozen=True, slots=True)
class Place:
    """Where a line of JSON is: the file, its first byte, and how many there are."""

    path: Path
    offset: int
    length: int


class RowFile:
    """A file to which the rows of some pairs are written; use it as a context."""

    def __init__(self, path: Path) -> None:
        self._path, self._offset = path, 0
        self._file: IO[bytes] | None = None

    def __enter__(self) -> RowFile:
        """Open the file."""
        self._file = self._path.open("wb")
        return self

    def __exit__(self, *_: object) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()

    def add(self, line: bytes) -> Place:
        """Write a line and return its place."""
        if self._file is None:
            raise ValueError("the file is not open")
        self._file.write(line)
        place = Place(self._path, self._offset, len(line))
        self._offset += len(line)
        return place


def lines_at(places: Iterable[Place]) -> Iterator[bytes]:
    """Yield the lines at some places; of places in the order of their files, one file is open at a time.

    Raises:
        TargetError: if a file cannot be read.
    """
    with ExitStack() as opened:
        path: Path | None = None
        for place in places:
            if place.path != path:
                opened.close()
                file = opened.enter_context(storage.reading(place.path))
                path = place.path
            file.seek(place.offset)
            line = file.read(place.length)
            yield line if line.endswith(b"\n") else line + b"\n"
