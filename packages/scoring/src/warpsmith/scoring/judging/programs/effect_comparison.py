"""The comparison of what an answer's run leaves with what the program's own run leaves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from warpsmith.core.errors import WarpsmithError
from warpsmith.core.inputs.values import Values
from warpsmith.scoring.judging.programs.program_effects import LaunchEffect, ProgramEffects
from warpsmith.validation.programs.observed_program import ArrayContent, values_of

TOLERANCE = 2.0e-5
"""How far a float may be from the expected one, relative to the largest number of its array."""

DEVIATIONS = 8.0
"""How many times the deviation of the expected results may be added, which a run with changed last bits shows."""

Roles = Mapping[str, Mapping[str, str]]
"""The roles of leaves by kernel: ``"input"``, ``"output"`` or ``"inout"``; of other leaves ``"inout"``."""


@dataclass(frozen=True, slots=True)
class Expected:
    """What a program leaves.

    Attributes:
        effects: of the program.
        rounded: of the program with changed last bits.
    """

    effects: ProgramEffects
    rounded: ProgramEffects


def first_difference(expected: Expected, found: ProgramEffects, roles: Roles) -> str:
    """Return the first difference between a run and the expected one; empty if there is none."""
    return next(_differences(expected, found, roles), "")


def contents_difference(
    what: str,
    expected: Mapping[str, ArrayContent],
    rounded: Mapping[str, ArrayContent],
    found: Mapping[str, ArrayContent],
) -> str:
    """Return the first difference between contents; empty if there is none.

    Args:
        what: the time of the contents, for the text.
        expected: the expected contents.
        rounded: those of a run with changed last bits.
        found: the contents of the answer.
    """
    return next(_in_contents(what, expected, rounded, found), "")


def _differences(expected: Expected, found: ProgramEffects, roles: Roles) -> Iterator[str]:
    yield from _in_counts(expected, found)
    launches = {(launch.kernel, launch.place): launch for launch in found.launches}
    rounded = {(launch.kernel, launch.place): launch for launch in expected.rounded.launches}
    for launch in expected.effects.launches:
        key = launch.kernel, launch.place
        if key not in launches:
            if expected.rounded.counts == expected.effects.counts:
                yield f"launch {launch.place} of {launch.kernel} is missing"
            continue
        yield from _in_launch(launch, rounded.get(key), launches[key], roles.get(launch.kernel, {}))
    for kernel, arrays in expected.effects.final.items():
        changed, answered = expected.rounded.final.get(kernel, {}), found.final.get(kernel, {})
        yield from _in_contents(f"at the end, {kernel}", arrays, changed, answered)
    yield from _in_contents("behind the missing statements", expected.effects.values, expected.rounded.values, found.values)


def _in_counts(expected: Expected, found: ProgramEffects) -> Iterator[str]:
    counts = expected.effects.counts
    for kernel in dict.fromkeys((*counts, *found.counts)):
        number, answered = counts.get(kernel, 0), found.counts.get(kernel, 0)
        doubt = 2 * abs(number - expected.rounded.counts.get(kernel, 0))
        if abs(number - answered) > doubt or (not answered and number):
            yield f"{kernel} is launched {answered:,} times, and {number:,} times in the program"


def _in_launch(
    expected: LaunchEffect, rounded: LaunchEffect | None, found: LaunchEffect, roles: Mapping[str, str]
) -> Iterator[str]:
    what = f"launch {expected.place} of {expected.kernel}"
    if (expected.dim, expected.block_dim) != (found.dim, found.block_dim):
        yield f"{what} has dim {list(found.dim)}, and {list(expected.dim)} in the program"
    elif expected.problem or found.problem:
        if expected.problem != found.problem:
            yield f"{what}: {found.problem or 'its arguments can be copied'}"
    else:
        before, after = (rounded.before, rounded.after) if rounded is not None else ({}, {})
        read = {name: content for name, content in expected.before.items() if roles.get(name, "inout") != "output"}
        yield from _in_contents(
            f"before {what}", read, before, {name: found.before[name] for name in read if name in found.before}
        )
        yield from _in_contents(f"after {what}", expected.after, after, found.after)


def _in_contents(
    what: str,
    expected: Mapping[str, ArrayContent],
    rounded: Mapping[str, ArrayContent],
    found: Mapping[str, ArrayContent],
) -> Iterator[str]:
    for name, content in expected.items():
        if name not in found:
            yield f"{what}: {name} is missing"
        elif content != found[name] and (problem := _problem(content, rounded.get(name), found[name])):
            yield f"{what}: {name} {problem}"


def _problem(expected: ArrayContent, rounded: ArrayContent | None, found: ArrayContent) -> str:
    """Return how contents differ by more than rounding; empty if they do not."""
    if expected.shape != found.shape:
        return f"has the shape {list(found.shape)}, not {list(expected.shape)}"
    try:
        values, answered = values_of(expected), values_of(found)
    except WarpsmithError as error:
        return str(error)
    if (values.dtype.kind == "f") != (answered.dtype.kind == "f") and values.shape:
        return f"has the type {answered.dtype}, not {values.dtype}"
    other = values_of(rounded) if rounded is not None and rounded.shape == expected.shape else values
    wrong = _wrong(values.astype(np.float64), other.astype(np.float64), answered.astype(np.float64), values.dtype.kind)
    if not wrong.any():
        return ""
    place = tuple(map(int, np.argwhere(wrong)[0]))
    where = f" at {list(place)}" if place else ""
    return f"is {answered[place]!s}{where}, and {values[place]!s} in the program"


def _wrong(values: Values, rounded: Values, answered: Values, kind: str) -> Values:
    finite = np.isfinite(values) & np.isfinite(answered)
    scale = float(np.max(np.abs(values), where=np.isfinite(values), initial=0.0))
    both = np.isfinite(values) & np.isfinite(rounded)
    deviation = float(np.max(np.abs(np.where(both, values - rounded, 0.0)), initial=0.0))
    tolerance = DEVIATIONS * deviation + (TOLERANCE * scale if kind == "f" else 0.0)
    with np.errstate(invalid="ignore"):
        near = np.abs(values - answered) <= tolerance
    same = (values == answered) | (np.isnan(values) & np.isnan(answered))
    wrong: Values = ~(same | (finite & near))
    return wrong
