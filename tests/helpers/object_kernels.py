"""Kernels that read meshes, BVHs, hash grids, volumes and textures, and their launches."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from warpsmith.core.records.launch import Argument, Build, Domain, Launch

SIZE = 24

HEAD = "import warp as wp\n\n\n"

KERNELS = {
    "mesh": """@wp.kernel
def k(mesh: wp.uint64, x: wp.array(dtype=wp.vec3), out: wp.array(dtype=wp.vec3), far: wp.array(dtype=float)):
    i = wp.tid()
    query = wp.mesh_query_point(mesh, x[i], 10.0)
    if query.result:
        p = wp.mesh_eval_position(mesh, query.face, query.u, query.v)
        out[i] = p + wp.mesh_eval_velocity(mesh, query.face, query.u, query.v)
        far[i] = wp.length(p - x[i]) * query.sign
    ray = wp.mesh_query_ray(mesh, x[i] + wp.vec3(0.0, 0.0, 5.0), wp.vec3(0.0, 0.0, -1.0), 100.0)
    if ray.result:
        far[i] = far[i] + ray.t + float(wp.mesh_get(mesh).indices.shape[0])
""",
    "bvh": """@wp.kernel
def k(tree: wp.uint64, x: wp.array(dtype=wp.vec3), count: wp.array(dtype=int), out: wp.array(dtype=float)):
    i = wp.tid()
    query = wp.bvh_query_aabb(tree, x[i] - wp.vec3(0.2), x[i] + wp.vec3(0.2))
    bound = int(0)
    while wp.bvh_query_next(query, bound):
        count[i] = count[i] + 1 + bound
    out[i] = x[i][0] * x[i][1]
""",
    "hash grid": """@wp.kernel
def k(grid: wp.uint64, x: wp.array(dtype=wp.vec3), out: wp.array(dtype=float)):
    i = wp.tid()
    p = x[i]
    s = float(0.0)
    for j in wp.hash_grid_query(grid, p, 0.5):
        d = wp.length_sq(p - x[j])
        if d < 0.25:
            s += 0.25 - d
    out[i] = s
""",
    "volumes": """@wp.struct
class Fields:
    scale: float
    density: wp.uint64
    flow: wp.uint64


@wp.kernel
def k(fields: Fields, labels: wp.uint64, x: wp.array(dtype=wp.vec3), out: wp.array(dtype=wp.vec3), label: wp.array(dtype=int)):
    i = wp.tid()
    p = wp.volume_world_to_index(fields.density, x[i])
    f = wp.volume_sample_f(fields.density, p, wp.Volume.LINEAR)
    out[i] = wp.volume_sample_v(fields.flow, p, wp.Volume.LINEAR) * f * fields.scale
    label[i] = wp.volume_lookup_i(labels, int(p[0]), int(p[1]), int(p[2]))
""",
    "textures": """@wp.kernel
def k(row: wp.Texture1D, image: wp.Texture2D, block: wp.Texture3D, x: wp.array(dtype=wp.vec3), out: wp.array(dtype=float)):
    i = wp.tid()
    a = wp.texture_sample(row, x[i][0], dtype=float)
    b = wp.texture_sample(image, wp.vec2(x[i][0], x[i][1]), dtype=wp.vec2)
    c = wp.texture_sample(block, x[i], dtype=float)
    out[i] = a + b[0] * b[1] + c * float(image.width)
""",
}  # fmt: skip


def object_parameter(
    name: str, kind: Any, shape: tuple[int, ...], dtype: str = "uint64", low: float = -1.0, high: float = 1.0, **build: Any
) -> Argument:
    domain = None if kind == "hash_grid" else Domain(kind="uniform", low=low, high=high)
    return Argument(
        name=name, kind=kind, dtype=dtype, role="input", shape=shape, domain=domain, build=Build(**build) if build else None
    )


def create_launches(argument: Callable[..., Argument]) -> dict[str, Launch]:
    """Return the launch of every kernel in `KERNELS`; ``argument`` is the fixture of that name."""
    x = argument("x", "vec3f", (SIZE,))
    inside = argument("x", "vec3f", (SIZE,), low=0.0, high=1.0)
    out = {dtype: argument("out", dtype, (SIZE,), role="output") for dtype in ("float32", "vec3f")}
    far, count = argument("far", "float32", (SIZE,), role="output"), argument("count", "int32", (SIZE,), role="inout")
    members = (
        argument("scale", "float32"),
        object_parameter("density", "volume", (6, 7, 9), width=0.125),
        object_parameter("flow", "volume", (9, 9, 9), width=0.125, voxels="vec3f"),
    )
    fields = Argument(name="fields", kind="struct", dtype="Fields", role="input", shape=(), domain=None, fields=members)
    labels = object_parameter("labels", "volume", (8, 8, 8), low=-9, high=9, width=0.5, voxels="int32")
    textures = (
        object_parameter("row", "texture", (16,), "Texture1D", filter="closest", address="wrap"),
        object_parameter("image", "texture", (5, 8), "Texture2D", channels=2),
        object_parameter("block", "texture", (4, 5, 6), "Texture3D"),
    )
    label = argument("label", "int32", (SIZE,), role="output")
    args = {
        "mesh": (object_parameter("mesh", "mesh", (5, 8), low=-0.2, high=0.2), x, out["vec3f"], far),
        "bvh": (object_parameter("tree", "bvh", (20,)), x, count, out["float32"]),
        "hash grid": (object_parameter("grid", "hash_grid", (8, 8, 8), width=0.5, points="x"), x, out["float32"]),
        "volumes": (fields, labels, inside, out["vec3f"], label),
        "textures": (*textures, inside, out["float32"]),
    }
    return {name: Launch(dim=(SIZE,), args=parameters) for name, parameters in args.items()}
