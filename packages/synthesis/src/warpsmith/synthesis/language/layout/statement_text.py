"""The text of a statement in one line: its brackets, its operators, and what is around its expression."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_MARK = re.compile(
    r"\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'|[()\[\]{}]|, ?"
    r"| (?:and|or|if|else|not in|in|is not|is|==|!=|<=|>=|<<|>>|//|\*\*|[-+*/%@<>|^&]) "
)
"""Strings, brackets, commas and binary operators, which have spaces around them."""

_RANKS = {
    ",": 10,
    **dict.fromkeys(("if", "else"), 9),
    "or": 8,
    "and": 7,
    **dict.fromkeys(("in", "not in", "is", "is not", "==", "!=", "<", "<=", ">", ">="), 6),
    "|": 5,
    "^": 4,
    "&": 3,
    **dict.fromkeys(("<<", ">>"), 2),
    **dict.fromkeys("+-", 1),
    **dict.fromkeys(("*", "/", "//", "%", "@"), 0),
    "**": -1,
}
"""The rank of each operator and of commas."""

_ASSIGNMENT = re.compile(r" (?:[-+*/%@|&^]|//|<<|>>|\*\*)?= ")
_HEADER = re.compile(r"(?:return|if|elif|while|for [\w, ]+ in) ")


class Mark(NamedTuple):
    """A bracket, comma or operator of an expression.

    Attributes:
        text: the text without spaces.
        start: the position of its first letter or space.
        end: the position after it.
        depth: the number of brackets around it; an opening bracket and its counterpart have the same.
    """

    text: str
    start: int
    end: int
    depth: int


class Statement(NamedTuple):
    """A statement: what precedes its expression, the expression, and what follows it."""

    head: str
    expression: str
    tail: str


def marks_of(text: str) -> list[Mark]:
    """Return the brackets, commas and operators of an expression in their order."""
    return list(_find_marks(text))


def _find_marks(text: str) -> Iterator[Mark]:
    depth = 0
    for match in _MARK.finditer(text):
        found = match[0]
        if found in ")]}":
            depth -= 1
        if found[0] not in "\"'":
            yield Mark(found.strip(), match.start(), match.end(), depth)
        if found in "([{":
            depth += 1


def is_complete(text: str) -> bool:
    """Return whether every bracket of a line has its counterpart in the line."""
    return sum(map(text.count, "([{")) == sum(map(text.count, ")]}"))


def split_statement(text: str) -> Statement:
    """Return the parts of a statement, such as ``x = `` and the value."""
    if header := _HEADER.match(text):
        tail = ":" if text.endswith(":") else ""
        return Statement(header[0], text[header.end() : len(text) - len(tail)], tail)
    for match in _ASSIGNMENT.finditer(text):
        if is_complete(text[: match.start()]):
            return Statement(text[: match.end()], text[match.end() :], "")
    return Statement("", text, "")


def operators_of(text: str) -> list[Mark]:
    """Return the operators of the highest rank outside of brackets."""
    found = [mark for mark in marks_of(text) if not mark.depth and mark.text in _RANKS and mark.text != ","]
    highest = max(map(rank_of, found), default=0)
    return [mark for mark in found if rank_of(mark) == highest]


def rank_of(mark: Mark) -> int:
    """Return the rank of an operator or comma: a statement is wrapped at the highest ranks first."""
    return _RANKS[mark.text]


def split_commas(text: str) -> list[str]:
    """Return the parts between the commas outside of brackets; a comma at the end has no part after it."""
    cuts = [mark for mark in marks_of(text) if not mark.depth and mark.text == ","]
    starts = [0, *(mark.end for mark in cuts)]
    ends = [*(mark.start for mark in cuts), len(text)]
    return [part for start, end in zip(starts, ends, strict=True) if (part := text[start:end])]


def closing_bracket(text: str, opening: int) -> int:
    """Return the position of the counterpart of an opening bracket."""
    marks = marks_of(text[opening:])
    return opening + next(mark.start for mark in marks[1:] if not mark.depth and mark.text in ")]}")


def last_brackets(text: str) -> tuple[int, int] | None:
    """Return the positions of the last outermost brackets that are not empty, or None."""
    outer = [mark for mark in marks_of(text) if not mark.depth and mark.text in "()[]{}"]
    pairs = zip(outer[-2::-2], outer[::-2], strict=False)
    return next(((first.start, last.start) for first, last in pairs if last.start > first.end), None)
