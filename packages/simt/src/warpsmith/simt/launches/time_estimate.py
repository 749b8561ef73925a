"""An estimate of the time of a launch from its counts, to compare variants of a kernel.

The model takes the slowest of several limits: issue, arithmetic units, memory, shared memory, atomics, and the latency of one
warp. Caches, the overlap of limits and the clock of a real device are not modelled. The figure orders variants; it is no
measurement.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from warpsmith.simt.compilers.occupancy_limits import WARP, Occupancy

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

_REPLAY = 1
"""Cycles of one pass through shared memory, and of one atomic operation on an element that others use."""

_DEPENDENT = 5
"""Cycles until the result of an instruction can be used."""

_MEMORY = 500
"""Cycles until a value from memory arrives."""

_OUTSTANDING = 4
"""Loads of a warp that wait at a time."""

_BARRIER = 20


class LaunchCounts(Protocol):
    """The counts that the estimate uses."""

    @property
    def instructions(self) -> Mapping[str, int]:
        """Warp instructions by class."""

    @property
    def global_requests(self) -> int:
        """Loads and stores of warps in global memory."""

    @property
    def global_sectors(self) -> int:
        """Sectors that they touch."""

    @property
    def shared_passes(self) -> int:
        """Passes through shared memory."""

    @property
    def local_requests(self) -> int:
        """Loads and stores of warps in local memory."""

    @property
    def atomic_requests(self) -> int:
        """Atomic operations of warps."""

    @property
    def atomic_conflicts(self) -> int:
        """Lanes that share an element with another lane of the request."""

    @property
    def barriers(self) -> int:
        """Barriers that warps wait at."""


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


def estimate_time(counts: LaunchCounts, occupancy: Occupancy, blocks: int, threads: int, arch: int = 90) -> TimeEstimate | None:
    """Return an estimate of the time of a launch; None if the table has no device of the architecture, or no block can run.

    Args:
        counts: the counts of the launch.
        occupancy: how many blocks run on a multiprocessor at a time.
        blocks: the blocks of the grid.
        threads: the threads of a block.
        arch: the compute capability, times ten.
    """
    device = DEVICES.get(arch)
    if device is None or occupancy.blocks == 0:
        return None
    busy = min(blocks, device.multiprocessors)
    cycles = _throughput(counts, device, busy) | {"latency": _latency(counts, occupancy, device, blocks, threads)}
    limit = max(cycles, key=lambda part: cycles[part])
    return TimeEstimate(cycles[limit] / device.clock, limit, cycles, device.name)


def _throughput(counts: LaunchCounts, device: Device, busy: int) -> dict[str, float]:
    """Return the cycles of each unit if nothing else limits the launch."""
    units = {name: counts.instructions.get(name, 0) * WARP / lanes / busy for name, lanes in device.lanes.items()}
    arithmetic = max(units, key=lambda name: units[name])
    accesses = counts.global_requests + counts.local_requests + counts.atomic_requests
    return {
        "issue": sum(counts.instructions.values()) / _ISSUED / busy,
        f"{arithmetic} units": units[arithmetic],
        "memory requests": accesses / busy,
        "cache": (counts.global_sectors + counts.local_requests * WARP * 4 / _SECTOR) / _SECTORS / busy,
        "memory": counts.global_sectors * _SECTOR / device.bandwidth,
        "shared memory": counts.shared_passes * _REPLAY / busy,
        "atomics": counts.atomic_requests / busy + counts.atomic_conflicts * _REPLAY,
    }


def _latency(counts: LaunchCounts, occupancy: Occupancy, device: Device, blocks: int, threads: int) -> float:
    """Return the cycles of an average warp, times the number of warps that follow each other."""
    warps = blocks * math.ceil(threads / WARP)
    rounds = math.ceil(blocks / (device.multiprocessors * occupancy.blocks))
    accesses = counts.global_requests + counts.atomic_requests + counts.local_requests
    waiting = accesses * _MEMORY / _OUTSTANDING + counts.barriers * _BARRIER
    return rounds * (sum(counts.instructions.values()) * _DEPENDENT + waiting) / warps
