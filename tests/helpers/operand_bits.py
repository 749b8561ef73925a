"""Bits of operands for tests of PTX instructions: edge values of each type, and values between them."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import numpy as np
from hypothesis import strategies as st

from number_formats import FORMATS

WIDTHS = {"pred": 1, "b8": 8, "u8": 8, "s8": 8, "f16x2": 32, "bf16x2": 32, "u16x2": 32, "s16x2": 32}


LIMITS = (7, 8, 15, 16, 31, 32, 63, 64)
"""Powers of two at the limits of integer types."""


def width(kind: str) -> int:
    """Return the number of bits of a type."""
    return WIDTHS.get(kind) or int(kind.lstrip("bufs"))


@cache
def edges(kind: str) -> tuple[int, ...]:
    """Return the edge values of a type."""
    if kind == "pred":
        return (0, 1)
    if kind.endswith("x2"):
        halves = edges(kind[:-2])
        return tuple(low | high << 16 for low in halves for high in halves[::5])
    if kind in FORMATS:
        return float_edges(kind)
    size = width(kind)
    top = 1 << (size - 1)
    values = {0, 1, 2, 3, 5, 7, 8, 15, 16, 31, 32, 33, 63, 64, 65, 255, 256, top - 1, top, top + 1, 2 * top - 2, 2 * top - 1}
    return tuple(sorted(value & (2 * top - 1) for value in values))


def float_edges(kind: str) -> tuple[int, ...]:
    """Return zeros, subnormal numbers, ones, numbers around integers, the largest numbers, infinities and NaN."""
    form = FORMATS[kind]
    smallest_normal, one = 1 << form.fraction, form.encode(form.decode(((1 << (form.exponent - 1)) - 1) << form.fraction))
    sizes = [0, 1, 2, smallest_normal - 1, smallest_normal, smallest_normal + 1, one - 1, one, one + 1, form.largest - 1]
    sizes += [one + (step << (form.fraction - 1)) for step in (-2, -1, 1, 2, 3, 4, 5, 8)]
    sizes += [form.largest, form.largest + 1, form.largest + 2, form.nan, form.largest + 1 + (1 << (form.fraction - 1))]
    bias = (1 << (form.exponent - 1)) - 1
    powers = [(bias + power) << form.fraction for power in LIMITS if power <= bias]
    sizes += [size + step for size in powers for step in (-1, 0, 1)]
    return tuple(dict.fromkeys(size | sign for size in sizes for sign in (0, form.sign)))


@cache
def corners(kind: str) -> tuple[int, ...]:
    """Return the few values of a type whose combinations tests try: zeros, ones, the largest, infinity and NaN."""
    if kind == "pred":
        return (0, 1)
    if kind.endswith("x2"):
        values = corners(kind[:-2])
        return tuple(low | high << 16 for low, high in zip(values, (*values[2:], *values[:2]), strict=True))
    if kind in FORMATS:
        form = FORMATS[kind]
        one = ((1 << (form.exponent - 1)) - 1) << form.fraction
        return (0, form.sign, 1, one, form.sign | one, form.largest, form.largest + 1, form.sign | form.nan)
    top = 1 << (width(kind) - 1)
    return (0, 1, 32 % (2 * top), top - 1, top, 2 * top - 1)


def draw(random_stream: random.Random, kind: str) -> int:
    """Return the bits of an edge value, a value near an edge, or any value."""
    choice = random_stream.random()
    if choice < 0.45 or kind == "pred":
        return random_stream.choice(edges(kind))
    bits = random_stream.getrandbits(width(kind))
    if choice < 0.6 and kind in FORMATS:  # a moderate exponent
        form = FORMATS[kind]
        power = (1 << (form.exponent - 1)) - 1 + random_stream.randint(-9, 9)
        return bits & (form.sign | ((1 << form.fraction) - 1)) | max(power, 0) << form.fraction
    if choice < 0.75:
        return (random_stream.choice(edges(kind)) + random_stream.randint(-3, 3)) & ((1 << width(kind)) - 1)
    return bits >> random_stream.choice((0, 0, width(kind) // 2, width(kind) - 5)) if kind not in FORMATS else bits


def bits_strategy(kind: str) -> st.SearchStrategy[int]:
    """Return the strategy of operands of a type."""
    return st.sampled_from(edges(kind)) | st.integers(0, (1 << width(kind)) - 1)


def array(values: list[int], kind: Any) -> np.ndarray[Any, Any]:
    """Return the array of a NumPy type with the given bits."""
    size = np.dtype(kind).itemsize
    return np.array(values, f"u{size}").view(kind)


def to_bits(values: np.ndarray[Any, Any]) -> list[int]:
    """Return the bits of the elements of an array."""
    bits: list[int] = values.view(f"u{values.dtype.itemsize}").tolist()
    return bits
