"""What a launch gives a kernel: values by leaf become values, arrays and structs, and arrays become leaves again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from warpsmith.core.errors import WarpsmithError
from warpsmith.core.inputs.objects import is_object
from warpsmith.core.inputs.values import Values, element
from warpsmith.core.records.launch import Argument
from warpsmith.validation.oracle.errors import Unsupported
from warpsmith.validation.oracle.memory import Array, Record, Struct
from warpsmith.validation.oracle.module import Module
from warpsmith.validation.oracle.types import Type, Value, named


def given(argument: Argument, name: str, values: Mapping[str, Values], module: Module) -> Value:
    """Return what a kernel sees of an argument, or a struct of its member.

    Args:
        argument: which.
        name: that of its leaf, or what its leaves begin with.
        values: of all leaves; they are copied.
        module: for the types of structs.
    """
    if argument.kind == "struct" and argument.fields:
        struct = _struct(argument, module)
        members = {member.name: given(member, f"{name}.{member.name}", values, module) for member in argument.fields}
        if list(members) != list(struct.members) or not all(struct.members[key].holds(value) for key, value in members.items()):
            raise Unsupported(f"members of {name!r} that are not those of {struct}")
        return Record(struct, members)
    if is_object(argument):
        raise Unsupported(f"arguments of kind {argument.kind}")
    kind = _element(argument, module)
    raw = _structured(argument, name, values) if argument.fields else values.get(name)
    if raw is None:
        raise Unsupported(f"no values for {name!r}")
    if isinstance(kind, Type) and raw.dtype.type is not kind.scalar:
        raise Unsupported(f"values of type {raw.dtype} for {name!r}")
    inner = () if isinstance(kind, Struct) else kind.shape
    indices = _indices(argument, name, values)
    behind = tuple(2 * length for length in argument.shape) if indices else argument.shape
    if raw.shape != (*behind, *inner):
        raise Unsupported(f"values of shape {raw.shape} for {name!r}")
    if argument.kind in ("array", "indexed_array"):
        return Array(np.array(raw, order="C"), argument.shape, kind, indices)
    return kind.load(raw if raw.ndim else raw[()])


def _indices(argument: Argument, name: str, values: Mapping[str, Values]) -> tuple[Values, ...]:
    if argument.kind != "indexed_array":
        return ()
    rows = tuple(values[f"{name}[{dimension}]"] for dimension in range(len(argument.shape)))
    if tuple(map(len, rows)) != argument.shape:
        raise Unsupported(f"indices for {name!r} that are not those of its shape")
    return rows


def arrays(argument: Argument, name: str, value: Value) -> Iterator[tuple[str, Values]]:
    """Yield the arrays within an argument by leaf, as they are now."""
    if isinstance(value, Array):
        yield from _leaves(argument, name, value.data)
    elif isinstance(value, Record):
        for member in argument.fields:
            yield from arrays(member, f"{name}.{member.name}", value.members[member.name])


def _leaves(argument: Argument, name: str, data: Values) -> Iterator[tuple[str, Values]]:
    if not argument.fields:
        yield name, data
    for member in argument.fields:
        yield from _leaves(member, f"{name}.{member.name}", data[member.name])


def _structured(argument: Argument, name: str, values: Mapping[str, Values]) -> Values:
    """The structs of an array, as one structured array."""
    whole: Values = np.empty(argument.shape, _dtype(argument))
    for leaf, place in _leaves(argument, name, whole):
        if leaf not in values or values[leaf].shape != place.shape:
            raise Unsupported(f"no values for {leaf!r}")
        place[...] = values[leaf]
    return whole


def _dtype(argument: Argument) -> Any:
    if argument.fields:
        return [(member.name, _dtype(member)) for member in argument.fields]
    if argument.kind != "value":
        raise Unsupported(f"an array of structs that hold {argument.name!r}, an {argument.kind}")
    return _known(argument)


def _known(argument: Argument) -> tuple[Any, tuple[int, ...]]:
    try:
        return element(argument.dtype)
    except WarpsmithError:
        raise Unsupported(f"arguments of type {argument.dtype!r}") from None


def _struct(argument: Argument, module: Module) -> Struct:
    if argument.dtype not in module.structs:
        raise Unsupported(f"the struct {argument.dtype!r}")
    return module.structs[argument.dtype]


def _element(argument: Argument, module: Module) -> Type | Struct:
    if argument.kind == "struct" or argument.fields or argument.dtype in module.structs:
        return _struct(argument, module)
    kind, (scalar, shape) = named(argument.dtype), _known(argument)
    if kind is None or (kind.scalar, kind.shape) != (scalar, shape):
        raise Unsupported(f"arguments of type {argument.dtype!r}")
    return kind
