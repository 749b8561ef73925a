"""The leakage measurement: how many pairs of a split resemble a pair of an earlier split.

It uses the written pairs, and is independent of the clusters: structures, ideas and domains come from the records, and the
similarity of texts is estimated by MinHash signatures of another seed, as the share of equal signature values.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from warpsmith.core.export.export_manifest import Leak
from warpsmith.core.similarity import minhash
from warpsmith.core.similarity.shingles import THRESHOLD, ShingleSet

SEED = 20_260


def leakage(
    members: Mapping[str, Sequence[int]],
    groups: Mapping[str, Sequence[Sequence[str]]],
    texts: Mapping[str, Sequence[ShingleSet | None]],
) -> dict[str, dict[str, Leak]]:
    """Count the pairs of each split that resemble a pair of an earlier split.

    Args:
        members: the numbers of the pairs of each split, train first.
        groups: by property, such as ``"structure"`` or ``"idea"``, its values of each pair, by number.
        texts: by language, the shingles of each pair's text, or None.

    Returns:
        The leaks by split, and by property or language.
    """
    counters = {
        **{name: _of_groups(values) for name, values in groups.items()},
        **{language: _textual(sets) for language, sets in texts.items()},
    }
    leaks: dict[str, dict[str, Leak]] = {split: {} for split in members}
    for name, count in counters.items():
        for split, numbers in members.items():
            leaking = count(numbers)
            leaks[split][name] = Leak(pairs=leaking, share=round(leaking / max(len(numbers), 1), 6))
    return dict(list(leaks.items())[1:])


Count = Callable[[Sequence[int]], int]
"""Return how many of these pairs resemble a pair of an earlier call; called once for each split, in order."""


def _of_groups(values: Sequence[Sequence[str]]) -> Count:
    seen: set[str] = set()

    def count(numbers: Sequence[int]) -> int:
        leaking = sum(not seen.isdisjoint(values[number]) for number in numbers)
        seen.update(name for number in numbers for name in values[number])
        return leaking

    return count


def _textual(sets: Sequence[ShingleSet | None]) -> Count:
    index, seen = minhash.index(THRESHOLD), dict[int, Any]()

    def count(numbers: Sequence[int]) -> int:
        present = [(number, shingles) for number in numbers if (shingles := sets[number]) is not None]
        signatures = minhash.signatures([shingles for _, shingles in present], SEED)
        by_number = dict(zip((number for number, _ in present), signatures, strict=True))
        leaking = sum(
            any(signature.jaccard(seen[other]) >= THRESHOLD for other in index.query(signature))
            for signature in by_number.values()
        )
        for number, signature in by_number.items():
            index.insert(number, signature)
        seen.update(by_number)
        return leaking

    return count
