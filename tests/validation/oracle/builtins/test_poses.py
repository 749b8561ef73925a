"""Euler angles, twists, matrices of transformations, norms and bits equal Warp's."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle_kernels import check, check_columns, floats, run_alone
from warpsmith.validation.oracle.values.interpretation_errors import Unsupported


def rows_of(dtype: str, text: str) -> dict[str, str]:
    """Return the type of each expression of a text."""
    return {row: dtype for row in text.replace("\n", "|").replace(" ", "").split("|") if row}


def test_poses() -> None:
    prelude = """
        p = wp.normalize(p_s[i])
        v = v_s[i]
        w = w_s[i]
        t = wp.transform(v, p)
        s = wp.spatial_vector(v, w)
        m = wp.transform_compose(v, p, wp.vec3(0.5, 2.0, 1.0))
        place, turn, scale = wp.transform_decompose(m)
        moved = wp.transform_identity()
        wp.transform_set_translation(moved, w)
        wp.transform_set_rotation(moved, p)
        back = wp.transform_from_matrix(wp.transform_to_matrix(t))
        h = m * wp.vec4(w[0], w[1], w[2], 1.0)
        a = wp.spatial_adjoint(wp.quat_to_matrix(p), wp.skew(v)) * s
    """
    rows = rows_of("wp.vec3", """
        wp.quat_to_euler(p,0,1,2)|wp.quat_to_euler(p,2,1,0)|wp.quat_to_euler(p,1,2,0)|wp.quat_to_euler(p,2,0,2)|wp.quat_to_euler(p,0,1,0)
        wp.quat_to_rpy(p)|place|scale|wp.vec3(h[0],h[1],h[2])|wp.velocity_at_point(s,w)|wp.spatial_bottom(a)|wp.spatial_top(a)
        wp.spatial_top(wp.transform_twist(t,s))|wp.spatial_bottom(wp.transform_twist(t,s))|wp.transform_point(moved,v)
        wp.spatial_top(wp.transform_wrench(t,s))|wp.spatial_bottom(wp.transform_wrench(t,s))|wp.transform_point(back,w)
        wp.smooth_normalize(v)|wp.smooth_normalize(v,0.3)|wp.inverse_approx(wp.quat_to_matrix(p))*v
    """)  # fmt: skip
    rows |= rows_of("wp.quat", """
        turn|wp.quat_from_euler(v,0,1,2)|wp.quat_from_euler(v,2,1,0)|wp.quat_from_euler(v,0,2,0)|wp.quat_twist(wp.normalize(v),p)
    """)  # fmt: skip
    rows |= rows_of("float", """
        wp.quat_twist_angle(wp.normalize(v),p)|wp.quat_twist_angle_signed(wp.normalize(v),p)|wp.norm_l1(v)|wp.norm_l2(v)|wp.norm_huber(v)
        wp.norm_huber(v,9.0)|wp.norm_pseudo_huber(v)|wp.norm_pseudo_huber(v,0.5)|wp.div_approx(v[0],v[1])
        wp.erfinv(v[0]*0.45)|wp.erfcinv(v[1]*0.45+1.0)|wp.cast(wp.cast(v[0],wp.int32)+i,float)
    """)  # fmt: skip
    rows |= rows_of("int", "wp.bit_count(i-5)|wp.bit_count(wp.int8(i-5))|wp.bit_count(wp.uint64(i))|wp.cast(v[2],wp.int32)")
    inputs = {"p_s": ("wp.quat", "quatf", floats(20, 4)), "v_s": ("wp.vec3", "vec3f", floats(20, 3, seed=1))}
    check_columns(inputs | {"w_s": ("wp.vec3", "vec3f", floats(20, 3, seed=2))}, prelude, rows)


@given(st.lists(st.floats(-1.375, 1.375, width=32), min_size=3, max_size=3), st.permutations([0, 1, 2]))
@settings(deadline=None, max_examples=30)
def test_euler_angles_have_an_inverse(angles: list[float], axes: list[int]) -> None:
    i, j, k = axes
    prelude = f"q = wp.quat_from_euler(wp.vec3({angles[0]!r}, {angles[1]!r}, {angles[2]!r}), {i}, {j}, {k})\n"
    again = f"p = wp.quat_from_euler(wp.quat_to_euler(q, {i}, {j}, {k}), {i}, {j}, {k})\n"
    assert abs(run_alone(prelude + again + "o[0] = wp.dot(p, q)")) == pytest.approx(1.0, abs=1e-4)


STATIC = """
ORDER = 3
RATE = 0.25
USE = True


def make_scale(factor: float, shift: float):
    @wp.func
    def scale(x: float):
        return x * factor + shift

    return scale


scale_by = make_scale(2.0, -0.5)


@wp.func
def smooth(x: float):
    return wp.tanh(x)


@wp.func
def sharp(x: float):
    return -x


@wp.kernel
def k(g: wp.array2d(dtype=float), o: wp.array2d(dtype=float)):
    i = wp.tid()
    o[i, 0] = wp.static(RATE ** 2 + max(RATE, 0.3)) + wp.static(float(ORDER))
    r = float(0.0)
    for k in range(wp.static(ORDER - 1)):
        r = r * 0.5 + g[i, k]
    o[i, 1] = r
    o[i, 2] = wp.static(smooth if USE else sharp)(r) + wp.static(sharp if USE else smooth)(r) * 0.1
    o[i, 3] = scale_by(r)
    own = wp.zeros(shape=(3,), dtype=int)
    own[1] += i + 1
    own[2] = own[1] * 2
    o[i, 4] = float(own[0] + 10 * own[1] + 100 * own[2])
    seed = g.dtype(3.0) + type(g[i, 0])(i)
    flags = ~wp.vec2us(wp.uint16(i), wp.uint16(7))
    o[i, 4] += seed * float(flags[0] & flags[1])
    part = g[i, 1:4]
    every = g[i, ::2]
    o[i, 5] = part[0] + part[-1] * every[1] - float(part.shape[0] * every.shape[0])
"""


def test_static_expressions_factories_and_views() -> None:
    text = "import warp as wp\n" + STATIC
    check(
        text.replace("import warp as wp\n", ""), (5,), g=("float32", floats(5, 6)), o=("float32", np.zeros((5, 6), np.float32))
    )


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("o[0] = wp.static(x)", "static with such"),
        ("v = o[2:9]", "a slice with bounds"),
        ("v = o[::-1]", "backwards"),
        ("o[0] = wp.cast(x, wp.int64)", "a cast of"),
        ("o[0] = float(wp.bit_count(x))", "bit_count of"),
        ("v = wp.quat_to_euler(wp.quat(), 0, 0, 1)", "Euler angles about"),
        ("v = wp.norm_l1(x)", "norm_l1 of"),
    ],
)
def test_what_is_not_supported(body: str, reason: str) -> None:
    with pytest.raises(Unsupported, match=reason):
        run_alone(body)
