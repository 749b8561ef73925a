"""The decision about a run: what fails in each mode, the baseline, and adjoints that are meant to differ."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from warpsmith.core.errors import WarpsmithError
from warpsmith.validation.gate.baseline import Baseline
from warpsmith.validation.gate.decision import Mode
from warpsmith.validation.gate.kernel_result import GRADIENT_LEVELS, RESULTS, KernelResult, Result
from warpsmith.validation.gate.reports.kinds import KINDS


def result(name: str, outcome: Result, level: str = "gradient", number: str = "") -> KernelResult:
    return KernelResult(
        id=f"sim-1.0-sim.{name}{number}", kernel=name, file="sim.py", line=3, launch="captured",
        result=outcome, level=level, reason="because",
    )  # fmt: skip


@pytest.mark.parametrize("outcome", [name for name in RESULTS if name != "known"])
def test_the_results_that_fail_in_each_mode(outcome: Result) -> None:
    found = [result("a", outcome), result("b", "pass")]
    assert Mode().decide(found).failed == (outcome == "fail")
    assert Mode(strict=True).decide(found).failed == (outcome not in ("pass", "not applicable", "intended"))


def test_every_level_of_gradients_fails_with_a_kind_of_its_own() -> None:
    found = [result("a", "fail", level) for level in GRADIENT_LEVELS]
    assert [Mode().decide([one]).failed for one in found] == [True] * len(found)
    assert len({one.kind for one in found}) == len(found)


def test_every_kind_is_explained() -> None:
    kinds = {result("a", outcome).kind for outcome in RESULTS} | {result("a", "fail", level).kind for level in GRADIENT_LEVELS}
    assert kinds - {""} | {"failed-level"} == set(KINDS)


def test_workers_without_a_report_fail_a_strict_run_only() -> None:
    assert not Mode().decide([result("a", "pass")], lost=1).failed
    assert Mode(strict=True).decide([result("a", "pass")], lost=1).shortcomings == ("workers without a report: 1",)


@pytest.mark.parametrize(("pattern", "expected"), [("sim.a", "intended"), ("sim.*", "intended"), ("a", "by hand")])
def test_intended_adjoints_are_listed_by_patterns(pattern: str, expected: str) -> None:
    found = [result("a[float]", "by hand"), result("a[float]", "fail")]
    assert [one.result for one in Mode(intended=(pattern,)).decide(found).results] == [expected, "fail"]


def test_a_baseline_lets_known_failures_pass(tmp_path: Path) -> None:
    path = tmp_path / "known.json"
    found = [result("a", "fail"), result("a", "pass", number="#2"), result("b", "by hand"), result("c", "inconclusive")]
    assert not Mode(baseline=path, update_baseline=True).decide(found).failed
    assert json.loads(path.read_text()) == {"version": 1, "known": {"sim.a": ["wrong-gradient"]}}
    later = [result("a", "fail", number="#7"), result("b", "fail")]
    decision = Mode(baseline=path).decide(later)
    assert [one.label for one in decision.results] == ["known", "fail"]
    assert decision.failed


def test_a_strict_baseline_has_all_that_fails_a_strict_run(tmp_path: Path) -> None:
    path = tmp_path / "known.json"
    found = [result(name.replace(" ", "_"), name) for name in RESULTS if name != "known"]
    Mode(strict=True, baseline=path, update_baseline=True).decide(found)
    decision = Mode(strict=True, baseline=path).decide(found)
    assert (decision.failed, decision.fixed) == (False, ())
    assert sorted(json.loads(path.read_text())["known"]) == list(json.loads(path.read_text())["known"])


def test_failures_that_exist_no_longer_are_named() -> None:
    known = Baseline(frozenset([("sim.a", "wrong-gradient"), ("sim.b", "wrong-gradient"), ("sim.gone", "inconclusive")]))
    found = [result("a", "pass"), result("a", "not applicable", number="#2"), result("b", "not checked")]
    assert known.fixed(found) == [("sim.a", "wrong-gradient")], "b was not checked to the end"
    assert known.unseen(found) == 1
    assert known.fixed([result("a", "pass"), result("a", "fail", number="#2")]) == []


def test_a_baseline_survives_its_file(tmp_path: Path) -> None:
    known = Baseline(frozenset([('sim.make.<locals>."a"', "inconclusive"), ("sim.a", "untested"), ("sim.a", "memory-error")]))
    known.write(tmp_path / "known.json")
    assert Baseline.read(tmp_path / "known.json") == known
    Baseline().write(tmp_path / "known.json")
    assert Baseline.read(tmp_path / "known.json") == Baseline()


@pytest.mark.parametrize(
    "text", [None, "{", "[]", '{"version": 2, "known": {}}', '{"version": 1}', '{"version": 1, "known": {"a": 1}}']
)
def test_an_invalid_baseline_is_an_error(text: str | None, tmp_path: Path) -> None:
    path = tmp_path / "known.json"
    if text is not None:
        path.write_text(text)
    with pytest.raises(WarpsmithError, match="baseline"):
        Mode(baseline=path).decide([])


def test_an_update_needs_a_file() -> None:
    with pytest.raises(WarpsmithError, match="--baseline FILE"):
        Mode(update_baseline=True).known_failures()
