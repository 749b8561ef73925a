"""Category `quaternion`: rotating vectors, blending, integrating spin, angles and axes."""

from __future__ import annotations

from warpsmith.synthesis.language.nodes import Kernel
from warpsmith.synthesis.language.types import FLOAT, VEC3
from warpsmith.synthesis.writing.catalogue.categories.category import Category
from warpsmith.synthesis.writing.filling.production_weights import ProductionWeights
from warpsmith.synthesis.writing.skeletons.compose import compose_kernel
from warpsmith.synthesis.writing.skeletons.kernel_builder import KernelBuilder
from warpsmith.synthesis.writing.skeletons.templates import Template, inner, template_input, template_output

WEIGHTS = ProductionWeights((("arithmetic", 3.0), ("vector", 4.0), ("physics", 1.0), ("curve", 0.6), ("selection", 0.4)))

V, ANGLE, SHARE = template_input(VEC3), template_input(FLOAT, -1.2, 1.2), template_input(FLOAT, 0.1, 0.9)
Q = inner("q", "q", "rot", "orientation", "attitude")
R = inner("r", "r", "spin", "turn", "target_rot")
TURNED = template_output("v", VEC3, -9.0, 9.0, "rotated", "world_dir", "v_rot", "turned")
AXIS = "wp.vec3(⟨1.0, 0.0, 0.0|0.0, 1.0, 0.0|0.0, 0.0, 1.0|0.6, 0.0, 0.8⟩)"
SPUN = f"$q = ⟨wp.quat_from_axis_angle({AXIS}, {{0}})|wp.quat_rpy({{0}}, {{1}}, 0.2)|wp.quat_rpy(0.3, {{0}}, {{1}})⟩\n"
BENT = f"$r = wp.quat_from_axis_angle({AXIS}, ⟨0.5|0.25|-0.4⟩ * {{1}})\n"

TEMPLATES = (
    Template("a rotation", SPUN + "$v = wp.quat_rotate⟨|_inv⟩($q, {2})", (ANGLE, ANGLE, V), (Q, TURNED)),
    Template("a rotation about a given axis", "$q = wp.quat_from_axis_angle(wp.normalize({0}), {1})\n$v = wp.quat_rotate($q, {2})", (template_input(VEC3, 0.2, 4.0), ANGLE, V), (Q, TURNED)),
    Template("spherical interpolation", SPUN + BENT + "$s = wp.quat_slerp($q, $r, {3})\n$v = wp.quat_rotate($s, {2})", (ANGLE, ANGLE, V, SHARE), (Q, R, inner("s", "blended", "mid", "q_t"), TURNED)),
    Template("quaternion integration", SPUN + "$w = wp.quat({2}[0], {2}[1], {2}[2], 0.0)\n$r = wp.normalize($q + ⟨$w * $q * 0.005|0.01 * ($w * $q)|($w * $q) * 0.02⟩)\n$v = wp.quat_rotate($r, {2})", (ANGLE, ANGLE, V), (Q, R, inner("w", "omega", "w", "rate_q"), TURNED)),
    Template("a rotation matrix of a quaternion", SPUN + "$m = wp.quat_to_matrix($q)\n$v = ⟨$m * {2}|wp.transpose($m) * {2}|{2} * $m⟩", (ANGLE, ANGLE, V), (Q, inner("m", "rot_mat", "basis", "r_mat"), TURNED)),
    Template("a relative rotation", SPUN + BENT + "$s = ⟨wp.quat_inverse($q) * $r|$r * wp.quat_inverse($q)⟩\n$a = ⟨$s[3]|wp.dot($q, $r)|$s[0]⟩", (ANGLE, ANGLE), (Q, R, inner("s", "delta_q", "rel", "dq"), template_output("a", FLOAT, -1.0, 1.0, "agreement", "cos_half", "alignment"))),
    Template("axis and angle of a quaternion", SPUN + "$axis, $a = wp.quat_to_axis_angle($q)\n$v = $axis * $a", (template_input(FLOAT, 0.2, 1.2), template_input(FLOAT, 0.2, 1.2)), (Q, inner("axis"), inner("a", "angle", "theta"), template_output("v", VEC3, -7.0, 7.0, "rotvec", "omega", "log_map"))),
    Template("the twist of a rotation", SPUN + f"$a = ⟨wp.quat_twist_angle_signed({AXIS}, $q)|wp.quat_twist_angle({AXIS}, $q)|wp.quat_twist({AXIS}, $q)[3]⟩", (template_input(FLOAT, 0.2, 1.2), template_input(FLOAT, 0.2, 1.2)), (Q, template_output("a", FLOAT, -7.0, 7.0, "twist", "twist_angle", "roll"))),
    Template("Euler angles", SPUN + "$e = ⟨wp.quat_to_euler($q, 2, 1, 0)|wp.quat_to_rpy($q)|wp.quat_to_euler($q, 0, 1, 2)⟩\n$r = wp.quat_from_euler($e * 0.5, ⟨0, 1, 2|2, 1, 0⟩)\n$v = wp.quat_rotate($r, {2})", (template_input(FLOAT, 0.1, 0.7), template_input(FLOAT, 0.1, 0.7), V), (Q, R, inner("e", "euler", "rpy", "angles"), TURNED)),
    Template("a quaternion from a matrix", SPUN + "$r = wp.quat_from_matrix(wp.quat_to_matrix($q))\n$v = wp.quat_rotate($r * ⟨$q|wp.quat_identity()⟩, {2})", (ANGLE, ANGLE, V), (Q, R, TURNED)),
)  # fmt: skip


def draw(builder: KernelBuilder) -> Kernel:
    """Draw a kernel that rotates vectors by angles."""
    return compose_kernel(
        builder, TEMPLATES, (VEC3, FLOAT), (VEC3, VEC3, FLOAT), ("rotate", "orient", "align", "update", "compute"), 2
    )


CATEGORY = Category("quaternion", draw, WEIGHTS, "by quaternions", "geometry", dry_run=False)
