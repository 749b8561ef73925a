"""`Motif`, the type of every motif, and constructors of expressions from plain numbers."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from warpsmith.synthesis.language.nodes import Expr
from warpsmith.synthesis.language.terms import apply, const
from warpsmith.synthesis.language.types import FLOAT, Type
from warpsmith.synthesis.random_stream import RandomStream


class MotifInput(Struct, frozen=True, gc=False):
    """An argument of a motif: its type and the bounds that it must keep."""

    type: Type = FLOAT
    low: float = -50.0
    high: float = 50.0


class Motif(Struct, frozen=True, gc=False):
    """A formula with holes.

    Attributes:
        result: the type of its value.
        family: see `ProductionWeights`.
        inputs: the holes.
        build: makes the expression of the arguments; constants are drawn.
        names: candidates for the name of a local that holds the value.
        mention: the phrase for the description of a kernel.
        weight: the relative frequency.
        repeats: positions of arguments that the formula reads more than once, which are put into a local first.
    """

    result: Type
    family: str
    inputs: tuple[MotifInput, ...]
    build: Callable[[RandomStream, tuple[Expr, ...]], Expr]
    names: tuple[str, ...]
    mention: str
    weight: float = 1.0
    repeats: tuple[int, ...] = ()


Operand = Expr | float


def call(key: str, *args: Operand) -> Expr:
    """Apply a builtin to expressions and plain numbers."""
    return apply(key, *(const(float(arg)) if isinstance(arg, int | float) else arg for arg in args))


def add(a: Operand, b: Operand) -> Expr:
    """Return ``a + b``."""
    return call("add", a, b)


def sub(a: Operand, b: Operand) -> Expr:
    """Return ``a - b``."""
    return call("sub", a, b)


def mul(a: Operand, b: Operand) -> Expr:
    """Return ``a * b``."""
    return call("mul", a, b)


def div(a: Operand, b: Operand) -> Expr:
    """Return ``a / b``."""
    return call("div", a, b)


def neg(a: Expr) -> Expr:
    """Return ``-a``."""
    return call("neg", a)
