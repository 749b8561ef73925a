"""The grids over which a plain kernel is launched: five shapes with at least one thread for each element."""

from __future__ import annotations

import math
from dataclasses import dataclass

REVERSED = 4
"""The shape in which the last block and the last warp of a block run first."""

_SURPLUS = (2, REVERSED)
"""The shapes with a block beyond the launch in each dimension."""

_BLOCKS = (
    ((256,), (256, 1), (256, 1, 1)),
    ((32,), (32, 1), (32, 1, 1)),
    ((64,), (64, 1), (64, 1, 1)),
    ((128,), (4, 16), (2, 4, 8)),
    ((32,), (16, 8), (8, 4, 2)),
)
"""The block by the number of the shape and the dimensions of the launch. Threads in blocks of one row run in order."""

DYNAMIC_SHARED = 16 << 10
"""Bytes of dynamic shared memory that a launch passes."""


@dataclass(frozen=True, slots=True)
class Grid:
    """A grid of blocks; the first number of each is the one of ``x``.

    Attributes:
        blocks: the number of blocks in each dimension.
        threads: the threads of a block in each dimension.
        is_reversed: whether the last thread runs first.
    """

    blocks: tuple[int, int, int]
    threads: tuple[int, int, int]
    is_reversed: bool = False


def grid(dim: tuple[int, ...], number: int) -> Grid:
    """Return a grid for a launch. The last dimension of the launch, whose index changes fastest, is ``x``.

    Args:
        dim: the size of the launch.
        number: the number of the shape, from 0 to 4.
    """
    block = _BLOCKS[number][len(dim) - 1]
    surplus = number in _SURPLUS
    blocks = [max(math.ceil(length / threads), 1) + surplus for length, threads in zip(dim[::-1], block, strict=True)]
    return Grid(_three(blocks), _three(block), number == REVERSED)


def strided_grid(dim: tuple[int, ...], number: int) -> Grid:
    """Return a grid for a kernel whose threads step over it: with half of the blocks, unless there is one only."""
    full = grid(dim, number)
    first, second, third = (max(blocks // 2, 1) for blocks in full.blocks)
    return Grid((first, second, third), full.threads, full.is_reversed)


def _three(numbers: list[int] | tuple[int, ...]) -> tuple[int, int, int]:
    first, second, third = (*numbers, 1, 1)[:3]
    return first, second, third
