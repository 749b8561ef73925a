"""Statements, and what a skeleton has in the place of some."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

from warpsmith.synthesis.language.nodes.expressions import Expr, Hole, Name
from warpsmith.synthesis.language.types import Type


class Assign(Struct, frozen=True, gc=False):
    """``name = value``. In a skeleton an empty name is to be found by what the value turns out to be."""

    name: str
    value: Expr


class Declare(Struct, frozen=True, gc=False):
    """The start value of a variable that changes later, written ``name = float(0.0)`` as Warp wants it."""

    name: str
    value: Expr


class Augment(Struct, frozen=True, gc=False):
    """``name += value`` or another operator of its registry key; ``name[at] += value`` for one component of a vector."""

    name: str
    key: str
    value: Expr
    at: int | None = None


class Store(Struct, frozen=True, gc=False):
    """``array[indices] = value``."""

    array: str
    indices: tuple[Expr, ...]
    value: Expr


class Atomic(Struct, frozen=True, gc=False):
    """``wp.atomic_add(array, index, value)`` or another atomic of its registry key."""

    key: str
    array: str
    indices: tuple[Expr, ...]
    value: Expr


class Threads(Struct, frozen=True, gc=False):
    """``i = wp.tid()`` for one name, ``i, j = wp.tid()`` for two."""

    names: tuple[Name, ...]


class If(Struct, frozen=True, gc=False):
    """A condition with its branches; an ``orelse`` that is one ``If`` is written ``elif``."""

    condition: Expr
    body: tuple[Stmt, ...]
    orelse: tuple[Stmt, ...] = ()


class For(Struct, frozen=True, gc=False):
    """``for counter in range(start, stop)``; ``trips`` is the most times that it runs."""

    counter: Name
    start: Expr
    stop: Expr
    trips: int
    body: tuple[Stmt, ...]


class While(Struct, frozen=True, gc=False):
    """``while condition``; ``trips`` is the most times that it runs."""

    condition: Expr
    trips: int
    body: tuple[Stmt, ...]


class Jump(Struct, frozen=True, gc=False):
    """``return``, ``break`` or ``continue``."""

    word: str


class Return(Struct, frozen=True, gc=False):
    """``return value`` of a helper function."""

    value: Expr


class Comment(Struct, frozen=True, gc=False):
    """A line of comment."""

    text: str


class LoadElement(Struct, frozen=True, gc=False):
    """In a skeleton: read the element at ``indices`` of an array into a local, or leave it to be read in place."""

    array: str
    indices: tuple[Expr, ...]


class Steps(Struct, frozen=True, gc=False):
    """In a skeleton: ``count`` assignments of values of these types, each made of what came before."""

    count: int
    types: tuple[Type, ...]
    size: int = 2


class RawStatement(Struct, frozen=True, gc=False):
    """Lines as people write them, for what the grammar has no nodes of: tiles, queries, structs, slices.

    Attributes:
        text: the lines, indented from zero; ``{0}``, ``{1}`` stand for ``args``.
        args: names, literals and elements that the text reads.
        outputs: the variables that it assigns for others to read.
        says: what it contributes to a sentence about the kernel, or empty.
    """

    text: str
    args: tuple[Expr, ...]
    outputs: tuple[Name, ...]
    mention: str = ""


class TemplateOutput(Struct, frozen=True, gc=False):
    """A variable that a `TemplateStatement` assigns.

    Attributes:
        key: how the phrase's text calls it, without the ``$``.
        type: its type; None for what only the phrase itself reads.
        low: bounds of its components.
        high: see ``low``.
        names: what it may be called.
        linear: whether it may only be summed up, see `scope.Value`.
    """

    key: str
    type: Type | None
    low: float
    high: float
    names: tuple[str, ...]
    linear: bool = False


class TemplateStatement(Struct, frozen=True, gc=False):
    """In a skeleton: a `RawStatement` whose arguments are to be filled, and whose variables, ``$key``, are to be named."""

    text: str
    inputs: tuple[Hole, ...] = ()
    outputs: tuple[TemplateOutput, ...] = ()
    mention: str = ""


Stmt: TypeAlias = (
    Assign
    | Declare
    | Augment
    | Store
    | Atomic
    | Threads
    | If
    | For
    | While
    | Jump
    | Return
    | Comment
    | LoadElement
    | Steps
    | RawStatement
    | TemplateStatement
)
