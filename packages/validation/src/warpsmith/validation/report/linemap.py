"""Maps generated lines to lines of Python by the comments that Warp writes: ``// x = wp.cos(y)   <L 11>``.

In forward code such a comment precedes its statements. In an adjoint, ``// adj: …`` follows them, and the forward statements
that the adjoint needs are repeated with their comments. Branches have braces and loops have labels; the lines of the braces and
labels map to the ``if`` or the loop. Numbers count from the top of the Python file, except in instances of generic functions,
where they count from ``def``. A number is ignored if its line of Python differs from the comment.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from warpsmith.core.records import text_format


@dataclass(slots=True)
class _Frame:
    """An open branch or loop.

    Attributes:
        line: the Python line that opened it, if a comment before it names one.
        waiting: the numbers of generated lines whose comment follows the end of the branch or loop.
        header: whether only the head of a loop was read so far.
    """

    line: int | None
    waiting: list[int]
    header: bool = False


@dataclass(slots=True)
class _Reader:
    python: Sequence[str]
    mapped: list[int]
    places: dict[str, list[int]] = field(default_factory=dict)
    offset: int = 0
    reverse: bool = False
    line: int | None = None
    waiting: list[int] = field(default_factory=list)
    frames: list[_Frame] = field(default_factory=list)

    def __post_init__(self) -> None:
        for place, text in enumerate(self.python, start=1):
            self.places.setdefault(text.strip(), []).append(place)

    def read(self, number: int, text: str) -> None:
        """Map one generated line."""
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
        quoted = comment[2] if adjoint else (comment[1] or "") + comment[2]
        if quoted.startswith("def ") and not adjoint:
            self.offset = self._offset(quoted, _number(comment))
        line = _number(comment) + self.offset
        matching = line if 0 < line <= len(self.python) and self.python[line - 1].strip() == quoted else None
        for waiting in (number, *(self.waiting if adjoint else ())):
            self.mapped[waiting] = matching or 0
        if self.frames:
            self.frames[-1].header = False
        if adjoint:
            self.waiting = []
        self.line = None if adjoint else matching

    def _offset(self, quoted: str, number: int) -> int:
        """Return the difference between line numbers of the file and of this function."""
        lines = self.places.get(quoted, [])
        present = 0 < number <= len(self.python) and self.python[number - 1].strip() == quoted
        return 0 if present or not lines else lines[0] - number

    def _statement(self, number: int, text: str, stripped: str) -> None:
        label = text_format.BLOCK_LABEL.match(text)
        if (stripped.startswith("}") or (label and label[1] == "end")) and self.frames:
            frame = self.frames.pop()
            self.line, self.waiting = frame.line, frame.waiting + self.waiting
            self._assign(number)
        elif (label and label[1] == "start") or stripped.endswith("{"):
            self._assign(number)
            self.frames.append(_Frame(self.line, self.waiting, header=label is not None))
            self.waiting = []
        elif self.frames and (text_format.NEXT_ITERATION.match(text) or self.frames[-1].header):
            self._assign(number, self.frames[-1])
        else:
            if self.reverse and text_format.ADJOINT_VARIABLE.search(text):
                self.line = None
            self._assign(number)

    def _assign(self, number: int, source: _Reader | _Frame | None = None) -> None:
        source = source or self
        if source.line is not None:
            self.mapped[number] = source.line
        elif self.reverse:
            source.waiting.append(number)


def _number(comment: re.Match[str]) -> int:
    return int(comment[3][:9])  # no file has more lines, and Python converts no text of any length


def python_lines(generated: Sequence[str], python: Sequence[str]) -> list[int]:
    """Return the number of the Python line of each generated line, counted from 1, or 0 for none.

    Args:
        generated: the lines of a forward or backward part.
        python: the lines of the Python file.
    """
    reader = _Reader(python, [0] * len(generated))
    for number, text in enumerate(generated):
        reader.read(number, text)
    return reader.mapped
