"""Finds sets that are nearly the same among many: MinHash signatures propose candidates, the sets themselves decide.

The extra ``warpsmith-validation[stats]`` brings rensa, which computes signatures and looks up candidates.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

MISSING = "near duplicates need the extra: pip install 'warpsmith-validation[stats]'"

BANDS, ROWS = 40, 7
"""Two sets are candidates if one of the bands of their signatures is equal: at a Jaccard of 0.8 all but one in ten thousand
are, at 0.85 all but one in five million, at 0.3 one in a hundred."""

SEED = 1

Set = npt.NDArray[np.uint32]


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
        sets: sorted arrays without repetition, none of them empty.
        threshold: the least Jaccard similarity.

    Raises:
        RuntimeError: if the library is not installed.
    """
    if not available():
        raise RuntimeError(MISSING)
    library = _rensa()
    index = library.RMinHashLSH(threshold, BANDS * ROWS, BANDS)
    seen: dict[bytes, int] = {}
    found: dict[int, tuple[int, float]] = {}
    for number, signature in enumerate(_signatures(library, sets)):
        same = seen.setdefault(sets[number].tobytes(), number)
        if same != number:  # what is alike to it was alike to its twin: it is not looked up, and not put into the index
            found[number] = (same, 1.0)
            continue
        for other in sorted(index.query(signature)):
            if _at_most(sets[number], sets[other]) >= threshold:
                likeness = jaccard(sets[number], sets[other])
                if likeness >= threshold:
                    found[number] = (other, likeness)
                    break
        index.insert(number, signature)
    return found


def _signatures(library: Any, sets: Sequence[Set]) -> list[Any]:
    tokens = (numbers.view("V4").tolist() for numbers in sets)
    made: list[Any] = library.RMinHash.from_token_sets(tokens, num_perm=BANDS * ROWS, seed=SEED)
    return made


def _at_most(one: Set, other: Set) -> float:
    """The Jaccard similarity that two sets of these sizes cannot exceed."""
    return min(len(one), len(other)) / max(len(one), len(other))


def jaccard(one: Set, other: Set) -> float:
    """Return the share of common elements among all of two sets."""
    common = len(np.intersect1d(one, other, assume_unique=True))
    return common / (len(one) + len(other) - common)
