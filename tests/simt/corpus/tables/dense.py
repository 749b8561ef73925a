"""Launches of programs over matrices, images, volumes and rows of numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from simt.corpus.corpus_case import Launch, Table, becomes

DENSE = Table("programs")

Arguments = tuple[Any, ...]


def softmax(rows: np.ndarray) -> np.ndarray:
    powers = np.exp(rows.astype(np.float64) - rows.max(1, keepdims=True))
    return powers / powers.sum(1, keepdims=True)


@DENSE.case(grid=3, block=64)
def three_pass_softmax(rng: np.random.Generator) -> Arguments:
    rows = 4 * rng.standard_normal((3, 150), np.float32)
    return rows, becomes(np.zeros_like(rows), softmax(rows)), 150


@DENSE.case(grid=2, block=(32, 2))
def online_softmax(rng: np.random.Generator) -> Arguments:
    rows = 4 * rng.standard_normal((3, 100), np.float32)
    return rows, becomes(np.zeros_like(rows), softmax(rows)), 3, 100


@DENSE.case(grid=3, block=32)
def layer_norm(rng: np.random.Generator) -> Arguments:
    rows, weights, biases = rng.random((3, 200), np.float32), rng.random(200, np.float32), rng.random(200, np.float32)
    wide = rows.astype(np.float64)
    normal = (wide - wide.mean(1, keepdims=True)) / np.sqrt(wide.var(1, keepdims=True) + 1e-5)
    return rows, weights, biases, becomes(np.zeros_like(rows), normal * weights + biases, 1e-4), 50


@DENSE.case(grid=(3, 2), block=(16, 16))
def convolution_2d(rng: np.random.Generator) -> Arguments:
    image = rng.random((25, 40), np.float32)
    weights = np.array([1, 4, 6, 4, 1]) / 16
    windows = np.lib.stride_tricks.sliding_window_view(np.pad(image, 2), (5, 5))
    return image, becomes(np.zeros_like(image), np.einsum("yxij,i,j->yx", windows, weights, weights)), 40, 25


@DENSE.case(
    launches=(
        Launch((3, 2), (16, 16), "naive", takes=(0, 1, 4, 5)),
        Launch((3, 2), (16, 16), "tiled", takes=(0, 2, 4, 5)),
        Launch((3, 2), (16, 4), "padded", takes=(0, 3, 4, 5)),
    )
)
def transposes(rng: np.random.Generator) -> Arguments:
    a = rng.random((25, 40), np.float32)
    b = becomes(np.zeros((40, 25), np.float32), a.T, 0.0)
    return a, b, b, b, 40, 25


@DENSE.case(grid=(2, 2), block=(16, 8))
def naive_matmul(rng: np.random.Generator) -> Arguments:
    a, b = rng.random((13, 20)), rng.random((20, 18))
    return a, b, becomes(np.zeros((13, 18)), a @ b, 1e-12), 13, 18, 20


@DENSE.case(grid=(2, 3), block=(16, 16))
def tiled_matmul(rng: np.random.Generator) -> Arguments:
    a, b = rng.random((40, 50), np.float32), rng.random((50, 30), np.float32)
    return a, b, becomes(np.zeros((40, 30), np.float32), a @ b), 40, 30, 50


@DENSE.case(grid=(2, 2), block=64)
def register_matmul(rng: np.random.Generator) -> Arguments:
    a, b = rng.random((64, 24), np.float32), rng.random((24, 64), np.float32)
    return a, b, becomes(np.zeros((64, 64), np.float32), a @ b), 64, 64, 24


@DENSE.case(grid=(1, 2), block=(32, 2), headers=True)
def wmma_matmul(rng: np.random.Generator) -> Arguments:
    a, b = rng.random((32, 48)).astype(np.float16), rng.random((48, 32)).astype(np.float16)
    return a, b, becomes(np.zeros((32, 32), np.float32), a.astype(float) @ b.astype(float) / 2, 1e-3), 32, 48


@DENSE.case(grid=(2, 2), block=32, headers=True)
def mma_matmul(rng: np.random.Generator) -> Arguments:
    a, b = rng.random((32, 48)).astype(np.float16), rng.random((48, 16)).astype(np.float16)
    product = a.astype(float) @ b.astype(float)
    return a, np.ascontiguousarray(b.T), becomes(np.zeros((32, 16), np.float32), product, 1e-3), 16, 48


@DENSE.case(grid=(2, 2), block=(16, 16))
def async_matmul(rng: np.random.Generator) -> Arguments:
    a, b = rng.random((32, 64), np.float32), rng.random((64, 32), np.float32)
    return a, b, becomes(np.zeros((32, 32), np.float32), a @ b), 32, 64


@DENSE.case(grid=1, block=96)
def stencil_1d(rng: np.random.Generator) -> Arguments:
    x = rng.random(96, np.float32)
    y = x.astype(np.float64)
    for _ in range(3):
        y = sum((4 - abs(k)) * np.roll(y, k) for k in range(-3, 4)) / 16
    return x, becomes(np.zeros_like(x), y), 3


@DENSE.case(grid=(3, 2), block=(8, 8))
def stencil_2d(rng: np.random.Generator) -> Arguments:
    u, f = rng.random((2, 13, 20), np.float32)
    truth = u.copy()
    truth[1:-1, 1:-1] = (u[1:-1, :-2] + u[1:-1, 2:] + u[:-2, 1:-1] + u[2:, 1:-1] - 0.25 * f[1:-1, 1:-1]) / 4
    return u, f, becomes(np.zeros_like(u), truth), 20, 13, np.float32(0.5)


@DENSE.case(grid=(2, 2), block=(16, 8))
def stencil_3d(rng: np.random.Generator) -> Arguments:
    u = rng.random((6, 18, 34), np.float32)
    inner = (slice(1, -1),) * 3
    around = sum(np.roll(u, step, axis) for axis in range(3) for step in (-1, 1))
    truth = np.zeros_like(u)
    truth[inner] = (around - 6 * u)[inner]
    return u, becomes(np.zeros_like(u), truth, 1e-4), 34, 18, 6


@DENSE.case(grid=2, block=32)
def n_body(rng: np.random.Generator) -> Arguments:
    bodies = rng.random((50, 4), np.float32)
    r = bodies[None, :, :3] - bodies[:, None, :3]
    scales = bodies[:, 3] / ((r**2).sum(2) + 0.01) ** 1.5
    return bodies, becomes(np.zeros((50, 3), np.float32), (r * scales[:, :, None]).sum(1), 1e-4), 50


@DENSE.case(
    launches=(
        Launch(1, 64, "scalar_rows", takes=(0, 1, 2, 3, 4, 6)),
        Launch(7, 192, "vector_rows", takes=(0, 1, 2, 3, 5, 6)),
    )
)
def sparse_products(rng: np.random.Generator) -> Arguments:
    matrix = rng.random((40, 60), np.float32) * (rng.random((40, 60)) < rng.random((40, 1)))
    matrix[7] = 0
    rows, columns = np.nonzero(matrix)
    offsets = np.concatenate([[0], np.bincount(rows, minlength=40).cumsum()]).astype(np.int32)
    x = rng.random(60, np.float32)
    y = becomes(np.zeros(40, np.float32), matrix @ x)
    return offsets, columns.astype(np.int32), matrix[rows, columns], x, y, y, 40


@DENSE.case(grid=1, block=96)
def floyd_warshall(rng: np.random.Generator) -> Arguments:
    distances = np.where(rng.random((20, 20)) < 0.2, rng.integers(1, 30, (20, 20)), 10**6).astype(np.int32)
    np.fill_diagonal(distances, 0)
    following = np.where(distances < 10**6, np.arange(20), -1).astype(np.int32)
    shortest, after = distances.copy(), following.copy()
    for middle in range(20):
        through = shortest[:, [middle]] + shortest[[middle], :]
        better = through < shortest
        after = np.where(better, after[:, [middle]], after)
        shortest = np.where(better, through, shortest)
    return becomes(distances, shortest), becomes(following, after), 20


@DENSE.case(grid=(2, 3), block=(2, 16))
def game_of_life(rng: np.random.Generator) -> Arguments:
    cells = rng.random((40, 96)) < 0.4
    shifts = [(y, x) for y in (-1, 0, 1) for x in (-1, 0, 1) if (y, x) != (0, 0)]
    neighbours = sum(np.roll(cells, shift, (0, 1)).astype(int) for shift in shifts)
    following = (neighbours == 3) | (cells & (neighbours == 2))
    return packed_bits(cells), becomes(np.zeros((40, 3), np.uint32), packed_bits(following)), 3, 40


def packed_bits(cells: np.ndarray) -> np.ndarray:
    return np.packbits(cells, axis=1, bitorder="little").view("<u4")


@DENSE.case(grid=(3, 2), block=(16, 8))
def mandelbrot(_: np.random.Generator) -> Arguments:
    c = (np.arange(40) * 0.075 - 2.25) + 1j * (np.arange(15) * 0.075 - 1.0)[:, None]
    image = np.vectorize(escape_steps, otypes=[np.uint8])(c)
    return becomes(np.zeros((15, 40), np.uint8), image), 40, 15, -2.25, -1.0, 0.075, 100


def escape_steps(c: complex) -> int:
    x = y = 0.0
    for count in range(100):
        if x * x + y * y > 4:
            return count
        x, y = x * x - y * y + c.real, (x + x) * y + c.imag
    return 100


@DENSE.case(grid=2, block=64)
def batched_lu(rng: np.random.Generator) -> Arguments:
    matrices, rights = rng.standard_normal((100, 4, 4)), rng.standard_normal((100, 4))
    return matrices, rights, becomes(np.zeros((100, 4)), np.linalg.solve(matrices, rights[..., None])[..., 0], 1e-8), 100
