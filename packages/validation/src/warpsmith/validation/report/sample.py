"""Chooses the pairs of a page: some pairs with failures, then some of every category. The choice is always the same."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Collection, Iterable

from warpsmith.validation.report.scan import Entry, Position

FAILING_SHARE = 0.5
"""The largest share of a page for pairs with a failure while there are other pairs."""


def choose(entries: Iterable[Entry], failing: Collection[Position], count: int) -> list[Entry]:
    """Return at most ``count`` entries, the ``failing`` ones first, each group in the order of the files.

    Of entries with the same id, the first is used.
    """
    unique: dict[str, Entry] = {}
    for entry in entries:
        unique.setdefault(entry.identity, entry)
    bad = [entry for entry in unique.values() if entry.position in failing]
    good = [entry for entry in unique.values() if entry.position not in failing]
    bad = _balanced(bad, max(int(count * FAILING_SHARE), count - len(good)))
    return bad + _balanced(good, count - len(bad))


def _balanced(entries: list[Entry], count: int) -> list[Entry]:
    """Choose ``count`` entries by the digests of their ids, one category after another, and keep their order."""
    ranks: Counter[str] = Counter()
    turns: dict[str, tuple[int, bytes]] = {}
    for digest, entry in sorted((hashlib.sha256(entry.identity.encode()).digest(), entry) for entry in entries):
        turns[entry.identity] = (ranks[entry.category], digest)
        ranks[entry.category] += 1
    chosen = {entry.identity for entry in sorted(entries, key=lambda entry: turns[entry.identity])[:count]}
    return [entry for entry in entries if entry.identity in chosen]
