"""Kernels in the style of real code whose gradient Warp 1.19 computes incorrectly, see `notes/explanation/warp_findings.md`."""

from __future__ import annotations

import numpy as np

from real_patterns.pattern import Pattern, both, kept, number, read, written

OFFSETS = np.array([0, 3, 7, 9, 14, 16], np.int32)
_WRONG = "is not the derivative: of {}, the adjoint gives"

PATTERNS = {
    "transmittance along a ray": Pattern("""
        @wp.kernel
        def render(density: wp.array2d(dtype=float), steps: int, dt: float, out: wp.array(dtype=float)):
            i = wp.tid()
            transmittance = float(1.0)
            for k in range(steps):
                transmittance = transmittance * wp.exp(0.0 - density[i, k] * dt)
            out[i] = 1.0 - transmittance
    """, (8,), (read("density", "float32", 8, 20, low=0.5, high=1.0), number("steps", 20), number("dt", 0.1), written("out", "float32", 8)),
        "fail", _WRONG.format("density")),
    "norms of sparse rows": Pattern("""
        @wp.kernel
        def row_norms(offsets: wp.array(dtype=int), values: wp.array(dtype=float), out: wp.array(dtype=float)):
            row = wp.tid()
            total = float(0.0)
            for k in range(offsets[row], offsets[row + 1]):
                total += values[k] * values[k]
            out[row] = wp.sqrt(total + 1.0)
    """, (5,), (kept("offsets", "int32", OFFSETS), read("values", "float32", 16, low=0.5, high=1.0), written("out", "float32", 5)),
        "fail", _WRONG.format("values")),
    "sphere tracing": Pattern("""
        @wp.kernel
        def trace(o: wp.array(dtype=wp.vec3), d: wp.array(dtype=wp.vec3), radius: wp.array(dtype=float), steps: int, out: wp.array(dtype=float)):
            i = wp.tid()
            t = float(0.0)
            for k in range(steps):
                p = o[i] + d[i] * t
                t = t + 0.5 * (wp.length(p) - radius[0])
            out[i] = t
    """, (8,), (read("o", "vec3f", 8, low=2, high=3), read("d", "vec3f", 8, kind="unit"), read("radius", "float32", 1, low=0.5, high=1.0),
                number("steps", 6), written("out", "float32", 8)), "fail", "is not the derivative: of o, the adjoint gives"),
    "the first that is near": Pattern("""
        @wp.kernel
        def first(x: wp.array2d(dtype=float), limit: float, out: wp.array(dtype=float)):
            i = wp.tid()
            total = float(0.0)
            for k in range(6):
                if total > limit:
                    break
                total += x[i, k]
            out[i] = total
    """, (8,), (read("x", "float32", 8, 6, low=0.5, high=1.0), number("limit", 2.0), written("out", "float32", 8)), "fail", _WRONG.format("x")),
    "a list that ends": Pattern("""
        @wp.kernel
        def follow(following: wp.array(dtype=int), x: wp.array(dtype=float), out: wp.array(dtype=float)):
            i = wp.tid()
            total = float(0.0)
            k = int(i)
            while k < 6:
                total += x[k]
                k = following[k]
            out[i] = total
    """, (6,), (kept("following", "int32", [1, 3, 4, 5, 5, 6, 7]), read("x", "float32", 7), written("out", "float32", 6)), "fail", _WRONG.format("x")),
    "a replaced component": Pattern("""
        @wp.kernel
        def flatten(x: wp.array(dtype=wp.vec3), height: wp.array(dtype=float), out: wp.array(dtype=wp.vec3)):
            i = wp.tid()
            p = x[i]
            p[1] = height[i]
            out[i] = p
    """, (8,), (read("x", "vec3f", 8), read("height", "float32", 8), written("out", "vec3f", 8)), "fail", _WRONG.format("x")),
    "a product in place": Pattern("""
        @wp.kernel
        def scale(u: wp.array(dtype=float), x: wp.array(dtype=float)):
            i = wp.tid()
            u[i] *= x[i]
    """, (8,), (both("u", "float32", 8, low=0.5, high=1.0), read("x", "float32", 8, low=1.5, high=2.0)), "fail",
        "u is overwritten after it is read"),
    "multipliers in place": Pattern("""
        @wp.kernel
        def solve(x: wp.array(dtype=wp.vec3), rest: wp.array(dtype=float), compliance: float, multipliers: wp.array(dtype=float),
                  force: wp.array(dtype=wp.vec3)):
            c = wp.tid()
            d = x[c + 1] - x[c]
            length = wp.length(d)
            step = (length - rest[c] + compliance * multipliers[c]) / (1.0 + compliance)
            multipliers[c] = multipliers[c] - step
            wp.atomic_add(force, c, d / length * step)
    """, (7,), (read("x", "vec3f", 8), read("rest", "float32", 7), number("compliance", 0.5), both("multipliers", "float32", 7, low=0.5, high=1.0),
                both("force", "vec3f", 7)), "fail", "is overwritten after it is read"),
    "old values of atomic sums": Pattern("""
        @wp.kernel
        def exchange(total: wp.array(dtype=float), x: wp.array(dtype=float), y: wp.array(dtype=float), out: wp.array(dtype=float)):
            i = wp.tid()
            wp.atomic_add(total, i, x[i])
            old = wp.atomic_add(total, i, y[i])
            out[i] = old * 2.0
    """, (8,), (both("total", "float32", 8), read("x", "float32", 8), read("y", "float32", 8), written("out", "float32", 8)), "fail",
        _WRONG.format("x")),
    "periodic boxes": Pattern("""
        @wp.kernel
        def wrap(x: wp.array(dtype=float), box: wp.array(dtype=float), out: wp.array(dtype=float)):
            i = wp.tid()
            out[i] = wp.mod(x[i], box[i])
    """, (8,), (read("x", "float32", 8, low=3.0, high=3.5), read("box", "float32", 8, low=0.8, high=0.9), written("out", "float32", 8)), "fail",
        _WRONG.format("box")),
    "an array of a thread": Pattern("""
        @wp.kernel
        def stack(x: wp.array(dtype=wp.vec2), out: wp.array(dtype=float)):
            i = wp.tid()
            own = wp.zeros(shape=(2,), dtype=float)
            own[0] = x[i][0]
            own[1] = x[i][1]
            out[i] = own[0] * own[1]
    """, (8,), (read("x", "vec2f", 8), written("out", "float32", 8)), "fail", _WRONG.format("x")),
    "interpolation in a table": Pattern("""
        @wp.kernel
        def interpolate(knots: wp.array(dtype=float), values: wp.array(dtype=float), x: wp.array(dtype=float), n: int, out: wp.array(dtype=float)):
            i = wp.tid()
            low = int(0)
            high = int(n - 1)
            while high - low > 1:
                middle = (low + high) // 2
                if knots[middle] > x[i]:
                    high = middle
                else:
                    low = middle
            t = (x[i] - knots[low]) / (knots[high] - knots[low])
            out[i] = values[low] * (1.0 - t) + values[high] * t
    """, (12,), (kept("knots", "float32", [0.0, 0.1, 0.3, 0.4, 0.6, 0.7, 0.9, 1.0]), read("values", "float32", 8), read("x", "float32", 12, low=0, high=1),
                 number("n", 8), written("out", "float32", 12)), "fail", "is not the derivative"),
    "softmax of rows": Pattern("""
        @wp.kernel
        def softmax(x: wp.array2d(dtype=float), n: int, out: wp.array2d(dtype=float)):
            i = wp.tid()
            largest = float(-1.0e30)
            for k in range(n):
                largest = wp.max(largest, x[i, k])
            total = float(0.0)
            for k in range(n):
                total += wp.exp(x[i, k] - largest)
            for k in range(n):
                out[i, k] = wp.exp(x[i, k] - largest) / total
    """, (6,), (read("x", "float32", 6, 9), number("n", 9), written("out", "float32", 6, 9)),
        "fail", _WRONG.format("x")),
    "a clipped gradient written by hand": Pattern("""
        @wp.func
        def soft(x: float):
            return wp.max(x, 0.1) * x


        @wp.func_grad(soft)
        def adj_soft(x: float, adj_ret: float):
            wp.adjoint[x] += wp.clamp(x, 0.0, 0.5) * adj_ret


        @wp.kernel
        def penalty(x: wp.array(dtype=float), out: wp.array(dtype=float)):
            i = wp.tid()
            out[i] = soft(x[i])
    """, (16,), (read("x", "float32", 16), written("out", "float32", 16)), "fail", "written by hand (wp.func_grad)"),
}  # fmt: skip

ENDLESS = Pattern(
    """
    @wp.kernel
    def find(x: wp.array(dtype=float), out: wp.array(dtype=float)):
        i = wp.tid()
        s = x[i]
        while s < 100.0:
            s = s * 2.0
            if s > 5.0:
                out[i] = s * s
                return
""",
    (8,),
    (read("x", "float32", 8, low=0.5, high=1.0), written("out", "float32", 8)),
    "skipped",
    "",
    {"execute": "fail", "emulate": "skipped"},
)
"""A kernel whose backward pass does not end; checking it takes as long as the time limit."""
