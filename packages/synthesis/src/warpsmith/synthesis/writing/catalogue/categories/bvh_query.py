"""Category `bvh_query`: queries of a BVH with boxes, rays, balls, capsules and triangles."""

from __future__ import annotations

from warpsmith.synthesis.language.nodes import Kernel
from warpsmith.synthesis.language.types import FLOAT, INT, VEC3
from warpsmith.synthesis.writing.catalogue.categories.category import Category
from warpsmith.synthesis.writing.filling.production_weights import ProductionWeights
from warpsmith.synthesis.writing.skeletons.kernel_builder import KernelBuilder
from warpsmith.synthesis.writing.skeletons.objects import compose_query, object_parameter
from warpsmith.synthesis.writing.skeletons.templates import Template, inner, template_input, template_output

WEIGHTS = ProductionWeights((("arithmetic", 4.0), ("vector", 3.0), ("selection", 0.6), ("curve", 0.6)))

Q, B = inner("q", "query", "it", "candidates"), inner("b", "bound", "box_id", "item")
X = template_input(FLOAT, 0.2, 2.0)
COUNT = template_output("n", INT, -10000, 10000, "overlaps", "hits", "pair_count", "touched", linear=True)
SUM = template_output("s", FLOAT, -9000.0, 9000.0, "weight_sum", "id_sum", "load", linear=True)
LOOP = "$b = int(0)\n⟨$n = int(0)\nwhile wp.bvh_query_next($q, $b):\n    $n += ⟨1|$b % 3|$b + 1⟩|$n = int(0)\nwhile wp.bvh_query_next($q, $b):\n    if $b ⟨> 2|% 2 == 0⟩:\n        $n += 1⟩"

TEMPLATES = (
    Template("boxes in a box", "$q = wp.bvh_query_aabb({o}, {p} - wp.vec3(⟨0.2|0.4⟩), {p} + wp.vec3(⟨0.2|0.4⟩))\n" + LOOP, (), (Q, B, COUNT)),
    Template("boxes of a group", "$g = wp.bvh_get_group_root({o}, 0)\n$q = wp.bvh_query_aabb({o}, {p} - wp.vec3(0.3), {p} + wp.vec3(0.3), $g)\n" + LOOP, (), (Q, B, inner("g", "root", "group_root"), COUNT)),
    Template("boxes on a ray", "$q = wp.bvh_query_ray({o}, {p}, wp.vec3(⟨0.0, 0.0, 1.0|1.0, 0.0, 0.0|0.6, 0.8, 0.0⟩))\n" + LOOP, (), (Q, B, COUNT)),
    Template("boxes in a ball", "$q = wp.bvh_query_sphere({o}, {p}, ⟨0.4|0.6⟩)\n" + LOOP, (), (Q, B, COUNT)),
    Template("boxes in a capsule", "$q = wp.bvh_query_capsule({o}, {p}, {p} + wp.vec3(⟨0.5, 0.0, 0.0|0.0, 0.5, 0.2⟩), ⟨0.2|0.3⟩)\n" + LOOP, (), (Q, B, COUNT)),
    Template("a weighted sum of boxes", "$q = wp.bvh_query_aabb({o}, {p} - wp.vec3(0.4), {p} + wp.vec3(0.4))\n$b = int(0)\n$s = float(0.0)\n"
          "while wp.bvh_query_next($q, $b):\n    $s += {0} * float($b)", (X,), (Q, B, SUM)),
    Template("a test of two triangles", "$n = wp.intersect_tri_tri({p}, {p} + wp.vec3({0}, 0.0, 0.0), {p} + wp.vec3(0.0, {0}, 0.0), wp.vec3(0.0, 0.0, ⟨-0.5|-1.0⟩), "
          "wp.vec3(0.5, 0.0, ⟨0.5|1.0⟩), wp.vec3(0.0, 0.5, ⟨0.5|1.0⟩))", (X,), (COUNT,)),
    Template("closest points of two edges", "$e = wp.closest_point_edge_edge({p}, {p} + wp.vec3({0}, 0.0, ⟨0.5|0.2⟩), wp.vec3(0.0, ⟨1.0|-2.0⟩, 2.0), wp.vec3(0.0, 3.0, 2.5), 1.0e-6)\n"
          "$t = $e[⟨0|2⟩] ⟨+|*⟩ {0}", (X,), (inner("e", "st", "params_e"), template_output("t", FLOAT, -40.0, 40.0, "gap_e", "edge_t"))),
)  # fmt: skip


def draw(builder: KernelBuilder) -> Kernel:
    """Draw a kernel that queries a BVH at points."""
    tree = object_parameter(
        builder, builder.rng.choice(("bvh", "bvh_id", "tree", "broadphase")), "bvh", (builder.rng.between(8, 24),), -1.0, 1.0
    )
    return compose_query(builder, tree, TEMPLATES, (FLOAT, INT, VEC3), ("query", "count", "collide", "cull"))


CATEGORY = Category("bvh_query", draw, WEIGHTS, "against a hierarchy of boxes", "objects", dry_run=False)
