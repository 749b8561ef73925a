"""The notation: alternatives, correlated groups, operators that look like separators."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from warpsmith.synthesis.random_stream import RandomStream
from warpsmith.synthesis.writing.ideas.notation import Choices, with_marks


def outcomes(text: str, count: int = 200) -> set[str]:
    return {Choices(RandomStream(f"{text}/{number}")).resolve(text) for number in range(count)}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain", {"plain"}),
        ("{|a|b|}c", {"ac", "bc"}),
        ("{|a||}", {"a", ""}),
        ("{|a{|1|2|}|b|}", {"a1", "a2", "b"}),
        ("{|x | y|z|}", {"x | y", "z"}),
        ("{|x |= y|z|}", {"x |= y", "z"}),
        ("{|<|<=|==|}", {"<", "<=", "=="}),
        ("{|a\nb|c|}", {"a\nb", "c"}),
        ("{what|a|b|}{what|c|d|}", {"ac", "bd"}),
        ("{what|a|b|}{how|c|d|}", {"ac", "ad", "bc", "bd"}),
    ],
)
def test_every_alternative_is_chosen_and_nothing_else(text: str, expected: set[str]) -> None:
    assert outcomes(with_marks(text)) == expected


def test_correlated_groups_agree_between_texts() -> None:
    for number in range(20):
        choices = Choices(RandomStream(f"{number}"))
        assert choices.resolve(with_marks("{which|yes|no|}")) == choices.resolve(with_marks("{which|yes|no|}"))


@settings(deadline=None, derandomize=True, database=None)
@given(st.lists(st.text("abc+- ", max_size=4).map(str.strip), min_size=1, max_size=4), st.integers(0, 1000))
def test_one_of_any_alternatives_is_chosen(ways: list[str], seed: int) -> None:
    assert Choices(RandomStream(str(seed))).resolve(with_marks("{|" + "|".join(ways) + "|}")) in ways


@pytest.mark.parametrize("text", ["{|a|b", "{|a|{|b|}"])
def test_a_bracket_without_counterpart_is_an_error(text: str) -> None:
    with pytest.raises(ValueError, match="bracket"):
        Choices(RandomStream("0")).resolve(with_marks(text))
