"""Launches of a pair with many threads, at which kernels differ in speed.

Every number of the launch that is the length of a dimension of the grid is multiplied, and so are numbers next to it, as the
offsets of rows have one element more than there are rows. Whether the kernel allows that shows when its reference runs.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from warpsmith.core.records.launch import Argument, Domain, Launch
from warpsmith.core.records.launch_size import argument_bytes
from warpsmith.core.records.pair import Pair
from warpsmith.scoring.judging.launch_sizes import INDICES, arrays, is_integer, literals
from warpsmith.scoring.judging.stored_contents import with_stored_contents
from warpsmith.scoring.tasks.fixed_sizes import arrays_are_fixed

BYTES = 64 << 20
"""The most bytes of the arguments of a larger launch. Inputs have at most 16 million numbers."""

_NEAR = (0, 1, -1, 2, -2)


def larger_launch(pair: Pair, threads: int) -> Launch | None:
    """Return the launch of a pair with about so many threads, fewer if its arguments would take more than `BYTES`.

    Args:
        pair: the pair.
        threads: the number of threads.

    Returns:
        None if the pair's launch has one size only, or has as many threads, or its arrays do not grow with the threads.
    """
    launch = pair.metadata.launch
    if launch is None or arrays_are_fixed(pair):
        return None
    pinned = literals(pair)
    axes = [number for number in launch.dim if number > 1 and number not in pinned]
    while axes:
        factor = round((threads / math.prod(launch.dim)) ** (1 / len(axes)))
        if factor < 2:
            return None
        found = _Larger(launch, _lengths(launch, axes, factor), factor).launch()
        size = argument_bytes(found)
        if 2 * size < 3 * argument_bytes(launch):  # the numbers of threads and elements have nothing to do with each other
            return None
        if size <= BYTES:
            return with_stored_contents(found, launch)
        threads //= 2
    return None


def _lengths(launch: Launch, axes: list[int], factor: int) -> dict[int, int]:
    """Return what replaces lengths; where a grid has one thread for each element, the first axis of its array grows."""
    lengths = {number: number * factor for number in axes}
    for leaf in arrays(launch.args):
        for count in range(2, len(leaf.shape) + 1):
            if math.prod(leaf.shape[:count]) in lengths and not lengths.keys() & set(leaf.shape):
                lengths[leaf.shape[0]] = leaf.shape[0] * factor
    return lengths


@dataclass(frozen=True, slots=True)
class _Larger:
    """A launch whose lengths are replaced."""

    original: Launch
    lengths: dict[int, int]
    factor: int

    def launch(self) -> Launch:
        """Return the launch."""
        dim = tuple(self._number(number) for number in self.original.dim)
        return replace(self.original, dim=dim, args=tuple(map(self._argument, self.original.args)))

    def _number(self, number: int) -> int:
        for offset in _NEAR:
            if number + offset in self.lengths:
                return self.lengths[number + offset] - offset
        return number

    def _argument(self, argument: Argument) -> Argument:
        shape, fields, domain = argument.shape, tuple(map(self._argument, argument.fields)), argument.domain
        if argument.kind == "array":
            shape = tuple(map(self._number, shape))
        if domain is not None and is_integer(argument):
            if argument.kind == "value" and domain.kind == "fill":
                count = self._number(int(domain.low))
                domain = Domain(kind="fill", low=count, high=count)
            elif domain.kind in INDICES and argument.role != "output":
                domain = replace(domain, high=self._number(int(domain.high)))
        return replace(argument, shape=shape, fields=fields, domain=domain)
