"""The figures of kernels and functions equal what is counted by hand and, for the samples, by an independent program."""

from __future__ import annotations

import ast
import math
import random
from itertools import combinations

import pytest

from source_tree import ROOT
from warpsmith.core.records.jsonl import Line, read_lines
from warpsmith.core.records.python_source import parse_python
from warpsmith.validation.statistics.resemblance import program_figures
from warpsmith.validation.statistics.resemblance.call_depth import call_depths
from warpsmith.validation.statistics.resemblance.expression_shapes import function_skeleton
from warpsmith.validation.statistics.resemblance.program_figures import State
from warpsmith.validation.statistics.sections import measure_lines, merge, summarize

FIRST = '''
from typing import Any
import warp as wp


@wp.func
def _square(x: float) -> float:
    return x * x


@wp.func
def length(v: Any):
    """Return the length.

    In metres.
    """
    return wp.sqrt(_square(v[0]) + _square(v[1])), type(v[0])(0.0)


@wp.func
def double(x: float) -> float:  # no comment of a parameter
    # nor is this
    return x + x


@wp.kernel
def norms(
    v: wp.array(dtype=wp.vec3d),  # in metres
    out: wp.array(dtype=float),
):
    i = wp.tid()
    unread = 2 * 3
    unread += i
    norm, zero = length(v[i])
    out[i] = norm


@wp.kernel
def doubles(x: wp.array(dtype=wp.float16)):
    i = wp.tid()
    if (
        wp.int32(x[i]) > Kind.NONE
    ):
        x[i] = x.dtype(double(
            wp.static(3.0)))
    else:
        x[i] = wp.float16(0.0)
'''

SECOND = """
from first import length
import warp as wp


@wp.kernel
def imported(v: wp.array(dtype=wp.vec3), out: wp.array(dtype=float)):
    norm = wp.tid()
    out[norm] = length(v[norm]) + sin(2.0) + float(norm)
"""


@pytest.fixture
def project() -> State:
    state = program_figures.empty()
    for source in (FIRST, SECOND):
        program_figures.add_file(state, source, ast.parse(source))
    return state


def test_figures_of_a_small_project(project: State) -> None:
    found = program_figures.summarize(project)
    assert (found["kernels"], found["functions"]) == (3, 3)
    assert found["call_depths"] == {"1": 1.0, "2": 0.666667, "3": 0.0}
    assert found["function_skeletons"] == 3
    assert found["locals"]["distinct"] == 4
    assert found["components"] == {"kernels": 0, "mean": 0.0, "three_or_more": 0.0}
    kernels = {name: round(3 * shares["kernels"]) for name, shares in found["traits"].items() if shares["kernels"]}
    assert kernels == {
        "64-bit floats": 1,
        "16-bit floats": 1,
        "wp.int32(…)": 1,
        "x.dtype(…)": 1,
        "int(…), float(…)": 1,
        "wp.static": 1,
        "Enum.MEMBER": 1,
        "tuple from a call": 1,
        "wrapped statement": 1,
        "comment in the signature": 1,
        "local that nothing reads": 1,
        "operation of two literals": 1,
    }
    functions = {name: round(3 * shares["functions"]) for name, shares in found["traits"].items() if shares["functions"]}
    assert functions == {"Any in the signature": 1, "type(x)(…)": 1, "_private name": 2, "docstring of several lines": 1}


def test_files_do_not_share_functions_unless_they_are_of_a_project() -> None:
    state = program_figures.empty()
    depths = [call_depths([program_figures.add_source(state, source, ast.parse(source))]) for source in (FIRST, SECOND)]
    assert depths == [[2, 1], [0]]


def test_depth_of_calls() -> None:
    functions = {"a": ["b"], "b": ["c"], "c": [], "loop": ["loop", "c"]}
    kernels = [["a"], ["c", "unknown"], [], ["loop"], ["outer"]]
    assert call_depths([{"functions": functions, "kernels": kernels}, {"functions": {"outer": ["a"]}, "kernels": []}]) == [
        3,
        1,
        0,
        2,
        4,
    ]


def test_skeletons_ignore_names_and_numbers() -> None:
    first, second, third = (
        function_skeleton(ast.parse(text).body)
        for text in (
            "a = wp.dot(x, y)\nreturn a + 1.0",
            "b = wp.dot(u, v)\nreturn b + 2.0",
            "b = wp.cross(u, v)\nreturn b + 2.0",
        )
    )
    assert first == second != third


def test_long_kernels_have_components() -> None:
    def kernel(name: str, pairs: int) -> str:
        body = "".join(f"    a{k} = x[{k}]\n    y[{k}] = a{k}\n" for k in range(pairs))
        return f"@wp.kernel\ndef {name}(x: wp.array(dtype=float), y: wp.array(dtype=float)):\n    i = wp.tid()\n{body}"

    state = program_figures.empty()
    source = "\n".join(kernel(name, pairs) for name, pairs in (("a", 17), ("b", 20), ("c", 30), ("d", 15)))
    program_figures.add_file(state, source, ast.parse(source))
    found = program_figures.summarize(state)
    assert found["components"] == {"kernels": 2, "mean": 18.5, "three_or_more": 1.0}
    assert found["statements"] == {"30": 1.0, "60": 0.25}


def test_expected_names_equal_the_mean_over_all_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    kernels = [{"a", "b"}, {"a"}, {"c"}, {"a", "c", "d"}, set[str](), {"b", "d"}]
    counts = {name: sum(name in kernel for kernel in kernels) for name in "abcd"}
    monkeypatch.setattr(program_figures, "SAMPLES", (1, 2, 4, 6))
    found = program_figures._locals(counts, len(kernels))["expected"]
    for sample in (1, 2, 4, 6):
        drawn = list(combinations(kernels, sample))
        mean = sum(len(set().union(*chosen)) for chosen in drawn) / len(drawn)
        assert math.isclose(found[str(sample)], mean, abs_tol=0.051)


def test_samples_equal_independent_counts() -> None:
    lines: list[Line] = [
        line for path in sorted((ROOT / "data" / "samples").glob("pairs-*.jsonl")) for line in read_lines(path)
    ]
    cut = random.Random(3).randrange(1, len(lines))  # noqa: S311 - any place
    found = summarize(merge([measure_lines(lines[:cut]), measure_lines(lines[cut:])]))["programs"]
    kernels = functions = calling = 0
    for line in lines:
        assert line.pair is not None
        tree = parse_python(line.pair.python_source)
        decorated = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.decorator_list]
        named = {node.name for node in decorated if ast.unparse(node.decorator_list[0]).startswith("wp.func")}
        functions += len(named)
        for node in decorated:
            if node.name not in named:
                kernels += 1
                names = {
                    call.func.id for call in ast.walk(node) if isinstance(call, ast.Call) and isinstance(call.func, ast.Name)
                }
                calling += bool(names & named)
    assert (found["kernels"], found["functions"]) == (kernels, functions)
    assert found["call_depths"]["1"] == round(calling / kernels, 6)
