"""Places in CUDA source, from the `.loc` statements of PTX."""

from __future__ import annotations

import re
from typing import NamedTuple

CALLER_LIMIT = 64
"""Inlined calls of a source location; those that are further out are not stored."""

_ARGUMENTS = re.compile(r"\s*(\d{1,9})\s+(\d{1,9})\s+(\d+)(?:.*\binlined_at\s+(\d{1,9})\s+(\d{1,9})\s+(\d+))?", re.DOTALL)


class Location(NamedTuple):
    """A place in CUDA source.

    Attributes:
        file: the number of the file in the module.
        line: the line, from 1; 0 if unknown.
        caller: the place at which the function that contains this one was inlined, or None.
    """

    file: int
    line: int
    caller: Location | None = None


class Locations:
    """The places of a program by number; 0 is none. The arguments of ``.loc`` are parsed when a place is asked for.

    Attributes:
        current: the number of the current place.
    """

    def __init__(self) -> None:
        self.current = 0
        self._arguments: list[str | None] = [None]
        self._places: list[Location] = []

    def start_function(self) -> None:
        """Forget the places of other functions: the current place is none."""
        self._add(None)

    def read(self, arguments: str) -> None:
        """Make the place that the arguments of a ``.loc`` describe the current one; those that describe none are ignored."""
        self._add(arguments)

    def _add(self, arguments: str | None) -> None:
        self.current = len(self._arguments)
        self._arguments.append(arguments)

    def place(self, number: int) -> Location:
        """Return the place with a number."""
        if number >= len(self._places):
            self._places = self._parse()
        return self._places[number]

    def _parse(self) -> list[Location]:
        """Return all places; the caller of an inlined function is an earlier place, which may be inlined itself."""
        places: list[Location] = []
        known: dict[tuple[str, ...], Location] = {}
        before = nowhere = Location(0, 0)
        for arguments in self._arguments:
            if arguments is None:
                known.clear()
                before = nowhere
            elif (found := _ARGUMENTS.match(arguments)) is not None:
                place = Location(int(found[1]), int(found[2]))
                if found[4] is not None:
                    caller = known.get(found.group(4, 5, 6)) or Location(int(found[4]), int(found[5]))
                    place = place._replace(caller=caller._replace(caller=None) if _depth(caller) >= CALLER_LIMIT else caller)
                if not place.line and place.file == before.file:  # several lines became one instruction
                    place = place._replace(line=before.line)
                before = known[found.group(1, 2, 3)] = place
            places.append(before)
        return places


def _depth(place: Location) -> int:
    """Return the number of calls that a location is inlined in."""
    depth, caller = 0, place.caller
    while caller is not None:
        depth, caller = depth + 1, caller.caller
    return depth
