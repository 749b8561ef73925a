"""The results that approximate PTX instructions may have: values of mpmath within the error bounds of the ISA document."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import mpmath

from number_formats import FORMATS, Format, Number

Check = Callable[[int], bool]

BOUNDS: dict[tuple[str, str], tuple[float, float]] = {
    # instruction, type: relative and absolute error that the ISA document allows
    ("rcp", "f32"): (2**-23, 0),
    ("sqrt", "f32"): (2**-23, 0),
    ("rsqrt", "f32"): (2**-22.9, 0),
    ("div", "f32"): (2**-22, 0),
    ("sin", "f32"): (0, 2**-20.5),
    ("cos", "f32"): (0, 2**-20.5),
    ("lg2", "f32"): (2**-22, 2**-22),
    ("ex2", "f32"): (2**-22, 0),
    ("tanh", "f32"): (2**-11, 0),
    ("tanh", "f16"): (0, 2**-10.987),
    ("tanh", "bf16"): (0, 2**-8),
    ("ex2", "f16"): (2**-9.9, 0),
    ("ex2", "bf16"): (2**-7, 0),
    ("rcp", "f64"): (2**-20, 0),
    ("rsqrt", "f64"): (2**-20, 0),
}

FUNCTIONS: dict[str, Callable[..., mpmath.mpf]] = {
    "rcp": lambda x: 1 / x,
    "sqrt": mpmath.sqrt,
    "rsqrt": lambda x: 1 / mpmath.sqrt(x),
    "div": lambda x, y: x / y,
    "sin": lambda x: mpmath.sin(reduced(x)),
    "cos": lambda x: mpmath.cos(reduced(x)),
    "lg2": lambda x: mpmath.log(x, 2),
    "ex2": lambda x: mpmath.power(2, x),
    "tanh": mpmath.tanh,
}

DOCUMENTED = 2 * mpmath.pi
"""The largest angle for which the ISA document bounds the error of sine and cosine."""

INVERSE_TURN = 0x3E22F983
"""1/(2pi) in float32."""


def reduced(x: mpmath.mpf) -> mpmath.mpf:
    """Return the angle whose sine an H200 computes: beyond the documented range 2pi times x/(2pi), rounded toward zero."""
    if abs(x) <= DOCUMENTED:
        return x
    form = FORMATS["f32"]
    turns = Fraction(*mpmath.libmp.to_rational(x._mpf_)) * form.decode(INVERSE_TURN).value
    number = form.decode(form.encode(Number(int(turns < 0), abs(turns)), "rz"))
    return 2 * mpmath.pi * to_mpmath(number)


NEGATIVE_IS_NAN = ("sqrt", "rsqrt", "lg2")


def approximation(base: str, modifiers: list[str]) -> Callable[..., Check]:
    """Return the function from bits of sources to the check of the result's bits."""
    kind = modifiers[-1]
    form, flush = FORMATS[kind], "ftz" in modifiers

    def expected(*sources: int) -> Check:
        # With .ftz these instructions read the upper half of float64.
        numbers = [form.decode(source & -(1 << 32) if kind == "f64" and flush else source, flush) for source in sources]
        special = special_quotient(*numbers, "approx" in modifiers) if base == "div" else special_value(base, numbers[0])
        if special is not None:
            return lambda bits: same(form, bits, special)
        with mpmath.workprec(160):
            exact = FUNCTIONS[base](*(to_mpmath(number) for number in numbers))
        return within(base, kind, form, exact, flush)

    return expected


def within(base: str, kind: str, form: Format, exact: mpmath.mpf, flush: bool) -> Check:
    """Return the check of a result near ``exact``; results below the smallest normal number may be off by a unit, or zero."""
    relative, absolute = BOUNDS[base, kind]
    smallest = Fraction(2) ** form.lowest_power
    unit = smallest if flush else form.unit(form.lowest_power)

    def check(bits: int) -> bool:
        value = form.decode(bits)
        if value.is_nan:
            return False
        with mpmath.workprec(160):
            largest = to_mpmath(form.decode(form.largest))
            if value.is_infinite:
                return bool(abs(exact) > largest and (exact < 0) == bool(value.sign))
            is_small = abs(exact) < to_mpmath(Number(0, smallest))
            allowed = max(relative * abs(exact), absolute, to_mpmath(Number(0, Fraction(unit))) if is_small else 0)
            return bool(abs(to_mpmath(value) - exact) <= allowed)

    return check


def to_mpmath(number: Number) -> mpmath.mpf:
    """Return a finite number."""
    value = Fraction(number.value)
    return mpmath.mpf(value.numerator) / value.denominator


def same(form: Format, bits: int, special: Number) -> bool:
    """Whether bits are a special number; float32 and halves have one NaN."""
    value = form.decode(bits)
    if special.is_nan:
        return value.is_nan and (form.fraction > 23 or bits == form.nan)
    return value == special


NAN, INFINITY, ZERO, ONE = Number(0, float("nan")), float("inf"), Fraction(0), Fraction(1)


def special_value(base: str, x: Number) -> Number | None:
    """Return the result for NaN, infinities, zeros and numbers outside of the domain, from the tables of the ISA document."""
    if x.is_nan or (x.sign and not x.is_zero and base in NEGATIVE_IS_NAN):
        return NAN
    if x.is_infinite:
        return {
            "rcp": Number(x.sign, ZERO),
            "sqrt": x,
            "rsqrt": Number(0, ZERO),
            "sin": NAN,
            "cos": NAN,
            "lg2": x,
            "ex2": Number(0, ZERO if x.sign else INFINITY),
            "tanh": Number(x.sign, ONE),
        }[base]
    if x.is_zero:
        return {
            "rcp": Number(x.sign, INFINITY),
            "sqrt": x,
            "rsqrt": Number(x.sign, INFINITY),
            "sin": x,
            "cos": Number(0, ONE),
            "lg2": Number(1, INFINITY),
            "ex2": Number(0, ONE),
            "tanh": x,
        }[base]
    return Number(0, ZERO) if base == "lg2" and x == Number(0, ONE) else None


def special_quotient(a: Number, b: Number, approximate: bool) -> Number | None:
    """Return the quotient of NaN, infinities and zeros, and of large divisors where the division multiplies by a reciprocal."""
    if a.is_nan or b.is_nan or (a.is_infinite and b.is_infinite) or (a.is_zero and b.is_zero):
        return NAN
    sign = a.sign ^ b.sign
    if approximate and not b.is_infinite and b.size > 2**126:
        return NAN if a.is_infinite else Number(sign, ZERO)
    if a.is_infinite or b.is_zero:
        return Number(sign, INFINITY)
    return Number(sign, ZERO) if a.is_zero or b.is_infinite else None
