"""A kernel whose results depend on a variable without a value fails, as a program of statements and as compiled code."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

import known_adjoints as known
from known_adjoints import unset
from known_adjoints.launched import launched_pair
from selected import selected
from warpsmith.validation.levels.finding import Finding

pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")

REASON = "reads a variable that has no value"

TABLES = unset.FORWARD | unset.BACKWARD | unset.RIGHT


@pytest.fixture(scope="module", params=["generated", "launched"])
def findings(request: pytest.FixtureRequest, run_levels: Any) -> Mapping[str, Finding]:
    """Return the finding on each kernel; texts of generated pairs run as programs, those of launched kernels are compiled."""
    tables = selected(request, TABLES)
    pairs = [
        launched_pair(name, body, functions) if request.param == "launched" else known.pair_of(name, body, functions=functions)
        for name, (functions, body) in tables.items()
    ]
    lines = [known.line_of(pair, number) for number, pair in enumerate(pairs, start=1)]
    return dict(zip(tables, run_levels(lines, "execute")["execute"], strict=True))


@pytest.mark.sampled(6)
@pytest.mark.parametrize("name", unset.FORWARD)
def test_results_that_depend_on_it_fail(name: str, findings: Mapping[str, Finding]) -> None:
    assert (findings[name].status, REASON in findings[name].reason) == ("fail", True), findings[name]


@pytest.mark.parametrize("name", unset.BACKWARD)
def test_gradients_that_depend_on_it_fail(name: str, findings: Mapping[str, Finding]) -> None:
    assert (findings[name].status, REASON in findings[name].reason) == ("fail", True), findings[name]


@pytest.mark.parametrize("name", unset.RIGHT)
def test_right_kernels_pass(name: str, findings: Mapping[str, Finding]) -> None:
    assert findings[name].reason == ""
