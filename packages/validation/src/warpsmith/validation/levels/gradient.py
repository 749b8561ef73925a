"""Level 7: the adjoint is the derivative, by central differences in float64.

The generated text is compiled once more with ``float32`` read as ``float64``. One run of the adjoint gives the gradient, and
runs of the forward pass at points around the inputs give derivatives along random directions. Where the differences with a step
and with half of it, or to both sides, do not agree, the function bends or jumps there, and another point and direction are
drawn.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from warpsmith.core.inputs.values import Values, generator, leaves, objects
from warpsmith.core.records.jsonl import Line
from warpsmith.core.records.launch import Argument, Launch
from warpsmith.validation.levels.common import launch_of
from warpsmith.validation.levels.context import BatchContext, Place, place, standing
from warpsmith.validation.levels.finding import PASS, Finding, fail, skipped

if TYPE_CHECKING:
    from warpsmith.validation.compiling.clang import Library
    from warpsmith.validation.compiling.unit import Part
    from warpsmith.validation.running.arguments import Arguments

DIRECTIONS = 7
"""How many directions have to agree, each at another of the launches that `launch_variants` makes of a pair, or its own."""

DRAWS = 14
"""How many points and directions are drawn to find them."""

STEP = 2.0**-17
"""Of the differences, before it is scaled by the spread of an argument's values; a power of two, so that it adds exactly."""

TOLERANCE = 1.0e-6
"""Of a derivative, relative to what the elements of all outputs contribute to it."""

BEND = 1.0e-4
"""Differences with two steps that lie farther apart than this, relatively, were taken where there is no derivative."""

ROUNDING = 16.0
"""How many roundings are taken to stand behind each output."""

JITTER = 1.0e-3
"""How far the point of a draw lies from the inputs, relative to the spread of values: 0.0 and its like often sit on a bend."""


def check(lines: Sequence[Line], context: BatchContext) -> list[Finding]:
    """Compare every pair's adjoint with central differences."""
    findings: dict[Place, Finding] = {}
    series: list[_Series] = []
    chosen = {place(line): "cuda" if context.part(line, "cuda") is not None else "cpu" for line in lines}
    applicable = []
    for line in lines:
        problem = _not_applicable(line, context)
        if problem is not None:
            findings[place(line)] = problem
        else:
            applicable.append(line)
    for target, kind in (("cuda", "double"), ("cpu", "double_cpp")):
        parts = standing([line for line in applicable if chosen[place(line)] == target], context, target)
        built = context.library(kind, (part for _, part in parts))
        for line, part in parts:
            library = built[part.key]
            if part.key in library.errors:
                reason = f"the text cannot be read in double precision: {library.errors[part.key]}"
                findings[place(line)] = Finding("inconclusive", reason)
            else:
                series.append(_Series(line, target, library, part, context))
    _draw_until_clear(series, context)
    findings |= {one.place: one.finding for one in series}
    return [findings[place(line)] for line in lines]


def _draw_until_clear(series: Sequence[_Series], context: BatchContext) -> None:
    """Give every pair `DIRECTIONS` draws, and those where these did not all agree one more at a time."""
    from warpsmith.validation.running.fork_runner import run_forked

    left, draws = list(series), range(DIRECTIONS)
    while left and draws.start < DRAWS:
        context.arena.clear()
        drawn = [(one, [_Derivative(one, draw, context) for draw in draws]) for one in left]
        problems = run_forked([[call for derivative in derivatives for call in derivative.calls] for _, derivatives in drawn])
        for (one, derivatives), problem in zip(drawn, problems, strict=True):
            if problem is not None:
                one.settle(Finding("inconclusive", f"in double precision {problem}"))
                continue
            for derivative in derivatives:
                one.hear(derivative.judge())
        left = [one for one in left if not one.settled]
        draws = range(draws.stop, draws.stop + 1)


class _Series:
    """The draws of one pair."""

    def __init__(self, line: Line, target: str, library: Library, part: Part, context: BatchContext) -> None:
        self.place, self.target = place(line), target
        ending = "_grid" if target == "cuda" else ""
        self.forward, self.backward = (library.address(part, direction, ending) for direction in ("forward", "backward"))
        self.waits, self.block_dim = part.waits, part.block_dim
        self.dimensions, self.replays = part.dimensions, part.replays_writes
        self.drawn = context.drawn[self.place]
        self.key = line.identity
        self.settled = False
        self.finding = Finding("inconclusive", "nothing was drawn")
        self._agreed = self._drawn = 0

    def settle(self, finding: Finding) -> None:
        """Take ``finding`` as the last word."""
        self.finding, self.settled = finding, True

    def hear(self, finding: Finding) -> None:
        """Count what one draw said; a failure is the last word, and so are enough that agree."""
        if self.settled:
            return
        self._drawn, self._agreed = self._drawn + 1, self._agreed + (finding.status == "pass")
        if finding.status == "fail" or self._agreed == DIRECTIONS:
            self.settle(finding)
        elif finding.status == "inconclusive":
            reason = f"{self._agreed} of {self._drawn} draws agree, others are at a bend or a jump: {finding.reason}"
            self.finding = Finding("inconclusive", reason)


def _not_applicable(line: Line, context: BatchContext) -> Finding | None:
    if place(line) not in context.drawn:
        return skipped("the kernel was not run")
    how, has_backward = launch_of(line)
    if not has_backward:
        return Finding("not_applicable", "there is no backward pass")
    arguments, values = leaves(how), context.drawn[place(line)][0].values
    floats = {argument.name for argument in arguments if _has_gradient(argument, values)}
    if not any(argument.name in floats and argument.role != "input" for argument in arguments):
        return Finding("not_applicable", "no output holds floats")
    if not any(argument.name in floats and argument.role == "input" for argument in arguments):
        return Finding("not_applicable", "no input holds floats")
    if kinds := sorted({one.kind for one in objects(how)}):
        return Finding("inconclusive", f"the text cannot be read in double precision: a {kinds[0]} holds single precision")
    return None


def _point(how: Launch, values: Mapping[str, Values], random: np.random.Generator) -> dict[str, Values]:
    """The inputs in double precision, moved a little inside their domain."""
    from warpsmith.validation.running.arguments import promoted

    point = {name: promoted(value) for name, value in values.items()}
    for argument in leaves(how):
        if _moves(argument, point) and argument.domain is not None:
            value, domain = point[argument.name], argument.domain
            moves = JITTER * _spread(argument) * random.uniform(-1.0, 1.0, value.shape)
            if domain.kind == "uniform":  # towards the middle by as much, so that it stays inside
                value = value + 2.0 * JITTER * ((domain.low + domain.high) / 2.0 - value)
            point[argument.name] = value + moves
    return point


def _moves(argument: Argument, values: Mapping[str, Values]) -> bool:
    return argument.role == "input" and _has_gradient(argument, values)


def _has_gradient(argument: Argument, values: Mapping[str, Values]) -> bool:
    """Whether Warp has a gradient of an argument: it is of floats, and no indexed array, which Warp takes for constant."""
    return argument.kind != "indexed_array" and values[argument.name].dtype.kind == "f"


def _spread(argument: Argument) -> float:
    if argument.domain is None or argument.domain.kind in ("unit", "fill"):
        return 1.0
    return max(float(argument.domain.high) - float(argument.domain.low), 1.0e-3)


class _Derivative:
    """One point and direction: runs the adjoint and the forward pass around it."""

    OFFSETS = (0.0, 1.0, -1.0, 0.5, -0.5)

    def __init__(self, series: _Series, draw: int, context: BatchContext) -> None:
        from warpsmith.validation.running.arguments import prepare
        from warpsmith.validation.running.launches import cpp_backward, cpp_forward, give_seeds, grid, in_order, on_fibers

        drawn, random = series.drawn[draw % len(series.drawn)], generator(f"{series.key}/{draw}")
        how = drawn.how
        self._values_too = series.target == "cuda"
        point = _point(how, drawn.values, random)
        self._direction = {
            argument.name: _spread(argument) * random.standard_normal(point[argument.name].shape)
            for argument in leaves(how)
            if _moves(argument, point) and (argument.kind != "value" or self._values_too)
        }
        self._seeds = {
            argument.name: random.uniform(0.5, 1.5, point[argument.name].shape)
            for argument in leaves(how)
            if argument.role != "input" and _has_gradient(argument, point)
        }
        self._runs = []
        for offset in self.OFFSETS:
            steps = {name: np.asarray(point[name] + offset * STEP * direction) for name, direction in self._direction.items()}
            self._runs.append(prepare(how, point | steps, context.arena))
        give_seeds(how, self._runs[0], self._seeds)
        kept = [self._runs[0].keep(context.arena)] if series.replays else []
        if series.target == "cpu":
            self.calls = [cpp_forward(series.forward, how, series.dimensions, arguments) for arguments in self._runs]
            self.calls += kept
            self.calls.append(cpp_backward(series.backward, how, series.dimensions, self._runs[0]))
        else:
            shape = on_fibers(how, series.block_dim) if series.waits else in_order(how)[0]
            call = partial(grid, how=how, dimensions=series.dimensions, shape=shape)
            self.calls = [call(series.forward, arguments=arguments, backward=False) for arguments in self._runs]
            self.calls += kept
            self.calls.append(call(series.backward, arguments=self._runs[0], backward=True))

    def judge(self) -> Finding:
        """Compare; inconclusive where the function has no derivative."""
        centre, up, down, half_up, half_down = self._runs
        whole, half = self._difference(up, down, 2.0), self._difference(half_up, half_down, 1.0)
        sides = self._difference(half_up, centre, 0.5), self._difference(centre, half_down, 0.5)
        far = self._difference(up, centre, 1.0), self._difference(centre, down, 1.0)
        exact = self._exact()
        if not np.all(np.isfinite([value for pair in (whole, half, *sides, *far) for value in pair])):
            return Finding("inconclusive", "the differences are not finite")
        scale, noise = max(half[1], abs(exact) if np.isfinite(exact) else 0.0), self._noise()
        # The derivative from both steps together is good to the fourth order of the step.
        numeric, apart = half[0] + (half[0] - whole[0]) / 3.0, abs(half[0] - whole[0])
        # Curvature sets the sides apart in proportion to the step, which cancels here; a corner does whatever the step.
        corner = abs(2.0 * (sides[0][0] - sides[1][0]) - (far[0][0] - far[1][0]))
        if apart > max(BEND * scale, noise) or corner > max(TOLERANCE * scale, noise):
            return Finding(
                "inconclusive", f"steps give {half[0]:.6g} and {whole[0]:.6g}, sides {sides[0][0]:.6g} and {sides[1][0]:.6g}"
            )
        if not np.isfinite(exact):
            return fail("the adjoint is not finite where the differences are")
        if abs(exact - numeric) <= max(TOLERANCE * scale, 10.0 * apart, noise):
            return PASS
        return fail(f"the adjoint gives {exact:.9g}, central differences {numeric:.9g} along a random direction")

    def _exact(self) -> float:
        adjoints = self._runs[0].adjoints | self._runs[0].value_adjoints
        return float(sum(np.vdot(adjoints[name].ravel(), direction.ravel()) for name, direction in self._direction.items()))

    def _noise(self) -> float:
        """What rounding alone makes of differences, and of an adjoint whose shares cancel: all there is to see where outputs
        hardly depend on inputs.
        """
        size = sum(float(np.abs(seeds * self._runs[0].left[name]).sum()) for name, seeds in self._seeds.items())
        seeded = sum(float(np.abs(seeds).sum()) for seeds in self._seeds.values())
        return ROUNDING * float(np.finfo(np.float64).eps) * (size / STEP + seeded)

    def _difference(self, above: Arguments, below: Arguments, steps: float) -> tuple[float, float]:
        """The derivative of the seeded sum of all outputs, and the sum of what the elements contribute without their signs."""
        total = size = 0.0
        for name, seeds in self._seeds.items():
            change = seeds * (above.left[name] - below.left[name]) / (steps * STEP)
            total += float(change.sum())
            size += float(np.abs(change).sum())
        return total, size
