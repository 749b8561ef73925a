"""The branches of a dry run: which tests of a kernel have been true, and which false."""

from __future__ import annotations

import re

from warpsmith.synthesis.writing.policy import MAX_ITERATIONS

_LINES = r"((?:[^\n:#]*(?:[([{,+*/%&|<>=-]|\band|\bor|\bnot)\n(?:(?! *else\b)[^\n:#]+\n)*?)?.+)"
"""A test, which may be in several lines: none but the last has a colon, and the first shows that others follow, unlike that of
a conditional expression."""

_TEST = re.compile(rf"^( +(?:if|elif) ){_LINES}:$", re.MULTILINE)
_LOOP = re.compile(rf"^( +while ){_LINES}:$", re.MULTILINE)
_GUARD = re.compile(r"\w+ >= [\w.]+(?:\[\d\])?(?: or \w+ >= [\w.]+(?:\[\d\])?)*")
_AROUND = re.compile(r"\w+ < [\w.]+(?:\[\d\])?(?: and \w+ < [\w.]+(?:\[\d\])?)*")


class Branches:
    """The outcomes of the tests of one kernel; tests of threads beyond the end do not count.

    Args:
        original: the kernel's file.

    Attributes:
        original: the file.
        open: the number of outcomes that no test has had so far; 0 if every test has been true and false.
        source: the file with a call of ``_test`` around each test that counts, and of ``_step`` around the tests of loops.
    """

    def __init__(self, original: str) -> None:
        self.original = original
        self._outcomes: list[int] = []
        self.open = 0
        self._steps = 0
        self.source = _LOOP.sub(r"\1_step(\2):", _TEST.sub(self._mark, original))

    def _mark(self, match: re.Match[str]) -> str:
        test = " ".join(match[2].split()).removeprefix("(").removesuffix(")").strip() if "\n" in match[2] else match[2]
        is_first = match.string[: match.start()].rstrip().endswith(" = wp.tid()")
        if _GUARD.fullmatch(test) or (is_first and _AROUND.fullmatch(test)):
            return match[0]
        self._outcomes.append(0)
        self.open += 2
        return f"{match[1]}_test({len(self._outcomes) - 1}, {match[2]}):"

    def note(self, number: int, outcome: bool) -> bool:
        """Note the outcome of a test, and return it."""
        bit = 2 if outcome else 1
        if not self._outcomes[number] & bit:
            self._outcomes[number] |= bit
            self.open -= 1
        return outcome

    def step(self, outcome: bool) -> bool:
        """Count an iteration of a ``while`` loop, and return whether it goes on.

        Raises:
            OverflowError: after `MAX_ITERATIONS` iterations.
        """
        self._steps += 1
        if self._steps > MAX_ITERATIONS:
            raise OverflowError("a loop that does not end")
        return outcome
