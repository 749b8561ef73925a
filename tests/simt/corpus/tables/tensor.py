"""Launches of programs for tensor cores with shapes, types and layouts besides the usual ones."""

from __future__ import annotations

from typing import Any

import numpy as np

from simt.corpus.corpus_case import Launch, Table, becomes
from simt.corpus.tables.language import bfloat_bits, rounded_to_bfloat

TENSOR = Table("programs")

Arguments = tuple[Any, ...]


@TENSOR.case(
    launches=(
        Launch(1, 32, "mma_tf32", takes=(0, 1, 2)),
        Launch(1, 32, "mma_bf16", takes=(3, 4, 5)),
        Launch(1, 32, "mma_s8", takes=(6, 7, 8)),
        Launch(1, 32, "mma_f64", takes=(9, 10, 11)),
    )
)
def mma_shapes(rng: np.random.Generator) -> Arguments:
    tile = np.zeros((16, 8), np.float32)
    a, b = (rng.integers(-99, 99, shape).astype(np.float32) for shape in ((16, 8), (8, 8)))
    start = np.tile([[1, 2], [3, 4]], (1, 4)).repeat(8, axis=0)
    single = (a, b, becomes(tile, a @ b + start, 0.0))
    a, b = (rounded_to_bfloat(rng.standard_normal(shape, np.float32)) for shape in ((16, 16), (16, 8)))
    bfloat = (bfloat_bits(a), bfloat_bits(b), becomes(tile, a.astype(float) @ b.astype(float)))
    a, b = rng.integers(-128, 128, (16, 32), np.int8), rng.integers(0, 256, (32, 8), np.uint8)
    start = np.tile([[-5, 0], [5, 10]], (1, 4)).repeat(8, axis=0)
    integer = (a, b, becomes(tile.astype(np.int32), a.astype(int) @ b.astype(int) + start))
    a, b = rng.standard_normal((8, 4)), rng.standard_normal((4, 8))
    return *single, *bfloat, *integer, a, b, becomes(np.zeros((8, 8)), a @ b, 1e-12)


@TENSOR.case(grid=1, block=32)
def matrix_loads(rng: np.random.Generator) -> Arguments:
    tiles = rng.integers(0, 2**16, (4, 8, 8), np.uint16)
    return tiles, becomes(np.zeros_like(tiles), tiles), becomes(np.zeros_like(tiles), tiles.transpose(0, 2, 1))


@TENSOR.case(
    launches=(Launch(1, 32, "tall_halves", takes=(0, 1, 2)), Launch(1, 32, "bytes", takes=(3, 4, 5))),
    headers=True,
)
def wmma_layouts(rng: np.random.Generator) -> Arguments:
    a, b, c = (rng.random(shape).astype(np.float16) for shape in ((32, 16), (16, 8), (32, 8)))
    product = a.astype(float) @ b.astype(float) + c.astype(float)
    tall = (by_columns(a), by_columns(b), becomes(by_columns(c), by_columns(product), 4e-3))
    a, b = rng.integers(-128, 128, (2, 16, 16), np.int8)
    return *tall, a, by_columns(b), becomes(np.zeros((16, 16), np.int32), a.astype(int) @ b.astype(int) + 7)


def by_columns(matrix: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(matrix.T)
