"""Self-entropy is measured on samples of fixed sizes, and is low for texts that repeat each other."""

from __future__ import annotations

import random

import pytest

from warpsmith.validation.statistics.realism.entropy import SAMPLES, measure

SMALL, LARGE = SAMPLES


def words(number: int, different: int) -> list[str]:
    """Return texts of words that are drawn from some number of different ones."""
    randomness = random.Random(3)  # noqa: S311 - the same words every time, no secret
    return [f"{randomness.randrange(different):07x}\n" for _ in range(number)]


def test_samples_have_fixed_sizes() -> None:
    texts = words(SMALL // 8 - 1, 1 << 24)
    assert measure(texts) == []
    (one,) = measure([*texts, "1234567\n"])
    assert one["bytes"] == SMALL
    assert measure(texts * 2) == measure(texts * 5)
    assert [sample["bytes"] for sample in measure(texts * 9)] == [SMALL, LARGE]


@pytest.mark.parametrize("bits", [4, 8, 12])
def test_the_figure_is_close_to_the_entropy_of_random_words(bits: int) -> None:
    (sample,) = measure(words(SMALL // 8, 1 << bits))
    per_word = sample["bits_per_byte"] * 8
    assert bits < per_word < 1.5 * bits + 4


def test_bits_per_token_and_per_byte_are_of_the_same_sample() -> None:
    (sample,) = measure(words(SMALL // 8, 1 << 20))
    assert sample["bits_per_token"] * sample["tokens"] == pytest.approx(sample["bits_per_byte"] * SMALL, rel=1e-3)


def test_texts_that_repeat_need_almost_nothing() -> None:
    assert measure(["@wp.kernel\ndef k(x: wp.array(dtype=float)):\n    x[0] = 1.0\n"] * 20_000)[1]["bits_per_token"] < 0.02
