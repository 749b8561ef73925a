"""The sizes that a kernel receives: the number of threads, and the lengths of the inner axes of arrays.

Arrays whose axes belong together share one size. What a caller has to keep for that is the contract of the text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from warpsmith.core.records.launch import Launch
from warpsmith.scoring.plain.plain_signature import argument_named

Source = tuple[str, int]
"""A size of a launch: the name of an array and the number of an axis, or an empty name and a dimension of the launch.

The name of an argument with -1 is this argument, and a number with `NUMBER` is this number; the name of
a constant may follow it.
"""

NUMBER = -2
"""Stands for the axis where a size is a number."""

LARGEST_LITERAL = 16
"""The largest length of an axis that a text contains as a number."""


@dataclass(frozen=True, slots=True)
class Contract:
    """What a launch has to fulfil.

    Attributes:
        equal: sizes that are equal.
        at_least: dimensions of the launch that are as large as a size.
        fixed: sizes that are a number.
        products: dimensions of the launch that are the product of two sizes.
    """

    equal: tuple[tuple[Source, Source], ...] = ()
    at_least: tuple[tuple[int, Source], ...] = ()
    fixed: tuple[tuple[Source, int], ...] = ()
    products: tuple[tuple[int, Source, Source], ...] = ()

    @property
    def shares(self) -> bool:
        """Whether a text with a parameter for each size has a weaker contract."""
        return bool(self.equal or self.fixed or self.products)

    def holds(self, launch: Launch, values: Mapping[str, Any]) -> bool:
        """Return whether a launch fulfils the contract.

        Args:
            launch: the launch.
            values: the contents of its arguments.
        """
        if any(size(source, launch, values) != length for source, length in self.fixed):
            return False
        for dimension, first, second in self.products:
            if launch.dim[dimension] != size(first, launch, values) * size(second, launch, values):
                return False
        return all(size(first, launch, values) == size(second, launch, values) for first, second in self.equal) and all(
            launch.dim[dimension] >= size(source, launch, values) for dimension, source in self.at_least
        )


def size(source: Source, launch: Launch, values: Mapping[str, Any]) -> int:
    """Return a size of a launch."""
    name, axis = source
    if not name:
        return launch.dim[axis]
    if axis == -1:
        return int(values[name])
    if axis == NUMBER:
        return int(name.partition(" ")[0])
    return argument_named(launch, name).shape[axis]


@dataclass(slots=True)
class Sizes:
    """The sizes of a text.

    Attributes:
        launch: the launch of the pair.
        shares: whether arrays share sizes.
        values: the contents of the arguments in this launch.
        bounds: the text and the source of the number of elements in each dimension of the launch.
        parameters: the sizes that the kernel receives, by name.
        counts: the arguments that may be sizes, and their names in the text.
        equal_to: returns the sizes that are equal to a size.
        constant: returns the text of a constant of the file.
        equal: sizes that are equal by contract.
        fixed: sizes that are a number by contract.
        products: dimensions of the launch that are a product by contract.
        literal: arrays whose last index is always a literal.
    """

    launch: Launch
    shares: bool
    values: Mapping[str, Any]
    bounds: list[tuple[str, Source]] = field(default_factory=list)
    parameters: dict[str, Source] = field(default_factory=dict)
    counts: dict[str, str] = field(default_factory=dict)
    equal_to: Callable[[Source], list[Source]] = lambda source: [source]
    constant: Callable[[str], str] = str
    equal: list[tuple[Source, Source]] = field(default_factory=list)
    fixed: dict[Source, int] = field(default_factory=dict)
    products: list[tuple[int, Source, Source]] = field(default_factory=list)
    literal: frozenset[str] = frozenset()

    def named(self, array: str, axis: int, new_name: Callable[[], str]) -> str:
        """Return the name of the length of an axis."""
        source = (array, axis)
        length = size(source, self.launch, self.values)
        if self.shares and array in self.literal and length <= LARGEST_LITERAL and axis > 0:
            self.fixed[source] = length
            return str(length)
        for name, other in self._candidates(source) if self.shares else ():
            if other != source:
                self.equal.append((other, source))
            return name
        known = next((name for name, other in self.parameters.items() if other == source), "")
        name = known or new_name()
        self.parameters[name] = source
        return name

    def count(self, source: Source) -> tuple[str, Source] | None:
        """Return the argument that is equal to a size, by its name in the text; None without one."""
        for other in self.equal_to(source) if self.shares else ():
            if other[1] == -1 and other[0] in self.counts:
                return self.counts[other[0]], other
        return None

    def _candidates(self, source: Source) -> Iterator[tuple[str, Source]]:
        """Yield the names that a size may have, the best one first."""
        if (count := self.count(source)) is not None:
            yield count
        members = self.equal_to(source)
        bounds = [(text, bound) for text, bound in self.bounds if text.isidentifier()]
        known = [*bounds, *((name, other) for name, other in self.parameters.items() if other[0])]
        yield from ((name, other) for name, other in known if other in members)
        if source[1] > 0:
            yield from ((self._constant(other), other) for other in members if other[1] == NUMBER)

    def _constant(self, source: Source) -> str:
        value, _, name = source[0].partition(" ")
        return self.constant(name) if name else value

    @property
    def contract(self) -> Contract:
        """What a launch has to fulfil."""
        return Contract(tuple(dict.fromkeys(self.equal)), (), tuple(self.fixed.items()), tuple(self.products))
