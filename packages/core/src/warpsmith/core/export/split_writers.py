"""The second pass: each pair becomes its lines, and these go into the files of its split, so many pairs a file."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson

from warpsmith.core.datasets.manifest import file_digest
from warpsmith.core.export.request import Request
from warpsmith.core.export.tasks import chat, completion, exchanges
from warpsmith.core.export.writers import WRITERS, Writer
from warpsmith.core.records.jsonl import Line
from warpsmith.core.records.pair import Pair


@dataclass(slots=True)
class _File:
    """One file: where it is, what is in it, and its writer while it is open."""

    path: Path
    split: str
    writer: Writer
    pairs: int = 0
    lines: int = 0

    def close(self) -> dict[str, Any]:
        """Write what is left, see to it that it is on the disk, and describe the file."""
        self.writer.close()
        with self.path.open("rb") as file:
            os.fsync(file.fileno())
        size, digest = self.path.stat().st_size, file_digest(self.path)
        return {
            "file": self.path.name,
            "split": self.split,
            "pairs": self.pairs,
            "lines": self.lines,
            "bytes": size,
            "sha256": digest,
        }


@dataclass(slots=True)
class Split:
    """What a split holds."""

    pairs: int = 0
    lines: int = 0
    clusters: int = 0
    share: float = 0.0
    categories: Counter[str] = field(default_factory=Counter)
    tasks: Counter[str] = field(default_factory=Counter)


class SplitWriters:
    """The files of an export while they are written.

    Attributes:
        files: descriptions of those that are finished.
        splits: what each split holds so far.
    """

    def __init__(self, folder: Path, request: Request) -> None:
        self._folder, self._request = folder, request
        self._open: dict[str, _File] = {}
        self.files: list[dict[str, Any]] = []
        self.splits = {split: Split() for split in request.fractions}

    def put(self, line: Line, split: str) -> None:
        """Write the lines of one pair."""
        pair = line.checked()
        file = self._open.get(split) or self._new(split)
        tasks, rows = self._rows(line, pair)
        for row in rows:
            file.writer.add(row)
        file.pairs += 1
        file.lines += len(rows)
        counts = self.splits[split]
        counts.pairs += 1
        counts.lines += len(rows)
        counts.categories[pair.metadata.category] += 1
        counts.tasks.update(tasks)
        if file.pairs == self._request.shard_size:
            self.files.append(self._open.pop(split).close())

    def _rows(self, line: Line, pair: Pair) -> tuple[list[str], list[bytes]]:
        if not self._request.tasks:
            return [], [line.raw if line.raw.endswith(b"\n") else line.raw + b"\n"]
        form = chat if self._request.form == "chat" else completion
        asked = list(exchanges(pair, self._request.tasks))
        rows = [orjson.dumps(form(pair, exchange), option=orjson.OPT_APPEND_NEWLINE) for exchange in asked]
        return [exchange.task for exchange in asked], rows

    def _new(self, split: str) -> _File:
        ending, writer = WRITERS[self._request.form]
        number = sum(entry["split"] == split for entry in self.files)
        path = self._folder / f"{split}-{number:05}.{ending}"
        self._open[split] = _File(path, split, writer(path))
        return self._open[split]

    def close(self) -> None:
        """Finish all files."""
        for file in self._open.values():
            self.files.append(file.close())
        self._open.clear()
        self.files.sort(key=lambda entry: (list(self.splits).index(entry["split"]), entry["file"]))
