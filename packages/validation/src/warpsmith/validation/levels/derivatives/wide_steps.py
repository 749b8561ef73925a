"""The derivative of a kernel in single precision: by its adjoint, and by central differences with wide steps.

The difference over a step that is right for doubles would consist of rounding here. With a wide step, some elements of outputs
pass a bend or a jump, such as the edge between two triangles. Five launches show how far the derivative of each element can be
trusted. Elements that are not smooth get no seed, so that the adjoint leaves them out, too; the deviation of all others is
the tolerance.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from warpsmith.core.inputs.values import Values
from warpsmith.validation.levels.derivatives.derivative import Derivative
from warpsmith.validation.levels.derivatives.probe import Probe
from warpsmith.validation.levels.finding import PASS, Finding, fail, inconclusive
from warpsmith.validation.running.entry_calls import Call, GridShape
from warpsmith.validation.running.prepared_launch import EntryPoints
from warpsmith.validation.running.shared_memory import Arena

STEP = 2.0**-9
"""The step of the differences, before it is scaled by the range of an argument's values."""

DEVIATION = 2.0e-2
"""The relative deviation of an element's derivative above which the element is left out."""

TOLERANCE = 5.0e-4
"""The tolerance for a derivative besides its deviation, relative to the sum of what the elements of all outputs contribute."""

ROUNDING = 4.0
"""How many roundings of an output its differences are assumed to contain at least."""

SMOOTH = 0.05
"""The share of elements that have to be smooth."""


class _Slope(NamedTuple):
    """The derivative of each element of an output, how far it can be trusted, and whether the element is smooth."""

    derivative: Values
    deviation: Values
    smooth: Values


class WideDerivative(Derivative):
    """One run of the adjoint, and forward runs around the point, in the precision of the point."""

    needs_continuation = True

    def __init__(self, kernel: EntryPoints, probe: Probe, shape: GridShape | None, arena: Arena) -> None:
        super().__init__(kernel, probe, shape, arena)
        self._slopes: dict[str, _Slope] = {}
        self._seeds: dict[str, Values] = {}
        del self.calls[len(self.calls) - len(self._backward) :]

    def continued(self) -> list[Call]:
        """Give seeds to the smooth elements, and return the calls to make before `finding`."""
        for name, seeds in self.probe.seeds.items():
            self._slopes[name] = slope = self._slope(name)
            self._seeds[name] = np.where(slope.smooth, seeds, np.zeros_like(seeds))
            self._centre.adjoints[name][...] = self._seeds[name]
        return self._backward

    def _slope(self, name: str) -> _Slope:
        contents = [outputs[name] for outputs in (self._centre.arrays, *self._moved)]
        centre, up, down, half_up, half_down = (array.astype(np.float64) for array in contents)
        step, epsilon = self.probe.step, float(np.finfo(contents[0].dtype).eps)
        with np.errstate(invalid="ignore", over="ignore"):
            full, half = (up - down) / (2.0 * step), (half_up - half_down) / step
            derivative = half + (half - full) / 3.0
            # A bend shows in the fourth difference, in the distance between the steps, or in both; so does rounding.
            fourth = np.abs(up - 4.0 * half_up + 6.0 * centre - 4.0 * half_down + down) / step
            seen, rounding = fourth + np.abs(half - full), ROUNDING * epsilon * np.abs(centre) / step
            moving = np.abs(derivative)[np.isfinite(derivative) & (derivative != 0.0)]
            typical = float(np.median(moving)) if moving.size else 0.0
            smooth = seen + rounding * (seen > 0.0) <= DEVIATION * (np.abs(derivative) + typical)  # false for NaN
        return _Slope(derivative, seen + rounding, smooth)

    def finding(self) -> Finding:
        """Compare the adjoint with the differences; inconclusive where too few elements are smooth."""
        by_leaf = {name: self._along(name) for name in self.probe.direction}
        total = deviation = size = 0.0
        for name, seeds in self._seeds.items():
            seeded, slope = seeds != 0.0, self._slopes[name]
            contributed = seeds[seeded] * slope.derivative[seeded]
            total, size = total + float(contributed.sum()), size + float(np.abs(contributed).sum())
            deviation += float((np.abs(seeds[seeded]) * slope.deviation[seeded]).sum())
        self.adjoint, self.numeric, self.contributions = sum(by_leaf.values()), total, size
        self.shares = {name: abs(derivative) / size if size > 0.0 else 0.0 for name, derivative in by_leaf.items()}
        smooth = np.mean(np.concatenate([seeds.ravel() != 0.0 for seeds in self._seeds.values()]))
        if smooth < SMOOTH:
            return inconclusive(f"{smooth:.0%} of the elements of outputs are smooth")
        if not np.isfinite(self.adjoint) and smooth < 1.0:
            return inconclusive(f"the adjoint is not finite, and {1.0 - smooth:.0%} of the elements of outputs are not smooth")
        if abs(self.adjoint - total) <= deviation + TOLERANCE * max(size, *map(abs, by_leaf.values())):
            return PASS
        return fail(f"the adjoint gives {self.adjoint:.6g}, central differences {total:.6g} along a random direction")

    def _along(self, name: str) -> float:
        gradient, step = (
            values.astype(np.float64).ravel() for values in (self._centre.adjoints[name], self.probe.direction[name])
        )
        return float(np.vdot(gradient, step))
