"""Statements, and the nodes that stand for statements in a skeleton."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

from warpsmith.synthesis.language.nodes.expressions import Expr, Hole, Name
from warpsmith.synthesis.language.types import Type


class Assign(Struct, frozen=True, gc=False):
    """``name = value``. In a skeleton an empty name is chosen later, to fit the value."""

    name: str
    value: Expr


class Declare(Struct, frozen=True, gc=False):
    """The start value of a variable that changes later, written ``name = float(0.0)`` as Warp requires."""

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
    """A condition with its branches; an ``orelse`` that is a single ``If`` is written ``elif``."""

    condition: Expr
    body: tuple[Stmt, ...]
    orelse: tuple[Stmt, ...] = ()


class For(Struct, frozen=True, gc=False):
    """``for counter in range(start, stop)``; ``trips`` is the maximum number of iterations."""

    counter: Name
    start: Expr
    stop: Expr
    trips: int
    body: tuple[Stmt, ...]


class While(Struct, frozen=True, gc=False):
    """``while condition``; ``trips`` is the maximum number of iterations."""

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
    """A comment line."""

    text: str


class LoadElement(Struct, frozen=True, gc=False):
    """In a skeleton: read the element at ``indices`` of an array, into a local or in place."""

    array: str
    indices: tuple[Expr, ...]


class Steps(Struct, frozen=True, gc=False):
    """In a skeleton: ``count`` assignments of values of these types, each made of earlier values."""

    count: int
    types: tuple[Type, ...]
    size: int = 2


class RawStatement(Struct, frozen=True, gc=False):
    """Lines of Python text, for code that the other nodes do not cover: tiles, queries, structs, slices.

    Attributes:
        text: the lines, indented from zero; ``{0}``, ``{1}`` stand for ``args``.
        args: names, literals and elements that the text reads.
        outputs: the variables that the text assigns for later statements.
        mention: the phrase that the text adds to the kernel's description, or empty.
    """

    text: str
    args: tuple[Expr, ...]
    outputs: tuple[Name, ...]
    mention: str = ""


class TemplateOutput(Struct, frozen=True, gc=False):
    """A variable that a `TemplateStatement` assigns.

    Attributes:
        key: the name of the variable in the template's text, without the ``$``.
        type: its type; None for a variable that only the template itself reads.
        low: the lower bound of its components.
        high: the upper bound.
        names: candidates for its name in the kernel.
        linear: whether it may only be summed up, see `scope.Value`.
    """

    key: str
    type: Type | None
    low: float
    high: float
    names: tuple[str, ...]
    linear: bool = False


class TemplateStatement(Struct, frozen=True, gc=False):
    """In a skeleton: a `RawStatement` with holes for arguments, and with variables, ``$key``, that have no names yet."""

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
