"""The texts of a benchmark file: of JSON, JSON lines, Parquet, a notebook, or any text."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson

from warpsmith.core.errors import TargetError
from warpsmith.core.export.embedded_code import strings_of
from warpsmith.core.extras import Extra

PARQUET = Extra("warpsmith-core[export]", "--exclude with a Parquet file")

JSON_LINES, JSON = (".jsonl", ".ndjson"), (".json", ".ipynb")

_ROWS = 1000
"""How many rows of a Parquet file are read at once."""


def texts_of(path: Path) -> Iterator[str]:
    """Yield the texts of a file: every string of JSON, JSON lines and Parquet, and the whole content of any other file.

    Raises:
        TargetError: if the file is not text, or not the JSON or the Parquet that its name states.
        WarpsmithError: if the extra for Parquet is not installed.
    """
    suffix = path.suffix.lower()
    if suffix in (".parquet", ".pq"):
        yield from _texts_of_parquet(path)
        return
    content = _content(path)
    if suffix in JSON_LINES:
        for number, line in enumerate(content.split("\n"), start=1):
            if line.strip():
                yield from strings_of(_json(line, f"{path}:{number}", "repair or remove the line"))
    elif suffix in JSON:
        value = _json(content, str(path), "repair the file, or name it .txt")
        yield from strings_of(value)
        if suffix == ".ipynb":
            yield from _cells(value)
    else:
        yield content


def _content(path: Path) -> str:
    try:
        raw = path.read_bytes()
        is_wide = raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
        return raw.decode("utf-16" if is_wide else "utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise TargetError(f"cannot read {path} as text ({error}): name Python, CUDA, plain text, JSON or Parquet") from error


def _json(text: str, where: str, advice: str) -> Any:
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise TargetError(f"{where}: not JSON ({error}): {advice}") from error


def _cells(notebook: Any) -> Iterator[str]:
    """Yield the sources of a notebook's cells, which are lists of lines."""
    cells = notebook.get("cells") if isinstance(notebook, dict) else None
    for cell in cells if isinstance(cells, list) else ():
        source = cell.get("source") if isinstance(cell, dict) else None
        if isinstance(source, list):
            yield "".join(line for line in source if isinstance(line, str))


def _texts_of_parquet(path: Path) -> Iterator[str]:
    parquet, arrow = PARQUET.load("pyarrow.parquet"), PARQUET.load("pyarrow")
    try:
        with parquet.ParquetFile(path) as file:
            for batch in file.iter_batches(_ROWS):
                yield from strings_of(batch.to_pylist())
    except (OSError, arrow.ArrowException) as error:
        raise TargetError(f"cannot read {path} as Parquet ({error}): name a Parquet file, or rename it") from error
