"""The launches of a pair besides its own, some of them with inputs that are directed at the branches of the kernel."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice

from warpsmith.core.inputs.values import Values, leaves, objects
from warpsmith.core.records.launch import Argument, Launch
from warpsmith.core.records.pair import Pair
from warpsmith.validation.branches.input_lines import Inputs
from warpsmith.validation.branches.turning import Turning
from warpsmith.validation.oracle.interpreter.comparison_distances import watch
from warpsmith.validation.oracle.interpreter.interpret import interpret
from warpsmith.validation.oracle.values.interpretation_errors import Undefined, Unsupported
from warpsmith.validation.oracle.values.operand_distances import Watch
from warpsmith.validation.running.directed_modes import DIRECTED, rounding
from warpsmith.validation.running.extracted_variants import ends, extracted_variants
from warpsmith.validation.running.launch_variants import DRAWS, launch_variants

FIRST = 3
"""How many variants come before the directed ones: one with smaller counts, a wider one, and one with other plain values."""

ENDS = (1, 5)
"""The draws between whose inputs and the pair's own ones comparisons turn: random inputs, and inputs at ends of domains."""

SEARCHED = (3, 7, 9)
"""The draws that are searched for comparisons with one outcome in all other launches."""

PLAIN = (2, 3, 4, 7, 8, 9)
"""The draws between whose plain arguments and the pair's own ones comparisons turn."""

MAX_PLAIN = 4
"""The most launches that are directed at comparisons of plain arguments."""

PROGRAM_STEPS = 50_000
"""How many statements of a captured launch run at most when branches are searched: those of programs are larger."""

LARGE = 1 << 12
"""The most threads of a launch that is interpreted for its branches; nor is one whose queries of objects take long."""

STEPS = 500_000
"""How many statements all threads together run at most when branches are searched; comparisons until then still count."""


@dataclass(frozen=True, slots=True)
class Variant:
    """A launch besides a pair's own.

    Attributes:
        launch: the launch.
        values: the values of its arguments.
        is_directed: whether a comparison of floats turns in this launch that others may not turn.
    """

    launch: Launch
    values: dict[str, Values]
    is_directed: bool = False


def variants_of(
    pair: Pair,
    launch: Launch,
    launch_values: Mapping[str, Values],
    identity: str,
    block: int = 0,
    *,
    rounds_otherwise: bool = False,
) -> list[Variant]:
    """Return launches of a pair besides its own.

    Args:
        pair: the pair.
        launch: the launch of the pair.
        launch_values: the values of the pair's launch.
        identity: determines the values; for the variants that everybody sees, the pair's id.
        block: see `launch_variants`.
        rounds_otherwise: whether the code that is compared may have another order of operations; then no comparison is turned
            that rounding decides.
    """
    if pair.metadata.origin is not None:
        drawn = [Variant(launch, values) for values in extracted_variants(launch, launch_values, identity)]
        return _with_directed_of_program(drawn, pair, launch, launch_values, block)
    drawn = [Variant(changed, values) for changed, values in launch_variants(launch, identity, pair.python_source, block)]
    if block or objects(launch) or math.prod(launch.dim) > LARGE:
        return drawn
    modes = DIRECTED if rounds_otherwise else ()
    return _with_directed(_without_stopping(drawn, pair, launch, launch_values), pair, launch, launch_values, modes)


def _without_stopping(drawn: list[Variant], pair: Pair, launch: Launch, launch_values: Mapping[str, Values]) -> list[Variant]:
    """Return the variants without wider launches, or without smaller counts, if these end at an index beyond an array.

    A kernel that checks no bounds supports no wider launch, and one that computes its indices from a count no smaller count. A
    launch that ends takes a process with it, which costs more than everything else about a pair.
    """
    smaller, wider = drawn[:2]
    if wider.launch != launch and _ends_early(pair, wider):
        drawn = [replace(variant, launch=launch) for variant in drawn]
    counts = {leaf.name: launch_values[leaf.name] for leaf in leaves(launch) if leaf.kind == "value" and _is_count(leaf)}
    if counts and _ends_early(pair, smaller):
        drawn = [replace(variant, values={**variant.values, **counts}) for variant in drawn]
    return drawn


def _is_count(argument: Argument) -> bool:
    return argument.domain is not None and argument.domain.kind == "fill"


def _ends_early(pair: Pair, variant: Variant) -> bool:
    try:
        interpret(pair.python_source, pair.metadata.kernel_name, variant.launch, variant.values, STEPS, any_undefined=True)
    except Unsupported as reason:
        return isinstance(reason, Undefined)
    return False


def _with_directed(
    drawn: list[Variant], pair: Pair, launch: Launch, launch_values: Mapping[str, Values], modes: Sequence[int]
) -> list[Variant]:
    """Return the variants with directed inputs in place of the last ones, and early, because some levels see few variants."""

    def interpreted(values: Inputs) -> Watch:
        return watch(source, name, launch, values, STEPS)

    def rounded(mode: int, values: Inputs) -> Watch:
        with rounding(mode):
            return interpreted(values)

    source, name = pair.python_source, pair.metadata.kernel_name
    by_draw = dict(zip(DRAWS, drawn, strict=True))
    ends = [by_draw[draw].values for draw in ENDS]
    turning = Turning(launch, interpreted, [partial(rounded, mode) for mode in modes])
    recorded = dict(launch_values)
    try:
        directed = [turning.inputs(recorded, ends)]
        directed += islice(turning.plain_inputs(recorded, [by_draw[draw].values for draw in PLAIN]), MAX_PLAIN)
        for draw in SEARCHED:
            if turning.stuck and turning.look(by_draw[draw].values):
                by_draw[draw] = replace(by_draw[draw], is_directed=True)
                directed.append(turning.inputs(by_draw[draw].values, ends))
    except Unsupported:
        return drawn
    found = [Variant(launch, values, is_directed=True) for values in directed if values is not None]
    rest = list(by_draw.values())[FIRST:]
    kept = sorted(rest, key=lambda variant: not variant.is_directed)[: len(rest) - len(found)]
    return [*list(by_draw.values())[:FIRST], *found, *kept]


def _with_directed_of_program(
    drawn: list[Variant], pair: Pair, launch: Launch, launch_values: Mapping[str, Values], block: int
) -> list[Variant]:
    """Return the variants of a launch of a program with directed inputs in place of the second one.

    Only inputs of threads whose comparisons turn move, between their own values and others of the same array. Plain arguments
    keep the values that the program passed.
    """
    if not pair.metadata.has_backward or block or objects(launch) or math.prod(launch.dim) > LARGE:
        return drawn
    source, name = pair.python_source, pair.metadata.kernel_name
    turning = Turning(launch, lambda values: watch(source, name, launch, values, PROGRAM_STEPS))
    try:
        directed = turning.inputs(dict(launch_values), ends(launch, launch_values, pair.id))
    except Unsupported:
        return drawn
    return drawn if directed is None else [drawn[0], Variant(launch, directed, is_directed=True), *drawn[2:]]
