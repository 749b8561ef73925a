"""Readers of export files for tests, independent of the project's code."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet
import zstandard

SPLITS = ("train", "validation", "test")

Here = Callable[..., tuple[int, str, str]]


def rows_of(folder: Path, split: str) -> list[dict[str, Any]]:
    """Return the rows of a split, in the order of its files."""
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
    """Return the records of a dataset, in the order of its files."""
    return [json.loads(line) for path in sorted(folder.glob("pairs-*.jsonl")) for line in path.read_bytes().splitlines()]


def contents(folder: Path) -> dict[str, bytes]:
    """Return the files of a folder by name."""
    return {path.name: path.read_bytes() for path in folder.iterdir()}
