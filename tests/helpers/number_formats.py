"""Floating-point formats in exact arithmetic: from bits to fractions, and back in every rounding mode."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple


class Number(NamedTuple):
    """A number; ``size`` is its magnitude: a fraction, ``inf`` or ``nan``."""

    sign: int
    size: Fraction | float

    @property
    def is_nan(self) -> bool:
        return isinstance(self.size, float) and math.isnan(self.size)

    @property
    def is_infinite(self) -> bool:
        return isinstance(self.size, float) and math.isinf(self.size)

    @property
    def is_zero(self) -> bool:
        return not isinstance(self.size, float) and self.size == 0

    @property
    def value(self) -> Fraction | float:
        return -self.size if self.sign else self.size


NAN = Number(0, math.nan)


@dataclass(frozen=True)
class Format:
    """A binary format; ``largest`` is the last pattern of a finite number, ``nan`` the canonical NaN."""

    fraction: int
    exponent: int
    largest: int
    nan: int

    @property
    def sign(self) -> int:
        return 1 << (self.fraction + self.exponent)

    @property
    def lowest_power(self) -> int:
        """The exponent of the smallest normal number."""
        return 2 - (1 << (self.exponent - 1))

    def decode(self, bits: int, flush: bool = False) -> Number:
        """Return the number of a pattern; with ``flush`` subnormal numbers are zero."""
        sign, size = int(bits & self.sign != 0), bits & (self.sign - 1)
        if size > self.largest:
            infinite = size == self.largest + 1 and size & ((1 << self.fraction) - 1) == 0
            return Number(sign, math.inf if infinite else math.nan)
        power, digits = size >> self.fraction, size & ((1 << self.fraction) - 1)
        if power == 0:
            return Number(sign, Fraction(0) if flush else self.unit(self.lowest_power) * digits)
        return Number(sign, self.unit(self.lowest_power + power - 1) * (digits + (1 << self.fraction)))

    def unit(self, power: int) -> Fraction:
        """Return the distance of neighbours among the numbers from 2^power to 2^(power+1)."""
        place = power - self.fraction
        return Fraction(1 << place) if place >= 0 else Fraction(1, 1 << -place)

    def encode(self, number: Number, mode: str = "rn") -> int:
        """Return the pattern of a number that is rounded once; NaN is canonical."""
        if number.is_nan:
            return self.nan
        sign = self.sign if number.sign else 0
        if number.is_infinite:
            return sign | (self.largest + 1)
        assert isinstance(number.size, Fraction)
        power = max(self.lowest_power, power_below(number.size)) if number.size else self.lowest_power
        count = rounded(number.size / self.unit(power), mode, number.sign)
        size = count + ((power - self.lowest_power) << self.fraction)
        if size > self.largest:
            away = mode in ("rn", "rna") or mode == ("rm" if number.sign else "rp")
            size = self.largest + away
        return sign | size


def power_below(size: Fraction) -> int:
    """Return the largest power with 2^power <= size."""
    power = size.numerator.bit_length() - size.denominator.bit_length()
    if power >= 0:
        return power if size.numerator >= size.denominator << power else power - 1
    return power if size.numerator << -power >= size.denominator else power - 1


def rounded(size: Fraction, mode: str, sign: int) -> int:
    """Return the magnitude of a number, rounded to an integer in a mode for numbers with a sign."""
    below = math.floor(size)
    rest = size - below
    if mode in ("rn", "rni"):
        return round(size)
    if mode == "rna":
        return below + (rest >= Fraction(1, 2))
    away = {"rz": False, "rm": bool(sign), "rp": not sign}[mode.removesuffix("i")]
    return below + (away and rest > 0)


FORMATS = {
    "f16": Format(10, 5, 0x7BFF, 0x7FFF),
    "bf16": Format(7, 8, 0x7F7F, 0x7FFF),
    "f32": Format(23, 8, 0x7F7FFFFF, 0x7FFFFFFF),
    "f64": Format(52, 11, 0x7FEFFFFFFFFFFFFF, 0x7FF8000000000000),
    "tf32": Format(10, 8, 0x3FBFF, 0x3FFFF),
    "e4m3": Format(3, 4, 0x7E, 0x7F),
    "e5m2": Format(2, 5, 0x7B, 0x7F),
}


def add(a: Number, b: Number, mode: str = "rn") -> Number:
    """Return the exact sum; the mode decides the sign of zero."""
    if a.is_nan or b.is_nan:
        return NAN
    if a.is_infinite or b.is_infinite:
        if a.is_infinite and b.is_infinite and a.sign != b.sign:
            return NAN
        return a if a.is_infinite else b
    total = a.value + b.value
    if total == 0:
        sign = a.sign if a.is_zero and b.is_zero and a.sign == b.sign else int(mode == "rm")
        return Number(sign, Fraction(0))
    return Number(int(total < 0), abs(total))


def negative(a: Number) -> Number:
    """Return the number with the other sign."""
    return Number(1 - a.sign, a.size)


def multiply(a: Number, b: Number) -> Number:
    """Return the exact product."""
    if a.is_nan or b.is_nan or (a.is_infinite and b.is_zero) or (a.is_zero and b.is_infinite):
        return NAN
    sign = a.sign ^ b.sign
    return Number(sign, math.inf if a.is_infinite or b.is_infinite else a.size * b.size)


def divide(a: Number, b: Number) -> Number:
    """Return the exact quotient."""
    if a.is_nan or b.is_nan or (a.is_infinite and b.is_infinite) or (a.is_zero and b.is_zero):
        return NAN
    sign = a.sign ^ b.sign
    if a.is_infinite or b.is_zero:
        return Number(sign, math.inf)
    return Number(sign, Fraction(0) if b.is_infinite else a.size / b.size)


def square_root(a: Number) -> Number:
    """Return a number that rounds as the square root does: exact, or with the same 200 first bits and more behind them."""
    if a.is_nan or (a.sign and not a.is_zero):
        return NAN
    if a.is_infinite or a.is_zero:
        return a
    assert isinstance(a.size, Fraction)
    shift = max(0, 400 - 2 * (power_below(a.size) // 2))
    scaled = a.size * (1 << 2 * shift)
    root = math.isqrt(math.floor(scaled))
    inexact = root * root != scaled
    return Number(0, (root + Fraction(1, 2) * inexact) / (1 << shift))
