"""Category `mesh_query`: closest points, rays, boxes, signs, positions and velocities on triangle meshes."""

from __future__ import annotations

from warpsmith.synthesis.language.nodes import Kernel
from warpsmith.synthesis.language.types import FLOAT, INT, VEC3
from warpsmith.synthesis.writing.catalogue.categories.category import Category
from warpsmith.synthesis.writing.filling.production_weights import ProductionWeights
from warpsmith.synthesis.writing.skeletons.kernel_builder import KernelBuilder
from warpsmith.synthesis.writing.skeletons.objects import compose_query, object_parameter
from warpsmith.synthesis.writing.skeletons.templates import Template, inner, template_input, template_output

WEIGHTS = ProductionWeights((("arithmetic", 4.0), ("vector", 3.0), ("physics", 1.0), ("selection", 0.6), ("curve", 0.6)))

Q = inner("q", "query", "hit", "res", "closest")
F = inner("f", "face", "tri", "f")
X = template_input(FLOAT, 0.2, 2.0)
DISTANCE = template_output("d", FLOAT, -30.0, 30.0, "sdf", "dist_mesh", "depth_m", "clearance")
POINT = template_output("v", VEC3, -30.0, 30.0, "surface_point", "cp", "contact", "on_mesh")
FACES = template_output("n", INT, -10000, 10000, "hits", "overlaps", "tri_count", "face_id", linear=True)
RAY = (
    "wp.mesh_query_ray⟨|⟩({o}, {p} + wp.vec3(0.0, 0.0, ⟨2.0|5.0⟩), wp.vec3(⟨0.0, 0.0|0.1, 0.0|0.0, -0.1⟩, -1.0), ⟨10.0|100.0⟩)"
)

TEMPLATES = (
    Template("a closest point of a mesh", "$d = float(⟨10.0|0.0⟩)\n$q = wp.mesh_query_⟨point⟨|_sign_normal|_sign_parity|_sign_winding_number⟩⟩({o}, {p}, ⟨10.0|5.0⟩)\n"
          "if $q.result:\n    $s = wp.mesh_eval_position({o}, $q.face, $q.u, $q.v)\n    $d = $q.sign * wp.length({p} - $s) * {0}", (X,), (Q, inner("s", "s", "near"), DISTANCE)),
    Template("a closest point without sign", "$v = {p}\n$q = wp.mesh_query_⟨point_no_sign|furthest_point_no_sign⟩({o}, {p}, ⟨10.0|0.0⟩)\nif $q.result:\n"
          "    $v = wp.mesh_eval_position({o}, $q.face, $q.u, $q.v) * {0}", (X,), (Q, POINT)),
    Template("a velocity on a mesh", "$v = wp.vec3(0.0)\n$q = wp.mesh_query_point({o}, {p}, 10.0)\nif $q.result:\n"
          "    $v = wp.mesh_eval_velocity({o}, $q.face, $q.u, $q.v) * {0}", (X,), (Q, POINT)),
    Template("a ray against a mesh", f"$d = float(⟨-1.0|10.0⟩)\n$q = {RAY}\nif $q.result:\n    $d = $q.t * {{0}} ⟨+|-⟩ $q.normal[⟨0|2⟩]", (X,), (Q, DISTANCE)),
    Template("a shadow ray", f"$d = {{0}}\nif {RAY.replace('query_ray⟨|⟩', 'query_ray_anyhit')}:\n    $d = $d * ⟨0.2|0.5⟩", (X,), (DISTANCE,)),
    Template("a count of crossings", f"$n = {RAY.replace('query_ray⟨|⟩', 'query_ray_count_intersections').rsplit(',', 1)[0]})", (), (FACES,)),
    Template("triangles in a box", "$q = wp.mesh_query_aabb({o}, {p} - wp.vec3(⟨0.2|0.3⟩), {p} + wp.vec3(⟨0.2|0.3⟩))\n$f = int(0)\n$n = int(0)\n"
          "while wp.mesh_query_aabb_next($q, $f):\n    $n += ⟨1|$f⟩", (), (Q, F, FACES)),
    Template("boxes of a mesh's hierarchy", "$q = wp.bvh_query_aabb(wp.mesh_get_bvh({o}), {p} - wp.vec3(0.2), {p} + wp.vec3(⟨0.2|0.3⟩)⟨|, wp.mesh_get_group_root({o}, 0)⟩)\n"
          "$f = int(0)\n$n = int(0)\nwhile wp.bvh_query_next($q, $f):\n    $n += 1", (), (Q, F, FACES)),
    Template("triangles in a ball", "$q = wp.mesh_query_sphere({o}, {p}, ⟨0.3|0.5⟩)\n$f = int(0)\n$n = int(0)\n"
          "while wp.mesh_query_next($q, $f):\n    $n += 1", (), (Q, F, FACES)),
    Template("corners of a face", "$f = int({0} * ⟨3.0|5.0⟩)\n$a = wp.mesh_get_point({o}, $f * 3)\n$b = wp.mesh_get_point({o}, $f * 3 + 1)\n"
          "$v = ⟨($a + $b) * 0.5|wp.mesh_eval_face_normal({o}, $f)|wp.cross($a, $b)|wp.mesh_get_velocity({o}, $f)⟩ + {p}", (X,),
          (F, inner("a", "p0", "corner"), inner("b", "p1", "corner_b"), POINT)),
    Template("members of a mesh", "$m = wp.mesh_get({o})\n$f = wp.mesh_get_index({o}, int({0}))\n$v = $m.points[$f] ⟨+|-⟩ {p}", (X,), (inner("m", "geo", "shape_m"), F, POINT)),
)  # fmt: skip


def draw(builder: KernelBuilder) -> Kernel:
    """Draw a kernel that queries a mesh at points."""
    rows, columns = builder.rng.between(4, 8), builder.rng.between(4, 8)
    mesh = object_parameter(
        builder, builder.rng.choice(("mesh", "mesh_id", "surface", "collider")), "mesh", (rows, columns), -0.3, 0.3
    )
    return compose_query(builder, mesh, TEMPLATES, (FLOAT, VEC3, FLOAT), ("query", "collide", "project", "trace", "sense"))


CATEGORY = Category("mesh_query", draw, WEIGHTS, "against a mesh", "objects", dry_run=False)
