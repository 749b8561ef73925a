"""Conversions between integers, floats and halves: cvt in all rounding modes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from warpsmith.simt.operations.operand_types import (
    DIRECTIONS,
    FLOATS,
    HALVES,
    INTEGERS,
    MEMBERS,
    ROUNDINGS,
    c_type,
    is_signed,
    read,
    unsigned,
    width,
)
from warpsmith.simt.operations.operation import CONVERT, Operation, instruction, spell

SECTION = "Data Movement and Conversion Instructions: cvt"
EXTENDED = "The result is sign- or zero-extended to the register; without .sat high bits are lost, with .sat it is clamped."
TO_INTEGER = (
    "The result is clamped; NaN becomes 0 if neither f64 nor a 64-bit integer is involved, else only the top bit is set."
)
ROUNDED = "The exact value is rounded once; .ftz makes subnormal numbers of float32 zero; .sat clamps to [0, 1] and NaN to 0."
INTEGRAL = "The value is rounded to an integer; the sign of zero stays."
NARROWED = (
    "Both values are rounded once; NaN is canonical; .relu makes negative values zero, .satfinite clamps to finite numbers."
)

ALL_INTEGERS = ("u8", "s8", *INTEGERS)
ALL_FLOATS = (*HALVES, *FLOATS)
INTEGRAL_FUNCTIONS = {"rni": "__builtin_rint", "rzi": "__builtin_trunc", "rmi": "__builtin_floor", "rpi": "__builtin_ceil"}
NEAREST = "NEAREST"


def row(opcode: str, statement: str, result: str, sources: str, rule: str) -> Operation:
    """Return a conversion; types of sources are separated by spaces."""
    return Operation(opcode, statement, (result,), tuple(sources.split()), CONVERT, rule, SECTION)


def extend(kind: str, value: str) -> str:
    """Return the statement that writes an integer or the bits of a half to all bytes of the result."""
    return f"D.{'s' if is_signed(kind) else 'u'}=({c_type(kind)})({value});"


@instruction("cvt")
def between_integers() -> Iterator[Operation]:
    """Yield the conversions between integers."""
    for source, result in product(ALL_INTEGERS, ALL_INTEGERS):
        value = read("A", source)
        yield row(spell("cvt", result, source), extend(result, value), result, source, EXTENDED)
        if not contains(result, source):
            value = f"saturated<{c_type(result)}>({value})"
            yield row(spell("cvt", "sat", result, source), extend(result, value), result, source, EXTENDED)


@instruction("cvt")
def packed_integers() -> Iterator[Operation]:
    """Yield ``cvt.pack``."""
    rule = "Both values are clamped, the first above the second; a third source is above them."
    for kind in ("s16", "u16", "s8", "u8"):
        bits = width(kind)
        first, second = (f"({c_type(unsigned(kind))})saturated<{c_type(kind)}>({source}.i)" for source in "AB")
        value = f"(u32){first}<<{bits}|{second}"
        if bits == 8:
            yield row(f"cvt.pack.sat.{kind}.s32.b32", f"D.w=C.w<<16|{value};", "b32", "s32 s32 b32", rule)
        else:
            yield row(f"cvt.pack.sat.{kind}.s32", f"D.w={value};", "b32", "s32 s32", rule)


def contains(kind: str, other: str) -> bool:
    """Whether all values of the integer type ``other`` are values of ``kind``."""
    if is_signed(kind) == is_signed(other):
        return width(kind) >= width(other)
    return is_signed(kind) and width(kind) > width(other)


def read_number(kind: str, ftz: str = "") -> str:
    """Return the source of a floating-point type as a float32 or float64."""
    if kind in HALVES:
        return f"from_{'half' if kind == 'f16' else 'bfloat'}(A.h)"
    return f"flush({read('A', kind)})" if ftz and kind == "f32" else read("A", kind)


def saturations(*kinds: str) -> tuple[str, ...]:
    """Return the values of the modifier ``sat``, which conversions of bfloat16 lack."""
    return ("",) if "bf16" in kinds else ("", "sat")


def without_conversion(first: str, second: str) -> bool:
    """Whether no conversion between two types exists: bfloat16 and bytes."""
    return {"bf16"} < {first, second} and not {"u8", "s8"}.isdisjoint((first, second))


def flushes(*kinds: str) -> tuple[str, ...]:
    """Return the values of the modifier ``ftz``, which conversions of float32 have."""
    return ("", "ftz") if "f32" in kinds else ("",)


@instruction("cvt")
def floats_to_integers() -> Iterator[Operation]:
    """Yield the conversions to integers."""
    for source, result, rounding in product(ALL_FLOATS, ALL_INTEGERS, INTEGRAL_FUNCTIONS):
        if without_conversion(source, result):
            continue
        nan = f"1ull<<{width(result) - 1}" if source == "f64" or width(result) == 64 else "0"
        for ftz, sat in product(flushes(source), saturations(source)):
            integral = f"{INTEGRAL_FUNCTIONS[rounding]}((double){read_number(source, ftz)})"
            value = f"to_integer<{c_type(result)}>({integral},{nan})"
            yield row(spell("cvt", rounding, ftz, sat, result, source), extend(result, value), result, source, TO_INTEGER)


@instruction("cvt")
def integers_to_floats() -> Iterator[Operation]:
    """Yield the conversions of integers."""
    for source, result, rounding in product(ALL_INTEGERS, ALL_FLOATS, ROUNDINGS):
        if without_conversion(source, result):
            continue
        for ftz, sat in product(flushes(result), saturations(result)):
            value = read("A", source)
            if result in HALVES:
                value = f"double_to_odd({value})"
            statement = write_number(result, narrow(result, value, rounding, exact=False), "", sat)
            yield row(spell("cvt", rounding, ftz, sat, result, source), statement, result, source, ROUNDED)


def narrow(kind: str, value: str, rounding: str, exact: bool) -> str:
    """Return the expression of a rounded number.

    Args:
        kind: the type of the result.
        value: the expression to round.
        rounding: the modifier of rounding.
        exact: whether the result has all values of the source.
    """
    if kind in HALVES:
        return f"to_{'half' if kind == 'f16' else 'bfloat'}({value},{DIRECTIONS.get(rounding, NEAREST)})"
    if exact or rounding not in DIRECTIONS:
        return f"({c_type(kind)})({value})"
    return f"directed_conversion<{c_type(kind)}>({value},{DIRECTIONS[rounding]})"


def write_number(kind: str, value: str, ftz: str, sat: str) -> str:
    """Return the statement that writes a number of a floating-point type; values of halves are bits."""
    if kind in HALVES:
        return f"D.u=saturate_half({value});" if sat else f"D.u={value};"
    if ftz and kind == "f32":
        value = f"flush({value})"
    if sat:
        value = f"saturate({value})"
    elif kind == "f32":
        value = f"one_nan({value})"
    return f"D.{MEMBERS[kind]}={value};"


PRECISION = {"bf16": 8, "f16": 11, "f32": 24, "f64": 53}
RANGE = {"f16": 5, "bf16": 8, "f32": 8, "f64": 11}


def widens(source: str, result: str) -> bool:
    """Whether the type ``result`` has all values of ``source``."""
    return PRECISION[source] <= PRECISION[result] and RANGE[source] <= RANGE[result]


@instruction("cvt")
def between_floats() -> Iterator[Operation]:
    """Yield the conversions between floating-point types."""
    for source, result in product(ALL_FLOATS, ALL_FLOATS):
        exact = widens(source, result)
        for rounding, ftz, sat in product(("",) if exact else ROUNDINGS, flushes(source, result), saturations(source, result)):
            value = read_number(source, ftz if result != "f16" else "")
            if source == result and source in HALVES and not sat:
                statement = "D.u=A.h;"
            else:
                statement = write_number(result, narrow(result, value, rounding, exact), ftz, sat)
            yield row(spell("cvt", rounding, ftz, sat, result, source), statement, result, source, ROUNDED)


@instruction("cvt")
def to_integral_values() -> Iterator[Operation]:
    """Yield the roundings to integers in a floating-point type."""
    for kind, (rounding, function) in product(ALL_FLOATS, INTEGRAL_FUNCTIONS.items()):
        for ftz, sat in product(flushes(kind), saturations(kind)):
            integral = f"{function}({'(double)' if kind in HALVES else ''}{read_number(kind, ftz)})"
            if kind == "f32":
                integral = f"{function}f({read_number(kind, ftz)})"
            statement = write_number(kind, narrow(kind, integral, "", exact=True), ftz, sat)
            yield row(spell("cvt", rounding, ftz, sat, kind, kind), statement, kind, kind, INTEGRAL)


@instruction("cvt")
def to_halves() -> Iterator[Operation]:
    """Yield the conversions of float32 to halves with ``.relu`` or ``.satfinite``, and to pairs."""
    for kind, rounding, relu, finite in product(HALVES, ("rn", "rz"), ("", "relu"), ("", "satfinite")):
        opcode = spell("cvt", rounding, relu, finite)
        low, high = (half_of_float(kind, f"{source}.f", rounding, relu, finite) for source in "BA")
        yield row(spell(opcode, f"{kind}x2", "f32"), f"D.u=paired({low},{high});", f"{kind}x2", "f32 f32", NARROWED)
        if relu or finite:  # the other rows are in `between_floats`
            yield row(spell(opcode, kind, "f32"), f"D.u={high};", kind, "f32", NARROWED)


def half_of_float(kind: str, value: str, rounding: str, relu: str, finite: str) -> str:
    """Return the bits of a half that a float32 becomes."""
    bits = narrow(kind, value, rounding, exact=False)
    if finite:
        bits = f"finite_bits({bits},{'0x7bff' if kind == 'f16' else '0x7f7f'})"
    return f"at_least_zero_half({bits})" if relu else bits


@instruction("cvt")
def to_tensor_floats() -> Iterator[Operation]:
    """Yield the conversions of float32 to tf32."""
    rule = "The result has 10 bits of fraction, the others are zero; rna rounds ties away from zero; NaN is canonical."
    for rounding, relu, finite in product(("rna", "rn", "rz"), ("", "relu"), ("", "satfinite")):
        if relu if rounding == "rna" else finite:
            continue
        mode = {"rna": "TIES_AWAY", "rn": NEAREST, "rz": "TOWARD_ZERO"}[rounding]
        value = f"to_tensor_float(A.f,{mode},{int(bool(finite))})"
        statement = f"D.w={f'at_least_zero_bits({value})' if relu else value};"
        yield row(spell("cvt", rounding, relu, finite, "tf32", "f32"), statement, "b32", "f32", rule)


BYTE_FLOATS = ("e4m3", "e5m2")


@instruction("cvt")
def byte_floats() -> Iterator[Operation]:
    """Yield the conversions to and from pairs of 8-bit numbers."""
    rule = "Each value is rounded once to nearest and clamped to finite numbers; NaN is 0x7f; .relu makes negative values zero."
    for kind, relu in product(BYTE_FLOATS, ("", "relu")):
        zero = int(bool(relu))
        opcode = spell("cvt.rn.satfinite", relu, f"{kind}x2")
        statement = f"D.u=joined_bytes(to_{kind}(B.f,{zero}),to_{kind}(A.f,{zero}));"
        yield row(spell(opcode, "f32"), statement, "b16", "f32 f32", rule)
        low, high = (f"to_{kind}(from_half(A.w{shift}),{zero})" for shift in ("", ">>16"))
        yield row(spell(opcode, "f16x2"), f"D.u=joined_bytes({low},{high});", "b16", "f16x2", rule)
        low, high = (f"to_half(from_{kind}(A.h{shift}))" for shift in ("", ">>8"))
        if relu:
            low, high = f"at_least_zero_half({low})", f"at_least_zero_half({high})"
        opcode = spell("cvt.rn", relu, "f16x2", f"{kind}x2")
        yield row(opcode, f"D.u=paired({low},{high});", "f16x2", "b16", "All values are exact; NaN is 0x7fff.")
