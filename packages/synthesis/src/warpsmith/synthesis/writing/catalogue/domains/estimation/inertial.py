"""Ideas of the domain `estimation`: calibration of sensors, integration of inertial samples, colors."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

INERTIAL = (
    Idea(
        "calibrate",
        "calibrate_samples apply_calibration correct_imu remove_sensor_bias",
        "correct the ⟨1:accelerations|rates|magnetic fields⟩ by the bias and matrix of their sensor⟨2:| and mark saturated samples⟩",
        """
        hook sample
        $a = ⟨{calib}[$dev_id] * (⟨1:$a_raw|$w_raw|$field⟩ - {bias}[$dev_id])|@unbias({calib}[$dev_id], ⟨1:$a_raw|$w_raw|$field⟩, {bias}[$dev_id])⟩
        {acc_out}[$s] = $a
        ⟨2:hook sample_done|if wp.abs(⟨$a[0]|$a[2]⟩) > ⟨1:0.8 * {sat}|0.8 * {sat}|0.8⟩:
            # close to the end of the range
            {s_flag}[$s] = 1
            ⟨wp.atomic_add({by_sensor}, $dev_id, 1)|⟩⟩
        """,
        threads="s",
        kinds="matrix vector",
    ),
    Idea(
        "color_matrix",
        "apply_color_matrix correct_colors rgb_transform color_calibration",
        "multiply each color by the matrix of its sensor⟨1:| and clip it| and a gain⟩",
        """
        hook sample
        ⟨1:{acc_out}[$s] = {ccm}[$dev_id] * $rgb|⟨$c_lin = {ccm}[$dev_id] * $rgb|# decode a gamma of two
        $c_lin = {ccm}[$dev_id] * wp.cw_mul($rgb, $rgb)⟩
        {acc_out}[$s] = ⟨wp.vec3(wp.clamp($c_lin[0], 0.0, 1.0), wp.clamp($c_lin[1], 0.0, 1.0), wp.clamp($c_lin[2], 0.0, 1.0))|wp.max($c_lin, wp.vec3(0.0, 0.0, 0.0))⟩|{acc_out}[$s] = ⟨({ccm}[$dev_id] * $rgb) * {gain_c}|{ccm}[$dev_id] * ($rgb * {gain_c})⟩⟩
        hook sample_done
        """,
        threads="s",
        kinds="matrix vector",
    ),
    Idea(
        "attitude_step",
        "integrate_gyro attitude_step propagate_attitude quat_integrate",
        "advance the orientation of each sample by its rate⟨1:| without the bias| unless the robot stands still⟩",
        """
        ⟨1:hook sample
        {att_out}[$s] = @quat_step($q_s, $w_raw, {dt})|hook sample
        {att_out}[$s] = @quat_step($q_s, $w_raw - {bias}[$dev_id], {dt})|if {still}[$s]:
            {att_out}[$s] = {att}[$s]
        else:
            {att_out}[$s] = @quat_step({att}[$s], {gyro}[$s], {dt})⟩
        hook sample_done
        """,
        threads="s",
        kinds="vector quaternion scalar_param",
    ),
    Idea(
        "imu_step",
        "imu_integrate inertial_step strapdown dead_reckoning",
        "integrate ⟨1:velocity and position|the velocity|position with a velocity update at rest⟩ from the acceleration in the world frame",
        """
        ⟨1:hook sample
        |hook sample
        |⟩$a = wp.quat_rotate($q_s, $a_raw⟨| - {bias}[$dev_id]⟩) - wp.vec3(0.0, 0.0, {grav})
        ⟨1:{pos_out}[$s] = $p_s + $v_s * {dt} + $a * (0.5 * {dt} * {dt})
        {vel_out}[$s] = $v_s + $a * {dt}|{vel_out}[$s] = $v_s + $a * {dt}
        ⟨hook sample_done
        |⟩|if {still}[$s]:
            # zero-velocity update
            {vel_out}[$s] = wp.vec3(0.0, 0.0, 0.0)
            {pos_out}[$s] = $p_s
        else:
            {vel_out}[$s] = $v_s + $a * {dt}
            {pos_out}[$s] = $p_s + $v_s * {dt}⟩
        """,
        threads="s",
        kinds="vector quaternion scalar_param",
    ),
    Idea(
        "tilt_angles",
        "tilt_from_accel roll_pitch compass_heading level_angles",
        "compute ⟨1:roll and pitch from the acceleration|the heading from the magnetic field|the inclination⟩ of each sample",
        """
        hook sample
        ⟨1:{tilt}[$s] = wp.atan2($a_raw[1], ⟨$a_raw[2]|wp.sqrt($a_raw[0] * $a_raw[0] + $a_raw[2] * $a_raw[2] + 0.01)⟩)
        {head}[$s] = wp.atan2(-$a_raw[0], wp.sqrt($a_raw[1] * $a_raw[1] + $a_raw[2] * $a_raw[2] + ⟨0.01|0.1⟩))|$m_w = wp.quat_rotate($q_s, $field)
        {head}[$s] = wp.atan2(⟨$m_w[1]|-$m_w[1]⟩, $m_w[0])|$up = wp.quat_rotate($q_s, wp.vec3(0.0, 0.0, 1.0))
        {tilt}[$s] = wp.acos(wp.clamp($up[2], -0.99, 0.99))⟩
        hook sample_done
        """,
        threads="s",
        kinds="math vector",
    ),
    Idea(
        "rotation_table",
        "attitude_matrices world_acceleration rotate_samples samples_to_world",
        "compute the rotation matrix of each sample⟨1:| and rotate its acceleration| and its calibration⟩",
        """
        hook sample
        $M = wp.quat_to_matrix($q_s)
        ⟨1:{s_mat}[$s] = ⟨$M|wp.transpose($M)⟩|{acc_out}[$s] = ⟨$M * $a_raw|wp.transpose($M) * wp.vec3(0.0, 0.0, {grav})⟩⟨
        {s_mat}[$s] = $M|⟩|{s_mat}[$s] = $M @ {calib}[$dev_id]
        ⟨{acc_out}[$s] = $M * ({calib}[$dev_id] * $a_raw)|⟩⟩
        hook sample_done
        """,
        threads="s",
        kinds="matrix quaternion",
    ),
    Idea(
        "rotation_noise",
        "error_state_jacobian attitude_jacobian error_transition imu_jacobian",
        "build the transition of the orientation error of each sample⟨1:| and its effect on the velocity⟩",
        """
        hook sample
        ⟨1:$om = $w_raw - {bias}[$dev_id]
        {s_mat}[$s] = $eye3 - wp.skew($om) * {dt}⟨| + wp.skew($om) @ wp.skew($om) * (0.5 * {dt} * {dt})⟩|{s_mat}[$s] = wp.quat_to_matrix($q_s) @ wp.skew($a_raw) * (-1.0 * {dt})
        ⟨{acc_out}[$s] = wp.quat_rotate($q_s, $a_raw)|⟩⟩
        hook sample_done
        """,
        threads="s",
        kinds="matrix scalar_param",
    ),
    Idea(
        "sample_quality",
        "classify_samples sample_quality check_samples update_quality",
        "set the quality of each sample ⟨1:by its reading|by its arrival|in place by its neighbor⟩",
        """
        ⟨1:if {raw}[$s] > 250 or {raw}[$s] < -250:
            {s_int}[$s] = {CLIP}
        elif {status}[$s] == {GOOD}:
            {s_int}[$s] = {GOOD}
            ⟨wp.atomic_add({count}, 0, 1)|⟩
        else:
            {s_int}[$s] = {NOISY}|if {tick}[$s] > {max_age}:
            {status}[$s] = ⟨{CLIP}|{NOISY}⟩
        elif {still}[$s]:
            {status}[$s] = {GOOD}|if {raw}[$s] - {raw}[({lane}[$s] + 1) % {q}] ⟨> 200|< -200⟩:
            {status}[$s] = {CLIP}
            wp.atomic_add({by_sensor}, {src}[$s], 1)
        elif {status}[$s] == {NOISY}:
            {status}[$s] = {GOOD}⟩
        """,
        threads="s",
        kinds="multi_conditional control_flow",
        integer=True,
    ),
    Idea(
        "decimate",
        "smooth_counts integer_filter moving_average decimate_samples",
        "⟨1:average the reading of each sample with its neighbors|copy every few samples|limit the change between samples⟩ in integers",
        """
        ⟨hook sample
        |⟩⟨1:$before = wp.max($s - 1, 0)
        $after = wp.min($s + 1, {q} - 1)
        {s_int}[$s] = ({raw}[$before] + ⟨2 * {raw}[$s] + {raw}[$after]) >> 2|{raw}[$s] + {raw}[$after]) // 3⟩|if $s % {PERIOD} == 0:
            {s_int}[$s // {PERIOD}] = {raw}[$s]
            ⟨{s_flag}[$s // {PERIOD}] = 1 if {status}[$s] != {GOOD} else 0|⟩|$prev = {raw}[wp.max($s - 1, 0)]
        {s_int}[$s] = $prev + wp.clamp({raw}[$s] - $prev, -{max_step}, {max_step})
        ⟨{s_flag}[$s] = 1 if wp.abs({raw}[$s] - $prev) > {max_step} else 0|⟩⟩
        """,
        threads="s",
        kinds="stencil",
        integer=True,
    ),
    Idea(
        "low_pass",
        "low_pass smooth_states exponential_filter alpha_beta",
        "⟨1:correct position and velocity by the alpha-beta filter|move each estimate towards its measurement|add the rate to the estimate in place⟩",
        """
        ⟨1:hook track
        $e = $z1 - ($x2[0] + {dt} * $x2[1])
        {x2_out}[$i] = wp.vec2($x2[0] + {dt} * $x2[1] + {alpha} * $e, $x2[1] + {beta} ⟨* $e / {dt}|/ {dt} * $e⟩)|if {valid}[$i]:
            {x3_out}[$i] = ⟨{x3}[$i] + ({z3}[$i] - {x3}[$i]) * {alpha}|wp.lerp({x3}[$i], {z3}[$i], {alpha})⟩
            ⟨{hit}[$i] += 1|{stamp}[$i] = {now}|⟩
        else:
            {x3_out}[$i] = {x3}[$i]|{x3}[$i] += {v3}[$i] * {dt}
        ⟨{age}[$i] += 1|if {mode}[$i] == {LOST}:
            {miss}[$i] += 1|⟩⟩
        """,
        kinds="vector scalar_param arithmetic",
    ),
)
