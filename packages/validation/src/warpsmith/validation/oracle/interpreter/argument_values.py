"""Converts the values of a launch, which are stored by leaf, to kernel values, and kernel arrays back to leaves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from warpsmith.core.errors import WarpsmithError
from warpsmith.core.inputs.elements import element
from warpsmith.core.inputs.launch_objects import is_object
from warpsmith.core.inputs.values import Values
from warpsmith.core.records.launch import Argument
from warpsmith.validation.oracle.builtins.interpreted_objects import object_value
from warpsmith.validation.oracle.interpreter.module_values import Module
from warpsmith.validation.oracle.values.interpretation_errors import Unsupported
from warpsmith.validation.oracle.values.kernel_arrays import Array, Record, Struct
from warpsmith.validation.oracle.values.thread_accesses import Accesses
from warpsmith.validation.oracle.values.value_types import PRECISION, Type, Value, named


def kernel_value(
    argument: Argument, name: str, values: Mapping[str, Values], module: Module, accesses: Accesses | None = None
) -> Value:
    """Return the kernel's value of an argument, or of a member of a struct.

    Args:
        argument: the argument or member.
        name: the name of its leaf, or the common prefix of its leaves.
        values: the values of all leaves; they are copied.
        module: the definitions of the file, for the types of structs.
        accesses: the accesses of the launch if its threads run together.
    """
    if argument.kind == "struct":
        struct = _struct(argument, module)
        members = {
            member.name: kernel_value(member, f"{name}.{member.name}", values, module, accesses) for member in argument.fields
        }
        if list(members) != list(struct.members):
            raise Unsupported(f"members of {name!r} that are not those of {struct}")
        fits = [is_object(member) or struct.members[member.name].holds(members[member.name]) for member in argument.fields]
        if not all(fits):
            raise Unsupported(f"members of {name!r} that are not those of {struct}")
        return Record(struct, members)
    if is_object(argument):
        return object_value(replace(argument, name=name), values)
    element_type = _element(argument, module)
    if argument.kind == "null_array":  # the record does not say how many dimensions it has; no element can be read
        inner = () if isinstance(element_type, Struct) else element_type.shape
        scalar = element_type.scalar if isinstance(element_type, Type) else np.float64
        return Array(np.empty((0, *inner), scalar), (0,), element_type, (), accesses)
    raw = _structured(argument, name, values) if argument.fields else values.get(name)
    if raw is None:
        raise Unsupported(f"no values for {name!r}")
    if isinstance(element_type, Type) and raw.dtype.type is not element_type.scalar:
        raise Unsupported(f"values of type {raw.dtype} for {name!r}")
    inner = () if isinstance(element_type, Struct) else element_type.shape
    indices = _indices(argument, name, values)
    memory_shape = tuple(2 * length for length in argument.shape) if indices else argument.shape
    if raw.shape != (*memory_shape, *inner):
        raise Unsupported(f"values of shape {raw.shape} for {name!r}")
    if argument.kind in ("array", "indexed_array"):
        return Array(np.array(raw, order="C"), argument.shape, element_type, indices, accesses)
    return element_type.load(raw if raw.ndim else raw[()])


def _indices(argument: Argument, name: str, values: Mapping[str, Values]) -> tuple[Values, ...]:
    if argument.kind != "indexed_array":
        return ()
    rows = tuple(values[f"{name}[{dimension}]"] for dimension in range(len(argument.shape)))
    if tuple(map(len, rows)) != argument.shape:
        raise Unsupported(f"indices for {name!r} that are not those of its shape")
    return rows


def result_arrays(argument: Argument, name: str, value: Value) -> Iterator[tuple[str, Values]]:
    """Yield the arrays of an argument by leaf with their current content."""
    if isinstance(value, Array) and argument.kind != "null_array":
        yield from _leaves(argument, name, value.data)
    elif isinstance(value, Record):
        for member in argument.fields:
            yield from result_arrays(member, f"{name}.{member.name}", value.members[member.name])


def _leaves(argument: Argument, name: str, data: Values) -> Iterator[tuple[str, Values]]:
    if not argument.fields:
        yield name, data
    for member in argument.fields:
        yield from _leaves(member, f"{name}.{member.name}", data[member.name])


def _structured(argument: Argument, name: str, values: Mapping[str, Values]) -> Values:
    """Return the structs of an array as one structured array."""
    structs: Values = np.empty(argument.shape, _dtype(argument))
    for leaf, target in _leaves(argument, name, structs):
        if leaf not in values or values[leaf].shape != target.shape:
            raise Unsupported(f"no values for {leaf!r}")
        target[...] = values[leaf]
    return structs


def _dtype(argument: Argument) -> Any:
    if argument.fields:
        return [(member.name, _dtype(member)) for member in argument.fields]
    if argument.kind != "value":
        raise Unsupported(f"an array of structs that hold {argument.name!r}, an {argument.kind}")
    return _known(argument)


def _known(argument: Argument) -> tuple[Any, tuple[int, ...]]:
    try:
        scalar, shape = element(argument.dtype)
        return PRECISION.of(scalar), shape
    except WarpsmithError:
        raise Unsupported(f"arguments of type {argument.dtype!r}") from None


def _struct(argument: Argument, module: Module) -> Struct:
    if argument.dtype not in module.structs:
        raise Unsupported(f"the struct {argument.dtype!r}")
    return module.structs[argument.dtype]


def _element(argument: Argument, module: Module) -> Type | Struct:
    if argument.kind == "struct" or argument.fields or argument.dtype in module.structs:
        return _struct(argument, module)
    declared, (scalar, shape) = named(argument.dtype), _known(argument)
    if declared is None or (declared.scalar, declared.shape) != (scalar, shape):
        raise Unsupported(f"arguments of type {argument.dtype!r}")
    return declared
