"""The transfer ratio is one for the reference itself, and grows as a dataset has less in common with the held-out texts."""

from __future__ import annotations

import random

import pytest

from warpsmith.validation.statistics.realism.language_model import TokenModel
from warpsmith.validation.statistics.realism.model_tokens import text_tokens
from warpsmith.validation.statistics.realism.section import mixed
from warpsmith.validation.statistics.realism.transfer import TOKENS, Corpus, Transfer


def loops(seed: int, number: int, names: str = "abcdefgh") -> list[str]:
    randomness = random.Random(seed)  # noqa: S311 - the same texts every time, no secret
    drawn = [randomness.choices(names, k=3) for _ in range(number)]
    return [f"for {i} in range({n}):\n    {a}[{i}] = {i} + {seed}\n" for i, n, a in drawn]


@pytest.fixture(scope="module")
def transfer() -> Transfer:
    return Transfer(Corpus("real", loops(1, 900)), Corpus("unseen", loops(2, 50)))


def test_the_reference_has_the_ratio_one(transfer: Transfer) -> None:
    found = transfer.measure(reversed(loops(1, 900)))
    assert found["ratio"] == 1.0
    assert [step["ratio"] for step in found["steps"]] == [1.0, 1.0]
    assert (found["reference"], found["held_out"]) == ("real", "unseen")


def test_other_texts_teach_less(transfer: Transfer) -> None:
    similar = transfer.measure(loops(3, 900))["ratio"]
    different = transfer.measure(loops(3, 900, "qrstuvwx"))["ratio"]
    unrelated = transfer.measure([f"while {word} > 0.0: pass\n" for word in map(str, range(3000))])["ratio"]
    assert similar is not None
    assert different is not None
    assert unrelated is not None
    assert 0.9 < similar < 1.1 < different < unrelated


def test_both_learn_from_the_same_number_of_tokens(transfer: Transfer) -> None:
    short, long = loops(3, 100), loops(3, 4000)
    tokens = sum(len(text_tokens(text)) for text in loops(1, 900))
    assert transfer.measure(short)["tokens"] == sum(len(text_tokens(text)) for text in short) < tokens
    found = transfer.measure(long)
    assert found["tokens"] == found["reference_tokens"] == tokens < TOKENS
    assert [step["tokens"] for step in found["steps"]] == [10_000, tokens, 50_000]
    assert found["steps"][2]["reference_bits"] is None
    assert found["steps"][2]["ratio"] is None


def test_bits_are_those_of_models_of_the_texts(transfer: Transfer) -> None:
    short = loops(5, 100)
    held_out = [text_tokens(text) for text in loops(2, 50)]
    (step,) = transfer.measure(short)["steps"]
    assert step["bits"] == pytest.approx(TokenModel([text_tokens(text) for text in mixed(short)]).bits(held_out), abs=1e-4)


def test_a_dataset_without_text_has_no_ratio(transfer: Transfer) -> None:
    found = transfer.measure([])
    assert (found["ratio"], found["steps"], found["available_tokens"]) == (None, [], 0)


def test_the_order_of_texts_does_not_matter(transfer: Transfer) -> None:
    assert transfer.measure(loops(3, 900)) == transfer.measure(sorted(loops(3, 900)))
