"""The classifier separates what differs, and guesses what does not."""

from __future__ import annotations

import random

import numpy as np
import pytest

from warpsmith.validation.statistics.resemblance.classifier import LISTED, classify
from warpsmith.validation.statistics.resemblance.logistic import area_under_curve, fit, held_out_scores
from warpsmith.validation.statistics.resemblance.program_figures import Sample


def samples(seed: int, number: int, operators: str, traits: tuple[str, ...] = (), statements: int = 5) -> list[Sample]:
    randomness = random.Random(seed)  # noqa: S311 - the same texts every time, no secret
    bodies = [
        "".join(f"    LOCAL = LOCAL {randomness.choice(operators)} {randomness.random():.2f}\n" for _ in range(6))
        for _ in range(number)
    ]
    return [
        {"kind": "kernel", "head": "def KERNEL():\n", "body": body, "traits": list(traits), "statements": statements}
        for body in bodies
    ]


def test_different_texts_are_separated() -> None:
    found = classify(samples(1, 80, "+-"), samples(2, 80, "+*"), samples(3, 80, "+*"))["bodies of kernels"]
    assert found["auc"] is not None
    assert found["reference_auc"] is not None
    assert found["auc"] > 0.97
    assert found["reference_auc"] < 0.65
    assert found["transferred_auc"] is not None
    assert found["transferred_auc"] > 0.97
    assert found["kernels"] == 80
    assert found["dataset"][0]["feature"].count("-")
    assert found["project"][0]["feature"].count("*")
    assert len(found["dataset"]) == LISTED


def test_equal_texts_are_not_separated() -> None:
    drawn = samples(1, 600, "+-*/")
    found = classify(drawn[::3], drawn[1::3], drawn[2::3])
    assert all(0.35 < (view["auc"] or 0.0) < 0.65 for view in found.values())
    assert all(0.35 < (view["transferred_auc"] or 0.0) < 0.65 for view in found.values())


def test_what_only_the_project_does_is_not_transferred() -> None:
    found = classify(samples(1, 160, "+-"), samples(2, 80, "+-", ("_private name",)), samples(3, 80, "+-"))
    view = found["texts of kernels"]
    assert view["auc"] == 1.0
    assert 0.3 < (view["transferred_auc"] or 0.0) < 0.7


def test_few_kernels_have_no_area() -> None:
    found = classify(samples(1, 30, "+-"), samples(2, 80, "+*"), samples(3, 80, "+*"))["bodies of kernels"]
    assert found["auc"] is not None
    assert found["transferred_auc"] is None


def test_figures_separate() -> None:
    found = classify(samples(1, 80, "+-"), samples(2, 80, "+-", ("wrapped statement", "_private name")), [])
    assert [view["auc"] for view in found.values()] == [1.0, 1.0]
    assert found["texts of kernels"]["project"][0]["feature"] in ("wrapped statement", "_private name")
    assert "_private name" not in {entry["feature"] for entry in found["bodies of kernels"]["project"]}
    assert found["bodies of kernels"]["project"][0]["feature"] == "wrapped statement"
    assert found["bodies of kernels"]["reference_auc"] is None


def test_classes_have_as_many_kernels_of_each_size() -> None:
    short, long = samples(1, 30, "+"), samples(2, 30, "*", statements=50)
    assert classify(short, long, [])["bodies of kernels"]["kernels"] == 0
    found = classify([*short, *samples(3, 25, "*", statements=40)], [*samples(4, 70, "+"), *long], [])
    assert found["bodies of kernels"]["kernels"] == 55
    assert (found["bodies of kernels"]["auc"] or 1.0) < 0.65


def test_too_few_kernels_have_no_figure() -> None:
    found = classify(samples(1, 10, "+"), samples(2, 80, "-"), [])["texts of kernels"]
    assert (found["auc"], found["dataset"]) == (None, [])


def test_order_does_not_matter() -> None:
    dataset, project = samples(1, 60, "+-*"), samples(2, 50, "+-/")
    assert classify(dataset, project, dataset) == classify(dataset[::-1], project[::-1], dataset[::-1])


def test_area_equals_the_share_of_ordered_pairs() -> None:
    drawn = np.random.default_rng(0)
    scores, labels = drawn.integers(0, 9, 60).astype(float), (np.arange(60) % 3 == 0).astype(float)
    pairs = [(high > low) + 0.5 * (high == low) for high in scores[labels == 1] for low in scores[labels == 0]]
    assert area_under_curve(scores, labels) == pytest.approx(np.mean(pairs))


def test_fit_minimizes_the_penalized_loss() -> None:
    drawn = np.random.default_rng(1)
    features = drawn.normal(size=(40, 3))
    labels = (features[:, 0] + 0.5 * drawn.normal(size=40) > 0).astype(float)
    coefficients = fit(features @ features.T, labels, 0.5)
    weights = features.T @ coefficients

    def loss(candidate: np.ndarray) -> float:
        scores = features @ candidate
        return float(np.logaddexp(0, -scores * (2 * labels - 1)).sum() + 0.25 * candidate @ candidate)

    assert all(loss(weights) <= loss(weights + 0.02 * step) for step in drawn.normal(size=(30, 3)))
    scores = held_out_scores(features @ features.T, labels, np.arange(40) % 5, 0.5)
    assert area_under_curve(scores, labels) > 0.8
