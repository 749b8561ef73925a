"""Where and how a derivative is measured, and the points at which an adjoint is wrong."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from warpsmith.core.inputs.values import Values
from warpsmith.core.records.launch import Launch
from warpsmith.validation.levels.derivatives.changes import total
from warpsmith.validation.levels.derivatives.rounding_modes import product
from warpsmith.validation.levels.level_results import ResultKey
from warpsmith.validation.running.entry_calls import GridShape
from warpsmith.validation.running.prepared_launch import EntryPoints, PreparedLaunch, prepare_launch
from warpsmith.validation.running.shared_memory import Arena

STEP = 2.0**-17
"""The step of the differences, before it is scaled by the range of an argument's values; a power of two is added exactly."""


@dataclass(frozen=True, slots=True)
class Probe:
    """Where and how a derivative is measured.

    Attributes:
        launch: the size of the launch and its arguments.
        point: the values of all leaves, in the precision of the kernel.
        direction: the direction by leaf; other leaves do not move.
        seeds: the gradients of the outputs by leaf.
        step: the step of the differences.
        changed_only: whether outputs that no step changes count as exact.
    """

    launch: Launch
    point: Mapping[str, Values]
    direction: Mapping[str, Values]
    seeds: Mapping[str, Values]
    step: float = STEP
    changed_only: bool = False

    def prepare(
        self, kernel: EntryPoints, offset: float, shape: GridShape | None, arena: Arena, *, backward: bool = False
    ) -> PreparedLaunch:
        """Prepare the launch at ``offset`` steps from the point along the direction."""
        values = self.values(offset)
        return prepare_launch(kernel, self.launch, values, arena, backward=backward, shape=shape, seeds=self.seeds)

    def with_step(self, step: float) -> Probe:
        """Return the same point and direction with another step."""
        return replace(self, step=step)

    def without(self, elements: Mapping[str, Values]) -> Probe:
        """Return the same point and direction without seeds for some elements of outputs."""
        seeds = {name: np.where(elements[name], 0.0, values).astype(values.dtype) for name, values in self.seeds.items()}
        return replace(self, seeds=seeds)

    def values(self, offset: float) -> dict[str, Values]:
        """Return the values of all leaves at ``offset`` steps from the point along the direction."""
        moved = {
            name: (self.point[name] + offset * self.step * change).astype(self.point[name].dtype, copy=False)
            for name, change in self.direction.items()
        }
        return {**self.point, **moved}

    def representable(self) -> Probe:
        """Return the probe with a direction along which half a step from the point ends at numbers of the point's types.

        Otherwise the sum would be rounded, and the distance between two launches would not be the step.
        """
        half, direction = 0.5 * self.step, {}
        for name, change in self.direction.items():
            point = self.point[name]
            with np.errstate(invalid="ignore"):  # memory that no thread reads may contain anything
                moved = (point + half * change).astype(point.dtype, copy=False)
                direction[name] = np.where(change == 0.0, 0.0, (moved.astype(np.float64) - point) / half)
        return replace(self, direction=direction)

    def difference(self, above: Mapping[str, Values], below: Mapping[str, Values], steps: float) -> tuple[float, float]:
        """Return the derivative of the seeded sum of all outputs, and the sum of the absolute contributions of its elements.

        Args:
            above: the outputs of a launch on one side of the point.
            below: the outputs of a launch on the other side.
            steps: how many steps are between them.
        """
        return total(self.changes(above, below, steps))

    def changes(self, above: Mapping[str, Values], below: Mapping[str, Values], steps: float) -> dict[str, Values]:
        """Return by output the derivative of each element, times its seed; see `difference`."""
        with np.errstate(invalid="ignore"):  # elements without a seed may be infinite
            differences = {name: above[name] - below[name] for name in self.seeds}
        return {name: product(self.seeds[name], difference) / (steps * self.step) for name, difference in differences.items()}


@dataclass(frozen=True, slots=True)
class Failure:
    """A point and a direction at which an adjoint is not the derivative.

    Attributes:
        kernel: the entry points of the text in double precision.
        probe: the point and the direction.
        shape: the grid, for entry points that take one.
        dtypes: the types of the pair's own values by leaf.
    """

    kernel: EntryPoints
    probe: Probe
    shape: GridShape | None
    dtypes: Mapping[str, np.dtype[Any]]

    def prepare(
        self, offset: float, arena: Arena, direction: Mapping[str, Values] | None = None, *, backward: bool = False
    ) -> PreparedLaunch:
        """Prepare the launch at ``offset`` steps from the point, along its own direction or another one."""
        probe = self.probe if direction is None else replace(self.probe, direction=direction)
        return probe.prepare(self.kernel, offset, self.shape, arena, backward=backward)


FAILURES: ResultKey[Failure] = ResultKey("gradient", "failures")
"""The points at which an adjoint is not the derivative."""
