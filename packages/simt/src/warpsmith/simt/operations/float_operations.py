"""Arithmetic of float32 and float64 in all rounding modes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from warpsmith.simt.operations.operand_types import DIRECTIONS, FLOATS, ROUNDINGS, assign, read
from warpsmith.simt.operations.operation import FLOAT32, FLOAT64, Operation, instruction, spell

SECTION = "Floating Point Instructions: {}"
ROUNDED = "The exact result is rounded once; .ftz makes subnormal inputs and results zero; .sat clamps to [0, 1] and NaN to 0."
SELECTED = "-0 is less than +0; one NaN is ignored without .NaN; a NaN result is 0x7fffffff for float32."
SIGN_BITS = "Only the sign changes, also of NaN."

NEAREST = {
    "add": "{0}+{1}",
    "sub": "{0}-{1}",
    "mul": "{0}*{1}",
    "fma": "fused({0},{1},{2})",
    "div": "{0}/{1}",
    "rcp": "1/{0}",
    "sqrt": "square_root({0})",
}
"""Expressions that round to nearest."""

DIRECTED = {
    "add": "directed_sum({0},{1},{mode})",
    "sub": "directed_sum({0},-{1},{mode})",
    "mul": "directed_product({0},{1},{mode})",
    "fma": "directed_fused({0},{1},{2},{mode})",
    "div": "directed_quotient({0},{1},{mode})",
    "rcp": "directed_quotient(1,{0},{mode})",
    "sqrt": "directed_root({0},{mode})",
}
"""Expressions that round in another mode."""

NEAREST["mad"], DIRECTED["mad"] = NEAREST["fma"], DIRECTED["fma"]


def row(opcode: str, statement: str, kind: str, sources: int, rule: str) -> Operation:
    """Return an operation whose sources and result have one type."""
    work = FLOAT64 if kind == "f64" else FLOAT32
    return Operation(opcode, statement, (kind,), (kind,) * sources, work, rule, SECTION.format(opcode.partition(".")[0]))


def read_float(source: str, kind: str, ftz: str) -> str:
    """Return the expression of a source, with subnormal numbers made zero for ``.ftz``."""
    return f"flush({read(source, kind)})" if ftz else read(source, kind)


def assign_float(kind: str, value: str, ftz: str = "", sat: str = "") -> str:
    """Return the statement that writes a computed number: with one NaN for float32, and with the modifiers."""
    if ftz:
        value = f"flush({value})"
    if sat:
        value = f"saturate({value})"
    elif kind == "f32":
        value = f"one_nan({value})"
    return f"D.u=bits_of({value});" if kind == "f32" else assign(kind, value)


def rounded(base: str, rounding: str, sources: list[str]) -> str:
    """Return the expression of a correctly rounded operation."""
    if rounding in DIRECTIONS:
        return DIRECTED[base].format(*sources, mode=DIRECTIONS[rounding])
    return NEAREST[base].format(*sources)


def rounded_rows(base: str, kind: str, rounding: str, ftz: str, sat: str) -> Operation:
    """Return one correctly rounded operation."""
    count = {"fma": 3, "mad": 3, "rcp": 1, "sqrt": 1}.get(base, 2)
    sources = [read_float(source, kind, ftz) for source in "ABC"[:count]]
    statement = assign_float(kind, rounded(base, rounding, sources), ftz, sat)
    return row(spell(base, rounding, ftz, sat, kind), statement, kind, count, ROUNDED)


@instruction("add", "sub", "mul", "fma", "mad")
def sums_and_products() -> Iterator[Operation]:
    """Yield sums, products and fused products with sums."""
    for base in ("add", "sub", "mul", "fma", "mad"):
        roundings = ROUNDINGS if base in ("fma", "mad") else ("", *ROUNDINGS)
        for rounding in roundings:
            yield rounded_rows(base, "f64", rounding, "", "")
            for ftz, sat in product(("", "ftz"), ("", "sat")):
                yield rounded_rows(base, "f32", rounding, ftz, sat)


@instruction("div", "rcp", "sqrt")
def quotients_and_roots() -> Iterator[Operation]:
    """Yield quotients, reciprocals and square roots."""
    for base, rounding in product(("div", "rcp", "sqrt"), ROUNDINGS):
        yield rounded_rows(base, "f64", rounding, "", "")
        for ftz in ("", "ftz"):
            yield rounded_rows(base, "f32", rounding, ftz, "")


@instruction("abs", "neg", "copysign")
def signs() -> Iterator[Operation]:
    """Yield the changes of signs."""
    for kind, ftz in (("f32", ""), ("f32", "ftz"), ("f64", "")):
        value = read_float("A", kind, ftz)
        yield row(spell("neg", ftz, kind), assign(kind, f"-{value}"), kind, 1, SIGN_BITS)
        yield row(spell("abs", ftz, kind), assign(kind, f"magnitude({value})"), kind, 1, SIGN_BITS)
    for kind in FLOATS:
        rule = "The sign of the first source and the magnitude of the second."
        statement = assign(kind, f"with_sign({read('B', kind)},{read('A', kind)})")
        yield row(spell("copysign", kind), statement, kind, 2, rule)


@instruction("min", "max")
def extrema() -> Iterator[Operation]:
    """Yield minima and maxima."""
    for base, order in (("min", "smaller"), ("max", "larger")):
        yield row(spell(base, "f64"), assign("f64", f"{order}(A.d,B.d)"), "f64", 2, SELECTED)
        for ftz, nan, sign in product(("", "ftz"), ("", "NaN"), ("", "xorsign.abs")):
            a, b = read_float("A", "f32", ftz), read_float("B", "f32", ftz)
            value = extremum(order, a, b, nan, sign)
            yield row(spell(base, ftz, nan, sign, "f32"), assign("f32", f"one_nan({value})"), "f32", 2, SELECTED)


def extremum(order: str, a: str, b: str, nan: str, sign: str) -> str:
    """Return the expression of the smaller or larger value with the modifiers ``.NaN`` and ``.xorsign.abs``."""
    if nan:
        order += "_or_nan"
    if sign:
        return f"with_product_sign({order}(magnitude({a}),magnitude({b})),{a},{b})"
    return f"{order}({a},{b})"


@instruction("testp")
def properties() -> Iterator[Operation]:
    """Yield the tests of properties."""
    names = ("finite", "infinite", "number", "notanumber", "normal", "subnormal")
    for name, kind in product(names, FLOATS):
        statement = assign("pred", f"is_{name}({read('A', kind)})")
        work = FLOAT64 if kind == "f64" else FLOAT32
        rule = "Zero is normal."
        yield Operation(spell("testp", name, kind), statement, ("pred",), (kind,), work, rule, SECTION.format("testp"))
