"""Outputs are marked before a launch: what a kernel writes must not depend on what an output contained."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from selected import selected
from warpsmith.core.records.jsonl import Line
from warpsmith.core.records.launch import Argument, Launch
from warpsmith.validation.levels import doubts
from warpsmith.validation.levels.finding import Finding
from warpsmith.validation.levels.marks import dependence, marks_of, output_problem, scaled_marks

pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")

SOURCE = """import warp as wp


@wp.func
def put(out: wp.array(dtype=float), i: int, value: float):
    out[i] = value


@wp.kernel
def k(
    x: wp.array(dtype=float), n: int, out: wp.array(dtype=float), v: wp.array(dtype=wp.vec3), c: wp.array(dtype=wp.uint8),
    b: wp.array(dtype=wp.bool), u: wp.array(dtype=float)
):
    i = wp.tid()
    c[i] = wp.uint8(i % 7)
    b[i] = i % 3 == 0
    v[i] = wp.vec3(x[i], 2.0, 1.0)
    wp.atomic_add(u, i % 4, x[i])
"""

RIGHT = {
    "a store": "out[i] = x[i] * 2.0",
    "a store by a helper": "put(out, i, x[i])",
    "some elements are not written": "if x[i] > 0.2:\n        out[i] = x[i]",
    "written twice": "out[i] = x[i]\n    out[i] = out[i] * 3.0 + x[i]",
    "a component": "out[i] = x[i]\n    v[i][1] = x[i] * 3.0",
    "a store, then a sum": "out[i] = 1.0\n    wp.atomic_add(out, i, x[i])",
    "constant": "out[i] = 2.5",
    "zero": "out[i] = 0.0 * wp.abs(x[i])",
    "the same number of a plain argument": "out[i] = float(n)",
    "infinite": "out[i] = wp.inf",
    "the Python adds, too": "wp.atomic_add(out, i, x[i])",
}

STORE = "wp::array_store(var_out, var_0,"
WRONG: dict[str, tuple[str, str, str, bool, str]] = {
    # error: (kernel, before, after, whether the C++ is wrong, too, the level that finds it)
    "a sum": ("a store", STORE, "wp::atomic_add(var_out, var_0,", False, "emulate"),
    "a minimum": ("a store", STORE, "wp::atomic_min(var_out, var_0,", False, "emulate"),
    "a maximum": ("a store", STORE, "wp::atomic_max(var_out, var_0,", False, "emulate"),
    "a sum in both": ("a store", STORE, "wp::atomic_add(var_out, var_0,", True, "execute"),
    "a minimum in both": ("a store", STORE, "wp::atomic_min(var_out, var_0,", True, "execute"),
    "a maximum in both": ("a store", STORE, "wp::atomic_max(var_out, var_0,", True, "execute"),
    "a sum of some elements": ("some elements are not written", STORE, "wp::atomic_add(var_out, var_0,", True, "execute"),
    "a constant store": ("a store", f"{STORE} var_", f"{STORE} 0.0f * var_", True, "execute"),
}


def changed(before: str, after: str, fields: tuple[str, ...]) -> Callable[[dict[str, Any]], None]:
    def change(record: dict[str, Any]) -> None:
        for name in fields:
            assert record[name].count(before) == 1, record[name]
            record[name] = record[name].replace(before, after)

    return change


@pytest.fixture(scope="module")
def lines(argument: Callable[..., Argument], pair_line: Callable[..., Line], change_line: Any) -> dict[str, Line]:
    args = (
        argument("x", "float32", (64,)),
        argument("n", "int32", low=3, high=9),
        argument("out", "float32", (64,), role="output"),
        argument("v", "vec3f", (64,), role="output"),
        argument("c", "uint8", (64,), role="output"),
        argument("b", "bool", (64,), role="output"),
        argument("u", "float32", (4,), role="inout"),
    )
    launch = Launch(dim=(64,), args=args)
    found = {name: pair_line(f"{SOURCE}    {body}\n", launch, identity=name) for name, body in RIGHT.items()}
    for name, (kernel, before, after, both, _) in WRONG.items():
        fields = ("cuda_ir_forward", "cpp_forward") if both else ("cuda_ir_forward",)
        found[name] = change_line(found[kernel], changed(before, after, fields))
    return {name: replace(line, number=number) for number, (name, line) in enumerate(found.items(), start=1)}


@pytest.fixture(scope="module")
def findings(request: pytest.FixtureRequest, lines: dict[str, Line], run_levels: Any) -> dict[str, dict[str, Finding]]:
    chosen = selected(request, lines)
    by_level = run_levels(list(chosen.values()), "execute", "emulate")
    return {level: dict(zip(chosen, found, strict=True)) for level, found in by_level.items()}


@pytest.mark.sampled(5)
@pytest.mark.parametrize("name", RIGHT)
def test_right_pairs_pass(findings: dict[str, dict[str, Finding]], name: str) -> None:
    assert (findings["execute"][name], findings["emulate"][name]) == (Finding("pass"), Finding("pass"))


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", WRONG)
def test_writes_that_depend_on_the_contents_before_fail(findings: dict[str, dict[str, Finding]], name: str) -> None:
    level = WRONG[name][-1]
    finding = findings[level][name]
    assert finding.status == "fail", finding
    assert "out is" in finding.reason
    if level == "emulate":
        assert findings["execute"][name] == Finding("pass")


def test_a_doubtful_output_without_the_oracle_is_inconclusive(
    lines: dict[str, Line], run_levels: Any, monkeypatch: Any
) -> None:
    def refuse(*_: object) -> None:
        raise doubts.Unsupported("it")

    monkeypatch.setattr(doubts, "interpret", refuse)
    [finding] = run_levels([lines["constant"]], "execute")["execute"]
    assert finding.status == "inconclusive"
    assert finding.reason.startswith("out is constant")


def test_an_array_that_only_receives_zeros_passes(
    lines: dict[str, Line], pair_line: Callable[..., Line], change_line: Any, run_levels: Any
) -> None:
    """The oracle leaves the same; code that lacks the atomic function fails before that."""
    pair = lines["a store"].pair
    assert pair is not None
    source = SOURCE.replace("wp.atomic_add(u, i % 4, x[i])", "wp.atomic_add(u, i % 4, wp.max(x[i] - 100.0, 0.0))")
    right = pair_line(f"{source}    out[i] = x[i]\n", pair.metadata.launch, identity="zeros")

    def drop(record: dict[str, Any]) -> None:
        for name in ("cuda_ir_forward", "cpp_forward"):
            record[name], count = re.subn(r"\n.*wp::atomic_add\(var_u,.*", "", record[name])
            assert count == 1

    wrong = replace(change_line(right, drop), number=2)
    findings = run_levels([right, wrong], "execute")["execute"]
    assert findings == [Finding("pass"), Finding("fail", "u is left as it was")]


@pytest.mark.parametrize("dtype", ["float16", "float32", "int8", "uint8", "uint64", "bool", "mat22f"])
def test_marks_differ_from_what_outputs_contain(argument: Callable[..., Argument], dtype: str) -> None:
    launch = Launch(dim=(5,), args=(argument("out", dtype, (5,), role="output"),))
    element = (2, 2) if dtype == "mat22f" else ()
    before = {"out": np.zeros((5, *element), "float32" if element else dtype)}
    marks = marks_of(launch, before)
    assert marks["out"].shape == before["out"].shape
    assert marks["out"].dtype == before["out"].dtype
    assert marks["out"].all()
    assert output_problem(launch, before, before, marks, marks) == "out is never written"
    added = {"out": np.ones_like(before["out"])}
    with np.errstate(over="ignore"):
        marked = {"out": np.asarray(marks["out"] + added["out"], before["out"].dtype)}
    expected = None if dtype == "bool" else "out is an output, but what the kernel writes depends on what the array contained"
    assert output_problem(launch, before, added, marks, marked) is None
    assert dependence(launch, before, added, marks, marked) == expected


def test_marks_of_variants_are_no_larger_than_results(argument: Callable[..., Argument]) -> None:
    launch = Launch(dim=(50,), args=(argument("out", "float32", (50,), role="output"),))
    before = {"out": np.zeros(50, np.float32)}
    after = {"out": np.linspace(-0.02, 0.01, 50, dtype=np.float32)}
    marks = scaled_marks(launch, before, after, "a")["out"]
    assert np.abs(marks).max() <= 0.02
    assert np.abs(marks).min() > 0.0
    assert {-1.0, 1.0} == set(np.sign(marks))
    assert (marks != scaled_marks(launch, before, after, "b")["out"]).any()
