"""Loads: kernels that load elements first compute the same, and load no element that they must not read."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synthesis.writing.ideas.small_domain import DOMAIN
from warpsmith.synthesis.random_stream import RandomStream
from warpsmith.synthesis.writing.ideas import loads
from warpsmith.synthesis.writing.ideas.loads import LOADED, element_names, load_elements
from warpsmith.synthesis.writing.ideas.tree import Node, parse, render


@pytest.fixture(autouse=True)
def _always(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loads, "LOADED_CHANCE", 1.0)


def loaded(text: str, threads: str = "i") -> str:
    return "\n".join(render(_load(text, threads)))


def _load(text: str, threads: str = "i") -> list[Node]:
    body = parse(text)
    load_elements(body, DOMAIN, threads.split(), RandomStream("loads"))
    return body


class Reads(list[int]):
    """An array that has only some elements, and that records which of them are read."""

    def __init__(self, values: list[int]) -> None:
        super().__init__(values)
        self.indices: set[int] = set()

    def __getitem__(self, index: Any) -> Any:
        if not 0 <= index < len(self):
            raise IndexError(index)
        self.indices.add(index)
        return super().__getitem__(index)


def run_plain(text: str, x: list[int], m: list[int], i: int) -> tuple[list[int], set[int], set[int]]:
    """Run statements in Python; return what they store, and the elements of both inputs that they read."""
    names: dict[str, Any] = {"p_x": Reads(x), "p_m": Reads(m), "p_rho": [0] * 6, "v_i": i, "p_dt": 3}
    source = re.sub(r"{(\w+)}", r"p_\1", text.replace("$", "v_"))
    exec("def run():\n" + "\n".join(f"    {line}" for line in source.split("\n")) + "\nrun()", names)  # noqa: S102 - see the texts
    return names["p_rho"], names["p_x"].indices, names["p_m"].indices


TEXTS = (
    "$a = {x}[$i] * {m}[$i]\n{rho}[$i] = $a + {x}[$i]",
    "if {m}[$i] > 2:\n    return\n# the value\n\n{rho}[$i] = {x}[$i] - {m}[$i]",
    "if $i >= 3:\n    return\n$a = {x}[$i]\nif {m}[$i] > 0:\n    {rho}[$i] = {m}[$i] * $a",
    "if $i >= 3:\n    return\nif {x}[$i] > {m}[$i]:\n    return\n{rho}[$i] = {x}[$i] + {x}[0]",
    "if $i < 3:\n    {rho}[$i] = {x}[$i]\n    {rho}[$i] += {x}[$i] * {m}[$i]",
    "if $i < 3 and {x}[$i] > 0:\n    {rho}[$i] = {x}[$i]",
    "if $i >= 3 or {m}[$i] > 0:\n    return\n{rho}[$i] = {m}[$i]",
    "$a = {x}[$i] if $i < 3 else 5\n{rho}[$i] = $a",
    "if $i >= 3:\n    {rho}[0] = 1\nelif {x}[$i] > 0:\n    {rho}[1] = {x}[$i]\nelse:\n    {rho}[2] = {m}[$i]",
    "for $k in range(3):\n    {rho}[$k] += {x}[$k] * $i\n{rho}[3] = {x}[0]",
)
integers = st.integers(-5, 5)
inputs = st.lists(integers, min_size=3, max_size=3)


@settings(max_examples=20, deadline=None)
@pytest.mark.parametrize("text", TEXTS)
@given(x=inputs, m=inputs, i=st.integers(0, 5))
def test_kernels_store_and_read_the_same(
    text: str,
    x: list[int],
    m: list[int],
    i: int,
) -> None:
    try:
        expected = run_plain(text, x, m, i)
    except IndexError:
        return  # the text has no guard
    assert run_plain(loaded(text), x, m, i) == expected


def test_an_element_is_loaded_before_its_first_user_and_its_comment() -> None:
    text = "if {flags}[$i] == 0:\n    return\n# a comment about {m}[$i]\n$a = {m}[$i] * 2.0\n{rho}[$i] = $a - {m}[$i]"
    assert loaded(text).split("\n") == [
        f"$flags{LOADED} = {{flags}}[$i]",
        f"if $flags{LOADED} == 0:",
        "    return",
        f"$m{LOADED} = {{m}}[$i]",
        "# a comment about {m}[$i]",
        f"$a = $m{LOADED} * 2.0",
        f"{{rho}}[$i] = $a - $m{LOADED}",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "{rho}[$i] = {rho}[$i] * 2.0",
        "{rho}[$i] = 1.0\n{speed}[$i] = {rho}[$i]",
        "wp.atomic_add({rho}, $i, 1.0)\n$a = {rho}[$i]\n{speed}[0] = $a * 2.0",
        "$a = {m}[$i]\n{rho}[$i] = $a + {m}[$i]",
        "if {dt} > 0.0:\n    {rho}[$i] = {m}[$i]",
        "for $k in range(3):\n    {rho}[$i] += {m}[$i]",
        "{rho}[$i] = {m}[$i + 1] + {m}[0] + {m}[$j]",
        "{rho}[$i] = {table}[$i, 0] + {table}[$i][1]",
    ],
)  # fmt: skip
def test_outputs_and_other_elements_are_not_loaded(text: str) -> None:
    assert loaded(text) == text


def test_elements_of_two_indices_are_loaded() -> None:
    found = loaded("{rho}[$i] = float({table}[$i, $k]) + {m}[$i]", "i k")
    assert found == f"$table{LOADED} = {{table}}[$i, $k]\n{{rho}}[$i] = float($table{LOADED}) + {{m}}[$i]"


def test_kernels_without_loads_keep_their_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loads, "LOADED_CHANCE", 0.0)
    assert loaded(TEXTS[0]) == TEXTS[0]


@pytest.mark.parametrize(
    ("array", "element"),
    [
        ("positions", "position"),
        ("velocities", "velocity"),
        ("masses_in", "mass"),
        ("state.indices", "index"),
        ("matrices", "matrix"),
        ("boxes", "box"),
        ("axes", "axis"),
        ("poses", "pose"),
        ("wrenches", "wrench"),
        ("hashes", "hash"),
        ("biases", "bias"),
        ("curves", "curve"),
        ("time_series", "time_series"),
        ("force_array", "force_i"),
        ("radius", "radius_i"),
        ("w_des", "w_des_i"),
        ("q", "q_i"),
    ],
)
def test_names_are_singular(array: str, element: str) -> None:
    body = _load("{rho}[$i] = {m}[$i] * 2.0")
    assert element_names(body, {"m": array}) == {f"m{LOADED}": element}
