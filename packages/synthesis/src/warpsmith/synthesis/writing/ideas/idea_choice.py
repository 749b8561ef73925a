"""The choice of ideas for a kernel: one of its category, and in longer kernels others that go with it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from itertools import accumulate

from warpsmith.synthesis.language.text_size import count_operations
from warpsmith.synthesis.random_stream import RandomStream, T
from warpsmith.synthesis.writing.ideas.footprint import footprint_of
from warpsmith.synthesis.writing.ideas.notation import HELPER, PARAMETER, Choices, count_variants
from warpsmith.synthesis.writing.ideas.parts import Domain, Idea
from warpsmith.synthesis.writing.policy import BRIEF_SHARE, FULL_VARIANTS, MIN_BRIEF_IDEAS, OPERATIONS_PER_PARAMETER, Length


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
    return by_length[: max(int(BRIEF_SHARE * len(by_length)), MIN_BRIEF_IDEAS)]


@cache
def estimate_operations(domain: Domain, idea: Idea) -> int:
    """Return about how many operations a kernel of the idea alone has, from the first one of all alternatives."""
    choices = Choices(_First("first"))
    text = choices.resolve(idea.text)
    called = set(HELPER.findall(text))
    total = count_operations(text) + OPERATIONS_PER_PARAMETER * len(set(PARAMETER.findall(text)))
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
