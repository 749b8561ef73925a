"""Category `tile_query`: blocks of threads that query a mesh or a BVH together."""

from __future__ import annotations

from warpsmith.synthesis.language.nodes import Kernel
from warpsmith.synthesis.language.types import FLOAT, INT, VEC3
from warpsmith.synthesis.writing.catalogue.categories.category import Category
from warpsmith.synthesis.writing.filling.production_weights import ProductionWeights
from warpsmith.synthesis.writing.skeletons.kernel_builder import KernelBuilder
from warpsmith.synthesis.writing.skeletons.objects import object_parameter
from warpsmith.synthesis.writing.skeletons.tiles import compose_tile_kernel, expand, join_steps, set_sizes

WEIGHTS = ProductionWeights((("arithmetic", 1.0),))

MEMBERS = """@wp.func
def {name}(member: int):
    if member < 0:
        return 0
    ⟨return 1|code = {recode}(member)
    return code⟨ + 1| * 2|⟩|if member > ⟨20|50⟩:
        return 2
    return member % 5 + 1|return {recode}(member) ⟨+|^⟩ member % 3⟩"""

# fmt: off
BOX = "{p} - wp.vec3(⟨0.3|0.5|0.4, 0.4, 0.8⟩), {p} + wp.vec3(⟨0.3|0.5|0.6⟩)"
RAY = "{p} ⟨- wp.vec3(0.0, 0.0, 2.0)|* 0.5⟩, wp.vec3(⟨0.0, 0.0, 1.0|0.0, 0.6, 0.8|1.0, 0.0, 0.0⟩)"
QUERIES = {
    "bvh": (("boxes in a box", f"$q = wp.⟨tile_bvh_query_aabb|bvh_query_aabb_tiled⟩({{o}}, {BOX})"),
            ("boxes on a ray", f"$q = wp.⟨tile_bvh_query_ray|bvh_query_ray_tiled⟩({{o}}, {RAY})")),
    "mesh": (("triangles in a box", f"$q = wp.⟨tile_mesh_query_aabb|mesh_query_aabb_tiled⟩({{o}}, {BOX})"),),
}
NEXT = {"bvh": "wp.⟨tile_bvh_query_next|bvh_query_next_tiled⟩($q)", "mesh": "wp.⟨tile_mesh_query_aabb_next|mesh_query_aabb_next_tiled⟩($q)"}
LOOPS = (
    "$r = {next}\nwhile wp.tile_query_valid($q):\n    $d += wp.tile_map({name}, $r)\n    $r = {next}\n",
    "$r = {next}\nwhile wp.tile_extract(wp.tile_max($r), 0) >= 0:\n    $d += wp.tile_map({name}, $r)\n    $r = {next}\n",
)
BETWEEN = (
    "",
    "$d = wp.tile_map({recode}, $d)\n",
    "$d = $d ⟨+|-|*⟩ wp.tile_arange({block}, dtype=int)\n",
    "$m = wp.tile_max($d)\n$d = $d + $d - wp.tile_broadcast($m, shape=({block},))\n",
    "$d = $d * $d ⟨+|-⟩ wp.tile_full(shape={block}, value=⟨3|$i⟩, dtype=int)\n",
)
ENDS = (
    ("wp.tile_store({whole}, wp.tile_sum($d), offset=$i)", INT),
    ("wp.tile_atomic_add({whole}, wp.tile_sum($d)⟨| * 2⟩, offset=⟨$i|$i // 2⟩)", INT),
    ("wp.tile_store({out}, wp.tile_astype(wp.tile_sum($d), dtype=float) * ⟨0.5|{p}[0]|wp.length({p})⟩, offset=$i)", FLOAT),
    ("$t = wp.tile_map({unary}, wp.tile_load({x}, shape={size}, offset=$i * {size}))\nwp.tile_store({out}, wp.tile_sum($t) + wp.tile_astype(wp.tile_sum($d), dtype=float), offset=$i)", FLOAT),
)
# fmt: on


def draw(builder: KernelBuilder) -> Kernel:
    """Draw a kernel in which all threads of a block count what is near the block's point."""
    rng = builder.rng
    block, blocks = rng.choice((32, 64, 128)), rng.between(8, 20)
    builder.set_option("block_dim", block)
    kind = rng.choice(("bvh", "bvh", "mesh"))
    if kind == "bvh":
        name = object_parameter(builder, rng.choice(("bvh", "tree", "broadphase")), "bvh", (rng.between(80, 300),), -1.0, 1.0)
    else:
        name = object_parameter(
            builder, rng.choice(("mesh", "surface", "collider")), "mesh", (rng.between(6, 14), rng.between(6, 14)), -0.3, 0.3
        )
    set_sizes(builder, b=blocks, n=16 * blocks)
    points = builder.add_array(rng.choice(("points", "centers", "queries")), VEC3, -0.9, 0.9, ("b",))
    (mention, query), loop, (end, dtype) = rng.choice(QUERIES[kind]), rng.choice(LOOPS), rng.choice(ENDS)
    function = builder.choose_name("counted", "weight_of", "member_value")
    # Blocks start from different values: a query may find nothing, and equal results would show nothing.
    opening = f"$i = wp.tid()\n$p = {points.name}[$i]⟨| * 0.5| * wp.length({points.name}[$i])| + wp.vec3(0.1, 0.0, 0.2)⟩\n$d = wp.tile_full(shape={block}, value=⟨$i|$i + 1|$i % 3⟩, dtype=int)"
    where: dict[str, object] = {"x": builder.add_input(FLOAT, dims=("n",)).name} if "{x}" in end else {}
    where["whole" if dtype is INT else "out"] = builder.add_output(
        dtype, ("b",), role="inout" if "atomic" in end else "output"
    ).name
    text = "\n".join([opening, query, loop.replace("{next}", NEXT[kind]) + rng.choice(BETWEEN) + end])
    text = expand(builder, text, p="$p", o=name, name=function, size=16, block=block, **where)
    builder.define(expand(builder, MEMBERS, name=function))
    return compose_tile_kernel(builder, join_steps(text), mention, ("query", "count", "collide", "cull"), blocks)


CATEGORY = Category("tile_query", draw, WEIGHTS, "in tiles", "tiles", dry_run=False, every=2)
