"""Pairs that tests quote; they are kept here, because what the generator writes today may differ."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from warpsmith.core import Pair, read_pairs

PAIRS = Path(__file__).parent / "kept_pairs.jsonl"


@lru_cache(maxsize=1)
def kept_pairs() -> dict[str, Pair]:
    """Return the kept pairs by their ids."""
    return {pair.id: pair for pair in read_pairs(PAIRS)}


def kept(index: int) -> Pair:
    """Return the kept pair with this index."""
    return kept_pairs()[f"2-2000-{index}"]
