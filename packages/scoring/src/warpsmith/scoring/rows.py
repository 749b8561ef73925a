"""Rows of tasks and of completions: JSON objects, one a line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson

from warpsmith.core.errors import RecordError, one_line
from warpsmith.core.records.jsonl import TOO_LONG, raw_lines


def read_rows(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the number and the object of every line that is not empty.

    Raises:
        TargetError: if the file cannot be read.
        RecordError: at the first line that is no JSON object, with file and line number.
    """
    for number, raw in raw_lines(path):
        if raw is None:
            raise RecordError(f"{path}:{number}: {TOO_LONG}")
        try:
            row = orjson.loads(raw)
        except orjson.JSONDecodeError as error:
            raise RecordError(f"{path}:{number}: not JSON: {one_line(str(error))}") from None
        except RecursionError:
            raise RecordError(f"{path}:{number}: nested too deeply") from None
        if not isinstance(row, dict):
            raise RecordError(f"{path}:{number}: not a JSON object")
        yield number, row


def text_of(row: dict[str, Any], field: str) -> str:
    """Return a field of a row that has to be a text.

    Raises:
        RecordError: if it is missing or no text.
    """
    value = row.get(field)
    if not isinstance(value, str):
        raise RecordError(f"{field} is not a text" if field in row else f"{field} is missing")
    return value
