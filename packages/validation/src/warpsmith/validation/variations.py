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

from warpsmith.extraction.inputs import Values, generator, leaves, make_inputs
from warpsmith.extraction.record import Argument, Domain, Launch

DRAWS = (1, 2, 3, 4, 5, 6, 7, 8)
"""Odd ones have smaller counts, even ones a wider launch."""

CORNERS = (5, 6)
"""Those with elements at the ends of their domain, half of them and all."""

UNPLANTED = 1
"""The one whose plain floats are drawn at random; in others they are numbers of the Python, or ends of their domain."""

MOST_VALUES = 64
"""How many values of a plain whole number are thought of, beside the numbers of the Python."""

MOST_ADDED = 12
"""How many numbers of the Python are added and subtracted."""

_NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?:e-?\d+)?(?![\w.])")


def variations(launch: Launch, identity: str, source: str, block: int = 0) -> Iterator[tuple[Launch, dict[str, Values]]]:
    """Yield launches and the values of their arguments.

    Args:
        launch: the pair's own.
        identity: the pair's id, which the values follow from.
        source: the Python, for its numbers.
        block: how many threads wait for each other, as those that share tiles do; 0 where none do.
    """
    numbers = _thresholds(sorted({float(number) for number in _NUMBER.findall(source)}), generator(f"{identity}/numbers"))
    wider = replace(launch, dim=_wider(launch.dim, block))
    for draw in DRAWS:
        key = f"{identity}/draw {draw}"
        values = make_inputs(launch, key)
        for argument in leaves(launch):
            if argument.role == "input" and argument.domain is not None:
                values[argument.name] = _varied(argument, values[argument.name], draw, numbers, identity)
        yield (launch if draw % 2 else wider), values


def _thresholds(given: Sequence[float], random: np.random.Generator) -> list[float]:
    """The numbers that a kernel may compare with, those that are written first: each part is in random order."""
    near = {beside for number in given for beside in _beside(number)}
    given = random.permutation(np.asarray(given))[:MOST_ADDED].tolist()
    sums = {a + sign * b for a in given for other in given for b in _beside(other) for sign in (1.0, -1.0)} - near
    parts = (sorted(number for number in part if np.isfinite(number)) for part in (near, sums))
    return [float(number) for part in parts for number in random.permutation(np.asarray(part))]


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


def _varied(argument: Argument, values: Values, draw: int, numbers: Sequence[float], identity: str) -> Values:
    domain, plain = argument.domain, argument.kind == "value"
    if domain is None or values.dtype.kind not in "fiu":
        return values
    whole = values.dtype.kind in "iu"
    if domain.kind == "fill":
        return np.asarray(values - 1, values.dtype) if plain and whole and domain.low > 1 and draw % 2 else values
    if domain.kind != "uniform":
        return values
    key = f"{identity}/{argument.name}"
    inside = [number for number in numbers if domain.low <= number <= domain.high and (number.is_integer() or not whole)]
    if plain and whole:
        return _in_turn(values, domain, inside, draw, key)
    if draw in CORNERS:
        return _cornered(values, domain, 0.5 if draw == CORNERS[0] else 1.0, generator(f"{key}/corners {draw}"))
    if not inside:
        return values
    if plain:
        return values if draw == UNPLANTED else np.full_like(values, inside[(draw - UNPLANTED - 1) % len(inside)])
    return (
        _planted(values, inside, generator(f"{key}/places {draw}"))
        if draw % 2
        else _tied(values, numbers, inside, draw, identity)
    )


def _planted(values: Values, inside: Sequence[float], random: np.random.Generator) -> Values:
    """``values`` with up to half of them replaced by numbers that lie ``inside``."""
    flat = values.reshape(-1)
    places = random.permutation(len(flat))[: len(flat) // 2]
    flat[places[: len(inside)]] = inside[: len(places)]
    return flat.reshape(values.shape)


def _tied(values: Values, numbers: Sequence[float], inside: Sequence[float], draw: int, identity: str) -> Values:
    """The same, but a number stands at one place in all arrays of this size, if it is inside of their domains."""
    flat = values.reshape(-1)
    places = generator(f"{identity}/places {draw}").permutation(len(flat))[: len(flat) // 2]
    fitting = set(inside)
    for place, number in zip(places, numbers, strict=False):
        if number in fitting:
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
