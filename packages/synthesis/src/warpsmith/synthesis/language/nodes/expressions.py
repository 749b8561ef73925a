"""Expressions, and the hole that a skeleton has in the place of one.

Every expression knows its type and bounds on its value: each component lies in [low, high] for every input that the kernel's
``launch`` allows. Bounds are found while the tree is built (see `ranges`), so no kernel ever leaves the finite numbers.
"""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

from warpsmith.synthesis.language.types import BOOL, INT, Type


class Name(Struct, frozen=True, gc=False):
    """A variable: a local, a loop counter, a scalar parameter or a module constant.

    ``extent`` names the array dimension that the value surely indexes, such as ``"n"``; empty if it is no index.
    """

    name: str
    type: Type
    low: float
    high: float
    extent: str = ""


class Const(Struct, frozen=True, gc=False):
    """A literal."""

    value: float | int | bool
    type: Type

    @property
    def low(self) -> float:
        """The value itself."""
        return self.value

    @property
    def high(self) -> float:
        """The value itself."""
        return self.value


class Apply(Struct, frozen=True, gc=False):
    """A builtin of Warp's registry applied to arguments; operators are builtins too, ``a + b`` is ``add``."""

    key: str
    args: tuple[Expr, ...]
    type: Type
    low: float
    high: float


class Call(Struct, frozen=True, gc=False):
    """A call of a helper function of the same kernel."""

    function: str
    args: tuple[Expr, ...]
    type: Type
    low: float
    high: float


class Construct(Struct, frozen=True, gc=False):
    """A vector or matrix made of its components, or of one value for all of them."""

    args: tuple[Expr, ...]
    type: Type
    low: float
    high: float


class Load(Struct, frozen=True, gc=False):
    """An element of an array parameter."""

    array: str
    indices: tuple[Expr, ...]
    type: Type
    low: float
    high: float


class Component(Struct, frozen=True, gc=False):
    """A component of a vector or an entry of a matrix; ``letters`` writes it ``v.x`` instead of ``v[0]``."""

    value: Expr
    indices: tuple[Expr, ...]
    type: Type
    low: float
    high: float
    letters: bool = False


class Ternary(Struct, frozen=True, gc=False):
    """``a if condition else b``."""

    condition: Expr
    then: Expr
    other: Expr
    type: Type
    low: float
    high: float


class Compare(Struct, frozen=True, gc=False):
    """A comparison, chained if there are more than two operands."""

    operators: tuple[str, ...]
    operands: tuple[Expr, ...]
    type: Type = BOOL
    low: float = 0
    high: float = 1


class Logic(Struct, frozen=True, gc=False):
    """``and`` or ``or`` of conditions, or ``not`` of one."""

    operator: str
    operands: tuple[Expr, ...]
    type: Type = BOOL
    low: float = 0
    high: float = 1


class Size(Struct, frozen=True, gc=False):
    """``array.shape[dimension]``."""

    array: str
    dimension: int
    low: float
    high: float
    extent: str
    type: Type = INT


class Hole(Struct, frozen=True, gc=False):
    """An expression that is still to be written.

    Attributes:
        type: its type.
        low: bounds that the value must keep.
        high: see ``low``.
        size: about how many operations it takes.
        uses: variables that it must read.
        gather: whether it should read what nothing has read yet, as results do.
    """

    type: Type
    low: float = -100.0
    high: float = 100.0
    size: int = 2
    uses: tuple[str, ...] = ()
    gather: bool = False


Expr: TypeAlias = Name | Const | Apply | Call | Construct | Load | Component | Ternary | Compare | Logic | Size | Hole
