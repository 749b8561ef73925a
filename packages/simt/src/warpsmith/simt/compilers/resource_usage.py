"""Registers, stack, shared memory and spills of kernels, read from the cubin that NVRTC writes."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass

from warpsmith.core.errors import WarpsmithError
from warpsmith.simt.compilers.cubin_sections import Cubin

_REGISTERS, _FRAME, _LEAST_STACK = 0x2F, 0x11, 0x12
"""Attributes of ``.nv.info``: a symbol and a number."""

_PARAMETERS, _MAX_THREADS, _EXACT_THREADS, _SPILLS = 0x19, 0x05, 0x10, 0x55
"""Attributes of ``.nv.info.<kernel>``."""

_INFORMATION = ".nv.info"
_RESERVED_SHARED = 1024
"""Bytes at the start of shared memory that the system uses, which cubins of sm_90 and later include."""

_FIRST_WITH_RESERVED_SHARED = 90

_LOAD_LOCAL, _STORE_LOCAL = 0x983, 0x387
"""Opcodes of machine code for local memory, since sm_70."""

_WIDTHS = (1, 1, 2, 2, 4, 8, 16, 0)
"""Bytes that an instruction for memory moves, by its field for the width."""


@dataclass(frozen=True, slots=True)
class ResourceUsage:
    """What one kernel needs of a multiprocessor.

    Attributes:
        registers: registers of a thread.
        stack: bytes of local memory of a thread: its arrays, spills and the frames of called functions. The stack of recursive
            functions is not included.
        shared: bytes of shared memory whose size the source contains; a launch may add more.
        spill_stores: bytes that a thread stores because registers do not suffice. Registers that called functions save are not
            included.
        spill_loads: bytes that a thread loads for the same reason.
        parameters: bytes of all parameters.
        max_threads: the most threads of a block by ``__launch_bounds__``, 0 without it.

    Examples:
        >>> usage = resource_usage(compile_cubin('extern "C" __global__ void fill(int* x) { x[threadIdx.x] = 1; }'))
        >>> usage["fill"].spill_stores, usage["fill"].parameters
        (0, 8)
    """

    registers: int
    stack: int
    shared: int
    spill_stores: int
    spill_loads: int
    parameters: int
    max_threads: int


def resource_usage(cubin: bytes) -> dict[str, ResourceUsage]:
    """Return what each kernel of a binary needs, by its mangled name.

    Args:
        cubin: the result of `compile_cubin`.

    Raises:
        WarpsmithError: if it is not a cubin.
    """
    binary = Cubin.read(cubin)
    numbers = _numbers(binary)
    prefix = f"{_INFORMATION}."
    kernels = [name.removeprefix(prefix) for name in binary.sections if name.startswith(prefix)]
    try:
        return {name: _usage(binary, name, numbers) for name in kernels}
    except (struct.error, IndexError) as error:
        raise WarpsmithError(f"not a cubin: the attributes of a kernel are damaged ({error})") from None


def _numbers(binary: Cubin) -> dict[tuple[int, str], int]:
    """Return the numbers of all functions, by attribute and name."""
    found: dict[tuple[int, str], int] = {}
    for attribute, value in binary.attributes(_INFORMATION):
        if attribute in (_REGISTERS, _FRAME, _LEAST_STACK) and len(value) == 8:
            symbol, number = struct.unpack("<II", value)
            if symbol < len(binary.symbols):
                found[attribute, binary.symbols[symbol]] = number
    return found


def _usage(binary: Cubin, name: str, numbers: dict[tuple[int, str], int]) -> ResourceUsage:
    attributes = dict(binary.attributes(f"{_INFORMATION}.{name}"))
    stores, loads = _spills(binary, name, attributes.get(_SPILLS, b""))
    return ResourceUsage(
        registers=numbers.get((_REGISTERS, name), 0),
        stack=max(numbers.get((_FRAME, name), 0), numbers.get((_LEAST_STACK, name), 0)),
        shared=_shared(binary, name),
        spill_stores=stores,
        spill_loads=loads,
        parameters=int.from_bytes(attributes.get(_PARAMETERS, b""), "little"),
        max_threads=_threads(attributes.get(_EXACT_THREADS) or attributes.get(_MAX_THREADS) or b""),
    )


def _shared(binary: Cubin, name: str) -> int:
    section = binary.sections.get(f".nv.shared.{name}")
    reserved = _RESERVED_SHARED if binary.arch >= _FIRST_WITH_RESERVED_SHARED else 0
    return max(section.size - reserved, 0) if section is not None else 0


def _threads(value: bytes) -> int:
    if len(value) != 12:
        return 0
    x, y, z = struct.unpack("<III", value)
    return int(x * y * z)


def _spills(binary: Cubin, name: str, annotations: bytes) -> tuple[int, int]:
    """Return the bytes that spills store and load: the attribute lists the places of their instructions."""
    text = binary.sections.get(f".text.{name}")
    if text is None:
        return 0, 0
    stores = loads = 0
    for low, high in _annotated_instructions(text.content, annotations):
        width = _WIDTHS[high >> 9 & 7]
        stores += width if low & 0xFFF == _STORE_LOCAL else 0
        loads += width if low & 0xFFF == _LOAD_LOCAL else 0
    return stores, loads


def _annotated_instructions(code: bytes, annotations: bytes) -> Iterator[tuple[int, int]]:
    for _, place in struct.iter_unpack("<II", annotations):
        yield struct.unpack_from("<QQ", code, place)
