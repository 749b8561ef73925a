"""Rotations, poses, twists and wrenches by the builtins of quaternions, transforms and spatial vectors."""

from __future__ import annotations

from warpsmith.synthesis.language.types import FLOAT, INT, MAT33, MAT44, QUAT, SPATIAL_VECTOR, TRANSFORM, TYPES, VEC3
from warpsmith.synthesis.writing.ideas.declare import data, size
from warpsmith.synthesis.writing.ideas.parts import Idea, Index

PARAMETERS = (
    size("nb", 16, 48, "num_bodies body_count nb n_links", "number of bodies"),
    data("ang", VEC3, -1.2, 1.2, "euler_angles rpy joint_rpy angles", "roll, pitch and yaw of each body in rad", "nb"),
    data("th", FLOAT, 0.2, 1.4, "angles theta joint_q phi", "angle of each joint in rad", "nb"),
    data("axis", VEC3, -1.0, 1.0, "axes axis joint_axis hinge_dir", "unit axis of each joint", "nb", "unit"),
    data("bq", QUAT, -1.0, 1.0, "orientations q body_rot rotations", "orientation of each body", "nb", "unit"),
    data("bq1", QUAT, -1.0, 1.0, "target_rotations q1 body_rot_target goals", "orientation that each body turns to", "nb", "unit"),
    data("bp", VEC3, -2.0, 2.0, "body_positions p body_pos origins", "position of each body in m", "nb"),
    data("bx", TRANSFORM, -1.0, 1.0, "poses X body_q frames", "pose of each body", "nb", "unit"),
    data("bs", VEC3, 0.5, 1.5, "scales s shape_scale extents", "scale of each body", "nb"),
    data("bv", SPATIAL_VECTOR, -1.0, 1.0, "twists qd body_qd spatial_vel", "twist of each body: angular, then linear", "nb"),
    data("bf", SPATIAL_VECTOR, -1.0, 1.0, "wrenches f body_f spatial_force", "wrench on each body: torque, then force", "nb"),
    data("inert", MAT33, 0.1, 1.2, "inertias I body_inertia inertia", "inertia of each body in kg m^2", "nb", "near_identity"),
    data("bm", FLOAT, 0.5, 2.0, "body_masses m body_mass mass_of", "mass of each body in kg", "nb"),
    data("par", INT, -1, "nb", "parents parent body_parent parent_of", "parent of each body, -1 for the root", "nb", shared=True),
    data("kind", INT, 0, 3, "joint_types type joint_type dof_kind", "type of each joint", "nb"),
    data("bt", FLOAT, 0.1, 0.9, "blend_factors t alpha share", "share of the way from the first to the second rotation", "nb"),
    data("bq_out", QUAT, 0.0, 0.0, "orientations_out q_out body_rot_out rotated", "resulting orientation of each body", "nb"),
    data("bp_out", VEC3, 0.0, 0.0, "points_out p_out world_pos result_pos", "resulting vector of each body", "nb"),
    data("ang_out", VEC3, 0.0, 0.0, "angles_out rpy_out euler_out rotvec", "resulting angles of each body in rad", "nb"),
    data("th_out", FLOAT, 0.0, 0.0, "joint_angles twist_out theta_out q_joint", "resulting angle of each joint in rad", "nb"),
    data("bx_out", TRANSFORM, 0.0, 0.0, "poses_out X_out body_q_out world_frames", "resulting pose of each body", "nb"),
    data("m4_out", MAT44, 0.0, 0.0, "matrices_out M xform_out model_matrices", "matrix of each body", "nb"),
    data("bv_out", SPATIAL_VECTOR, 0.0, 0.0, "twists_out qd_out body_qd_out mapped", "resulting twist or wrench of each body", "nb"),
    data("p6_out", FLOAT, 0.0, 0.0, "power_out power work_rate body_power", "power of each body in W", "nb"),
    data("m6_out", TYPES["spatial_matrixf"], 0.0, 0.0, "spatial_inertias I6 body_I_s block_out", "spatial matrix of each body", "nb"),
    data("many", INT, 0, 0, "active_count num_active limit_hits body_counter", "number of bodies that were counted", "1", start=0.0),
)  # fmt: skip

INDICES = (Index("b", "nb", "tid body b body_index", "body"),)

NAMES = {
    "rot": "q rot r quat_b",
    "rel": "q_rel rel dq delta_q",
    "e": "e euler rpy ang",
    "X": "X pose xf tf",
    "m4": "M mat m4 world_mat",
    "tw": "tw twist motion v6",
    "om": "w omega ang_vel w_b",
    "lin": "v lin lin_vel v_b",
}


AXIS = "wp.vec3(⟨1.0, 0.0, 0.0|0.0, 1.0, 0.0|0.0, 0.0, 1.0⟩)"

POSES = (
    Idea(
        "euler_to_quat",
        "euler_to_quat set_orientations rpy_to_quat angles_to_rotation",
        "compute orientations from ⟨1:roll, pitch and yaw|Euler angles about fixed axes|an axis and an angle⟩ ⟨2:|and rotate the positions|in the frame of the body⟩",
        f"""
        ⟨1:$e = {{ang}}[$b]
        $rot = wp.quat_rpy($e[0], $e[1], $e[2])|$rot = wp.quat_from_euler({{ang}}[$b], ⟨0, 1, 2|2, 1, 0|1, 2, 0⟩)|$rot = wp.quat_from_axis_angle(⟨{{axis}}[$b]|{AXIS}⟩, {{th}}[$b])⟩
        ⟨2:{{bq_out}}[$b] = $rot|{{bp_out}}[$b] = wp.quat_rotate⟨|_inv⟩($rot, {{bp}}[$b])|{{bq_out}}[$b] = {{bq}}[$b] * $rot⟩
        """,
        threads="b",
        kinds="quaternion",
    ),
    Idea(
        "quat_to_angles",
        "quat_to_euler extract_angles decompose_rotation rotation_angles",
        "extract ⟨1:roll, pitch and yaw|Euler angles|the rotation vector⟩ of each orientation",
        """
        ⟨2:$rot = {bq}[$b]|# relative to the target
        $rot = wp.quat_inverse({bq1}[$b]) * {bq}[$b]|$e = {ang}[$b] * 0.5
        $rot = wp.quat_rpy($e[0], $e[1], $e[2])⟩
        ⟨1:{ang_out}[$b] = wp.quat_to_rpy($rot)|{ang_out}[$b] = wp.quat_to_euler($rot, ⟨0, 1, 2|2, 1, 0⟩)|$axis, $angle = wp.quat_to_axis_angle($rot)
        {ang_out}[$b] = $axis * $angle⟩
        """.replace("{bq}[$b]|# relative", "wp.quat_from_axis_angle({axis}[$b], {th}[$b])|# relative")
        .replace("* {bq}[$b]|$e", "* wp.quat_from_axis_angle({axis}[$b], {th}[$b])|$e")
        .replace("wp.quat_inverse({bq1}[$b])", "wp.quat_rpy(0.1, ⟨0.2|-0.1⟩, 0.0)"),
        threads="b",
        kinds="quaternion",
    ),
    Idea(
        "slerp_rotations",
        "slerp_orientations blend_rotations interpolate_poses turn_towards",
        "turn each orientation part of the way to its target",
        """
        ⟨3:if wp.dot({bq}[$b], {bq1}[$b]) < ⟨0.0|-0.2⟩:
            # the other sign of the target is closer
            $rel = -{bq1}[$b]
        else:
            $rel = {bq1}[$b]
        |$rel = {bq1}[$b]
        ⟩⟨2:{bq_out}[$b] = wp.quat_slerp({bq}[$b], $rel, {bt}[$b])|$rot = wp.normalize({bq}[$b] * (1.0 - {bt}[$b]) + $rel * {bt}[$b] + wp.quat(0.0, 0.0, 0.0, 0.1))
        {bq_out}[$b] = $rot|if {kind}[$b] == ⟨0|1⟩:
            {bq_out}[$b] = {bq}[$b]
            wp.atomic_add({many}, 0, 1)
        else:
            {bq_out}[$b] = wp.quat_slerp({bq}[$b], $rel, {bt}[$b])⟩
        """.replace("⟩⟨2:", "⟩⟨2:"),
        threads="b",
        kinds="quaternion",
        forward_only=True,
    ),
    Idea(
        "joint_twist",
        "hinge_angles twist_angles joint_positions swing_twist",
        "measure ⟨1:the signed angle|the angle|the twist⟩ of each rotation about its axis",
        f"""
        $rot = wp.quat_from_axis_angle({AXIS}, {{th}}[$b])⟨| * wp.quat_rpy(0.1, 0.2, ⟨-0.1|0.3⟩)⟩
        ⟨1:$angle = wp.quat_twist_angle_signed(⟨{{axis}}[$b]|{AXIS}⟩, $rot)|$angle = wp.quat_twist_angle({{axis}}[$b], $rot)|$rel = wp.quat_twist({{axis}}[$b], $rot)
        $angle = $rel[3]⟩
        ⟨2:{{th_out}}[$b] = $angle|{{th_out}}[$b] = $angle * {{bt}}[$b]|if {{kind}}[$b] == ⟨1|2⟩:
            {{th_out}}[$b] = $angle
            wp.atomic_add({{many}}, 0, 1)
        else:
            {{th_out}}[$b] = {{th}}[$b]⟩
        """,
        threads="b",
        kinds="quaternion",
    ),
    Idea(
        "rotation_matrices",
        "rotate_inertia world_inertia basis_vectors matrix_to_quat",
        "⟨1:rotate the inertia of each body to the world|take the basis vectors of each body|rebuild orientations from matrices⟩",
        """
        $m = wp.quat_to_matrix(⟨{bq}[$b]|wp.quat_from_axis_angle({axis}[$b], {th}[$b])⟩)
        ⟨1:$i3 = $m * {inert}[$b] * wp.transpose($m)
        {bp_out}[$b] = ⟨$i3 * {bp}[$b]|wp.get_diag($i3)|wp.cross({bp}[$b], $i3 * {bp}[$b])⟩|{bp_out}[$b] = wp.vec3($m[0, ⟨0|1|2⟩], $m[1, 2], $m[2, 1])|{bq_out}[$b] = wp.quat_from_matrix($m)⟩
        ⟨2:{th_out}[$b] = wp.trace($m)|⟩
        """,
        threads="b",
        kinds="quaternion matrix",
        forward_only=True,
    ),
    Idea(
        "compose_matrices",
        "model_matrices compose_transforms build_model_matrix local_to_world",
        "build the matrix of ⟨1:position, orientation and scale|a pose|a pose, and map a point by it⟩",
        """
        ⟨1:$m4 = wp.transform_compose({bp}[$b], {bq}[$b], {bs}[$b])|$m4 = wp.transform_to_matrix({bx}[$b])|$m4 = wp.transform_to_matrix({bx}[$b])
        {bp_out}[$b] = wp.transform_point($m4, {bp}[$b])⟩
        ⟨2:{m4_out}[$b] = $m4|if {par}[$b] < 0:
            {m4_out}[$b] = $m4
            return
        # relative to the parent
        {m4_out}[$b] = wp.transform_to_matrix({bx}[{par}[$b]]) * $m4|{m4_out}[$b] = $m4
        wp.atomic_add({many}, 0, 1)⟩
        """,
        threads="b",
        kinds="transform matrix",
    ),
    Idea(
        "decompose_matrices",
        "decompose_transforms extract_poses matrix_to_pose split_matrix",
        "split matrices into ⟨1:position, orientation and scale|poses⟩",
        """
        $m4 = wp.transform_compose({bp}[$b], wp.quat_from_axis_angle({axis}[$b], {th}[$b]), ⟨{bs}[$b]|wp.vec3(1.0, 1.0, 1.0)⟩)
        ⟨1:$pos, $rot, $scale = wp.transform_decompose($m4)
        {bp_out}[$b] = ⟨$pos|$scale|$pos + $scale⟩
        {bq_out}[$b] = $rot|$X = wp.transform_from_matrix($m4)
        ⟨{bx_out}[$b] = $X|{bp_out}[$b] = wp.transform_vector($X, {ang}[$b])⟩⟩
        """,
        threads="b",
        kinds="transform",
        forward_only=True,
    ),
    Idea(
        "edit_poses",
        "place_bodies reset_poses set_translations update_frames",
        "⟨1:move each pose|turn each pose|place each pose at its parent⟩",
        """
        $X = {bx}[$b]
        ⟨1:wp.transform_set_translation($X, {bp}[$b]⟨| * {bt}[$b]⟩)|wp.transform_set_rotation($X, ⟨{bq}[$b]|wp.normalize({bq}[$b] + wp.quat(0.0, 0.0, 0.0, 2.0))⟩)|if {par}[$b] >= 0:
            wp.transform_set_translation($X, wp.transform_get_translation({bx}[{par}[$b]]))
            wp.atomic_add({many}, 0, 1)⟩
        ⟨2:{bx_out}[$b] = $X|{bp_out}[$b] = wp.transform_point($X, {bp}[$b])|{bx_out}[$b] = ⟨wp.transform_inverse($X)|$X * {bx}[$b]|wp.transform_expand(wp.transform_to_matrix($X)[0, 0])⟩⟩
        """.replace("|wp.transform_expand(wp.transform_to_matrix($X)[0, 0])", ""),
        threads="b",
        kinds="transform",
        forward_only=True,
    ),
    Idea(
        "map_twists",
        "transform_twists move_twists world_twists shift_wrenches",
        "map ⟨1:twists|wrenches|twists of the parent⟩ to another frame",
        """
        ⟨1:$tw = wp.transform_twist({bx}[$b], {bv}[$b])|$tw = wp.transform_wrench({bx}[$b], {bf}[$b])|$j = {par}[$b]
        if $j < 0:
            {bv_out}[$b] = {bv}[$b]
            return
        $tw = wp.transform_twist(wp.transform_inverse({bx}[$b]), {bv}[$j])⟩
        ⟨2:{bv_out}[$b] = $tw|{bv_out}[$b] = $tw ⟨+|-⟩ {bv}[$b]|{bv_out}[$b] = $tw
        {p6_out}[$b] = wp.spatial_dot($tw, {bf}[$b])⟩
        """,
        threads="b",
        kinds="spatial transform",
    ),
    Idea(
        "point_velocities",
        "point_velocities contact_velocity velocity_of_points site_velocities",
        "compute the velocity of a point of each body ⟨2:|and its power|relative to the parent⟩",
        """
        $r = ⟨{bp}[$b]|{bp}[$b] - wp.transform_get_translation({bx}[$b])|wp.transform_vector({bx}[$b], {bp}[$b])⟩
        $lin = wp.velocity_at_point({bv}[$b], $r)
        ⟨2:{bp_out}[$b] = $lin|{bp_out}[$b] = $lin
        {p6_out}[$b] = wp.dot($lin, wp.spatial_bottom({bf}[$b]))|$j = {par}[$b]
        if $j >= 0:
            $lin = $lin - wp.velocity_at_point({bv}[$j], $r)
        {bp_out}[$b] = $lin⟩
        """,
        threads="b",
        kinds="spatial vector",
    ),
    Idea(
        "spatial_products",
        "spatial_products coriolis_forces gyroscopic_terms spatial_bias",
        "compute ⟨1:the cross product of twists|the dual cross product with the wrench|the power⟩ of each body",
        """
        ⟨1:{bv_out}[$b] = wp.spatial_cross({bv}[$b], ⟨{bf}[$b]|{bv}[wp.max({par}[$b], 0)]⟩)|{bv_out}[$b] = wp.spatial_cross_dual({bv}[$b], {bf}[$b])⟨| * {bm}[$b]⟩|{p6_out}[$b] = wp.spatial_dot({bv}[$b], {bf}[$b])⟨| * {bt}[$b]⟩⟩
        ⟨2:if {kind}[$b] == 0:
            wp.atomic_add({many}, 0, 1)|{th_out}[$b] = wp.length(wp.spatial_top({bv}[$b]))|⟩
        """,
        threads="b",
        kinds="spatial",
    ),
    Idea(
        "spatial_blocks",
        "spatial_inertia adjoint_matrices spatial_blocks motion_transform",
        "build ⟨1:the adjoint matrix of each pose|the spatial inertia of each body⟩",
        """
        ⟨1:$m = wp.quat_to_matrix(wp.transform_get_rotation({bx}[$b]))
        $s3 = wp.skew(wp.transform_get_translation({bx}[$b])) * $m
        {m6_out}[$b] = wp.spatial_adjoint($m, $s3)|$c = wp.skew({bp}[$b])
        $i3 = {inert}[$b] + {bm}[$b] * $c * wp.transpose($c)
        $m = $c * {bm}[$b]
        {m6_out}[$b] = wp.spatial_adjoint($i3, $m)⟩
        ⟨2:{p6_out}[$b] = wp.trace($m)|⟩
        """,
        threads="b",
        kinds="spatial matrix",
    ),
)
