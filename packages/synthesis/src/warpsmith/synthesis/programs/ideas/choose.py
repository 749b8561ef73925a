"""The choice of ideas for a kernel: one of its category, and in longer kernels others that go with it."""

from __future__ import annotations

from collections.abc import Sequence

from warpsmith.synthesis.kernel_key import Complexity
from warpsmith.synthesis.language.text_size import count_operations
from warpsmith.synthesis.programs.ideas.compose import Length
from warpsmith.synthesis.programs.ideas.footprint import footprint_of
from warpsmith.synthesis.programs.ideas.notation import HELPER, PARAMETER, Choices
from warpsmith.synthesis.programs.ideas.parts import Domain, Idea
from warpsmith.synthesis.random_stream import RandomStream, T

LENGTHS: dict[Complexity, tuple[Length, ...]] = {
    "small": (Length(1, 0.1, 1, brief=True),),
    "medium": (
        *[Length(1, 0.15, 1, brief=True)] * 11,
        *[Length(1, 0.4, 1)] * 5,
        *[Length(1, 0.7, 2)] * 2,
        *[Length(2, 0.3, 1)] * 2,
    ),
    "large": (Length(2, 0.7, 2), Length(4, 0.7, 3), Length(6, 0.8, 3), Length(9, 0.8, 4), Length(14, 0.9, 4)),
}
"""The lengths of kernels, each as often as it is likely."""

BRIEF_SHARE = 0.4
"""The share of the ideas of a category, the shortest ones, that brief kernels consist of."""

BRIEF_COUNT = 12
"""The least number of these ideas."""


def choose_ideas(candidates: Sequence[tuple[Domain, Idea]], length: Length, rng: RandomStream) -> tuple[Domain, list[Idea]]:
    """Choose an idea of a category, and others of the same domain that go with it; the first one is of the category."""
    domain, idea = rng.choice(candidates)
    chosen = [idea]
    if not idea.alone and length.ideas > 1:
        for other in rng.shuffled(domain.ideas):
            if len(chosen) < length.ideas and all(_go_together(domain, other, one) for one in chosen):
                chosen.append(other)
    return domain, chosen


def select_brief(rows: Sequence[tuple[Domain, Idea]]) -> list[tuple[Domain, Idea]]:
    """Return the shortest ideas of a category."""
    by_length = sorted(rows, key=lambda row: estimate_operations(*row))
    return by_length[: max(int(BRIEF_SHARE * len(by_length)), BRIEF_COUNT)]


_OPERATIONS: dict[tuple[str, str], int] = {}


def estimate_operations(domain: Domain, idea: Idea) -> int:
    """Return about how many operations a kernel of the idea alone has, from the first one of all alternatives."""
    if (domain.name, idea.key) not in _OPERATIONS:
        _OPERATIONS[domain.name, idea.key] = _count(domain, idea)
    return _OPERATIONS[domain.name, idea.key]


def _count(domain: Domain, idea: Idea) -> int:
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


def _go_together(domain: Domain, one: Idea, other: Idea) -> bool:
    """Return whether two ideas have the same threads, and neither writes an array that the other one uses."""
    if one is other or one.alone or other.alone or one.threads != other.threads or one.forward_only != other.forward_only:
        return False
    if _returns(one) and _returns(other):
        return False
    return not footprint_of(domain, one).conflicts(footprint_of(domain, other))


def _returns(idea: Idea) -> bool:
    return "return" in idea.text
