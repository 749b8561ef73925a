"""Category `spatial`: twists, wrenches and inertias of articulated bodies."""

from __future__ import annotations

from warpsmith.synthesis.language.nodes import Kernel
from warpsmith.synthesis.language.types import FLOAT, VEC3
from warpsmith.synthesis.writing.catalogue.categories.category import Category
from warpsmith.synthesis.writing.filling.production_weights import ProductionWeights
from warpsmith.synthesis.writing.skeletons.compose import compose_kernel
from warpsmith.synthesis.writing.skeletons.kernel_builder import KernelBuilder
from warpsmith.synthesis.writing.skeletons.templates import Template, inner, template_input, template_output

WEIGHTS = ProductionWeights((("arithmetic", 3.0), ("vector", 4.0), ("physics", 1.5), ("selection", 0.4)))

W, V, M = template_input(VEC3, -3.0, 3.0), template_input(VEC3, -3.0, 3.0), template_input(FLOAT, 0.5, 3.0)
A = inner("a", "v_s", "twist", "body_qd", "s_vel")
B = inner("b", "f_s", "wrench", "body_f", "s_force")
C = inner("c", "c_s", "bias", "s_acc", "coriolis")
TWIST = "$a = wp.spatial_vector({0}, {1})\n"
POWER = template_output("p", FLOAT, -300.0, 300.0, "power", "work_rate", "virtual_power")
PART = template_output("v", VEC3, -80.0, 80.0, "linear", "angular", "v_part")

TEMPLATES = (
    Template(
        "the power of a wrench",
        TWIST + "$b = wp.spatial_vector({1} * ⟨0.5|2.0⟩, {0} * {2})\n$p = ⟨wp.spatial_dot($a, $b)|wp.dot($a, $b)⟩",
        (W, V, M),
        (A, B, POWER),
    ),
    Template(
        "a spatial cross product",
        TWIST
        + "$b = wp.spatial_vector({0} * {2}, {1})\n$c = wp.spatial_cross⟨|_dual⟩($a, $b)\n$v = wp.spatial_⟨top|bottom⟩($c)",
        (W, V, M),
        (A, B, C, template_output("v", VEC3, -400.0, 400.0, "gyro", "bias_force", "coupling")),
    ),
    Template(
        "the velocity of a point on a body",
        TWIST + "$v = wp.velocity_at_point($a, {1} * ⟨0.5|0.25⟩ + wp.vec3(0.0, ⟨0.1|1.0⟩, 0.0))",
        (W, V),
        (A, PART),
    ),
    Template(
        "the kinetic energy of a rigid body",
        TWIST + "$m = wp.diag(wp.spatial_vector(⟨0.1, 0.2, 0.3|0.4, 0.4, 0.2⟩, {2}, {2}, {2}))\n"
        "$p = 0.5 * wp.⟨spatial_dot|dot⟩($a, $m * $a)",
        (W, V, M),
        (A, inner("m", "inertia", "i_s", "mass_matrix"), template_output("p", FLOAT, -100.0, 200.0, "kinetic", "energy", "ke")),
    ),
    Template(
        "a change of frame of a twist",
        "$x = wp.transform({1}, wp.quat_rpy(⟨0.1, 0.2|0.5, -0.2⟩, {2} * 0.3))\n"
        "$a = ⟨wp.transform_twist|wp.transform_wrench⟩($x, wp.spatial_vector({0}, {1}))\n$v = wp.spatial_⟨top|bottom⟩($a)",
        (W, V, M),
        (A, inner("x", "x_wj", "x_ws", "joint_pose"), PART),
    ),
    Template(
        "an adjoint map",
        "$r = wp.quat_to_matrix(wp.quat_rpy({2} * 0.2, ⟨0.1|0.3⟩, ⟨-0.2|0.4⟩))\n$s = wp.skew({1}) * $r\n"
        "$m = wp.spatial_adjoint($r, $s)\n$a = $m * wp.spatial_vector({0}, {1})\n$v = wp.spatial_⟨bottom|top⟩($a)",
        (W, V, M),
        (A, inner("r", "rot_m", "r_ij"), inner("s", "skew_pr", "s_ij"), inner("m", "adj", "ad_map"), PART),
    ),
    Template(
        "a joint's motion subspace",
        TWIST + "$b = wp.spatial_vector(⟨0.0, 0.0, 1.0|0.0, 1.0, 0.0⟩, 0.0, ⟨0.0|0.2⟩, 0.0) * {2}\n"
        "$c = $a + $b * ⟨0.5|-1.5⟩ - wp.spatial_cross($a, $b) * 0.1\n$v = wp.spatial_top($c) + wp.spatial_bottom($c)",
        (W, V, M),
        (A, B, C, PART),
    ),
)


def draw(builder: KernelBuilder) -> Kernel:
    """Draw a kernel that computes powers and velocities from angular and linear velocities."""
    return compose_kernel(
        builder, TEMPLATES, (VEC3, VEC3, FLOAT), (VEC3, FLOAT), ("solve", "propagate", "evaluate", "compute", "update"), 2
    )


CATEGORY = Category("spatial", draw, WEIGHTS, "by spatial algebra", "geometry", dry_run=False)
