"""Approximate instructions: the result is the correctly rounded or a closer value, which the error bound of the ISA allows."""

from __future__ import annotations

from collections.abc import Iterator

from warpsmith.simt.operations.float_operations import SECTION, assign_float, read_float
from warpsmith.simt.operations.operand_types import assign
from warpsmith.simt.operations.operation import SPECIAL, Operation, instruction, spell

TURNS = (
    "The ISA allows an absolute error of 2^-20.5 in [-2pi, 2pi]; here the angle is multiplied by 1/(2pi) and rounded as on an "
    "H200, whose results are at most 2^-21.7 off."
)

FUNCTIONS = {
    # base: expression of a double, rule
    "rcp": ("(float)(1/x)", "The ISA allows a relative error of 2^-23 (1 ulp); here the result is correctly rounded."),
    "sqrt": ("(float)square_root(x)", "The ISA allows a relative error of 2^-23; here the result is correctly rounded."),
    "rsqrt": (
        "(float)(1/square_root(x))",
        "The ISA allows a relative error of 2^-22.9; here the result is rounded twice, at most 0.51 ulp off.",
    ),
    "sin": ("fast_sine(x)", TURNS),
    "cos": ("fast_cosine(x)", TURNS),
    "lg2": (
        "(float)log2(x)",
        "The ISA allows an absolute error of 2^-22 in [0.5, 2], else a relative one; here 0.51 ulp at most.",
    ),
    "ex2": ("(float)exp2(x)", "The ISA allows 2 ulp plus a relative error of 2^-22.5; here 0.51 ulp at most."),
}


def row(opcode: str, statement: str, kind: str, sources: int, rule: str) -> Operation:
    """Return an operation whose sources and result have one type."""
    return Operation(opcode, statement, (kind,), (kind,) * sources, SPECIAL, rule, SECTION.format(opcode.partition(".")[0]))


@instruction(*FUNCTIONS)
def functions() -> Iterator[Operation]:
    """Yield the functions of float32."""
    for base, (expression, rule) in FUNCTIONS.items():
        for ftz in ("", "ftz"):
            read = read_float("A", "f32", ftz)
            value = expression.replace("x)", f"{read})" if base in ("sin", "cos") else f"(double){read})")
            yield row(spell(base, "approx", ftz, "f32"), assign_float("f32", value, ftz), "f32", 1, rule)


@instruction("tanh")
def hyperbolic_tangent() -> Iterator[Operation]:
    """Yield ``tanh`` of float32."""
    rule = "The ISA allows a relative error of 2^-11; here 0.51 ulp at most; subnormal numbers are kept."
    yield row("tanh.approx.f32", assign_float("f32", "(float)tanh((double)A.f)"), "f32", 1, rule)


@instruction("div")
def quotients() -> Iterator[Operation]:
    """Yield ``div.approx`` and ``div.full``."""
    rules = {
        "approx": "The ISA allows 2 ulp for divisors of 2^-126 to 2^126; a larger finite divisor gives 0, or NaN for infinity.",
        "full": "The ISA allows 2 ulp; here the result is correctly rounded.",
    }
    for mode, rule in rules.items():
        for ftz in ("", "ftz"):
            a, b = read_float("A", "f32", ftz), read_float("B", "f32", ftz)
            value = f"fast_quotient({a},{b})" if mode == "approx" else f"{a}/{b}"
            yield row(spell("div", mode, ftz, "f32"), assign_float("f32", value, ftz), "f32", 2, rule)


@instruction("rcp", "rsqrt")
def functions_of_doubles() -> Iterator[Operation]:
    """Yield the reciprocals of float64."""
    rule = "Source and result have 32 bits, the upper ones; the result is rounded toward zero; subnormal numbers are zero."
    for base, value in (("rcp", "1/flush(upper_half(A.d))"), ("rsqrt", "1/square_root(flush(upper_half(A.d)))")):
        yield row(f"{base}.approx.ftz.f64", assign("f64", f"upper_half(flush({value}))"), "f64", 1, rule)
    rule = "The ISA leaves the error open; here the result is rounded twice, at most 1 ulp off."
    yield row("rsqrt.approx.f64", assign("f64", "1/square_root(A.d)"), "f64", 1, rule)
