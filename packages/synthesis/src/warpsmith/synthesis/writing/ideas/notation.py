"""The notation of idea texts: alternatives, keys of parameters, locals and helper functions.

``⟨a|b⟩`` stands for one of two alternatives, which may contain further alternatives and several lines. A bar between spaces is
the operator. Alternatives that begin with a digit and a colon, ``⟨1:a|b⟩``, are correlated: all groups with the same digit take
the same position. ``{x}`` is a parameter, ``$p`` a local, ``@fall_off`` a helper function.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import product
from math import prod

from warpsmith.synthesis.random_stream import RandomStream

PARAMETER = re.compile(r"{(\w+)}")
LOCAL = re.compile(r"\$(\w+)")
HELPER = re.compile(r"@(\w+)\b")
INDENT = "    "

_BAR = re.compile(r"(?<! )\||\|(?! |= )")
"""The separator of alternatives; a bar between spaces is the operator, and so is ``|=``."""

_GROUP = re.compile("⟨(?:(\\d):)?([^⟨⟩]*)⟩")
_COUNTED = re.compile("⟪(\\d+)⟫")


class Choices:
    """Chooses alternatives; correlated groups keep their position for the lifetime of the object."""

    def __init__(self, rng: RandomStream) -> None:
        self._rng = rng
        self._positions: dict[str, int] = {}

    def resolve(self, text: str) -> str:
        """Return ``text`` with one alternative of each group, the innermost groups first."""
        while "⟨" in text:
            text = _GROUP.sub(self._choose, text)
        return text

    def _choose(self, match: re.Match[str]) -> str:
        ways = _BAR.split(match[2])
        if match[1] is None:
            return self._rng.choice(ways)
        position = self._positions.setdefault(match[1], self._rng.below(len(ways)))
        return ways[position % len(ways)]


@cache
def words(text: str) -> tuple[str, ...]:
    """Return the words of a list of candidates, which are separated by spaces."""
    return tuple(text.split())


def tidy(text: str) -> str:
    """Return a phrase without the spaces that empty alternatives leave."""
    return re.sub(r" ([,.;:])", r"\1", " ".join(text.split()))


def count_variants(text: str) -> int:
    """Return how many texts `Choices.resolve` can make of ``text``."""
    lengths: dict[str, int] = {}

    def measure(match: re.Match[str]) -> str:
        if match[1] is not None:
            lengths[match[1]] = max(lengths.get(match[1], 1), len(_BAR.split(match[2])))
        return ""

    rest = text
    while "⟨" in rest:
        rest = _GROUP.sub(measure, rest)
    return sum(
        _count_at(text, dict(zip(lengths, positions, strict=True))) for positions in product(*map(range, lengths.values()))
    )


def _count_at(text: str, positions: dict[str, int]) -> int:
    """Return the number of texts if the correlated groups take these positions; other groups become numbers in brackets."""
    counts: list[int] = []

    def combine(part: str) -> int:
        return prod(counts[int(number)] for number in _COUNTED.findall(part))

    def count(match: re.Match[str]) -> str:
        ways = _BAR.split(match[2])
        if match[1] is not None:
            return ways[positions[match[1]] % len(ways)]
        counts.append(sum(map(combine, ways)))
        return f"⟪{len(counts) - 1}⟫"

    while "⟨" in text:
        text = _GROUP.sub(count, text)
    return combine(text)
