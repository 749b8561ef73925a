"""An estimate of the time of a launch from its counts, to compare variants of a kernel.

The parts of a launch are issue, arithmetic units, memory, shared memory, atomics, and the latency of the warp that executes the
most instructions. They overlap, but not fully: the cubic norm of their cycles is the estimate. Caches and the clock of a real
device are not modelled. The figure orders variants; it is no measurement.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from warpsmith.simt.compilers.occupancy_limits import WARP, Occupancy
from warpsmith.simt.compilers.resource_usage import ResourceUsage
from warpsmith.simt.launches.launch_results import Counts

_SECTOR = 32
"""Bytes of a sector of memory."""


@dataclass(frozen=True, slots=True)
class Device:
    """A device of one architecture, as its data sheet describes it.

    Attributes:
        name: the device.
        multiprocessors: how many it has.
        clock: cycles of a microsecond.
        bandwidth: bytes of memory per cycle.
        lanes: operations of a multiprocessor per cycle, by class of instructions. The table "Throughput of Native Arithmetic
            Instructions" of the CUDA programming guide contains them.
    """

    name: str
    multiprocessors: int
    clock: float
    bandwidth: float
    lanes: Mapping[str, int]


def _lanes(float32: int, float64: int, special: int = 16, convert: int = 16) -> dict[str, int]:
    plain = {"integer": 64, "logic": 64, "move": 64}
    return {"float32": float32, "float64": float64, "special": special, "convert": convert, **plain}


DEVICES = {
    80: Device("A100", 108, 1410.0, 1103.0, _lanes(64, 32)),
    86: Device("RTX 3090", 82, 1695.0, 552.0, _lanes(128, 2)),
    89: Device("RTX 4090", 128, 2520.0, 400.0, _lanes(128, 2)),
    90: Device("H100", 132, 1830.0, 1830.0, _lanes(128, 64)),
}
"""The devices by architecture."""

_ISSUED = 4
"""Warp instructions of a multiprocessor per cycle."""

_SECTORS = 2
"""Sectors per cycle between a multiprocessor and the second-level cache."""

_DEPENDENT = 5
"""Cycles until the result of an instruction can be used."""

_MEMORY = 500
"""Cycles until a value from memory arrives."""

_OUTSTANDING = 4
"""Loads of a warp that wait at a time."""

_SHARED = 25
"""Cycles until a value from shared memory arrives."""

_LOCAL = 8
"""Cycles that an access to local memory costs a warp: the first-level cache contains the values."""

_BARRIER = 20

_REGISTER = 4
"""Bytes of a register."""

_NORM = 3


@dataclass(frozen=True, slots=True)
class TimeEstimate:
    """An estimate of the time of a launch.

    Attributes:
        microseconds: the time of the kernel, without the launch.
        limit: the slowest part.
        cycles: the cycles of each part.
        device: the device that the figures belong to.
    """

    microseconds: float
    limit: str
    cycles: dict[str, float]
    device: str


def estimate_time(
    counts: Counts, usage: ResourceUsage, occupancy: Occupancy, blocks: int, threads: int, arch: int = 90
) -> TimeEstimate | None:
    """Return an estimate of the time of a launch; None if the table has no device of the architecture, or no block can run.

    Args:
        counts: the counts of the launch.
        usage: what the kernel needs; PTX and thus the counts contain no spills.
        occupancy: how many blocks run on a multiprocessor at a time.
        blocks: the blocks of the grid.
        threads: the threads of a block.
        arch: the compute capability, times ten.
    """
    device = DEVICES.get(arch)
    if device is None or occupancy.blocks == 0:
        return None
    warps = blocks * math.ceil(threads / WARP)
    local = counts.local_requests + warps * (usage.spill_stores + usage.spill_loads) // _REGISTER
    cycles = _throughput(counts, local, device, min(blocks, device.multiprocessors))
    rounds = math.ceil(blocks / (device.multiprocessors * occupancy.blocks))
    longest = max(counts.longest_warp * warps / counts.steps, 1.0) if counts.steps else 1.0
    cycles["latency"] = (rounds + longest - 1.0) * _latency(counts, local, blocks, warps)
    limit = max(cycles, key=lambda part: cycles[part])
    total = sum(part**_NORM for part in cycles.values()) ** (1 / _NORM)
    return TimeEstimate(total / device.clock, limit, cycles, device.name)


def _throughput(counts: Counts, local: int, device: Device, busy: int) -> dict[str, float]:
    """Return the cycles of each unit if nothing else limits the launch.

    Args:
        counts: the counts of the launch.
        local: requests for local memory, spills included.
        device: the device.
        busy: the multiprocessors that have a block.
    """
    units = {name: counts.instructions.get(name, 0) * WARP / lanes / busy for name, lanes in device.lanes.items()}
    arithmetic = max(units, key=lambda name: units[name])
    return {
        "issue": (sum(counts.instructions.values()) + local) / _ISSUED / busy,
        f"{arithmetic} units": units[arithmetic],
        "memory requests": (counts.global_requests + local) / busy,
        "cache": (counts.global_sectors + local * WARP * _REGISTER / _SECTOR) / _SECTORS / busy,
        "memory": counts.global_footprint * _SECTOR / device.bandwidth,
        "shared memory": (counts.shared_passes + counts.shared_conflicts) / busy,
        "atomics": counts.atomic_requests / busy + counts.atomic_conflicts,
    }


def _latency(counts: Counts, local: int, blocks: int, warps: int) -> float:
    """Return the cycles of an average warp that runs alone."""
    memory = counts.global_requests * _MEMORY / _OUTSTANDING + counts.global_sectors / _SECTORS + local * _LOCAL
    shared = counts.shared_requests * _SHARED / _OUTSTANDING + counts.shared_passes
    instructions = sum(counts.instructions.values()) * _DEPENDENT
    return (instructions + memory + shared) / warps + counts.barriers / blocks * _BARRIER
