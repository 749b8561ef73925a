"""Numbers of very different sizes, zeros, and branches around them: what differences of launches show badly or not at all."""

from __future__ import annotations

import mpmath as mp
import numpy as np

from real_patterns.figures import dot, each, norm, rotated, threads
from real_patterns.pattern import Pattern, both, kept, number, read, twins, written

_WRONG = "is not the derivative: of {}, the adjoint gives"
UNRESOLVED = "pass/inconclusive"
"""The gradient is right, and float64 may have too few digits to show it."""

STILL = {"execute": "inconclusive"}
"""What is added is smaller than the rounding of the total, which stays as it is."""

RESTING = np.where(np.arange(30).reshape(10, 3) // 3 % 3 == 0, 0.0, np.linspace(-1.0, 1.5, 30).reshape(10, 3))
"""Velocities of which some are zero."""

FLAT = [0.75, 0.5, 1.0, -1.0, 0.5, 2.0, -0.25, 1.0, 1.5, 0.5]
FLAT_NEXT = [1.0, 0.25, -1.0, 1.0, -0.5, 1.0, 0.25, -1.0, 0.5, -2.0]
"""Slopes to both sides of cells; at cells 2, 3, 4, 6 and 7, the sum of both is zero."""

DAMPED = Pattern("""
    @wp.kernel
    def drag(v: wp.array(dtype=wp.vec3), k: wp.array(dtype=float), f: wp.array(dtype=wp.vec3)):
        i = wp.tid()
        f[i] = v[i] * (0.0 - k[i] * wp.sqrt(wp.dot(v[i], v[i])))
""", (10,), (kept("v", "vec3f", RESTING, components=1), read("k", "float32", 10, low=0.5, high=1), written("f", "vec3f", 10)), reason="nan",
    formula=lambda a: {"f": threads(lambda i: [-a.k[i] * norm(a.v[i]) * x for x in a.v[i]], 10)})  # fmt: skip

PATTERNS = {
    "small work beside a large energy": Pattern("""
        @wp.kernel
        def add_work(x: wp.array(dtype=float), e: wp.array(dtype=float)):
            i = wp.tid()
            e[i] += 1.0e-6 * x[i]
    """, (8,), (read("x", "float32", 8), kept("e", "float32", np.full(8, 1.0e9), "inout")), UNRESOLVED, "", STILL,
        formula=lambda a: {"e": a.e + mp.mpf(np.float32(1e-6).item()) * a.x}),
    "a step that leaves the total as it is": Pattern("""
        @wp.kernel
        def advance(a: wp.array(dtype=float), p: wp.array(dtype=float), total: wp.array(dtype=float)):
            i = wp.tid()
            total[i] += a[0] * p[i]
    """, (4,), (kept("a", "float32", [0.0]), kept("p", "float32", [1.3e-13, -0.7e-13, 2.0e-13, 0.9e-13]), kept("total", "float32", [0.3, -0.2, 1.1, 5.0], "inout")),
        UNRESOLVED, "", STILL, formula=lambda a: {"total": a.total + a.a[0] * a.p}),
    "a step of 1e-13": Pattern("""
        @wp.kernel
        def advance(a: wp.array(dtype=float), p: wp.array(dtype=float), total: wp.array(dtype=float)):
            i = wp.tid()
            total[i] += a[0] * p[i]
    """, (4,), (kept("a", "float32", [1.0]), kept("p", "float32", [1.3e-13, -0.7e-13, 2.0e-13, 0.9e-13]), kept("total", "float32", [0.3, -0.2, 1.1, 5.0], "inout")),
        UNRESOLVED, "", STILL, formula=lambda a: {"total": a.total + a.a[0] * a.p}),
    "a sum beside 1e18": Pattern("""
        @wp.kernel
        def shift(a: wp.array(dtype=float), b: wp.array(dtype=float), out: wp.array(dtype=float)):
            i = wp.tid()
            out[i] = a[i] + b[i]
    """, (8,), (read("a", "float32", 8), kept("b", "float32", np.full(8, 1.0e18)), written("out", "float32", 8)), UNRESOLVED,
        formula=lambda a: {"out": a.a + a.b}),
    "one sum beside 1e18 among others": Pattern("""
        @wp.kernel
        def shift(a: wp.array(dtype=float), b: wp.array(dtype=float), out: wp.array(dtype=float)):
            i = wp.tid()
            out[i] = a[i] * 2.0 + b[i]
    """, (8,), (read("a", "float32", 8), kept("b", "float32", np.where(np.arange(8) == 3, 1.0e18, 0.5)), written("out", "float32", 8)), UNRESOLVED,
        formula=lambda a: {"out": a.a * 2 + a.b}),
    "clocks of many small steps": Pattern("""
        @wp.kernel
        def tick(time: wp.array(dtype=wp.float64), dt: wp.array(dtype=wp.float64), out: wp.array(dtype=wp.float64)):
            i = wp.tid()
            out[i] = time[i] + dt[i] * dt[i]
    """, (6,), (kept("time", "float64", np.full(6, 1.0e5)), kept("dt", "float64", np.linspace(1e-9, 2e-9, 6)), written("out", "float64", 6)), UNRESOLVED,
        formula=lambda a: {"out": a.time + a.dt * a.dt}),
    "small weights of large forces": Pattern("""
        @wp.kernel
        def virial(f: wp.array(dtype=wp.vec3), r: wp.array(dtype=wp.vec3), w: wp.array(dtype=float), out: wp.array(dtype=float)):
            i = wp.tid()
            wp.atomic_add(out, 0, wp.dot(f[i], r[i]) * w[i])
    """, (8,), (read("f", "vec3f", 8, low=-1e9, high=1e9), read("r", "vec3f", 8, low=-1e-6, high=1e-6), read("w", "float32", 8), both("out", "float32", 1)),
        formula=lambda a: {"out": a.out + sum(dot(a.f[i], a.r[i]) * a.w[i] for i in range(8))}),
    "charges and lengths in SI units": Pattern("""
        @wp.kernel
        def coulomb(q: wp.array(dtype=wp.float64), r: wp.array(dtype=wp.float64), out: wp.array(dtype=wp.float64)):
            i = wp.tid()
            out[i] = wp.float64(8.9875517e9) * q[i] * q[i + 1] / r[i]
    """, (6,), (kept("q", "float64", np.linspace(1.6e-19, 4.8e-19, 7)), kept("r", "float64", np.linspace(1e-10, 3e-10, 6)), written("out", "float64", 6)),
        formula=lambda a: {"out": threads(lambda i: mp.mpf(8.9875517e9) * a.q[i] * a.q[i + 1] / a.r[i], 6)}),
    "denormal weights": Pattern("""
        @wp.kernel
        def weigh(x: wp.array(dtype=float), w: wp.array(dtype=float), out: wp.array(dtype=float)):
            i = wp.tid()
            out[i] = x[i] * w[i]
    """, (8,), (read("x", "float32", 8, low=0.5, high=1), kept("w", "float32", np.where(np.arange(8) % 2 == 0, 1.0e-40, 1.0)), written("out", "float32", 8)),
        formula=lambda a: {"out": a.x * a.w}),
    "a penalty of 1e12 beside a weight of 1e-6": Pattern("""
        @wp.kernel
        def cost(x: wp.array(dtype=float), y: wp.array(dtype=float), out: wp.array(dtype=float)):
            i = wp.tid()
            d = wp.max(x[i] - 0.5, 0.0)
            out[i] = 1.0e12 * d * d + 1.0e-6 * y[i]
    """, (8,), (kept("x", "float32", [0.1, 0.6, 0.2, 0.9, 0.3, 0.75, 0.0, 0.25]), read("y", "float32", 8), written("out", "float32", 8)), UNRESOLVED,
        formula=lambda a: {"out": each(lambda x, y: mp.mpf(np.float32(1e12).item()) * max(x - mp.mpf(0.5), 0) ** 2 + mp.mpf(np.float32(1e-6).item()) * y, a.x, a.y)}),
    **twins("quadratic drag on what is at rest", DAMPED, "quadratic drag by the length", "wp.sqrt(wp.dot(v[i], v[i]))", "wp.length(v[i])"),
    **twins("viscosity of a fluid at rest", Pattern("""
        @wp.kernel
        def stress(s: wp.array(dtype=wp.mat22), out: wp.array(dtype=wp.mat22)):
            i = wp.tid()
            rate = wp.sqrt(2.0 * wp.ddot(s[i], s[i]))
            out[i] = s[i] * (0.02 * rate)
    """, (6,), (kept("s", "mat22f", np.where(np.arange(24).reshape(6, 2, 2) // 4 % 2 == 0, 0.0, np.linspace(-1, 2, 24).reshape(6, 2, 2)), components=2), written("out", "mat22f", 6)),
        reason="nan", formula=lambda a: {"out": threads(lambda i: a.s[i] * mp.sqrt(2 * dot(a.s[i].ravel(), a.s[i].ravel())) * mp.mpf(np.float32(0.02).item()), 6)}),
        "viscosity of a fluid by a branch", "rate = wp.sqrt(2.0 * wp.ddot(s[i], s[i]))",
        "rate = float(0.0)\nif wp.ddot(s[i], s[i]) > 0.0:\n    rate = wp.sqrt(2.0 * wp.ddot(s[i], s[i]))"),
    **twins("limiter of slopes at a peak", Pattern("""
        @wp.kernel
        def limited(a: wp.array(dtype=float), b: wp.array(dtype=float), out: wp.array(dtype=float)):
            i = wp.tid()
            out[i] = wp.where(a[i] * b[i] > 0.0, 2.0 * a[i] * b[i] / (a[i] + b[i]), 0.0)
    """, (10,), (kept("a", "float32", FLAT), kept("b", "float32", FLAT_NEXT), written("out", "float32", 10)), reason="nan",
        formula=lambda a: {"out": each(lambda p, q: 2 * p * q / (p + q) if p * q > 0 else p * 0, a.a, a.b)}),
        "limiter of slopes by a branch", "out[i] = wp.where(a[i] * b[i] > 0.0, 2.0 * a[i] * b[i] / (a[i] + b[i]), 0.0)",
        "if a[i] * b[i] > 0.0:\n    out[i] = 2.0 * a[i] * b[i] / (a[i] + b[i])"),
    **twins("the interaction of a particle with itself", Pattern("""
        @wp.kernel
        def repel(x: wp.array(dtype=wp.vec2), out: wp.array(dtype=wp.vec2)):
            i = wp.tid()
            total = wp.vec2()
            for j in range(8):
                d = x[i] - x[j]
                r = wp.length(d)
                total += wp.where(r > 0.0, d / (r * r * r), wp.vec2(0.0, 0.0))
            out[i] = total
    """, (8,), (read("x", "vec2f", 8), written("out", "vec2f", 8)), reason="nan",
        formula=lambda a: {"out": threads(lambda i: sum((a.x[i] - a.x[j]) / norm(a.x[i] - a.x[j]) ** 3 for j in range(8) if j != i), 8)}),
        "the interaction with other particles", "total += wp.where(r > 0.0, d / (r * r * r), wp.vec2(0.0, 0.0))", "if r > 0.0:\n    total += d / (r * r * r)"),
    **twins("inverse of a determinant that may be zero", Pattern("""
        @wp.kernel
        def invert(m: wp.array(dtype=wp.mat22), b: wp.array(dtype=float), out: wp.array(dtype=float)):
            i = wp.tid()
            d = wp.determinant(m[i])
            scale = wp.where(wp.abs(d) > 1.0e-6, 1.0 / d, 0.0)
            out[i] = scale * b[i]
    """, (6,), (kept("m", "mat22f", [np.zeros((2, 2)) if i % 3 == 1 else np.eye(2) * (i + 1) + 0.25 for i in range(6)], components=2), read("b", "float32", 6), written("out", "float32", 6)),
        reason="nan", formula=lambda a: {"out": threads(lambda i: a.b[i] / (a.m[i, 0, 0] * a.m[i, 1, 1] - a.m[i, 0, 1] * a.m[i, 1, 0]) if i % 3 != 1 else 0 * a.b[i], 6)}),
        "inverse of a determinant by a branch", "scale = wp.where(wp.abs(d) > 1.0e-6, 1.0 / d, 0.0)", "scale = float(0.0)\nif wp.abs(d) > 1.0e-6:\n    scale = 1.0 / d"),
    **twins("squared distance by a root", Pattern("""
        @wp.kernel
        def energy(x: wp.array(dtype=float), rest: wp.array(dtype=float), out: wp.array(dtype=float)):
            i = wp.tid()
            d = x[i] - rest[i]
            length = wp.sqrt(d * d)
            out[i] = 0.5 * length * length
    """, (10,), (kept("x", "float32", [0.5] * 10), kept("rest", "float32", np.where(np.arange(10) % 2 == 0, 0.5, 0.75)), written("out", "float32", 10)), reason="nan",
        formula=lambda a: {"out": (a.x - a.rest) ** 2 / 2}),
        "squared distance", "length = wp.sqrt(d * d)", "length = d"),
    "distance of equal points": Pattern("""
        @wp.kernel
        def distance(a: wp.array(dtype=wp.vec3), b: wp.array(dtype=wp.vec3), out: wp.array(dtype=float)):
            i = wp.tid()
            out[i] = wp.length(a[i] - b[i])
    """, (8,), (kept("a", "vec3f", np.ones((8, 3)), components=1), kept("b", "vec3f", np.where(np.arange(24).reshape(8, 3) < 9, 1.0, 2.0), components=1), written("out", "float32", 8)),
        UNRESOLVED),
    "absolute values of zeros": Pattern("""
        @wp.kernel
        def absolute(x: wp.array(dtype=float), y: wp.array(dtype=float), out: wp.array(dtype=float)):
            i = wp.tid()
            out[i] = wp.abs(x[i] * y[i])
    """, (8,), (kept("x", "float32", [0.0, 1.0, 0.0, -2.0, 0.0, 0.5, 0.0, 1.0]), read("y", "float32", 8), written("out", "float32", 8)), UNRESOLVED),
    "the smaller of equal numbers": Pattern("""
        @wp.kernel
        def smaller(x: wp.array(dtype=float), n: int, out: wp.array(dtype=float)):
            i = wp.tid()
            out[i] = wp.min(x[i], x[(i + 1) % n])
    """, (8,), (kept("x", "float32", [0.5] * 8), number("n", 8), written("out", "float32", 8)), UNRESOLVED),
    "time to a collision that never comes": Pattern("""
        @wp.kernel
        def collide(gap: wp.array(dtype=float), speed: wp.array(dtype=float), out: wp.array(dtype=float)):
            i = wp.tid()
            out[i] = 1.0e30
            if speed[i] > 1.0e-8:
                out[i] = gap[i] / speed[i]
    """, (8,), (read("gap", "float32", 8, low=0.5, high=1), kept("speed", "float32", [0.0, 0.5, -1.0, 2.0, 0.0, 0.25, 1.0, -0.5]), written("out", "float32", 8)), UNRESOLVED,
        formula=lambda a: {"out": each(lambda g, s: g / s if s > 1e-8 else g * 0 + mp.mpf(10) ** 30, a.gap, a.speed)}),
    **twins("powers with a base of zero", Pattern("""
        @wp.kernel
        def harden(x: wp.array(dtype=float), n: wp.array(dtype=float), out: wp.array(dtype=float)):
            i = wp.tid()
            out[i] = wp.pow(x[i], n[0])
    """, (8,), (kept("x", "float32", [0.0, 1.0, 0.0, 2.0, 0.25, 0.5, 0.0, 1.5]), kept("n", "float32", [2.5]), written("out", "float32", 8)), reason="nan"),
        "powers with a base that is not zero", "wp.pow(x[i], n[0])", "wp.pow(x[i] + 0.5, n[0])",
        formula=lambda a: {"out": (a.x + mp.mpf(0.5)) ** a.n[0]}),
    "squares by powers": Pattern("""
        @wp.kernel
        def square(x: wp.array(dtype=float), out: wp.array(dtype=float)):
            i = wp.tid()
            out[i] = wp.pow(x[i], 2.0)
    """, (8,), (kept("x", "float32", [0.0, 1.0, -1.0, -2.0, 0.25, 0.0, 3.0, -0.5]), written("out", "float32", 8)), formula=lambda a: {"out": a.x**2}),
    "one sum beside 1e18 among wrong ones": Pattern("""
        @wp.func
        def square(x: float):
            return x * x


        @wp.func_grad(square)
        def adj_square(x: float, adj_ret: float):
            wp.adjoint[x] += x * adj_ret


        @wp.kernel
        def shift(a: wp.array(dtype=float), b: wp.array(dtype=float), out: wp.array(dtype=float)):
            i = wp.tid()
            out[i] = square(a[i]) + b[i]
    """, (8,), (read("a", "float32", 8, low=1, high=2), kept("b", "float32", np.where(np.arange(8) == 3, 1.0e18, 0.5)), written("out", "float32", 8)), "fail", "by hand",
        formula=lambda a: {"out": a.a**2 + a.b}),
    **twins("rotations by vectors that may be zero", Pattern("""
        @wp.kernel
        def rotate(w: wp.array(dtype=wp.vec3), x: wp.array(dtype=wp.vec3), out: wp.array(dtype=wp.vec3)):
            i = wp.tid()
            out[i] = wp.quat_rotate(wp.quat_from_axis_angle(wp.normalize(w[i]), wp.length(w[i])), x[i])
    """, (6,), (kept("w", "vec3f", np.where(np.arange(18).reshape(6, 3) // 3 % 3 == 0, 0.0, np.linspace(-1.0, 1.5, 18).reshape(6, 3)), components=1), read("x", "vec3f", 6), written("out", "vec3f", 6)),
        reason="is not the derivative", formula=lambda a: {"out": threads(lambda i: rotated(a.w[i], a.x[i]), 6)},
        mistaken="the gradient of a zero vector is lost, and draws do not check the gradients of zeros where they are"), "rotations by vectors that are not zero", "wp.normalize(w[i]), wp.length(w[i])", "wp.normalize(w[i] + x[i]), wp.length(w[i] + x[i])",
        formula=lambda a: {"out": threads(lambda i: rotated(a.w[i] + a.x[i], a.x[i]), 6)}),
    **twins("inactive weights by a root", Pattern("""
        @wp.kernel
        def deviation(x: wp.array(dtype=float), w: wp.array(dtype=float), out: wp.array(dtype=float)):
            i = wp.tid()
            out[i] = wp.max(x[i], 0.0) * wp.sqrt(w[i] * w[i])
    """, (8,), (kept("x", "float32", [0.0, 1.0, -1.0, 0.0, 0.5, 0.0, 2.0, -3.0]), kept("w", "float32", [0.0, 0.5, 0.0, 1.0, 1.0, -1.0, 2.0, 0.25]), written("out", "float32", 8)), reason="nan"),
        "inactive weights", "wp.sqrt(w[i] * w[i])", "w[i]", gradient="pass"),
}  # fmt: skip
