"""Rows between the two passes of an export: the first pass writes them one after another, the second one copies them.

The splits are known only when all pairs were read. A row is made once, since a text about a kernel takes longer than the rest
of its export.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
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


@dataclass(frozen=True, slots=True)
class RowFile:
    """An open file to which the rows of some pairs are written."""

    path: Path
    file: IO[bytes]

    def add(self, line: bytes) -> Place:
        """Write a line and return its place."""
        place = Place(self.path, self.file.tell(), len(line))
        self.file.write(line)
        return place


@contextmanager
def row_file(path: Path) -> Iterator[RowFile]:
    """Open a new file of rows."""
    with path.open("wb") as file:
        yield RowFile(path, file)


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
