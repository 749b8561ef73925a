"""Splits texts into highlighted lines, and maps lines of Python to statements."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Any

from warpsmith.validation.report import extra

MAX_CHARACTERS = 300_000
"""A page shows only the beginning of a longer text."""

MAX_COLOURED, LONGEST_COLOURED_LINE = 60_000, 1_000
"""The largest sizes of Python, and of a line of generated code, that are coloured: lexers take quadratic time."""

# The first matching prefix of a token's name decides; other tokens have the colour of text.
_CLASSES = {
    "Keyword.Type": "t",
    "Keyword.Constant": "m",
    "Keyword": "k",
    "Operator.Word": "k",
    "Name.Function": "f",
    "Name.Class": "f",
    "Name.Decorator": "d",
    "Name.Builtin": "t",
    "Comment.Preproc": "d",
    "Comment": "c",
    "Literal.String": "s",
    "Literal.Number": "m",
}

HighlightedLine = list[str]
"""Alternating CSS classes and pieces of text."""


def shortened(full_text: str) -> tuple[str, int]:
    """Return the part of a text that a page shows, without the final line end, and the number of omitted lines."""
    text = full_text.removesuffix("\n")
    if len(text) <= MAX_CHARACTERS:
        return text, 0
    end = text.rfind("\n", 0, MAX_CHARACTERS)
    kept = text[: end if end > 0 else MAX_CHARACTERS]
    return kept, text.count("\n") - kept.count("\n")


def is_coloured(python: str) -> bool:
    """Return whether a Python file is short enough for colours."""
    return len(python) <= MAX_COLOURED


def has_long_line(text: str) -> bool:
    """Return whether generated code has a line that is too long for colours."""
    return any(len(line) > LONGEST_COLOURED_LINE for line in text.split("\n"))


def highlight_python(text: str) -> list[HighlightedLine]:
    """Return the highlighted lines of a Python file; their joined pieces are the text."""
    return _highlight(text, "PythonLexer") if is_coloured(text) else plain_lines(text)


def plain_lines(text: str) -> list[HighlightedLine]:
    """Return the lines of a text without colours."""
    return [["", line] if line else [] for line in text.split("\n")]


def highlight_generated(text: str) -> list[HighlightedLine]:
    """Return the highlighted lines of generated code.

    Each line is highlighted separately: many lines occur often, and no token spans two lines.
    """
    return [_highlight_indented(line) for line in text.split("\n")]


def _highlight_indented(line: str) -> HighlightedLine:
    if len(line) > LONGEST_COLOURED_LINE:
        return ["", line]
    bare = line.lstrip(" \t")
    return ["", line[: len(line) - len(bare)], *_highlight_line(bare)] if line != bare else _highlight_line(bare)


@lru_cache(maxsize=50_000)
def _highlight_line(bare: str) -> HighlightedLine:
    return _highlight(f"{bare}\n", "CudaLexer")[0]  # the lexer needs the line end to recognize a comment


def _highlight(text: str, lexer: str) -> list[HighlightedLine]:
    lines: list[HighlightedLine] = [[]]
    for token, piece in _tokens(text, lexer):
        name = _css_class(token)
        for position, part in enumerate(piece.split("\n")):
            if position:
                lines.append([])
            if part and lines[-1] and lines[-1][-2] == name:
                lines[-1][-1] += part
            elif part:
                lines[-1] += [name, part]
    return lines


def statement_starts(text: str) -> list[int]:
    """Return, for each line of Python, the number of the line on which its statement starts, counted from 1.

    A statement continues while a bracket or a string is open. Nothing is parsed, so that any text is accepted. In a text that
    is too long for colours, each line is a statement.
    """
    if not is_coloured(text):
        return list(range(1, text.count("\n") + 2))
    starts, depth = [1], 0
    for token, piece in _tokens(text, "PythonLexer"):
        name_of_type = str(token)
        for character in piece:
            if character == "\n":
                inside = depth > 0 or name_of_type.startswith("Token.Literal.String")
                starts.append(starts[-1] if inside else len(starts) + 1)
            elif name_of_type == "Token.Punctuation":
                depth = max(depth + (character in "([{") - (character in ")]}"), 0)
    return starts


def _tokens(text: str, lexer: str) -> Iterator[tuple[Any, str]]:
    for _, token, piece in getattr(extra.load("pygments.lexers"), lexer)().get_tokens_unprocessed(text):
        yield token, piece


@cache
def _css_class(token: Any) -> str:
    name = str(token).removeprefix("Token.")
    return next((short for prefix, short in _CLASSES.items() if name == prefix or name.startswith(f"{prefix}.")), "")
