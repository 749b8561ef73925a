"""The tapes of a program: their numbers, where the program enters them, and which ones have a backward pass to come."""

from __future__ import annotations

import weakref
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from warpsmith.extraction.warp import tapes

_Numbers = weakref.WeakKeyDictionary[Any, int]


@dataclass(slots=True)
class OpenTapes:
    """Tapes by number; they are not kept alive.

    Attributes:
        open: the tapes that have recorded an event since their last backward pass.
    """

    open: weakref.WeakValueDictionary[int, Any] = field(default_factory=weakref.WeakValueDictionary)
    _numbers: _Numbers = field(default_factory=weakref.WeakKeyDictionary)
    _last_number: int = 0
    _ended: weakref.WeakSet[Any] = field(default_factory=weakref.WeakSet)
    _places: Counter[str] = field(default_factory=Counter)
    _place_of: weakref.WeakKeyDictionary[Any, str] = field(default_factory=weakref.WeakKeyDictionary)

    def number(self, tape: Any) -> int:
        """Return the number of a tape, from 1."""
        if tape not in self._numbers:
            self._last_number += 1
            self._numbers[tape] = self._last_number
        return self._numbers[tape]

    def entered(self, tape: Any) -> None:
        """Receive a tape before it records; a tape whose backward pass has run counts as another one."""
        if tape not in self._place_of or tape in self._ended:
            self._ended.discard(tape)
            self._place_of[tape] = place = tapes.place_of_call()
            self._places[place] += 1

    def ended(self, tape: Any) -> None:
        """Receive a tape before its backward pass."""
        self._ended.add(tape)

    def visits(self) -> int:
        """Return how many tapes the program has entered where it entered the one that records now; 0 if none does."""
        active = tapes.active_tape()
        return 0 if active is None else self._places[self._place_of.get(active, "")]
