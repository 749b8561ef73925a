"""The random stream: it is the same on every machine, and its draws are fair and in range."""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from collections import Counter
from itertools import accumulate

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from warpsmith.synthesis.random_stream import RandomStream

draws = st.text(max_size=12).map(RandomStream)
weights = st.lists(st.floats(0.0, 100.0), min_size=1, max_size=30).filter(lambda given: sum(given) > 1.0e-3)


def test_stream_is_sha512_in_counter_mode() -> None:
    first, second = (hashlib.sha512(f"1-2000-17:{block}".encode()).digest() for block in (0, 1))
    words = [int.from_bytes(block[at : at + 4], "little") for block in (first, second) for at in range(0, 64, 4)]
    rng = RandomStream("1-2000-17")
    assert [rng.below(1 << 32) for _ in range(32)] == words


def test_stream_is_the_same_everywhere() -> None:
    rng = RandomStream("1-2000-17")
    assert [rng.below(1000) for _ in range(10)] == [311, 555, 212, 253, 540, 901, 427, 438, 53, 195]
    rng = RandomStream("1-2000-17")
    assert [rng.between(-5, 5) for _ in range(8)] == [-2, 1, -3, -3, 0, 4, -1, -1]
    assert "".join(rng.choice("abcdefgh") for _ in range(8)) == "abcahdee"
    assert "".join(rng.weighted("xyz", (1, 1, 3.5)) for _ in range(8)) == "zzzxzzxz"
    assert rng.sample("abcdef", 3) == ["b", "c", "f"]
    assert rng.shuffled(range(7)) == [2, 1, 6, 3, 4, 0, 5]


@given(st.text(max_size=12), st.text(max_size=12))
def test_streams_of_different_material_differ(one: str, other: str) -> None:
    streams = [[rng.below(1 << 32) for _ in range(4)] for rng in (RandomStream(one), RandomStream(other))]
    assert (streams[0] == streams[1]) == (one == other)


@given(draws, st.integers(1, 1 << 32))
def test_below_stays_below(rng: RandomStream, count: int) -> None:
    assert all(0 <= rng.below(count) < count for _ in range(40))


@given(draws, st.integers(-1000, 1000), st.integers(0, 1000))
def test_between_includes_both_ends(rng: RandomStream, low: int, spread: int) -> None:
    assert all(low <= rng.between(low, low + spread) <= low + spread for _ in range(40))
    assert {rng.between(low, low + 1) for _ in range(80)} == {low, low + 1}


@given(draws, st.lists(st.integers(), unique=True, max_size=12), st.integers(0, 15))
def test_sample_does_not_repeat(rng: RandomStream, items: list[int], count: int) -> None:
    drawn = rng.sample(items, count)
    assert len(drawn) == len(set(drawn)) == min(count, len(items))
    assert set(drawn) <= set(items)


@given(draws, st.lists(st.integers(0, 3), max_size=12))
def test_shuffled_is_a_permutation(rng: RandomStream, items: list[int]) -> None:
    before = list(items)
    assert Counter(rng.shuffled(items)) == Counter(items)
    assert items == before


@given(draws, weights)
def test_weighted_never_picks_weight_zero(rng: RandomStream, item_weights: list[float]) -> None:
    for _ in range(20):
        assert item_weights[rng.weighted(range(len(item_weights)), list(accumulate(item_weights)))] > 0.0


class Fixed(RandomStream):
    """A stream of one constant word."""

    def __init__(self, word: int) -> None:
        super().__init__("")
        self.word = word

    def _word(self) -> int:
        return self.word


words = st.one_of(st.integers(0, (1 << 32) - 1), st.sampled_from([0, 1 << 30, 1 << 31, 3 << 30, (1 << 32) - 1]))
small = st.lists(st.integers(0, 4), min_size=1, max_size=9).filter(any)


@given(words, st.one_of(weights, small))
@example(1 << 31, [1, 0, 1])
@example(0, [0, 1])
def test_weighted_agrees_with_bisect(word: int, item_weights: list[float]) -> None:
    totals = list(accumulate(item_weights))
    target = word / (1 << 32) * totals[-1]
    assert Fixed(word).weighted(range(len(totals)), totals) == bisect_right(totals, target)


def test_chance_of_zero_and_one() -> None:
    rng = RandomStream("chance")
    assert not any(rng.chance(0.0) for _ in range(1000))
    assert all(rng.chance(1.0) for _ in range(1000))


CHI_SQUARE = {2: 10.83, 7: 22.46, 10: 27.88, 13: 32.91}
"""The chi-square values that one fair sample in a thousand exceeds, by the number of classes."""


def chi_square(seen: list[int], shares: list[float]) -> float:
    expected = [share * sum(seen) for share in shares]
    return sum((count - wanted) ** 2 / wanted for count, wanted in zip(seen, expected))


@pytest.mark.parametrize("classes", [2, 7, 10, 13])
def test_below_is_fair(classes: int) -> None:
    rng = RandomStream(f"fair {classes}")
    seen = Counter(rng.below(classes) for _ in range(10_000))
    assert chi_square([seen[number] for number in range(classes)], [1 / classes] * classes) < CHI_SQUARE[classes]


@pytest.mark.parametrize("slot", range(7))
def test_each_item_is_equally_likely_at_each_position(slot: int) -> None:
    rng = RandomStream("shuffle")
    seen = Counter(rng.shuffled(range(7))[slot] for _ in range(3000))
    assert chi_square([seen[number] for number in range(7)], [1 / 7] * 7) < CHI_SQUARE[7]


def test_weighted_follows_its_weights() -> None:
    rng = RandomStream("weights")
    shares = [0.5, 0.25, 0.15, 0.06, 0.02, 0.01, 0.01]
    totals = list(accumulate(8.0 * share for share in shares))
    seen = Counter(rng.weighted(range(7), totals) for _ in range(10_000))
    assert chi_square([seen[number] for number in range(7)], shares) < CHI_SQUARE[7]


@pytest.mark.parametrize("probability", [0.05, 0.3, 0.7])
def test_chance_follows_its_probability(probability: float) -> None:
    rng = RandomStream("chances")
    hits = sum(rng.chance(probability) for _ in range(10_000))
    assert chi_square([hits, 10_000 - hits], [probability, 1.0 - probability]) < CHI_SQUARE[2]
