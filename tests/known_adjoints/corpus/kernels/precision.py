"""Adjoints that single precision spoils, numbers of very different size, and types of other precisions."""

from __future__ import annotations

import numpy as np

from known_adjoints.corpus.probe import FAIL, SINGLE, Probe, probe, twins

NEAR = np.array([1000.01, 1000.02, 999.99, 1000.03, 999.97, 1000.05, 1000.0, 999.98])
HUGE = np.where(np.arange(8) % 3 == 1, 1.0e10, np.linspace(0.5, 1.5, 8))
VAST = np.where(np.arange(8) % 3 == 1, 1.0e18, np.linspace(0.5, 1.5, 8))

PROBES: dict[str, Probe] = {
    **twins("standard deviation", """
        c = x[0]
        s = float(0.0)
        t = float(0.0)
        for k in range(8):
            s += x[k] - c
            t += (x[k] - c) * (x[k] - c)
        out[i] = wp.sqrt(t / 8.0 - s * s / 64.0) * y[i]
    """, {"by two sums": ("c = x[0]", "c = float(0.0)")}, SINGLE, x=NEAR),
    "standard deviation by two sums of small numbers": probe("""
        s = float(0.0)
        t = float(0.0)
        for k in range(8):
            s += x[k]
            t += x[k] * x[k]
        out[i] = wp.sqrt(t / 8.0 - s * s / 64.0) * y[i]
    """),
    **twins("softplus", """
        out[i] = wp.max(x[i], 0.0) + wp.log(1.0 + wp.exp(-wp.abs(x[i])))
    """, {"naive": ("wp.max(x[i], 0.0) + wp.log(1.0 + wp.exp(-wp.abs(x[i])))", "wp.log(1.0 + wp.exp(x[i]))")}, SINGLE,
        x=[100.0, 95.0, 1.0, -2.0, 0.5, 97.0, 3.0, -1.0]),
    "softplus, naive, of small numbers": probe("""
        out[i] = wp.log(1.0 + wp.exp(x[i]))
    """, x=(-3.0, 3.0)),
    **twins("angle between near vectors", """
        c = wp.length(wp.cross(v[i], b[i]))
        out[i] = wp.atan2(c, wp.dot(v[i], b[i]))
    """, {"by acos": ("c = wp.length(wp.cross(v[i], b[i]))\nout[i] = wp.atan2(c, wp.dot(v[i], b[i]))",
                      "out[i] = wp.acos(wp.dot(wp.normalize(v[i]), wp.normalize(b[i])))")}, SINGLE,
        v=[[1.0, 0.5, 0.25]] * 8, b=[[1.0, 0.5002, 0.25], [1.0, 0.5003, 0.25], [1.0, 0.5, 0.2504], [1.0004, 0.5, 0.25]] * 2),
    "angle between far vectors by acos": probe("""
        out[i] = wp.acos(wp.dot(wp.normalize(v[i]), wp.normalize(b[i])))
    """, v=(0.5, 1.5), b=(-1.5, -0.5)),
    "difference of squares of tiny numbers": probe("""
        out[i] = wp.sqrt(x[i] * x[i] - y[i] * y[i])
    """, SINGLE, x=(1.0e-23, 2.0e-23), y=(0.4e-23, 0.8e-23)),
    "difference of squares, factored": probe("""
        out[i] = wp.sqrt((x[i] - y[i]) * (x[i] + y[i]))
    """, x=[3000.5] * 8, y=[3000.0] * 8),
    "hypotenuse of tiny numbers": probe("""
        out[i] = wp.sqrt(x[i] * x[i] + y[i] * y[i]) * 2.0
    """, SINGLE, x=(1.0e-24, 2.0e-24), y=(1.0e-24, 2.0e-24)),
    "sentinels of 1e10": probe("""
        if x[i] > 1.0e9:
            out[i] = 0.0
        else:
            out[i] = x[i] * y[i]
    """, x=HUGE),
    "sentinels of 1e10, wrong": probe("""
        p = v[i]
        if x[i] < 1.0e9:
            p[1] = p[1] * x[i]
        outv[i] = p
    """, FAIL, x=HUGE),
    "sentinels of 1e18 that are added": probe("""
        out[i] = x[i] + y[i] * y[i]
    """, x=VAST),
    "sentinels of 1e18 in a minimum": probe("""
        out[i] = wp.min(x[i], y[i] * y[i]) * z[i]
    """, x=VAST),
    "sentinels of 1e18, wrong": probe("""
        s = float(1.0)
        for k in range(n):
            s = s * xx[i, k]
        out[i] = wp.min(x[i], s * y[i])
    """, FAIL, x=VAST),
    "tiny increments": probe("""
        io[i] += x[i] * y[i]
    """, x=(1.0e-13, 2.0e-13), io=(0.5, 1.5)),
    "tiny increments, wrong": probe("""
        s = float(1.0)
        for k in range(n):
            s = s * xx[i, k]
        io[i] += s * x[i]
    """, FAIL, x=(1.0e-13, 2.0e-13), io=(0.5, 1.5), measured="differences over shares of 1e-13 consist of rounding; with x near 1 the product of the loop fails"),
    "sum of large and tiny": probe("""
        out[i] = x[i] + y[i] * z[i]
    """, x=(1.0e6, 2.0e6), y=(1.0e-6, 2.0e-6)),
    **twins("small inputs", """
        p = wp.vec3(x[i], x[i], y[i])
        p[1] += y[i]
        out[i] = p[1] * x[i] * y[i] * 1.0e6
    """, {"wrong": ("p[1] += y[i]", "p[1] = p[1] * y[i]")}, x=(1.0e-6, 2.0e-6)),
    **twins("float64 kernel", """
        @wp.kernel
        def kernel(xd: wp.array(dtype=wp.float64), n: int, out: wp.array(dtype=wp.float64)):
            i = wp.tid()
            s = wp.float64(0.0)
            for k in range(n):
                s += xd[i] * xd[(i + k) % 8]
            out[i] = s
    """, {"used afterwards": ("out[i] = s", "out[i] = s * s")}),
    **twins("float64 vectors", """
        @wp.kernel
        def kernel(vd: wp.array(dtype=wp.vec3d), xd: wp.array(dtype=wp.float64), out: wp.array(dtype=wp.vec3d)):
            i = wp.tid()
            p = vd[i]
            p = wp.vec3d(p[0] * xd[i], p[1], p[2])
            out[i] = wp.cross(p, vd[i])
    """, {"a component": ("p = wp.vec3d(p[0] * xd[i], p[1], p[2])", "p[0] = p[0] * xd[i]")}),
    **twins("float16 kernel", """
        @wp.kernel
        def kernel(xh: wp.array(dtype=wp.float16), yh: wp.array(dtype=wp.float16), n: int, out: wp.array(dtype=wp.float16)):
            i = wp.tid()
            s = wp.float16(1.0)
            for k in range(n):
                s = s + xh[i] * yh[i]
            out[i] = s
    """, {"product": ("s + xh[i] * yh[i]", "s * xh[i] * yh[i]")}),
    **twins("half precision stored", """
        @wp.kernel
        def kernel(x: wp.array(dtype=float), y: wp.array(dtype=float), out: wp.array(dtype=wp.float16)):
            i = wp.tid()
            out[i] = wp.float16(x[i] * y[i])
    """, {"fraction": ("x[i] * y[i]", "wp.frac(x[i] * 5.0) + y[i]")}),
    **twins("determinant in half precision", """
        @wp.kernel
        def kernel(mh: wp.array(dtype=wp.mat22h), xh: wp.array(dtype=wp.float16), out: wp.array(dtype=wp.float16)):
            i = wp.tid()
            out[i] = wp.determinant(mh[i]) * xh[i]
    """, {"an element": ("out[i] = wp.determinant(mh[i])", "p = mh[i]\n    p[0, 1] = p[0, 1] * xh[i]\n    out[i] = wp.determinant(p)")}),
    "mixed precisions": probe("""
        @wp.kernel
        def kernel(x: wp.array(dtype=float), xd: wp.array(dtype=wp.float64), out: wp.array(dtype=float)):
            i = wp.tid()
            s = wp.float64(x[i]) * xd[i]
            out[i] = float(s) * x[i]
    """),
    "logistic function of large numbers": probe("""
        out[i] = 1.0 / (1.0 + wp.exp(-x[i]))
    """, x=(-6.0, 6.0)),
    "hyperbolic tangent of large numbers": probe("""
        out[i] = wp.tanh(x[i] * 4.0)
    """, x=(-6.0, 6.0)),
}  # fmt: skip
