"""Level gradient finds the incorrect adjoints of `known_adjoints`, and an interpreter confirms all forward passes.

If a new Warp fixes an adjoint, move the kernel to the table of correct ones and update `notes/explanation/warp_findings.md`.
"""

from __future__ import annotations

import pytest

import known_adjoints as known
from checked_lines import verdicts_of
from selected import selected
from warpsmith.core.records.jsonl import Line
from warpsmith.core.records.verdict import Verdict
from warpsmith.validation.levels.registry import LEVELS as ALL_LEVELS
from warpsmith.validation.levels.registry import levels_to
from warpsmith.validation.sandbox.headers import Headers
from warpsmith.validation.sandbox.supervisor import Supervisor

LEVELS = ("schema", "parse", "regenerate", "compile", "execute", "oracle", "gradient")
"""The level gradient is last, so that the interpreter checks the forward pass of every kernel."""


@pytest.fixture(scope="module")
def lines(request: pytest.FixtureRequest) -> dict[str, Line]:
    return {
        name: known.line_of(known.pair_of(name, body), number)
        for number, (name, body) in enumerate(selected(request, known.WRONG | known.RIGHT).items(), start=1)
    }


@pytest.fixture(scope="module")
def verdicts_by_name(lines: dict[str, Line], headers: Headers) -> dict[str, list[Verdict]]:
    table = {level.name: level for level in ALL_LEVELS}
    with Supervisor([table[name] for name in LEVELS], headers=headers) as supervisor:
        verdicts = verdicts_of(supervisor, list(lines.values()))
    return {name: verdicts[number * len(LEVELS) :][: len(LEVELS)] for number, name in enumerate(lines)}


def test_the_tables_are_disjoint() -> None:
    assert not known.WRONG.keys() & known.RIGHT.keys()
    assert len(known.RIGHT) >= 40


@pytest.mark.sampled(12)
@pytest.mark.parametrize("name", known.WRONG)
def test_incorrect_adjoints_fail(name: str, verdicts_by_name: dict[str, list[Verdict]]) -> None:
    verdict = verdicts_by_name[name][-1]
    assert (verdict.level, verdict.status) == ("gradient", "fail"), verdict
    assert "central differences" in verdict.reason


@pytest.mark.sampled(12)
@pytest.mark.parametrize("name", known.RIGHT)
def test_correct_adjoints_pass(name: str, verdicts_by_name: dict[str, list[Verdict]]) -> None:
    verdict = verdicts_by_name[name][-1]
    assert (verdict.level, verdict.status) == ("gradient", "pass"), verdict


def test_all_forward_passes_are_correct(verdicts_by_name: dict[str, list[Verdict]]) -> None:
    forward = [verdict for verdicts in verdicts_by_name.values() for verdict in verdicts[:-1]]
    assert {verdict.level for verdict in forward} == set(LEVELS[:-1])
    assert [verdict for verdict in forward if verdict.status != "pass"] == []


@pytest.mark.exhaustive
def test_an_endless_adjoint_fails() -> None:
    line = known.line_of(known.pair_of("return out of while", known.ENDLESS))
    with Supervisor(levels_to("execute")) as supervisor:
        last = verdicts_of(supervisor, [line])[-1]
    assert (last.level, last.status) == ("execute", "fail")
    assert "it ran for" in last.reason
