"""The text of calls: brackets and arguments."""

from __future__ import annotations


def closing(text: str, opening: int) -> int:
    """Return the position of the bracket that closes the one at a position."""
    depth = 0
    for position in range(opening, len(text)):
        depth += (text[position] in "([") - (text[position] in ")]")
        if not depth:
            return position
    return len(text)


def split_arguments(text: str) -> list[str]:
    """Return the parts of a text between its commas outside of brackets."""
    parts, depth, start = [], 0, 0
    for position, sign in enumerate(text):
        depth += (sign in "([") - (sign in ")]")
        if sign == "," and not depth:
            parts.append(text[start:position].strip())
            start = position + 1
    rest = text[start:].strip()
    return [*parts, rest] if rest else parts
