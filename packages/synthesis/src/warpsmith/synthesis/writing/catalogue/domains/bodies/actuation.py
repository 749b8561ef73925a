"""Ideas of the domain `bodies`: actuators and sensors."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

ACTUATION = (
    Idea(
        "actuator_force",
        "actuator_forces eval_actuators compute_actuation actuator_velocity_force",
        "compute the force of each actuator⟨1: and add it to its degree of freedom| and add it to its degree of freedom|⟩",
        """
        ⟨$dof = {u_dof}[$u]
        if $dof < 0:
            # not connected
            {u_force}[$u] = 0.0
            return
        |if $dof == -1:
            return
        ⟩
        ⟨$cmd = wp.clamp({ctrl}[$u], -1.0, 1.0)|$cmd = {ctrl}[$u]|$lim = {range}[$u]
        $cmd = wp.clamp({ctrl}[$u], wp.min($lim[0], $lim[1]), wp.max($lim[0], $lim[1]))⟩
        $length = {gear}[$u] * {dq}[$dof]
        $len_vel = {gear}[$u] * {dqd}[$dof]
        if {u_type}[$u] == {MOTOR}:
            $f = $cmd
        elif {u_type}[$u] == {SERVO}:
            ⟨# spring towards the target
            $f = {ke}[$dof] * ($cmd - $length) - {kd}[$dof] * $len_vel
            |$f = {ke}[$dof] * ($cmd - $length)
            if {mode}[$dof] == {POSITION}:
                $f -= {kd}[$dof] * $len_vel⟩
        elif {u_type}[$u] == {DAMPER}:
            $f = ⟨-{kd}[$dof] * $len_vel * wp.abs($cmd)|{kd}[$dof] * ($cmd - $len_vel)⟩
        else:
            ⟨$f = {act}[$u]|$f = {act}[$u] * (1.0 - 0.5 * $len_vel * $len_vel)|$f = $cmd * {act}[$u]⟩

        ⟨if {u_limited}[$u]:
            $f = wp.clamp($f, -{f_max}, {f_max})
        |$f = wp.clamp($f, -{effort}[$dof], {effort}[$dof])
        |⟩{u_force}[$u] = $f
        ⟨1:wp.atomic_add({qfrc}, $dof, {gear}[$u] * $f)
        |if {awake}[{dof_body}[$dof]] != 0:
            wp.atomic_add({qfrc}, $dof, {gear}[$u] * $f)
        |⟩
        """,
        threads="u",
        kinds="multi_conditional control_flow atomics early_exit gather_scatter",
    ),
    Idea(
        "activation",
        "advance_activation update_activations actuator_dynamics next_activation",
        "advance the activation of each actuator by one step",
        """
        $act_now = {act}[$u]
        ⟨$cmd = {ctrl}[$u]|$cmd = wp.clamp({ctrl}[$u], -1.0, 1.0)⟩
        ⟨if {u_dof}[$u] == -1:
            # switched off: the activation decays
            {act_out}[$u] = $act_now * (1.0 - {dt})
            return
        |⟩$rate = float(0.0)
        if {u_dyn}[$u] == {DYN_NONE}:
            {act_out}[$u] = $cmd
            return
        elif {u_dyn}[$u] == {DYN_INT}:
            $rate = $cmd
        elif {u_dyn}[$u] == {DYN_FILTER}:
            $rate = ($cmd - $act_now) / {tau_c}[$u]
        else:
            ⟨# muscles activate faster than they relax
            $tc = {tau_c}[$u]
            if $cmd < $act_now:
                $tc = $tc * ⟨2.0|4.0⟩
            $rate = ($cmd - $act_now) / $tc
            |$rate = ($cmd - $act_now) / ({tau_c}[$u] * (0.5 + 1.5 * wp.abs($act_now)))⟩
        $act_now += $rate * {dt}
        ⟨if {u_limited}[$u]:
            $act_now = wp.clamp($act_now, ⟨-1.0, 1.0|0.0, 1.0⟩)
        |⟩{act_out}[$u] = $act_now
        """,
        threads="u",
        kinds="multi_conditional control_flow arithmetic early_exit",
    ),
    Idea(
        "sensors",
        "read_sensors eval_sensors sensor_readings update_sensors",
        "evaluate each sensor at its body⟨1:, relative to a reference body|, with a cutoff|⟩",
        """
        $X = {body_q}[$body]
        $vec = wp.vec3(0.0, 0.0, 0.0)
        ⟨if not {mask}[$body]:
            return
        |⟩if {s_type}[$s] == {S_POS}:
            $vec = wp.transform_point($X, {s_pos}[$s])
        ⟨elif {s_type}[$s] == {S_VEL}:
            # in the frame of the body
            $off = wp.transform_vector($X, {s_pos}[$s])
            $vel = wp.spatial_bottom({body_qd}[$body]) + wp.cross(wp.spatial_top({body_qd}[$body]), $off)
            $vec = wp.quat_rotate_inv(wp.transform_get_rotation($X), $vel)
        |elif {s_type}[$s] == {S_VEL}:
            $vec = wp.spatial_bottom({body_qd}[$body])
        ⟩elif {s_type}[$s] == {S_GYRO}:
            $vec = wp.quat_rotate_inv(wp.transform_get_rotation($X), wp.spatial_top({body_qd}[$body]))
        elif {s_type}[$s] == {S_UP}:
            $vec = wp.transform_vector($X, wp.vec3(0.0, ⟨0.0, 1.0|1.0, 0.0⟩))
        elif {s_type}[$s] == {S_RANGE}:
            if $ref >= 0:
                $vec = wp.transform_get_translation($X) - wp.transform_get_translation({body_q}[$ref])
            else:
                $vec = wp.transform_get_translation($X)

        ⟨1:if $ref != -1 and {s_type}[$s] != {S_RANGE}:
            # express in the frame of the reference
            $vec = wp.quat_rotate_inv(wp.transform_get_rotation({body_q}[$ref]), $vec)
        |$lim = {s_cutoff}[$s]
        $vec = wp.vec3(wp.clamp($vec[0], -$lim, $lim), wp.clamp($vec[1], -$lim, $lim), wp.clamp($vec[2], -$lim, $lim))
        |⟩⟨{s_vec}[$s] = $vec|{s_vec}[{s_adr}[$s]] = $vec⟩
        """,
        threads="s",
        kinds="multi_conditional combined transform spatial quaternion gather_scatter",
    ),
    Idea(
        "height_sensor",
        "sensor_tilt read_orientation_sensors base_state_sensor body_height_readings",
        "write ⟨1:the height|the tilt|the speed⟩ of the body of each sensor to its slot⟨2:, limited by the cutoff|, with a default for disabled bodies⟩",
        """
        $slot = {s_adr}[$s]
        ⟨1:$value = wp.transform_get_translation({body_q}[$body])[⟨7:1|2⟩]
        ⟨if $ref >= 0:
            # height over another body
            $value -= wp.transform_get_translation({body_q}[$ref])[⟨7:1|2⟩]
        |⟩|$up = wp.quat_rotate(wp.transform_get_rotation({body_q}[$body]), wp.vec3(0.0, 0.0, 1.0))
        $value = ⟨$up[2]|wp.atan2(wp.sqrt($up[0] * $up[0] + $up[1] * $up[1] + 1.0e-4), $up[2])⟩
        |⟨$value = wp.length(wp.spatial_bottom({body_qd}[$body]))|$value = wp.length(wp.spatial_top({body_qd}[$body]))|$vel = wp.spatial_bottom({body_qd}[$body])
        if $ref != -1:
            # relative to another body
            $vel -= wp.spatial_bottom({body_qd}[$ref])
        $value = wp.sqrt(wp.dot($vel, $vel) + 1.0e-4)⟩
        ⟩
        ⟨2:$lim = {s_cutoff}[$s]
        if $value > $lim:
            $value = $lim
        |if not {mask}[$body]:
            # a disabled body reads its default
            $value = 0.0
        ⟩{s_val}[$slot] = $value
        """,
        threads="s",
        kinds="control_flow transform gather_scatter",
    ),
    Idea(
        "scatter_control",
        "apply_controls scatter_actions set_targets write_joint_targets",
        "add ⟨1:controls|controls scaled by the gear|activations⟩ to the forces of the connected degrees of freedom",
        """
        ⟨if $dof == -1:
            return
        |if $dof < 0 or {u_type}[$u] == {DAMPER}:
            return
        |if $dof < 0:
            # not connected
            return
        ⟩$f = ⟨1:⟨{ctrl}[$u]|{f_max} * {ctrl}[$u]⟩|{gear}[$u] * {ctrl}[$u]|{act}[$u]⟩
        ⟨if {u_limited}[$u]:
            $f = wp.clamp($f, -{f_max}, {f_max})
        |if {mode}[$dof] == {VELOCITY}:
            # the control is a target velocity
            $f = {kd}[$dof] * ($f - {dqd}[$dof])
        |if {awake}[{dof_body}[$dof]] == 0:
            return
        |$f = wp.clamp($f, -{effort}[$dof], {effort}[$dof])
        |⟩wp.atomic_add({qfrc}, $dof, $f)
        """,
        threads="u",
        kinds="atomic gather_scatter atomics early_exit",
    ),
)
