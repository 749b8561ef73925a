"""Files of an object store are read like local ones, line by line up to a length."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import pytest

from warpsmith.core.files import storage
from warpsmith.core.records.jsonl import raw_lines

spec = pytest.importorskip("fsspec.spec", reason="fsspec is not installed")


class Stored(spec.AbstractBufferedFile):  # type: ignore[misc, name-defined]
    """A file of a driver, as those of S3: its `readline` takes no length."""

    def __init__(self, content: bytes) -> None:
        self.content = content
        super().__init__(None, "stored", "rb", size=len(content), cache_type="bytes")

    def _fetch_range(self, start: int, end: int) -> bytes:
        return self.content[start:end]


class StoredPath:
    """A path in an object store with one file."""

    def __init__(self, content: bytes) -> None:
        self.content = content

    def open(self, _: str) -> Any:
        return Stored(self.content)


def test_lines_of_an_object_are_read() -> None:
    lines = [b'{"number": %d}\n' % number for number in range(50_000)]
    path = cast(Path, StoredPath(b"".join(lines)))
    assert not storage.is_local(path)
    assert [raw for _, raw in raw_lines(path)] == lines
