"""Composition: kernels of a small domain have the statements of their ideas, unique names, and all that they read."""

from __future__ import annotations

import ast
import re
from collections import Counter

import pytest
from msgspec.structs import replace

from synthesis.writing.ideas.small_domain import ADVANCE, ALONE, COUNT, DOMAIN, FORWARD, SUM, body_of, composed
from warpsmith.core.errors import WarpsmithError
from warpsmith.extraction.codegen.extract import extract_ir
from warpsmith.extraction.targets.loading import loaded_kernel
from warpsmith.synthesis.language.composed_kernel import Array, Kernel, OpaqueParameter
from warpsmith.synthesis.language.render import Style, render
from warpsmith.synthesis.writing.ideas.parts import Helper, Idea, Local

SEEDS = range(60)


def roles(kernel: Kernel) -> dict[str, str]:
    return {param.name: param.role for param in kernel.params if isinstance(param, Array)}


@pytest.mark.parametrize("idea", [ADVANCE, SUM, COUNT, ALONE])
def test_every_composition_is_a_kernel_for_warp(idea: Idea) -> None:
    for seed in SEEDS[:12]:
        kernel, _ = composed(idea, seed=seed)
        source = render(kernel, Style())
        with loaded_kernel(source, kernel.name) as loaded:
            assert f"{kernel.name}_cuda_kernel_forward(" in extract_ir(loaded, "cuda").codes["cuda"].forward_code


def test_the_same_stream_composes_the_same_kernel() -> None:
    assert composed(SUM, seed=3) == composed(SUM, seed=3)
    assert len({render(composed(SUM, seed=seed)[0], Style()) for seed in SEEDS}) > 50


def test_unassigned_locals_are_loaded_or_written_in_place() -> None:
    found = {"bound": 0, "in place": 0}
    for seed in SEEDS:
        text = "\n".join(body_of(composed(SUM, seed=seed)[0]))
        found["bound" if re.search(r"^(pos|p) = ", text, re.MULTILINE) else "in place"] += 1
    assert min(found.values()) > 5, found


def test_a_local_that_changes_is_never_written_in_place() -> None:
    for seed in SEEDS:
        body = body_of(composed(ADVANCE, seed=seed)[0])
        assert any(re.fullmatch(r"(\w+_)?(pos|p|point)(_\w+)? = [\w.]*\[[^]]*\]", line) for line in body), body


def test_locals_of_a_loop_are_loaded_inside_of_it_after_the_test_of_the_index() -> None:
    for seed in SEEDS:
        text = "\n".join(composed(SUM, seed=seed)[0].body)
        assert text.index("= table" if "= table" in text else "table[") < text.index("fall_off(")


def test_a_local_that_two_blocks_read_is_loaded_before_both() -> None:
    text = "if {flags}[$i] == 1:\n    if $p[0] > 0.0:\n        return\n{x_out}[$i] = $twice"
    ways = (*DOMAIN.locals, Local("twice", ("$p * 2.0 + $p",)))
    for seed in SEEDS:
        rows = replace(DOMAIN, locals=ways)
        kernel, _ = composed(replace(ADVANCE, text=text), seed=seed, extras=0.0, domain=rows)
        loads = [line for line in body_of(kernel) if re.match(r" *(pos|p) = ", line)]
        assert len(loads) <= 1
        assert all(not line.startswith(" ") for line in loads), kernel.body


def test_a_local_without_a_way_is_an_error() -> None:
    idea = replace(ADVANCE, text="{x_out}[$i] = $unknown")
    with pytest.raises(WarpsmithError, match=r"points.*\$unknown"):
        composed(idea)


def test_the_role_of_an_array_follows_from_the_text() -> None:
    kernel, _ = composed(COUNT, seed=1, extras=0.0)
    by_role = Counter(roles(kernel).values())
    assert by_role == {"input": 1, "inout": 1}
    kernel, _ = composed(FORWARD, seed=1, extras=0.0)
    assert set(roles(kernel).values()) == {"inout"}


def test_batched_kernels_index_every_array_of_a_world() -> None:
    batched = [kernel for kernel, _ in (composed(SUM, seed=seed, extras=0.0) for seed in SEEDS) if len(kernel.dim) == 2]
    assert 5 < len(batched) < 50
    for kernel in batched:
        text = "\n".join(kernel.body)
        (world,) = set(re.findall(r"\bworld\b|\benv\b", text))
        accesses = re.findall(r"(\w+)\[(\w+), ", text)
        assert {index for name, index in accesses if name != "table"} == {world}
        assert all(param.dims[0] == "worlds" for param in kernel.params if isinstance(param, Array) and param.name != "table")
        atomics = re.findall(r"atomic_add\(\w+, (\w+), 0", text)
        assert set(atomics) <= {world}


def test_structs_gather_inputs_and_nothing_else() -> None:
    for seed in SEEDS:
        kernel, _ = composed(SUM, seed=seed, extras=1.0, packs=True)
        structs = [param for param in kernel.params if isinstance(param, OpaqueParameter)]
        assert len(structs) == 1
        fields = {field.name for field in structs[0].argument.fields}
        assert fields
        assert all(field.role == "input" for field in structs[0].argument.fields)
        assert fields <= {"positions", "x", "q", "velocities", "v", "qd", "masses", "m", "flags"}
        assert all(re.search(rf"\bstate\.{field}\b", "\n".join(kernel.body)) for field in fields)


def test_unread_locals_are_removed() -> None:
    idea = replace(ADVANCE, text="$unused = int(0)\n$unused += 1\n$other = $v\n{x_out}[$i] = $p")
    for seed in SEEDS[:20]:
        kernel, _ = composed(idea, seed=seed, extras=0.0)
        assert "velocities" not in roles(kernel)
        assert not any("other" in line or "unused" in line for line in kernel.body)


def test_blocks_that_become_empty_are_removed() -> None:
    text = "if {flags}[$i] == 1:\n    $unused = 1.0\n{x_out}[$i] = $p\n"
    text += "if {flags}[$i] == 2:\n    $other = 1.0\nelse:\n    {speed}[$i] = 1.0"
    for seed in SEEDS[:10]:
        kernel, _ = composed(replace(ADVANCE, text=text), seed=seed, extras=0.0)
        ast.parse(render(kernel, Style()))
        assert sum(line.startswith("if ") and "==" in line for line in body_of(kernel)) == 1
        assert "    pass" in body_of(kernel)


def test_numbers_are_arguments_constants_or_literals() -> None:
    ways: Counter[str] = Counter()
    for seed in SEEDS:
        kernel, _ = composed(ADVANCE, seed=seed)
        text = "\n".join(kernel.body)
        ways["constant" if "DT" in text else "argument" if "* dt" in text else "literal"] += 1
        assert ("DT" in text) == any(constant.name == "DT" for constant in kernel.constants)
    assert set(ways) == {"constant", "argument", "literal"}


def test_decorators_outside_of_the_core() -> None:
    core = {composed(COUNT, seed=seed)[0].decorator for seed in SEEDS}
    other = Counter("enable_backward=False" in composed(COUNT, seed=seed, adjoint=False)[0].decorator for seed in SEEDS)
    assert not any("False" in decorator for decorator in core)
    assert other[True] > other[False] > 0
    assert all("enable_backward=False" in composed(FORWARD, seed=seed, adjoint=False)[0].decorator for seed in SEEDS)


def test_the_description_names_every_argument_and_the_rule() -> None:
    for seed in SEEDS:
        kernel, text = composed(SUM, seed=seed, extras=1.0)
        assert text.startswith("Sum the masses of neighbours.")
        for param in kernel.params:
            assert re.search(rf"\b{param.name}\b", text), param.name
        assert "Rule: " in text
        assert "Function fall_off(r: float): the result is 1.0 / (1.0 + r)." in text


def test_the_description_has_the_detail_of_the_idea_that_docstrings_may_have() -> None:
    idea = replace(SUM, docs="⟨Neighbours are listed by the host|The list has a fixed length.⟩")
    documented = set()
    for seed in SEEDS:
        kernel, text = composed(idea, seed=seed)
        detail = re.match(r"Sum the masses of neighbours\. (Neighbours[^.]*|The list[^.]*)\. One thread for each ", text)
        assert detail, text
        lines = kernel.doc.split("\n") if kernel.doc else [""]
        documented.add(lines[1:] == [f"{detail[1]}."])
        assert lines[1:] in ([], [f"{detail[1]}."])
    assert documented == {True, False}


def test_correlated_alternatives_agree_with_the_purpose() -> None:
    for seed in SEEDS:
        kernel, text = composed(ADVANCE, seed=seed)
        assert ("speeds" in roles(kernel)) == text.startswith("Advance the points")


def test_a_function_has_one_of_its_names_and_names_for_its_locals() -> None:
    helper = Helper("fall_off", ("def fall_off($r: float):\n    $w = {ACTIVE} * $r\n    return $w",), "fall_off kernel_weight")
    found: dict[str, set[str]] = {"name": set(), "parameter": set(), "local": set()}
    for seed in SEEDS:
        rows = replace(DOMAIN, helpers=(helper,), names={**DOMAIN.names, "r": "r dist", "w": "w weight pos"})
        kernel, description = composed(SUM, seed=seed, domain=rows)
        (function,) = (text for text in kernel.preface if text.startswith("@wp.func"))
        name, parameter, local = re.findall(
            r"def (\w+)\((\w+): float\):\n    (\w+) = (?:ACTIVE|1) \* \2\n    return \3", function
        )[0]
        assert f"{name}(" in "\n".join(kernel.body)
        assert f"Function {name}({parameter}: float)" in description
        for what, value in (("name", name), ("parameter", parameter), ("local", local)):
            found[what].add(value)
    assert found == {
        "name": {"fall_off", "kernel_weight"}, "parameter": {"r", "dist"}, "local": {"w", "weight", "pos"}
    }  # fmt: skip


def test_a_struct_of_values_stands_before_the_functions_that_make_it() -> None:
    struct = Helper("pull", ("@wp.struct\nclass Pull:\n    weight: float",), "Pull Attraction")
    maker = Helper("fall_off", ("def fall_off($r: float) -> @pull:\n    $w = @pull()\n    $w.weight = $r\n    return $w",))
    text = "{speed}[$i] = @fall_off(wp.length($p)).weight"
    for seed in SEEDS[:12]:
        rows = replace(DOMAIN, helpers=(struct, maker))
        kernel, _ = composed(replace(ADVANCE, text=text), seed=seed, domain=rows)
        source = render(kernel, Style())
        assert re.search(r"@wp.struct\nclass (Pull|Attraction):\n[^@]*@wp.func\ndef fall_off\(r: float\) -> \1:", source)
        with loaded_kernel(source, kernel.name) as loaded:
            extract_ir(loaded, "cpu")


def test_locals_of_a_family_have_one_base() -> None:
    text = "$p__ux = {x}[$i][0] * 2.0\n$p__uy = {x}[$i][1] * 2.0\n{speed}[$i] = $p__ux + $p__uy"
    idea = Idea("family", "add", "add components", text, categories="vector")
    domain = replace(DOMAIN, ideas=(idea,))
    bases = set()
    for seed in SEEDS:
        body = "\n".join(body_of(composed(idea, seed=seed, domain=domain)[0]))
        first, second = re.findall(r"^(\w+) = .*\[[01]\] \* 2\.0$", body, re.MULTILINE)
        assert first.endswith("x")
        assert second == f"{first[:-1]}y"
        bases.add(first)
    assert len(bases) > 1
