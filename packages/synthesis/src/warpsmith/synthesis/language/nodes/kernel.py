"""A kernel: its parameters, the helpers and constants of its file, and how it is launched."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from warpsmith.core.records.launch import Argument
from warpsmith.synthesis.language.nodes.expressions import Const
from warpsmith.synthesis.language.nodes.statements import Stmt
from warpsmith.synthesis.language.types import Type

Distribution: TypeAlias = Literal["uniform", "unit", "near_identity", "fill"]
"""How a parameter's components are drawn, see ``Domain`` of the record."""


class Scalar(Struct, frozen=True, gc=False):
    """A parameter that is a value. ``extent`` names the array dimension whose length it is, if it is one."""

    name: str
    type: Type
    low: float
    high: float
    distribution: Distribution = "uniform"
    extent: str = ""


class Array(Struct, frozen=True, gc=False):
    """A parameter that is an array.

    Attributes:
        name: the parameter.
        element: type of its elements.
        dims: a symbol for each dimension, such as ``("n",)``; `Kernel.sizes` gives their lengths.
        low: bounds of the components at launch, the diagonal of ``near_identity`` included.
        high: see ``low``.
        distribution: how the components are drawn.
        role: whether the kernel reads it, writes it or does both.
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
    """A parameter that is neither: a struct, an object such as a mesh, an indexed array.

    Attributes:
        name: the parameter.
        annotation: its type in source text.
        argument: what the record says of it.
    """

    name: str
    annotation: str
    argument: Argument

    @property
    def role(self) -> str:
        """Whether the kernel reads or writes it, as for arrays."""
        return self.argument.role


Param: TypeAlias = Scalar | Array | OpaqueParameter


class Function(Struct, frozen=True, gc=False):
    """A helper, ``@wp.func``, of value parameters; ``word`` says what it returns, and [low, high] bounds it."""

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
    """A whole kernel with all that its file holds.

    Attributes:
        name: of the kernel.
        params: in order.
        body: statements.
        sizes: the length of each array dimension by its symbol.
        dim: launch shape, threads per dimension.
        functions: helpers, in the order in which they stand in the file.
        constants: module constants.
        doc: docstring, or empty.
        preface: structs, functions and other definitions that stand before the kernel, as text.
        options: the module options that differ from Warp's defaults.
        generic: parameters whose type is written ``Any``; an overload behind the kernel names it.
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
