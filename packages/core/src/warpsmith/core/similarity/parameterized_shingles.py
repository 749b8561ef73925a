"""A text as the set of its shapes: shingles that stay what they are when names are replaced by others.

In a shape a name is told by how far back it stood before, if that is within the shape: Baker's encoding of parameterized
strings (Parameterized pattern matching, 1993). ``a = b + a`` and ``x = y + x`` have one shape, ``x = y + y`` another.
"""

from __future__ import annotations

import keyword
from collections.abc import Sequence

import numpy as np

from warpsmith.core.similarity.shingles import Set, hashed, numbered

LONG = 13
"""Tokens in a shape: more than in a shingle, because code without its names repeats itself. Among the Python of 600
kernels of ten types there are 2 twosomes, of 179,700, that have four fifths of their shapes in common; with five tokens 115."""

_QUALIFYING = (".", "::", "->")


def parameterized_shingles(tokens: Sequence[str]) -> Set:
    """Return the set of hashed shapes, sorted; a text of fewer tokens has none."""
    size = max(len(tokens) - LONG + 1, 0)
    numbers, back = numbered(tokens), _distances(tokens)
    columns = []
    for position in range(LONG):
        token, distance = numbers[position : position + size], back[position : position + size]
        within = np.where(distance <= position, distance, 0).astype(np.uint64)
        columns.append(np.where(distance < 0, token, within))
    return hashed(columns, size)


def _distances(tokens: Sequence[str]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """How many tokens ago each name stood last, a large number for its first time; -1 for what is no name."""
    last: dict[str, int] = {}
    found = np.full(len(tokens), -1, dtype=np.int64)
    for place, token in enumerate(tokens):
        if token.isidentifier() and not keyword.iskeyword(token) and (not place or tokens[place - 1] not in _QUALIFYING):
            found[place] = place - last.get(token, place - len(tokens) - LONG)
            last[token] = place
    return found
