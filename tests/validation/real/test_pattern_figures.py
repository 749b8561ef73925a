"""Level `gradient` gives the right verdicts about patterns with formulas, and its figures are the exact ones."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest

from real_patterns import CORRECT, INCORRECT, MODULES, WITH_FIGURES, Pattern
from real_patterns.judged import Judged, judged
from selected import selected
from source_tree import ROOT

pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")


def of_sample(names: Iterable[str]) -> list[Any]:
    """Return parameters: by default the tests of every eighth pattern run, all of them on the same ones."""
    sample = {*list(WITH_FIGURES)[::8]}
    return [pytest.param(name, marks=() if name in sample else pytest.mark.exhaustive) for name in names]


@pytest.fixture(scope="module")
def found(request: pytest.FixtureRequest, scratch: Path) -> Mapping[str, Judged]:
    return judged(selected(request, WITH_FIGURES), scratch)


def is_right(name: str, found: Judged) -> bool:
    """Return whether a pattern has its right verdict, with its reason."""
    pattern = WITH_FIGURES[name]
    return found.finding.status in pattern.gradient.split("/") and pattern.reason in found.finding.reason


@pytest.mark.parametrize("name", of_sample(WITH_FIGURES))
def test_the_verdict_is_right(found: Mapping[str, Judged], name: str) -> None:
    """A pattern about which the level is wrong is marked, and the mark has to go when the level is right."""
    assert is_right(name, found[name]) == (not WITH_FIGURES[name].mistaken), found[name].finding


@pytest.mark.parametrize("name", of_sample(WITH_FIGURES))
def test_earlier_levels_are_right(found: Mapping[str, Judged], name: str) -> None:
    right = {level: WITH_FIGURES[name].others.get(level, "pass") for level in found[name].earlier}
    assert {level: finding.status for level, finding in found[name].earlier.items()} == right, found[name].earlier


@pytest.mark.parametrize(
    "name",
    of_sample(
        name
        for name, pattern in WITH_FIGURES.items()
        if pattern.formula and not pattern.mistaken and pattern.gradient != "skipped"
    ),
)
def test_figures_are_exact(found: Mapping[str, Judged], name: str) -> None:
    """A failure expects the exact derivative; otherwise the adjoint that the program receives is the exact one."""
    formula = WITH_FIGURES[name].formula
    assert formula is not None
    figure = found[name].figure(formula)
    assert figure is not None, found[name].finding
    assert figure.agrees, figure


def test_the_corpus_has_many_patterns_of_both_kinds() -> None:
    every = CORRECT | INCORRECT | WITH_FIGURES
    assert len(every) == len(CORRECT) + len(INCORRECT) + len(WITH_FIGURES) >= 150
    assert sum("fail" in (pattern.gradient, pattern.others.get("execute")) for pattern in every.values()) >= 40
    assert sum(pattern.formula is not None for pattern in every.values()) >= 60


def test_the_note_counts_the_patterns() -> None:
    note = (ROOT / "notes" / "explanation" / "real_programs.md").read_text()
    rows = {
        row[0]: tuple(map(int, row[1:]))
        for row in re.findall(r"^\| `(\w+)`: .*" + r"\| (\d+) " * 5 + r"\|$", note, re.MULTILINE)
    }
    assert rows == {name: counts(MODULES[name]) for name in MODULES}
    assert f"contains {sum(row[0] for row in rows.values())} kernels" in note
    mistaken = [name for name, pattern in WITH_FIGURES.items() if pattern.mistaken]
    assert all(f"| {name}: " in note for name in mistaken)


def counts(patterns: Mapping[str, Pattern]) -> tuple[int, int, int, int, int]:
    """Return the patterns of a module: all, right, wrong, others, and those with a formula."""
    right = sum(pattern.gradient.startswith("pass") for pattern in patterns.values())
    wrong = sum("fail" in (pattern.gradient, pattern.others.get("execute")) for pattern in patterns.values())
    exact = sum(pattern.formula is not None for pattern in patterns.values())
    return len(patterns), right, wrong, len(patterns) - right - wrong, exact
