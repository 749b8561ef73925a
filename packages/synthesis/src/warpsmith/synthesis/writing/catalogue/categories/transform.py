"""Category `transform`: poses of bodies and links, points transformed between frames."""

from __future__ import annotations

from warpsmith.synthesis.language.nodes import Kernel
from warpsmith.synthesis.language.types import FLOAT, VEC3
from warpsmith.synthesis.writing.catalogue.categories.category import Category
from warpsmith.synthesis.writing.filling.production_weights import ProductionWeights
from warpsmith.synthesis.writing.skeletons.compose import compose_kernel
from warpsmith.synthesis.writing.skeletons.kernel_builder import KernelBuilder
from warpsmith.synthesis.writing.skeletons.templates import Template, inner, template_input, template_output

WEIGHTS = ProductionWeights((("arithmetic", 3.0), ("vector", 4.0), ("physics", 1.5), ("curve", 0.5), ("selection", 0.4)))

ANGLE, P, V = template_input(FLOAT, -1.2, 1.2), template_input(VEC3), template_input(VEC3)
X = inner("x", "x_ws", "pose", "body_pose", "frame")
Y = inner("y", "x_rel", "joint_pose", "offset_pose", "x_child")
Q = inner("q", "q", "rot", "body_rot")
MOVED = template_output("v", VEC3, -40.0, 40.0, "p_world", "moved", "world_point", "x_p")

TURN = "$q = wp.quat_⟨from_axis_angle(wp.vec3(⟨1.0, 0.0, 0.0|0.0, 1.0, 0.0|0.0, 0.0, 1.0⟩), {0})|rpy({0}, 0.1, ⟨0.4|-0.3⟩)⟩\n"
POSE = TURN + "$x = wp.transform({1}, $q)\n"
OTHER = (
    "$y = wp.transform(wp.vec3(⟨0.0, 1.0, 0.0|0.5, 0.0, 0.0|0.0, 0.0, -0.2⟩), ⟨wp.quat_identity()|wp.quat_inverse($q)|$q⟩)\n"
)

TEMPLATES = (
    Template("a rigid transform", POSE + "$v = wp.transform_⟨point|vector⟩($x, {2})", (ANGLE, P, V), (Q, X, MOVED)),
    Template("an inverse transform", POSE + "$v = wp.transform_point(wp.transform_inverse($x), {2})", (ANGLE, P, V), (Q, X, MOVED)),
    Template("a chain of transforms", POSE + OTHER + "$z = ⟨$x * $y|wp.transform_multiply($x, $y)|$y * $x⟩\n$v = wp.transform_point($z, {2})", (ANGLE, P, V), (Q, X, Y, inner("z", "x_wc", "chained", "child_pose"), MOVED)),
    Template("a relative pose", POSE + OTHER + "$z = wp.transform_inverse($x) * $y\n$v = wp.transform_get_translation($z)", (ANGLE, P), (Q, X, Y, inner("z", "x_err", "rel_pose", "local"), MOVED)),
    Template("a step of a rigid body", POSE + "$p = wp.transform_get_translation($x) + {2} * 0.01\n$r = wp.transform_get_rotation($x)\n$y = wp.transform($p, wp.normalize($r + wp.quat({2}[0], 0.0, {2}[2], 0.0) * $r * 0.005))\n$v = wp.transform_point($y, {1})", (ANGLE, P, V), (Q, X, Y, inner("p", "com", "p_new", "origin"), inner("r", "r", "rot_old"), MOVED)),
    Template("a homogeneous matrix", POSE + "$m = wp.transform_to_matrix($x)\n⟨$v = wp.transform_point($m, {2})|$h = $m * wp.vec4({2}[0], {2}[1], {2}[2], 1.0)\n$v = wp.vec3($h[0], $h[1], $h[2])|$v = wp.transform_vector($m, {2})⟩", (ANGLE, P, V), (Q, X, inner("m", "m", "model", "affine"), inner("h", "h", "homog"), MOVED)),
    Template("translation, rotation and scale", TURN + "$m = wp.transform_compose({1}, $q, wp.vec3(⟨1.0, 2.0, 0.5|0.5, 0.5, 0.5|1.5, 1.0, 1.0⟩))\n$v = wp.transform_point($m, {2})", (ANGLE, P, V), (Q, inner("m", "trs", "model", "world"), template_output("v", VEC3, -60.0, 60.0, "p_scaled", "moved"))),
    Template("a decomposition of a transform", TURN + "$m = wp.transform_compose({1}, $q, wp.vec3(⟨1.0, 2.0, 0.5|1.5, 1.0, 1.0⟩))\n$p, $r, $s = wp.transform_decompose($m)\n$v = $p + wp.cw_mul($s, {2})", (ANGLE, P, V), (Q, inner("m", "trs", "model"), inner("p", "pos_d"), inner("r", "rot_d"), inner("s", "scale_d"), MOVED)),
    Template("a transform from a matrix", POSE + "$y = wp.transform_from_matrix(wp.transform_to_matrix($x))\n$v = wp.transform_point($y ⟨|* $x⟩, {2})", (ANGLE, P, V), (Q, X, Y, MOVED)),
    Template("a frame that moves with a velocity", POSE + "$t = wp.transform_⟨twist|wrench⟩($x, wp.spatial_vector({2}, {1} * 0.1))\n$v = wp.spatial_⟨top|bottom⟩($t)", (ANGLE, P, V), (Q, X, inner("t", "twist", "wrench", "screw"), template_output("v", VEC3, -200.0, 200.0, "carried", "shifted"))),
    Template("a blend of poses", POSE + OTHER + "$z = wp.transform_identity()\nwp.transform_set_translation($z, wp.lerp(wp.transform_get_translation($x), {2}, 0.25))\nwp.transform_set_rotation($z, wp.quat_slerp($q, wp.transform_get_rotation($y), 0.5))\n$v = wp.transform_point($z, {1})", (template_input(FLOAT, 0.2, 1.2), P, V), (Q, X, Y, inner("z", "blended", "pose_t"), MOVED)),
)  # fmt: skip


def draw(builder: KernelBuilder) -> Kernel:
    """Draw a kernel that transforms points between frames, from points and angles."""
    return compose_kernel(
        builder, TEMPLATES, (VEC3, FLOAT), (VEC3, VEC3, FLOAT), ("transform", "place", "update", "compute", "project"), 2
    )


CATEGORY = Category("transform", draw, WEIGHTS, "by rigid transforms", "geometry", dry_run=False)
