"""Combines the changes of several texts into one."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence

_WORD = re.compile(r"\n *|\w+|.")
"""The units of changes."""

_Change = tuple[int, int, list[str]]
"""The first and last word of a changed range, and its new words."""


def merge(base: str, variants: Sequence[str]) -> str:
    """Return ``base`` with the changes of all ``variants`` except those that overlap an earlier change."""
    words = _WORD.findall(base)
    changes: list[_Change] = []
    for variant in variants:
        new = _WORD.findall(variant)
        matcher = difflib.SequenceMatcher(None, words, new, autojunk=False)
        found = [(start, stop, new[first:last]) for tag, start, stop, first, last in matcher.get_opcodes() if tag != "equal"]
        if not any(_overlap(first, second) for first in found for second in changes):
            changes += found
    for start, stop, text in sorted(changes, reverse=True):
        words[start:stop] = text
    return "".join(words)


def _overlap(first: _Change, second: _Change) -> bool:
    """Return whether two changes share a word or start at the same word."""
    return first[0] == second[0] or (first[0] < second[1] and second[0] < first[1])
