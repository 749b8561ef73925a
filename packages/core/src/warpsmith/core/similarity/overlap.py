"""The overlap of one set with many sets at once: the number of elements it has in common with each."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from warpsmith.core.similarity.shingles import ShingleSet


class Overlaps:
    """A collection of sets, none of them empty, that other sets are compared with."""

    def __init__(self, sets: Sequence[ShingleSet]) -> None:
        self._sizes = np.array([len(numbers) for numbers in sets], dtype=np.int64)
        elements = np.concatenate([*sets, np.zeros(0, dtype=np.uint32)])
        owners = np.repeat(np.arange(len(sets)), self._sizes)
        order = np.argsort(elements, kind="stable")
        self._elements, self._owners = elements[order], owners[order]

    def largest_overlap(self, query: ShingleSet) -> tuple[int, float]:
        """Return the number of the set with the largest overlap, and the overlap as a share of the smaller of the two sets."""
        return _largest(self._common(query) / np.maximum(np.minimum(self._sizes, len(query)), 1))

    def largest_similarity(self, query: ShingleSet) -> tuple[int, float]:
        """Return the number of the most similar set, and the Jaccard similarity."""
        common = self._common(query)
        return _largest(common / np.maximum(self._sizes + len(query) - common, 1))

    def _common(self, query: ShingleSet) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        """Return the number of elements that each set has in common with ``query``."""
        first = np.searchsorted(self._elements, query, side="left")
        counts = np.searchsorted(self._elements, query, side="right") - first
        starts = np.repeat(first - np.concatenate([[0], np.cumsum(counts)[:-1]]), counts) if len(query) else first
        return np.bincount(self._owners[starts + np.arange(int(counts.sum()))], minlength=len(self._sizes))


def _largest(shares: np.ndarray[tuple[int], np.dtype[np.float64]]) -> tuple[int, float]:
    """Return the position of the largest share and its value; -1 and 0 if there is none."""
    if not len(shares):
        return -1, 0.0
    best = int(np.argmax(shares))
    return best, float(shares[best])
