"""Tiles: loads, sums, products of matrices, and functions without an adjoint."""

from __future__ import annotations

from known_adjoints.corpus.probe import FAIL, Probe, probe, twins

BLOCKS = {"dim": 3, "block": 32, "shapes": {"x": (96,), "y": (96,), "out": (96,)}}
MATRICES = {"dim": 2, "block": 32, "shapes": {"xx": (16, 8), "outr": (16, 8)}}

PROBES: dict[str, Probe] = {
    **twins("tile loaded and stored", """
        t = wp.tile_load(x, shape=32, offset=i * 32)
        u = wp.tile_load(y, shape=32, offset=i * 32)
        r = t * u + t
        wp.tile_store(out, r, offset=i * 32)
    """, {"changed in place": ("r = t * u + t", "r = t * t\nt += r\nr = t")}, **BLOCKS),
    "running sum": probe("""
        t = wp.tile_load(x, shape=32, offset=i * 32)
        wp.tile_store(out, wp.tile_scan_inclusive(t), offset=i * 32)
    """, FAIL, measured="single", **BLOCKS),
    "sorted tile": probe("""
        t = wp.tile_load(x, shape=32, offset=i * 32)
        u = wp.tile_load(y, shape=32, offset=i * 32)
        wp.tile_sort(t, wp.tile_arange(32, dtype=int))
        wp.tile_store(out, t * u, offset=i * 32)
    """, FAIL, measured="single", **BLOCKS),
    **twins("sum of a tile", """
        t = wp.tile_load(x, shape=32, offset=i * 32)
        u = wp.tile_load(y, shape=32, offset=i * 32)
        s = wp.tile_sum(t * u)
        wp.tile_store(out, t * wp.tile_broadcast(s, shape=(32,)), offset=i * 32)
    """, {"maximum": ("wp.tile_sum(t * u)", "wp.tile_max(t * u)"), "reduction": ("wp.tile_sum(t * u)", "wp.tile_reduce(wp.add, t * u)"),
          "minimum": ("wp.tile_sum(t * u)", "wp.tile_min(t * u)")}, **BLOCKS),
    **twins("map over a tile", """
        @wp.func
        def wave(p: float):
            return wp.sin(p) * p
        ---
        t = wp.tile_load(x, shape=32, offset=i * 32)
        wp.tile_store(out, wp.tile_map(wave, t), offset=i * 32)
    """, {"with a loop inside": ("return wp.sin(p) * p", "s = float(1.0)\n    for k in range(20):\n        s = s * (1.0 + 0.01 * p)\n    return s")}, **BLOCKS),
    **twins("product of matrices", """
        t = wp.tile_load(xx, shape=(8, 8), offset=(i * 8, 0))
        u = wp.tile_transpose(t)
        r = wp.tile_matmul(t, u)
        wp.tile_store(outr, r, offset=(i * 8, 0))
    """, {"transposed after a use": ("u = wp.tile_transpose(t)\nr = wp.tile_matmul(t, u)", "r = wp.tile_matmul(t, wp.tile_transpose(t)) * wp.tile_transpose(t)")},
        **MATRICES),
    "product of a matrix with itself": probe("""
        t = wp.tile_load(xx, shape=(8, 8), offset=(i * 8, 0))
        r = wp.tile_matmul(t, t)
        wp.tile_store(outr, r, offset=(i * 8, 0))
    """, **MATRICES),
    "product accumulated": probe("""
        t = wp.tile_load(xx, shape=(8, 8), offset=(i * 8, 0))
        u = wp.tile_transpose(t)
        r = wp.tile_zeros(shape=(8, 8), dtype=float)
        wp.tile_matmul(t, t, r)
        wp.tile_matmul(t, u, r)
        wp.tile_store(outr, r, offset=(i * 8, 0))
    """, **MATRICES),
    "tile of values of threads": probe("""
        i, k = wp.tid()
        t = wp.tile(x[i * 32 + k] * y[i * 32 + k])
        s = wp.tile_sum(t)
        wp.tile_store(out, s, offset=i)
    """, dim=3, block=32, shapes={"x": (96,), "y": (96,), "out": (3,)}, measured="a block on the CPU has one thread, so that the sum has one term"),
    "added by an atomic": probe("""
        t = wp.tile_load(x, shape=32, offset=i * 32)
        wp.tile_atomic_add(iot, t * t, offset=0)
    """, dim=3, block=32, shapes={"x": (96,), "iot": (32,)}),
    "adjoint of tiles": probe("""
        @wp.func
        def triple(r: wp.array(dtype=float), s: wp.array(dtype=float), i: int):
            wp.tile_store(s, wp.tile_load(r, shape=32, offset=i * 32) * 3.0, offset=i * 32)


        @wp.func_grad(triple)
        def adj_triple(r: wp.array(dtype=float), s: wp.array(dtype=float), i: int):
            g = wp.tile_load(wp.adjoint[s], shape=32, offset=i * 32)
            wp.tile_atomic_add(wp.adjoint[r], g * 3.0, offset=i * 32)
        ---
        triple(x, out, i)
    """, **BLOCKS),
    "adjoint of tiles, a factor missing": probe("""
        @wp.func
        def triple(r: wp.array(dtype=float), s: wp.array(dtype=float), i: int):
            wp.tile_store(s, wp.tile_load(r, shape=32, offset=i * 32) * 3.0, offset=i * 32)


        @wp.func_grad(triple)
        def adj_triple(r: wp.array(dtype=float), s: wp.array(dtype=float), i: int):
            g = wp.tile_load(wp.adjoint[s], shape=32, offset=i * 32)
            wp.tile_atomic_add(wp.adjoint[r], g, offset=i * 32)
        ---
        triple(x, out, i)
    """, FAIL, **BLOCKS),
}  # fmt: skip
