"""A kernel: its parameters, the helpers and constants of its file, and its launch."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from warpsmith.core.records.launch import Argument
from warpsmith.synthesis.language.nodes.expressions import Const
from warpsmith.synthesis.language.nodes.statements import Stmt
from warpsmith.synthesis.language.types import Type

Distribution: TypeAlias = Literal["uniform", "unit", "near_identity", "fill"]
"""How the components of a parameter are drawn, see ``Domain`` of the record."""


class Scalar(Struct, frozen=True, gc=False):
    """A parameter that is a single value. ``extent`` names the array dimension whose length it is, if any."""

    name: str
    type: Type
    low: float
    high: float
    distribution: Distribution = "uniform"
    extent: str = ""


class Array(Struct, frozen=True, gc=False):
    """A parameter that is an array.

    Attributes:
        name: the name of the parameter.
        element: the type of the elements.
        dims: a symbol for each dimension, such as ``("n",)``; `Kernel.sizes` contains their lengths.
        low: the lower bound of the components at launch.
        high: the upper bound, including the diagonal of ``near_identity`` matrices.
        distribution: how the components are drawn.
        role: whether the kernel reads the array, writes it or does both.
        local: the name of a local that holds one element, such as ``"pos"`` for ``"positions"``.
    """

    name: str
    element: Type
    dims: tuple[str, ...]
    low: float
    high: float
    distribution: Distribution = "uniform"
    role: Literal["input", "output", "inout"] = "input"
    local: str = ""


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

    @property
    def role(self) -> str:
        """The role of the parameter, as for arrays."""
        return self.argument.role


Param: TypeAlias = Scalar | Array | OpaqueParameter


class Function(Struct, frozen=True, gc=False):
    """A helper function, ``@wp.func``, of scalar parameters; ``word`` names its result, and [low, high] bounds it."""

    name: str
    params: tuple[Scalar, ...]
    result: Type
    body: tuple[Stmt, ...]
    doc: str = ""
    low: float = 0.0
    high: float = 0.0
    annotated: bool = False
    word: str = "value"


class Constant(Struct, frozen=True, gc=False):
    """A module constant."""

    name: str
    value: Const
    wrapped: bool = True


class Kernel(Struct, frozen=True, gc=False):
    """A kernel with everything that its file contains.

    Attributes:
        name: the name of the kernel.
        params: the parameters in order.
        body: the statements.
        sizes: the length of each array dimension by its symbol.
        dim: the launch shape, threads per dimension.
        functions: helper functions, in the order of the file.
        constants: module constants.
        doc: the docstring, or empty.
        preface: structs, functions and other definitions before the kernel, as text.
        options: the module options that differ from Warp's defaults.
        generic: parameters whose type is written ``Any``; an overload after the kernel names the types.
    """

    name: str
    params: tuple[Param, ...]
    body: tuple[Stmt, ...]
    sizes: tuple[tuple[str, int], ...]
    dim: tuple[int, ...]
    functions: tuple[Function, ...] = ()
    constants: tuple[Constant, ...] = ()
    doc: str = ""
    preface: tuple[str, ...] = ()
    options: tuple[tuple[str, int], ...] = ()
    generic: tuple[str, ...] = ()
