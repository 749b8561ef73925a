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
    for one in types.names:
        for parameters, index in _INDICES.values():
            if name == "address":
                yield function(f"{one}*", name, f"{_array(one)}, {parameters}", f"return x.data + {index};")
            else:
                yield function("void", name, f"{_array(one)}, {parameters}, {one} v", f"x.data[{index}] = v;")


@known(FUNCTIONS, "load", "copy")
def _load(name: str, types: Types) -> Iterator[str]:
    for one in (*types.names, "shape_type", *(["bool"] if "bool" not in types.numbers else [])):
        yield function(one, name, f"{one}* p", "return *p;") if name == "load" else function(one, name, f"{one} v", "return v;")


def _atomic_number(name: str, one: str) -> Iterator[str]:
    """Yield an atomic function on one number; CUDA has none for the extremes of floats."""
    kind = name.removeprefix("atomic_")
    if kind in ("add", "sub") and one == "long long":
        wide = "unsigned long long"
        value = f"({wide})({'-' if kind == 'sub' else ''}v)"
        yield function(one, f"{name}_at", f"{one}* p, {one} v", f"return ({one})atomicAdd(({wide}*)p, {value});")
    elif kind in ("add", "sub"):
        sign = "-" if kind == "sub" else ""
        yield function(one, f"{name}_at", f"{one}* p, {one} v", f"return atomicAdd(p, {sign}v);")
    elif one in FLOATS:
        bits, to_bits, to_float = {
            "float": ("int", "__float_as_int", "__int_as_float"),
            "double": ("unsigned long long", "__double_as_longlong", "__longlong_as_double"),
        }[one]
        order = "<" if kind == "max" else ">"
        yield function(
            one, f"{name}_at", f"{one}* p, {one} v",
            f"{bits}* q = ({bits}*)p; {bits} old = *q; {bits} seen; do {{ seen = old; "
            f"if (!({to_float}(seen) {order} v)) break; old = atomicCAS(q, seen, ({bits}){to_bits}(v)); }} "
            f"while (seen != old); return {to_float}(old);",
        )  # fmt: skip
    else:
        yield function(one, f"{name}_at", f"{one}* p, {one} v", f"return atomic{kind.title()}(p, v);")


@known(FUNCTIONS, "atomic_add", "atomic_sub", "atomic_max", "atomic_min")
def _atomic(name: str, types: Types) -> Iterator[str]:
    usable = [one for one in types.numbers if one in (*FLOATS, *INTEGERS)]
    for one in usable:
        yield from _atomic_number(name, one)
        for parameters, index in _INDICES.values():
            yield function(one, name, f"{_array(one)}, {parameters}, {one} v", f"return w_{name}_at(x.data + {index}, v);")
    for each in (one for one in types.composites if one.scalar in usable):
        body = each_component(each, f"w_{name}_at(p->c + i, v.c[i])")
        yield function(each.name, f"{name}_at", f"{each.name}* p, {each.name} v", body)
        for parameters, index in _INDICES.values():
            body = f"return w_{name}_at(x.data + {index}, v);"
            yield function(each.name, name, f"{_array(each.name)}, {parameters}, {each.name} v", body)
