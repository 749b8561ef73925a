"""Ideas of the domain `estimation`: rotation matrices, homogeneous transforms, Jacobians, projections."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

FRAMES = (
    Idea(
        "make_frames",
        "build_frames make_transforms pose_to_matrix assemble_poses",
        "build the homogeneous transform of each frame from ⟨1:a rotation matrix|a quaternion|an angle about z⟩ and a position",
        """
        hook track
        ⟨1:{T_out}[$i] = @rigid($R, $x3)|{T_out}[$i] = @rigid(wp.quat_to_matrix($q), $x3⟨| + $v3 * {dt}⟩)|$c = wp.cos($angle)
        $sn = wp.sin($angle)
        {T_out}[$i] = wp.mat44($c, -$sn, 0.0, $x3[0], $sn, $c, 0.0, $x3[1], 0.0, 0.0, 1.0, ⟨$x3[2]|0.0⟩, 0.0, 0.0, 0.0, 1.0)⟩
        hook done
        """,
        kinds="matrix linear_algebra",
    ),
    Idea(
        "apply_frames",
        "transform_points to_robot_frame apply_extrinsics points_to_world",
        "transform ⟨1:each measurement by the pose of its sensor|each position by its frame|each direction by its frame⟩",
        """
        hook track
        ⟨1:$T_s = {extr}[$sid]
        {x3_out}[$i] = wp.transform_point($T_s, $z3)
        ⟨{v_out}[$i] = wp.transform_vector($T_s, $v3)|⟩|{x3_out}[$i] = wp.transform_point(⟨$T|$T @ {extr}[$sid]⟩, $x3)|{v_out}[$i] = ⟨wp.transform_vector($T, $v3)|wp.normalize(wp.transform_vector($T, $axis))⟩⟩
        hook done
        """,
        kinds="matrix vector transform",
    ),
    Idea(
        "chain",
        "chain_frames compose_frames world_frames forward_chain",
        "compose the transform of each frame with that of its parent⟨1:| and of its sensor| and keep roots⟩",
        """
        $par = {parent}[$i]
        ⟨1:if $par == {NONE}:
            {T_out}[$i] = {pose}[$i]
        else:
            {T_out}[$i] = {pose}[$par] @ {pose}[$i]
            ⟨{flag}[$i] = 1|wp.atomic_add({count}, 0, 1)|⟩|$T = {pose}[$i] @ {extr}[$sid]
        if $par >= 0:
            $T = {pose}[$par] @ $T
            ⟨{flag}[$i] = 1|wp.atomic_add({count}, 0, 1)|⟩
        {T_out}[$i] = $T|if $par < 0:
            {x3_out}[$i] = {x3}[$i]
            return
        {x3_out}[$i] = wp.transform_point({pose}[$par], {x3}[$i])
        ⟨{v_out}[$i] = wp.transform_vector({pose}[$par], {v3}[$i])|⟩⟩
        """,
        kinds="matrix control_flow linear_algebra",
    ),
    Idea(
        "axis_rotation",
        "axis_rotations rotation_by_axis elementary_rotation euler_matrix",
        "build the rotation of each frame about its coordinate axis⟨1:| and apply it⟩",
        """
        hook track
        $c = wp.cos($angle)
        $sn = wp.sin($angle)
        ⟨$M = $eye3
        |⟩if {which}[$i] == 0:
            $M = wp.mat33(1.0, 0.0, 0.0, 0.0, $c, -$sn, 0.0, $sn, $c)
        elif {which}[$i] == 1:
            $M = wp.mat33($c, 0.0, $sn, 0.0, 1.0, 0.0, -$sn, 0.0, $c)
        else:
            $M = wp.mat33($c, -$sn, 0.0, $sn, $c, 0.0, 0.0, 0.0, 1.0)
        ⟨1:{rot_out}[$i] = ⟨$M|$R @ $M⟩|{v_out}[$i] = ⟨$M * $v3|wp.transpose($M) * $v3⟩⟩
        """,
        kinds="matrix math multi_conditional control_flow",
    ),
    Idea(
        "rodrigues",
        "rodrigues exp_map rotation_from_axis axis_angle_matrix",
        "compute the rotation matrix of each axis and angle⟨1:| by Rodrigues' formula| by its quaternion⟩",
        """
        ⟨1:$K = wp.skew($axis)
        {rot_out}[$i] = $eye3 + wp.sin($angle) * $K + (1.0 - wp.cos($angle)) * $K @ $K|$c = wp.cos($angle)
        {rot_out}[$i] = $eye3 * $c + wp.skew($axis) * wp.sin($angle) + wp.outer($axis, $axis) * (1.0 - $c)|$q = wp.quat_from_axis_angle($axis, $angle)
        {rot_out}[$i] = ⟨wp.quat_to_matrix($q)|$R @ wp.quat_to_matrix($q)⟩
        ⟨{f_out}[$i] = wp.cos(0.5 * $angle)|{f_out}[$i] = wp.sin(0.5 * $angle)⟩⟩
        """,
        kinds="matrix math",
    ),
    Idea(
        "point_jacobian",
        "point_jacobians rotation_jacobian observation_jacobian residual_jacobian",
        "compute the Jacobian of each observed point by ⟨1:the rotation|the position|a pinhole projection⟩",
        """
        hook track
        ⟨1:{jac3}[$i] = ⟨-1.0 * $R @ wp.skew($x3)|wp.skew($R * $x3) * -1.0⟩|$d = $x3 - ⟨{mean}[0]|$z3⟩
        $dist = wp.length($d) + 0.1
        {jac3}[$i] = ($eye3 - wp.outer($d, $d) / ($dist * $dist)) / $dist|$depth = $x3[2] + 3.0
        $inv = 1.0 / $depth
        {jac3}[$i] = wp.mat33($inv, 0.0, -$x3[0] * $inv * $inv, 0.0, $inv, -$x3[1] * $inv * $inv, 0.0, 0.0, ⟨1.0|0.0⟩)⟩
        hook done
        """,
        kinds="matrix vector linear_algebra",
    ),
    Idea(
        "invert_frames",
        "invert_frames rigid_inverse world_to_local inverse_poses",
        "invert ⟨1:the rigid transform|the rotation and position|the pose of the sensor⟩ of each frame",
        """
        hook track
        ⟨1:$Rt = wp.transpose($R)
        {T_out}[$i] = @rigid($Rt, $Rt * $x3 * -1.0)|{rot_out}[$i] = wp.transpose($R)
        {x3_out}[$i] = wp.transpose($R) * $x3 * -1.0|$Ti = wp.inverse(⟨{extr}[$sid]|$T⟩)
        ⟨{T_out}[$i] = $Ti|{x3_out}[$i] = wp.transform_point($Ti, $x3)⟩⟩
        hook done
        """,
        kinds="matrix linear_algebra",
    ),
    Idea(
        "orthonormalize",
        "orthonormalize fix_rotations normalize_frames rotation_correction",
        "bring each rotation matrix closer to orthogonality by ⟨1:a Newton step|the Gram-Schmidt process|a first axis of unit length⟩",
        """
        hook track
        ⟨1:{rot_out}[$i] = $R @ (3.0 * $eye3 - wp.transpose($R) @ $R) * 0.5⟨|
        {f_out}[$i] = wp.determinant($R)⟩|$ex = wp.normalize(⟨4:wp.vec3($R[0, 0], $R[1, 0], $R[2, 0])|wp.vec3($R[0, 0], $R[0, 1], $R[0, 2])⟩)
        $ey = ⟨4:$R|wp.transpose($R)⟩ * wp.vec3(0.0, 1.0, 0.0)
        $ey = wp.normalize($ey - $ex * wp.dot($ex, $ey))
        {rot_out}[$i] = ⟨4:wp.matrix_from_cols($ex, $ey, wp.cross($ex, $ey))|wp.matrix_from_rows($ex, $ey, wp.cross($ex, $ey))⟩|$ex = $R * wp.vec3(1.0, 0.0, 0.0)
        {rot_out}[$i] = $R + wp.outer(wp.normalize($ex) - $ex, wp.vec3(1.0, 0.0, 0.0))⟩
        """,
        kinds="matrix linear_algebra",
    ),
    Idea(
        "project_plane",
        "projection_matrix reflect_vectors remove_component householder",
        "build ⟨1:the projection|the reflection|the projection onto the axis⟩ of each unit vector and apply it",
        """
        hook track
        $M = ⟨1:$eye3 - wp.outer($axis, $axis)|$eye3 - 2.0 * wp.outer($axis, $axis)|wp.outer($axis, $axis)⟩
        ⟨{P3_out}[$i] = $M
        {v_out}[$i] = $M * $v3|{P3_out}[$i] = $M⟨ @ $P3 @ $M|⟩|{P3_out}[$i] = @sandwich($M, $P3)
        {v_out}[$i] = $M * $v3|{P3_out}[$i] = $M
        if {valid}[$i]:
            {v_out}[$i] = $M * $v3
        else:
            {v_out}[$i] = $v3⟩
        hook done
        """,
        kinds="matrix vector linear_algebra",
    ),
)
