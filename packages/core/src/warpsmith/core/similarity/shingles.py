"""A text as a set of numbers: its shingles, the runs of a few tokens that it holds.

Two texts are as alike as their sets: the number of common shingles by the number of all (Jaccard). A shingle is kept as 32 bits
of a fixed hash, so that a set is a short array; two of a thousand shingles each meet by chance once in some thousand pairs of
texts, which changes nothing that is told.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

Set = npt.NDArray[np.uint32]
"""Sorted, without repetition."""

WORDS = 5
"""Tokens in a shingle."""

THRESHOLD = 0.8
"""Texts at least this much alike are near duplicates."""

_FACTORS = tuple(np.uint64(pow(0x9E3779B97F4A7C15, power, 1 << 64)) for power in range(16))

Numbers = npt.NDArray[np.uint64]


def shingles(tokens: Sequence[str]) -> Set:
    """Return the set of hashed shingles, sorted; a text of fewer tokens is one shingle. The same in every process."""
    numbers = numbered(tokens)
    size = max(len(numbers) - WORDS + 1, 1)
    return hashed([numbers[position : position + size] for position in range(min(WORDS, len(numbers)))], size)


def numbered(tokens: Sequence[str]) -> Numbers:
    """Return a number of 64 bits for each token, the same in every process."""
    return np.fromiter(map(_number, tokens), dtype=np.uint64, count=len(tokens))


def hashed(columns: Sequence[Numbers], size: int) -> Set:
    """Return the set of hashes of ``size`` shingles, given what stands at their first place, at their second, and so on."""
    mixed = np.zeros(size, dtype=np.uint64)
    for column, factor in zip(columns, _FACTORS):
        mixed += column * factor
    mixed ^= mixed >> np.uint64(29)
    mixed *= np.uint64(0xBF58476D1CE4E5B9)
    return np.unique((mixed >> np.uint64(32)).astype("<u4"))


@lru_cache(maxsize=1 << 16)
def _number(token: str) -> int:
    return int.from_bytes(hashlib.blake2b(token.encode(errors="surrogatepass"), digest_size=8).digest(), "little")
