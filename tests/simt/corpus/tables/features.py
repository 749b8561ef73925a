"""Launches of programs that each use many instructions or features of one kind."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from simt.corpus.corpus_case import Launch, Table, becomes

FEATURES = Table("programs")

Arguments = tuple[Any, ...]


@FEATURES.case(grid=2, block=64)
def atomic_operations(rng: np.random.Generator) -> Arguments:
    x = rng.integers(-50, 50, 100, np.int32)
    start = np.array([0, 0, 99, -99, -1, 0, 0, 0], np.int32)
    combined = [x.sum(), -x.sum(), x.min(), x.max(), *(op.reduce(x) for op in BITWISE), 0]
    for part in (x[:64], x[64:]):
        combined += [part.sum(), max(part.max(), 0), np.bitwise_or.reduce(np.int32(1) << (part & 31)), 77]
    unsigned = x.view(np.uint32)
    wraps = [100 % 7, (7 - 100 % 7) % 7, unsigned.min(), unsigned.max()]
    longs = 10**12 * x.astype(np.int64)
    return (
        x,
        becomes(np.concatenate([start, np.zeros(8, np.int32)]), combined),
        becomes(np.array([0, 0, 2**32 - 1, 0], np.uint32), wraps),
        becomes(np.zeros(1, np.float32), x.sum()),
        becomes(np.zeros(1), 0.5 * x.sum()),
        becomes(np.array([2**62, -(2**62)]), [longs.min(), longs.max()]),
        100,
    )


BITWISE = (np.bitwise_and, np.bitwise_or, np.bitwise_xor)


@FEATURES.case(grid=2, block=64)
def state_machine(rng: np.random.Generator) -> Arguments:
    programs = rng.integers(0, 11, (128, 30), np.uint8)
    programs[::3, 20] = 99
    inputs = rng.integers(-99, 99, 128, np.int32)
    results = [interpreted(program.tolist(), int(start)) for program, start in zip(programs, inputs, strict=True)]
    return programs, inputs, becomes(np.zeros(128, np.int32), results), 30


def signed(x: int) -> int:
    return (x + 2**31) % 2**32 - 2**31


def interpreted(code: list[int], start: int) -> int:
    stack = [start]
    binary: dict[int, Callable[[int, int], int]] = {2: lambda a, b: a + b, 3: lambda a, b: a - b, 4: lambda a, b: a * b}
    unary: dict[int, Callable[[int], int]] = {5: lambda a: -a, 6: lambda a: ~a, 7: lambda a: a << 3, 8: lambda a: a >> 2}
    at = 0
    while at < len(code):
        operation, last, second = code[at], stack[-1], stack[-2] if len(stack) > 1 else 0
        at += 1
        if operation < 2:
            stack.append(last if operation else 1)
        elif operation in binary:
            del stack[max(len(stack) - 1, 1) :]
            stack[-1] = signed(binary[operation](second, last))
        elif operation in unary:
            stack[-1] = signed(unary[operation](last))
        elif operation == 9:
            at += 2 if last > 0 else 0
        elif operation == 10:
            stack[-1] = last ^ second
        else:
            break
        if len(stack) > 14:
            del stack[1:]
    result = 0
    for value in stack:
        result = signed(result * 31 + value)
    return result


@FEATURES.case(grid=2, block=64)
def shuffle_widths(rng: np.random.Generator) -> Arguments:
    x = rng.integers(0, 99, (4, 32), np.int32)
    lane = np.arange(32)

    def read(source: np.ndarray, width: int) -> np.ndarray:
        """Return what lanes read: their own value where the source is outside of their group."""
        inside = source // width == lane // width
        return x[:, np.where(inside, source, lane)]

    masks = ((x[:, :, None] % 4 == x[:, None, :] % 4) << np.arange(32)).sum(2).astype(np.uint32).view(np.int32)
    xor = 9 ^ lane
    down_by_xor = np.where(xor // 8 <= lane // 8, xor, lane)
    columns = [
        x[:, lane // 4 * 4 + (lane + 1) % 4],
        x[:, np.full(32, 5)],
        read(lane - 3, 8),
        read(lane + 5, 16),
        x[:, down_by_xor],
        masks,
        np.zeros((4, 32), np.int32),
        np.repeat(x.max(1) ^ np.bitwise_xor.reduce(x, axis=1), 32).reshape(4, 32),
    ]
    wide = np.where(lane < 25, 0.5 * x[:, np.minimum(lane + 7, 31)], 0.5 * x)
    return x, becomes(np.zeros((4, 8, 32), np.int32), np.stack(columns, axis=1)), becomes(np.zeros((4, 32)), wide)


@FEATURES.case(grid=2, block=64)
def intrinsics(rng: np.random.Generator) -> Arguments:
    a, b = rng.integers(-(2**31), 2**31, (2, 100), np.int32)
    a[:4], b[:4] = [0, 1, -1, -(2**31)], [0, 1, -1, 2**31 - 1]
    rows = [[signed(value) for value in intrinsic_values(int(x), int(y))] for x, y in zip(a, b, strict=True)]
    return a, b, becomes(np.zeros((100, 16), np.int32), rows), 100


def intrinsic_values(x: int, y: int) -> list[int]:
    """Return the results of integer intrinsics, computed without overflow."""
    ux, uy, shift = x % 2**32, y % 2**32, y & 31
    byte = [number >> 8 * k & 255 for number in (ux, uy) for k in range(4)]
    bytes_of = [(value ^ 128) - 128 for value in byte]
    return [
        32 - ux.bit_length(),
        (ux & -ux).bit_length(),
        ux.bit_count(),
        int(f"{ux:032b}"[::-1], 2),
        byte[0] | byte[4] << 8 | byte[1] << 16 | byte[5] << 24,
        x * y >> 32,
        ux * uy >> 32,
        (uy << 32 | ux) << shift >> 32,
        7 + sum(bytes_of[k] * bytes_of[4 + k] for k in range(4)),
        abs(ux - uy) + 5,
        x + y >> 1,
        x + y + 1 >> 1,
        64 - ((x << 20) % 2**64).bit_length(),
        x * y >> 13,
        ux * 0x9E3779B97F4A7C15 % 2**64 % (uy | 1),
        (ux >> shift) + (ux << shift),
    ]


@FEATURES.case(grid=2, block=64)
def struct_parameters(rng: np.random.Generator) -> Arguments:
    layout = np.dtype([("taps", "f4", 8), ("offsets", "i2", 8), ("scale", "f8"), ("kind", "S1")], align=True)
    values = np.zeros((), layout)
    values["taps"], values["offsets"], values["scale"], values["kind"] = rng.random(8), rng.integers(-9, 9, 8), 2.5, b"m"
    x = rng.random(100, np.float32)
    at = np.arange(100)[:, None] + values["offsets"]
    inside = (at >= 0) & (at < 100)
    sums = (np.where(inside, x[np.clip(at, 0, 99)], 0) * values["taps"]).astype(np.float64).sum(1)
    used = np.stack([(at < 0).sum(1), inside.sum(1), (at >= 100).sum(1)], axis=1)
    return values.tobytes(), x, becomes(np.zeros(100), -2.5 * sums, 1e-5), becomes(np.zeros((100, 3), np.int32), used), 100


@FEATURES.case(grid=5, block=64)
def release_acquire(rng: np.random.Generator) -> Arguments:
    x = rng.integers(0, 99, 64, np.int32)
    chain = [x]
    for _ in range(4):
        chain.append(np.roll(chain[-1], -1) + x)
    return x, becomes(np.zeros((5, 64), np.int32), np.stack(chain)), becomes(np.zeros(5, np.int32), 1), 64


@FEATURES.case(launches=(Launch((2, 2, 3), (5, 3, 2)),))
def volume_index(rng: np.random.Generator) -> Arguments:
    volume = rng.integers(0, 210, (5, 6, 9), np.uint8)
    volume[rng.random(volume.shape) < 0.2] = 0
    steps, marks = np.zeros((2, *volume.shape), np.int32)
    for z, y, x in np.ndindex(volume.shape):
        steps[z, y, x], marks[z, y, x] = line_steps(volume[z, y, x:].tolist())
    zeros = np.zeros(volume.shape, np.int32)
    return volume, becomes(zeros, marks), becomes(zeros, steps), np.array([9, 6, 5], np.uint32).tobytes()


def line_steps(voxels: list[int]) -> tuple[int, int]:
    count = total = 0
    for voxel in voxels:
        if voxel > 200:
            break
        for bit in range(8):
            total += bit * (voxel >> bit & 1)
            if total > 40:
                return count, total
        count += voxel > 0
    return count, total


@FEATURES.case(grid=2, block=32, slow=True)
def special_functions(rng: np.random.Generator) -> Arguments:
    x = rng.random(50) * 3 + 0.1
    rows = np.array([special_values(value) for value in x.tolist()])
    single = np.array([special_values(float(np.float32(value))) for value in x.tolist()])
    return x, becomes(np.zeros((50, 16), np.float32), single, 5e-5), becomes(np.zeros((50, 16)), rows, 1e-12), 50


def special_values(x: float) -> list[float]:
    functions = (
        [math.sin(x), math.cos(x * 100), math.tan(x), math.exp(x), math.log(x), x**1.7, math.sqrt(x), math.atan2(x, 2)],
        [math.tanh(x), math.erf(x), math.gamma(x), x ** (1 / 3), math.asin(x / 4), math.fmod(x, 0.3), math.hypot(x, 3)],
        [math.log1p(x)],
    )
    return [value for group in functions for value in group]
