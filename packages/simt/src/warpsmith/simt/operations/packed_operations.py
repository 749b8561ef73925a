"""Arithmetic of two 16-bit integers in one register."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from warpsmith.simt.operations.operand_types import c_type
from warpsmith.simt.operations.operation import INTEGER, Operation, instruction, spell

SECTION = "Integer Arithmetic Instructions: {}"
EXPRESSIONS = {"add": "a+b", "min": "a<b?a:b", "max": "a>b?a:b"}


def row(base: str, relu: str, kind: str, expression: str, rule: str) -> Operation:
    """Return an operation on both halves; ``expression`` computes one half of ``a`` and ``b``."""
    half = c_type(kind.removesuffix("x2"))
    statement = f"D.w=each_half([](u16 x,u16 y)->u16{{{half} a=x,b=y; return {expression};}},A.w,B.w);"
    return Operation(spell(base, relu, kind), statement, (kind,), (kind, kind), INTEGER, rule, SECTION.format(base))


@instruction("add", "min", "max")
def pairs() -> Iterator[Operation]:
    """Yield the operations on both halves of a register."""
    for base, kind in product(("add", "min", "max"), ("u16x2", "s16x2")):
        yield row(base, "", kind, EXPRESSIONS[base], "Each half is computed separately, modulo 2^16.")
    for base in ("min", "max"):
        yield row(base, "relu", "s16x2", f"at_least_zero({EXPRESSIONS[base]})", "A negative half becomes zero.")
