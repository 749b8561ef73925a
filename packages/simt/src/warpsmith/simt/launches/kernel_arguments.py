"""Kernels with their parameters, and arguments in the layout that a kernel reads."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from warpsmith.core.errors import WarpsmithError
from warpsmith.simt.launches.device_memory import DeviceMemory, Region
from warpsmith.simt.lowering.lowered_program import Program
from warpsmith.simt.ptx.syntax import Function


class LaunchError(WarpsmithError):
    """A launch that cannot start: an unknown kernel, wrong arguments, or sizes that CUDA does not allow."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a kernel, as PTX describes it.

    Attributes:
        name: the name in PTX.
        size: bytes.
        alignment: bytes.
    """

    name: str
    size: int
    alignment: int


@dataclass(frozen=True, slots=True)
class Kernel:
    """A kernel of a module.

    Attributes:
        name: the mangled name.
        parameters: in order.
        max_threads: the largest number of threads of a block, 0 without a limit.
    """

    name: str
    parameters: tuple[Parameter, ...]
    max_threads: int


def kernel_of(function: Function) -> Kernel:
    """Return the description of a kernel."""
    parameters = (Parameter(variable.name, variable.size, variable.alignment) for variable in function.parameters)
    return Kernel(function.name, tuple(parameters), function.max_threads)


def constants(program: Program, parameters: bytes) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint64]]:
    """Return slots and bits of the constants, and of the parameters that are read as constants."""
    padded = parameters.ljust(program.parameter_size, b"\0")
    values = list(program.constants)
    for slot, offset, size, signed in program.parameter_constants:
        number = int.from_bytes(padded[offset : offset + size], "little", signed=signed)
        values.append((slot, number & (1 << 64) - 1))
    slots = np.array([slot for slot, _ in values] or [0], np.uint32)[: len(values)]
    return slots, np.array([bits for _, bits in values] or [0], np.uint64)[: len(values)]


def pack_arguments(
    kernel: Kernel, program: Program, arguments: Sequence[Any], memory: DeviceMemory
) -> tuple[bytes, list[tuple[Any, Region | None]]]:
    """Return the bytes of the parameters, and for each argument the array and its memory.

    Raises:
        LaunchError: if the arguments do not fit the parameters.
    """
    if len(arguments) != len(kernel.parameters):
        sizes = ", ".join(f"{parameter.size} bytes" for parameter in kernel.parameters) or "none"
        raise LaunchError(f"{kernel.name} has {len(kernel.parameters)} parameters ({sizes}), not {len(arguments)}")
    packed, regions = bytearray(program.parameter_size), []
    for index, (parameter, offset, argument) in enumerate(
        zip(kernel.parameters, program.parameter_offsets, arguments, strict=True)
    ):
        region = None
        if isinstance(argument, np.ndarray) and argument.ndim:
            region = memory.add(argument, index)
            value = region.address.to_bytes(8, "little")
        else:
            value = scalar_bytes(argument, parameter.size)
        if len(value) != parameter.size:
            raise LaunchError(f"argument {index} of {kernel.name} has {len(value)} bytes, the parameter {parameter.size}")
        packed[offset : offset + parameter.size] = value
        regions.append((argument, region))
    return bytes(packed), regions


def scalar_bytes(argument: Any, size: int) -> bytes:
    """Return the bytes of a scalar; Python numbers take the size of the parameter."""
    if isinstance(argument, bool | int):
        try:
            return int(argument).to_bytes(size, "little", signed=argument < 0)
        except OverflowError:
            raise LaunchError(f"{argument} does not fit {size} bytes") from None
    if isinstance(argument, float):
        if size not in (2, 4, 8):
            raise LaunchError(f"a floating-point number does not have {size} bytes")
        return np.array(argument, {2: np.float16, 4: np.float32, 8: np.float64}[size]).tobytes()
    if isinstance(argument, bytes | bytearray | ctypes.Structure):
        return bytes(argument)
    return np.asarray(argument).tobytes()
