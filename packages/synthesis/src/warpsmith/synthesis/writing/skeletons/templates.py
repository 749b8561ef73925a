"""Phrases: lines of Warp as people write them, with holes that the grammar fills and names that are drawn.

``⟨wp.sin|wp.cos⟩`` in a text stands for one of the two, which may hold more of the same, ``{0}`` for what fills the first
need, ``$q`` for a name of what the phrase gives.
"""

from __future__ import annotations

import re
from textwrap import dedent

from msgspec import Struct
from msgspec.structs import replace

from warpsmith.synthesis.language.nodes import Give, Hole, Phrase
from warpsmith.synthesis.language.types import FLOAT, Type
from warpsmith.synthesis.random_stream import Draw

_NUMBERED = re.compile(r"{(\d)}")
_CHOICE = re.compile("⟨([^⟨⟩]*)⟩")


def vary(text: str, d: Draw) -> str:
    """``text`` with one of each list of alternatives."""
    while "⟨" in text:
        text = _CHOICE.sub(lambda found: d.choice(found[1].split("|")), text)
    return text


def need(kind: Type = FLOAT, low: float = -5.0, high: float = 5.0, size: int = 1) -> Hole:
    """What a phrase reads: a value of a type within bounds."""
    return Hole(kind, low, high, size)


def give(key: str, kind: Type | None, low: float, high: float, *names: str, linear: bool = False) -> Give:
    """What a phrase assigns; without a type, for itself only."""
    return Give(key, kind, low, high, names or (key,), linear)


def inner(key: str, *names: str) -> Give:
    """A variable that only the phrase itself reads."""
    return give(key, None, 0.0, 0.0, *names)


class Idiom(Struct, frozen=True, gc=False):
    """A phrase with its alternatives.

    Attributes:
        says: what it is, for the description of a kernel.
        text: its lines, in the notation above.
        needs: what fills ``{0}``, ``{1}`` and so on.
        gives: what it assigns.
    """

    says: str
    text: str
    needs: tuple[Hole, ...]
    gives: tuple[Give, ...]

    def phrase(self, d: Draw) -> Phrase:
        """The phrase, its alternatives chosen; most of what these need is read as it is, the rest is worked out."""
        text = vary(dedent(self.text).strip("\n"), d)
        used = sorted({int(number) for number in _NUMBERED.findall(text)})
        needs = tuple(replace(self.needs[n], size=self.needs[n].size if d.chance(0.3) else 0) for n in used)
        text = _NUMBERED.sub(lambda found: f"{{{used.index(int(found[1]))}}}", text)
        return Phrase(text, needs, self.gives, self.says)
