"""The results that PTX instructions should have, in Python integers, fractions and mpmath; no code of the table is used.

A truth takes the bits of the sources and the carry. It returns the expected results, each as bits or as a function that says
whether bits are right, and the carry.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction

from approximation_truths import approximation
from number_formats import FORMATS, Number, add, divide, multiply, negative, rounded, square_root

Expected = int | Callable[[int], bool]
Truth = Callable[[list[int], int], tuple[tuple[Expected, ...], int]]
Values = Callable[..., Expected]

ROUNDINGS = ("rn", "rz", "rm", "rp")


def truth(opcode: str) -> Truth:
    """Return the truth of an opcode.

    Raises:
        KeyError: if there is none.
    """
    base, *modifiers = opcode.split(".")
    if base in ("add", "sub", "addc", "subc", "mad", "madc") and (base.endswith("c") or "cc" in modifiers):
        return with_carry(base, modifiers)
    if base == "setp":
        return setp(modifiers)
    function = values(base, modifiers)
    return lambda sources, carry: ((function(*sources),), carry)


def values(base: str, modifiers: list[str]) -> Values:
    """Return the function of an instruction with one result."""
    kind = modifiers[-1]
    if base not in ("cvt", "set", "prmt", "mov", "selp") and kind.endswith("x2"):
        return in_pairs(values(base, [*modifiers[:-1], kind[:-2]]))
    if kind in FORMATS and base in FLOAT_BASES:
        return FLOAT_BASES[base](base, modifiers)
    return BASES[base](base, modifiers)


def in_pairs(function: Values) -> Values:
    """Return the function that applies another to the lower and the upper 16 bits."""

    def pairs(*sources: int) -> Expected:
        low = function(*(source & 0xFFFF for source in sources))
        high = function(*(source >> 16 for source in sources))
        if isinstance(low, int) and isinstance(high, int):
            return low | high << 16
        return lambda bits: accepts(low, bits & 0xFFFF) and accepts(high, bits >> 16)

    return pairs


def accepts(expected: Expected, bits: int) -> bool:
    """Return whether bits are an expected result."""
    return bits == expected if isinstance(expected, int) else expected(bits)


# Integers


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


def integer_sum(base: str, modifiers: list[str]) -> Values:
    kind, sign = modifiers[-1], -1 if base == "sub" else 1
    end = clamp if "sat" in modifiers else wrap
    return lambda a, b: end(number(a, kind) + sign * number(b, kind), kind)


def integer_product(base: str, modifiers: list[str]) -> Values:
    part, kind = modifiers[0], modifiers[-1]
    size = width(kind)
    result = f"{kind[0]}{2 * size}" if part == "wide" else kind
    end = clamp if "sat" in modifiers else wrap

    def product(a: int, b: int, c: int = 0) -> int:
        exact = number(a, kind) * number(b, kind)
        return end((number(wrap(exact >> size, kind), kind) if part == "hi" else exact) + number(c, result), result)

    return product


def product_of_24_bits(base: str, modifiers: list[str]) -> Values:
    part, kind = modifiers[0], modifiers[-1]
    end = clamp if "sat" in modifiers else wrap

    def product(a: int, b: int, c: int = 0) -> int:
        exact = number(a, f"{kind[0]}24") * number(b, f"{kind[0]}24")
        chosen = exact >> 16 if part == "hi" else exact
        return end(number(wrap(chosen, kind), kind) + number(c, kind), kind)

    return product


def with_carry(base: str, modifiers: list[str]) -> Truth:
    kind = f"u{width(modifiers[-1])}"
    product = integer_product("mul", [modifiers[0], modifiers[-1]]) if base.startswith("mad") else None

    def sums(sources: list[int], carry: int) -> tuple[tuple[Expected, ...], int]:
        a, b = (product(*sources[:2]), sources[2]) if product else sources
        carried = carry if base.endswith("c") else 0
        total = a - b - carried if base.startswith("sub") else a + b + carried  # type: ignore[operator]
        return (wrap(total, kind),), int(not 0 <= total < 1 << width(kind)) if "cc" in modifiers else carry

    return sums


def quotient(base: str, modifiers: list[str]) -> Values:
    kind = modifiers[-1]

    def divided(a: int, b: int) -> int:
        x, y = number(a, kind), number(b, kind)
        if y == 0:
            return wrap(-1, kind) if base == "div" else a
        size = abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)
        return wrap(size if base == "div" else x - size * y, kind)

    return divided


def integer_extremum(base: str, modifiers: list[str]) -> Values:
    kind, choose = modifiers[-1], min if base == "min" else max
    lowest = 0 if "relu" in modifiers else limits(kind)[0]
    return lambda a, b: wrap(max(lowest, choose(number(a, kind), number(b, kind))), kind)


def difference(base: str, modifiers: list[str]) -> Values:
    kind = modifiers[-1]
    return lambda a, b, c: wrap(abs(number(a, kind) - number(b, kind)) + c, kind)


def integer_sign(base: str, modifiers: list[str]) -> Values:
    kind = modifiers[-1]
    return lambda a: wrap(abs(number(a, kind)) if base == "abs" else -number(a, kind), kind)


def bit_count(base: str, modifiers: list[str]) -> Values:
    size = width(modifiers[-1])
    if base == "popc":
        return lambda a: bin(a).count("1")
    if base == "clz":
        return lambda a: size - a.bit_length()
    return lambda a: int(format(a, f"0{size}b")[::-1], 2)


def leading_bit(base: str, modifiers: list[str]) -> Values:
    kind = modifiers[-1]

    def find(a: int) -> int:
        value = number(a, kind)
        places = (~value if value < 0 else value).bit_length()
        if not places:
            return 0xFFFFFFFF
        return width(kind) - places if "shiftamt" in modifiers else places - 1

    return find


def nth_bit(base: str, modifiers: list[str]) -> Values:
    def find(mask: int, start: int, offset: int) -> int:
        steps = number(offset, "s32")
        places = range(start, 32) if steps >= 0 else range(min(start, 31), -1, -1)
        if start > 31:
            return 0xFFFFFFFF
        found = [place for place in places if mask >> place & 1]
        if steps == 0:
            return start if mask >> start & 1 else 0xFFFFFFFF
        return found[abs(steps) - 1] if abs(steps) <= len(found) else 0xFFFFFFFF

    return find


def field(base: str, modifiers: list[str]) -> Values:
    kind = modifiers[-1]
    size = width(kind)

    def extract(a: int, position: int, length: int) -> int:
        start, count = position & 255, length & 255
        sign = a >> min(start + count - 1, size - 1) & 1 if kind[0] == "s" and count else 0
        bits = [a >> place & 1 if place < size else sign for place in range(start, start + count)][:size]
        bits += [sign] * (size - len(bits))
        return sum(bit << place for place, bit in enumerate(bits))

    def insert(a: int, b: int, position: int, length: int) -> int:
        start, count = position & 255, length & 255
        for place in range(count):
            if start + place < size:
                b = b & ~(1 << (start + place)) | (a >> place & 1) << (start + place)
        return b

    return extract if base == "bfe" else insert


def extension(base: str, modifiers: list[str]) -> Values:
    mode, kind = modifiers

    def extend(a: int, places: int) -> int:
        count = min(places, 32) if mode == "clamp" else places % 32
        return wrap(number(a, f"{kind[0]}{count}"), kind) if count else 0

    return extend


def mask(base: str, modifiers: list[str]) -> Values:
    def make(start: int, count: int) -> int:
        first, places = (min(start, 32), min(count, 32)) if modifiers[0] == "clamp" else (start % 32, count % 32)
        return sum(1 << place for place in range(first, min(first + places, 32)))

    return make


def dot_product(base: str, modifiers: list[str]) -> Values:
    first, second = modifiers[-2:]
    count = 4 if base == "dp4a" else 2
    skipped = 2 if "hi" in modifiers else 0

    def dot(a: int, b: int, c: int) -> int:
        for k in range(count):
            x = number(a >> k * 32 // count, f"{first[0]}{32 // count}")
            c += x * number(b >> 8 * (k + skipped), f"{second[0]}8")
        return wrap(c, "u32")

    return dot


# Bits


def logic(base: str, modifiers: list[str]) -> Values:
    kind = modifiers[-1]
    functions: dict[str, Values] = {
        "and": lambda a, b: a & b,
        "or": lambda a, b: a | b,
        "xor": lambda a, b: a ^ b,
        "not": lambda a: wrap(~a, kind),
        "cnot": lambda a: int(a == 0),
    }
    return functions[base]


def shift(base: str, modifiers: list[str]) -> Values:
    kind = modifiers[-1]
    if base == "shl":
        return lambda a, n: wrap(a << min(n, 64), kind)
    return lambda a, n: wrap(number(a, kind) >> min(n, 64), kind)


def funnel(base: str, modifiers: list[str]) -> Values:
    def shifted(a: int, b: int, c: int) -> int:
        amount = min(c, 32) if "clamp" in modifiers else c % 32
        both = b << 32 | a
        return wrap(both << amount >> 32 if "l" in modifiers else both >> amount, "u32")

    return shifted


def lookup(base: str, modifiers: list[str]) -> Values:
    def look(a: int, b: int, c: int, table: int) -> int:
        cases = ((a >> k & 1) << 2 | (b >> k & 1) << 1 | (c >> k & 1) for k in range(32))
        return sum((table >> case & 1) << k for k, case in enumerate(cases))

    return look


PERMUTED = {
    # mode: the bytes from the first to the fourth for selectors 0 to 3, from the table in the ISA document (there the fourth first)
    "f4e": ("0123", "1234", "2345", "3456"),
    "b4e": ("0765", "1076", "2107", "3210"),
    "rc8": ("0000", "1111", "2222", "3333"),
    "ecl": ("0123", "1123", "2223", "3333"),
    "ecr": ("0000", "0111", "0122", "0123"),
    "rc16": ("0101", "2323", "0101", "2323"),
}


def permutation(base: str, modifiers: list[str]) -> Values:
    def permute(a: int, b: int, c: int) -> int:
        source = (b << 32 | a).to_bytes(8, "little")
        if modifiers[-1] in PERMUTED:
            return int.from_bytes((source[int(k)] for k in PERMUTED[modifiers[-1]][c & 3]), "little")
        selectors = (c >> 4 * k & 15 for k in range(4))
        chosen = ((source[s & 7] >> 7) * 255 if s & 8 else source[s & 7] for s in selectors)
        return int.from_bytes(chosen, "little")

    return permute


def selection(base: str, modifiers: list[str]) -> Values:
    if base == "selp":
        return lambda a, b, p: a if p else b
    if modifiers[-1] == "s32":
        return lambda a, b, c: a if number(c, "s32") >= 0 else b

    def select(a: int, b: int, c: int) -> int:
        tested = FORMATS["f32"].decode(c, "ftz" in modifiers)
        return a if not tested.is_nan and (tested.is_zero or not tested.sign) else b

    return select


# Floating-point numbers


def same_number(kind: str, expected: int) -> Expected:
    """Return an expected number; of float64 every NaN is accepted."""
    if kind == "f64" and FORMATS[kind].decode(expected).is_nan:
        return lambda bits: FORMATS[kind].decode(bits).is_nan
    return expected


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

    def change(a: int) -> int:
        if "ftz" in modifiers and form.decode(a, flush=True).is_zero:
            a &= form.sign
        return a & ~form.sign if base == "abs" else a ^ form.sign

    return change


def copied_sign(base: str, modifiers: list[str]) -> Values:
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


def property_of(base: str, modifiers: list[str]) -> Values:
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
            "normal": finite and not flushed.is_zero,
            "subnormal": flushed.is_zero and not value.is_zero,
        }
        return int(checks[name])

    return check


# Comparisons


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


# Conversions


def conversion(base: str, modifiers: list[str]) -> Values:
    result, source = modifiers[-2:]
    if "pack" in modifiers:
        return packed_integers(modifiers)
    if result == "tf32":
        return to_tensor_float(modifiers)
    if result in ("e4m3x2", "e5m2x2") or source in ("e4m3x2", "e5m2x2"):
        return byte_floats(modifiers)
    if result.endswith("x2"):
        convert = float_to_float([*modifiers[:-2], result[:-2], source])
        return lambda a, b: convert(b) | convert(a) << 16  # type: ignore[operator]
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
        value = FORMATS[source].decode(a, "ftz" in modifiers and source == "f32")
        if modifiers[0] in ("rni", "rzi", "rmi", "rpi") and isinstance(value.size, Fraction):
            value = Number(value.sign, Fraction(rounded(value.size, modifiers[0], value.sign)))
        kept = [modifier for modifier in modifiers if modifier != "ftz" or result == "f32"]
        if value.is_nan and "sat" not in modifiers and (result == source != "f32" or (source, result) == ("bf16", "f32")):
            return lambda bits: FORMATS[result].decode(bits).is_nan
        bits = finish(result, value, kept, mode)
        if "satfinite" in modifiers and isinstance(bits, int) and FORMATS[result].decode(bits).is_infinite:
            bits = bits - 1
        return bits

    return convert


def to_tensor_float(modifiers: list[str]) -> Values:
    form = FORMATS["tf32"]

    def convert(a: int) -> int:
        value = FORMATS["f32"].decode(a)
        if value.is_nan:
            return 0x7FFFFFFF
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


BASES: dict[str, Callable[[str, list[str]], Values]] = {
    "add": integer_sum,
    "sub": integer_sum,
    "mul": integer_product,
    "mad": integer_product,
    "mul24": product_of_24_bits,
    "mad24": product_of_24_bits,
    "div": quotient,
    "rem": quotient,
    "min": integer_extremum,
    "max": integer_extremum,
    "sad": difference,
    "abs": integer_sign,
    "neg": integer_sign,
    "popc": bit_count,
    "clz": bit_count,
    "brev": bit_count,
    "bfind": leading_bit,
    "fns": nth_bit,
    "bfe": field,
    "bfi": field,
    "szext": extension,
    "bmsk": mask,
    "dp4a": dot_product,
    "dp2a": dot_product,
    "shl": shift,
    "shr": shift,
    "shf": funnel,
    "lop3": lookup,
    "prmt": permutation,
    "mov": lambda _base, _modifiers: lambda a: a,
    "selp": selection,
    "slct": selection,
    "set": set_value,
    "cvt": conversion,
    **dict.fromkeys(("and", "or", "xor", "not", "cnot"), logic),
}

FLOAT_BASES: dict[str, Callable[[str, list[str]], Values]] = {
    **dict.fromkeys(("add", "sub", "mul", "fma", "mad", "div", "rcp", "sqrt"), arithmetic),
    **dict.fromkeys(("rsqrt", "sin", "cos", "lg2", "ex2", "tanh"), approximation),
    "abs": float_sign,
    "neg": float_sign,
    "copysign": copied_sign,
    "min": float_extremum,
    "max": float_extremum,
    "testp": property_of,
}
