"""The confirmation of a wrong gradient of an extracted kernel: what else but the generated code may explain it.

Real kernels write what other threads read, change arrays in place, and contain C++ that computes something else in double
precision. A difference between adjoint and central differences counts as wrong only if the results do not depend on the order
of the threads, and if it exists for one array alone, with two more steps. An adjoint that is written by hand is no excuse: the
reason names it, since its author may have meant another one.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from warpsmith.core.inputs.values import Values, leaves
from warpsmith.validation.levels.context import BatchContext
from warpsmith.validation.levels.derivatives.block_branches import tiles_in_thread_branches
from warpsmith.validation.levels.derivatives.derivative import Derivative
from warpsmith.validation.levels.derivatives.draw_tallies import Suspect
from warpsmith.validation.levels.derivatives.exact_derivative import (
    ExactDerivative,
    exact_derivative,
    is_regular,
)
from warpsmith.validation.levels.derivatives.further_opinions import further_opinion
from warpsmith.validation.levels.derivatives.infinite import infinite_leaves
from warpsmith.validation.levels.derivatives.launch_passes import run_passes
from warpsmith.validation.levels.derivatives.probe import STEP, Probe
from warpsmith.validation.levels.derivatives.series import Series, by_hand
from warpsmith.validation.levels.finding import PASS, Finding, attributed, fail, inconclusive
from warpsmith.validation.running.entry_calls import Call, GridShape, on_fibers, out_of_order
from warpsmith.validation.running.fork_runner import run_forked
from warpsmith.validation.running.prepared_launch import prepare_launch
from warpsmith.validation.running.shared_arguments import promoted

STEPS = (STEP / 4.0, STEP / 64.0)
"""The steps of the differences that confirm another one."""

ALONE_STEPS = (2.0 * STEP, 8.0 * STEP)
"""Those for a leaf that moves alone: what hardly depends on it differs from rounding at wider steps."""

REORDERED = 1.0e-9
"""The tolerance for sums in another order, in double precision, relative to the largest value of the array."""

REPLAYED = 1.0e-4
"""The relative tolerance for the derivative with arrays as they were before the launch."""

SAME_NUMBERS = 1.0e-2
"""The tolerance for results of native C++ in double precision, relative to the largest value of the array."""

_NATIVE = re.compile(r"@(?:\w+\.)*func_native\b")


def confirmed(series: Series, context: BatchContext) -> Finding | None:
    """Return the finding on a pair whose adjoint and central differences disagree; None if the differences are wrong.

    They are where the exact derivative of the Python agrees with the adjoint.
    """
    suspect = series.tally.suspects[0]
    reason = series.tally.finding.reason
    problem = _differs_in_double(series, context) or _depends_on_order(series, suspect.probe, context)
    if problem is not None:
        return problem
    if tiles_in_thread_branches(series.source):
        return inconclusive(
            f"{reason}, but only some threads of a block reach its tiles, and CUDA leaves open what happens then"
        )
    exact = exact_derivative(series, suspect.probe)
    if not isinstance(exact, str) and exact.agrees(suspect.adjoint):
        return None
    if math.isfinite(suspect.adjoint):
        wrong = _wrong_leaves(series, suspect, context)
    else:
        wrong = _infinite_leaves(series, suspect, context)
    if isinstance(wrong, Finding):
        return wrong
    if not wrong:
        return inconclusive(f"{reason}, but not along single arrays and with other steps")
    exacts = {name: exact_derivative(series, alone.probe) for name, alone in wrong.items()}
    wrong = {name: alone for name, alone in wrong.items() if not _is_right(alone, exacts[name])}
    if not wrong:
        return None
    wrong = {name: alone for name, alone in wrong.items() if not _is_open(alone, exacts[name])} or wrong
    first, alone = next(iter(wrong.items()))
    if not math.isfinite(alone.adjoint):
        series.tally.failing = alone.probe
    text = (
        f"the gradient of {_listed(list(wrong))} is not the derivative: of {first}, the adjoint gives {alone.adjoint:.9g}, "
        f"central differences {alone.numeric:.9g} along a random direction{by_hand(series.source)}; "
        f"{_opinions(alone, exacts[first])}"
    )
    contradicts, program = further_opinion(series, first, alone, exacts[first], context)
    text += program
    if contradicts or _is_open(alone, exacts[first]) or (isinstance(exacts[first], str) and not program):
        return inconclusive(text)  # a single opinion is no evidence
    roles = {leaf.name: leaf.role for leaf in leaves(suspect.probe.launch)}
    for kinds, finding in (("iub", inconclusive), ("iubf", fail if roles[first] == "input" else inconclusive)):
        if names := overwritten(series, alone.probe, alone.numeric, alone.contributions, kinds, context):
            return finding(f"{text}; {names} is overwritten after it is read, and the backward pass reads the new values")
    return fail(text) if roles[first] == "input" else inconclusive(text)


def _infinite_leaves(series: Series, suspect: Suspect, context: BatchContext) -> dict[str, Derivative] | Finding:
    """Return the leaves whose adjoint is not finite where the derivative is.

    Where all slopes along the direction are finite, the point itself shows it: a division by zero in a branch that is not
    taken has no part in the derivative. Elsewhere other points decide.
    """
    if not is_regular(series, suspect.probe):
        return infinite_leaves(series, suspect, context)
    context.arena.clear()
    directions = suspect.probe.direction.items()
    several = [
        series.derivative_at(replace(suspect.probe, direction={name: direction}), context.arena)
        for name, direction in directions
    ]
    (problem,) = run_passes([several], context.launch_seconds)
    if problem is not None:
        return attributed(problem, lambda text: inconclusive(f"{series.tally.finding.reason}, but {text}"))
    statuses = [derivative.finding().status for derivative in several]
    return {
        name: derivative
        for (name, _), derivative, status in zip(directions, several, statuses, strict=True)
        if status == "fail" and not math.isfinite(derivative.adjoint)
    }


def _is_right(alone: Derivative, exact: ExactDerivative | str) -> bool:
    return not isinstance(exact, str) and exact.agrees(alone.adjoint)


def _is_open(alone: Derivative, exact: ExactDerivative | str) -> bool:
    """Return whether the exact derivative does not confirm the differences: any subgradient is right at a corner."""
    return not isinstance(exact, str) and bool(exact.corners or not exact.is_confirmed(alone.adjoint, alone.numeric))


def _opinions(alone: Derivative, exact: ExactDerivative | str) -> str:
    """Return which opinions on a derivative agree, as the end of a sentence."""
    if isinstance(exact, str):
        return f"the exact derivative of the Python is not available: {exact}"
    if exact.corners:
        return f"the point is at a corner of {_listed(exact.corners)}"
    if exact.is_confirmed(alone.adjoint, alone.numeric):
        return f"central differences and the exact derivative of the Python agree: {exact.derivative:.9g}"
    return f"but the exact derivative of the Python is {exact.derivative:.9g}"


def contents_finding(series: Series, context: BatchContext) -> Finding:
    """Return the finding on arrays that a kernel reads and writes, for a pair whose other gradients are right.

    Their gradient belongs to what they contain before the launch. Warp documents that arrays which are changed in place may
    have wrong gradients.
    """
    written = series.changed()
    if not written or series.replaces_contents:
        return PASS
    for draw in (0, 1):
        context.arena.clear()
        probe = series.probe(draw, written)
        several = [series.derivative_at(replace(probe, step=step), context.arena) for step in (STEP, STEPS[1])]
        (problem,) = run_passes([several], context.launch_seconds)
        if problem is None and all(derivative.finding().status == "fail" for derivative in several):
            names = _listed([leaf.name for leaf in written])
            return inconclusive(f"the other gradients are right, but that of {names}, which the kernel changes, is not: "
                                f"{several[0].finding().reason}")  # fmt: skip
    return PASS


def _differs_in_double(series: Series, context: BatchContext) -> Finding | None:
    """Return a finding if native C++ leaves other results in double precision, such as code that reads the bits of a float."""
    if not _NATIVE.search(series.source):
        return None
    result = series.launches[0]
    context.arena.clear()
    point = {name: promoted(values) for name, values in result.values.items()}
    prepared = prepare_launch(
        series.kernel, result.launch, point, context.arena, backward=False, shape=series.shape(result.launch)
    )
    (problem,) = run_forked([prepared.calls], context.launch_seconds)
    if problem is not None:
        return attributed(problem, lambda text: inconclusive(f"{series.tally.finding.reason}, but in double precision {text}"))
    for name, values in result.outputs.arrays.items():
        if not _same(prepared.arguments.arrays[name], promoted(values), SAME_NUMBERS):
            return inconclusive(f"{series.tally.finding.reason}, but native C++ leaves another {name} in double precision")
    return None


def _depends_on_order(series: Series, probe: Probe, context: BatchContext) -> Finding | None:
    """Return a finding if the results depend on the order in which threads run, or if it cannot be changed."""
    shapes = _orders(series, probe)
    if len(shapes) < 2:
        written = [leaf.name for leaf in leaves(probe.launch) if leaf.role == "inout"]
        unknown = f"without CUDA code the order of threads cannot be changed, and {_listed(written)} is read and written"
        return inconclusive(f"{series.tally.finding.reason}, but {unknown}") if written else None
    context.arena.clear()
    prepared = [
        prepare_launch(series.kernel, probe.launch, probe.point, context.arena, backward=False, shape=shape) for shape in shapes
    ]
    (problem,) = run_forked([[call for launch in prepared for call in launch.calls]], context.launch_seconds)
    if problem is not None:
        return attributed(
            problem, lambda text: inconclusive(f"{series.tally.finding.reason}, but in another order of threads {text}")
        )
    first, *reordered = (launch.arguments.arrays for launch in prepared)
    for other in reordered:
        for name, values in first.items():
            if not _same(values, other[name]):
                return inconclusive(f"{series.tally.finding.reason}, but {name} depends on the order of the threads")
    return None


def _orders(series: Series, probe: Probe) -> list[GridShape | None]:
    usual = series.shape(probe.launch)
    if usual is None:
        return [None]
    if series.part.synchronizes:
        return [usual, on_fibers(probe.launch, series.part.block_dim, last_first=True)]
    return [usual, *out_of_order(probe.launch, series.part.strides)]


def _same(first: Values, second: Values, tolerance: float = REORDERED) -> bool:
    if first.dtype.kind != "f":
        return bool(np.array_equal(first, second))
    finite = np.isfinite(first)
    if not np.array_equal(finite, np.isfinite(second)):
        return False
    scale = float(np.abs(first[finite]).max(initial=0.0))
    return bool(np.all(np.abs(first[finite] - second[finite]) <= tolerance * scale))


def _wrong_leaves(series: Series, suspect: Suspect, context: BatchContext) -> dict[str, Derivative] | Finding:
    """Return the leaves whose own gradient is wrong with each of the other steps, with one of the derivatives."""
    wrong: dict[str, Derivative] = {}
    steps, probe = ALONE_STEPS if suspect.moves_alone else STEPS, suspect.probe
    for name, direction in probe.direction.items():
        context.arena.clear()
        several = [
            series.derivative_at(replace(probe, direction={name: direction}, step=step), context.arena) for step in steps
        ]
        (problem,) = run_passes([several], context.launch_seconds)
        if problem is not None:
            return attributed(
                problem, lambda text: inconclusive(f"{series.tally.finding.reason}, but in double precision {text}")
            )
        if all(derivative.finding().status == "fail" for derivative in several):
            wrong[name] = several[0]
    return wrong


def overwritten(series: Series, probe: Probe, expected: float, contributions: float, kinds: str, context: BatchContext) -> str:
    """Return the arrays whose old contents make the adjoint right, as text; empty if they do not explain it.

    Args:
        series: the draws of the pair.
        probe: the point and the direction of an adjoint that is wrong.
        expected: the derivative.
        contributions: what the elements of all outputs contribute to it.
        kinds: the kinds of the arrays, as letters of NumPy. A kernel that changes integers which it reads has a state, such as
            that of random numbers, and is not a function of its inputs alone.
        context: the state of the batch.
    """
    names = [
        leaf.name
        for leaf in leaves(probe.launch)
        if leaf.role == "inout" and leaf.kind != "value" and probe.point[leaf.name].dtype.kind in kinds
    ]
    if not names:
        return ""
    context.arena.clear()
    shape = series.shape(probe.launch)
    prepared = prepare_launch(
        series.kernel, probe.launch, probe.point, context.arena, backward=True, shape=shape, seeds=probe.seeds
    )
    restore = _Restore([(prepared.arguments.arrays[name], prepared.arguments.arrays[name].copy()) for name in names])
    calls: Sequence[Call] = [*prepared.forward, restore, *prepared.backward]
    if run_forked([calls], context.launch_seconds) != [None]:
        return ""
    exact = sum(float(np.vdot(prepared.arguments.adjoints[name], step)) for name, step in probe.direction.items())
    if not abs(exact - expected) <= REPLAYED * max(abs(expected), contributions):
        return ""
    return _listed(names)


@dataclass(frozen=True, slots=True)
class _Restore:
    """A call between the passes that gives arrays their contents from before the launch."""

    arrays: Sequence[tuple[Values, Values]]

    def __call__(self) -> None:
        for array, before in self.arrays:
            array[...] = before


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:3]) + (", …" if len(names) > 3 else "")
