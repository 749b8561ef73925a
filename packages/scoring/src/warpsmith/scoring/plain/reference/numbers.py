"""Plain CUDA for Warp's functions of numbers, and of vectors component by component."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from warpsmith.scoring.plain.reference.linear_functions import matrix_products
from warpsmith.scoring.plain.reference.rotation_functions import rotation_products
from warpsmith.scoring.plain.reference.text_types import (
    FLOATS,
    INTEGERS,
    Table,
    Types,
    each_component,
    function,
    known,
)

FUNCTIONS: Table = {}
"""The functions of this module."""


_UNARY = "sin cos tan asin acos atan sinh cosh tanh exp log log2 log10 sqrt cbrt floor ceil trunc rint round erf erfc".split()


@known(FUNCTIONS, *_UNARY)
def _unary(name: str, types: Types) -> Iterator[str]:
    for scalar in types.floats:
        yield function(scalar, name, f"{scalar} x", f"return {name}{'f' if scalar == 'float' else ''}(x);")


_OPERATORS = {"add": "+", "sub": "-", "mul": "*", "div": "/", "cw_mul": "*", "cw_div": "/", "approx_div": "/"}


@known(FUNCTIONS, "add", "sub", "cw_mul", "cw_div")
def _componentwise(name: str, types: Types) -> Iterator[str]:
    operator = _OPERATORS[name]
    for scalar in types.numbers:
        yield function(scalar, name, f"{scalar} a, {scalar} b", f"return a {operator} b;")
    for each in types.composites:
        yield function(each.name, name, f"{each.name} a, {each.name} b", each_component(each, f"a.c[i] {operator} b.c[i]"))


@known(FUNCTIONS, "mul", "div", "approx_div")
def _scaled(name: str, types: Types) -> Iterator[str]:
    operator = _OPERATORS[name]
    for scalar in types.numbers:
        yield function(scalar, name, f"{scalar} a, {scalar} b", f"return a {operator} b;")
    for each in types.composites:
        yield function(each.name, name, f"{each.name} a, {each.scalar} b", each_component(each, f"a.c[i] {operator} b"))
        yield function(each.name, name, f"{each.scalar} b, {each.name} a", each_component(each, f"b {operator} a.c[i]"))
    if name == "mul":
        yield from matrix_products(types.composites)
        yield from rotation_products(types)


@known(FUNCTIONS, "neg", "pos")
def _negated(name: str, types: Types) -> Iterator[str]:
    sign = "-" if name == "neg" else ""
    for scalar in types.numbers:
        yield function(scalar, name, f"{scalar} a", f"return {sign}a;")
    for each in types.composites:
        yield function(each.name, name, f"{each.name} a", each_component(each, f"{sign}a.c[i]"))


@known(FUNCTIONS, "min", "max")
def _extreme(name: str, types: Types) -> Iterator[str]:
    order = "<" if name == "min" else ">"
    for scalar in types.numbers:
        yield function(scalar, name, f"{scalar} a, {scalar} b", f"return a {order} b ? a : b;")
    for each in types.composites:
        yield function(
            each.name, name, f"{each.name} a, {each.name} b", each_component(each, f"a.c[i] {order} b.c[i] ? a.c[i] : b.c[i]")
        )
        yield function(
            each.scalar, name, f"{each.name} a",
            f"{each.scalar} r = a.c[0]; for (int i = 1; i < {each.size}; ++i) if (a.c[i] {order} r) r = a.c[i]; return r;",
        )  # fmt: skip


def _simple(name: str, parameters: str, body: str, only: Iterable[str] = (*FLOATS, *INTEGERS), result: str = "T") -> None:
    """Add a function of numbers; ``T`` stands for the type and ``f`` behind ``$`` for the suffix of CUDA's functions."""
    chosen = tuple(only)

    def write(types: Types) -> Iterator[str]:
        for scalar in types.numbers:
            if scalar in chosen:
                suffix = "f" if scalar == "float" else ""
                text = body.replace("T", scalar).replace("$", suffix)
                yield function(result.replace("T", scalar), name, parameters.replace("T", scalar), text)

    FUNCTIONS[name] = write


_simple("pow", "T a, T b", "return pow$(a, b);", FLOATS)
_simple("atan2", "T a, T b", "return atan2$(a, b);", FLOATS)
_simple("copysign", "T a, T b", "return copysign$(a, b);", FLOATS)
_simple("degrees", "T x", "return (T)(x * 57.29577951308232087679);", FLOATS)
_simple("radians", "T x", "return (T)(x * 0.01745329251994329577);", FLOATS)
_simple("sign", "T x", "return x < 0 ? (T)(-1) : (T)1;")
_simple("step", "T x", "return x < 0 ? (T)1 : (T)0;")
_simple("nonzero", "T x", "return x == 0 ? (T)0 : (T)1;")
_simple("frac", "T x", "return x - trunc$(x);", FLOATS)
_simple(
    "smoothstep",
    "T a, T b, T x",
    "x = (x - a) / (b - a); x = x < 0 ? (T)0 : x > 1 ? (T)1 : x; return x * x * (3 - 2 * x);",
    FLOATS,
)
_simple("bit_and", "T a, T b", "return a & b;", INTEGERS)
_simple("bit_or", "T a, T b", "return a | b;", INTEGERS)
_simple("bit_xor", "T a, T b", "return a ^ b;", INTEGERS)
_simple("lshift", "T a, T b", "return a << b;", INTEGERS)
_simple("rshift", "T a, T b", "return a >> b;", INTEGERS)
_simple("invert", "T a", "return ~a;", INTEGERS)


@known(FUNCTIONS, "clamp")
def _clamp(name: str, types: Types) -> Iterator[str]:
    for scalar in types.numbers:
        yield function(
            scalar, name, f"{scalar} x, {scalar} a, {scalar} b", f"{scalar} m = a > x ? a : x; return m < b ? m : b;"
        )


@known(FUNCTIONS, "lerp")
def _lerp(name: str, types: Types) -> Iterator[str]:
    for scalar in types.floats:
        yield function(scalar, name, f"{scalar} a, {scalar} b, {scalar} t", f"return a * (({scalar})1 - t) + b * t;")
    for each in (composite for composite in types.composites if composite.scalar in FLOATS):
        body = each_component(each, f"a.c[i] * (({each.scalar})1 - t) + b.c[i] * t")
        yield function(each.name, name, f"{each.name} a, {each.name} b, {each.scalar} t", body)


@known(FUNCTIONS, "mod", "floordiv")
def _division(name: str, types: Types) -> Iterator[str]:
    for scalar in types.numbers:
        suffix = "f" if scalar == "float" else ""
        on_floats = f"fmod{suffix}(a, b)" if name == "mod" else f"floor{suffix}(a / b)"
        rounded_down = "" if scalar.startswith("unsigned") else " - (a % b != 0 && (a < 0) != (b < 0))"
        on_integers = "a % b" if name == "mod" else f"a / b{rounded_down}"
        if scalar in FLOATS or scalar in INTEGERS:
            yield function(scalar, name, f"{scalar} a, {scalar} b", f"return {on_floats if scalar in FLOATS else on_integers};")


@known(FUNCTIONS, "abs")
def _absolute(name: str, types: Types) -> Iterator[str]:
    for scalar in types.numbers:
        yield function(scalar, name, f"{scalar} x", "return x < 0 ? -x : x;")
    for each in types.composites:
        yield function(each.name, name, f"{each.name} a", each_component(each, "a.c[i] < 0 ? -a.c[i] : a.c[i]"))


@known(FUNCTIONS, "float", "int", "bool", "float32", "float64", "int32", "int64", "uint32", "uint64")
def _conversion(name: str, types: Types) -> Iterator[str]:
    target = {
        "float32": "float", "float64": "double", "int32": "int", "int64": "long long", "uint32": "unsigned int",
        "uint64": "unsigned long long",
    }.get(name, name)  # fmt: skip
    for scalar in dict.fromkeys((*types.numbers, "bool")):
        yield function(target, name, f"{scalar} x", f"return ({target})x;")


@known(FUNCTIONS, "where")
def _where(name: str, types: Types) -> Iterator[str]:
    for ctype in dict.fromkeys((*types.names, "bool")):
        yield function(ctype, name, f"bool q, {ctype} a, {ctype} b", "return q ? a : b;")


@known(FUNCTIONS, "unot", "isnan", "isinf", "isfinite")
def _test(name: str, types: Types) -> Iterator[str]:
    for scalar in dict.fromkeys((*types.numbers, "bool")) if name == "unot" else types.floats:
        yield function("bool", name, f"{scalar} x", "return !x;" if name == "unot" else f"return {name}(x);")


@known(FUNCTIONS, "range", "iter_next")
def _range(name: str, _: Types) -> Iterator[str]:
    if name == "iter_next":
        yield function("int", name, "range_type& r", "int at = r.at; r.at += r.step; return at;")
        return
    for parameters, values in (("int e", "0, e, 1"), ("int a, int e", "a, e, 1"), ("int a, int e, int s", "a, e, s")):
        yield function("range_type", name, parameters, f"range_type r = {{ {values} }}; return r;")
