"""Branches, breaks, returns, and choices of which both sides are evaluated."""

from __future__ import annotations

from known_adjoints.corpus.probe import FAIL, Probe, probe, twins

PROBES: dict[str, Probe] = {
    **twins("sum up to a limit", """
        s = float(0.0)
        for k in range(5):
            if xx[i, k] < 1.2:
                s = s + xx[i, k] * y[i]
        out[i] = s
    """, {"with a break": ("if xx[i, k] < 1.2:\n        s", "if xx[i, k] > 1.2:\n        break\n    s"), "with a break on the sum": (
        "if xx[i, k] < 1.2:\n        s = s + xx[i, k] * y[i]", "s = s + xx[i, k]\n    if s > 2.1:\n        break")}),
    **twins("continue above the sum", """
        s = float(0.0)
        for k in range(n):
            if xx[i, k] < 0.8:
                continue
            s += xx[i, k] * xx[i, k]
        out[i] = s
    """, {"below a sum": ("    if xx", "    s += x[i] * xx[i, k]\n    if xx"), "as break": ("continue", "break"), "in a branch of a sum": (
        "        continue", "        s += x[i]\n        continue")}),
    **twins("early return", """
        if x[i] > 1.2:
            out[i] = x[i] * y[i]
            return
        out[i] = x[i] * x[i]
    """, {"after a component is replaced": ("if x[i] > 1.2:", "p = v[i]\np[1] = x[i]\nif p[0] > 1.2:\n    out[i] = p[1] * wp.length(p)\n    return\nif x[i] > 1.2:")}),
    **twins("return out of a search", """
        for k in range(5):
            if xx[i, k] > 1.0:
                out[i] = xx[i, k] * x[i]
                return
        out[i] = x[i]
    """, {"of unknown length": ("range(5)", "range(n)")}),
    **twins("choice of a root", """
        out[i] = wp.where(x[i] > 0.0, wp.sqrt(wp.abs(x[i]) + 0.1), x[i])
    """, {"of a negative number": ("wp.sqrt(wp.abs(x[i]) + 0.1)", "wp.sqrt(x[i])")}, x=(-1.0, 1.0)),
    "choice of the logarithm of a negative number": probe("""
        out[i] = wp.where(x[i] > 0.0, wp.log(x[i]), x[i])
    """, x=(-1.0, 1.0)),
    "branch on the sign below a root": probe("""
        if x[i] > 0.0:
            out[i] = wp.sqrt(x[i])
        else:
            out[i] = x[i] * 2.0
    """, x=(-1.0, 1.0)),
    "conditional expression with a root": probe("""
        out[i] = wp.sqrt(x[i]) if x[i] > 0.0 else x[i] * 2.0
    """, x=(-1.0, 1.0)),
    "choice of a quotient by zero": probe("""
        out[i] = wp.where(j[i] > 0, x[i] / float(j[i]), x[i])
    """, FAIL, j=[0, 1, 2, 0, 3, 0, 4, 5]),
    "choice of a quotient": probe("""
        out[i] = wp.where(j[i] > 0, x[i] / wp.max(float(j[i]), 1.0), x[i])
    """, j=[0, 1, 2, 0, 3, 0, 4, 5]),
    "ternary on a bool": probe("""
        flag = x[i] > y[i]
        out[i] = x[i] * x[i] if flag else y[i] * z[i]
    """),
    "ternaries in one another": probe("""
        out[i] = x[i] if x[i] > 1.2 else (y[i] * y[i] if y[i] > 1.0 else z[i] * x[i])
    """),
    "branches in one another": probe("""
        s = x[i]
        if y[i] > 1.0:
            if z[i] > 1.0:
                s = s * y[i]
            else:
                s = s * s
        elif z[i] > 0.9:
            s = s + y[i] * z[i]
        out[i] = s * s
    """),
    **twins("and, or, not", """
        s = float(1.0)
        if x[i] > 0.8 and not (y[i] > 1.2 or z[i] > 1.2):
            s = x[i] * y[i]
        out[i] = s * z[i]
    """, {"on a loop's sum": ("s = float(1.0)\nif", "s = float(0.0)\nfor k in range(n):\n    s += xx[i, k]\nif s > 4.0 and")}),
    **twins("dead zone", """
        d = wp.abs(x[i]) - 0.5
        out[i] = wp.sign(x[i]) * wp.max(d, 0.0) * 3.0
    """, {"of a sum": ("d = wp.abs(x[i]) - 0.5", "d = float(-0.5)\nfor k in range(n):\n    d += xx[i, k] * wp.abs(x[i])")}, x=(-1.0, 1.0), xx=(0.1, 0.3)),
    "clamp with both ends": probe("""
        out[i] = wp.clamp(x[i], -0.5, 0.5) * y[i]
    """, x=(-1.0, 1.0)),
    "while loop with a break at its start": probe("""
        s = x[i]
        k = int(0)
        while True:
            if k >= 3:
                break
            s = s * y[i]
            k += 1
        out[i] = s
    """, FAIL),
    "return of a helper in a loop of known length": probe("""
        @wp.func
        def first(r: wp.array2d(dtype=float), i: int):
            for k in range(5):
                if r[i, k] > 1.0:
                    return r[i, k] * r[i, k]
            return r[i, 0]
        ---
        out[i] = first(xx, i) * x[i]
    """),
    "return of a helper in a loop of unknown length": probe("""
        @wp.func
        def first(r: wp.array2d(dtype=float), i: int, n: int):
            for k in range(n):
                if r[i, k] > 1.0:
                    return r[i, k] * r[i, k]
            return r[i, 0]
        ---
        out[i] = first(xx, i, n) * x[i]
    """, FAIL),
    "helper with three returns": probe("""
        @wp.func
        def ramp(p: float):
            if p < 0.7:
                return p * p
            if p < 1.1:
                return 0.49 + p
            return wp.sqrt(p)
        ---
        out[i] = ramp(x[i]) * ramp(y[i] + 0.1)
    """),
}  # fmt: skip
