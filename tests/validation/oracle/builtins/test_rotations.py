"""Quaternions, transformations and spatial vectors give the results of Warp's kernels on the CPU."""

from __future__ import annotations

import numpy as np
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from oracle_kernels import check_columns, floats, run_alone


def test_rotations() -> None:
    prelude = """
        p = p_s[i]
        q = wp.normalize(q_s[i])
        v = v_s[i]
        r = wp.quat_rpy(v[0], v[1], v[2])
        t = wp.transform(v, q)
        s = wp.transform(2.0 * v, p)
        axis, angle = wp.quat_to_axis_angle(p)
        f = wp.spatial_vector(v, axis)
        g = wp.spatial_vector(axis, axis + v)
    """
    rows = {row: "wp.quat" for row in """
        p*q|q*p|p+q|p-q|2.0*q|q/2.0|wp.quat_inverse(q)|wp.quat_identity()|wp.quat_from_axis_angle(axis,0.7)|r|wp.quat_slerp(p,q,0.3)
        wp.quat(0.1,0.2,0.3,0.4)|wp.quat(v,1.0)|wp.quat_from_matrix(wp.quat_to_matrix(q))|wp.normalize(wp.quat())
        wp.transform_get_rotation(t*s)|wp.lerp(p,q,0.5)|wp.quat_from_matrix(wp.quat_to_matrix(wp.quat(1.0,0.0,0.0,0.0)*q))
    """.replace("\n", "|").replace(" ", "").split("|") if row}  # fmt: skip
    rows |= {row: "wp.vec3" for row in """
        wp.quat_rotate(q,v)|wp.quat_rotate_inv(q,v)|axis|wp.transform_point(t,v)|wp.transform_vector(t,v)|wp.transform_get_translation(t)
        wp.transform_get_translation(wp.transform_inverse(t)*s)|wp.spatial_top(wp.spatial_cross(f,g))|t.p+wp.quat_rotate(t.q,v)
        wp.spatial_bottom(wp.spatial_cross(f,g))|wp.spatial_bottom(wp.spatial_cross_dual(f,g))|wp.spatial_top(f+g)
        wp.transform_get_translation(wp.transform_multiply(t,wp.transform_identity()))
    """.replace("\n", "|").replace(" ", "").split("|") if row}  # fmt: skip
    rows |= {
        "angle": "float",
        "wp.dot(p, q)": "float",
        "wp.length(q)": "float",
        "p[3] + q.x": "float",
        "wp.spatial_dot(f, g)": "float",
    }
    rows |= {"wp.quat_to_matrix(q)": "wp.mat33"}
    turns = floats(20, 4)
    turns /= np.linalg.norm(turns, axis=1, keepdims=True)
    inputs = {"p_s": ("wp.quat", "quatf", turns), "q_s": ("wp.quat", "quatf", floats(20, 4, seed=1))}
    check_columns(inputs | {"v_s": ("wp.vec3", "vec3f", floats(20, 3, seed=2))}, prelude, rows)


@given(st.lists(st.floats(-3, 3, width=32), min_size=3, max_size=3), st.floats(-3, 3, width=32))
@settings(deadline=None, max_examples=30)
def test_a_rotation_preserves_lengths_and_has_an_inverse(axis: list[float], angle: float) -> None:
    assume(np.linalg.norm(axis) > 0.01)
    written = ", ".join(map(repr, axis))
    prelude = f"q = wp.quat_from_axis_angle(wp.normalize(wp.vec3({written})), {angle!r})\nv = wp.vec3(1.0, -2.0, 0.5)\n"
    assert np.isclose(run_alone(prelude + "o[0] = wp.length(wp.quat_rotate(q, v))"), np.sqrt(5.25), rtol=1e-5)
    assert run_alone(prelude + "o[0] = wp.length(wp.quat_rotate_inv(q, wp.quat_rotate(q, v)) - v)") < 1e-5
    assert run_alone(prelude + "o[0] = wp.length(wp.quat_to_matrix(q) * v - wp.quat_rotate(q, v))") < 1e-5
