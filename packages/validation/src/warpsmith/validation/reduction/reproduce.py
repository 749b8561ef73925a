"""Writes the reproducer of a pair whose gradient is wrong; runs in a sandboxed worker.

Level `gradient` finds the error in double precision. The reproducer works in the precision of the kernel, like the user's
program, and therefore its own comparison is made here first: only a reproducer that shows the error is returned.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, TypedDict

import numpy as np

from warpsmith.core.errors import WarpsmithError
from warpsmith.core.inputs.values import Values, leaves
from warpsmith.core.records.jsonl import Line
from warpsmith.core.records.launch import Launch
from warpsmith.core.records.pair import Pair
from warpsmith.core.records.python_source import parse_python
from warpsmith.validation.levels import execute, gradient, regenerate
from warpsmith.validation.levels.common import entry_points, lines_with_code
from warpsmith.validation.levels.context import BatchContext
from warpsmith.validation.levels.derivatives.disagreement import Disagreement, parse_disagreement
from warpsmith.validation.levels.derivatives.probe import FAILURES, Failure
from warpsmith.validation.levels.level_results import line_key
from warpsmith.validation.reduction.causes import CAUSE_TEXTS, Causes, causes
from warpsmith.validation.reduction.script import Case, Element, Figures, environment, script
from warpsmith.validation.reduction.statement_edits import kernel_of
from warpsmith.validation.running.entry_calls import seed
from warpsmith.validation.running.fork_runner import run_forked
from warpsmith.validation.running.prepared_launch import EntryPoints, PreparedLaunch, prepare_launch

STEPS = (2.0**-8, 2.0**-10, 2.0**-6, 2.0**-12)
"""The steps that are tried, before they are scaled by the size of an input's values."""

DIGITS = (2, 3, None)
"""The decimals that values are rounded to, so that the file is easy to read; None leaves them as they are."""

MAX_ELEMENTS = 1000
"""The largest number of input elements that are compared; of more, the element that the level names is compared."""

SHOWN = 3
"""The largest number of wrong derivatives that a reproducer shows."""

SHARE, BEND, ROUNDINGS = 0.02, 4.0, 4.0
"""The error that a derivative may have: relative to itself, to the distance of two differences, in roundings of the outputs."""

SIDES = 8.0
"""How many times more rounding than a derivative the difference between the derivatives of both sides may have."""

CLEAR = 2.0
"""How many times the error that it may have a derivative that is shown is wrong by at least."""

SMALL = 1.0 / 64.0
"""If the step for a number is smaller than this fraction of the input's usual step, the number gets that smaller step."""

_CHUNK = 32
"""How many numbers of the inputs share a process."""


class Reproduction(TypedDict):
    """The answer of a worker: a reproducer and what a report says about it, or why there is none; other fields are empty.

    Attributes:
        text: the text of the reproducer.
        summary: what is wrong, in one sentence.
        printed: what the reproducer prints.
        environment: the versions that it was made with.
        missing: why there is no reproducer.
    """

    text: str
    summary: str
    printed: str
    environment: str
    missing: str


def reproduce(lines: Sequence[Line]) -> Reproduction:
    """Return the reproducer of one pair, or why there is none; for sandboxed workers."""
    (line,) = lines
    context = BatchContext(Path.cwd())
    try:
        return _reproduction(line, context)
    except WarpsmithError as error:
        return {"text": "", "summary": "", "printed": "", "environment": "", "missing": str(error)}
    finally:
        context.clear()


def _reproduction(line: Line, context: BatchContext) -> Reproduction:
    pair, failed, wrong = _failure(line, context)
    kernel = kernel_of(parse_python(pair.python_source))
    if kernel is None:
        raise WarpsmithError("the Python defines no kernel")
    entries = _entry_points(line, context)
    for trial in _trials(failed, wrong):
        case = _shown(trial, entries, context)
        if case is not None:
            summary = _summary(kernel.name, case.figures[0], causes(pair.python_source))
            text = script(pair.python_source, kernel.name, pair.metadata.module_options, case, summary, _origin(pair))
            printed = "\n".join(case.printed)
            return {"text": text, "summary": summary, "printed": printed, "environment": environment(), "missing": ""}
    raise WarpsmithError("the error is too small to be seen in the precision of the kernel")


def _summary(kernel: str, worst: Figures, found: Causes) -> str:
    """Return what is wrong in one sentence, and another one with the construct that the gradient depends on, if it is clear."""
    name, index = worst.element
    figures = f"{name}{list(index)} is {worst.got:.4g} instead of {worst.expected:.4g}"
    known = [CAUSE_TEXTS[cause] for cause in found.get(name.partition(".")[0], ()) if cause in CAUSE_TEXTS]
    cause = f"\n\nThe gradient depends on {known[0]}." if len(known) == 1 else ""
    return f"Warp's adjoint of the kernel `{kernel}` is wrong: the gradient of {figures}.{cause}"


def _failure(line: Line, context: BatchContext) -> tuple[Pair, Failure, Disagreement | None]:
    """Check a pair; return it, the draw that fails, and the figures that the level names."""
    for level in (regenerate, execute, gradient):
        context.begin(level.LEVEL, [line])
        (finding,) = level.check([line], context)
        if finding.status == "fail" and level is not gradient:
            raise WarpsmithError(f"{line.identity} fails level {level.LEVEL.name}: {finding.reason}")
    failed = context.results(FAILURES).get(line_key(line))
    if failed is None or line.pair is None:
        raise WarpsmithError(f"{line.identity} does not fail level gradient")
    return line.pair, failed, parse_disagreement(finding.reason)


def _entry_points(line: Line, context: BatchContext) -> EntryPoints:
    ((_, part),) = lines_with_code([line], context, "cpu")
    return entry_points(context.library("cpp", [part])[part.key], part, takes_grid=False)


def _origin(pair: Pair) -> str:
    origin = pair.metadata.origin
    return "" if origin is None else f"{origin.file}:{origin.line}"


@dataclass(frozen=True, slots=True)
class _Trial:
    """A launch that may show the error.

    Attributes:
        launch: the size of the launch, and the names and types of the arguments.
        values: the values of all leaves.
        steps: the steps of the differences, by input.
        seeds: the gradients of the outputs.
        elements: the numbers of the inputs to compare.
        outputs: the outputs whose sum has these derivatives.
        weighted: whether the gradients of the numbers of an output differ.
        is_finite: whether the wrong derivatives are finite.
    """

    launch: Launch
    values: dict[str, Values]
    steps: dict[str, Values]
    seeds: dict[str, Values]
    elements: tuple[Element, ...]
    outputs: tuple[str, ...]
    weighted: bool
    is_finite: bool


def _trials(failed: Failure, wrong: Disagreement | None) -> Iterator[_Trial]:
    """Yield launches that may show the error: the failed draw, with different numbers of digits, steps, outputs and weights.

    Only derivatives by the argument that the level names are compared, if it names one.
    """
    launch, point, directions = failed.probe.launch, failed.probe.point, failed.probe.direction
    arrays = {leaf.name: _sizes(directions[leaf.name]) for leaf in leaves(launch) if leaf.shape and leaf.name in directions}
    if wrong is not None and wrong.argument:
        if wrong.argument not in arrays:
            raise WarpsmithError(f"on the CPU, Warp computes no gradient of {wrong.argument!r}, which is not an array")
        arrays = {wrong.argument: arrays[wrong.argument]}
    every = ((name, index) for name in arrays for index in np.ndindex(point[name].shape))
    is_named = wrong is not None and wrong.element and sum(point[name].size for name in arrays) > MAX_ELEMENTS
    elements = ((wrong.argument, wrong.index),) if wrong is not None and is_named else tuple(islice(every, MAX_ELEMENTS))
    is_finite = wrong is None or math.isfinite(wrong.got)
    every_output = tuple(failed.probe.seeds)
    choices = [every_output, *([(name,) for name in every_output] if len(every_output) > 1 else [])]
    for digits, step, outputs in itertools.product(DIGITS, STEPS, choices):
        values = {name: _rounded(value, failed.dtypes.get(name), digits) for name, value in point.items()}
        steps = {name: step * size for name, size in arrays.items()}
        for weighted in (False, True):
            seeds = {
                name: _seed(values[name], weighted) if name in outputs else np.zeros_like(values[name]) for name in every_output
            }
            yield _Trial(launch, values, steps, seeds, elements, outputs, weighted, is_finite)


def _seed(output: Values, weighted: bool) -> Values:
    return seed(output) if weighted else np.ones_like(output)


def _sizes(direction: Values) -> Values:
    """Return the sizes of the steps of an input as powers of two: the usual size, and a smaller one for small numbers."""
    sizes = np.abs(direction)
    usual = float(np.median(sizes[sizes > 0.0])) if np.any(sizes) else 1.0
    is_small = (sizes > 0.0) & (sizes < SMALL * usual)
    return np.asarray(2.0 ** np.round(np.log2(np.where(is_small, sizes, usual))))


def _rounded(value: Values, dtype: Any, digits: int | None) -> Values:
    exact = value if dtype is None else value.astype(dtype)
    return exact if digits is None or exact.dtype.kind != "f" else np.asarray(np.round(exact, digits), exact.dtype)


# ------------------------------------------------------------------------------------------- the comparison of the script


@dataclass(frozen=True, slots=True)
class _Comparison:
    """The launches that the derivative by one number of the inputs needs: with a step and with two, to both sides."""

    element: Element
    step: float
    sides: tuple[PreparedLaunch, ...]


def _shown(trial: _Trial, kernel: EntryPoints, context: BatchContext) -> Case | None:
    """Return the case with the derivatives that are clearly wrong, or None if there are none."""
    context.arena.clear()
    centre = prepare_launch(kernel, trial.launch, trial.values, context.arena, backward=True, seeds=trial.seeds)
    if run_forked([centre.calls], context.launch_seconds)[0] is not None:
        return None
    found = centre.outputs()
    total = _sum(found.arrays, trial.seeds)
    size = _sum({name: np.abs(values) for name, values in found.arrays.items()}, trial.seeds)
    wrong: list[tuple[float, Figures]] = []
    for start in range(0, len(trial.elements), _CHUNK):
        context.arena.clear()
        compared = [_comparison(element, trial, kernel, context) for element in trial.elements[start : start + _CHUNK]]
        calls = [[call for side in comparison.sides for call in side.calls] for comparison in compared]
        problems = run_forked(calls, context.launch_seconds)
        for comparison, problem in zip(compared, problems, strict=True):
            entry = _wrong(comparison, found.gradients, trial.seeds, total, size) if problem is None else None
            if entry is not None and math.isfinite(entry[1].got) == trial.is_finite:
                wrong.append(entry)
    return _case(trial, wrong)


def _case(trial: _Trial, wrong: Sequence[tuple[float, Figures]]) -> Case | None:
    """Return the case that shows the worst of derivatives that are wrong, each given with the error that it may have."""
    by_error = sorted(wrong, key=lambda entry: -_excess(*entry))[:SHOWN]
    while by_error:
        tolerance = float(f"{1.05 * max(error for error, _ in by_error):.1g}")
        if all(_excess(tolerance, figures) >= CLEAR for _, figures in by_error):
            shown = tuple(figures for _, figures in by_error)
            return Case(trial.launch, trial.values, trial.outputs, trial.weighted, shown, tolerance)
        by_error.pop()
    return None


def _excess(error: float, figures: Figures) -> float:
    """Return how many times the error that it may have a derivative is wrong by."""
    distance = abs(figures.got - figures.expected)
    return distance / error if math.isfinite(distance) else math.inf


def _comparison(element: Element, trial: _Trial, kernel: EntryPoints, context: BatchContext) -> _Comparison:
    name, index = element
    step, sides = float(trial.steps[name][index]), []
    for offset in (2.0, -2.0, 1.0, -1.0):
        moved = trial.values[name].copy()
        moved[index] += offset * step
        values = trial.values | {name: moved}
        sides.append(prepare_launch(kernel, trial.launch, values, context.arena, backward=False, seeds=trial.seeds))
    return _Comparison(element, step, tuple(sides))


def _wrong(
    comparison: _Comparison, gradients: Mapping[str, Values], seeds: Mapping[str, Values], centre: float, size: float
) -> tuple[float, Figures] | None:
    """Return a derivative that is wrong, and the error that it may have; None for others, and where there is none."""
    far_up, far_down, up, down = (_sum(side.arguments.arrays, seeds) for side in comparison.sides)
    step, (name, index) = comparison.step, comparison.element
    expected, doubled, got = (up - down) / (2.0 * step), (far_up - far_down) / (4.0 * step), float(gradients[name][index])
    rounding = ROUNDINGS * float(np.finfo(gradients[name].dtype).eps) * size / step
    error = SHARE * max(abs(got) if math.isfinite(got) else 0.0, abs(expected)) + BEND * abs(expected - doubled) + rounding
    far, near = (far_up - 2.0 * centre + far_down) / (2.0 * step), (up - 2.0 * centre + down) / step
    # Curvature makes the sides differ in proportion to the step, which cancels here; at a bend there is no derivative.
    is_bend = abs(2.0 * near - far) > error + SIDES * rounding
    if not math.isfinite(expected) or is_bend or abs(got - expected) <= error:
        return None
    return error, Figures(comparison.element, step, got, expected)


def _sum(arrays: Mapping[str, Values], seeds: Mapping[str, Values]) -> float:
    return sum(float((weights * arrays[name].astype(np.float64)).sum()) for name, weights in seeds.items())
