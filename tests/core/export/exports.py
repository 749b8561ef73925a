"""What the tests of exports share: a way to read their files that is not the project's own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow.parquet
import zstandard

SPLITS = ("train", "validation", "test")


def rows_of(folder: Path, split: str) -> list[dict[str, Any]]:
    """The rows of a split, in the order of its files."""
    return [row for path in sorted(folder.glob(f"{split}-*")) for row in _rows(path)]


def all_rows(folder: Path) -> list[dict[str, Any]]:
    return [row for split in SPLITS for row in rows_of(folder, split)]


def _rows(path: Path) -> list[dict[str, Any]]:
    if path.suffix == ".parquet":
        return pyarrow.parquet.read_table(path).to_pylist()
    content = path.read_bytes()
    if path.suffix == ".zst":
        with zstandard.ZstdDecompressor().stream_reader(content) as stream:
            content = stream.read()
    return [json.loads(line) for line in content.splitlines()]


def records_of(folder: Path) -> list[dict[str, Any]]:
    """The records of a dataset, in the order of its files."""
    return [json.loads(line) for path in sorted(folder.glob("pairs-*.jsonl")) for line in path.read_bytes().splitlines()]
