"""Idea texts as trees of statements, and what the statements define and read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from warpsmith.synthesis.writing.ideas.notation import INDENT, LOCAL

_DEFINITION = re.compile(r"((?:\$\w+, )*\$\w+)(?:: [\w.]+)? = ")
_COUNTER = re.compile(r"for (\$\w+) in ")
_CHANGE = re.compile(r"\$(\w+) [-+*/|&^]= ")
_JUMP = re.compile(r"\b(?:return|continue|break)\b")

KEPT_LINES = 1 << 14
"""How many lines of ideas, which recur in many kernels, are kept with the locals that they name."""


class Node:
    """A line with the lines below it.

    Args:
        text: the line without its indentation; empty for a blank line.
        body: the lines of its block.

    Attributes:
        provided: the key of the local that the line was added for, or empty for a line of an idea.
    """

    __slots__ = ("body", "provided", "text")

    def __init__(self, text: str, body: list[Node] | None = None) -> None:
        self.text = text
        self.body = body if body is not None else []
        self.provided = ""

    def walk(self) -> Iterator[Node]:
        """Yield this node and all nodes below it, in the order of the text."""
        return walk([self])

    @property
    def defines(self) -> tuple[str, ...]:
        """The keys of the locals that the line assigns."""
        return _locals_of(self.text)[0]

    @property
    def reads(self) -> tuple[str, ...]:
        """The keys of the locals that the line reads; ``$v += …`` reads ``v``."""
        return _locals_of(self.text)[1]

    @property
    def changes(self) -> tuple[str, ...]:
        """The keys of the locals that the line assigns or changes in place."""
        return _locals_of(self.text)[2]

    @property
    def jumps(self) -> bool:
        """Whether the node contains ``return``, ``continue`` or ``break``."""
        return any(_JUMP.search(node.text) for node in self.walk() if not node.text.startswith("#"))

    @property
    def is_statement(self) -> bool:
        """Whether the line is neither blank nor a comment."""
        return bool(self.text) and not self.text.startswith("#")

    @property
    def continues(self) -> bool:
        """Whether the line continues an ``if``: it is an ``elif`` or an ``else``."""
        return self.text.startswith(("elif ", "else:"))


@lru_cache(KEPT_LINES)
def _locals_of(line: str) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Return the keys of the locals that a line assigns, that it reads, and that it assigns or changes in place."""
    if line.startswith("#"):
        return (), (), ()
    match = _DEFINITION.match(line) or _COUNTER.match(line)
    defined, rest = (match[1], line[match.end() :]) if match else ("", line)
    defines, changed = tuple(LOCAL.findall(defined)), _CHANGE.match(line)
    return defines, tuple(LOCAL.findall(rest)), (changed[1],) if changed else defines


def parse(text: str) -> list[Node]:
    """Return the statements of a text, which may be indented as a whole."""
    top: list[Node] = []
    blocks = [top]
    margin: int | None = None
    for line in text.removeprefix("\n").removesuffix("\n").split("\n"):
        stripped = line.strip()
        if stripped:
            indent = line.index(stripped[0])
            if margin is None:
                margin = indent
            del blocks[(indent - margin) // len(INDENT) + 1 :]
        node = Node(stripped)
        blocks[-1].append(node)
        if stripped[-1:] == ":" and stripped[0] != "#":
            blocks.append(node.body)
    return top


def render(body: list[Node], depth: int = 0) -> list[str]:
    """Return the lines of a tree."""
    lines: list[str] = []
    for node in body:
        lines.append(INDENT * depth + node.text if node.text else "")
        lines += render(node.body, depth + 1)
    return lines


def walk(body: list[Node]) -> Iterator[Node]:
    """Yield all nodes of a tree, in the order of the text."""
    pending = body[::-1]
    while pending:
        node = pending.pop()
        yield node
        pending += reversed(node.body)
