"""The precisions of the derivatives of a pair: its text read in double precision, or the kernel's own with wide steps.

Meshes, BVHs, hash grids, volumes and textures store single precision, and noise is written for it. The derivatives of such a
kernel are measured in single precision with wide steps, see `wide_steps`. Plain arguments do not move then: the generated code
discards their gradients.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from warpsmith.core.inputs.values import Values
from warpsmith.core.records.launch import Argument
from warpsmith.validation.levels.derivatives import wide_steps
from warpsmith.validation.levels.derivatives.balance import input_factors, size_of
from warpsmith.validation.levels.derivatives.derivative import Derivative
from warpsmith.validation.levels.derivatives.draw_tallies import AGREEING, DIRECTIONS, DoubleTally, SingleTally, Tally
from warpsmith.validation.levels.derivatives.probe import STEP
from warpsmith.validation.running.shared_arguments import promoted

FINER = 256.0
"""The quotient of the steps of early and late draws: a bend that is wide for one is narrow for the other."""

JITTER = 1.0e-3
"""The distance of a drawn point from the inputs, relative to the range of values: values such as 0.0 often lie on a corner."""

SENTINELS = 1.0e6
"""A range of at least this size and this many times the median is filled by few numbers, such as flags of 1e10."""

LEAF_STEPS = (4.0 * wide_steps.STEP, 16.0 * wide_steps.STEP, wide_steps.STEP)
"""The wide steps for leaves that move alone, by attempt. What hardly depends on a leaf differs from rounding at wider steps."""

INSIDE = 2.5
"""How many wide steps a point stays away from the ends of a domain; the widest one that is made is two steps long."""


@dataclass(frozen=True, slots=True)
class Precision:
    """How the derivatives of a pair are measured.

    Attributes:
        read: returns values in this precision.
        derivative: measures a derivative.
        tally: makes a tally of draws from the arguments of `Tally`.
        first_draws: how many directions are drawn at first.
        small: the share of a leaf in the derivative below which the leaf's gradient is checked alone.
        shows_all: whether plain arguments, replaced contents, and the only leaf that moves show errors of their gradients.
        step: returns the step of the differences of a draw, in which a leaf may move alone.
        factors: returns the factors of the directions of leaves in a draw, from their shares.
        seed_size: returns the size of the seeds of a draw of a kernel that may have types in half precision.
        random: returns random numbers of both signs, the direction before it is scaled.
        scale: returns how far the numbers of a leaf with a range move.
        inside: returns values close to those of a leaf with a range, from which steps stay in the range.
    """

    read: Callable[[Values], Values]
    derivative: type[Derivative]
    tally: Callable[[int, bool], Tally]
    first_draws: int
    small: float
    shows_all: bool
    step: Callable[[int, bool], float]
    factors: Callable[[Mapping[str, float], int], dict[str, float]]
    seed_size: Callable[[int, bool], float]
    random: Callable[[np.random.Generator, tuple[int, ...]], Values]
    scale: Callable[[Argument, Values], float | Values]
    inside: Callable[[Argument, Values, float, np.random.Generator], Values]


def range_of(argument: Argument) -> float:
    """Return how far the values of an argument are from each other."""
    if argument.domain is None or argument.domain.kind in ("unit", "fill"):
        return 1.0
    return max(float(argument.domain.high) - float(argument.domain.low), 1.0e-3)


def towards_middle(leaf: Argument, values: Values, distance: float) -> Values:
    """Return values that are inside a uniform domain by a distance, relative to its range; others as they are."""
    if leaf.domain is None or leaf.domain.kind != "uniform":
        return values
    return values + 2.0 * distance * ((leaf.domain.low + leaf.domain.high) / 2.0 - values)


def _scale(leaf: Argument, values: Values) -> float | Values:
    """Return how far the numbers of a leaf move: by its range, or each in proportion to itself, see `SENTINELS`."""
    extent = range_of(leaf)
    if extent < SENTINELS or not values.size:
        return extent
    sizes = np.abs(values.astype(np.float64))
    return sizes if 0.0 < SENTINELS * float(np.median(sizes)) < extent else extent


def _jittered(leaf: Argument, values: Values, _: float, random: np.random.Generator) -> Values:
    if leaf.domain is None:
        return values
    scale = _scale(leaf, values)
    moves = JITTER * scale * random.uniform(-1.0, 1.0, values.shape)
    return (towards_middle(leaf, values, JITTER) if np.ndim(scale) == 0 else values) + moves


def _wide_inside(leaf: Argument, values: Values, step: float, _: np.random.Generator) -> Values:
    return np.asarray(towards_middle(leaf, values, INSIDE * step), values.dtype)


DOUBLE = Precision(
    read=promoted,
    derivative=Derivative,
    tally=DoubleTally,
    first_draws=DIRECTIONS,
    small=1.0e-2,
    shows_all=True,
    step=lambda draw, _: STEP if draw < DIRECTIONS else STEP / FINER,
    factors=input_factors,
    seed_size=lambda draw, _: size_of(draw),
    random=lambda random, shape: random.standard_normal(shape),
    scale=_scale,
    inside=_jittered,
)

SINGLE = Precision(
    read=lambda values: values,
    derivative=wide_steps.WideDerivative,
    tally=SingleTally,
    first_draws=AGREEING,
    small=0.2,
    shows_all=False,
    step=lambda draw, moves_alone: LEAF_STEPS[draw] if moves_alone else wide_steps.STEP,
    factors=lambda _shares, _draw: {},
    seed_size=lambda draw, has_halves: 1.0 if has_halves else size_of(draw),
    random=lambda random, shape: random.uniform(-1.0, 1.0, shape),
    scale=lambda leaf, _: range_of(leaf),
    inside=_wide_inside,
)
