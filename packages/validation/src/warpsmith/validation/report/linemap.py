"""Reads which generated lines a line of Python became, from the comments that Warp writes: ``// x = wp.cos(y)   <L 11>``.

In a forward part such a comment stands before its statements, in an adjoint ``// adj: …`` stands behind them, and an adjoint
repeats what forward statements it needs, with their comments. Branches have braces and loops have labels; what stands between
belongs to the line of the ``if`` or the loop again. Numbers count from the top of the Python file, except in instances of
generic functions, where they count from ``def``. A number whose line does not say what the comment says maps nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from warpsmith.core.records import text_format


@dataclass(slots=True)
class _Frame:
    """A branch or loop that is open.

    Attributes:
        line: the Python line that opened it, if a comment before it said so.
        waiting: numbers of generated lines that wait for a comment behind the end of it.
        header: whether only the head of a loop was seen so far.
    """

    line: int | None
    waiting: list[int]
    header: bool = False


@dataclass(slots=True)
class _Reader:
    python: Sequence[str]
    found: list[int]
    offset: int = 0
    reverse: bool = False
    line: int | None = None
    waiting: list[int] = field(default_factory=list)
    frames: list[_Frame] = field(default_factory=list)

    def read(self, number: int, text: str) -> None:
        """Take in one generated line."""
        stripped = text.strip()
        if text == "{":  # the body of a function starts
            self.offset, self.reverse, self.line, self.waiting, self.frames = 0, False, None, [], [_Frame(None, [])]
        elif stripped in {text_format.FORWARD_SECTION, text_format.REVERSE_SECTION}:
            self.reverse, self.line, self.waiting = stripped == text_format.REVERSE_SECTION, None, []
        elif stripped.startswith(text_format.SECTION_RULE):
            self.line = None
        elif comment := text_format.PYTHON_COMMENT.match(text):
            self._comment(number, comment[1] is not None and self.reverse, comment)
        elif stripped:
            self._statement(number, text, stripped)

    def _comment(self, number: int, adjoint: bool, comment: re.Match[str]) -> None:
        said = comment[2] if adjoint else (comment[1] or "") + comment[2]
        if said.startswith("def ") and not adjoint:
            self.offset = self._offset(said, int(comment[3]))
        line = int(comment[3]) + self.offset
        known = line if 0 < line <= len(self.python) and self.python[line - 1].strip() == said else None
        for waiting in (number, *(self.waiting if adjoint else ())):
            self.found[waiting] = known or 0
        if self.frames:
            self.frames[-1].header = False
        if adjoint:
            self.waiting = []
        self.line = None if adjoint else known

    def _offset(self, said: str, number: int) -> int:
        """What numbers of this function are short of."""
        at = [place for place, text in enumerate(self.python, start=1) if text.strip() == said]
        return 0 if number in at or not at else at[0] - number

    def _statement(self, number: int, text: str, stripped: str) -> None:
        label = text_format.BLOCK_LABEL.match(text)
        if (stripped.startswith("}") or (label and label[1] == "end")) and self.frames:
            frame = self.frames.pop()
            self.line, self.waiting = frame.line, frame.waiting + self.waiting
            self._give(number)
        elif (label and label[1] == "start") or stripped.endswith("{"):
            self._give(number)
            self.frames.append(_Frame(self.line, self.waiting, header=label is not None))
            self.waiting = []
        elif self.frames and (text_format.NEXT_ITERATION.match(text) or self.frames[-1].header):
            self._give(number, self.frames[-1])
        else:
            if self.reverse and text_format.ADJOINT_VARIABLE.search(text):
                self.line = None
            self._give(number)

    def _give(self, number: int, place: _Reader | _Frame | None = None) -> None:
        place = place or self
        if place.line is not None:
            self.found[number] = place.line
        elif self.reverse:
            place.waiting.append(number)


def python_lines(generated: Sequence[str], python: Sequence[str]) -> list[int]:
    """Return, for each generated line, the number of the Python line that it comes from, counted from 1; 0 for none.

    Args:
        generated: the lines of a forward or backward part.
        python: the lines of the Python file.
    """
    reader = _Reader(python, [0] * len(generated))
    for number, text in enumerate(generated):
        reader.read(number, text)
    return reader.found
