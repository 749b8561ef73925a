"""Chooses the pairs of a page: pairs with failures, then judged ones, of every category. The choice is always the same."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Collection, Iterable

from warpsmith.validation.report.dataset_scan import Entry, Position

FAILING_SHARE = 0.5
"""The largest share of a page for pairs with a failure while there are other pairs."""


def choose(
    entries: Iterable[Entry], failing: Collection[Position], count: int, judged: Collection[Position] = ()
) -> list[Entry]:
    """Return at most ``count`` entries, the ``failing`` ones first, each group in the order of the files.

    Of entries with the same id, the first is used.

    Args:
        entries: all pairs.
        failing: the positions of pairs with a failure.
        count: the number of pairs on the page.
        judged: the positions of pairs that are preferred to other pairs without a failure.
    """
    unique: dict[str, Entry] = {}
    for entry in entries:
        unique.setdefault(entry.identity, entry)
    bad = [entry for entry in unique.values() if entry.position in failing]
    good = [entry for entry in unique.values() if entry.position not in failing]
    bad = _balanced(bad, max(int(count * FAILING_SHARE), count - len(good)))
    preferred = [entry for entry in good if entry.position in judged]
    chosen = {entry.identity for entry in _balanced(preferred, count - len(bad))}
    remaining = [entry for entry in good if entry.identity not in chosen]
    chosen |= {entry.identity for entry in _balanced(remaining, count - len(bad) - len(chosen))}
    return bad + [entry for entry in good if entry.identity in chosen]


def _balanced(entries: list[Entry], count: int) -> list[Entry]:
    """Choose ``count`` entries by the digests of their ids, one category after another, and keep their order."""
    ranks: Counter[str] = Counter()
    turns: dict[str, tuple[int, bytes]] = {}
    for digest, entry in sorted((hashlib.sha256(entry.identity.encode()).digest(), entry) for entry in entries):
        turns[entry.identity] = (ranks[entry.category], digest)
        ranks[entry.category] += 1
    chosen = {entry.identity for entry in sorted(entries, key=lambda entry: turns[entry.identity])[:count]}
    return [entry for entry in entries if entry.identity in chosen]
