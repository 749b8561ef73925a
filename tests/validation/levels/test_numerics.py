"""Level gradient judges adjoints that are infinite, hidden by rounding, or wrong in single precision, on both paths."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from known_adjoints.numerics import ALL, Numeric
from selected import selected
from warpsmith.core.records.jsonl import Line
from warpsmith.validation.levels import execute
from warpsmith.validation.levels.common import inputs_of
from warpsmith.validation.levels.context import BatchContext
from warpsmith.validation.levels.finding import Finding
from warpsmith.validation.running.entry_calls import seed
from warpsmith.validation.running.fork_runner import run_forked
from warpsmith.validation.running.prepared_launch import prepare_launch

pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")


@pytest.fixture(scope="module")
def lines() -> dict[str, Line]:
    return {name: one.pattern.line(name, number) for number, (name, one) in enumerate(ALL.items(), start=1)}


@pytest.fixture(scope="module")
def generated() -> dict[str, Line]:
    return {name: one.pattern.line(name, number, None) for number, (name, one) in enumerate(ALL.items(), start=1)}


@pytest.fixture(scope="module")
def of_projects(request: pytest.FixtureRequest, lines: dict[str, Line], run_levels: Any) -> dict[str, Finding]:
    chosen = selected(request, lines)
    by_level = run_levels(list(chosen.values()), "execute", "gradient")
    return dict(zip(chosen, by_level["gradient"], strict=True))


@pytest.fixture(scope="module")
def of_pairs(request: pytest.FixtureRequest, generated: dict[str, Line], run_levels: Any) -> dict[str, Finding]:
    chosen = selected(request, generated)
    by_level = run_levels(list(chosen.values()), "execute", "gradient")
    both = zip(by_level["execute"], by_level["gradient"], strict=True)
    return {name: one if one.status == "fail" else other for name, (one, other) in zip(chosen, both, strict=True)}


@pytest.mark.sampled(6)
@pytest.mark.parametrize("name", ALL)
def test_kernels_of_projects_have_the_right_verdict(of_projects: dict[str, Finding], name: str) -> None:
    assert of_projects[name].status == ALL[name].pattern.gradient, of_projects[name]


@pytest.mark.sampled(6)
@pytest.mark.parametrize("name", ALL)
def test_generated_pairs_have_the_right_verdict(of_pairs: dict[str, Finding], name: str) -> None:
    assert of_pairs[name].status in ALL[name].generated, of_pairs[name]


@pytest.mark.exhaustive
def test_formulas_confirm_which_gradients_are_right(lines: dict[str, Line], scratch: Path) -> None:
    """The gradients are those of the C++ code in the precision of the program; the formulas are in double precision."""
    context = BatchContext(scratch)
    try:
        assert {name: _is_right(ALL[name], line, context) for name, line in lines.items()} == {
            name: one.is_right for name, one in ALL.items()
        }
    finally:
        context.clear()


def _is_right(numeric: Numeric, line: Line, context: BatchContext) -> bool:
    parts = execute.lines_with_code([line], context, "cpu")
    [(_, part)] = parts
    kernel = execute.entry_points(context.library("cpp", [part])[part.key], part, takes_grid=False)
    launch, values = numeric.pattern.launch, inputs_of(line)
    assert not isinstance(values, Finding)
    context.arena.clear()
    prepared = prepare_launch(kernel, launch, values, context.arena, backward=True)
    assert run_forked([prepared.calls]) == [None]
    inputs = [values[one.name].astype(np.float64) for one in launch.args if one.role == "input"]
    expected = numeric.formula(*inputs, seed(values["out"]).astype(np.float64))
    got = prepared.arguments.adjoints[launch.args[0].name]
    return bool(np.all(np.abs(got - expected) <= 1.0e-3 * np.abs(expected).max(initial=0.0)))
