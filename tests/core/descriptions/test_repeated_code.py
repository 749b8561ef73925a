"""The share of code that a text repeats, against a table of all prefixes."""

from __future__ import annotations

import random
from collections.abc import Sequence

from warpsmith.core.descriptions.repeated_code import common_in_order


def slow_length(first: Sequence[str], second: Sequence[str]) -> int:
    """Return the length of the longest common subsequence by the table of Wagner and Fischer."""
    row = [0] * (len(second) + 1)
    for token in first:
        above = list(row)
        for position, other in enumerate(second):
            row[position + 1] = above[position] + 1 if token == other else max(row[position], above[position + 1])
    return row[-1]


def test_lengths_are_those_of_the_table() -> None:
    rng = random.Random(7)  # noqa: S311 - inputs of a test
    for _ in range(200):
        first, second = ("".join(rng.choices("abcde", k=rng.randrange(90))) for _ in range(2))
        assert common_in_order(first, second) == slow_length(first, second)


def test_nothing_is_in_common_with_an_empty_text() -> None:
    assert common_in_order([], ["a"]) == common_in_order(["a"], []) == 0
