"""Level 6: the CUDA text itself, compiled for the CPU, leaves what the kernel leaves, forward and backward.

It is compiled as C++ between other headers. Nearly all texts have the very statements of the C++ text beside them, which are
compiled already: these are run as the CUDA text would run them, see `building.shared`.

It is run over several grids of blocks. Where threads come one after the other, everything has to be the same bit for bit. In
another order, sums of floats that several threads add to may differ by `REORDERED`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from warpsmith.core.inputs.values import Values
from warpsmith.core.records import text_format
from warpsmith.core.records.jsonl import Line
from warpsmith.validation.levels.common import launch_of, unsupported
from warpsmith.validation.levels.context import BatchContext, LaunchResult, Place, place, standing
from warpsmith.validation.levels.finding import PASS, Finding, fail, skipped

if TYPE_CHECKING:
    from warpsmith.validation.compiling.clang import Library
    from warpsmith.validation.compiling.unit import Part
    from warpsmith.validation.running.arguments import Arguments
    from warpsmith.validation.running.launches import Call, Results, Shape

REORDERED = {2: 2.0e-2, 4: 1.0e-3, 8: 1.0e-3}
"""How far sums in another order may lie apart, by bytes of a float, relative to the largest value of the array, or to 1."""


def check(lines: Sequence[Line], context: BatchContext) -> list[Finding]:
    """Run the CUDA text of every pair and compare it with what `execute` put on the bench."""
    from warpsmith.validation.running.fork_runner import run_forked

    parts = {place(line): part for line, part in standing(lines, context, "cuda")}
    gridded = {place(line): part for line, part in standing(lines, context, "cpu") if part.gridded}
    drawn = [(key, part) for key, part in parts.items() if key in context.drawn]
    built = context.library("emulated", (part for key, part in drawn if key not in gridded))
    built |= context.library("cpp", (gridded[key] for key, _ in drawn if key in gridded))
    context.arena.clear()
    findings: dict[Place, Finding] = {}
    trials: list[_Trial] = []
    for line in lines:
        part = parts.get(place(line))
        if part is None:
            findings[place(line)] = unsupported(line) or Finding("not_applicable", "the pair has no CUDA text")
        elif place(line) not in context.drawn:
            findings[place(line)] = skipped("the kernel was not run")
        elif part.key in built[part.key].errors:
            findings[place(line)] = fail(f"the CUDA text does not compile for a CPU: {built[part.key].errors[part.key]}")
        else:
            trials.append(_Trial(line, built[part.key], part, context))
    for trial, problem in zip(trials, run_forked([trial.calls for trial in trials]), strict=True):
        findings[trial.place] = fail(problem) if problem else trial.judge()
    return [findings[place(line)] for line in lines]


class _Trial:
    """The launches of one pair: its own over several shapes, its variations over one."""

    def __init__(self, line: Line, library: Library, part: Part, context: BatchContext) -> None:
        from warpsmith.validation.running.launches import in_order, on_fibers, out_of_order

        self.place = place(line)
        own, *others = context.drawn[self.place]
        _, self._backward = launch_of(line)
        self._dimensions, self._replays = part.dimensions, part.replays_writes
        self._entries = [library.address(part, direction, "_grid") for direction in ("forward", "backward")]
        self._runs: list[tuple[Shape, LaunchResult, Arguments, bool, bool]] = []
        self.calls: list[Call] = []
        self._loses_shapes = text_format.ADJOINT_SHAPE_CLEARED.search(part.code.backward_code or "") is not None
        waits = part.waits
        for number, drawn in enumerate((own, *others)):
            ordered = [on_fibers(drawn.how, part.block_dim)] if waits else in_order(drawn.how)
            for shape in ordered[: 1 if number else None]:
                self._launch(shape, drawn, context, exactly=True)
        for shape in [on_fibers(own.how, part.block_dim, last_first=True)] if waits else out_of_order(own.how):
            self._launch(shape, own, context, exactly=False)

    def _launch(self, shape: Shape, drawn: LaunchResult, context: BatchContext, exactly: bool) -> None:
        from warpsmith.validation.running.arguments import prepare
        from warpsmith.validation.running.launches import give_seeds, grid

        strides = shape.grid * shape.block < math.prod(drawn.how.dim)
        backward = self._backward and not (strides and self._loses_shapes)
        arguments = prepare(drawn.how, drawn.values, context.arena)
        self._runs.append((shape, drawn, arguments, exactly, backward))
        self.calls.append(grid(self._entries[0], drawn.how, self._dimensions, shape, arguments, backward=False))
        if backward:
            give_seeds(drawn.how, arguments)
            if self._replays:
                self.calls.append(arguments.keep(context.arena))
            self.calls.append(grid(self._entries[1], drawn.how, self._dimensions, shape, arguments, backward=True))

    def judge(self) -> Finding:
        """Compare what each launch left with what the kernel leaves."""
        from warpsmith.validation.running.launches import results

        for shape, drawn, arguments, exactly, backward in self._runs:
            problem = _difference(results(arguments, backward), drawn.left, exactly)
            if problem is not None:
                return fail(f"{problem} ({shape})")
        return PASS


def _difference(left: Results, expected: Results, exactly: bool) -> str | None:
    for what, ours, theirs in (
        ("", left.arrays, expected.arrays),
        ("the gradient of ", left.gradients, expected.gradients),
        ("after the backward pass, ", left.replayed, expected.replayed),
    ):
        for name, value in theirs.items():
            if name not in ours or ours[name].tobytes() == value.tobytes():
                continue
            apart = _apart(ours[name], value)
            if exactly or apart > REORDERED.get(value.dtype.itemsize, 0.0):
                return f"{what}{name} is not what the kernel leaves: {_figures(ours[name], value)}"
    return None


def _apart(got: Values, expected: Values) -> float:
    """The largest difference, relative to the largest value or to 1; infinite for whole numbers that differ."""
    if expected.dtype.kind != "f" or not np.all(np.isfinite(got)):
        return float("inf")
    scale = max(float(np.abs(expected).max()), 1.0)
    return float(np.abs(got.astype(np.float64) - expected.astype(np.float64)).max()) / scale


def _figures(got: Values, expected: Values) -> str:
    flat = np.flatnonzero(got.ravel() != expected.ravel())
    if not len(flat):
        return "the bits differ"
    first = flat[0]
    return (
        f"{len(flat)} of {got.size} numbers differ, the first is {got.ravel()[first]!r} instead of {expected.ravel()[first]!r}"
    )
