"""Functions of half vectors, matrices and quaternions are rounded as in Warp's headers: results are equal bit for bit."""

from __future__ import annotations

import re

import numpy as np
import pytest

from oracle_kernels import run_both, source
from warpsmith.validation.oracle.builtins.inverses import determinant, inverse

EXPRESSIONS = (
    "wp.dot(a2, b2)",
    "wp.dot(a3, b3)",
    "wp.dot(a4, b4)",
    "wp.length(a2)",
    "wp.length(a3)",
    "wp.length(a4)",
    "wp.length_sq(a4)",
    "wp.normalize(a3)[1]",
    "wp.normalize(a4)[3]",
    "wp.cross(a3, b3)[0]",
    "wp.cw_mul(a3, b3)[1]",
    "wp.cw_div(a3, b3)[1]",
    "wp.determinant(m2)",
    "wp.determinant(m3)",
    "wp.determinant(m4)",
    "wp.inverse(m2)[0, 1]",
    "wp.inverse(m3)[1, 2]",
    "wp.inverse(m4)[1, 2]",
    "wp.trace(m4)",
    "wp.trace(m3)",
    "wp.ddot(m3, n3)",
    "wp.ddot(m4, n4)",
    "(m3*n3)[1, 2]",
    "(m4*n4)[1, 2]",
    "(m3*a3)[1]",
    "(m4*a4)[2]",
    "(a3*m3)[1]",
    "(a4*m4)[2]",
    "wp.outer(a3, b3)[1, 2]",
    "wp.skew(a3)[0, 1]",
    "wp.lerp(a3, b3, s)[1]",
    "wp.smoothstep(s, r, t)",
    "(q*p)[0]",
    "(q*p)[3]",
    "wp.quat_rotate(q, a3)[1]",
    "wp.quat_rotate_inv(q, a3)[1]",
    "wp.quat_inverse(q)[1]",
    "wp.length(q)",
    "wp.dot(q, p)",
    "wp.normalize(q)[2]",
    "wp.quat_from_axis_angle(wp.normalize(a3), s)[0]",
    "wp.quat_rpy(s, r, t)[1]",
    "wp.quat_to_matrix(q)[0, 1]",
    "wp.quat_from_matrix(m3)[1]",
    "wp.quat_slerp(wp.normalize(q), wp.normalize(p), s)[1]",
    "(tr*ts)[1]",
    "(tr*ts)[4]",
    "wp.transform_point(tr, a3)[1]",
    "wp.transform_vector(tr, a3)[2]",
    "wp.transform_inverse(tr)[1]",
    "wp.transform_point(m4, a3)[1]",
    "wp.transform_vector(m4, a3)[1]",
    "(a3/s)[1]",
    "(a3*s)[1]",
    "wp.min(a3)",
    "(a3+b3-a3)[1]",
    "wp.mod(s, r)",
    "wp.pow(s, r)",
    "wp.exp(s)",
    "wp.sin(s)",
    "wp.atan2(s, r)",
    "wp.sqrt(s)",
    "wp.degrees(s)",
    "wp.radians(s)",
    "wp.floor(s)",
    "wp.tanh(s)",
    "wp.frac(s)",
    "s//r",
    "s/r",
    "wp.cbrt(s)",
    "wp.spatial_dot(sv, sw)",
    "wp.spatial_cross(sv, sw)[3]",
    "wp.log(s)",
    "wp.asin(s)",
    "wp.cosh(s)",
    "wp.diag(a3)[1, 1]",
    "wp.lerp(m3, n3, s)[1, 1]",
    "wp.clamp(s, r, t)",
    "wp.max(a3, b3)[1]",
    "wp.erf(s)",
)
"""Calls on the variables of `TYPES`, each with a number as result."""

TYPES = {
    "vec2h": "a2 b2", "vec3h": "a3 b3", "vec4h": "a4 b4", "mat22h": "m2", "mat33h": "m3 n3", "mat44h": "m4 n4", "quath": "q p",
    "transformh": "tr ts", "spatial_vectorh": "sv sw", "float16": "s r t",
}  # fmt: skip
SHAPES = {
    "vec2h": (2,), "vec3h": (3,), "vec4h": (4,), "mat22h": (2, 2), "mat33h": (3, 3), "mat44h": (4, 4), "quath": (4,),
    "transformh": (7,), "spatial_vectorh": (6,), "float16": (),
}  # fmt: skip

COUNT = 100
LAST_DIGIT = {"wp.quat_rpy(s, r, t)[1]"}
"""Functions whose library calls the machine may round in another way: a difference of one unit is allowed in a few threads."""


def _arguments(outputs: int) -> dict[str, tuple[str, np.ndarray]]:
    rng = np.random.default_rng(7)
    found = {}
    for dtype, names in TYPES.items():
        for name in names.split():
            low, high = (0.1, 0.95) if dtype == "float16" else (-2.0, 2.0)
            values = rng.uniform(low, high, (COUNT, *SHAPES[dtype]))
            if dtype in ("quath", "transformh"):
                values[:, -4:] /= np.linalg.norm(values[:, -4:], axis=1, keepdims=True)
            found[f"all_{name}"] = (dtype, values.astype(np.float16))
    found["y"] = ("float16", np.zeros((COUNT, outputs), np.float16))
    return found


MATRICES = ("wp.determinant(m4)", "wp.inverse(m3)[1, 2]", "wp.inverse(m4)[1, 2]")


@pytest.mark.exhaustive
@pytest.mark.parametrize("expressions", [MATRICES, pytest.param(EXPRESSIONS, marks=pytest.mark.exhaustive)], ids=["few", "all"])
def test_half_precision_is_rounded_as_in_warp(expressions: tuple[str, ...]) -> None:
    used = set(re.findall(r"\b[a-z]+\d?\b", " ".join(expressions)))
    arguments = {name: value for name, value in _arguments(len(expressions)).items() if name == "y" or name[4:] in used}
    signature = ", ".join(f"{name}: wp.array(dtype=wp.{dtype})" for name, (dtype, _) in arguments.items() if name != "y")
    loads = "".join(f"    {name[4:]} = {name}[i]\n" for name in arguments if name != "y")
    stores = "".join(f"    y[i, {place}] = {one}\n" for place, one in enumerate(expressions))
    kernel = f"@wp.kernel\ndef k({signature}, y: wp.array2d(dtype=wp.float16)):\n    i = wp.tid()\n{loads}{stores}"
    found, warp = run_both(source(kernel), (COUNT,), **arguments)
    different = {
        one: int(np.count_nonzero(found["y"][:, place] != warp["y"][:, place]))
        for place, one in enumerate(expressions)
        if not np.array_equal(found["y"][:, place], warp["y"][:, place])
    }
    assert {one: count for one, count in different.items() if one not in LAST_DIGIT or count > 3} == {}


@pytest.mark.parametrize("rows", [2, 3, 4])
def test_determinants_and_inverses_are_those_of_numpy(rows: int) -> None:
    matrices = np.random.default_rng(rows).uniform(-2.0, 2.0, (20, rows, rows))
    for m in matrices:
        assert determinant(m) == pytest.approx(np.linalg.det(m), rel=1e-10)
        np.testing.assert_allclose(inverse(m), np.linalg.inv(m), rtol=1e-8, atol=1e-10)
