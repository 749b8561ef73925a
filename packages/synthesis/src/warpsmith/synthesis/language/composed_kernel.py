"""A composed kernel: its parameters, what precedes it in its file, its statements, and its launch."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from warpsmith.core.records.launch import Argument
from warpsmith.synthesis.language.warp_types import Type

Distribution: TypeAlias = Literal["uniform", "unit", "near_identity", "fill", "sorted", "offsets", "permutation"]
"""How the components of a parameter are drawn, see ``Domain`` of the record."""


class Scalar(Struct, frozen=True, gc=False):
    """A parameter that is a single value, drawn from [low, high] at launch."""

    name: str
    type: Type
    low: float
    high: float
    distribution: Distribution = "uniform"


class Array(Struct, frozen=True, gc=False):
    """A parameter that is an array.

    Attributes:
        name: the name of the parameter.
        element: the type of the elements.
        dims: a symbol for each dimension, such as ``("n",)``; `Kernel.sizes` contains their lengths.
        low: the lower bound of the components at launch.
        high: the upper bound.
        distribution: how the components are drawn.
        role: whether the kernel reads the array, writes it or does both.
    """

    name: str
    element: Type
    dims: tuple[str, ...]
    low: float
    high: float
    distribution: Distribution = "uniform"
    role: Literal["input", "output", "inout"] = "input"


class OpaqueParameter(Struct, frozen=True, gc=False):
    """A parameter of any other type: a struct, an object such as a mesh, an indexed array.

    Attributes:
        name: the name of the parameter.
        annotation: its type in source text.
        argument: its entry in the record's launch.
    """

    name: str
    annotation: str
    argument: Argument


Param: TypeAlias = Scalar | Array | OpaqueParameter


class Constant(Struct, frozen=True, gc=False):
    """A module constant.

    Attributes:
        name: its name.
        value: its value.
        wrapped: whether it is written with ``wp.constant``.
        cast: the type that its value is cast to, or empty.
        comment: the comment at the end of its line, or empty.
    """

    name: str
    value: float
    wrapped: bool = True
    cast: str = ""
    comment: str = ""


class Enumeration(Struct, frozen=True, gc=False):
    """A class of codes, each with its value and a comment, which may be empty."""

    name: str
    members: tuple[tuple[str, int, str], ...]


class ParameterComment(Struct, frozen=True, gc=False):
    """The comments of a parameter in the signature: in the line above it, and at the end of its line; empty for none."""

    name: str
    above: str
    beside: str


class Kernel(Struct, frozen=True, gc=False):
    """A kernel with everything that its file contains.

    Attributes:
        name: the name of the kernel.
        params: the parameters in order.
        body: the lines of its statements, indented from zero.
        sizes: the length of each array dimension by its symbol.
        dim: the launch shape, threads per dimension.
        imports: import statements besides Warp's.
        constants: module constants.
        preface: structs, functions and other definitions before the kernel, as text.
        doc: the docstring, or empty.
        options: the module options that differ from Warp's defaults.
        generic: parameters whose type is written ``Any``; an overload after the kernel names the types.
        decorator: the line above the kernel.
        enumerations: the classes of codes.
        comments: the comments of parameters.
        heading: the docstring of the file, or empty.
    """

    name: str
    params: tuple[Param, ...]
    body: tuple[str, ...]
    sizes: tuple[tuple[str, int], ...]
    dim: tuple[int, ...]
    imports: tuple[str, ...] = ()
    constants: tuple[Constant, ...] = ()
    preface: tuple[str, ...] = ()
    doc: str = ""
    options: tuple[tuple[str, int], ...] = ()
    generic: tuple[str, ...] = ()
    decorator: str = "@wp.kernel"
    enumerations: tuple[Enumeration, ...] = ()
    comments: tuple[ParameterComment, ...] = ()
    heading: str = ""
