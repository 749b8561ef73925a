"""Line breaks of long statements: behind commas and before operators, at the outermost place that makes the line fit."""

from __future__ import annotations

import re

WIDTH = 100
"""The longest line."""

_OPERATOR = re.compile(r" (?:\+|-|\*|/|&&|\|\||\?|:|<<|>>|<=?|>=?|==|!=|&|\||=) ")


def wrapped(text: str, indent: int) -> list[str]:
    """Return the lines of a statement, which begins behind ``indent`` spaces."""
    first, following = " " * indent, " " * (indent + 4)
    lines: list[str] = []
    prefix = first
    while len(prefix) + len(text) > WIDTH and (place := _best(text, WIDTH - len(prefix))):
        lines.append(prefix + text[:place].rstrip())
        text, prefix = text[place:].lstrip(), following
    return [*lines, prefix + text]


def _best(text: str, width: int) -> int:
    """Return the best place for a break within a width: the outermost one, the last of these; 0 if there is none."""
    code = text.partition(" // ")[0]
    best, best_depth, depth = 0, 99, 0
    for at, character in enumerate(code[: width + 1]):
        if character in "([{":
            depth += 1
        elif character in ")]}":
            depth -= 1
        place = 0
        if character == ";" and code[at + 1 : at + 2] == " ":
            place, best_depth = at + 1, 0
        if character == "," and code[at + 1 : at + 2] == " ":
            place = at + 1
        elif character == " " and (found := _OPERATOR.match(code, at)) and found[0] != " = ":
            place = at
        if place and place > 12 and depth <= best_depth and place <= width:
            best, best_depth = place, depth
    return best
