"""Phrases: lines of Warp as people write them, with holes that the grammar fills and names that are drawn.

``[[wp.sin|wp.cos]]`` in a text stands for one of the two, ``{0}`` for what fills the first need, ``$q`` for a name of what the
phrase gives.
"""

from __future__ import annotations

import re

from warpsmith.synthesis.language.nodes import Give, Hole, Phrase
from warpsmith.synthesis.language.types import FLOAT, Type
from warpsmith.synthesis.writing.draw import Draw

_CHOICE = re.compile(r"\[\[(.*?)\]\]", re.DOTALL)


def vary(text: str, d: Draw) -> str:
    """``text`` with one of each list of alternatives."""
    return _CHOICE.sub(lambda found: d.choice(found[1].split("|")), text)


def need(kind: Type = FLOAT, low: float = -5.0, high: float = 5.0, size: int = 1) -> Hole:
    """What a phrase reads: a value of a type within bounds."""
    return Hole(kind, low, high, size)


def give(key: str, kind: Type | None, low: float, high: float, *names: str, linear: bool = False) -> Give:
    """What a phrase assigns; without a type, for itself only."""
    return Give(key, kind, low, high, names or (key,), linear)


def inner(key: str, *names: str) -> Give:
    """A variable that only the phrase itself reads."""
    return give(key, None, 0.0, 0.0, *names)


def phrase(d: Draw, text: str, needs: tuple[Hole, ...] = (), gives: tuple[Give, ...] = ()) -> Phrase:
    """A phrase with its alternatives chosen."""
    return Phrase(vary(text.strip("\n"), d), needs, gives)
