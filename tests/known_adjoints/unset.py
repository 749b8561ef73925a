"""Bodies of kernels that read a variable which has no value, and right kernels beside them."""

from __future__ import annotations

SPARSE = """
@wp.func
def sparse(p: float, r: float):
    if p > 5.0:
        s = r * r
    return wp.where(s < 0.5, p, r)
"""

FILLED = SPARSE.replace("    if p", "    s = r\n    if p")

SQUARE = """
@wp.func
def square(p: float):
    return p * p


@wp.func_grad(square)
def adj_square(p: float, adj_ret: float):
    {}s = 2.0 * p
    wp.adjoint[p] += wp.min(s, 3.5) * adj_ret
"""

FORWARD = {
    "an integer compared with a sentinel": (
        "",
        """
        if x[i] > 5.0:
            k = i
        out[i] = x[i] * x[i]
        if k == -1:
            out[i] = 0.5 * x[i]
        """,
    ),
    "an integer compared with zero": (
        "",
        """
        if x[i] > 5.0:
            k = i
        out[i] = x[i] * x[i]
        if k >= 0:
            out[i] = 0.5 * x[i]
        """,
    ),
    "an integer that is stored": (
        "",
        """
        if x[i] > 5.0:
            k = i
        out[i] = x[i] + float(k)
        """,
    ),
    "a truth value": (
        "",
        """
        if x[i] > 5.0:
            b = x[i] > y[i]
        out[i] = x[i] * x[i]
        if b:
            out[i] = 0.5 * x[i]
        """,
    ),
    "a float compared with a number": (
        "",
        """
        if x[i] > 5.0:
            s = y[i]
        out[i] = x[i] * x[i]
        if s < 2.0:
            out[i] = 0.5 * x[i]
        """,
    ),
    "the last step of an empty loop": (
        "",
        """
        for k in range(n - 4):
            last = k
        out[i] = x[i]
        if last < 0:
            out[i] = x[i] * x[i]
        """,
    ),
    "a float of a helper": (
        SPARSE,
        """
        out[i] = sparse(x[i], y[i])
        """,
    ),
    "only some threads": (
        "",
        """
        if i > 5:
            k = i
        out[i] = x[i] * x[i]
        if k == -1:
            out[i] = 0.5 * x[i]
        """,
    ),
}
"""Helper functions and bodies; all results are equal whenever memory contains the same."""

BACKWARD = {
    "a hand-written adjoint": (
        SQUARE.format("if p > 5.0:\n        "),
        """
        out[i] = square(x[i])
        """,
    ),
    "the last step of a loop that is not run again": (
        "",
        """
        for k in range(n):
            last = xx[i, k]
        out[i] = x[i] * last
        """,
    ),
}
"""Kernels with a right forward pass, whose adjoint reads a variable without a value."""

RIGHT = {
    "an integer with a value": (
        "",
        """
        k = int(-1)
        if x[i] > 1.0:
            k = i
        out[i] = x[i] * x[i]
        if k == -1:
            out[i] = 0.5 * x[i]
        """,
    ),
    "a truth value with a value": (
        "",
        """
        b = bool(False)
        if x[i] > 1.0:
            b = x[i] > y[i]
        out[i] = x[i] * x[i]
        if b:
            out[i] = 0.5 * x[i]
        """,
    ),
    "both branches": (
        "",
        """
        if x[i] > 1.0:
            s = y[i]
        else:
            s = x[i]
        out[i] = s * s
        """,
    ),
    "the last step of a loop": (
        "",
        """
        last = int(0)
        for k in range(4):
            last = k
        out[i] = x[i] * float(last)
        """,
    ),
    "a hand-written adjoint with a value": (
        SQUARE.format(""),
        """
        out[i] = square(x[i])
        """,
    ),
    "a helper with a value": (
        FILLED,
        """
        out[i] = sparse(x[i], y[i])
        """,
    ),
    "a variable that changes nothing": (
        "",
        """
        if x[i] > 5.0:
            s = y[i]
        out[i] = wp.where(x[i] > 5.0, s, x[i])
        """,
    ),
}
"""Right kernels; the last one reads a variable without a value, which leaves no trace."""
