"""The comments and empty lines of a Python file, which a text keeps at the statements that they belong to."""

from __future__ import annotations

import io
import re
import tokenize
from dataclasses import dataclass

_SECTIONS = frozenset({"constants", "functions", "helpers", "kernel", "kernels", "structs", "types"})
"""Headings of the parts of a file, which a text has in another order."""

_OF_PYTHON = (
    (r"\b(?:wp|warp)\.(?=\w)", ""),
    (r"\b(?:float|u?int)(?:16|32|64)\((-?[\d.]+?)\.?\)", r"\1"),  # a number of a type
    (r"`+([^`\n]+)`+", r"\1"),
    (r",? (?:for|of|with) [\w ]*\bof any type\b", ""),
    (r",?\s+(?:of|with) any type\b", ""),
    (r",?\s+in the precision of the \w+", ""),
    (r"\bTrue\b", "true"),
    (r"\bFalse\b", "false"),
)
"""What only the Python has: prefixes, marks of reST, conversions, and remarks about generic functions."""


def plain_words(text: str) -> str:
    """Return a comment without what only the Python has.

    Examples:
        >>> plain_words("positions : wp.array, shape (n,)")
        'positions : array, shape (n,)'
        >>> plain_words("Blend two values of any type for a well of depth wp.float64(1.)")
        'Blend two values for a well of depth 1'
    """
    for pattern, plain in _OF_PYTHON:
        text = re.sub(pattern, plain, text)
    return text


@dataclass(frozen=True, slots=True)
class Comment:
    """One comment.

    Attributes:
        line: its line.
        column: where it starts.
        text: what it says, without the sign.
        alone: whether nothing else is on its line.
    """

    line: int
    column: int
    text: str
    alone: bool


class Comments:
    """The comments of a file."""

    def __init__(self, source: str) -> None:
        self._lines = source.split("\n")
        self._all: dict[int, Comment] = {}
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            if token.type == tokenize.COMMENT:
                (line, column), text = token.start, plain_words(token.string.lstrip("#").strip())
                self._all[line] = Comment(line, column, text, not self._lines[line - 1][:column].strip())

    def alone(self, first: int, last: int, column: int = 0) -> list[Comment]:
        """Return the comments on lines of their own from one line to another, which start at a column or behind it."""
        found = (self._all.get(line) for line in range(first, last + 1))
        return [each for each in found if each is not None and each.alone and each.column >= column and each.text]

    def behind(self, first: int, last: int) -> str:
        """Return the text behind code on the lines from one to another; empty if there is none."""
        found = (self._all.get(line) for line in range(first, last + 1))
        return "; ".join(each.text for each in found if each is not None and not each.alone and each.text)

    def above(self, line: int) -> list[Comment]:
        """Return the comments directly above a line."""
        found: list[Comment] = []
        while (each := self._all.get(line - 1)) is not None and each.alone and each.column == 0:
            found.insert(0, each)
            line -= 1
        return [each for each in found if each.text.strip("-= ") and each.text.strip("-=. ").lower() not in _SECTIONS]

    def has_gap(self, first: int, last: int) -> bool:
        """Return whether an empty line is between two lines."""
        return any(not self._lines[line - 1].strip() for line in range(first + 1, last))
