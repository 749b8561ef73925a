"""N-gram estimates of sequences of integers, interpolated as Witten and Bell do (IEEE Trans. on Information Theory, 1991).

The estimate of a symbol after a context mixes its frequency there with the estimate after the context without its first symbol:
``(count + distinct * shorter) / (total + distinct)``, where ``distinct`` counts the different symbols after the context. A
context that was never seen leaves the estimate of the shorter one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Ids: TypeAlias = NDArray[np.int64]
Floats: TypeAlias = NDArray[np.float64]

UNKNOWN = -1
"""The id of a symbol or a context that the training text does not contain."""

_SHIFT = 32
"""Two ids make one key: the id of a context above, and that of a symbol below."""


class _Level:
    """The counts after contexts of one length, and the table that numbers the contexts that are one symbol longer."""

    def __init__(self, contexts: Ids, symbols: Ids, extended: Ids) -> None:
        self._keys, self._counts = np.unique((contexts << _SHIFT) | symbols, return_counts=True)
        owners = self._keys >> _SHIFT
        size = int(owners.max(initial=-1)) + 1
        self._totals = np.bincount(owners, weights=self._counts, minlength=size)
        self._distinct = np.bincount(owners, minlength=size).astype(float)
        self._extensions = np.unique(extended)

    def mix(self, contexts: Ids, symbols: Ids, shorter: Floats) -> Floats:
        """Return the estimates after contexts of this length, given those after shorter ones."""
        if not len(self._keys):
            return shorter
        known = (contexts >= 0) & (contexts < len(self._totals))
        inside = np.where(known, contexts, 0)
        totals, distinct = self._totals[inside], self._distinct[inside]
        found, where = _find(self._keys, (inside << _SHIFT) | np.maximum(symbols, 0))
        counts = np.where(found & (symbols >= 0), self._counts[where], 0)
        mixed = (counts + distinct * shorter) / np.maximum(totals + distinct, 1)
        return np.where(known & (totals > 0), mixed, shorter)

    def extend(self, contexts: Ids, symbols: Ids) -> Ids:
        """Return the ids of contexts followed by one symbol more."""
        found, where = _find(self._extensions, (np.maximum(contexts, 0) << _SHIFT) | np.maximum(symbols, 0))
        return np.where(found & (contexts >= 0) & (symbols >= 0), where, UNKNOWN)


def _find(ordered: Ids, wanted: Ids) -> tuple[NDArray[np.bool_], Ids]:
    """Return whether each key is in an ordered table, and where."""
    if not len(ordered):
        return np.zeros(len(wanted), bool), np.zeros(len(wanted), np.int64)
    where = np.minimum(np.searchsorted(ordered, wanted), len(ordered) - 1)
    return ordered[where] == wanted, where


class Ngrams:
    """Estimates of symbols, which are ids from 0, after up to ``order - 1`` earlier symbols of their sequence."""

    def __init__(self, sequences: Sequence[Ids], order: int) -> None:
        self.order = order
        self._levels: list[_Level] = []
        symbols, starts = _joined(sequences)
        contexts = np.zeros(len(symbols), np.int64)
        for length in range(order):
            inside = starts >= length
            before, last = contexts[:-1], symbols[:-1]
            usable = (starts[1:] > length) & (before >= 0)
            level = _Level(contexts[inside], symbols[inside], (before[usable] << _SHIFT) | last[usable])
            self._levels.append(level)
            contexts = _following(level, contexts, symbols, starts, length)

    def probabilities(self, sequences: Sequence[Ids], base: Floats) -> Floats:
        """Return the estimate of every symbol of all sequences, given estimates that ignore the context."""
        symbols, starts = _joined(sequences)
        contexts = np.zeros(len(symbols), np.int64)
        estimate = base
        for length, level in enumerate(self._levels):
            estimate = level.mix(contexts, symbols, estimate)
            contexts = _following(level, contexts, symbols, starts, length)
        return estimate


def _joined(sequences: Sequence[Ids]) -> tuple[Ids, Ids]:
    """Return all symbols in one array, and the position of each in its own sequence."""
    positions = [np.arange(len(sequence)) for sequence in sequences]
    return np.concatenate([*sequences, np.empty(0, np.int64)]), np.concatenate([*positions, np.empty(0, np.int64)])


def _following(level: _Level, contexts: Ids, symbols: Ids, starts: Ids, length: int) -> Ids:
    """Return the id of the context of each symbol that is one longer than ``length``; unknown at the start of a sequence."""
    longer = np.full(len(symbols), UNKNOWN, np.int64)
    longer[1:] = np.where(starts[1:] > length, level.extend(contexts[:-1], symbols[:-1]), UNKNOWN)
    return longer
