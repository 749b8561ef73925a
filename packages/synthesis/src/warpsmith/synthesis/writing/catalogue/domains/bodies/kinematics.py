"""Ideas of the domain `bodies`: forward kinematics of poses and velocities."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

KINEMATICS = (
    Idea(
        "fk_level",
        "kinematics_level forward_kinematics_level fk_step update_link_poses",
        "compute the position and orientation of each body of one level from its parent's",
        """
        if {depth}[$b] != {level}:
            return
        ⟨1:if $par < 0:
            # roots are placed in the world
            {xpos_out}[$b] = {pos0}[$b]
            {xquat_out}[$b] = {quat0}[$b]
            ⟨3:{xmat_out}[$b] = wp.quat_to_matrix({quat0}[$b])
            |{xcom_out}[$b] = {pos0}[$b] + wp.quat_rotate({quat0}[$b], {com}[$b])
            ||⟩return
        |⟨if $par == -1:
            return
        |if $par == -1 or {weld}[$b] == $par:
            return
        |⟩⟩
        ⟨2:$pq = {xquat}[⟨5:$par|wp.max($par, 0)⟩]
        $x1 = {xpos}[⟨5:$par|wp.max($par, 0)⟩] + wp.quat_rotate($pq, {pos0}[$b])
        $r1 = $pq * {quat0}[$b]
        |$X_wp = {body_q}[⟨5:$par|wp.max($par, 0)⟩]
        $x1 = wp.transform_point($X_wp, {pos0}[$b])
        $r1 = wp.transform_get_rotation($X_wp) * {quat0}[$b]
        |$X_wp = wp.transform({xpos}[⟨5:$par|wp.max($par, 0)⟩], {xquat}[⟨5:$par|wp.max($par, 0)⟩]) * wp.transform({pos0}[$b], {quat0}[$b])
        $x1 = wp.transform_get_translation($X_wp)
        $r1 = wp.transform_get_rotation($X_wp)⟩
        ⟨if {body_type}[$b] == {KINEMATIC}:
            # scripted bodies follow their own pose
            $x1 = {xpos}[$b]
            $r1 = {xquat}[$b]
        |⟩⟨$r1 = wp.normalize($r1)|⟩
        {xpos_out}[$b] = $x1
        {xquat_out}[$b] = $r1
        ⟨3:{xmat_out}[$b] = wp.quat_to_matrix($r1)
        |{xcom_out}[$b] = $x1 + wp.quat_rotate($r1, {com}[$b])
        ||⟩
        """,
        threads="b",
        kinds="control_flow combined transform quaternion early_exit gather_scatter",
        docs="Update one level of the kinematic tree; levels run in order, so that the parents are already known",
    ),
    Idea(
        "velocity_level",
        "propagate_velocities link_velocities_level com_velocity forward_velocity_level",
        "compute the velocity of each body of one level from its parent's⟨1: and the rates of its degrees of freedom||⟩",
        """
        if {depth}[$b] != {level}:
            return
        hook body
        $v1 = wp.vec3(0.0, 0.0, 0.0)
        $w1 = wp.vec3(0.0, 0.0, 0.0)
        if $par >= 0:
            $X_wp = {body_q}[$par]
            $pw = wp.spatial_top({body_qd}[$par])
            $pv = wp.spatial_bottom({body_qd}[$par])
            # lever from the parent to this body
            ⟨$off = {xpos}[$b] - wp.transform_get_translation($X_wp)|$off = wp.transform_vector($X_wp, {pos0}[$b])⟩
            $w1 = $pw
            $v1 = ⟨@vel_at($pv, $pw, $off)|$pv + wp.cross($pw, $off)⟩
        ⟨elif {flags}[$b] & {SLEEPING} == 0:
            $v1 = $v
            $w1 = $w
        |elif {body_type}[$b] == {DYNAMIC}:
            # a floating base
            $v1 = $v
            $w1 = $w
        |else:
            $v1 = $v
        |⟩
        ⟨1:$total = wp.spatial_vector($w1, $v1)
        each body_dof:
            $total += {S}[$dof] * {dqd}[$dof]
        {vel_out}[$b] = $total
        |{vel_out}[$b] = wp.spatial_vector($w1, $v1)
        |$dof = {dof_adr}[$b]
        if {dof_adr}[$b + 1] > $dof:
            # one degree of freedom about an axis through the body
            $w1 += wp.quat_rotate({xquat}[$b], wp.spatial_top({S}[$dof])) * {dqd}[$dof]
        {vel_out}[$b] = wp.spatial_vector($w1, $v1)⟩
        """,
        threads="b",
        kinds="combined spatial transform helper_functions early_exit",
    ),
    Idea(
        "joint_transform",
        "eval_joint_transforms joint_fk compute_joint_poses local_joint_motion",
        "compute the motion of each joint as a transform from its coordinates⟨1:||, in the world⟩",
        """
        hook joint
        $pos = wp.vec3(0.0, 0.0, 0.0)
        $rot = wp.quat_identity()
        if $typ == {REVOLUTE}:
            ⟨$rot = wp.quat_from_axis_angle($ax, {jq}[$q0])|$angle = {jq}[$q0]
            $rot = wp.quat_from_axis_angle($ax, $angle)⟩
        elif $typ == {PRISMATIC}:
            $pos = $ax * {jq}[$q0]
        ⟨6:elif $typ == {BALL}:
            ⟨$rot = {ball}[$j]|# three coordinates: the rotation vector
            $vec = wp.vec3({jq}[$q0], {jq}[$q0 + 1], {jq}[$q0 + 2])
            $angle = wp.sqrt(wp.dot($vec, $vec) + 1.0e-6)
            $rot = wp.quat_from_axis_angle($vec / $angle, $angle)⟩
        |elif $typ == {BALL}:
            $rot = {ball}[$j]
        elif $typ == {FREE}:
            # position first, then the rotation
            $pos = wp.vec3({jq}[$q0 + 0], {jq}[$q0 + 1], {jq}[$q0 + 2])
            $rot = {ball}[$j]
        |elif $typ == {UNIVERSAL}:
            $rot = wp.quat_from_axis_angle($ax, {jq}[$q0]) * wp.quat_from_axis_angle(wp.vec3(⟨1.0, 0.0, 0.0|0.0, 1.0, 0.0⟩), {jq}[$q0 + 1])
        |elif $typ == {FREE}:
            $pos = wp.vec3({jq}[$q0], {jq}[$q0 + 1], {jq}[$q0 + 2])
            ⟨if {body_type}[$child] == {KINEMATIC}:
                $rot = wp.transform_get_rotation({default_q}[$child])
            else:
                $rot = {ball}[$j]
            |$rot = {ball}[$j]⟩⟩

        ⟨1:{X_j}[$j] = wp.transform($pos, $rot)
        |# pose of the child in the frame of the parent
        {X_j}[$j] = {X_p}[$j] * wp.transform($pos, $rot) * wp.transform_inverse({X_c}[$j])
        |{X_j}[$j] = $X_wp * wp.transform($pos, $rot)⟨| * wp.transform_inverse({X_c}[$j])⟩⟩
        """,
        threads="j",
        kinds="multi_conditional control_flow combined transform quaternion",
    ),
    Idea(
        "anchors",
        "update_joint_anchors compute_joint_axes joint_world_frames joint_anchor_axis",
        "compute the anchor and the axis of each joint in the world",
        """
        hook joint
        ⟨1:$frame = $X_wp|$frame = $X_wc|$frame = {body_q}[$child] * {X_c}[$j]⟩
        ⟨{anchor_w}[$j] = wp.transform_get_translation($frame)
        |if $typ == {FREE}:
            {anchor_w}[$j] = wp.transform_get_translation({body_q}[$child])
        else:
            {anchor_w}[$j] = wp.transform_get_translation($frame)
        |if $par_j == -1:
            # anchored to the world
            {anchor_w}[$j] = wp.transform_get_translation({X_p}[$j])
            {axis_w}[$j] = wp.transform_vector({X_p}[$j], $ax)
            return
        {anchor_w}[$j] = wp.transform_get_translation($frame)⟩
        ⟨if $typ == {FIXED}⟨| or $typ == {BALL}⟩:
            # no axis
            {axis_w}[$j] = wp.vec3(0.0, 0.0, 0.0)
        else:
            {axis_w}[$j] = wp.transform_vector($frame, $ax)
        |{axis_w}[$j] = ⟨wp.transform_vector($frame, $ax)|wp.quat_rotate(wp.transform_get_rotation($frame), $ax)⟩
        |if $typ <= {PRISMATIC}:
            {axis_w}[$j] = wp.transform_vector($frame, $ax)⟩
        """,
        threads="j",
        kinds="control_flow combined transform quaternion gather_scatter",
    ),
)
