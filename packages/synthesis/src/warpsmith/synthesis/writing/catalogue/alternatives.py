"""The alternatives of a text of the catalogue as a tree, which keeps the lines they come from."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import NamedTuple, TypeAlias

from warpsmith.synthesis.writing.catalogue.idea_rows import CONTINUED
from warpsmith.synthesis.writing.ideas.notation import BAR

_BRACKET = re.compile(r"{(?P<name>\w*)\||\|}")

PATIENCE = 6
"""After how many renderings without a new alternative `Alternatives.renderings` ends: some can never be chosen."""


class BracketError(ValueError):
    """A bracket without counterpart.

    Args:
        line: the number of its line.
        reason: what is wrong.
    """

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(reason)
        self.line = line


@dataclass(slots=True)
class Piece:
    """A part of the text without alternatives, and the number of its first line."""

    text: str
    line: int


@dataclass(slots=True)
class Group:
    """Alternatives in brackets.

    Attributes:
        name: the name that correlates the group with others, or empty.
        line: the number of the line of its bracket.
        ways: the alternatives.
        height: how many levels of groups are inside.
        visits: how often a rendering chose one of the alternatives.
        seen: the positions that renderings chose.
    """

    name: str
    line: int
    ways: list[Sequence] = field(default_factory=lambda: [[]])
    height: int = 0
    visits: int = 0
    seen: set[int] = field(default_factory=set)


Sequence: TypeAlias = "list[Piece | Group]"


class Rendering(NamedTuple):
    """One of the texts that alternatives make.

    Attributes:
        lines: the lines, each with the number of the line in the file that it begins on.
        positions: the position of each name.
    """

    lines: list[tuple[str, int]]
    positions: dict[str, int]

    @property
    def text(self) -> str:
        """The whole text."""
        return "\n".join(line for line, _ in self.lines)


class Alternatives:
    """The text of a row.

    Args:
        text: the text, with brackets as in a file.
        start: the number of its first line.

    Raises:
        BracketError: if a bracket has no counterpart.
    """

    def __init__(self, text: str, start: int) -> None:
        self._top: Sequence = []
        self.groups: list[Group] = []
        opened: list[Group] = []
        position, line = 0, start
        for match in _BRACKET.finditer(text):
            line = self._add(opened, text[position : match.start()], line)
            position = match.end()
            if match["name"] is not None:
                opened.append(Group(match["name"], line))
                self.groups.append(opened[-1])
            elif not opened:
                raise BracketError(line, "'|}' closes no bracket")
            else:
                group = opened.pop()
                if opened:
                    opened[-1].height = max(opened[-1].height, group.height + 1)
                (opened[-1].ways[-1] if opened else self._top).append(group)
        if opened:
            raise BracketError(opened[-1].line, f"'{{{opened[-1].name}|' is never closed by '|}}'")
        self._add(opened, text[position:], line)

    def _add(self, opened: list[Group], text: str, line: int) -> int:
        """Add a part of the text to the innermost group, which bars divide; return the number of the line after it."""
        for number, part in enumerate(BAR.split(text) if opened else [text]):
            if number:
                opened[-1].ways.append([])
            if part:
                (opened[-1].ways[-1] if opened else self._top).append(Piece(part, line))
            line += part.count("\n")
        return line

    def positions(self) -> dict[str, int]:
        """Return how many positions each name has: as many as the group with this name that is chosen first has alternatives.

        Groups without groups inside are chosen first, from left to right.
        """
        found: dict[str, int] = {}
        for group in sorted(self.groups, key=lambda group: group.height):
            if group.name:
                found.setdefault(group.name, len(group.ways))
        return found

    def renderings(self) -> Iterator[Rendering]:
        """Yield texts in which each alternative occurs, as far as it can be chosen."""
        counts = self.positions()
        missing, news = sum(len(group.ways) for group in self.groups), 0
        for number in count():
            positions, rest = {}, number
            for name, length in counts.items():
                positions[name] = rest % length
                rest = rest // length if number >= max(counts.values()) else number  # at first all positions advance together
            yield Rendering(self.lines(positions), positions)
            left = sum(len(group.ways) - len(group.seen) for group in self.groups)
            missing, news = left, number if left < missing else news
            if not left or number - news == PATIENCE:
                return

    def lines(self, positions: dict[str, int]) -> list[tuple[str, int]]:
        """Return the lines of a text, each with its number; groups without a name take their next alternatives.

        Args:
            positions: the position of each name; 0 for others.
        """
        lines: list[tuple[str, int]] = [("", 0)]
        for piece in _chosen(self._top, positions):
            for offset, part in enumerate(piece.text.split("\n")):
                if offset and lines[-1][0].endswith(CONTINUED):
                    lines[-1] = (lines[-1][0][:-1] + part.lstrip(), lines[-1][1])
                elif offset:
                    lines.append((part, piece.line + offset))
                else:
                    text, line = lines[-1]
                    lines[-1] = (text + part, line if text.strip() else piece.line)
        return lines


def _chosen(sequence: Sequence, positions: dict[str, int]) -> Iterator[Piece]:
    for item in sequence:
        if isinstance(item, Piece):
            yield item
            continue
        position = (positions.get(item.name, 0) if item.name else item.visits) % len(item.ways)
        item.visits += 1
        item.seen.add(position)
        yield from _chosen(item.ways[position], positions)
