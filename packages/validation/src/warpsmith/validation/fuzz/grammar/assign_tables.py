"""Tables of the family ``assign``: l-values, operators, and helpers that are called in expressions."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Target:
    """How a kernel declares, changes and reads an l-value.

    Attributes:
        root: the name of the variable or array.
        setup: the statements that declare it; {0}, {1} and {2} are initial numbers.
        place: the l-value.
        read: the number that later statements use.
        root_type: the type of the variable in the signature of a helper.
    """

    root: str
    setup: tuple[str, ...]
    place: str
    read: str
    root_type: str


VECTOR = ("p = {V}({0}, {1}, {2})",)
READ_VECTOR = "(p[0] + {T}(2.0) * p[1] + {T}(3.0) * p[2])"
MATRIX = ("p = {M}({0}, {1}, {2}, {1}, {2}, {0}, {2}, {0}, {1})",)
READ_MATRIX = "(p[1, 0] + {T}(2.0) * p[1, 1] + {T}(3.0) * p[0, 1] + p[2, 2])"
QUATERNION = ("p = {Q}({0}, {1}, {2}, {0})",)
TRANSFORM = ("p = {X}({V}({0}, {1}, {2}), {Q}({2}, {1}, {0}, {1}))",)
READ_TRANSFORM = "(p[0] + {T}(2.0) * p[1] + {T}(3.0) * p[2] + p[3] + p[4])"
STRUCT = ("s = Outer()", "s.a = {0} * {T}(1.0)", "s.v = {V}({0}, {1}, {2})")
INNER = ("s = Outer()", "s.inner.a = {0} * {T}(1.0)", "s.inner.v = {V}({0}, {1}, {2})")
READ_MEMBER = "(s.v[0] + {T}(2.0) * s.v[1] + {T}(3.0) * s.v[2])"
READ_INNER = "(s.inner.v[0] + {T}(2.0) * s.inner.v[1] + {T}(3.0) * s.inner.v[2])"

TARGETS = {
    # target: root, setup, place, read, type of the root
    "local": Target("t", ("t = {0} * {T}(1.0)",), "t", "t", "{T}"),
    "vec_index": Target("p", VECTOR, "p[1]", READ_VECTOR, "{V}"),
    "vec_name": Target("p", VECTOR, "p.y", READ_VECTOR, "{V}"),
    "vec_negative_index": Target("p", VECTOR, "p[-2]", READ_VECTOR, "{V}"),
    "mat_element": Target("p", MATRIX, "p[1, 0]", READ_MATRIX, "{M}"),
    "mat_row": Target("p", MATRIX, "p[1]", READ_MATRIX, "{M}"),
    "quat_index": Target("p", QUATERNION, "p[1]", READ_VECTOR, "{Q}"),
    "quat_name": Target("p", QUATERNION, "p.y", READ_VECTOR, "{Q}"),
    "transform_index": Target("p", TRANSFORM, "p[1]", READ_TRANSFORM, "{X}"),
    "transform_p": Target("p", TRANSFORM, "p.p", READ_TRANSFORM, "{X}"),
    "transform_q": Target("p", TRANSFORM, "p.q", READ_TRANSFORM, "{X}"),
    "transform_part": Target("p", TRANSFORM, "p.p[1]", READ_TRANSFORM, "{X}"),
    "member": Target("s", STRUCT, "s.a", "s.a", "Outer"),
    "member_index": Target("s", STRUCT, "s.v[1]", READ_MEMBER, "Outer"),
    "member_name": Target("s", STRUCT, "s.v.y", READ_MEMBER, "Outer"),
    "nested_member": Target("s", INNER, "s.inner.a", "s.inner.a", "Outer"),
    "nested_member_index": Target("s", INNER, "s.inner.v[1]", READ_INNER, "Outer"),
    "element": Target("w", (), "w[i]", "w[i]", "wp.array(dtype={T})"),
    "element_2d": Target("ww", (), "ww[i, 1]", "ww[i, 1]", "wp.array2d(dtype={T})"),
    "row_element": Target("row", ("row = ww[i]",), "row[1]", "row[1]", "wp.array(dtype={T})"),
    "slice_element": Target("part", ("part = w[2:6]",), "part[i]", "part[i]", "wp.array(dtype={T})"),
    "element_component": Target("vw", (), "vw[i][1]", "(vw[i][1] + vw[i][0])", "wp.array(dtype={V})"),
    "element_name": Target("vw", (), "vw[i].y", "(vw[i].y + vw[i].x)", "wp.array(dtype={V})"),
    "element_member": Target("sw", (), "sw[i].a", "sw[i].a", "wp.array(dtype=Inner)"),
    "element_member_index": Target("sw", (), "sw[i].v[1]", "(sw[i].v[1] + sw[i].v[0])", "wp.array(dtype=Inner)"),
    "argument": Target("s_arg", (), "s_arg", "s_arg", "{T}"),
    "argument_component": Target("v_arg", (), "v_arg[1]", "(v_arg[1] + v_arg[0])", "{V}"),
    "argument_member": Target("o_arg", (), "o_arg.a", "o_arg.a", "Outer"),
    "local_element": Target(
        "own", ("own = wp.zeros(shape=(3,), dtype={T})", "own[1] = {0}"), "own[1]", "own[1]", "wp.array(dtype={T})"
    ),
}
"""The l-values of the family."""

OPERATORS = {
    "assign": "{p} = {e}",
    "add": "{p} += {e}",
    "sub": "{p} -= {e}",
    "mul": "{p} *= {e}",
    "div": "{p} /= {e}",
    "assign_add": "{p} = {p} + {e}",
    "assign_sub": "{p} = {p} - {e}",
    "assign_mul": "{p} = {p} * {e}",
    "assign_div": "{p} = {p} / {e}",
    "assign_self": "{p} = {p}",
    "assign_self_mul": "{p} = {p} * {p}",
    "max": "{p} = wp.max({p}, {e})",
    "min": "{p} = wp.min({p}, {e})",
    "add_twice": "{p} += {e}\n{p} += {e} * {e}",
}
"""The statements that change an l-value {p} by an expression {e}."""

CALLS = {
    # call: the definition of a helper, and the expression of a number {e} that is inline {e} * {e} + {e}
    "inline": ("", "({e} * {e} + {e})"),
    "func": ("@wp.func\ndef square(a: {T}) -> {T}:\n    return a * a + a\n", "square({e})"),
    "generic": ("@wp.func\ndef square(a: Any):\n    return a * a + a\n", "square({e})"),
    "closure": (
        "def make_square(power):\n    @wp.func\n    def square(a: {T}):\n        r = a\n        for _ in range(power):\n"
        "            r = r * a\n        return r + a\n\n    return square\n\n\nsquare = make_square(1)\n",
        "square({e})",
    ),
    "static": ("@wp.func\ndef square(a: {T}) -> {T}:\n    return a * a + a\n", "wp.static(square)({e})"),
    "custom_grad": (
        "@wp.func\ndef square(a: {T}):\n    return a * a + a\n\n\n@wp.func_grad(square)\ndef adj_square(a: {T}, adj_ret: {T}):\n"
        "    wp.adjoint[a] += ({T}(2.0) * a + {T}(1.0)) * adj_ret\n",
        "square({e})",
    ),
    "replay": (
        "@wp.func\ndef square(a: {T}):\n    return a * a + a\n\n\n@wp.func_replay(square)\ndef replay_square(a: {T}):\n"
        "    return a * (a + {T}(1.0))\n",
        "square({e})",
    ),
    "two_results": (
        "@wp.func\ndef both(a: {T}):\n    return a * a, a\n\n\n@wp.func\ndef square(a: {T}):\n    r, q = both(a)\n    return r + q\n",
        "square({e})",
    ),
    "default_argument": ("@wp.func\ndef square(a: {T}, f: {T} = {T}(1.0)):\n    return a * a + f * a\n", "square({e})"),
}
