"""The derivative of a kernel at one point along one direction: by its adjoint, and by central differences in float64."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from functools import partial

import numpy as np

from warpsmith.core.inputs.values import Values
from warpsmith.core.records.launch import Argument
from warpsmith.validation.levels.derivatives.changes import corner_of, size, total
from warpsmith.validation.levels.derivatives.probe import Probe
from warpsmith.validation.levels.derivatives.rounding_modes import Rounded, product
from warpsmith.validation.levels.finding import PASS, Finding, fail, inconclusive
from warpsmith.validation.running.directed_modes import DIRECTED
from warpsmith.validation.running.entry_calls import Call, GridShape
from warpsmith.validation.running.prepared_launch import EntryPoints
from warpsmith.validation.running.shared_memory import Arena

TOLERANCE = 1.0e-7
"""The tolerance for a derivative, relative to the sum of what the elements of all outputs contribute to the derivative."""

CORNER = 1.0e-6
"""The sum of the corners of all elements, relative likewise, above which the function has no derivative there."""

BEND = 1.0e-4
"""The relative distance between differences with two steps above which the function has no derivative there."""

COPIES = 12
"""How often memory holds the arguments of a pair for one derivative: one launch, its gradients and four outputs, doubled."""

ROUNDED = 1.0e-4
"""The error of an element by rounding, relative to the derivative, above which the rounding of the element is too large."""

ROUNDING = 16.0
"""How many roundings each output is assumed to contain; the error of a sum over threads grows as the root of their number."""


def has_gradient(argument: Argument, values: Mapping[str, Values]) -> bool:
    """Return whether Warp computes a gradient of an argument: floats have one, but Warp treats indexed arrays as constant."""
    return argument.kind != "indexed_array" and values[argument.name].dtype.kind == "f"


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
        kink: the derivatives of both sides where they differ, which a reason names; else empty; after `finding`.
        rounded: the elements of outputs whose rounding explains a difference from the adjoint, if it does; after `finding`.
        hidden: the figures of a derivative that is smaller than rounding, which shows nothing; else empty; after `finding`.
    """

    OFFSETS = (1.0, -1.0, 0.5, -0.5)

    needs_continuation = False
    """Whether `finding` needs the calls of `continued`."""

    def __init__(self, kernel: EntryPoints, probe: Probe, shape: GridShape | None, arena: Arena) -> None:
        self.probe = probe = probe.representable()
        self.adjoint = self.numeric = self.contributions = 0.0
        self.shares: dict[str, float] = {}
        self.output_shares: dict[str, float] = {}
        self.rounded: dict[str, Values] = {}
        self.hidden = self.kink = ""
        self._arena = arena
        self._rounded: Rounded | None = None
        self._finding: Finding | None = None
        prepared = probe.prepare(kernel, 0.0, shape, arena, backward=True)
        self._centre, self._forward = prepared.arguments, prepared.forward
        self._moved: list[dict[str, Values]] = []
        self.calls: list[Call] = []
        # Launches share one layout and run one after another in its memory; the centre comes last, for the backward pass.
        for offset in self.OFFSETS:
            self._moved.append(outputs := self._space())
            self.calls += [partial(self._centre.set, probe.values(offset)), *prepared.forward, partial(self._save, outputs)]
        self.calls += [partial(self._centre.set, probe.values(0.0)), *prepared.forward]
        self._backward = prepared.backward
        self.calls += self._backward

    @property
    def figures(self) -> str:
        """The derivative by the adjoint and by central differences, as `parse_disagreement` reads it; after `finding`."""
        return _figures(self.adjoint, self.numeric)

    def _outputs_in_memory(self) -> Iterator[tuple[str, Values]]:
        return ((name, array) for name, array in self._centre.arrays.items() if name in self.probe.seeds)

    def _space(self) -> dict[str, Values]:
        return {name: self._arena.empty(array.shape, array.dtype) for name, array in self._outputs_in_memory()}

    def _save(self, outputs: Mapping[str, Values]) -> None:
        for name, array in self._outputs_in_memory():
            outputs[name][...] = array

    @property
    def _outputs(self) -> list[Mapping[str, Values]]:
        """The outputs at the centre, and at each of `OFFSETS`."""
        return [self._centre.after_forward if self._rounded is None else self._rounded.centre, *self._moved]

    def continued(self) -> list[Call]:
        """Return further calls, to make after `calls` and before `finding`: they show whether rounding explains a failure."""
        if not DIRECTED or self.finding().status != "fail" or not math.isfinite(self.adjoint):
            return []
        centre = {name: self._centre.after_forward[name].copy() for name in self.probe.seeds}
        self._finding = None
        self._rounded = Rounded(centre, self._space, self._arena)
        return self._rounded.calls(lambda offset: self._centre.set(self.probe.values(offset)), self._forward, self._save)

    def finding(self) -> Finding:
        """Compare the adjoint with the differences; inconclusive where the function has no derivative, or rounding hides it."""
        if self._finding is None:
            self._finding = self._compared()
        return self._finding

    def _compared(self) -> Finding:
        centre, up, down, half_up, half_down = self._outputs
        changes, half_changes = self.probe.changes, self.probe.changes(half_up, half_down, 1.0)
        near_changes = changes(half_up, centre, 0.5), changes(centre, half_down, 0.5)
        far_changes = changes(up, centre, 1.0), changes(centre, down, 1.0)
        full, half = total(changes(up, down, 2.0)), total(half_changes)
        sides, far = [total(change) for change in near_changes], [total(change) for change in far_changes]
        by_leaf = self._by_leaf()
        exact = self.adjoint = float(sum(by_leaf.values()))
        if not np.all(np.isfinite([value for pair in (full, half, *sides, *far) for value in pair])):
            return inconclusive("the differences are not finite")
        scale, noise = max(half[1], abs(exact) if np.isfinite(exact) else 0.0), self._noise()
        # Both steps together give the derivative to the fourth order of the step.
        numeric, distance = half[0] + (half[0] - full[0]) / 3.0, abs(half[0] - full[0])
        corner = corner_of(near_changes, far_changes)
        tolerance = max(TOLERANCE * scale, 10.0 * distance, corner, noise)
        self.numeric, self.contributions = numeric, half[1]
        self.hidden = (
            "" if noise < scale or not scale else f"{_figures(exact, numeric)}, and rounding changes both by up to {noise:.3g}"
        )
        self._set_shares(by_leaf, half_changes, tolerance / TOLERANCE)
        if distance > max(BEND * scale, noise) or corner > max(CORNER * scale, noise):
            self.kink = _sides(exact, sides[1][0], sides[0][0]) if corner > max(CORNER * scale, noise) else ""
            steps = f"central differences with two steps are {full[0]:.6g} and {half[0]:.6g}"
            return inconclusive(f"the function has a kink or a jump: {self.kink}; {steps}" if self.kink else steps)
        if abs(exact - numeric) <= tolerance:
            return PASS
        figures = _figures(exact, numeric)
        if not np.isfinite(exact) and self._is_infinite():
            return inconclusive(f"{figures}, and outputs are not finite")
        if self._rounded is not None:
            rounding = self._rounded.hidden(self.probe.seeds, self._outputs)
            hidden = sum(size(values) for values in rounding.values()) / self.probe.step
            if abs(exact - numeric) <= hidden:
                self.rounded = {name: values > ROUNDED * scale * self.probe.step for name, values in rounding.items()}
                return inconclusive(f"{figures}, and rounding changes the differences by up to {hidden:.3g}")
        return fail(figures)

    def _set_shares(self, by_leaf: Mapping[str, float], changes: Mapping[str, Values], scale: float) -> None:
        """Set the shares, relative to ``scale``: the tolerance of a leaf alone is in proportion to its share."""
        if not scale > 0.0:
            return
        self.shares = {name: abs(derivative) / scale for name, derivative in by_leaf.items()}
        if len(self.probe.seeds) > 1:
            self.output_shares = {name: size(change) / scale for name, change in changes.items()}

    def _is_infinite(self) -> bool:
        """Return whether a launch left numbers that are not finite where there were others before: their gradients are not."""
        before = self.probe.point
        return any(
            bool(np.any(~np.isfinite(outputs[name]) & np.isfinite(before[name])))
            for outputs in self._outputs
            for name in self.probe.seeds
        )

    def _by_leaf(self) -> dict[str, float]:
        """Return the derivative by the adjoint along the direction of each leaf; that of what does not move may be infinite."""
        adjoints = self._centre.adjoints | self._centre.value_adjoints
        with np.errstate(invalid="ignore"):  # infinities of both signs
            return {name: float(product(step, adjoints[name]).sum()) for name, step in self.probe.direction.items()}

    def _noise(self) -> float:
        """Return the error that rounding alone causes in differences, and in an adjoint whose terms cancel.

        Where outputs hardly depend on inputs, the differences consist of this error.
        """
        threads = float(math.prod(self.probe.launch.dim))
        size = sum(
            float(np.abs(self._inexact(name)).sum()) * math.sqrt(max(threads / max(seeds.size, 1), 1.0))
            for name, seeds in self.probe.seeds.items()
        )
        farthest = max((float(np.abs(step).max(initial=0.0)) for step in self.probe.direction.values()), default=1.0)
        seeded = min(farthest, 1.0) * sum(float(np.abs(seeds).sum()) for seeds in self.probe.seeds.values())
        return ROUNDING * float(np.finfo(np.float64).eps) * (size / self.probe.step + seeded)

    def _inexact(self, name: str) -> Values:
        """Return the elements of an output that may contain an error of rounding, times their seeds."""
        first, *moved = (outputs[name] for outputs in self._outputs)
        weighted = product(self.probe.seeds[name], first)
        return weighted[np.any([first != other for other in moved], axis=0)] if self.probe.changed_only else weighted


def _sides(exact: float, left: float, right: float) -> str:
    """Return the one-sided derivatives, with the place of the adjoint: one between them is a subgradient."""
    place = ", which is between them" if min(left, right) <= exact <= max(left, right) else ""
    return f"its one-sided derivatives are {left:.6g} (left) and {right:.6g} (right), the adjoint gives {exact:.6g}{place}"


def _figures(exact: float, numeric: float) -> str:
    return f"the adjoint gives {exact:.9g}, central differences {numeric:.9g} along a random direction"
