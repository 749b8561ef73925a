"""The question: how many pairs are nearly the same text as an earlier one?

Two texts are as alike as their sets of shingles, runs of five tokens: the number of common ones by the number of all (Jaccard).
Names count as they are, but for the kernel's own.
"""

from __future__ import annotations

import base64
from collections.abc import Sequence
from typing import Any

import numpy as np

from warpsmith.core.similarity import minhash
from warpsmith.core.similarity.shingles import THRESHOLD, WORDS, shingles
from warpsmith.validation.statistics.reading import Reading

MISSING = "near duplicates need the extra: pip install 'warpsmith-validation[stats]'"

_LANGUAGES = ("python", "cuda")
_EXAMPLES = 10


def empty() -> dict[str, Any]:
    """Return the look at no pairs."""
    return {"ids": [], **{language: [] for language in _LANGUAGES}}


def look(state: dict[str, Any], reading: Reading) -> None:
    """Keep the shingles of one pair's texts, as text that fits into JSON; None for a text that is not there."""
    state["ids"].append(reading.pair.id)
    for language, tokens in zip(_LANGUAGES, (reading.python_tokens, reading.cuda_tokens), strict=True):
        state[language].append(base64.b64encode(shingles(tokens).tobytes()).decode() if tokens else None)


def add(total: dict[str, Any], part: dict[str, Any]) -> None:
    """Put a look at later pairs behind those of ``total``."""
    for name in ("ids", *_LANGUAGES):
        total[name] += part[name]


def summarize(total: dict[str, Any]) -> dict[str, Any]:
    """Find the near duplicates; without the library, say which extra brings it."""
    result: dict[str, Any] = {"jaccard": THRESHOLD, "shingle_tokens": WORDS}
    if not minhash.available():
        return result | {"not_measured": MISSING}
    return result | {language: _found(total["ids"], total[language]) for language in _LANGUAGES}


def _found(ids: Sequence[str], encoded: Sequence[str | None]) -> dict[str, Any]:
    there = [number for number, text in enumerate(encoded) if text is not None]
    sets = [np.frombuffer(base64.b64decode(encoded[number] or ""), dtype="<u4") for number in there]
    earlier = minhash.earlier_alike(sets, THRESHOLD)
    examples = [
        {"id": ids[there[number]], "earlier": ids[there[other]], "jaccard": round(likeness, 4)}
        for number, (other, likeness) in list(earlier.items())[:_EXAMPLES]
    ]
    share = round(len(earlier) / max(len(there), 1), 6)
    return {"texts": len(there), "near_duplicates": len(earlier), "share": share, "examples": examples}
