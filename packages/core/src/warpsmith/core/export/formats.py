"""The export formats: one row each. A new format is a new row, and a test of its rows."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from warpsmith.core.export.judged_prompts import JudgedPromptRow, judged_prompt
from warpsmith.core.export.training_tasks import ChatRow, CompletionRow, Exchange, chat, completion
from warpsmith.core.export.writers import CHAT, COMPLETION, PROMPT, CompressedLines, Lines, Writer, record_table, row_table
from warpsmith.core.extras import EXPORT
from warpsmith.core.records.pair import Pair


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """One export format.

    Attributes:
        name: the value of ``--format``.
        extension: the extension of its files.
        writer: opens a file for pairs some of which have the texts with these names.
        row: returns the row of one exchange between user and model; None for formats whose rows are whole records.
        modules: the optional modules that the writer imports, all part of the extra `export`.
        help: the row's description in the help of the command.
        card: the start of the sentence "…, made of 1,000 pairs" in the dataset card.
        note: a further sentence for the dataset card.
    """

    name: str
    extension: str
    writer: Callable[[Path, Collection[str]], Writer]
    row: Callable[[Pair, Exchange], ChatRow | CompletionRow | JudgedPromptRow] | None = None
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


_CHATS = "Exchanges of messages (`messages`): a question, after a system message in most rows, and code that answers it"
_COMPLETIONS = "Prompts and their completions (`prompt`, `completion`)"
_PACKED = "reading needs: pip install zstandard"
_TO_READ = "To load the files, install `zstandard` beside `datasets`."
_INFERRED = "`datasets` infers columns from the first rows, and fails if later ones differ: `--format parquet` declares them."

FORMATS = {
    row.name: row
    for row in (
        Format(
            name="parquet",
            extension="parquet",
            writer=record_table,
            modules=("pyarrow.parquet",),
            help="the records as a table; metadata.launch and metadata.module_options are JSON text",
            note="`metadata.launch` and `metadata.module_options` are JSON text.",
        ),
        Format(
            name="chat",
            extension="parquet",
            writer=partial(row_table, CHAT),
            row=chat,
            modules=("pyarrow.parquet",),
            help='rows {"messages": [system, question, answer], "id", "task", "category"}',
            card=_CHATS,
        ),
        Format(
            name="completion",
            extension="parquet",
            writer=partial(row_table, COMPLETION),
            row=completion,
            modules=("pyarrow.parquet",),
            help='rows {"prompt", "completion", "id", "task", "category"}',
            card=_COMPLETIONS,
        ),
        Format(
            name="prompt",
            extension="parquet",
            writer=partial(row_table, PROMPT),
            row=judged_prompt,
            modules=("pyarrow.parquet",),
            help='rows {"prompt": [question], "id", "task", "category", …}, for reinforcement learning',
            card="Questions without answers (`prompt`); `pair` is the record, by which `warpsmith.scoring` judges answers",
        ),
        Format(
            name="jsonl",
            extension="jsonl",
            writer=Lines,
            help="the records unchanged, for tools that read JSON lines",
            note=_INFERRED,
        ),
        Format(
            name="jsonl.zst",
            extension="jsonl.zst",
            writer=CompressedLines,
            modules=("zstandard",),
            help=f"the same, compressed; {_PACKED}",
            note=f"{_INFERRED} {_TO_READ}",
        ),
        Format(
            name="chat.zst",
            extension="jsonl.zst",
            writer=CompressedLines,
            row=chat,
            modules=("zstandard",),
            help=f"the rows of chat as compressed JSON lines; {_PACKED}",
            card=_CHATS,
            note=_TO_READ,
        ),
        Format(
            name="completion.zst",
            extension="jsonl.zst",
            writer=CompressedLines,
            row=completion,
            modules=("zstandard",),
            help=f"the rows of completion as compressed JSON lines; {_PACKED}",
            card=_COMPLETIONS,
            note=_TO_READ,
        ),
    )
}
"""All formats by name."""

WITH_TASKS = " or ".join(name for name, form in FORMATS.items() if form.row is not None)
"""The formats whose rows are exchanges, for messages."""
