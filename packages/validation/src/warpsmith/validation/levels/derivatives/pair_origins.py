"""The origins of pairs at level `gradient`: synthesized pairs move by the ranges of their inputs, extracted kernels by values.

A program receives gradients of arrays, and none of plain arguments. Values of real launches have no common range: a length is
close to another, and a flag of 1e10 says that there is none. Each number therefore moves in proportion to itself. Zeros, which
often stand for something that does not move, keep their value in every other draw.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from warpsmith.core.inputs.values import Values, generator, leaves
from warpsmith.core.records.launch import Argument, Launch
from warpsmith.validation.levels.derivatives.derivative import has_gradient
from warpsmith.validation.levels.derivatives.disagreement import parse_disagreement
from warpsmith.validation.levels.derivatives.draw_tallies import AGREEING, DIRECTIONS
from warpsmith.validation.levels.derivatives.text_precisions import JITTER, Precision, range_of, towards_middle
from warpsmith.validation.levels.finding import Finding, fail, inconclusive
from warpsmith.validation.levels.level_results import LaunchResult

LARGEST = 1.0e15
"""The absolute value from which a number does not move: arrays of real programs also contain memory that nobody has written."""

DRAWN = ("uniform", "unit", "near_identity", "sorted")
"""The domains whose values fill their range."""

Moves = tuple[dict[str, Values], dict[str, Values]]
"""The values of all leaves at a point, and the direction of those that move."""


@dataclass(frozen=True, slots=True)
class Draw:
    """One draw of a pair.

    Attributes:
        number: its number.
        values: the values of the launch that its point is close to, in the precision of the derivative.
        precision: how the derivative is measured.
        step: the step of the differences.
        factors: the factors of the directions of leaves; others keep their direction.
        random: the random numbers of the draw.
    """

    number: int
    values: Mapping[str, Values]
    precision: Precision
    step: float
    factors: Mapping[str, float]
    random: np.random.Generator

    def direction(self, leaf: Argument, scale: float | Values) -> Values:
        """Return a random direction of a leaf."""
        shape = self.values[leaf.name].shape
        return self.factors.get(leaf.name, 1.0) * scale * self.precision.random(self.random, shape)


@dataclass(frozen=True, slots=True)
class Origin:
    """Where the draws of a pair are, and what its kernel may do.

    Attributes:
        launch: returns the launch of a result with the roles that its arguments have.
        moves: returns point and direction of a draw, from the leaves whose gradients are checked and those that move.
        seeds: returns the seeds of an output from random ones and from what the output contains.
        contents: returns the random numbers of contents that the kernel replaces, from those of the draw and a key.
        checked_alone: returns the leaves that are checked alone, of those whose gradients are checked, in a precision.
        in_single: returns the finding on a pair from that of its draws in single precision.
        imprecise: makes the finding on a gradient that is imprecise in the precision of the program.
        scales_alone: whether the seeds of draws have their sizes also where one leaf is checked alone.
        agreeing: how many directions have to agree.
        slow_draws: how many have to agree if the draws do not end in time; 0 if no fewer are enough.
        is_program: whether the kernel is one of a program, which receives gradients of arrays only. Its outputs may be constant
            and exact, its derivatives infinite, it may change arrays in place, and failures have to be confirmed.
    """

    launch: Callable[[LaunchResult], Launch]
    moves: Callable[[Draw, Sequence[Argument], Sequence[Argument]], Moves]
    seeds: Callable[[Values, Values], Values]
    contents: Callable[[np.random.Generator, str], np.random.Generator]
    checked_alone: Callable[[Sequence[Argument], Precision], Sequence[Argument]]
    in_single: Callable[[Finding], Finding]
    imprecise: Callable[[str], Finding]
    scales_alone: bool
    agreeing: int
    slow_draws: int
    is_program: bool


def differentiable_leaves(launch: Launch, values: Mapping[str, Values], *, with_plain: bool) -> list[Argument]:
    """Return the leaves that have gradients, without plain arguments or with them."""
    return [leaf for leaf in leaves(launch) if has_gradient(leaf, values) and (with_plain or leaf.kind != "value")]


def moving_leaves(differentiable: Sequence[Argument]) -> list[Argument]:
    """Return the leaves whose gradients are checked: inputs, or else what arrays contain before the launch."""
    inputs = [leaf for leaf in differentiable if leaf.role == "input"]
    return inputs or [leaf for leaf in differentiable if leaf.role == "inout"]


def no_gradient(result: LaunchResult) -> str | None:
    """Return why a program has no gradients of a kernel, or None if it has."""
    arrays = differentiable_leaves(actual_roles(result), result.values, with_plain=False)
    if all(leaf.role == "input" for leaf in arrays):
        return indexed_floats(result) or "no output holds floats"
    return None if moving_leaves(arrays) else indexed_floats(result) or "no array that the kernel reads holds floats"


def indexed_floats(result: LaunchResult) -> str | None:
    """Return why ``wp.Tape`` cannot differentiate a launch with indexed arrays of floats; None if there are none."""
    indexed = [leaf.name for leaf in leaves(result.launch) if leaf.kind == "indexed_array"]
    names = [repr(name) for name in indexed if result.values[name].dtype.kind == "f"]
    which = f"the indexed array{'s' * (len(names) > 1)} {' and '.join(names)}"
    return f"Warp has no gradients of indexed arrays: wp.Tape refuses the launch with {which}" if names else None


def actual_roles(result: LaunchResult) -> Launch:
    """Return a launch in which no argument that the kernel changes has the role of an input."""

    def corrected(argument: Argument, prefix: str) -> Argument:
        name = prefix + argument.name
        members = tuple(corrected(member, f"{name}.") for member in argument.fields)
        before, after = result.values.get(name), result.outputs.arrays.get(name)
        changed = before is not None and after is not None and before.tobytes() != after.tobytes()
        return replace(argument, fields=members, role="inout" if changed and argument.role == "input" else argument.role)

    return replace(result.launch, args=tuple(corrected(argument, "") for argument in result.launch.args))


def scale_of(leaf: Argument, values: Values, with_zeros: bool) -> Values:
    """Return how far each number may move; 0 for those that do not."""
    if leaf.domain is not None and leaf.domain.kind in DRAWN:
        return np.full(values.shape, range_of(leaf) if range_of(leaf) < LARGEST else 0.0)
    known = np.abs(values) < LARGEST  # false for NaN
    size = np.abs(np.where(known, values, 0.0))
    typical = float(np.median(size[size > 0.0])) if size.any() else 1.0
    return np.where(known & (size == 0.0), typical, size) if with_zeros or not size.any() else size


def jittered(leaf: Argument, values: Values, scale: Values, random: np.random.Generator) -> Values:
    """Return values at a small distance, inside of a domain whose values fill their range."""
    moves = JITTER * scale * random.uniform(-1.0, 1.0, values.shape)
    return np.asarray(towards_middle(leaf, values, JITTER) + moves)


def _moves_by_range(draw: Draw, checked: Sequence[Argument], moving: Sequence[Argument]) -> Moves:
    precision, point = draw.precision, dict(draw.values)
    for leaf in checked:
        point[leaf.name] = precision.inside(leaf, point[leaf.name], draw.step, draw.random)
    return point, {leaf.name: draw.direction(leaf, precision.scale(leaf, draw.values[leaf.name])) for leaf in moving}


def _moves_by_value(draw: Draw, _: Sequence[Argument], moving: Sequence[Argument]) -> Moves:
    point, direction = dict(draw.values), {}
    for leaf in moving:
        values = point[leaf.name]
        scale = scale_of(leaf, values.astype(np.float64), with_zeros=draw.number % 2 == 1)
        point[leaf.name] = jittered(leaf, values, scale, draw.random).astype(values.dtype)
        direction[leaf.name] = draw.direction(leaf, scale)
    return point, direction


def _unconfirmed(finding: Finding) -> Finding:
    """Return an inconclusive finding for a failure in single precision, unless the adjoint is not finite."""
    found = parse_disagreement(finding.reason)
    if finding.status == "fail" and (found is None or math.isfinite(found.got)):
        return inconclusive(f"in single precision, which cannot confirm it, {finding.reason}")
    return finding


SYNTHESIZED = Origin(
    launch=lambda result: result.launch,
    moves=_moves_by_range,
    seeds=lambda seeds, _: seeds,
    contents=lambda random, _: random,
    checked_alone=lambda moving, precision: moving if len(moving) > 1 or precision.shows_all else [],
    in_single=lambda finding: finding,
    imprecise=fail,
    scales_alone=False,
    agreeing=DIRECTIONS,
    slow_draws=0,
    is_program=False,
)

EXTRACTED = Origin(
    launch=actual_roles,
    moves=_moves_by_value,
    seeds=lambda seeds, contents: np.where(np.isfinite(contents), seeds, 0.0),
    contents=lambda _, key: generator(key),
    checked_alone=lambda moving, precision: [
        leaf for leaf in moving if len(moving) > 1 and (precision.shows_all or leaf.role == "input")
    ],
    in_single=_unconfirmed,
    imprecise=inconclusive,  # formulas of projects may be imprecise themselves; those of generated pairs are simple
    scales_alone=True,
    agreeing=AGREEING,
    slow_draws=2,
    is_program=True,
)
