"""Category `contact`: penalty forces, friction, joint limits, inertia, and rotations integrated by quaternions."""

from __future__ import annotations

from warpsmith.synthesis.language.types import FLOAT, INT, MAT33, QUAT, VEC3
from warpsmith.synthesis.writing.catalogue.categories.category import Category
from warpsmith.synthesis.writing.catalogue.vocabulary.data import ROBOT
from warpsmith.synthesis.writing.catalogue.vocabulary.physics import RIGID
from warpsmith.synthesis.writing.filling.production_weights import ProductionWeights
from warpsmith.synthesis.writing.skeletons.domain_template import DomainTemplate, array, length, output, total, value
from warpsmith.synthesis.writing.skeletons.templates import Template, inner, template_input, template_output

WEIGHTS = ProductionWeights((("arithmetic", 4.0), ("vector", 3.0), ("physics", 2.0), ("curve", 0.6), ("selection", 0.6)))

PARAMETERS = (
    length("bodies", 8, 8, "body_count"),
    array("x", VEC3, -1.5, 1.5, "contact_points", "body_x", "contact_x"),
    array("v", VEC3, -2.0, 2.0, "contact_v", "body_v", "rel_velocities"),
    array("w", VEC3, -2.0, 2.0, "body_w", "omega_in", "spin_in"),
    array("nrm", VEC3, -1.0, 1.0, "normals", "contact_n", "contact_dirs", distribution="unit"),
    array("arm", VEC3, -0.5, 0.5, "lever_arms", "r_arm", "contact_offset"),
    array("q", QUAT, -1.0, 1.0, "body_q", "orientations", "rotations_in", distribution="unit"),
    array("inertia", MAT33, -0.2, 1.2, "body_inertia", "inertia_in", distribution="near_identity"),
    array("im", FLOAT, 0.3, 2.0, "inv_mass", "body_inv_mass"),
    array("jq", FLOAT, -2.0, 2.0, "joint_q", "joint_angles", "q_pos"),
    array("jd", FLOAT, -3.0, 3.0, "joint_qd", "joint_rates"),
    array("body", INT, 0, 7, "contact_body", "body_index"),
    value("ke", 1.0, 20.0, "ke", "contact_ke", "k_n"),
    value("kd", 0.1, 2.0, "kd", "contact_kd", "c_n"),
    value("mu", 0.1, 1.0, "mu", "friction_mu", "coeff_mu"),
    value("h", 0.005, 0.05, "dt", "h", "sim_dt"),
    total("f", VEC3, "body_f", "forces_acc", "contact_f", dims=("bodies",)),
    total("tau", VEC3, "body_tau", "torques_acc", dims=("bodies",)),
    output("nq", QUAT, "body_q_new", "next_rotations", "q_out"),
    output("nw", VEC3, "w_new", "spin_out", "next_omega"),
)
N, V = inner("n", "n", "nrm_i", "dir_n"), inner("v", "v", "v_rel", "vel_c")
D, U, T = inner("d", "d", "depth_c", "pen"), inner("u", "vn", "v_normal", "speed_n"), inner("t", "vt", "v_tangent", "slip")
F, G = inner("f", "fn", "f_normal", "normal_f"), inner("g", "ft", "f_friction", "tangent_f")
TOUCH = "$n = {nrm}[{i}]\n$v = {v}[{i}]\n$u = wp.dot($v, $n)\n$d = ⟨wp.dot({x}[{i}], $n)|{x}[{i}][1]⟩ - ⟨0.2|{0}|0.1⟩\n"
SLIDE = "$t = $v - $n * $u\n"
R = template_output("r", FLOAT, -200.0, 200.0, "joint_f", "limit_tau", "effort_out", "power_c")
FORCE = template_output("o", VEC3, -300.0, 300.0, "f_total", "contact_force_v", "impulse_v", "delta_v")
Q, P = inner("q", "q", "rot_i", "attitude"), inner("p", "q_dot", "dq", "rate")
X, S, W = template_input(FLOAT, -1.0, 1.0), template_input(FLOAT, 0.1, 3.0), template_input(VEC3, -3.0, 3.0)
BASE = (N, V, U, D)

TEMPLATES = (
    Template("a penalty force", TOUCH + "$o = $n * ⟨wp.where($d < 0.0, -{ke} * $d - {kd} * $u, ⟨0.0|0.01 * $u⟩)|(wp.max(-$d, 0.0) * {ke} - {kd} * $u)|({ke} * wp.max(-$d, ⟨0.0|0.01⟩) + wp.min($u, 0.0) * -{kd})⟩".replace("⟨0.0|0.01 * $u⟩", "0.01 * $u"), (X,), (*BASE, FORCE)),
    Template("a penalty force with friction", TOUCH + SLIDE + "$f = {ke} * wp.max(-$d, 0.0)\n$g = $t * (-wp.min({kd}, {mu} * $f / (wp.length($t) + ⟨0.1|0.01⟩)))\n$o = $n * ($f - {kd} * wp.min($u, 0.0)) + $g", (X,), (*BASE, T, F, G, FORCE)),
    Template("smooth friction", TOUCH.split("$d", maxsplit=1)[0] + SLIDE + "$o = $t * (-{mu} * ⟨{0}|{ke}⟩ * wp.tanh(wp.length($t) ⟨* 4.0|/ 0.2⟩) / (wp.length($t) + 0.05)) - $n * ({kd} * $u)", (S,), (N, V, U, T, FORCE)),
    Template("a cone of friction", TOUCH.split("$d", maxsplit=1)[0] + SLIDE + "$f = {0} + ⟨0.1|0.5⟩\n$s = wp.length($t) + 0.01\n$o = $n * $f - $t * (wp.min($s, {mu} * $f) / $s)", (S,), (N, V, U, T, F, inner("s", "slip_speed", "vt_len"), FORCE)),
    Template("an impulse with restitution", TOUCH.split("$d", maxsplit=1)[0] + "$c = wp.cross({arm}[{i}], $n)\n$s = {im}[{i}] + wp.dot($c, $c)\n$o = $n * (-(1.0 + ⟨0.5|0.3|{mu}⟩) * wp.min($u, ⟨0.0|{0}⟩) / $s)⟨| + 0.01 * $v⟩", (X,),
          (N, V, U, inner("c", "ang_n", "rxn"), inner("s", "inv_eff_mass", "k_eff"), FORCE)),
    Template("forces added to bodies", TOUCH + "$b = {body}[{i}]\n$g = $n * (-{ke} * wp.min($d, 0.0) - {kd} * $u)\nwp.atomic_add({f}, $b, $g)\nwp.atomic_add({tau}, $b, wp.cross({arm}[{i}], $g))", (X,), (*BASE, inner("b", "b", "body_i"), inner("g", "f_c", "force_c"))),
    Template("Hertz's contact", TOUCH + "$f = wp.max(-$d, 0.0)\n$o = $n * ({ke} * $f * wp.sqrt($f + ⟨0.01|0.001⟩) - {kd} * $f * $u)", (X,), (*BASE, inner("f", "overlap_c", "delta_n"), FORCE)),
    Template("joint limits", "$s = {jq}[{i}]\n$u = {jd}[{i}]\n$r = ⟨0.0|-0.1 * $u|{0}⟩\nif $s < -⟨1.0|1.2⟩:\n    $r = {ke} * (-⟨1.0|1.2⟩ - $s) - {kd} * $u\nelif $s > ⟨1.0|1.5⟩:\n    $r = {ke} * (⟨1.0|1.5⟩ - $s) - {kd} * $u".replace("⟨0.0|-0.1", "⟨0.05 * $s|-0.1"), (X,), (inner("s", "q", "angle_j"), inner("u", "qd", "rate_j"), R)),
    Template("a drive at a joint", "$r = {ke} * (⟨{0}|0.5⟩ - {jq}[{i}]) ⟨- {kd} * {jd}[{i}]|+ {kd} * (0.1 - {jd}[{i}])⟩\n$r = wp.clamp($r, -⟨20.0|15.0⟩, ⟨20.0|15.0⟩)", (X,), (R,)),
    Template("inertia in the world", "$m = wp.quat_to_matrix({q}[{i}])\n$k = $m @ {inertia}[{i}] @ wp.transpose($m)\n$o = ⟨$k @ {w}[{i}]|wp.cross({w}[{i}], $k @ {w}[{i}])|$k @ {0}⟩", (W,), (inner("m", "rot_m", "r_mat"), inner("k", "i_world", "inertia_w"), FORCE)),
    Template("rotations integrated by quaternions", "$q = {q}[{i}]\n$u = {w}[{i}]⟨| + {0} * {h}⟩\n$p = wp.quat($u[0], $u[1], $u[2], 0.0) * $q\n{nq}[{i}] = wp.normalize($q + $p * (0.5 * {h}))⟨|\n{nw}[{i}] = $u * (1.0 - ⟨0.1|{kd}⟩ * {h})⟩", (W,), (Q, inner("u", "omega", "w_i"), P)),
    Template("a gyroscopic torque", "$q = {q}[{i}]\n$u = wp.quat_rotate_inv($q, {w}[{i}])\n$t = wp.cross($u, {inertia}[{i}] @ $u)\n$o = ⟨{w}[{i}] + |⟩wp.quat_rotate($q, ⟨{0} - $t|-$t⟩ * {h})", (W,), (Q, inner("u", "w_body", "w_loc"), inner("t", "gyro", "coriolis"), FORCE)),
    Template("the velocity at a point", "$q = {q}[{i}]\n$d = wp.quat_rotate($q, {arm}[{i}])\n$o = {v}[{i}] + wp.cross({w}[{i}], $d)⟨| + {0} * {h}⟩", (W,), (Q, inner("d", "r_world", "arm_w"), FORCE)),
)  # fmt: skip

DOMAIN = DomainTemplate((RIGID, ROBOT), TEMPLATES, ("solve", "evaluate", "apply", "resolve", "integrate"), PARAMETERS)
CATEGORY = Category("contact", DOMAIN.draw, WEIGHTS, "of bodies in contact", "domains", dry_run=False)
