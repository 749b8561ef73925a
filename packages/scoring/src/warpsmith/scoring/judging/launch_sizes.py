"""Other sizes of a launch: numbers of threads and lengths of arrays that differ from the pair's own.

Equal numbers of a launch usually mean the same thing: the number of threads, the length of an axis, a count among the
arguments, and the end of the range of an index. They are replaced together. The degree says how freely: at the highest one,
every axis of every array has its own length; a lower one serves kernels whose Python does not allow that.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from warpsmith.core.records.launch import Argument, Domain, Launch
from warpsmith.core.records.pair import Pair
from warpsmith.scoring.judging.stored_contents import with_stored_contents
from warpsmith.scoring.tasks.fixed_sizes import arrays_are_fixed, sizes_are_fixed

DEGREES = 5
"""How many degrees of freedom there are, from `DEGREES` - 1, where all sizes move apart, to 0, where only threads do."""

THREAD_LIMIT = 1024
"""The most threads of a launch of another size, unless the pair's own launch has more."""

ELEMENT_LIMIT = 1 << 20
"""The most elements of the arrays of such a launch; a table whose axes are as long as others may become far larger."""

SURPLUS_LIMIT = 4
"""The most elements of an axis beyond those that the launch needs."""

_FEW = 16
"""The largest count among the arguments that becomes another one although it is the length of no axis."""

_ZERO = 0.3
"""The share of such counts that become zero."""

_LITERAL = re.compile(r"(?<![\w.])\d+(?![\w.])")

INDICES = ("uniform", "permutation", "offsets", "sorted")
"""The domains of integers whose ends may be indices or counts."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """The sizes that a launch should have.

    Attributes:
        name: what a counterexample calls them.
        least: the least length of an axis by the number of dimensions of an array.
        largest: the largest length; 0 for the pair's own lengths.
        odd: whether lengths are odd.
        equal: whether all lengths are equal.
        threads: how many threads there are, compared with the elements.
    """

    name: str
    least: tuple[int, int, int, int] = (1, 1, 1, 1)
    largest: tuple[int, int, int, int] = (0, 0, 0, 0)
    odd: bool = False
    equal: bool = False
    threads: str = "equal"


SINGLE = Sizes("one", largest=(1, 1, 1, 1))
TINY = Sizes("tiny", least=(2, 2, 1, 1), largest=(4, 3, 2, 2))
ODD = Sizes("odd", least=(3, 3, 3, 3), largest=(71, 13, 7, 5), odd=True)
SQUARE = Sizes("square", least=(5, 4, 3, 2), largest=(40, 10, 6, 4), equal=True)
NARROW = Sizes("narrow", threads="fewer")
WIDE = Sizes("wide", least=(2, 2, 2, 2), largest=(60, 10, 5, 4), threads="more")
LARGE = Sizes("large", least=(257, 16, 7, 4), largest=(320, 20, 9, 5))


def resized(pair: Pair, launch: Launch, sizes: Sizes, degree: int, random: np.random.Generator) -> Launch | None:
    """Return the launch of a pair with other sizes, or None if the degree allows no other sizes.

    Args:
        pair: the pair.
        launch: its own launch.
        sizes: the sizes.
        degree: below `DEGREES`; at 0 only the number of threads changes.
        random: determines the sizes.
    """
    if sizes_are_fixed(pair):
        return None
    if degree == 0 or arrays_are_fixed(pair):
        return None if degree else replace(launch, dim=_other_threads(launch.dim, sizes, random))
    pinned = literals(pair) - {0, 1}
    found = _Resizing(launch, sizes, degree, pinned, random).launch()
    if math.prod(found.dim) > max(THREAD_LIMIT, math.prod(launch.dim)):
        return None
    if sum(math.prod(leaf.shape) for leaf in arrays(found.args)) > ELEMENT_LIMIT:
        return None
    return with_stored_contents(found, launch)


def _other_threads(dim: tuple[int, ...], sizes: Sizes, random: np.random.Generator) -> tuple[int, ...]:
    """Return another number of threads for arrays of the pair's own shapes."""
    if sizes.threads == "more":
        return tuple(length + _surplus(len(dim), random) for length in dim)
    if sizes.largest == SINGLE.largest:
        return (1,) * len(dim)
    return tuple(_fewer(length, random) for length in dim)


def _fewer(length: int, random: np.random.Generator) -> int:
    """Return a smaller number, of any order of magnitude."""
    return int(max(length, 1) ** random.random())


def _surplus(dimensions: int, random: np.random.Generator) -> int:
    return int(random.integers(1, 70 if dimensions == 1 else 9))


class _Resizing:
    """A launch on its way to other sizes."""

    def __init__(self, launch: Launch, sizes: Sizes, degree: int, pinned: set[int], random: np.random.Generator) -> None:
        self._launch, self._sizes, self._random = launch, sizes, random
        self._by_axis, self._apart, self._surplus = degree in (2, 4), degree >= 3, degree >= 2
        self._pinned = pinned
        self._axes = {(length, axis) for leaf in arrays(launch.args) for axis, length in enumerate(leaf.shape)}
        self._dimensions = min(max(len(launch.dim), *(len(leaf.shape) for leaf in arrays(launch.args)), 1), 4)
        self._lengths: dict[tuple[int, int], int] = {}
        self._shared: dict[tuple[int, int], int] = {}
        self._equal = self._random_length() if sizes.equal else 0
        self._least: dict[int, int] = {}

    def launch(self) -> Launch:
        """Return the launch."""
        dim = self._dim()
        shaped = tuple(map(self._shaped, self._launch.args))
        return replace(self._launch, dim=dim, args=tuple(map(self._limited, shaped)))

    def _random_length(self, number: int = 0) -> int:
        """Return a random length; the axis along which a launch of one dimension runs may be long."""
        runs_along = len(self._launch.dim) == 1 and abs(number - self._launch.dim[0]) <= 2 * SURPLUS_LIMIT
        place = 0 if runs_along and not self._sizes.equal else self._dimensions - 1
        least, largest = self._sizes.least[place], self._sizes.largest[place]
        length = int(self._random.integers(least, largest + 1))
        return length - 1 if self._sizes.odd and length % 2 == 0 else length

    def _length(self, number: int, axis: int) -> int:
        """Return what replaces a number of the launch that is the length of an axis."""
        if number in self._pinned or number == 0:
            return number
        if not self._sizes.largest[0]:
            return number
        if number == 1:
            return 1
        key = (number, axis if self._by_axis else 0)
        if key not in self._lengths:
            self._lengths[key] = self._equal or self._random_length(number)
        return self._lengths[key]

    def _known(self, number: int, axis: int | None = None) -> int | None:
        """Return what replaces a number, or None if it is no length of an axis."""
        axes = [place for length, place in sorted(self._axes) if length == number]
        if not axes:
            return None
        return self._length(number, axis if axis in axes else axes[int(self._random.integers(len(axes)))])

    def _dim(self) -> tuple[int, ...]:
        dim = self._launch.dim
        lengths = [self._elements(number, place if len(dim) > 1 else None) for place, number in enumerate(dim)]
        match self._sizes.threads:
            case "fewer":
                return tuple(_fewer(length, self._random) for length in lengths)
            case "more":
                return tuple(length + _surplus(len(dim), self._random) for length in lengths)
        return tuple(max(length, 1) for length in lengths)

    def _elements(self, number: int, axis: int | None) -> int:
        """Return how many elements there are along a dimension of the launch."""
        if (known := self._known(number, axis)) is not None:
            return known
        for leaf in arrays(self._launch.args):
            for count in range(len(leaf.shape), 1, -1):
                if math.prod(leaf.shape[:count]) == number:
                    return math.prod(self._length(length, place) for place, length in enumerate(leaf.shape[:count]))
        near = [length for length, _ in sorted(self._axes) if 0 < abs(number - length) <= 2 * SURPLUS_LIMIT]
        if near and (known := self._known(near[0])) is not None:
            return max(known + (number > near[0]), 1)
        return self._random_length() if self._sizes.largest[0] else number

    def _shaped(self, argument: Argument) -> Argument:
        """Return an argument whose arrays have other shapes, and whose counts are other numbers."""
        if argument.kind == "struct":
            return replace(argument, fields=tuple(map(self._shaped, argument.fields)))
        if argument.kind == "array":
            return replace(argument, shape=tuple(self._axis(length, axis) for axis, length in enumerate(argument.shape)))
        domain = argument.domain
        if argument.kind != "value" or domain is None or domain.kind != "fill" or not is_integer(argument):
            return argument
        count = self._count(int(domain.low))
        return replace(argument, domain=Domain(kind="fill", low=count, high=count))

    def _axis(self, length: int, axis: int) -> int:
        found = self._length(length, axis)
        if self._surplus and not (self._sizes.largest == SINGLE.largest and self._random.random() < 0.5):
            more = int(self._random.integers(0, SURPLUS_LIMIT + 1))
            found += more if self._apart else self._shared.setdefault((length, axis if self._by_axis else 0), more)
        self._least[length] = min(self._least.get(length, found), found)
        return found

    def _count(self, number: int) -> int:
        """Return what replaces a count among the arguments; it may be a little less or more than the length of an axis."""
        for offset in (0, 1, -1, 2, -2):
            if (known := self._known(number + offset)) is not None:
                return max(known - offset, min(number, 1))
        if number in self._products():
            return self._elements(number, None)
        if not self._apart or not 0 < number <= _FEW:
            return number
        return 0 if self._random.random() < _ZERO else int(self._random.integers(1, 2 * number + 1))

    def _products(self) -> set[int]:
        return {math.prod(leaf.shape[:count]) for leaf in arrays(self._launch.args) for count in range(2, len(leaf.shape) + 1)}

    def _limited(self, argument: Argument) -> Argument:
        """Return an argument whose integers stay below the new lengths if they stayed below the former ones."""
        domain = argument.domain
        fields = tuple(map(self._limited, argument.fields))
        if domain is None or domain.kind not in INDICES or not is_integer(argument) or argument.role == "output":
            return replace(argument, fields=fields) if fields else argument
        return replace(argument, domain=self._limited_domain(domain, argument.kind == "value"), fields=fields)

    def _limited_domain(self, domain: Domain, is_value: bool) -> Domain:
        high = int(domain.high)
        if is_value or domain.kind == "offsets":
            found = self._least.get(high, high)
        elif high + 1 in self._least:
            found = self._least[high + 1] - 1
        else:
            found = self._least.get(high, high)
        found = min(found, high) if domain.kind == "uniform" and found > high else found
        return replace(domain, low=min(int(domain.low), found), high=found)


def arrays(arguments: tuple[Argument, ...]) -> Iterator[Argument]:
    """Yield the arrays among arguments and the members of structs."""
    for argument in arguments:
        if argument.kind == "array":
            yield argument
        elif argument.kind == "struct":
            yield from arrays(argument.fields)


def literals(pair: Pair) -> set[int]:
    """Return the integers in the Python of a pair: such numbers of its launch have to stay."""
    return {int(number) for number in _LITERAL.findall(pair.python_source)}


def is_integer(argument: Argument) -> bool:
    """Return whether an argument contains integers."""
    return re.match(r"u?int\d", argument.dtype) is not None
