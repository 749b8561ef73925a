"""How many blocks of a kernel one multiprocessor runs at a time.

The limits are those of the table "Technical Specifications per Compute Capability" of the CUDA programming guide. The rules of
allocation are those of the occupancy calculator in the header ``cuda_occupancy.h`` of CUDA.
"""

from __future__ import annotations

from dataclasses import dataclass

from warpsmith.core.errors import WarpsmithError
from warpsmith.simt.compilers.resource_usage import ResourceUsage

WARP = 32
_LARGEST_BLOCK = 1024
_MAX_REGISTERS = 255
_REGISTERS = 65536
"""Registers of a multiprocessor, and the most registers of a block."""

_PARTITIONS = 4
"""Parts of a multiprocessor. Each has its own registers."""

_REGISTER_UNIT = 256
"""Registers are allocated to warps in such units."""

_KIBIBYTE = 1024


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one architecture: per multiprocessor, and shared memory in KiB per multiprocessor and per block."""

    warps: int
    blocks: int
    shared: int
    block_shared: int
    reserved: int = 1
    shared_unit: int = 128


LIMITS = {
    75: Limits(warps=32, blocks=16, shared=64, block_shared=64, reserved=0, shared_unit=256),
    80: Limits(warps=64, blocks=32, shared=164, block_shared=163),
    86: Limits(warps=48, blocks=16, shared=100, block_shared=99),
    87: Limits(warps=48, blocks=16, shared=164, block_shared=163),
    89: Limits(warps=48, blocks=24, shared=100, block_shared=99),
    90: Limits(warps=64, blocks=32, shared=228, block_shared=227),
    100: Limits(warps=64, blocks=32, shared=228, block_shared=227),
    120: Limits(warps=48, blocks=24, shared=100, block_shared=99),
}
"""The limits by architecture."""


@dataclass(frozen=True, slots=True)
class Occupancy:
    """How many blocks and warps run on a multiprocessor at a time.

    Attributes:
        blocks: the number of blocks; 0 if a block is too large to run.
        warps: the number of warps.
        share: the warps as a part of the most warps that the multiprocessor runs.
        limit: what prevents more blocks: ``"warps"``, ``"blocks"``, ``"registers"`` or ``"shared memory"``.

    Examples:
        >>> occupancy(ResourceUsage(64, 0, 0, 0, 0, 8, 0), block=256, arch=90)
        Occupancy(blocks=4, warps=32, share=0.5, limit='registers')
    """

    blocks: int
    warps: int
    share: float
    limit: str


def occupancy(usage: ResourceUsage, block: int, shared: int = 0, arch: int = 90) -> Occupancy:
    """Return the occupancy of a kernel by its registers, shared memory and size of blocks.

    The result assumes that the launch permits as much shared memory as the architecture has, and blocks enough for all
    multiprocessors.

    Args:
        usage: what the kernel needs.
        block: threads of a block.
        shared: bytes of shared memory that the launch adds.
        arch: the compute capability, times ten.

    Raises:
        WarpsmithError: if the limits of the architecture are not in the table, or the block is empty.
    """
    if arch not in LIMITS:
        raise WarpsmithError(
            f"the limits of the architecture {arch} are unknown: {', '.join(map(str, LIMITS))} are in the table"
        )
    if block < 1 or shared < 0:
        raise WarpsmithError(f"a block of {block} threads with {shared} bytes of shared memory is no launch")
    limits = LIMITS[arch]
    warps = -(-block // WARP)
    allowed = {
        "warps": limits.warps // warps if block <= _LARGEST_BLOCK else 0,
        "blocks": limits.blocks,
        "registers": _blocks_by_registers(usage.registers, warps, limits),
        "shared memory": _blocks_by_shared_memory(usage.shared + shared, limits),
    }
    limit = min(allowed, key=lambda name: allowed[name])
    blocks = allowed[limit]
    return Occupancy(blocks, blocks * warps, blocks * warps / limits.warps, limit)


def _blocks_by_registers(registers: int, warps: int, limits: Limits) -> int:
    by_warp = _round_up(registers * WARP, _REGISTER_UNIT)
    if registers > _MAX_REGISTERS or by_warp * _round_up(warps, _PARTITIONS) > _REGISTERS:
        return 0
    if by_warp == 0:
        return limits.blocks
    return _REGISTERS // _PARTITIONS // by_warp * _PARTITIONS // warps


def _blocks_by_shared_memory(size: int, limits: Limits) -> int:
    allocated = _round_up(size + limits.reserved * _KIBIBYTE, limits.shared_unit)
    if size > limits.block_shared * _KIBIBYTE:
        return 0
    return limits.shared * _KIBIBYTE // allocated if allocated else limits.blocks


def _round_up(number: int, unit: int) -> int:
    return -(-number // unit) * unit
