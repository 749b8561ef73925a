"""Wrapped statements whose lines are filled up: aligned with the opening bracket, or with a hanging indentation."""

from __future__ import annotations

from collections.abc import Sequence

from warpsmith.synthesis.language.layout.statement_text import Mark, Statement, marks_of, operators_of, rank_of, split_commas


class Packed:
    """Wraps statements.

    Args:
        length: the longest line.
        indent: the indentation of a block.
        hanging: whether lines continue with a fixed indentation, after the first opening bracket.
        leading: whether a line begins with an operator, and does not end with one.
    """

    def __init__(self, length: int, indent: str, *, hanging: bool, leading: bool) -> None:
        self._length, self._indent = length, indent
        self._hanging, self._leading = hanging, leading

    def wrap(self, statement: Statement, margin: str) -> list[str]:
        """Return the lines of a statement that does not fit into one; ``margin`` is its indentation."""
        head, text, tail = statement
        if head and (operators_of(text) or len(split_commas(text)) > 1):
            text = f"({text})"
        return self._fill(f"{head}{text}{tail}", margin)

    def signature(self, head: str, parameters: Sequence[str], tail: str, margin: str) -> list[str]:
        """Return the lines of the first line of a function, which are filled up with parameters."""
        return self._fill(f"{head}({', '.join(parameters)}){tail}", margin)

    def _fill(self, line: str, margin: str) -> list[str]:
        """Return a line in several lines; it is broken inside of inner brackets only if there is no other way."""
        marks = [mark for mark in marks_of(line) if mark.depth or mark.text in "([{"]
        lines = [margin + line]
        for level in sorted({_level(mark) for mark in marks if mark.text not in "()[]{}"}):
            lines = self._join(self._cut(line, marks, level), margin)
            if max(map(len, lines)) <= self._length:
                break
        return lines

    def _cut(self, line: str, marks: Sequence[Mark], level: tuple[int, int]) -> list[str]:
        """Cut a line at its commas and operators up to a level."""
        cuts = [0]
        for mark in marks:
            if self._hanging and mark.text in "([{" and not mark.depth:
                cuts.append(mark.end)
            elif mark.text not in "()[]{}" and _level(mark) <= level:
                cuts.append(mark.start + 1 if mark.text != "," and self._leading else mark.end)
        return [line[start:end] for start, end in zip(cuts, [*cuts[1:], len(line)], strict=True)]

    def _join(self, pieces: Sequence[str], margin: str) -> list[str]:
        """Join pieces to lines, with the columns that their brackets have there."""
        lines, columns = [margin], [0]
        hang = len(margin) + 2 * len(self._indent)
        for piece in pieces:
            if len(lines[-1]) + len(piece.rstrip()) > self._length and lines[-1].strip():
                lines.append(" " * columns[-1])
            start = len(lines[-1])
            for mark in marks_of(piece):
                if mark.text in "([{":
                    columns.append(hang if self._hanging else start + mark.end)
                elif mark.text in ")]}":
                    columns.pop()
            lines[-1] += piece
        return [text.rstrip() for text in lines]


def _level(mark: Mark) -> tuple[int, int]:
    """Return where a comma or operator is in the order in which lines are broken: outer ones first, commas before operators."""
    return mark.depth, -rank_of(mark)
