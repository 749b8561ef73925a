"""The comparison of an adjoint with differences, on outputs that are given as functions of the step."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from warpsmith.core.inputs.values import Values
from warpsmith.core.records.launch import Launch
from warpsmith.validation.levels.derivatives.derivative import Derivative
from warpsmith.validation.levels.derivatives.probe import STEP, Probe


class Measured(Derivative):
    """A derivative whose outputs and adjoint are given; no kernel runs."""

    def __init__(self, outputs: Callable[[float], list[float]], adjoint: float) -> None:
        self.probe = Probe(Launch(dim=(1,), args=()), {}, {}, {"out": np.ones(len(outputs(0.0)))})
        self._rounded = self._finding = None
        self._given, self._adjoint = outputs, adjoint

    @property
    def _outputs(self) -> list[Mapping[str, Values]]:
        return [{"out": np.array(self._given(offset * STEP))} for offset in (0.0, *self.OFFSETS)]

    def _by_leaf(self) -> dict[str, float]:
        return {"x": self._adjoint}


@pytest.mark.parametrize("place", [0.0, 0.01, 0.2, 0.45])
def test_two_corners_that_cancel_in_the_sum_are_no_failure(place: float) -> None:
    """A large linear output makes the tolerance large, as in kernels with many threads."""

    def outputs(t: float) -> list[float]:
        return [1.0e4 * t, abs(t - place * STEP), -abs(t + place * STEP)]

    assert Measured(outputs, 1.0e4 - 2.0).finding().status != "fail"


def test_a_wrong_adjoint_of_a_smooth_function_fails() -> None:
    def outputs(t: float) -> list[float]:
        return [1.0e4 * t, np.sin(3.0 * t), -np.exp(t)]

    assert Measured(outputs, 1.0e4 + 2.0).finding().status == "pass"
    assert Measured(outputs, 1.0e4 + 2.1).finding().status == "fail"


@pytest.mark.parametrize("size", [1.0, 1.0e-3, 1.0e-9])
@given(left=st.floats(-2.0, 2.0), right=st.floats(-2.0, 2.0), share=st.floats(0.0, 1.0))
def test_a_subgradient_at_a_kink_is_no_failure(size: float, left: float, right: float, share: float) -> None:
    def outputs(t: float) -> list[float]:
        return [3.0 * t, size * (right if t > 0.0 else left) * t]

    measured = Measured(outputs, 3.0 + size * (left + share * (right - left)))
    assert measured.finding().status != "fail"


def test_a_kink_is_named_with_the_derivatives_of_both_sides() -> None:
    measured = Measured(lambda t: [3.0 * t if t > 0.0 else -t], 2.0)
    reason = measured.finding().reason
    assert "its one-sided derivatives are -1 (left) and 3 (right), the adjoint gives 2, which is between them" in reason
    assert "between" not in Measured(lambda t: [3.0 * t if t > 0.0 else -t], 4.0).finding().reason


def test_rounding_that_explains_a_difference_is_found_by_element() -> None:
    """The step leaves the first output as it is; a unit in its last place is more than the other one contributes."""
    measured = Measured(lambda t: [1.0e18, t], 2.0)
    measured.probe = replace(measured.probe, changed_only=True)
    distance = {"out": np.array([128.0, 0.0])}
    measured._rounded = SimpleNamespace(centre={"out": np.array([1.0e18, 0.0])}, hidden=lambda *_: distance)
    assert measured.finding().status == "inconclusive"
    assert measured.rounded["out"].tolist() == [True, False]
    assert measured.probe.without(measured.rounded).seeds["out"].tolist() == [0.0, 1.0]
