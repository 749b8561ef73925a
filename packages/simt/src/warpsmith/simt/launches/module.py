"""Modules of PTX and launches of their kernels on the machine."""

from __future__ import annotations

import ctypes
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from warpsmith.core.errors import WarpsmithError
from warpsmith.simt.launches.checks import Check
from warpsmith.simt.launches.device_memory import HEAP_ADDRESS, MODULE_ADDRESS, DeviceMemory, Region
from warpsmith.simt.launches.finding_texts import describe_findings
from warpsmith.simt.launches.launch_results import Counts, Run
from warpsmith.simt.lowering.encoding import WINDOWS
from warpsmith.simt.lowering.program import Program
from warpsmith.simt.lowering.program_lowering import lower
from warpsmith.simt.machine.engine import start_machine
from warpsmith.simt.machine.layout import CallTarget, Range, RawFinding, RawLaunch
from warpsmith.simt.machine.operation_units import operation_table
from warpsmith.simt.ptx.module_parser import parse_module
from warpsmith.simt.ptx.syntax import Variable

LIMIT = 2_000_000_000
"""Instructions of warps after which a launch ends."""

MOST_THREADS, MOST_BLOCKS, MOST_SHARED = 1024, 1 << 31, 232448
"""Threads of a block, blocks of a grid, and bytes of shared memory of a block that CUDA allows."""

MOST_FINDINGS = 256
PRINTED_BYTES = 1 << 20
HEAP_BYTES, HEAP_ALLOCATIONS = 8 << 20, 4096
RESIDENT_BYTES = 512 << 20
"""Memory of the blocks that run at the same time, because they wait for each other."""


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


class Module:
    """A module of PTX.

    Attributes:
        syntax: the parsed text.
        kernels: by name.
    """

    def __init__(self, text: str) -> None:
        """Parse the text of a module.

        Raises:
            PtxError: if the text is no PTX.
            UnsupportedPtx: if the machine does not support the module.
        """
        self.syntax = parse_module(text)
        self.kernels = {
            function.name: Kernel(function.name, tuple(map(_parameter, function.parameters)), function.max_threads)
            for function in self.syntax.functions.values()
            if function.is_kernel and function.start >= 0
        }
        self._programs: dict[str, Program] = {}
        self._addresses, self._initial = self._place_variables()

    def kernel(self, name: str) -> Kernel:
        """Return the kernel with a mangled or plain name.

        Raises:
            LaunchError: if there is none, or a plain name fits several.
        """
        if name in self.kernels:
            return self.kernels[name]
        found = [
            kernel
            for mangled, kernel in self.kernels.items()
            if re.match(rf"_Z(?:N[\w]*?|L)?{len(name)}{re.escape(name)}", mangled)
        ]
        if len(found) == 1:
            return found[0]
        names = ", ".join(sorted(self.kernels)) or "none"
        if found:
            raise LaunchError(f"{len(found)} kernels are named {name}: use one of {', '.join(kernel.name for kernel in found)}")
        raise LaunchError(f"the module has no kernel {name}; its kernels are {names}")

    def program(self, name: str) -> Program:
        """Return the lowered kernel.

        Raises:
            LaunchError: if there is no such kernel.
            PtxError: if its body is no PTX.
            UnsupportedPtx: if the machine lacks an instruction.
        """
        mangled = self.kernel(name).name
        if mangled not in self._programs:
            self._programs[mangled] = lower(self.syntax, self.syntax.functions[mangled], self._addresses)
        return self._programs[mangled]

    def launch(
        self,
        name: str,
        grid: int | Sequence[int],
        block: int | Sequence[int],
        arguments: Sequence[Any] = (),
        shared: int = 0,
        checks: Check = Check.ALL,
        limit: int = LIMIT,
        *,
        reverse: bool = False,
        memory: DeviceMemory | None = None,
    ) -> Run:
        """Run a kernel.

        Args:
            name: the mangled name, or a plain name that fits one kernel.
            grid: the number of blocks in up to three dimensions.
            block: the number of threads of a block in up to three dimensions.
            arguments: one for each parameter: NumPy arrays, which are copied; NumPy or Python numbers; bytes or structures of
                ctypes, which may contain addresses of ``memory``.
            shared: bytes of dynamic shared memory.
            checks: what to check and count.
            limit: instructions of warps after which the launch ends with the finding ``step_limit``.
            reverse: whether blocks, warps, and threads within atomic operations run in the opposite order.
            memory: further arrays that the kernel may access.

        Raises:
            LaunchError: if the kernel, its arguments or a size is wrong.
            PtxError: if the body of the kernel is no PTX.
            UnsupportedPtx: if the machine lacks an instruction of it.
        """
        kernel = self.kernel(name)
        program = self.program(name)
        memory = memory if memory is not None else DeviceMemory()
        parameters, regions = _pack(kernel, program, arguments, memory)
        result = self.run(program, grid, block, parameters, memory.regions, shared, checks, limit, reverse)
        raw, findings = result
        arrays = [
            None if region is None else np.frombuffer(region.memory.tobytes(), array.dtype).reshape(array.shape).copy()
            for array, region in regions
        ]
        unchecked = ("GLOBAL_RACES",) if checks & Check.GLOBAL_RACES and not raw.checks & Check.GLOBAL_RACES.value else ()
        texts = describe_findings(self.syntax, program, findings, memory.regions, raw, [array for array, _ in regions])
        return Run(arrays, texts, Counts.from_raw(raw.counts), self._printed, not raw.stopped, unchecked)

    def run(
        self,
        program: Program,
        grid: int | Sequence[int],
        block: int | Sequence[int],
        parameters: bytes,
        regions: Sequence[Region],
        shared: int = 0,
        checks: Check = Check.ALL,
        limit: int = LIMIT,
        reverse: bool = False,
    ) -> tuple[RawLaunch, list[RawFinding]]:
        """Run a program on memory that is laid out already; the memory is changed.

        Raises:
            LaunchError: if a size is wrong.
        """
        grid_sizes, block_sizes = _three(grid), _three(block)
        shared_size = program.shared_size + shared
        _check_sizes(program, grid_sizes, block_sizes, shared_size)
        variables = self._initial.copy()
        ranges = [(region.address, region.memory, region.argument, region.writable) for region in regions if region.memory.size]
        if variables.size:
            ranges.append((MODULE_ADDRESS, variables, -1, True))
        ranges.sort(key=lambda item: item[0])
        calls_malloc = any(opcode == "call" or opcode.startswith("call.") for opcode in program.code.opcodes)
        heap = np.zeros(HEAP_BYTES if calls_malloc else 0, np.uint8)
        raw_ranges = (Range * (len(ranges) + HEAP_ALLOCATIONS))()
        for raw_range, (address, content, argument, writable) in zip(raw_ranges, ranges, strict=False):
            raw_range.low, raw_range.high, raw_range.host = address, address + content.size, content.ctypes.data
            raw_range.argument, raw_range.writable = argument, writable
        values = np.frombuffer(parameters.ljust(program.parameter_size, b"\0") + bytes(16), np.uint8).copy()
        slots, bits = _constants(program, parameters)
        findings = (RawFinding * MOST_FINDINGS)()
        printed = np.zeros(PRINTED_BYTES if calls_malloc else 1, np.uint8)
        targets = (CallTarget * len(program.targets))(
            *(
                CallTarget(target.entry, target.first_slot, target.slots, target.frame, target.used)
                for target in program.targets
            )
        )
        numbers = np.array(program.function_numbers or [-1], np.int32)
        tables = np.array(program.tables or [0], np.int32)
        specials = np.array(program.specials, np.int32)
        operations = operation_table(program.operations)
        raw = RawLaunch()
        raw.code, raw.code_count = program.code.words.buffer_info()[0], len(program.code)
        raw.operations = ctypes.addressof(operations)
        raw.targets, raw.target_count = ctypes.addressof(targets), len(program.targets)
        raw.function_numbers, raw.function_count = numbers.ctypes.data, len(program.function_numbers)
        raw.tables, raw.table_count = tables.ctypes.data, len(program.tables)
        raw.constant_slots, raw.constant_values, raw.constant_count = slots.ctypes.data, bits.ctypes.data, len(slots)
        raw.specials = specials.ctypes.data
        raw.parameters, raw.parameter_size = values.ctypes.data, program.parameter_size
        raw.ranges, raw.range_count, raw.heap_ranges = ctypes.addressof(raw_ranges), len(ranges), len(raw_ranges)
        raw.heap, raw.heap_address, raw.heap_size = heap.ctypes.data, HEAP_ADDRESS, heap.size
        raw.findings, raw.finding_capacity = ctypes.addressof(findings), MOST_FINDINGS
        raw.printed, raw.printed_capacity = printed.ctypes.data, PRINTED_BYTES if calls_malloc else 0
        raw.limit, raw.memory = limit, RESIDENT_BYTES
        raw.slots, raw.shared_size, raw.local_size = program.slots, shared_size, program.frame + program.stack
        raw.checks, raw.reversed = checks.value, reverse
        raw.grid[:], raw.block[:] = grid_sizes, block_sizes
        start_machine()(raw)
        self._printed = printed[: raw.printed_size].tobytes().decode(errors="replace")
        return raw, list(findings[: raw.finding_count])

    def _place_variables(self) -> tuple[dict[str, int], npt.NDArray[np.uint8]]:
        """Return the addresses of the module's variables and their initial content."""
        addresses: dict[str, int] = {}
        size = 0
        placed = [variable for variable in self.syntax.variables.values() if variable.space in ("global", "const")]
        for variable in placed:
            alignment = max(variable.alignment, 16)
            size = -(-size // alignment) * alignment
            addresses[variable.name] = MODULE_ADDRESS + size
            size += variable.size
        content = np.zeros(size, np.uint8)
        functions = {name: WINDOWS["function"] + number for number, name in enumerate(self.syntax.functions)}
        for variable in placed:
            start = addresses[variable.name] - MODULE_ADDRESS
            if variable.data is not None:
                content[start : start + variable.size] = np.frombuffer(variable.data, np.uint8)
            for offset, target, addend in variable.addresses:
                address = addresses.get(target, functions.get(target))
                if address is None:
                    raise LaunchError(f"{variable.name} contains the address of {target}, which is not defined")
                value = np.frombuffer((address + addend).to_bytes(8, "little"), np.uint8)
                content[start + offset : start + offset + 8] = value
        return addresses, content

    _printed = ""


def _parameter(variable: Variable) -> Parameter:
    return Parameter(variable.name, variable.size, variable.alignment)


def _three(sizes: int | Sequence[int]) -> tuple[int, int, int]:
    given = (sizes,) if isinstance(sizes, int) else tuple(sizes)
    if not 1 <= len(given) <= 3 or any(int(size) < 1 for size in given):
        raise LaunchError(f"a grid or block has one to three positive sizes, not {given}")
    x, y, z = (*(int(size) for size in given), 1, 1)[:3]
    return x, y, z


def _check_sizes(program: Program, grid: tuple[int, int, int], block: tuple[int, int, int], shared: int) -> None:
    threads, blocks = math.prod(block), math.prod(grid)
    most = program.max_threads or MOST_THREADS
    if threads > min(most, MOST_THREADS):
        raise LaunchError(
            f"a block of {threads} threads is larger than the {min(most, MOST_THREADS)} that {program.name} allows"
        )
    if blocks * threads >= MOST_BLOCKS:
        raise LaunchError(f"a launch of {blocks} blocks of {threads} threads has more than {MOST_BLOCKS - 1} threads")
    if not 0 <= shared <= MOST_SHARED:
        raise LaunchError(f"{shared} bytes of shared memory are more than the {MOST_SHARED} of a block")


def _constants(program: Program, parameters: bytes) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint64]]:
    """Return slots and bits of the constants, and of the parameters that are read as constants."""
    padded = parameters.ljust(program.parameter_size, b"\0")
    values = list(program.constants)
    for slot, offset, size, signed in program.parameter_constants:
        number = int.from_bytes(padded[offset : offset + size], "little", signed=signed)
        values.append((slot, number & (1 << 64) - 1))
    slots = np.array([slot for slot, _ in values] or [0], np.uint32)[: len(values)]
    return slots, np.array([bits for _, bits in values] or [0], np.uint64)[: len(values)]


def _pack(
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
            value = _scalar(argument, parameter.size)
        if len(value) != parameter.size:
            raise LaunchError(f"argument {index} of {kernel.name} has {len(value)} bytes, the parameter {parameter.size}")
        packed[offset : offset + parameter.size] = value
        regions.append((argument, region))
    return bytes(packed), regions


def _scalar(argument: Any, size: int) -> bytes:
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
