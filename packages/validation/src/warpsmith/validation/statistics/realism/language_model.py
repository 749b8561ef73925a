"""A model of tokens with an open vocabulary: n-grams of tokens, over n-grams of the bytes of which tokens consist.

Every string has a probability, and the probabilities of all strings add up to one. Nothing is drawn at random.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from warpsmith.validation.statistics.realism.ngram import UNKNOWN, Floats, Ids, Ngrams

ORDER, SPELLING_ORDER = 4, 5
"""The lengths of the n-grams of tokens and of bytes. The ratio of two models changes by 0.03 or less between orders 2 and 6."""

_END = 256
"""The symbol after the last byte of a token."""

_LEAST = -700.0
"""The smallest logarithm of a probability: that of a string of some hundred bytes, which floats still hold."""


class TokenModel:
    """A model that has learned from texts.

    Args:
        texts: sequences of tokens. The model of bytes learns from each different token once.
        order: the length of the n-grams of tokens.
        spelling_order: the length of the n-grams of bytes.
    """

    def __init__(self, texts: Sequence[Sequence[str]], order: int = ORDER, spelling_order: int = SPELLING_ORDER) -> None:
        self._ids: dict[str, int] = {}
        encoded = [np.array([self._ids.setdefault(token, len(self._ids)) for token in text], np.int64) for text in texts]
        self._tokens = Ngrams(encoded, order)
        self._spelling = Ngrams([self._bytes(token) for token in self._ids], spelling_order)

    def probabilities(self, texts: Sequence[Sequence[str]]) -> Floats:
        """Return the probability of every token of all texts, in order."""
        base = self._spelled({token for text in texts for token in text})
        sequences = [np.array([self._ids.get(token, UNKNOWN) for token in text], np.int64) for text in texts]
        return self._tokens.probabilities(sequences, np.array([base[token] for text in texts for token in text], float))

    def bits(self, texts: Sequence[Sequence[str]]) -> float:
        """Return the bits per token that a code from this model needs for ``texts``."""
        estimates = self.probabilities(texts)
        return float(-np.log2(estimates).sum() / max(len(estimates), 1))

    def _bytes(self, token: str) -> Ids:
        return np.array([*token.encode(errors="surrogatepass"), _END], np.int64)

    def _spelled(self, tokens: set[str]) -> dict[str, float]:
        """Return the probability of each token by its bytes."""
        ordered = sorted(tokens)
        sequences = [self._bytes(token) for token in ordered]
        length = sum(map(len, sequences))
        logarithms = np.log(self._spelling.probabilities(sequences, np.full(length, 1 / (_END + 1))))
        ends = np.cumsum([len(sequence) for sequence in sequences])
        sums = np.diff(np.concatenate([[0.0], np.cumsum(logarithms)[ends - 1]])) if len(ends) else np.empty(0)
        return dict(zip(ordered, np.exp(np.maximum(sums, _LEAST)).tolist(), strict=True))
