"""Launches of programs that reduce, scan, sort and select."""

from __future__ import annotations

from typing import Any

import numpy as np

from simt.corpus.corpus_case import Launch, Table, becomes, scratch

REDUCTIONS = Table("programs")

Arguments = tuple[Any, ...]


@REDUCTIONS.case(launches=(Launch(4, 128, takes=(0, 1, 3)), Launch(1, 128, takes=(1, 2, 4))))
def two_pass_sum(rng: np.random.Generator) -> Arguments:
    x = rng.random(1500, np.float32)
    return x, scratch(np.zeros(4, np.float32)), becomes(np.zeros(1, np.float32), x.sum()), 1500, 4


@REDUCTIONS.case(grid=3, block=128)
def warp_shuffle_sum(rng: np.random.Generator) -> Arguments:
    x = rng.random(2000, np.float32)
    return x, becomes(np.zeros(1, np.float32), x.sum()), 2000


@REDUCTIONS.case(grid=3, block=128, headers=True, slow=True)
def cub_block_reduce(rng: np.random.Generator) -> Arguments:
    x = rng.random(350, np.float32)
    blocks = np.pad(x, (0, 34)).reshape(3, 128)
    zeros = np.zeros(3, np.float32)
    return x, becomes(zeros, blocks.sum(1)), becomes(zeros, blocks.max(1)), 350


@REDUCTIONS.case(grid=3, block=64, headers=True, slow=True)
def cooperative_reduce(rng: np.random.Generator) -> Arguments:
    x = rng.integers(-99, 99, 170, np.int32)
    fours = np.pad(x, (0, 22)).reshape(48, 4).sum(1)
    one = np.zeros(1, np.int32)
    return x, becomes(one, x.sum()), becomes(np.zeros(48, np.int32), fours), becomes(one, (x > 0).sum()), 170


@REDUCTIONS.case(grid=5, block=64)
def last_block_mean(rng: np.random.Generator) -> Arguments:
    x = rng.random(300)
    return x, scratch(np.zeros((5, 2))), becomes(np.zeros(2), [x.mean(), x.var()], 1e-12), 300


@REDUCTIONS.case(grid=2, block=64)
def argmax_packed(rng: np.random.Generator) -> Arguments:
    x = -rng.random(500, np.float32)
    x[[123, 321]] = -1e-3
    x[x > -1e-3] = -0.5
    bits = ~int(x[123].view(np.uint32)) & 0xFFFFFFFF
    return x, becomes(np.zeros(1, np.uint64), np.uint64(bits << 32 | (~123 & 0xFFFFFFFF))), 500


@REDUCTIONS.case(
    launches=(Launch(3, 128, "scan_blocks", takes=(0, 1, 2)), Launch(3, 128, "add_totals", takes=(1, 2))),
)
def blelloch_scan(rng: np.random.Generator) -> Arguments:
    x = rng.integers(-99, 99, 768, np.int32)
    totals = x.reshape(3, 256).sum(1)
    return x, becomes(np.zeros_like(x), x.cumsum() - x), becomes(np.zeros(3, np.int32), totals)


@REDUCTIONS.case(grid=1, block=256)
def warp_shuffle_scan(rng: np.random.Generator) -> Arguments:
    x = rng.random(200)
    return x, becomes(np.zeros_like(x), x.cumsum(), 1e-12), 200


@REDUCTIONS.case(grid=2, block=64, headers=True, slow=True)
def cub_block_scan(rng: np.random.Generator) -> Arguments:
    x = rng.integers(-99, 99, (2, 256), np.int32)
    return x, becomes(np.zeros_like(x), x.cumsum(1) - x), becomes(np.zeros(2, np.int32), x.sum(1))


@REDUCTIONS.case(grid=6, block=64)
def look_back_scan(rng: np.random.Generator) -> Arguments:
    x = rng.integers(-99, 99, 350, np.int32)
    tiles = np.zeros(6, np.int32)
    prefixes = np.pad(x, (0, 34)).cumsum()[63::64]
    return x, becomes(np.zeros_like(x), x.cumsum()), becomes(tiles, 2), scratch(tiles), becomes(tiles, prefixes), 350


@REDUCTIONS.case(grid=2, block=(32, 3))
def prefix_max(rng: np.random.Generator) -> Arguments:
    rows = rng.random((6, 75), np.float32)
    maxima = np.maximum.accumulate(rows, axis=1)
    records = 1 + (maxima[:, 1:] > maxima[:, :-1]).sum(1)
    return rows, becomes(np.zeros_like(rows), maxima, 0.0), becomes(np.zeros(6, np.int32), records), 75


@REDUCTIONS.case(grid=2, block=64, headers=True, slow=True)
def cub_radix_sort(rng: np.random.Generator) -> Arguments:
    keys = rng.standard_normal((2, 256), np.float32)
    order = np.argsort(keys, axis=1)
    return keys, becomes(np.zeros_like(keys), np.sort(keys, axis=1), 0.0), becomes(np.zeros((2, 256), np.int32), order)


@REDUCTIONS.case(grid=2, block=128)
def radix_sort(rng: np.random.Generator) -> Arguments:
    keys = rng.integers(0, 4096, (2, 128), np.uint32)
    order = np.argsort(keys, axis=1, kind="stable")
    return keys, becomes(np.zeros_like(keys), np.sort(keys, axis=1)), becomes(np.zeros((2, 128), np.uint16), order), 12


@REDUCTIONS.case(grid=3, block=64, shared=1024)
def bitonic_sort(rng: np.random.Generator) -> Arguments:
    rows = rng.random((3, 256), np.float32)
    ordered = np.sort(rows, axis=1)
    ordered[1] = ordered[1, ::-1]
    return becomes(rows, ordered, 0.0), 256


@REDUCTIONS.case(grid=2, block=64)
def merge_path(rng: np.random.Generator) -> Arguments:
    a, b = np.sort(rng.integers(0, 99, 170, np.int32)), np.sort(rng.integers(20, 300, 230, np.int32))
    return a, 170, b, 230, becomes(np.zeros(400, np.int32), np.sort(np.concatenate([a, b])))


@REDUCTIONS.case(grid=3, block=32)
def top_k(rng: np.random.Generator) -> Arguments:
    rows = rng.random((3, 200), np.float32)
    return rows, becomes(np.zeros((3, 8), np.float32), np.sort(rows, axis=1)[:, :-9:-1], 0.0), 200


@REDUCTIONS.case(grid=3, block=64)
def global_histogram(rng: np.random.Generator) -> Arguments:
    x = (rng.integers(-40, 140, 1000) / 64 + 1 / 128).astype(np.float32)
    bins = np.histogram(x, 16, (0, 2))[0]
    outside = becomes(np.zeros(2, np.int32), [(x < 0).sum(), (x >= 2).sum()])
    return x, becomes(np.zeros(16, np.int32), bins), 16, np.float32(0), np.float32(2), outside, 1000


@REDUCTIONS.case(grid=2, block=128)
def warp_histogram(rng: np.random.Generator) -> Arguments:
    pixels = rng.integers(0, 256, (500, 4), np.uint8)
    pixels[:, 3] %= 20
    return pixels, becomes(np.zeros(64, np.uint32), np.bincount(pixels.ravel() // 4, minlength=64)), 500


@REDUCTIONS.case(grid=1, block=128)
def ballot_compaction(rng: np.random.Generator) -> Arguments:
    x = rng.integers(-9, 9, 500, np.int32)
    kept = x[x > 0]
    return x, becomes(np.zeros_like(x), np.pad(kept, (0, 500 - len(kept)))), becomes(np.zeros(1, np.int32), len(kept)), 500


@REDUCTIONS.case(grid=4, block=64)
def atomic_compaction(_: np.random.Generator) -> Arguments:
    prime = np.array([n > 1 and all(n % d for d in range(2, n)) for n in range(250)], np.int32)
    return (
        becomes(np.zeros(250, np.int32), prime),
        scratch(np.zeros(250, np.int32)),
        becomes(np.zeros(1, np.int32), prime.sum()),
        250,
    )


@REDUCTIONS.case(
    launches=(Launch(5, 64, "count_inside", takes=(0, 1, 4)), Launch(5, 64, "scatter_inside", takes=(0, 1, 2, 3, 4))),
)
def scan_compaction(rng: np.random.Generator) -> Arguments:
    points = rng.random((300, 2), np.float32)
    inside = (points**2).sum(1) < 1
    kept = np.zeros_like(points)
    kept[: inside.sum()] = points[inside]
    counts = np.pad(inside, (0, 20)).reshape(5, 64).sum(1)
    total = becomes(np.zeros(1, np.int32), inside.sum())
    return points, becomes(np.zeros(5, np.int32), counts), becomes(np.zeros_like(points), kept), total, 300
