"""The sizes that a kernel receives: the number of threads, and the lengths of the inner axes of arrays.

Arrays whose axes belong together share one size. What a caller has to keep for that is the contract of the text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from warpsmith.core.records.launch import Launch
from warpsmith.scoring.plain.plain_signature import argument_named

Source = tuple[str, int]
"""A size of a launch: the name of an array and the number of an axis, or an empty name and a dimension of the launch.

The name of a number with -1 is this number.
"""


LARGEST_LITERAL = 16
"""The largest length of an axis that a text contains as a number."""


@dataclass(frozen=True, slots=True)
class Contract:
    """What a launch has to fulfil.

    Attributes:
        equal: sizes that are equal.
        at_least: dimensions of the launch that are as large as a size.
        fixed: sizes that are a number.
    """

    equal: tuple[tuple[Source, Source], ...] = ()
    at_least: tuple[tuple[int, Source], ...] = ()
    fixed: tuple[tuple[Source, int], ...] = ()

    @property
    def shares(self) -> bool:
        """Whether a text with a parameter for each size has a weaker contract."""
        return bool(self.equal or self.fixed)

    def holds(self, launch: Launch, values: Mapping[str, Any]) -> bool:
        """Return whether a launch fulfils the contract.

        Args:
            launch: the launch.
            values: the contents of its arguments.
        """
        if any(size(source, launch, values) != length for source, length in self.fixed):
            return False
        return all(size(first, launch, values) == size(second, launch, values) for first, second in self.equal) and all(
            launch.dim[dimension] >= size(source, launch, values) for dimension, source in self.at_least
        )


def size(source: Source, launch: Launch, values: Mapping[str, Any]) -> int:
    """Return a size of a launch."""
    name, axis = source
    if not name:
        return launch.dim[axis]
    if axis < 0:
        return int(values[name])
    return argument_named(launch, name).shape[axis]


@dataclass(slots=True)
class Sizes:
    """The sizes of a text.

    Attributes:
        launch: the launch of the pair.
        shares: whether arrays share sizes.
        bounds: the text and the source of the number of elements in each dimension of the launch.
        parameters: the sizes that the kernel receives, by name.
        equal: sizes that are equal by contract.
        fixed: sizes that are a number by contract.
        literal: arrays whose last index is always a literal.
    """

    launch: Launch
    shares: bool
    bounds: list[tuple[str, Source]] = field(default_factory=list)
    parameters: dict[str, Source] = field(default_factory=dict)
    equal: list[tuple[Source, Source]] = field(default_factory=list)
    fixed: dict[Source, int] = field(default_factory=dict)
    literal: frozenset[str] = frozenset()

    def named(self, array: str, axis: int, default_name: str, values: Mapping[str, Any]) -> str:
        """Return the name of the length of an axis."""
        source = (array, axis)
        length = size(source, self.launch, values)
        if self.shares and array in self.literal and length <= LARGEST_LITERAL and axis > 0:
            self.fixed[source] = length
            return str(length)
        for name, other in self._candidates(axis) if self.shares and axis > 0 else ():
            if size(other, self.launch, values) == length:
                if other != source:
                    self.equal.append((other, source))
                return name
        return self._parameter(default_name, source)

    def _candidates(self, axis: int) -> Iterator[tuple[str, Source]]:
        if axis < len(self.bounds) and self.bounds[axis][0].isidentifier():
            yield self.bounds[axis]
        for name, source in self.parameters.items():
            if source[0] and source[1] == axis:
                yield name, source

    def _parameter(self, name: str, source: Source) -> str:
        self.parameters.setdefault(name, source)
        return name

    @property
    def contract(self) -> Contract:
        """What a launch has to fulfil."""
        return Contract(tuple(dict.fromkeys(self.equal)), fixed=tuple(self.fixed.items()))
