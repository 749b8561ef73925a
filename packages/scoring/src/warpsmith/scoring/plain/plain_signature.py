"""Plain signatures: the C types of a kernel's parameters, and the structs among them, as they follow from a launch."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from warpsmith.core.errors import WarpsmithError
from warpsmith.core.inputs.elements import element
from warpsmith.core.records import text_format
from warpsmith.core.records.launch import Argument, Launch
from warpsmith.core.records.pair import Pair
from warpsmith.scoring.plain.plain_names import is_free

MAX_DIMENSIONS = 3
"""The most dimensions of a grid."""

C_TYPES = {
    "float32": "float", "float64": "double", "bool": "bool", "int8": "signed char", "uint8": "unsigned char",
    "int16": "short", "uint16": "unsigned short", "int32": "int", "uint32": "unsigned int", "int64": "long long",
    "uint64": "unsigned long long",
}  # fmt: skip
"""The C types of numbers, by the name of their NumPy type."""

_HASH = re.compile(r"_[0-9a-f]{8}$")


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a plain kernel.

    Attributes:
        name: its name.
        ctype: its type, such as ``const float*``.
        argument: the name of the launch's argument that it belongs to; empty for the size of the launch.
        dimension: for a size, the number of the dimension; None for the argument itself.
    """

    name: str
    ctype: str
    argument: str = ""
    dimension: int | None = None

    def __str__(self) -> str:
        return f"{self.ctype} {self.name}"


@dataclass(frozen=True, slots=True)
class Signature:
    """The interface of a plain kernel, or of a function that launches kernels.

    Attributes:
        name: the kernel's name.
        parameters: its parameters in order.
        structs: the members of each struct as text, by the name of the struct.
        dimensions: the number of dimensions of the grid.
        is_host: whether it is a function of the host, which launches kernels.
        is_flat: whether its grid has one dimension, although the launch has several.
        strides: whether its threads step over the grid, so that a smaller grid is enough.
    """

    name: str
    parameters: tuple[Parameter, ...]
    structs: dict[str, str]
    dimensions: int
    is_host: bool = False
    is_flat: bool = False
    strides: bool = False

    @property
    def text(self) -> str:
        """The structs, and the kernel up to its body."""
        structs = "".join(f"struct {name} {{ {members} }};\n\n" for name, members in self.structs.items())
        parameters = ",\n".join(f"    {parameter}" for parameter in self.parameters)
        return f"{structs}{'' if self.is_host else '__global__ '}void {self.name}(\n{parameters})"


def argument_named(launch: Launch, name: str) -> Argument:
    """Return the argument with a name, or the member of a struct with a name such as ``state.positions``.

    Raises:
        KeyError: if there is none.
    """
    root, _, member = name.partition(".")
    for argument in launch.args:
        if argument.name == root and not member:
            return argument
        if argument.name == root:
            return next(replace(field, name=name) for field in argument.fields if field.name == member)
    raise KeyError(name)


def plain_signature(pair: Pair, name: str) -> Signature | None:
    """Return the plain signature of a pair's kernel, or None if an argument has no plain form."""
    launch, forward = pair.metadata.launch, pair.cuda_ir_forward
    dimensions = text_format.LAUNCH_DIMENSIONS.search(forward or "")
    defined = text_format.kernel_opening(pair.metadata.kernel_name, "cuda", "forward")
    if launch is None or dimensions is None or defined not in (forward or ""):
        return None
    if len(launch.dim) != int(dimensions[1]) or len(launch.dim) > MAX_DIMENSIONS:
        return None
    if text_format.BLOCK_OPERATION.search(forward or ""):
        return None
    try:
        return _signature(launch, name)
    except (WarpsmithError, KeyError):
        return None


def program_signature(pair: Pair, name: str) -> Signature | None:
    """Return the signature of the function that launches the kernels for a pair, or None as `plain_signature`."""
    signature = plain_signature(pair, name)
    return None if signature is None else replace(signature, is_host=True)


def _signature(launch: Launch, name: str) -> Signature | None:
    structs: dict[str, str] = {}
    parameters = [Parameter(f"dim{number}", "int", "", number) for number in range(len(launch.dim))]
    for argument in launch.args:
        parameters += _parameters(argument, structs)
    names = [name, *structs, *(parameter.name for parameter in parameters)]
    if not all(map(is_free, names)) or len(set(names)) != len(names):
        return None
    return Signature(name, tuple(parameters), structs, len(launch.dim))


def parameters_of(argument: Argument) -> list[Parameter]:
    """Return the parameters of an argument without a struct.

    Raises:
        WarpsmithError: if it has no plain form.
    """
    return [*_parameters(argument, {})]


def _parameters(argument: Argument, structs: dict[str, str]) -> Iterator[Parameter]:
    """Yield the parameters of an argument, and add its struct to ``structs``."""
    constant = "const " if argument.role == "input" else ""
    if argument.kind not in ("value", "array", "struct"):
        raise WarpsmithError(f"{argument.name} has no plain form")
    if argument.fields:
        ctype = _struct(argument, structs)
        components: tuple[int, ...] = ()
    else:
        scalar, components = element(argument.dtype)
        ctype = C_TYPES[scalar.__name__.removesuffix("_")]
    if argument.kind == "array" or components:
        yield Parameter(argument.name, f"{constant}{ctype}*", argument.name)
    else:
        yield Parameter(argument.name, ctype, argument.name)
    for number in range(len(argument.shape)):
        yield Parameter(f"{argument.name}_shape{number}", "int", argument.name, number)


def _struct(argument: Argument, structs: dict[str, str]) -> str:
    name = _HASH.sub("", argument.dtype)
    members = []
    for member in argument.fields:
        if member.kind != "value" or member.fields or not is_free(member.name):
            raise WarpsmithError(f"{argument.name}.{member.name} has no plain form")
        scalar, components = element(member.dtype)
        length = f"[{math.prod(components)}]" if components else ""
        members.append(f"{C_TYPES[scalar.__name__.removesuffix('_')]} {member.name}{length};")
    if structs.setdefault(name, " ".join(members)) != " ".join(members):
        raise WarpsmithError(f"two structs are called {name}")
    return name
