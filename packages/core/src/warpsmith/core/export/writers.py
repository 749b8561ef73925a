"""The writers of export files, one for each container format; the same rows give the same bytes."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Protocol

import orjson

from warpsmith.core.extras import EXPORT

LEVEL = 10
"""The zstd level: half the speed of the default, 3, for files that are a tenth smaller."""

ROW_GROUP = 1000
"""The number of rows that a reader of Parquet loads at once."""

AS_JSON = ("launch", "module_options")
"""Fields of `metadata` whose form differs from pair to pair; they become columns of JSON text."""


class Writer(Protocol):
    """An open file of JSON lines; `close` writes all pending rows."""

    def add(self, line: bytes) -> None:
        """Add one line of JSON with its newline."""

    def close(self) -> None:
        """Write all pending rows and close the file."""


class Lines:
    """JSON lines, unchanged."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("wb")

    def add(self, line: bytes) -> None:
        """Add one line of JSON with its newline."""
        self._file.write(line)

    def close(self) -> None:
        """Close the file."""
        self._file.close()


class CompressedLines:
    """JSON lines, compressed by zstd."""

    def __init__(self, path: Path) -> None:
        compressor = EXPORT.load("zstandard").ZstdCompressor(level=LEVEL, write_checksum=True)
        self._stream = compressor.stream_writer(path.open("wb"))  # closing the stream closes the file

    def add(self, line: bytes) -> None:
        """Add one line of JSON with its newline."""
        self._stream.write(line)

    def close(self) -> None:
        """Write the end of the stream and close the file."""
        self._stream.close()


class Parquet:
    """Records as a table: a column for each text, and a struct column for `metadata`."""

    def __init__(self, path: Path) -> None:
        arrow = EXPORT.load("pyarrow")
        self._schema = _schema(arrow)
        self._table = arrow.Table.from_pylist
        self._writer = EXPORT.load("pyarrow.parquet").ParquetWriter(
            path, self._schema, compression="zstd", compression_level=LEVEL
        )
        self._rows: list[dict[str, Any]] = []

    def add(self, line: bytes) -> None:
        """Add one line of JSON with its newline."""
        row = orjson.loads(line)
        for field in AS_JSON:
            if (value := row["metadata"][field]) is not None:
                row["metadata"][field] = orjson.dumps(value).decode()
        self._rows.append(row)
        if len(self._rows) == ROW_GROUP:
            self._write()

    def _write(self) -> None:
        self._writer.write_table(self._table(self._rows, schema=self._schema))
        self._rows.clear()

    def close(self) -> None:
        """Write all pending rows and close the file."""
        if self._rows:
            self._write()
        self._writer.close()


_TEXTS = ("id", "python_source", "cpp_forward", "cpp_backward", "cuda_ir_forward", "cuda_ir_backward")

_METADATA = {
    "kernel_name": "string", "category": "string", "device": "string", "ir_type": "string",
    "has_backward": "bool", "codegen_only": "bool", "cuda_available": "bool", "seed": "int64", "index": "int64",
    "launch": "string", "features": "list", "description": "string", "structure": "string", "module_options": "string",
    "warp_version": "string", "generator_version": "string", "schema_version": "int32",
}  # fmt: skip


def _schema(arrow: Any) -> Any:
    """Return the columns of a record in its field order; declared, not inferred, so that all files have the same types."""
    types = {
        "string": arrow.string(),
        "bool": arrow.bool_(),
        "int32": arrow.int32(),
        "int64": arrow.int64(),
        "list": arrow.list_(arrow.string()),
    }
    metadata = arrow.struct([arrow.field(name, types[column]) for name, column in _METADATA.items()])
    return arrow.schema([*(arrow.field(name, arrow.string()) for name in _TEXTS), arrow.field("metadata", metadata)])
