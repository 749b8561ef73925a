"""The result of a kernel says what is wrong, where, and why a kernel was not checked."""

from __future__ import annotations

from typing import Any

import orjson
import pytest

from warpsmith.core.records.pair import Pair, Reject
from warpsmith.core.records.verdict import MACHINE, Status, Verdict
from warpsmith.validation.gate.kernel_result import RESULTS, in_order, pair_result, reject_result, summary_lines
from warpsmith.validation.levels.derivatives.disagreement import Disagreement, parse_disagreement

LEVELS = ("schema", "execute", "gradient")

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
        (verdicts("pass", "fail", reason="x is an input"), ("fail", "execute", "x is an input")),
        (verdicts("pass", "pass", "inconclusive", reason="a bend"), ("inconclusive", "gradient", "a bend")),
        (verdicts("pass", "pass", "not_applicable", reason="no float"), ("not applicable", "gradient", "no float")),
        (verdicts("pass", "skipped", reason="no launch"), ("not checked", "gradient", "")),
        (verdicts("pass", "pass"), ("not checked", "gradient", "")),
        (verdicts("pass", "pass", "skipped", reason="was not run"), ("not checked", "gradient", "was not run")),
        (verdicts("pass", "pass", "inconclusive", reason=f"{MACHINE}no memory"), ("not checked", "gradient", "no memory")),
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


def test_results_that_need_attention_come_first(project_pair: Any) -> None:
    statuses: tuple[Status, ...] = ("pass", "not_applicable", "inconclusive", "skipped", "fail")
    found = [
        pair_result(project_pair("sum in a loop", line=line), verdicts("pass", "pass", status, reason="why"), "gradient")
        for status in statuses
        for line in (20, 5)
    ]
    ordered = in_order(found)
    assert [one.result for one in ordered[::2]] == list(RESULTS)
    assert [one.line for one in ordered] == [5, 20] * 5
    assert summary_lines(found) == [
        "10 launches of 2 kernels: 2 fail, 2 not checked, 2 inconclusive, 2 not applicable, 2 pass",
        "not applicable: 2 because why",
    ]
