"""Atoms, fluids and fields, such as the kernels of nvalchemi-toolkit-ops, warpSPHCore, nvidia-physicsnemo, mujoco-warp and isaaclab."""

from __future__ import annotations

import mpmath as mp
import numpy as np

from real_patterns.figures import dot, each, norm, threads
from real_patterns.pattern import Pattern, both, kept, number, read, twins, written

_WRONG = "is not the derivative: of {}, the adjoint gives"
OFFSETS = [0, 3, 3, 6, 8]
NEIGHBOURS = [1, 2, 3, 0, 1, 3, 0, 2]
"""Neighbours of four atoms, of which the second one has none."""
PLACES = np.array([[0.0, 0.0, 0.0], [1.1, 0.1, 0.0], [0.2, 1.3, 0.1], [0.1, 0.3, 0.9]])


def _pairs(a, i, function):
    return sum((function(norm(a.x[j] - a.x[i]), j) for j in NEIGHBOURS[OFFSETS[i] : OFFSETS[i + 1]]), mp.mpf(0))


def _switched(r):
    t = (r - mp.mpf(1)) / mp.mpf(0.5)
    return 1 / r * (1 if t < 0 else 0 if t > 1 else 1 - t**3 * (10 - 15 * t + 6 * t * t))


def _composited(a, i):
    light, colour = mp.mpf(1), mp.mpf(0)
    for k in range(5):
        alpha = 1 - mp.exp(-a.density[i, k] / 4)
        colour, light = colour + light * alpha * a.colour[i, k], light * (1 - alpha)
    return colour


def _population(a, count):
    rows = range(a.f.shape[0])
    density = np.array([sum(a.f[i, k] for k in range(count)) for i in rows])
    return density, np.array([sum((0, 1, -1)[k % 3] * a.f[i, k] for k in range(count)) for i in rows]) / density


LISTED = (kept("offsets", "int32", OFFSETS), kept("neighbours", "int32", NEIGHBOURS), kept("x", "vec3f", PLACES, components=1))

PERIODIC = Pattern("""
    @wp.kernel
    def slope(u: wp.array(dtype=float), out: wp.array(dtype=float)):
        i = wp.tid()
        left = u[i - 1]
        n = u.shape[0]
        out[i] = (u[i] - left) * (u[i] - left) * float(n)
""", (6,), (read("u", "float32", 6), written("out", "float32", 6)), "skipped", "", {"execute": "fail"},
    formula=lambda a: {"out": threads(lambda i: 6 * (a.u[i] - a.u[i - 1]) ** 2, 6)})  # fmt: skip
"""The backward pass of this kernel writes in front of the gradient array; level `execute` fails it."""


def _near(a):
    return {"out": a.out + threads(lambda i: sum(a.q[j] ** 2 for j in a.near[i] if j >= 0) * a.q[i], 5)}


PATTERNS = {
    **twins("energy of embedded atoms", Pattern("""
        @wp.kernel
        def embed(offsets: wp.array(dtype=int), neighbours: wp.array(dtype=int), x: wp.array(dtype=wp.vec3), out: wp.array(dtype=float)):
            i = wp.tid()
            density = float(0.01)
            for k in range(offsets[i], offsets[i + 1]):
                density += wp.exp(0.0 - 2.0 * wp.length(x[neighbours[k]] - x[i]))
            out[i] = 0.0 - wp.sqrt(density)
    """, (4,), (*LISTED, written("out", "float32", 4)), reason=_WRONG.format("x"),
        formula=lambda a: {"out": threads(lambda i: -mp.sqrt(mp.mpf(np.float32(0.01).item()) + _pairs(a, i, lambda r, _: mp.exp(-2 * r))), 4)}),
        "densities of embedded atoms", "out[i] = 0.0 - wp.sqrt(density)", "out[i] = 0.0 - density",
        formula=lambda a: {"out": threads(lambda i: -mp.mpf(np.float32(0.01).item()) - _pairs(a, i, lambda r, _: mp.exp(-2 * r)), 4)}),
    "electrostatics with a switch at the cutoff": Pattern("""
        @wp.kernel
        def energy(offsets: wp.array(dtype=int), neighbours: wp.array(dtype=int), x: wp.array(dtype=wp.vec3), q: wp.array(dtype=float), out: wp.array(dtype=float)):
            i = wp.tid()
            e = float(0.0)
            for k in range(offsets[i], offsets[i + 1]):
                j = neighbours[k]
                r = wp.length(x[j] - x[i])
                t = wp.clamp((r - 1.0) / 0.5, 0.0, 1.0)
                e += q[i] * q[j] / r * (1.0 - t * t * t * (10.0 - 15.0 * t + 6.0 * t * t))
            wp.atomic_add(out, 0, e)
    """, (4,), (*LISTED, read("q", "float32", 4), both("out", "float32", 1)),
        formula=lambda a: {"out": a.out + sum(_pairs(a, i, lambda r, j, i=i: a.q[i] * a.q[j] * _switched(r)) for i in range(4))}),
    "potential of 1e12 near a weak one": Pattern("""
        @wp.kernel
        def lennard_jones(r: wp.array(dtype=float), epsilon: wp.array(dtype=float), out: wp.array(dtype=float)):
            i = wp.tid()
            s = 1.0 / r[i]
            s6 = s * s * s * s * s * s
            out[i] = 4.0 * epsilon[i] * (s6 * s6 - s6)
    """, (6,), (kept("r", "float32", [0.1, 1.0, 1.12, 2.5, 9.0, 0.9]), kept("epsilon", "float32", [1.0, 0.5, 1.0, 0.25, 1.0, 0.5]), written("out", "float32", 6)),
        "pass/inconclusive", formula=lambda a: {"out": 4 * a.epsilon * (a.r**-12 - a.r**-6)}),
    "nearest images in a periodic cell": Pattern("""
        @wp.kernel
        def images(x: wp.array(dtype=float), cell: wp.array(dtype=float), out: wp.array(dtype=float)):
            i = wp.tid()
            d = x[i] - cell[0] * wp.round(x[i] / cell[0])
            out[i] = d * d
    """, (8,), (read("x", "float32", 8, low=-20, high=20), kept("cell", "float32", [7.3]), written("out", "float32", 8)),
        formula=lambda a: {"out": each(lambda x: (x - a.cell[0] * mp.nint(x / a.cell[0])) ** 2, a.x)}),
    **twins("weights of reference coordinations", Pattern("""
        @wp.kernel
        def dispersion(cn: wp.array(dtype=float), c6: wp.array(dtype=float), n: int, out: wp.array(dtype=float)):
            i = wp.tid()
            total = float(0.0)
            weighted = float(0.0)
            for k in range(n):
                d = cn[i] - float(k)
                w = wp.exp(0.0 - 4.0 * d * d)
                total += w
                weighted += w * c6[k]
            out[i] = weighted / total
    """, (6,), (read("cn", "float32", 6, low=0.5, high=3), read("c6", "float32", 4, low=1, high=20), number("n", 4), written("out", "float32", 6)), reason="is not the derivative",
        formula=lambda a: {"out": each(lambda cn: sum(mp.exp(-4 * (cn - k) ** 2) * a.c6[k] for k in range(4)) / sum(mp.exp(-4 * (cn - k) ** 2) for k in range(4)), a.cn)}),
        "weights of four reference coordinations", "range(n)", "range(4)"),
    **twins("structure factor in one thread", Pattern("""
        @wp.kernel
        def reciprocal(k: wp.array(dtype=wp.vec3), x: wp.array(dtype=wp.vec3), q: wp.array(dtype=float), n: int, out: wp.array(dtype=float)):
            i = wp.tid()
            c = float(0.0)
            s = float(0.0)
            for j in range(n):
                phase = wp.dot(k[i], x[j])
                c += q[j] * wp.cos(phase)
                s += q[j] * wp.sin(phase)
            out[i] = (c * c + s * s) / wp.length_sq(k[i])
    """, (5,), (read("k", "vec3f", 5, low=0.5, high=2), kept("x", "vec3f", PLACES, components=1), read("q", "float32", 4), number("n", 4), written("out", "float32", 5)),
        reason="is not the derivative", formula=lambda a: {"out": threads(lambda i: (
            sum(a.q[j] * mp.cos(dot(a.k[i], a.x[j])) for j in range(4)) ** 2 + sum(a.q[j] * mp.sin(dot(a.k[i], a.x[j])) for j in range(4)) ** 2) / dot(a.k[i], a.k[i]), 5)}),
        "structure factor of four charges", "range(n)", "range(4)"),
    "virial of pairs": Pattern("""
        @wp.kernel
        def virial(f: wp.array(dtype=wp.vec3), r: wp.array(dtype=wp.vec3), out: wp.array(dtype=wp.mat33)):
            i = wp.tid()
            wp.atomic_add(out, 0, wp.outer(f[i], r[i]) * -0.5)
    """, (6,), (read("f", "vec3f", 6), read("r", "vec3f", 6), both("out", "mat33f", 1)),
        formula=lambda a: {"out": a.out + sum(np.outer(a.f[i], a.r[i]) for i in range(6))[None] * mp.mpf(-0.5)}),
    **twins("pressure from summed densities", Pattern("""
        @wp.kernel
        def pressure(x: wp.array(dtype=wp.vec3), m: wp.array(dtype=float), n: int, out: wp.array(dtype=float)):
            i = wp.tid()
            rho = float(0.0)
            for j in range(n):
                q = wp.max(1.0 - wp.length(x[i] - x[j]) * 0.5, 0.0)
                rho += m[j] * q * q * q
            out[i] = 1.0e5 * (wp.pow(rho / 1000.0, 7.0) - 1.0)
    """, (4,), (kept("x", "vec3f", PLACES, components=1), read("m", "float32", 4, low=500, high=900), number("n", 4), written("out", "float32", 4)), reason="is not the derivative",
        formula=lambda a: {"out": threads(lambda i: 100000 * ((sum(a.m[j] * max(1 - norm(a.x[i] - a.x[j]) / 2, 0) ** 3 for j in range(4) if j != i) / 1000 + a.m[i] / 1000) ** 7 - 1), 4)}),
        "pressure from densities of four", "range(n)", "range(4)"),
    **twins("averages by the sum of weights", Pattern("""
        @wp.kernel
        def shepard(w: wp.array2d(dtype=float), f: wp.array(dtype=float), out: wp.array(dtype=float)):
            i = wp.tid()
            total = float(1.0e-6)
            value = float(0.0)
            for j in range(w.shape[1]):
                total += w[i, j]
                value += w[i, j] * f[j]
            out[i] = value / total
    """, (5,), (read("w", "float32", 5, 4, low=0.5, high=1), read("f", "float32", 4), written("out", "float32", 5)), reason="is not the derivative",
        formula=lambda a: {"out": threads(lambda i: dot(a.w[i], a.f) / (sum(a.w[i]) + mp.mpf(np.float32(1e-6).item())), 5)}),
        "averages by the sum of four weights", "range(w.shape[1])", "range(4)"),
    "a periodic difference with a negative index": PERIODIC,
    "a periodic difference with a remainder": PERIODIC.changed(
        "left = u[i - 1]\n        n = u.shape[0]", "n = u.shape[0]\nleft = u[(i + n - 1) % n]", gradient="pass", others={}
    ),
    **twins("light along a ray through a medium", Pattern("""
        @wp.kernel
        def composite(density: wp.array2d(dtype=float), colour: wp.array2d(dtype=float), n: int, out: wp.array(dtype=float)):
            i = wp.tid()
            light = float(1.0)
            total = float(0.0)
            for k in range(n):
                alpha = 1.0 - wp.exp(0.0 - density[i, k] * 0.25)
                total += light * alpha * colour[i, k]
                light = light * (1.0 - alpha)
            out[i] = total
    """, (4,), (read("density", "float32", 4, 5, low=0.5, high=2), read("colour", "float32", 4, 5, low=0, high=1), number("n", 5), written("out", "float32", 4)),
        reason="is not the derivative", formula=lambda a: {"out": threads(lambda i: _composited(a, i), 4)}), "light along a ray of five steps", "range(n)", "range(5)"),
    **twins("forces that some neighbours skip", Pattern("""
        @wp.kernel
        def forces(kind: wp.array(dtype=int), x: wp.array(dtype=float), n: int, out: wp.array(dtype=float)):
            i = wp.tid()
            total = float(0.0)
            for j in range(n):
                total += x[j] * x[j]
                if kind[j] == 1:
                    continue
                total += x[j] * 3.0
            out[i] = total
    """, (4,), (kept("kind", "int32", [0, 1, 0, 1, 1]), read("x", "float32", 5), number("n", 5), written("out", "float32", 4)), reason=_WRONG.format("x"),
        formula=lambda a: {"out": threads(lambda _: sum(x * x + (0 if k == 1 else 3 * x) for k, x in zip(a.kind, a.x, strict=True)), 4)}),
        "forces of neighbours by a condition", "if kind[j] == 1:\n                    continue\n                total += x[j] * 3.0", "if kind[j] != 1:\n    total += x[j] * 3.0"),
    **twins("counting up at the end of a loop", Pattern("""
        @wp.kernel
        def total(x: wp.array(dtype=float), n: int, out: wp.array(dtype=float)):
            i = wp.tid()
            s = float(0.0)
            k = int(0)
            while k < n:
                s += x[k] * float(i + 1)
                k += 1
            out[i] = s
    """, (3,), (read("x", "float32", 5), number("n", 4), written("out", "float32", 3)), reason=_WRONG.format("x"),
        formula=lambda a: {"out": threads(lambda i: sum(a.x[:4]) * (i + 1), 3)}),
        "counting up at the start of a loop", "s += x[k] * float(i + 1)\n                k += 1", "k += 1\ns += x[k - 1] * float(i + 1)"),
    **twins("scaling of momenta in place", Pattern("""
        @wp.kernel
        def thermostat(scale: wp.array(dtype=float), p: wp.array(dtype=float)):
            i = wp.tid()
            p[i] = p[i] * scale[0]
    """, (6,), (kept("scale", "float32", [1.25]), both("p", "float32", 6, low=0.5, high=1)), reason="p is overwritten after it is read",
        formula=lambda a: {"p": a.p * a.scale[0]}),
        "increase of momenta in place", "p[i] = p[i] * scale[0]", "p[i] = p[i] + scale[0] * 0.5",
        formula=lambda a: {"p": a.p + a.scale[0] / 2}),
    **twins("balances that an atomic sum returns", Pattern("""
        @wp.kernel
        def balances(amount: wp.array(dtype=float), rate: wp.array(dtype=float), total: wp.array(dtype=float), out: wp.array(dtype=float)):
            i = wp.tid()
            before = wp.atomic_add(total, i, amount[i])
            after = wp.atomic_add(total, i, rate[i])
            out[i] = after * 3.0 + before
    """, (6,), (read("amount", "float32", 6), read("rate", "float32", 6), both("total", "float32", 6), written("out", "float32", 6)), reason="is not the derivative",
        formula=lambda a: {"total": a.total + a.amount + a.rate, "out": 4 * a.total + 3 * a.amount}),
        "balances that are computed", "before = wp.atomic_add(total, i, amount[i])\n            after = wp.atomic_add(total, i, rate[i])\n            out[i] = after * 3.0 + before",
        "wp.atomic_add(total, i, amount[i])\nwp.atomic_add(total, i, rate[i])\nout[i] = amount[i] * 3.0",
        formula=lambda a: {"total": a.total + a.amount + a.rate, "out": 3 * a.amount}),
    **twins("velocity of populations", Pattern("""
        populations = wp.types.vector(length=19, dtype=wp.float32)


        @wp.kernel
        def moments(f: wp.array2d(dtype=float), rho: wp.array(dtype=float), u: wp.array(dtype=float)):
            i = wp.tid()
            cell = populations()
            for l in range(19):
                cell[l] = f[i, l]
            density = float(0.0)
            momentum = float(0.0)
            for l in range(19):
                density += cell[l]
                if l % 3 == 1:
                    momentum += cell[l]
                elif l % 3 == 2:
                    momentum -= cell[l]
            rho[i] = density
            u[i] = momentum / density
    """, (3,), (read("f", "float32", 3, 19, low=0.1, high=1), written("rho", "float32", 3), written("u", "float32", 3)), reason="nan",
        formula=lambda a: {"rho": _population(a, 19)[0], "u": _population(a, 19)[1]}),
        "velocity of nine populations", "19", "9", args=(read("f", "float32", 3, 9, low=0.1, high=1), written("rho", "float32", 3), written("u", "float32", 3)),
        formula=lambda a: {"rho": _population(a, 9)[0], "u": _population(a, 9)[1]}),
    "a step limit by the fastest cell": Pattern("""
        @wp.kernel
        def limit(u: wp.array(dtype=float), dx: wp.array(dtype=float), out: wp.array(dtype=float)):
            i = wp.tid()
            wp.atomic_min(out, 0, 0.5 * dx[i] / (wp.abs(u[i]) + 1.0))
    """, (8,), (read("u", "float32", 8), read("dx", "float32", 8, low=0.1, high=0.2), both("out", "float32", 1, low=1.0e9, high=1.0e9)),
        formula=lambda a: {"out": np.array([min(dx / 2 / (abs(u) + 1) for u, dx in zip(a.u, a.dx, strict=True))])}),
    "spread to a grid by cubic weights": Pattern("""
        @wp.kernel
        def spread(x: wp.array(dtype=float), q: wp.array(dtype=float), grid: wp.array(dtype=float)):
            i = wp.tid()
            base = int(wp.floor(x[i]))
            t = x[i] - float(base)
            s = 1.0 - t
            wp.atomic_add(grid, base, q[i] * s * s * s / 6.0)
            wp.atomic_add(grid, base + 1, q[i] * (4.0 - 6.0 * t * t + 3.0 * t * t * t) / 6.0)
            wp.atomic_add(grid, base + 2, q[i] * (4.0 - 6.0 * s * s + 3.0 * s * s * s) / 6.0)
            wp.atomic_add(grid, base + 3, q[i] * t * t * t / 6.0)
    """, (6,), (read("x", "float32", 6, low=0.1, high=5.9), read("q", "float32", 6), both("grid", "float32", 10))),
    **{name: Pattern(f"""
        @wp.kernel
        def field(near: wp.array2d(dtype=int), q: wp.array(dtype=float), out: wp.array(dtype=float)):
            i, lane = wp.tid()
            total = float(0.0)
            k = lane
            while k < near.shape[1]:
                j = near[i, k]
                if j >= 0:
                    total += q[j] * q[j] * q[i]
                k += wp.block_dim()
            whole = wp.tile_sum(wp.tile(total))
            {stored}
    """, (5, 64), (kept("near", "int32", np.arange(320).reshape(5, 64) * 7 % 11 - 4), read("q", "float32", 7), both("out", "float32", 5)), gradient,
        reason, options={"block_dim": 64}, others={} if gradient == "pass" else {"oracle": "not_applicable"},
        formula=_near if gradient == "pass" else None)
       for name, gradient, reason, stored in (
           ("a sum of a block that one thread extracts", "inconclusive", "only some threads of a block reach its tiles",
            "if lane == 0:\n                wp.atomic_add(out, i, wp.tile_extract(whole, 0))"),
           ("a sum of a block that all threads extract", "pass", "",
            "value = wp.tile_extract(whole, 0)\n            if lane == 0:\n                wp.atomic_add(out, i, value)"))},
}  # fmt: skip
