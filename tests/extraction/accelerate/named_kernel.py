"""A kernel with names of every kind: constants, modules in modules, closures, aliases of types, structs."""

from __future__ import annotations

NAMED = """import math
import types
import warp
import warp as wp
from warp import sin as sine

LIMIT = wp.constant(3)
SETTINGS = types.ModuleType("settings")
SETTINGS.inner, SETTINGS.shown = types.ModuleType("inner"), True
SETTINGS.inner.factor = 2.5
float_alias = float
nothing = None


def scale_by(factor):
    @wp.func
    def scaled(x: float):
        return factor * x

    return scaled


scaled = scale_by(1.5)


@wp.func
def early(x: float, n: int):
    if n > LIMIT:
        return x
    return sine(x) * math.pi


@wp.struct
class Pair:
    first: float
    second: wp.vec3


@wp.kernel
def named(x: wp.array(dtype=float), m: wp.array2d(dtype=wp.mat33), pair: Pair, y: wp.array(dtype=float), done: wp.bool):
    i = wp.tid()
    if i >= x.shape[0] or done:
        return
    sin = x[i]  # hides nothing of Warp's
    total = float(0.0)
    for k in range(LIMIT):
        total += wp.cos(sin) * warp.float32(k) * SETTINGS.inner.factor
    wide = wp.uint64(18446744073709551615)
    row = m[i, 0]
    picked = row[1] + pair.second
    y[i] = early(total, i) + scaled(pair.first) + float_alias(i) + wp.dot(picked, picked) + math.e + float(wide)
    y[i] += wp.PI if SETTINGS.shown else wp.static(2.0 * LIMIT)
"""
