"""Components of vectors, matrices and quaternions, and members of structs, that are assigned."""

from __future__ import annotations

from known_adjoints.corpus.probe import FAIL, Probe, probe, twins

PAIR = """
        @wp.struct
        class Body:
            mass: float
            p: wp.vec3
        ---
"""

PROBES: dict[str, Probe] = {
    **twins("vector made anew", """
        p = v[i]
        p = wp.vec3(p[0], p[1] * x[i], p[2])
        outv[i] = p
    """, {"component scaled": ("p = wp.vec3(p[0], p[1] * x[i], p[2])", "p[1] = p[1] * x[i]"), "component by name": (
        "p = wp.vec3(p[0], p[1] * x[i], p[2])", "p.y = p.y * x[i]"), "component from another": ("p = wp.vec3(p[0], p[1] * x[i], p[2])", "p[1] = p[0] * x[i]")}),
    **twins("components of a new vector", """
        p = wp.vec3(0.0, 0.0, 0.0)
        p[0] = x[i] * y[i]
        p[1] = x[i]
        p[2] = y[i] * y[i]
        outv[i] = p
    """, {"one twice": ("p[1] = x[i]", "p[1] = x[i]\np[1] = p[1] * y[i]"), "in a loop": ("p[1] = x[i]", "for k in range(n):\n    p[1] = p[1] + xx[i, k]")}),
    **twins("element of a matrix added to thrice", """
        p = m[i]
        p[0, 0] += x[i]
        p[0, 0] += x[i] * y[i]
        p[0, 0] += y[i]
        outm[i] = p
    """, {"by assignments": ("+= x[i]\np[0, 0] += x[i] * y[i]\np[0, 0] += y[i]",
                             "= p[0, 0] + x[i]\np[0, 0] = p[0, 0] + x[i]\np[0, 0] = p[0, 0] + x[i]"), "with a product": ("p[0, 0] += y[i]", "p[0, 0] *= y[i]")}),
    **twins("rows of a new matrix", """
        outm[i] = wp.matrix_from_rows(v[i], v[i] * x[i], wp.cross(v[i], b[i]))
    """, {"assigned": ("outm[i] = wp.matrix_from_rows(v[i], v[i] * x[i], wp.cross(v[i], b[i]))", "p = m[i]\np[0] = v[i]\np[1] = v[i] * x[i]\noutm[i] = p")}),
    "quaternion whose real part is replaced": probe("""
        p = q[i]
        p[3] = x[i]
        outq[i] = p
    """, FAIL),
    "quaternion with another real part": probe("""
        p = q[i]
        outq[i] = wp.quat(p[0], p[1], p[2], x[i])
    """),
    "component of an array's vector added to": probe("""
        outv[i] = v[i]
        outv[i][1] += x[i] * y[i]
    """),
    **twins("component added to and subtracted from", """
        p = v[i]
        p[2] -= x[i] * x[i]
        p[0] += y[i]
        outv[i] = p
    """, {"by its name": ("p[0] +=", "p.x +="), "multiplied": ("p[0] +=", "p[0] *=")}),
    "component divided in place": probe("""
        p = v[i]
        p[2] /= x[i]
        outv[i] = p
    """, FAIL),
    "component chosen by an integer": probe("""
        out[i] = v[i][j[i]] * x[i]
    """, j=(0, 2)),
    "component chosen by an integer, assigned": probe("""
        p = v[i]
        p[j[i]] = x[i]
        outv[i] = p
    """, FAIL, j=(0, 2)),
    "sorted components": probe("""
        p = v[i]
        if p[0] > p[1]:
            h = p[0]
            p[0] = p[1]
            p[1] = h
        outv[i] = p
    """, FAIL),
    "sorted components, made anew": probe("""
        p = v[i]
        if p[0] > p[1]:
            p = wp.vec3(p[1], p[0], p[2])
        outv[i] = p * wp.vec3(1.0, 2.0, 3.0)[0] + wp.vec3(p[1] * 2.0, 0.0, 0.0)
    """),
    **twins("members of a struct", PAIR + """
        s = Body()
        s.mass = x[i] * y[i]
        s.p = v[i] * x[i]
        out[i] = s.mass * wp.length(s.p)
    """, {"a component": ("s.p = v[i] * x[i]", "s.p = v[i]\ns.p[1] = s.p[1] * x[i]")}),
    **twins("member assigned twice", PAIR + """
        s = Body()
        s.mass = x[i]
        t = s.mass * y[i]
        s.mass = t * t
        out[i] = s.mass + t
    """, {"in a loop": ("s.mass = t * t", "for k in range(n):\n    s.mass = s.mass * xx[i, k]")}),
    "member added to in a loop": probe(PAIR + """
        s = Body()
        for k in range(n):
            s.mass += xx[i, k] * xx[i, k]
        out[i] = s.mass
    """),
    "member of a struct in a loop, used afterwards": probe(PAIR + """
        s = Body()
        for k in range(n):
            s.mass += xx[i, k]
        out[i] = s.mass * s.mass
    """, FAIL),
    "vector of five components": probe("""
        vec5 = wp.types.vector(length=5, dtype=float)


        @wp.kernel
        def kernel(xx: wp.array2d(dtype=float), x: wp.array(dtype=float), out: wp.array(dtype=float)):
            i = wp.tid()
            p = vec5()
            for k in range(5):
                p[k] = xx[i, k] * x[i]
            out[i] = wp.dot(p, p)
    """),
    "matrix filled in two loops": probe("""
        p = wp.mat33(0.0)
        for r in range(3):
            for c in range(3):
                p[r, c] = v[i][r] * b[i][c]
        outm[i] = p @ m[i]
    """),
    "matrix filled in two loops of unknown length": probe("""
        p = wp.mat33(0.0)
        for r in range(n):
            for c in range(n):
                p[r, c] += v[i][r] * b[i][c]
        outm[i] = p
    """, n=3),
    "matrix filled in two loops and multiplied": probe("""
        p = wp.mat33(0.0)
        for r in range(n):
            for c in range(n):
                p[r, c] += v[i][r] * b[i][c]
        outm[i] = p @ p
    """, FAIL, n=3),
}  # fmt: skip
