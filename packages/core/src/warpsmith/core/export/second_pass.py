"""The second pass: each pair becomes rows in the current file of its split."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import orjson

from warpsmith.core.datasets.manifest import file_digest
from warpsmith.core.export.export_manifest import ExportedFile
from warpsmith.core.export.export_request import Request
from warpsmith.core.export.token_counts import Length
from warpsmith.core.export.training_tasks import exchanges
from warpsmith.core.export.writers import Writer
from warpsmith.core.records.jsonl import Line
from warpsmith.core.records.pair import Pair


def _lengths(length: Length) -> dict[str, int]:
    return {"prompt_tokens": length.prompt, "answer_tokens": length.answer}


@dataclass(slots=True)
class _OpenFile:
    """A file that is being written, and the counts of its content."""

    path: Path
    split: str
    writer: Writer
    pairs: int = 0
    lines: int = 0

    def close(self) -> ExportedFile:
        """Write all pending rows, flush the file to the disk, and describe it."""
        self.writer.close()
        with self.path.open("rb") as file:
            os.fsync(file.fileno())
        return ExportedFile(
            file=self.path.name,
            split=self.split,
            pairs=self.pairs,
            lines=self.lines,
            bytes=self.path.stat().st_size,
            sha256=file_digest(self.path),
        )


@dataclass(slots=True)
class SplitContent:
    """The counts of what a split contains so far."""

    pairs: int = 0
    lines: int = 0
    categories: Counter[str] = field(default_factory=Counter)
    tasks: Counter[str] = field(default_factory=Counter)


class SplitWriters:
    """The files of an export while they are written.

    Args:
        folder: where they are.
        request: the export.
        texts: the texts that some of the pairs have.

    Attributes:
        files: descriptions of the finished files.
        splits: the content of each split so far.
        example: the first row.
    """

    def __init__(self, folder: Path, request: Request, texts: Collection[str]) -> None:
        self._folder, self._request, self._texts = folder, request, texts
        self._open: dict[str, _OpenFile] = {}
        self.files: list[ExportedFile] = []
        self.splits = {split: SplitContent() for split in request.fractions}
        self.example: bytes | None = None

    def put(self, line: Line, split: str, kept: Mapping[str, Length]) -> None:
        """Write the rows of one pair, of the tasks that are kept, with their lengths."""
        pair = line.checked()
        file = self._open.get(split) or self._new(split)
        tasks, rows = self._rows(line, pair, kept)
        self.example = self.example or next(iter(rows), None)
        for row in rows:
            file.writer.add(row)
        file.pairs += 1
        file.lines += len(rows)
        content = self.splits[split]
        content.pairs += 1
        content.lines += len(rows)
        content.categories[pair.metadata.category] += 1
        content.tasks.update(tasks)
        if file.pairs == self._request.shard_size:
            self.files.append(self._open.pop(split).close())

    def _rows(self, line: Line, pair: Pair, kept: Mapping[str, Length]) -> tuple[list[str], list[bytes]]:
        """Return the tasks of a pair and its rows."""
        row = self._request.form.row
        if row is None:
            return [], [line.raw if line.raw.endswith(b"\n") else line.raw + b"\n"]
        present = list(exchanges(pair, list(kept)))
        rows = [
            orjson.dumps({**row(pair, exchange), **_lengths(kept[exchange.task])}, option=orjson.OPT_APPEND_NEWLINE)
            for exchange in present
        ]
        return [exchange.task for exchange in present], rows

    def _new(self, split: str) -> _OpenFile:
        form = self._request.form
        number = sum(file.split == split for file in self.files)
        path = self._folder / f"{split}-{number:05}.{form.extension}"
        self._open[split] = _OpenFile(path, split, form.writer(path, self._texts))
        return self._open[split]

    def close(self) -> None:
        """Finish all files."""
        for file in self._open.values():
            self.files.append(file.close())
        self._open.clear()
        order = list(self.splits)
        self.files.sort(key=lambda file: (order.index(file.split), file.file))
