"""Ideas of the domain `bodies`: joint constraints, drives and limits."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

JOINTS = (
    Idea(
        "joint_error",
        "eval_joint_errors joint_constraint_error compute_attachment_error joint_residual",
        "measure how far the two frames of each joint are apart⟨1:, in position and rotation|, in position|, in rotation⟩",
        """
        hook joint
        ⟨3:if $typ == {FREE}⟨| or $typ == {UNIVERSAL}⟩:
            return
        |if $typ >= {FREE}:
            # nothing to hold
            ⟨1:{err_pos}|{err_pos}|{err_rot}⟩[$j] = wp.vec3(0.0, 0.0, 0.0)
            return
        |⟩
        $xp = wp.transform_get_translation($X_wp)
        $xc = wp.transform_get_translation($X_wc)
        $qp = wp.transform_get_rotation($X_wp)
        $qc = wp.transform_get_rotation($X_wc)
        ⟨1:$d = $xc - $xp
        if $typ == {PRISMATIC}:
            # motion along the axis is free
            $aw = wp.quat_rotate($qp, $ax)
            $d = $d - $aw * wp.dot($d, $aw)
        {err_pos}[$j] = $d
        |⟨$d = $xc - $xp
        |# in the joint frame of the parent
        $d = wp.quat_rotate_inv($qp, $xc - $xp)
        ⟨if $typ == {PRISMATIC}:
            $d -= $ax * wp.dot($d, $ax)
        |⟩⟩{err_pos}[$j] = $d
        |⟩
        ⟨1:# rotation that the joint does not allow
        ⟨$e = @quat_error($qc, $qp)|$rel = wp.quat_inverse($qp) * $qc
        $e = wp.vec3($rel[0], $rel[1], $rel[2]) * 2.0⟩
        if $typ == {REVOLUTE}:
            $e = $e - $ax * wp.dot($e, $ax)
        elif $typ == {BALL}:
            $e = wp.vec3(0.0, 0.0, 0.0)
        {err_rot}[$j] = $e
        ||$e = @quat_error($qc, $qp)
        if $typ == {BALL}:
            {err_rot}[$j] = wp.vec3(0.0, 0.0, 0.0)
        elif $typ == {REVOLUTE}:
            {err_rot}[$j] = $e - $ax * wp.dot($ax, $e)
        else:
            {err_rot}[$j] = $e⟩
        """,
        threads="j",
        kinds="vector control_flow combined transform quaternion",
    ),
    Idea(
        "joint_forces",
        "eval_joint_wrenches apply_joint_forces joint_attachment_forces eval_body_joints",
        "hold joints together by a spring and a damper and add ⟨1:the forces|the forces and torques|the forces⟩ to both bodies",
        """
        hook joint
        ⟨if $typ == {FREE}:
            return
        |if $typ == {FREE} or $typ == {UNIVERSAL}:
            return
        |⟩
        # anchors in the world
        $xp = wp.transform_get_translation($X_wp)
        $xc = wp.transform_get_translation($X_wc)
        $vc = wp.spatial_bottom({body_qd}[$child])
        $wc = wp.spatial_top({body_qd}[$child])
        $rc = $xc - wp.transform_get_translation({body_q}[$child])
        ⟨$vrel = @vel_at($vc, $wc, $rc)|$vrel = $vc + wp.cross($wc, $rc)⟩
        ⟨if $par_j >= 0:
            $vrel -= @vel_at(wp.spatial_bottom({body_qd}[$par_j]), wp.spatial_top({body_qd}[$par_j]), $xp - wp.transform_get_translation({body_q}[$par_j]))
        |⟩$f = ($xp - $xc) * {attach_ke} - $vrel * {attach_kd}
        ⟨if $typ == {PRISMATIC}:
            # free along the axis
            $aw = wp.transform_vector($X_wp, $ax)
            $f = $f - $aw * wp.dot($aw, $f)
        |if $typ == {PRISMATIC}:
            $aw = wp.transform_vector($X_wp, $ax)
            # along the axis, it follows its coordinate
            $drive = {jq}[$q0] - wp.dot($xc - $xp, $aw)
            $f = $f + $aw * ($drive * {attach_ke} - wp.dot($aw, $f))
        |⟩
        $t = wp.vec3(0.0, 0.0, 0.0)
        ⟨1:|if $typ == {FIXED}⟨| or $typ == {PRISMATIC}⟩:
            # no relative rotation
            $t += @quat_error(wp.transform_get_rotation($X_wp), wp.transform_get_rotation($X_wc)) * {attach_ke}
        |if $typ == {REVOLUTE}:
            # towards its zero position
            $aw = wp.transform_vector($X_wc, $ax)
            $t -= $aw * ({jq}[$q0] * {attach_ke} + wp.dot($wc, $aw) * {attach_kd})
        ⟩wp.atomic_add({jwrench}, $child, wp.spatial_vector($t + wp.cross($rc, $f), $f))
        ⟨if $par_j >= 0:
            $rp = $xp - wp.transform_get_translation({body_q}[$par_j])
            wp.atomic_sub({jwrench}, $par_j, wp.spatial_vector($t + wp.cross($rp, $f), $f))
        |if $par_j != -1:
            # equal and opposite
            $rp = $xp - wp.transform_get_translation({body_q}[$par_j])
            wp.atomic_sub({jwrench}, $par_j, wp.spatial_vector(wp.cross($rp, $f) + $t, $f))
        ⟩
        """,
        threads="j",
        kinds="atomic combined scalar_param spatial transform quaternion atomics",
    ),
    Idea(
        "drive",
        "eval_joint_drives joint_drive_forces compute_dof_forces passive_forces",
        "compute the force of the drive⟨1: and of the limits| and of the limits|⟩ of each degree of freedom",
        """
        hook dof
        $tau = @drive_force({mode}[$d], {target}[$d], $dqi, $dqdi, {ke}[$d], {kd}[$d])
        ⟨1:$tau += @limit_force($dqi, $dqdi, {lower}[$d], {upper}[$d], {limit_ke}, {limit_kd})
        |⟨if {limited}[$d] == 1:
            if $dqi < $lo:
                $tau += {limit_ke} * ($lo - $dqi) - {limit_kd} * wp.min($dqdi, 0.0)
                {at_limit}[$d] = -1
            elif $dqi > $hi:
                $tau -= {limit_ke} * ($dqi - $hi) + {limit_kd} * wp.max($dqdi, 0.0)
                {at_limit}[$d] = 1
        |# limits act only on some degrees of freedom
        if {limited}[$d] != 0:
            $tau += @limit_force($dqi, $dqdi, {lower}[$d], {upper}[$d], {limit_ke}, {limit_kd})⟩
        |⟩
        hook tau
        {dof_f}[$d] = $tau
        """,
        threads="d",
        kinds="multi_conditional control_flow helper_functions struct",
        docs="Evaluate the drives: position drives are springs with dampers, velocity drives are dampers, effort drives pass the target on",
    ),
    Idea(
        "integrate_dof",
        "integrate_joints advance_coordinates integrate_generalized_joints euler_joint_step",
        "advance the position and the velocity of each degree of freedom by one step⟨1: and stop at the limits|, with limits that reflect|⟩",
        """
        hook dof
        ⟨$acc = {tau}[$d] / {armature}[$d]
        |$acc = ({tau}[$d] - {kd}[$d] * $dqdi) / (1.0 + {armature}[$d])
        |# implicit damping
        $acc = ({tau}[$d] - {kd}[$d] * $dqdi - {ke}[$d] * $dqi) / (1.0 + {armature}[$d] + {dt} * {kd}[$d])⟩
        $vnew = $dqdi + $acc * {dt}
        ⟨if {mode}[$d] == {VELOCITY}:
            # driven at the target velocity
            $vnew = {target}[$d]
        elif {mode}[$d] == {EFFORT}:
            $vnew = wp.clamp($vnew, -{w_max}, {w_max})
        |⟩⟨$qnew = $dqi + $vnew * {dt}|# trapezoidal rule
        $qnew = $dqi + 0.5 * ($dqdi + $vnew) * {dt}⟩
        ⟨1:if {limited}[$d] == 1:
            if $qnew < $lo:
                $qnew = $lo
                $vnew = 0.0
            elif $qnew > $hi:
                $qnew = $hi
                $vnew = 0.0
        |if {limited}[$d] != 0 and $qnew > $hi:
            $qnew = 2.0 * $hi - $qnew
            $vnew = -$vnew
        elif {limited}[$d] != 0 and $qnew < $lo:
            $qnew = 2.0 * $lo - $qnew
            $vnew = -$vnew
        |⟩
        {dq_out}[$d] = $qnew
        {dqd_out}[$d] = $vnew
        """,
        threads="d",
        kinds="control_flow multi_conditional arithmetic",
    ),
    Idea(
        "mass_matrix",
        "assemble_mass_matrix composite_inertia_matrix compute_mass_matrix crb_matrix",
        "compute the entries of the joint-space mass matrix⟨1: above and on the diagonal||, zero between different branches⟩",
        """
        ⟨1:if $d2 < $d:
            return
        ||if {ancestor}[$d, $d2] == 0 and $d != $d2:
            {M}[$d, $d2] = 0.0
            return
        ⟩$bd = {dof_body}[$d2]
        $mb = {mass}[$bd]
        $wi = wp.spatial_top({S}[$d])
        $vi = wp.spatial_bottom({S}[$d])
        $wj = wp.spatial_top({S}[$d2])
        $vj = wp.spatial_bottom({S}[$d2])
        ⟨# inertia of the body about its own frame
        $h = wp.cross($wj, {com}[$bd])
        $entry = wp.dot($wi, {inertia}[$bd] * $wj) + $mb * wp.dot($vi, $vj + $h)
        |$entry = wp.dot($wi, wp.cw_mul({diag}[$bd], $wj)) + wp.dot($vi, $vj) * $mb
        |$R = wp.quat_to_matrix({xquat}[$bd])
        $Iw = $R * {inertia}[$bd] * wp.transpose($R)
        $entry = wp.dot($wi, $Iw * $wj) + $mb * wp.dot($vi, $vj)⟩
        if $d == $d2:
            # the rotor adds to the diagonal
            $entry += {armature}[$d]⟨| + {dt} * {kd}[$d]⟩
        {M}[$d, $d2] = $entry
        """,
        threads="d d2",
        kinds="combined control_flow multi_dim spatial linear_algebra",
    ),
    Idea(
        "ball_step",
        "integrate_ball_joints advance_joint_rotations step_spherical_joints update_ball_coords",
        "advance the rotation of each ⟨1:ball|ball or free|⟩ joint by its angular velocity",
        """
        hook joint
        ⟨1:if $typ != {BALL}:
            {ball_out}[$j] = {ball}[$j]
            return
        |if $typ != {BALL} and $typ != {FREE}:
            # no rotation to advance
            {ball_out}[$j] = {ball}[$j]
            return
        |⟩$k = ⟨1:$qd0|$qd0 + 3 if $typ == {FREE} else $qd0|$qd0⟩
        $wj = wp.vec3({jqd}[$k], {jqd}[$k + 1], {jqd}[$k + 2])
        ⟨# velocities are in the frame of the child
        $wj = wp.quat_rotate({ball}[$j], $wj)
        |if $par_j >= 0:
            # relative to the parent
            $wj = $wj - wp.spatial_top({body_qd}[$par_j])
        |⟩⟨if {body_type}[$child] == {STATIC}:
            $wj = wp.vec3(0.0, 0.0, 0.0)
        |⟩⟨{ball_out}[$j] = @quat_step({ball}[$j], $wj, {dt})
        |$dq = wp.quat($wj, 0.0) * {ball}[$j]
        {ball_out}[$j] = wp.normalize({ball}[$j] + $dq * (0.5 * {dt}))⟩
        """,
        threads="j",
        kinds="control_flow quaternion transform early_exit helper_functions",
    ),
)
