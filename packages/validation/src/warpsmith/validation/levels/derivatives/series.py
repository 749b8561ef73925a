"""The draws of one pair at level `gradient`: points and directions, by the origin of the pair and the precision of its text."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from warpsmith.core.inputs.values import Values, generator, leaves
from warpsmith.core.records.jsonl import Line
from warpsmith.core.records.launch import Argument, Launch
from warpsmith.validation.compiling.clang import Library
from warpsmith.validation.compiling.part import UnitPart
from warpsmith.validation.levels.common import entry_points, is_extracted
from warpsmith.validation.levels.context import BatchContext
from warpsmith.validation.levels.derivatives.balance import output_factors, random_seeds
from warpsmith.validation.levels.derivatives.derivative import Derivative, has_gradient
from warpsmith.validation.levels.derivatives.pair_origins import (
    EXTRACTED,
    SYNTHESIZED,
    Draw,
    differentiable_leaves,
    moving_leaves,
)
from warpsmith.validation.levels.derivatives.probe import Probe
from warpsmith.validation.levels.derivatives.text_precisions import Precision
from warpsmith.validation.levels.level_results import LAUNCHES, MARKED, LaunchResult, line_key
from warpsmith.validation.running.entry_calls import GridShape, in_order, on_fibers
from warpsmith.validation.running.shared_memory import Arena

NOTHING: Mapping[str, Values] = {}

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
        line: the pair's line.
        origin: where the draws are.
        precision: how their derivatives are measured.
        tally: the findings of the draws.
        kernel: the entry points of the text in this precision.
        launches: the results of level `execute`, with the roles that arguments have.
        recorded_launch: the result of the pair's own launch, with the roles of the record.
        identity: the pair's id.
        dtypes: the types of the pair's own values by leaf.
        overwritten: see `overwritten_sizes`.
        pair: the pair; None for a line that is no pair.
        source: the Python of the pair.
        part: the code of the pair.
    """

    def __init__(self, line: Line, library: Library, part: UnitPart, context: BatchContext, precision: Precision) -> None:
        results = context.results(LAUNCHES)[line_key(line)]
        self.key = line_key(line)
        self.origin = EXTRACTED if is_extracted(line) else SYNTHESIZED
        self.precision = precision
        self.tally = precision.tally(min(self.origin.agreeing, precision.first_draws), self.origin.is_program)
        self.kernel = entry_points(library, part, takes_grid=part.target == "cuda")
        self.launches = [replace(result, launch=self.origin.launch(result)) for result in results]
        self.recorded_launch = results[0]
        self.identity = line.identity
        self.dtypes = {name: values.dtype for name, values in results[0].values.items()}
        self.line = line
        self.pair = line.pair
        self.source = line.pair.python_source if line.pair is not None else ""
        self.part = part
        self._block = part.block_dim if part.synchronizes else 0
        stay = not precision.shows_all or self.replaces_contents or BY_HAND.search(self.source)
        self.overwritten = {} if stay else overwritten_sizes(results[0], context.results(MARKED).get(self.key))

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

    def moving(self) -> list[Argument]:
        """Return the leaves whose gradients are checked, see `moving_leaves`."""
        return moving_leaves(self._differentiable(self.launches[0]))

    def changed(self) -> list[Argument]:
        """Return the leaves that the kernel reads and writes, and that do not move."""
        moving = self.moving()
        return [leaf for leaf in self._differentiable(self.launches[0]) if leaf.role == "inout" and leaf not in moving]

    def outputs(self) -> list[Argument]:
        """Return the leaves that have gradients and that the kernel writes."""
        return [leaf for leaf in self._differentiable(self.launches[0]) if leaf.role != "input"]

    def _differentiable(self, result: LaunchResult) -> list[Argument]:
        with_plain = self.precision.shows_all and not self.origin.is_program
        return differentiable_leaves(result.launch, result.values, with_plain=with_plain)

    def unseen(self) -> list[Alone]:
        """Return the leaves whose gradient no draw has shown.

        These are inputs with a small share in all derivatives, the contents before the launch of arrays that a synthesized
        kernel reads and writes, and outputs with a small share. There are none of a slow kernel.
        """
        if self.tally.is_restarted:
            return []
        small, tally = self.precision.small, self.tally
        inputs = self.origin.checked_alone(self.moving(), self.precision)
        hidden = [leaf for leaf in inputs if tally.shares.get(leaf.name, 0.0) < small]
        changed = [] if self.origin.is_program or self.replaces_contents else self.changed()
        outputs = self._differentiable(self.launches[0])
        faint = [leaf for leaf in outputs if 0.0 < tally.output_shares.get(leaf.name, 0.0) < small]
        return [*map(Alone, hidden + changed), *(Alone(leaf, is_seeded=True) for leaf in faint)]

    def derivative(self, draw: int, arena: Arena) -> Derivative:
        """Return the derivative at the point and along the direction of a draw."""
        return self.derivative_at(self.probe(draw, self.moving(), contents=self.overwritten), arena)

    def derivative_of(self, alone: Alone, draw: int, arena: Arena) -> Derivative:
        """Return the derivative at the point of a draw along a direction in which one leaf alone moves, or of one output."""
        name = alone.leaf.name
        probe = self.probe(draw, self.moving() if alone.is_seeded else [alone.leaf], name)
        if alone.is_seeded:
            seeds = {key: value if key == name else np.zeros_like(value) for key, value in probe.seeds.items()}
            probe = replace(probe, seeds=seeds)
        return self.derivative_at(probe, arena)

    def derivative_at(self, probe: Probe, arena: Arena) -> Derivative:
        """Return the derivative at a point along a direction."""
        return self.precision.derivative(self.kernel, probe, self.shape(probe.launch), arena)

    def probe(
        self, number: int, moving: Sequence[Argument], alone: str = "", contents: Mapping[str, Values] = NOTHING
    ) -> Probe:
        """Return the point and the direction of a draw.

        Args:
            number: the number of the draw.
            moving: the leaves that move.
            alone: the name of the leaf that is checked alone, if one is.
            contents: how far contents that the kernel replaces move.
        """
        precision, result = self.precision, self.launches[number % len(self.launches)]
        random = generator(f"{self.identity}/{alone}/{number}" if alone else f"{self.identity}/{number}")
        values = {name: precision.read(value) for name, value in result.values.items()}
        step = precision.step(number, bool(alone))
        draw = Draw(number, values, precision, step, precision.factors(self.tally.shares, number), random)
        point, direction = self.origin.moves(draw, self.moving(), moving)
        of_contents = self.origin.contents(random, f"{self.identity}/contents/{number}")
        direction |= {name: size * of_contents.standard_normal(size.shape) for name, size in contents.items()}
        size = 1.0 if alone and not self.origin.scales_alone else precision.seed_size(number, self.has_halves)
        seeds = self._seeds(result, draw, size)
        return Probe(result.launch, point, direction, seeds, step, changed_only=self.origin.is_program)

    def _seeds(self, result: LaunchResult, draw: Draw, size: float) -> dict[str, Values]:
        """Return gradients of the outputs."""
        factors, seeds = output_factors(self.tally.output_shares, draw.number), {}
        for leaf in self._differentiable(result):
            if leaf.role != "input":
                values = draw.values[leaf.name]
                drawn = random_seeds(values.shape, draw.random, size * factors.get(leaf.name, 1.0))
                seeds[leaf.name] = self.origin.seeds(drawn, result.outputs.arrays[leaf.name]).astype(values.dtype)
        return seeds


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


def by_hand(source: str) -> str:
    """Return which adjoints and C++ written by hand a file contains, as the end of a sentence; empty if there are none."""
    kinds = list(dict.fromkeys(match[0].removeprefix("@") for match in BY_HAND.finditer(source)))
    return f"; the file contains adjoints or C++ written by hand ({', '.join(kinds)})" if kinds else ""
