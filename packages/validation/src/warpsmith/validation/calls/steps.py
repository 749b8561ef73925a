"""The variables and steps of a kernel and of its helper functions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


class Unfit(Exception):
    """A text contains something that this package does not run; the message says what."""


class Statement(NamedTuple):
    """An expression, with ``$`` in place of each variable.

    Attributes:
        form: the text.
        names: the variables, in order.
        functions: the helper functions that it calls.
    """

    form: str
    names: tuple[str, ...]
    functions: frozenset[str] = frozenset()


class Step(NamedTuple):
    """One step of a function.

    Attributes:
        kind: ``"run"`` for a statement, ``"goto"``, ``"if"`` and ``"unless"`` for jumps, ``"label"`` or ``"return"``.
        statement: the statement, the condition of a jump, or the returned variable.
        label: where a jump goes, or the name of a label.
    """

    kind: str
    statement: Statement | None = None
    label: str = ""


class Variable(NamedTuple):
    """A variable that a function declares.

    Attributes:
        type: its C++ type, without ``const``.
        name: its name.
        value: the number that it holds; ``"{}"`` if it is empty at first, and nothing if its contents are undefined.
        constant: whether it is ``const``.
    """

    type: str
    name: str
    value: str
    constant: bool = False


class Parameter(NamedTuple):
    """A parameter of a helper function: its type, its name and whether it is passed by reference."""

    type: str
    name: str
    by_reference: bool


@dataclass(frozen=True, slots=True)
class Body:
    """What a function declares and does."""

    variables: tuple[Variable, ...]
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Function:
    """A helper function; ``type`` is ``"void"`` or the type of its result."""

    type: str
    parameters: tuple[Parameter, ...]
    body: Body


@dataclass(frozen=True, slots=True)
class Kernel:
    """One direction of a kernel.

    Attributes:
        dimensions: how many coordinates its threads have.
        fields: types and names of its arguments.
        functions: the helper functions that it may call, by name.
        body: what a thread does.
    """

    dimensions: int
    fields: tuple[tuple[str, str], ...]
    functions: dict[str, Function]
    body: Body
