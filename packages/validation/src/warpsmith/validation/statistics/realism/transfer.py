"""The transfer ratio: how much a model of tokens that learns from a dataset learns about real kernels.

Two models of the same kind learn from the same number of tokens, one from the dataset and one from real code, and then predict
real kernels that neither has seen. The ratio of their bits per token is 1 if the dataset teaches as much as real code.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from warpsmith.validation.statistics.realism.language_model import TokenModel
from warpsmith.validation.statistics.realism.model_tokens import first_tokens, text_tokens
from warpsmith.validation.statistics.realism.section import mixed
from warpsmith.validation.statistics.realism_types import TransferStep, TransferSummary

TOKENS = 250_000
"""The most training tokens of the ratio."""

STEPS = (10_000, 50_000, 250_000, 1_000_000)
"""The numbers of training tokens of the curve, as far as there are so many."""


@dataclass(frozen=True)
class Corpus:
    """Texts of kernels, functions and structs, and the name of where they are from."""

    name: str
    texts: Sequence[str]


class Transfer:
    """What datasets are compared with: the reference to learn from, and the held-out texts to predict.

    Args:
        reference: real code.
        held_out: other real code.
    """

    def __init__(self, reference: Corpus, held_out: Corpus) -> None:
        self._names = (reference.name, held_out.name)
        self._held_out = [text_tokens(text) for text in mixed(held_out.texts)]
        self._reference = mixed(reference.texts)
        self._available = _count(self._reference)
        self._known: dict[int, float] = {}

    def measure(self, texts: Iterable[str]) -> TransferSummary:
        """Return the ratio for texts of a dataset, and the curve over the number of training tokens."""
        ordered = mixed(texts)
        tokens = _count(ordered)
        common = min(tokens, self._available, TOKENS)
        numbers = sorted({common, *(step for step in STEPS if step <= tokens)} - {0})
        steps = [self._step(ordered, number) for number in numbers]
        return {
            "reference": self._names[0],
            "held_out": self._names[1],
            "reference_tokens": self._available,
            "held_out_tokens": sum(map(len, self._held_out)),
            "available_tokens": tokens,
            "tokens": common,
            "ratio": next((step["ratio"] for step in steps if step["tokens"] == common), None),
            "steps": steps,
        }

    def _step(self, texts: Sequence[str], tokens: int) -> TransferStep:
        bits = TokenModel(first_tokens(texts, tokens)).bits(self._held_out)
        reference = self._reference_bits(tokens) if tokens <= self._available else None
        return {
            "tokens": tokens,
            "bits": round(bits, 4),
            "reference_bits": reference and round(reference, 4),
            "ratio": round(bits / reference, 4) if reference else None,
        }

    def _reference_bits(self, tokens: int) -> float:
        if tokens not in self._known:
            self._known[tokens] = TokenModel(first_tokens(self._reference, tokens)).bits(self._held_out)
        return self._known[tokens]


def _count(texts: Iterable[str]) -> int:
    return sum(len(text_tokens(text)) for text in texts)
