"""Completions: the texts that a model writes for tasks, and the code that counts as the answer in such a text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from warpsmith.core.errors import RecordError
from warpsmith.core.records import text_format
from warpsmith.core.records.fenced_blocks import blocks, normalized, without_thoughts
from warpsmith.scoring.policy.violation import Violation
from warpsmith.scoring.tasks.json_rows import encode_any_text, loads_any_text, read_rows, text_of

MAX_LENGTH = 2_000_000
"""The longest completion, in characters, with its prose; answers have lower limits."""

MARKS = {
    "cuda": ("cuda", "cu", "cpp", "c++", "cxx", "c"),
    "python": ("python", "py", "python3"),
}
"""The words behind an opening fence that mark a language, by the language of a task; the first one is the one of prompts."""

_MARKS_READ = {
    "cuda": re.compile(
        r"(?:nvidia[-_])?cu(?:da|h)?(?:[-_/]?(?:cc?|cpp|cxx|c\+\+))?\d*|(?:cc?|cpp|cxx|c\+\+|h|hh|hpp|hxx)[-_]?\d*"
    ),
    "python": re.compile(r"(?:python|py)[-_]?[\d.]*|(?:python|py)[-_]warp|warp"),
}
"""Patterns of all marks that are accepted, by the language of a task: `MARKS`, and others that models write."""

_PARAMETERS = r"\([^(){};]*(?:\([^(){};]*\)[^(){};]*)*\)"
"""The parameters of a C++ function."""

_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Completion:
    """One row of a completions file.

    Attributes:
        task_id: the id of the task.
        completion: what the model wrote, with or without prose; None if there is no text.
        line: the number of the line in the file.
        row: all fields of the row as JSON values, which results repeat.
    """

    task_id: str
    completion: str | None
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
            text = None if row.get("completion", "") is None else text_of(row, "completion")
            completion = Completion(text_of(row, "task_id"), text, number, row)
        except RecordError as error:
            raise RecordError(f"{path}:{number}: {error}") from None
        yield completion


def checked_answer(completion: object, language: str, entry_point: str = "") -> str:
    """Return the answer in a completion, see `answer`.

    Raises:
        Violation: if the completion is no text or too long, or the answer contains a lone surrogate, which no file can contain.
    """
    if not isinstance(completion, str):
        raise Violation(f"the completion is no text: its type is {type(completion).__name__}")
    if len(completion) > MAX_LENGTH:
        raise Violation(f"the completion has {len(completion):,} characters, more than {MAX_LENGTH:,}")
    text = answer(completion, language, entry_point)
    if (surrogate := _SURROGATE.search(text)) is not None:
        line = text.count("\n", 0, surrogate.start()) + 1
        raise Violation.at(line, f"the lone surrogate U+{ord(surrogate[0]):X} is no character")
    return text


def answer(completion: str, language: str, entry_point: str = "") -> str:
    r"""Return the code in a completion: the last fenced block of the language, or of no language, that defines the entry point.

    If no block defines it, the last one counts. A completion without any fence is code as a whole. If all blocks are of other
    languages, the answer is empty. A block without a closing fence ends with the completion. Thoughts never count, see
    `without_thoughts`. Line ends are those of Unix, and byte order marks are removed.

    Args:
        completion: what the model wrote.
        language: the language of the task, one of `MARKS`.
        entry_point: the name of the function that the answer defines; empty if the last block counts.

    Examples:
        >>> answer("First:\n```python\nx = 1\n```\nBetter:\n```python\nx = 2\n```\n", "python")
        'x = 2\n'
        >>> answer("```python\ndef k(): ...\n```\nUse it:\n```python\nk()\n```\n", "python", "k")
        'def k(): ...\n'
        >>> answer("x = 3\n", "python")
        'x = 3\n'
    """
    lines = without_thoughts(normalized(completion))
    found = list(blocks(lines))
    if not found:
        return "".join(lines)
    fitting = [block.text for block in found if not block.mark or is_marked(block.mark, language)]
    defining = (text for text in reversed(fitting) if entry_point and defines(text, language, entry_point))
    return next(defining, fitting[-1] if fitting else "")


def is_marked(mark: str, language: str) -> bool:
    """Return whether a mark in lower case names a language, or a file of it.

    Examples:
        >>> [is_marked(mark, "cuda") for mark in ("cuda-cpp", "c++17", "kernel.cu", "python")]
        [True, True, True, False]
    """
    return any(_MARKS_READ[language].fullmatch(word) for word in (mark, mark.rpartition(".")[2]))


def defines(text: str, language: str, name: str) -> bool:
    """Return whether a text defines a function, rather than declaring or calling it.

    Examples:
        >>> [defines(text, "cuda", "k") for text in ("void k(int n) {}", "void k(int n);", "k<<<1, 1>>>(n);", "// k(n) {")]
        [True, False, False, False]
    """
    if language == "python":
        return re.search(rf"^[ \t]*(?:async[ \t]+)?def[ \t]+{re.escape(name)}\b", text, re.MULTILINE) is not None
    bare = text_format.COMMENT_OR_LITERAL.sub(" ", text)
    return re.search(rf"\b{re.escape(name)}\s*{_PARAMETERS}\s*\{{", bare) is not None
