"""Logistic regression with an L2 penalty, solved by Newton steps on the products of samples; nothing is drawn at random."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]

STEPS = 12
"""The most Newton steps."""

ACCURACY = 1e-3
"""The relative change of the coefficients at which the steps end."""

_LEAST_CURVATURE = 1e-4


def fit(products: Floats, labels: Floats, penalty: float) -> Floats:
    """Return the coefficients of the samples: the score of a sample is its products with all samples times these.

    Args:
        products: the scalar products of all samples with each other.
        labels: 0 or 1 for each sample.
        penalty: the factor of the squared weights.
    """
    coefficients: Floats = np.zeros(len(labels))
    for _ in range(STEPS):
        scores = products @ coefficients
        probabilities = 1 / (1 + np.exp(-np.clip(scores, -30, 30)))
        curvature = np.maximum(probabilities * (1 - probabilities), _LEAST_CURVATURE)
        targets = scores + (labels - probabilities) / curvature
        following: Floats = np.linalg.solve(products + np.diag(penalty / curvature), targets).astype(np.float64)
        change = np.abs(following - coefficients).max()
        coefficients = following
        if change < ACCURACY * np.abs(coefficients).max():
            break
    return coefficients


def held_out_scores(products: Floats, labels: Floats, folds: NDArray[np.int64], penalty: float) -> Floats:
    """Return the score of each sample after learning from the samples of all other folds."""
    scores = np.zeros(len(labels))
    for fold in np.unique(folds):
        learned, tested = folds != fold, folds == fold
        coefficients = fit(products[np.ix_(learned, learned)], labels[learned], penalty)
        scores[tested] = products[np.ix_(tested, learned)] @ coefficients
    return scores


def area_under_curve(scores: Floats, labels: Floats) -> float:
    """Return the probability that a sample with label 1 has a higher score than one with label 0; equal scores count half.

    Examples:
        >>> area_under_curve(np.array([0.1, 0.4, 0.4, 0.9]), np.array([0.0, 0.0, 1.0, 1.0]))
        0.875
    """
    _, positions, counts = np.unique(scores, return_inverse=True, return_counts=True)
    ranks = np.cumsum(counts) - (counts - 1) / 2
    positive = labels > 0
    wins = ranks[positions][positive].sum() - positive.sum() * (positive.sum() + 1) / 2
    return float(wins / (positive.sum() * (~positive).sum()))
