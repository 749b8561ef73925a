"""Queries of meshes, BVHs and hash grids find what Warp finds; results that Warp leaves open are not compared."""

from __future__ import annotations

import numpy as np
import pytest

from oracle_kernels import DOMAIN, check_objects, floats, launch_of, run_alone, source
from warpsmith.core.inputs.values import Values
from warpsmith.core.records.launch import Argument, Build, Launch
from warpsmith.validation.oracle.builtins.meshes import NAMED, Mesh
from warpsmith.validation.oracle.builtins.triangles import overlap
from warpsmith.validation.oracle.interpreter.interpret import interpret
from warpsmith.validation.oracle.values.agreement import disagreement
from warpsmith.validation.oracle.values.choices import CHOICES
from warpsmith.validation.oracle.values.interpretation_errors import Undefined, Unsupported

MESH = """
@wp.func
def found(mesh: wp.uint64, face: int, u: float, v: float):
    return wp.mesh_eval_position(mesh, face, u, v) + 0.1 * wp.mesh_eval_velocity(mesh, face, u, v)


@wp.kernel
def k(mesh: wp.uint64, x: wp.array(dtype=wp.vec3), o: wp.array2d(dtype=float), v: wp.array2d(dtype=wp.vec3)):
    i = wp.tid()
    p = x[i]
    a = wp.mesh_query_point(mesh, p, 10.0)
    b = wp.mesh_query_point_sign_normal(mesh, p, 0.9)
    c = wp.mesh_query_point_sign_parity(mesh, p, 10.0, 3, 0.2)
    d = wp.mesh_query_furthest_point_no_sign(mesh, p, 1.0)
    e = wp.mesh_query_point_no_sign(mesh, p, 0.3)
    f = wp.mesh_query_ray(mesh, p + wp.vec3(0.0, 0.0, 2.0), wp.vec3(0.1, -0.05, -1.2), 100.0)
    h = wp.mesh_query_ray(mesh, p, wp.vec3(1.0, 0.3, 0.1), 0.6)
    g = wp.mesh_query_point_sign_winding_number(mesh, p, 10.0)
    o[i, 0] = a.sign + 10.0 * b.sign + 100.0 * c.sign + 1000.0 * float(e.result) + 0.1 * g.sign
    if a.result:
        v[i, 0] = found(mesh, a.face, a.u, a.v)
    if b.result:
        v[i, 1] = found(mesh, b.face, b.u, b.v) + wp.mesh_eval_face_normal(mesh, i % 8)
    if d.result:
        v[i, 2] = found(mesh, d.face, d.u, d.v)
    if f.result:
        v[i, 3] = f.normal + wp.vec3(f.t, f.sign, f.u + 2.0 * f.v)
    if h.result:
        v[i, 4] = found(mesh, h.face, h.u, h.v) * h.t
    o[i, 1] = float(wp.mesh_query_ray_anyhit(mesh, p, wp.vec3(0.0, 0.1, -1.0), 0.5))
    o[i, 2] = float(wp.mesh_query_ray_count_intersections(mesh, p, wp.vec3(1.0, 0.2, 0.05)))
    q = wp.mesh_query_aabb(mesh, p - wp.vec3(0.2), p + wp.vec3(0.2))
    n = int(0)
    total = int(0)
    while wp.mesh_query_aabb_next(q, n):
        total += n * n + 1
    ball = wp.mesh_query_sphere(mesh, p, 0.4)
    while wp.mesh_query_next(ball, n):
        total += 1000 * n
    o[i, 3] = float(total)
    geo = wp.mesh_get(mesh)
    v[i, 5] = geo.points[wp.mesh_get_index(mesh, i)] + wp.mesh_get_point(mesh, i + 1) + wp.mesh_get_velocity(mesh, i)
    r = wp.bvh_query_aabb(wp.mesh_get_bvh(mesh), p, p + wp.vec3(0.4), wp.mesh_get_group_root(mesh, 0))
    while wp.bvh_query_next(r, n):
        o[i, 3] += 1.0
"""

BOXES = """
@wp.kernel
def k(tree: wp.uint64, x: wp.array(dtype=wp.vec3), o: wp.array2d(dtype=int), f: wp.array2d(dtype=float)):
    i = wp.tid()
    p = x[i]
    b = int(0)
    q = wp.bvh_query_aabb(tree, p - wp.vec3(0.3), p + wp.vec3(0.3), wp.bvh_get_group_root(tree, 0))
    while wp.bvh_query_next(q, b):
        o[i, 0] += b * b + 1
    ray = wp.bvh_query_ray(tree, p, wp.vec3(0.6, 0.8, 0.0))
    while wp.bvh_query_next(ray, b):
        o[i, 1] += b * b + 1
    ball = wp.bvh_query_sphere(tree, p, 0.5)
    while wp.bvh_query_next(ball, b):
        o[i, 2] += b * b + 1
    thick = wp.bvh_query_capsule(tree, p, wp.vec3(0.1, 0.5, 0.2), 0.3)
    while wp.bvh_query_next(thick, b):
        o[i, 3] += b * b + 1
    w = wp.vec3(0.1, 1.1, -0.3)
    u = wp.vec3(1.0, 0.0, 1.0)
    o[i, 4] = wp.intersect_tri_tri(p, p + wp.vec3(1.0, 0.0, 0.1), p + wp.vec3(0.0, 1.0, 0.0), wp.vec3(), u, w)
    e = wp.closest_point_edge_edge(p, p + x[0], x[1], x[2], 1.0e-6) + wp.closest_point_edge_edge(p, p, x[1], x[2], 1.0e-6)
    f[i, 0] = wp.dot(e, wp.vec3(1.0, 2.0, 3.0))
    f[i, 1] = wp.dot(wp.closest_point_edge_edge(p, x[1], p, p, 1.0e-6), wp.vec3(1.0, 2.0, 3.0))
"""

GRID = """
@wp.kernel
def k(grid: wp.uint64, x: wp.array(dtype=wp.vec3), o: wp.array2d(dtype=float), c: wp.array2d(dtype=int)):
    i = wp.tid()
    p = x[wp.hash_grid_point_id(grid, i)]
    for j in wp.hash_grid_query(grid, p, 0.4):
        d = wp.length(p - x[j])
        if d < 0.4:
            o[i, 0] += 0.4 - d
        c[i, 0] += 1
        c[i, 1] = c[i, 1] * 3 + j
    q = wp.hash_grid_query(grid, p, 7.0)
    n = int(0)
    while wp.hash_grid_query_next(q, n):
        c[i, 2] += n
"""


def mesh(rows: int = 5, columns: int = 6) -> tuple[Argument, dict[str, Values]]:
    """Return a height field and the arrays that it is built from."""
    argument = Argument(name="mesh", kind="mesh", dtype="uint64", role="input", shape=(rows, columns), domain=DOMAIN)
    return argument, {
        "mesh": floats(rows, columns, low=-0.3, high=0.3),
        "mesh.velocities": floats(rows, columns, 3, seed=1),
    }


def boxes(count: int = 30) -> tuple[Argument, dict[str, Values]]:
    """Return a BVH and the arrays that it is built from."""
    argument = Argument(name="tree", kind="bvh", dtype="uint64", role="input", shape=(count,), domain=DOMAIN)
    sizes = np.abs(floats(count, 3, seed=4, low=0.05, high=0.3))
    return argument, {"tree": floats(count, 3, seed=3, low=-1.0, high=1.0), "tree.half_sizes": sizes}


def zeros(name: str, *shape: int) -> tuple[str, Values]:
    """Return an output."""
    return name, np.zeros(shape, np.int32 if name == "int32" else np.float32)


def test_meshes() -> None:
    results = check_objects(
        MESH, (60,), {"mesh": mesh()},
        x=("vec3f", floats(60, 3, seed=2, low=-1.2, high=1.2)), o=zeros("float32", 60, 4), v=zeros("vec3f", 60, 6, 3),
    )  # fmt: skip
    assert len(np.unique(results["o"][:, 0])) > 3
    assert np.all(np.any(results["o"] != 0, axis=0))
    assert np.all(np.any(results["v"] != 0, axis=0))


def test_boxes_triangles_and_edges() -> None:
    points = floats(60, 3, seed=5, low=-1.0, high=1.0)
    results = check_objects(
        BOXES, (60,), {"tree": boxes()}, x=("vec3f", points), o=zeros("int32", 60, 5), f=zeros("float32", 60, 2)
    )
    assert np.all(np.std(results["o"], axis=0) > 0.1)


def test_hash_grids() -> None:
    build = Build(width=0.3, points="x")
    argument = Argument(name="grid", kind="hash_grid", dtype="uint64", role="input", shape=(4, 5, 6), domain=None, build=build)
    points = floats(80, 3, seed=6, low=-1.0, high=1.0)
    results = check_objects(
        GRID, (80,), {"grid": (argument, {})}, x=("vec3f", points), o=zeros("float32", 80, 1), c=zeros("int32", 80, 3)
    )
    assert len(np.unique(results["c"][:, 0])) > 5


def interpreted(text: str, points: Values) -> Values:
    """Return what a kernel leaves in ``o`` for a BVH."""
    argument, parts = boxes()
    values = {"x": ("vec3f", points), "o": zeros("int32", len(points), 5), "f": zeros("float32", len(points), 2)}
    launch = Launch(dim=(len(points),), args=(argument, *launch_of((1,), values).args))
    return interpret(source(text), "k", launch, parts | {name: array for name, (_, array) in values.items()})["o"]


def test_what_a_query_finds_first_is_not_compared() -> None:
    points = floats(20, 3, seed=5, low=-1.0, high=1.0)
    interpreted(BOXES, points)
    with pytest.raises(Unsupported, match="leaves open"):
        interpreted(BOXES.replace("o[i, 0] += b * b + 1", "o[i, 0] = b"), points)


def test_a_changed_query_is_seen() -> None:
    points = floats(20, 3, seed=5, low=-1.0, high=1.0)
    right = interpreted(BOXES, points)
    for change in (
        ("wp.vec3(0.3)", "wp.vec3(0.35)"),
        ("0.6, 0.8, 0.0", "0.8, 0.6, 0.0"),
        ("p, 0.5)", "p, 0.6)"),
        ("0.2), 0.3)", "0.2), 0.2)"),
    ):
        assert change[0] in BOXES
        assert disagreement({"o": interpreted(BOXES.replace(*change), points)}, {"o": right}) is not None


def test_near_tests_have_no_result() -> None:
    _, parts = boxes()
    corner = (parts["tree"] - parts["tree.half_sizes"])[0]
    with pytest.raises(Undefined, match="rounding"):
        interpreted(BOXES, (corner - np.float32([0.6, 0.8, 0.0]) * 2)[None])


@pytest.mark.parametrize(
    ("query", "scale", "limit"), [("mesh_query_point_no_sign", 2.0, 1.5), ("mesh_query_furthest_point_no_sign", 0.25, 0.5)]
)
def test_the_other_choice_is_a_tie_at_another_place(query: str, scale: float, limit: float) -> None:
    """The first and the last of three triangles share a corner; one of the other triangle is at the same distance."""
    shared, other, across = np.float32([0, 0, 1]), np.float32([0.6, 0, 0.8]), np.float32([0, 0.5, 0])
    points = [shared, scale * (shared + across), scale * (shared - across), scale * shared]
    points += [other, scale * (other + across), scale * (other - across)]
    mesh = Mesh(np.stack(points), np.int32([0, 1, 2, 4, 5, 6, 0, 3, 1]), None)
    places = []
    for is_other in (False, True):
        CHOICES.start(other=is_other)
        hit = NAMED[query].row(mesh, np.zeros(3, np.float32), np.float32(limit)).members
        places.append(NAMED["mesh_eval_position"].row(mesh, hit["face"], hit["u"], hit["v"]).tolist())
    assert places == [pytest.approx(shared.tolist()), pytest.approx(other.tolist())]


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("q = wp.mesh_query_point(x, wp.vec3(), 1.0)", "a mesh that is float32"),
        ("q = wp.bvh_query_aabb(x, wp.vec3(), wp.vec3())", "a query of float32"),
        ("q = wp.hash_grid_query(x, wp.vec3(), 1.0)", "a query of float32"),
        ("y = int(0)\nwhile wp.bvh_query_next(x, y):\n    pass", "the next of float32"),
        ("for j in wp.vec3():\n    pass", "not over a range"),
        ("y = wp.intersect_tri_tri(x, x, x, x, x, x)", "intersect_tri_tri of float32"),
    ],
)  # fmt: skip
def test_what_is_not_supported(body: str, reason: str) -> None:
    with pytest.raises(Unsupported, match=reason):
        run_alone(body)


@pytest.mark.parametrize(("height", "outcome"), [(1e-3, False), (1e-5, None), (-0.05, True)])
def test_narrow_triangles_are_compared_where_warp_can_tell(height: float, outcome: bool | None) -> None:
    """Warp compares the product of a distance and the size of a normal with 1e-6: of this triangle it sees 1e-4."""
    narrow = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.01, 0.0]])
    above = np.array([[0.2, 0.001, height], [0.3, 0.002, height + 0.2], [0.2, 0.003, height + 0.1]])
    if outcome is None:
        with pytest.raises(Undefined, match="barely"):
            overlap(narrow, above)
    else:
        assert overlap(narrow, above) == outcome


def test_a_triangle_without_area_is_open() -> None:
    """Warp's test projects it along an axis that depends on rounding, and reports hits of triangles that are far away."""
    line = np.array([[0.86, 0.95, 0.05], [-0.92, 0.95, 0.05], [-0.58, 0.95, 0.05]])
    apart = np.array([[0.3, -0.9, -0.2], [0.1, 0.5, -0.4], [-0.3, 0.2, -0.6]])
    with pytest.raises(Undefined, match="without area"):
        overlap(line, apart)
    assert not overlap(line + np.array([[0.0, 0.2, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.3]]), apart)
