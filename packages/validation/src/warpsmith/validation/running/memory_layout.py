"""The memory layout of C: NumPy's structured types for the arguments of a launch, and for structs in them.

A struct of Warp is a struct of C: members in order, each at the next multiple of its alignment. The values determine the sizes,
because floats are twice as large in a text that is read in double precision.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from warpsmith.core.inputs.elements import element
from warpsmith.core.inputs.launch_objects import is_object
from warpsmith.core.inputs.values import Values
from warpsmith.core.records.launch import Argument
from warpsmith.extraction.warp import runtime
from warpsmith.validation.running.shared_memory import address

Form: TypeAlias = Any
"""The input of a layout: the kind of an array or of an empty struct, (type, shape) of a value, ((name, form), …) of members."""


def members_form(members: Sequence[Argument], values: Mapping[str, Values], prefix: str = "") -> Form:
    """Return the form of a structure with these members.

    Args:
        members: arguments of a launch, or fields of a struct.
        values: contents of the leaves by name.
        prefix: the prefix of the members' names in ``values``.
    """
    return tuple([(member.name, _form(member, values, prefix + member.name)) for member in members])


def _form(argument: Argument, values: Mapping[str, Values], name: str) -> Form:
    if argument.kind in ("array", "indexed_array"):
        return argument.kind
    if argument.kind == "null_array":
        return "array"
    if argument.kind == "struct" and not argument.fields:
        return "empty struct"
    if argument.fields:
        return members_form(argument.fields, values, f"{name}.")
    if argument.kind == "texture":
        return f"texture {len(argument.shape)}"
    if is_object(argument):
        return np.dtype(np.uint64).str, ()
    return values[name].dtype.str, element(argument.dtype)[1]


_LENGTHS = ("width", "height", "depth")


def _texture_descriptor(dimensions: int) -> np.dtype[Any]:
    """Return the type of a texture's descriptor: its address, its lengths, and how it is read."""
    lengths = [(name, np.int32) for name in _LENGTHS[:dimensions]]
    return np.dtype([("tex", np.uint64), *lengths, ("metadata", np.uint32)], align=True)


@cache
def layout(form: Form) -> np.dtype[Any]:
    """Return the type of a structure with the form that `members_form` returns, with the alignment of C."""
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
    "empty struct": partial(np.dtype, np.int8),
    **{f"texture {dimensions}": partial(_texture_descriptor, dimensions) for dimensions in (1, 2, 3)},
}


def describe_array(content: npt.NDArray[Any] | None, gradient: npt.NDArray[Any] | None, dimensions: int) -> tuple[Any, ...]:
    """Return the descriptor of an array: the addresses of content and gradient, shape, strides, dimensions, flags.

    As in Warp, an array without elements has no address; a kernel can tell by ``if array:``.
    """
    if content is None:
        return (0, 0, (0,) * 4, (0,) * 4, 0, 0)
    rest = (0,) * (4 - dimensions)
    grad = address(gradient) if gradient is not None and content.size else 0
    shape, strides = content.shape[:dimensions] + rest, content.strides[:dimensions] + rest
    return (address(content) if content.size else 0, grad, shape, strides, dimensions, 0)


def describe_indexed(content: npt.NDArray[Any], indices: Sequence[npt.NDArray[Any]]) -> tuple[Any, ...]:
    """Return the descriptor of an indexed array: its base array, the addresses and the lengths of its indices."""
    rest = (0,) * (4 - len(indices))
    addresses = tuple(address(index) for index in indices)
    return describe_array(content, None, len(indices)), addresses + rest, tuple(map(len, indices)) + rest


def describe_object(built: Any, dtype: np.dtype[Any]) -> Any:
    """Return the descriptor of an object of Warp: its address, or the members of ``dtype`` for a texture."""
    if dtype.names is None:
        return built.id
    descriptor = built.__ctype__()
    return tuple(getattr(descriptor, name) for name in dtype.names)


def argument_content(argument: Argument, values: Mapping[str, Values]) -> Values:
    """Return the contents of an argument; those of a struct are members of one array."""
    if not argument.fields:
        return np.ascontiguousarray(values[argument.name]).reshape(values[argument.name].shape)
    content: Values = np.zeros(argument.shape, layout(members_form(argument.fields, values, f"{argument.name}.")))
    for member in argument.fields:
        content[member.name] = values[f"{argument.name}.{member.name}"]
    return content
