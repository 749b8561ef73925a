"""A launch of a program on the machine: its sizes, and the memory that C++ reads and writes."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Sequence
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np

from warpsmith.simt.launches.device_memory import HEAP_ADDRESS, Region
from warpsmith.simt.launches.kernel_arguments import LaunchError, constants
from warpsmith.simt.launches.launch_checks import Check
from warpsmith.simt.lowering.instruction_encoding import HANDLER, ROW
from warpsmith.simt.lowering.lowered_program import Program
from warpsmith.simt.machine.engine import start_machine
from warpsmith.simt.machine.layout import CallTarget, Range, RawFinding, RawLaunch
from warpsmith.simt.machine.operation_units import operation_table

THREAD_LIMIT, BLOCK_LIMIT, SHARED_LIMIT = 1024, 1 << 31, 232448
"""Threads of a block, blocks of a grid, and bytes of shared memory of a block that CUDA allows."""

FINDING_LIMIT = 256
PRINTED_BYTES = 1 << 20
HEAP_BYTES, HEAP_ALLOCATIONS = 8 << 20, 4096

RESIDENT_BYTES = 512 << 20
"""Memory of the blocks that run at the same time, because they wait for each other."""

_RUNTIME_CALLS = {HANDLER[name] for name in ("print", "allocate", "release")}


@dataclass(frozen=True, slots=True)
class LaunchSizes:
    """The sizes of a launch: blocks, threads of a block, and bytes of static and dynamic shared memory."""

    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    shared: int

    @classmethod
    def of(cls, program: Program, grid: int | Sequence[int], block: int | Sequence[int], shared: int) -> LaunchSizes:
        """Return the sizes of a launch with ``shared`` bytes of dynamic shared memory.

        Raises:
            LaunchError: if CUDA or the kernel does not allow them.
        """
        sizes = cls(_three(grid), _three(block), program.shared_size + shared)
        threads, blocks = math.prod(sizes.block), math.prod(sizes.grid)
        limit = min(program.max_threads or THREAD_LIMIT, THREAD_LIMIT)
        if threads > limit:
            raise LaunchError(f"a block of {threads} threads is larger than the {limit} that {program.name} allows")
        if blocks * threads >= BLOCK_LIMIT:
            raise LaunchError(f"a launch of {blocks} blocks of {threads} threads has more than {BLOCK_LIMIT - 1} threads")
        if shared < 0 or sizes.shared > SHARED_LIMIT:
            raise LaunchError(f"{sizes.shared} bytes of shared memory are not among the 0 to {SHARED_LIMIT} of a block")
        return sizes


def _three(sizes: int | Sequence[int]) -> tuple[int, int, int]:
    given = (sizes,) if isinstance(sizes, int) else tuple(sizes)
    if not 1 <= len(given) <= 3 or any(int(size) < 1 for size in given):
        raise LaunchError(f"a grid or block has one to three positive sizes, not {given}")
    x, y, z = (*(int(size) for size in given), 1, 1)[:3]
    return x, y, z


class _ProgramArrays:
    """The arrays of a program that are the same in all of its launches."""

    def __init__(self, program: Program) -> None:
        targets = program.targets
        self.targets = (CallTarget * len(targets))(
            *(CallTarget(target.entry, target.first_slot, target.slots, target.frame, target.used) for target in targets)
        )
        self.numbers = np.array(program.function_numbers or [-1], np.int32)
        self.tables = np.array(program.tables or [0], np.int32)
        self.specials = np.array(program.specials, np.int32)
        self.operations = operation_table(program.operations)
        self.calls_runtime = bool(_RUNTIME_CALLS & set(program.code.words[::ROW]))

    def describe(self, program: Program, raw: RawLaunch) -> None:
        """Enter the addresses into a launch."""
        raw.code, raw.code_count = program.code.words.buffer_info()[0], len(program.code)
        raw.operations = ctypes.addressof(self.operations)
        raw.targets, raw.target_count = ctypes.addressof(self.targets), len(program.targets)
        raw.function_numbers, raw.function_count = self.numbers.ctypes.data, len(program.function_numbers)
        raw.tables, raw.table_count = self.tables.ctypes.data, len(program.tables)
        raw.specials, raw.slots = self.specials.ctypes.data, program.slots
        raw.parameter_size, raw.local_size = program.parameter_size, program.frame + program.stack


_arrays: WeakKeyDictionary[Program, _ProgramArrays] = WeakKeyDictionary()


def _ranges(regions: Sequence[Region], allocations: int) -> tuple[ctypes.Array[Range], int]:
    """Return the memory of a launch in the order of addresses, with room for allocations, and the number of ranges."""
    used = sorted((region for region in regions if region.memory.size), key=lambda region: region.address)
    ranges = (Range * (len(used) + allocations + 1))()
    for raw, region in zip(ranges, used, strict=False):
        raw.low, raw.high, raw.host = region.address, region.address + region.memory.size, region.memory.ctypes.data
        raw.argument, raw.writable = region.argument, region.writable
    return ranges, len(used)


def run_program(
    program: Program,
    sizes: LaunchSizes,
    parameters: bytes,
    regions: Sequence[Region],
    checks: Check,
    limit: int,
    reverse: bool,
) -> tuple[RawLaunch, list[RawFinding], str]:
    """Run a program; memory is changed in place.

    Args:
        program: the lowered kernel.
        sizes: the sizes of the launch.
        parameters: the bytes of the kernel's parameters.
        regions: the memory that the kernel may access.
        checks: what to check and count.
        limit: instructions of warps after which the launch ends.
        reverse: whether blocks, warps, and threads within atomic operations run in the opposite order.

    Returns:
        the launch with its counts, the findings, and what was printed.
    """
    arrays = _arrays.get(program)
    if arrays is None:
        arrays = _arrays[program] = _ProgramArrays(program)
    ranges, count = _ranges(regions, HEAP_ALLOCATIONS * arrays.calls_runtime)
    heap = np.zeros(HEAP_BYTES * arrays.calls_runtime, np.uint8)
    printed = np.zeros(PRINTED_BYTES * arrays.calls_runtime, np.uint8)
    content = np.frombuffer(parameters.ljust(program.parameter_size, b"\0") + bytes(16), np.uint8).copy()
    slots, bits = constants(program, parameters)
    findings = (RawFinding * FINDING_LIMIT)()
    raw = RawLaunch()
    arrays.describe(program, raw)
    raw.constant_slots, raw.constant_values, raw.constant_count = slots.ctypes.data, bits.ctypes.data, len(slots)
    raw.parameters = content.ctypes.data
    raw.ranges, raw.range_count, raw.heap_ranges = ctypes.addressof(ranges), count, len(ranges)
    raw.heap, raw.heap_address, raw.heap_size = heap.ctypes.data, HEAP_ADDRESS, heap.size
    raw.findings, raw.finding_capacity = ctypes.addressof(findings), FINDING_LIMIT
    raw.printed, raw.printed_capacity = printed.ctypes.data, printed.size
    raw.limit, raw.memory, raw.checks, raw.reversed = limit, RESIDENT_BYTES, checks.value, reverse
    raw.shared_size, raw.grid[:], raw.block[:] = sizes.shared, sizes.grid, sizes.block
    start_machine()(raw)
    text = printed[: raw.printed_size].tobytes().decode(errors="replace")
    return raw, list(findings[: raw.finding_count]), text
