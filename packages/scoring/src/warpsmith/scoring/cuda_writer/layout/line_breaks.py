"""Long lines of CUDA, broken as clang-format breaks them.

Two styles: lines continue behind the opening bracket (Google), or arguments that do not fit are indented below the bracket
(PyTorch). Operators end a line, and a line breaks at the weakest operator.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

WIDTH = 100
"""The longest line."""

CONTINUATION = 4
"""Spaces before a line that continues the line above it."""

_OPERATOR = re.compile(r" (\?|:|\|\||&&|\||\^|&|==|!=|<=|>=|<|>|<<|>>|\+|-|\*|/|%) ")
_RANKS = {";": 0, ",": 1, "?": 2, ":": 2, "||": 3, "&&": 4, "|": 5, "^": 5, "&": 5, "<<": 7, ">>": 7, "+": 8, "-": 8}
_COMPARISON, _PRODUCT = 6, 9
_ASSIGNMENT = re.compile(r" (?:[-+*/%&|^]|<<|>>)?= ")
_HEADER = re.compile(r"(?:\} else )?(?:if|for|while) \(")

_BREAK, _AFTER_ASSIGNMENT, _AFTER_BRACKET, _NESTING, _TOO_LONG = 2.0, 1.5, 2.0, 3.0, 1000.0
"""The costs of breaks: at an operator or a comma, after an assignment or a bracket, for each level of brackets around it."""


class _Lines(NamedTuple):
    """Lines of which the first has no indentation, and what their breaks cost."""

    lines: list[str]
    cost: float


@dataclass(frozen=True, slots=True)
class _Place:
    """Where an expression starts.

    Attributes:
        column: its column.
        tail: characters that follow its last line.
        base: the indentation that lines behind a bracket continue.
        depth: the brackets around it.
        aligned: the style of the text.
    """

    column: int
    tail: int
    base: int
    depth: int
    aligned: bool

    def at(self, column: int, tail: int, *, base: int | None = None, deeper: int = 0) -> _Place:
        """Return another place of the same statement."""
        return _Place(column, tail, self.base if base is None else base, self.depth + deeper, self.aligned)


def broken(text: str, indent: int, *, aligned: bool) -> list[str]:
    """Return the lines of a statement.

    Args:
        text: the statement in one line.
        indent: spaces before it.
        aligned: whether lines continue behind the opening bracket.

    Examples:
        >>> broken("y[i] = f(" + ", ".join(["argument"] * 11) + ");", 4, aligned=True)[1]
        '             argument, argument, argument);'
    """
    start = " " * indent
    if indent + len(text) <= WIDTH:
        return [start + text]
    place = _Place(indent, 0, indent, 0, aligned)
    if _assignment(text):
        lines = _assigned(text, place).lines
    else:
        word = "return " if text.startswith("return ") else ""
        lines = _enclosed(word, _layout(text[len(word) :], place.at(indent + len(word), 0)).lines, "")
    return _enclosed(start, lines, "")


def head_lines(opening: str, parameters: Sequence[str], *, aligned: bool, attached: bool, indent: int) -> list[str]:
    """Return the head of a function and its opening brace.

    Args:
        opening: what is before the parameters.
        parameters: types and names.
        aligned: whether parameters fill the lines; otherwise each has a line.
        attached: whether the brace is on the last line.
        indent: spaces before a parameter with a line of its own.
    """
    width = WIDTH - (2 if attached else 0)
    head = f"{opening}({', '.join(parameters)})"
    texts = [*(f"{text}," for text in parameters[:-1]), *(f"{text})" for text in parameters[-1:])]
    if len(head) <= width:
        lines = [head]
    elif not aligned:
        lines = [f"{opening}(", *(" " * indent + text for text in texts)]
    else:
        behind, below = packed(texts, len(opening) + 1, width), [f"{opening}(", *packed(texts, CONTINUATION, width)]
        fits = len(behind) <= len(below) + 1 and all(len(line) <= width for line in behind)
        lines = [f"{opening}({behind[0].lstrip()}", *behind[1:]] if fits else below
    return [*lines[:-1], f"{lines[-1]} {{"] if attached else [*lines, "{"]


def packed(items: Sequence[str], indent: int, width: int = WIDTH) -> list[str]:
    """Return lines with as many items as fit, behind an indentation."""
    lines: list[str] = []
    for item in items:
        if lines and len(lines[-1]) + 1 + len(item) <= width:
            lines[-1] += f" {item}"
        else:
            lines.append(" " * indent + item)
    return lines


def _assignment(text: str) -> int:
    """Return the end of the first assignment outside of brackets; 0 if there is none."""
    return next((at + len(found[0]) for at in _outer(text) if (found := _ASSIGNMENT.match(text, at))), 0)


def _assigned(text: str, place: _Place) -> _Lines:
    """Break the value of an assignment, or before it."""
    end = _assignment(text)
    left, right = text[:end], text[end:]
    behind = _layout(right, place.at(place.column + end, 0))
    indent = place.base + CONTINUATION
    below = _layout(right, place.at(indent, 0, base=indent))
    if behind.cost <= below.cost + _AFTER_ASSIGNMENT:
        return _Lines([left + behind.lines[0], *behind.lines[1:]], behind.cost)
    return _Lines([left.rstrip(), " " * indent + below.lines[0], *below.lines[1:]], below.cost + _AFTER_ASSIGNMENT)


def _layout(text: str, place: _Place) -> _Lines:
    """Break an expression where it is too long."""
    if place.column + len(text) + place.tail <= WIDTH:
        return _Lines([text], 0.0)
    operands, rank = _operands(text)
    if len(operands) > 1:
        return _filled(operands, rank, place)
    return _bracket(text, place)


def _filled(operands: Sequence[str], rank: int, place: _Place) -> _Lines:
    """Put operands into lines, as many as fit; the parts of a choice have a line each."""
    is_choice, is_list = rank == _RANKS["?"], rank <= _RANKS[","]
    column = place.column + (CONTINUATION if is_choice else 0)
    lines, cost, end = [""], 0.0, place.column
    per_break = _BREAK / 2 if is_list and place.depth == 1 else _BREAK + _NESTING * max(place.depth - 1, 0)
    inner = _Lines([""], 0.0)
    for number, operand in enumerate(operands):
        tail = place.tail if number + 1 == len(operands) else 0
        space = 1 if number else 0
        if number and (is_choice or (is_list and len(inner.lines) > 1) or end + space + len(operand) + tail > WIDTH):
            lines.append(" " * column)
            cost, end, space = cost + per_break, column, 0
        inner = _layout(operand, place.at(end + space, tail, base=column))
        lines = _continued(lines, " " * space, inner.lines)
        cost += inner.cost + (_BREAK if len(inner.lines) > 1 and not is_list else 0.0)
        end = len(lines[-1]) if len(lines) > 1 else place.column + len(lines[0])
    return _Lines(lines, cost)


def _bracket(text: str, place: _Place) -> _Lines:
    """Break inside of the longest bracket, behind its opening or in its content."""
    if (found := _widest(text)) is None:
        return _Lines([text], _TOO_LONG)
    start, end = found
    opening, content, closing = text[:start], text[start:end], text[end:]
    is_header = _HEADER.match(text) is not None
    deeper, tail = 0 if is_header else 1, len(closing) + place.tail
    inner = _layout(content, place.at(place.column + start, tail, base=place.column + start, deeper=deeper))
    behind = _Lines(_enclosed(opening, inner.lines, closing), inner.cost)
    if is_header or (not place.aligned and "," not in content):
        return behind
    indent = place.base + CONTINUATION
    inner = _layout(content, place.at(indent, tail, base=indent, deeper=deeper))
    lines = [opening, *_enclosed(" " * indent, inner.lines, closing)]
    below = _Lines(lines, inner.cost + _AFTER_BRACKET + _NESTING * place.depth)
    if not place.aligned and opening.endswith("(") and below.cost < _TOO_LONG:
        return below
    return below if below.cost < behind.cost else behind


def _continued(lines: Sequence[str], space: str, following: Sequence[str]) -> list[str]:
    return [*lines[:-1], f"{lines[-1]}{space}{following[0]}", *following[1:]]


def _enclosed(opening: str, lines: Sequence[str], closing: str) -> list[str]:
    found = [opening + lines[0], *lines[1:]]
    found[-1] += closing
    return found


def _operands(text: str) -> tuple[list[str], int]:
    """Return the operands of the weakest operator outside of brackets, with the operators, and its rank."""
    breaks: list[tuple[int, int, int]] = []  # rank, end of the operand, start of the next one
    for at in _outer(text):
        if text[at] in ",;" and text[at + 1 : at + 2] == " ":
            breaks.append((_RANKS[text[at]], at + 1, at + 2))
        elif text[at] == " " and (found := _OPERATOR.match(text, at)):
            sign = found[1]
            rank = _RANKS.get(sign, _PRODUCT if sign in "*/%" else _COMPARISON)
            end = at if sign in "?:" else found.end() - 1
            breaks.append((rank, end, at + 1 if sign in "?:" else found.end()))
    if not breaks:
        return [text], -1
    rank = min(each[0] for each in breaks)
    starts = [0, *(start for found_rank, _, start in breaks if found_rank == rank)]
    ends = [*(end for found_rank, end, _ in breaks if found_rank == rank), len(text)]
    return [text[start:end] for start, end in zip(starts, ends, strict=True)], rank


def _outer(text: str) -> list[int]:
    """Return the places of a text that are outside of brackets."""
    found, depth, at = [], 0, 0
    while at < len(text):
        if text.startswith(("<<<", ">>>"), at):
            depth += 1 if text[at] == "<" else -1
            at += 3
            continue
        if text[at] in "([{":
            depth += 1
        elif text[at] in ")]}":
            depth = max(depth - 1, 0)
        elif depth == 0:
            found.append(at)
        at += 1
    return found


def _widest(text: str) -> tuple[int, int] | None:
    """Return where the content of the longest outer bracket starts and ends, or of the first one of a header."""
    opened: list[int] = []
    found: list[tuple[int, int]] = []
    for at, character in enumerate(text):
        if character in "([{":
            opened.append(at + 1)
        elif character in ")]}" and opened:
            start = opened.pop()
            if not opened:
                found.append((start, at))
    if _HEADER.match(text):
        return found[0] if found else None
    return max(found, key=lambda each: each[1] - each[0], default=None)
