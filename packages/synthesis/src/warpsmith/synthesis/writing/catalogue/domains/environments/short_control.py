"""Short ideas of the domain `environments`: actions, observations, motors, pushes."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

SHORT_CONTROL = (
    Idea(
        "copy_actions",
        "copy_actions store_last_actions hold_actions latch_actions",
        "copy the ⟨1:action|last action⟩ of each joint",
        """
        ⟨if {broken}[$e] == $j:
            {delayed}[$e, $j] = 0.0
            return
        |if {stuck}[$e]:
            return
        |if {steps}[$e] % {every} != 0:
            # hold the output
            return
        |⟩{delayed}[$e, $j] = ⟨⟨1:{act}|{act_last}⟩[$e, $j]|wp.clamp(⟨1:{act}|{act_last}⟩[$e, $j], -{clip_act}, {clip_act})⟩
        ⟨{target}[$e, $j] = {default}[$j] + {act_scale} * ⟨1:{act}|{act_last}⟩[$e, $j]|if wp.abs(⟨1:{act}|{act_last}⟩[$e, $j]) > {clip_act}:
            wp.atomic_add({saturated}, $e, 1)|⟩
        """,
        threads="e j",
        kinds="control_flow multi_dim",
    ),
    Idea(
        "fill_obs",
        "fill_observations pad_obs mask_obs clear_obs",
        "copy the observation of each environment and ⟨1:fill|clear⟩ entries that are not used",
        """
        ⟨if {status}[$e] == {INACTIVE}:
            {obs}[$e, $o] = ⟨1:{obs_mean}[$o]|0.0⟩
            return
        |if $o >= {OFF_ACT}:
            {obs}[$e, $o] = ⟨1:{obs_mean}[$o]|0.0⟩
            return
        |if {stuck}[$e] and $o >= {OFF_Q}:
            # no joints while the motors are off
            {obs}[$e, $o] = ⟨1:{obs_mean}[$o]|0.0⟩
            return
        ⟩⟨{obs}[$e, $o] = {obs_in}[$e, $o]|{obs}[$e, $o] = wp.clamp({obs_in}[$e, $o], -{obs_clip}, {obs_clip})⟩
        ⟨{obs_norm}[$e, $o] = ({obs_in}[$e, $o] - {obs_mean}[$o]) / wp.sqrt({obs_var}[$o]⟨| + 0.01⟩)|⟩
        """,
        threads="e o",
        kinds="control_flow multi_dim",
    ),
    Idea(
        "restore_state",
        "restore_state reset_robots copy_initial_state place_robots",
        "place the robots ⟨1:that are reset |⟩at their origins",
        """
        ⟨1:if not {done}[$e]:
            return|if {reset_flag}[$e] == 0:
            return⟩
        {pos_out}[$e] = {origin}[$e]⟨ + wp.vec3(0.0, 0.0, {target_h})|⟩
        ⟨{push_out}[$e] = wp.vec3(0.0, 0.0, 0.0)|{local_out}[$e] = wp.vec3(0.0, 0.0, 0.0)|⟩
        ⟨{steps}[$e] = 0|{snapshot}[$e] = {steps}[$e]|{cost}[$e] = 0.0|{level_out}[$e] = {level}[$e]|⟩
        """,
        threads="e",
        kinds="combined vector",
    ),
    Idea(
        "push_robots",
        "apply_pushes add_impulses push_bases kick_robots",
        "add ⟨1:the impulse|the impulse in its own frame|a push to its goal⟩ to the velocity of each robot",
        """
        ⟨if ({steps}[$e] + $e) % {every} != 0:
            return
        |if {status}[$e] == {INACTIVE}:
            return
        |⟩$v = ⟨1:{impulse}[$e]|wp.quat_rotate({rot}[$e], {impulse}[$e])|{push} * wp.normalize({goal}[$e] - {pos}[$e])⟩
        {lin}[$e] += $v
        ⟨{push_out}[$e] = $v|wp.atomic_add({push_count}, 0, 1)|⟩
        """,
        threads="e",
        kinds="vector scalar_param",
    ),
    Idea(
        "torque_chain",
        "joint_torques pd_torques compute_torques impedance_control",
        "compute the torque of each joint",
        """
        $want = @scaled({act}[$e, $j], {lower}[$j], {upper}[$j])
        $tau = @p_term($want, {q}[$e, $j], {gain_p}) + @d_term({qd}[$e, $j], {gain_d})
        ⟨{tau}[$e, $j] = $tau|{tau}[$e, $j] = @limit_to($tau, {effort}[$j])|{tau}[$e, $j] = $tau * {strength}[$e, $j]
        {target}[$e, $j] = $want⟩
        """,
        threads="e j",
        kinds="arithmetic scalar_param helper_functions multi_dim",
    ),
    Idea(
        "cool_motors",
        "cool_motors motor_temperature thermal_step heat_decay",
        "let the temperature of each motor decay",
        """
        # towards the temperature of the room
        $heat = 20.0 + ({temp}[$e, $j] - 20.0) * ⟨wp.exp(-{cool} * {step_dt})|(1.0 - {cool} * {step_dt})⟩
        ⟨# copper losses
        $heat = $heat + 0.05 * {tau_in}[$e, $j] * {tau_in}[$e, $j] * {step_dt}|# friction of the gear
        $heat = $heat + {kd}[$j] * {qd}[$e, $j] * {qd}[$e, $j] * {step_dt}|if not {stuck}[$e]:
            # copper losses
            $heat = $heat + 0.05 * {tau_in}[$e, $j] * {tau_in}[$e, $j] * {step_dt}⟩
        {temp_out}[$e, $j] = $heat
        ⟨if $heat > {hot_temp}:
            {fault}[$e, $j] = {HOT}|{torque_limit}[$e, $j] = {effort}[$j] / (1.0 + wp.exp(0.1 * ($heat - {hot_temp})))|⟩
        """,
        threads="e j",
        kinds="math scalar_param",
    ),
    Idea(
        "gait_clock",
        "gait_clock phase_signal advance_gait gait_targets",
        "advance the phase of the gait by one step and compute its signal",
        """
        $phase = {gait}[$e] + {freq} * {step_dt}⟨ * {cmd}[$e, 0]|⟩
        $val = ⟨wp.sin($phase)|wp.cos($phase)|wp.tanh({sharp} * wp.sin($phase))|wp.exp({sharp} * (wp.cos($phase) - 1.0))⟩
        ⟨if {standing_cmd}[$e]:
            # no steps while the robot stands
            $val = 0.0
        |⟩{gait_out}[$e] = $val
        """,
        threads="e",
        kinds="math scalar_param",
    ),
)
