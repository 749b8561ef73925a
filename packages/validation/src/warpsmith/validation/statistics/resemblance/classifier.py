"""A classifier that tells kernels of a dataset from those of a project by their texts with roles.

It is a cross-validated logistic regression. Both classes have as many kernels of each size: kernels are taken in the order of
the hashes of their texts, and as many of each class of size as both have.

Such a classifier also learns what only this project does, by which it tells any two projects apart. The transferred area leaves
that out: the classifier learns from half of the dataset and from the reference, and tells the other half from the project.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from hashlib import blake2b

import numpy as np

from warpsmith.validation.statistics.realism.model_tokens import text_tokens
from warpsmith.validation.statistics.resemblance.logistic import Floats, area_under_curve, fit, held_out_scores
from warpsmith.validation.statistics.resemblance.program_figures import Sample
from warpsmith.validation.statistics.resemblance.token_features import feature_matrix, log_figure
from warpsmith.validation.statistics.resemblance.traits import OUTSIDE_BODIES, TRAITS
from warpsmith.validation.statistics.resemblance_types import ClassifierSummary, Weight

MAX_KERNELS = 1_000
"""The most kernels of each class."""

LEAST_KERNELS = 20
"""The fewest kernels of each class that are classified."""

FOLDS = 5
PENALTY = 0.03

LISTED = 15
"""The number of features listed for each class."""

VIEWS: dict[str, Callable[[Sample], str]] = {
    "texts of kernels": lambda sample: sample["head"] + sample["body"],
    "bodies of kernels": lambda sample: sample["body"],
}


class _Task:
    """Kernels of two classes, as many of each, as a problem of classification; label 1 is that of the second class."""

    def __init__(self, view: str, first: Sequence[Sample], second: Sequence[Sample]) -> None:
        chosen = _balanced([_kernels(first, view), _kernels(second, view)])
        self.kernels = len(chosen[0])
        if self.kernels < LEAST_KERNELS:
            return
        samples = [sample for pair in zip(*chosen, strict=True) for sample in pair]
        self.labels: Floats = (np.arange(len(samples)) % 2).astype(float)
        self.features, self.names = _features(view, samples)
        self._products = self.features @ self.features.T + 1.0

    def area(self) -> float | None:
        """Return the area under the curve of the held-out scores; None if there are too few kernels."""
        if self.kernels < LEAST_KERNELS:
            return None
        folds = np.arange(len(self.labels)) // 2 % FOLDS
        scores = held_out_scores(self._products, self.labels, folds, PENALTY)
        return round(area_under_curve(scores, self.labels), 4)

    def weights(self) -> dict[str, float]:
        """Return the weight of each feature after learning from all kernels, the smallest first."""
        if self.kernels < LEAST_KERNELS:
            return {}
        weights = self.features.T @ fit(self._products, self.labels, PENALTY)
        return {self.names[at]: float(weights[at]) for at in np.argsort(weights, kind="stable")}


def _transferred(view: str, dataset: Sequence[Sample], project: Sequence[Sample], reference: Sequence[Sample]) -> float | None:
    """Return the area with which a classifier that has learned from the reference tells the dataset from the project."""
    kernels = _kernels(dataset, view)
    learned = _balanced([kernels[::2], _kernels(reference, view)])
    tested = _balanced([kernels[1::2], _kernels(project, view)])
    if min(len(learned[0]), len(tested[0])) < LEAST_KERNELS:
        return None
    samples = [*learned[0], *learned[1], *tested[0], *tested[1]]
    features, _ = _features(view, samples)
    count = 2 * len(learned[0])
    products = features @ features[:count].T + 1.0
    scores = products[count:] @ fit(products[:count], np.repeat([0.0, 1.0], count // 2), PENALTY)
    return round(area_under_curve(scores, np.repeat([0.0, 1.0], len(tested[0]))), 4)


def _features(view: str, samples: Sequence[Sample]) -> tuple[Floats, list[str]]:
    return feature_matrix(
        [text_tokens(VIEWS[view](sample)) for sample in samples], [_figures(sample, view) for sample in samples]
    )


def classify(dataset: Sequence[Sample], project: Sequence[Sample], reference: Sequence[Sample]) -> dict[str, ClassifierSummary]:
    """Return the area under the curve and the features that weigh most, for texts and for bodies.

    The area for the reference is that of a classifier that tells real code from the project; the transferred one is that of a
    classifier that has learned from the reference what real code is.
    """
    return {view: _classify(view, dataset, project, reference) for view in VIEWS}


def _classify(
    view: str, dataset: Sequence[Sample], project: Sequence[Sample], reference: Sequence[Sample]
) -> ClassifierSummary:
    task = _Task(view, dataset, project)
    weights = [(name, weight) for name, weight in task.weights().items() if name]
    return {
        "kernels": task.kernels,
        "auc": task.area(),
        "reference_auc": _Task(view, reference, project).area(),
        "transferred_auc": _transferred(view, dataset, project, reference),
        "dataset": [_weight(name, -weight) for name, weight in weights[:LISTED]],
        "project": [_weight(name, weight) for name, weight in weights[::-1][:LISTED]],
    }


def _weight(name: str, weight: float) -> Weight:
    return {"feature": name, "weight": round(max(float(weight), 0.0), 3)}


def _kernels(samples: Sequence[Sample], view: str) -> list[Sample]:
    """Return the distinct kernels in the order of the hashes of their texts."""
    texts = {VIEWS[view](sample): sample for sample in samples if sample["kind"] == "kernel"}
    ordered = sorted(texts, key=lambda text: blake2b(text.encode(errors="replace")).digest())
    return [texts[text] for text in ordered if text]


def _size(sample: Sample) -> int:
    """Return the class of size of a kernel: the statements of the largest one are at most twice those of the smallest one."""
    return sample["statements"].bit_length()


def _balanced(groups: Sequence[Sequence[Sample]]) -> list[list[Sample]]:
    """Return as many kernels of each size from both groups."""
    by_size: list[dict[int, list[Sample]]] = []
    for group in groups:
        sizes: dict[int, list[Sample]] = defaultdict(list)
        for sample in group:
            sizes[_size(sample)].append(sample)
        by_size.append(sizes)
    common = {size: min(len(sizes[size]) for sizes in by_size) for size in sorted(set(by_size[0]) & set(by_size[1]))}
    total = max(sum(common.values()), 1)
    kept = {size: number * min(MAX_KERNELS, total) // total for size, number in common.items()}
    return [[sample for size, number in kept.items() for sample in sizes[size][:number]] for sizes in by_size]


def _figures(sample: Sample, view: str) -> dict[str, float]:
    inside = view != "texts of kernels"
    return {
        "statements": log_figure(sample["statements"]),
        **{name: float(name in sample["traits"]) for name in TRAITS if not (inside and name in OUTSIDE_BODIES)},
    }
