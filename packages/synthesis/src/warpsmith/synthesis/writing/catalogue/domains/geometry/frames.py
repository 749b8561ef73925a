"""Ideas of the domain `geometry`: quaternions and frames."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

FRAMES = (
    Idea(
        "integrate_rotation",
        "integrate_rotations update_orientations step_quaternions integrate_angular",
        "advance the rotation of each frame by its angular velocity",
        """
        hook frame
        $om = {w}[$i]
        ⟨|# torque and gyroscopic term
        $om = $om + wp.cw_div({tau}[$i] - wp.cross($om, wp.cw_mul({inertia}[$i], $om)), {inertia}[$i]) * {dt}
        |# torque about the principal axes
        $om = $om + wp.cw_div({tau}[$i], {inertia}[$i]) * {dt}
        ⟩⟨|$speed = wp.length($om)
        if $speed > {wmax}:
            $om = $om * ({wmax} / $speed)
            ⟨|wp.atomic_add({count}, 0, 1)⟩
        |$om = $om * (1.0 - {damp} * {dt})
        |if {jtype}[$i] == {HINGE}:
            # only rotation about z
            $om = wp.vec3(0.0, 0.0, $om[2])
        ⟩$qi = {q}[$i]
        ⟨$dq = wp.quat($om[0], $om[1], $om[2], 0.0) * $qi
        $qn = wp.normalize($qi + $dq * (0.5 * {dt}))|$dq = wp.quat($om * (0.5 * {dt}), 0.0) * $qi
        $qn = wp.normalize($qi + $dq)|$ang = wp.length($om) + 0.001
        $qn = wp.quat_from_axis_angle($om / $ang, $ang * {dt}) * $qi⟩

        {q_out}[$i] = $qn
        ⟨|{w_out}[$i] = $om|{w_out}[$i] = wp.quat_rotate_inv($qn, $om)⟩
        """,
        kinds="vector quaternion",
    ),
    Idea(
        "blend_rotations",
        "⟨1:blend_rotations nlerp_frames interpolate_rotations|rotation_error rotation_difference relative_rotation⟩",
        "⟨1:blend two rotations of each frame along the shorter arc|compute the rotation vector between two rotations of each frame⟩",
        """
        hook frame
        $qa = {q}[$i]
        $qt = {qb}[$i]
        $c = wp.dot($qa, $qt)
        ⟨|if wp.abs($c) < ⟨0.2|0.1⟩:
            ⟨1:# almost opposite: keep the first one
            {q_out}[$i] = $qa|# almost opposite: the axis is unreliable
            {rvec}[$i] = wp.vec3(0.0, 0.0, 0.0)⟩
            ⟨|wp.atomic_add({count}, 0, 1)
            ⟩return
        ⟩if $c < 0.0:
            $qt = -$qt
        ⟨1:⟨$frac = {alpha}|$frac = {alpha} * {param}[$i]|$frac = {param}[$i]⟩
        ⟨$qn = wp.normalize($qa * (1.0 - $frac) + $qt * $frac)|$qn = wp.normalize($qa + ($qt - $qa) * $frac)⟩
        {q_out}[$i] = $qn
        ⟨|{rvec}[$i] = wp.quat_rotate($qn, ⟨wp.vec3(1.0, 0.0, 0.0)|{p}[$i]⟩)⟩|$dq = $qt * wp.quat_inverse($qa)
        $vpart = wp.vec3($dq[0], $dq[1], $dq[2])
        ⟨{rvec}[$i] = 2.0 * $vpart|$ang = 2.0 * wp.atan2(wp.length($vpart) + 0.001, wp.abs($dq[3]))
        {rvec}[$i] = $vpart * ($ang / (wp.length($vpart) + 0.001))⟩⟩
        """,
        kinds="vector quaternion combined",
    ),
    Idea(
        "frame_types",
        "apply_frame_types update_frames constrain_frames eval_joint_frames",
        "update the rotation of each frame by its type",
        """
        $kind = {jtype}[$i]
        $qn = {q}[$i]
        $par = {up}[$i]
        if $kind == {FREE}:
            $qn = wp.normalize($qn + wp.quat({w}[$i] * (0.5 * {dt}), 0.0) * $qn)
        elif $kind == {HINGE}:
            ⟨# rotate about the axis of the hinge
            |⟩$qn = $qn * wp.quat_from_axis_angle(wp.vec3(0.0, 0.0, 1.0), {w}[$i][2] * {dt})
            ⟨|{rvec}[$i] = wp.quat_rotate($qn, wp.vec3(0.0, 0.0, 1.0))⟩
        elif $kind == {LOCKED}:
            ⟨|wp.atomic_add({count}, 0, 1)
            ⟩if $par >= 0:
                $qn = {q}[$par]
        else:
            # follow the target
            $qn = {qb}[$i]

        {q_out}[$i] = $qn
        ⟨|{w_out}[$i] = wp.where($kind == {LOCKED}, wp.vec3(0.0, 0.0, 0.0), {w}[$i])|if $par != {NONE}:
            {w_out}[$i] = {w}[$i] + {w}[$par]
        else:
            {w_out}[$i] = {w}[$i]⟩
        """,
        kinds="multi_conditional quaternion",
    ),
    Idea(
        "compose_frames",
        "compose_frames world_frames chain_rotations propagate_frames",
        "compose the matrix of each frame with that of its parent⟨1:| and rotate a point| and orthonormalize it⟩",
        """
        hook frame
        $mine = {R}[$i]
        $par = {up}[$i]
        ⟨$full = $mine
        if $par >= 0⟨| and $par != $i⟩:
            $full = {R}[$par] * $mine|if $par < 0:
            # root
            {R_out}[$i] = $mine
            return
        $full = {R}[$par] * $mine⟩
        ⟨|if {jtype}[$i] == {LOCKED}:
            # locked frames do not turn with their parent
            $full = $mine
        ⟩⟨1:{R_out}[$i] = $full|{R_out}[$i] = $full
        {rvec}[$i] = $full * {p}[$i]|$c0 = wp.normalize(wp.vec3($full[0, 0], $full[1, 0], $full[2, 0]))
        $c1 = wp.vec3($full[0, 1], $full[1, 1], $full[2, 1])
        # remove the part along the first axis
        $c1 = wp.normalize($c1 - $c0 * wp.dot($c0, $c1))
        {R_out}[$i] = wp.matrix_from_cols($c0, $c1, wp.cross($c0, $c1))⟩
        ⟨|{det}[$i] = wp.determinant($full)|{det}[$i] = wp.trace($full)|# cosine of the angle of the rotation
        {det}[$i] = 0.5 * (wp.trace($full) - 1.0)⟩
        """,
        kinds="matrix linear_algebra",
    ),
    Idea(
        "rotate_inertia",
        "world_inertia rotate_inertia inertia_tensors update_inertia",
        "rotate the inertia of each frame to the world and ⟨1:compute its inverse|apply it to the angular velocity|store it⟩",
        """
        hook frame
        $rot = ⟨1:wp.quat_to_matrix({q}[$i])|⟨{R}[$i]|wp.quat_to_matrix({q}[$i])⟩|{R}[$i]⟩
        $body = wp.diag({inertia}[$i])
        ⟨|if {jtype}[$i] == {LOCKED}:
            # locked frames hardly turn
            $body = $body * 10.0
        |if {jtype}[$i] == {HINGE}:
            # only the moment about the hinge matters
            $body = wp.diag(wp.vec3(1.0, 1.0, {inertia}[$i][2]))
        ⟩$iw = $rot ⟨*|@⟩ $body * wp.transpose($rot)

        ⟨1:{R_out}[$i] = wp.inverse($iw)|{rvec}[$i] = $iw * {w}[$i]⟨|
        {gyro}[$i] = wp.cross({w}[$i], $iw * {w}[$i])|
        {gyro}[$i] = {tau}[$i] - wp.cross({w}[$i], $iw * {w}[$i])⟩|{R_out}[$i] = $iw⟩
        ⟨|{det}[$i] = wp.determinant($iw)|{det}[$i] = wp.trace($iw)⟩
        """,
        kinds="matrix linear_algebra",
    ),
    Idea(
        "transform_points",
        "transform_points attach_points points_to_world skin_points",
        "transform each point ⟨1:by the pose of its body|by the pose of its body|by the poses of two bodies|to the frame of its body⟩",
        """
        $body = {pbody}[$i]
        ⟨|if $body == 0:
            # static points stay
            {pfix}[$i] = {p}[$i]
            return
        ⟩$pose = {xf}[$body]

        ⟨1:{pfix}[$i] = wp.transform_point($pose, {p}[$i])|$xw = wp.quat_rotate(wp.transform_get_rotation($pose), {p}[$i]) + wp.transform_get_translation($pose)
        {pfix}[$i] = $xw|$second = {xf}[$body + 1]
        $xw = wp.transform_point($pose, {p}[$i])
        {pfix}[$i] = ⟨(1.0 - {alpha}) * $xw + {alpha} * wp.transform_point($second, {p}[$i])|wp.lerp($xw, wp.transform_point($second, {p}[$i]), {alpha})⟩|{pfix}[$i] = wp.transform_point(wp.transform_inverse($pose), {p}[$i])⟩
        ⟨1:⟨|# velocity due to the rotation
        {pvel}[$i] += wp.transform_vector($pose, wp.cross({w}[$i], {p}[$i]))⟩|⟨|{pdist}[$i] = wp.length($xw - {p}[$i])⟩||⟩
        """,
        kinds="vector transform gather_scatter",
    ),
)
