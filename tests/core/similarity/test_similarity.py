"""Parameterized shingles are runs of tokens up to consistent renaming; overlaps agree with Python sets."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from warpsmith.core.similarity.overlap import Overlaps
from warpsmith.core.similarity.parameterized_shingles import PARAMETERIZED_TOKENS, parameterized_shingles

NAMES = ("a", "b", "c", "wp")
TOKENS = st.lists(st.sampled_from([*NAMES, "=", "+", ".", "::", "for", "1", "2.0", "<newline>"]), max_size=60)
SETS = st.lists(st.sets(st.integers(0, 40), min_size=1), max_size=8)


def names_of(tokens: list[str]) -> list[bool]:
    return [
        token in NAMES and (position == 0 or tokens[position - 1] not in (".", "::")) for position, token in enumerate(tokens)
    ]


def reference_shingles(tokens: list[str]) -> set[tuple[str, ...]]:
    """Return each run with its names numbered in the order of their first occurrence."""
    runs, are_names = set(), names_of(tokens)
    for start in range(len(tokens) - PARAMETERIZED_TOKENS + 1):
        numbers: dict[str, str] = {}
        run = zip(tokens[start : start + PARAMETERIZED_TOKENS], are_names[start : start + PARAMETERIZED_TOKENS], strict=True)
        runs.add(tuple(numbers.setdefault(token, f"#{len(numbers)}") if named else token for token, named in run))
    return runs


@given(TOKENS, st.lists(st.sampled_from(NAMES), min_size=len(NAMES), max_size=len(NAMES)))
def test_shingles_are_equal_exactly_up_to_renaming(tokens: list[str], other: list[str]) -> None:
    """The second text maps names to other names, perhaps two to one: ``a + b`` differs from ``a + a``."""
    mapped = [other[NAMES.index(token)] if named else token for token, named in zip(tokens, names_of(tokens), strict=True)]
    assert len(parameterized_shingles(tokens)) == len(reference_shingles(tokens))
    assert len(np.intersect1d(parameterized_shingles(tokens), parameterized_shingles(mapped))) == len(
        reference_shingles(tokens) & reference_shingles(mapped)
    )
    assert len(parameterized_shingles(tokens + mapped)) == len(reference_shingles(tokens + mapped))


@given(TOKENS)
def test_renaming_all_but_qualified_names_changes_nothing(tokens: list[str]) -> None:
    renamed = [f"new_{token}" if named else token for token, named in zip(tokens, names_of(tokens), strict=True)]
    assert parameterized_shingles(renamed).tolist() == parameterized_shingles(tokens).tolist()


@given(SETS, st.sets(st.integers(0, 40), min_size=1))
def test_overlaps_agree_with_sets(others: list[set[int]], one: set[int]) -> None:
    compared = Overlaps([np.array(sorted(other), dtype=np.uint32) for other in others])
    query = np.array(sorted(one), dtype=np.uint32)
    contained = [len(one & other) / min(len(one), len(other)) for other in others]
    similar = [len(one & other) / len(one | other) for other in others]
    for (number, share), expected in (
        (compared.largest_overlap(query), contained),
        (compared.largest_similarity(query), similar),
    ):
        assert share == max(expected, default=0.0)
        assert number == (expected.index(share) if expected else -1)
