"""The question: how much of a split stands in another one, too?

Asked of what was written, and in a way of its own: structures are compared as they stand in the records, texts by MinHash
signatures of another seed than those that families were found by, whose likeness is the share of places in which they agree.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from warpsmith.core.similarity import minhash
from warpsmith.core.similarity.shingles import THRESHOLD, Set

SEED = 20_260


def leakage(
    members: Mapping[str, Sequence[int]], structures: Sequence[str | None], texts: Mapping[str, Sequence[Set | None]]
) -> dict[str, dict[str, dict[str, float]]]:
    """Count the pairs of each split that have their like in a split before it.

    Args:
        members: the numbers of the pairs of each split, train first.
        structures: of all pairs, by number.
        texts: by language, the shingles of each pair's text, or None.

    Returns:
        By split, and by ``"structure"`` or language: ``pairs`` and their ``share`` of the split.
    """
    counts = {"structure": _structural(structures), **{language: _textual(sets) for language, sets in texts.items()}}
    found: dict[str, dict[str, dict[str, float]]] = {split: {} for split in members}
    for name, count in counts.items():
        for split, numbers in members.items():
            leaking = count(numbers)
            found[split][name] = {"pairs": leaking, "share": round(leaking / max(len(numbers), 1), 6)}
    return dict(list(found.items())[1:])


Count = Callable[[Sequence[int]], int]
"""Called for one split after the other: how many of these pairs have their like in those that it was called for before."""


def _structural(structures: Sequence[str | None]) -> Count:
    seen: set[str] = set()

    def count(numbers: Sequence[int]) -> int:
        own = [structures[number] for number in numbers]
        leaking = sum(structure in seen for structure in own)
        seen.update(structure for structure in own if structure is not None)
        return leaking

    return count


def _textual(sets: Sequence[Set | None]) -> Count:
    index, seen = minhash.index(THRESHOLD), dict[int, Any]()

    def count(numbers: Sequence[int]) -> int:
        there = [(number, one) for number in numbers if (one := sets[number]) is not None]
        own = dict(zip((number for number, _ in there), minhash.signatures([one for _, one in there], SEED), strict=True))
        leaking = sum(
            any(signature.jaccard(seen[other]) >= THRESHOLD for other in index.query(signature)) for signature in own.values()
        )
        for number, signature in own.items():
            index.insert(number, signature)
        seen.update(own)
        return leaking

    return count
