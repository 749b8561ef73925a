"""Workers: right kernels are right, known bugs are found, and a case that fails does not disturb the others."""

from __future__ import annotations

import numpy as np
import pytest

from selected import selected
from warpsmith.core.errors import WarpsmithError
from warpsmith.validation.fuzz.case_numbers import content, numbers
from warpsmith.validation.fuzz.case_runs import CaseWorker, Result
from warpsmith.validation.fuzz.grammar.cases import case_of
from warpsmith.validation.fuzz.grammar.forms import parse_form

RIGHT = ["assign", "assign operator=add context=dynamic", "atomic", "tile", "expression index=negative", "assign dtype=double"]
WRONG = ["assign target=vec_index", "assign target=member_index", "tile tile=scan", "expression builtin=frac"]
OTHER = {"tile tile=reload": "crash", "expression compare=vec_not_equal": "compile"}
ALL = [*RIGHT, *WRONG, *OTHER]


@pytest.fixture(scope="module")
def results(request: pytest.FixtureRequest) -> dict[str, Result]:
    texts = list(selected(request, dict.fromkeys(ALL), always=("assign", "tile")))
    with CaseWorker() as worker:
        return dict(zip(texts, worker.run([case_of(parse_form(text)) for text in texts]), strict=True))


@pytest.mark.sampled(3)
@pytest.mark.parametrize("text", RIGHT)
def test_right_gradients_agree_with_differences(text: str, results: dict[str, Result]) -> None:
    result = results[text]
    assert (result.status, result.wrong) == ("ok", []), result
    assert result.compared > 4


@pytest.mark.sampled(2)
@pytest.mark.parametrize("text", WRONG)
def test_known_wrong_gradients_are_found(text: str, results: dict[str, Result]) -> None:
    assert results[text].status == "ok"
    assert results[text].wrong


@pytest.mark.parametrize("text", OTHER)
def test_cases_that_fail_have_a_result_of_their_own(text: str, results: dict[str, Result]) -> None:
    assert results[text].status == OTHER[text]


@pytest.mark.exhaustive
def test_a_pass_that_never_ends_is_a_hang() -> None:
    with CaseWorker() as worker:
        hangs, right = worker.run(
            [case_of(parse_form(f"assign context=while_first{more}")) for more in (" exit=return_in_loop", "")]
        )
    assert (hangs.status, hangs.stage) == ("hang", "backward"), hangs
    assert "processor time" in hangs.reason
    assert right.status == "ok"


def test_values_are_those_of_numpy(results: dict[str, Result]) -> None:
    x = numbers("x", (8,)).astype(np.float32)
    assert results["assign"].values["out"] == pytest.approx([x[7], x[6], *[0.0] * 6], rel=1e-6)
    a, b = numbers("x", (8,))[:4], numbers("y", (8,))[:4]
    assert results["tile"].values["out"][0] == pytest.approx(float((a * b).sum()), rel=1e-5)


def test_numbers_are_distinct_and_lie_around_one() -> None:
    for name in ("x", "y", "xx"):
        found = numbers(name, (8,))
        assert len(set(found.round(3))) == 8
        assert 0.5 <= found.min() < found.max() < 1.5


def test_arguments_have_the_numbers_of_the_worker() -> None:
    parameters = {p.name: p for p in case_of(parse_form("assign context=dynamic")).parameters}
    assert content(parameters["x"]).tolist() == numbers("x", (8,)).tolist()
    assert content(parameters["out"]).tolist() == [0.0] * 8


def test_an_environment_without_warp_is_an_error() -> None:
    with pytest.raises(WarpsmithError, match="needs warp-lang and numpy"), CaseWorker("/bin/true"):
        pass
