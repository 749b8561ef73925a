"""The derivative of one launch along a direction: what its outputs change by if what it reads moves.

Central differences of the generated code in double precision give it with an error, by steps of three sizes; dual numbers in
the interpreter of the kernel's Python give it exactly.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Protocol

import numpy as np

from warpsmith.core.inputs.values import Values, leaves, objects
from warpsmith.core.records.jsonl import Line
from warpsmith.core.records.launch import Launch
from warpsmith.validation.levels.common import DOUBLE, repeated_kernel
from warpsmith.validation.levels.context import BatchContext
from warpsmith.validation.oracle.interpreter.interpret import BLOCK
from warpsmith.validation.oracle.interpreter.tangents import tangents
from warpsmith.validation.oracle.values.interpretation_errors import Exhausted, Undefined, Unsupported
from warpsmith.validation.running.entry_calls import Call, GridShape, in_order, on_fibers
from warpsmith.validation.running.fork_runner import run_forked
from warpsmith.validation.running.prepared_launch import EntryPoints, prepare_launch
from warpsmith.validation.running.shared_arguments import promoted
from warpsmith.validation.running.shared_memory import Arena

MAX_STEPS = 1_000_000
"""The number of statements that the interpreter may run for a launch."""

STEPS = (2.0**-8, 2.0**-15, 2.0**-22)
"""The steps, relative to the size of what moves."""


@dataclass(frozen=True, slots=True)
class Tangents:
    """The derivatives of the arrays of a launch.

    Attributes:
        values: the derivative of each number, by leaf.
        errors: how far it can be wrong.
        method: the way in which they were found.
        corners: what lies exactly on a corner; one of several one-sided derivatives is given then.
        problem: why there are none; empty if there are.
    """

    values: Mapping[str, Values]
    errors: Mapping[str, Values]
    method: str = ""
    corners: tuple[str, ...] = ()
    problem: str = ""

    @property
    def is_resolved(self) -> bool:
        """Whether all errors are small beside the derivatives of their array."""
        return all(
            bool(np.all(self.errors[name] <= RESOLVED * float(np.abs(values).max(initial=0.0))))
            for name, values in self.values.items()
        )


RESOLVED = 1.0e-6
"""The error of a derivative that is small, relative to the largest derivative of its array."""


class TangentSource(Protocol):
    """A way to the derivatives of a launch."""

    name: str

    def tangents(self, line: Line, launch: Launch, values: Mapping[str, Values], direction: Mapping[str, Values]) -> Tangents:
        """Return the derivatives of a launch at ``values`` along ``direction``, both by leaf."""


def without(problem: str) -> Tangents:
    """Return no derivatives, for a reason."""
    return Tangents({}, {}, problem=problem)


class DoubleText:
    """The generated code of kernels in double precision."""

    name = "central differences"

    def __init__(self, context: BatchContext) -> None:
        self._context = context
        self._arena = Arena()

    def tangents(self, line: Line, launch: Launch, values: Mapping[str, Values], direction: Mapping[str, Values]) -> Tangents:
        """Return derivatives by central differences."""
        point = {name: promoted(value) for name, value in values.items()}
        scale = _scale(point, direction)
        offsets = [sign * scale * step for step in STEPS for sign in (1.0, -1.0)] + [0.0]
        moved = self.outputs(
            line,
            launch,
            [point | {name: point[name] + offset * change for name, change in direction.items()} for offset in offsets],
        )
        return without(moved) if isinstance(moved, str) else _from_steps(moved, scale)

    def outputs(self, line: Line, launch: Launch, points: Sequence[Mapping[str, Values]]) -> list[dict[str, Values]] | str:
        """Return the arrays of floats after the launch at each of several points in double precision, or a problem."""
        kernel = self._kernel(line, launch)
        if isinstance(kernel, str):
            return kernel
        self._arena.clear()
        prepared = prepare_launch(kernel[0], launch, points[0], self._arena, backward=False, shape=kernel[1])
        arrays = {name: array for name, array in prepared.arguments.arrays.items() if array.dtype.kind == "f"}
        found: list[dict[str, Values]] = []
        calls: list[Call] = []
        for point in points:
            space = {name: self._arena.empty(array.shape, array.dtype) for name, array in arrays.items()}
            found.append(space)
            calls += [partial(prepared.arguments.set, point), *prepared.forward, partial(_save, arrays, space)]
        if (problem := run_forked([calls], self._context.launch_seconds)[0]) is not None:
            return f"near its inputs {problem}"
        return found

    def backward(
        self, line: Line, launch: Launch, values: Mapping[str, Values], gradients: Mapping[str, Values]
    ) -> dict[str, Values] | str:
        """Return the gradients of all arrays after the adjoint at ``values`` that starts with ``gradients``, or a problem."""
        kernel = self._kernel(line, launch)
        if isinstance(kernel, str):
            return kernel
        self._arena.clear()
        point = {name: promoted(value) for name, value in values.items()}
        zeros = {leaf.name: np.zeros_like(point[leaf.name]) for leaf in leaves(launch)}
        prepared = prepare_launch(kernel[0], launch, point, self._arena, backward=True, shape=kernel[1], seeds=zeros)
        adjoints = prepared.arguments.adjoints

        def start() -> None:
            for name, gradient in gradients.items():
                if name in adjoints:
                    adjoints[name][...] = gradient.reshape(adjoints[name].shape)

        calls = [*prepared.forward, start, *prepared.backward]
        if (problem := run_forked([calls], self._context.launch_seconds)[0]) is not None:
            return problem
        return {name: array.copy() for name, array in adjoints.items()}

    def _kernel(self, line: Line, launch: Launch) -> tuple[EntryPoints, GridShape | None] | str:
        if objects(launch):
            return "objects such as meshes store single precision"
        found = repeated_kernel(line, self._context, DOUBLE)
        if found is None:
            return "its code cannot be read in double precision"
        part, kernel = found
        if not kernel.takes_grid:
            return kernel, None
        return kernel, on_fibers(launch, part.block_dim) if part.synchronizes else in_order(launch)[0]


def _save(arrays: Mapping[str, Values], space: Mapping[str, Values]) -> None:
    for name, array in arrays.items():
        space[name][...] = array


def _scale(point: Mapping[str, Values], direction: Mapping[str, Values]) -> float:
    """Return the factor of the direction with which all leaves move by about their size at most."""
    factors = []
    for name, change in direction.items():
        largest = float(np.abs(change).max(initial=0.0))
        values = np.abs(point[name][np.isfinite(point[name])])
        size = float(np.median(values[values > 0.0])) if np.any(values > 0.0) else 1.0
        if largest > 0.0:
            factors.append(size / largest)
    return min(factors, default=1.0)


def _from_steps(moved: list[dict[str, Values]], scale: float) -> Tangents:
    """Return the differences of the middle step; the other steps, and both sides, tell how far they can be wrong."""
    values, errors = {}, {}
    epsilon = 8.0 * float(np.finfo(np.float64).eps)
    for name in moved[-1]:
        slopes, rounding = [], []
        with np.errstate(invalid="ignore", over="ignore"):
            for number, step in enumerate(STEPS):
                up, down = moved[2 * number][name], moved[2 * number + 1][name]
                slopes.append((up - down) / (2.0 * scale * step))
                rounding.append(np.where(up == down, 0.0, epsilon * (np.abs(up) + np.abs(down))) / (2.0 * scale * step))
            wide, narrow = np.abs(slopes[0] - slopes[1]) + rounding[1], np.abs(slopes[1] - slopes[2]) + rounding[2]
            bend = np.abs(up - 2.0 * moved[-1][name] + down) / (2.0 * scale * STEPS[-1])
            error = np.fmin(wide, narrow) + np.where(bend > 4.0 * rounding[2], bend, 0.0)
        finite = np.isfinite(slopes[1]) & np.isfinite(error)
        values[name], errors[name] = np.where(finite, slopes[1], 0.0), np.where(finite, error, np.inf)
    return Tangents(values, errors, DoubleText.name)


class ExactPython:
    """Dual numbers in the interpreter of a kernel's Python."""

    name = "the exact derivative of the Python"

    def tangents(self, line: Line, launch: Launch, values: Mapping[str, Values], direction: Mapping[str, Values]) -> Tangents:
        """Return exact derivatives."""
        if line.pair is None:
            return without("there is no Python")
        metadata = line.pair.metadata
        block = int(str(metadata.module_options.get("block_dim", BLOCK)))
        try:
            found = tangents(line.pair.python_source, metadata.kernel_name, launch, values, direction, MAX_STEPS, block)
        except (Exhausted, Undefined, Unsupported) as error:
            return without(f"{type(error).__name__.lower()}: {error}")
        moving = {name: array.tangent for name, array in found.items() if array.contents.dtype.kind == "f"}
        corners = tuple(dict.fromkeys(corner for array in found.values() for corner in array.corners))
        return Tangents(moving, {name: np.zeros(values.shape) for name, values in moving.items()}, self.name, corners)
