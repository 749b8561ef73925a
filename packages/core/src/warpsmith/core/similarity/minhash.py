"""Finds sets that are nearly the same among many: MinHash signatures propose candidates, the sets themselves decide.

The extra ``warpsmith-extraction[near]`` brings rensa, which computes signatures and looks up candidates.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import numpy as np

from warpsmith.core.similarity.shingles import Set

MISSING = "near duplicates need the extra: pip install 'warpsmith-extraction[near]'"

BANDS, ROWS = 40, 7
"""Two sets are candidates if one of the bands of their signatures is equal: at a Jaccard of 0.8 all but one in ten thousand
are, at 0.85 all but one in five million, at 0.3 one in a hundred."""

SEED = 1


def available() -> bool:
    """Whether the library is installed."""
    return _rensa() is not None


@cache
def _rensa() -> Any:
    try:
        import rensa
    except ImportError:
        return None
    return rensa


def earlier_alike(sets: Sequence[Set], threshold: float) -> dict[int, tuple[int, float]]:
    """Return an earlier set that is alike, and how much, by the number of each set that has one.

    Args:
        sets: none of them empty.
        threshold: the least Jaccard similarity.

    Raises:
        RuntimeError: if the library is not installed.
    """
    found: dict[int, tuple[int, float]] = {}
    for number, others in candidates(sets, threshold):
        for other in others:
            if alike(sets[number], sets[other], threshold):
                found[number] = (other, jaccard(sets[number], sets[other]))
                break
    return found


def candidates(sets: Sequence[Set], threshold: float) -> Iterator[tuple[int, list[int]]]:
    """Yield the number of each set, and those of earlier ones that may be alike; of an equal one, the first of its like only.

    Raises:
        RuntimeError: if the library is not installed.
    """
    known = index(threshold)
    seen: dict[bytes, int] = {}
    for number, signature in enumerate(signatures(sets)):
        same = seen.setdefault(sets[number].tobytes(), number)
        if same != number:  # what is alike to it was alike to its twin: it is not looked up, and not put into the index
            yield number, [same]
            continue
        yield number, sorted(known.query(signature))
        known.insert(number, signature)


def signatures(sets: Sequence[Set], seed: int = SEED) -> list[Any]:
    """Return the signatures of sets; two of one seed tell their likeness by ``one.jaccard(other)``."""
    tokens = (numbers.view("V4").tolist() for numbers in sets)
    made: list[Any] = _library().RMinHash.from_token_sets(tokens, num_perm=BANDS * ROWS, seed=seed)
    return made


def index(threshold: float) -> Any:
    """Return an empty index of signatures, with ``insert(number, signature)`` and ``query(signature)``."""
    return _library().RMinHashLSH(threshold, BANDS * ROWS, BANDS)


def _library() -> Any:
    if not available():
        raise RuntimeError(MISSING)
    return _rensa()


def alike(one: Set, other: Set, threshold: float) -> bool:
    """Whether the Jaccard similarity of two sets reaches ``threshold``; told from their sizes where these are enough."""
    most = min(len(one), len(other)) / max(len(one), len(other))
    return most >= threshold and jaccard(one, other) >= threshold


def jaccard(one: Set, other: Set) -> float:
    """Return the share of common elements among all of two sets."""
    common = len(np.intersect1d(one, other, assume_unique=True))
    return common / (len(one) + len(other) - common)
