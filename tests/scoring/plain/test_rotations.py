"""Plain forms of Warp's functions of rotations, rigid motion and random numbers: each has the results of Warp."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence

import pytest
import warp as wp

from warpsmith.core import Pair
from warpsmith.core.records.launch import Argument, Domain, Launch
from warpsmith.extraction.codegen.extract import extract_ir
from warpsmith.extraction.targets.loading import loaded_kernel
from warpsmith.scoring.plain.reference.library import FUNCTIONS
from warpsmith.scoring.plain.reference.random_functions import FUNCTIONS as RANDOM
from warpsmith.scoring.plain.reference.rotation_functions import FUNCTIONS as ROTATION
from warpsmith.scoring.plain.reference.translation import translate
from warpsmith.scoring.scorer import Scorer
from warpsmith.scoring.tasks.task import Task, make_task

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the confinement of workers requires Linux")

ROTATIONS = {
    "quat_rotate": "wp.dot(wp.quat_rotate(q, v), u)",
    "quat_rotate_inv": "wp.dot(wp.quat_rotate_inv(q, v), u)",
    "quat_inverse": "wp.dot(wp.quat_inverse(q), p)",
    "quat_to_matrix": "wp.dot(wp.quat_to_matrix(q) * v, u)",
    "quat_from_matrix": "wp.dot(wp.quat_from_matrix(m), p) + wp.dot(wp.quat_from_matrix(m4 - k * m4), p)",
    "quat_from_axis_angle": "wp.dot(wp.quat_from_axis_angle(v, a), p)",
    "quat_to_axis_angle": "wp.dot(axis, u) + angle",
    "quat_slerp": "wp.dot(wp.quat_slerp(q, p, a), p)",
    "quat_rpy": "wp.dot(wp.quat_rpy(a, v[0], u[1]), p)",
    "quat_identity": "wp.dot(p, wp.quat_identity(dtype=wp.float64))",
    "transform_get_translation": "wp.dot(wp.transform_get_translation(x), u)",
    "transform_get_rotation": "wp.dot(wp.transform_get_rotation(x), p)",
    "transform_multiply": "wp.dot(wp.transform_point(wp.transform_multiply(x, y), v), u)",
    "transform_vector": "wp.dot(wp.transform_vector(x, v), u) + wp.dot(wp.transform_vector(m4, v), u)",
    "transform_point": "wp.dot(wp.transform_point(x, v), u) + wp.dot(wp.transform_point(m4, v), u)",
    "transform_inverse": "wp.dot(wp.transform_point(wp.transform_inverse(x), v), u)",
    "transform_identity": "wp.transform_identity(dtype=wp.float64)[6] + wp.transform_identity(dtype=wp.float64)[5]",
    "skew": "wp.dot(wp.skew(v) * u, wp.vec3d(a, k, a))",
    "spatial_top": "wp.dot(wp.spatial_top(s), u)",
    "spatial_bottom": "wp.dot(wp.spatial_bottom(s), u)",
    "spatial_dot": "wp.spatial_dot(s, r)",
    "spatial_cross": "wp.dot(wp.spatial_cross(s, r), r * a + s)",
    "spatial_cross_dual": "wp.dot(wp.spatial_cross_dual(s, r), r * a + s)",
    "spatial_adjoint": "wp.dot(wp.spatial_adjoint(m, wp.skew(v)) * s, r)",
    "identity": "wp.dot(wp.identity(n=3, dtype=wp.float64) * v, u)",
    "matrix_from_cols": "wp.dot(wp.matrix_from_cols(v, u, wp.vec3d(a, k, a)) * v, u)",
    "matrix_from_rows": "wp.dot(wp.matrix_from_rows(v, u, wp.vec3d(a, k, a)) * v, u)",
    "degrees": "wp.degrees(a)",
    "radians": "wp.radians(a)",
    "copysign": "wp.copysign(a, u[0] - v[0])",
    "normalize": "wp.dot(wp.normalize(p * a), q)",
    "length": "wp.length(p)",
    "dot": "wp.dot(p, q)",
    "lerp": "wp.dot(wp.lerp(p, q, a), q)",
    "mul": "wp.dot(p * q, q) + wp.dot(wp.transform_get_translation(x * y), u) + wp.dot(v * m, u)",
    "cw_mul": "wp.dot(wp.cw_mul(v, u), v)",
}
"""Expressions with the result of a function in double precision, by its name; the float form has other names of types."""

ROTATION_SOURCE = """import warp as wp


@wp.kernel
def turn(
    qs: wp.array(dtype=wp.quatd), xs: wp.array(dtype=wp.transformd), ss: wp.array(dtype=wp.spatial_vectord),
    vs: wp.array(dtype=wp.vec3d), ms: wp.array(dtype=wp.mat33d), fixed: wp.quatd, frame: wp.transformd,
    poses: wp.array(dtype=wp.transformd), turned: wp.array(dtype=wp.quatd), out: wp.array2d(dtype=wp.float64)
):
    i = wp.tid()
    k = wp.float64(2.0)
    q = wp.normalize(qs[i])
    p = wp.quatd(vs[i], ss[i][5])
    v = vs[i]
    u = wp.vec3d(ss[i][0], ss[i][2], ss[i][4])
    a = wp.float64(0.5) + ss[i][1]
    m = ms[i]
    m4 = wp.mat44d(
        m[0, 0], m[0, 1], m[0, 2], u[0], m[1, 0], m[1, 1], m[1, 2], u[1], m[2, 0], m[2, 1], m[2, 2], u[2], a, a, k, a
    )
    x = wp.transformd(v, q)
    y = xs[i]
    s = ss[i]
    r = wp.spatial_vectord(v[0], v[1], v[2], u[0], u[1], u[2])
    axis, angle = wp.quat_to_axis_angle(-q)
    poses[i] = frame * x
    turned[i] = fixed * q
STATEMENTS"""

STRUCT_SOURCE = """import warp as wp


@wp.struct
class Body:
    pose: wp.transform
    turn: wp.quat


@wp.func
def moved(body: Body, at: wp.vec3):
    return wp.transform_point(body.pose, at), wp.length(at)


@wp.kernel
def move(bodies: wp.array(dtype=Body), first: Body, at: wp.array(dtype=wp.vec3), out: wp.array(dtype=wp.vec3),
    thirds: wp.array(dtype=int)):
    i = wp.tid()
    body = bodies[i]
    place = wp.quat_rotate(first.turn * body.turn, at[i])
    far = float(1.0)
    if i % 3 == 0:
        place, far = moved(body, place)
    out[i] = place * far
    thirds[i] = (i - 20) // 3
"""

SAMPLES = [name for name in RANDOM if name.startswith("sample_unit") or name == "sample_triangle"]

RANDOM_SOURCE = """import warp as wp


@wp.kernel
def draw(cdf: wp.array(dtype=float), counts: wp.array(dtype=int), out: wp.array2d(dtype=float)):
    i = wp.tid()
    alone = wp.rand_init(7)
    state = wp.rand_init(42, i)
    out[0, i] = float(wp.randi(state) // 65536) + float(wp.randi(alone, -5, 90))
    out[1, i] = float(wp.randu(state) // wp.uint32(65536)) + float(wp.randu(state, wp.uint32(3), wp.uint32(90)))
    out[2, i] = wp.randf(state) + wp.randf(alone, -2.0, 9.0)
    out[3, i] = wp.randn(state)
    out[4, i] = float(wp.sample_cdf(state, cdf)) + float(wp.lower_bound(cdf, 1, 5, 0.4))
    out[5, i] = float(len(cdf))
    wp.atomic_and(counts, 0, i)
    wp.atomic_or(counts, 1, i)
    wp.atomic_xor(counts, 2, i)
STATEMENTS"""


def argument(name: str, kind: str, dtype: str, role: str, shape: tuple[int, ...] = (), **more: object) -> Argument:
    low, high = (-1.0, 1.0) if role == "input" else (0.0, 0.0)
    domain = Domain(kind="uniform", low=low, high=high) if role == "input" else Domain(kind="fill", low=0.0, high=0.0)
    return Argument(name=name, kind=kind, dtype=dtype, role=role, shape=shape, domain=None if more else domain, **more)  # type: ignore[arg-type]


def item(source: str, kernel_name: str, *arguments: Argument) -> tuple[Task, str]:
    """Return the task of a kernel, and its reference."""
    with loaded_kernel(source, kernel_name) as kernel:
        ir = extract_ir(kernel, "both", include_backward=False)
    pair = Pair.from_ir(
        ir, identity=kernel_name, python_source=source, category="test", warp_version=str(wp.__version__),
        generator_version="1", launch=Launch(dim=(50,), args=arguments), description="A test.",
    )  # fmt: skip
    task = make_task("python_to_plain_cuda", pair)
    assert task is not None
    text = translate(pair, task.entry_point)
    assert text is not None
    return task, text


def rotations(letter: str, scalar: str) -> tuple[Task, str]:
    """Return the task with all functions of rotations, for a precision."""
    stores = "".join(f"    out[{row}, i] = {term}\n" for row, term in enumerate(ROTATIONS.values()))
    source = ROTATION_SOURCE.replace("STATEMENTS", stores)
    if letter == "f":
        source = re.sub(r"\b(quat|transform|spatial_vector|vec3|mat33|mat44)d\b", r"\1f", source).replace("float64", "float32")
    return item(
        source,
        "turn",
        argument("qs", "array", f"quat{letter}", "input", (50,)),
        argument("xs", "array", f"transform{letter}", "input", (50,)),
        argument("ss", "array", f"spatial_vector{letter}", "input", (50,)),
        argument("vs", "array", f"vec3{letter}", "input", (50,)),
        argument("ms", "array", f"mat33{letter}", "input", (50,)),
        argument("fixed", "value", f"quat{letter}", "input"),
        argument("frame", "value", f"transform{letter}", "input"),
        argument("poses", "array", f"transform{letter}", "output", (50,)),
        argument("turned", "array", f"quat{letter}", "output", (50,)),
        argument("out", "array", scalar, "output", (len(ROTATIONS), 50)),
    )


def draws() -> tuple[Task, str]:
    """Return the task with all functions of random numbers."""
    stores = "".join(
        f"    s{row} = wp.{name}(state)\n    out[{6 + row}, i] = s{row}[0] + 2.0 * s{row}[1]\n"
        for row, name in enumerate(SAMPLES)
    )
    return item(
        RANDOM_SOURCE.replace("STATEMENTS", stores),
        "draw",
        argument("cdf", "array", "float32", "input", (9,)),
        argument("counts", "array", "int32", "inout", (3,)),
        argument("out", "array", "float32", "output", (6 + len(SAMPLES), 50)),
    )


def broken(text: str, name: str) -> str:
    """Return a text in which all overloads of a function have another result, or another effect if it is atomic."""
    if name.startswith("atomic_"):
        return text.replace(f"atomic{name.removeprefix('atomic_').title()}(", "atomicMax(")

    def changed(found: re.Match[str]) -> str:
        opening, result, body = found.groups()
        if result == "void":
            return f"{opening}{body.removesuffix('}')} angle += 1; }}"
        more = "for (auto& c : R.c) c += &c - R.c + 1;" if "_" in result else "R += 1;"
        return opening + re.sub(r"return ([^;]*);", rf"{{ {result} R = \1; {more} return R; }}", body)

    wrong = re.sub(
        rf"^((?:template <> )?__device__ ([\w ]+) w_{name}(?:_at)?(?:<\w+>)?\([^)]*\) \{{)(.*)$",
        changed,
        text,
        flags=re.MULTILINE,
    )
    assert wrong != text, name
    return wrong


def test_the_expressions_call_all_functions_of_the_modules() -> None:
    assert ROTATION.keys() <= ROTATIONS.keys() <= FUNCTIONS.keys()


def verdicts(scorer: Scorer, task: Task, text: str, names: Sequence[str]) -> dict[str, str]:
    """Return the verdicts on a reference, and on texts in which one function is broken."""
    scores = scorer.score(task, [text, *(broken(text, name) for name in names)])
    return {
        name: score.level + score.reason * (name == "reference")
        for name, score in zip(["reference", *names], scores, strict=True)
    }


def expected(names: Sequence[str]) -> dict[str, str]:
    return {"reference": "right", **dict.fromkeys(names, "run")}


@pytest.mark.sampled(1)
@pytest.mark.parametrize(("letter", "scalar"), [("d", "float64"), ("f", "float32")])
def test_rotations_have_the_results_of_warp(real_scorer: Scorer, letter: str, scalar: str) -> None:
    names = ["quat_slerp", "transform_inverse"]
    assert verdicts(real_scorer, *rotations(letter, scalar), names) == expected(names)


def test_random_numbers_are_those_of_warp(real_scorer: Scorer) -> None:
    names = ["rand_pcg", "sample_unit_sphere"]
    assert verdicts(real_scorer, *draws(), names) == expected(names)


def test_structs_with_transforms_results_by_reference_and_integer_division(real_scorer: Scorer) -> None:
    fields = (argument("pose", "value", "transformf", "input"), argument("turn", "value", "quatf", "input"))
    task, text = item(
        STRUCT_SOURCE,
        "move",
        argument("bodies", "array", "Body", "input", (50,), fields=fields),
        argument("first", "struct", "Body", "input", fields=fields),
        argument("at", "array", "vec3f", "input", (50,)),
        argument("out", "array", "vec3f", "output", (50,)),
        argument("thirds", "array", "int32", "output", (50,)),
    )
    wrong = [text.replace(" - (a % b != 0", " - (a % b > 0"), text.replace(" = {};", ";")]
    assert text not in wrong
    first, *others = real_scorer.score(task, [text, *wrong])
    assert (first.reason, first.reward) == ("", 1.0)
    assert [score.level for score in others] == ["run", "compile"]
    assert "unwritten_local" in others[1].reason


@pytest.mark.exhaustive
def test_each_broken_function_of_rotations_fails(real_scorer: Scorer) -> None:
    names = list(ROTATIONS)
    assert verdicts(real_scorer, *rotations("d", "float64"), names) == expected(names)


@pytest.mark.exhaustive
def test_each_broken_function_of_random_numbers_fails(real_scorer: Scorer) -> None:
    names = [*RANDOM, "lower_bound", "len", "atomic_and", "atomic_or", "atomic_xor"]
    assert verdicts(real_scorer, *draws(), names) == expected(names)
