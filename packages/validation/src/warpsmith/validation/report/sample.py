"""Chooses the pairs of a page: those that people look for first, then some of every category, the same ones every time."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Collection, Iterable

from warpsmith.validation.report.scan import Entry

TROUBLED_SHARE = 0.5
"""How much of a page pairs with a failure may take while there are others."""


def choose(entries: Iterable[Entry], troubled: Collection[str], count: int) -> list[Entry]:
    """Return at most ``count`` entries, the ``troubled`` first, and within each part in the order of the files.

    An id that occurs again is passed over: a page shows the first.
    """
    unique: dict[str, Entry] = {}
    for entry in entries:
        unique.setdefault(entry.identity, entry)
    bad, good = ([entry for entry in unique.values() if (entry.identity in troubled) is kind] for kind in (True, False))
    room = max(int(count * TROUBLED_SHARE), count - len(good))
    bad = _balanced(bad, room)
    return bad + _balanced(good, count - len(bad))


def _balanced(entries: list[Entry], count: int) -> list[Entry]:
    """Take ``count`` by the digests of their ids, each category in turn, and leave them in their order."""
    ranks: Counter[str] = Counter()
    turns: dict[str, tuple[int, bytes]] = {}
    for digest, entry in sorted((hashlib.sha256(entry.identity.encode()).digest(), entry) for entry in entries):
        turns[entry.identity] = (ranks[entry.category], digest)
        ranks[entry.category] += 1
    chosen = {entry.identity for entry in sorted(entries, key=lambda entry: turns[entry.identity])[:count]}
    return [entry for entry in entries if entry.identity in chosen]
