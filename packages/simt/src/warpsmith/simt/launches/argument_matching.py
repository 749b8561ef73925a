"""Arguments of a launch in the order of the kernel's parameters, checked against their sizes and declared types."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from warpsmith.core.errors import WarpsmithError
from warpsmith.simt.launches.argument_specs import Argument, ArgumentSpec, build_argument
from warpsmith.simt.launches.kernel_signatures import Declared

POINTER_SIZE = 8


@dataclass(frozen=True, slots=True)
class Signature:
    """The parameters of a kernel.

    Attributes:
        kernel: the name of the kernel.
        sizes: their bytes, from the PTX.
        declared: their types and names, from the source; None if they are unknown.
    """

    kernel: str
    sizes: tuple[int, ...]
    declared: tuple[Declared, ...] | None

    def __str__(self) -> str:
        if self.declared is not None:
            return f"{self.kernel}({', '.join(map(str, self.declared))})"
        return f"{self.kernel}({', '.join(f'{size} bytes' for size in self.sizes)})"

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the parameters, or ``"argument 0"`` and so on."""
        declared = self.declared or [Declared("", "")] * len(self.sizes)
        return tuple(parameter.name or f"argument {index}" for index, parameter in enumerate(declared))


def find_signature(kernel: str, sizes: Sequence[int], overloads: Sequence[tuple[Declared, ...]]) -> Signature:
    """Return the signature of a kernel; the declaration is the only one with as many parameters as the PTX.

    Args:
        kernel: the plain name of the kernel.
        sizes: the bytes of its parameters in PTX.
        overloads: the declarations of this name in the source.
    """
    fitting = [declared for declared in overloads if len(declared) == len(sizes)]
    return Signature(kernel, tuple(sizes), fitting[0] if len(fitting) == 1 else None)


def match_arguments(signature: Signature, arguments: Sequence[ArgumentSpec | Argument], seed: int) -> list[Argument]:
    """Return the values of the arguments in the order of the parameters.

    Args:
        signature: the parameters.
        arguments: texts that were parsed, or values. They are matched by name if their names are those of the parameters,
            otherwise by position.
        seed: the seed of random elements; each parameter has its own stream.

    Raises:
        WarpsmithError: if number, names, sizes or types do not fit. The message contains the signature.
    """
    ordered = _in_order(signature, arguments)
    values = [_value(argument, np.random.default_rng([seed, index])) for index, argument in enumerate(ordered)]
    for index, value in enumerate(values):
        _check(signature, index, value)
    return values


def _in_order(signature: Signature, arguments: Sequence[ArgumentSpec | Argument]) -> list[ArgumentSpec | Argument]:
    named = {argument.name: argument for argument in arguments if isinstance(argument, ArgumentSpec) and argument.name}
    repeated = [name for name, count in Counter(_names(arguments)).items() if count > 1]
    if repeated:
        raise WarpsmithError(f"the argument {repeated[0]!r} is there twice: {signature}")
    declared = {parameter.name for parameter in signature.declared or ()} - {""}
    unknown = [name for name in named if name not in declared]
    if declared & named.keys() and unknown:
        raise WarpsmithError(f"{unknown[0]!r} is not a parameter: {signature}")
    if len(arguments) != len(signature.sizes):
        counted = f"{len(signature.sizes)} parameters, and {len(arguments)} arguments are given"
        missing = [name for name in signature.names if name in declared - named.keys()] if named and not unknown else []
        raise WarpsmithError(f"{signature} has {counted}{': missing: ' + ', '.join(missing) if missing else ''}")
    if len(named) == len(arguments) and set(named) == set(signature.names):
        return [named[name] for name in signature.names]
    return list(arguments)


def _names(arguments: Sequence[ArgumentSpec | Argument]) -> list[str]:
    return [argument.name for argument in arguments if isinstance(argument, ArgumentSpec) and argument.name]


def _value(argument: ArgumentSpec | Argument, rng: np.random.Generator) -> Argument:
    return build_argument(argument, rng) if isinstance(argument, ArgumentSpec) else argument


def _check(signature: Signature, index: int, value: Argument) -> None:
    size, name = signature.sizes[index], signature.names[index]
    given = f"{value.dtype}[{','.join(map(str, value.shape))}]" if isinstance(value, np.ndarray) else str(value.dtype)
    if isinstance(value, np.ndarray) and size != POINTER_SIZE:
        raise WarpsmithError(f"{name} has {size} bytes and is no pointer, {given} is given: {signature}")
    if not isinstance(value, np.ndarray) and value.dtype.itemsize != size:
        raise WarpsmithError(f"{name} has {size} bytes, {given} has {value.dtype.itemsize}: {signature}")
    if signature.declared is not None:
        _check_declared(signature, signature.declared[index], name, value, given)


def _check_declared(signature: Signature, declared: Declared, name: str, value: Argument, given: str) -> None:
    is_array = isinstance(value, np.ndarray)
    if declared.is_pointer and not is_array and value != 0:
        raise WarpsmithError(f"{name} is a pointer, {given} is a number: state an array or null: {signature}")
    if declared.number is not None and declared.is_pointer != is_array and not declared.is_pointer:
        raise WarpsmithError(f"{name} is a number, {given} is an array: {signature}")
    if declared.number is not None and declared.is_pointer == is_array and not _alike(declared.number, value.dtype):
        raise WarpsmithError(f"{name} has the type {declared.type}, {given} is given: {signature}")


def _alike(number: str, dtype: np.dtype[np.generic]) -> bool:
    """Return whether types are equal, apart from the sign of integers."""
    expected = np.dtype(number)
    integers = "iub"
    same_kind = expected.kind == dtype.kind or (expected.kind in integers and dtype.kind in integers)
    return same_kind and expected.itemsize == dtype.itemsize
