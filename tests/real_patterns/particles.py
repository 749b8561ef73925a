"""Particles: grids, springs, contacts, neighbours, integration in place."""

from __future__ import annotations

import numpy as np

from real_patterns.pattern import Pattern, both, built, kept, null, number, read, written
from warpsmith.core.records.launch import Build

_RANDOM = np.random.default_rng(11)
SPRINGS = np.array([[i, i + 1] for i in range(15)], np.int32)
CLOUD = _RANDOM.uniform(0.0, 2.0, (20, 3)).astype(np.float32)
FLAGS = (np.arange(16) % 3 != 0).astype(np.int32)
CELLS = np.sort(_RANDOM.integers(0, 16, 24))
STARTS = np.searchsorted(CELLS, np.arange(17)).astype(np.int32)

PATTERNS = {
    "scatter to a grid": Pattern("""
        @wp.kernel
        def particles_to_grid(x: wp.array(dtype=wp.vec2), v: wp.array(dtype=wp.vec2), mass: float, inv_dx: float,
                              grid_m: wp.array2d(dtype=float), grid_p: wp.array2d(dtype=wp.vec2)):
            p = wp.tid()
            base_x = int(x[p][0] * inv_dx - 0.5)
            base_y = int(x[p][1] * inv_dx - 0.5)
            fx = x[p] * inv_dx - wp.vec2(float(base_x), float(base_y))
            wx = wp.vec3(0.5 * (1.5 - fx[0]) * (1.5 - fx[0]), 0.75 - (fx[0] - 1.0) * (fx[0] - 1.0), 0.5 * (fx[0] - 0.5) * (fx[0] - 0.5))
            wy = wp.vec3(0.5 * (1.5 - fx[1]) * (1.5 - fx[1]), 0.75 - (fx[1] - 1.0) * (fx[1] - 1.0), 0.5 * (fx[1] - 0.5) * (fx[1] - 0.5))
            for a in range(3):
                for b in range(3):
                    weight = wx[a] * wy[b]
                    wp.atomic_add(grid_m, base_x + a, base_y + b, weight * mass)
                    wp.atomic_add(grid_p, base_x + a, base_y + b, weight * mass * v[p])
    """, (24,), (read("x", "vec2f", 24, low=0.3, high=1.7), read("v", "vec2f", 24), number("mass", 0.5), number("inv_dx", 8.0),
                 both("grid_m", "float32", 18, 18), both("grid_p", "vec2f", 18, 18))),
    "gather from a grid": Pattern("""
        @wp.kernel
        def grid_to_particles(grid: wp.array2d(dtype=float), x: wp.array(dtype=wp.vec2), out: wp.array(dtype=float)):
            p = wp.tid()
            i = int(x[p][0])
            j = int(x[p][1])
            s = x[p][0] - float(i)
            t = x[p][1] - float(j)
            low = grid[i, j] * (1.0 - s) + grid[i + 1, j] * s
            high = grid[i, j + 1] * (1.0 - s) + grid[i + 1, j + 1] * s
            out[p] = low * (1.0 - t) + high * t
    """, (24,), (read("grid", "float32", 9, 9), read("x", "vec2f", 24, low=0.1, high=7.9), written("out", "float32", 24))),
    "springs by index pairs": Pattern("""
        @wp.kernel
        def spring_forces(x: wp.array(dtype=wp.vec3), pairs: wp.array2d(dtype=int), rest: wp.array(dtype=float), stiffness: float,
                          f: wp.array(dtype=wp.vec3)):
            s = wp.tid()
            a = pairs[s, 0]
            b = pairs[s, 1]
            d = x[b] - x[a]
            length = wp.length(d)
            force = d / length * (stiffness * (length - rest[s]))
            wp.atomic_add(f, a, force)
            wp.atomic_sub(f, b, force)
    """, (15,), (read("x", "vec3f", 16), kept("pairs", "int32", SPRINGS), read("rest", "float32", 15, low=0.5, high=1.0),
                 number("stiffness", 100.0), both("f", "vec3f", 16))),
    "gravity of all pairs": Pattern("""
        @wp.kernel
        def attract(x: wp.array(dtype=wp.vec3), m: wp.array(dtype=float), n: int, a: wp.array(dtype=wp.vec3)):
            i = wp.tid()
            total = wp.vec3()
            for j in range(n):
                if j != i:
                    d = x[j] - x[i]
                    r = wp.length_sq(d) + 0.01
                    total += d * (m[j] / (r * wp.sqrt(r)))
            a[i] = total
    """, (18,), (read("x", "vec3f", 18), read("m", "float32", 18, low=0.5, high=2.0), number("n", 18), written("a", "vec3f", 18))),
    "Euler step in place": Pattern("""
        @wp.kernel
        def integrate(x: wp.array(dtype=wp.vec3), v: wp.array(dtype=wp.vec3), f: wp.array(dtype=wp.vec3), w: wp.array(dtype=float),
                      gravity: wp.vec3, dt: float):
            tid = wp.tid()
            v_new = v[tid] + (f[tid] * w[tid] + gravity * wp.step(-w[tid])) * dt
            v[tid] = v_new
            x[tid] = x[tid] + v_new * dt
    """, (16,), (both("x", "vec3f", 16, low=-1, high=1), both("v", "vec3f", 16, low=-1, high=1), read("f", "vec3f", 16),
                 read("w", "float32", 16, low=0.5, high=2.0), (number("gravity", -9.8, "vec3f")), number("dt", 0.01))),
    "drag in place": Pattern("""
        @wp.kernel
        def drag(v: wp.array(dtype=wp.vec3), k: float):
            i = wp.tid()
            v[i] = v[i] * (1.0 - k * wp.length(v[i]))
    """, (16,), (both("v", "vec3f", 16, low=-1, high=1), number("k", 0.1)), "inconclusive", "v is overwritten after it is read"),
    "particles at rest": Pattern("""
        @wp.kernel
        def integrate_bodies(x: wp.array(dtype=wp.vec3), v: wp.array(dtype=wp.vec3), m: wp.array(dtype=float), dt: float,
                             x_new: wp.array(dtype=wp.vec3), v_new: wp.array(dtype=wp.vec3)):
            i = wp.tid()
            inv_m = float(0.0)
            if m[i] > 0.0:
                inv_m = 1.0 / m[i]
            u = v[i] + wp.vec3(0.0, -9.8, 0.0) * wp.where(inv_m > 0.0, 1.0, 0.0) * dt
            u = u * (1.0 - 0.1 * inv_m * dt)
            x_new[i] = x[i] + u * dt
            v_new[i] = u
    """, (16,), (read("x", "vec3f", 16), kept("v", "vec3f", np.zeros((16, 3)), components=1),
                 kept("m", "float32", FLAGS * 2.0), number("dt", 0.01), written("x_new", "vec3f", 16), written("v_new", "vec3f", 16))),
    "only active particles": Pattern("""
        @wp.kernel
        def move(x: wp.array(dtype=wp.vec3), flags: wp.array(dtype=int), v: wp.array(dtype=wp.vec3), out: wp.array(dtype=wp.vec3)):
            tid = wp.tid()
            if (flags[tid] & 1) == 0:
                return
            out[tid] = x[tid] + v[tid] * wp.length(v[tid])
    """, (16,), (read("x", "vec3f", 16), kept("flags", "int32", FLAGS), read("v", "vec3f", 16), written("out", "vec3f", 16))),
    "no particle is active": Pattern("""
        @wp.kernel
        def move(x: wp.array(dtype=wp.vec3), flags: wp.array(dtype=int), out: wp.array(dtype=wp.vec3)):
            tid = wp.tid()
            if (flags[tid] & 1) == 0:
                return
            out[tid] = x[tid] * 2.0
    """, (16,), (read("x", "vec3f", 16), kept("flags", "int32", FLAGS * 0 + 2), written("out", "vec3f", 16)),
        "not_applicable", "no output depends", {"execute": "inconclusive"}),
    "contact with the ground": Pattern("""
        @wp.kernel
        def ground_contact(x: wp.array(dtype=wp.vec3), v: wp.array(dtype=wp.vec3), ke: float, kd: float, mu: float,
                           f: wp.array(dtype=wp.vec3)):
            i = wp.tid()
            n = wp.vec3(0.0, 1.0, 0.0)
            c = wp.min(wp.dot(n, x[i]) - 0.1, 0.0)
            vn = wp.dot(n, v[i])
            vt = v[i] - n * vn
            fn = n * c * ke
            fd = n * wp.min(vn, 0.0) * kd
            ft = wp.normalize(vt) * wp.min(kd * wp.length(vt), 0.0 - mu * c * ke)
            f[i] = f[i] - (fn + (fd + ft) * wp.step(c))
    """, (24,), (read("x", "vec3f", 24), read("v", "vec3f", 24), number("ke", 100.0), number("kd", 1.0), number("mu", 0.5),
                 both("f", "vec3f", 24))),
    "density from cell lists": Pattern("""
        @wp.kernel
        def density(x: wp.array(dtype=wp.vec3), cell: wp.array(dtype=int), starts: wp.array(dtype=int), order: wp.array(dtype=int),
                    h: float, rho: wp.array(dtype=float)):
            i = wp.tid()
            total = float(0.0)
            c = cell[i]
            for k in range(starts[c], starts[c + 1]):
                d = x[i] - x[order[k]]
                q = h * h - wp.dot(d, d)
                if q > 0.0:
                    total += q * q * q
            rho[i] = total
    """, (24,), (read("x", "vec3f", 24), kept("cell", "int32", CELLS), kept("starts", "int32", STARTS),
                 kept("order", "int32", np.arange(24)), number("h", 1.5), written("rho", "float32", 24))),
    "neighbours in a hash grid": Pattern("""
        @wp.kernel
        def repel(grid: wp.uint64, x: wp.array(dtype=wp.vec3), radius: float, f: wp.array(dtype=wp.vec3)):
            tid = wp.tid()
            i = wp.hash_grid_point_id(grid, tid)
            total = wp.vec3()
            neighbours = wp.hash_grid_query(grid, x[i], radius)
            for j in neighbours:
                if j != i:
                    d = x[i] - x[j]
                    c = radius - wp.length(d)
                    if c > 0.0:
                        total += wp.normalize(d) * c
            f[i] = total
    """, (20,), (built("grid", "hash_grid", (8, 8, 8), Build(width=0.6), points=CLOUD), kept("x", "vec3f", CLOUD, components=1),
                 number("radius", 0.6), written("f", "vec3f", 20)), "pass"),
    "a replaced component of neighbours": Pattern("""
        @wp.kernel
        def repel(grid: wp.uint64, x: wp.array(dtype=wp.vec3), radius: float, f: wp.array(dtype=wp.vec3)):
            tid = wp.tid()
            i = wp.hash_grid_point_id(grid, tid)
            total = wp.vec3()
            neighbours = wp.hash_grid_query(grid, x[i], radius)
            for j in neighbours:
                if j != i:
                    total += x[i] - x[j]
            total[1] = total[1] * total[0]
            f[i] = total
    """, (20,), (built("grid", "hash_grid", (8, 8, 8), Build(width=0.6), points=CLOUD), kept("x", "vec3f", CLOUD, components=1),
                 number("radius", 0.6), written("f", "vec3f", 20)), "inconclusive", "which cannot confirm it"),
    "closest points of a mesh": Pattern("""
        @wp.kernel
        def project(mesh: wp.uint64, x: wp.array(dtype=wp.vec3), margin: float, out: wp.array(dtype=wp.vec3)):
            i = wp.tid()
            face = int(0)
            u = float(0.0)
            v = float(0.0)
            sign = float(0.0)
            query = wp.mesh_query_point_sign_normal(mesh, x[i], 10.0)
            if query.result:
                p = wp.mesh_eval_position(mesh, query.face, query.u, query.v)
                d = x[i] - p
                if wp.length(d) * query.sign < margin:
                    out[i] = p
    """, (20,), (built("mesh", "mesh", (4, 4), Build(), points=CLOUD[:4],
                       indices=np.array([0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3], np.int32)),
                 kept("x", "vec3f", CLOUD, components=1), number("margin", 0.4), written("out", "vec3f", 20)),
        "pass"),
    "optional forces": Pattern("""
        @wp.kernel
        def apply(x: wp.array(dtype=wp.vec3), f: wp.array(dtype=wp.vec3), w: wp.array(dtype=float), out: wp.array(dtype=wp.vec3)):
            i = wp.tid()
            p = x[i]
            if f:
                p = p + f[i]
            if w:
                p = p * w[i]
            out[i] = p
    """, (16,), (read("x", "vec3f", 16), null("f", "vec3f"), read("w", "float32", 16), written("out", "vec3f", 16))),
    "impulses as the record misnames": Pattern("""
        @wp.kernel
        def push(v: wp.array(dtype=wp.vec3), j: wp.array(dtype=wp.vec3), out: wp.array(dtype=float)):
            i = wp.tid()
            v[i] = v[i] + j[i]
            out[i] = wp.length_sq(j[i])
    """, (16,), (read("v", "vec3f", 16), read("j", "vec3f", 16), written("out", "float32", 16)), "pass", "",
        {"execute": "inconclusive"}),
    "bounds of a cloud": Pattern("""
        @wp.kernel
        def bounds(x: wp.array(dtype=wp.vec3), lower: wp.array(dtype=wp.vec3), upper: wp.array(dtype=wp.vec3)):
            i = wp.tid()
            wp.atomic_min(lower, 0, x[i])
            wp.atomic_max(upper, 0, x[i])
    """, (20,), (kept("x", "vec3f", CLOUD, components=1), both("lower", "vec3f", 1, low=1e9, high=1e9),
                 both("upper", "vec3f", 1, low=-1e9, high=-1e9))),
}  # fmt: skip
