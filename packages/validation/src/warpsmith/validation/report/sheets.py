"""The sheet of a pair: its texts in coloured lines with a line map, compressed until the pair is opened.

The texts are not trusted, and the regular expressions of lexers can take any time on them: a sandboxed worker with a time limit
lays them out. A text on which it fails is shown without colours.
"""

from __future__ import annotations

import base64
import binascii
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TypedDict

import orjson

from warpsmith.core.errors import RecordError, SandboxError, WarpsmithError
from warpsmith.core.printable import printable
from warpsmith.core.records.ir import TARGETS
from warpsmith.core.records.jsonl import Line
from warpsmith.core.records.pair import Pair
from warpsmith.core.records.verdict import Verdict
from warpsmith.validation.report.code import (
    HighlightedLine,
    has_long_line,
    highlight_generated,
    highlight_python,
    is_coloured,
    plain_lines,
    shortened,
    statement_starts,
)
from warpsmith.validation.report.linemap import python_lines
from warpsmith.validation.report.texts import LONGEST_TEXT, MAX_LEVELS, label
from warpsmith.validation.sandbox.supervisor import WORKERS, Supervisor
from warpsmith.validation.sandbox.worker_tasks import repeated

NAMES = {"cpu": "C++", "cuda": "CUDA"}

SHEET = "warpsmith.validation.report.sheets:write_sheet"
"""The task of a worker, see `protocol.CHECK`."""

SHEET_SECONDS = 10.0
"""The time limit for one pair; it takes about 50 ms."""

MAX_FAILURES = 3
"""The number of pairs on which the worker may fail; further pairs are shown without colours."""

TOO_LONG = "The text is too long, or has too long lines, to be coloured as a whole."
FAILED = "The texts are shown without colours, because colouring them failed or took too long."

Reasons = Sequence[Sequence[str]]
"""The level, status and reason of each verdict."""


@dataclass(frozen=True, slots=True)
class PythonText:
    """The Python of a pair.

    Attributes:
        lines: the highlighted lines.
        heads: for each line, the number of the line on which its statement starts.
        cut: how many lines are omitted at the end.
    """

    lines: list[HighlightedLine]
    heads: list[int]
    cut: int


@dataclass(frozen=True, slots=True)
class GeneratedText:
    """The forward or backward code of a pair for one target.

    Attributes:
        lines: the highlighted lines.
        map: for each line, the number of the line of Python on which its statement starts; 0 if there is none.
        cut: how many lines are omitted at the end.
    """

    lines: list[HighlightedLine]
    map: list[int]
    cut: int


@dataclass(frozen=True, slots=True)
class TargetCode:
    """The code of a pair for one target: its name, and its forward and backward text, as far as the pair has them."""

    name: str
    parts: list[GeneratedText | None]


@dataclass(frozen=True, slots=True)
class Sheet:
    """The texts of a pair as the script of the page reads them, and a note on their colours.

    The order of the fields is the order in the JSON of the page.
    """

    python: PythonText
    code: list[TargetCode]
    verdicts: Reasons
    note: str


def sheet(pair: Pair, verdicts: Reasons, coloured: bool = True) -> Sheet:
    """Return the texts of a pair in lines, with the Python statement of each line of Python and of each generated line."""
    python, cut = shortened(pair.python_source)
    heads = statement_starts(python) if coloured else list(range(1, python.count("\n") + 2))
    shown = _visible(python)
    parts = {target: pair.code(target) for target in TARGETS[pair.metadata.device]}
    is_long = not is_coloured(python) or any(has_long_line(text) for texts in parts.values() for text in texts if text)
    return Sheet(
        PythonText(highlight_python(shown) if coloured else plain_lines(shown), heads, cut),
        [
            TargetCode(NAMES[target], [_part(text, python, heads, coloured) for text in texts])
            for target, texts in parts.items()
        ],
        verdicts,
        FAILED if not coloured else TOO_LONG if is_long else "",
    )


def _part(full_text: str | None, python: str, heads: Sequence[int], coloured: bool) -> GeneratedText | None:
    if full_text is None:
        return None
    text, cut = shortened(full_text)
    if not coloured:
        return GeneratedText(plain_lines(_visible(text)), [0] * (text.count("\n") + 1), cut)
    lines = python_lines(text.split("\n"), python.split("\n"))
    return GeneratedText(highlight_generated(_visible(text)), [heads[line - 1] if line else 0 for line in lines], cut)


def _visible(text: str) -> str:
    return printable(text, keep="\n\t")


def packed(content: Sheet) -> str:
    """Encode a sheet as JSON that a browser can decode without a library."""
    return base64.b64encode(zlib.compress(orjson.dumps(content), 9)).decode()


class PackedSheet(TypedDict):
    """The answer of a worker: a sheet as `packed` returns it."""

    sheet: str


def write_sheet(lines: Sequence[Line], verdicts: Reasons) -> PackedSheet:
    """Return the packed sheet of one line; this runs in a worker."""
    (line,) = lines
    return {"sheet": packed(sheet(line.checked(), verdicts))}


@dataclass(slots=True)
class SheetWriter:
    """Writes sheets in a sandboxed worker; use it as a context manager.

    Attributes:
        unconfined: whether to work without the parts of the sandbox that this system lacks.
        failures: the number of pairs on which the worker failed.
    """

    unconfined: bool = False
    failures: int = 0
    _worker: Supervisor = field(init=False)

    def __post_init__(self) -> None:
        self._worker = Supervisor((), WORKERS[self.unconfined])

    def __enter__(self) -> SheetWriter:
        return self

    def __exit__(self, *_: object) -> None:
        self._worker.close()

    def sheet(self, line: Line, verdicts: Sequence[Verdict]) -> str:
        """Return the packed sheet of a line that is a pair.

        Raises:
            RecordError: if it is none.
        """
        if line.pair is None:
            raise RecordError(f"{line.path}:{line.number}: {line.error}")
        reasons = [
            [label(verdict.level), verdict.status, label(verdict.reason, LONGEST_TEXT)] for verdict in verdicts[:MAX_LEVELS]
        ]
        if self.failures < MAX_FAILURES:
            try:
                answer = repeated(partial(self._worker.run_task, SHEET, [line], SHEET_SECONDS, verdicts=reasons))
                return _checked(answer.get("sheet"))
            except SandboxError:
                raise
            except (WarpsmithError, ValueError):
                self.failures += 1
        return packed(sheet(line.pair, reasons, coloured=False))


def _checked(text: object) -> str:
    """Return the packed sheet that a worker answered; it is Base64, which ends no element of the page.

    Raises:
        ValueError: if it is anything else.
    """
    if not isinstance(text, str):
        raise ValueError("not a sheet")  # noqa: TRY004 - the type of an answer is its value
    try:
        base64.b64decode(text, validate=True)
    except binascii.Error as error:
        raise ValueError("not a sheet") from error
    return text
