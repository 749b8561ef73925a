"""Compares one set with many others at once: how many elements it has in common with each."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from warpsmith.core.similarity.shingles import Set


class Overlaps:
    """A number of sets, none of them empty, that others are compared with."""

    def __init__(self, sets: Sequence[Set]) -> None:
        self._sizes = np.array([len(numbers) for numbers in sets], dtype=np.int64)
        elements = np.concatenate([*sets, np.zeros(0, dtype=np.uint32)])
        owners = np.repeat(np.arange(len(sets)), self._sizes)
        order = np.argsort(elements, kind="stable")
        self._elements, self._owners = elements[order], owners[order]

    def contained(self, one: Set) -> tuple[int, float]:
        """Return the set that ``one`` overlaps most with, and the share of the smaller of the two that is common."""
        return self._most(self._common(one) / np.maximum(np.minimum(self._sizes, len(one)), 1))

    def alike(self, one: Set) -> tuple[int, float]:
        """Return the set that ``one`` is most like, and their Jaccard similarity."""
        common = self._common(one)
        return self._most(common / np.maximum(self._sizes + len(one) - common, 1))

    def _common(self, one: Set) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        """How many elements each of the sets has in common with ``one``."""
        first = np.searchsorted(self._elements, one, side="left")
        counts = np.searchsorted(self._elements, one, side="right") - first
        starts = np.repeat(first - np.concatenate([[0], np.cumsum(counts)[:-1]]), counts) if len(one) else first
        return np.bincount(self._owners[starts + np.arange(int(counts.sum()))], minlength=len(self._sizes))

    def _most(self, shares: np.ndarray[tuple[int], np.dtype[np.float64]]) -> tuple[int, float]:
        if not len(shares):
            return -1, 0.0
        best = int(np.argmax(shares))
        return best, float(shares[best])
