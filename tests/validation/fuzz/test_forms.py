"""Forms: each has a kernel that is Python, partners mean the same to Python, and the same seed draws the same forms."""

from __future__ import annotations

import ast
import re
from itertools import combinations

import pytest

from warpsmith.core.records.python_source import parse_python
from warpsmith.validation.fuzz.form_draws import draw_forms, features_of, pairs_of
from warpsmith.validation.fuzz.grammar.cases import case_of
from warpsmith.validation.fuzz.grammar.expression_text import in_pythons_order
from warpsmith.validation.fuzz.grammar.form_file import used_parameters
from warpsmith.validation.fuzz.grammar.forms import AXES, SAME, Form, form_of, makes_sense, parse_form, partners, simpler
from warpsmith.validation.fuzz.grammar.statement_forms import STATEMENTS

SINGLE = [
    form
    for family, axes in AXES.items()
    for axis, values in axes.items()
    for value in values
    if makes_sense(form := form_of(family, {axis: value}))
]


def test_every_form_with_one_feature_is_a_file_that_defines_its_names() -> None:
    for form in SINGLE:
        case = case_of(form)
        tree = parse_python(case.source)
        kernel = next(node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == "kernel")
        arguments = [argument.arg for argument in kernel.args.args]
        assert arguments == [parameter.name for parameter in case.parameters] == used_parameters(case.source), form.text
        called = {node.func.id for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
        defined = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.ClassDef)}
        assert called <= defined | {"square", "float", "int", "range"}, form.text


def test_forms_are_lines_of_text() -> None:
    for form in SINGLE:
        assert parse_form(form.text) == form


@pytest.mark.parametrize("text", ["moon", "assign target=moon", "assign moon=1"])
def test_a_line_that_is_no_form_is_an_error(text: str) -> None:
    with pytest.raises(KeyError):
        parse_form(text)


def test_the_same_seed_draws_the_same_forms() -> None:
    batches = [[draw_forms(seed, batch, 32, set(), []) for batch in (0, 90)] for seed in (1, 1, 2)]
    assert batches[0] == batches[1]
    assert batches[0] != batches[2]


def test_all_forms_with_one_feature_come_first() -> None:
    seen: set[tuple[str, str]] = set()
    drawn = [form for batch in range(len(SINGLE) // 64 + 1) for form in draw_forms(3, batch, 64, seen, [])]
    assert set(SINGLE) <= set(drawn)


def test_statements_are_drawn_with_precisions_and_options_before_other_combinations() -> None:
    drawn = [form for batch in range(len(SINGLE) // 64 + 2) for form in draw_forms(3, batch, 64, set(), [])]
    assert parse_form("expression statement=reversed_slice options=overwrites") in drawn
    assert parse_form("expression statement=to_bool dtype=half") in drawn


def test_later_forms_prefer_what_has_not_been_seen_together() -> None:
    seen: set[tuple[str, str]] = set()
    drawn = draw_forms(1, 100, 200, seen, [])
    assert seen == {pair for form in drawn for pair in pairs_of(form)}
    assert len(set(drawn)) > 190
    assert sum(len(form.changed) >= 2 for form in drawn) > 150


def test_what_was_found_is_drawn_less_often() -> None:
    found = frozenset(["family:assign", "context=dynamic"])
    often = sum(found <= features_of(form) for batch in range(100, 110) for form in draw_forms(1, batch, 64, set(), []))
    seldom = sum(found <= features_of(form) for batch in range(100, 110) for form in draw_forms(1, batch, 64, set(), [found]))
    assert 3 * seldom < often


def test_simpler_forms_have_fewer_features() -> None:
    form = parse_form("assign target=vec_name operator=add context=dynamic use=square dtype=double")
    found = simpler(form)
    assert found[0] == form_of("assign", {})
    assert all(set(candidate.changed) < set(form.changed) for candidate in found)
    pairs = [form_of("assign", dict(two)) for two in combinations(form.changed.items(), 2)]
    with_assignment = {pair for pair in pairs if {"target", "context"} & pair.changed.keys() and "operator" not in pair.changed}
    assert found.count(form_of("assign", {"target": "vec_name", "operator": "add"})) == 1
    assert set(pairs) - set(found) == with_assignment


def test_partners_differ_on_one_axis() -> None:
    for form in SINGLE:
        for axis, other in partners(form):
            assert [name for name, value in form.values if other[name] != value] == [axis]
            assert makes_sense(other)


def test_groups_of_values_that_mean_the_same_exist() -> None:
    for family, axes in SAME.items():
        for axis, groups in axes.items():
            for group in groups:
                assert set(group) <= set(AXES[family][axis]), (family, axis)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("assign target=vec_index operator=add", "assign target=vec_name operator=add"),
        ("assign target=member_index operator=mul", "assign target=vec_negative_index operator=mul"),
        ("assign operator=add context=static", "assign operator=add context=while_last"),
        ("assign operator=sub context=dynamic", "assign operator=sub context=dynamic_range3"),
        ("assign call=inline", "assign call=two_results"),
        ("assign index=negative", "assign index=positive"),
        ("expression index=negative", "expression index=computed"),
    ],
)
def test_partners_mean_the_same_to_python(first: str, second: str) -> None:
    assert run_in_python(parse_form(first)) == pytest.approx(run_in_python(parse_form(second)))


class Vector(list[float]):
    """A vector with named components."""

    @property
    def y(self) -> float:
        return self[1]

    @y.setter
    def y(self, value: float) -> None:
        self[1] = value


class Struct:
    """A struct of Warp, with any members."""


def run_in_python(form: Form) -> list[float]:
    """Run the kernel of a form as Python, with lists as arrays; no code of Warp is involved."""
    outputs = [0.0] * 8

    class Namespace:
        vec3 = staticmethod(lambda *numbers: Vector(numbers))
        func = struct = kernel = staticmethod(lambda definition: definition)
        array = staticmethod(lambda **_: None)

    for thread in range(2):
        Namespace.tid = staticmethod(lambda thread=thread: thread)  # type: ignore[attr-defined]
        space = {"wp": Namespace, "Any": None}
        exec(case_of(form).source.replace("import warp as wp", ""), space)  # noqa: S102 - a kernel of a form
        values = {
            "x": [1.1, 0.7, 1.3, 0.9, 0.6, 1.2, 0.8, 1.4],
            "y": [0.5, 0.75, 1.25, 1.0, 0.9, 1.1, 0.6, 0.7],
            "v": [Vector([1.0, 2.0, 3.0])] * 2,
            "c": [1, 0, 1, 0, 1, 1, 0, 1],
            "n": 3,
            "first": 0,
            "out": outputs,
        }
        space["kernel"](*(values[parameter.name] for parameter in case_of(form).parameters))  # type: ignore[operator]
    return outputs


def test_pythons_order_is_written_out() -> None:
    for order in AXES["expression"]["order"][1:]:
        source = case_of(form_of("expression", {"order": order})).source
        ordered = in_pythons_order(source)
        assert ordered != source
        ast.parse(ordered)


@pytest.mark.parametrize("name", [name for name, statement in STATEMENTS.items() if statement.result is not None])
def test_results_of_statements_are_pythons(name: str) -> None:
    class Namespace:
        bool = bool

    space = {
        "wp": Namespace,
        "c": [1, 0, 1, 0, 1],
        "n": 3,
        "i": 0,
        "x": [0.7] * 8,
        "y": [1.3] * 8,
        "iout": [0],
        "out2": [[0.0]],
    }
    space["get"] = lambda *_: False
    exec(STATEMENTS[name].text.format(T="float", e="x[3]"), space)  # noqa: S102 - a statement of a form
    assert space["iout"] == [STATEMENTS[name].result]


def test_operations_stand_in_expressions_with_parentheses() -> None:
    divided = case_of(parse_form("assign builtin=floor operator=div"))
    assert re.search(r"t /= \(wp\.floor\(.*\) \+ y\[\d+ \+ 1\]\)$", divided.source, re.MULTILINE)
    inline = case_of(parse_form("assign builtin=power call=inline"))
    assert "((x[7 - i - 0] ** y[0 + 1]) * (x[7 - i - 0] ** y[0 + 1]) + (x[7 - i - 0] ** y[0 + 1]))" in inline.source
