"""Level `gradient`: the adjoint is the derivative, compared with central differences in float64.

The generated text is compiled once more with ``float32`` read as ``float64``. One run of the adjoint gives the gradient, and
runs of the forward pass at points around the inputs give derivatives along random directions. Where the differences with a step
and with half that step, or to both sides, do not agree, the function has a corner or a jump there, and another point and
direction are drawn.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from warpsmith.core.inputs.values import Values, generator, leaves, objects
from warpsmith.core.records.jsonl import Line
from warpsmith.core.records.launch import Argument, Launch
from warpsmith.validation.compiling.clang import Library
from warpsmith.validation.compiling.part import UnitPart
from warpsmith.validation.levels.common import entry_points, launch_of, lines_with_code
from warpsmith.validation.levels.context import BatchContext
from warpsmith.validation.levels.finding import PASS, Finding, blamed, fail, inconclusive, skipped
from warpsmith.validation.levels.registry import Level
from warpsmith.validation.levels.results import LAUNCHES, LineKey, line_key
from warpsmith.validation.running.arguments import Arguments, promoted
from warpsmith.validation.running.fork_runner import run_forked
from warpsmith.validation.running.launches import Call, GridShape, in_order, on_fibers
from warpsmith.validation.running.prepared import prepare_launch

LEVEL = Level(
    name="gradient",
    seconds=60.0,
    order=70,
    needs=("regenerate", "execute"),
    whole_batch=True,
    compiles=True,
    summary="the adjoint agrees with central differences in double precision",
)

DIRECTIONS = 7
"""How many directions have to agree, each at another launch: the pair's own or one of its `launch_variants`."""

DRAWS = 14
"""How many points and directions are drawn at most to find them."""

STEP = 2.0**-17
"""The step of the differences, before it is scaled by the range of an argument's values; a power of two is added exactly."""

TOLERANCE = 1.0e-6
"""The tolerance for a derivative, relative to the sum of what the elements of all outputs contribute to the derivative."""

BEND = 1.0e-4
"""The relative distance between differences with two steps above which the function has no derivative there."""

ROUNDING = 16.0
"""How many roundings each output is assumed to contain."""

JITTER = 1.0e-3
"""The distance of a drawn point from the inputs, relative to the range of values: values such as 0.0 often lie on a corner."""


def check(lines: Sequence[Line], context: BatchContext) -> list[Finding]:
    """Compare every pair's adjoint with central differences."""
    findings: dict[LineKey, Finding] = {}
    series: list[_Series] = []
    applicable = []
    for line in lines:
        problem = _not_applicable(line, context)
        if problem is not None:
            findings[line_key(line)] = problem
        else:
            applicable.append(line)
    targets = {line_key(line): "cpu" if context.unit_part(line, "cuda") is None else "cuda" for line in applicable}
    for target, unit_type in (("cuda", "double"), ("cpu", "double_cpp")):
        parts = lines_with_code([line for line in applicable if targets[line_key(line)] == target], context, target)
        built = context.library(unit_type, (part for _, part in parts))
        for line, part in parts:
            library = built[part.key]
            if part.key in library.errors:
                reason = f"the text cannot be read in double precision: {library.errors[part.key]}"
                findings[line_key(line)] = Finding("inconclusive", reason)
            else:
                series.append(_Series(line, library, part, context))
    _draw_until_settled(series, context)
    findings |= {one.key: one.finding for one in series}
    return [findings[line_key(line)] for line in lines]


def _draw_until_settled(series: Sequence[_Series], context: BatchContext) -> None:
    """Make `DIRECTIONS` draws for every pair, then one more at a time for pairs whose draws did not all agree."""
    unsettled, draws = list(series), range(DIRECTIONS)
    while unsettled and draws.start < DRAWS:
        context.arena.clear()
        drawn = [(one, [_Derivative(one, draw, context) for draw in draws]) for one in unsettled]
        jobs = [[call for derivative in derivatives for call in derivative.calls] for _, derivatives in drawn]
        for (one, derivatives), problem in zip(drawn, run_forked(jobs, context.launch_seconds), strict=True):
            if problem is not None:
                one.settle(blamed(problem, lambda reason: inconclusive(f"in double precision {reason}")))
                continue
            for derivative in derivatives:
                one.add(derivative.finding())
        unsettled = [one for one in unsettled if not one.settled]
        draws = range(draws.stop, draws.stop + 1)


class _Series:
    """The draws of one pair."""

    def __init__(self, line: Line, library: Library, part: UnitPart, context: BatchContext) -> None:
        self.key = line_key(line)
        self.kernel = entry_points(library, part, takes_grid=part.target == "cuda")
        self.launches = context.results(LAUNCHES)[self.key]
        self.identity = line.identity
        self.settled = False
        self.finding = Finding("inconclusive", "nothing was drawn")
        self._block = part.block_dim if part.synchronizes else 0
        self._agreed = self._drawn = 0

    def shape(self, launch: Launch) -> GridShape | None:
        """Return the grid that a launch runs over, None for C++ code."""
        if not self.kernel.takes_grid:
            return None
        return on_fibers(launch, self._block) if self._block else in_order(launch)[0]

    def settle(self, finding: Finding) -> None:
        """Make ``finding`` final."""
        self.finding, self.settled = finding, True

    def add(self, finding: Finding) -> None:
        """Count the finding of one draw; a failure is final, and so are enough draws that agree."""
        if self.settled:
            return
        self._drawn, self._agreed = self._drawn + 1, self._agreed + (finding.status == "pass")
        if finding.status == "fail" or self._agreed == DIRECTIONS:
            self.settle(finding)
        elif finding.status == "inconclusive":
            reason = f"{self._agreed} of {self._drawn} draws agree, others are at a bend or a jump: {finding.reason}"
            self.finding = Finding("inconclusive", reason)


def _not_applicable(line: Line, context: BatchContext) -> Finding | None:
    launches = context.results(LAUNCHES).get(line_key(line))
    if launches is None:
        return skipped("the kernel was not run")
    launch, has_backward = launch_of(line)
    if not has_backward:
        return Finding("not_applicable", "there is no backward pass")
    arguments = [argument for argument in leaves(launch) if _has_gradient(argument, launches[0].values)]
    if not any(argument.role != "input" for argument in arguments):
        return Finding("not_applicable", "no output holds floats")
    if not any(argument.role == "input" for argument in arguments):
        return Finding("not_applicable", "no input holds floats")
    if kinds := sorted({argument.kind for argument in objects(launch)}):
        return Finding("inconclusive", f"the text cannot be read in double precision: a {kinds[0]} holds single precision")
    return None


def _point(launch: Launch, values: Mapping[str, Values], random: np.random.Generator) -> dict[str, Values]:
    """Return the inputs in double precision, moved slightly inside their domain."""
    point = {name: promoted(value) for name, value in values.items()}
    for argument in leaves(launch):
        if _moves(argument, point) and argument.domain is not None:
            value, domain = point[argument.name], argument.domain
            moves = JITTER * _range(argument) * random.uniform(-1.0, 1.0, value.shape)
            if domain.kind == "uniform":  # the same distance towards the middle keeps the point inside
                value = value + 2.0 * JITTER * ((domain.low + domain.high) / 2.0 - value)
            point[argument.name] = value + moves
    return point


def _moves(argument: Argument, values: Mapping[str, Values]) -> bool:
    return argument.role == "input" and _has_gradient(argument, values)


def _has_gradient(argument: Argument, values: Mapping[str, Values]) -> bool:
    """Return whether Warp computes a gradient of an argument: floats have one, but Warp treats indexed arrays as constant."""
    return argument.kind != "indexed_array" and values[argument.name].dtype.kind == "f"


def _range(argument: Argument) -> float:
    if argument.domain is None or argument.domain.kind in ("unit", "fill"):
        return 1.0
    return max(float(argument.domain.high) - float(argument.domain.low), 1.0e-3)


class _Derivative:
    """The derivative at one point along one direction: one run of the adjoint, and forward runs around the point."""

    OFFSETS = (0.0, 1.0, -1.0, 0.5, -0.5)

    def __init__(self, series: _Series, draw: int, context: BatchContext) -> None:
        result, random = series.launches[draw % len(series.launches)], generator(f"{series.identity}/{draw}")
        launch, kernel = result.launch, series.kernel
        point = _point(launch, result.values, random)
        self._direction = {
            argument.name: _range(argument) * random.standard_normal(point[argument.name].shape)
            for argument in leaves(launch)
            if _moves(argument, point) and (argument.kind != "value" or kernel.takes_grid)
        }
        self._seeds = {
            argument.name: random.uniform(0.5, 1.5, point[argument.name].shape)
            for argument in leaves(launch)
            if argument.role != "input" and _has_gradient(argument, point)
        }
        shape = series.shape(launch)
        prepared = []
        for offset in self.OFFSETS:
            moved = {name: np.asarray(point[name] + offset * STEP * step) for name, step in self._direction.items()}
            centre = offset == 0.0
            prepared.append(
                prepare_launch(kernel, launch, point | moved, context.arena, backward=centre, shape=shape, seeds=self._seeds)
            )
        self._runs = [one.arguments for one in prepared]
        self.calls: list[Call] = [call for one in prepared for call in one.forward] + prepared[0].backward

    def finding(self) -> Finding:
        """Compare the adjoint with the differences; inconclusive where the function has no derivative."""
        centre, up, down, half_up, half_down = self._runs
        whole, half = self._difference(up, down, 2.0), self._difference(half_up, half_down, 1.0)
        sides = self._difference(half_up, centre, 0.5), self._difference(centre, half_down, 0.5)
        far = self._difference(up, centre, 1.0), self._difference(centre, down, 1.0)
        exact = self._exact()
        if not np.all(np.isfinite([value for pair in (whole, half, *sides, *far) for value in pair])):
            return Finding("inconclusive", "the differences are not finite")
        scale, noise = max(half[1], abs(exact) if np.isfinite(exact) else 0.0), self._noise()
        # Both steps together give the derivative to the fourth order of the step.
        numeric, distance = half[0] + (half[0] - whole[0]) / 3.0, abs(half[0] - whole[0])
        # The sides differ by curvature in proportion to the step, which cancels here; at a corner they differ with any step.
        corner = abs(2.0 * (sides[0][0] - sides[1][0]) - (far[0][0] - far[1][0]))
        if distance > max(BEND * scale, noise) or corner > max(TOLERANCE * scale, noise):
            return Finding(
                "inconclusive", f"steps give {half[0]:.6g} and {whole[0]:.6g}, sides {sides[0][0]:.6g} and {sides[1][0]:.6g}"
            )
        if not np.isfinite(exact):
            return fail("the adjoint is not finite where the differences are")
        if abs(exact - numeric) <= max(TOLERANCE * scale, 10.0 * distance, noise):
            return PASS
        return fail(f"the adjoint gives {exact:.9g}, central differences {numeric:.9g} along a random direction")

    def _exact(self) -> float:
        adjoints = self._runs[0].adjoints | self._runs[0].value_adjoints
        return float(sum(np.vdot(adjoints[name].ravel(), direction.ravel()) for name, direction in self._direction.items()))

    def _noise(self) -> float:
        """Return the error that rounding alone causes in differences, and in an adjoint whose terms cancel.

        Where outputs hardly depend on inputs, the differences consist of this error.
        """
        size = sum(float(np.abs(seeds * self._runs[0].after_forward[name]).sum()) for name, seeds in self._seeds.items())
        seeded = sum(float(np.abs(seeds).sum()) for seeds in self._seeds.values())
        return ROUNDING * float(np.finfo(np.float64).eps) * (size / STEP + seeded)

    def _difference(self, above: Arguments, below: Arguments, steps: float) -> tuple[float, float]:
        """Return the derivative of the seeded sum of all outputs, and the sum of the absolute contributions of its elements."""
        total = size = 0.0
        for name, seeds in self._seeds.items():
            change = seeds * (above.after_forward[name] - below.after_forward[name]) / (steps * STEP)
            total += float(change.sum())
            size += float(np.abs(change).sum())
        return total, size
