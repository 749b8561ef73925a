"""Unlike factors are exchanged in all products of a kind or in none; values, like factors and effects stay."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from warpsmith.synthesis.language.warp_types import FLOAT, INT, TYPES
from warpsmith.synthesis.random_stream import RandomStream
from warpsmith.synthesis.writing.ideas.operands import swap_operands
from warpsmith.synthesis.writing.ideas.outlining.static_types import ArrayType, Kind
from warpsmith.synthesis.writing.ideas.tree import parse, render

VALUES = {"dt": np.float32(0.3), "mass": np.float32(1.7), "axis": np.float32([1, 2, 3]), "turn": np.float32([[1, 2], [3, 4]])}
ARRAYS = {"x": np.float32([0.1, 0.7, 1.3]), "v": np.float32([[1, 2, 4], [3, 5, 9], [7, 6, 1]])}
KINDS: dict[str, Kind] = {
    "dt": FLOAT,
    "mass": FLOAT,
    "count": INT,
    "axis": TYPES["vec3f"],
    "turn": TYPES["mat22f"],
    "x": ArrayType(FLOAT, 1),
    "v": ArrayType(TYPES["vec3f"], 1),
}


def swapped(text: str, seed: int) -> str:
    body = parse(text)
    swap_operands(body, ["i"], KINDS, RandomStream(str(seed)))
    return "\n".join(render(body))


def found(text: str) -> set[str]:
    return {swapped(text, seed) for seed in range(60)}


def test_unlike_factors_have_either_order() -> None:
    assert found("$a = {v}[$i] * {dt}") == {"$a = {v}[$i] * {dt}", "$a = {dt} * {v}[$i]"}
    assert found("$a = {x}[0] * {dt}\nif $a * wp.sin($a) > 0.5:\n    $a += {mass} * {x}[1]") == {
        f"$a = {product}\nif {test} > 0.5:\n    $a += {value}"
        for test in ("$a * wp.sin($a)", "wp.sin($a) * $a")
        for product, value in (("{x}[0] * {dt}", "{mass} * {x}[1]"), ("{dt} * {x}[0]", "{x}[1] * {mass}"))
    }


def test_all_products_of_a_kind_are_exchanged_or_none() -> None:
    text = "$s = wp.sin({x}[0] * {dt})\n$c = wp.cos({x}[0] * {dt})\n$a = {axis} * {dt} - {axis} * {mass}"
    for way in found(text):
        assert ("wp.sin({dt}" in way) == ("wp.cos({dt}" in way)
        assert ("{dt} * {axis}" in way) == ("{mass} * {axis}" in way)


@pytest.mark.parametrize(
    "text",
    [
        "$a = {turn} * {turn}",
        "$a = 2.0 * {dt}",
        "$a = {mass} * {dt} - {dt} * {mass}",
        "$a = {axis} + {v}[$i]",
        "$a = $i + 1",
        "$a = $i + {count}",
        "$a = {mass} / {dt} * {x}[0]",
        "$a = ({mass} - {dt}) * {x}[0]",
        "$a = {dt} * ({mass} - {x}[0])",
        "$a = wp.randf($state) + wp.randf($state)",
        "$a = {dt} * wp.atomic_add({x}, 0, 1.0)",
        "$a = $unknown + {dt}",
        "# {dt} * {mass}",
    ],
)
def test_other_operands_stay_where_they_are(text: str) -> None:
    assert found(text) == {text}


def value(text: str) -> bytes:
    text = re.sub(r"\$(\w+)", r"\1", re.sub(r"{(\w+)}", r"\1", text)).removeprefix("r = ")
    return np.float32(eval(text, {**VALUES, **ARRAYS, "i": 1, "wp": np}, {})).tobytes()  # noqa: S307 - lines of this test


_NUMBERS = st.recursive(
    st.sampled_from(["{dt}", "{mass}", "{x}[$i]", "{x}[0]", "2.0", "{v}[$i][2]"]),
    lambda parts: st.one_of(
        st.builds("{} {} {}".format, parts, st.sampled_from("*+-/"), parts),
        st.builds("({} {} {})".format, parts, st.sampled_from("*+-/"), parts),
        st.builds("wp.exp({} / 64.0)".format, parts),
    ),
    max_leaves=8,
)


@settings(deadline=None, derandomize=True, database=None)
@given(_NUMBERS, _NUMBERS, st.integers(0, 100))
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_values_stay_the_same(first: str, second: str, seed: int) -> None:
    text = f"$r = {{v}}[$i] * ({first}) + {{axis}} * ({second})"
    assert value(swapped(text, seed)) == value(text)
