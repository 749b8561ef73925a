"""Expected results as bits or checks of bits, and integers of PTX types."""

from __future__ import annotations

import re
from collections.abc import Callable

Expected = int | Callable[[int], bool]
Truth = Callable[[list[int], int], tuple[tuple[Expected, ...], int]]
Values = Callable[..., Expected]


def in_pairs(function: Values) -> Values:
    """Return the function that applies another to the lower and the upper 16 bits."""
    return lambda *sources: joined(
        function(*(source & 0xFFFF for source in sources)), function(*(source >> 16 for source in sources))
    )


def joined(low: Expected, high: Expected) -> Expected:
    """Return the expected 32 bits with the expected lower and upper 16 bits."""
    if isinstance(low, int) and isinstance(high, int):
        return low | high << 16
    return lambda bits: accepts(low, bits & 0xFFFF) and accepts(high, bits >> 16)


def accepts(expected: Expected, bits: int) -> bool:
    """Return whether bits are an expected result."""
    return bits == expected if isinstance(expected, int) else expected(bits)


def width(kind: str) -> int:
    """Return the number of bits of a type."""
    return 1 if kind == "pred" else int(re.search(r"\d+", kind).group())  # type: ignore[union-attr]


def number(bits: int, kind: str) -> int:
    """Return the integer of bits."""
    bits &= (1 << width(kind)) - 1
    return bits - (1 << width(kind)) if kind[0] == "s" and bits >> (width(kind) - 1) else bits


def wrap(value: int, kind: str) -> int:
    """Return the bits of an integer modulo two to the power of the width."""
    return value & ((1 << width(kind)) - 1)


def limits(kind: str) -> tuple[int, int]:
    """Return the smallest and the largest integer of a type."""
    size = width(kind)
    return (-(1 << (size - 1)), (1 << (size - 1)) - 1) if kind[0] == "s" else (0, (1 << size) - 1)


def clamp(value: int, kind: str) -> int:
    """Return the bits of the nearest integer of a type."""
    low, high = limits(kind)
    return wrap(min(max(value, low), high), kind)
