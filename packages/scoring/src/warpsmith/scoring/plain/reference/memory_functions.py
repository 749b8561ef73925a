"""Plain CUDA for Warp's access to arrays, and for its atomic functions."""

from __future__ import annotations

from collections.abc import Iterator

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


_INDICES = {
    1: ("int i", "i"),
    2: ("int i, int j", "i * x.shape.dims[1] + j"),
    3: ("int i, int j, int k", "(i * x.shape.dims[1] + j) * x.shape.dims[2] + k"),
    4: ("int i, int j, int k, int l", "((i * x.shape.dims[1] + j) * x.shape.dims[2] + k) * x.shape.dims[3] + l"),
}


def _array(name: str) -> str:
    return f"array_{name.replace(' ', '_')} x"


@known(FUNCTIONS, "address", "array_store")
def _memory(name: str, types: Types) -> Iterator[str]:
    for ctype in types.names:
        for parameters, index in _INDICES.values():
            if name == "address":
                yield function(f"{ctype}*", name, f"{_array(ctype)}, {parameters}", f"return x.data + {index};")
            else:
                yield function("void", name, f"{_array(ctype)}, {parameters}, {ctype} v", f"x.data[{index}] = v;")


@known(FUNCTIONS, "len")
def _length(name: str, types: Types) -> Iterator[str]:
    for ctype in types.names:
        yield function("int", name, _array(ctype), "return x.shape.dims[0];")


@known(FUNCTIONS, "lower_bound")
def _lower_bound(name: str, types: Types) -> Iterator[str]:
    for scalar in types.numbers:
        search = (
            "--end; while (begin < end) { int middle = begin + (end - begin) / 2; "
            "if (x.data[middle] < v) begin = middle + 1; else end = middle; } return begin;"
        )
        yield function("int", name, f"{_array(scalar)}, int begin, int end, {scalar} v", search)
        yield function("int", name, f"{_array(scalar)}, {scalar} v", f"return w_{name}(x, 0, x.shape.dims[0], v);")


@known(FUNCTIONS, "load", "copy")
def _load(name: str, types: Types) -> Iterator[str]:
    for ctype in (*types.names, "shape_type", *(["bool"] if "bool" not in types.numbers else [])):
        parameters, body = (f"{ctype}* p", "return *p;") if name == "load" else (f"{ctype} v", "return v;")
        yield function(ctype, name, parameters, body)


_BITWISE = ("atomic_and", "atomic_or", "atomic_xor")


def _atomic_number(name: str, scalar: str) -> Iterator[str]:
    """Yield an atomic function on one number; CUDA has none for the extremes of floats."""
    kind = name.removeprefix("atomic_")
    if name in _BITWISE:
        cast = "unsigned " * scalar.startswith("long") + scalar
        yield function(scalar, f"{name}_at", f"{scalar}* p, {scalar} v", f"return atomic{kind.title()}(({cast}*)p, ({cast})v);")
    elif kind in ("add", "sub") and scalar == "long long":
        wide = "unsigned long long"
        value = f"({wide})({'-' if kind == 'sub' else ''}v)"
        yield function(scalar, f"{name}_at", f"{scalar}* p, {scalar} v", f"return ({scalar})atomicAdd(({wide}*)p, {value});")
    elif kind in ("add", "sub"):
        sign = "-" if kind == "sub" else ""
        yield function(scalar, f"{name}_at", f"{scalar}* p, {scalar} v", f"return atomicAdd(p, {sign}v);")
    elif scalar in FLOATS:
        bits, to_bits, to_float = {
            "float": ("int", "__float_as_int", "__int_as_float"),
            "double": ("unsigned long long", "__double_as_longlong", "__longlong_as_double"),
        }[scalar]
        order = "<" if kind == "max" else ">"
        yield function(
            scalar, f"{name}_at", f"{scalar}* p, {scalar} v",
            f"{bits}* q = ({bits}*)p; {bits} old = *q; {bits} seen; do {{ seen = old; "
            f"if (!({to_float}(seen) {order} v)) break; old = atomicCAS(q, seen, ({bits}){to_bits}(v)); }} "
            f"while (seen != old); return {to_float}(old);",
        )  # fmt: skip
    else:
        yield function(scalar, f"{name}_at", f"{scalar}* p, {scalar} v", f"return atomic{kind.title()}(p, v);")


@known(FUNCTIONS, "atomic_add", "atomic_sub", "atomic_max", "atomic_min", *_BITWISE)
def _atomic(name: str, types: Types) -> Iterator[str]:
    usable = [scalar for scalar in types.numbers if scalar in (INTEGERS if name in _BITWISE else (*FLOATS, *INTEGERS))]
    for scalar in usable:
        yield from _atomic_number(name, scalar)
        for parameters, index in _INDICES.values():
            yield function(
                scalar, name, f"{_array(scalar)}, {parameters}, {scalar} v", f"return w_{name}_at(x.data + {index}, v);"
            )
    for each in (composite for composite in types.composites if composite.scalar in usable):
        body = each_component(each, f"w_{name}_at(p->c + i, v.c[i])")
        yield function(each.name, f"{name}_at", f"{each.name}* p, {each.name} v", body)
        for parameters, index in _INDICES.values():
            body = f"return w_{name}_at(x.data + {index}, v);"
            yield function(each.name, name, f"{_array(each.name)}, {parameters}, {each.name} v", body)
