"""Counts of launches against numbers that follow from the CUDA text by hand."""

from __future__ import annotations

import numpy as np
import pytest

from warpsmith.simt import Check, Module, compile_ptx
from warpsmith.simt.launches.launch_results import Counts

KERNELS = """
extern "C" __global__ void copy(const float* x, float* y) { int i = blockIdx.x * 64 + threadIdx.x; y[i] = x[i]; }
extern "C" __global__ void again(const float* x, float* y) { int i = threadIdx.x; for (int k = 0; k < 8; k++) y[i] += x[i]; }
extern "C" __global__ void every_eighth(const float* x, float* y) { int i = threadIdx.x; y[8 * i] = x[8 * i]; }
extern "C" __global__ void first_thread(const float* x, float* y) {
    if (blockIdx.x + threadIdx.x == 0) for (int i = 0; i < 256; i++) y[i] = x[i] * 3.0f;
}
extern "C" __global__ void shared_sum(const int* x, int* y) {
    __shared__ int sum;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    atomicAdd(&sum, x[threadIdx.x] ^ threadIdx.x);
    __syncthreads();
    if (threadIdx.x == 0) y[0] = sum;
}
extern "C" __global__ void global_sum(const int* x, int* y) { y[0] = 0; atomicMax(&y[x[threadIdx.x] & 1], threadIdx.x); }
"""


@pytest.fixture(scope="module")
def module() -> Module:
    return Module(compile_ptx(KERNELS))


def counts(module: Module, name: str, blocks: int = 1, threads: int = 64, dtype: type = np.float32) -> Counts:
    arrays = [np.zeros(1024, dtype), np.zeros(1024, dtype)]
    return module.launch(name, blocks, threads, arrays, checks=Check.TRAFFIC).counts


def test_sectors_that_are_touched_again_belong_to_the_footprint_once(module: Module) -> None:
    once, again = counts(module, "copy"), counts(module, "again")
    assert once.global_footprint == once.global_sectors == 2 * 64 * 4 // 32
    assert again.global_footprint == once.global_footprint
    assert again.global_sectors > once.global_sectors


def test_scattered_elements_have_a_sector_each(module: Module) -> None:
    assert counts(module, "every_eighth").global_footprint == 2 * 64


def test_the_longest_warp_is_the_one_that_does_the_work(module: Module) -> None:
    serial, parallel = counts(module, "first_thread", 4), counts(module, "copy", 4)
    assert serial.longest_warp > 0.9 * serial.steps
    assert parallel.longest_warp * 8 == parallel.steps


def test_conflicts_of_shared_and_global_memory_are_counted_apart(module: Module) -> None:
    shared, everywhere = counts(module, "shared_sum", dtype=np.int32), counts(module, "global_sum", dtype=np.int32)
    assert (shared.shared_conflicts, shared.atomic_conflicts) == (2 * 31, 0)
    assert (everywhere.shared_conflicts, everywhere.atomic_conflicts) == (0, 2 * 31)


def test_counts_of_a_larger_launch_follow_from_two_launches(module: Module) -> None:
    one, two, eight = (counts(module, "copy", blocks) for blocks in (1, 2, 8))
    assert one.extrapolated(two, 7.0) == eight
