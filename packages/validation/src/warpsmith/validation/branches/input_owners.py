"""The thread that each number of the inputs belongs to: numbers move with their thread while a comparison is searched.

A thread is directed along a line only if no other thread moves what it reads. The elements that a thread reads are known from
the interpreter: threads claim theirs in turn, unless another thread has claimed one of them. Elements that many threads read
stay. Where that turns too few comparisons, an element belongs to the thread that has its number.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

import numpy as np

from warpsmith.core.inputs.values import Values, leaves
from warpsmith.core.records.launch import Argument, Launch
from warpsmith.validation.oracle.values.operand_distances import Watch

NOBODY = -1
"""The owner of numbers that stay."""

MANY = 4
"""How many threads may read an element that moves with one of them; the others are not directed."""

Owners = dict[str, Values]
"""The number of the thread for each number of a leaf, or `NOBODY`."""


def ways(launch: Launch, first: Mapping[str, Values], watch: Watch) -> Iterator[Owners]:
    """Yield the ways to assign the numbers of the inputs to threads, the better one first."""
    by_reads = _by_reads(launch, first, watch)
    if by_reads:
        yield by_reads
    by_position = dict(_by_position(launch, first))
    if by_position:
        yield by_position


def moves(leaf: Argument, values: Mapping[str, Values]) -> bool:
    """Return whether a leaf is an input of floats, and values between two allowed values are allowed."""
    dense = leaf.domain is not None and leaf.domain.kind in ("uniform", "near_identity", "sorted", "stored")
    return dense and leaf.role == "input" and values[leaf.name].dtype.kind == "f"


def _by_reads(launch: Launch, first: Mapping[str, Values], watch: Watch) -> Owners:
    """Return owners by what threads read in a launch; no leaf if the launch does not show that or nothing can move."""
    floats = [leaf for leaf in leaves(launch) if leaf.shape and moves(leaf, first)]
    reads = {leaf.name: found for leaf in floats if (found := watch.reads_of(leaf.name)) is not None}
    if not reads:
        return {}
    starts = np.cumsum([0, *(math.prod(leaf.shape) for leaf in floats if leaf.name in reads)])
    elements = [numbers + start for (numbers, _), start in zip(reads.values(), starts, strict=False)]
    threads = [threads for _, threads in reads.values()]
    pairs = np.unique(np.stack([np.concatenate(threads), np.concatenate(elements)]), axis=1)
    readers = np.bincount(pairs[1], minlength=int(starts[-1]))
    pairs = pairs[:, readers[pairs[1]] <= MANY]
    owner = _claimed(pairs, int(starts[-1]))
    if np.all(owner == NOBODY):
        return {}
    parts = zip(reads, starts, starts[1:], strict=False)
    return {name: _per_number(owner[start:stop], first[name].shape) for name, start, stop in parts}


def _claimed(pairs: Values, count: int) -> Values:
    """Return the owners of elements from the threads, in order, and the elements that each of them reads."""
    owner = np.full(count, NOBODY)
    threads, begins = np.unique(pairs[0], return_index=True)
    for thread, elements in zip(threads, np.split(pairs[1], begins[1:]), strict=False):
        if np.all(owner[elements] == NOBODY):
            owner[elements] = thread
    return owner


def _per_number(owner: Values, shape: tuple[int, ...]) -> Values:
    """Return the owners of the numbers of a leaf from those of its elements."""
    return np.repeat(owner, math.prod(shape) // max(len(owner), 1)).reshape(shape)


def _by_position(launch: Launch, values: Mapping[str, Values]) -> Iterator[tuple[str, Values]]:
    for leaf in leaves(launch):
        if leaf.shape and moves(leaf, values):
            yield leaf.name, np.broadcast_to(_thread_of(leaf, launch.dim, values[leaf.name].ndim), values[leaf.name].shape)


def _thread_of(leaf: Argument, dim: tuple[int, ...], dimensions: int) -> Values:
    """Return the number of the thread whose coordinates are the indices of an element; the last one has the elements beyond."""
    number = np.zeros((1,) * dimensions, np.int64)
    for place, (length, width) in enumerate(zip(leaf.shape, dim, strict=False)):
        index = np.minimum(np.arange(length), width - 1).reshape((1,) * place + (-1,) + (1,) * (dimensions - place - 1))
        number = number + index * math.prod(dim[place + 1 :])
    return number
