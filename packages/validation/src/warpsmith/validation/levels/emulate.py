"""Level `emulate`: the CUDA text itself, compiled for the CPU, leaves the same results as the kernel, forward and backward.

The text is compiled as C++ with other headers. Most CUDA texts contain exactly the statements of the pair's C++ text, which is
already compiled: these statements then run as the CUDA text would run them, see `compiling.shared`.

The text runs over several grids of blocks. Where threads run in order, all results have to be equal bit for bit. In another
order, sums of floats that several threads add to may differ by `REORDERED`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from warpsmith.core.inputs.values import Values
from warpsmith.core.records import text_format
from warpsmith.core.records.jsonl import Line
from warpsmith.validation.compiling.clang import Library
from warpsmith.validation.compiling.part import UnitPart
from warpsmith.validation.levels.common import entry_points, is_extracted, launch_of, lines_with_code, unsupported
from warpsmith.validation.levels.context import BatchContext
from warpsmith.validation.levels.finding import PASS, Finding, attributed, fail, inconclusive, skipped
from warpsmith.validation.levels.level_results import LAUNCHES, MARKED, LaunchResult, LineKey, line_key
from warpsmith.validation.levels.registry import Level
from warpsmith.validation.running.entry_calls import Call, GridShape, in_order, on_fibers, out_of_order
from warpsmith.validation.running.fork_runner import SLOW, run_forked
from warpsmith.validation.running.outputs import LaunchOutputs
from warpsmith.validation.running.prepared_launch import PreparedLaunch
from warpsmith.validation.running.repeated_launches import Launcher, SharedLaunch
from warpsmith.validation.running.shared_memory import portions
from warpsmith.validation.running.tolerance import REORDERED

LEVEL = Level(
    name="emulate",
    seconds=60.0,
    order=60,
    needs=("regenerate", "execute"),
    takes_batches=True,
    compiles=True,
    summary="the CUDA code, run on the CPU with several grids, gives the same bits, forward and backward",
)

COPIES = 36
"""How often memory holds the arguments of a pair: 17 launches and their gradients."""

RACE = "in another order of threads: a race, or places that threads take in turn"
"""The usual reason why the results of an extracted kernel depend on the order of its threads."""


def check(lines: Sequence[Line], context: BatchContext) -> list[Finding]:
    """Run the CUDA text of every pair and compare the results with those of `execute`."""
    launched = context.results(LAUNCHES)
    parts = {line_key(line): part for line, part in lines_with_code(lines, context, "cuda")}
    shared = {line_key(line): part for line, part in lines_with_code(lines, context, "cpu") if part.has_grid_entry}
    keys = [key for key, part in parts.items() if key in launched and not part.links_library]
    built = context.library("emulated", (parts[key] for key in keys if key not in shared))
    built |= context.library("cpp", (shared[key] for key in keys if key in shared))
    findings: dict[LineKey, Finding] = {}
    ready: list[Line] = []
    for line in lines:
        key = line_key(line)
        part = parts.get(key)
        if part is None:
            findings[key] = unsupported(line) or Finding("not_applicable", "the pair has no CUDA text")
        elif part.links_library:
            findings[key] = Finding("not_applicable", "the CUDA text calls functions of libmathdx, which exist on GPUs only")
        elif key not in launched:
            findings[key] = skipped("the kernel was not run")
        elif part.key in built[part.key].errors:
            findings[key] = fail(f"the CUDA text does not compile for a CPU: {built[part.key].errors[part.key]}")
        else:
            ready.append(line)
    for portion in portions(ready, lambda line: COPIES * launched[line_key(line)][0].nbytes):
        context.arena.clear()
        several = [_Emulation(line, built[parts[line_key(line)].key], parts[line_key(line)], context) for line in portion]
        problems = iter(run_forked([job for emulation in several for job in emulation.jobs], context.launch_seconds))
        for emulation in several:
            findings[emulation.key] = emulation.finding([next(problems) for _ in emulation.jobs])
    return [findings[line_key(line)] for line in lines]


@dataclass(frozen=True, slots=True)
class _GridRun:
    """One launch over one grid, with the results that it has to give, to the bit if ``exactly``."""

    shape: GridShape
    expected: LaunchResult
    prepared: PreparedLaunch | SharedLaunch
    exactly: bool


class _Emulation:
    """The launches of one pair: its own launch over several grids, and each variant over one.

    A text that runs as a program has no variants: level `execute` made the same calls in the same order.
    """

    def __init__(self, line: Line, library: Library, part: UnitPart, context: BatchContext) -> None:
        self.key = line_key(line)
        recorded, *variants = context.results(LAUNCHES)[self.key]
        _, has_backward = launch_of(line)
        self._has_backward = has_backward and not recorded.stopped
        self._extracted = is_extracted(line)
        kernel = entry_points(library, part, takes_grid=True)
        self._launcher = Launcher(kernel, context.arena, backward=self._has_backward)
        self._loses_shapes = text_format.ADJOINT_SHAPE_CLEARED.search(part.code.backward_code or "") is not None
        self._runs: list[_GridRun] = []
        synchronizes = part.synchronizes
        is_program = library.runner(part, takes_grid=True) != 0
        for expected in (recorded, *([] if is_program else variants)):
            shapes = [on_fibers(expected.launch, part.block_dim)] if synchronizes else in_order(expected.launch, part.strides)
            if expected is recorded:
                *zeroed, last = shapes
                for shape in zeroed:
                    self._add(shape, recorded, exactly=True)
                self._add(last, context.results(MARKED).get(self.key, recorded), exactly=True)
            else:
                self._add(shapes[0], expected, exactly=True)
        last_first = on_fibers(recorded.launch, part.block_dim, last_first=True)
        for shape in [last_first] if synchronizes else out_of_order(recorded.launch, part.strides):
            self._add(shape, recorded, exactly=False)

    @property
    def jobs(self) -> list[list[Call]]:
        """The calls of all launches; those of an extracted kernel in another order of threads are a job of their own."""
        runs = [[run for run in self._runs if run.exactly is exactly] for exactly in (True, False)]
        jobs = [[call for run in group for call in run.prepared.calls] for group in runs]
        return jobs if self._extracted else [jobs[0] + jobs[1]]

    def _add(self, shape: GridShape, expected: LaunchResult, exactly: bool) -> None:
        strides = shape.grid * shape.block < math.prod(expected.launch.dim)
        backward = self._has_backward and not (strides and self._loses_shapes)
        prepared = self._launcher.prepare(expected.launch, expected.values, shape, backward=backward)
        self._runs.append(_GridRun(shape, expected, prepared, exactly))

    def finding(self, problems: Sequence[str | None]) -> Finding:
        """Compare the results of each launch with the expected ones, unless a job has a problem."""
        if problems[0] is not None:
            slow = self._extracted and SLOW in problems[0]
            return attributed(problems[0], inconclusive if slow else fail)
        if (problem := self._problem(exactly=True, forward_only=self._extracted)) is not None:
            return fail(problem)
        if self._extracted and (problem := self._problem(exactly=True)) is not None:
            return inconclusive(f"{problem}: the backward pass reads memory without contents")
        if problems[-1] is not None:
            return attributed(problems[-1], lambda reason: inconclusive(f"{reason}, {RACE}"))
        problem = self._problem(exactly=False)
        if problem is None:
            return PASS
        return inconclusive(f"{problem}, {RACE}") if self._extracted else fail(problem)

    def _problem(self, *, exactly: bool, forward_only: bool = False) -> str | None:
        for run in self._runs:
            if run.exactly is exactly:
                actual, expected = run.prepared.outputs(), run.expected.outputs
                if forward_only:
                    expected = LaunchOutputs(expected.arrays, {})
                problem = _difference(actual, expected, exactly, self._extracted)
                if problem is not None:
                    return f"{problem} ({run.shape})"
        return None


def _difference(actual: LaunchOutputs, expected: LaunchOutputs, exactly: bool, with_nan: bool) -> str | None:
    """Return how results differ from the expected ones; ``with_nan`` says that these may be NaN, of any bits."""
    for what, actual_arrays, expected_arrays in (
        ("", actual.arrays, expected.arrays),
        ("the gradient of ", actual.gradients, expected.gradients),
        ("after the backward pass, ", actual.rewritten, expected.rewritten),
    ):
        for name, value in expected_arrays.items():
            if name not in actual_arrays or actual_arrays[name].tobytes() == value.tobytes():
                continue
            if with_nan and value.dtype.kind == "f" and np.array_equal(actual_arrays[name], value, equal_nan=True):
                continue
            distance = _distance(actual_arrays[name], value)
            if exactly or distance > REORDERED.get(value.dtype.itemsize, 0.0):
                return f"{what}{name} is not what the kernel leaves: {_figures(actual_arrays[name], value)}"
    return None


def _distance(actual: Values, expected: Values) -> float:
    """Return the largest difference, relative to the largest value or to 1; infinity for integers that differ."""
    if expected.dtype.kind != "f" or not np.all(np.isfinite(actual)):
        return float("inf")
    scale = max(float(np.abs(expected).max()), 1.0)
    return float(np.abs(actual.astype(np.float64) - expected.astype(np.float64)).max()) / scale


def _figures(actual: Values, expected: Values) -> str:
    flat = np.flatnonzero(actual.ravel() != expected.ravel())
    if not len(flat):
        return "the bits differ"
    first = flat[0]
    return (
        f"{len(flat)} of {actual.size} numbers differ, "
        f"the first is {actual.ravel()[first]!r} instead of {expected.ravel()[first]!r}"
    )
