"""Shingles: a text as the set of its runs of a few tokens.

The similarity of two texts is the Jaccard similarity of their sets: the number of common shingles divided by the number of all.
A shingle is stored as 32 bits of a fixed hash, so that a set is a short array. Two sets of a thousand shingles share one by
chance in one of some thousand pairs of texts, which changes no reported figure.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

ShingleSet = npt.NDArray[np.uint32]
"""A sorted array without repetition."""

SHINGLE_TOKENS = 5
"""Tokens in a shingle."""

THRESHOLD = 0.8
"""The least similarity of near duplicates."""

_FACTORS = tuple(np.uint64(pow(0x9E3779B97F4A7C15, power, 1 << 64)) for power in range(16))

Numbers = npt.NDArray[np.uint64]


def shingles(tokens: Sequence[str]) -> ShingleSet:
    """Return the set of hashed shingles, sorted and the same in every process; a shorter text is one shingle."""
    numbers = token_numbers(tokens)
    size = max(len(numbers) - SHINGLE_TOKENS + 1, 1)
    return hash_columns([numbers[position : position + size] for position in range(min(SHINGLE_TOKENS, len(numbers)))], size)


def token_numbers(tokens: Sequence[str]) -> Numbers:
    """Return a 64-bit number for each token, the same in every process."""
    return np.fromiter(map(_number, tokens), dtype=np.uint64, count=len(tokens))


def hash_columns(columns: Sequence[Numbers], size: int) -> ShingleSet:
    """Return the set of hashes of ``size`` shingles.

    Args:
        columns: the first tokens of all shingles, their second tokens, and so on.
        size: the number of shingles.
    """
    mixed = np.zeros(size, dtype=np.uint64)
    for column, factor in zip(columns, _FACTORS):
        mixed += column * factor
    mixed ^= mixed >> np.uint64(29)
    mixed *= np.uint64(0xBF58476D1CE4E5B9)
    return np.unique((mixed >> np.uint64(32)).astype("<u4"))


@lru_cache(maxsize=1 << 16)
def _number(token: str) -> int:
    return int.from_bytes(hashlib.blake2b(token.encode(errors="surrogatepass"), digest_size=8).digest(), "little")
