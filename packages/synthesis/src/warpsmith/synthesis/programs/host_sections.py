"""The statements of a host program by section, its parameters, and the names that sections share."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from warpsmith.synthesis.programs.host_names import renamed, uses_of

Kind = Literal["option", "argument", "constant", "local"]

_PARAMETER = re.compile(r"(\w+) = (.*?)(?:  # (.*))?")
_LITERAL = re.compile(r"-?\d+(\.\d+)?(e-?\d+)?")


@dataclass(frozen=True, slots=True)
class Parameter:
    """A number or other value that a program begins with.

    Attributes:
        name: its name.
        value: its expression.
        comment: what it is; empty if the catalogue does not say so.
        kind: an option of the command line, an argument with a default, a constant of the file, or a local.
    """

    name: str
    value: str
    comment: str
    kind: Kind = "local"

    @property
    def is_literal(self) -> bool:
        """Whether the value is a number, so that it can be an option."""
        return _LITERAL.fullmatch(self.value) is not None

    @property
    def hint(self) -> str:
        """The type of a value."""
        if self.value in ("True", "False"):
            return "bool"
        return "int" if self.value.lstrip("-").isdigit() else "float"


def read_parameters(text: str) -> list[Parameter]:
    """Return the parameters of a section.

    Raises:
        ValueError: if a line is none.
    """
    found: list[Parameter] = []
    for line in filter(None, text.split("\n")):
        match = _PARAMETER.fullmatch(line)
        if match is None:
            raise ValueError(f"no parameter: {line!r}")
        found.append(Parameter(match[1], match[2], match[3] or ""))
    return found


@dataclass(frozen=True, slots=True)
class HostSections:
    """The statements of the host.

    Attributes:
        parameters: the parameters.
        setup: the statements before the loop.
        loop: the header of the loop; empty if there is none.
        step: the statements in the loop.
        finish: the statements after the loop.
        check: the checks of the results.
    """

    parameters: tuple[Parameter, ...]
    setup: str
    loop: str
    step: str
    finish: str
    check: str

    def free(self, *names: str) -> dict[str, None]:
        """Return the names that sections read before they assign them; ``loop`` is the header."""
        found: dict[str, None] = {}
        stored: set[str] = set()
        for name in names:
            uses = uses_of(f"{self.loop}:\n    pass" if name == "loop" and self.loop else getattr(self, name))
            found.update(dict.fromkeys(used for used in uses.free if used not in stored))
            stored |= set(uses.stored)
        return found

    def stored(self, *names: str) -> dict[str, None]:
        """Return the names that sections assign."""
        found: dict[str, None] = {}
        for name in names:
            found.update(dict.fromkeys(uses_of(getattr(self, name)).stored))
        return found

    @property
    def loop_variables(self) -> tuple[str, ...]:
        """The variables of the header of the loop."""
        return uses_of(f"{self.loop}:\n    pass").stored if self.loop else ()

    def carried(self) -> dict[str, None]:
        """Return the names that a step assigns, and that a later step or section reads."""
        read = {*self.free("step"), *self.free("finish"), *self.free("check"), *self.free("loop")}
        return {name: None for name in self.stored("step") if name in read}

    def with_constants(self, names: Iterable[str]) -> HostSections:
        """Return the sections in which some parameters are constants of the file, whose names are in capitals."""
        upper = {name: name.upper() for name in names}
        if not upper:
            return self
        parameters = tuple(
            replace(item, name=upper[item.name], kind="constant") if item.name in upper else item for item in self.parameters
        )
        return HostSections(
            tuple(replace(item, value=renamed(item.value, upper)) for item in parameters),
            *(renamed(text, upper) for text in (self.setup, self.loop, self.step, self.finish, self.check)),
        )

    def of_kind(self, *kinds: Kind) -> list[Parameter]:
        """Return the parameters of some kinds."""
        return [item for item in self.parameters if item.kind in kinds]


def indented(text: str, depth: int = 1) -> str:
    """Return statements in a block."""
    margin = "    " * depth
    return "\n".join(f"{margin}{line}" if line else "" for line in text.split("\n"))


def joined(blocks: Sequence[str], gap: str = "\n") -> str:
    """Return the blocks that are not empty, one after another."""
    return gap.join(block for block in blocks if block.strip())
