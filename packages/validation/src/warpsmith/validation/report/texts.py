"""Bounds of what a page shows, and texts of a dataset as names on the page."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from warpsmith.core.printable import printable

LONGEST_NAME = 200
"""The most characters of an id, a category, a level or another name."""

LONGEST_TEXT = 10_000
"""The most characters of a description or a reason."""

MAX_FEATURES, MAX_LEVELS = 60, 40
"""The largest numbers of features and levels of a pair that are listed."""


def label(text: str, longest: int = LONGEST_NAME) -> str:
    """Return a text as one line of bounded length, without control characters.

    Examples:
        >>> label("vector" * 100, longest=10)
        'vectorvec…'
    """
    return printable(text if len(text) <= longest else f"{text[: longest - 1]}…")


def labels(texts: Iterable[str], limit: int) -> list[str]:
    """Return the first names, and how many others there are."""
    remaining = iter(texts)
    shown = [label(text) for text in islice(remaining, limit)]
    rest = sum(1 for _ in remaining)
    return [*shown, f"and {rest:,} others"] if rest else shown
