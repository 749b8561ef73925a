"""The choice of ideas for a kernel: one of its category, and in longer kernels others that go with it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from itertools import accumulate

from warpsmith.synthesis.kernel_key import Complexity
from warpsmith.synthesis.language.text_size import count_operations
from warpsmith.synthesis.random_stream import RandomStream, T
from warpsmith.synthesis.writing.ideas.compose import Length
from warpsmith.synthesis.writing.ideas.footprint import footprint_of
from warpsmith.synthesis.writing.ideas.notation import HELPER, PARAMETER, Choices, count_variants
from warpsmith.synthesis.writing.ideas.parts import Domain, Idea

LENGTHS: dict[Complexity, tuple[Length, ...]] = {
    "small": (Length(1, 0.1, 1, brief=True),),
    "medium": (
        *[Length(1, 0.2, 1, brief=True)] * 12,
        Length(1, 0.4, 1),
        *[Length(1, 0.7, 2)] * 2,
        *[Length(2, 0.4, 1)] * 2,
        Length(3, 0.6, 2),
        *[Length(4, 0.6, 2)] * 2,
    ),
    "large": (Length(2, 0.7, 2), Length(4, 0.7, 3), Length(6, 0.8, 3), Length(9, 0.8, 4), Length(14, 0.9, 4)),
}
"""The lengths of kernels, each as often as it is likely."""

BRIEF_SHARE = 0.5
"""The share of the ideas of a category, the shortest ones, that brief kernels consist of."""

BRIEF_COUNT = 12
"""The least number of these ideas."""

FULL_VARIANTS = 40
"""An idea with fewer variants is chosen less often, so that kernels do not repeat."""


def choose_ideas(candidates: tuple[tuple[Domain, Idea], ...], length: Length, rng: RandomStream) -> tuple[Domain, list[Idea]]:
    """Choose an idea of a category, and others of the same domain that go with it and read arrays of those before.

    The first one is of the category.
    """
    domain, idea = rng.weighted(candidates, _running_weights(candidates))
    chosen = [idea]
    if idea.alone:
        return domain, chosen
    remaining = rng.in_random_order(domain.ideas)
    while len(chosen) < length.ideas and (other := next(remaining, None)):
        if all(_go_together(domain, other, earlier) for earlier in chosen) and any(
            _share_data(domain, other, earlier) for earlier in chosen
        ):
            chosen.append(other)
    return domain, chosen


@cache
def _running_weights(candidates: tuple[tuple[Domain, Idea], ...]) -> list[int]:
    return list(accumulate(_weigh(idea) for _, idea in candidates))


@cache
def _weigh(idea: Idea) -> int:
    return count_variants(_COMMENT.sub("", idea.text), FULL_VARIANTS)


_COMMENT = re.compile(r"^ *#.*$", re.MULTILINE)


def select_brief(rows: Sequence[tuple[Domain, Idea]]) -> list[tuple[Domain, Idea]]:
    """Return the shortest ideas of a category."""
    by_length = sorted(rows, key=lambda row: estimate_operations(*row))
    return by_length[: max(int(BRIEF_SHARE * len(by_length)), BRIEF_COUNT)]


@cache
def estimate_operations(domain: Domain, idea: Idea) -> int:
    """Return about how many operations a kernel of the idea alone has, from the first one of all alternatives."""
    choices = Choices(_First("first"))
    text = choices.resolve(idea.text)
    called = set(HELPER.findall(text))
    total = count_operations(text) + 2 * len(set(PARAMETER.findall(text)))
    total += sum(count_operations(choices.resolve(loop.ways[0])) for loop in domain.loops if f"each {loop.key}:" in text)
    return total + sum(count_operations(choices.resolve(row.ways[0])) for row in domain.helpers if row.key in called)


class _First(RandomStream):
    """A stream that always chooses the first item."""

    def choice(self, items: Sequence[T]) -> T:
        """Return the first item."""
        return items[0]

    def below(self, _: int) -> int:
        """Return zero."""
        return 0


def _go_together(domain: Domain, first: Idea, second: Idea) -> bool:
    """Return whether two ideas share a category and their threads, and neither writes an array that the other one uses."""
    if (
        first is second
        or first.alone
        or second.alone
        or first.threads != second.threads
        or first.forward_only != second.forward_only
    ):
        return False
    if _returns(first) and _returns(second):
        return False
    if not set(first.categories.split()) & set(second.categories.split()):
        return False
    return not footprint_of(domain, first).conflicts(footprint_of(domain, second))


def _share_data(domain: Domain, first: Idea, second: Idea) -> bool:
    """Return whether two ideas read an array of a subject in common: they are about the same thing."""
    return not footprint_of(domain, first).reads.isdisjoint(footprint_of(domain, second).reads)


def _returns(idea: Idea) -> bool:
    return "return" in idea.text
