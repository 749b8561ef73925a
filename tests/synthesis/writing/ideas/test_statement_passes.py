"""Loads in any order: what a block computes stays the same, and loads from one array keep their order."""

from __future__ import annotations

import re
from itertools import permutations

from hypothesis import given, settings
from hypothesis import strategies as st

from warpsmith.synthesis.random_stream import RandomStream
from warpsmith.synthesis.writing.ideas.statement_passes import reorder_loads
from warpsmith.synthesis.writing.ideas.tree import parse, render

ARRAYS = {"x": [3, 1, 2, 0], "y": [2, 3, 0, 1], "z": [1, 0, 3, 2]}


def reordered(text: str, seed: int) -> str:
    body = parse(text)
    reorder_loads(body, RandomStream(str(seed)))
    return "\n".join(render(body))


def values(text: str) -> dict[str, int]:
    """Return the locals after statements, as Python computes them."""
    names: dict[str, int] = {"i": 2}
    exec(re.sub(r"\$(\w+)", r"\1", re.sub(r"{(\w+)}", r"\1", text)), dict(ARRAYS), names)  # noqa: S102 - lines of this test
    return names


def orders(text: str, seeds: int = 200) -> set[str]:
    return {reordered(text, seed) for seed in range(seeds)}


def test_independent_loads_have_every_order() -> None:
    lines = ["$a = {x}[$i]", "$b = {y}[$i]", "$s = int(0)"]
    assert orders("\n".join(lines)) == {"\n".join(order) for order in permutations(lines)}


def test_loads_from_one_array_keep_their_order() -> None:
    found = orders("$a = {x}[0]\n$b = {x}[1]\n$c = {y}[0]")
    assert found == {
        "$a = {x}[0]\n$b = {x}[1]\n$c = {y}[0]",
        "$a = {x}[0]\n$c = {y}[0]\n$b = {x}[1]",
        "$c = {y}[0]\n$a = {x}[0]\n$b = {x}[1]",
    }


def test_other_statements_and_comments_stay_where_they_are() -> None:
    text = "$a = {x}[$i]\n{y}[$i] = $a\n$b = {y}[$i]\n# the next\n$c = {x}[0]\n$d = wp.sin($c)\n$e = {z}[$i]"
    assert orders(text, 20) == {text}


def test_blocks_are_reordered_by_themselves() -> None:
    text = "if $i > 0:\n    $a = {x}[$i]\n    $b = {y}[$i]\n$c = {z}[$i]"
    swapped = "if $i > 0:\n    $b = {y}[$i]\n    $a = {x}[$i]\n$c = {z}[$i]"
    assert orders(text, 40) == {text, swapped}


_INDICES = st.sampled_from(["$i", "0", "1", "$a", "$b", "$c"])
_LINES = st.one_of(
    st.builds("${} = {{{}}}[{}]".format, st.sampled_from("abcd"), st.sampled_from("xyz"), _INDICES),
    st.builds("${} = int({})".format, st.sampled_from("abcd"), st.integers(0, 3)),
    st.builds("${} = ${}".format, st.sampled_from("abcd"), st.sampled_from("abc")),
)


@settings(deadline=None, derandomize=True, database=None)
@given(st.lists(_LINES, max_size=7), st.integers(0, 100))
def test_values_stay_the_same(lines: list[str], seed: int) -> None:
    text = "\n".join(["$a = {x}[0]", "{y}[3] = 1", "$b = {y}[0]", "{y}[3] = 1", "$c = int(2)", "{y}[3] = 1", *lines])
    assert values(reordered(text, seed)) == values(text)
