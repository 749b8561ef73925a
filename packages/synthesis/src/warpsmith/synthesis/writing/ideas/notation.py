"""The notation of idea texts: alternatives, keys of parameters, locals and helper functions.

``{|a|b|}`` stands for one of two alternatives, which may contain further alternatives and several lines. A bar between spaces
is the operator. Alternatives with a name, ``{what|a|b|}``, are correlated: all groups with the same name take the same
position, and so do equal groups of one line without a name. ``{x}`` is a parameter, ``$p`` a local, ``@fall_off`` a helper
function.

The generator reads brackets of one character each, which `with_marks` puts in: ``⟨a|b⟩`` and ``⟨what¦a|b⟩``.
"""

from __future__ import annotations

import re
import zlib
from collections import Counter
from functools import cache

from warpsmith.synthesis.random_stream import RandomStream

PARAMETER = re.compile(r"{(\w+)}")
LOCAL = re.compile(r"\$(\w+)")
HELPER = re.compile(r"@(\w+)\b")
INDENT = "    "

TOPIC = re.compile(r"^(?:l(?:[bdfgkoprstv]|[ms]s|fs|[elps]w|[lw]p|wb)|q[girpstvw]|r[clpn]|wr|kp|m\d[a-z]?)_")
"""What keys begin with that belong to the rows of one topic; it is no part of a name."""

UNROLLED = "__u"
"""What separates the key of a family of locals from the number or letter of one, as in the iterations of an unrolled loop."""

BAR = re.compile(r"(?<! )\||\|(?! |= )")
"""The separator of alternatives; a bar between spaces is the operator, and so is ``|=``."""

_OPENING = re.compile(r"{(\w*)\|")
_GROUP = re.compile("⟨(?:(\\w+)¦)?([^⟨⟩]*)⟩")
_UNNAMED = re.compile("⟨([^⟨⟩¦\n]+)⟩")
"""A group without a name, without groups in it, in one line: where it occurs twice, it takes one position in all places."""


def with_marks(text: str) -> str:
    """Return ``text`` with the brackets of alternatives as single characters."""
    if "|" not in text:
        return text
    text = _OPENING.sub(lambda match: f"⟨{match[1]}¦" if match[1] else "⟨", text.replace("|}", "⟩"))
    unnamed = _UNNAMED.findall(text)
    if len(set(unnamed)) == len(unnamed):
        return text
    groups = Counter(unnamed)
    return _UNNAMED.sub(lambda match: f"⟨{_digest(match[1])}¦{match[1]}⟩" if groups[match[1]] > 1 else match[0], text)


def _digest(text: str) -> str:
    return f"same{zlib.crc32(text.encode()):x}"


def is_function(text: str) -> bool:
    r"""Return whether the text of a helper is one function, and no struct, table or function that returns functions.

    Examples:
        >>> is_function("def twice($x: float) -> float:\n    return $x + $x")
        True
        >>> is_function("def make($s: float):\n    return $s\n\ntwice = make(2.0)")
        False
    """
    return text.startswith("def ") and not re.search(r"\n\w", text.rstrip())


class Choices:
    """Chooses alternatives; correlated groups keep their position for the lifetime of the object."""

    def __init__(self, rng: RandomStream) -> None:
        self._rng = rng
        self._positions: dict[str, int] = {}

    def resolve(self, text: str) -> str:
        """Return ``text`` with one alternative of each group, the innermost groups first.

        Raises:
            ValueError: if a bracket has no counterpart.
        """
        while "⟨" in text:
            text, groups = _GROUP.subn(self._choose, text)
            if not groups:
                raise ValueError(f"a bracket of alternatives has no counterpart in {text!r}")
        return text

    def _choose(self, match: re.Match[str]) -> str:
        ways = BAR.split(match[2])
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
