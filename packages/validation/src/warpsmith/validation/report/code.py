"""Takes a text apart into lines of coloured pieces, and the lines of a Python file into statements."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from warpsmith.validation.report import extra

MOST_CHARACTERS = 300_000
"""Of a text that is longer, a page shows the beginning."""

LEXERS = {"python": "PythonLexer", "cpu": "CppLexer", "cuda": "CudaLexer"}

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


def coloured(text: str, language: str) -> list[Line]:
    """Return the lines of a text; joined, their pieces are the text."""
    lines: list[Line] = [[]]
    for token, piece in _tokens(text, language):
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
    for token, piece in _tokens(text, "python"):
        kind = str(token)
        for character in piece:
            if character == "\n":
                inside = depth > 0 or kind.startswith("Token.Literal.String")
                heads.append(heads[-1] if inside else len(heads) + 1)
            elif kind == "Token.Punctuation":
                depth = max(depth + (character in "([{") - (character in ")]}"), 0)
    return heads


def _tokens(text: str, language: str) -> Iterator[tuple[Any, str]]:
    lexer = getattr(extra.lexers(), LEXERS[language])()
    for _, token, piece in lexer.get_tokens_unprocessed(text):
        yield token, piece


def _class(token: Any) -> str:
    name = str(token).removeprefix("Token.")
    return next((short for prefix, short in _CLASSES.items() if name == prefix or name.startswith(f"{prefix}.")), "")
