"""Families: pairs of one structure, and pairs whose Python or code is nearly the same; and so on, from one to the next.

Texts are alike here from a Jaccard similarity of `ALIKE` on, see `warpsmith.core.similarity`.
"""

from __future__ import annotations

from collections.abc import Sequence

from warpsmith.core.similarity import minhash
from warpsmith.core.similarity.shingles import Set

ALIKE = 0.7
"""Less than the 0.8 of near duplicates: who estimates likeness by MinHash, as most do, errs by 0.035 with 128 values, and
shall not find 0.8 across splits either. Of 5,000 pairs 0.7% share a family at 0.8, and 2.5% at 0.7."""


class Union:
    """A partition of the numbers up to ``count`` that becomes coarser; a part is named by its least number."""

    def __init__(self, count: int) -> None:
        self._above = list(range(count))

    def name(self, number: int) -> int:
        """Return the name of the part that a number is in."""
        while self._above[number] != number:
            self._above[number] = number = self._above[self._above[number]]
        return number

    def join(self, one: int, other: int) -> None:
        """Make one part of two."""
        low, high = sorted((self.name(one), self.name(other)))
        self._above[high] = low


def clusters(ids: Sequence[str], structures: Sequence[str | None], texts: Sequence[Sequence[Set | None]]) -> list[str]:
    """Return the family of each pair, named by the least id in it, so that the order of the pairs does not matter.

    Args:
        ids: of the pairs.
        structures: of the pairs; one that has none is like no other.
        texts: for each language the set of shingles of each pair, or None where it has no such text.
    """
    union = Union(len(ids))
    first: dict[str, int] = {}
    for number, structure in enumerate(structures):
        if structure is not None:
            union.join(number, first.setdefault(structure, number))
    for sets in texts:
        _join_alike(union, sets)
    least: dict[int, str] = {}
    for number, identity in enumerate(ids):
        name = union.name(number)
        least[name] = min(least.get(name, identity), identity)
    return [least[union.name(number)] for number in range(len(ids))]


def _join_alike(union: Union, sets: Sequence[Set | None]) -> None:
    there = [number for number, one in enumerate(sets) if one is not None]
    present = [one for one in sets if one is not None]
    for position, others in minhash.candidates(present, ALIKE):
        for other in others:
            apart = union.name(there[position]) != union.name(there[other])
            if apart and minhash.alike(present[position], present[other], ALIKE):
                union.join(there[position], there[other])
