"""Variants of a pair's launch, which reach statements that its own launch does not reach.

A count that is smaller by one puts a thread beyond the end, and so does a launch that is wider by one. Numbers of the Python,
and their sums and differences, are planted among the inputs: they lie on the thresholds that the kernel compares with, and at
the same index of several arrays they are equal. Plain arguments have other values, so that other branches run: integers in
sequence, so that few are omitted. Ends of domains drive values to the limits of clamps. A kernel that does not support such a
launch stops, which says nothing about the pair.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from warpsmith.core.inputs.values import Values, generator, leaves, make_inputs
from warpsmith.core.records.launch import Argument, Domain, Launch

DRAWS = tuple(range(1, 13))
"""The numbers of the draws: odd ones have smaller counts, even ones a wider launch."""

CORNERS = {5: 0.5, 6: 1.0, 10: 0.5, 11: 1.0}
"""The draws with elements at the ends of their domain, and the share of these elements."""

UNPLANTED = 1
"""The draw whose plain floats are random; in other draws they are numbers of the Python, or ends of their domain."""

PLANTED = tuple(draw for draw in DRAWS if draw != UNPLANTED and draw not in CORNERS)
"""The draws with planted numbers."""

MAX_VALUES = 64
"""How many values of a plain integer are tried, besides the numbers of the Python."""

MAX_ADDED = 12
"""How many numbers of the Python are added and subtracted."""

_NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?:e-?\d+)?(?![\w.])")


def launch_variants(launch: Launch, identity: str, source: str, block: int = 0) -> Iterator[tuple[Launch, dict[str, Values]]]:
    """Yield launches and the values of their arguments.

    Args:
        launch: the pair's own launch.
        identity: the pair's id, which determines the values.
        source: the Python, for its numbers.
        block: how many threads wait for each other, as threads that share tiles do; 0 if none do.
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


def _thresholds(numbers: Sequence[float], random: np.random.Generator) -> tuple[list[float], list[float]]:
    """Return the numbers that a kernel may compare with: those of its Python, and their sums and differences."""
    near = {near_number for number in numbers for near_number in _neighbours(number)}
    chosen = random.permutation(np.asarray(sorted(set(numbers))))[:MAX_ADDED].tolist()
    sums = {a + sign * b for a in chosen for other in chosen for b in _neighbours(other) for sign in (1.0, -1.0)} - near
    return sorted(filter(np.isfinite, near)), sorted(filter(np.isfinite, sums))


def _shuffled(parts: Sequence[Sequence[float]], random: np.random.Generator) -> list[float]:
    """Return all numbers of the first part in random order, then all numbers of the second."""
    return [number for part in parts for number in random.permutation(np.asarray(part)).tolist()]


def _neighbours(number: float) -> tuple[float, ...]:
    """Return a number and its neighbours: adjacent integers, and numbers slightly below and above."""
    whole = (number - 1.0, number + 1.0) if number.is_integer() else ()
    return (number, *whole, 0.95 * number, 1.05 * number)


def _wider(dim: tuple[int, ...], block: int) -> tuple[int, ...]:
    """Return a launch that is wider by one in each dimension.

    Where threads wait for each other, it is wider by a block: otherwise a block would share parts of two tiles.
    """
    if not block:
        return tuple(length + 1 for length in dim)
    *outer, last = dim
    return (*(length + 1 for length in outer), last if outer and last == block else last + block)


def _varied(
    argument: Argument, values: Values, draw: int, own: Sequence[float], shared: Sequence[float], identity: str
) -> Values:
    """Return other values of an argument, by its ``own`` order of the numbers or by the order that all arguments share."""
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
    """Return ``values`` with up to half of them replaced by the numbers ``inside`` the domain."""
    flat = values.reshape(-1)
    places = random.permutation(len(flat))[: len(flat) // 2]
    flat[places[: len(inside)]] = inside[: len(places)]
    return flat.reshape(values.shape)


def _tied(values: Values, numbers: Sequence[float], inside: set[float], random: np.random.Generator) -> Values:
    """Return ``values`` with numbers planted so that arrays of one size have the same number at the same index."""
    flat = values.reshape(-1)
    for place, number in zip(random.permutation(len(flat))[: len(flat) // 2], numbers, strict=False):
        if number in inside:
            flat[place] = number
    return flat.reshape(values.shape)


def _in_turn(values: Values, domain: Domain, inside: Sequence[float], draw: int, key: str) -> Values:
    """Return the integer for this draw: first the numbers of the Python in turn, then other integers of the domain."""
    others = set(range(int(domain.low), min(int(domain.high), int(domain.low) + MAX_VALUES) + 1)) - set(map(int, inside))
    order = [*dict.fromkeys(map(int, inside)), *generator(f"{key}/order").permutation(sorted(others))]
    return np.full_like(values, order[(draw - DRAWS[0]) % len(order)])


def _cornered(values: Values, domain: Domain, share: float, random: np.random.Generator) -> Values:
    """Return ``values`` with ``share`` of them moved to an end of the domain."""
    ends = np.where(random.random(values.shape) < 0.5, domain.low, domain.high).astype(values.dtype)
    return np.asarray(np.where(random.random(values.shape) < share, ends, values), values.dtype)
