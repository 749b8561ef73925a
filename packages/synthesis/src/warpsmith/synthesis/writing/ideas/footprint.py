"""The footprint of an idea: the parameters that its texts may use and write, to find ideas that can be combined."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from msgspec import Struct

from warpsmith.synthesis.writing.ideas.notation import LOCAL, PARAMETER
from warpsmith.synthesis.writing.ideas.parts import Data, Domain, Idea

_WRITE = re.compile(r"{(\w+)}\[[^\n|⟨]*\](?:\.\w+)? [-+*/|&^]?= |wp\.atomic_\w+\({(\w+)},")


class Footprint(Struct, frozen=True, gc=False):
    """The keys of parameters by use; extras are separate, because a kernel contains each of them once.

    Attributes:
        uses: the keys in the text, its loops and the ways to obtain its locals.
        reads: the keys of arrays among them that have a subject.
        writes: the keys of arrays that the text changes.
        extra_uses: the keys in extras that the idea may receive.
        extra_writes: the keys of arrays that these extras change.
    """

    uses: frozenset[str]
    reads: frozenset[str]
    writes: frozenset[str]
    extra_uses: frozenset[str]
    extra_writes: frozenset[str]

    def conflicts(self, other: Footprint) -> bool:
        """Return whether one of the two may write what the other one uses."""
        return self._disturbs(other) or other._disturbs(self)

    def _disturbs(self, other: Footprint) -> bool:
        return bool((self.writes | self.extra_writes) & other.uses or self.writes & other.extra_uses)


@cache
def footprint_of(domain: Domain, idea: Idea) -> Footprint:
    """Return the footprint of an idea."""
    texts = _with_locals(domain, [idea.text])
    extras = _with_locals(domain, [extra.text for extra in domain.extras if f"hook {extra.at}" in idea.text])
    arrays = {row.key for row in domain.parameters if isinstance(row, Data) and row not in domain.anonymous}
    return Footprint(_used(texts), _used(texts) & arrays, _written(texts), _used(extras), _written(extras))


def _used(texts: Iterable[str]) -> frozenset[str]:
    return frozenset(PARAMETER.findall("\n".join(texts)))


def _written(texts: Iterable[str]) -> frozenset[str]:
    return frozenset(first or second for first, second in _WRITE.findall("\n".join(texts)))


def _with_locals(domain: Domain, texts: list[str]) -> list[str]:
    """Return texts with the loops that they request and the ways to obtain the locals that they read."""
    texts += [way for row in domain.loops if any(f"each {row.key}:" in text for text in texts) for way in row.ways]
    rows = {row.key: row for row in domain.locals}
    known: set[str] = set()
    for text in texts:  # grows while it is read
        for key in LOCAL.findall(text):
            if key in rows and key not in known:
                known.add(key)
                texts += rows[key].ways
    return texts
