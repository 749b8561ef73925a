"""Comparisons: set and setp over integers, floats and halves."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from warpsmith.simt.operations.float_operations import read_float
from warpsmith.simt.operations.half_operations import read_half
from warpsmith.simt.operations.operand_types import BITS, FLOATS, HALVES, SIGNED, UNSIGNED, assign, read, unsigned
from warpsmith.simt.operations.operation import FLOAT32, FLOAT64, INTEGER, Operation, instruction, spell

EQUALITY = {"eq": "{0}=={1}", "ne": "{0}!={1}"}
ORDER = {"lt": "{0}<{1}", "le": "{0}<={1}", "gt": "{0}>{1}", "ge": "{0}>={1}"}
UNSIGNED_ORDER = {"lo": ORDER["lt"], "ls": ORDER["le"], "hi": ORDER["gt"], "hs": ORDER["ge"]}
FLOAT_COMPARISONS = {
    "eq": "{0}=={1}",
    "ne": "differ({0},{1})",
    **ORDER,
    "equ": "!differ({0},{1})",
    "neu": "!({0}=={1})",
    "ltu": "!({0}>={1})",
    "leu": "!({0}>{1})",
    "gtu": "!({0}<={1})",
    "geu": "!({0}<{1})",
    "num": "both_numbers({0},{1})",
    "nan": "!both_numbers({0},{1})",
}
CODES = {name: "NAN_" if name == "nan" else name.upper() for name in FLOAT_COMPARISONS}
"""The names of comparisons in ``arithmetic.h``."""

COMBINATIONS = {"": "", "and": "&", "or": "|", "xor": "^"}

INTEGER_RULE = "The comparison is exact; bits of types without sign are compared as unsigned numbers."
FLOAT_RULE = "With NaN only comparisons that end in u, and nan, are true; -0 equals +0; .ftz makes subnormal sources zero."


def section(base: str, kind: str) -> str:
    """Return the title of the section that defines ``set`` or ``setp`` for a type."""
    half = "f16" in kind
    return f"{'Half Precision Comparison' if half else 'Comparison and Selection'} Instructions: {base}"


def work(kind: str) -> str:
    """Return the class of comparisons of a type."""
    if kind == "f64":
        return FLOAT64
    return FLOAT32 if "f" in kind else INTEGER


def comparisons(kind: str) -> Iterator[tuple[str, str, str]]:
    """Yield the name, the modifier ``ftz`` or nothing, and the expression of each comparison of a scalar type."""
    if kind in FLOATS:
        for ftz, (name, form) in product(("", "ftz") if kind == "f32" else ("",), FLOAT_COMPARISONS.items()):
            yield name, ftz, form.format(read_float("A", kind, ftz), read_float("B", kind, ftz))
    elif kind in HALVES:
        for ftz, name in product(("", "ftz") if kind == "f16" else ("",), FLOAT_COMPARISONS):
            yield name, ftz, f"compare({read_half('A.h', kind, ftz)},{read_half('B.h', kind, ftz)},{CODES[name]})"
    else:
        yield from ((name, "", form) for name, form in integer_comparisons(kind))


def integer_comparisons(kind: str) -> Iterator[tuple[str, str]]:
    """Yield the name and the expression of each comparison of an integer type."""
    low = unsigned(kind)
    for name, form in EQUALITY.items():
        yield name, form.format(read("A", low), read("B", low))
    order = {} if kind in BITS else ORDER if kind in SIGNED else ORDER | UNSIGNED_ORDER
    for name, form in order.items():
        yield name, form.format(read("A", kind), read("B", kind))


COMPARED = (*BITS, *UNSIGNED, *SIGNED, *FLOATS)


@instruction("setp")
def predicates() -> Iterator[Operation]:
    """Yield ``setp`` of single values; halves have true_bits result, other types also the opposite."""
    for kind in (*COMPARED, *HALVES):
        rule = FLOAT_RULE if "f" in kind else INTEGER_RULE
        results = ("pred",) if kind in HALVES else ("pred", "pred")
        for (name, ftz, value), (combination, sign) in product(comparisons(kind), COMBINATIONS.items()):
            statement = compared_to_predicates(value, sign, len(results))
            sources = (kind, kind, "pred") if combination else (kind, kind)
            opcode = spell("setp", name, combination, ftz, kind)
            yield Operation(opcode, statement, results, sources, work(kind), rule, section("setp", kind))


def compared_to_predicates(value: str, sign: str, results: int) -> str:
    """Return the statement that combines a comparison with ``C`` by the operator ``sign``, or with nothing."""
    if sign:
        return f"{{u8 r={value},p=C.b; D.u=r{sign}p;{f' D2.u=!r{sign}p;' if results == 2 else ''}}}"
    return f"{{u8 r={value}; D.u=r;{' D2.u=!r;' if results == 2 else ''}}}"


SET_VALUES = {
    # type of the result: bits of "true"
    "u32": "0xffffffffu",
    "s32": "0xffffffffu",
    "f32": "0x3f800000u",
    "u16": "0xffff",
    "s16": "0xffff",
    "f16": "0x3c00",
    "bf16": "0x3f80",
}


def set_results(kind: str) -> tuple[str, ...]:
    """Return the types of results that ``set`` can have for a type of sources."""
    if kind == "bf16":
        return ("bf16", "u16", "s16", "u32", "s32")
    return ("f16", "bf16", "u16", "s16", "u32", "s32") if kind == "f16" else ("f16", "bf16", "u32", "s32", "f32")


@instruction("set")
def values() -> Iterator[Operation]:
    """Yield ``set`` of single values."""
    for kind in (*COMPARED, *HALVES):
        rule = FLOAT_RULE if "f" in kind else INTEGER_RULE
        for (name, ftz, value), result in product(comparisons(kind), set_results(kind)):
            if ftz and result == "bf16":
                continue
            statement = assign(bits_type(result), f"{value}?{SET_VALUES[result]}:0")
            opcode = spell("set", name, ftz, result, kind)
            yield Operation(opcode, statement, (result,), (kind, kind), work(kind), rule, section("set", kind))


def bits_type(kind: str) -> str:
    """Return the type that writes the bits of a result."""
    return "u16" if "16" in kind else "u32"


@instruction("setp", "set")
def pairs() -> Iterator[Operation]:
    """Yield ``setp`` and ``set`` of pairs of halves."""
    for kind in HALVES:
        for ftz, name in product(("", "ftz") if kind == "f16" else ("",), FLOAT_COMPARISONS):
            reader = read_half("", kind, ftz).removesuffix("()")
            value = f"compare_pairs(A.w,B.w,{CODES[name]},{reader})"
            yield from pair_rows(name, ftz, f"{kind}x2", value)


def pair_rows(name: str, ftz: str, kind: str, value: str) -> Iterator[Operation]:
    """Yield the operations that compare pairs; ``value`` has 16 ones or zeros for each half."""
    for combination, sign in COMBINATIONS.items():
        statement = f"{{u32 r={value}; D.b=r&1; D2.b=r>>31;}}"
        if combination:
            statement = f"{{u32 r={value}; u8 p=C.b; D.b=(r&1){sign}p; D2.b=(r>>31){sign}p;}}"
        sources = (kind, kind, "pred") if combination else (kind, kind)
        opcode = spell("setp", name, combination, ftz, kind)
        yield Operation(opcode, statement, ("pred", "pred"), sources, work(kind), FLOAT_RULE, section("setp", kind))
    for result in (kind, "u32", "s32"):
        true_bits = SET_VALUES[kind.removesuffix("x2")] if result == kind else "0xffff"
        statement = assign("u32", f"{value}&{true_bits}*0x10001u")
        opcode = spell("set", name, ftz, result, kind)
        yield Operation(opcode, statement, (result,), (kind, kind), work(kind), FLOAT_RULE, section("set", kind))
