"""Plain CUDA for Warp's functions of quaternions, transforms and spatial vectors."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from warpsmith.scoring.plain.reference.formulas import Formula, add, written
from warpsmith.scoring.plain.reference.text_types import Table, Types, each_component, function, quat, transform

FUNCTIONS: Table = {}
"""The functions of this module."""

_PARTS = ("transform_get_rotation", "transform_get_translation")

NEEDS: dict[str, tuple[str, ...]] = {
    "mul": ("quat_rotate", *_PARTS),
    "quat_slerp": ("mul", "quat_from_axis_angle", "quat_inverse", "quat_to_axis_angle"),
    "quat_from_matrix": ("normalize",),
    "transform_inverse": ("quat_inverse", "quat_rotate", *_PARTS),
    "transform_multiply": ("mul",),
    "transform_point": ("quat_rotate", *_PARTS),
    "transform_vector": ("quat_rotate", "transform_get_rotation"),
    "spatial_cross": ("cross", "spatial_bottom", "spatial_top"),
    "spatial_cross_dual": ("cross", "spatial_bottom", "spatial_top"),
}
"""The functions that a function calls, by its name."""

_formula = partial(add, FUNCTIONS)
_COMPONENTS = "T x = q.c[0], y = q.c[1], z = q.c[2], w = q.c[3]; "


def _rotation(sign: str) -> str:
    """Return the body that rotates ``v`` by ``q``, or by its inverse if the sign is a minus."""
    components = ", ".join(
        f"v.c[{i}] * c + q.c[{i}] * d {sign} (q.c[{j}] * v.c[{k}] - q.c[{k}] * v.c[{j}]) * w * 2"
        for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1))
    )
    return (
        "T w = q.c[3], c = 2 * w * w - 1, d = 2 * (q.c[0] * v.c[0] + q.c[1] * v.c[1] + q.c[2] * v.c[2]); "
        f"V r = {{ {{ {components} }} }}; return r;"
    )


_formula("quat_rotate", ("V", "Q q, V v", _rotation("+")))
_formula("quat_rotate_inv", ("V", "Q q, V v", _rotation("-")))
_formula("quat_inverse", ("Q", "Q q", "for (int i = 0; i < 3; ++i) q.c[i] = -q.c[i]; return q;"))
_formula(
    "quat_to_matrix",
    (
        "M",
        "Q q",
        _COMPONENTS + "T c = 2 * w * w - 1; M r = { { "
        "c + 2 * x * x, 2 * (x * y - z * w), 2 * (x * z + y * w), "
        "2 * (x * y + z * w), c + 2 * y * y, 2 * (y * z - x * w), "
        "2 * (x * z - y * w), 2 * (y * z + x * w), c + 2 * z * z } }; return r;",
    ),
)
_formula(
    "quat_from_axis_angle",
    (
        "Q",
        "V axis, T angle",
        "T s = sin$(angle / 2); Q r = { { axis.c[0] * s, axis.c[1] * s, axis.c[2] * s, cos$(angle / 2) } }; return r;",
    ),
)
_formula(
    "quat_to_axis_angle",
    (
        "void",
        "Q q, V& axis, T& angle",
        _COMPONENTS + "T n = sqrt$(x * x + y * y + z * z); T divisor = w < 0 ? -n : n; "
        "for (int i = 0; i < 3; ++i) axis.c[i] = n > 0 ? q.c[i] / divisor : 0; angle = 2 * atan2$(n, fabs$(w));",
    ),
)
_formula(
    "quat_slerp",
    (
        "Q",
        "Q a, Q b, T t",
        (
            "V axis; T angle; w_quat_to_axis_angle(w_mul(w_quat_inverse(a), b), axis, angle); "
            "return w_mul(a, w_quat_from_axis_angle(axis, t * angle));"
        ),
    ),
)
_formula(
    "quat_rpy",
    (
        "Q",
        "T roll, T pitch, T yaw",
        (
            "T cr = cos$(roll / 2), sr = sin$(roll / 2), cp = cos$(pitch / 2), sp = sin$(pitch / 2), "
            "cy = cos$(yaw / 2), sy = sin$(yaw / 2); Q r = { { cy * sr * cp - sy * cr * sp, cy * cr * sp + sy * sr * cp, "
            "sy * cr * cp - cy * sr * sp, cy * cr * cp + sy * sr * sp } }; return r;"
        ),
    ),
)


def _from_matrix(columns: int) -> str:
    """Return the body with the quaternion of a matrix; ``m[i][j]`` in the formulas is one of its numbers."""
    rows = f"T m[3][3]; for (int i = 0; i < 9; ++i) m[i / 3][i % 3] = a.c[i / 3 * {columns} + i % 3]; "
    return rows + (
        "T trace = m[0][0] + m[1][1] + m[2][2]; Q r; if (trace >= 0) { T h = sqrt$(trace + 1); r.c[3] = h / 2; "
        "h = (T)0.5 / h; r.c[0] = (m[2][1] - m[1][2]) * h; r.c[1] = (m[0][2] - m[2][0]) * h; "
        "r.c[2] = (m[1][0] - m[0][1]) * h; return w_normalize(r); } int i = m[1][1] > m[0][0]; if (m[2][2] > m[i][i]) i = 2; "
        "int j = (i + 1) % 3, k = (i + 2) % 3; T h = sqrt$(m[i][i] - (m[j][j] + m[k][k]) + 1); r.c[i] = h / 2; "
        "h = (T)0.5 / h; r.c[j] = (m[i][j] + m[j][i]) * h; r.c[k] = (m[k][i] + m[i][k]) * h; "
        "r.c[3] = (m[k][j] - m[j][k]) * h; return w_normalize(r);"
    )


_formula("quat_from_matrix", ("Q", "M a", _from_matrix(3)), ("Q", "K a", _from_matrix(4)))


_PRODUCTS = (
    Formula(
        "Q",
        "Q a, Q b",
        "Q r; for (int i = 0; i < 3; ++i) { int j = (i + 1) % 3, k = (i + 2) % 3; "
        "r.c[i] = a.c[3] * b.c[i] + b.c[3] * a.c[i] + a.c[j] * b.c[k] - b.c[j] * a.c[k]; } "
        "r.c[3] = a.c[3] * b.c[3] - a.c[0] * b.c[0] - a.c[1] * b.c[1] - a.c[2] * b.c[2]; return r;",
    ),
    Formula(
        "X",
        "X a, X b",
        "V p = w_quat_rotate(w_transform_get_rotation(a), w_transform_get_translation(b)); "
        "Q q = w_mul(w_transform_get_rotation(a), w_transform_get_rotation(b)); "
        "X r; for (int i = 0; i < 7; ++i) r.c[i] = i < 3 ? p.c[i] + a.c[i] : q.c[i - 3]; return r;",
    ),
)


def rotation_products(types: Types) -> Iterator[str]:
    """Yield the products of quaternions and of transforms."""
    return written("mul", _PRODUCTS, types)


_formula("transform_get_translation", ("V", "X t", "V r = { { t.c[0], t.c[1], t.c[2] } }; return r;"))
_formula("transform_get_rotation", ("Q", "X t", "Q r = { { t.c[3], t.c[4], t.c[5], t.c[6] } }; return r;"))
_formula("transform_multiply", ("X", "X a, X b", "return w_mul(a, b);"))


def _by_matrix(translated: str) -> Formula:
    """Return the product of a matrix of 4 x 4 and a point or a direction."""
    component = "m.c[i * 4] * v.c[0] + m.c[i * 4 + 1] * v.c[1] + m.c[i * 4 + 2] * v.c[2]"
    return Formula("V", "K m, V v", f"V r; for (int i = 0; i < 3; ++i) r.c[i] = {component}{translated}; return r;")


_formula(
    "transform_vector",
    ("V", "X t, V v", "return w_quat_rotate(w_transform_get_rotation(t), v);"),
    _by_matrix(""),
)
_formula(
    "transform_point",
    _by_matrix(" + m.c[i * 4 + 3]"),
    (
        "V",
        "X t, V v",
        "V r = w_quat_rotate(w_transform_get_rotation(t), v); for (int i = 0; i < 3; ++i) r.c[i] += t.c[i]; return r;",
    ),
)
_formula(
    "transform_inverse",
    (
        "X",
        "X t",
        (
            "Q q = w_quat_inverse(w_transform_get_rotation(t)); V p = w_quat_rotate(q, w_transform_get_translation(t)); "
            "X r; for (int i = 0; i < 7; ++i) r.c[i] = i < 3 ? -p.c[i] : q.c[i - 3]; return r;"
        ),
    ),
)


def _rigid_identity(name: str, types: Types) -> Iterator[str]:
    yield f"template <typename T> __device__ T w_{name}();"
    for scalar in types.floats:
        each = quat(scalar) if name == "quat_identity" else transform(scalar)
        if each in types.composites:
            body = each_component(each, f"i == {each.size - 1}")
            yield f"template <> {function(each.name, f'{name}<{each.name}>', '', body)}"


FUNCTIONS.update({name: partial(_rigid_identity, name) for name in ("quat_identity", "transform_identity")})

_formula("skew", ("M", "V a", "M r = { { 0, -a.c[2], a.c[1], a.c[2], 0, -a.c[0], -a.c[1], a.c[0], 0 } }; return r;"))
_formula("spatial_top", ("V", "S a", "V r = { { a.c[0], a.c[1], a.c[2] } }; return r;"))
_formula("spatial_bottom", ("V", "S a", "V r = { { a.c[3], a.c[4], a.c[5] } }; return r;"))
_TOP, _BOTTOM = "w_cross(w_spatial_top(a), w_spatial_top(b))", "w_cross(w_spatial_top(a), w_spatial_bottom(b))"
_SIX = "S r; for (int i = 0; i < 6; ++i) r.c[i] = "
_formula(
    "spatial_cross",
    (
        "S",
        "S a, S b",
        (
            f"V top = {_TOP}, bottom = {_BOTTOM}, more = w_cross(w_spatial_bottom(a), w_spatial_top(b)); "
            f"{_SIX}i < 3 ? top.c[i] : more.c[i - 3] + bottom.c[i - 3]; return r;"
        ),
    ),
)
_formula(
    "spatial_cross_dual",
    (
        "S",
        "S a, S b",
        (
            f"V top = {_TOP}, bottom = {_BOTTOM}, more = w_cross(w_spatial_bottom(a), w_spatial_bottom(b)); "
            f"{_SIX}i < 3 ? top.c[i] + more.c[i] : bottom.c[i - 3]; return r;"
        ),
    ),
)
_formula(
    "spatial_adjoint",
    (
        "N",
        "M a, M b",
        (
            "N r; for (int i = 0; i < 6; ++i) for (int j = 0; j < 6; ++j) r.c[i * 6 + j] = "
            "i / 3 == j / 3 ? a.c[i % 3 * 3 + j % 3] : i > j ? b.c[i % 3 * 3 + j] : 0; return r;"
        ),
    ),
)
