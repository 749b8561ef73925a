"""Near duplicates: pairs whose text is nearly the text of an earlier pair.

The similarity of two texts is the Jaccard index of their sets of shingles, which are runs of five tokens. Names are compared as
written, except the name of the kernel.
"""

from __future__ import annotations

import base64
from collections.abc import Sequence
from typing import TypedDict

import numpy as np

from warpsmith.core.extras import Extra
from warpsmith.core.similarity import minhash
from warpsmith.core.similarity.shingles import SHINGLE_TOKENS, THRESHOLD, shingles
from warpsmith.validation.statistics.parsed_pair import ParsedPair
from warpsmith.validation.statistics.stats_types import DuplicateExample, DuplicatesSummary, LanguageDuplicates

MISSING = Extra("warpsmith-validation[stats]", "the search for near duplicates").missing

_EXAMPLES = 10


class State(TypedDict):
    """The ids of pairs, and the shingles of their texts, in Base64 as a worker sends them; None for a missing text."""

    ids: list[str]
    python: list[str | bytes | None]
    cuda: list[str | bytes | None]


def empty() -> State:
    """Return the state before the first pair."""
    return {"ids": [], "python": [], "cuda": []}


def update(state: State, parsed: ParsedPair) -> None:
    """Add the shingles of one pair."""
    state["ids"].append(parsed.pair.id)
    state["python"].append(_encoded(parsed.python_tokens))
    state["cuda"].append(_encoded(parsed.cuda_tokens))


def _encoded(tokens: list[str] | None) -> str | None:
    return base64.b64encode(shingles(tokens).tobytes()).decode() if tokens else None


def add(total: State, part: State) -> None:
    """Add the state of later pairs to ``total``."""
    total["ids"] += part["ids"]
    total["python"] += map(_decoded, part["python"])
    total["cuda"] += map(_decoded, part["cuda"])


def _decoded(text: str | bytes | None) -> bytes | None:
    return base64.b64decode(text) if isinstance(text, str) else text


def summarize(total: State) -> DuplicatesSummary:
    """Return the near duplicates; without the library, return the name of the extra to install."""
    if not minhash.available():
        return {"jaccard": THRESHOLD, "shingle_tokens": SHINGLE_TOKENS, "not_measured": MISSING}
    return {
        "jaccard": THRESHOLD,
        "shingle_tokens": SHINGLE_TOKENS,
        "python": _language_duplicates(total["ids"], total["python"]),
        "cuda": _language_duplicates(total["ids"], total["cuda"]),
    }


def _language_duplicates(ids: Sequence[str], encoded: Sequence[str | bytes | None]) -> LanguageDuplicates:
    decoded = [(number, content) for number, text in enumerate(encoded) if (content := _decoded(text)) is not None]
    present = [number for number, _ in decoded]
    sets = [np.frombuffer(content, dtype="<u4") for _, content in decoded]
    earlier = minhash.earlier_similar(sets, THRESHOLD)
    examples: list[DuplicateExample] = [
        {"id": ids[present[number]], "earlier": ids[present[other]], "jaccard": round(similarity, 4)}
        for number, (other, similarity) in list(earlier.items())[:_EXAMPLES]
    ]
    share = round(len(earlier) / max(len(present), 1), 6)
    return {"texts": len(present), "near_duplicates": len(earlier), "share": share, "examples": examples}
