"""Unrolling: loops over components compute the same as the statements of their iterations."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from warpsmith.synthesis.random_stream import RandomStream
from warpsmith.synthesis.writing.ideas.notation import UNROLLED
from warpsmith.synthesis.writing.ideas.tree import parse, render
from warpsmith.synthesis.writing.ideas.unrolling import unroll

UNROLLABLE = (
    "for $k in range(3):\n    {out}[$k] = {x}[$k] * 2",
    "$sum = 0\nfor $k in range(4):\n    $d = {x}[$k] - {y}[$i, $k]\n    $sum += $d * $d\n{out}[0] = $sum",
    "$last = 7\nfor $k in range(2):\n    $next = {x}[$k] - $last\n    $last = $next * 2\n{out}[0] = $last",
    "for $k in range(3):\n    $d = {x}[$k]\n    if $d > 0:\n        {out}[$k] = $d\n    else:\n        {out}[$k] = {y}[$k, 0]",
    "for $k in range(2):\n    $d = {x}[$k]\nfor $k in range(3):\n    $d = {x}[$k] * 3\n    {out}[$k] += $d\n{out}[3] = $d",
    "for $j in range(5):\n    for $k in range(2):\n        $k2 = {y}[$j, $k] + 1\n        {out}[$j] += $k2 * {x}[$k]",
    "if {x}[0] > 0:\n    for $k in range(3):\n        $low, $high = {x}[$k], {y}[$k, $k]\n        {out}[$k] = $low * $high",
)
ROLLED = (
    "for $k in range(3):\n    {out}[$k] = $k",
    "for $k in range(3):\n    {out}[$k + 1] = {x}[$k]",
    "for $k in range(3):\n    {out}[-$k] = {x}[$k]",
    "for $k in range(3):\n    {out}[0] = max({x}[0], $k, 2)",
    "for $k in range(3):\n    {out}[0] = @f({x}[$k], $k)",
    "for $k in range(3):\n    {out}[(2 * $k, $k)[0]] = 1",
    "for $k in range(5):\n    {out}[$k] = 1",
    "for $k in range({n}):\n    {out}[$k] = 1",
    "for $k in range(1, 3):\n    {out}[$k] = 1",
    "for $k in range(3):\n    if {x}[$k] > 0:\n        break\n    {out}[$k] = 1",
    "for $k in range(3):\n    # a comment\n    {out}[$k] = 1",
    "for $k in range(3):\n    $a = 2 * $a\n{out}[0] = $a",
    "for $k in range(2):\n" + "\n".join("    {out}[$k] += 1" for _ in range(7)),
)
integers = st.integers(-9, 9)


def unrolled(text: str, chance: float = 1.0) -> str:
    body = parse(text)
    unroll(body, RandomStream("unrolling"), chance)
    return "\n".join(render(body))


def run_plain(text: str, x: list[int], y: list[list[int]]) -> list[int]:
    """Run statements in Python and return what they store."""
    names: dict[str, Any] = {"v_i": 1, "p_x": x, "p_y": np.array(y, dtype=object), "p_out": [0] * 5}
    exec(re.sub(r"{(\w+)}", r"p_\1", text.replace("$", "v_")), names)  # noqa: S102 - the statements above
    return list(names["p_out"])


vectors = st.lists(integers, min_size=4, max_size=4)
arrays = st.tuples(vectors, st.lists(vectors, min_size=5, max_size=5))


@settings(max_examples=20, deadline=None)
@pytest.mark.parametrize("text", UNROLLABLE)
@given(values=arrays, chance=st.sampled_from([0.5, 1.0]))
def test_unrolled_loops_store_the_same(text: str, values: tuple[list[int], list[list[int]]], chance: float) -> None:
    assert run_plain(unrolled(text, chance), *values) == run_plain(text, *values)


leaves = st.sampled_from(["{x}[$k]", "{y}[$i, $k]", "{y}[$k, 1]", "$a", "$b", "3"])
values_of = st.recursive(
    leaves, lambda inner: st.tuples(inner, st.sampled_from("+-*"), inner).map(lambda p: f"({' '.join(p)})"), max_leaves=4
)
targets = st.sampled_from(["$a", "$b", "$c", "{out}[$k]", "{out}[4]"])
lines = st.tuples(targets, values_of).map(" = ".join) | st.tuples(st.sampled_from(["$a", "{out}[$k]"]), values_of).map(
    " += ".join
)
loops = st.tuples(st.integers(2, 4), st.lists(lines, min_size=1, max_size=4)).map(
    lambda parts: "\n    ".join([f"for $k in range({parts[0]}):", *parts[1]])
)


@settings(max_examples=100, deadline=None)
@given(program=st.lists(loops, min_size=1, max_size=3), values=arrays)
def test_any_loops_store_the_same(program: list[str], values: tuple[list[int], list[list[int]]]) -> None:
    text = "\n".join(["$a = 1", "$b = 2", *program, "{out}[3] += $a * 10 + $b"])
    assert run_plain(unrolled(text), *values) == run_plain(text, *values)


@pytest.mark.parametrize("text", UNROLLABLE)
def test_loops_over_components_become_statements(text: str) -> None:
    found = unrolled(text)
    assert "for $k in" not in found
    assert not re.search(r"\$k\b", found)


@pytest.mark.parametrize("text", ROLLED)
def test_other_loops_stay_loops(text: str) -> None:
    assert unrolled(text) == text


def test_no_loop_is_unrolled_without_a_chance() -> None:
    assert [text for text in UNROLLABLE if unrolled(text, 0.0) != text] == []


def test_locals_of_iterations_differ() -> None:
    text = "for $k in range(3):\n    $d = {x}[$k]\n    $e = $d * 2\n    {out}[$k] = $e"
    assigned = re.findall(r"^\$(\w+) =", unrolled(text), re.MULTILINE)
    assert assigned == [f"{key}{UNROLLED}{number}" for number in range(3) for key in "de"]


def test_locals_that_are_read_after_the_loop_keep_their_keys() -> None:
    found = unrolled("for $k in range(2):\n    $d = {x}[$k]\n    {out}[$k] = $d\n{out}[2] = $d")
    assert found.count("$d = ") == 2
