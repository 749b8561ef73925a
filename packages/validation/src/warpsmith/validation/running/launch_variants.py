"""Variants of a pair's launch, which reach statements that its own launch does not reach.

A count that is smaller by one puts a thread beyond the end, and so does a launch that is wider by one. Numbers of the Python,
and their sums and differences, are planted among the inputs: they lie on the thresholds that the kernel compares with, and at
the same index of several arrays they are equal. So are the values of plain arguments and their neighbours. Elements are equal
at different indices, too, which matters to searches and loops that end early. Plain arguments have other values, so that other
branches run: integers in sequence, so that few are omitted. Ends of domains drive values to the limits of clamps. A kernel that
does not support such a launch stops, which says nothing about the pair.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from warpsmith.core.inputs.values import Values, generator, leaves, make_inputs_series
from warpsmith.core.records.launch import Argument, Launch

DRAWS = tuple(range(1, 13))
"""The numbers of the draws: odd ones have smaller counts, even ones a wider launch."""

CORNERS = {5: 0.5, 6: 1.0, 10: 0.5, 11: 1.0}
"""The draws with elements at the ends of their domain, and the share of these elements."""

UNPLANTED = 1
"""The draw whose plain floats are random; in other draws they are numbers of the Python, or ends of their domain."""

PLANTED = tuple(draw for draw in DRAWS if draw != UNPLANTED and draw not in CORNERS)
"""The draws with planted numbers."""

DUPLICATES = (3, 9)
"""The draws whose planted elements are few numbers that all arrays share."""

SHARED = 3
"""How many numbers of the Python, and of the arrays, are such numbers."""

MAX_VALUES = 64
"""How many values of a plain integer are tried, besides the numbers of the Python."""

MAX_ADDED = 12
"""How many numbers of the Python are added and subtracted."""

NEAR = (0.99, 1.01, 0.95, 1.05)
"""How far planted numbers are from those of the Python: a constant may be wrong by little, or what is compared be inexact."""

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
    ties = _Ties(parts, generator(f"{identity}/ties"))
    wider = replace(launch, dim=_wider(launch.dim, block))
    varied = [
        _Variation(argument, parts, ties, generator(f"{identity}/{argument.name}"))
        for argument in leaves(launch)
        if argument.role == "input" and argument.domain is not None
    ]
    for draw, values in zip(DRAWS, make_inputs_series(launch, f"{identity}/draws", len(DRAWS)), strict=True):
        for variation in (variation for variation in varied if variation.is_plain):
            values[variation.name] = variation.values(values[variation.name], draw)
        ties.start(
            [values[variation.name] for variation in varied if variation.is_plain],
            [values[variation.name] for variation in varied if not variation.is_plain],
        )
        for variation in (variation for variation in varied if not variation.is_plain):
            values[variation.name] = variation.values(values[variation.name], draw)
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
    adjacent = (number - 1.0, number + 1.0) if number.is_integer() else ()
    return (number, *adjacent, *(share * number for share in NEAR))


def _wider(dim: tuple[int, ...], block: int) -> tuple[int, ...]:
    """Return a launch that is wider by one in each dimension.

    Where threads wait for each other, it is wider by a block: otherwise a block would share parts of two tiles.
    """
    if not block:
        return tuple(length + 1 for length in dim)
    *outer, last = dim
    return (*(length + 1 for length in outer), last if outer and last == block else last + block)


class _Ties:
    """Numbers and places that all arrays share, so that arrays of one size have the same number at the same index.

    Attributes:
        numbers: the numbers to plant in the current draw, in order.
        shared: the numbers of the Python and of the arrays, the first of which repeat.
    """

    def __init__(self, parts: Sequence[Sequence[float]], random: np.random.Generator) -> None:
        self._random = random
        self._of_python = _shuffled(parts, random)
        self._places: dict[tuple[int, int], Values] = {}
        self.bounds: list[float] = []
        self.numbers = self._of_python
        self.shared: tuple[list[float], list[float]] = ([], [])

    def start(self, plain: Sequence[Values], arrays: Sequence[Values]) -> None:
        """Start a draw with the values of its plain arguments, which may be bounds, and of its arrays."""
        known = [float(number) for value in plain if value.dtype.kind in "fiu" for number in value.ravel()]
        bounds = {near for number in known for near in _neighbours(number)}
        self.bounds = _shuffled([sorted(filter(np.isfinite, bounds))], self._random)
        self.numbers = _alternating(self.bounds, self._of_python)
        of_arrays = [float(number) for array in arrays if array.dtype.kind in "fiu" for number in array.ravel()[:SHARED]]
        self.shared = (self._of_python, of_arrays)

    def places(self, draw: int, size: int) -> Values:
        """Return up to half of the places of an array in the order in which they receive the numbers."""
        if (draw, size) not in self._places:
            self._places[draw, size] = self._random.permutation(size)[: size // 2]
        return self._places[draw, size]


def _alternating(first: Sequence[float], second: Sequence[float]) -> list[float]:
    """Return the numbers of two lists in turn."""
    both = [number for pair in zip(first, second, strict=False) for number in pair]
    return [*both, *first[len(second) :], *second[len(first) :]]


class _Variation:
    """The values of one argument in all draws.

    Args:
        argument: the argument, which has a domain.
        parts: the numbers of the Python, and their sums and differences.
        ties: what all arguments share.
        random: for this argument.
    """

    def __init__(self, argument: Argument, parts: Sequence[Sequence[float]], ties: _Ties, random: np.random.Generator) -> None:
        if argument.domain is None:
            raise AssertionError("an argument without a domain")
        self.name, self._domain, self.is_plain = argument.name, argument.domain, argument.kind == "value"
        self._ties, self._random = ties, random
        self._order: list[int] = []
        self._numbers = self._allowed(_shuffled(parts, random))

    def values(self, values: Values, draw: int) -> Values:
        """Return other values for a draw, which are random before."""
        domain, plain, integer = self._domain, self.is_plain, values.dtype.kind in "iu"
        if values.dtype.kind not in "fiu":
            return values
        if domain.kind == "fill":
            return np.asarray(values - 1, values.dtype) if plain and integer and domain.low > 1 and draw % 2 else values
        if domain.kind != "uniform":
            return values
        inside = [number for number in self._numbers if number.is_integer()] if integer else self._numbers
        if plain and integer:
            return np.full_like(values, self._in_turn(inside, draw))
        if draw in CORNERS:
            return self._cornered(values, CORNERS[draw])
        if plain:
            return (
                values if not inside or draw == UNPLANTED else np.full_like(values, inside[PLANTED.index(draw) % len(inside)])
            )
        return self._planted(values, inside, draw)

    def _planted(self, values: Values, inside: Sequence[float], draw: int) -> Values:
        """Return the values of an array with numbers in half of its places, or in more of them if they repeat."""
        flat, integer = values.reshape(-1), values.dtype.kind in "iu"
        if draw in DUPLICATES:
            places = self._random.permutation(len(flat))[: 3 * len(flat) // 4]
            shared = [number for numbers in self._ties.shared for number in self._allowed(numbers, integer)[:SHARED]]
            flat[places] = self._random.choice(np.asarray(shared), len(places)) if shared else flat[places]
        elif draw % 2:
            places = self._random.permutation(len(flat))[: len(flat) // 2]
            numbers = _alternating(self._allowed(self._ties.bounds, integer), inside)[: len(places)]
            flat[places[: len(numbers)]] = numbers
        else:
            places = self._ties.places(draw, len(flat))
            ties = np.asarray(self._ties.numbers[: len(places)])
            fit = (ties >= self._domain.low) & (ties <= self._domain.high) & (not integer or ties == np.trunc(ties))
            flat[places[: len(ties)][fit]] = ties[fit]
        return flat.reshape(values.shape)

    def _allowed(self, numbers: Sequence[float], integers: bool = False) -> list[float]:
        """Return the numbers that lie in the domain, or the integers among them."""
        low, high = self._domain.low, self._domain.high
        return [number for number in numbers if low <= number <= high and (not integers or number.is_integer())]

    def _in_turn(self, inside: Sequence[float], draw: int) -> int:
        """Return the integer for a draw: first the numbers of the Python in turn, then other integers of the domain."""
        if not self._order:
            low, high = int(self._domain.low), int(self._domain.high)
            remaining = set(range(low, min(high, low + MAX_VALUES) + 1)) - set(map(int, inside))
            self._order = [*dict.fromkeys(map(int, inside)), *self._random.permutation(sorted(remaining)).tolist()]
        return self._order[(draw - DRAWS[0]) % len(self._order)]

    def _cornered(self, values: Values, share: float) -> Values:
        """Return ``values`` with ``share`` of them moved to an end of the domain."""
        ends = np.where(self._random.random(values.shape) < 0.5, self._domain.low, self._domain.high).astype(values.dtype)
        return np.asarray(np.where(self._random.random(values.shape) < share, ends, values), values.dtype)
