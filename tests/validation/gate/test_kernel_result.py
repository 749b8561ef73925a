"""The result of a kernel says what is wrong, where, and why a kernel was not checked."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import orjson
import pytest

from warpsmith.core.records.launch import Argument, Domain, Launch
from warpsmith.core.records.pair import Pair, Reject
from warpsmith.core.records.verdict import BACKWARD_STOPS, MACHINE, Status, Verdict
from warpsmith.validation.gate.float_signature import NO_INPUT, NO_OUTPUT, without_floats
from warpsmith.validation.gate.kernel_result import (
    ALWAYS_COUNTED,
    in_order,
    pair_result,
    qualified_name,
    reject_result,
    summary_lines,
)
from warpsmith.validation.levels.derivatives.disagreement import Disagreement, parse_disagreement

LEVELS = ("schema", "execute", "gradient")

DOMAIN = Domain(kind="uniform", low=0, high=1)

DIRECTION = "the adjoint gives 1.5, central differences 2.5 along a random direction"


@pytest.fixture(scope="module")
def pair(project_pair: Any) -> Pair:
    made: Pair = project_pair("sum in a loop")
    return made


def verdicts(*statuses: Status, reason: str = "") -> list[Verdict]:
    """Return verdicts; the last one that is no pass has the reason."""
    last = max((number for number, status in enumerate(statuses) if status != "pass"), default=-1)
    return [
        Verdict("one", level, status, reason if number == last else "", 0.0)
        for number, (level, status) in enumerate(zip(LEVELS, statuses, strict=False))
    ]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (verdicts("pass", "pass", "pass"), ("pass", "gradient", "")),
        (verdicts("pass", "pass", "fail", reason=DIRECTION), ("fail", "gradient", DIRECTION)),
        (
            verdicts("pass", "pass", "fail", reason="the worker died"),
            ("not checked (warpsmith)", "gradient", "the worker died"),
        ),
        (verdicts("pass", "fail", reason="x is an input"), ("not checked (warpsmith)", "execute", "x is an input")),
        (verdicts("pass", "fail", reason=f"{BACKWARD_STOPS}2 s"), ("inconclusive", "execute", f"{BACKWARD_STOPS}2 s")),
        (verdicts("pass", "fail", reason="memory error: index 8"), ("memory error", "execute", "index 8")),
        (verdicts("pass", "pass", "inconclusive", reason="a bend"), ("inconclusive", "gradient", "a bend")),
        (verdicts("pass", "pass", "not_applicable", reason="no float"), ("not applicable", "gradient", "no float")),
        (verdicts("pass", "skipped", reason="no launch"), ("not checked", "gradient", "")),
        (verdicts("pass", "pass"), ("not checked", "gradient", "")),
        (verdicts("pass", "pass", "skipped", reason="was not run"), ("not checked", "gradient", "was not run")),
        (
            verdicts("pass", "pass", "inconclusive", reason=f"{MACHINE}no memory"),
            ("not checked (warpsmith)", "machine", "no memory"),
        ),
    ],
)
def test_the_verdicts_of_a_pair_become_one_result(pair: Pair, given: list[Verdict], expected: tuple[str, str, str]) -> None:
    found = pair_result(pair, given, "gradient")
    assert (found.result, found.level, found.reason) == expected
    assert (found.place, found.kernel) == ("sim/kernels.py:7", "kernel")


def test_a_level_that_an_inconclusive_one_prevents_is_inconclusive(pair: Pair) -> None:
    given = verdicts("pass", "inconclusive", reason="threads race")
    given.append(Verdict("one", "gradient", "skipped", "the kernel was not run", 0.0))
    found = pair_result(pair, given, "gradient")
    assert (found.result, found.what) == ("inconclusive", "execute: threads race")


def test_a_pair_without_launch_says_why(project_pair: Any) -> None:
    pair = project_pair("sum in a loop", reason="its arguments have 3 GB")
    found = pair_result(pair, verdicts("pass", "skipped", "skipped", reason="the kernel was not run"), "gradient")
    assert (found.result, found.what) == ("not checked", "its arguments have 3 GB")


def test_figures_are_structured(pair: Pair) -> None:
    reason = DIRECTION + Disagreement("body.v", "body.v[3][1]", 48.0, -8.25e-7).text
    found = pair_result(pair, verdicts("pass", "pass", "fail", reason=reason), "gradient")
    assert found.disagreement == Disagreement("body.v", "body.v[3][1]", 48.0, -8.25e-7)
    assert found.disagreement.index == (3, 1)
    assert found.what == "gradient of body.v[3][1]: got 48, expected -8.25e-07"
    assert orjson.loads(orjson.dumps(found))["disagreement"]["expected"] == -8.25e-7
    without = pair_result(pair, verdicts("pass", "pass", "fail", reason=DIRECTION), "gradient")
    assert without.what == "gradient along a random direction: got 1.5, expected 2.5"


@pytest.mark.parametrize("got", ["nan", "inf", "-inf", "1e-300", "0"])
def test_figures_may_be_any_float(got: str) -> None:
    found = parse_disagreement(DIRECTION + Disagreement("a", "a", float(got), 1.0).text)
    assert found is not None
    assert (repr(found.got), found.index) == (repr(float(got)), ())


@pytest.mark.parametrize("reason", ["", "it ran for more than 10 s", "; of x: one instead of two", f"{DIRECTION[:30]}…"])
def test_other_reasons_have_no_figures(reason: str) -> None:
    assert parse_disagreement(reason) is None


def test_rejects_are_not_checked() -> None:
    found = reject_result(Reject(id="sim-1-sim.step", seed=None, index=None, stage="source", error="a lambda"))
    assert (found.result, found.kernel, found.place, found.what) == ("not checked", "step", "", "source: a lambda")


def test_in_a_check_of_another_level_every_failure_counts(pair: Pair) -> None:
    found = pair_result(pair, verdicts("pass", "fail", reason="memory error: index 8"), "execute")
    assert (found.result, found.kind, found.what) == ("fail", "failed-level", "execute: memory error: index 8")


@pytest.mark.parametrize(
    ("source", "result"),
    [
        ("@wp.func_grad(clip)\ndef adj_clip(x: float, adj_ret: float):\n    pass\n", "by hand"),
        ("@wp.func_replay(clip)  # warpsmith: intended\ndef clip_again(x: float):\n    pass\n", "intended"),
        ("@wp.func_native('')\ndef native(x: float):\n    ...\n", "by hand"),
        ("# @wp.func\n", "fail"),
    ],
)
def test_an_adjoint_by_hand_has_its_own_result(pair: Pair, source: str, result: str) -> None:
    made = replace(pair, python_source=f"{pair.python_source}\n\n{source}")
    found = pair_result(made, verdicts("pass", "pass", "fail", reason=DIRECTION), "gradient")
    assert (found.result, found.what) == (result, "gradient along a random direction: got 1.5, expected 2.5")


@pytest.mark.parametrize(
    ("roles", "dtype", "expected"),
    [
        ({"x": "input", "out": "output"}, "float32", None),
        ({"x": "input", "out": "output"}, "int32", NO_OUTPUT),
        ({"x": "input", "out": "input"}, "float32", NO_OUTPUT),
        ({"x": "output", "out": "output"}, "vec3d", NO_INPUT),
        ({"x": "inout"}, "float64", None),
        ({"x": "input", "out": "output"}, "mat33ub", NO_OUTPUT),
        ({"x": "input", "out": "output"}, "bfloat16", None),
    ],
)
def test_kernels_without_floats_are_settled_by_their_arguments(
    pair: Pair, roles: dict[str, Any], dtype: str, expected: str | None
) -> None:
    args = tuple(Argument(name=name, kind="array", dtype=dtype, role=role, shape=(8,), domain=DOMAIN)
                 for name, role in roles.items())  # fmt: skip
    factor = Argument(name="a", kind="value", dtype="float32", role="input", shape=(), domain=DOMAIN)
    made = replace(pair, metadata=replace(pair.metadata, launch=Launch(dim=(8,), args=(*args, factor))))
    assert without_floats(made) == expected
    found = pair_result(made, verdicts("pass", "fail", reason="an error of warpsmith"), "gradient")
    assert (found.result == "not applicable") == (expected is not None)


def test_members_of_structs_count(pair: Pair) -> None:
    def member(role: Any, dtype: str) -> Argument:
        return Argument(name="m", kind="value", dtype=dtype, role=role, shape=(), domain=DOMAIN)

    def settled(kind: Any, role: Any, dtype: str) -> str | None:
        body = Argument(name="b", kind=kind, dtype="Body", role="inout", shape=(4,), domain=None, fields=(member(role, dtype),))
        return without_floats(replace(pair, metadata=replace(pair.metadata, launch=Launch(dim=(4,), args=(body,)))))

    assert settled("array", "inout", "vec3f") is None
    assert settled("array", "inout", "vec3i") == NO_OUTPUT
    assert settled("struct", "inout", "vec3f") == NO_OUTPUT, "a program has no gradient of a plain argument"


def test_without_a_launch_the_generated_text_shows_integers(pair: Pair) -> None:
    def with_arguments(text: str) -> Pair:
        struct = f"struct wp_args_{pair.metadata.kernel_name} {{\n{text}}};\n"
        return replace(pair, cpp_forward=struct, metadata=replace(pair.metadata, launch=None))

    integers = "    wp::array_t<wp::int32> x;\n    wp::uint64 mesh;\n    wp::array_t<wp::vec_t<3,wp::int32>> y;\n"
    assert without_floats(with_arguments(integers)) == NO_OUTPUT
    for other in ("    wp::float32 a;\n", "    Body_1a2b3c4d body;\n", "    wp::array_t<wp::quat_t<wp::float32>> q;\n"):
        assert without_floats(with_arguments(integers + other)) is None


@pytest.mark.parametrize(
    ("identity", "name"),
    [
        ("sim-1.0-sim.kernels.step#2", "sim.kernels.step"),
        ("my-script-0-my-script.step", "my-script.step"),
        ("sim-1.0+local.2-sim.make.<locals>.step[int,float]", "sim.make.<locals>.step[int,float]"),
        ("3-2000-17", "3-2000-17"),
    ],
)
def test_the_name_of_a_kernel_has_no_version(identity: str, name: str) -> None:
    assert qualified_name(identity) == name


def test_results_that_need_attention_come_first(project_pair: Any) -> None:
    statuses: tuple[Status, ...] = ("pass", "not_applicable", "inconclusive", "skipped", "fail")
    found = [
        pair_result(project_pair("sum in a loop", line=line), verdicts("pass", "pass", status, reason=DIRECTION), "gradient")
        for status in statuses
        for line in (20, 5)
    ]
    ordered = in_order(found)
    assert [one.result for one in ordered[::2]] == list(ALWAYS_COUNTED)
    assert [one.line for one in ordered] == [5, 20] * 5
    assert summary_lines(found) == [
        "10 launches of 2 kernels: 2 fail, 2 not checked, 2 inconclusive, 2 not applicable, 2 pass",
        f"not applicable: 2 because {DIRECTION}",
    ]
    known = summary_lines([replace(one, is_known=one.result == "fail") for one in found])
    assert known[0].endswith("0 fail, 2 not checked, 2 inconclusive, 2 known, 2 not applicable, 2 pass")
