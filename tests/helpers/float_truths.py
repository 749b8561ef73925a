"""The results that PTX instructions on floating-point numbers should have, in exact arithmetic."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from approximation_truths import approximation
from expected_bits import Expected, Values
from number_formats import FORMATS, Number, add, divide, multiply, negative, square_root

ROUNDINGS = ("rn", "rz", "rm", "rp")


def same_number(kind: str, expected: int) -> Expected:
    """Return an expected number; of float64 every NaN is accepted."""
    return any_nan(kind) if kind == "f64" and FORMATS[kind].decode(expected).is_nan else expected


def any_nan(kind: str) -> Expected:
    """Return what accepts each NaN: the sign and the lower bits of one are left open."""
    return lambda bits: FORMATS[kind].decode(bits).is_nan


def finish(kind: str, exact: Number, modifiers: list[str], mode: str) -> Expected:
    """Return the bits of an exact number after rounding and with modifiers."""
    form = FORMATS[kind]
    bits = form.encode(exact, mode)
    value = form.decode(bits, "ftz" in modifiers)
    if value.is_zero:
        bits &= form.sign
    if "sat" in modifiers:
        bits = saturate(kind, bits)
    if "relu" in modifiers and value.sign and not value.is_nan:
        bits = 0
    return same_number(kind, bits)


def saturate(kind: str, bits: int) -> int:
    value = FORMATS[kind].decode(bits)
    if value.is_nan or value.sign:
        return 0
    return FORMATS[kind].encode(Number(0, Fraction(1))) if value.size > 1 else bits


def arithmetic(base: str, modifiers: list[str]) -> Values:
    if {"approx", "full"} & set(modifiers):
        return approximation(base, modifiers)
    kind = modifiers[-1]
    mode = next((modifier for modifier in modifiers if modifier in ROUNDINGS), "rn")
    exact: dict[str, Callable[..., Number]] = {
        "add": lambda a, b: add(a, b, mode),
        "sub": lambda a, b: add(a, negative(b), mode),
        "mul": multiply,
        "fma": lambda a, b, c: add(multiply(a, b), c, mode),
        "mad": lambda a, b, c: add(multiply(a, b), c, mode),
        "div": divide,
        "rcp": lambda a: divide(Number(0, Fraction(1)), a),
        "sqrt": square_root,
    }
    return lambda *sources: finish(kind, exact[base](*decoded(kind, sources, modifiers)), modifiers, mode)


def decoded(kind: str, sources: tuple[int, ...], modifiers: list[str]) -> list[Number]:
    """Return the numbers of sources; with ``.ftz`` subnormal numbers are zero."""
    return [FORMATS[kind].decode(source, "ftz" in modifiers) for source in sources]


def float_sign(base: str, modifiers: list[str]) -> Values:
    form = FORMATS[modifiers[-1]]

    def change(a: int) -> Expected:
        if form.decode(a).is_nan:
            return any_nan(modifiers[-1])
        if "ftz" in modifiers and form.decode(a, flush=True).is_zero:
            a &= form.sign
        return a & ~form.sign if base == "abs" else a ^ form.sign

    return change


def copied_sign(_base: str, modifiers: list[str]) -> Values:
    sign = FORMATS[modifiers[-1]].sign
    return lambda a, b: a & sign | b & (sign - 1)


def float_extremum(base: str, modifiers: list[str]) -> Values:
    kind = modifiers[-1]

    def extremum(*sources: int) -> Expected:
        a, b = decoded(kind, sources, modifiers)
        sign = a.sign ^ b.sign
        if "xorsign" in modifiers:
            a, b = Number(0, a.size), Number(0, b.size)
        if (a.is_nan and b.is_nan) or ("NaN" in modifiers and (a.is_nan or b.is_nan)):
            return same_number(kind, FORMATS[kind].nan)
        numbers = [x for x in (a, b) if not x.is_nan]
        chosen = (min if base == "min" else max)(numbers, key=lambda x: (x.value, -x.sign))
        if "xorsign" in modifiers:
            chosen = Number(sign, chosen.size)
        return FORMATS[kind].encode(chosen)

    return extremum


def property_of(_base: str, modifiers: list[str]) -> Values:
    name, kind = modifiers
    form = FORMATS[kind]

    def check(a: int) -> int:
        value, flushed = form.decode(a), form.decode(a, flush=True)
        finite = not value.is_nan and not value.is_infinite
        checks = {
            "finite": finite,
            "infinite": value.is_infinite,
            "number": not value.is_nan,
            "notanumber": value.is_nan,
            "normal": finite and (value.is_zero or not flushed.is_zero),
            "subnormal": flushed.is_zero and not value.is_zero,
        }
        return int(checks[name])

    return check
