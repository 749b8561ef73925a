"""Rotations, chains and vehicles, such as the kernels of mink-warp, newton, mujoco-warp and warp-jsb."""

from __future__ import annotations

import mpmath as mp
import numpy as np

from real_patterns.figures import each, norm, rotated, threads
from real_patterns.pattern import Pattern, both, kept, number, read, twins, written

_WRONG = "is not the derivative: of {}, the adjoint gives"
UNRESOLVED = "pass/inconclusive"
_ANGLES = np.array([0.0, 4.0e-6, 2.4e-5, 1.0e-3, 0.3, 1.2, 2.9, 0.0])
_AXES = np.random.default_rng(5).normal(size=(8, 3))
_AXES /= np.linalg.norm(_AXES, axis=1, keepdims=True)
QUATERNIONS = np.concatenate([np.cos(_ANGLES / 2)[:, None], np.sin(_ANGLES / 2)[:, None] * _AXES], 1)
"""Unit quaternions, scalar first; rotations by no angle, by angles below 1e-5, and by larger ones."""

LOGARITHM = """
    @wp.kernel
    def so3_log(q: wp.array(dtype=wp.vec4), out: wp.array(dtype=wp.vec3)):
        i = wp.tid()
        v = wp.vec3(q[i][1], q[i][2], q[i][3])
        n = wp.length(v)
        if n < 1.0e-5:
            out[i] = wp.vec3(0.0, 0.0, 0.0)
        else:
            out[i] = (2.0 * wp.atan2(n, q[i][0])) * (v / n)
"""
KNOTS = [0.0, 0.1, 0.25, 0.4, 0.6, 0.8, 1.0]


def _log(q):
    n = norm(q[1:])
    return [0 * x if n < mp.mpf(np.float32(1e-5).item()) else 2 * mp.atan2(n, q[0]) * x / n for x in q[1:]]


def _reach(q, lengths):
    x = y = angle = mp.mpf(0)
    for a, length in zip(q, lengths, strict=True):
        angle = angle + a
        x, y = x + length * mp.cos(angle), y + length * mp.sin(angle)
    return [x, y]


def _table(a, x):
    low = max(k for k in range(6) if x >= a.knots[k] or k == 0)
    t = (x - a.knots[low]) / (a.knots[low + 1] - a.knots[low])
    return a.values[low] * (1 - t) + a.values[low + 1] * t


def _even_table(a, x):
    s = min(max(4 * x, mp.mpf(0)), mp.mpf(np.float32(5.999).item()))
    return a.values[int(s)] * (1 - s + int(s)) + a.values[int(s) + 1] * (s - int(s))


def _inertia(m, x, y, z):
    squares = [y * y + z * z, x * x + z * z, x * x + y * y]
    return [m * e for e in (*squares, -x * y, -x * z, -y * z, x, y, z, 1)]


PATTERNS = {
    "logarithm of rotations with a dead zone": Pattern(LOGARITHM, (8,), (kept("q", "vec4f", QUATERNIONS, components=1), written("out", "vec3f", 8)), UNRESOLVED,
        formula=lambda a: {"out": threads(lambda i: _log(a.q[i]), 8)}),
    "logarithm of rotations near the dead zone": Pattern(LOGARITHM, (4,), (kept("q", "vec4f", QUATERNIONS[[2, 2, 3, 3]], components=1), written("out", "vec3f", 4)), UNRESOLVED,
        formula=lambda a: {"out": threads(lambda i: _log(a.q[i]), 4)}),
    "logarithm of rotations in the dead zone": Pattern(LOGARITHM, (4,), (kept("q", "vec4f", QUATERNIONS[[1, 1, 1, 1]], components=1), written("out", "vec3f", 4)),
        "pass/inconclusive/not_applicable"),
    "logarithm of rotations that are the identity": Pattern(LOGARITHM, (4,), (kept("q", "vec4f", QUATERNIONS[[0, 0, 7, 7]], components=1), written("out", "vec3f", 4)),
        "pass/inconclusive/not_applicable"),
    "logarithm of large rotations": Pattern(LOGARITHM, (3,), (kept("q", "vec4f", QUATERNIONS[4:7], components=1), written("out", "vec3f", 3)),
        formula=lambda a: {"out": threads(lambda i: _log(a.q[i]), 3)}),
    "a gradient of the logarithm that is wrong near the dead zone": Pattern("""
        @wp.func
        def angle(n: float, w: float):
            return 2.0 * wp.atan2(n, w)


        @wp.func_grad(angle)
        def adj_angle(n: float, w: float, adj_ret: float):
            wp.adjoint[n] += adj_ret * w / (n * n + w * w)
            wp.adjoint[w] -= adj_ret * 2.0 * n / (n * n + w * w)


        @wp.kernel
        def so3_log(q: wp.array(dtype=wp.vec4), out: wp.array(dtype=float)):
            i = wp.tid()
            n = wp.length(wp.vec3(q[i][1], q[i][2], q[i][3]))
            if n < 1.0e-5:
                out[i] = 0.0
            else:
                out[i] = angle(n, q[i][0])
    """, (4,), (kept("q", "vec4f", QUATERNIONS[[2, 2, 3, 3]], components=1), written("out", "float32", 4)), "fail", "written by hand",
        formula=lambda a: {"out": threads(lambda i: 2 * mp.atan2(norm(a.q[i][1:]), a.q[i][0]), 4)}),
    "exponential of rotation vectors that may be zero": Pattern("""
        @wp.kernel
        def rotate(w: wp.array(dtype=wp.vec3), x: wp.array(dtype=wp.vec3), out: wp.array(dtype=wp.vec3)):
            i = wp.tid()
            t = wp.length(w[i])
            s = wp.where(t > 1.0e-6, wp.sin(t) / t, 1.0)
            c = wp.where(t > 1.0e-6, (1.0 - wp.cos(t)) / (t * t), 0.5)
            u = wp.cross(w[i], x[i])
            out[i] = x[i] + s * u + c * wp.cross(w[i], u)
    """, (8,), (kept("w", "vec3f", np.where(np.arange(8)[:, None] % 4 == 0, 0.0, _AXES), components=1), read("x", "vec3f", 8), written("out", "vec3f", 8)),
        formula=lambda a: {"out": threads(lambda i: rotated(a.w[i], a.x[i]), 8)}),
    **twins("hand of an arm", Pattern("""
        @wp.kernel
        def reach(q: wp.array2d(dtype=float), lengths: wp.array(dtype=float), n: int, out: wp.array(dtype=wp.vec2)):
            i = wp.tid()
            angle = float(0.0)
            x = float(0.0)
            y = float(0.0)
            for k in range(n):
                angle += q[i, k]
                x += lengths[k] * wp.cos(angle)
                y += lengths[k] * wp.sin(angle)
            out[i] = wp.vec2(x, y)
    """, (5,), (read("q", "float32", 5, 4), read("lengths", "float32", 4, low=0.5, high=1), number("n", 4), written("out", "vec2f", 5)), reason="is not the derivative",
        formula=lambda a: {"out": threads(lambda i: _reach(a.q[i], a.lengths), 5)}), "hand of an arm with four joints", "range(n)", "range(4)"),
    **twins("transforms along a chain", Pattern("""
        @wp.kernel
        def chain(q: wp.array2d(dtype=float), tip: wp.array(dtype=wp.vec3), n: int, out: wp.array(dtype=wp.vec3)):
            i = wp.tid()
            r = wp.quat_identity()
            p = wp.vec3(0.0, 0.0, 0.0)
            for k in range(n):
                r = r * wp.quat_from_axis_angle(wp.vec3(0.0, 0.0, 1.0), q[i, k])
                p = p + wp.quat_rotate(r, wp.vec3(0.5, 0.0, 0.0))
            out[i] = p + wp.quat_rotate(r, tip[i])
    """, (4,), (read("q", "float32", 4, 3), read("tip", "vec3f", 4), number("n", 3), written("out", "vec3f", 4)), reason="is not the derivative",
        formula=lambda a: {"out": threads(lambda i: [
            sum(mp.cos(sum(a.q[i, :k])) / 2 for k in range(1, 4)) + mp.cos(sum(a.q[i])) * a.tip[i, 0] - mp.sin(sum(a.q[i])) * a.tip[i, 1],
            sum(mp.sin(sum(a.q[i, :k])) / 2 for k in range(1, 4)) + mp.sin(sum(a.q[i])) * a.tip[i, 0] + mp.cos(sum(a.q[i])) * a.tip[i, 1], a.tip[i, 2]], 4)}),
        "transforms along a chain of three", "range(n)", "range(3)"),
    **twins("a table that is searched", Pattern("""
        @wp.kernel
        def look_up(knots: wp.array(dtype=float), values: wp.array(dtype=float), x: wp.array(dtype=float), n: int, out: wp.array(dtype=float)):
            i = wp.tid()
            low = int(0)
            for k in range(n - 1):
                if x[i] >= knots[k]:
                    low = k
            t = (x[i] - knots[low]) / (knots[low + 1] - knots[low])
            out[i] = values[low] * (1.0 - t) + values[low + 1] * t
    """, (8,), (kept("knots", "float32", KNOTS), read("values", "float32", 7), read("x", "float32", 8, low=0.01, high=0.99), number("n", 7), written("out", "float32", 8)),
        reason="is not the derivative", formula=lambda a: {"out": each(lambda x: _table(a, x), a.x)}), "a table of seven knots that is searched", "range(n - 1)", "range(6)"),
    "a table with equal distances": Pattern("""
        @wp.kernel
        def look_up(values: wp.array(dtype=float), step: float, x: wp.array(dtype=float), out: wp.array(dtype=float)):
            i = wp.tid()
            s = wp.clamp(x[i] / step, 0.0, 5.999)
            k = int(s)
            out[i] = wp.lerp(values[k], values[k + 1], s - float(k))
    """, (8,), (read("values", "float32", 7), number("step", 0.25), read("x", "float32", 8, low=-0.5, high=2.0), written("out", "float32", 8)),
        formula=lambda a: {"out": each(lambda x: _even_table(a, x), a.x)}),
    "angles of the flow around an aircraft": Pattern("""
        @wp.kernel
        def flow_angles(v: wp.array(dtype=wp.vec3), out: wp.array(dtype=wp.vec2)):
            i = wp.tid()
            speed = wp.length(v[i])
            alpha = float(0.0)
            beta = float(0.0)
            if wp.abs(v[i][0]) > 0.001:
                alpha = wp.atan2(v[i][2], v[i][0])
            if speed > 0.001:
                beta = wp.asin(v[i][1] / speed)
            out[i] = wp.vec2(alpha, beta)
    """, (4,), (kept("v", "vec3f", [[60.0, 1.0, 3.0], [0.0, 0.0, 0.0], [55.0, 0.0, 0.0], [0.0, 2.0, 1.0]], components=1), written("out", "vec2f", 4)), UNRESOLVED),
    "induced velocity of a propeller": Pattern("""
        @wp.func
        def induced(thrust: float, rho: float, area: float, v: float):
            a = 2.0 * rho * area
            delta = a * v * a * v + 4.0 * a * thrust
            if delta < 0.0 or a < 1.0e-6:
                return 0.0
            return (wp.sqrt(wp.max(0.0, delta)) - a * v) / (2.0 * a)


        @wp.kernel
        def propeller(thrust: wp.array(dtype=float), rho: wp.array(dtype=float), v: wp.array(dtype=float), out: wp.array(dtype=float)):
            i = wp.tid()
            out[i] = induced(thrust[i], rho[i], 30.0, v[i])
    """, (6,), (kept("thrust", "float32", [400.0, 250.0, -900.0, 600.0, 300.0, 500.0]), kept("rho", "float32", [0.00237, 0.0018, 0.002, 0.0, 0.001, 0.0021]),
                read("v", "float32", 6, low=50, high=150), written("out", "float32", 6)), UNRESOLVED),
    "compression of landing gear": Pattern("""
        @wp.kernel
        def gear(height: wp.array(dtype=float), speed: wp.array(dtype=float), out: wp.array(dtype=float)):
            i = wp.tid()
            depth = wp.max(0.0, 0.0 - height[i])
            out[i] = wp.where(depth > 0.0, wp.max(0.0, 5400.0 * depth - 160.0 * speed[i]), 0.0)
    """, (6,), (kept("height", "float32", [-0.5, 100.0, 0.25, -0.1, -1.0, 3000.0]), read("speed", "float32", 6, low=-1, high=1), written("out", "float32", 6)),
        formula=lambda a: {"out": each(lambda h, s: max(-5400 * h - 160 * s, mp.mpf(0)) if h < 0 else 0 * h, a.height, a.speed)}),
    "errors beyond joint limits": Pattern("""
        @wp.kernel
        def limit_error(q: wp.array2d(dtype=float), lower: wp.array(dtype=float), upper: wp.array(dtype=float), out: wp.array2d(dtype=float)):
            w, j = wp.tid()
            e = float(0.0)
            if q[w, j] > upper[j]:
                e = q[w, j] - upper[j]
            elif q[w, j] < lower[j]:
                e = q[w, j] - lower[j]
            out[w, j] = e
    """, (4, 3), (read("q", "float32", 4, 3, low=-2, high=2), kept("lower", "float32", [-1.0, -0.5, -0.1]), kept("upper", "float32", [1.0, 0.5, 0.1]), written("out", "float32", 4, 3)),
        formula=lambda a: {"out": threads(lambda w, j: a.q[w, j] - (a.upper[j] if a.q[w, j] > a.upper[j] else max(a.q[w, j], a.lower[j])), 4, 3)}),
    **twins("a joint position that is limited in its vector", Pattern("""
        @wp.kernel
        def limited(q: wp.array(dtype=wp.vec3), target: wp.array(dtype=float), out: wp.array(dtype=wp.vec3)):
            i = wp.tid()
            p = q[i]
            p[2] = wp.clamp(target[i], -0.5, 0.5)
            out[i] = p * 2.0
    """, (8,), (read("q", "vec3f", 8), read("target", "float32", 8), written("out", "vec3f", 8)), reason=_WRONG.format("q"),
        formula=lambda a: {"out": threads(lambda i: [2 * a.q[i, 0], 2 * a.q[i, 1], 2 * min(max(a.target[i], mp.mpf(-0.5)), mp.mpf(0.5))], 8)}),
        "a joint position that is limited in a new vector", "p[2] = wp.clamp(target[i], -0.5, 0.5)", "p = wp.vec3(p[0], p[1], wp.clamp(target[i], -0.5, 0.5))"),
    **twins("two components that are exchanged", Pattern("""
        @wp.kernel
        def order(q: wp.array(dtype=wp.vec2), out: wp.array(dtype=wp.vec2)):
            i = wp.tid()
            p = q[i]
            if p[0] > p[1]:
                t = p[0]
                p[0] = p[1]
                p[1] = t
            out[i] = wp.vec2(p[0] * 2.0, p[1] * 3.0)
    """, (8,), (read("q", "vec2f", 8), written("out", "vec2f", 8)), reason=_WRONG.format("q"),
        formula=lambda a: {"out": threads(lambda i: [2 * min(a.q[i]), 3 * max(a.q[i])], 8)}),
        "two components of a new vector that are exchanged", "t = p[0]\n                p[0] = p[1]\n                p[1] = t", "p = wp.vec2(p[1], p[0])"),
    **twins("torques summed by component in a loop", Pattern("""
        @wp.kernel
        def torques(f: wp.array2d(dtype=wp.vec3), arm: wp.array(dtype=float), n: int, out: wp.array(dtype=wp.vec3)):
            i = wp.tid()
            total = wp.vec3(0.0, 0.0, 0.0)
            for k in range(n):
                total[1] = total[1] + arm[k] * f[i, k][2]
            out[i] = total
    """, (5,), (read("f", "vec3f", 5, 4), read("arm", "float32", 4), number("n", 4), written("out", "vec3f", 5)), reason="is not the derivative",
        formula=lambda a: {"out": threads(lambda i: [mp.mpf(0), sum(a.arm[k] * a.f[i, k, 2] for k in range(4)), mp.mpf(0)], 5)}),
        "torques summed by vectors in a loop", "total[1] = total[1] + arm[k] * f[i, k][2]", "total += wp.vec3(0.0, arm[k] * f[i, k][2], 0.0)"),
    **twins("a component that is increased by its name", Pattern("""
        @wp.kernel
        def lift(x: wp.array(dtype=wp.vec3), h: wp.array(dtype=float), out: wp.array(dtype=float)):
            i = wp.tid()
            p = x[i] * 0.5
            p.z += h[i]
            out[i] = p.x + p.z * 3.0
    """, (8,), (read("x", "vec3f", 8), read("h", "float32", 8), written("out", "float32", 8)), reason=_WRONG.format("x"),
        formula=lambda a: {"out": threads(lambda i: a.x[i, 0] / 2 + 3 * (a.x[i, 2] / 2 + a.h[i]), 8)}),
        "a component that is increased by its index", "p.z += h[i]", "p[2] += h[i]"),
    **twins("a helper that raises a point", Pattern("""
        @wp.func
        def raised(p: wp.vec3, h: float):
            p[2] += h
            return p


        @wp.kernel
        def step(x: wp.array(dtype=wp.vec3), h: wp.array(dtype=float), out: wp.array(dtype=float)):
            i = wp.tid()
            p = x[i]
            up = raised(p, h[i])
            out[i] = up[2] + p[2] * 10.0
    """, (8,), (read("x", "vec3f", 8), read("h", "float32", 8), written("out", "float32", 8)), reason="is not the derivative",
        formula=lambda a: {"out": threads(lambda i: 11 * a.x[i, 2] + a.h[i], 8)}),
        "a helper that returns a raised point", "p[2] += h\n            return p", "return wp.vec3(p[0], p[1], p[2] + h)"),
    "inertia of bodies in ten numbers": Pattern("""
        from warp.types import vector

        vec10 = vector(length=10, dtype=float)


        @wp.kernel
        def inertia(m: wp.array(dtype=float), x: wp.array(dtype=wp.vec3), out: wp.array(dtype=vector(length=10, dtype=float))):
            i = wp.tid()
            p = x[i]
            a = m[i]
            out[i] = vec10(a * (p[1] * p[1] + p[2] * p[2]), a * (p[0] * p[0] + p[2] * p[2]), a * (p[0] * p[0] + p[1] * p[1]),
                           -a * p[0] * p[1], -a * p[0] * p[2], -a * p[1] * p[2], a * p[0], a * p[1], a * p[2], a)
    """, (6,), (read("m", "float32", 6, low=0.5, high=4), read("x", "vec3f", 6), written("out", "vec10f", 6)),
        formula=lambda a: {"out": threads(lambda i: _inertia(a.m[i], *a.x[i]), 6)}),
    "quaternions that are integrated": Pattern("""
        @wp.kernel
        def spin(q: wp.array(dtype=wp.quat), w: wp.array(dtype=wp.vec3), dt: float, out: wp.array(dtype=wp.quat)):
            i = wp.tid()
            r = q[i]
            out[i] = wp.normalize(r + wp.quat(w[i], 0.0) * r * (0.5 * dt))
    """, (6,), (read("q", "quatf", 6, kind="unit"), read("w", "vec3f", 6, low=-5, high=5), number("dt", 0.002), written("out", "quatf", 6))),
    "largest errors of equal tasks": Pattern("""
        @wp.kernel
        def worst(e: wp.array(dtype=float), out: wp.array(dtype=float)):
            i = wp.tid()
            wp.atomic_max(out, 0, e[0] * 2.0 + 0.0 * e[i])
    """, (4,), (read("e", "float32", 4, low=0.5, high=1), both("out", "float32", 1)), "fail", "is not the derivative"),
}  # fmt: skip
