"""Completions: the texts that a model writes for tasks, and the code that counts as the answer in such a text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from warpsmith.core.errors import RecordError
from warpsmith.scoring.policy.violation import Violation
from warpsmith.scoring.tasks.json_rows import encode_any_text, loads_any_text, read_rows, text_of

MAX_LENGTH = 2_000_000
"""The longest completion, in characters, with its prose; answers have lower limits."""

MARKS = {
    "cuda": ("cuda", "cu", "cpp", "c++", "cxx", "c"),
    "python": ("python", "py", "python3"),
}
"""The words behind an opening fence that mark a language, by the language of a task; the first one is the one of prompts."""

_OPENING = re.compile(r"(?P<indent> *)(?P<fence>`{3,}(?=[^`]*$)|~{3,})(?P<info>.*)", re.DOTALL)
"""A line that opens a fenced block, as in CommonMark: backticks behind the fence make the line inline code instead. Fences may
be indented as in lists."""

_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Completion:
    """One row of a completions file.

    Attributes:
        task_id: the id of the task.
        completion: what the model wrote, with or without prose.
        line: the number of the line in the file.
        row: all fields of the row as JSON values, which results repeat.
    """

    task_id: str
    completion: str
    line: int
    row: Mapping[str, object] = field(default_factory=dict)


def read_completions(path: Path) -> Iterator[Completion]:
    """Yield the completions of a JSONL file.

    Raises:
        TargetError: if the file cannot be read.
        RecordError: at the first line that is no completion, with file and line number.
    """
    for number, row in read_rows(path, loads_any_text):
        try:
            encode_any_text(row)  # results repeat it, and a row that can be read may be nested too deeply to be written
            completion = Completion(text_of(row, "task_id"), text_of(row, "completion"), number, row)
        except RecordError as error:
            raise RecordError(f"{path}:{number}: {error}") from None
        yield completion


def checked_answer(completion: object, language: str) -> str:
    """Return the answer in a completion, see `answer`.

    Raises:
        Violation: if the completion is no text or too long, or the answer contains a lone surrogate, which no file can contain.
    """
    if not isinstance(completion, str):
        raise Violation(f"the completion is no text: its type is {type(completion).__name__}")
    if len(completion) > MAX_LENGTH:
        raise Violation(f"the completion has {len(completion):,} characters, more than {MAX_LENGTH:,}")
    text = answer(completion, language)
    if (surrogate := _SURROGATE.search(text)) is not None:
        line = text.count("\n", 0, surrogate.start()) + 1
        raise Violation.at(line, f"the lone surrogate U+{ord(surrogate[0]):X} is no character")
    return text


def answer(completion: str, language: str) -> str:
    r"""Return the code in a completion: its last fenced block of the language, or of no language.

    A completion without any fence is code as a whole. If all blocks are of other languages, the answer is empty. A block
    without a closing fence ends with the completion.

    Args:
        completion: what the model wrote.
        language: the language of the task, one of `MARKS`.

    Examples:
        >>> answer("First:\n```python\nx = 1\n```\nBetter:\n```python\nx = 2\n```\n", "python")
        'x = 2\n'
        >>> answer("x = 3\n", "python")
        'x = 3\n'
    """
    blocks = list(_blocks(completion))
    if not blocks:
        return completion
    return next((text for mark, text in reversed(blocks) if not mark or mark in MARKS[language]), "")


def _blocks(text: str) -> Iterator[tuple[str, str]]:
    """Yield the mark and the content of each fenced block, by the rules of CommonMark for the block that contains the fence."""
    lines = iter(_lines(text))
    for line in lines:
        opening = _OPENING.fullmatch(line.rstrip("\r\n"))
        if opening is None:
            continue
        fence, indent = opening["fence"], len(opening["indent"])
        closing = re.compile(rf" {{0,{indent + 3}}}{fence[0]}{{{len(fence)},}}[ \t]*")
        content = []
        for inner in lines:
            if closing.fullmatch(inner.rstrip("\r\n")):
                break
            content.append(inner[min(indent, len(inner) - len(inner.lstrip(" "))) :])
        yield _mark(opening["info"]), "".join(content)


def _lines(text: str) -> list[str]:
    """Return the lines with their ends; `str.splitlines` would also split at characters that strings of code may contain."""
    return re.findall(r"[^\n]*\n|[^\n]+", text)


def _mark(info: str) -> str:
    """Return the first word behind a fence, in lower case, also of forms such as ``{.python}``."""
    words = info.replace("{", " ").replace("}", " ").split()
    return words[0].lstrip(".").lower() if words else ""
