"""Arrays that are changed in place, shared by threads, or read by index."""

from __future__ import annotations

from known_adjoints.corpus.probe import FAIL, Probe, probe, twins

PROBES: dict[str, Probe] = {
    **twins("element doubled in place", """
        io[i] = io[i] * 2.0
    """, {"multiplied by an input": ("* 2.0", "* x[i]"), "squared": ("io[i] * 2.0", "io[i] * io[i]"), "its root": ("io[i] * 2.0", "wp.sqrt(io[i])")}),
    **twins("element added to in place", """
        io[i] += x[i] * y[i]
    """, {"with its own value": ("+= x[i] * y[i]", "+= io[i] * y[i]"), "multiplied": ("+= x[i] * y[i]", "*= y[i]"), "divided": ("+= x[i] * y[i]", "/= y[i]")}),
    "element subtracted from in place": probe("""
        io[i] -= x[i] * x[i]
    """),
    "element set to a sum of itself": probe("""
        io[i] = io[i] + x[i] * x[i]
    """),
    "element set to an input": probe("""
        io[i] = x[i] * x[i]
    """),
    "blend in place": probe("""
        io[i] = io[i] * 0.9 + x[i] * 0.1
    """),
    "blend in place by an input": probe("""
        io[i] = io[i] * y[i] + x[i] * (1.0 - y[i])
    """, FAIL),
    **twins("element written and read", """
        out2[i] = x[i] * x[i]
        out[i] = out2[i] * y[i]
    """, {"written again": ("out[i] = out2[i] * y[i]", "out[i] = out2[i] * out2[i]\nout2[i] = y[i]")}),
    "element written twice": probe("""
        out[i] = x[i]
        out[i] = x[i] * y[i]
    """),
    "element written twice and scaled": probe("""
        out[i] = x[i] * y[i]
        out[i] = out[i] * out[i]
    """, FAIL),
    "neighbours": probe("""
        if i > 0 and i < 7:
            out[i] = x[i - 1] * x[i + 1] - 2.0 * x[i]
    """),
    "all others": probe("""
        s = float(0.0)
        for k in range(8):
            if k != i:
                s += 1.0 / (0.1 + wp.abs(x[k] - x[i]))
        out[i] = s
    """),
    "index from an array": probe("""
        out[i] = x[j[i]] * y[i]
    """),
    "indices from indices": probe("""
        out[i] = x[j[j[i]]] * y[j[i]]
    """, j=[3, 1, 4, 1, 5, 7, 2, 6]),
    **twins("scatter", """
        wp.atomic_add(out, j[i], x[i] * y[i])
    """, {"with the value before": ("wp.atomic_add(out, j[i], x[i] * y[i])", "s = wp.atomic_add(out, j[i], x[i] * y[i])\nout2[i] = s * x[i]")}),
    "scatter by plus": probe("""
        out[j[i]] += x[i] * y[i]
    """),
    "gather and subtract": probe("""
        wp.atomic_sub(out, j[i], x[i] * x[i])
    """),
    "sum of all": probe("""
        wp.atomic_add(out, 0, x[i] * x[i])
    """, shapes={"out": (1,)}),
    "sum of all vectors": probe("""
        wp.atomic_add(outv, i % 2, v[i] * x[i])
    """, shapes={"outv": (2,)}),
    "minimum and maximum of all": probe("""
        wp.atomic_min(out, 0, x[i])
        wp.atomic_max(out, 1, x[i] * y[i])
    """, shapes={"out": (2,)}, io=5.0),
    "maximum of equal values": probe("""
        wp.atomic_max(out, 0, x[i % 2] * 3.0)
    """, FAIL, shapes={"out": (1,)}),
    "exchange": probe("""
        s = wp.atomic_exch(io, i, x[i])
        out[i] = s * y[i]
    """, FAIL),
    "compare and swap of floats": probe("""
        s = wp.atomic_cas(io, i, io[i], x[i])
        out[i] = s * y[i]
    """, FAIL),
    "number of threads counted": probe("""
        @wp.kernel
        def kernel(ioc: wp.array(dtype=int), x: wp.array(dtype=float), y: wp.array(dtype=float), out: wp.array(dtype=float)):
            i = wp.tid()
            wp.atomic_add(ioc, 0, 1)
            out[i] = x[i] * y[i]
    """, shapes={"ioc": (1,)}),
    "array of a thread": probe("""
        own = wp.zeros(shape=(3,), dtype=float)
        for k in range(3):
            own[k] = xx[i, k] * x[i]
        out[i] = own[0] * own[1] + own[2]
    """, FAIL),
    "row passed to a helper": probe("""
        @wp.func
        def dot(r: wp.array(dtype=float), s: wp.array(dtype=float)):
            t = float(0.0)
            for k in range(5):
                t += r[k] * s[k]
            return t
        ---
        out[i] = dot(xx[i], xx[(i + 1) % 8])
    """),
    "row written by a helper": probe("""
        @wp.func
        def fill(r: wp.array(dtype=float), p: float):
            for k in range(5):
                r[k] = p * float(k + 1)
        ---
        fill(outr[i], x[i] * y[i])
    """),
    "element changed by a helper and read again": probe("""
        @wp.func
        def square(r: wp.array(dtype=float), i: int):
            r[i] = r[i] * r[i]
        ---
        out[i] = x[i] * y[i]
        square(out, i)
    """, FAIL),
    "transposed indices": probe("""
        i, k = wp.tid()
        outr[k, i] = xx[i, k] * xx[i, (k + 1) % 5]
    """, dim=(8, 5), shapes={"outr": (5, 8)}),
    "prefix sum by one thread": probe("""
        s = float(0.0)
        for k in range(8):
            s += x[k]
            out[k] = s
    """, dim=1),
    "prefix sum of unknown length": probe("""
        s = float(0.0)
        for k in range(n):
            s += x[k]
            out[k] = s * s
    """, FAIL, dim=1, n=8),
    "prefix sum in place": probe("""
        for k in range(1, 8):
            io[k] = io[k] + io[k - 1]
    """, dim=1),
    "product with the neighbour in place": probe("""
        for k in range(1, 8):
            io[k] = io[k] * io[k - 1]
    """, FAIL, dim=1),
}  # fmt: skip
