"""Templates: lines of Warp code with holes that the grammar fills and variables whose names are drawn.

In a text ``⟨wp.sin|wp.cos⟩`` stands for one of two alternatives, which may contain further alternatives, ``{0}`` for the
expression of the first input, and ``$q`` for the name of an output.
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
_VARIABLE = re.compile(r"\$(\w+)")
_CHOICE = re.compile("⟨([^⟨⟩]*)⟩")


def vary(text: str, rng: RandomStream) -> str:
    """Return ``text`` with one of each list of alternatives."""
    while "⟨" in text:
        text = _CHOICE.sub(lambda match: rng.choice(match[1].split("|")), text)
    return text


def template_input(dtype: Type = FLOAT, low: float = -5.0, high: float = 5.0, size: int = 1) -> Hole:
    """Declare an input of a template: a value of a type within bounds."""
    return Hole(dtype, low, high, size)


def template_output(key: str, dtype: Type | None, low: float, high: float, *names: str, linear: bool = False) -> TemplateOutput:
    """Declare an output of a template: a variable that it assigns; without a type, only the template itself reads it."""
    return TemplateOutput(key, dtype, low, high, names or (key,), linear)


def inner(key: str, *names: str) -> TemplateOutput:
    """Declare a variable that only the template itself reads."""
    return template_output(key, None, 0.0, 0.0, *names)


class Template(Struct, frozen=True, gc=False):
    """Lines of code with alternatives, inputs and outputs.

    Attributes:
        mention: the phrase for the description of a kernel.
        text: the lines, in the notation above.
        inputs: the holes that fill ``{0}``, ``{1}`` and so on.
        outputs: the variables that the lines assign.
    """

    mention: str
    text: str
    inputs: tuple[Hole, ...]
    outputs: tuple[TemplateOutput, ...]

    def __post_init__(self) -> None:
        """Check that every variable of the text is declared.

        Raises:
            ValueError: if one is not.
        """
        if undeclared := set(_VARIABLE.findall(self.text)).difference(variable.key for variable in self.outputs):
            names = ", ".join(f"${key}" for key in sorted(undeclared))
            raise ValueError(f"template {self.mention!r} uses {names}, which it does not declare")

    def instantiate(self, rng: RandomStream) -> TemplateStatement:
        """Choose the alternatives; most inputs then read a value of the scope, and the others are expressions."""
        text = vary(dedent(self.text).strip("\n"), rng)
        used = sorted({int(number) for number in _NUMBERED.findall(text)})
        inputs = tuple(replace(self.inputs[n], size=self.inputs[n].size if rng.chance(0.3) else 0) for n in used)
        text = _NUMBERED.sub(lambda match: f"{{{used.index(int(match[1]))}}}", text)
        return TemplateStatement(text, inputs, self.outputs, self.mention)
