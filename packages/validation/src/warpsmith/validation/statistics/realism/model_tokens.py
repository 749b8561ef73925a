"""The tokens of Python text for models of language; unlike those of Python's grammar, they include the words of comments."""

from __future__ import annotations

import re
from collections.abc import Iterable

_TOKEN = re.compile(r"\n[ \t]*|[^\W\d]\w*|\d[\w.]*(?:(?<=[eE])[+-]\d+)?|\*\*=?|//=?|<<=?|>>=?|->|[-+*/%<>=!&|^]=|\S")


def text_tokens(text: str) -> list[str]:
    r"""Return words, numbers, operators, and each line end with the indentation after it. Comments and strings are words, too.

    Examples:
        >>> text_tokens("x += 1.5  # half\n    y")
        ['x', '+=', '1.5', '#', 'half', '\n    ', 'y']
    """
    return _TOKEN.findall(text)


def first_tokens(texts: Iterable[str], limit: int) -> list[list[str]]:
    """Return the tokens of the first texts, of which the last is cut, ``limit`` tokens or fewer in all."""
    found: list[list[str]] = []
    for text in texts:
        if limit <= 0:
            break
        found.append(text_tokens(text)[:limit])
        limit -= len(found[-1])
    return found
