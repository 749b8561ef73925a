"""Integer arithmetic: sums, products, quotients, extrema and dot products."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from warpsmith.simt.operations.operand_types import (
    INTEGERS,
    SIGNED,
    WORDS,
    assign,
    c_type,
    is_signed,
    read,
    unsigned,
    width,
)
from warpsmith.simt.operations.operation import INTEGER, Operation, instruction, spell

SECTION = "Integer Arithmetic Instructions: {}"
WRAPS = "The result is reduced modulo two to the power of its width."
SATURATES = "The result is clamped to the range of s32."
EXACT = "The result is exact."


def row(opcode: str, statement: str, results: str, sources: str, rule: str) -> Operation:
    """Return an operation of this section; types are separated by spaces."""
    section = SECTION.format(opcode.partition(".")[0])
    return Operation(opcode, statement, tuple(results.split()), tuple(sources.split()), INTEGER, rule, section)


def double_width(kind: str) -> str:
    """Return the type of the same signedness with twice as many bits."""
    return f"{kind[0]}{2 * width(kind)}"


def wide_product(kind: str) -> str:
    """Return the exact product of ``A`` and ``B`` in twice as many bits."""
    wide = double_width(kind)
    return f"({wide}){read('A', kind)}*({wide}){read('B', kind)}"


def low_product(kind: str) -> str:
    """Return the low half of the product of ``A`` and ``B`` as an unsigned expression of at least 32 bits."""
    low = unsigned(kind)
    return f"({unsigned('', max(32, width(kind)))}){read('A', low)}*{read('B', low)}"


def high_product(kind: str) -> str:
    """Return the high half of the product of ``A`` and ``B``."""
    return f"({c_type(kind)})(({wide_product(kind)})>>{width(kind)})"


@instruction("add", "sub")
def sums() -> Iterator[Operation]:
    """Yield sums and differences."""
    for (base, sign), kind in product((("add", "+"), ("sub", "-")), INTEGERS):
        low = unsigned(kind)
        statement = assign(low, f"{read('A', low)}{sign}{read('B', low)}")
        yield row(spell(base, kind), statement, kind, f"{kind} {kind}", WRAPS)
    for base, sign in (("add", "+"), ("sub", "-")):
        statement = assign("s32", f"clamp_to_s32((s64)A.i{sign}B.i)")
        yield row(spell(base, "sat", "s32"), statement, "s32", "s32 s32", SATURATES)


@instruction("mul", "mad")
def products() -> Iterator[Operation]:
    """Yield products, and products with sums."""
    for kind in INTEGERS:
        low = unsigned(kind)
        yield from product_rows("lo", kind, kind, low_product(kind), read("C", low))
        yield from product_rows("hi", kind, kind, high_product(kind), read("C", low))
        if width(kind) < 64:
            wide = double_width(kind)
            yield from product_rows("wide", kind, wide, wide_product(kind), read("C", unsigned(wide)))
    statement = assign("s32", f"clamp_to_s32((s64){high_product('s32')}+C.i)")
    yield row("mad.hi.sat.s32", statement, "s32", "s32 s32 s32", SATURATES)


def product_rows(part: str, kind: str, result: str, value: str, addend: str) -> Iterator[Operation]:
    """Yield the product and the product with a sum, for one part of the product."""
    bits = unsigned(result)
    yield row(spell("mul", part, kind), assign(bits, value), result, f"{kind} {kind}", WRAPS)
    total = assign(bits, f"({c_type(bits)})({value})+{addend}")
    yield row(spell("mad", part, kind), total, result, f"{kind} {kind} {result}", WRAPS)


@instruction("mul24", "mad24")
def products_of_24_bits() -> Iterator[Operation]:
    """Yield ``mul24`` and ``mad24``."""
    for kind, part in product(("u32", "s32"), ("lo", "hi")):
        value = f"(u32)(product_of_24_bits_{kind}({read('A', kind)},{read('B', kind)})>>{16 if part == 'hi' else 0})"
        yield row(spell("mul24", part, kind), assign("u32", value), kind, f"{kind} {kind}", WRAPS)
        yield row(spell("mad24", part, kind), assign("u32", f"{value}+C.w"), kind, f"{kind} {kind} {kind}", WRAPS)
    statement = assign("s32", "clamp_to_s32((s64)(s32)(product_of_24_bits_s32(A.i,B.i)>>16)+C.i)")
    yield row("mad24.hi.sat.s32", statement, "s32", "s32 s32 s32", SATURATES)


@instruction("sad")
def sums_of_differences() -> Iterator[Operation]:
    """Yield ``sad``."""
    for kind in INTEGERS:
        a, b, low = read("A", kind), read("B", kind), unsigned(kind)
        difference = f"({a}<{b}?{read('B', low)}-{read('A', low)}:{read('A', low)}-{read('B', low)})"
        statement = assign(low, f"{read('C', low)}+{difference}")
        yield row(spell("sad", kind), statement, kind, f"{kind} {kind} {kind}", WRAPS)


@instruction("div", "rem")
def quotients() -> Iterator[Operation]:
    """Yield quotients and remainders."""
    rules = {
        "div": "The quotient is truncated; the ISA leaves division by zero open, here all bits of the result are ones.",
        "rem": "The remainder has the sign of the dividend; the ISA leaves a zero divisor open, here it returns the dividend.",
    }
    for (base, rule), kind in product(rules.items(), INTEGERS):
        function = {"div": "quotient", "rem": "remainder"}[base]
        a, b = read("A", kind), read("B", kind)
        statement = f"if({b}==0) DIVIDED_BY_ZERO; {assign(kind, f'{function}({a},{b})')}"
        yield row(spell(base, kind), statement, kind, f"{kind} {kind}", rule)


@instruction("abs", "neg")
def signs() -> Iterator[Operation]:
    """Yield the changes of signs."""
    for kind in SIGNED:
        low = unsigned(kind)
        value = read("A", low)
        rule = "The smallest value stays the same."
        yield row(spell("neg", kind), assign(low, f"0-{value}"), kind, kind, rule)
        yield row(spell("abs", kind), assign(low, f"{read('A', kind)}<0?0-{value}:{value}"), kind, kind, rule)


@instruction("min", "max")
def extrema() -> Iterator[Operation]:
    """Yield minima and maxima."""
    for (base, order), kind in product((("min", "<"), ("max", ">")), INTEGERS):
        a, b = read("A", kind), read("B", kind)
        yield row(spell(base, kind), assign(kind, f"{a}{order}{b}?{a}:{b}"), kind, f"{kind} {kind}", EXACT)
    for base, order in (("min", "<"), ("max", ">")):
        statement = assign("s32", f"at_least_zero(A.i{order}B.i?A.i:B.i)")
        yield row(spell(base, "relu", "s32"), statement, "s32", "s32 s32", "A negative result becomes zero.")


@instruction("popc", "clz", "brev")
def bit_counts() -> Iterator[Operation]:
    """Yield counts and reversals of bits."""
    for kind in ("b32", "b64"):
        value, bits = read("A", kind), width(kind)
        suffix = "ll" if bits == 64 else ""
        yield row(spell("popc", kind), assign("u32", f"__builtin_popcount{suffix}({value})"), "u32", kind, EXACT)
        leading = f"{value}?__builtin_clz{suffix}({value}):{bits}"
        yield row(spell("clz", kind), assign("u32", leading), "u32", kind, "Zero has as many leading zeros as bits.")
        yield row(spell("brev", kind), assign(kind, f"__builtin_bitreverse{bits}({value})"), kind, kind, EXACT)


@instruction("bfind")
def leading_bits() -> Iterator[Operation]:
    """Yield the searches for the first bit that is not the sign."""
    rule = "Of a negative value the leading zero is found; without such a bit the result is 0xffffffff."
    for kind, amount in product(WORDS, ("", "shiftamt")):
        value = read("A", kind)
        bits = f"({c_type(unsigned(kind))})({value}<0?~{value}:{value})" if is_signed(kind) else value
        statement = assign("u32", f"leading_{'shift' if amount else 'place'}({bits})")
        yield row(spell("bfind", amount, kind), statement, "u32", kind, rule)


@instruction("fns")
def nth_set_bits() -> Iterator[Operation]:
    """Yield the search for a set bit by its number."""
    rule = "The base is a position from 0 to 31; without such a bit the result is 0xffffffff."
    yield row("fns.b32", assign("u32", "nth_set_bit(A.w,B.w,C.i)"), "b32", "b32 b32 s32", rule)


@instruction("bfe", "bfi")
def bit_fields() -> Iterator[Operation]:
    """Yield extraction and insertion of bit fields."""
    rule = (
        "Position and length are the low bytes, for 64 bits the whole numbers; bits above the width are the sign for signed "
        "types, otherwise zero."
    )
    for kind in WORDS:
        statement = assign(kind, f"extract_field({read('A', kind)},B.w,C.w)")
        yield row(spell("bfe", kind), statement, kind, f"{kind} u32 u32", rule)
    rule = "Position and length are the low bytes, for 64 bits the whole numbers; bits that would go above the width are lost."
    for kind in ("b32", "b64"):
        statement = assign(kind, f"insert_field({read('A', kind)},{read('B', kind)},C.w,E.w)")
        yield row(spell("bfi", kind), statement, kind, f"{kind} {kind} u32 u32", rule)


@instruction("szext", "bmsk")
def extensions() -> Iterator[Operation]:
    """Yield extensions from a bit, and masks."""
    rules = {"clamp": "Larger positions count as 32.", "wrap": "Positions are taken modulo 32."}
    for (mode, rule), kind in product(rules.items(), ("u32", "s32")):
        statement = assign(kind, f"extend_from_{mode}({read('A', kind)},B.w)")
        yield row(spell("szext", mode, kind), statement, kind, f"{kind} u32", rule)
    for mode, rule in rules.items():
        yield row(spell("bmsk", mode, "b32"), assign("b32", f"bit_mask_{mode}(A.w,B.w)"), "b32", "u32 u32", rule)


@instruction("dp4a", "dp2a")
def dot_products() -> Iterator[Operation]:
    """Yield the dot products of bytes and halves."""
    for first, second in product(("u32", "s32"), repeat=2):
        result = "s32" if "s32" in (first, second) else "u32"
        types, flags = f"{first} {second} {result}", f"{int(is_signed(first))},{int(is_signed(second))}"
        yield row(spell("dp4a", first, second), assign("u32", f"dot_bytes(A.w,B.w,C.w,{flags})"), result, types, WRAPS)
        for part in ("lo", "hi"):
            statement = assign("u32", f"dot_halves(A.w,B.w>>{16 if part == 'hi' else 0},C.w,{flags})")
            yield row(spell("dp2a", part, first, second), statement, result, types, WRAPS)
