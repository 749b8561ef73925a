"""Files of rows, one writer for each way to pack them; the same rows give the same bytes.

The extra ``warpsmith-synthesis[export]`` brings pyarrow and zstandard.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

import orjson

from warpsmith.core.errors import WarpsmithError
from warpsmith.core.export.request import Format
from warpsmith.core.similarity import minhash

MISSING = "export needs the extra: pip install 'warpsmith-synthesis[export]'"

LEVEL = 10
"""Of zstd: half as fast as its default of 3, and a tenth smaller."""

ROW_GROUP = 1000
"""Rows that a reader of Parquet takes in at once."""

AS_JSON = ("launch", "module_options")
"""Fields of `metadata` whose form differs from pair to pair: columns of JSON text."""


def require() -> None:
    """Check that the libraries are there.

    Raises:
        WarpsmithError: if they are not.
    """
    _arrow()
    _zstandard()
    if not minhash.available():
        raise WarpsmithError(f"{MISSING} (rensa is not there)")


def _arrow() -> Any:
    try:
        import pyarrow as pa
        import pyarrow.parquet
    except ImportError as error:
        raise WarpsmithError(f"{MISSING} ({error})") from None
    return pa


def _zstandard() -> Any:
    try:
        import zstandard
    except ImportError as error:
        raise WarpsmithError(f"{MISSING} ({error})") from None
    return zstandard


class Writer(Protocol):
    """Takes lines of JSON, each with its newline, and has written them when it is closed."""

    def add(self, line: bytes) -> None:
        """Take one line."""

    def close(self) -> None:
        """Write what is left."""


class Lines:
    """JSON lines as they are."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("wb")

    def add(self, line: bytes) -> None:
        """Take one line."""
        self._file.write(line)

    def close(self) -> None:
        """Write what is left."""
        self._file.close()


class PackedLines:
    """JSON lines, packed by zstd."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("wb")
        self._stream = _zstandard().ZstdCompressor(level=LEVEL, write_checksum=True).stream_writer(self._file)

    def add(self, line: bytes) -> None:
        """Take one line."""
        self._stream.write(line)

    def close(self) -> None:
        """Write what is left."""
        self._stream.close()


class Parquet:
    """Records as a table: the texts, and the members of `metadata` as columns of a struct."""

    def __init__(self, path: Path) -> None:
        pa = _arrow()
        self._schema = _schema(pa)
        self._table = pa.Table.from_pylist
        self._writer = pa.parquet.ParquetWriter(path, self._schema, compression="zstd", compression_level=LEVEL)
        self._rows: list[dict[str, Any]] = []

    def add(self, line: bytes) -> None:
        """Take one line."""
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
        """Write what is left."""
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


def _schema(pa: Any) -> Any:
    """The columns of a record, in its order; said rather than inferred, so that all files of a dataset agree."""
    types = {"string": pa.string(), "bool": pa.bool_(), "int32": pa.int32(), "int64": pa.int64(), "list": pa.list_(pa.string())}
    metadata = pa.struct([pa.field(name, types[kind]) for name, kind in _METADATA.items()])
    return pa.schema([*(pa.field(name, pa.string()) for name in _TEXTS), pa.field("metadata", metadata)])


WRITERS: dict[Format, tuple[str, Callable[[Path], Writer]]] = {
    "parquet": ("parquet", Parquet),
    "jsonl.zst": ("jsonl.zst", PackedLines),
    "jsonl": ("jsonl", Lines),
    "chat": ("jsonl.zst", PackedLines),
    "completion": ("jsonl.zst", PackedLines),
}
"""The ending of the files of each format, and what writes them."""
