"""Plain CUDA for Warp's functions: structs of the types in a text, and the functions that the text calls, for these types."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

FLOATS, INTEGERS = ("float", "double"), ("int", "unsigned int", "long long", "unsigned long long")


@dataclass(frozen=True, slots=True, order=True)
class Composite:
    """A vector or a matrix.

    Attributes:
        scalar: the C type of its numbers.
        shape: its shape.
    """

    scalar: str
    shape: tuple[int, ...]

    @property
    def name(self) -> str:
        """The name of its struct."""
        kind = "vec" if len(self.shape) == 1 else "mat"
        return f"{kind}{''.join(map(str, self.shape))}_{self.scalar.replace(' ', '_')}"

    @property
    def size(self) -> int:
        """How many numbers it has."""
        return math.prod(self.shape)


Type = str | Composite


def name_of(one: Type) -> str:
    """Return the C name of a type."""
    return one if isinstance(one, str) else one.name


def prelude(types: Iterable[Composite], scalars: Iterable[str], called: Iterable[str]) -> str:
    """Return structs and functions for a text.

    Args:
        types: the vectors and matrices in the text; types that functions need besides are added.
        scalars: the C types of its numbers.
        called: the names of Warp's functions that it calls.

    Raises:
        KeyError: if a function is not known.
    """
    numbers = sorted({*scalars, *(one.scalar for one in types), "int", "float"})
    composites = sorted({*types, *_related(set(types))})
    lines = [f"struct {one.name} {{ {one.scalar} c[{one.size}]; }};" for one in composites]
    lines += ["struct shape_type { int dims[4]; };", "struct range_type { int at; int end; int step; };"]
    lines += [f"struct array_{name_of(one).replace(' ', '_')} {{ {name_of(one)}* data; shape_type shape; }};"
              for one in (*numbers, *composites)]  # fmt: skip
    lines += _ALWAYS
    for name in sorted(set(called)):
        lines += FUNCTIONS[name](numbers, composites)
    return "\n".join(lines) + "\n\n"


def _related(types: set[Composite]) -> Iterator[Composite]:
    for one in types:
        if len(one.shape) == 2:
            rows, columns = one.shape
            yield Composite(one.scalar, (columns, rows))
            yield Composite(one.scalar, (columns,))
            yield Composite(one.scalar, (rows,))
        else:
            yield Composite(one.scalar, one.shape * 2)


_ALWAYS = [
    "__device__ bool iter_cmp(range_type r) { return r.step > 0 ? r.at < r.end : r.at > r.end; }",
]

Numbers = list[str]
Composites = list[Composite]
Writer = Callable[[Numbers, Composites], Iterator[str]]

FUNCTIONS: dict[str, Writer] = {}
"""What writes the overloads of a function, by the name in Warp."""


def _known(*names: str) -> Callable[[Callable[[str, Numbers, Composites], Iterator[str]]], None]:
    def add(write: Callable[[str, Numbers, Composites], Iterator[str]]) -> None:
        for name in names:
            FUNCTIONS[name] = lambda numbers, composites, name=name: write(name, numbers, composites)  # type: ignore[misc]

    return add


def _function(result: str, name: str, parameters: str, body: str) -> str:
    return f"__device__ {result} w_{name}({parameters}) {{ {body} }}"


def _each(one: Composite, term: str) -> str:
    """Return a body that computes each component; ``term`` refers to its index as ``i``."""
    return f"{one.name} r; for (int i = 0; i < {one.size}; ++i) r.c[i] = {term}; return r;"


# ------------------------------------------------------------------------------------------------------------- memory


_INDICES = {
    1: ("int i", "i"),
    2: ("int i, int j", "i * x.shape.dims[1] + j"),
    3: ("int i, int j, int k", "(i * x.shape.dims[1] + j) * x.shape.dims[2] + k"),
    4: ("int i, int j, int k, int l", "((i * x.shape.dims[1] + j) * x.shape.dims[2] + k) * x.shape.dims[3] + l"),
}


def _all(numbers: Numbers, composites: Composites) -> list[str]:
    return [*numbers, *(one.name for one in composites)]


def _array(name: str) -> str:
    return f"array_{name.replace(' ', '_')} x"


@_known("address", "array_store")
def _memory(name: str, numbers: Numbers, composites: Composites) -> Iterator[str]:
    for one in _all(numbers, composites):
        for parameters, index in _INDICES.values():
            if name == "address":
                yield _function(f"{one}*", name, f"{_array(one)}, {parameters}", f"return x.data + {index};")
            else:
                yield _function("void", name, f"{_array(one)}, {parameters}, {one} v", f"x.data[{index}] = v;")


@_known("load", "copy")
def _load(name: str, numbers: Numbers, composites: Composites) -> Iterator[str]:
    for one in (*_all(numbers, composites), "shape_type", *(["bool"] if "bool" not in numbers else [])):
        yield _function(one, name, f"{one}* p", "return *p;") if name == "load" else _function(one, name, f"{one} v", "return v;")


def _atomic_number(name: str, one: str) -> Iterator[str]:
    """Yield an atomic function on one number; CUDA has none for the extremes of floats."""
    kind = name.removeprefix("atomic_")
    if kind in ("add", "sub"):
        sign = "-" if kind == "sub" else ""
        yield _function(one, f"{name}_at", f"{one}* p, {one} v", f"return atomicAdd(p, {sign}v);")
    elif one in FLOATS:
        bits, to_bits, to_float = {
            "float": ("int", "__float_as_int", "__int_as_float"),
            "double": ("unsigned long long", "__double_as_longlong", "__longlong_as_double"),
        }[one]
        order = "<" if kind == "max" else ">"
        yield _function(
            one, f"{name}_at", f"{one}* p, {one} v",
            f"{bits}* q = ({bits}*)p; {bits} old = *q; {bits} seen; do {{ seen = old; if (!({to_float}(seen) {order} v)) break; "
            f"old = atomicCAS(q, seen, ({bits}){to_bits}(v)); }} while (seen != old); return {to_float}(old);",
        )  # fmt: skip
    else:
        yield _function(one, f"{name}_at", f"{one}* p, {one} v", f"return atomic{kind.title()}(p, v);")


@_known("atomic_add", "atomic_sub", "atomic_max", "atomic_min")
def _atomic(name: str, numbers: Numbers, composites: Composites) -> Iterator[str]:
    usable = [one for one in numbers if one in ("float", "double", "int", "unsigned int", "unsigned long long")]
    for one in usable:
        yield from _atomic_number(name, one)
        for parameters, index in _INDICES.values():
            yield _function(one, name, f"{_array(one)}, {parameters}, {one} v", f"return w_{name}_at(x.data + {index}, v);")
    for each in composites:
        if each.scalar in usable:
            for parameters, index in _INDICES.values():
                at = f"{each.name}* p = x.data + {index}; "
                yield _function(
                    each.name, name, f"array_{each.name} x, {parameters.replace('int i', 'int n', 1)}, {each.name} v",
                    at.replace("(i ", "(n ").replace("= x.data + i", "= x.data + n") + _each(each, f"w_{name}_at(p->c + i, v.c[i])"),
                )  # fmt: skip


# ------------------------------------------------------------------------------------------------------------- numbers


_UNARY = (
    "sin cos tan asin acos atan sinh cosh tanh exp log log2 log10 sqrt cbrt floor ceil trunc rint round erf erfc".split()
)


@_known(*_UNARY)
def _unary(name: str, numbers: Numbers, composites: Composites) -> Iterator[str]:
    for one in (number for number in numbers if number in FLOATS):
        yield _function(one, name, f"{one} x", f"return {name}{'f' if one == 'float' else ''}(x);")


_OPERATORS = {"add": "+", "sub": "-", "mul": "*", "div": "/", "cw_mul": "*", "cw_div": "/"}


@_known("add", "sub", "cw_mul", "cw_div")
def _componentwise(name: str, numbers: Numbers, composites: Composites) -> Iterator[str]:
    operator = _OPERATORS[name]
    for one in numbers:
        yield _function(one, name, f"{one} a, {one} b", f"return a {operator} b;")
    for each in composites:
        yield _function(each.name, name, f"{each.name} a, {each.name} b", _each(each, f"a.c[i] {operator} b.c[i]"))


@_known("mul", "div")
def _scaled(name: str, numbers: Numbers, composites: Composites) -> Iterator[str]:
    operator = _OPERATORS[name]
    for one in numbers:
        yield _function(one, name, f"{one} a, {one} b", f"return a {operator} b;")
    for each in composites:
        yield _function(each.name, name, f"{each.name} a, {each.scalar} b", _each(each, f"a.c[i] {operator} b"))
        yield _function(each.name, name, f"{each.scalar} b, {each.name} a", _each(each, f"b {operator} a.c[i]"))
    if name == "mul":
        yield from _products(composites)


def _products(composites: Composites) -> Iterator[str]:
    known = set(composites)
    for a in composites:
        for b in composites:
            if len(a.shape) != 2 or a.scalar != b.scalar or a.shape[1] != b.shape[0]:
                continue
            rows, inner, columns = a.shape[0], a.shape[1], b.shape[1] if len(b.shape) == 2 else 1
            result = Composite(a.scalar, (rows, columns) if len(b.shape) == 2 else (rows,))
            if result in known:
                yield _function(
                    result.name, "mul", f"{a.name} a, {b.name} b",
                    f"{result.name} r; for (int i = 0; i < {rows}; ++i) for (int j = 0; j < {columns}; ++j) {{ {a.scalar} s = 0; "
                    f"for (int k = 0; k < {inner}; ++k) s += a.c[i * {inner} + k] * b.c[k * {columns} + j]; "
                    f"r.c[i * {columns} + j] = s; }} return r;",
                )  # fmt: skip


@_known("neg", "pos")
def _negated(name: str, numbers: Numbers, composites: Composites) -> Iterator[str]:
    sign = "-" if name == "neg" else ""
    for one in numbers:
        yield _function(one, name, f"{one} a", f"return {sign}a;")
    for each in composites:
        yield _function(each.name, name, f"{each.name} a", _each(each, f"{sign}a.c[i]"))


@_known("min", "max")
def _extreme(name: str, numbers: Numbers, composites: Composites) -> Iterator[str]:
    order = "<" if name == "min" else ">"
    for one in numbers:
        yield _function(one, name, f"{one} a, {one} b", f"return a {order} b ? a : b;")
    for each in composites:
        yield _function(
            each.name, name, f"{each.name} a, {each.name} b", _each(each, f"a.c[i] {order} b.c[i] ? a.c[i] : b.c[i]")
        )
        yield _function(
            each.scalar, name, f"{each.name} a",
            f"{each.scalar} r = a.c[0]; for (int i = 1; i < {each.size}; ++i) if (a.c[i] {order} r) r = a.c[i]; return r;",
        )  # fmt: skip


def _simple(name: str, parameters: str, body: str, only: Iterable[str] = (*FLOATS, *INTEGERS), result: str = "T") -> None:
    """Add a function of numbers; ``T`` stands for the type and ``f`` behind ``$`` for the suffix of CUDA's functions."""
    chosen = tuple(only)

    def write(numbers: Numbers, composites: Composites) -> Iterator[str]:
        for one in numbers:
            if one in chosen:
                suffix = "f" if one == "float" else ""
                text = body.replace("T", one).replace("$", suffix)
                yield _function(result.replace("T", one), name, parameters.replace("T", one), text)

    FUNCTIONS[name] = write


_simple("pow", "T a, T b", "return pow$(a, b);", FLOATS)
_simple("atan2", "T a, T b", "return atan2$(a, b);", FLOATS)
_simple("sign", "T x", "return x < 0 ? (T)(-1) : (T)1;")
_simple("step", "T x", "return x < 0 ? (T)1 : (T)0;")
_simple("nonzero", "T x", "return x == 0 ? (T)0 : (T)1;")
_simple("frac", "T x", "return x - trunc$(x);", FLOATS)
_simple("lerp", "T a, T b, T t", "return a * ((T)1 - t) + b * t;", FLOATS)
_simple("smoothstep", "T a, T b, T x", "x = (x - a) / (b - a); x = x < 0 ? (T)0 : x > 1 ? (T)1 : x; return x * x * (3 - 2 * x);", FLOATS)
_simple("bit_and", "T a, T b", "return a & b;", INTEGERS)
_simple("bit_or", "T a, T b", "return a | b;", INTEGERS)
_simple("bit_xor", "T a, T b", "return a ^ b;", INTEGERS)
_simple("lshift", "T a, T b", "return a << b;", INTEGERS)
_simple("rshift", "T a, T b", "return a >> b;", INTEGERS)
_simple("invert", "T a", "return ~a;", INTEGERS)


@_known("clamp")
def _clamp(name: str, numbers: Numbers, composites: Composites) -> Iterator[str]:
    for one in numbers:
        yield _function(one, name, f"{one} x, {one} a, {one} b", f"{one} m = a > x ? a : x; return m < b ? m : b;")


@_known("mod", "floordiv")
def _division(name: str, numbers: Numbers, composites: Composites) -> Iterator[str]:
    for one in numbers:
        suffix = "f" if one == "float" else ""
        on_floats = f"fmod{suffix}(a, b)" if name == "mod" else f"floor{suffix}(a / b)"
        on_integers = "a % b" if name == "mod" else "a / b"
        if one in FLOATS or one in INTEGERS:
            yield _function(one, name, f"{one} a, {one} b", f"return {on_floats if one in FLOATS else on_integers};")


@_known("abs")
def _absolute(name: str, numbers: Numbers, composites: Composites) -> Iterator[str]:
    for one in numbers:
        yield _function(one, name, f"{one} x", "return x < 0 ? -x : x;")
    for each in composites:
        yield _function(each.name, name, f"{each.name} a", _each(each, "a.c[i] < 0 ? -a.c[i] : a.c[i]"))


@_known("float", "int", "bool", "float32", "float64", "int32", "int64", "uint32", "uint64")
def _conversion(name: str, numbers: Numbers, composites: Composites) -> Iterator[str]:
    target = {
        "float32": "float", "float64": "double", "int32": "int", "int64": "long long", "uint32": "unsigned int",
        "uint64": "unsigned long long",
    }.get(name, name)  # fmt: skip
    for one in dict.fromkeys((*numbers, "bool")):
        yield _function(target, name, f"{one} x", f"return ({target})x;")


@_known("where")
def _where(name: str, numbers: Numbers, composites: Composites) -> Iterator[str]:
    for one in dict.fromkeys((*_all(numbers, composites), "bool")):
        yield _function(one, name, f"bool q, {one} a, {one} b", "return q ? a : b;")


@_known("unot", "isnan", "isinf", "isfinite")
def _test(name: str, numbers: Numbers, composites: Composites) -> Iterator[str]:
    for one in dict.fromkeys((*numbers, "bool")) if name == "unot" else [one for one in numbers if one in FLOATS]:
        yield _function("bool", name, f"{one} x", "return !x;" if name == "unot" else f"return {name}(x);")


@_known("range", "iter_next")
def _range(name: str, numbers: Numbers, composites: Composites) -> Iterator[str]:
    if name == "iter_next":
        yield _function("int", name, "range_type& r", "int at = r.at; r.at += r.step; return at;")
        return
    for parameters, values in (("int e", "0, e, 1"), ("int a, int e", "a, e, 1"), ("int a, int e, int s", "a, e, s")):
        yield _function("range_type", name, parameters, f"range_type r = {{ {values} }}; return r;")


# ------------------------------------------------------------------------------------------------- vectors and matrices


@_known("construct")
def _construct(name: str, numbers: Numbers, composites: Composites) -> Iterator[str]:
    for each in composites:
        yield _function(each.name, each.name, "", _each(each, "0"))
        yield _function(each.name, each.name, f"{each.name} v", "return v;")
        yield _function(each.name, each.name, f"{each.scalar} v", _each(each, "v"))
        parameters = ", ".join(f"{each.scalar} v{number}" for number in range(each.size))
        values = " ".join(f"r.c[{number}] = v{number};" for number in range(each.size))
        yield _function(each.name, each.name, parameters, f"{each.name} r; {values} return r;")


@_known("extract")
def _extract(name: str, numbers: Numbers, composites: Composites) -> Iterator[str]:
    yield _function("int", name, "shape_type v, int i", "return v.dims[i];")
    for each in composites:
        if len(each.shape) == 1:
            yield _function(each.scalar, name, f"{each.name} v, int i", "return v.c[i];")
            continue
        rows, columns = each.shape
        row = Composite(each.scalar, (columns,))
        yield _function(each.scalar, name, f"{each.name} m, int i, int j", f"return m.c[i * {columns} + j];")
        yield _function(
            row.name, name, f"{each.name} m, int n", _each(row, f"m.c[n * {columns} + i]")
        )


def _sum(size: int, term: str, scalar: str) -> str:
    return f"{scalar} s = 0; for (int i = 0; i < {size}; ++i) s += {term}; "


@_known("dot", "ddot")
def _dot(name: str, numbers: Numbers, composites: Composites) -> Iterator[str]:
    for each in composites:
        yield _function(
            each.scalar, name, f"{each.name} a, {each.name} b", _sum(each.size, "a.c[i] * b.c[i]", each.scalar) + "return s;"
        )


@_known("length", "length_sq", "normalize")
def _length(name: str, numbers: Numbers, composites: Composites) -> Iterator[str]:
    for each in composites:
        if each.scalar not in FLOATS or len(each.shape) != 1:
            continue
        root = "sqrtf" if each.scalar == "float" else "sqrt"
        total = _sum(each.size, "a.c[i] * a.c[i]", each.scalar)
        if name == "normalize":
            body = f"{total}{each.scalar} n = {root}(s); {_each(each, '(n > 0 ? a.c[i] / n : 0)')}"
            yield _function(each.name, name, f"{each.name} a", body)
        else:
            yield _function(each.scalar, name, f"{each.name} a", total + ("return s;" if name == "length_sq" else f"return {root}(s);"))


@_known("cross")
def _cross(name: str, numbers: Numbers, composites: Composites) -> Iterator[str]:
    for each in composites:
        if each.shape == (3,):
            terms = " ".join(
                f"r.c[{i}] = a.c[{j}] * b.c[{k}] - a.c[{k}] * b.c[{j}];" for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1))
            )
            yield _function(each.name, name, f"{each.name} a, {each.name} b", f"{each.name} r; {terms} return r;")


@_known("transpose", "trace", "diag", "get_diag", "outer")
def _matrix(name: str, numbers: Numbers, composites: Composites) -> Iterator[str]:
    for each in composites:
        if len(each.shape) == 1:
            size = each.shape[0]
            square = Composite(each.scalar, (size, size))
            if name == "diag":
                yield _function(square.name, name, f"{each.name} a", _each(square, f"(i % {size + 1} == 0 ? a.c[i / {size + 1}] : 0)"))
            elif name == "outer":
                yield _function(square.name, name, f"{each.name} a, {each.name} b", _each(square, f"a.c[i / {size}] * b.c[i % {size}]"))
            continue
        rows, columns = each.shape
        turned = Composite(each.scalar, (columns, rows))
        if name == "transpose":
            yield _function(turned.name, name, f"{each.name} a", _each(turned, f"a.c[(i % {rows}) * {columns} + i / {rows}]"))
        elif rows == columns and name == "trace":
            yield _function(each.scalar, name, f"{each.name} a", _sum(rows, f"a.c[i * {rows + 1}]", each.scalar) + "return s;")
        elif rows == columns and name == "get_diag":
            vector = Composite(each.scalar, (rows,))
            yield _function(vector.name, name, f"{each.name} a", _each(vector, f"a.c[i * {rows + 1}]"))


def _minor(cells: list[list[int]], row: int, column: int) -> list[list[int]]:
    return [[cell for j, cell in enumerate(line) if j != column] for i, line in enumerate(cells) if i != row]


def _determinant_of(cells: list[list[int]]) -> str:
    """Return the determinant of numbers in ``a.c`` by its expansion along the first row."""
    if len(cells) == 1:
        return f"a.c[{cells[0][0]}]"
    terms = [f"a.c[{cell}] * ({_determinant_of(_minor(cells, 0, j))})" for j, cell in enumerate(cells[0])]
    return "".join((" - " if j % 2 else " + ") * bool(j) + term for j, term in enumerate(terms))


@_known("determinant", "inverse")
def _inverse(name: str, numbers: Numbers, composites: Composites) -> Iterator[str]:
    for each in composites:
        if len(each.shape) != 2 or each.shape[0] != each.shape[1] or each.shape[0] > 4:
            continue
        size = each.shape[0]
        cells = [[i * size + j for j in range(size)] for i in range(size)]
        whole = f"{each.scalar} d = {_determinant_of(cells)}; "
        if name == "determinant":
            yield _function(each.scalar, name, f"{each.name} a", f"{whole}return d;")
            continue
        parts = " ".join(
            f"r.c[{i * size + j}] = d != 0 ? {'-' if (i + j) % 2 else ''}({_determinant_of(_minor(cells, j, i)) if size > 1 else 1}) / d : 0;"
            for i in range(size)
            for j in range(size)
        )
        yield _function(each.name, name, f"{each.name} a", f"{whole}{each.name} r; {parts} return r;")
