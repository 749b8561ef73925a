"""Division of a stream of items into batches."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")


def divide(items: Iterable[T], max_items: int, *budgets: tuple[Callable[[T], int], int]) -> Iterator[list[T]]:
    """Yield batches of items, in order. A batch is read from ``items`` before it is yielded, and no further.

    Args:
        items: the items; they may be endless.
        max_items: the most items of one batch.
        budgets: pairs of a measure and the largest sum of it over one batch; an item above it forms a batch alone.

    Examples:
        >>> list(divide("abcde", 2))
        [['a', 'b'], ['c', 'd'], ['e']]
        >>> list(divide([1, 2, 9, 1], 3, (lambda number: number, 4)))
        [[1, 2], [9], [1]]
    """
    batch: list[T] = []
    totals = [0] * len(budgets)
    for item in items:
        needed = [measure(item) for measure, _ in budgets]
        if batch and any(total + amount > limit for total, amount, (_, limit) in zip(totals, needed, budgets, strict=True)):
            yield batch
            batch, totals = [], [0] * len(budgets)
        batch.append(item)
        totals = [total + amount for total, amount in zip(totals, needed, strict=True)]
        if len(batch) == max_items:
            yield batch
            batch, totals = [], [0] * len(budgets)
    if batch:
        yield batch
