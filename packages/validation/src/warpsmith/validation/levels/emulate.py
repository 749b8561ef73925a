"""Level 6: the CUDA text itself, compiled for the CPU, leaves what the kernel leaves, forward and backward.

It is run over several grids of blocks. Where threads come one after the other, everything has to be the same bit for bit. In
another order, sums of floats that several threads add to may differ by `REORDERED`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from warpsmith.extraction.inputs import Values
from warpsmith.extraction.jsonl import Line
from warpsmith.validation.bench import Bench, Place, place, standing
from warpsmith.validation.levels.common import inputs_of, launch_of, unsupported
from warpsmith.validation.verdict import PASS, Finding, fail, skipped

if TYPE_CHECKING:
    from warpsmith.validation.building.clang import Library
    from warpsmith.validation.building.unit import Part
    from warpsmith.validation.running.launches import Results

REORDERED = 1.0e-3
"""How far sums of float32 in another order may lie apart, relative to the largest value of the array, or to 1."""

_FIBERS = re.compile(r"\b(?:WP_TILE_SYNC|__syncthreads|wp::tile_\w+|wp::untile)\b")


def check(lines: Sequence[Line], bench: Bench) -> list[Finding]:
    """Run the CUDA text of every pair and compare it with what `execute` put on the bench."""
    from warpsmith.validation.running.apart import run_apart

    parts = {place(line): part for line, part in standing(lines, bench, "cuda")}
    built = bench.library("emulated", (part for key, part in parts.items() if key in bench.results))
    bench.arena.clear()
    findings: dict[Place, Finding] = {}
    trials: list[_Trial] = []
    for line in lines:
        part, values = parts.get(place(line)), inputs_of(line)
        if part is None:
            findings[place(line)] = unsupported(line) or Finding("not_applicable", "the pair has no CUDA text")
        elif place(line) not in bench.results or isinstance(values, Finding):
            findings[place(line)] = values if isinstance(values, Finding) else skipped("the kernel was not run")
        elif part.key in built[part.key].errors:
            findings[place(line)] = fail(f"the CUDA text does not compile for a CPU: {built[part.key].errors[part.key]}")
        else:
            trials.append(_Trial(line, values, built[part.key], part, bench))
    for trial, problem in zip(trials, run_apart([trial.calls for trial in trials]), strict=True):
        findings[trial.place] = fail(problem) if problem else trial.judge(bench)
    return [findings[place(line)] for line in lines]


class _Trial:
    """The launches of one pair over several shapes."""

    def __init__(self, line: Line, values: dict[str, Values], library: Library, part: Part, bench: Bench) -> None:
        from warpsmith.validation.running.arguments import prepare
        from warpsmith.validation.running.launches import give_seeds, grid, in_order, on_fibers, out_of_order

        self.place = place(line)
        self._how, self._backward = launch_of(line)
        if _FIBERS.search(part.code.forward_code):
            shapes = self._in_order = on_fibers(self._how, part.block_dim)
        else:
            self._in_order = in_order(self._how)
            shapes = self._in_order + out_of_order(self._how)
        forward, backward = (library.address(part, direction, "_grid") for direction in ("forward", "backward"))
        self._runs = []
        self.calls = []
        for shape in shapes:
            arguments = prepare(self._how, values, bench.arena)
            self._runs.append((shape, arguments))
            self.calls.append(grid(forward, self._how, shape, arguments, backward=False))
            if self._backward:
                give_seeds(self._how, arguments)
                self.calls.append(grid(backward, self._how, shape, arguments, backward=True))

    def judge(self, bench: Bench) -> Finding:
        """Compare what each shape left with what the kernel leaves."""
        from warpsmith.validation.running.launches import results

        for shape, arguments in self._runs:
            left = results(self._how, arguments, self._backward)
            problem = _difference(left, bench.results[self.place], exactly=shape in self._in_order)
            if problem is not None:
                return fail(f"{problem} ({shape})")
        return PASS


def _difference(left: Results, expected: Results, exactly: bool) -> str | None:
    for what, ours, theirs in (("", left.arrays, expected.arrays), ("the gradient of ", left.gradients, expected.gradients)):
        for name, value in theirs.items():
            if ours[name].tobytes() == value.tobytes():
                continue
            apart = _apart(ours[name], value)
            if exactly or apart > REORDERED:
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
