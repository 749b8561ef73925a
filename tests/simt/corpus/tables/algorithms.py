"""Launches of programs whose results Python's standard library or NumPy computes by another implementation."""

from __future__ import annotations

import hashlib
import zlib
from typing import Any

import numpy as np

from simt.corpus.corpus_case import Launch, Table, becomes, scratch

ALGORITHMS = Table("programs")

Arguments = tuple[Any, ...]


@ALGORITHMS.case(grid=2, block=32)
def sha256(rng: np.random.Generator) -> Arguments:
    messages, lengths = rng.integers(0, 256, (50, 55), np.uint8), rng.integers(0, 56, 50, np.int32)
    texts = [message[:length].tobytes() for message, length in zip(messages, lengths, strict=True)]
    digests = np.frombuffer(b"".join(hashlib.sha256(text).digest() for text in texts), np.uint8).reshape(50, 32)
    return messages, lengths, becomes(np.zeros((50, 32), np.uint8), digests), 50


@ALGORITHMS.case(grid=3, block=128)
def fft(rng: np.random.Generator) -> Arguments:
    rows = (rng.standard_normal((3, 256)) + 1j * rng.standard_normal((3, 256))).astype(np.complex64)
    result = np.fft.fft(rows.astype(np.complex128), axis=1).astype(np.complex64)
    return rows.view(np.float32), becomes(np.zeros((3, 512), np.float32), result.view(np.float32), 1e-4)


STEPS = (Launch(3, 64, "assign_points", takes=(0, 1, 2, 3, 4, 5)), Launch(1, 8, "move_centers", takes=(1, 3, 4)))


@ALGORITHMS.case(launches=3 * STEPS)
def k_means(rng: np.random.Generator) -> Arguments:
    points = rng.random((150, 2), np.float32)
    centers = points[:8].astype(np.float64)
    for _ in range(3):
        labels = ((points[:, None] - centers) ** 2).sum(2).argmin(1)
        centers = np.stack([points[labels == k].mean(0) for k in range(8)])
    moved = becomes(points[:8].copy(), centers)
    found = becomes(np.zeros(150, np.int32), labels)
    return points, moved, found, becomes(np.zeros(16, np.float32), 0), becomes(np.zeros(8, np.int32), 0), 150


@ALGORITHMS.case(grid=1, block=64)
def breadth_first(rng: np.random.Generator) -> Arguments:
    edges = rng.random((120, 120)) < 0.02
    levels = np.full(120, -1, np.int32)
    front, level = np.arange(120) == 7, 0
    while front.any():
        levels[front] = level
        front, level = edges[front].any(0) & (levels < 0), level + 1
    offsets = np.concatenate([[0], edges.sum(1).cumsum()]).astype(np.int32)
    reached = becomes(np.zeros(1, np.int32), (levels >= 0).sum())
    found = becomes(np.full(120, -1, np.int32), levels)
    return offsets, np.nonzero(edges)[1].astype(np.int32), found, scratch(np.zeros(120, np.int32)), reached, 7


@ALGORITHMS.case(grid=2, block=32)
def checksums(rng: np.random.Generator) -> Arguments:
    strings = [rng.integers(0, 256, length, np.uint8).tobytes() for length in rng.integers(0, 80, 60)]
    offsets = np.cumsum([0, *map(len, strings)]).astype(np.int32)
    zeros = np.zeros(60, np.uint32)
    crcs, adlers = [zlib.crc32(text) for text in strings], [zlib.adler32(text) for text in strings]
    return np.frombuffer(b"".join(strings), np.uint8), offsets, becomes(zeros, crcs), becomes(zeros, adlers), 60
