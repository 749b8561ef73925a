"""Names of one kernel: unique, and in one of a few styles."""

from __future__ import annotations

import builtins
import keyword
from collections.abc import Iterable, Sequence
from copy import copy

from warpsmith.synthesis.random_stream import RandomStream
from warpsmith.synthesis.writing.policy import (
    DROPPED_LETTER_CHANCE,
    ELEMENT_MARKS,
    MARK_CHANCE,
    MARKED_LENGTH,
    MAX_INDEX_LENGTH,
    NAME_STYLE_CHANCE,
    NAME_STYLES,
)

_CPP = (
    "alignas alignof asm auto case catch char const constexpr default delete do double enum explicit export extern friend goto "
    "inline long mutable namespace new noexcept operator private protected public register short signed sizeof static switch "
    "template this throw typedef typename union unsigned using virtual void volatile"
)

RESERVED = frozenset([*keyword.kwlist, *keyword.softkwlist, *dir(builtins), "wp", "warp", "ret", *_CPP.split()])
"""Names that mean something else in Python or in C++, where arguments keep their names; adjoints have a parameter ``ret``."""

_THREAD_NAMES = frozenset({"tid", "idx", "thread", "thread_id", "gid"})


def without_thread(names: Sequence[str]) -> tuple[str, ...]:
    """Return the candidates for an index that is not all of the thread's number."""
    return tuple(name for name in names if name not in _THREAD_NAMES) or tuple(names)


class Names:
    """Chooses the names of one kernel. Lists of candidates have an order of styles, such as long, short, abbreviated.

    Attributes:
        joiner: what is between the name of a series and a member's number.
        drops_letters: whether names end in no letter that distinguishes them from no other, such as `face_k`.
    """

    def __init__(self, rng: RandomStream) -> None:
        self.rng = rng
        self._style = rng.choice(NAME_STYLES)
        self._mark = rng.choice(ELEMENT_MARKS)
        self.joiner = rng.choice(("", "_"))
        self.drops_letters = rng.chance(DROPPED_LETTER_CHANCE)
        self.taken: set[str] = set(RESERVED)
        self._family_places: dict[str, int] = {}

    def fork(self, rng: RandomStream) -> Names:
        """Return the names with another randomness; names in use are shared."""
        names = copy(self)
        names.rng = rng
        return names

    def inner(self, taken: Iterable[str]) -> Names:
        """Return the names of a function of the file: in the same style, unique there, and none of ``taken``."""
        names = copy(self)
        names.taken = {*RESERVED, *taken}
        return names

    def choose_element(self, candidates: Sequence[str], index: str, item: str, family: str = "") -> str:
        """Choose an unused name of an element of an array, which may say so in the way of the kernel.

        Args:
            candidates: the names without the mark.
            index: the name of the index of the element.
            item: what the thread works on, such as ``"particle"``.
            family: what related locals have in common.
        """
        name = self.choose(candidates, family)
        mark = self._mark.format(index=index, item=item) if "{" in self._mark else self._mark
        affix = mark.strip("_")
        parts = name.split("_")
        is_clear = affix.isidentifier() and (len(parts) == 1 or (mark[0] == "_" and len(parts[-1]) > 1))
        if not is_clear or affix in parts or not self.rng.chance(MARK_CHANCE):
            return name
        if len(name) + len(mark) > MARKED_LENGTH or ("{index}" in self._mark and len(index) > MAX_INDEX_LENGTH):
            return name
        marked = name + mark if mark[0] == "_" else mark + name
        if marked in self.taken:
            return name
        self.taken.remove(name)
        self.taken.add(marked)
        return marked

    def usual(self, candidates: Sequence[str]) -> str:
        """Return the candidate in the style of the kernel, whether it is in use or not."""
        return candidates[self._style % len(candidates)]

    def choose(self, candidates: Sequence[str], family: str = "") -> str:
        """Choose an unused name; add a number if all candidates are in use.

        Args:
            candidates: the names.
            family: what related locals have in common, such as the entries of a matrix; their names have the same position.
        """
        free = [name for name in candidates if name not in self.taken]
        place = self._family_places.get(family, -1)
        if place < 0:
            place = self._style if self.rng.chance(NAME_STYLE_CHANCE) else self.rng.below(len(candidates))
        name = candidates[place % len(candidates)]
        if name not in free:
            name = self.rng.choice(free) if free else self._add_number(self.rng.choice(candidates))
        if family and name in candidates:
            self._family_places.setdefault(family, candidates.index(name))
        self.taken.add(name)
        return name

    def _add_number(self, name: str) -> str:
        number = 2
        while f"{name}{number}" in self.taken:
            number += 1
        return f"{name}{number}"
