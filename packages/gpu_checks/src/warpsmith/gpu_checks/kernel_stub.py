"""A stand-in for a pair's kernel: Python with the same name and parameter types, written from the pair's ``launch``.

Warp launches a compiled kernel through a Python object that describes its parameters. The stand-in provides that object, so
that the process that drives a device needs nothing of the pair's Python.
"""

from __future__ import annotations

import keyword
import re

import warp as wp

from warpsmith.core.errors import WarpsmithError
from warpsmith.core.inputs.elements import element
from warpsmith.core.inputs.launch_objects import is_object
from warpsmith.core.records.launch import Argument, Launch

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_TEXTURES = ("Texture1D", "Texture2D", "Texture3D")
_MAX_DIMENSIONS = 4


def stand_in(name: str, launch: Launch, dimensions: int) -> str:
    """Return the source of a kernel that Warp launches like the kernel of a pair.

    Args:
        name: the name of the kernel.
        launch: the launch of the pair; its names do not occur in the source.
        dimensions: how many coordinates ``wp.tid()`` returns.

    Raises:
        WarpsmithError: if a kernel cannot have this name, or an argument this type.
    """
    if not _NAME.fullmatch(name) or keyword.iskeyword(name) or name == "wp":
        raise WarpsmithError(f"a kernel cannot have the name {name[:80]!r}")
    if not 1 <= dimensions <= _MAX_DIMENSIONS:
        raise WarpsmithError(f"a kernel cannot have {dimensions} coordinates")
    structs: list[str] = []
    parameters = ", ".join(f"p{number}: {_annotation(argument, structs)}" for number, argument in enumerate(launch.args))
    coordinates = ", ".join(f"i{number}" for number in range(dimensions))
    kernel = f"@wp.kernel\ndef {name}({parameters}):\n    {coordinates} = wp.tid()\n"
    return "\n\n".join(["import warp as wp", *structs, kernel])


def member_name(argument: Argument, number: int) -> str:
    """Return the name of a struct's member in a stand-in, which is the member's own if it is an identifier."""
    if not _NAME.fullmatch(argument.name) or keyword.iskeyword(argument.name):
        raise WarpsmithError(f"member {number} of a struct cannot have the name {argument.name[:80]!r}")
    return argument.name


def _annotation(argument: Argument, structs: list[str]) -> str:
    """Return the annotation of a parameter or member, after the structs that it names have been appended to ``structs``."""
    if argument.kind == "texture":
        if argument.dtype not in _TEXTURES:
            raise WarpsmithError(f"{argument.dtype[:80]!r} is no texture")
        return f"wp.{argument.dtype}"
    if is_object(argument):
        return "wp.uint64"
    if argument.kind == "null_array":
        return "wp.array(dtype=wp.float32)"  # the descriptor of None is the same for all types and dimensions
    scalar = _struct(argument, structs) if argument.fields else _element(argument.dtype)
    if argument.kind == "array":
        return f"wp.array(dtype={scalar}, ndim={len(argument.shape)})"
    if argument.kind == "indexed_array":
        return f"wp.indexedarray(dtype={scalar}, ndim={len(argument.shape)})"
    return scalar


def _struct(argument: Argument, structs: list[str]) -> str:
    members = [
        f"    {member_name(member, number)}: {_annotation(member, structs)}" for number, member in enumerate(argument.fields)
    ]
    name = f"_Struct{len(structs)}"
    structs.append("\n".join(["@wp.struct", f"class {name}:", *members]))
    return name


def _element(dtype: str) -> str:
    scalar, shape = element(dtype)  # rejects everything but names of types
    name = "bool" if dtype == "bool" else dtype
    if hasattr(wp, name):
        return f"wp.{name}"
    scalar_name = "bool" if scalar.__name__.startswith("bool") else scalar.__name__
    if len(shape) == 1:
        return f"wp.types.vector(length={shape[0]}, dtype=wp.{scalar_name})"
    return f"wp.types.matrix(shape={shape!r}, dtype=wp.{scalar_name})"
