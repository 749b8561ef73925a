"""Models of texts with roles: a dataset that equals the reference has the ratio one, and a poorer one has more."""

from __future__ import annotations

import random

from warpsmith.validation.statistics.resemblance.program_figures import Sample
from warpsmith.validation.statistics.resemblance.role_bits import RoleCorpus, measure_bits


def corpus(seed: int, number: int, operators: str) -> RoleCorpus:
    randomness = random.Random(seed)  # noqa: S311 - the same texts every time, no secret
    found: list[Sample] = []
    for count in range(number):
        operator, literal = randomness.choice(operators), randomness.randrange(9)
        kind = ("kernel", "function", "struct")[count % 3]
        body = "" if kind == "struct" else f"    LOCAL = ARRAY[LOCAL] {operator} {literal}\n"
        found.append({"kind": kind, "head": f"def {kind.upper()}():\n", "body": body, "traits": [], "statements": 1})
    return RoleCorpus(found)


def test_ratio_of_the_same_and_of_other_texts() -> None:
    reference, project = corpus(1, 600, "+-*/"), corpus(2, 90, "+-*/")
    same, poorer = measure_bits(reference, reference, project), measure_bits(corpus(3, 600, "+"), reference, project)
    assert [view["ratio"] for view in same.values()] == [1.0, 1.0, 1.0]
    assert all((view["ratio"] or 0.0) > 1.1 for view in poorer.values())


def test_both_models_learn_from_as_many_tokens() -> None:
    small, reference, project = corpus(1, 30, "+"), corpus(2, 300, "+"), corpus(3, 30, "+")
    found = measure_bits(small, reference, project)
    assert {view: bits["tokens"] for view, bits in found.items()} == small.tokens
    assert {view: bits["project_tokens"] for view, bits in found.items()} == project.tokens
    assert small.tokens["bodies of kernels"] == 10 * len(("\n    ", "LOCAL", "=", "ARRAY", "[", "LOCAL", "]", "+", "1"))


def test_a_dataset_without_functions_has_no_bits_of_functions() -> None:
    kernels = RoleCorpus([sample for sample in corpus(1, 90, "+").samples if sample["kind"] == "kernel"])
    found = measure_bits(kernels, corpus(2, 90, "+"), corpus(3, 90, "+"))
    assert found["bodies of functions"]["ratio"] is None
    assert found["bodies of kernels"]["ratio"] is not None
