"""Enumerations: codes that belong together become members of a class, with those that the kernel does not use."""

from __future__ import annotations

import re
from functools import cache

from warpsmith.synthesis.language.composed_kernel import Enumeration
from warpsmith.synthesis.random_stream import RandomStream
from warpsmith.synthesis.writing.form_policy import ENUM_COMMENT_CHANCE
from warpsmith.synthesis.writing.ideas.kernel_names import Names
from warpsmith.synthesis.writing.ideas.notation import words
from warpsmith.synthesis.writing.ideas.parts import Code, Domain

PREFIXES = ("BIT", "FLAG")
"""Words that the name of a member does not begin with."""


class Enumerations:
    """The enumerations of one file.

    Args:
        domain: the rows.
        names: the names of the kernel.
        rng: the randomness of the kernel.

    Attributes:
        named: the members that the kernel names, with their values.
    """

    def __init__(self, domain: Domain, names: Names, rng: RandomStream) -> None:
        self._domain, self._names, self._rng = domain, names, rng
        self._classes: dict[str, Enumeration] = {}
        self.named: dict[str, int] = {}

    @property
    def classes(self) -> tuple[Enumeration, ...]:
        """The enumerations, in the order of their first use."""
        return tuple(self._classes.values())

    def member(self, row: Code) -> str:
        """Return the text of a code, such as ``ShapeType.SPHERE``."""
        if row.classes not in self._classes:
            self._classes[row.classes] = self._declare(row.classes)
        text = f"{self._classes[row.classes].name}.{member_name(row)}"
        self.named[text] = int(row.value)
        return text

    def _declare(self, classes: str) -> Enumeration:
        rows = members_of(self._domain)[classes]
        commented = self._rng.chance(ENUM_COMMENT_CHANCE)
        members = tuple((member_name(row), int(row.value), row.about if commented else "") for row in rows)
        return Enumeration(self._names.choose(words(classes)), members)


@cache
def members_of(domain: Domain) -> dict[str, list[Code]]:
    """Return the codes of each enumeration, in the order of their values."""
    found: dict[str, list[Code]] = {}
    for row in domain.parameters:
        if isinstance(row, Code) and row.classes:
            found.setdefault(row.classes, []).append(row)
    return {classes: sorted(rows, key=lambda row: row.value) for classes, rows in found.items()}


_TOPIC = re.compile(r"[a-z][a-z0-9]*_(?=[A-Z])")
"""What a key begins with that belongs to one topic only."""


def member_name(row: Code) -> str:
    """Return the name of a member: the key of the code without a first word that the names of the class contain."""
    key = _TOPIC.sub("", row.key)
    first, _, rest = key.partition("_")
    is_repeated = first in PREFIXES or first.capitalize() in row.classes
    return rest if rest and is_repeated else key
