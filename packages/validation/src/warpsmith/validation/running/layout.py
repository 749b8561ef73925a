"""Where C puts what: NumPy's structured types for the arguments of a launch, and for structs within them.

A struct of Warp is one of C: members in order, each at the next multiple of what it is aligned to. Which sizes they have
follows from the values, because floats are twice as large where a text is read in double precision.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from warpsmith.core.inputs.objects import is_object
from warpsmith.core.inputs.values import Values, element
from warpsmith.core.records.launch import Argument
from warpsmith.extraction.warp import runtime
from warpsmith.validation.running.memory import address

Form: TypeAlias = Any
"""What a layout depends on: of an array its kind, of a value (type, shape), of members ((name, form), …)."""


def members_form(members: Sequence[Argument], values: Mapping[str, Values], prefix: str = "") -> Form:
    """The form of a structure with these members.

    Args:
        members: arguments of a launch, or fields of a struct.
        values: of the leaves by name.
        prefix: what stands before the members in these names.
    """
    return tuple([(member.name, _form(member, values, prefix + member.name)) for member in members])


def _form(argument: Argument, values: Mapping[str, Values], name: str) -> Form:
    if argument.kind in ("array", "indexed_array"):
        return argument.kind
    if argument.fields:
        return members_form(argument.fields, values, f"{name}.")
    if argument.kind == "texture":
        return f"texture {len(argument.shape)}"
    if is_object(argument):
        return np.dtype(np.uint64).str, ()
    return values[name].dtype.str, element(argument.dtype)[1]


_LENGTHS = ("width", "height", "depth")


def _texture_descriptor(dimensions: int) -> np.dtype[Any]:
    """What stands for a texture: its address, its lengths, and how it is read."""
    lengths = [(name, np.int32) for name in _LENGTHS[:dimensions]]
    return np.dtype([("tex", np.uint64), *lengths, ("metadata", np.uint32)], align=True)


@cache
def layout(form: Form) -> np.dtype[Any]:
    """The type of a structure of the form that `members_form` returns, aligned as C does."""
    return np.dtype([(name, *_member(inner)) for name, inner in form], align=True)


def _member(form: Form) -> tuple[Any, ...]:
    if isinstance(form, str):
        return (_DESCRIPTORS[form](),)
    dtype, shape = form if len(form) == 2 and isinstance(form[0], str) else (layout(form), ())
    return (dtype, shape) if shape else (dtype,)


@cache
def _descriptor() -> np.dtype[Any]:
    descriptor: np.dtype[Any] = np.dtype(runtime.ArrayDescriptor)
    return descriptor


@cache
def _indexed_descriptor() -> np.dtype[Any]:
    return np.dtype([("array", _descriptor()), ("indices", np.uint64, (4,)), ("shape", np.int32, (4,))], align=True)


_DESCRIPTORS: dict[str, Callable[[], np.dtype[Any]]] = {
    "array": _descriptor,
    "indexed_array": _indexed_descriptor,
    **{f"texture {dimensions}": partial(_texture_descriptor, dimensions) for dimensions in (1, 2, 3)},
}


def describe_array(content: npt.NDArray[Any] | None, gradient: npt.NDArray[Any] | None, dimensions: int) -> tuple[Any, ...]:
    """What stands for an array: the addresses of content and gradient, shape, strides, how many dimensions, flags."""
    if content is None:
        return (0, 0, (0,) * 4, (0,) * 4, 0, 0)
    rest = (0,) * (4 - dimensions)
    grad = address(gradient) if gradient is not None else 0
    shape, strides = content.shape[:dimensions] + rest, content.strides[:dimensions] + rest
    return (address(content), grad, shape, strides, dimensions, 0)


def describe_indexed(content: npt.NDArray[Any], indices: Sequence[npt.NDArray[Any]]) -> tuple[Any, ...]:
    """What stands for an indexed array: the array behind it, the addresses of its indices, how many they are."""
    rest = (0,) * (4 - len(indices))
    addresses = tuple(address(index) for index in indices)
    return describe_array(content, None, len(indices)), addresses + rest, tuple(map(len, indices)) + rest


def describe_object(made: Any, place: np.dtype[Any]) -> Any:
    """What stands for an object of Warp: the address, or of a texture the members of ``place``."""
    if place.names is None:
        return made.id
    descriptor = made.__ctype__()
    return tuple(getattr(descriptor, name) for name in place.names)
