"""The export formats: one row each. A new format is a new row, and a test of its rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from warpsmith.core.export.tasks import Exchange, chat, completion
from warpsmith.core.export.writers import CompressedLines, Lines, Parquet, Writer
from warpsmith.core.extras import EXPORT
from warpsmith.core.records.pair import Pair


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """One export format.

    Attributes:
        name: the value of ``--format``.
        extension: the extension of its files.
        writer: opens a file.
        row: returns the row of one exchange between user and model; None for formats whose rows are whole records.
        modules: the optional modules that the writer imports, all part of the extra `export`.
        help: the row's description in the help of the command.
        card: the start of the sentence "…, made of 1,000 pairs" in the dataset card.
        note: a further sentence for the dataset card.
    """

    name: str
    extension: str
    writer: Callable[[Path], Writer]
    row: Callable[[Pair, Exchange], dict[str, Any]] | None = None
    modules: tuple[str, ...] = ()
    help: str
    card: str = "Records, as `notes/schema.md` of warpsmith explains them"
    note: str = ""

    def require(self) -> None:
        """Check that the modules of the writer are installed.

        Raises:
            WarpsmithError: if one is not.
        """
        for module in self.modules:
            EXPORT.load(module)


FORMATS = {
    row.name: row
    for row in (
        Format(
            name="parquet",
            extension="parquet",
            writer=Parquet,
            modules=("pyarrow.parquet",),
            help="the records as a table, compressed by zstd; metadata.launch and metadata.module_options are JSON text",
            note="`metadata.launch` and `metadata.module_options` are JSON text.",
        ),
        Format(
            name="jsonl.zst",
            extension="jsonl.zst",
            writer=CompressedLines,
            modules=("zstandard",),
            help="the records unchanged, compressed by zstd",
        ),
        Format(
            name="jsonl",
            extension="jsonl",
            writer=Lines,
            help="the records unchanged",
        ),
        Format(
            name="chat",
            extension="jsonl.zst",
            writer=CompressedLines,
            row=chat,
            modules=("zstandard",),
            help='rows {"messages": [question, answer], "id", "task", "category"}, compressed by zstd',
            card="Exchanges of two messages (`messages`), a question and code that answers it",
        ),
        Format(
            name="completion",
            extension="jsonl.zst",
            writer=CompressedLines,
            row=completion,
            modules=("zstandard",),
            help='rows {"prompt", "completion", "id", "task", "category"}, compressed by zstd',
            card="Prompts and their completions (`prompt`, `completion`)",
        ),
    )
}
"""All formats by name."""

WITH_TASKS = " or ".join(name for name, form in FORMATS.items() if form.row is not None)
"""The formats whose rows are exchanges, for messages."""
