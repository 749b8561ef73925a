"""The search for similar sets among many: MinHash signatures propose candidates, the exact sets decide.

The extra `near` provides rensa, which computes signatures and finds candidates.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from warpsmith.core.extras import NEAR
from warpsmith.core.similarity.shingles import ShingleSet

BANDS, ROWS = 40, 7
"""Two sets are candidates if one of the bands of their signatures is equal: at a Jaccard similarity of 0.8 this misses one pair
in ten thousand, at 0.85 one in five million; at 0.3 it proposes one pair in a hundred."""

SEED = 1


def available() -> bool:
    """Return whether the library is installed."""
    return NEAR.has("rensa")


def earlier_similar(sets: Sequence[ShingleSet], threshold: float) -> dict[int, tuple[int, float]]:
    """Return, for each set with a similar earlier set, the number of that set and the similarity.

    Args:
        sets: sets that are not empty.
        threshold: the least Jaccard similarity.

    Raises:
        WarpsmithError: if the library is not installed.
    """
    similar_to: dict[int, tuple[int, float]] = {}
    for number, earlier in candidates(sets, threshold):
        for other in earlier:
            if similar(sets[number], sets[other], threshold):
                similar_to[number] = (other, jaccard(sets[number], sets[other]))
                break
    return similar_to


def candidates(sets: Sequence[ShingleSet], threshold: float) -> Iterator[tuple[int, list[int]]]:
    """Yield the number of each set with the numbers of earlier sets that may be similar; of equal sets, the first one only.

    Raises:
        WarpsmithError: if the library is not installed.
    """
    known = index(threshold)
    seen: dict[bytes, int] = {}
    for number, signature in enumerate(signatures(sets)):
        same = seen.setdefault(hashlib.blake2b(sets[number].tobytes(), digest_size=16).digest(), number)
        if same != number:  # the equal set has the same similar sets: neither a query nor an insertion is needed
            yield number, [same]
            continue
        yield number, sorted(known.query(signature))
        known.insert(number, signature)


def signatures(sets: Sequence[ShingleSet], seed: int = SEED) -> list[Any]:
    """Return the signatures of sets; ``left.jaccard(right)`` estimates the similarity of two signatures of one seed."""
    tokens = (numbers.view("V4").tolist() for numbers in sets)
    computed: list[Any] = NEAR.load("rensa").RMinHash.from_token_sets(tokens, num_perm=BANDS * ROWS, seed=seed)
    return computed


def index(threshold: float) -> Any:
    """Return an empty index of signatures, with ``insert(number, signature)`` and ``query(signature)``."""
    return NEAR.load("rensa").RMinHashLSH(threshold, BANDS * ROWS, BANDS)


def similar(left: ShingleSet, right: ShingleSet, threshold: float) -> bool:
    """Return whether the Jaccard similarity of two sets reaches ``threshold``; sizes that are too different decide at once."""
    upper_bound = min(len(left), len(right)) / max(len(left), len(right))
    return upper_bound >= threshold and jaccard(left, right) >= threshold


def jaccard(left: ShingleSet, right: ShingleSet) -> float:
    """Return the number of common elements of two sets divided by the number of all elements.

    Examples:
        >>> jaccard(np.array([1, 2, 3], dtype=np.uint32), np.array([2, 3, 4], dtype=np.uint32))
        0.5
    """
    common = len(np.intersect1d(left, right, assume_unique=True))
    return common / (len(left) + len(right) - common)
