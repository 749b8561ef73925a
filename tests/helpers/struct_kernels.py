"""Kernels with structs as arguments, and their launches."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from warpsmith.core.records.launch import Argument, Launch

SIZE = 12

STRUCTS = """import warp as wp


@wp.struct
class Inner:
    a: wp.float16
    b: wp.vec3
    on: wp.bool


@wp.struct
class Body:
    flag: wp.uint8
    mass: float
    inner: Inner
    points: wp.array(dtype=wp.vec3)
    spin: wp.mat33d
    sums: wp.array2d(dtype=float)


@wp.struct
class Row:
    scale: float
    cells: wp.array(dtype=wp.vec2)
    sums: wp.array(dtype=float)


@wp.struct
class Cell:
    force: wp.vec3
    hits: int
    on: bool


@wp.struct
class State:
    poses: wp.array(dtype=wp.transform)
    speeds: wp.array(dtype=wp.spatial_vector)


@wp.struct
class Model:
    state: State
    gravity: wp.vec3
    cells: wp.array(dtype=Cell)
    frame: wp.transform
    inertia: wp.spatial_matrix


@wp.struct
class Particle:
    tag: wp.int8
    position: wp.vec3
    inner: Inner
    weight: wp.float64
    frame: wp.transformh


"""

KERNELS = {
    "members": """@wp.kernel
def k(body: Body, out: wp.array(dtype=wp.vec3)):
    i = wp.tid()
    p = body.points[i] * body.mass + body.inner.b
    if body.inner.on:
        p = p * 0.5
    body.sums[i, 1] = wp.length(p) * float(body.spin[0, 1]) + float(body.inner.a)
    body.sums[i, 0] = p[0] * float(int(body.flag))
    out[i] = wp.cw_mul(p, p)
""",
    "an array of structs": """@wp.kernel
def k(particles: wp.array(dtype=Particle), body: Body, out: wp.array(dtype=Particle)):
    i = wp.tid()
    p = particles[i]
    made = Particle()
    made.tag = p.tag
    made.position = p.position * body.mass + particles[i].inner.b
    made.inner.a = p.inner.a * p.inner.a
    made.inner.b = wp.transform_point(wp.transformf(p.position, wp.quat_identity()), p.inner.b)
    made.inner.on = p.inner.on
    made.weight = p.weight * p.weight
    made.frame = p.frame * p.frame
    out[i] = made
""",
    "written in place": """@wp.kernel
def k(particles: wp.array2d(dtype=Particle), scale: float, total: wp.array(dtype=float)):
    i, j = wp.tid()
    v = particles[i, j].position * scale
    wp.atomic_add(total, i, wp.dot(v, v))
    particles[i, j].weight = wp.float64(scale) * wp.float64(v[0])
""",
    "arrays in an array of structs": """@wp.kernel
def k(rows: wp.array(dtype=Row), out: wp.array(dtype=float)):
    i, j = wp.tid()
    v = rows[i].cells[j] * rows[i].scale
    rows[i].sums[j] = wp.dot(v, v) + 1.0
    wp.atomic_add(out, i, v[0] * v[1])
""",
    "a model, and a helper that writes": """@wp.func
def push(cells: wp.array(dtype=Cell), i: int, force: wp.vec3):
    cells[i].force = cells[i].force + force
    cells[i].hits = cells[i].hits + 1


@wp.func
def moved(m: Model, i: int) -> Cell:
    c = Cell()
    p = wp.transform_point(m.frame * m.state.poses[i], m.gravity)
    c.force = p + wp.spatial_top(m.inertia * m.state.speeds[i])
    c.hits = m.cells[i].hits
    return c


@wp.kernel
def k(m: Model, cells: wp.array(dtype=Cell), out: wp.array(dtype=float), speeds: wp.array(dtype=wp.spatial_vector)):
    i = wp.tid()
    c = moved(m, i)
    push(cells, i, c.force * 2.0)
    wp.atomic_add(out, i % 4, wp.dot(c.force, m.cells[i].force))
    if m.cells[i].on:
        speeds[i] = m.state.speeds[i] * 3.0
    else:
        speeds[i] = wp.cw_mul(m.state.speeds[i], m.state.speeds[i])
""",
    "a helper": """@wp.func
def moved(body: Body, i: int):
    return body.points[i] * body.mass


@wp.kernel
def k(body: Body, out: wp.array(dtype=wp.vec3)):
    i = wp.tid()
    out[i] = moved(body, i) + wp.cw_mul(body.points[i], body.points[i])
    body.sums[i, 0] = wp.length(body.points[i]) * body.mass
    body.sums[i, 1] = 1.0 + body.points[i][0]
""",
}


def create_launches(argument: Callable[..., Argument]) -> dict[str, Launch]:
    """Return the launch of every kernel in `KERNELS`; ``argument`` is the fixture of that name."""

    def struct(name: str, dtype: str, *fields: Argument, shape: tuple[int, ...] = ()) -> Argument:
        kind: Any = "array" if shape else "struct"
        return Argument(name=name, kind=kind, dtype=dtype, role="input", shape=shape, domain=None, fields=fields)

    def inner(role: str = "input") -> Argument:
        members = argument("a", "float16", role=role), argument("b", "vec3f", role=role)
        return struct("inner", "Inner", *members, argument("on", "bool", role=role, low=0))

    def body() -> Argument:
        points, spin = argument("points", "vec3f", (SIZE,)), argument("spin", "mat33d")
        sums = argument("sums", "float32", (SIZE, 2), role="output")
        members = argument("flag", "uint8", low=1, high=9), argument("mass", "float32", low=0.5, high=2.0), inner()
        return struct("body", "Body", *members, points, spin, sums)

    def particles(name: str, role: str = "input", shape: tuple[int, ...] = (SIZE,), weight: str = "") -> Argument:
        members = (
            argument("tag", "int8", role=role, low=-9, high=9),
            argument("position", "vec3f", role=role),
            inner(role),
            argument("weight", "float64", role=weight or role),
            argument("frame", "transformh", role=role, kind="unit"),
        )
        return struct(name, "Particle", *members, shape=shape)

    out = argument("out", "vec3f", (SIZE,), role="output")
    placed = (particles("particles", shape=(4, 3), weight="output"), argument("scale", "float32", low=0.5, high=2.0))
    rows = struct(
        "rows", "Row", argument("scale", "float32"), argument("cells", "vec2f", (5,)),
        argument("sums", "float32", (5,), role="output"), shape=(3,),
    )  # fmt: skip

    def cells(name: str, role: str) -> Argument:
        members = (
            argument("force", "vec3f", role=role),
            argument("hits", "int32", role=role, high=9),
            argument("on", "bool", low=0),
        )
        return struct(name, "Cell", *members, shape=(SIZE,))

    state = struct(
        "state", "State", argument("poses", "transformf", (SIZE,), kind="unit"), argument("speeds", "spatial_vectorf", (SIZE,))
    )
    model = struct(
        "m", "Model", state, argument("gravity", "vec3f"), cells("cells", "input"),
        argument("frame", "transformf", kind="unit", low=-2.0, high=2.0),
        argument("inertia", "spatial_matrixf", kind="near_identity", low=-0.1, high=0.1),
    )  # fmt: skip
    model_outputs = (
        argument("out", "float32", (4,), role="output"),
        argument("speeds", "spatial_vectorf", (SIZE,), role="output"),
    )
    return {
        "members": Launch(dim=(SIZE,), args=(body(), out)),
        "an array of structs": Launch(
            dim=(SIZE,), args=(particles("particles"), with_inputs_only(body()), particles("out", "output"))
        ),
        "written in place": Launch(dim=(4, 3), args=(*placed, argument("total", "float32", (4,), role="output"))),
        "arrays in an array of structs": Launch(dim=(3, 5), args=(rows, argument("out", "float32", (3,), role="inout"))),
        "a model, and a helper that writes": Launch(dim=(SIZE,), args=(model, cells("cells", "inout"), *model_outputs)),
        "a helper": Launch(dim=(SIZE,), args=(body(), out)),
    }


def with_inputs_only(struct: Argument) -> Argument:
    """Return the struct with inputs only, for kernels that do not write its arrays."""
    return replace(struct, fields=tuple(replace(field, role="input") for field in struct.fields))
