"""Sums and products of integers with carry: add.cc, addc, sub.cc, subc, mad.cc, madc."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from warpsmith.simt.operations.integer_operations import high_product, low_product
from warpsmith.simt.operations.operand_types import WORDS, assign, c_type, read, unsigned
from warpsmith.simt.operations.operation import INTEGER, Operation, instruction, spell

SECTION = "Extended-Precision Integer Arithmetic Instructions: {}"
RULE = "The sum is unsigned; only instructions with .cc write the carry, which is the borrow of differences."


def row(opcode: str, call: str, kind: str, sources: int) -> Operation:
    """Return an operation whose value is ``call``, with sources and result of one type."""
    base = opcode.partition(".")[0]
    section = SECTION.format(base if base.endswith("c") else f"{base}.cc")
    return Operation(opcode, assign(unsigned(kind), call), (kind,), (kind,) * sources, INTEGER, RULE, section)


def call(function: str, first: str, second: str, carry_in: bool, carry_out: bool) -> str:
    """Return the call of a function of ``arithmetic.h`` that computes with carry.

    A flag that the instruction does not use is replaced, so that the call neither reads nor writes it.
    """
    return f"{function}({first},{second},{'CC' if carry_in else '0'},{'CC' if carry_out else 'UNUSED_CARRY'})"


@instruction("add", "addc", "sub", "subc")
def sums_with_carry() -> Iterator[Operation]:
    """Yield sums and differences."""
    for (base, function), kind in product((("add", "add_carry"), ("sub", "subtract_borrow")), WORDS):
        low = unsigned(kind)
        sources = (read("A", low), read("B", low))
        yield row(spell(base, "cc", kind), call(function, *sources, False, True), kind, 2)
        yield row(spell(f"{base}c", kind), call(function, *sources, True, False), kind, 2)
        yield row(spell(f"{base}c", "cc", kind), call(function, *sources, True, True), kind, 2)


@instruction("mad", "madc")
def products_with_carry() -> Iterator[Operation]:
    """Yield products with sums."""
    for (part, value), kind in product((("lo", low_product), ("hi", high_product)), WORDS):
        low = unsigned(kind)
        sources = (f"({c_type(low)})({value(kind)})", read("C", low))
        yield row(spell("mad", part, "cc", kind), call("add_carry", *sources, False, True), kind, 3)
        yield row(spell("madc", part, kind), call("add_carry", *sources, True, False), kind, 3)
        yield row(spell("madc", part, "cc", kind), call("add_carry", *sources, True, True), kind, 3)
