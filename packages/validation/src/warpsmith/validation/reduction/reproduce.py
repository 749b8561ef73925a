"""Writes the reproducer of a pair whose gradient is wrong; runs in a sandboxed worker.

Level `gradient` finds the error in double precision. The reproducer works in the precision of the kernel, like the user's
program, and therefore its own comparison is made here first: only a reproducer that shows the error is returned.
"""

from __future__ import annotations

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
from warpsmith.core.records.pair import Pair
from warpsmith.core.records.python_source import parse_python
from warpsmith.validation.levels import execute, gradient, regenerate
from warpsmith.validation.levels.common import entry_points, lines_with_code
from warpsmith.validation.levels.context import BatchContext
from warpsmith.validation.levels.derivatives.disagreement import parse_disagreement
from warpsmith.validation.levels.derivatives.probe import FAILURES, Failure
from warpsmith.validation.levels.level_results import line_key
from warpsmith.validation.reduction.script import Case, Element, script
from warpsmith.validation.reduction.statement_edits import kernel_of
from warpsmith.validation.reduction.template import BEND, ROUNDINGS, SHARE, SIDES
from warpsmith.validation.running.entry_calls import seed
from warpsmith.validation.running.fork_runner import run_forked
from warpsmith.validation.running.prepared_launch import EntryPoints, PreparedLaunch, prepare_launch

STEPS = (2.0**-7, 2.0**-9, 2.0**-5, 2.0**-11)
"""The steps that are tried, before they are scaled by the size of an input's values."""

DIGITS = (2, 3, None)
"""The decimals that values are rounded to, so that the file is easy to read; None leaves them as they are."""

MAX_ELEMENTS = 1000
"""The largest number of input elements that a reproducer compares; of more, it compares the element that the level names."""

_CHUNK = 32
"""How many numbers of the inputs share a process."""


class Reproduction(TypedDict):
    """The answer of a worker: the text of a reproducer, or why there is none; the other field is empty."""

    text: str
    missing: str


def reproduce(lines: Sequence[Line]) -> Reproduction:
    """Return the reproducer of one pair, or why there is none; for sandboxed workers."""
    (line,) = lines
    context = BatchContext(Path.cwd())
    try:
        return {"text": _reproducer(line, context), "missing": ""}
    except WarpsmithError as error:
        return {"text": "", "missing": str(error)}
    finally:
        context.clear()


def _reproducer(line: Line, context: BatchContext) -> str:
    pair, failed, element = _failure(line, context)
    kernel = kernel_of(parse_python(pair.python_source))
    if kernel is None:
        raise WarpsmithError("the Python defines no kernel")
    entries = _entry_points(line, context)
    for case in _cases(failed, element):
        if _is_visible(case, entries, context):
            return script(pair.python_source, kernel.name, pair.metadata.module_options, case, _origin(pair))
    raise WarpsmithError("the error is too small to be seen in the precision of the kernel")


def _failure(line: Line, context: BatchContext) -> tuple[Pair, Failure, Element | None]:
    """Check a pair; return it, the draw that fails, and the number of the inputs that the level names."""
    for level in (regenerate, execute, gradient):
        context.begin(level.LEVEL, [line])
        (finding,) = level.check([line], context)
        if finding.status == "fail" and level is not gradient:
            raise WarpsmithError(f"{line.identity} fails level {level.LEVEL.name}: {finding.reason}")
    failed = context.results(FAILURES).get(line_key(line))
    if failed is None or line.pair is None:
        raise WarpsmithError(f"{line.identity} does not fail level gradient")
    found = parse_disagreement(finding.reason)
    return line.pair, failed, None if found is None or not found.element else (found.argument, found.index)


def _entry_points(line: Line, context: BatchContext) -> EntryPoints:
    ((_, part),) = lines_with_code([line], context, "cpu")
    return entry_points(context.library("cpp", [part])[part.key], part, takes_grid=False)


def _origin(pair: Pair) -> str:
    origin = pair.metadata.origin
    return "" if origin is None else f"{origin.file}:{origin.line}"


def _cases(failed: Failure, element: Element | None) -> Iterator[Case]:
    """Yield launches that may show the error: the failed draw, with different numbers of digits and steps."""
    launch, point, directions = failed.probe.launch, failed.probe.point, failed.probe.direction
    arrays = {leaf.name: _typical(directions[leaf.name]) for leaf in leaves(launch) if leaf.shape and leaf.name in directions}
    if element is not None and element[0] not in arrays:
        raise WarpsmithError(f"on the CPU, Warp computes no gradient of {element[0]!r}, which is not an array")
    few = sum(point[name].size for name in arrays) <= MAX_ELEMENTS
    every = ((name, index) for name in arrays for index in np.ndindex(point[name].shape))
    elements = None if few else (element,) if element is not None else tuple(islice(every, MAX_ELEMENTS))
    outputs = tuple(failed.probe.seeds)
    for digits in DIGITS:
        values = {name: _rounded(value, failed.dtypes.get(name), digits) for name, value in point.items()}
        for step in STEPS:
            yield Case(launch, values, {name: step * size for name, size in arrays.items()}, outputs, elements)


def _typical(direction: Values) -> float:
    """Return the usual size of the steps of an input, as a power of two."""
    sizes = np.abs(direction[direction != 0.0])
    return float(2.0 ** np.round(np.log2(np.median(sizes)))) if sizes.size else 1.0


def _rounded(value: Values, dtype: Any, digits: int | None) -> Values:
    exact = value if dtype is None else value.astype(dtype)
    return exact if digits is None or exact.dtype.kind != "f" else np.asarray(np.round(exact, digits), exact.dtype)


# ------------------------------------------------------------------------------------------- the comparison of the script


@dataclass(frozen=True, slots=True)
class _Comparison:
    """The launches that the derivative by one number of the inputs needs."""

    element: Element
    step: float
    sides: tuple[PreparedLaunch, ...]


def _is_visible(case: Case, kernel: EntryPoints, context: BatchContext) -> bool:
    """Return whether the script shows that a derivative is wrong."""
    context.arena.clear()
    seeds = {name: seed(case.values[name]) for name in case.outputs}
    centre = prepare_launch(kernel, case.launch, case.values, context.arena, backward=True, seeds=seeds)
    if run_forked([centre.calls], context.launch_seconds)[0] is not None:
        return False
    found = centre.outputs()
    total = _sum(found.arrays, seeds)
    size = _sum({name: np.abs(values) for name, values in found.arrays.items()}, seeds)
    elements = case.elements or tuple((name, index) for name in case.steps for index in np.ndindex(case.values[name].shape))
    for start in range(0, len(elements), _CHUNK):
        context.arena.clear()
        compared = [_comparison(element, case, kernel, seeds, context) for element in elements[start : start + _CHUNK]]
        calls = [[call for side in comparison.sides for call in side.calls] for comparison in compared]
        problems = run_forked(calls, context.launch_seconds)
        for comparison, problem in zip(compared, problems, strict=True):
            if problem is None and _is_wrong(comparison, found.gradients, seeds, total, size):
                return True
    return False


def _comparison(
    element: Element, case: Case, kernel: EntryPoints, seeds: Mapping[str, Values], context: BatchContext
) -> _Comparison:
    name, index = element
    sides = []
    for offset in (1.0, -1.0, 0.5, -0.5):
        moved = case.values[name].copy()
        moved[index] += offset * case.steps[name]
        sides.append(
            prepare_launch(kernel, case.launch, case.values | {name: moved}, context.arena, backward=False, seeds=seeds)
        )
    return _Comparison(element, case.steps[name], tuple(sides))


def _is_wrong(
    comparison: _Comparison, gradients: Mapping[str, Values], seeds: Mapping[str, Values], centre: float, size: float
) -> bool:
    up, down, half_up, half_down = (_sum(side.arguments.arrays, seeds) for side in comparison.sides)
    full, half = (up - down) / (2.0 * comparison.step), (half_up - half_down) / comparison.step
    name, index = comparison.element
    expected, got = half + (half - full) / 3.0, float(gradients[name][index])
    rounding = ROUNDINGS * float(np.finfo(gradients[name].dtype).eps) * size / comparison.step
    error = SHARE * max(abs(got), abs(expected)) + BEND * abs(half - full) + rounding
    far, near = (up - 2.0 * centre + down) / comparison.step, (half_up - 2.0 * centre + half_down) / (0.5 * comparison.step)
    is_bend = abs(2.0 * near - far) > error + SIDES * rounding
    return math.isfinite(expected) and not is_bend and not abs(got - expected) <= error


def _sum(arrays: Mapping[str, Values], seeds: Mapping[str, Values]) -> float:
    return sum(float((weights * arrays[name].astype(np.float64)).sum()) for name, weights in seeds.items())
