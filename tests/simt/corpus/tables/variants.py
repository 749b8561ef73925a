"""Pairs of kernels that compute the same result, with the one that is faster on an A100 or H100 and the reason.

The sizes are small enough for a CPU; the order is meant for the same launch with enough blocks to fill a GPU.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from simt.corpus.corpus_case import Case, Dimensions, Launch, becomes

Arguments = tuple[Any, ...]

SIZE = 8192


@dataclass(frozen=True)
class Variants:
    """Two kernels of a source.

    Attributes:
        faster: launches the kernel that is faster.
        slower: launches the kernel that is slower.
        reason: why.
    """

    faster: Case
    slower: Case
    reason: str


VARIANTS: dict[str, Variants] = {}


def order(
    faster: str,
    slower: str,
    reason: str,
    *,
    grid: Dimensions = SIZE // 256,
    block: Dimensions = 256,
    faster_block: Dimensions = 0,
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Add two kernels, whose source is named after the function that makes the arguments.

    Args:
        faster: the name of the faster kernel.
        slower: the name of the slower kernel.
        reason: why.
        grid: the number of blocks of both.
        block: the number of threads of both.
        faster_block: the number of threads of the faster kernel, if it differs.
    """

    def add(make: Callable[..., Any]) -> Callable[..., Any]:
        source = f"variants/{make.__name__}.cu"
        cases = [
            Case(source, (Launch(grid, size, name),), make) for name, size in ((faster, faster_block or block), (slower, block))
        ]
        VARIANTS[make.__name__] = Variants(*cases, reason)
        return make

    return add


@order("coalesced", "strided", "a warp touches 4 sectors of 32 bytes instead of 32, for loads and for stores")
def strides(rng: np.random.Generator) -> Arguments:
    x = rng.random(SIZE, np.float32)
    return x, becomes(np.zeros_like(x), 2 * x), SIZE


@order("tiled", "direct", "each element is read from global memory 4 times instead of 64 times", grid=(4, 4), block=(16, 16))
def products(rng: np.random.Generator) -> Arguments:
    a, b = rng.random((2, 64, 64), np.float32)
    return a, b, becomes(np.zeros_like(a), a @ b), 64


@order("padded", "conflicting", "a column of a tile lies in 32 banks instead of one", grid=(4, 4), block=(32, 8))
def banks(rng: np.random.Generator) -> Arguments:
    a = rng.random((128, 128), np.float32)
    return a, becomes(np.zeros_like(a), a.T), 128


@order("uniform", "divergent", "a warp runs one of the two loops instead of both")
def branches(rng: np.random.Generator) -> Arguments:
    x = rng.random(SIZE, np.float32) * np.float32(0.5) + np.float32(0.25)
    return x, becomes(np.zeros_like(x), 1, 1e-3), SIZE


@order("by_float4", "by_float", "a quarter of the instructions and requests for the same sectors", grid=SIZE // 1024)
def vectors(rng: np.random.Generator) -> Arguments:
    x = rng.random(SIZE, np.float32)
    return x, becomes(np.zeros_like(x), x), SIZE


@order("in_float", "in_double", "double precision has half the rate of single precision")
def precisions(rng: np.random.Generator) -> Arguments:
    x = rng.random(SIZE, np.float32)
    return x, becomes(np.zeros_like(x), np.polyval(np.full(64, 1 / 64), x.astype(np.float64)), 1e-4), SIZE


@order("arrays", "structures", "all bytes of the sectors that are read are needed instead of three eighths")
def layouts(rng: np.random.Generator) -> Arguments:
    particles = rng.random((SIZE, 8), np.float32)
    velocities = np.ascontiguousarray(particles[:, 3:6].T)
    return velocities, particles, becomes(np.zeros(SIZE, np.float32), (velocities**2).sum(0)), SIZE


@order("many_threads", "one_thread", "8192 threads work at the same time instead of one after the other")
def threads(rng: np.random.Generator) -> Arguments:
    x = rng.random(SIZE, np.float32)
    return x, becomes(np.zeros_like(x), 2 * x), SIZE


@order(
    "privatized",
    "contended",
    "atomics of a block meet in 132 words of shared memory instead of 4 words of global memory",
    grid=8,
)
def counters(rng: np.random.Generator) -> Arguments:
    keys = rng.integers(0, 4, SIZE, np.int32)
    return keys, becomes(np.zeros(4, np.int32), np.bincount(keys)), SIZE


@order("by_products", "by_powf", "16 multiplications instead of 16 calls of powf with about 50 instructions each")
def powers(rng: np.random.Generator) -> Arguments:
    x = rng.random(SIZE, np.float32)
    truth = (x.astype(np.float64)[:, None] ** np.arange(1, 17)).sum(1)
    return x, becomes(np.zeros_like(x), truth), SIZE


@order(
    "in_registers",
    "in_local_memory",
    "the counts stay in a register instead of local memory, with a load and a store for each digit",
)
def local_arrays(rng: np.random.Generator) -> Arguments:
    x = rng.integers(0, 2**30, SIZE, np.uint32)
    digits = x[:, None] >> (3 * np.arange(10, dtype=np.uint32)) & 7
    return x, becomes(np.zeros((SIZE, 8), np.uint8), (digits[:, :, None] == np.arange(8)).sum(1)), SIZE


@order(
    "by_shuffles", "by_interleaved_tree", "one barrier instead of nine, and no remainder and divergent branch for each level"
)
def block_sums(rng: np.random.Generator) -> Arguments:
    x = rng.integers(0, 99, SIZE, np.int32)
    return x, becomes(np.zeros(SIZE // 256, np.int32), x.reshape(-1, 256).sum(1)), SIZE


@order(
    "eight_elements",
    "one_element",
    "nine reads of shared memory serve eight multiplications instead of one",
    grid=(2, 2),
    block=(32, 32),
    faster_block=(32, 4),
)
def blocking(rng: np.random.Generator) -> Arguments:
    a, b = rng.random((2, 64, 64), np.float32)
    return a, b, becomes(np.zeros_like(a), a @ b), 64


@order(
    "by_shifts",
    "by_divisions",
    "a shift instead of a division by a number that the compiler does not see, about 20 instructions",
)
def divisions(rng: np.random.Generator) -> Arguments:
    x = rng.integers(0, 2**30, SIZE, np.uint32)
    digits = x[:, None] >> (3 * np.arange(10, dtype=np.uint32)) & 7
    return x, becomes(np.zeros(SIZE, np.int32), digits.sum(1)), np.uint32(8), 3, SIZE


@order("warp_rows", "thread_rows", "lanes read neighbouring elements, and 32 times as many threads have work", grid=32)
def rows(rng: np.random.Generator) -> Arguments:
    matrix = rng.random((256, 96), np.float32)
    return matrix, becomes(np.zeros(256, np.float32), matrix.sum(1)), 256, 96


@order("by_warps", "by_threads", "one atomic on the same word for each warp instead of 32")
def aggregates(rng: np.random.Generator) -> Arguments:
    x = rng.random(SIZE, np.float32)
    return x, becomes(np.zeros(1, np.float32), x.sum(), 1e-4), SIZE
