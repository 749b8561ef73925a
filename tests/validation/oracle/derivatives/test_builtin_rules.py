"""The derivative of every builtin is the limit of differences of its values, or that of a formula."""

from __future__ import annotations

from collections.abc import Callable

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from warpsmith.core.inputs.values import Values
from warpsmith.core.records.launch import Argument, Launch
from warpsmith.validation.oracle.derivatives.moving_rows import RULES
from warpsmith.validation.oracle.interpreter.tangents import Tangents, tangents
from warpsmith.validation.oracle.values.interpretation_errors import Unsupported

THREADS = 8
TYPES = {
    "x": "float32", "y": "float32", "v": "vec3f", "w": "vec3f", "q": "quatf", "r": "quatf", "m": "mat33f", "n": "mat22f",
    "h": "mat44f", "t": "transformf", "u": "transformf", "s": "spatial_vectorf",
}  # fmt: skip
SHAPES = {"vec3f": (3,), "quatf": (4,), "mat33f": (3, 3), "mat22f": (2, 2), "mat44f": (4, 4), "transformf": (7,)}
SHAPES |= {"spatial_vectorf": (6,), "float32": ()}
WEIGHTS = {
    "float": "{}",
    "vec3": "wp.dot({}, wp.vec3(0.3, -0.7, 1.1))",
    "quat": "wp.dot({}, wp.quat(0.3, -0.7, 1.1, 0.6))",
    "mat33": "wp.ddot({}, wp.mat33(0.3, -0.7, 1.1, 0.6, 0.2, -0.4, 0.9, 0.5, -0.8))",
    "mat44": "wp.dot({} * wp.vec4(0.3, -0.7, 1.1, 0.6), wp.vec4(0.5, 0.2, -0.4, 0.9))",
    "spatial": "wp.dot({}, wp.spatial_vector(0.3, -0.7, 1.1, 0.6, 0.2, -0.4))",
}
"""A number for each type of result."""

FLOATS = """
    x + y|x - y|-x|x * y|x / y|wp.pow(wp.abs(x) + 0.2, y)|wp.pow(x, 3.0)|x % 0.3|x % (wp.abs(y) + 0.4)|wp.min(x, y)|wp.max(x, y)
    wp.clamp(x, -0.4, y)|wp.where(x > y, x * x, y)|wp.lerp(x, y, x)|wp.smoothstep(-1.2, 1.3, x)|wp.copysign(x, y)|wp.atan2(x, y)
    wp.abs(x)|wp.sign(x) * y|wp.step(x) * y|wp.sqrt(wp.abs(x))|wp.cbrt(x)|wp.degrees(x)|wp.radians(x)|wp.floor(4.0 * x) * y
    wp.ceil(4.0 * x) * y|wp.trunc(4.0 * x) * y|wp.rint(4.0 * x) * y|wp.round(4.0 * x) * y|wp.frac(4.0 * x)|wp.nonzero(x) * y
    wp.sin(x)|wp.cos(x)|wp.tan(x)|wp.asin(x)|wp.acos(x)|wp.atan(x)|wp.sinh(x)|wp.cosh(x)|wp.tanh(x)|wp.exp(x)|wp.log(x * x)
    wp.log2(wp.abs(x))|wp.log10(wp.abs(x))|wp.erf(x)|wp.erfc(x)|float(int(4.0 * x)) * y|wp.dot(v, w)|wp.length(v)
    wp.length_sq(v)|    wp.min(v)|wp.max(v)|wp.ddot(m, wp.transpose(m))|wp.trace(m)|wp.determinant(m)
    wp.determinant(n)|wp.determinant(h)|v[1] * x
    wp.norm_l1(v)|wp.norm_l2(v)|wp.norm_huber(v, 0.8)|wp.norm_huber(v, 3.0)|wp.norm_pseudo_huber(v, 0.8)
    wp.length(q)|m[1, 2] * x
    wp.quat_twist_angle(wp.normalize(v), q)|wp.quat_twist_angle_signed(v, q)|wp.spatial_dot(s, s)|float(x > y) * x
    type(x)(2.0) * x * y|wp.div_approx(x, y)|wp.dot(wp.get_diag(m), v)|wp.ddot(wp.diag(v), m)|wp.ddot(wp.outer(v, w), m)
"""
VECTORS = """
    v + w|v - w|-v|x * v|v * x|v / x|x / (v + wp.vec3(5.0, 5.0, 5.0))|wp.cross(v, w)|wp.normalize(v)
    wp.cw_mul(v, w)|wp.cw_div(v, w)|m * v|v * m
    wp.min(v, w)|wp.max(v, w)|wp.abs(v)|wp.sign(v)|wp.lerp(v, w, x)|wp.vec3(x, y, x * y)|wp.skew(v) * w
    wp.smooth_normalize(v, 0.7)|type(v)(x, y, x * y)
    wp.quat_rotate(q, v)|wp.quat_rotate_inv(q, v)|wp.transform_point(t, v)|wp.transform_vector(t, v)|wp.transform_point(h, v)
    wp.transform_vector(h, v)|wp.transform_get_translation(wp.transform_inverse(t))|wp.transform_get_translation(t * u)|t.p * x
    wp.quat_to_euler(q, 0, 1, 2)|wp.quat_to_euler(q, 2, 0, 2)|wp.quat_to_rpy(q)|wp.velocity_at_point(s, v)|wp.spatial_top(s)
    wp.transform_get_translation(wp.transform_multiply(t, u))|wp.spatial_bottom(s)|wp.where(x > 0.0, v, w)|wp.inverse(m) * v
"""
QUATERNIONS = """
    q * r|q + r|2.0 * q|q / x|wp.quat_inverse(q)|wp.normalize(q)|wp.quat_from_axis_angle(wp.normalize(v), x)
    wp.quat_rpy(x, y, x * y)
    wp.quat_slerp(q, r, x)|wp.quat_from_matrix(wp.quat_to_matrix(q))|wp.quat_from_euler(v, 0, 1, 2)
    wp.quat_twist(wp.normalize(v), q)
    wp.transform_get_rotation(t * u)|wp.transform_get_rotation(wp.transform_inverse(t))|t.q|wp.quat(v, x)|wp.lerp(q, r, x)
    wp.transform_get_rotation(wp.transform_from_matrix(wp.transform_to_matrix(t)))
"""
MATRICES = """
    m + m|m * m|x * m|m / x|wp.transpose(m)|wp.inverse(m)|wp.quat_to_matrix(q)|wp.outer(v, w)|wp.skew(v)|wp.cw_mul(m, m)
    wp.matrix_from_cols(v, w, v)|wp.matrix_from_rows(v, w, v)|wp.inverse_approx(m)
"""
SPATIAL = """
    wp.spatial_cross(s, 2.0 * s + wp.spatial_vector(v, w))|wp.spatial_cross_dual(s, wp.spatial_vector(v, w))
    wp.transform_twist(t, s)
    wp.transform_wrench(t, s)|wp.spatial_vector(v, w)|wp.spatial_adjoint(m, wp.skew(v)) * s
"""


def rows(text: str) -> list[str]:
    return [row.strip() for row in text.replace("\n", "|").split("|") if row.strip()]


EXPRESSIONS = {expression: WEIGHTS["float"].format(expression) for expression in rows(FLOATS)}
for kind, text in (("vec3", VECTORS), ("quat", QUATERNIONS), ("mat33", MATRICES), ("spatial", SPATIAL)):
    EXPRESSIONS |= {expression: WEIGHTS[kind].format(expression) for expression in rows(text)}
EXPRESSIONS |= {
    row: WEIGHTS["mat44"].format(row) for row in ("wp.transform_to_matrix(t)", "wp.transform_compose(v, q, w)", "wp.inverse(h)")
}
STATEMENTS = {
    "axis and angle": "a, b = wp.quat_to_axis_angle(q)\n    out[i] = wp.dot(a, w) * b",
    "decomposed": "a, b, c = wp.transform_decompose(h)\n    out[i] = wp.dot(a, c) + wp.dot(wp.quat_rotate(b, v), w)",
    "svd3": "a, b, c = wp.svd3(m)\n    out[i] = wp.ddot(a * wp.diag(wp.cw_mul(b, b)) * wp.transpose(c), wp.outer(v, w))",
    "rotation of svd3": "a, b, c = wp.svd3(m)\n    out[i] = wp.ddot(a * wp.transpose(c), wp.outer(v, w)) + b[1]",
    "svd2": "a, b, c = wp.svd2(n)\n    out[i] = wp.determinant(a * wp.transpose(c) * n) + wp.dot(b, wp.vec2(1.0, 3.0))",
    "qr3": "a, b = wp.qr3(m)\n    out[i] = wp.ddot(a, wp.outer(v, w)) + wp.trace(b * b)",
    "eig3": "a, b = wp.eig3(m + wp.transpose(m))\n    out[i] = wp.trace(a * wp.diag(wp.cw_mul(b, b)) * wp.transpose(a)) * x",
    "vectors of eig3": """a, b = wp.eig3(m + wp.transpose(m))
    c = a * wp.diag(wp.vec3(wp.exp(b[0]), wp.exp(b[1]), wp.exp(b[2]))) * wp.transpose(a)
    out[i] = wp.ddot(c, wp.outer(v, w))""",
    "a component": "a = v\n    a[1] = x * y\n    a[2] += v[0] * y\n    out[i] = wp.dot(a, w)",
    "an atomic sum": "wp.atomic_add(out, i // 2, x * y)\n    wp.atomic_sub(out, 0, x)",
    "an atomic extreme": "wp.atomic_max(out, 0, x * y)\n    wp.atomic_min(out, 1, x * y)",
    "an exchange": "a = wp.atomic_exch(out, 0, x)\n    out[i + 1] = a * y",
    "a local array": """a = wp.zeros(shape=(3,), dtype=float)
    for k in range(3):
        a[k] = v[k] * x
    out[i] = a[0] * a[2]""",
    "a position": """a = t
    wp.transform_set_translation(a, v)
    wp.transform_set_rotation(a, q)
    out[i] = wp.length(a.p) * a.q[1]""",
}
EXPRESSIONS |= STATEMENTS


def source_of(expression: str) -> str:
    parameters = ", ".join(
        f"{name}s: wp.array(dtype=wp.{dtype.removesuffix('32').removesuffix('f')})" for name, dtype in TYPES.items()
    )
    parameters = parameters.replace("wp.float)", "float)")
    body = expression if "\n" in expression else f"out[i] = {expression}"
    lines = [f"    {name} = {name}s[i]" for name in TYPES]
    head = f"import warp as wp\n\n\n@wp.kernel\ndef k({parameters}, out: wp.array(dtype=float)):\n    i = wp.tid()\n"
    return head + "\n".join(lines) + f"\n    {body}\n"


def launch_of(threads: int) -> Launch:
    arguments = [
        Argument(name=f"{name}s", kind="array", dtype=dtype, role="input", shape=(threads,), domain=None)
        for name, dtype in TYPES.items()
    ]
    out = Argument(name="out", kind="array", dtype="float32", role="inout", shape=(threads + 2,), domain=None)
    return Launch(dim=(threads,), args=(*arguments, out))


def inputs(threads: int, seed: int) -> dict[str, Values]:
    random = np.random.default_rng(seed)
    values = {f"{name}s": random.uniform(-1.0, 1.0, (threads, *SHAPES[dtype])) for name, dtype in TYPES.items()}
    for name in ("qs", "rs"):
        values[name] /= np.linalg.norm(values[name], axis=1, keepdims=True)
    for name in ("ts", "us"):
        values[name][:, 3:] /= np.linalg.norm(values[name][:, 3:], axis=1, keepdims=True)
    values["hs"][:, 3] = 0.0
    values["hs"][:, 3, 3] = 1.0
    return values | {"out": random.uniform(-1.0, 1.0, threads + 2)}


def run(expression: str, values: dict[str, Values], directions: dict[str, Values]) -> Tangents:
    return tangents(source_of(expression), "k", launch_of(len(values["xs"])), values, directions)["out"]


def difference(expression: str, values: dict[str, Values], directions: dict[str, Values]) -> Values:
    """Return the derivative by central differences, to the fourth order of the step."""

    def at(offset: float) -> Values:
        moved = {name: values[name] + offset * direction for name, direction in directions.items()}
        return run(expression, values | moved, {}).contents

    step = 1.0e-4
    far, near = (at(2 * step) - at(-2 * step)) / (4 * step), (at(step) - at(-step)) / (2 * step)
    return np.asarray(near + (near - far) / 3.0)


@pytest.mark.sampled(60)
@pytest.mark.parametrize("name", EXPRESSIONS)
def test_derivatives_are_the_limit_of_differences(name: str) -> None:
    values, directions = inputs(THREADS, 7), inputs(THREADS, 8)
    found, expected = run(EXPRESSIONS[name], values, directions), difference(EXPRESSIONS[name], values, directions)
    scale = max(np.abs(expected).max(), 1e-3)
    assert np.abs(found.tangent - expected).max() <= 1e-8 * scale
    alone = run(
        EXPRESSIONS[name],
        *({key: value[:3] if key != "out" else value[:5] for key, value in given.items()} for given in (values, directions)),
    )
    if "out, 0" not in EXPRESSIONS[name]:
        np.testing.assert_allclose(alone.tangent[:3], found.tangent[:3], rtol=1e-12, atol=1e-12 * scale)


def test_the_table_covers_the_rules() -> None:
    text = " ".join(EXPRESSIONS.values())
    operators = set("< <= > >= == != add sub neg pos unot mul div mod floordiv".split())
    silent = set(
        "isfinite isnan isinf print printf expect_eq expect_neq expect_near len argmin argmax lower_bound sample_cdf".split()
    )
    tiles = {name for name in RULES if name.startswith("tile") or name == "untile"}
    hidden = {"erfinv", "erfcinv", "atomic_cas"}
    assert [name for name in RULES.keys() - operators - silent - tiles - hidden if f"wp.{name}(" not in text] == []


FUNCTIONS: dict[str, Callable[[mpmath.mpf], mpmath.mpf]] = {
    name: getattr(mpmath, name)
    for name in ("sin", "cos", "tan", "atan", "sinh", "cosh", "tanh", "exp", "erf", "erfc", "erfinv")
} | {"asin": mpmath.asin, "acos": mpmath.acos, "sqrt": lambda x: mpmath.sqrt(abs(x)), "log": lambda x: mpmath.log(abs(x))}


@given(st.sampled_from(sorted(FUNCTIONS)), st.floats(-0.95, 0.95).filter(lambda x: abs(x) > 1e-3))
@settings(deadline=None, max_examples=40)
def test_functions_have_the_derivatives_of_mathematics(name: str, x: float) -> None:
    inner = f"wp.{name}(wp.abs(x))" if name in ("sqrt", "log") else f"wp.{name}(x)"
    values, directions = inputs(1, 1), {"xs": np.ones(1)}
    values["xs"] = np.array([x])
    with mpmath.workdps(40):
        exact = float(mpmath.diff(FUNCTIONS[name], mpmath.mpf(x)))
    assert np.isclose(run(inner, values, directions).tangent[0], exact, rtol=1e-11)


EXPRESSION = st.recursive(
    st.sampled_from(["x", "y", "v[0]", "1.7"]),
    lambda part: st.one_of(
        st.tuples(
            part, part, st.sampled_from(["({} + {})", "({} * {})", "({} - {})", "wp.max({}, {})", "wp.atan2({}, 2.5 + {})"])
        ).map(lambda parts: parts[2].format(*parts[:2])),
        st.tuples(
            part,
            st.sampled_from(
                ["wp.sin({})", "wp.exp(0.1 * {})", "wp.tanh({})", "wp.sqrt(2.0 + wp.cos({}))", "(1.0 / (2.5 + wp.cos({})))"]
            ),
        ).map(lambda parts: parts[1].format(parts[0])),
    ),
    max_leaves=8,
)


@given(EXPRESSION, st.integers(0, 2**32 - 1))
@settings(deadline=None, max_examples=40)
def test_random_expressions(expression: str, seed: int) -> None:
    values, directions = inputs(THREADS, seed), {name: inputs(THREADS, seed + 1)[name] for name in ("xs", "ys", "vs")}
    found = run(expression, values, directions)
    if not found.corners:
        expected = difference(expression, values, directions)
        near_bend = np.abs(found.tangent - expected) > 1e-7 * (1.0 + np.abs(expected).max())
        assert np.count_nonzero(near_bend) <= ("wp.max" in expression)


def test_a_builtin_without_a_rule_raises() -> None:
    with pytest.raises(Unsupported, match="derivative of 'closest_point_edge_edge'"):
        run("wp.dot(wp.closest_point_edge_edge(v, w, v + w, 2.0 * w, 0.001), v)", inputs(3, 1), inputs(3, 2))


@pytest.mark.parametrize(
    ("expression", "corner"),
    [
        ("wp.abs(x)", "abs"), ("wp.max(x, 0.0)", "max"), ("wp.clamp(x, 0.0, 1.0)", "clamp"), ("wp.floor(x)", "floor"),
        ("wp.sign(x)", "sign"), ("wp.where(x > 0.0, x, 0.0)", ">"), ("wp.length(x * v)", "length"), ("float(int(x))", "int32"),
        ("wp.sqrt(x * x)", ""), ("wp.sin(x)", ""), ("wp.min(x, 1.0)", ""),
    ],
)  # fmt: skip
def test_corners_are_noted(expression: str, corner: str) -> None:
    values, directions = inputs(3, 1), inputs(3, 2)
    values["xs"][:] = 0.0
    found = run(expression, values, directions)
    assert corner in found.corners if corner else found.corners == ()
    directions["xs"][:] = 0.0  # a number that does not move leaves its corner alone
    assert run(expression, values, {"xs": directions["xs"]}).corners == ()


def test_slopes_that_are_infinite_count_only_if_they_are_asked_for() -> None:
    values, direction = inputs(3, 1), {"ys": np.ones(3)}
    values["xs"][:] = 0.0

    def strict(expression: str) -> Values:
        found = tangents(source_of(expression), "k", launch_of(3), values, direction, is_strict=True)
        return found["out"].tangent[:3]

    assert np.array_equal(run("wp.sqrt(x * y)", values, direction).tangent[:3], np.zeros(3))
    assert np.isnan(strict("wp.sqrt(x * y)")).all()
    assert np.array_equal(strict("wp.where(x > 0.0, y / x, 0.0)"), np.zeros(3))
