"""The derivative of a kernel at one point along one direction: by its adjoint, and by central differences in float64."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from warpsmith.core.inputs.values import Values
from warpsmith.core.records.launch import Argument, Launch
from warpsmith.validation.levels.finding import PASS, Finding, fail
from warpsmith.validation.running.launches import Call, GridShape
from warpsmith.validation.running.memory import Arena
from warpsmith.validation.running.prepared import EntryPoints, PreparedLaunch, prepare_launch

STEP = 2.0**-17
"""The step of the differences, before it is scaled by the range of an argument's values; a power of two is added exactly."""

TOLERANCE = 1.0e-6
"""The tolerance for a derivative, relative to the sum of what the elements of all outputs contribute to the derivative."""

BEND = 1.0e-4
"""The relative distance between differences with two steps above which the function has no derivative there."""

COPIES = 12
"""How often memory holds the arguments of a pair for one derivative: one launch, its gradients and four outputs, doubled."""

ROUNDING = 16.0
"""How many roundings each output is assumed to contain; the error of a sum over threads grows as the root of their number."""


def has_gradient(argument: Argument, values: Mapping[str, Values]) -> bool:
    """Return whether Warp computes a gradient of an argument: floats have one, but Warp treats indexed arrays as constant."""
    return argument.kind != "indexed_array" and values[argument.name].dtype.kind == "f"


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

    def values(self, offset: float) -> dict[str, Values]:
        """Return the values of all leaves at ``offset`` steps from the point along the direction."""
        moved = {
            name: (self.point[name] + offset * self.step * one).astype(self.point[name].dtype, copy=False)
            for name, one in self.direction.items()
        }
        return {**self.point, **moved}

    def difference(self, above: Mapping[str, Values], below: Mapping[str, Values], steps: float) -> tuple[float, float]:
        """Return the derivative of the seeded sum of all outputs, and the sum of the absolute contributions of its elements.

        Args:
            above: the outputs of a launch on one side of the point.
            below: the outputs of a launch on the other side.
            steps: how many steps are between them.
        """
        total = size = 0.0
        for name in self.seeds:
            change = self.change(name, above, below, steps)
            total += float(change.sum())
            size += float(np.abs(change).sum())
        return total, size

    def change(self, name: str, above: Mapping[str, Values], below: Mapping[str, Values], steps: float) -> Values:
        """Return the derivative of each element of an output, times its seed; see `difference`."""
        with np.errstate(invalid="ignore"):  # elements without a seed may be infinite
            difference = above[name] - below[name]
        return _product(self.seeds[name], difference) / (steps * self.step)


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


class Derivative:
    """One run of the adjoint, and forward runs around the point.

    Attributes:
        probe: the point and the direction.
        calls: the calls to make before `finding`.
        adjoint: the derivative by the adjoint, after `finding`.
        numeric: the derivative by central differences, after `finding`.
        contributions: the sum of what the elements of all outputs contribute to the derivative, after `finding`.
        shares: what each leaf that moves contributes to the derivative by the adjoint, relative to what all outputs contribute,
            after `finding`. An error of a leaf with a small share hides behind the other leaves.
        output_shares: what each output contributes, likewise.
    """

    OFFSETS = (1.0, -1.0, 0.5, -0.5)

    def __init__(self, kernel: EntryPoints, probe: Probe, shape: GridShape | None, arena: Arena) -> None:
        self.probe = probe
        self.adjoint = self.numeric = self.contributions = 0.0
        self.shares: dict[str, float] = {}
        self.output_shares: dict[str, float] = {}
        prepared = probe.prepare(kernel, 0.0, shape, arena, backward=True)
        self._centre = prepared.arguments
        self._moved: list[dict[str, Values]] = []
        self.calls: list[Call] = []
        # Launches share one layout and run one after another in its memory; the centre comes last, for the backward pass.
        for offset in self.OFFSETS:
            outputs = {name: arena.empty(array.shape, array.dtype) for name, array in self._outputs_in_memory()}
            self._moved.append(outputs)
            self.calls += [partial(self._centre.set, probe.values(offset)), *prepared.forward, partial(self._save, outputs)]
        self.calls += [partial(self._centre.set, probe.values(0.0)), *prepared.forward]
        self._backward = prepared.backward
        self.calls += self._backward

    def _outputs_in_memory(self) -> Iterator[tuple[str, Values]]:
        return ((name, array) for name, array in self._centre.arrays.items() if name in self.probe.seeds)

    def _save(self, outputs: Mapping[str, Values]) -> None:
        for name, array in self._outputs_in_memory():
            outputs[name][...] = array

    @property
    def _outputs(self) -> list[Mapping[str, Values]]:
        """The outputs at the centre, and at each of `OFFSETS`."""
        return [self._centre.after_forward, *self._moved]

    def continued(self) -> list[Call]:
        """Return further calls, to make after `calls` and before `finding`."""
        return []

    def finding(self) -> Finding:
        """Compare the adjoint with the differences; inconclusive where the function has no derivative."""
        centre, up, down, half_up, half_down = self._outputs
        difference = self.probe.difference
        whole, half = difference(up, down, 2.0), difference(half_up, half_down, 1.0)
        sides = difference(half_up, centre, 0.5), difference(centre, half_down, 0.5)
        far = difference(up, centre, 1.0), difference(centre, down, 1.0)
        by_leaf = self._by_leaf()
        exact = self.adjoint = float(sum(by_leaf.values()))
        if not np.all(np.isfinite([value for pair in (whole, half, *sides, *far) for value in pair])):
            return Finding("inconclusive", "the differences are not finite")
        scale, noise = max(half[1], abs(exact) if np.isfinite(exact) else 0.0), self._noise()
        # Both steps together give the derivative to the fourth order of the step.
        numeric, distance = half[0] + (half[0] - whole[0]) / 3.0, abs(half[0] - whole[0])
        self.numeric, self.contributions = numeric, half[1]
        self.shares = {name: abs(one) / scale if scale > 0.0 else 0.0 for name, one in by_leaf.items()}
        if len(self.probe.seeds) > 1 and scale > 0.0:
            changes = {name: self.probe.change(name, half_up, half_down, 1.0) for name in self.probe.seeds}
            self.output_shares = {name: float(np.abs(change).sum()) / scale for name, change in changes.items()}
        corner = sum(self._corner(name) for name in self.probe.seeds)
        if distance > max(BEND * scale, noise) or corner > max(TOLERANCE * scale, noise):
            return Finding(
                "inconclusive", f"steps give {half[0]:.6g} and {whole[0]:.6g}, sides {sides[0][0]:.6g} and {sides[1][0]:.6g}"
            )
        if not np.isfinite(exact):
            return fail("the adjoint is not finite where the differences are")
        if abs(exact - numeric) <= max(TOLERANCE * scale, 10.0 * distance, noise):
            return PASS
        return fail(f"the adjoint gives {exact:.9g}, central differences {numeric:.9g} along a random direction")

    def _corner(self, name: str) -> float:
        """Return by how much the slopes of an output to both sides differ, in all elements: corners do not cancel each other.

        The sides differ by curvature in proportion to the step, which cancels here; at a corner they differ with any step.
        """
        centre, up, down, half_up, half_down = self._outputs
        change = self.probe.change
        near = change(name, half_up, centre, 0.5) - change(name, centre, half_down, 0.5)
        far = change(name, up, centre, 1.0) - change(name, centre, down, 1.0)
        return float(np.abs(2.0 * near - far).sum())

    def _by_leaf(self) -> dict[str, float]:
        """Return the derivative by the adjoint along the direction of each leaf."""
        adjoints = self._centre.adjoints | self._centre.value_adjoints
        product = _product_sum if self.probe.changed_only else np.vdot
        return {name: float(product(adjoints[name].ravel(), step.ravel())) for name, step in self.probe.direction.items()}

    def _noise(self) -> float:
        """Return the error that rounding alone causes in differences, and in an adjoint whose terms cancel.

        Where outputs hardly depend on inputs, the differences consist of this error.
        """
        threads = float(math.prod(self.probe.launch.dim))
        size = sum(
            float(np.abs(self._inexact(name)).sum()) * math.sqrt(max(threads / max(seeds.size, 1), 1.0))
            for name, seeds in self.probe.seeds.items()
        )
        seeded = sum(float(np.abs(seeds).sum()) for seeds in self.probe.seeds.values())
        return ROUNDING * float(np.finfo(np.float64).eps) * (size / self.probe.step + seeded)

    def _inexact(self, name: str) -> Values:
        """Return the elements of an output that may contain an error of rounding, times their seeds."""
        first, *others = (outputs[name] for outputs in self._outputs)
        weighted = _product(self.probe.seeds[name], first)
        return weighted[np.any([first != other for other in others], axis=0)] if self.probe.changed_only else weighted


def _product(factors: Values, values: Values) -> Values:
    """Return the elements of an array times their factors: 0 where the factor is 0, whatever the array contains."""
    with np.errstate(invalid="ignore"):
        return np.where(factors == 0.0, 0.0, factors * values)


def _product_sum(adjoint: Values, step: Values) -> float:
    """Return the sum of products, without elements that do not move: their adjoint may be infinite."""
    return float(_product(step, adjoint).sum())
