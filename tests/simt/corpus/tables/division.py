"""Launches of the wrong kernels that divide integers by zero."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from simt.corpus.corpus_case import Table, becomes

DIVISION = Table("kernels/division")

Arguments = tuple[Any, ...]


@DIVISION.case(grid=2, block=32)
def empty_group(rng: np.random.Generator) -> Arguments:
    sizes, seeds = rng.integers(0, 4, 50, np.int32), rng.integers(0, 99, 50, np.int32)
    positions = np.where(sizes > 0, seeds % np.maximum(sizes, 1), -1)
    return sizes, seeds, becomes(np.zeros(50, np.int32), positions), 50


@DIVISION.case(grid=1, block=32)
def integer_mean(rng: np.random.Generator) -> Arguments:
    matrix = rng.integers(-9, 9, (20, 6), np.int32)
    matrix[11] = -1
    positive = matrix > 0
    means = (matrix * positive).sum(1) // np.maximum(positive.sum(1), 1)
    return matrix, becomes(np.zeros(20, np.int32), means), 20, 6


@DIVISION.case(grid=1, block=32)
def euclid(rng: np.random.Generator) -> Arguments:
    a, b = rng.integers(1, 999, (2, 30), np.uint32)
    b[7] = 0
    return a, b, becomes(np.zeros(30, np.uint32), np.gcd(a, b)), 30


@DIVISION.case(grid=1, block=32)
def wide_average(rng: np.random.Generator) -> Arguments:
    totals, weights = rng.integers(0, 10**15, 30), rng.integers(1, 10**6, 30)
    weights[[3, 9]] = 0
    return totals, weights, becomes(np.zeros(30, np.int64), np.where(weights > 0, totals // np.maximum(weights, 1), 0)), 30


@DIVISION.case(grid=2, block=32)
def tiles_of_image(_: np.random.Generator) -> Arguments:
    tiles = np.arange(50) // 16
    return becomes(np.zeros(50, np.int32), tiles), becomes(np.zeros(50, np.int32), 0), 10, 50


@DIVISION.case(grid=1, block=32)
def modular_power(rng: np.random.Generator) -> Arguments:
    primes = np.array([p for p in range(2, 120) if all(p % d for d in range(2, math.isqrt(p) + 1))], np.uint32)
    moduli = primes[:30].copy()
    moduli[5] = 1
    bases = rng.integers(1, 2**31, 30, np.uint32)
    bases += bases % np.maximum(moduli, 2) == 0
    powers = [pow(int(base), 1000003, int(modulus)) for base, modulus in zip(bases, moduli, strict=True)]
    return bases, moduli, becomes(np.zeros(30, np.uint32), powers), np.uint32(1000003), 30
