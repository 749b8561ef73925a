"""More launches of a pair than its own: what one draw of inputs never meets, another may.

A count that is one too small puts a thread behind the end; so does a launch that is one wider. Numbers of the Python, planted
among the inputs, lie on the thresholds that the kernel compares with. Plain arguments get other values, so that other branches
are taken, and ends of domains drive values to where clamps begin. Where a kernel is not made for such a launch it stops, and
that says nothing about the pair.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from warpsmith.extraction.inputs import Values, generator, leaves, make_inputs
from warpsmith.extraction.record import Argument, Domain, Launch

DRAWS = (1, 2, 3, 4, 5, 6, 7, 8)
"""Odd ones have smaller counts, even ones a wider launch, and numbers planted among plain arguments."""

CORNERS = (5, 6)
"""Those with elements at the ends of their domain, half of them and all."""

_NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?:e-?\d+)?(?![\w.])")


def variations(launch: Launch, identity: str, source: str, block: int = 0) -> Iterator[tuple[Launch, dict[str, Values]]]:
    """Yield launches and the values of their arguments.

    Args:
        launch: the pair's own.
        identity: the pair's id, which the values follow from.
        source: the Python, for its numbers.
        block: how many threads wait for each other, as those that share tiles do; 0 where none do.
    """
    numbers = sorted({beside for number in _NUMBER.findall(source) for beside in _beside(float(number))})
    wider = replace(launch, dim=_wider(launch.dim, block))
    for draw in DRAWS:
        key = f"{identity}/draw {draw}"
        values = make_inputs(launch, key)
        for argument in leaves(launch):
            if argument.role == "input" and argument.domain is not None:
                values[argument.name] = _varied(argument, values[argument.name], draw, numbers, f"{identity}/{argument.name}")
        yield (launch if draw % 2 else wider), values


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


def _varied(argument: Argument, values: Values, draw: int, numbers: Sequence[float], key: str) -> Values:
    domain = argument.domain
    if domain is None or values.dtype.kind not in "fiu":
        return values
    if domain.kind == "fill":
        is_count = argument.kind == "value" and values.dtype.kind in "iu" and domain.low > 1
        return np.asarray(values - 1, values.dtype) if is_count and draw % 2 else values
    if draw in CORNERS and domain.kind == "uniform":
        return _cornered(values, domain, 0.5 if draw == CORNERS[0] else 1.0, generator(f"{key}/corners {draw}"))
    inside = [number for number in numbers if domain.low <= number <= domain.high] if domain.kind == "uniform" else []
    if not inside:
        return values
    if argument.kind == "value":
        return _planted(values, inside, draw, key)
    flat = values.reshape(-1)
    places = generator(f"{key}/places {draw}").permutation(len(flat))[: len(flat) // 2]
    flat[places[: len(inside)]] = inside[: len(places)]
    return flat.reshape(values.shape)


def _planted(values: Values, numbers: Sequence[float], draw: int, key: str) -> Values:
    """One of ``numbers`` in every other draw, each time another."""
    fitting = [number for number in numbers if values.dtype.kind == "f" or number.is_integer()]
    if not fitting or draw % 2:
        return values
    order = generator(f"{key}/planted").permutation(fitting)
    return np.full_like(values, order[draw // 2 % len(order)])


def _cornered(values: Values, domain: Domain, share: float, random: np.random.Generator) -> Values:
    """``values`` with this share of them put at either end of the domain."""
    ends = np.where(random.random(values.shape) < 0.5, domain.low, domain.high).astype(values.dtype)
    return np.asarray(np.where(random.random(values.shape) < share, ends, values), values.dtype)
