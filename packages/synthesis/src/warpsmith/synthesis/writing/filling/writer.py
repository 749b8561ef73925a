"""The interface between the writers of expressions, conditions and results."""

from __future__ import annotations

from typing import Protocol

from msgspec import Struct

from warpsmith.synthesis.language.nodes import Expr
from warpsmith.synthesis.language.types import Type
from warpsmith.synthesis.writing.filling.scope import Scope


class Written(Struct, frozen=True, gc=False):
    """An expression, with names for a local that holds it.

    Attributes:
        expr: the expression.
        names: candidates for the name of the local; ``{0}`` stands for ``base``.
        base: the name from which such names derive.
        linear: whether the expression contains the sum of a loop, see `scope.Value`.
    """

    expr: Expr
    names: tuple[str, ...]
    base: str
    linear: bool = False


class Writer(Protocol):
    """Writes expressions over a scope."""

    scope: Scope

    def write(self, dtype: Type, size: int, low: float, high: float) -> Written:
        """Write an expression of a type from about ``size`` operations; its bounds may exceed [low, high]."""
        ...
