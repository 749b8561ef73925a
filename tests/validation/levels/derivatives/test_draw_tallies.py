"""The tallies of draws: how many have to agree, which failures are final, and kernels that are constant or too slow."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, cast

import pytest

from warpsmith.validation.levels.derivatives.derivative import Derivative
from warpsmith.validation.levels.derivatives.draw_tallies import AGREEING, DIRECTIONS, SUSPECTS, DoubleTally, SingleTally, Tally
from warpsmith.validation.levels.finding import PASS, Finding, fail, inconclusive
from warpsmith.validation.running.fork_runner import SLOW

FAILURE = fail("the adjoint gives 2, central differences 1")
UNKNOWN = inconclusive("steps give 1 and 2")


@dataclass
class Measured:
    """A derivative whose launches have run, as far as a tally reads it."""

    found: Finding
    adjoint: float = 1.0
    contributions: float = 1.0
    hidden: str = ""
    probe: Any = "probe"
    shares: dict[str, float] = field(default_factory=lambda: {"x": 0.5})
    output_shares: dict[str, float] = field(default_factory=dict)
    rounded: dict[str, Any] = field(default_factory=dict)

    def finding(self) -> Finding:
        return self.found


def add(tally: Tally, *derivatives: Measured) -> Finding:
    """Add derivatives to a tally and return its finding."""
    for derivative in derivatives:
        tally.add(cast("Derivative", derivative))
    return tally.finding


AGREES, FAILS, SHOWS_NOTHING = Measured(PASS), Measured(FAILURE), Measured(UNKNOWN)
ZERO = Measured(PASS, adjoint=0.0, contributions=0.0)


def test_a_synthesized_pair_passes_when_all_directions_agree() -> None:
    tally = DoubleTally(DIRECTIONS, may_be_constant=False)
    assert add(tally, *[AGREES] * (DIRECTIONS - 1), SHOWS_NOTHING).status == "inconclusive"
    assert not tally.finished
    assert add(tally, ZERO) is PASS
    assert tally.finished
    assert tally.shares == {"x": 0.5}


def test_one_failure_is_final_in_double_precision() -> None:
    tally = DoubleTally(DIRECTIONS, may_be_constant=False)
    assert add(tally, AGREES, FAILS, AGREES) is FAILURE
    assert tally.failing == "probe"
    assert [suspect.moves_alone for suspect in tally.suspects] == [False]


def test_constant_kernels_of_programs_are_not_applicable() -> None:
    assert add(DoubleTally(AGREEING, may_be_constant=True), *[ZERO] * DIRECTIONS).status == "not_applicable"
    assert add(SingleTally(AGREEING, may_be_constant=True), *[ZERO] * AGREEING).status == "not_applicable"
    assert add(SingleTally(AGREEING, may_be_constant=False), *[ZERO] * AGREEING) is PASS
    assert add(DoubleTally(AGREEING, may_be_constant=True), *[ZERO] * 3, *[AGREES] * AGREEING) is PASS


def test_a_gradient_that_is_not_finite_is_inconclusive_for_programs() -> None:
    finding = add(DoubleTally(AGREEING, may_be_constant=True), Measured(UNKNOWN, adjoint=float("nan")), *[AGREES] * 6)
    assert finding.status == "inconclusive"
    assert "not finite" in finding.reason


def test_failures_in_single_precision_are_suspects() -> None:
    tally = SingleTally(AGREEING, may_be_constant=False)
    assert add(tally, *[FAILS] * (SUSPECTS - 1)).status == "inconclusive"
    assert add(tally, FAILS) is FAILURE
    assert len(tally.suspects) == SUSPECTS
    assert tally.failing is None


@pytest.mark.parametrize("tally", [DoubleTally(AGREEING, may_be_constant=True), SingleTally(AGREEING, may_be_constant=True)])
def test_fewer_draws_are_enough_after_a_restart(tally: Tally) -> None:
    tally.finish(inconclusive(f"near its inputs {SLOW} more than 20 s"))
    assert tally.is_slow
    tally.restart(2)
    assert not tally.finished
    assert not tally.is_slow
    assert add(tally, AGREES).status == "inconclusive"
    assert add(tally, AGREES) is PASS
