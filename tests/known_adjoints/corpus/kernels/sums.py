"""Divisions by sums of loops that begin at zero, and roots and logarithms of them."""

from __future__ import annotations

from known_adjoints.corpus.probe import FAIL, Probe, probe, twins

PROBES: dict[str, Probe] = {
    **twins("share of a row", """
        s = float(0.0)
        for k in range(5):
            s += xx[i, k]
        out[i] = xx[i, 0] / s
    """, {"of unknown length": ("range(5)", "range(n)"), "of unknown length from one": (
        "s = float(0.0)\nfor k in range(5)", "s = float(1.0)\nfor k in range(n)"), "of twenty": ("range(5):\n    s += xx[i, k]", "range(20):\n    s += xx[i, k % 5]")}),
    **twins("norm of a row", """
        s = float(0.0)
        for k in range(5):
            s += xx[i, k] * xx[i, k]
        out[i] = wp.sqrt(s)
    """, {"of unknown length": ("range(5)", "range(n)"), "of the shape's length": ("range(5)", "range(xx.shape[1])")}),
    **twins("logarithm of a sum", """
        s = float(0.0)
        for k in range(5):
            s += wp.exp(xx[i, k])
        out[i] = wp.log(s)
    """, {"of unknown length": ("range(5)", "range(n)")}, xx=(-1.0, 1.0)),
    "softmax": probe("""
        top = float(-1.0e30)
        for k in range(5):
            top = wp.max(top, xx[i, k])
        s = float(0.0)
        for k in range(5):
            s += wp.exp(xx[i, k] - top)
        for k in range(5):
            outr[i, k] = wp.exp(xx[i, k] - top) / s
    """, xx=(-2.0, 2.0)),
    "softmax of unknown length": probe("""
        top = float(-1.0e30)
        for k in range(n):
            top = wp.max(top, xx[i, k])
        s = float(0.0)
        for k in range(n):
            s += wp.exp(xx[i, k] - top)
        for k in range(n):
            outr[i, k] = wp.exp(xx[i, k] - top) / s
    """, FAIL, xx=(-2.0, 2.0)),
    "softmax of two passes over arrays": probe("""
        @wp.kernel
        def kernel(e: wp.array2d(dtype=float), total: wp.array(dtype=float), outr: wp.array2d(dtype=float)):
            i, k = wp.tid()
            outr[i, k] = wp.exp(e[i, k]) / total[i]
    """, dim=(8, 5), total=(5.0, 9.0)),
    **twins("normalized sum of vectors", """
        p = wp.vec3(0.0, 0.0, 0.0)
        for k in range(5):
            p += vv[i, k]
        outv[i] = p / wp.length(p)
    """, {"of unknown length": ("range(5)", "range(n)"), "of unknown length by normalize": (
        "range(5):\n    p += vv[i, k]\noutv[i] = p / wp.length(p)", "range(n):\n    p += vv[i, k]\noutv[i] = wp.normalize(p)")}),
    **twins("mean by weights", """
        s = float(0.0)
        c = float(0.0)
        for k in range(4):
            s += xx[i, k] * x[i]
            c += xx[i, k + 1]
        out[i] = s / c
    """, {"of unknown length": ("range(4)", "range(n)"), "guarded": (
        "range(4):\n    s += xx[i, k] * x[i]\n    c += xx[i, k + 1]\nout[i] = s / c", "range(n):\n    s += xx[i, k] * x[i]\n    c += xx[i, k + 1]\nout[i] = s / wp.max(c, 0.001)")}),
    **twins("root mean square", """
        s = float(0.0)
        for k in range(5):
            s += xx[i, k] * xx[i, k]
        r = 1.0 / wp.sqrt(s / 5.0 + 0.00001)
        for k in range(5):
            outr[i, k] = xx[i, k] * r
    """, {"of unknown length": ("range(5)", "range(n)")}),
    **twins("reciprocal in a helper", """
        @wp.func
        def weight(r: wp.array2d(dtype=float), i: int, n: int):
            s = float(0.0)
            for k in range(5):
                s += r[i, k]
            return 1.0 / s
        ---
        out[i] = weight(xx, i, n) * x[i]
    """, {"of unknown length": ("range(5)", "range(n)")}),
    **twins("length of a loop's sum in a helper", """
        @wp.func
        def total(r: wp.array2d(dtype=float), i: int, n: int):
            s = float(0.0)
            for k in range(n):
                s += r[i, k]
            return s
        ---
        out[i] = x[i] / total(xx, i, n) + wp.log(total(xx, i, n))
    """, {"in the helper": ("return s", "return wp.sqrt(s)")}),
    **twins("power of a sum", """
        s = float(0.0)
        for k in range(3):
            s += xx[i, k]
        out[i] = wp.pow(s, 1.5) + wp.pow(s, -0.5)
    """, {"of unknown length": ("range(3)", "range(n)")}),
    "layer normalization": probe("""
        s = float(0.0)
        for k in range(5):
            s += xx[i, k]
        mean = s / 5.0
        t = float(0.0)
        for k in range(5):
            t += (xx[i, k] - mean) * (xx[i, k] - mean)
        for k in range(5):
            outr[i, k] = (xx[i, k] - mean) / wp.sqrt(t / 5.0 + 0.001)
    """),
    "layer normalization of unknown length": probe("""
        s = float(0.0)
        for k in range(n):
            s += xx[i, k]
        mean = s / float(n)
        t = float(0.0)
        for k in range(n):
            t += (xx[i, k] - mean) * (xx[i, k] - mean)
        for k in range(n):
            outr[i, k] = (xx[i, k] - mean) / wp.sqrt(t / float(n) + 0.001)
    """, FAIL),
}  # fmt: skip
