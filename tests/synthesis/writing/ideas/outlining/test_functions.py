"""Texts of functions: what they return, and early returns."""

from __future__ import annotations

import pytest

from warpsmith.synthesis.language.warp_types import FLOAT, INT, VEC3
from warpsmith.synthesis.writing.ideas.outlining.functions import Function, finish_body, loads_of, render_head
from warpsmith.synthesis.writing.ideas.outlining.static_types import ArrayType, Scope
from warpsmith.synthesis.writing.ideas.tree import parse, render

IF_ELSE = "if $a > 0.0:\n    $r = $a\nelse:\n    $b = -$a\n    $r = $b * 2.0"
CHAIN = "$r = float(0.0)\nif $k == 0:\n    $r = $a\nelif $k == 1:\n    $r = 2.0 * $a"


@pytest.mark.parametrize(
    ("text", "early", "chained", "lines"),
    [
        ("$b = $a * 2.0\n$r = $b + 1.0", True, False, ["$b = $a * 2.0", "return $b + 1.0"]),
        (IF_ELSE, True, False, ["if $a > 0.0:", "    return $a", "$b = -$a", "return $b * 2.0"]),
        (IF_ELSE, False, False, [*IF_ELSE.split("\n"), "return $r"]),
        (CHAIN, True, False, ["if $k == 0:", "    return $a", "if $k == 1:", "    return 2.0 * $a", "return 0.0"]),
        (CHAIN, True, True, ["if $k == 0:", "    return $a", "elif $k == 1:", "    return 2.0 * $a", "return 0.0"]),
        ("if $a > 1.0:\n    $r = $r * $a", True, False, ["if $a > 1.0:", "    return $r * $a", "return $r"]),
        ("$r = $a\nif $r > 1.0:\n    $r = 1.0", True, False, ["$r = $a", "if $r > 1.0:", "    return 1.0", "return $r"]),
        (
            "$r = 0\nif $a:\n    if $b:\n        $r = 1",
            True,
            False,
            ["$r = 0", "if $a:", "    if $b:", "        $r = 1", "return $r"],
        ),
    ],
)
def test_functions_return_their_result(text: str, early: bool, chained: bool, lines: list[str]) -> None:
    assert render(finish_body(parse(text), ("r",), inline=True, early=early, chained=chained)) == lines


def test_several_results_are_returned_together() -> None:
    body = finish_body(parse("$d = $a - $b\n$l = wp.length($d)"), ("d", "l"), inline=True, early=True, chained=False)
    assert render(body)[-1] == "return $d, $l"


def test_heads_have_types() -> None:
    function = Function("f", [], {"x": ArrayType(VEC3, 2), "i": INT}, {"d": VEC3, "l": FLOAT}, ["{x}", "$j"])
    assert render_head(function, annotated=True) == "def f($x: wp.array2d(dtype=wp.vec3), $i: int) -> tuple[wp.vec3, float]:"
    assert function.call == "@f({x}, $j)"


def test_loads_that_may_not_happen_stay() -> None:
    text = "$a = {x}[$i] * 2.0\nif $a > 0.0:\n    $b = {x}[$j]\n$c = {x}[$k] if $k > 0 else {x}[$a]\n$k = 1\n$d = {x}[$i + 1]"
    scope = Scope(parse(text), {"i": INT, "j": INT, "k": INT}, {"x": ArrayType(FLOAT, 1)}, lambda _: None)
    assert list(loads_of(parse(text), scope, {"k", "a", "b", "c", "d"})) == ["{x}[$i]", "{x}[$i + 1]"]
