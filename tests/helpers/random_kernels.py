"""Random kernels with divergent control flow, whose threads may share elements or have undefined behaviour."""

from __future__ import annotations

import textwrap

from hypothesis import strategies as st

FLOATS = ("f", "g", "h")
INTEGERS = ("m", "n")

_float = st.sampled_from(
    (
        "f + g",
        "g - h * 0.5",
        "f * g",
        "f / g",
        "wp.sqrt(wp.abs(h))",
        "wp.min(f, g)",
        "wp.where(f > g, h, f)",
        "f if n > 2 else g",
        "float(n)",
        "wp.sin(g)",
        "x[i]",
        "x[n]",
        "x[(i + 1) % 13]",
        "o[i]",
        "o[m]",
        "s[1]",
        "v[n % 3]",
        "v.x",
        "helper(f, n)",
        "wp.dot(v, v)",
        "p",
    )
)
_integer = st.sampled_from(
    (
        "n + 1",
        "m * 3 - n",
        "n % 5",
        "m / (n - 1)",
        "n // m",
        "int(f)",
        "i",
        "i - 4",
        "k[i]",
        "wp.max(n, m)",
        "wp.atomic_add(c, 0, 1)",
    )
)
_condition = st.sampled_from(
    (
        "f > g",
        "i > 6",
        "i % 3 == 0",
        "n < 4 and x[n] > 0.0",
        "m == 0 or n / m > 1",
        "not f < 0.5",
        "0 <= n < 5",
        "p > 0.0",
        "True",
    )
)
_index = st.sampled_from(("i", "n", "(i + m) % 13", "0", "-1"))
_simple = st.one_of(
    st.builds("{} = {}".format, st.sampled_from(FLOATS), _float),
    st.builds("{} = {}".format, st.sampled_from(INTEGERS), _integer),
    st.builds("{} += {}".format, st.sampled_from(FLOATS), _float),
    st.builds("o[{}] = {}".format, _index, st.sampled_from(FLOATS)),
    st.builds("o[{}] += {}".format, _index, st.sampled_from(FLOATS)),
    st.builds("s[{}] -= {}".format, st.sampled_from(("i % 3", "0", "n % 3")), st.sampled_from(FLOATS)),
    st.builds("wp.atomic_{}(s, {}, f)".format, st.sampled_from(("add", "max", "sub")), st.sampled_from(("i % 3", "0", "n"))),
    st.builds("v[{}] = {}".format, st.sampled_from(("0", "n % 3", "i % 3")), st.sampled_from(FLOATS)),
    st.just("w[i] = v * f"),
    st.just("v = wp.normalize(w[i])"),
    st.just("late = f * 2.0"),
    st.just("f = late"),
    st.sampled_from(("return", "break", "continue")),
)


def _nested(blocks: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    def indented(text: str) -> str:
        return textwrap.indent(text, "    ")

    inner = blocks.map(indented)
    return st.one_of(
        st.builds("if {}:\n{}".format, _condition, inner),
        st.builds("if {}:\n{}\nelse:\n{}".format, _condition, inner, inner),
        st.builds("for j in range({}):\n{}".format, st.sampled_from(("3", "n", "i % 4", "m, n", "5, i, -1")), inner),
        st.builds("while m < {}:\n    m += 1\n{}".format, st.sampled_from(("4", "i", "n")), inner),
    )


_block = st.recursive(
    st.lists(_simple, min_size=1, max_size=3).map("\n".join),
    lambda inner: st.lists(st.one_of(_simple, _nested(inner)), min_size=1, max_size=4).map("\n".join),
    max_leaves=10,
)

_HEAD = """import warp as wp

@wp.func
def helper(a: float, b: int):
    if b > 3:
        return a * 2.0
    total = a
    for j in range(b):
        if total > 4.0:
            return total
        total += a * float(j)
    return total

@wp.kernel
def kernel(
    x: wp.array(dtype=float), k: wp.array(dtype=int), p: float, o: wp.array(dtype=float), s: wp.array(dtype=float),
    w: wp.array(dtype=wp.vec3), c: wp.array(dtype=int),
):
    i = wp.tid()
    f = x[i]
    g = p
    h = float(i) * 0.25
    n = k[i]
    m = int(1)
    if i > 8:
        late = f * 0.5
    v = w[i]
"""
_TAIL = """
o[i] = o[i] + f + g * h
k[i] = n + m
w[i] = v
"""


def _kernel(block: str) -> str:
    return _HEAD + textwrap.indent(block + _TAIL, "    ")


kernels = _block.map(_kernel)
"""Sources of kernels with the name ``kernel``; those with a jump outside of a loop are no Python."""
