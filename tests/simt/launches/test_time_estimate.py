"""The estimate of time: of ten pairs of variants, the one that a GPU runs faster is estimated to be faster."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import pytest

from simt.corpus.corpus_case import Case
from simt.corpus.corpus_run import run_case
from simt.corpus.tables.variants import VARIANTS
from warpsmith.simt.compilers.occupancy_limits import Occupancy, occupancy
from warpsmith.simt.compilers.resource_usage import ResourceUsage
from warpsmith.simt.launches.file_launches import KernelSource, Size, count, profile
from warpsmith.simt.launches.kernel_signatures import plain_name
from warpsmith.simt.launches.launch_checks import Check
from warpsmith.simt.launches.launch_results import Counts
from warpsmith.simt.launches.time_estimate import DEVICES, TimeEstimate, estimate_time

KERNELS = """
__global__ void coalesced(float* x) { x[blockIdx.x * 256 + threadIdx.x] *= 2; }
__global__ void strided(float* x) { x[(threadIdx.x * 64 + blockIdx.x) % 16384] *= 2; }

__global__ void tiled(const float* a, const float* b, float* c) {
    __shared__ float s[16][16], t[16][16];
    int x = threadIdx.x, y = threadIdx.y, i = blockIdx.y * 16 + y, j = blockIdx.x * 16 + x;
    float sum = 0;
    for (int k = 0; k < 64; k += 16) {
        s[y][x] = a[i * 64 + k + x];
        t[y][x] = b[(k + y) * 64 + j];
        __syncthreads();
        for (int m = 0; m < 16; m++) sum += s[y][m] * t[m][x];
        __syncthreads();
    }
    c[i * 64 + j] = sum;
}
__global__ void untiled(const float* a, const float* b, float* c) {
    int i = blockIdx.y * 16 + threadIdx.y, j = blockIdx.x * 16 + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < 64; k++) sum += a[i * 64 + k] * b[k * 64 + j];
    c[i * 64 + j] = sum;
}

#define TRANSPOSE(name, width) \\
    __global__ void name(const float* a, float* b) { \\
        __shared__ float s[32][width]; \\
        int x = threadIdx.x; \\
        for (int y = 0; y < 32; y++) s[y][x] = a[(blockIdx.x * 32 + y) * 32 + x]; \\
        __syncthreads(); \\
        for (int r = 0; r < 8; r++) \\
            for (int y = 0; y < 32; y++) b[(blockIdx.x * 32 + y) * 32 + x] += s[x][(y + r) % 32]; \\
    }
TRANSPOSE(padded, 33)
TRANSPOSE(conflicting, 32)

__device__ float work(float x, float a) { for (int i = 0; i < 200; i++) x = x * a + 1; return x; }
__global__ void uniform(float* x) { int i = blockIdx.x * 256 + threadIdx.x; x[i] = work(x[i], blockIdx.x % 4 * 0.1f); }
__global__ void divergent(float* x) {
    int i = blockIdx.x * 256 + threadIdx.x;
    switch (threadIdx.x % 4) {
        case 0: x[i] = work(x[i], 0.1f); break;
        case 1: x[i] = work(x[i], 0.2f) * 2; break;
        case 2: x[i] = work(x[i], 0.3f) - 1; break;
        default: x[i] = work(x[i], 0.4f) / 3;
    }
}

__global__ void by_four(const float4* x, float4* y) { int i = blockIdx.x * 64 + threadIdx.x; y[i] = x[i]; }
__global__ void by_one(const float* x, float* y) { int i = blockIdx.x * 256 + threadIdx.x; y[i] = x[i]; }

__global__ void floats(float* x) { int i = blockIdx.x * 256 + threadIdx.x; x[i] = work(x[i], 0.1f); }
__global__ void doubles(double* x) {
    int i = blockIdx.x * 256 + threadIdx.x;
    double v = x[i];
    for (int k = 0; k < 200; k++) v = v * 0.1 + 1;
    x[i] = v;
}

__global__ void arrays(float* x, float* y, float* z, float* w) {
    int i = blockIdx.x * 256 + threadIdx.x;
    x[i] += y[i] * z[i] - w[i];
}
__global__ void structs(float* x) {
    int i = (blockIdx.x * 256 + threadIdx.x) * 4;
    x[i] += x[i + 1] * x[i + 2] - x[i + 3];
}

__global__ void all_threads(float* x) { x[threadIdx.x] = work(x[threadIdx.x], 0.5f); }
__global__ void one_thread(float* x) { if (threadIdx.x == 0) for (int i = 0; i < 256; i++) x[i] = work(x[i], 0.5f); }

__global__ void reduced(const float* x, float* sum) {
    float v = x[blockIdx.x * 256 + threadIdx.x];
    for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(~0u, v, d);
    if (threadIdx.x % 32 == 0) atomicAdd(sum, v);
}
__global__ void contended(const float* x, float* sum) { atomicAdd(sum, x[blockIdx.x * 256 + threadIdx.x]); }

template <int N> __device__ void mix(float* x) {
    float a[N];
    #pragma unroll
    for (int i = 0; i < N; i++) a[i] = x[i * 256 + threadIdx.x];
    __syncthreads();
    #pragma unroll
    for (int i = 0; i < N; i++) x[i * 256 + threadIdx.x] = a[i * 7 % N] * a[i] + a[(i + 3) % N];
}
__global__ void in_registers(float* x) { mix<96>(x); }
__global__ void __launch_bounds__(1024, 2) spilled(float* x) { mix<96>(x); }

__global__ void by_columns(const float* x, float* y) {
    int i = blockIdx.x * 256 + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < 16; k++) sum += x[k * 4096 + i];
    y[i] = sum;
}
__global__ void by_rows(const float* x, float* y) {
    int i = blockIdx.x * 256 + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < 16; k++) sum += x[i * 16 + k];
    y[i] = sum;
}

__global__ void shared_histogram(const int* x, int* bins) {
    __shared__ int own[32];
    if (threadIdx.x < 32) own[threadIdx.x] = 0;
    __syncthreads();
    for (int k = 0; k < 8; k++) atomicAdd(&own[x[blockIdx.x * 256 + threadIdx.x] + k], 1);
    __syncthreads();
    if (threadIdx.x < 32) atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}
__global__ void global_histogram(const int* x, int* bins) {
    for (int k = 0; k < 8; k++) atomicAdd(&bins[x[blockIdx.x * 256 + threadIdx.x] + k], 1);
}

__global__ void fast_quotients(float* x) {
    int i = blockIdx.x * 256 + threadIdx.x;
    float v = x[i];
    for (int k = 1; k < 50; k++) v = __fdividef(v + k, v * v + 1);
    x[i] = v;
}
__global__ void exact_quotients(float* x) {
    int i = blockIdx.x * 256 + threadIdx.x;
    float v = x[i];
    for (int k = 1; k < 50; k++) v = (v + k) / (v * v + 1);
    x[i] = v;
}

__global__ void fast_sines(float* x) {
    int i = blockIdx.x * 256 + threadIdx.x;
    float v = x[i];
    for (int k = 1; k < 20; k++) v += __sinf(v * k);
    x[i] = v;
}
__global__ void exact_sines(float* x) {
    int i = blockIdx.x * 256 + threadIdx.x;
    float v = x[i];
    for (int k = 1; k < 20; k++) v += sinf(v * k);
    x[i] = v;
}

__global__ void over_the_grid(float* x, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) x[i] = work(x[i], 0.5f);
}

__global__ void few_barriers(float* x) {
    float v = x[blockIdx.x * 256 + threadIdx.x];
    for (int k = 0; k < 50; k++) v = v * 0.5f + k;
    __syncthreads();
    x[blockIdx.x * 256 + threadIdx.x] = v;
}
__global__ void many_barriers(float* x) {
    float v = x[blockIdx.x * 256 + threadIdx.x];
    for (int k = 0; k < 50; k++) { v = v * 0.5f + k; __syncthreads(); }
    x[blockIdx.x * 256 + threadIdx.x] = v;
}

template <int S> __device__ void through_shared(float* x) {
    __shared__ float s[256 * S];
    s[threadIdx.x * S] = x[threadIdx.x];
    __syncthreads();
    float v = 0;
    for (int k = 0; k < 64; k++) v += s[(threadIdx.x + k) % 256 * S];
    x[threadIdx.x] = v;
}
__global__ void stride_one(float* x) { through_shared<1>(x); }
__global__ void stride_eight(float* x) { through_shared<8>(x); }

__global__ void by_mask(int* x, int n) {
    int i = blockIdx.x * 256 + threadIdx.x, v = x[i];
    for (int k = 0; k < 50; k++) v = (v * 5 + k) & (n - 1);
    x[i] = v;
}
__global__ void by_remainder(int* x, int n) {
    int i = blockIdx.x * 256 + threadIdx.x, v = x[i];
    for (int k = 0; k < 50; k++) v = (v * 5 + k) % n;
    x[i] = v;
}

__global__ void read_once(const float* x, float* y) {
    int i = blockIdx.x * 256 + threadIdx.x;
    float v = x[i], sum = 0;
    for (int k = 0; k < 30; k++) sum = sum * 0.5f + v;
    y[i] = sum;
}
__global__ void read_often(const volatile float* x, float* y) {
    int i = blockIdx.x * 256 + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < 30; k++) sum = sum * 0.5f + x[i];
    y[i] = sum;
}

__global__ void by_shuffles(const float* x, float* sum) {
    __shared__ float s[8];
    int t = threadIdx.x;
    float v = x[blockIdx.x * 256 + t];
    for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(~0u, v, d);
    if (t % 32 == 0) s[t / 32] = v;
    __syncthreads();
    if (t == 0) {
        for (int w = 1; w < 8; w++) v += s[w];
        sum[blockIdx.x] = v;
    }
}
__global__ void by_tree(const float* x, float* sum) {
    __shared__ float s[256];
    int t = threadIdx.x;
    s[t] = x[blockIdx.x * 256 + t];
    __syncthreads();
    for (int d = 128; d > 0; d /= 2) {
        if (t < d) s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0) sum[blockIdx.x] = s[0];
}
"""

LARGE = "float32[16384]"


@dataclass(frozen=True)
class Variants:
    """Two kernels with launches that do the same work; the first is faster."""

    faster: str
    slower: str
    grid: Size
    block: Size
    arguments: tuple[str, ...]
    slower_grid: Size | None = None
    slower_block: Size | None = None
    slower_arguments: tuple[str, ...] | None = None


PAIRS = (
    Variants("coalesced", "strided", 64, 256, (LARGE,)),
    Variants("tiled", "untiled", (4, 4), (16, 16), ("float32[4096]", "float32[4096]", "float32[4096]:zeros")),
    Variants("padded", "conflicting", 64, 32, ("float32[65536]", "float32[65536]:zeros")),
    Variants("uniform", "divergent", 64, 256, (LARGE,)),
    Variants("by_four", "by_one", 64, 64, (LARGE, LARGE), 64, 256),
    Variants("floats", "doubles", 64, 256, (LARGE,), slower_arguments=("float64[16384]",)),
    Variants("arrays", "structs", 64, 256, (LARGE,) * 4, slower_arguments=("float32[65536]",)),
    Variants("all_threads", "one_thread", 1, 256, ("float32[256]",)),
    Variants("reduced", "contended", 64, 256, (LARGE, "float32[1]:zeros")),
    Variants("in_registers", "spilled", 1, 256, ("float32[24576]",)),
)


@cache
def source(arch: int) -> KernelSource:
    return KernelSource.from_text(KERNELS, arch=arch)


def estimate(kernel: str, grid: Size, block: Size, arguments: tuple[str, ...], arch: int) -> TimeEstimate:
    found = profile(source(arch), kernel, grid, block, arguments).time
    assert found is not None
    return found


ROW = "float32[65536]"

FURTHER_PAIRS = (
    Variants("by_columns", "by_rows", 16, 256, (ROW, "float32[4096]")),
    Variants("shared_histogram", "global_histogram", 64, 256, ("int32[16384]:0..8", "int32[32]:zeros")),
    Variants("fast_quotients", "exact_quotients", 64, 256, (LARGE,)),
    Variants("fast_sines", "exact_sines", 64, 256, (LARGE,)),
    Variants("over_the_grid", "over_the_grid", 64, 256, (LARGE, "int32:16384"), slower_grid=1),
    Variants("few_barriers", "many_barriers", 64, 256, (LARGE,)),
    Variants("stride_one", "stride_eight", 1, 256, ("float32[256]",)),
    Variants("by_mask", "by_remainder", 64, 256, ("int32[16384]", "int32:1024")),
    Variants("read_once", "read_often", 64, 256, (LARGE, LARGE)),
    Variants("by_shuffles", "by_tree", 64, 256, (LARGE, "float32[64]:zeros")),
)
"""Pairs that were written after the model and that did not change it."""


def ordered(pair: Variants, arch: int) -> bool:
    faster = estimate(pair.faster, pair.grid, pair.block, pair.arguments, arch)
    grid, block = pair.slower_grid or pair.grid, pair.slower_block or pair.block
    slower = estimate(pair.slower, grid, block, pair.slower_arguments or pair.arguments, arch)
    return faster.microseconds < slower.microseconds


ARCHITECTURES = [pytest.param(80, marks=pytest.mark.exhaustive), 90]


@pytest.mark.parametrize("arch", ARCHITECTURES)
@pytest.mark.parametrize(
    "pairs", [PAIRS, pytest.param(FURTHER_PAIRS, marks=pytest.mark.exhaustive)], ids=["pairs", "further pairs"]
)
def test_nine_of_ten_pairs_are_ordered(pairs: tuple[Variants, ...], arch: int) -> None:
    wrong = [pair.faster for pair in pairs if not ordered(pair, arch)]
    assert len(wrong) <= len(pairs) // 10, wrong


FILLED = 64
"""How many times as many blocks fill a GPU: the variants of the corpus are meant for such launches."""


COUNTS_OF_CASES: dict[int, Counts] = {}
"""The counts of the cases of `VARIANTS` that have run, by their identity: they do not depend on the architecture."""


def estimate_filled(case: Case, arch: int, filled_by: int = FILLED) -> float:
    launch = case.launches[0]
    source = KernelSource.from_text(case.path.read_text(), arch=arch)
    usage = {plain_name(name): usage for name, usage in source.resources.items()}[launch.kernel]
    if id(case) not in COUNTS_OF_CASES:
        COUNTS_OF_CASES[id(case)] = run_case(case, checks=Check.TRAFFIC).runs[0].counts
    counts = COUNTS_OF_CASES[id(case)]
    nothing = Counts(dict.fromkeys(counts.instructions, 0), dict.fromkeys(counts.thread_instructions, 0), *[0] * 14)
    filled = replace(nothing.extrapolated(counts, filled_by), longest_warp=counts.longest_warp)
    threads = count(launch.block)
    share = occupancy(usage, threads, launch.shared, arch)
    found = estimate_time(filled, usage, share, filled_by * count(launch.grid), threads, arch)
    assert found is not None
    return found.microseconds


@pytest.mark.exhaustive
@pytest.mark.parametrize("arch", ARCHITECTURES)
def test_nine_of_ten_variants_of_the_corpus_are_ordered(arch: int) -> None:
    wrong = [
        name for name, pair in VARIANTS.items() if estimate_filled(pair.faster, arch) >= estimate_filled(pair.slower, arch)
    ]
    assert len(wrong) <= len(VARIANTS) // 10, wrong


def test_variants_are_ordered_as_an_h200_orders_them() -> None:
    """The times are those of a grid with many copies of the launch in its third dimension, which no kernel reads."""
    record = json.loads((Path(__file__).parents[1] / "hardware" / "h200_times.json").read_text())
    wrong = []
    for name, measured in record["microseconds"].items():
        pair = VARIANTS[name]
        faster, slower = (estimate_filled(case, 90, record["copies"]) for case in (pair.faster, pair.slower))
        if (faster < slower) != (measured["faster"] < measured["slower"]):
            wrong.append(name)
    assert record["microseconds"].keys() == VARIANTS.keys()
    assert len(wrong) <= len(VARIANTS) // 10, wrong


USAGE = ResourceUsage(16, 0, 0, 0, 0, 8, 0)
COUNTS = Counts({"integer": 1000}, {"integer": 32000}, 1000, 12, 0, 0, 0, 10, 40, 0, 0, 0, 0, 0, 0, 40)


def test_more_work_takes_longer_and_parts_are_named() -> None:
    small = estimate_time(COUNTS, USAGE, Occupancy(8, 64, 1.0, "warps"), 10, 256)
    assert small is not None
    assert small.limit in small.cycles
    assert small.microseconds >= max(small.cycles.values()) / DEVICES[90].clock
    large = estimate_time(COUNTS, replace(USAGE, spill_loads=400), Occupancy(8, 64, 1.0, "warps"), 10, 256)
    assert large is not None
    assert large.microseconds > small.microseconds


def test_without_a_device_or_a_block_there_is_no_estimate() -> None:
    assert estimate_time(COUNTS, USAGE, Occupancy(8, 64, 1.0, "warps"), 10, 256, arch=120) is None
    assert estimate_time(COUNTS, USAGE, Occupancy(0, 0, 0.0, "registers"), 10, 256) is None
