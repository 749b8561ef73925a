"""The model of tokens is a probability distribution over all strings, and learns what its training text contains."""

from __future__ import annotations

import math
from itertools import product

import pytest

from warpsmith.validation.statistics.realism.language_model import TokenModel
from warpsmith.validation.statistics.realism.model_tokens import first_tokens, text_tokens

LOOP = "for i in range(n):\n    out[i] = x[i]\n"


def test_an_empty_model_spells_with_equal_probabilities() -> None:
    model = TokenModel([])
    assert model.probabilities([["ab", "é"]]) == pytest.approx([(1 / 257) ** 3, (1 / 257) ** 3])
    assert model.bits([["ab"]]) == pytest.approx(3 * math.log2(257))


def test_known_probabilities_of_a_small_model() -> None:
    model = TokenModel([["a", "a", "b"]], order=1, spelling_order=1)
    letter = (1 + 3 / 257) / 7  # the bytes of "a" and "b", and twice the end of a token
    end = (2 + 3 / 257) / 7
    spelled = letter * end
    assert model.probabilities([["a", "b"]]) == pytest.approx([(2 + 2 * spelled) / 5, (1 + 2 * spelled) / 5])
    assert model.probabilities([["c"]]) == pytest.approx([2 * (3 / 257 / 7) * end / 5])


def test_probabilities_of_all_short_strings_add_up_to_less_than_one() -> None:
    model = TokenModel([["a", "b", "ab", "a"], ["b", "a"]], order=2, spelling_order=2)
    strings = ["", *map(chr, range(128)), *("".join(pair) for pair in product(map(chr, range(128)), repeat=2))]
    after = {string: model.probabilities([["a", string]])[1] for string in strings[:200]}
    after |= dict(zip(strings[200:], model.probabilities([["a", string] for string in strings[200:]])[1::2], strict=True))
    assert 0.9 < sum(after.values()) < 1.0  # the rest is for longer strings and other bytes
    assert max(after, key=lambda string: after[string]) == "b"


def test_a_model_predicts_what_it_has_learned() -> None:
    model = TokenModel([text_tokens(LOOP)] * 20)
    assert model.bits([text_tokens(LOOP)]) < 0.5
    assert model.bits([text_tokens(LOOP)]) < model.bits([text_tokens(LOOP.replace("x[i]", "y[j]"))]) < 12


def test_a_new_token_of_known_parts_is_likelier_than_one_of_others() -> None:
    model = TokenModel([text_tokens("body_mass body_speed body_force spin_mass")] * 5)
    known, other = model.probabilities([["spin_force"], ["qzxv_kwjy"]])
    assert known > 1000 * other > 0


def test_very_long_tokens_have_a_probability() -> None:
    assert 0 < TokenModel([["a"]]).bits([["z" * 10_000]]) < math.inf


def test_tokens_of_a_text() -> None:
    assert text_tokens("x[i]+=1.5e-3**2  # it's\n\n\tif a<=b->c: return\n") == [
        *("x", "[", "i", "]", "+=", "1.5e-3", "**", "2", "#", "it", "'", "s", "\n", "\n\t"),
        *("if", "a", "<=", "b", "->", "c", ":", "return", "\n"),
    ]


@pytest.mark.parametrize(
    ("limit", "expected"), [(0, []), (2, [["a", "b"]]), (4, [["a", "b", "c"], ["d"]]), (9, [["a", "b", "c"], ["d", "e"]])]
)
def test_the_first_tokens_of_texts(limit: int, expected: list[list[str]]) -> None:
    assert first_tokens(["a b c", "d e"], limit) == expected
