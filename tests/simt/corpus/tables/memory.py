"""Launches of the wrong kernels that leave arrays, read unwritten memory or misalign accesses."""

from __future__ import annotations

from typing import Any

import numpy as np

from simt.corpus.corpus_case import Table, becomes

BOUNDS = Table("kernels/out_of_bounds")
UNWRITTEN = Table("kernels/unwritten")
MISALIGNED = Table("kernels/misaligned")

Arguments = tuple[Any, ...]


@BOUNDS.case(grid=2, block=64)
def off_by_one(rng: np.random.Generator) -> Arguments:
    x, y = rng.random((2, 100), np.float32)
    return np.float32(2.5), x, becomes(y, 2.5 * x + y), 100


@BOUNDS.case(grid=4, block=32)
def partial_block(rng: np.random.Generator) -> Arguments:
    x, y = rng.random((2, 100), np.float32)
    return x, y, becomes(np.zeros_like(x), np.hypot(x, y)), 100


@BOUNDS.case(grid=2, block=64)
def left_neighbour(rng: np.random.Generator) -> Arguments:
    x = rng.random(100)
    return x, becomes(np.zeros_like(x), np.concatenate([[0], np.diff(x)])), 100


@BOUNDS.case(grid=1, block=64)
def wrong_stride(rng: np.random.Generator) -> Arguments:
    matrix = rng.random((40, 7), np.float32)
    return matrix, becomes(np.zeros(40, np.float32), matrix.sum(1)), 40, 7


@BOUNDS.case(grid=2, block=32)
def local_window(rng: np.random.Generator) -> Arguments:
    x = rng.integers(0, 99, 60, np.int32)
    medians = np.median(np.lib.stride_tricks.sliding_window_view(x, 5), axis=1).astype(np.int32)
    return x, becomes(np.zeros(56, np.int32), medians), 60


@BOUNDS.case(grid=2, block=64)
def shared_tile(rng: np.random.Generator) -> Arguments:
    x = rng.integers(0, 99, 100, np.int32)
    return x, becomes(np.zeros_like(x), np.convolve(x, np.ones(5, np.int32), "same")), 100


@BOUNDS.case(grid=2, block=64, shared=256)
def dynamic_shared(rng: np.random.Generator) -> Arguments:
    x = rng.random(128, np.float32)
    return x, becomes(np.zeros_like(x), x.reshape(2, 64)[:, ::-1].ravel()), 128


@BOUNDS.case(grid=2, block=64)
def hash_slot(rng: np.random.Generator) -> Arguments:
    keys = rng.integers(0, 10000, 100, np.int32)
    hashes = (keys.astype(np.uint64) * 2654435761 % 2**32).astype(np.uint32)
    return keys, becomes(np.zeros(37, np.int32), np.bincount(hashes % 37, minlength=37)), 100, 37


@BOUNDS.case(grid=1, block=64)
def vector_tail(rng: np.random.Generator) -> Arguments:
    x = rng.random(190, np.float32)
    return becomes(x, 1.5 * x), np.float32(1.5), 190


@BOUNDS.case(grid=1, block=32)
def device_table(rng: np.random.Generator) -> Arguments:
    directions = rng.integers(0, 4, (32, 10), np.int32)
    steps = np.array([[1, 0], [0, 1], [-1, 0], [0, -1]])
    ends = becomes(np.zeros((32, 2), np.int32), steps[directions].sum(1))
    return directions, ends, becomes(np.zeros(4, np.int32), np.bincount(directions.ravel())), 10


@BOUNDS.case(grid=1, block=32)
def freed_node(rng: np.random.Generator) -> Arguments:
    x = rng.integers(0, 99, (32, 5), np.int32)
    return x, becomes(np.zeros(32, np.int32), x.sum(1)), 5


@UNWRITTEN.case(grid=2, block=64)
def async_without_wait(rng: np.random.Generator) -> Arguments:
    x = rng.integers(0, 99, (2, 64), np.int32)
    return x, becomes(np.zeros_like(x), x[:, ::-1])


@UNWRITTEN.case(grid=2, block=64)
def tail_of_tile(rng: np.random.Generator) -> Arguments:
    x = rng.random(100, np.float32)
    return x, becomes(np.zeros(2, np.float32), [x[:64].sum(), x[64:].sum()]), 100


@UNWRITTEN.case(grid=2, block=100)
def padded_tree(rng: np.random.Generator) -> Arguments:
    x = rng.integers(-999, -1, 180, np.int32)
    return x, becomes(np.zeros(2, np.int32), [x[:100].max(), x[100:].max()]), 180


@UNWRITTEN.case(grid=1, block=32)
def best_candidates(rng: np.random.Generator) -> Arguments:
    points = rng.random(20, np.float32)
    distances = np.abs(points[:, None] - points)
    return points, becomes(np.zeros(20, np.float32), np.sort(distances, axis=1)[:, 1:5].sum(1)), 20


@UNWRITTEN.case(grid=2, block=64, shared=80)
def uncleared_bins(rng: np.random.Generator) -> Arguments:
    values = rng.integers(0, 20, 100, np.int32)
    bins = np.stack([np.bincount(values[:64], minlength=20), np.bincount(values[64:], minlength=20)])
    return values, becomes(np.zeros((2, 20), np.int32), bins), 100, 20


@UNWRITTEN.case(grid=(2, 2), block=(16, 16))
def halo_corners(rng: np.random.Generator) -> Arguments:
    image = rng.random((32, 32), np.float32)
    windows = np.lib.stride_tricks.sliding_window_view(np.pad(image, 1, mode="edge"), (3, 3))
    return image, becomes(np.zeros_like(image), windows.mean((2, 3))), 32, 32


@UNWRITTEN.case(grid=1, block=32)
def traversal_stack(rng: np.random.Generator) -> Arguments:
    children = np.array([[2 * i + 1, 2 * i + 2] if i < 12 else [-1, -1] for i in range(25)], np.int32)
    values = rng.integers(1, 99, 25, np.int32)
    sums = values.copy()
    for i in reversed(range(12)):
        sums[i] = sums[children[i]].sum()
    return children, values, becomes(np.zeros(25, np.int32), sums), 25


@MISALIGNED.case(grid=1, block=32)
def vector_rows(rng: np.random.Generator) -> Arguments:
    matrix = rng.random((20, 12), np.float32)
    return matrix, becomes(np.zeros(20, np.float32), matrix[:, :8].sum(1)), 20, 10


@MISALIGNED.case(grid=1, block=32)
def packet_length(rng: np.random.Generator) -> Arguments:
    packets = rng.integers(0, 256, (20, 8), np.uint8)
    packets[:, 0] = rng.integers(0, 2, 20)
    lengths = np.ascontiguousarray(packets[:, 1:5]).view("<i4")[:, 0] * packets[:, 0]
    return packets, becomes(np.zeros(20, np.int32), lengths), 20


@MISALIGNED.case(grid=1, block=64, headers=True)
def half_pairs(rng: np.random.Generator) -> Arguments:
    x = rng.random(50).astype(np.float16)
    return x, becomes(np.zeros(50, np.float16), np.append(x[:-1] + x[1:], np.float16(0)), 0.0), 50


@MISALIGNED.case(grid=1, block=32, shared=1024)
def carved_shared(rng: np.random.Generator) -> Arguments:
    order = rng.permutation(21).astype(np.int32)
    vectors = rng.random((21, 2))
    return order, vectors, becomes(np.zeros_like(vectors), vectors[np.argsort(order)]), 21


@MISALIGNED.case(grid=2, block=64)
def wide_counter(rng: np.random.Generator) -> Arguments:
    events = rng.integers(0, 9, 100, np.int32)
    counts = np.bincount(events, minlength=9)
    return events, becomes(np.zeros(20, np.uint32), np.concatenate([[0, 0], np.repeat(counts, 2)])), 100


@MISALIGNED.case(grid=1, block=32)
def complex_rows(rng: np.random.Generator) -> Arguments:
    records = np.zeros((20, 4), np.float32)
    records[:, 2:] = rng.random((20, 2))
    return records.view(np.uint8), becomes(np.zeros(20, np.float32), np.hypot(records[:, 2], records[:, 3])), 20
