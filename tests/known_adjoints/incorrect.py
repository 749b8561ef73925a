"""Bodies of kernels whose adjoint, as Warp 1.19 generates it, is not the derivative."""

from __future__ import annotations

WRONG = {
    "product in a loop": """
        s = float(1.0)
        for k in range(n):
            s = s * xx[i, k]
        out[i] = s
    """,
    "product in a helper": """
        s = float(1.0)
        for k in range(n):
            s = times(s, xx[i, k])
        out[i] = s
    """,
    "product in a loop of a helper": """
        out[i] = power(x[i], n)
    """,
    "polynomial by Horner": """
        s = float(0.0)
        for k in range(n):
            s = s * x[i] + xx[i, k]
        out[i] = s
    """,
    "more than sixteen steps": """
        s = x[i]
        for k in range(17):
            s = s * 0.9 + wp.sin(s) * 0.1
        out[i] = s
    """,
    "largest of a row": """
        s = float(0.0)
        for k in range(n):
            s = wp.max(s, xx[i, k])
        out[i] = s
    """,
    "previous element": """
        before = float(0.0)
        s = float(0.0)
        for k in range(n):
            s = s + before * xx[i, k]
            before = xx[i, k]
        out[i] = s
    """,
    "counter of its own": """
        c = int(0)
        s = float(0.0)
        for k in range(n):
            c = c + 1
            s = s + xx[i, k] * float(c)
        out[i] = s
    """,
    "branch on what is carried": """
        s = float(0.0)
        for k in range(n):
            if s < 2.0:
                s = s + xx[i, k]
        out[i] = s
    """,
    "sum that is squared afterwards": """
        s = float(0.0)
        for k in range(n):
            s = s + xx[i, k]
        out[i] = s * s
    """,
    "sum that is compared afterwards": """
        s = float(0.0)
        for k in range(n):
            s = s + xx[i, k]
        if s > 3.0:
            out[i] = x[i] * x[i]
        else:
            out[i] = y[i]
    """,
    "product in an inner loop": """
        s = float(0.0)
        for k in range(n):
            t = float(1.0)
            for l in range(k + 1):
                t = t * xx[i, l]
            s = s + t
        out[i] = s
    """,
    "while with a product": """
        s = y[i]
        while s < 3.0:
            s = s * (x[i] + 1.0)
        out[i] = s
    """,
    "while with an index": """
        s = float(0.0)
        k = int(0)
        while k < n:
            s = s + xx[i, k]
            k = k + 1
        out[i] = s
    """,
    "vectors multiplied in a loop": """
        p = v[i]
        for k in range(n):
            p = wp.cross(p, wp.vec3(xx[i, k], 1.0, 0.5))
        vout[i] = p
    """,
    "quaternions multiplied in a loop": """
        p = q[i]
        for k in range(n):
            p = p * q[i]
        qout[i] = p
    """,
    "matrices multiplied in a loop": """
        p = m[i]
        for k in range(n):
            p = p @ m[i]
        mout[i] = p
    """,
    "break": """
        s = float(0.0)
        for k in range(n):
            s = s + xx[i, k]
            if s > 2.0:
                break
        out[i] = s
    """,
    "break out of a loop of a known length": """
        s = float(0.0)
        for k in range(5):
            if k == 3:
                break
            s = s + x[i]
        out[i] = s
    """,
    "break out of an endless loop": """
        s = x[i]
        while True:
            s = s * 2.0
            if s > 5.0:
                break
        out[i] = s
    """,
    "return out of a loop": """
        s = float(0.0)
        for k in range(n):
            s = s + xx[i, k] * xx[i, k]
            if s > 2.0:
                out[i] = s
                return
        out[i] = s
    """,
    "return out of a loop of a helper": """
        out[i] = find_up_to(x[i], n)
    """,
    "component in a loop": """
        p = wp.vec3(1.0, 1.0, 1.0)
        for k in range(n):
            p[1] = p[1] * xx[i, k]
        vout[i] = p
    """,
    "component summed up in a loop": """
        p = wp.vec3(0.0, 0.0, 0.0)
        for k in range(n):
            p[1] = p[1] + xx[i, k]
        vout[i] = p
    """,
    "element of a matrix in a loop": """
        p = wp.identity(n=3, dtype=float)
        for k in range(n):
            p[1, 1] = p[1, 1] * xx[i, k]
        mout[i] = p
    """,
    "component replaced": """
        p = v[i]
        p[1] = x[i]
        vout[i] = p
    """,
    "component scaled": """
        p = v[i]
        p[1] = p[1] * 2.0
        vout[i] = p
    """,
    "component of a quaternion replaced": """
        p = q[i]
        p[0] = x[i]
        qout[i] = p
    """,
    "row of a matrix replaced": """
        p = m[i]
        p[1] = v[i]
        mout[i] = p
    """,
    "array element squared in place": """
        w[i] = x[i] * x[i]
        w[i] = w[i] * w[i]
        out[i] = w[i]
    """,
    "array element multiplied in place": """
        u[i] *= x[i]
    """,
    "array element replaced after it was read": """
        w[i] = x[i]
        out[i] = w[i] * w[i]
        w[i] = y[i]
    """,
    "result of an atomic sum": """
        s = wp.atomic_add(total, i % 2, x[i])
        out[i] = s * 2.0
    """,
    "several threads offer the same maximum": """
        wp.atomic_max(total, i % 2, x[i % 2])
    """,
    "divisor of a remainder": """
        out[i] = wp.mod(3.7, x[i])
    """,
    "remainder of vectors": """
        p = wp.mod(v[i], wp.vec3(0.3, 0.4, 0.35))
        out[i] = p[0] * p[1] + x[i]
    """,
    "component added by a helper": """
        p = v[i]
        p1 = raised(p, x[i])
        out[i] = p1[0] + p[0] * 10.0
    """,
    "fractional part": """
        out[i] = wp.frac(x[i] * 5.0) + y[i]
    """,
}

ENDLESS = """
    s = x[i]
    while s < 100.0:
        s = s * 2.0
        if s > 5.0:
            out[i] = s * s
            return
"""
"""The body of a kernel whose forward pass ends and whose adjoint does not."""
