"""Arithmetic of float16 and bfloat16, as single values and in pairs."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from warpsmith.simt.operations.float_operations import extremum
from warpsmith.simt.operations.operand_types import HALVES
from warpsmith.simt.operations.operation import FLOAT32, SPECIAL, Operation, instruction, spell

SECTION = "Half Precision Floating Point Instructions: {}"
ROUNDED = (
    "The exact result is rounded once to nearest; a NaN result is 0x7fff; .relu makes negative results zero, .sat clamps to "
    "[0, 1] and NaN to 0, .ftz makes subnormal inputs and results zero."
)
SELECTED = "-0 is less than +0; one NaN is ignored without .NaN; a NaN result is 0x7fff."
SIGN_BITS = "Only the sign changes, also of NaN."
APPROXIMATE = "The ISA allows a relative error of 2^-{}; here the result is rounded from float64."

FORMATS = {"f16": "half", "bf16": "bfloat"}
"""The names of the formats in functions of ``arithmetic.h``."""


def rows(opcode: str, kind: str, value: str, sources: int, rule: str, work: str = FLOAT32) -> Iterator[Operation]:
    """Yield the operation on single values and the operation on pairs.

    Args:
        opcode: the opcode without its type.
        kind: the type.
        value: the bits of the result, an expression of ``a``, ``b`` and ``c``: the bits of sources.
        sources: the number of sources.
        rule: the rule of rounding and NaN.
        work: the class of the instruction.
    """
    section = SECTION.format(opcode.partition(".")[0])
    declared = ",".join(f"{name}={name.upper()}.h" for name in "abc"[:sources])
    single = f"{{u16 {declared}; D.h={value};}}"
    yield Operation(spell(opcode, kind), single, (kind,), (kind,) * sources, work, rule, section)
    values = ",".join(f"{name.upper()}.w" for name in "abc"[:sources])
    names = ",".join(f"u16 {name}" for name in "abc"[:sources])
    pair = f"D.w=each_half([]({names})->u16{{return {value};}},{values});"
    yield Operation(spell(opcode, f"{kind}x2"), pair, (f"{kind}x2",), (f"{kind}x2",) * sources, work, rule, section)


def read_half(name: str, kind: str, ftz: str = "") -> str:
    """Return the float32 of the bits called ``name``."""
    return f"from_{'flushed_' if ftz else ''}{FORMATS[kind]}({name})"


def write_half(kind: str, value: str, ftz: str = "", sat: str = "", relu: str = "") -> str:
    """Return the bits of a number after rounding, with the modifiers."""
    bits = f"to_{FORMATS[kind]}({value})"
    if ftz:
        bits = f"flush_half_bits({bits})"
    if sat:
        bits = f"saturate_half({bits})"
    return f"at_least_zero_half({bits})" if relu else bits


@instruction("add", "sub", "mul", "fma")
def arithmetic() -> Iterator[Operation]:
    """Yield sums, products and fused products with sums."""
    expressions = {
        "add": "(double){0}+{1}",
        "sub": "(double){0}-{1}",
        "mul": "(double){0}*{1}",
        "fma": "sum_to_odd((double){0}*{1},{2})",
    }
    for base, kind in product(expressions, HALVES):
        for rounding, ftz, sat, relu in half_modifiers(base, kind):
            count = 3 if base == "fma" else 2
            sources = [read_half(name, kind, ftz) for name in "abc"[:count]]
            expression = expressions[base]
            if kind == "bf16" and base in ("add", "sub"):  # the exponents of bfloat16 differ by more than 53
                expression = f"sum_to_odd({{0}},{'-' if base == 'sub' else ''}{{1}})"
            value = write_half(kind, expression.format(*sources), ftz, sat, relu)
            yield from rows(spell(base, rounding, ftz, sat, relu), kind, value, count, ROUNDED)


def half_modifiers(base: str, kind: str) -> Iterator[tuple[str, str, str, str]]:
    """Yield the modifiers for rounding, ``.ftz``, ``.sat`` and ``.relu`` that an instruction can have together."""
    for rounding in ("rn",) if base == "fma" else ("", "rn"):
        if kind == "bf16":
            yield (rounding, "", "", "")
        else:
            yield from ((rounding, ftz, sat, "") for ftz, sat in product(("", "ftz"), ("", "sat")))
        if base == "fma":
            yield from ((rounding, ftz, "", "relu") for ftz in (("", "ftz") if kind == "f16" else ("",)))


@instruction("neg", "abs")
def signs() -> Iterator[Operation]:
    """Yield the changes of signs."""
    for kind, ftz in (("f16", ""), ("f16", "ftz"), ("bf16", "")):
        bits = "flush_half_bits(a)" if ftz else "a"
        yield from rows(spell("neg", ftz), kind, f"{bits}^0x8000", 1, SIGN_BITS)
        yield from rows(spell("abs", ftz), kind, f"{bits}&0x7fff", 1, SIGN_BITS)


@instruction("min", "max")
def extrema() -> Iterator[Operation]:
    """Yield minima and maxima."""
    for base, order in (("min", "smaller"), ("max", "larger")):
        for kind, nan, sign in product(HALVES, ("", "NaN"), ("", "xorsign.abs")):
            for ftz in ("", "ftz") if kind == "f16" else ("",):
                a, b = read_half("a", kind, ftz), read_half("b", kind, ftz)
                value = write_half(kind, extremum(order, a, b, nan, sign))
                yield from rows(spell(base, ftz, nan, sign), kind, value, 2, SELECTED)


@instruction("ex2", "tanh")
def functions() -> Iterator[Operation]:
    """Yield the approximate functions."""
    yield from rows("tanh.approx", "f16", write_half("f16", "tanh(from_half(a))"), 1, APPROXIMATE.format("10.987"), SPECIAL)
    yield from rows("tanh.approx", "bf16", write_half("bf16", "tanh(from_bfloat(a))"), 1, APPROXIMATE.format("8"), SPECIAL)
    yield from rows("ex2.approx", "f16", write_half("f16", "exp2(from_half(a))"), 1, APPROXIMATE.format("9.9"), SPECIAL)
    value = write_half("bf16", "flush(one_nan((float)exp2(flush(from_bfloat(a)))))")
    yield from rows("ex2.approx.ftz", "bf16", value, 1, APPROXIMATE.format("7"), SPECIAL)
