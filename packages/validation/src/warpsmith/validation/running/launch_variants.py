"""More launches of a pair than its own: what one draw of inputs never meets, another may.

A count that is one too small puts a thread behind the end; so does a launch that is one wider. Numbers of the Python, and their
sums and differences, planted among the inputs, lie on the thresholds that the kernel compares with, and at the same place of
several arrays these are equal. Plain arguments get other values, so that other branches are taken: whole numbers one after the
other, so that few are left out. Ends of domains drive values to where clamps begin. Where a kernel is not made for such a
launch it stops, and that says nothing about the pair.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from warpsmith.core.inputs.values import Values, generator, leaves, make_inputs
from warpsmith.core.records.launch import Argument, Domain, Launch

DRAWS = tuple(range(1, 13))
"""Odd ones have smaller counts, even ones a wider launch."""

CORNERS = {5: 0.5, 6: 1.0, 10: 0.5, 11: 1.0}
"""Those with elements at the ends of their domain, and what share of them."""

UNPLANTED = 1
"""The one whose plain floats are drawn at random; in others they are numbers of the Python, or ends of their domain."""

PLANTED = tuple(draw for draw in DRAWS if draw != UNPLANTED and draw not in CORNERS)
"""Those others."""

MOST_VALUES = 64
"""How many values of a plain whole number are thought of, beside the numbers of the Python."""

MOST_ADDED = 12
"""How many numbers of the Python are added and subtracted."""

_NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?:e-?\d+)?(?![\w.])")


def launch_variants(launch: Launch, identity: str, source: str, block: int = 0) -> Iterator[tuple[Launch, dict[str, Values]]]:
    """Yield launches and the values of their arguments.

    Args:
        launch: the pair's own.
        identity: the pair's id, which the values follow from.
        source: the Python, for its numbers.
        block: how many threads wait for each other, as those that share tiles do; 0 where none do.
    """
    parts = _thresholds([float(number) for number in _NUMBER.findall(source)], generator(f"{identity}/sums"))
    shared = _shuffled(parts, generator(f"{identity}/numbers"))
    wider = replace(launch, dim=_wider(launch.dim, block))
    inputs = [argument for argument in leaves(launch) if argument.role == "input" and argument.domain is not None]
    own = {argument.name: _shuffled(parts, generator(f"{identity}/{argument.name}")) for argument in inputs}
    for draw in DRAWS:
        values = make_inputs(launch, f"{identity}/draw {draw}")
        for argument in inputs:
            name = argument.name
            values[name] = _varied(argument, values[name], draw, own[name], shared, identity)
        yield (launch if draw % 2 else wider), values


def _thresholds(given: Sequence[float], random: np.random.Generator) -> tuple[list[float], list[float]]:
    """The numbers that a kernel may compare with: those that are written, and what they add up to."""
    near = {beside for number in given for beside in _beside(number)}
    some = random.permutation(np.asarray(sorted(set(given))))[:MOST_ADDED].tolist()
    sums = {a + sign * b for a in some for other in some for b in _beside(other) for sign in (1.0, -1.0)} - near
    return sorted(filter(np.isfinite, near)), sorted(filter(np.isfinite, sums))


def _shuffled(parts: Sequence[Sequence[float]], random: np.random.Generator) -> list[float]:
    """All of the first part, then all of the second."""
    return [number for part in parts for number in random.permutation(np.asarray(part)).tolist()]


def _beside(number: float) -> tuple[float, ...]:
    """A number and its neighbours: whole ones, and numbers a little below and above."""
    whole = (number - 1.0, number + 1.0) if number.is_integer() else ()
    return (number, *whole, 0.95 * number, 1.05 * number)


def _wider(dim: tuple[int, ...], block: int) -> tuple[int, ...]:
    """One more in each dimension; whole blocks where threads wait for each other, which would share parts of two tiles else."""
    if not block:
        return tuple(length + 1 for length in dim)
    *outer, last = dim
    return (*(length + 1 for length in outer), last if outer and last == block else last + block)


def _varied(
    argument: Argument, values: Values, draw: int, own: Sequence[float], shared: Sequence[float], identity: str
) -> Values:
    """Other values of an argument, by its ``own`` order of the numbers, or by the one ``shared`` by all."""
    domain, plain = argument.domain, argument.kind == "value"
    if domain is None or values.dtype.kind not in "fiu":
        return values
    whole = values.dtype.kind in "iu"
    if domain.kind == "fill":
        return np.asarray(values - 1, values.dtype) if plain and whole and domain.low > 1 and draw % 2 else values
    if domain.kind != "uniform":
        return values
    key = f"{identity}/{argument.name}"
    inside = [number for number in own if domain.low <= number <= domain.high and (number.is_integer() or not whole)]
    if plain and whole:
        return _in_turn(values, domain, inside, draw, key)
    if draw in CORNERS:
        return _cornered(values, domain, CORNERS[draw], generator(f"{key}/corners {draw}"))
    if not inside or (plain and draw == UNPLANTED):
        return values
    if plain:
        return np.full_like(values, inside[PLANTED.index(draw) % len(inside)])
    if draw % 2:
        return _planted(values, inside, generator(f"{key}/places {draw}"))
    return _tied(values, shared, set(inside), generator(f"{identity}/places {draw}"))


def _planted(values: Values, inside: Sequence[float], random: np.random.Generator) -> Values:
    """``values`` with up to half of them replaced by numbers that lie ``inside``."""
    flat = values.reshape(-1)
    places = random.permutation(len(flat))[: len(flat) // 2]
    flat[places[: len(inside)]] = inside[: len(places)]
    return flat.reshape(values.shape)


def _tied(values: Values, numbers: Sequence[float], inside: set[float], random: np.random.Generator) -> Values:
    """The same, but a number stands at one place in all arrays of this size, if it is inside of their domains."""
    flat = values.reshape(-1)
    for place, number in zip(random.permutation(len(flat))[: len(flat) // 2], numbers, strict=False):
        if number in inside:
            flat[place] = number
    return flat.reshape(values.shape)


def _in_turn(values: Values, domain: Domain, inside: Sequence[float], draw: int, key: str) -> Values:
    """A whole number in the turn of this draw: those of the Python come first, then the others of the domain."""
    others = set(range(int(domain.low), min(int(domain.high), int(domain.low) + MOST_VALUES) + 1)) - set(map(int, inside))
    order = [*dict.fromkeys(map(int, inside)), *generator(f"{key}/order").permutation(sorted(others))]
    return np.full_like(values, order[(draw - DRAWS[0]) % len(order)])


def _cornered(values: Values, domain: Domain, share: float, random: np.random.Generator) -> Values:
    """``values`` with this share of them put at either end of the domain."""
    ends = np.where(random.random(values.shape) < 0.5, domain.low, domain.high).astype(values.dtype)
    return np.asarray(np.where(random.random(values.shape) < share, ends, values), values.dtype)
