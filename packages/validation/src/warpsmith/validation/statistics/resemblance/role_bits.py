"""Bits per token with roles: how well models of a dataset and of a reference predict the code of a project."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from warpsmith.validation.statistics.realism.language_model import TokenModel
from warpsmith.validation.statistics.realism.model_tokens import first_tokens, text_tokens
from warpsmith.validation.statistics.realism.section import mixed
from warpsmith.validation.statistics.resemblance.program_figures import Sample
from warpsmith.validation.statistics.resemblance_types import RoleBits

TOKENS = 250_000
"""The most tokens from which a model learns."""

PROJECT_TOKENS = 500_000
"""The most tokens of a project that are predicted."""

VIEWS: dict[str, Callable[[Sample], str]] = {
    "texts": lambda sample: sample["head"] + sample["body"],
    "bodies of kernels": lambda sample: sample["body"] if sample["kind"] == "kernel" else "",
    "bodies of functions": lambda sample: sample["body"] if sample["kind"] == "function" else "",
}
"""The texts that are compared, by name; a text that is empty is left out."""


class RoleCorpus:
    """The texts with roles of a dataset or of code, and the number of their tokens, by view."""

    def __init__(self, samples: Sequence[Sample]) -> None:
        self.samples = samples
        self.texts = {view: mixed(filter(None, map(select, samples))) for view, select in VIEWS.items()}
        self.tokens = {view: sum(len(text_tokens(text)) for text in texts) for view, texts in self.texts.items()}


def measure_bits(dataset: RoleCorpus, reference: RoleCorpus, project: RoleCorpus) -> dict[str, RoleBits]:
    """Return the bits per token for each view.

    Both models learn from the same number of tokens: 250,000, or what the smaller one of dataset and reference has.
    """
    return {view: _measure(view, dataset, reference, project) for view in VIEWS}


def _measure(view: str, dataset: RoleCorpus, reference: RoleCorpus, project: RoleCorpus) -> RoleBits:
    predicted = first_tokens(project.texts[view], PROJECT_TOKENS)
    tokens = min(dataset.tokens[view], reference.tokens[view], TOKENS)
    bits, reference_bits = (_bits(corpus.texts[view], tokens, predicted) for corpus in (dataset, reference))
    return {
        "tokens": tokens,
        "project_tokens": sum(map(len, predicted)),
        "bits": bits,
        "reference_bits": reference_bits,
        "ratio": round(bits / reference_bits, 4) if bits and reference_bits else None,
    }


def _bits(texts: Sequence[str], tokens: int, predicted: Sequence[Sequence[str]]) -> float | None:
    return round(TokenModel(first_tokens(texts, tokens)).bits(predicted), 4) if tokens and predicted else None
