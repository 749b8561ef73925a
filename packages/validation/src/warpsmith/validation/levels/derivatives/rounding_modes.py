"""Launches in other modes of rounding, whose results show how much of an output is rounding.

A step that is far smaller than what it is added to is rounded away: ``total += a * p`` stays as it is. Between the two directed
modes, an element differs if an operation before it rounds, by at least a unit in the last place. Memory that no thread writes
and results that are exact stay the same.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import numpy as np

from warpsmith.core.inputs.values import Values
from warpsmith.validation.running.directed_modes import DIRECTED, in_mode
from warpsmith.validation.running.entry_calls import Call
from warpsmith.validation.running.shared_memory import Arena

PLACES = (0.0, 1.0)
"""Where the launches run, in steps from the point: arithmetic with a zero is exact at the point itself."""

ERRORS = 2.0
"""How many times the distance between the directed modes an element may be wrong in a difference."""

EVEN = 0.125
"""The fourth difference of an element, relative to the distance between the modes, up to which its steps are even."""

SINGLE = 32.0 * float(np.finfo(np.float32).eps)
"""The largest relative error of an element by some roundings in single precision."""


class Rounded:
    """The outputs of launches in directed modes.

    Attributes:
        centre: the outputs of the launch at the point, whose memory these launches use.

    Args:
        centre: see above.
        space: returns memory for the outputs of a launch.
        arena: shared memory.
    """

    def __init__(self, centre: Mapping[str, Values], space: Callable[[], dict[str, Values]], arena: Arena) -> None:
        self.centre = centre
        self._outputs = [[space() for _ in DIRECTED] for _ in PLACES]
        self._ended = arena.zeros(np.zeros(1))

    def calls(
        self, place: Callable[[float], None], forward: Sequence[Call], save: Callable[[Mapping[str, Values]], None]
    ) -> list[Call]:
        """Return the launches.

        Args:
            place: sets the inputs to those at a number of steps from the point.
            forward: the calls of the forward pass.
            save: copies the outputs.
        """
        calls: list[Call] = []
        for offset, several in zip(PLACES, self._outputs, strict=True):
            for mode, outputs in zip(DIRECTED, several, strict=True):
                calls += [partial(place, offset), in_mode(mode, forward), partial(save, outputs)]
        return [*calls, partial(self._ended.fill, 1.0)]

    def hidden(self, seeds: Mapping[str, Values], outputs: Sequence[Mapping[str, Values]]) -> dict[str, Values]:
        """Return by how much rounding may change the difference of each element of the outputs, weighted by seeds.

        All elements are 0 unless all launches ended.

        Args:
            seeds: the weights.
            outputs: the outputs at the point, and one and half a step to both sides.
        """
        if not self._ended[0]:
            return {name: np.zeros(weights.shape) for name, weights in seeds.items()}
        return {name: ERRORS * self._hidden(name, weights, [each[name] for each in outputs]) for name, weights in seeds.items()}

    def _hidden(self, name: str, seeds: Values, outputs: Sequence[Values]) -> Values:
        centre, up, down, half_up, half_down = outputs
        with np.errstate(invalid="ignore"):
            distance = np.max([np.abs(upward[name] - downward[name]) for upward, downward in self._outputs], axis=0)
            fourth = np.abs(up - 4.0 * half_up + 6.0 * centre - 4.0 * half_down + down)
        still = (up == half_up) | (half_up == centre) | (centre == half_down) | (half_down == down)
        # Random numbers have single precision. Their error is the same at each step, which are even then.
        size = np.abs(centre)
        typical = float(np.median(size[np.isfinite(size)])) if np.isfinite(size).any() else 0.0
        constant = ~still & (fourth <= EVEN * distance) & (distance <= SINGLE * np.maximum(size, typical))
        return np.abs(product(seeds, np.where(np.isfinite(distance) & ~constant, distance, 0.0)))


def product(factors: Values, values: Values) -> Values:
    """Return the elements of an array times their factors: 0 where the factor is 0, whatever the array contains."""
    with np.errstate(invalid="ignore"):
        return np.where(factors == 0.0, 0.0, factors * values)
