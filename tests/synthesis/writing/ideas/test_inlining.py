"""Inlining: statements compute the same with functions as with the statements of these functions."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from synthesis.writing.dry_run.stand_ins import run_stand_in
from warpsmith.synthesis.kernel_key import KernelKey
from warpsmith.synthesis.language.render import Style
from warpsmith.synthesis.language.render import render as source_of
from warpsmith.synthesis.random_stream import RandomStream
from warpsmith.synthesis.writing.catalogue.categories import CATEGORIES, category_of
from warpsmith.synthesis.writing.generate import Draft, choose_program
from warpsmith.synthesis.writing.ideas.compose import Composition, Plan
from warpsmith.synthesis.writing.ideas.inlining import Inliner
from warpsmith.synthesis.writing.ideas.loads import load_elements
from warpsmith.synthesis.writing.ideas.local_names import LocalNames
from warpsmith.synthesis.writing.ideas.notation import Choices
from warpsmith.synthesis.writing.ideas.parts import Domain, Helper
from warpsmith.synthesis.writing.ideas.statement_passes import drop_unread
from warpsmith.synthesis.writing.ideas.tree import parse, render
from warpsmith.synthesis.writing.ideas.unrolling import unroll
from warpsmith.synthesis.writing.kernel_launch import describe_launch

FUNCTIONS = (
    "def shift($x: float) -> float:\n    return $x - 1.0",
    "def blend($x: float, $y: float) -> float:\n    $t = $x * $y + {gain}\n    return $t * $t - $x",
    "def pair($x: float, $y: float):\n    $low = wp.min($x, $y)\n    $high = wp.max($x, $y)\n    return $low, $high - $low",
    "def nested($x: float) -> float:\n    $t = @blend($x, 2.0)\n    return @shift($t) - @shift($x)",
    'def powers($x: float) -> float:\n    """Sum."""\n    $s = 0\n    for k in range(3):\n        $s += $x * k\n    return $s',
    "def changed($x: float) -> float:\n    $x += 1.0\n    $x = $x * 2.0\n    return $x",
    "def branch($x: float) -> float:\n    $y = $x\n    if $x > 0.0:\n        $y = @shift($x)\n    return $y - 2.0",
    "def distance($x: float, $y: float) -> float:\n    $t = $x - $y\n    $u = $y - 2.0 * $x\n    return wp.max($t, $u)",
    "def early($x: float) -> float:\n    if $x > 0.0:\n        return 1.0\n    return $x",
    "def long($x: float, $n: int) -> float:\n    $s = float(0.0)\n    for k in range($n):\n        $s += $x\n    return $s",
    "def endless($x: float) -> float:\n    $y = $x\n    while $y > 1.0:\n        $y = $y * 0.5\n    return $y",
)  # fmt: skip
CALLS = ("shift", "blend", "pair", "nested", "powers", "changed", "branch", "distance")
STAYING = {"early", "long", "endless"}
HELPERS = tuple(Helper(text.split("(")[0].removeprefix("def "), (text,)) for text in FUNCTIONS)
DOMAIN = Domain("numbers", (), (), {}, (), (), helpers=HELPERS)

STATEMENTS = (
    "$a = @shift($x)\n$b = $a - @shift($y)\n{out}[0] = $b * @shift($a) - @shift($a - $b)",
    "$a, $b = @pair($x, $y)\n$b, $a = @pair($a, $b)\n{out}[0] = $a - $b",
    "$a, $a2 = @pair($x + 1.0, @shift($y))\n{out}[0] = $a2\n{out}[1] = $a",
    "$a = @nested($x) / (2.0 + wp.abs(@nested($y)))\n{out}[0] = -@shift($a)",
    "$x = @changed($x)\n$x += @changed(2.0 * $x)\n{out}[0] = @changed($y) - @changed(1.0)",
    "if $x > $y:\n    $a = @branch($x)\nelse:\n    $a = @blend(@shift($x), $y - 3.0)\n{out}[0] = $a",
    "$t = $x\nfor $k in range(4):\n    $t = @blend($t, 0.25) * 0.125\n    {out}[$k] = @branch($t) + $t\n{out}[4] = $t",
    "$sum = @powers($x)\n$t = @powers($sum + @powers($y))\n{out}[0] = $t - @powers($x)",
    "{out}[0] = @early($x) + @long($y, 3)\n{out}[1] = @endless($x) - @shift(@early($y))",
    "$d = @distance($x, $y)\n$e = @distance($x, $y)\n{out}[0] = $d\n{out}[1] = $e - @distance($y, $x)",
    "$a = 1.0 if $x > 0.0 and @shift($x) > 0.0 else @shift($y)\n{out}[0] = $a",
    "$low = $x\n$low = @branch($low) + $low\n{out}[0] = $low",
    "{out}[0] += @shift({gain}) * {out}[0]\n{out}[1] -= @shift($x) - $y\n{out}[@index(0)] = @nested({out}[0])",
)
numbers = st.floats(-8.0, 8.0, width=32)
WARP = SimpleNamespace(min=min, max=max, abs=abs)


@pytest.fixture(autouse=True)
def any_number_of_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    """Inline functions with many calls, too."""
    monkeypatch.setattr("warpsmith.synthesis.writing.ideas.inlining.MAX_INLINED_CALLS", 100)


def inlined(text: str, seed: int = 0, chance: float = 1.0) -> str:
    """Return statements with their functions written in place."""
    body, rng = parse(text), RandomStream(f"inlining/{seed}")
    Inliner(DOMAIN, Choices(rng), rng, chance).inline(body)
    return "\n".join(render(body))


def run_plain(text: str, x: float, y: float) -> list[float]:
    """Run statements in Python and return what they store."""
    functions = [re.sub(r": (?:float|int)(?=[,)])| -> float", "", function) for function in FUNCTIONS]
    functions = [function.replace("def ", "def f_") for function in functions]
    names: dict[str, Any] = {
        "v_x": x,
        "v_y": y,
        "p_x": x,
        "p_y": y,
        "v_i": 0,
        "p_out": [0.5] * 5,
        "p_gain": 1.75,
        "wp": WARP,
        "f_index": int,
    }
    program = re.sub(r"{(\w+)}", r"p_\1", "\n".join([*functions, text]).replace("$", "v_").replace("@", "f_"))
    exec(program, names)  # noqa: S102 - the statements above
    return list(names["p_out"])


@settings(max_examples=15, deadline=None)
@pytest.mark.parametrize("text", STATEMENTS)
@given(x=numbers, y=numbers, seed=st.integers(0, 1000), chance=st.sampled_from([0.5, 1.0]))
def test_statements_store_the_same(text: str, x: float, y: float, seed: int, chance: float) -> None:
    assert run_plain(inlined(text, seed, chance), x, y) == run_plain(text, x, y)


expressions = st.recursive(
    st.sampled_from(["$x", "$y", "$a", "0.5", "{gain}"]),
    lambda inner: (
        st.tuples(inner, st.sampled_from("+-*"), inner).map(lambda parts: f"({' '.join(parts)})")
        | st.tuples(st.sampled_from(["shift", "nested", "powers", "branch"]), inner).map(
            lambda parts: f"@{parts[0]}({parts[1]})"
        )
        | st.tuples(st.sampled_from(["blend", "distance"]), inner, inner).map(lambda p: f"@{p[0]}({p[1]}, {p[2]})")
    ),
    max_leaves=5,
)
assignments = st.tuples(st.sampled_from(["$x", "$y", "$a", "{out}[0]"]), st.sampled_from(["=", "+=", "-="]), expressions)
pairs = st.tuples(expressions, expressions).map(lambda parts: f"$a, $y = @pair({parts[0]}, {parts[1]})")
lines = assignments.map(" ".join) | pairs
blocks = st.tuples(st.sampled_from(["if $x > 0.5:", "for $k in range(2):"]), lines, lines).map("\n    ".join)


@settings(max_examples=80, deadline=None)
@given(program=st.lists(lines | blocks, min_size=1, max_size=4), x=numbers, y=numbers)
def test_any_statements_store_the_same(program: Sequence[str], x: float, y: float) -> None:
    text = "\n".join(["$x = {x}", "$y = {y}", "$a = $x * 0.25", *program, "{out}[1] = $x\n{out}[2] = $y\n{out}[3] = $a"])
    expected, found = run_plain(text, x, y), run_plain(inlined(text), x, y)
    assert found == expected or all(map(math.isnan, set(found) ^ set(expected)))


@pytest.mark.parametrize("text", STATEMENTS)
def test_only_functions_that_can_be_statements_are_inlined(text: str) -> None:
    kept = {key for line in inlined(text).split("\n") for key in re.findall(r"@(\w+)", line) if " if " not in line}
    assert not kept.intersection(set(CALLS) - {"changed", *(["pair"] if "$b, $a" in text else [])})
    assert kept >= STAYING.intersection(re.findall(r"@(\w+)", text))


def test_repeated_values_are_computed_once() -> None:
    assert inlined("$d = @distance($x, $y)\n{out}[0] = $d - @distance($x, $y)").count("$x - $y") == 1
    assert inlined("$x += 1.0\n$d = @distance($x, $y)\n$x += 1.0\n$e = @distance($x, $y)").count("$x - $y") == 2


@pytest.mark.parametrize("value", ["wp.randf($state)", "wp.atomic_add({out}, 0, 1)"])
def test_an_effect_occurs_once(value: str) -> None:
    for call in (f"@powers({value})", f"@blend({value}, 1.0)", f"@branch({value})"):
        assert inlined(f"$a = {call}").count(value) == 1
        assert not inlined(f"$a = {call}").split(value)[0].count("for ")
    assert inlined(f"$a = @shift({value}) - @shift({value})").count(value) == 2


def test_results_have_the_names_of_the_statement() -> None:
    assert inlined("$a = @distance($x, $y)\n$b, $c = @pair($a, $y)").split("\n")[2:] == [
        "$a = wp.max($t, $u)", "$b = wp.min($a, $y)", "$high = wp.max($a, $y)", "$c = $high - $b",
    ]  # fmt: skip


# ---------------------------------------------------------------------------------------------------------- real kernels


class Inlined(Composition):
    """The same kernel, with its functions, short loops and inputs as statements."""

    def _outline(self) -> None:
        helpers = tuple(Helper(key, (text,)) for key, text in self._helpers.items())
        domain = Domain("functions", (), (), {}, (), (), helpers=helpers)
        rng = RandomStream("inlined")
        Inliner(domain, Choices(rng), rng, 1.0).inline(self._body)
        unroll(self._body, rng, 1.0)
        drop_unread(self._body)
        load_elements(self._body, self._domain, [index.key for index in self._threads], rng)
        self._lines = render(self._body)
        self._locals = LocalNames(self._domain, self._names, self._inner_names, self._lines, self._index_names, self._threads)


def composed(index: int, kind: type[Composition]) -> Composition:
    names = [category.name for category in CATEGORIES if category.group not in ("tiles", "objects") and not category.make]
    name = names[index % len(names)]
    draft = Draft(KernelKey(4800, index, category=name), category_of(index, name), RandomStream(f"inlined/{index}"))
    choose_program(draft)
    length = replace(draft.length, inlined=0.0, outlined=0.0)
    return kind(draft.domain, draft.idea, draft.rng, Plan(length, packs=draft.category.packs))


@pytest.mark.sampled(3)
@pytest.mark.parametrize("part", range(12))
def test_kernels_compute_the_same(part: int) -> None:
    compared = 0
    for index in range(40 * part, 40 * part + 40):
        plain = composed(index, Composition)
        if not plain.kernel.preface or "@wp.func" not in "\n".join(plain.kernel.preface):
            continue
        kernel = composed(index, Inlined).kernel
        launch = describe_launch(plain.kernel)
        assert describe_launch(kernel) == launch
        try:
            expected = run_stand_in(source_of(plain.kernel, Style()), plain.kernel.name, launch, "inlined")
        except (ArithmeticError, LookupError, ValueError, AttributeError, TypeError, NotImplementedError, NameError):
            continue  # a gap of the stand-in, or a draft that a dry run rejects
        found = run_stand_in(source_of(kernel, Style()), kernel.name, launch, "inlined")
        for name, values in expected.items():
            np.testing.assert_array_equal(found[name], values, err_msg=source_of(kernel, Style()))
        compared += 1
    assert compared >= 3
