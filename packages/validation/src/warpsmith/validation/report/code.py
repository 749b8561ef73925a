"""Takes a text apart into lines of coloured pieces, and the lines of a Python file into statements."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Any

from warpsmith.validation.report import extra

MOST_CHARACTERS = 300_000
"""Of a text that is longer, a page shows the beginning."""

# The first prefix of a token's name that is here decides; what has none has the colour of text.
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

Line = list[str]
"""Classes and pieces of text in turn."""


def shortened(whole: str) -> tuple[str, int]:
    """Return what a page shows of a text, less the end of its last line, and how many lines it leaves out."""
    text = whole.removesuffix("\n")
    if len(text) <= MOST_CHARACTERS:
        return text, 0
    end = text.rfind("\n", 0, MOST_CHARACTERS)
    kept = text[: end if end > 0 else MOST_CHARACTERS]
    return kept, text.count("\n") - kept.count("\n")


def coloured_python(text: str) -> list[Line]:
    """Return the lines of a Python file; joined, their pieces are the text."""
    return _coloured(text, "PythonLexer")


def coloured_code(text: str) -> list[Line]:
    """Return the lines of generated C++ or CUDA, each taken by itself: most of them occur often, and none needs another."""
    return [_indented(line) for line in text.split("\n")]


def _indented(line: str) -> Line:
    bare = line.lstrip(" \t")
    return ["", line[: len(line) - len(bare)], *_coloured_line(bare)] if line != bare else _coloured_line(bare)


@lru_cache(maxsize=50_000)
def _coloured_line(bare: str) -> Line:
    return _coloured(f"{bare}\n", "CudaLexer")[0]  # a comment is one only if its line ends


def _coloured(text: str, lexer: str) -> list[Line]:
    lines: list[Line] = [[]]
    for token, piece in _tokens(text, lexer):
        name = _class(token)
        for position, part in enumerate(piece.split("\n")):
            if position:
                lines.append([])
            if part and lines[-1] and lines[-1][-2] == name:
                lines[-1][-1] += part
            elif part:
                lines[-1] += [name, part]
    return lines


def statements(text: str) -> list[int]:
    """Return, for each line of Python, the number of the line on which its statement starts, counted from 1.

    A statement goes on while a bracket or a string is open. Nothing is parsed, so that any text will do.
    """
    heads, depth = [1], 0
    for token, piece in _tokens(text, "PythonLexer"):
        kind = str(token)
        for character in piece:
            if character == "\n":
                inside = depth > 0 or kind.startswith("Token.Literal.String")
                heads.append(heads[-1] if inside else len(heads) + 1)
            elif kind == "Token.Punctuation":
                depth = max(depth + (character in "([{") - (character in ")]}"), 0)
    return heads


def _tokens(text: str, lexer: str) -> Iterator[tuple[Any, str]]:
    for _, token, piece in getattr(extra.lexers(), lexer)().get_tokens_unprocessed(text):
        yield token, piece


@cache
def _class(token: Any) -> str:
    name = str(token).removeprefix("Token.")
    return next((short for prefix, short in _CLASSES.items() if name == prefix or name.startswith(f"{prefix}.")), "")
