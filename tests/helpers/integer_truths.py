"""The results that PTX instructions on integers and bits should have, in Python integers."""

from __future__ import annotations

from expected_bits import Expected, Truth, Values, clamp, limits, number, width, wrap
from number_formats import FORMATS


def integer_sum(base: str, modifiers: list[str]) -> Values:
    kind, sign = modifiers[-1], -1 if base == "sub" else 1
    end = clamp if "sat" in modifiers else wrap
    return lambda a, b: end(number(a, kind) + sign * number(b, kind), kind)


def integer_product(_base: str, modifiers: list[str]) -> Values:
    part, kind = modifiers[0], modifiers[-1]
    size = width(kind)
    result = f"{kind[0]}{2 * size}" if part == "wide" else kind
    end = clamp if "sat" in modifiers else wrap

    def product(a: int, b: int, c: int = 0) -> int:
        exact = number(a, kind) * number(b, kind)
        return end((number(wrap(exact >> size, kind), kind) if part == "hi" else exact) + number(c, result), result)

    return product


def product_of_24_bits(_base: str, modifiers: list[str]) -> Values:
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


def difference(_base: str, modifiers: list[str]) -> Values:
    kind = modifiers[-1]
    return lambda a, b, c: wrap(abs(number(a, kind) - number(b, kind)) + c, kind)


def integer_sign(base: str, modifiers: list[str]) -> Values:
    kind = modifiers[-1]
    return lambda a: wrap(abs(number(a, kind)) if base == "abs" else -number(a, kind), kind)


def bit_count(base: str, modifiers: list[str]) -> Values:
    size = width(modifiers[-1])
    if base == "popc":
        return lambda a: a.bit_count()
    if base == "clz":
        return lambda a: size - a.bit_length()
    return lambda a: int(format(a, f"0{size}b")[::-1], 2)


def leading_bit(_base: str, modifiers: list[str]) -> Values:
    kind = modifiers[-1]

    def find(a: int) -> int:
        value = number(a, kind)
        places = (~value if value < 0 else value).bit_length()
        if not places:
            return 0xFFFFFFFF
        return width(kind) - places if "shiftamt" in modifiers else places - 1

    return find


def nth_bit(_base: str, _modifiers: list[str]) -> Values:
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
    low = 255 if size == 32 else 0xFFFFFFFF

    def extract(a: int, position: int, length: int) -> int:
        start, count = min(position & low, 255), min(length & low, 255)
        sign = a >> min(start + count - 1, size - 1) & 1 if kind[0] == "s" and count else 0
        bits = [a >> place & 1 if place < size else sign for place in range(start, start + count)][:size]
        bits += [sign] * (size - len(bits))
        return sum(bit << place for place, bit in enumerate(bits))

    def insert(a: int, b: int, position: int, length: int) -> int:
        start, count = min(position & low, 255), min(length & low, 255)
        for place in range(count):
            if start + place < size:
                b = b & ~(1 << (start + place)) | (a >> place & 1) << (start + place)
        return b

    return extract if base == "bfe" else insert


def extension(_base: str, modifiers: list[str]) -> Values:
    mode, kind = modifiers

    def extend(a: int, places: int) -> int:
        count = min(places, 32) if mode == "clamp" else places % 32
        return wrap(number(a, f"{kind[0]}{count}"), kind) if count else 0

    return extend


def mask(_base: str, modifiers: list[str]) -> Values:
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


def funnel(_base: str, modifiers: list[str]) -> Values:
    def shifted(a: int, b: int, c: int) -> int:
        amount = min(c, 32) if "clamp" in modifiers else c % 32
        both = b << 32 | a
        return wrap(both << amount >> 32 if "l" in modifiers else both >> amount, "u32")

    return shifted


def lookup(_base: str, _modifiers: list[str]) -> Values:
    def look(a: int, b: int, c: int, table: int) -> int:
        cases = ((a >> k & 1) << 2 | (b >> k & 1) << 1 | (c >> k & 1) for k in range(32))
        return sum((table >> case & 1) << k for k, case in enumerate(cases))

    return look


PERMUTED = {
    # mode: for selectors 0 to 3 the bytes, the first byte first; the ISA document has the fourth first
    "f4e": ("0123", "1234", "2345", "3456"),
    "b4e": ("0765", "1076", "2107", "3210"),
    "rc8": ("0000", "1111", "2222", "3333"),
    "ecl": ("0123", "1123", "2223", "3333"),
    "ecr": ("0000", "0111", "0122", "0123"),
    "rc16": ("0101", "2323", "0101", "2323"),
}


def permutation(_base: str, modifiers: list[str]) -> Values:
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
