"""Kernels of every form that a program may launch, the launches, and what each kernel reads and writes by its Python."""

from __future__ import annotations

from typing import Any

import numpy as np
import warp as wp


@wp.struct
class Weights:
    scale: float
    table: wp.array(dtype=int)


@wp.struct
class State:
    velocity: wp.array(dtype=float)
    axis: wp.vec3
    weights: Weights


@wp.struct
class Particle:
    position: wp.vec3
    kind: int


@wp.func
def put(state: State, i: int, value: float):
    state.velocity[i] = value


@wp.func
def row(x: wp.array2d(dtype=float), i: int):
    return x[i]


@wp.func
def both_rows(x: wp.array2d(dtype=float), y: wp.array2d(dtype=float), i: int):
    return x[i], y[i]


@wp.func_native("out[i] = 2.0f * x[i]; total[0] += x[i];")
def doubled(x: wp.array(dtype=float), out: wp.array(dtype=float), total: wp.array(dtype=float), i: int): ...


@wp.kernel
def members(state: State, particles: wp.array(dtype=Particle), none: wp.array(dtype=float), gravity: wp.vec3, count: int):
    i = wp.tid()
    put(state, i, 2.0 + state.weights.scale + float(state.weights.table[0]))
    particles[i].position = gravity * float(particles[i].kind)
    if none and i < count:
        state.velocity[i] = none[i]


@wp.kernel
def views(x: wp.array2d(dtype=float), y: wp.array2d(dtype=float), z: wp.array2d(dtype=float), u: wp.array2d(dtype=float)):
    i = wp.tid()
    line = row(x, i)
    line[0] = 4.0
    first, second = both_rows(y, z, i)
    first[0] = second[0]
    if i > 2:  # noqa: SIM108 - the language of kernels has no conditional expression for views
        chosen = u[0]
    else:
        chosen = u[1]
    chosen[0] += 1.0


@wp.kernel
def components(v: wp.array(dtype=wp.vec3), w: wp.array(dtype=wp.vec3), m: wp.array(dtype=wp.mat22), c: wp.array(dtype=int)):
    i = wp.tid()
    v[i][1] = 2.0
    w[i] += wp.vec3(1.0, 1.0, 1.0)
    m[i][0, 1] = float(wp.atomic_add(c, 0, 1))


@wp.kernel(enable_backward=False)
def copies(state: State, x: wp.array(dtype=float), size: wp.array(dtype=float), out: wp.array(dtype=int)):
    i = wp.tid()
    local = State()
    local.velocity = x
    local.velocity[i] = 1.0
    same = state
    out[i] = len(size) + same.weights.table[i] + size.shape[0]


@wp.kernel(enable_backward=False)
def native(x: wp.array(dtype=float), out: wp.array(dtype=float), total: wp.array(dtype=float)):
    doubled(x, out, total, wp.tid())


@wp.kernel(enable_backward=False)
def tiles(a: wp.array2d(dtype=float), out: wp.array2d(dtype=float), total: wp.array(dtype=float)):
    i = wp.tid()
    t = wp.tile_load(a[i], shape=32)
    wp.tile_store(out[i], t + t)
    wp.tile_atomic_add(total, wp.tile_sum(t))


@wp.kernel
def generic(x: wp.array(dtype=Any), factor: Any):
    i = wp.tid()
    x[i] = x[i] * factor


wp.overload(generic, [wp.array(dtype=wp.vec3), wp.float32])  # at once: each overload that is added compiles the module again
wp.overload(generic, [wp.array(dtype=wp.float32), wp.float32])


@wp.kernel
def gather(rows: wp.array(dtype=int), columns: wp.array(dtype=int), x: wp.array(dtype=wp.vec3), out: wp.array(dtype=wp.vec3)):
    i = wp.tid()
    total = wp.vec3()
    for j in range(rows[i], rows[i + 1]):
        total += x[columns[j]]
    out[i] = total


@wp.kernel(enable_backward=False)
def queries(
    mesh: wp.uint64,
    bvh: wp.uint64,
    grid: wp.uint64,
    points: wp.array(dtype=wp.vec3),
    some: wp.indexedarray(dtype=float),
    q: wp.array(dtype=wp.quat),
    out: wp.array(dtype=float),
):
    i = wp.tid()
    found = wp.mesh_query_point(mesh, points[i], 10.0)
    total = some[i] + wp.quat_rotate(q[i], points[i])[0]
    if found.result:
        total += wp.length(points[i] - wp.mesh_eval_position(mesh, found.face, found.u, found.v))
    near = wp.hash_grid_query(grid, points[i], 0.5)
    j = int(0)  # noqa: RUF046, UP018 - a variable of the kernel, no constant
    while wp.hash_grid_query_next(near, j):
        total += wp.length(points[i] - points[j])
    boxes = wp.bvh_query_aabb(bvh, points[i], points[i])
    while wp.bvh_query_next(boxes, j):
        total += 1.0
    out[i] = total


ROLES = {
    "members": {
        "state.velocity": "output",
        "state.axis": "input",
        "state.weights.table": "input",
        "particles.position": "output",
        "particles.kind": "input",
        "none": "input",
    },
    "views": {"x": "output", "y": "output", "z": "input", "u": "inout"},
    "components": {"v": "output", "w": "inout", "m": "output", "c": "inout"},
    "copies": {"state.velocity": "input", "x": "output", "size": "input", "out": "output", "state.weights.table": "input"},
    "native": {"x": "input", "out": "output", "total": "inout"},
    "tiles": {"a": "input", "out": "output", "total": "inout"},
    "gather": {"rows": "input", "columns": "input", "x": "input", "out": "output"},
    "queries": {"mesh": "input", "points": "input", "some": "input", "q": "input", "out": "output"},
}
"""The role of each leaf, by kernel, as a reader of the Python sees it."""


def make_scaled(factor: float) -> Any:
    """Return a kernel in a module of its own that multiplies by ``factor``."""

    @wp.kernel(module="unique")
    def scaled(x: wp.array(dtype=float)):
        i = wp.tid()
        x[i] = x[i] * factor

    return scaled


def launch_all() -> dict[str, Any]:
    """Launch every kernel, on the CPU, and return the arrays that they wrote."""
    random = np.random.default_rng(1)
    with wp.ScopedDevice("cpu"):
        return {**_launch_structs(random), **_launch_queries(random), **_launch_others(random)}


def _launch_structs(random: np.random.Generator) -> dict[str, Any]:
    state = State()
    state.velocity = wp.zeros(3000, dtype=float)
    state.axis = wp.vec3(1.0, 2.0, 3.0)
    state.weights.scale = 2.5
    state.weights.table = wp.array(random.permutation(12).astype(np.int32))
    particles = wp.zeros(10, dtype=Particle)
    wp.launch(members, 10, inputs=[state, particles, None, wp.vec3(0.0, -9.8, 0.0), 7])
    copied, counts = wp.zeros(10, dtype=float), wp.zeros(10, dtype=int)
    wp.launch(copies, 10, inputs=[state, copied, wp.zeros(0, dtype=float)], outputs=[counts])
    return {"velocity": state.velocity, "particles": particles, "copied": copied, "counts": counts}


def _launch_queries(random: np.random.Generator) -> dict[str, Any]:
    points = wp.array(random.uniform(size=(20, 3)), dtype=wp.vec3)
    mesh = wp.Mesh(points, wp.array(random.integers(0, 20, 30), dtype=int))
    bvh = wp.Bvh(points, points)
    grid = wp.HashGrid(8, 8, 8)
    grid.build(points, 0.5)
    some = wp.indexedarray1d(wp.array(random.normal(size=40), dtype=float), [wp.array(np.arange(20), dtype=int)])
    directions = random.normal(size=(2000, 4))
    q = wp.array(directions / np.linalg.norm(directions, axis=1, keepdims=True), dtype=wp.quat)
    out = wp.zeros(20, dtype=float)
    wp.launch(queries, 20, inputs=[mesh.id, bvh.id, grid.id, points, some, q], outputs=[out])
    return {"queries": out}


def _launch_others(random: np.random.Generator) -> dict[str, Any]:
    vectors, numbers = wp.ones(10, dtype=wp.vec3), wp.array(random.normal(size=10), dtype=float)
    wp.launch(generic, 10, inputs=[vectors, 2.0])
    wp.launch(generic, 10, inputs=[numbers, 3.0])
    for factor in (2.0, 3.0):
        wp.launch(make_scaled(factor), 10, inputs=[numbers])
    command = wp.launch(make_scaled(0.5), 10, inputs=[numbers], record_cmd=True)
    command.launch()
    out, total = wp.zeros((4, 32), dtype=float), wp.zeros(1, dtype=float)
    wp.launch_tiled(tiles, dim=[4], inputs=[wp.ones((4, 32), dtype=float)], outputs=[out, total], block_dim=64)
    rows = np.concatenate([[0], np.cumsum(random.integers(0, 9, 2000))]).astype(np.int32)
    columns = wp.array(random.integers(0, 500, rows[-1]).astype(np.int32))
    x, gathered = wp.array(random.normal(size=(500, 3)), dtype=wp.vec3), wp.zeros(2000, dtype=wp.vec3)
    wp.launch(gather, 2000, inputs=[wp.array(rows), columns, x], outputs=[gathered])
    return {"vectors": vectors, "numbers": numbers, "tiles": out, "gathered": gathered}
