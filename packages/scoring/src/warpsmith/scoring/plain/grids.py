"""The grids over which a plain kernel is launched: five shapes with at least one thread for each element."""

from __future__ import annotations

import math
from dataclasses import dataclass

ISOLATED, REVERSED = 3, 4
"""The shape in which a thread does not see what other threads write before they wait for each other, and the shape in which the
last thread runs first."""

_SEVERAL_BLOCKS = (1, ISOLATED)
"""The shapes with at least three blocks in each dimension in which a block is wider than one thread."""

_SURPLUS = (2, REVERSED)
"""The shapes with a block beyond the launch in each dimension."""

_LARGEST = (
    ((256,), (256, 1), (256, 1, 1)),
    ((32,), (32, 1), (32, 1, 1)),
    ((256,), (32, 1), (32, 1, 1)),
    ((64,), (8, 8), (4, 4, 4)),
    ((256,), (16, 16), (8, 8, 4)),
)
"""The largest block by the number of the shape and the dimensions of the launch. Threads in blocks of one row run in order.

Blocks of the shapes in `_SURPLUS` have this size also where the launch is smaller."""


@dataclass(frozen=True, slots=True)
class Grid:
    """A grid of blocks; the first number of each is the one of ``x``.

    Attributes:
        blocks: the number of blocks in each dimension.
        threads: the threads of a block in each dimension.
        isolated: whether threads do not see what others write.
        is_reversed: whether the last thread runs first.
    """

    blocks: tuple[int, int, int]
    threads: tuple[int, int, int]
    isolated: bool = False
    is_reversed: bool = False


def grid(dim: tuple[int, ...], number: int) -> Grid:
    """Return a grid for a launch. The last dimension of the launch, whose index changes fastest, is ``x``.

    Args:
        dim: the size of the launch.
        number: the number of the shape, from 0 to 4.
    """
    lengths = dim[::-1]
    largest = _LARGEST[number][len(dim) - 1]
    several = number in _SEVERAL_BLOCKS
    surplus = number in _SURPLUS
    block = [
        threads if surplus else min(threads, _power_of_two(length // 3 if several else length))
        for threads, length in zip(largest, lengths, strict=True)
    ]
    blocks = [math.ceil(length / threads) + surplus for length, threads in zip(lengths, block, strict=True)]
    return Grid(_three(blocks), _three(block), number == ISOLATED, number == REVERSED)


def _power_of_two(length: int) -> int:
    """Return the largest power of two that is at most ``length``; 1 for lengths below."""
    return 1 << max(length.bit_length() - 1, 0)


def _three(numbers: list[int] | tuple[int, ...]) -> tuple[int, int, int]:
    first, second, third = (*numbers, 1, 1)[:3]
    return first, second, third
