"""Statements, and what a skeleton has in the place of some."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from warpsmith.synthesis.language.nodes.expressions import Expr, Hole, Name
from warpsmith.synthesis.language.types import Type


@dataclass(frozen=True, slots=True)
class Assign:
    """``name = value``. In a skeleton an empty name is to be found by what the value turns out to be."""

    name: str
    value: Expr


@dataclass(frozen=True, slots=True)
class Declare:
    """The start value of a variable that changes later, written ``name = float(0.0)`` as Warp wants it."""

    name: str
    value: Expr


@dataclass(frozen=True, slots=True)
class Augment:
    """``name += value`` or another operator of its registry key; ``name[at] += value`` for one component of a vector."""

    name: str
    key: str
    value: Expr
    at: int | None = None


@dataclass(frozen=True, slots=True)
class Store:
    """``array[indices] = value``."""

    array: str
    indices: tuple[Expr, ...]
    value: Expr


@dataclass(frozen=True, slots=True)
class Atomic:
    """``wp.atomic_add(array, index, value)`` or another atomic of its registry key."""

    key: str
    array: str
    indices: tuple[Expr, ...]
    value: Expr


@dataclass(frozen=True, slots=True)
class Threads:
    """``i = wp.tid()`` for one name, ``i, j = wp.tid()`` for two."""

    names: tuple[Name, ...]


@dataclass(frozen=True, slots=True)
class If:
    """A condition with its branches; an ``orelse`` that is one ``If`` is written ``elif``."""

    condition: Expr
    body: tuple[Stmt, ...]
    orelse: tuple[Stmt, ...] = ()


@dataclass(frozen=True, slots=True)
class For:
    """``for counter in range(start, stop)``; ``trips`` is the most times that it runs."""

    counter: Name
    start: Expr
    stop: Expr
    trips: int
    body: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True)
class While:
    """``while condition``; ``trips`` is the most times that it runs."""

    condition: Expr
    trips: int
    body: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True)
class Leave:
    """``return``, ``break`` or ``continue``."""

    word: str


@dataclass(frozen=True, slots=True)
class Return:
    """``return value`` of a helper function."""

    value: Expr


@dataclass(frozen=True, slots=True)
class Comment:
    """A line of comment."""

    text: str


@dataclass(frozen=True, slots=True)
class Fetch:
    """In a skeleton: read the element at ``indices`` of an array into a local, or leave it to be read in place."""

    array: str
    indices: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Steps:
    """In a skeleton: ``count`` assignments of values of these types, each made of what came before."""

    count: int
    types: tuple[Type, ...]
    size: int = 2


@dataclass(frozen=True, slots=True)
class Verbatim:
    """Lines as people write them, for what the grammar has no nodes of: tiles, queries, structs, slices.

    Attributes:
        text: the lines, indented from zero; ``{0}``, ``{1}`` stand for ``args``.
        args: names, literals and elements that the text reads.
        gives: the variables that it assigns for others to read.
        says: what it contributes to a sentence about the kernel, or empty.
    """

    text: str
    args: tuple[Expr, ...]
    gives: tuple[Name, ...]
    says: str = ""


@dataclass(frozen=True, slots=True)
class Give:
    """A variable that a `Phrase` assigns.

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


@dataclass(frozen=True, slots=True)
class Phrase:
    """In a skeleton: a `Verbatim` whose arguments are to be filled, and whose variables, ``$key``, are to be named."""

    text: str
    needs: tuple[Hole, ...] = ()
    gives: tuple[Give, ...] = ()
    says: str = ""


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
    | Leave
    | Return
    | Comment
    | Fetch
    | Steps
    | Verbatim
    | Phrase
)
