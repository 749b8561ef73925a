"""The writers of export files, one for each container format; the same rows give the same bytes."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any, Protocol

import orjson

from warpsmith.core.extras import EXPORT

LEVEL = 10
"""The zstd level: half the speed of the default, 3, for files that are a tenth smaller."""

ROW_GROUP = 1000
"""The most rows that a reader of Parquet loads at once."""

ROW_GROUP_BYTES = 128 << 20
"""The most bytes of rows, as JSON, in a group of several; the viewer of the Hugging Face hub reads groups of up to 286 MiB."""

AS_JSON = ("launch", "module_options", "ptx")
"""Fields of `metadata` whose form differs from pair to pair; they become columns of JSON text."""


class Writer(Protocol):
    """An open file of JSON lines; `close` writes all pending rows."""

    def add(self, line: bytes) -> None:
        """Add one line of JSON with its newline."""

    def close(self) -> None:
        """Write all pending rows and close the file."""


class Lines:
    """JSON lines, unchanged."""

    def __init__(self, path: Path, _texts: Collection[str] = ()) -> None:
        self._file = path.open("wb")

    def add(self, line: bytes) -> None:
        """Add one line of JSON with its newline."""
        self._file.write(line)

    def close(self) -> None:
        """Close the file."""
        self._file.close()


class CompressedLines:
    """JSON lines, compressed by zstd."""

    def __init__(self, path: Path, _texts: Collection[str] = ()) -> None:
        compressor = EXPORT.load("zstandard").ZstdCompressor(level=LEVEL, write_checksum=True)
        self._stream = compressor.stream_writer(path.open("wb"))  # closing the stream closes the file

    def add(self, line: bytes) -> None:
        """Add one line of JSON with its newline."""
        self._stream.write(line)

    def close(self) -> None:
        """Write the end of the stream and close the file."""
        self._stream.close()


class Parquet:
    """Rows as a table, with a page index, so that readers can skip to single rows.

    Args:
        path: the new file.
        columns: the columns by name. Each is the name of a type, a dict of members, or a list of one element's type.
    """

    def __init__(self, path: Path, columns: Columns) -> None:
        arrow = EXPORT.load("pyarrow")
        self._schema = arrow.schema([arrow.field(name, _type(arrow, column)) for name, column in columns.items()])
        self._table = arrow.Table.from_pylist
        self._writer = EXPORT.load("pyarrow.parquet").ParquetWriter(
            path, self._schema, compression="zstd", compression_level=LEVEL, write_page_index=True
        )
        self._rows: list[dict[str, Any]] = []
        self._bytes = 0

    def add(self, line: bytes) -> None:
        """Add one line of JSON with its newline."""
        if self._bytes + len(line) > ROW_GROUP_BYTES:
            self._write()
        row = orjson.loads(line)
        for field in AS_JSON if "metadata" in row else ():
            if (value := row["metadata"].get(field)) is not None:
                row["metadata"][field] = orjson.dumps(value).decode()
        self._rows.append(row)
        self._bytes += len(line)
        if len(self._rows) == ROW_GROUP:
            self._write()

    def _write(self) -> None:
        if self._rows:
            self._writer.write_table(self._table(self._rows, schema=self._schema))
        self._rows.clear()
        self._bytes = 0

    def close(self) -> None:
        """Write all pending rows and close the file."""
        self._write()
        self._writer.close()


Columns = Mapping[str, Any]
"""The columns of a table; declared, not inferred, so that all files have the same types."""

RECORD: Columns = {
    "id": "string", "python_source": "string", "cpp_forward": "string", "cpp_backward": "string",
    "cuda_ir_forward": "string", "cuda_ir_backward": "string",
    "metadata": {
        "kernel_name": "string", "category": "string", "device": "string", "ir_type": "string",
        "has_backward": "bool", "codegen_only": "bool", "cuda_available": "bool", "seed": "int64", "index": "int64",
        "launch": "string", "features": ["string"], "description": "string", "structure": "string", "module_options": "string",
        "warp_version": "string", "generator_version": "string", "schema_version": "int32",
        "domain": "string", "ideas": ["string"],
    },
}  # fmt: skip
"""The fields of a record, in their order."""

ADDED: tuple[tuple[Columns, Columns], ...] = (
    ({"ptx_forward": "string", "ptx_backward": "string"}, {"ptx": "string"}),
    ({"cuda_plain": "string"}, {"plain": {"launches": "int32", "problem": "string", "reason": "string"}}),
)
"""Texts that the records of most datasets lack, and members of `metadata` about them.

A table has columns for them if some records have the texts.
"""


def row_table(columns: Columns, path: Path, _texts: Collection[str]) -> Parquet:
    """Open a table of rows of exchanges."""
    return Parquet(path, columns)


def record_table(path: Path, texts: Collection[str]) -> Parquet:
    """Open a table of records.

    Args:
        path: the new file.
        texts: the texts that some of the records have.
    """
    columns, members = {name: column for name, column in RECORD.items() if name != "metadata"}, dict(RECORD["metadata"])
    for added, added_members in ADDED:
        if not added.keys().isdisjoint(texts):
            columns |= added
            members |= added_members
    return Parquet(path, {**columns, "metadata": members})


_ORIGIN = {"id": "string", "task": "string", "category": "string"}
_MESSAGES = [{"role": "string", "content": "string"}]

_LENGTHS = {"prompt_tokens": "int32", "answer_tokens": "int32"}

CHAT: Columns = {"messages": _MESSAGES, **_ORIGIN, **_LENGTHS}
COMPLETION: Columns = {"prompt": "string", "completion": "string", **_ORIGIN, **_LENGTHS}
PROMPT: Columns = {
    "prompt": _MESSAGES, **_ORIGIN, "task_id": "string", "entry_point": "string", "pair": "string", **_LENGTHS
}  # fmt: skip


def _type(arrow: Any, column: Any) -> Any:
    if isinstance(column, list):
        return arrow.list_(_type(arrow, column[0]))
    if isinstance(column, dict):
        return arrow.struct([arrow.field(name, _type(arrow, member)) for name, member in column.items()])
    return {"string": arrow.string, "bool": arrow.bool_, "int32": arrow.int32, "int64": arrow.int64}[column]()
