"""The results that comparisons and conversions of PTX should have, in exact arithmetic."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from expected_bits import Expected, Truth, Values, clamp, in_pairs, joined, limits, number, width, wrap
from float_truths import ROUNDINGS, any_nan, finish
from number_formats import FORMATS, Number, rounded


def comparison(modifiers: list[str], kind: str) -> Callable[[int, int], bool]:
    """Return the comparison of values of a type, whose name is the first modifier."""
    name = modifiers[0]
    if kind in FORMATS:
        flush = "ftz" in modifiers

        def compare(a: int, b: int) -> bool:
            x, y = FORMATS[kind].decode(a, flush), FORMATS[kind].decode(b, flush)
            unordered = x.is_nan or y.is_nan
            if name in ("num", "nan"):
                return unordered == (name == "nan")
            if unordered:
                return name.endswith("u")
            return ordered(name.removesuffix("u") if len(name) == 3 else name, x.value, y.value)

        return compare
    names = {"lo": "lt", "ls": "le", "hi": "gt", "hs": "ge"}
    return lambda a, b: ordered(names.get(name, name), number(a, kind), number(b, kind))


def ordered(name: str, x: Fraction | float, y: Fraction | float) -> bool:
    """Return whether a comparison of numbers is true."""
    signs = {"eq": (0,), "ne": (-1, 1), "lt": (-1,), "le": (-1, 0), "gt": (1,), "ge": (0, 1)}
    return (x > y) - (x < y) in signs[name]


def setp(modifiers: list[str]) -> Truth:
    kind = modifiers[-1]
    names: dict[str, Callable[[int, int], int]] = {"and": int.__and__, "or": int.__or__, "xor": int.__xor__}
    combine = names.get(modifiers[1], lambda result, _: result)
    scalar = kind.removesuffix("x2")
    compare = comparison(modifiers, scalar)

    def predicates(sources: list[int], carry: int) -> tuple[tuple[Expected, ...], int]:
        a, b, *last = sources
        other = last[0] if last else 0
        if kind.endswith("x2"):
            first, second = compare(a & 0xFFFF, b & 0xFFFF), compare(a >> 16, b >> 16)
        else:
            first = compare(a, b)
            second = not first
        results = combine(int(first), other), combine(int(second), other)
        return results[:1] if kind in ("f16", "bf16") else results, carry

    return predicates


TRUE = {"f32": 0x3F800000, "f16": 0x3C00, "bf16": 0x3F80}


def set_value(base: str, modifiers: list[str]) -> Values:
    result, kind = modifiers[-2:]
    if kind.endswith("x2"):
        half = "u16" if result in ("u32", "s32") else result[:-2]
        return in_pairs(set_value(base, [*modifiers[:-2], half, kind[:-2]]))
    compare = comparison(modifiers, kind)
    return lambda a, b: TRUE.get(result, wrap(-1, result)) if compare(a, b) else 0


def conversion(_base: str, modifiers: list[str]) -> Values:
    result, source = modifiers[-2:]
    if "pack" in modifiers:
        return packed_integers(modifiers)
    if result == "tf32":
        return to_tensor_float(modifiers)
    if result in ("e4m3x2", "e5m2x2") or source in ("e4m3x2", "e5m2x2"):
        return byte_floats(modifiers)
    if result.endswith("x2"):
        convert = float_to_float([*modifiers[:-2], result[:-2], source])
        return lambda a, b: joined(convert(b), convert(a))
    if source in FORMATS:
        return float_to_float(modifiers) if result in FORMATS else float_to_integer(modifiers)
    if result in FORMATS:
        mode = modifiers[0]
        return lambda a: finish(result, from_integer(number(a, source)), modifiers, mode)
    end = clamp if "sat" in modifiers else wrap
    return lambda a: end(number(a, source), result)


def from_integer(value: int) -> Number:
    return Number(int(value < 0), Fraction(abs(value)))


def float_to_integer(modifiers: list[str]) -> Values:
    result, source = modifiers[-2:]

    def convert(a: int) -> int:
        value = FORMATS[source].decode(a, "ftz" in modifiers)
        if value.is_nan:
            return 1 << (width(result) - 1) if source == "f64" or width(result) == 64 else 0
        if value.is_infinite:
            return wrap(limits(result)[0 if value.sign else 1], result)
        whole = rounded(Fraction(value.size), modifiers[0], value.sign)
        return clamp(-whole if value.sign else whole, result)

    return convert


def float_to_float(modifiers: list[str]) -> Values:
    result, source = modifiers[-2:]
    mode = modifiers[0] if modifiers[0] in ROUNDINGS else "rn"

    def convert(a: int) -> Expected:
        value = FORMATS[source].decode(a, "ftz" in modifiers and source == "f32" and result != "f16")
        if modifiers[0] in ("rni", "rzi", "rmi", "rpi") and isinstance(value.size, Fraction):
            value = Number(value.sign, Fraction(rounded(value.size, modifiers[0], value.sign)))
        kept = [modifier for modifier in modifiers if modifier != "ftz" or result == "f32"]
        if value.is_nan and "sat" not in modifiers:
            return any_nan(result)
        bits = finish(result, value, kept, mode)
        if "satfinite" in modifiers and isinstance(bits, int) and FORMATS[result].decode(bits).is_infinite:
            bits = bits - 1
        return bits

    return convert


def to_tensor_float(modifiers: list[str]) -> Values:
    form = FORMATS["tf32"]

    def convert(a: int) -> Expected:
        value = FORMATS["f32"].decode(a)
        if value.is_nan:
            return any_nan("f32")
        bits = form.encode(value, modifiers[0])
        if "satfinite" in modifiers and form.decode(bits).is_infinite:
            bits -= 1
        return 0 if "relu" in modifiers and value.sign else bits << 13

    return convert


def byte_floats(modifiers: list[str]) -> Values:
    result, source = modifiers[-2:]

    def narrow(kind: str, value: Number) -> int:
        if value.is_nan:
            return 0x7F
        if "relu" in modifiers and value.sign:
            return 0
        form = FORMATS[kind]
        return form.sign * value.sign | min(form.encode(Number(0, value.size)), form.largest)

    def widen(bits: int) -> Expected:
        return finish("f16", FORMATS[source[:-2]].decode(bits), modifiers, "rn")

    if source.startswith("e"):
        return lambda a: widen(a & 255) | widen(a >> 8) << 16  # type: ignore[operator]
    if source == "f32":
        return lambda a, b: narrow(result[:-2], FORMATS["f32"].decode(b)) | narrow(result[:-2], FORMATS["f32"].decode(a)) << 8
    halves = FORMATS["f16"].decode
    return lambda a: narrow(result[:-2], halves(a & 0xFFFF)) | narrow(result[:-2], halves(a >> 16)) << 8


def packed_integers(modifiers: list[str]) -> Values:
    kind = modifiers[2]
    size = width(kind)

    def pack(a: int, b: int, c: int = 0) -> int:
        low = clamp(number(a, "s32"), kind) << size | clamp(number(b, "s32"), kind)
        return wrap(c << 2 * size | low, "u32")

    return pack
