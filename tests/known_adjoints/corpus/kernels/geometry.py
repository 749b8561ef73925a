"""Quaternions, transforms, spatial vectors, matrices, and noise."""

from __future__ import annotations

from known_adjoints.corpus.probe import FAIL, Probe, probe, twins

TRANSFORM = """
        @wp.kernel
        def kernel(t: wp.array(dtype=wp.transform), v: wp.array(dtype=wp.vec3), x: wp.array(dtype=float), n: int,
                   outv: wp.array(dtype=wp.vec3)):
            i = wp.tid()
"""
SPATIAL = """
        @wp.kernel
        def kernel(s: wp.array(dtype=wp.spatial_vector), v: wp.array(dtype=wp.vec3), x: wp.array(dtype=float), n: int,
                   out: wp.array(dtype=float)):
            i = wp.tid()
"""

PROBES: dict[str, Probe] = {
    **twins("quaternion turns a vector", """
        outv[i] = wp.quat_rotate(q[i], v[i] * x[i])
    """, {"in a loop": ("outv[i] = wp.quat_rotate(q[i], v[i] * x[i])", "p = v[i]\nfor k in range(n):\n    p = wp.quat_rotate(q[i], p) * x[i]\noutv[i] = p"),
          "with a component": ("outv[i] = wp.quat_rotate(q[i]", "p = q[i]\np[2] = p[2] * 0.5\noutv[i] = wp.quat_rotate(p")}),
    "quaternion from an axis and an angle": probe("""
        outq[i] = wp.quat_from_axis_angle(wp.normalize(v[i]), x[i]) * q[i]
    """),
    "product of four quaternions": probe("""
        p = q[i]
        for k in range(4):
            p = p * q[(i + k) % 8]
        outq[i] = p
    """),
    "product of n quaternions": probe("""
        p = q[i]
        for k in range(n):
            p = p * q[(i + k) % 8]
        outq[i] = p
    """, FAIL),
    "normalized quaternion": probe("""
        p = wp.normalize(q[i] * x[i] + wp.quat(0.1, 0.0, 0.0, 0.0))
        outv[i] = wp.quat_rotate_inv(p, v[i])
    """),
    "matrix of a quaternion": probe("""
        outm[i] = wp.quat_to_matrix(q[i]) @ m[i]
    """),
    **twins("transform of a point", TRANSFORM + """
            outv[i] = wp.transform_point(t[i], v[i] * x[i])
    """, {"in a loop": ("outv[i] = wp.transform_point(t[i], v[i] * x[i])", "p = v[i]\n    for k in range(n):\n        p = wp.transform_point(t[i], p) * x[i]\n    outv[i] = p")}),
    "inverse transform of a vector": probe(TRANSFORM + """
            outv[i] = wp.transform_vector(wp.transform_inverse(t[i]), v[i]) * x[i]
    """),
    "chain of transforms": probe(TRANSFORM + """
            p = t[i]
            for k in range(3):
                p = wp.transform_multiply(p, t[(i + k) % 8])
            outv[i] = wp.transform_get_translation(p) * x[i] + v[i]
    """),
    "chain of n transforms": probe(TRANSFORM + """
            p = t[i]
            for k in range(n):
                p = wp.transform_multiply(p, t[(i + k) % 8])
            outv[i] = wp.transform_get_translation(p) * x[i] + v[i]
    """, FAIL),
    **twins("spatial vectors", SPATIAL + """
            w = wp.spatial_top(s[i])
            u = wp.spatial_bottom(s[i])
            out[i] = wp.dot(wp.cross(w, u), v[i]) * x[i] + wp.spatial_dot(s[i], s[(i + 1) % 8])
    """, {"a component": ("w = wp.spatial_top(s[i])", "p = s[i]\n    p[1] = p[1] * x[i]\n    w = wp.spatial_top(p)"), "in a loop": (
        "u = wp.spatial_bottom(s[i])", "u = wp.spatial_bottom(s[i])\n    for k in range(n):\n        u = wp.cross(u, v[i]) + w")}),
    "solution of a linear system": probe("""
        p = m[i] + wp.identity(n=3, dtype=float) * 4.0
        outv[i] = wp.inverse(p) @ v[i]
    """),
    "determinant": probe("""
        out[i] = wp.determinant(m[i]) * x[i] + wp.trace(m[i] @ wp.transpose(m[i]))
    """),
    **twins("triangle's normal", """
        r = wp.cross(v[(i + 1) % 8] - v[i], b[i] - v[i])
        outv[i] = wp.normalize(r) * x[i]
    """, {"summed over neighbours": ("r = wp.cross(v[(i + 1) % 8] - v[i], b[i] - v[i])",
                                     "r = wp.vec3(0.0, 0.0, 0.0)\nfor k in range(n):\n    r += wp.cross(v[(i + k) % 8], b[i])")}, b=(2.0, 3.0)),
    **twins("spring", """
        d = v[i] - b[i]
        outv[i] = d * (x[i] * (1.0 - y[i] / wp.length(d)))
    """, {"in n steps": ("outv[i] = d * (x[i] * (1.0 - y[i] / wp.length(d)))",
                         "p = v[i]\nfor k in range(n):\n    p = p - (p - b[i]) * (0.1 * x[i] * (1.0 - y[i] / wp.length(p - b[i])))\noutv[i] = p")}, b=(3.0, 4.0)),
    "noise along a line": probe("""
        @wp.kernel
        def kernel(x: wp.array(dtype=float), y: wp.array(dtype=float), seed: int, out: wp.array(dtype=float)):
            i = wp.tid()
            state = wp.rand_init(seed, 3)
            out[i] = wp.noise(state, x[i] * 0.8) * y[i]
    """, seed=5, measured="single", x=(0.7, 1.2)),
    "noise along a line, squared after a loop": probe("""
        @wp.kernel
        def kernel(x: wp.array(dtype=float), y: wp.array(dtype=float), seed: int, n: int, out: wp.array(dtype=float)):
            i = wp.tid()
            state = wp.rand_init(seed, 3)
            s = float(0.0)
            for k in range(n):
                s += wp.noise(state, x[i] * 0.8) + y[i]
            out[i] = s * s
    """, FAIL, seed=5, measured="single", x=(0.7, 1.2)),
    "random weights": probe("""
        @wp.kernel
        def kernel(x: wp.array(dtype=float), seed: int, out: wp.array(dtype=float)):
            i = wp.tid()
            state = wp.rand_init(seed, i)
            out[i] = x[i] * x[i] * (1.0 + wp.randf(state))
    """, seed=7, measured="single"),
    "random weights in a product": probe("""
        @wp.kernel
        def kernel(x: wp.array(dtype=float), seed: int, n: int, out: wp.array(dtype=float)):
            i = wp.tid()
            state = wp.rand_init(seed, i)
            s = float(1.0)
            for k in range(n):
                s = s * (x[i] + wp.randf(state))
            out[i] = s
    """, FAIL, seed=7, measured="single"),
}  # fmt: skip
