"""Level gradient agrees with `known_adjoints` on which adjoints of Warp are wrong; an interpreter confirms all forward passes.

If a new Warp fixes an adjoint, move the kernel to the table of correct ones and update `notes/warp_findings.md`.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from warpsmith.core.records.jsonl import Line
from warpsmith.core.records.verdict import Verdict
from warpsmith.validation.levels.registry import LEVELS as ALL_LEVELS
from warpsmith.validation.levels.registry import levels_to
from warpsmith.validation.sandbox.headers import Headers
from warpsmith.validation.sandbox.supervisor import Supervisor


def _known() -> ModuleType:
    spec = importlib.util.spec_from_file_location("known_adjoints", Path(__file__).with_name("known_adjoints.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


known = _known()

LEVELS = ("schema", "parse", "regenerate", "compile", "execute", "oracle", "gradient")
"""The gradient comes last, so that the interpreter checks the forward pass of all kernels."""


@pytest.fixture(scope="module")
def lines() -> dict[str, Line]:
    return {
        name: known.line_of(known.pair_of(name, body), number)
        for number, (name, body) in enumerate((known.WRONG | known.RIGHT).items(), start=1)
    }


@pytest.fixture(scope="module")
def judged(lines: dict[str, Line], headers: Headers) -> dict[str, list[Verdict]]:
    table = {level.name: level for level in ALL_LEVELS}
    with Supervisor([table[name] for name in LEVELS], headers=headers) as judge:
        verdicts = judge.verdicts(list(lines.values()))
    return {name: verdicts[place * len(LEVELS) :][: len(LEVELS)] for place, name in enumerate(lines)}


def test_the_tables_share_no_kernel() -> None:
    assert not known.WRONG.keys() & known.RIGHT.keys()
    assert len(known.RIGHT) >= 40


@pytest.mark.parametrize("name", known.WRONG)
def test_wrong_adjoints_are_found(name: str, judged: dict[str, list[Verdict]]) -> None:
    verdict = judged[name][-1]
    assert (verdict.level, verdict.status) == ("gradient", "fail"), verdict
    assert "central differences" in verdict.reason


@pytest.mark.parametrize("name", known.RIGHT)
def test_right_adjoints_pass(name: str, judged: dict[str, list[Verdict]]) -> None:
    verdict = judged[name][-1]
    assert (verdict.level, verdict.status) == ("gradient", "pass"), verdict


def test_all_forward_passes_are_correct(judged: dict[str, list[Verdict]]) -> None:
    forward = [verdict for verdicts in judged.values() for verdict in verdicts[:-1]]
    assert {verdict.level for verdict in forward} == set(LEVELS[:-1])
    assert [verdict for verdict in forward if verdict.status != "pass"] == []


@pytest.mark.exhaustive
@pytest.mark.slow
def test_an_endless_adjoint_fails() -> None:
    line = known.line_of(known.pair_of("return out of while", known.ENDLESS))
    with Supervisor(levels_to("execute")) as judge:
        last = judge.verdicts([line])[-1]
    assert (last.level, last.status) == ("execute", "fail")
    assert "it ran for" in last.reason
