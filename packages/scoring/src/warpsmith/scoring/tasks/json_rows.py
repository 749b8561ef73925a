"""Rows of tasks, completions and results: JSON objects, one a line."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import orjson

from warpsmith.core.errors import RecordError, single_line
from warpsmith.core.records.encoding import encode
from warpsmith.core.records.jsonl import TOO_LONG, raw_lines


def read_rows(path: Path, loads: Callable[[bytes], object] = orjson.loads) -> Iterator[tuple[int, Mapping[str, object]]]:
    """Yield the number and the object of every line that is not empty.

    Args:
        path: the file.
        loads: reads the JSON of a line, `orjson.loads` or `loads_any_text`.

    Raises:
        TargetError: if the file cannot be read.
        RecordError: at the first line that is no JSON object, with file and line number.
    """
    for number, raw in raw_lines(path):
        if raw is None:
            raise RecordError(f"{path}:{number}: {TOO_LONG}")
        try:
            row = loads(raw)
        except orjson.JSONDecodeError as error:
            raise RecordError(f"{path}:{number}: not JSON: {single_line(str(error))}") from None
        except RecursionError:
            raise RecordError(f"{path}:{number}: nested too deeply") from None
        if not isinstance(row, dict):
            raise RecordError(f"{path}:{number}: not a JSON object")
        yield number, row


def loads_any_text(raw: bytes) -> object:
    r"""Return JSON whose texts may contain lone surrogates, as those of a model that was cut within a character.

    Raises:
        orjson.JSONDecodeError: if the line is no JSON.

    Examples:
        >>> loads_any_text(b'"\\ud83d"')
        '\ud83d'
    """
    try:
        content: object = orjson.loads(raw)
    except orjson.JSONDecodeError as error:
        try:
            content = json.loads(raw.decode("utf-8", "surrogatepass"), parse_constant=_no_json)
        except (ValueError, RecursionError):
            raise error from None
    return content


def _no_json(constant: str) -> float:
    raise ValueError(constant)


def encode_any_text(row: Mapping[str, object]) -> bytes:
    """Return a row as one line with its newline; lone surrogates are escaped.

    Raises:
        RecordError: if the row is nested too deeply.
    """
    try:
        return encode(row)
    except TypeError:
        pass
    try:
        return f"{json.dumps(row, separators=(',', ':'), allow_nan=False)}\n".encode()
    except (ValueError, RecursionError):
        raise RecordError("nested too deeply") from None


def text_of(row: Mapping[str, object], field: str) -> str:
    """Return a field of a row that has to be a text.

    Raises:
        RecordError: if it is missing or no text.
    """
    value = row.get(field)
    if not isinstance(value, str):
        raise RecordError(f"{field} is not a text" if field in row else f"{field} is missing")
    return value
