"""Bodies of kernels that resemble the ones in `incorrect`, with a correct adjoint."""

from __future__ import annotations

RIGHT = {
    "sum in a loop": """
        s = float(0.0)
        for k in range(n):
            s = s + xx[i, k] * xx[i, k]
        out[i] = s
    """,
    "weighted sum in a loop": """
        s = float(0.0)
        for k in range(n):
            s += xx[i, k] * float(k)
        out[i] = s
    """,
    "sum that decays by a literal": """
        s = float(0.0)
        for k in range(n):
            s = s * 0.5 + xx[i, k]
        out[i] = s
    """,
    "sum in steps of two": """
        s = float(0.0)
        for k in range(0, n, 2):
            s = s + xx[i, k] * xx[i, k]
        out[i] = s
    """,
    "sum backwards": """
        s = float(0.0)
        for k in range(n, 0, -1):
            s = s + xx[i, k] * xx[i, k]
        out[i] = s
    """,
    "two sums one after the other": """
        s = float(0.0)
        for k in range(n):
            s += xx[i, k]
        t = float(0.0)
        for k in range(n):
            t += xx[i, k] * xx[i, k]
        out[i] = s + t
    """,
    "products of neighbours": """
        s = float(0.0)
        for k in range(n):
            s = s + xx[i, k] * xx[i, k + 1]
        out[i] = s
    """,
    "local names in a loop": """
        s = float(0.0)
        for k in range(n):
            t = xx[i, k] * x[i]
            t = t * t
            s = s + t
        out[i] = s
    """,
    "sum through a helper": """
        s = float(0.0)
        for k in range(n):
            s = plus_square(s, xx[i, k])
        out[i] = s
    """,
    "sum that is scaled afterwards": """
        s = float(0.0)
        for k in range(n):
            s = s + xx[i, k]
        out[i] = s * 3.0 + x[i] * x[i]
    """,
    "branches in a loop": """
        s = float(0.0)
        for k in range(n):
            if xx[i, k] > 1.0:
                s += xx[i, k] * x[i]
            else:
                s -= xx[i, k] * y[i]
        out[i] = s
    """,
    "choice in a loop": """
        s = float(0.0)
        for k in range(n):
            s = wp.where(xx[i, k] > 1.0, s + xx[i, k], s)
        out[i] = s
    """,
    "continue in a sum": """
        s = float(0.0)
        for k in range(n):
            if k == 2:
                continue
            s = s + xx[i, k] * xx[i, k]
        out[i] = s
    """,
    "names that change places": """
        s = x[i]
        t = y[i]
        for k in range(n):
            h = s + t
            s = t
            t = h
        out[i] = t
    """,
    "two dynamic loops, one in the other": """
        s = float(0.0)
        for k in range(n):
            for l in range(n):
                s = s + xx[i, k] * xx[i, l]
        out[i] = s
    """,
    "product in an inner loop of a known length": """
        s = float(0.0)
        for k in range(n):
            t = float(1.0)
            for l in range(2):
                t = t * xx[i, l]
            s = s + t
        out[i] = s
    """,
    "product in a loop of a known length": """
        s = float(1.0)
        for k in range(5):
            s = s * xx[i, k]
        out[i] = s
    """,
    "sixteen steps": """
        s = x[i]
        for k in range(16):
            s = s * 0.9 + wp.sin(s) * 0.1
        out[i] = s
    """,
    "sum squared after a loop of a known length": """
        s = float(0.0)
        for k in range(4):
            s = s + xx[i, k]
        out[i] = s * s
    """,
    "smallest of a known number": """
        s = float(10.0)
        for k in range(4):
            s = wp.min(s, xx[i, k])
        out[i] = s
    """,
    "return out of a loop of a known length": """
        s = float(0.0)
        for k in range(4):
            s = s + xx[i, k] * xx[i, k]
            if s > 2.0:
                out[i] = s
                return
        out[i] = s
    """,
    "return out of a helper's loop of a known length": """
        out[i] = find(x[i])
    """,
    "while that adds": """
        s = float(0.0)
        k = int(0)
        while k < n:
            s = s + x[i] * x[i]
            k = k + 1
        out[i] = s
    """,
    "while that doubles": """
        s = x[i]
        while s < 3.0:
            s = s * 1.5
        out[i] = s
    """,
    "vectors summed up": """
        p = wp.vec3(0.0, 0.0, 0.0)
        for k in range(n):
            p += wp.vec3(xx[i, k], xx[i, k] * x[i], 1.0)
        vout[i] = p
    """,
    "component added to in a loop": """
        p = wp.vec3(0.0, 0.0, 0.0)
        for k in range(n):
            p[1] += xx[i, k] * xx[i, k]
        vout[i] = p
    """,
    "each component written once": """
        p = wp.vec3(0.0, 0.0, 0.0)
        p[0] = x[i]
        p[1] = p[0] * y[i]
        vout[i] = p
    """,
    "vector assembled": """
        p = v[i]
        p = wp.vec3(p[0], x[i], p[2])
        vout[i] = p * wp.length(p)
    """,
    "element of a matrix added to": """
        p = wp.identity(n=3, dtype=float)
        for k in range(n):
            p[0, 1] += xx[i, k] * xx[i, k]
        mout[i] = p
    """,
    "matrices multiplied a known number of times": """
        p = m[i]
        for k in range(3):
            p = p @ m[i]
        mout[i] = p
    """,
    "quaternion turns a vector": """
        vout[i] = wp.quat_rotate(q[i], v[i])
    """,
    "returns of a helper": """
        out[i] = pick(x[i], y[i]) * 2.0
    """,
    "two results of a helper": """
        s, t = both(x[i], y[i])
        out[i] = s * t
    """,
    "early return": """
        if x[i] > 1.0:
            return
        out[i] = x[i] * x[i]
    """,
    "branch": """
        s = y[i]
        if x[i] > 1.0:
            s = s * x[i]
        else:
            s = s + x[i]
        out[i] = s * s
    """,
    "array element read after it was written": """
        w[i] = x[i] * x[i]
        out[i] = w[i] * x[i]
    """,
    "array element added to": """
        u[i] += x[i] * x[i]
    """,
    "atomic sum": """
        wp.atomic_add(out, j[i], x[i] * y[i])
    """,
    "atomic maximum": """
        wp.atomic_max(total, i % 2, x[i] * y[i])
    """,
    "remainder and floor": """
        out[i] = wp.mod(x[i], 0.3) * y[i] - wp.floor(x[i] * 3.0)
    """,
    "cast to a whole number": """
        out[i] = float(int(x[i] * 5.0)) * y[i]
    """,
}
