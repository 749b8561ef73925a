"""Structs with numbers and arrays, and arrays of structs."""

from __future__ import annotations

from known_adjoints.corpus.probe import FAIL, Probe, probe, twins

STATE = """
        @wp.struct
        class State:
            x: wp.array(dtype=float)
            v: wp.array(dtype=wp.vec3)
            scale: float
            count: int


        @wp.kernel
        def kernel(s: State, y: wp.array(dtype=float), out: wp.array(dtype=float)):
            i = wp.tid()
"""
CELLS = """
        @wp.struct
        class Cell:
            mass: float
            p: wp.vec3
            kind: int


        @wp.kernel
        def kernel(cells: wp.array(dtype=Cell), y: wp.array(dtype=float), out: wp.array(dtype=float)):
            i = wp.tid()
"""

PROBES: dict[str, Probe] = {
    **twins("struct with arrays", STATE + """
            t = float(0.0)
            for k in range(s.count):
                t += s.x[(i + k) % 8] * y[i]
            out[i] = t * 3.0 + wp.length(s.v[i]) * s.scale
    """, {"used afterwards": ("t * 3.0", "t * t"), "a component": ("wp.length(s.v[i])", "wp.mod(3.0, s.x[i])"), "a product": ("t += s.x[(i + k) % 8] * y[i]", "t += t * s.x[i] + y[i]")}),
    **twins("struct with an array that is written", """
        @wp.struct
        class State:
            x: wp.array(dtype=float)
            out: wp.array(dtype=float)
            io: wp.array(dtype=float)


        @wp.kernel
        def kernel(s: State, y: wp.array(dtype=float)):
            i = wp.tid()
            s.out[i] = s.x[i] * y[i]
            s.io[i] += s.x[i] * s.x[i]
    """, {"in place": ("s.io[i] += s.x[i] * s.x[i]", "s.io[i] = s.io[i] * s.x[i]"), "read again": (
        "s.out[i] = s.x[i] * y[i]", "s.out[i] = s.x[i] * y[i]\n    s.out[i] = s.out[i] * s.out[i]")}),
    "struct of one array": probe("""
        @wp.struct
        class Field:
            values: wp.array2d(dtype=float)


        @wp.func
        def at(f: Field, i: int, k: int):
            return f.values[i, k] * f.values[i, k]


        @wp.kernel
        def kernel(f: Field, out: wp.array(dtype=float)):
            i = wp.tid()
            out[i] = at(f, i, 0) + at(f, i, 3) * 2.0
    """),
    **twins("array of structs", CELLS + """
            c = cells[i]
            out[i] = c.mass * y[i] + wp.dot(c.p, c.p) * float(c.kind)
    """, {"a member assigned": ("c = cells[i]\n", "c = cells[i]\n    c.p[1] = c.p[1] * y[i]\n"), "in a loop": (
        "out[i] = c.mass", "r = float(1.0)\n    for k in range(c.kind):\n        r = r * c.mass\n    out[i] = r")}, kind=(1, 4)),
    "array of structs, a ternary on a member": probe(CELLS + """
            c = cells[i]
            out[i] = c.mass * c.mass if c.kind > 1 else -y[i] * c.mass
    """, kind=(0, 3)),
    "neighbours in an array of structs": probe(CELLS + """
            d = cells[i].p - cells[(i + 1) % 8].p
            out[i] = wp.length(d) * cells[i].mass * y[i]
    """),
    "struct in a struct": probe("""
        @wp.struct
        class Inner:
            gain: float
            p: wp.vec3


        @wp.struct
        class Outer:
            inner: Inner
            bias: float
        ---
        s = Outer()
        s.inner.gain = x[i]
        s.inner.p = v[i]
        s.bias = y[i]
        out[i] = s.inner.gain * wp.dot(s.inner.p, b[i]) + s.bias
    """),
    **twins("struct returned by a helper", """
        @wp.struct
        class Hit:
            t: float
            n: wp.vec3


        @wp.func
        def trace(p: wp.vec3, r: float):
            h = Hit()
            h.t = wp.length(p) - r
            h.n = wp.normalize(p)
            return h
        ---
        h = trace(v[i], x[i])
        out[i] = h.t * h.t * h.n[0]
    """, {"with a component scaled": ("    return h\n", "    h.n[0] = h.n[0] * r\n    return h\n")}),
    "two structs of one name": probe("""
        @wp.struct
        class First:
            p: float
            r: float


        @wp.struct
        class Second:
            p: wp.vec3
        ---
        s = First()
        s.p = x[i]
        s.r = y[i]
        t = Second()
        t.p = v[i] * s.p
        out[i] = t.p[1] * s.r
    """, program="""
        def first():
            @wp.struct
            class Item:
                p: float
                r: float
            return Item


        def second():
            @wp.struct
            class Item:
                p: wp.vec3
            return Item


        First = first()
        Second = second()


        @wp.kernel
        def kernel(x: wp.array(dtype=float), y: wp.array(dtype=float), v: wp.array(dtype=wp.vec3), out: wp.array(dtype=float)):
            i = wp.tid()
            s = First()
            s.p = x[i]
            s.r = y[i]
            t = Second()
            t.p = v[i] * s.p
            out[i] = t.p[1] * s.r
    """),
    "two structs of one name, wrong": probe("""
        @wp.struct
        class First:
            p: float
            r: float


        @wp.struct
        class Second:
            p: wp.vec3
        ---
        s = First()
        s.p = x[i]
        s.r = y[i]
        t = Second()
        t.p = v[i] * s.p
        t.p[0] = t.p[1]
        out[i] = t.p[0] * s.r
    """, FAIL, program="""
        def first():
            @wp.struct
            class Item:
                p: float
                r: float
            return Item


        def second():
            @wp.struct
            class Item:
                p: wp.vec3
            return Item


        First = first()
        Second = second()


        @wp.kernel
        def kernel(x: wp.array(dtype=float), y: wp.array(dtype=float), v: wp.array(dtype=wp.vec3), out: wp.array(dtype=float)):
            i = wp.tid()
            s = First()
            s.p = x[i]
            s.r = y[i]
            t = Second()
            t.p = v[i] * s.p
            t.p[0] = t.p[1]
            out[i] = t.p[0] * s.r
    """),
}  # fmt: skip
