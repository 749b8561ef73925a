"""Outlining: kernels compute the same with functions as without them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from synthesis.writing.dry_run.stand_ins import run_stand_in
from synthesis.writing.dry_run.test_against_warp import launch_with_warp, load
from warpsmith.extraction.codegen.extract import extract_ir
from warpsmith.extraction.targets.loading import loaded_kernel
from warpsmith.synthesis.kernel_key import KernelKey
from warpsmith.synthesis.language.composed_kernel import Kernel
from warpsmith.synthesis.language.render import Style, render
from warpsmith.synthesis.language.warp_types import FLOAT, INT, VEC3
from warpsmith.synthesis.random_stream import RandomStream
from warpsmith.synthesis.writing.adjoint.stale import stale_use
from warpsmith.synthesis.writing.catalogue.categories import CATEGORIES, category_of
from warpsmith.synthesis.writing.generate import Draft, choose_program, write_kernel
from warpsmith.synthesis.writing.ideas.compose import Composition, Plan
from warpsmith.synthesis.writing.ideas.outlining.idea_lines import mark
from warpsmith.synthesis.writing.ideas.outlining.outline import Outlined, outline
from warpsmith.synthesis.writing.ideas.outlining.static_types import ArrayType, Kind
from warpsmith.synthesis.writing.ideas.outlining.surroundings import Surroundings
from warpsmith.synthesis.writing.ideas.tree import Node, parse
from warpsmith.synthesis.writing.ideas.tree import render as lines_of
from warpsmith.synthesis.writing.kernel_launch import describe_launch

KINDS: dict[str, Kind] = {
    "x": ArrayType(INT, 1),
    "y": ArrayType(INT, 1),
    "out": ArrayType(INT, 1),
    "gain": INT,
    "n": INT,
}


def outlined(text: str, seed: int = 0, kinds: dict[str, Kind] | None = None) -> tuple[list[Node], Outlined]:
    """Return the statements of a kernel and its functions; a seed whose kernel has none is not used."""
    used = KINDS if kinds is None else kinds
    for attempt in range(8):
        body = parse(text)
        around = Surroundings(
            kinds=used,
            arguments=frozenset(used),
            known={"i": INT, "j": INT},
            names=dict(NAMES),
            loaded={},
            vocabulary=frozenset(NAMES.values()),
        )
        found = outline(body, around, RandomStream(f"outline/{seed}/{attempt}"))
        if found.texts:
            return body, found
    return parse(text), Outlined()


# ------------------------------------------------------------------------------------------------------------ small trees

LOCALS = "abcde"
NAMES = dict(zip("abcdepqxyz", "pressure density velocity distance energy power heat mass force speed".split(), strict=True))
names = st.sampled_from(LOCALS).map("$".__add__)
leaves = names | st.sampled_from(["{x}[$i]", "{y}[$i]", "{x}[$j]", "{gain}", "3", "$i"])
# no products: those of products in loops have millions of digits
expressions = st.recursive(
    leaves,
    lambda inner: st.tuples(inner, st.sampled_from(["+", "-", "^"]), inner).map(lambda parts: f"({' '.join(parts)})"),
    max_leaves=6,
)
tests = st.tuples(expressions, st.sampled_from(["<", ">", "=="]), expressions).map(" ".join)
simple = (
    st.tuples(names, expressions).map(" = ".join)
    | st.tuples(names, expressions).map(" += ".join)
    | st.tuples(st.sampled_from("01234"), expressions).map(lambda parts: f"{{out}}[{parts[0]}] = {parts[1]}")
)


def indent(lines: list[str]) -> str:
    return "\n".join(f"    {line}" for text in lines for line in text.split("\n"))


def nested(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    bodies = st.lists(inner, min_size=1, max_size=3).map(indent)
    branches = st.tuples(tests, bodies, bodies).map(lambda parts: f"if {parts[0]}:\n{parts[1]}\nelse:\n{parts[2]}")
    single = st.tuples(tests, bodies).map(lambda parts: f"if {parts[0]}:\n{parts[1]}")
    jumps = st.tuples(bodies, tests, bodies).map(
        lambda parts: f"for $k in range(3):\n{parts[0]}\n    if {parts[1]}:\n        continue\n{parts[2]}"
    )
    return branches | single | jumps | bodies.map(lambda body: f"for $k in range({{n}}):\n{body}")


statements = st.recursive(simple, nested, max_leaves=6)
programs = st.lists(statements, min_size=3, max_size=8).map(
    lambda lines: "\n".join([*(f"${key} = {number}" for number, key in enumerate(LOCALS)), *lines])
)


def run_plain(body: list[Node], functions: dict[str, str]) -> list[int]:
    """Run statements in Python and return what they store."""
    text = "\n".join(re.sub(r"(?<=: )[^,()]*(?:\([^()]*\))?(?=[,)])|(?<=\)) -> .*(?=:)", "int", line) if line.startswith("def ")
                     else line for function in functions.values() for line in function.split("\n"))  # fmt: skip
    text = re.sub(r"^def (outlined_\d+)", r"def @\1", re.sub(r"\)int:", "):", text), flags=re.MULTILINE)
    names = {"þxþ": [5, 2, 7], "þyþ": [1, -4, 2], "þoutþ": [0] * 5, "þgainþ": 3, "þnþ": 2, "ßi": 1, "ßj": 2}
    exec(mark("\n".join([text, *lines_of(body)])), names)  # noqa: S102 - the program above
    stored: Any = names["þoutþ"]
    return list(stored)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(programs, st.integers(0, 1 << 20))
def test_small_programs_store_the_same(program: str, seed: int) -> None:
    body, found = outlined(program, seed)
    assert run_plain(body, found.texts) == run_plain(parse(program), {})


# ------------------------------------------------------------------------------------------------------- what is outlined


def test_statements_that_differ_in_names_call_one_function() -> None:
    text = """\
$a = {x}[$i] - {x}[$j]
$p = wp.length($a) * {gain} + 1.0
$b = {y}[$i] - {y}[$j]
$q = wp.length($b) * {gain} + 1.0
{out}[$i] = $p - $q"""
    kinds: dict[str, Kind] = {"x": ArrayType(VEC3, 1), "y": ArrayType(VEC3, 1), "out": ArrayType(FLOAT, 1), "gain": FLOAT}
    counts = [len(re.findall(r"@outlined_1\(", "\n".join(lines_of(outlined(text, seed, kinds)[0])))) for seed in range(20)]
    assert max(counts) == 2


def test_effects_stay_in_the_kernel() -> None:
    text = "$a = wp.atomic_add({out}, 0, 1) * 2 + $i * 3 - 4\n$b = wp.tid() * 2 + 3 - $i * 7\n{out}[$b] = $a"
    body, found = outlined(text)
    assert not any("atomic" in function or "tid" in function for function in found.texts.values())
    assert "wp.atomic_add" in "\n".join(lines_of(body))


def test_unknown_types_stay_in_the_kernel() -> None:
    text = "$a = wp.unknown($i) * 2 + $i * 3 - 4\n$b = $a * 2 + $a\n{out}[$i] = $b - $a"
    _, found = outlined(text)
    assert not any("$b" in function for function in found.texts.values())


# ---------------------------------------------------------------------------------------------------------- real kernels


def both(index: int) -> tuple[Kernel, Kernel] | None:
    """Return a kernel without and with functions of its statements, or None if no statement has become one."""
    categories = [category.name for category in CATEGORIES if category.group not in ("tiles", "objects") and not category.make]
    name = categories[index % len(categories)]
    composed = []
    for divided in (False, True):
        draft = Draft(KernelKey(4000, index, category=name), category_of(index, name), RandomStream(f"both/{index}"))
        choose_program(draft)
        length = replace(draft.length, outlined=float(divided))
        plan = Plan(length, adjoint=True, packs=draft.category.packs)
        composed.append(Composition(draft.domain, draft.idea, draft.rng, plan).kernel)
    return None if len(composed[0].preface) == len(composed[1].preface) else (composed[0], composed[1])


def pairs_of(first: int, count: int) -> list[tuple[Kernel, Kernel]]:
    return [pair for index in range(first, first + count) if (pair := both(index)) is not None]


@pytest.mark.sampled(4)
@pytest.mark.parametrize("part", range(10))
def test_kernels_with_functions_compute_the_same(part: int) -> None:
    compared = 0
    for plain, divided in pairs_of(60 * part, 60):
        launch = describe_launch(plain)
        assert launch == describe_launch(divided)
        try:
            expected = run_stand_in(render(plain, Style()), plain.name, launch, "outline")
        except (ArithmeticError, LookupError, ValueError, AttributeError, TypeError, NotImplementedError, NameError):
            expected = None  # a gap of the stand-in, or a draft that a dry run rejects
        if expected is None:
            continue
        found = run_stand_in(render(divided, Style()), divided.name, launch, "outline")
        for name, values in expected.items():
            np.testing.assert_array_equal(found[name], values, err_msg=render(divided, Style()))
        compared += 1
    assert compared >= 10


def test_kernels_with_functions_have_the_bits_of_warp(tmp_path: Path) -> None:
    compared = 0
    for number, (plain, divided) in enumerate(pairs_of(0, 30)):
        launch = describe_launch(plain)
        if (
            {argument.kind for argument in launch.args} - {"array", "value"}
            or "rand" in render(plain, Style())
            or compared == 4
        ):
            continue
        results = [
            launch_with_warp(
                getattr(load(render(kernel, Style()), tmp_path / f"outlined_{number}_{kernel is plain}.py"), kernel.name),
                launch, "outline",
            )
            for kernel in (plain, divided)
        ]  # fmt: skip
        if "atomic" not in render(plain, Style()):
            compared += 1
            for name, values in results[0].items():
                np.testing.assert_array_equal(results[1][name], values, err_msg=render(divided, Style()))
    assert compared == 4


def test_kernels_with_functions_are_kernels_for_warp() -> None:
    for _, divided in pairs_of(600, 60):
        with loaded_kernel(render(divided, Style()), divided.name) as loaded:
            assert extract_ir(loaded, "cpu").codes["cpu"].forward_code


def test_the_adjoint_of_no_kernel_uses_a_stale_value() -> None:
    sources = [write_kernel(KernelKey(4100, index)).source for index in range(100)]
    assert [source for source in sources if stale_use(source) is not None] == []
    assert sum("@wp.func\n" in source for source in sources) > 35


def test_stale_values_are_found_across_calls() -> None:
    text = """
@wp.func
def scaled(total: float, k: float) -> float:
    return total * k


@wp.func
def row_sum(x: wp.array(dtype=float), n: int) -> float:
    total = float(0.0)
    for i in range(n):
        total += x[i]
    return {returned}


@wp.kernel
def k(x: wp.array(dtype=float), n: int, out: wp.array(dtype=float)):
    total = float(0.0)
    for i in range(n):
        total += x[i]
    out[0] = {stored}
"""
    assert stale_use(text.format(returned="total", stored="total")) is None
    assert stale_use(text.format(returned="total", stored="row_sum(x, n) * row_sum(x, n)")) is None
    assert stale_use(text.format(returned="total", stored="scaled(total, 2.0)")) == "scaled(total, 2.0)"
    assert stale_use(text.format(returned="total * total", stored="total")) == "total * total"


def test_descriptions_contain_the_functions() -> None:
    for index in range(40):
        sample = write_kernel(KernelKey(4300, index))
        for name in re.findall(r"@wp\.func\ndef (\w+)", sample.source):
            assert f"Function {name}(" in sample.description


def test_the_same_stream_makes_the_same_functions() -> None:
    assert [write_kernel(KernelKey(4200, index)).source for index in range(20)] == [
        write_kernel(KernelKey(4200, index)).source for index in range(20)
    ]
