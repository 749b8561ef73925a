"""Logic, shifts, permutations of bytes, moves and selections."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from warpsmith.simt.operations.operand_types import BITS, FLOATS, INTEGERS, assign, c_type, is_signed, read, width
from warpsmith.simt.operations.operation import LOGIC, MOVE, Operation, instruction, spell

LOGIC_SECTION = "Logic and Shift Instructions: {}"
BITWISE = "Every bit is computed separately."
MOVABLE = (*BITS, *INTEGERS, *FLOATS)


def row(opcode: str, statement: str, results: str, sources: str, rule: str, section: str = LOGIC_SECTION) -> Operation:
    """Return an operation; types are separated by spaces."""
    title = section.format(opcode.partition(".")[0])
    work = LOGIC if section == LOGIC_SECTION else MOVE
    return Operation(opcode, statement, tuple(results.split()), tuple(sources.split()), work, rule, title)


@instruction("and", "or", "xor", "not", "cnot")
def logic() -> Iterator[Operation]:
    """Yield the bitwise operations."""
    for (base, sign), kind in product((("and", "&"), ("or", "|"), ("xor", "^")), ("pred", *BITS)):
        statement = assign(kind, f"{read('A', kind)}{sign}{read('B', kind)}")
        yield row(spell(base, kind), statement, kind, f"{kind} {kind}", BITWISE)
    yield row("not.pred", assign("pred", "!A.b"), "pred", "pred", BITWISE)
    for kind in BITS:
        yield row(spell("not", kind), assign(kind, f"~{read('A', kind)}"), kind, kind, BITWISE)
        yield row(spell("cnot", kind), assign(kind, f"{read('A', kind)}==0"), kind, kind, "The result is 1 for zero, else 0.")


@instruction("shl", "shr")
def shifts() -> Iterator[Operation]:
    """Yield the shifts of a register."""
    rule = "Amounts above the width count as the width."
    for kind in BITS:
        statement = assign(kind, f"B.w>{width(kind) - 1}?0:({c_type(kind)}){read('A', kind)}<<B.w")
        yield row(spell("shl", kind), statement, kind, f"{kind} u32", rule)
    for kind in (*BITS, *INTEGERS):
        last, value = width(kind) - 1, read("A", kind)
        shifted = f"{value}>>(B.w>{last}?{last}:B.w)" if is_signed(kind) else f"B.w>{last}?0:{value}>>B.w"
        yield row(spell("shr", kind), assign(kind, shifted), kind, f"{kind} u32", rule)


@instruction("shf")
def funnel_shifts() -> Iterator[Operation]:
    """Yield the shifts of two registers."""
    amounts = {"clamp": ("(C.w>32?32:C.w)", "Amounts above 32 count as 32."), "wrap": ("(C.w&31)", "Amounts are modulo 32.")}
    for mode, (amount, rule) in amounts.items():
        left, right = f"(joined(B.w,A.w)<<{amount})>>32", f"joined(B.w,A.w)>>{amount}"
        yield row(spell("shf", "l", mode, "b32"), assign("b32", left), "b32", "b32 b32 u32", rule)
        yield row(spell("shf", "r", mode, "b32"), assign("b32", right), "b32", "b32 b32 u32", rule)


@instruction("lop3", "prmt")
def lookups() -> Iterator[Operation]:
    """Yield ``lop3`` and ``prmt``."""
    statement = assign("b32", "look_up_bits(A.w,B.w,C.w,E.w)")
    yield row("lop3.b32", statement, "b32", "b32 b32 b32 u32", "The fourth source is the table of the eight cases.")
    rule = "Bit 3 of a selector of the default mode copies the sign of its byte; other modes use two bits of the selector."
    section = "Data Movement and Conversion Instructions: {}"
    yield row("prmt.b32", assign("b32", "permute_bytes(A.w,B.w,C.w)"), "b32", "b32 b32 b32", rule, section)
    for mode in ("f4e", "b4e", "rc8", "ecl", "ecr", "rc16"):
        statement = assign("b32", f"permute_bytes(A.w,B.w,selectors_{mode}(C.w))")
        yield row(spell("prmt.b32", mode), statement, "b32", "b32 b32 b32", rule, section)


@instruction("mov")
def moves() -> Iterator[Operation]:
    """Yield the copies of a register."""
    section = "Data Movement and Conversion Instructions: {}"
    for kind in ("pred", *MOVABLE):
        yield row(spell("mov", kind), "D.u=A.u;", kind, kind, "The bits are copied.", section)


@instruction("selp", "slct")
def selections() -> Iterator[Operation]:
    """Yield the choices between two sources."""
    section = "Comparison and Selection Instructions: {}"
    for kind in MOVABLE:
        statement = "D.u=C.b?A.u:B.u;"
        yield row(spell("selp", kind), statement, kind, f"{kind} {kind} pred", "The bits are copied.", section)
        types = f"{kind} {kind}"
        yield row(spell("slct", kind, "s32"), "D.u=C.i>=0?A.u:B.u;", kind, f"{types} s32", "The bits are copied.", section)
        rule = "The first source is selected for -0, the second for NaN; .ftz makes subnormal numbers zero."
        yield row(spell("slct", kind, "f32"), "D.u=C.f>=0?A.u:B.u;", kind, f"{types} f32", rule, section)
        yield row(spell("slct", "ftz", kind, "f32"), "D.u=flush(C.f)>=0?A.u:B.u;", kind, f"{types} f32", rule, section)
