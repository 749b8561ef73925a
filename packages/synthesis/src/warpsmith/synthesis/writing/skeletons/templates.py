"""Phrases: lines of Warp as people write them, with holes that the grammar fills and names that are drawn.

``⟨wp.sin|wp.cos⟩`` in a text stands for one of the two, which may hold more of the same, ``{0}`` for what fills the first
need, ``$q`` for a name of what the phrase gives.
"""

from __future__ import annotations

import re
from textwrap import dedent

from msgspec import Struct
from msgspec.structs import replace

from warpsmith.synthesis.language.nodes import Hole, TemplateOutput, TemplateStatement
from warpsmith.synthesis.language.types import FLOAT, Type
from warpsmith.synthesis.random_stream import RandomStream

_NUMBERED = re.compile(r"{(\d)}")
_CHOICE = re.compile("⟨([^⟨⟩]*)⟩")


def vary(text: str, rng: RandomStream) -> str:
    """``text`` with one of each list of alternatives."""
    while "⟨" in text:
        text = _CHOICE.sub(lambda found: rng.choice(found[1].split("|")), text)
    return text


def template_input(dtype: Type = FLOAT, low: float = -5.0, high: float = 5.0, size: int = 1) -> Hole:
    """What a phrase reads: a value of a type within bounds."""
    return Hole(dtype, low, high, size)


def template_output(key: str, dtype: Type | None, low: float, high: float, *names: str, linear: bool = False) -> TemplateOutput:
    """What a phrase assigns; without a type, for itself only."""
    return TemplateOutput(key, dtype, low, high, names or (key,), linear)


def inner(key: str, *names: str) -> TemplateOutput:
    """A variable that only the phrase itself reads."""
    return template_output(key, None, 0.0, 0.0, *names)


class Template(Struct, frozen=True, gc=False):
    """A phrase with its alternatives.

    Attributes:
        says: what it is, for the description of a kernel.
        text: its lines, in the notation above.
        inputs: what fills ``{0}``, ``{1}`` and so on.
        outputs: what it assigns.
    """

    mention: str
    text: str
    inputs: tuple[Hole, ...]
    outputs: tuple[TemplateOutput, ...]

    def instantiate(self, rng: RandomStream) -> TemplateStatement:
        """The phrase, its alternatives chosen; most of what these need is read as it is, the rest is worked out."""
        text = vary(dedent(self.text).strip("\n"), rng)
        used = sorted({int(number) for number in _NUMBERED.findall(text)})
        inputs = tuple(replace(self.inputs[n], size=self.inputs[n].size if rng.chance(0.3) else 0) for n in used)
        text = _NUMBERED.sub(lambda found: f"{{{used.index(int(found[1]))}}}", text)
        return TemplateStatement(text, inputs, self.outputs, self.mention)
