"""Values that loops carry, used nonlinearly, after the loop, or not at all."""

from __future__ import annotations

from known_adjoints.corpus.probe import FAIL, Probe, probe, twins

PROBES: dict[str, Probe] = {
    **twins("damped sum", """
        s = float(0.25)
        for k in range(n):
            s = s * 0.75 + xx[i, k] * y[i]
        out[i] = s
    """, {"by an input": ("0.75", "x[i]"), "by its sine": ("s * 0.75", "wp.sin(s)")}),
    **twins("interest", """
        s = x[i]
        for k in range(5):
            s = s * (1.0 + 0.1 * xx[i, k % 5])
        out[i] = s
    """, {"n years": ("range(5)", "range(n)"), "twenty years": ("range(5)", "range(20)")}),
    **twins("mean of a row", """
        s = float(0.0)
        for k in range(n):
            s += xx[i, k]
        out[i] = s / float(n) + x[i]
    """, {"times an input": (" + x[i]", " * x[i]"), "squared": ("s / float(n)", "s * s"), "divided by an input": ("float(n)", "x[i]")}),
    **twins("recurrence of two values", """
        p = x[i]
        r = y[i]
        for k in range(n):
            h = p * 0.5 + r * 0.25
            r = p
            p = h
        out[i] = p + r
    """, {"with inputs": ("p * 0.5", "p * xx[i, k]"), "with a product": ("p * 0.5 + r", "p * r")}),
    **twins("Newton's root", """
        r = float(1.0)
        for k in range(4):
            r = 0.5 * (r + x[i] / r)
        out[i] = r
    """, {"n steps": ("range(4)", "range(n)"), "seventeen steps": ("range(4)", "range(17)"), "until it is near": (
        "for k in range(4):", "k = int(0)\nwhile k < 4:\n    k += 1")}, x=(1.5, 3.0)),
    "Newton's root, unrolling limited": probe("""
        r = float(1.0)
        for k in range(4):
            r = 0.5 * (r + x[i] / r)
        out[i] = r
    """, FAIL, options={"max_unroll": 2}, x=(1.5, 3.0)),
    **twins("explicit Euler steps", """
        p = x[i]
        for k in range(n):
            p = p + 0.1 * (y[i] - 0.5 * p)
        out[i] = p
    """, {"of a pendulum": ("0.5 * p", "wp.sin(p)"), "with an input as step": ("0.1", "z[i]")}),
    **twins("two steps of a loop with a stale value", """
        last = x[i]
        s = float(0.0)
        for k in range(n):
            s += last * 0.5
            last = xx[i, k]
        out[i] = s
    """, {"as a factor": ("last * 0.5", "last * y[i]")}),
    **twins("nested sums", """
        s = float(0.0)
        for k in range(n):
            t = float(0.0)
            for l in range(3):
                t = t + xx[i, l] * xx[i, k]
            s = s + t * t
        out[i] = s
    """, {"inner length unknown": ("range(3)", "range(n - 1)"), "stale inner value": ("    t = float(0.0)\n    for", "    t = s\n    for")}),
    **twins("while loop from the end", """
        s = float(0.0)
        k = int(n)
        while k > 0:
            k = k - 1
            s = s + xx[i, k] * y[i]
        out[i] = s
    """, {"counted at its end": (
        "    k = k - 1\n    s = s + xx[i, k] * y[i]", "    s = s + xx[i, k] * y[i]\n    k = k - 1")}),
    **twins("largest of three", """
        s = xx[i, 0]
        for k in range(1, 3):
            s = wp.max(s, xx[i, k])
        out[i] = s * x[i]
    """, {"of n": ("range(1, 3)", "range(1, n)"), "smallest of n": ("range(1, 3):\n    s = wp.max", "range(1, n):\n    s = wp.min")}),
    **twins("signs that alternate", """
        s = float(0.0)
        sign = float(1.0)
        for k in range(4):
            s += sign * xx[i, k]
            sign = -sign
        out[i] = s
    """, {"n of them": ("range(4)", "range(n)")}, n=3),
    **twins("vectors added", """
        p = wp.vec3(0.0, 0.0, 0.0)
        for k in range(n):
            p = p + vv[i, k] * x[i]
        outv[i] = p
    """, {"their length": ("outv[i] = p", "out[i] = wp.length(p + v[i])"), "turned": ("p + vv[i, k] * x[i]", "wp.cross(p + vv[i, k], v[i])")}),
    **twins("matrices added", """
        p = wp.mat33(0.0)
        for k in range(n):
            p += wp.outer(vv[i, k], v[i])
        outm[i] = p
    """, {"applied": ("outm[i] = p", "outv[i] = p @ v[i]"), "determinant": ("outm[i] = p", "out[i] = wp.determinant(p + m[i])")}),
    **twins("state that is chosen", """
        s = x[i]
        for k in range(3):
            s = wp.where(xx[i, k] > 1.0, s * 2.0, s * y[i])
        out[i] = s
    """, {"n times": ("range(3)", "range(n)")}),
    **twins("running average", """
        s = float(0.0)
        for k in range(n):
            s = wp.lerp(s, xx[i, k], 0.25)
        out[i] = s
    """, {"with an input": ("0.25", "x[i]")}, x=(0.2, 0.8)),
}  # fmt: skip
