"""Launches of the wrong kernels with races in shared and in global memory."""

from __future__ import annotations

from typing import Any

import numpy as np

from simt.corpus.corpus_case import Table, becomes, scratch

SHARED = Table("kernels/shared_race")
GLOBAL = Table("kernels/global_race")

Arguments = tuple[Any, ...]


@SHARED.case(grid=4, block=128)
def tree_reduction(rng: np.random.Generator) -> Arguments:
    x = rng.random(500, np.float32)
    return x, becomes(np.zeros(4, np.float32), np.pad(x, (0, 12)).reshape(4, 128).sum(1)), 500


@SHARED.case(grid=(2, 3), block=(32, 8))
def transposition(rng: np.random.Generator) -> Arguments:
    a = rng.random((70, 50), np.float32)
    return a, becomes(np.zeros((50, 70), np.float32), a.T), 50, 70


@SHARED.case(grid=3, block=64)
def heat_stencil(rng: np.random.Generator) -> Arguments:
    u = rng.random(150, np.float32)
    padded = np.pad(u, 1, mode="edge")
    return u, becomes(np.zeros_like(u), u + 0.25 * (padded[:-2] - 2 * u + padded[2:])), np.float32(0.25), 150


@SHARED.case(grid=2, block=128)
def hillis_steele_scan(rng: np.random.Generator) -> Arguments:
    x = rng.integers(-9, 9, 200, np.int32)
    return x, becomes(np.zeros_like(x), np.concatenate([x[:128].cumsum(), x[128:].cumsum()])), 200


@SHARED.case(grid=2, block=128)
def privatized_histogram(rng: np.random.Generator) -> Arguments:
    values = rng.integers(0, 256, 1000, np.uint8)
    return values, becomes(np.zeros(256, np.uint32), np.bincount(values, minlength=256)), 1000


@SHARED.case(grid=2, block=64)
def unit_diagonal(rng: np.random.Generator) -> Arguments:
    a = rng.random((2, 64, 64), np.float32) + 1
    return (becomes(a, a / np.diagonal(a, axis1=1, axis2=2)[:, :, None]),)


@SHARED.case(grid=2, block=64)
def warp_synchronous(rng: np.random.Generator) -> Arguments:
    x = rng.integers(0, 99, (4, 32), np.int32)
    return x, becomes(np.zeros(4, np.int32), x.sum(1))


@GLOBAL.case(grid=3, block=64)
def bucket_leader(rng: np.random.Generator) -> Arguments:
    buckets = rng.integers(0, 10, 150, np.int32)
    leaders = np.full(10, -1, np.int32)
    np.maximum.at(leaders, buckets, np.arange(150, dtype=np.int32))
    return buckets, becomes(np.full(10, -1, np.int32), leaders), 150


@GLOBAL.case(grid=3, block=64)
def read_then_store(rng: np.random.Generator) -> Arguments:
    groups = rng.integers(0, 5, 150, np.int32)
    values = rng.permutation(150).astype(np.int32)
    largest = np.zeros(5, np.int32)
    np.maximum.at(largest, groups, values)
    return groups, values, becomes(np.zeros(5, np.int32), largest), 150


@GLOBAL.case(grid=3, block=64)
def smooth_in_place(rng: np.random.Generator) -> Arguments:
    x = rng.random(150, np.float32)
    padded = np.pad(x, 1, mode="edge")
    return x, becomes(np.zeros_like(x), (padded[:-2] + x + padded[2:]) / 3), 150


@GLOBAL.case(grid=5, block=64)
def last_block_sum(rng: np.random.Generator) -> Arguments:
    x = rng.integers(-99, 99, 300, np.int32)
    return x, scratch(np.zeros(5, np.int32)), becomes(np.zeros(1, np.int32), x.sum()), 300


@GLOBAL.case(grid=4, block=32)
def spin_lock(rng: np.random.Generator) -> Arguments:
    x = rng.integers(-99, 99, 120, np.int32)
    return x, becomes(np.zeros(1, np.int32), 0), becomes(np.zeros(2, np.int32), [x.sum(), 4]), 120


@GLOBAL.case(grid=2, block=64)
def edge_degrees(rng: np.random.Generator) -> Arguments:
    edges = rng.integers(0, 20, (300, 2), np.int32)
    weights = rng.integers(1, 8, 300).astype(np.float32)
    strength = np.bincount(edges[:, 0], weights, 20)
    degrees = np.bincount(edges.ravel(), minlength=20)
    return edges, weights, becomes(np.zeros(20, np.int32), degrees), becomes(np.zeros(20, np.float32), strength), 300


@GLOBAL.case(grid=4, block=32)
def block_fence(rng: np.random.Generator) -> Arguments:
    x = rng.integers(0, 99, 4, np.int32)
    slots, zeros = 3 * x, np.zeros(4, np.int32)
    sums = np.concatenate([[0], slots[1:] + slots[:-1]])
    return x, becomes(zeros, slots), becomes(zeros, 1), becomes(zeros, sums)


@GLOBAL.case(grid=2, block=64)
def flag_without_fence(rng: np.random.Generator) -> Arguments:
    x = rng.integers(0, 99, 64, np.int32)
    zeros = np.zeros(64, np.int32)
    return x, becomes(zeros, x + 1), becomes(np.zeros(1, np.int32), 1), becomes(zeros, x[::-1] + 1)
