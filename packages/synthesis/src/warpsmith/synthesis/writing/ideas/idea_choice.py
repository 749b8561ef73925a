"""The choice of the idea for a kernel: one of its category, of a length."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import cache
from itertools import accumulate

from warpsmith.synthesis.language.text_size import count_operations
from warpsmith.synthesis.random_stream import RandomStream, T
from warpsmith.synthesis.writing.ideas.notation import HELPER, PARAMETER, Choices
from warpsmith.synthesis.writing.ideas.parts import Domain, Helper, Idea
from warpsmith.synthesis.writing.policy import INTEGER_WEIGHT, MIN_CANDIDATES, OPERATIONS_PER_PARAMETER


def choose_idea(
    candidates: tuple[tuple[Domain, Idea], ...], rng: RandomStream, *, adjoint: bool = False
) -> tuple[Domain, Idea]:
    """Choose an idea, with its domain; all are equally likely, so that kernels of one idea are as rare as possible.

    Args:
        candidates: the ideas to choose from.
        rng: the randomness of the kernel.
        adjoint: whether ideas without floats, which have no gradient, are less likely.
    """
    return rng.weighted(candidates, _running_weights(candidates, INTEGER_WEIGHT if adjoint else 1.0))


@cache
def _running_weights(candidates: tuple[tuple[Domain, Idea], ...], integer_weight: float) -> list[float]:
    return list(accumulate(integer_weight if idea.integer else 1.0 for _, idea in candidates))


def called_helpers(domain: Domain, text: str) -> list[Helper]:
    """Return the helpers that some alternative of a text calls, and those that they call."""
    called, found = set(HELPER.findall(text)), []
    for row in reversed(domain.helpers):
        if row.key in called:
            found.append(row)
            called.update(key for way in row.ways for key in HELPER.findall(way))
    return found


def select_by_length(rows: Sequence[tuple[Domain, Idea]], operations: tuple[int, int]) -> list[tuple[Domain, Idea]]:
    """Return the ideas of a category with so many estimated operations; if they are few, those of the nearest lengths, too."""
    by_length = sorted(rows, key=lambda row: estimate_operations(*row))
    lengths = [estimate_operations(*row) for row in by_length]
    first, last = bisect_left(lengths, operations[0]), bisect_right(lengths, operations[1])
    first = max(min(first, last - MIN_CANDIDATES), 0)
    return by_length[first : max(last, first + MIN_CANDIDATES)]


@cache
def estimate_operations(domain: Domain, idea: Idea) -> int:
    """Return about how many operations a kernel of the idea alone has, from the first one of all alternatives."""
    choices = Choices(_First("first"))
    text = choices.resolve(idea.text)
    total = count_operations(text) + OPERATIONS_PER_PARAMETER * len(set(PARAMETER.findall(text)))
    total += sum(count_operations(choices.resolve(loop.ways[0])) for loop in domain.loops if f"each {loop.key}:" in text)
    return total + sum(count_operations(choices.resolve(row.ways[0])) for row in called_helpers(domain, text))


class _First(RandomStream):
    """A stream that always chooses the first item."""

    def choice(self, items: Sequence[T]) -> T:
        """Return the first item."""
        return items[0]

    def below(self, _: int) -> int:
        """Return zero."""
        return 0
