"""A user's launched kernels are judged like generated pairs: the same kernels, with the values and roles of real arrays.

The exceptions are those of `notes/reference/levels.md`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

import known_adjoints as known
from known_adjoints import by_hand
from known_adjoints.launched import launched_pair
from selected import selected
from warpsmith.core.records.pair import Pair

pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")

RACE = "result of an atomic sum"
"""The kernel whose results depend on the order of its threads, which makes its gradient inconclusive in real code."""

SAMPLE = 16
"""Every kernel of the tables at this distance is checked by default."""


def verdicts(pairs: list[Pair], run_levels: Any) -> list[str]:
    """Return the first verdict of each pair that is no ``pass``, among levels `execute` and `gradient`."""
    lines = [known.line_of(pair, number) for number, pair in enumerate(pairs, start=1)]
    found = run_levels(lines, "execute", "gradient")
    return [next((one.status for one in both if one.status != "pass"), "pass") for both in zip(*found.values(), strict=True)]


def misses(bodies: Mapping[str, str], run_levels: Any) -> dict[str, str]:
    """Return the verdicts on kernels of the tables that are not the right ones, by name."""
    found = verdicts([launched_pair(*one) for one in bodies.items()], run_levels)
    right = {name: "pass" if name in known.RIGHT else "inconclusive" if name == RACE else "fail" for name in bodies}
    return {name: one for name, one in zip(bodies, found, strict=True) if one != right[name]}


def test_a_sample_of_the_tables(run_levels: Any) -> None:
    assert misses(dict(list((known.WRONG | known.RIGHT).items())[::SAMPLE]), run_levels) == {}


@pytest.mark.exhaustive
def test_all_of_the_tables(run_levels: Any) -> None:
    assert misses(known.WRONG | known.RIGHT, run_levels) == {}


TABLES = by_hand.WRONG | by_hand.RIGHT | by_hand.UNDECIDED | by_hand.OUTSIDE


@pytest.fixture(scope="module")
def launched(request: pytest.FixtureRequest, run_levels: Any) -> dict[str, str]:
    tables = selected(request, TABLES)
    pairs = [launched_pair(name, body, functions) for name, (functions, body) in tables.items()]
    return dict(zip(tables, verdicts(pairs, run_levels), strict=True))


@pytest.fixture(scope="module")
def generated(request: pytest.FixtureRequest, run_levels: Any) -> dict[str, str]:
    tables = {name: one for name, one in selected(request, TABLES).items() if name not in by_hand.UNDECIDED}
    pairs = [known.pair_of(name, body, "both", functions) for name, (functions, body) in tables.items()]
    return dict(zip(tables, verdicts(pairs, run_levels), strict=True))


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", by_hand.WRONG | by_hand.OUTSIDE)
@pytest.mark.parametrize("path", ["launched", "generated"])
def test_a_wrong_adjoint_fails_on_both_paths(path: str, name: str, request: pytest.FixtureRequest) -> None:
    assert request.getfixturevalue(path)[name] == "fail"


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", by_hand.RIGHT)
@pytest.mark.parametrize("path", ["launched", "generated"])
def test_a_right_adjoint_passes_on_both_paths(path: str, name: str, request: pytest.FixtureRequest) -> None:
    assert request.getfixturevalue(path)[name] == ("fail" if (path, name) == ("generated", SHAPE_LATE) else "pass")


SHAPE_LATE = "an index and then a shape"
"""The kernel that the generator does not write: indices are checked in generated pairs, and its adjoint clears the shape."""


@pytest.mark.parametrize("name", by_hand.UNDECIDED)
def test_native_code_that_differs_in_double_precision_is_inconclusive(launched: dict[str, str], name: str) -> None:
    assert launched[name] == "inconclusive"
