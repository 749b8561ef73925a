"""Launches of programs that use atomics, locks, barriers, heap, text, calls and small floats."""

from __future__ import annotations

from typing import Any

import numpy as np

from simt.corpus.corpus_case import Launch, Table, becomes, scratch

LANGUAGE = Table("programs")

Arguments = tuple[Any, ...]


@LANGUAGE.case(grid=2, block=64)
def monte_carlo(rng: np.random.Generator) -> Arguments:
    seeds = rng.integers(1, 2**63, 128, np.uint64)
    states, hits = seeds.copy(), 0
    for _ in range(20):
        x, y = uniform(states), uniform(states)
        hits += int((x * x + y * y < 1).sum())
    return seeds, becomes(np.zeros_like(seeds), states), becomes(np.zeros(1, np.uint32), hits), 20


def uniform(states: np.ndarray) -> np.ndarray:
    """Advance all generators; return their floats."""
    states ^= states << np.uint64(13)
    states ^= states >> np.uint64(7)
    states ^= states << np.uint64(17)
    return (states >> np.uint64(40)).astype(np.float32) * np.float32(2**-24)


PARTICLE = np.dtype([("position", "f4", 3), ("velocity", "f4", 3), ("mass", "f4"), ("bounces", "i4")])


@LANGUAGE.case(
    launches=(
        Launch(2, 64, "structures", takes=(0, 5, 6)),
        Launch(2, 64, "arrays", takes=(1, 2, 3, 4, 5, 6)),
    )
)
def particle_updates(rng: np.random.Generator) -> Arguments:
    particles = np.zeros(100, PARTICLE)
    particles["position"], particles["velocity"], particles["mass"] = rng.random((100, 3)), rng.normal(size=(100, 3)), 1
    moved = particles.copy()
    moved["position"], moved["velocity"], bounces = bounced(particles["position"], particles["velocity"])
    moved["bounces"] = bounces.sum(1)
    x, v = rng.random(100, np.float32), rng.standard_normal(100, np.float32)
    position, velocity, hits = bounced(x, v)
    line = (becomes(4 * x - 2, 4 * position - 2), becomes(4 * v, 4 * velocity), becomes(np.zeros(100, np.int32), hits))
    return becomes(particles, moved), *line, np.array([-2, 2], np.float32).tobytes(), 100, np.float32(0.25)


def bounced(position: np.ndarray, velocity: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    x = position + velocity * np.float32(0.25)
    out = (x < 0) | (x > 1)
    return np.where(x < 0, -x, np.where(x > 1, 2 - x, x)), np.where(out, -velocity, velocity), out.astype(np.int32)


@LANGUAGE.case(grid=4, block=32)
def ring_barrier(rng: np.random.Generator) -> Arguments:
    a = rng.integers(0, 99, 128, np.int32)
    return becomes(a, np.roll(a, -66) + 2), becomes(np.zeros_like(a), np.roll(a, -99) + 3), 3


@LANGUAGE.case(grid=4, block=32, headers=True, slow=True)
def grid_sync(rng: np.random.Generator) -> Arguments:
    x = rng.integers(0, 99, 256, np.int32)
    truth = x.copy()
    half = 128
    while half:
        truth[:half] += truth[half : 2 * half]
        half //= 2
    return becomes(x, truth), 256


@LANGUAGE.case(grid=2, block=64, headers=True)
def half_axpy(rng: np.random.Generator) -> Arguments:
    x, y = rng.standard_normal((2, 200)).astype(np.float16)
    a = np.float16(1.375)
    result = np.maximum((float(a) * x.astype(float) + y.astype(float)).astype(np.float16), 0)
    dot = (x * x).astype(np.float64).sum()
    return a, x, becomes(y, result, 0.0), becomes(np.zeros(1, np.float32), dot), 100


@LANGUAGE.case(grid=3, block=32, headers=True)
def bfloat_rows(rng: np.random.Generator) -> Arguments:
    rows = rounded_to_bfloat(rng.standard_normal((3, 100), np.float32))
    largest = np.abs(rows).max(1)
    inverse = rounded_to_bfloat(np.float32(1) / largest)
    scaled = bfloat_bits(rounded_to_bfloat(rows * inverse[:, None]))
    bits = bfloat_bits(rows)
    return bits, becomes(np.zeros_like(bits), scaled), becomes(np.zeros(3, np.float32), largest, 0.0), 100


def bfloat_bits(x: np.ndarray) -> np.ndarray:
    return (x.view(np.uint32) >> 16).astype(np.uint16)


def rounded_to_bfloat(x: np.ndarray) -> np.ndarray:
    bits = x.view(np.uint32)
    return ((bits + 0x7FFF + (bits >> 16 & 1)) & np.uint32(0xFFFF0000)).astype(np.uint32).view(np.float32)


@LANGUAGE.case(
    launches=(
        Launch(2, 64, "mutex_list", takes=(0, 1, 2, 3, 4, 6, 7)),
        Launch(1, 32, "list_sums", takes=(0, 2, 3, 5, 6)),
    )
)
def mutex_list(rng: np.random.Generator) -> Arguments:
    keys = rng.integers(0, 99, 100, np.int32)
    lists = keys % 7
    sums, lengths = np.bincount(lists, keys, 7), np.bincount(lists, minlength=7)
    sevens = np.zeros(7, np.int32)
    links = (becomes(sevens, 0), scratch(np.full(7, -1, np.int32)), scratch(np.zeros(100, np.int32)))
    return keys, *links, becomes(sevens, lengths), becomes(sevens, sums), 7, 100


@LANGUAGE.case(grid=1, block=64)
def producer_consumer(rng: np.random.Generator) -> Arguments:
    x = rng.integers(0, 99, (7, 32), np.int32)
    return x, becomes(np.zeros_like(x), (x[:, ::-1] ** 2).cumsum(0)), 7


@LANGUAGE.case(grid=2, block=64, headers=True, slow=True)
def phase_barrier(rng: np.random.Generator) -> Arguments:
    x = rng.integers(0, 99, (2, 64), np.int32)
    y = x
    for _ in range(5):
        y = y + np.roll(y, -1, axis=1)
    return x, becomes(np.zeros_like(x), y), 5


@LANGUAGE.case(grid=1, block=64)
def mbarrier_pipeline(rng: np.random.Generator) -> Arguments:
    x = rng.integers(0, 99, (5, 64), np.int32)
    return x, becomes(np.zeros(5, np.int32), x.sum(1)), 5


@LANGUAGE.case(grid=2, block=64, shared=64 * 2 + 5 * 12)
def several_shared_arrays(rng: np.random.Generator) -> Arguments:
    values, keys = rng.random(110), rng.integers(0, 5, 110).astype(np.int16)
    keys[keys == 3] = 2
    means = np.zeros((2, 5))
    for block, part in enumerate((slice(64), slice(64, 110))):
        sums, counts = np.bincount(keys[part], values[part], 5), np.bincount(keys[part], minlength=5)
        means[block] = sums / np.maximum(counts, 1)
    return values, keys, becomes(np.zeros((2, 5)), means, 1e-12), 110, 5


@LANGUAGE.case(grid=2, block=32)
def device_malloc(rng: np.random.Generator) -> Arguments:
    x = rng.integers(0, 99, (64, 10), np.int32)
    return x, becomes(np.zeros_like(x), np.sort(x, axis=1)), 10


@LANGUAGE.case(
    grid=2,
    block=4,
    printed=(
        "0000 a -5000000000 100%",
        "0002 c -5000000002 100%",
        "0005 f -5000000005 100%",
        "1: 0.750 is large, odd",
        "3: 1.125 is large, odd",
        "4: 0.600 is large, even",
    ),
)
def device_printf(_: np.random.Generator) -> Arguments:
    return np.array([0.5, 0.75, -1, 1.125, 0.6, 0], np.float32), 6


@LANGUAGE.case(grid=1, block=32)
def recursion(rng: np.random.Generator) -> Arguments:
    bounds = rng.integers(1, 99, 40, np.int32)
    values = [ackermann(t % 3, t % 5) for t in range(32)]
    values += [fibonacci(t % 12) for t in range(32)]
    values += [depth(bounds, 0, 40 - t % 7) for t in range(32)]
    return bounds, becomes(np.zeros(96, np.int32), values), 40


def ackermann(m: int, n: int) -> int:
    return n + 1 if m == 0 else n + 2 if m == 1 else 2 * n + 3


def fibonacci(n: int) -> int:
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


def depth(bounds: np.ndarray, low: int, high: int) -> int:
    if high - low < 2:
        return 0
    middle = min(max(int(bounds[low]) % (high - low), 1), high - low - 1) + low
    return 1 + max(depth(bounds, low, middle), depth(bounds, middle, high))


@LANGUAGE.case(grid=1, block=64)
def function_pointers(rng: np.random.Generator) -> Arguments:
    codes = rng.integers(0, 4, 50, np.int32)
    a, b = rng.random((2, 50), np.float32)
    results = np.choose(codes, [a + b, a - b, a * b, np.maximum(a, b)])
    areas = np.where(codes % 2, a * a, a * b / 2)
    zeros = np.zeros(50, np.float32)
    return codes, a, b, becomes(zeros, results), becomes(zeros, areas), 50


@LANGUAGE.case(grid=2, block=64)
def cas_loops(rng: np.random.Generator) -> Arguments:
    x = rng.standard_normal(100)
    counters = becomes(np.zeros(3, np.uint16), 20)
    return x, becomes(np.full(1, -9.0), x.max(), 0.0), becomes(np.full(1, 3.0), 3.0, 0.0), counters, 100
