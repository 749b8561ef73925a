"""Counters, random numbers, integers, images, tiles, and effects that only real code has."""

from __future__ import annotations

import numpy as np

from real_patterns.pattern import Pattern, both, kept, null, number, plain, read, written

DISTANCES = np.where(np.arange(16) % 4 == 0, 1.0e10, np.linspace(0.2, 3.0, 16))

PATTERNS = {
    "contacts in slots": Pattern("""
        @wp.kernel
        def collect(x: wp.array(dtype=wp.vec3), radius: float, most: int, count: wp.array(dtype=int), index: wp.array(dtype=int),
                    depth: wp.array(dtype=float)):
            i = wp.tid()
            d = radius - wp.length(x[i])
            if d > 0.0:
                slot = wp.atomic_add(count, 0, 1)
                if slot >= most:
                    return
                index[slot] = i
                depth[slot] = d
    """, (24,), (read("x", "vec3f", 24), number("radius", 1.0), number("most", 8), both("count", "int32", 1), written("index", "int32", 8, fill=-1),
                 written("depth", "float32", 8)), "inconclusive", "", {"execute": "pass/inconclusive", "emulate": "inconclusive"}),
    "histogram": Pattern("""
        @wp.kernel
        def histogram(x: wp.array(dtype=float), bins: wp.array(dtype=int)):
            i = wp.tid()
            wp.atomic_add(bins, wp.clamp(int(x[i] * 8.0), 0, 7), 1)
    """, (64,), (read("x", "float32", 64, low=0, high=1), both("bins", "int32", 8)), "not_applicable", "no output holds floats"),
    "Monte Carlo": Pattern("""
        @wp.kernel
        def estimate(seed: int, rate: wp.array(dtype=float), out: wp.array(dtype=float)):
            i = wp.tid()
            state = wp.rand_init(seed, i)
            total = float(0.0)
            for k in range(100):
                total += wp.exp(rate[i] * wp.randf(state)) + wp.randn(state) * rate[i]
            out[i] = total / 100.0
    """, (16,), (number("seed", 42), read("rate", "float32", 16), written("out", "float32", 16))),
    "random states in an array": Pattern("""
        @wp.kernel
        def noise(states: wp.array(dtype=wp.uint32), x: wp.array(dtype=float), out: wp.array(dtype=float)):
            i = wp.tid()
            state = states[i]
            out[i] = x[i] * wp.randf(state) + wp.sample_unit_disk(state)[0]
            states[i] = state
    """, (16,), ((both("states", "uint32", 16, low=1, high=10_000)), read("x", "float32", 16), written("out", "float32", 16)),
        "inconclusive", "states is overwritten after it is read"),
    "hashes of integers": Pattern("""
        @wp.kernel
        def scramble(keys: wp.array(dtype=wp.uint32), out: wp.array(dtype=wp.uint32)):
            i = wp.tid()
            k = keys[i]
            k = (k ^ (k >> wp.uint32(16))) * wp.uint32(73244475)
            out[i] = k ^ (k >> wp.uint32(16))
    """, (32,), (read("keys", "uint32", 32, low=0, high=100_000), written("out", "uint32", 32)), "not_applicable", "no output holds floats"),
    "zeros": Pattern("""
        @wp.kernel
        def clear(f: wp.array(dtype=wp.vec3), e: wp.array(dtype=float)):
            i = wp.tid()
            f[i] = wp.vec3(0.0)
            e[i] = 0.0
    """, (16,), (written("f", "vec3f", 16), written("e", "float32", 16)), "not_applicable", "no array that the kernel reads"),
    "constants": Pattern("""
        @wp.kernel
        def fill(value: float, n: int, out: wp.array(dtype=float)):
            i = wp.tid()
            if i < n:
                out[i] = value
    """, (16,), (number("value", 3.5), number("n", 12), written("out", "float32", 16)), "not_applicable", "no array that the kernel reads"),
    "steps of floats": Pattern("""
        @wp.kernel
        def quantize(x: wp.array(dtype=float), out: wp.array(dtype=float)):
            i = wp.tid()
            out[i] = wp.floor(x[i] * 4.0) * 0.25
    """, (16,), (read("x", "float32", 16), written("out", "float32", 16)), "not_applicable", "no output depends"),
    "flags of what is far": Pattern("""
        @wp.kernel
        def shade(d: wp.array(dtype=float), out: wp.array(dtype=float)):
            i = wp.tid()
            if d[i] > 1.0e9:
                out[i] = 0.0
            else:
                out[i] = wp.exp(0.0 - d[i])
    """, (16,), (kept("d", "float32", DISTANCES), written("out", "float32", 16))),
    "infinite where nothing is hit": Pattern("""
        @wp.kernel
        def intersect(o: wp.array(dtype=wp.vec3), d: wp.array(dtype=wp.vec3), radius: float, t: wp.array(dtype=float)):
            i = wp.tid()
            b = wp.dot(o[i], d[i])
            c = wp.dot(o[i], o[i]) - radius * radius
            h = b * b - c
            if h < 0.0:
                t[i] = wp.inf
                return
            t[i] = 0.0 - b - wp.sqrt(h)
    """, (24,), (read("o", "vec3f", 24, low=-2, high=2), read("d", "vec3f", 24, kind="unit"), number("radius", 1.5), written("t", "float32", 24)),
        "pass", "", {"execute": "inconclusive"}),
    "inputs that are not finite": Pattern("""
        @wp.kernel
        def nearest(d: wp.array(dtype=float), w: wp.array(dtype=float), out: wp.array(dtype=float)):
            i = wp.tid()
            if wp.isfinite(d[i]):
                out[i] = d[i] * w[i]
    """, (16,), (kept("d", "float32", np.where(np.arange(16) % 5 == 0, np.inf, np.linspace(0.5, 2.0, 16))), read("w", "float32", 16), written("out", "float32", 16))),
    "memory without contents": Pattern("""
        @wp.kernel
        def add_blocks(rows: wp.array(dtype=int), values: wp.array(dtype=wp.float64), scale: wp.float64, out: wp.array(dtype=wp.float64)):
            i = wp.tid()
            row = rows[i]
            if row >= 0:
                out[row] += scale * values[i]
    """, (16,), (kept("rows", "int32", np.where(np.arange(16) < 9, np.arange(16) % 5, -1)),
                 kept("values", "float64", np.where(np.arange(16) < 9, np.linspace(0.5, 2.0, 16), -8.9e307 * (-1.0) ** np.arange(16))),
                 number("scale", 1.0, "float64"), both("out", "float64", 5))),
    "divisions by zero": Pattern("""
        @wp.kernel
        def normalize_rows(x: wp.array(dtype=wp.vec3), out: wp.array(dtype=wp.vec3)):
            i = wp.tid()
            out[i] = x[i] / wp.length(x[i])
    """, (12,), (kept("x", "vec3f", np.where(np.arange(12)[:, None] % 4 == 0, 0.0, np.linspace(0.2, 1.0, 36).reshape(12, 3)), components=1),
                 written("out", "vec3f", 12)), "pass", "", {"execute": "inconclusive"}),
    "image of bytes": Pattern("""
        @wp.kernel
        def to_grey(image: wp.array3d(dtype=wp.uint8), out: wp.array2d(dtype=float)):
            y, x = wp.tid()
            out[y, x] = (0.3 * float(image[y, x, 0]) + 0.6 * float(image[y, x, 1]) + 0.1 * float(image[y, x, 2])) / 255.0
    """, (5, 6), (read("image", "uint8", 5, 6, 3, low=0, high=255), written("out", "float32", 5, 6)), "not_applicable", "no array that the kernel reads"),
    "sampling of an image": Pattern("""
        @wp.func
        def pixel(image: wp.array2d(dtype=wp.vec3), y: int, x: int):
            return image[wp.clamp(y, 0, image.shape[0] - 1), wp.clamp(x, 0, image.shape[1] - 1)]


        @wp.kernel
        def sample(image: wp.array2d(dtype=wp.vec3), uv: wp.array(dtype=wp.vec2), out: wp.array(dtype=wp.vec3)):
            i = wp.tid()
            y = wp.floor(uv[i][1])
            x = wp.floor(uv[i][0])
            fy = uv[i][1] - y
            fx = uv[i][0] - x
            top = pixel(image, int(y), int(x)) * (1.0 - fx) + pixel(image, int(y), int(x) + 1) * fx
            low = pixel(image, int(y) + 1, int(x)) * (1.0 - fx) + pixel(image, int(y) + 1, int(x) + 1) * fx
            out[i] = top * (1.0 - fy) + low * fy
    """, (20,), (read("image", "vec3f", 6, 8, low=0, high=1), read("uv", "vec2f", 20, low=-1, high=8), written("out", "vec3f", 20))),
    "the same array twice": Pattern("""
        @wp.kernel
        def axpy(x: wp.array(dtype=float), y: wp.array(dtype=float), a: float, out: wp.array(dtype=float)):
            i = wp.tid()
            out[i] = a * x[i] * y[i] + y[i]
    """, (16,), (kept("x", "float32", np.linspace(-1, 1, 16)), kept("y", "float32", np.linspace(-1, 1, 16)), number("a", 2.0), written("out", "float32", 16))),
    "ragged rows": Pattern("""
        @wp.kernel
        def row_sums(offsets: wp.array(dtype=int), x: wp.array(dtype=float), out: wp.array(dtype=float)):
            r = wp.tid()
            s = float(0.0)
            for k in range(offsets[r], offsets[r + 1]):
                s = s + x[k] * x[k]
            out[r] = s
    """, (10,), (read("offsets", "int32", 11, low=0, high=30, kind="offsets"), read("x", "float32", 30), written("out", "float32", 10))),
    "a permutation": Pattern("""
        @wp.kernel
        def gather(order: wp.array(dtype=int), x: wp.array(dtype=wp.vec3), inverse: wp.array(dtype=int), out: wp.array(dtype=wp.vec3)):
            i = wp.tid()
            out[order[i]] = x[i] * wp.length(x[i])
            inverse[order[i]] = i
    """, (20,), (read("order", "int32", 20, low=0, high=19, kind="permutation"), read("x", "vec3f", 20), written("inverse", "int32", 20),
                 written("out", "vec3f", 20))),
    "no rows at all": Pattern("""
        @wp.kernel
        def add_external(x: wp.array(dtype=wp.vec3), ids: wp.array(dtype=int), forces: wp.array(dtype=wp.vec3), out: wp.array(dtype=wp.vec3)):
            i = wp.tid()
            f = x[i] * 2.0
            for k in range(ids.shape[0]):
                if ids[k] == i:
                    f += forces[k]
            out[i] = f
    """, (12,), (read("x", "vec3f", 12), read("ids", "int32", 0, low=0, high=0), read("forces", "vec3f", 0), written("out", "vec3f", 12))),
    "tiles": Pattern("""
        @wp.kernel
        def column_sums(x: wp.array2d(dtype=float), w: wp.array(dtype=float), out: wp.array(dtype=float)):
            i, lane = wp.tid()
            t = wp.tile_load(x[i], shape=16)
            s = wp.tile_sum(t * wp.tile_load(w, shape=16))
            wp.tile_store(out, s, offset=i)
    """, (6, 32), (read("x", "float32", 6, 16), read("w", "float32", 16), written("out", "float32", 6)), options={"block_dim": 32}),
    "products of tiles": Pattern("""
        @wp.kernel
        def multiply(a: wp.array2d(dtype=float), b: wp.array2d(dtype=float), c: wp.array2d(dtype=float)):
            i, j, lane = wp.tid()
            total = wp.tile_zeros(shape=(4, 4), dtype=wp.float32)
            for k in range(2):
                x = wp.tile_load(a, shape=(4, 4), offset=(i * 4, k * 4))
                y = wp.tile_load(b, shape=(4, 4), offset=(k * 4, j * 4))
                wp.tile_matmul(x, y, total)
            wp.tile_store(c, total, offset=(i * 4, j * 4))
    """, (2, 2, 32), (read("a", "float32", 8, 8), read("b", "float32", 8, 8), written("c", "float32", 8, 8)), others={"emulate": "not_applicable"},
        options={"block_dim": 32}),
    "double precision": Pattern("""
        @wp.kernel
        def energy(x: wp.array(dtype=wp.vec3d), k: wp.float64, out: wp.array(dtype=wp.float64)):
            i = wp.tid()
            wp.atomic_add(out, 0, k * wp.dot(x[i], x[i]) * wp.sin(x[i][0]))
    """, (16,), (read("x", "vec3d", 16), number("k", 2.0, "float64"), both("out", "float64", 1))),
    "Newton's iterations": Pattern("""
        @wp.kernel
        def kepler(mean: wp.array(dtype=float), e: wp.array(dtype=float), out: wp.array(dtype=float)):
            i = wp.tid()
            a = mean[i]
            for k in range(8):
                a = a - (a - e[i] * wp.sin(a) - mean[i]) / (1.0 - e[i] * wp.cos(a))
            out[i] = a
    """, (16,), (read("mean", "float32", 16), read("e", "float32", 16, low=0.1, high=0.6), written("out", "float32", 16))),
    "writes in a function": Pattern("""
        @wp.func
        def scatter(out: wp.array(dtype=float), i: int, n: int, v: float):
            wp.atomic_add(out, i % n, v)
            wp.atomic_add(out, (i + 1) % n, v * v)


        @wp.kernel
        def spread(x: wp.array(dtype=float), out: wp.array(dtype=float)):
            i = wp.tid()
            scatter(out, i, out.shape[0], x[i])
    """, (24,), (read("x", "float32", 24), both("out", "float32", 7))),
    "edges of a corner": Pattern("""
        @wp.kernel
        def relu(x: wp.array(dtype=float), w: wp.array(dtype=float), out: wp.array(dtype=float)):
            i = wp.tid()
            out[i] = wp.max(x[i], 0.0) * w[i]
    """, (16,), (kept("x", "float32", np.where(np.arange(16) % 2 == 0, 0.0, np.linspace(-1, 1, 16))), read("w", "float32", 16), written("out", "float32", 16))),
    "labels that spread": Pattern("""
        @wp.kernel
        def propagate(edges: wp.array2d(dtype=int), labels: wp.array(dtype=int), changed: wp.array(dtype=int)):
            e = wp.tid()
            low = wp.min(labels[edges[e, 0]], labels[edges[e, 1]])
            if labels[edges[e, 0]] != low or labels[edges[e, 1]] != low:
                labels[edges[e, 0]] = low
                labels[edges[e, 1]] = low
                changed[0] = 1
    """, (12,), (kept("edges", "int32", [[i, (i * 5 + 3) % 12] for i in range(12)]), kept("labels", "int32", np.arange(12)[::-1], "inout"),
                 written("changed", "int32", 1)), "not_applicable", "no output holds floats", {"emulate": "inconclusive"}),
    "indices beyond the array": Pattern("""
        @wp.kernel
        def look_up(i_of: wp.array(dtype=int), table: wp.array(dtype=float), out: wp.array(dtype=float)):
            i = wp.tid()
            out[i] = table[i_of[i]]
    """, (12,), (kept("i_of", "int32", np.arange(12) * 2), read("table", "float32", 12), written("out", "float32", 12)),
        "skipped", "the kernel was not run", {"execute": "inconclusive", "emulate": "skipped"}),
    "nothing is returned": Pattern("""
        @wp.kernel
        def check(x: wp.array(dtype=float), limit: float):
            i = wp.tid()
            if x[i] > limit:
                wp.printf("%d", i)
    """, (8,), (read("x", "float32", 8), number("limit", 5.0)), "not_applicable", "no output holds floats", {"execute": "not_applicable"}),
    "bodies of the finite elements": Pattern("""
        @wp.kernel
        def quadrature(points: wp.array2d(dtype=wp.vec2), weights: wp.array(dtype=float), nodes: wp.array2d(dtype=int), u: wp.array(dtype=float),
                       out: wp.array(dtype=float)):
            e = wp.tid()
            total = float(0.0)
            for q in range(3):
                p = points[e, q]
                value = u[nodes[e, 0]] * (1.0 - p[0] - p[1]) + u[nodes[e, 1]] * p[0] + u[nodes[e, 2]] * p[1]
                total += weights[q] * value * value
            wp.atomic_add(out, nodes[e, 0], total)
    """, (4,), (read("points", "vec2f", 4, 3, low=0, high=0.5), read("weights", "float32", 3), kept("nodes", "int32", [[0, 1, 2], [1, 2, 3], [2, 3, 4], [3, 4, 5]]),
                read("u", "float32", 6), both("out", "float32", 6))),
    "optional outputs": Pattern("""
        @wp.kernel
        def evaluate(x: wp.array(dtype=wp.vec3), grad: wp.array(dtype=wp.vec3), out: wp.array(dtype=float)):
            i = wp.tid()
            out[i] = wp.length_sq(x[i])
            if grad:
                grad[i] = x[i] * 2.0
    """, (12,), (read("x", "vec3f", 12), null("grad", "vec3f"), written("out", "float32", 12))),
    "plain matrices": Pattern("""
        @wp.kernel
        def project(view: wp.mat44, x: wp.array(dtype=wp.vec3), out: wp.array(dtype=wp.vec2), depth: wp.array(dtype=float)):
            i = wp.tid()
            p = view * wp.vec4(x[i][0], x[i][1], x[i][2], 1.0)
            if p[3] < 0.2:
                return
            out[i] = wp.vec2(p[0] / p[3], p[1] / p[3])
            depth[i] = p[2] / p[3]
    """, (20,), (plain("view", "mat44f", -0.2, 0.2, "near_identity"), read("x", "vec3f", 20), written("out", "vec2f", 20), written("depth", "float32", 20))),
    "the root of what underflows": Pattern("""
        @wp.kernel
        def spectrum(k: wp.array(dtype=float), amplitude: wp.array(dtype=float)):
            i = wp.tid()
            amplitude[i] = wp.sqrt(wp.exp(0.0 - k[i] * k[i]))
    """, (16,), (read("k", "float32", 16, low=40.0, high=60.0), written("amplitude", "float32", 16)), "inconclusive", "numbers underflow"),
}  # fmt: skip
