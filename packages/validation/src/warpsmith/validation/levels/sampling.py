"""Which pairs also go through the slow way of a check, by their id: the same in every run and on every machine."""

from __future__ import annotations

import hashlib

from warpsmith.validation.levels.registry import Level


def is_sampled(identity: str, share: int, purpose: str) -> bool:
    """Return whether a pair is one of about one in ``share``.

    Args:
        identity: the pair's id.
        share: how many pairs there are for each that is sampled.
        purpose: what the sample is for; samples for different purposes are independent.
    """
    digest = hashlib.blake2b(f"{purpose}/{identity}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, "little") % share == 0


def selects(level: Level, identity: str) -> bool:
    """Return whether a level checks a pair, see `Level.share`."""
    return level.share == 1 or is_sampled(identity, level.share, level.name)
