"""The comparison of an adjoint with differences, on outputs that are given as functions of the step."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import pytest

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
