"""The question: how many pairs are nearly the same text as an earlier one?

Two texts are as alike as their sets of shingles, runs of five tokens: the number of common ones by the number of all (Jaccard).
Names count as they are, but for the kernel's own. A shingle is kept as 32 bits of a fixed hash, so that a set is a short array;
two of a thousand shingles each meet by chance once in some thousand pairs of texts, which changes nothing that is told.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from warpsmith.validation.statistics import near
from warpsmith.validation.statistics.reading import Reading

WORDS = 5
"""Tokens in a shingle."""

THRESHOLD = 0.8
"""Texts at least this much alike are near duplicates."""

_LANGUAGES = ("python", "cuda")
_EXAMPLES = 10

_FACTORS = np.array([pow(0x9E3779B97F4A7C15, power, 1 << 64) for power in range(WORDS)], dtype=np.uint64)


def empty() -> dict[str, Any]:
    """Return the look at no pairs."""
    return {"ids": [], **{language: [] for language in _LANGUAGES}}


def look(state: dict[str, Any], reading: Reading) -> None:
    """Keep the shingles of one pair's texts, as text that fits into JSON; None for a text that is not there."""
    state["ids"].append(reading.pair.id)
    for language, tokens in zip(_LANGUAGES, (reading.python_tokens, reading.cuda_tokens), strict=True):
        state[language].append(base64.b64encode(shingles(tokens).tobytes()).decode() if tokens else None)


def shingles(tokens: Sequence[str]) -> npt.NDArray[np.uint32]:
    """Return the set of hashed shingles, sorted; a text of fewer tokens is one shingle. The same in every process."""
    numbers = np.fromiter(map(_number, tokens), dtype=np.uint64, count=len(tokens))
    size = max(len(numbers) - WORDS + 1, 1)
    mixed = np.zeros(size, dtype=np.uint64)
    for position in range(min(WORDS, len(numbers))):
        mixed += numbers[position : position + size] * _FACTORS[position]
    mixed ^= mixed >> np.uint64(29)
    mixed *= np.uint64(0xBF58476D1CE4E5B9)
    return np.unique((mixed >> np.uint64(32)).astype("<u4"))


@lru_cache(maxsize=1 << 16)
def _number(token: str) -> int:
    return int.from_bytes(hashlib.blake2b(token.encode(errors="surrogatepass"), digest_size=8).digest(), "little")


def add(total: dict[str, Any], part: dict[str, Any]) -> None:
    """Put a look at later pairs behind those of ``total``."""
    for name in ("ids", *_LANGUAGES):
        total[name] += part[name]


def summarize(total: dict[str, Any]) -> dict[str, Any]:
    """Find the near duplicates; without the library, say which extra brings it."""
    result: dict[str, Any] = {"jaccard": THRESHOLD, "shingle_tokens": WORDS}
    if not near.available():
        return result | {"not_measured": near.MISSING}
    return result | {language: _found(total["ids"], total[language]) for language in _LANGUAGES}


def _found(ids: Sequence[str], encoded: Sequence[str | None]) -> dict[str, Any]:
    there = [number for number, text in enumerate(encoded) if text is not None]
    sets = [np.frombuffer(base64.b64decode(encoded[number] or ""), dtype="<u4") for number in there]
    earlier = near.earlier_alike(sets, THRESHOLD)
    examples = [
        {"id": ids[there[number]], "earlier": ids[there[other]], "jaccard": round(likeness, 4)}
        for number, (other, likeness) in list(earlier.items())[:_EXAMPLES]
    ]
    share = round(len(earlier) / max(len(there), 1), 6)
    return {"texts": len(there), "near_duplicates": len(earlier), "share": share, "examples": examples}
