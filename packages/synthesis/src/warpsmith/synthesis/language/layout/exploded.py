"""Wrapped statements in the layout of black and ruff: brackets at the ends of lines, one argument a line."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from warpsmith.synthesis.language.layout.statement_text import (
    Statement,
    last_brackets,
    operators_of,
    split_commas,
)


class Exploded:
    """Wraps statements.

    Args:
        length: the longest line.
        indent: the indentation of a block.
    """

    def __init__(self, length: int, indent: str) -> None:
        self._length, self._indent = length, indent

    def wrap(self, statement: Statement, margin: str) -> list[str]:
        """Return the lines of a statement that does not fit into one; ``margin`` is its indentation."""
        head, text, tail = statement
        if head and len(split_commas(text)) > 1:
            return [f"{margin}{head}(", *self._inside(text, margin + self._indent, "("), f"{margin}){tail}"]
        operators = operators_of(text)
        if len(operators) < 2 and (lines := self._at_brackets(head, text, tail, margin, tight=bool(operators))):
            return lines
        if not operators or not head:
            return self._at_brackets(head, text, tail, margin, tight=False) or [f"{margin}{head}{text}{tail}"]
        return [f"{margin}{head}(", *self._operand(text, margin + self._indent), f"{margin}){tail}"]

    def signature(self, head: str, parameters: Sequence[str], tail: str, margin: str, *, always: bool) -> list[str]:
        """Return a signature: its parameters are in one line, or one a line if ``always`` or if they do not fit."""
        inner = margin + self._indent
        line = f"{inner}{', '.join(parameters)}"
        rows = [line] if len(line) <= self._length and not always else [f"{inner}{parameter}," for parameter in parameters]
        return [f"{margin}{head}(", *rows, f"{margin}){tail}"]

    def argument_lines(self, head: str, arguments: Sequence[str], tail: str, margin: str) -> list[str]:
        """Return the lines of a call with one argument a line, whether it fits or not."""
        inner = margin + self._indent
        rows = [line for argument in arguments for line in self._operand(argument, inner, ",")]
        return [f"{margin}{head}(", *rows, f"{margin}){tail}"]

    def _at_brackets(self, head: str, text: str, tail: str, margin: str, *, tight: bool) -> list[str]:
        """Wrap at the last brackets; return nothing if that does not help."""
        found = last_brackets(text)
        if found is None:
            return []
        first, last = found
        opening, rest = f"{margin}{head}{text[: first + 1]}", f"{margin}{text[last:]}{tail}"
        if len(opening) > self._length or (tight and (last < len(text) - 1 or text[first] != "(")):
            return []
        return [opening, *self._inside(text[first + 1 : last], margin + self._indent, text[first]), rest]

    def _inside(self, text: str, margin: str, bracket: str) -> list[str]:
        """Return the lines between brackets."""
        if len(margin) + len(text) <= self._length and not text.endswith(","):
            return [margin + text]
        parts = split_commas(text)
        if len(parts) == 1:
            return self._operand(text, margin)
        comma = "" if bracket == "[" and any(":" in part for part in parts) else ","
        ends = [","] * (len(parts) - 1) + [comma]
        return [line for part, end in zip(parts, ends, strict=True) for line in self._operand(part, margin, end)]

    def _operand(self, text: str, margin: str, tail: str = "") -> list[str]:
        """Return the lines of an expression inside brackets: at its operators, each of which begins a line."""
        if len(margin) + len(text) + len(tail) <= self._length:
            return [f"{margin}{text}{tail}"]
        operators = operators_of(text)
        if not operators:
            return self._at_brackets("", text, tail, margin, tight=False) or [f"{margin}{text}{tail}"]
        cuts = [0, *(mark.start + 1 for mark in operators), len(text)]
        pieces = [text[start:end].rstrip() for start, end in pairwise(cuts)]
        lines: list[str] = []
        for number, piece in enumerate(pieces):
            end = tail if number == len(pieces) - 1 else ""
            lines += self._operand(piece, margin, end)
        return lines
