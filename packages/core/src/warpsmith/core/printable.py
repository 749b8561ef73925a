"""Texts that are safe to show: a dataset's texts may contain codes that control terminals or reverse the order of letters."""

from __future__ import annotations


def printable(text: str, keep: str = "") -> str:
    r"""Return ``text`` with an escape sequence in place of every character that cannot be printed.

    These are control characters, marks of the writing direction, invisible characters, unusual spaces and line ends, and lone
    surrogates.

    Args:
        text: any text.
        keep: characters that are not replaced, such as line ends.

    Examples:
        >>> print(printable("red: \x1b[31m, reversed: \u202e"))
        red: \x1b[31m, reversed: \u202e
    """
    if text.isprintable():
        return text
    return "".join(character if character.isprintable() or character in keep else _escaped(character) for character in text)


def _escaped(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")
