"""N-gram estimates equal those of a direct computation by their definition, and add up to one."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
import pytest

from warpsmith.validation.statistics.realism.ngram import Ngrams

SYMBOLS = 5


def direct(training: Sequence[Sequence[int]], text: Sequence[int], position: int, order: int, base: float) -> float:
    """Return the estimate of one symbol by the definition of Witten and Bell, from counts of the whole training text."""
    estimate = base
    for length in range(min(order, position + 1)):
        context = list(text[position - length : position])
        after = [one[end] for one in training for end in range(length, len(one)) if list(one[end - length : end]) == context]
        if after:
            estimate = (after.count(text[position]) + len(set(after)) * estimate) / (len(after) + len(set(after)))
    return estimate


def drawn(seed: int, texts: int, symbols: int = SYMBOLS) -> list[list[int]]:
    randomness = random.Random(seed)  # noqa: S311 - the same texts every time, no secret
    return [[min(int(randomness.expovariate(0.6)), symbols - 1) for _ in range(randomness.randrange(12))] for _ in range(texts)]


def estimates(model: Ngrams, texts: Sequence[Sequence[int]], base: float) -> list[float]:
    arrays = [np.array(text, np.int64) for text in texts]
    found: list[float] = model.probabilities(arrays, np.full(sum(map(len, texts)), base)).tolist()
    return found


def trained(texts: Sequence[Sequence[int]], order: int) -> Ngrams:
    return Ngrams([np.array(text, np.int64) for text in texts], order)


@pytest.mark.parametrize("order", [1, 2, 3, 4, 6])
@pytest.mark.parametrize("seed", range(4))
def test_estimates_equal_those_of_a_direct_computation(order: int, seed: int) -> None:
    training, texts = drawn(seed, 15), drawn(seed + 100, 10)
    texts.append([-1, 0, 1, -1, 1, 0, 1, 2])  # -1 is a symbol that the training text does not contain
    expected = [direct(training, text, position, order, 0.01) for text in texts for position in range(len(text))]
    assert estimates(trained(training, order), texts, 0.01) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("context", [[], [0], [1, 0], [0, 0, 1], [4, 4, 4], [-1], [0, -1]])
def test_estimates_of_all_symbols_add_up_to_one(context: list[int]) -> None:
    model = trained(drawn(1, 20), 4)
    after = [estimates(model, [[*context, symbol]], 1 / SYMBOLS)[-1] for symbol in range(SYMBOLS)]
    assert sum(after) == pytest.approx(1.0, rel=1e-12)


def test_known_estimates() -> None:
    model = trained([[0, 1, 0, 1, 0, 2]], 2)
    alone = [(3 + 3 * 0.1) / 9, (2 + 3 * 0.1) / 9, (1 + 3 * 0.1) / 9]
    assert estimates(model, [[0, 1]], 0.1) == pytest.approx([alone[0], (2 + 2 * alone[1]) / 5])
    assert estimates(model, [[2, 2]], 0.1) == pytest.approx([alone[2], alone[2]])  # nothing followed 2


@pytest.mark.parametrize("training", [[], [[]], [[3]]])
def test_little_training(training: list[list[int]]) -> None:
    expected = [direct(training, [3, 3, 0], position, 3, 0.2) for position in range(3)]
    assert estimates(trained(training, 3), [[3, 3, 0]], 0.2) == pytest.approx(expected)


def test_no_text() -> None:
    assert estimates(trained(drawn(1, 3), 3), [], 0.5) == []
