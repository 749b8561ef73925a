"""Clusters: pairs with the same structure or idea, or with similar Python or code, and pairs that a chain of such connects.

Texts are similar from a Jaccard similarity of `SIMILAR`, see `warpsmith.core.similarity`.
"""

from __future__ import annotations

from collections.abc import Sequence

from warpsmith.core.similarity import minhash
from warpsmith.core.similarity.shingles import ShingleSet

SIMILAR = 0.7
"""Below the usual 0.8 of near duplicates: a search by MinHash with 128 values has an error of 0.035, and should find no pairs
of 0.8 across splits either. Of 5,000 pairs, 0.7% share a cluster at 0.8, and 2.5% at 0.7."""


class Partition:
    """A partition of the numbers below ``count`` by union-find; a class is named by its least number."""

    def __init__(self, count: int) -> None:
        self._parents = list(range(count))

    def name(self, number: int) -> int:
        """Return the name of the class of a number."""
        while self._parents[number] != number:
            self._parents[number] = number = self._parents[self._parents[number]]
        return number

    def join(self, first: int, second: int) -> None:
        """Merge the classes of two numbers."""
        low, high = sorted((self.name(first), self.name(second)))
        self._parents[high] = low


def clusters(
    ids: Sequence[str], groups: Sequence[Sequence[Sequence[str]]], texts: Sequence[Sequence[ShingleSet | None]]
) -> list[str]:
    """Return the cluster of each pair, named by its least id, so that the order of the pairs has no influence.

    Args:
        ids: the ids of the pairs.
        groups: for each property, such as the structure or the ideas, its values of each pair; pairs with a common value belong
            together.
        texts: for each language, the shingles of each pair, or None for a pair without such a text.
    """
    partition = Partition(len(ids))
    for values in groups:
        first: dict[str, int] = {}
        for number, names in enumerate(values):
            for value in names:
                partition.join(number, first.setdefault(value, number))
    for sets in texts:
        _join_similar(partition, sets)
    least: dict[int, str] = {}
    for number, identity in enumerate(ids):
        name = partition.name(number)
        least[name] = min(least.get(name, identity), identity)
    return [least[partition.name(number)] for number in range(len(ids))]


def _join_similar(partition: Partition, sets: Sequence[ShingleSet | None]) -> None:
    numbers = [number for number, shingles in enumerate(sets) if shingles is not None]
    present = [shingles for shingles in sets if shingles is not None]
    for position, earlier in minhash.candidates(present, SIMILAR):
        for other in earlier:
            separate = partition.name(numbers[position]) != partition.name(numbers[other])
            if separate and minhash.similar(present[position], present[other], SIMILAR):
                partition.join(numbers[position], numbers[other])
