"""Expressions, and the hole that stands for an expression in a skeleton.

Every expression has a type and bounds: each component of its value lies in [low, high] for every input that the kernel's
``launch`` allows. Bounds are computed while the tree is built (see `ranges`), so that all values stay finite.
"""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

from warpsmith.synthesis.language.types import BOOL, INT, Type


class Name(Struct, frozen=True, gc=False):
    """A variable: a local, a loop counter, a scalar parameter or a module constant.

    ``extent`` names the array dimension that the value is a valid index of, such as ``"n"``; it is empty for other values.
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
    """A builtin of Warp's registry applied to arguments; operators are builtins, too: ``a + b`` is ``add``."""

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
    """A vector or matrix made of its components, or of one value for all components."""

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
    """A component of a vector or an entry of a matrix; with ``letters`` it is written ``v.x`` instead of ``v[0]``."""

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
    """A comparison; with more than two operands it is chained."""

    operators: tuple[str, ...]
    operands: tuple[Expr, ...]
    type: Type = BOOL
    low: float = 0
    high: float = 1


class Logic(Struct, frozen=True, gc=False):
    """``and`` or ``or`` of conditions, or ``not`` of one condition."""

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
    """A place for an expression that is not written yet.

    Attributes:
        type: the type of the expression.
        low: the lower bound that the value must keep.
        high: the upper bound.
        size: the approximate number of operations.
        uses: variables that the expression must read.
        gather: whether the expression should read values that nothing has read yet, as results do.
    """

    type: Type
    low: float = -100.0
    high: float = 100.0
    size: int = 2
    uses: tuple[str, ...] = ()
    gather: bool = False


Expr: TypeAlias = Name | Const | Apply | Call | Construct | Load | Component | Ternary | Compare | Logic | Size | Hole
