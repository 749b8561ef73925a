"""Helper functions, generics and closures, functions of Warp without an adjoint, indices from the end, and kernels without a gradient."""

from __future__ import annotations

from known_adjoints.corpus.probe import FAIL, INCONCLUSIVE, NOT_APPLICABLE, Probe, probe, twins

PROBES: dict[str, Probe] = {
    **twins("generic helper", """
        @wp.func
        def twice(p: Any, r: float):
            return p * r + p
        ---
        outv[i] = twice(v[i], x[i])
        out[i] = twice(x[i], y[i])
    """, {"in a loop": ("out[i] = twice(x[i], y[i])", "s = x[i]\nfor k in range(n):\n    s = twice(s, y[i])\nout[i] = s")}),
    **twins("helper with two results", """
        @wp.func
        def polar(p: float, r: float):
            return wp.sqrt(p * p + r * r), wp.atan2(r, p)
        ---
        s, t = polar(x[i], y[i])
        out[i] = s * t
    """, {"in a loop": ("out[i] = s * t", "for k in range(n):\n    s, t = polar(s, t)\nout[i] = s * t"), "with a remainder": ("wp.atan2(r, p)", "wp.mod(5.0, p) + r")}),
    "helpers that call each other": probe("""
        @wp.func
        def inner(p: float):
            return wp.exp(-p * p)


        @wp.func
        def outer(p: float, r: float):
            return inner(p) * inner(r) + inner(p * r)
        ---
        out[i] = outer(x[i], y[i]) * z[i]
    """),
    "helper that changes a vector": probe("""
        @wp.func
        def flip(p: wp.vec3, r: float):
            p[0] = p[0] * r
            return p
        ---
        outv[i] = flip(v[i], x[i])
    """, FAIL),
    "closure": probe("""
        @wp.func
        def shape(p: float):
            return p * p + 0.5


        @wp.kernel
        def kernel(x: wp.array(dtype=float), n: int, out: wp.array(dtype=float)):
            i = wp.tid()
            s = float(0.0)
            for k in range(n):
                s = s + shape(x[(i + k) % 8])
            out[i] = s * 3.0
    """, program="""
        def make(power, factor):
            @wp.func
            def shape(p: float):
                return p * p + power

            @wp.kernel
            def kernel(x: wp.array(dtype=float), n: int, out: wp.array(dtype=float)):
                i = wp.tid()
                s = float(0.0)
                for k in range(n):
                    s = s + shape(x[(i + k) % 8])
                out[i] = s * factor

            return kernel


        kernel = make(0.5, 3.0)
    """),
    "closure, squared": probe("""
        @wp.func
        def shape(p: float):
            return p * p + 0.5


        @wp.kernel
        def kernel(x: wp.array(dtype=float), n: int, out: wp.array(dtype=float)):
            i = wp.tid()
            s = float(0.0)
            for k in range(n):
                s = s + shape(x[(i + k) % 8])
            out[i] = s * s
    """, FAIL, program="""
        def make(power, factor):
            @wp.func
            def shape(p: float):
                return p * p + power

            @wp.kernel
            def kernel(x: wp.array(dtype=float), n: int, out: wp.array(dtype=float)):
                i = wp.tid()
                s = float(0.0)
                for k in range(n):
                    s = s + shape(x[(i + k) % 8])
                out[i] = s * s

            return kernel


        kernel = make(0.5, 3.0)
    """),
    "constant of the module": probe("""
        RATE = wp.constant(0.75)
        ---
        out[i] = x[i] * RATE + y[i] * y[i] * RATE
    """),
    "last element by -1": probe("""
        out[i] = x[i] * y[-1]
    """),
    "element from the end by an expression": probe("""
        out[i] = x[-1 - i] * y[i]
    """),
    "element before, around the end": probe("""
        out[i] = x[i - 1] * x[i]
    """),
    "element before, after the shape": probe("""
        c = x.shape[0]
        out[i] = x[i - 1] * x[i] / float(c)
    """),
    "element before, before the shape": probe("""
        out[i] = x[i - 1] * x[i] / float(x.shape[0])
    """, FAIL, measured="the tape writes the gradient beyond the array"),
    "negative index of a row": probe("""
        out[i] = xx[i, -1] * xx[-1, 0]
    """),
    "remainder by an input": probe("""
        out[i] = wp.mod(2.9, x[i]) * y[i]
    """, FAIL),
    "remainder of an input": probe("""
        out[i] = wp.mod(x[i], 0.4) * y[i]
    """),
    "remainder of vectors": probe("""
        outv[i] = wp.mod(v[i], wp.vec3(0.4, 0.4, 0.4)) * x[i]
    """, FAIL),
    "fractional part": probe("""
        out[i] = wp.frac(x[i] * 1.7) * y[i]
    """, FAIL),
    "interpolation": probe("""
        s = wp.smoothstep(0.2, 1.8, x[i])
        out[i] = wp.lerp(y[i], z[i], s) + wp.pow(x[i], y[i])
    """),
    "elementary functions": probe("""
        s = wp.sin(x[i]) * wp.cos(y[i]) + wp.tan(0.5 * z[i])
        t = wp.asin(0.4 * x[i]) + wp.acos(0.4 * y[i]) + wp.atan(z[i])
        out[i] = s * t + wp.log(x[i]) * wp.exp(y[i]) + wp.cbrt(z[i]) * wp.log10(y[i])
    """),
    "hyperbolic functions": probe("""
        out[i] = wp.sinh(x[i]) * wp.cosh(y[i]) + wp.tanh(z[i]) + wp.erf(x[i]) * wp.degrees(y[i])
    """),
    "minimum and maximum": probe("""
        out[i] = wp.min(x[i], y[i]) * wp.max(y[i], z[i]) + wp.abs(x[i] - z[i])
    """),
    "integers only": probe("""
        @wp.kernel
        def kernel(j: wp.array(dtype=int), outj: wp.array(dtype=int)):
            i = wp.tid()
            outj[i] = j[i] * 3 + 1
    """, NOT_APPLICABLE),
    "floats that are only compared": probe("""
        @wp.kernel
        def kernel(x: wp.array(dtype=float), outj: wp.array(dtype=int)):
            i = wp.tid()
            outj[i] = wp.where(x[i] > 1.0, 1, 0)
    """, NOT_APPLICABLE),
    "numbers from integers": probe("""
        out[i] = float(j[i]) * 0.5
    """, NOT_APPLICABLE),
    "steps": probe("""
        out[i] = wp.round(x[i] * 5.0)
    """, NOT_APPLICABLE),
    "absolute value at its bend": probe("""
        out[i] = wp.abs(x[i])
    """, INCONCLUSIVE, x=[0.0] * 8),
    "root of zero": probe("""
        out[i] = wp.sqrt(x[i])
    """, INCONCLUSIVE, x=[0.0] * 8),
    "length of a zero vector": probe("""
        out[i] = wp.length(v[i])
    """, INCONCLUSIVE, v=[[0.0, 0.0, 0.0]] * 8),
    "index from a float": probe("""
        out[i] = x[int(y[i] * 4.0)] * y[i]
    """),
    "three dimensions": probe("""
        @wp.kernel
        def kernel(c: wp.array3d(dtype=float), outc: wp.array3d(dtype=float)):
            i, k, l = wp.tid()
            outc[i, k, l] = c[i, k, l] * c[i, k, (l + 1) % 3]
    """, dim=(8, 5, 3)),
    "more threads than elements": probe("""
        if i >= n:
            return
        out[i] = x[i] * x[i]
    """, dim=12, n=8),
    "plain vector": probe("""
        @wp.kernel
        def kernel(x: wp.array(dtype=float), g: wp.vec3, h: wp.mat33, outv: wp.array(dtype=wp.vec3)):
            i = wp.tid()
            outv[i] = (h @ g) * x[i] * x[i]
    """),
}  # fmt: skip
