"""Linear algebra on grids and sparse matrices, and the passes of iterative solvers."""

from __future__ import annotations

import numpy as np

from real_patterns.pattern import Pattern, both, kept, number, read, written

ROWS = np.array([0, 2, 2, 5, 9, 10, 13, 16, 20], np.int32)
COLUMNS = np.array([0, 3, 1, 2, 7, 0, 2, 4, 6, 5, 1, 3, 7, 2, 5, 6, 0, 1, 4, 7], np.int32)
COO = np.repeat(np.arange(8), np.diff(ROWS)).astype(np.int32)

PATTERNS = {
    "sparse matrix times vector": Pattern("""
        @wp.kernel
        def csr_mv(offsets: wp.array(dtype=int), columns: wp.array(dtype=int), values: wp.array(dtype=float),
                   x: wp.array(dtype=float), alpha: float, y: wp.array(dtype=float)):
            row = wp.tid()
            total = float(0.0)
            for block in range(offsets[row], offsets[row + 1]):
                total += values[block] * x[columns[block]]
            y[row] = alpha * total + y[row]
    """, (8,), (kept("offsets", "int32", ROWS), kept("columns", "int32", COLUMNS), read("values", "float32", 20),
                read("x", "float32", 8), number("alpha", 2.0), both("y", "float32", 8, low=-1, high=1))),
    "blocks of 3 x 3": Pattern("""
        @wp.kernel
        def bsr_mv(offsets: wp.array(dtype=int), columns: wp.array(dtype=int), values: wp.array(dtype=wp.mat33),
                   x: wp.array(dtype=wp.vec3), y: wp.array(dtype=wp.vec3)):
            row = wp.tid()
            if row >= offsets.shape[0] - 1:
                return
            total = wp.vec3(0.0)
            for block in range(offsets[row], offsets[row + 1]):
                total += values[block] * x[columns[block]]
            y[row] = total
    """, (8,), (kept("offsets", "int32", ROWS), kept("columns", "int32", COLUMNS), read("values", "mat33f", 20),
                read("x", "vec3f", 8), written("y", "vec3f", 8))),
    "triplets": Pattern("""
        @wp.kernel
        def coo_mv(rows: wp.array(dtype=int), columns: wp.array(dtype=int), values: wp.array(dtype=float), x: wp.array(dtype=float),
                   y: wp.array(dtype=float)):
            k = wp.tid()
            wp.atomic_add(y, rows[k], values[k] * x[columns[k]])
    """, (20,), (kept("rows", "int32", COO), kept("columns", "int32", COLUMNS), read("values", "float32", 20),
                 read("x", "float32", 8), both("y", "float32", 8))),
    "assembly of a stiffness matrix": Pattern("""
        @wp.kernel
        def assemble(tets: wp.array2d(dtype=int), x: wp.array(dtype=wp.vec3), rows: wp.array(dtype=int),
                     values: wp.array(dtype=wp.mat33)):
            e = wp.tid()
            for a in range(4):
                for b in range(4):
                    d = x[tets[e, a]] - x[tets[e, b]]
                    rows[e * 16 + a * 4 + b] = tets[e, a]
                    values[e * 16 + a * 4 + b] = wp.outer(d, d)
    """, (3,), (kept("tets", "int32", [[0, 1, 2, 3], [1, 2, 3, 4], [2, 3, 4, 5]]), read("x", "vec3f", 6), written("rows", "int32", 48),
                written("values", "mat33f", 48))),
    "transpose by slots": Pattern("""
        @wp.kernel
        def transpose(rows: wp.array(dtype=int), columns: wp.array(dtype=int), values: wp.array(dtype=float),
                      starts: wp.array(dtype=int), used: wp.array(dtype=int), out_rows: wp.array(dtype=int), out: wp.array(dtype=float)):
            k = wp.tid()
            slot = starts[columns[k]] + wp.atomic_add(used, columns[k], 1)
            out_rows[slot] = rows[k]
            out[slot] = values[k] * values[k]
    """, (20,), (kept("rows", "int32", COO), kept("columns", "int32", COLUMNS), read("values", "float32", 20),
                 kept("starts", "int32", np.concatenate([[0], np.cumsum(np.bincount(COLUMNS, minlength=8))[:-1]])),
                 both("used", "int32", 8), written("out_rows", "int32", 20), written("out", "float32", 20)),
        "inconclusive", "", {"execute": "pass/inconclusive", "emulate": "inconclusive"}),
    "Jacobi sweep": Pattern("""
        @wp.kernel
        def jacobi(u: wp.array2d(dtype=float), b: wp.array2d(dtype=float), h: float, out: wp.array2d(dtype=float)):
            i, j = wp.tid()
            n = u.shape[0]
            left = u[wp.max(i - 1, 0), j]
            right = u[wp.min(i + 1, n - 1), j]
            down = u[i, wp.max(j - 1, 0)]
            up = u[i, wp.min(j + 1, u.shape[1] - 1)]
            out[i, j] = 0.25 * (left + right + down + up - h * h * b[i, j])
    """, (9, 7), (read("u", "float32", 9, 7), read("b", "float32", 9, 7), number("h", 0.5), written("out", "float32", 9, 7))),
    "Gauss-Seidel without colours": Pattern("""
        @wp.kernel
        def gauss_seidel(u: wp.array(dtype=float), b: wp.array(dtype=float), a: wp.array(dtype=float)):
            i = wp.tid()
            n = b.shape[0]
            if i == 0 or i == n - 1:
                return
            u[i] = (b[i] + a[i] * (u[i - 1] + u[i + 1])) / (1.0 + a[i] * u[i])
    """, (24,), (both("u", "float32", 24, low=0.5, high=1.0), read("b", "float32", 24), read("a", "float32", 24, low=0.5, high=1.0)),
        "inconclusive", "u depends on the order of the threads", {"emulate": "inconclusive"}),
    "red and black": Pattern("""
        @wp.kernel
        def sweep(u: wp.array(dtype=float), b: wp.array(dtype=float), colour: int):
            i = 2 * wp.tid() + colour
            if i > 0 and i < b.shape[0] - 1:
                u[i] = 0.5 * (u[i - 1] + u[i + 1] - b[i])
    """, (12,), (both("u", "float32", 24, low=0.5, high=1.0), read("b", "float32", 24), number("colour", 1))),
    "distance constraints": Pattern("""
        @wp.kernel
        def solve(x: wp.array(dtype=wp.vec3), w: wp.array(dtype=float), pairs: wp.array(dtype=wp.vec2i), rest: wp.array(dtype=float),
                  compliance: float, delta: wp.array(dtype=wp.vec3), count: wp.array(dtype=int)):
            c = wp.tid()
            i = pairs[c][0]
            j = pairs[c][1]
            d = x[i] - x[j]
            length = wp.length(d)
            step = (length - rest[c]) / (w[i] + w[j] + compliance)
            n = d / length
            wp.atomic_add(delta, i, n * (0.0 - w[i] * step))
            wp.atomic_add(delta, j, n * (w[j] * step))
            wp.atomic_add(count, i, 1)
            wp.atomic_add(count, j, 1)
    """, (15,), (read("x", "vec3f", 16), read("w", "float32", 16, low=0.5, high=2.0),
                 kept("pairs", "vec2i", [[i, i + 1] for i in range(15)], components=1), read("rest", "float32", 15, low=0.5, high=1.0),
                 number("compliance", 0.1), both("delta", "vec3f", 16), both("count", "int32", 16))),
    "step of conjugate gradients": Pattern("""
        @wp.kernel
        def step(tolerance: wp.array(dtype=float), rr: wp.array(dtype=float), pap: wp.array(dtype=float), p: wp.array(dtype=float),
                 ap: wp.array(dtype=float), x: wp.array(dtype=float), r: wp.array(dtype=float)):
            i = wp.tid()
            alpha = wp.where(rr[0] > tolerance[0], rr[0] / pap[0], 0.0)
            x[i] = x[i] + alpha * p[i]
            r[i] = r[i] - alpha * ap[i]
    """, (16,), (kept("tolerance", "float32", [1e-6]), kept("rr", "float32", [2.5]), kept("pap", "float32", [1.5]), read("p", "float32", 16),
                 read("ap", "float32", 16), both("x", "float32", 16, low=-1, high=1), both("r", "float32", 16, low=-1, high=1))),
    "scalar product": Pattern("""
        @wp.kernel
        def product(a: wp.array(dtype=wp.vec3), b: wp.array(dtype=wp.vec3), out: wp.array(dtype=float)):
            i = wp.tid()
            wp.atomic_add(out, 0, wp.dot(a[i], b[i]))
    """, (64,), (read("a", "vec3f", 64), read("b", "vec3f", 64), both("out", "float32", 1))),
    "largest residual": Pattern("""
        @wp.kernel
        def largest(r: wp.array(dtype=float), out: wp.array(dtype=float)):
            i = wp.tid()
            wp.atomic_max(out, 0, wp.abs(r[i]))
    """, (32,), (read("r", "float32", 32), both("out", "float32", 1))),
    "restriction to a coarse grid": Pattern("""
        @wp.kernel
        def restrict(fine: wp.array3d(dtype=float), coarse: wp.array3d(dtype=float)):
            i, j, k = wp.tid()
            total = float(0.0)
            for a in range(2):
                for b in range(2):
                    for c in range(2):
                        total += fine[2 * i + a, 2 * j + b, 2 * k + c]
            coarse[i, j, k] = total * 0.125
    """, (3, 3, 2), (read("fine", "float32", 6, 6, 4), written("coarse", "float32", 3, 3, 2))),
    "two buffers in one array": Pattern("""
        @wp.kernel
        def diffuse(u: wp.array2d(dtype=float), source: int, target: int, k: wp.array(dtype=float)):
            i = wp.tid()
            n = u.shape[1]
            left = u[source, (i + n - 1) % n]
            right = u[source, (i + 1) % n]
            u[target, i] = u[source, i] * u[source, i] + k[i] * (left - 2.0 * u[source, i] + right)
    """, (12,), (both("u", "float32", 2, 12, low=0.5, high=1.0), number("source", 0), number("target", 1), read("k", "float32", 12))),
    "prefix sums of one thread": Pattern("""
        @wp.kernel
        def scan(x: wp.array(dtype=float), n: int, out: wp.array(dtype=float)):
            total = float(0.0)
            for i in range(n):
                out[i] = total
                total += x[i]
    """, (1,), (read("x", "float32", 20), number("n", 20), written("out", "float32", 20))),
    "advection with upwind": Pattern("""
        @wp.kernel
        def advect(u: wp.array2d(dtype=wp.vec2), q: wp.array2d(dtype=float), dt: float, out: wp.array2d(dtype=float)):
            i, j = wp.tid()
            if i == 0 or j == 0 or i == q.shape[0] - 1 or j == q.shape[1] - 1:
                out[i, j] = q[i, j]
                return
            v = u[i, j]
            dx = q[i, j] - q[i - 1, j]
            if v[0] < 0.0:
                dx = q[i + 1, j] - q[i, j]
            dy = wp.where(v[1] < 0.0, q[i, j + 1] - q[i, j], q[i, j] - q[i, j - 1])
            out[i, j] = q[i, j] - dt * (v[0] * dx + v[1] * dy)
    """, (8, 8), (read("u", "vec2f", 8, 8), read("q", "float32", 8, 8), number("dt", 0.1), written("out", "float32", 8, 8))),
    "fluid at the borders": Pattern("""
        @wp.kernel
        def bounce(f: wp.array2d(dtype=float), solid: wp.array(dtype=wp.uint8), f_new: wp.array2d(dtype=float)):
            i, q = wp.tid()
            n = solid.shape[0]
            source = (i - q + 1 + n) % n
            if solid[source] != wp.uint8(0):
                f_new[i, q] = f[i, 2 - q]
            else:
                f_new[i, q] = f[source, q]
    """, (10, 3), (read("f", "float32", 10, 3), read("solid", "uint8", 10, low=0, high=1), written("f_new", "float32", 10, 3))),
}  # fmt: skip
