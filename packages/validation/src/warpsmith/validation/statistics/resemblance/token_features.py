"""Features of texts with roles: hashed n-grams of tokens, and figures."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TypeAlias
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]

ORDER = 3
"""The length of the longest n-grams."""

BUCKETS = 1 << 13
"""The number of values of the hash of an n-gram."""

FIGURE_SCALE = 0.3
"""The factor of figures, beside vectors of n-grams of length 1."""


def feature_matrix(texts: Sequence[Sequence[str]], figures: Sequence[Mapping[str, float]]) -> tuple[Floats, list[str]]:
    """Return a row of features for each text, and the name of each feature.

    The n-grams of a text are a vector of length 1, with the logarithm of one more than their number. Figures have mean 0 and
    the same variance over all texts. A bucket has the name of its most frequent n-gram.
    """
    grams = np.zeros((len(texts), BUCKETS))
    seen: list[Counter[tuple[str, ...]]] = []
    for row, tokens in enumerate(texts):
        counts = Counter(
            tuple(tokens[start : start + length]) for length in range(1, ORDER + 1) for start in _starts(tokens, length)
        )
        seen.append(counts)
        np.add.at(grams[row], [_bucket(gram) for gram in counts], list(counts.values()))
    grams = np.log1p(grams)
    grams /= np.maximum(np.linalg.norm(grams, axis=1, keepdims=True), 1e-12)
    columns = sorted({name for row in figures for name in row})
    values = np.array([[row.get(name, 0.0) for name in columns] for row in figures]).reshape(len(texts), len(columns))
    values = (values - values.mean(axis=0)) / np.maximum(values.std(axis=0), 1e-9)
    return np.hstack([grams, FIGURE_SCALE * np.clip(values, -3, 3)]), [*_names(seen), *columns]


def _starts(tokens: Sequence[str], length: int) -> range:
    return range(len(tokens) - length + 1)


def _bucket(gram: tuple[str, ...]) -> int:
    return crc32("\0".join(gram).encode(errors="replace")) % BUCKETS


def _names(seen: Sequence[Counter[tuple[str, ...]]]) -> list[str]:
    """Return the most frequent n-gram of each bucket, by the number of texts that contain it."""
    texts = Counter(gram for counts in seen for gram in counts)
    names = [""] * BUCKETS
    for gram, _ in sorted(texts.items(), key=lambda item: (item[1], item[0])):
        names[_bucket(gram)] = " ".join(map(_readable, gram))
    return names


def _readable(token: str) -> str:
    return f"⏎{len(token) - 1}" if token.startswith("\n") else token


def log_figure(value: int) -> float:
    """Return a number of statements or tokens as a figure."""
    return math.log1p(value)
