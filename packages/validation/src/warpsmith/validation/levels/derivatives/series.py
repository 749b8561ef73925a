"""The draws of one pair at level `gradient`: points, directions, and the finding that follows from what they show."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from warpsmith.core.inputs.values import Values, generator, leaves
from warpsmith.core.records.jsonl import Line
from warpsmith.core.records.launch import Argument, Launch
from warpsmith.validation.compiling.clang import Library
from warpsmith.validation.compiling.part import UnitPart
from warpsmith.validation.levels.common import entry_points
from warpsmith.validation.levels.context import BatchContext
from warpsmith.validation.levels.derivatives.balance import input_factors, output_factors, random_seeds, size_of
from warpsmith.validation.levels.derivatives.derivative import Derivative, has_gradient
from warpsmith.validation.levels.derivatives.probe import STEP, Probe
from warpsmith.validation.levels.finding import Finding
from warpsmith.validation.levels.level_results import LAUNCHES, MARKED, LaunchResult, line_key
from warpsmith.validation.running.entry_calls import GridShape, in_order, on_fibers
from warpsmith.validation.running.fork_runner import SLOW
from warpsmith.validation.running.shared_arguments import promoted
from warpsmith.validation.running.shared_memory import Arena

DIRECTIONS = 7
"""How many directions have to agree, each at another launch: the pair's own or one of its `launch_variants`."""

FINER = 256.0
"""The quotient of the steps of early and late draws: a bend that is wide for one is narrow for the other."""

JITTER = 1.0e-3
"""The distance of a drawn point from the inputs, relative to the range of values: values such as 0.0 often lie on a corner."""

SMALL = 1.0e-2
"""The share of a leaf in the derivative below which the leaf's gradient is checked alone, see `unseen`."""

SENTINELS = 1.0e6
"""A range of at least this size and this many times the median is filled by few numbers, such as flags of 1e10."""

NONE: Mapping[str, float] = {}

EXTREMUM = re.compile(r"\batomic_(?:min|max|exch|cas)\b")
"""Functions that replace what an array contains; Warp's adjoint treats the contents before as if they stayed."""

BY_HAND = re.compile(r"@(?:\w+\.)*func_(?:grad|replay|native)\b")
"""Adjoints and C++ written by hand. Where they store, they usually keep the gradient of what an output contained before."""

_HALF = re.compile(r"\b(?:float16|half|(?:vec|mat)\d+h|quath|transformh|spatial_\w+h)\b")
"""Names of types in half precision, such as ``vec3h``."""


@dataclass(frozen=True, slots=True)
class Alone:
    """A leaf whose gradient is checked alone: an input that moves alone, or an output that alone has seeds."""

    leaf: Argument
    is_seeded: bool = False


class Series:
    """The draws of one pair.

    Attributes:
        key: the key of the pair's line.
        kernel: the entry points of the text in double precision.
        launches: the results of level `execute`.
        recorded_launch: the result of the pair's own launch, with the roles of the record.
        identity: the pair's id.
        finished: whether the finding is final.
        finding: the finding.
        failing: the point and the direction at which the adjoint is wrong, if there are.
        dtypes: the types of the pair's own values by leaf.
        overwritten: see `overwritten_sizes`.
        source: the Python of the pair.
        part: the code of the pair.
    """

    def __init__(self, line: Line, library: Library, part: UnitPart, context: BatchContext) -> None:
        self.key = line_key(line)
        self.kernel = entry_points(library, part, takes_grid=part.target == "cuda")
        self.launches = context.results(LAUNCHES)[self.key]
        self.recorded_launch = self.launches[0]
        self.identity = line.identity
        self.finished = False
        self.finding = Finding("inconclusive", "nothing was drawn")
        self.failing: Probe | None = None
        self.dtypes = {name: values.dtype for name, values in self.launches[0].values.items()}
        self.source = line.pair.python_source if line.pair is not None else ""
        self.part = part
        self._block = part.block_dim if part.synchronizes else 0
        self._agreed = self._drawn = 0
        keeps = self.replaces_contents or BY_HAND.search(self.source)
        self.overwritten = {} if keeps else overwritten_sizes(self.launches[0], context.results(MARKED).get(self.key))
        self._shares: dict[str, float] = {}
        self._output_shares: dict[str, float] = {}

    @property
    def is_slow(self) -> bool:
        """Whether the draws did not end in time."""
        return SLOW in self.finding.reason

    @property
    def replaces_contents(self) -> bool:
        """Whether the kernel replaces what an array contains, see `EXTREMUM`."""
        return EXTREMUM.search(self.source) is not None

    @property
    def has_halves(self) -> bool:
        """Whether the Python names a type in half precision, whose range is small."""
        return _HALF.search(self.source) is not None

    def shape(self, launch: Launch) -> GridShape | None:
        """Return the grid that a launch runs over, None for C++ code."""
        if not self.kernel.takes_grid:
            return None
        return on_fibers(launch, self._block) if self._block else in_order(launch)[0]

    def derivative(self, draw: int, arena: Arena) -> Derivative:
        """Return the derivative at the point and along the direction of a draw."""
        probe = self._probe(draw)
        return Derivative(self.kernel, probe, self.shape(probe.launch), arena)

    def _probe(self, draw: int) -> Probe:
        result, random = self.launches[draw % len(self.launches)], generator(f"{self.identity}/{draw}")
        launch = result.launch
        point, factors = self._point(result, random), input_factors(self._shares, draw)
        direction = {
            leaf.name: factors.get(leaf.name, 1.0)
            * _scale(leaf, result.values[leaf.name])
            * random.standard_normal(point[leaf.name].shape)
            for leaf in self.moving()
        }
        direction |= {name: size * random.standard_normal(point[name].shape) for name, size in self.overwritten.items()}
        seeds = _seeds(launch, point, random, size_of(draw), output_factors(self._output_shares, draw))
        return Probe(launch, point, direction, seeds, step_of(draw))

    def moving(self) -> list[Argument]:
        """Return the leaves whose gradients are checked, see `moving_leaves`."""
        return moving_leaves(self.launches[0].launch, self.launches[0].values)

    def _point(self, result: LaunchResult, random: np.random.Generator) -> dict[str, Values]:
        """Return the inputs in double precision, moved slightly inside their domain."""
        point = {name: promoted(value) for name, value in result.values.items()}
        for leaf in self.moving():
            if leaf.domain is not None:
                value, domain, scale = point[leaf.name], leaf.domain, _scale(leaf, result.values[leaf.name])
                moves = JITTER * scale * random.uniform(-1.0, 1.0, value.shape)
                fills_range = domain.kind == "uniform" and np.ndim(scale) == 0
                if fills_range:  # the same distance towards the middle keeps the point inside
                    value = value + 2.0 * JITTER * ((domain.low + domain.high) / 2.0 - value)
                point[leaf.name] = value + moves
        return point

    def unseen(self) -> list[Alone]:
        """Return the leaves whose gradient no draw has shown.

        These are inputs with a small share in all derivatives, the contents before the launch of arrays that the kernel reads
        and writes, and outputs with a small share.
        """
        arguments = [
            argument for argument in leaves(self.launches[0].launch) if has_gradient(argument, self.launches[0].values)
        ]
        moving = self.moving()
        changed = self._with_contents(arguments, moving)
        small = [leaf for leaf in moving if self._shares.get(leaf.name, 0.0) < SMALL]
        faint = [argument for argument in arguments if 0.0 < self._output_shares.get(argument.name, 0.0) < SMALL]
        return [*map(Alone, small + changed), *(Alone(argument, is_seeded=True) for argument in faint)]

    def _with_contents(self, arguments: Sequence[Argument], moving: Sequence[Argument]) -> list[Argument]:
        """Return the arguments that the kernel reads and writes and that do not move, if their contents have a gradient."""
        return [
            argument
            for argument in arguments
            if argument.role == "inout" and argument not in moving and not self.replaces_contents
        ]

    def derivative_of(self, alone: Alone, draw: int, arena: Arena) -> Derivative:
        """Return the derivative at the point of a draw along a direction in which one leaf alone moves, or of one output."""
        result, random = self.launches[draw % len(self.launches)], generator(f"{self.identity}/{alone.leaf.name}/{draw}")
        launch, name, point = result.launch, alone.leaf.name, self._point(result, random)
        moving = self.moving() if alone.is_seeded else [alone.leaf]
        direction = {
            leaf.name: _scale(leaf, result.values[leaf.name]) * random.standard_normal(point[leaf.name].shape)
            for leaf in moving
        }
        seeds = _seeds(launch, point, random)
        if alone.is_seeded:
            seeds = {key: value if key == name else np.zeros_like(value) for key, value in seeds.items()}
        return Derivative(self.kernel, Probe(launch, point, direction, seeds), self.shape(launch), arena)

    def shows(self, derivative: Derivative) -> bool:
        """Return whether a derivative of one leaf shows that its gradient is right or wrong; a wrong one is the finding."""
        finding = derivative.finding()
        if finding.status == "fail":
            self.failing = derivative.probe
            self.finish(finding)
        return finding.status == "fail" or (finding.status == "pass" and derivative.contributions > 0.0)

    def note_shares(self, derivative: Derivative) -> None:
        """Note what leaves and outputs contribute to a derivative that agrees, see `unseen`."""
        self._shares = _largest(self._shares, derivative.shares)
        self._output_shares = _largest(self._output_shares, derivative.output_shares)

    def finish(self, finding: Finding) -> None:
        """Make ``finding`` final."""
        self.finding, self.finished = finding, True

    def add(self, derivative: Derivative) -> None:
        """Count the finding of one draw; a failure is final, and so are enough draws that agree."""
        if self.finished:
            return
        finding = derivative.finding()
        self._drawn, self._agreed = self._drawn + 1, self._agreed + (finding.status == "pass")
        if finding.status == "pass":
            self.note_shares(derivative)
        if finding.status == "fail":
            self.failing = derivative.probe
        if finding.status == "fail" or self._agreed == DIRECTIONS:
            self.finish(finding)
        elif finding.status == "inconclusive":
            reason = f"{self._agreed} of {self._drawn} draws agree, others show nothing: {finding.reason}"
            self.finding = Finding("inconclusive", reason)


def step_of(draw: int) -> float:
    """Return the step of the differences of a draw."""
    return STEP if draw < DIRECTIONS else STEP / FINER


def _largest(shares: Mapping[str, float], found: Mapping[str, float]) -> dict[str, float]:
    return {name: max(share, shares.get(name, 0.0)) for name, share in found.items()}


def _seeds(
    launch: Launch,
    point: Mapping[str, Values],
    random: np.random.Generator,
    size: float = 1.0,
    factors: Mapping[str, float] = NONE,
) -> dict[str, Values]:
    """Return gradients of the outputs."""
    return {
        argument.name: random_seeds(point[argument.name].shape, random, size * factors.get(argument.name, 1.0))
        for argument in leaves(launch)
        if argument.role != "input" and has_gradient(argument, point)
    }


def moving_leaves(launch: Launch, values: Mapping[str, Values]) -> list[Argument]:
    """Return the leaves whose gradients are checked: inputs, or else what arrays contain before the launch."""
    arguments = [argument for argument in leaves(launch) if has_gradient(argument, values)]
    roles = ("input", "inout")
    return next((found for role in roles if (found := [argument for argument in arguments if argument.role == role])), [])


def overwritten_sizes(result: LaunchResult, marked: LaunchResult | None) -> dict[str, Values]:
    """Return by output how far each number may move that the kernel replaces whatever it is; 0 for other numbers.

    Results do not depend on these numbers, and their gradient after the backward pass is 0.
    """
    sizes: dict[str, Values] = {}
    if marked is None:
        return sizes
    for leaf in leaves(result.launch):
        if leaf.role == "output" and leaf.kind != "value" and has_gradient(leaf, result.values):
            before, after = result.values[leaf.name], result.outputs.arrays[leaf.name]
            mark, left = marked.values[leaf.name], marked.outputs.arrays[leaf.name]
            replaced = np.isfinite(before) & (before != mark) & np.isfinite(after) & (after == left)
            size = np.abs(after[replaced & (after != 0.0)])
            sizes[leaf.name] = np.where(replaced, float(np.median(size)) if size.size else 1.0, 0.0)
    return sizes


def range_of(argument: Argument) -> float:
    """Return how far the values of an argument are from each other."""
    if argument.domain is None or argument.domain.kind in ("unit", "fill"):
        return 1.0
    return max(float(argument.domain.high) - float(argument.domain.low), 1.0e-3)


def _scale(leaf: Argument, values: Values) -> float | Values:
    """Return how far the numbers of a leaf move: by its range, or each in proportion to itself, see `SENTINELS`."""
    extent = range_of(leaf)
    if extent < SENTINELS or not values.size:
        return extent
    sizes = np.abs(values.astype(np.float64))
    return sizes if 0.0 < SENTINELS * float(np.median(sizes)) < extent else extent
