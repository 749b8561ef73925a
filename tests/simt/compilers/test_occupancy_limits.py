"""Occupancy, compared with CUDA's calculator in ``cuda_occupancy.h``."""

from __future__ import annotations

import itertools
import random
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from warpsmith.core.errors import WarpsmithError
from warpsmith.simt.compilers.cuda_headers import header_folders
from warpsmith.simt.compilers.occupancy_limits import LIMITS, occupancy
from warpsmith.simt.compilers.resource_usage import ResourceUsage


def usage(registers: int, shared: int = 0) -> ResourceUsage:
    return ResourceUsage(registers, 0, shared, 0, 0, 0, 0)


@pytest.mark.parametrize(
    ("arch", "registers", "block", "shared", "blocks", "limit"),
    [
        (80, 32, 256, 0, 8, "warps"),
        (80, 64, 256, 0, 4, "registers"),
        (80, 255, 256, 0, 1, "registers"),
        (80, 32, 32, 0, 32, "blocks"),
        (80, 32, 128, 48 * 1024, 3, "shared memory"),
        (86, 32, 1024, 0, 1, "warps"),
        (86, 40, 256, 0, 6, "warps"),
        (86, 32, 32, 0, 16, "blocks"),
        (86, 16, 64, 99 * 1024, 1, "shared memory"),
        (86, 16, 64, 99 * 1024 + 1, 0, "shared memory"),
        (89, 32, 32, 0, 24, "blocks"),
        (90, 168, 128, 0, 3, "registers"),
        (90, 128, 384, 200 * 1024, 1, "registers"),
        (90, 16, 1024, 0, 2, "warps"),
        (90, 16, 64, 227 * 1024, 1, "shared memory"),
        (90, 16, 1025, 0, 0, "warps"),
        (90, 80, 1024, 0, 0, "registers"),
    ],
)
def test_known_results(arch: int, registers: int, block: int, shared: int, blocks: int, limit: str) -> None:
    found = occupancy(usage(registers), block, shared, arch)
    assert (found.blocks, found.limit) == (blocks, limit)
    assert found.warps == blocks * -(-block // 32)
    assert found.share == found.warps / LIMITS[arch].warps


def test_shared_memory_of_the_source_counts_too() -> None:
    assert occupancy(usage(16, 30_000), 64, 20_000, 80) == occupancy(usage(16), 64, 50_000, 80)


@pytest.mark.parametrize(("block", "shared", "arch"), [(0, 0, 80), (32, -1, 80), (32, 0, 81)])
def test_impossible_launches_are_errors(block: int, shared: int, arch: int) -> None:
    with pytest.raises(WarpsmithError):
        occupancy(usage(16), block, shared, arch)


CALCULATOR = """
#include <climits>
#include <cstdio>
#include "cuda_occupancy.h"

int main() {
    int major, minor, threads, registers, block, shared, fixed, optin, per_sm, reserved;
    while (std::scanf("%d %d %d %d %d %d %d %d %d %d", &major, &minor, &threads, &registers, &block, &shared, &fixed, &optin,
                      &per_sm, &reserved) == 10) {
        cudaOccDeviceProp device;
        device.computeMajor = major, device.computeMinor = minor;
        device.maxThreadsPerBlock = 1024, device.maxThreadsPerMultiprocessor = threads;
        device.regsPerBlock = device.regsPerMultiprocessor = 65536, device.warpSize = 32, device.numSms = 1;
        device.sharedMemPerBlock = 48 * 1024, device.sharedMemPerBlockOptin = optin;
        device.sharedMemPerMultiprocessor = per_sm, device.reservedSharedMemPerBlock = reserved;
        cudaOccFuncAttributes function;
        function.maxThreadsPerBlock = 1024, function.numRegs = registers, function.sharedSizeBytes = fixed;
        function.partitionedGCConfig = PARTITIONED_GC_OFF, function.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
        function.maxDynamicSharedSizeBytes = shared;
        cudaOccDeviceState state;
        state.carveoutConfig = SHAREDMEM_CARVEOUT_MAX_SHARED;
        cudaOccResult result;
        cudaOccError error = cudaOccMaxActiveBlocksPerMultiprocessor(&result, &device, &function, &state, block, shared);
        std::printf("%d\\n", error == CUDA_OCC_SUCCESS ? result.activeBlocksPerMultiprocessor : -1);
    }
}
"""


def questions() -> Iterator[tuple[int, int, int, int, int]]:
    """Yield architectures, registers, threads, and shared memory of launch and source."""
    rng = random.Random(1)  # noqa: S311
    sizes = (0, 1, 1024, 8000, 20_000, 48 * 1024, 64 * 1024 - 1, 99 * 1024, 100 * 1024, 163 * 1024, 227 * 1024)
    for arch, block, shared in itertools.product(LIMITS, (1, 32, 33, 64, 96, 160, 256, 384, 512, 1000, 1024), sizes):
        yield arch, rng.randint(1, 255), block, shared, rng.choice((0, 0, 4, 3000))


@pytest.mark.skipif(shutil.which("g++") is None or not header_folders(), reason="needs g++ and warpsmith-simt[headers]")
def test_the_calculator_of_cuda_agrees(tmp_path: Path) -> None:
    (tmp_path / "calculator.cpp").write_text(CALCULATOR)
    include = [f"-I{folder}" for folder in header_folders()]
    subprocess.run(["g++", *include, "calculator.cpp", "-o", "calculator"], cwd=tmp_path, check=True)
    asked = list(questions())
    lines = [
        f"{arch // 10} {arch % 10} {LIMITS[arch].warps * 32} {registers} {block} {shared} {fixed} "
        f"{LIMITS[arch].block_shared * 1024} {LIMITS[arch].shared * 1024} {LIMITS[arch].reserved * 1024}\n"
        for arch, registers, block, shared, fixed in asked
    ]
    done = subprocess.run([tmp_path / "calculator"], input="".join(lines), capture_output=True, text=True, check=True)
    found = [occupancy(usage(registers, fixed), block, shared, arch).blocks for arch, registers, block, shared, fixed in asked]
    assert found == list(map(int, done.stdout.split()))
    assert len({*found}) > 10
