"""Launches of the wrong kernels with barriers and shuffles that not all threads reach, with traps and without an end."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from simt.corpus.corpus_case import Table, becomes, scratch

BARRIERS = Table("kernels/divergent_barrier")
LANES = Table("kernels/absent_lane")
TRAPS = Table("kernels/trap")
ENDLESS = Table("kernels/endless")

Arguments = tuple[Any, ...]


@BARRIERS.case(grid=2, block=64)
def early_return(rng: np.random.Generator) -> Arguments:
    x = rng.integers(0, 99, 100, np.int32)
    return x, becomes(np.zeros_like(x), np.concatenate([x[63::-1], x[:63:-1]])), 100


@BARRIERS.case(grid=1, block=32)
def row_lengths(rng: np.random.Generator) -> Arguments:
    lengths = rng.integers(0, 9, 32)
    offsets = np.concatenate([[0], lengths.cumsum()]).astype(np.int32)
    values = rng.integers(0, 99, offsets[-1], np.int32)
    sums = [values[a:b].sum() for a, b in itertools.pairwise(offsets)]
    return offsets, values, becomes(np.zeros(32, np.int32), sums), int(lengths.max())


@BARRIERS.case(grid=2, block=64)
def either_branch(rng: np.random.Generator) -> Arguments:
    x = rng.random(128, np.float32)
    pairs = x.reshape(-1, 2)
    return x, becomes(np.zeros_like(x), np.stack([pairs[:, 1] - 1, 2 * pairs[:, 0]], axis=1).ravel())


@BARRIERS.case(grid=2, block=32)
def guarded_load(rng: np.random.Generator) -> Arguments:
    matrix, x = rng.random((50, 70), np.float32), rng.random(70, np.float32)
    return matrix, x, becomes(np.zeros(50, np.float32), matrix @ x), 50, 70


@BARRIERS.case(grid=2, block=64)
def block_sum_of_some(rng: np.random.Generator) -> Arguments:
    x = rng.integers(-50, 50, (2, 64), np.int32)
    return x, becomes(np.zeros(2, np.int32), np.maximum(x, 0).sum(1))


@BARRIERS.case(grid=2, block=96)
def named_barrier(rng: np.random.Generator) -> Arguments:
    x = rng.integers(0, 99, (2, 32), np.int32)
    turned = 3 * x[:, ::-1]
    return x, becomes(np.zeros((2, 2, 32), np.int32), np.stack([turned + 1, turned + 2], axis=1))


@LANES.case(grid=3, block=32)
def shuffle_in_branch(rng: np.random.Generator) -> Arguments:
    rows = rng.random((3, 20), np.float32)
    return rows, becomes(np.zeros(3, np.float32), rows.sum(1)), 20


@LANES.case(grid=2, block=64)
def half_mask(rng: np.random.Generator) -> Arguments:
    x = rng.integers(0, 99, 128, np.int32)
    return x, becomes(np.zeros(16, np.int32), x.reshape(16, 8).sum(1))


@LANES.case(grid=3, block=32)
def ballot_in_branch(rng: np.random.Generator) -> Arguments:
    x = rng.integers(-9, 9, (3, 32), np.int32)
    positive = x > 0
    positions = np.where(positive, positive.cumsum(1) - 1, -1)
    return x, becomes(np.full((3, 32), -1, np.int32), positions), becomes(np.zeros(3, np.int32), positive.sum(1))


@LANES.case(grid=1, block=32)
def leader_lane(rng: np.random.Generator) -> Arguments:
    x = rng.integers(-9, 9, 32, np.int32)
    x[0] = -1
    kept = x[x > 0]
    return x, becomes(np.zeros(32, np.int32), np.pad(kept, (0, 32 - len(kept)))), becomes(np.zeros(1, np.int32), len(kept))


@LANES.case(grid=1, block=64)
def collatz_votes(rng: np.random.Generator) -> Arguments:
    starts = rng.integers(1, 40, 64, np.uint32)
    steps = np.array([collatz_steps(int(start)) for start in starts])
    return starts, becomes(np.zeros(64, np.int32), steps), becomes(np.zeros(2, np.int32), steps.reshape(2, 32).max(1))


def collatz_steps(x: int) -> int:
    return 0 if x == 1 else 1 + collatz_steps(3 * x + 1 if x % 2 else x // 2)


@LANES.case(grid=2, block=64)
def returned_lanes(rng: np.random.Generator) -> Arguments:
    x = rng.integers(-99, 99, 110, np.int32)
    return x, becomes(np.zeros(2, np.int32), [x[:64].max(), x[64:].max()]), 110


@TRAPS.case(grid=2, block=32)
def index_assertion(rng: np.random.Generator) -> Arguments:
    indices, values = rng.permutation(50).astype(np.int32), rng.random(50, np.float32)
    return indices, values, becomes(np.zeros(50, np.float32), values[indices]), 50


@TRAPS.case(grid=1, block=32)
def digit_parser(rng: np.random.Generator) -> Arguments:
    numbers = rng.integers(0, 9999, 20)
    text = "".join(f"{number:5d}" for number in numbers)
    return np.frombuffer(text.encode(), np.uint8).copy(), becomes(np.zeros(20, np.int32), numbers), 20, 5


@TRAPS.case(grid=1, block=64)
def sorted_assertion(_: np.random.Generator) -> Arguments:
    x = np.arange(64, 0, -1, np.int32)
    return x, becomes(np.zeros_like(x), np.sort(x))


@TRAPS.case(grid=1, block=32)
def stack_capacity(_: np.random.Generator) -> Arguments:
    m, n = (values.ravel().astype(np.int32) for values in np.meshgrid(np.arange(3), np.arange(10)))
    values = np.select([m == 0, m == 1], [n + 1, n + 2], 2 * n + 3)
    return m, n, becomes(np.zeros(30, np.int32), values), 30


@TRAPS.case(grid=1, block=32)
def finite_assertion(rng: np.random.Generator) -> Arguments:
    a, b = rng.random((2, 30, 4), np.float32)
    a[17] = 0
    lengths = np.linalg.norm(a, axis=1) * np.linalg.norm(b, axis=1)
    return a, b, becomes(np.zeros(30, np.float32), np.where(lengths > 0, (a * b).sum(1) / np.maximum(lengths, 1e-9), 0)), 30


@TRAPS.case(grid=2, block=32)
def free_slots(rng: np.random.Generator) -> Arguments:
    wanted = (rng.permutation(60) < 33).astype(np.int32)
    owners = np.concatenate([np.zeros(7), np.ones(33)]).astype(np.int32)
    return becomes(np.full(1, 40, np.int32), 7), becomes(np.zeros(40, np.int32), owners), wanted, 60


@ENDLESS.case(grid=4, block=32)
def lock_not_returned(_: np.random.Generator) -> Arguments:
    return np.array([3, 0, 5, 7], np.int32), becomes(np.zeros(1, np.int32), 0), becomes(np.zeros(1, np.int32), 15)


@ENDLESS.case(grid=2, block=96)
def halving(rng: np.random.Generator) -> Arguments:
    x = rng.integers(0, 99, (2, 96), np.int32)
    return x, becomes(np.zeros(2, np.int32), x.sum(1))


@ENDLESS.case(grid=4, block=32)
def missing_producer(_: np.random.Generator) -> Arguments:
    x = np.array([1, 2, 3, 4], np.int32)
    produced = np.array([0, 14, 21, 28])
    zeros = np.zeros(4, np.int32)
    return x, becomes(zeros, produced), becomes(zeros, produced > 0), becomes(zeros, produced)


@ENDLESS.case(grid=1, block=32)
def unequal_floats(rng: np.random.Generator) -> Arguments:
    slopes = rng.random(32, np.float32)
    return slopes, becomes(np.zeros_like(slopes), slopes / 2), 10


@ENDLESS.case(grid=1, block=32)
def stale_expected(_: np.random.Generator) -> Arguments:
    factors = np.array([2, 0.5, 4, 0.25, 8, 1, 2, 0.125, 3, 5] * 2, np.float32)
    return factors, becomes(np.ones(1, np.float32), np.prod(factors)), 20


@ENDLESS.case(grid=1, block=32)
def full_table(rng: np.random.Generator) -> Arguments:
    keys = rng.permutation(100)[:20].astype(np.int32)
    return keys, scratch(np.full(16, -1, np.int32)), becomes(np.zeros(1, np.int32), 4), 20, 16
