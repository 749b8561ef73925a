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
            {delayed}[$e, $j] = {default}[$j]
            return
        |if {stuck}[$e]:
            return
        |if {steps}[$e] % {every} != 0:
            {delayed}[$e, $j] = {act_last}[$e, $j]
            return
        |⟩{delayed}[$e, $j] = {act}[$e, $j]⟨1:| * {act_scale}⟩
        ⟨{frames_out}[$e, 0, $j] = {q}[$e, $j]|{target}[$e, $j] = {default}[$j]|{target}[$e, $j] = {q}[$e, $j] + {act_last}[$e, $j]|⟩
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
            {obs}[$e, $o] = ⟨1:{obs_mean}[$o]|{sharp}⟩
            return
        |⟩⟨{obs}[$e, $o] = {obs_in}[$e, $o]⟨| * {w_dist}⟩|{obs}[$e, $o] = wp.clamp({obs_in}[$e, $o], -{sharp}, {sharp})|{obs}[$e, $o] = {obs_in}[$e, $o] - {obs_mean}[$o]|{obs}[$e, $o] = {sharp}
        if {obs_var}[$o] > {w_dist}:
            {obs}[$e, $o] = {obs_in}[$e, $o]⟩
        ⟨{obs_norm}[$e, $o] = {obs_var}[$o]|⟩
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
        {pos_out}[$e] = {origin}[$e]⟨ + wp.vec3(0.0, 0.0, {target_h})| + {goal}[$e]|⟩
        ⟨{push_out}[$e] = wp.vec3(0.0, 0.0, 0.0)|{local_out}[$e] = {impulse}[$e]|{push_out}[$e] = {lin}[$e] * {discount}⟩
        ⟨{steps}[$e] = 0|{snapshot}[$e] = {episode}[$e]|{cost}[$e] = {height}[$e]|{level_out}[$e] = {level}[$e]|⟩
        """,
        threads="e",
        kinds="combined vector",
    ),
    Idea(
        "push_robots",
        "apply_pushes add_impulses push_bases kick_robots",
        "add ⟨1:the impulse|a push against its motion|a push to its goal⟩ to the velocity of each robot",
        """
        ⟨if ({steps}[$e] + $e) % {every} != 0:
            return
        |if {status}[$e] == {INACTIVE}:
            return
        |⟩$v = ⟨1:{impulse}[$e]|wp.cross({ang}[$e], {impulse}[$e]) * {discount}|({goal}[$e] - {pos}[$e]) * {w_dist}⟩
        {lin}[$e] += $v⟨| * {sharp}⟩
        ⟨{push_out}[$e] = $v|wp.atomic_add({push_count}, 0, 1)|{cost}[$e] = wp.length_sq($v)|⟩
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
        $heat = {temp}[$e, $j] * wp.exp(-{cool} * ⟨{step_dt}|{strength}[$e, $j]⟩)
        ⟨$heat = $heat + wp.sqrt({tau_in}[$e, $j] * {tau_in}[$e, $j] + 1.0) * {step_dt}|$heat = $heat + {gain_d} * {qd}[$e, $j] * {qd}[$e, $j]|if {stuck}[$e]:
            $heat = $heat - {cool}⟩
        {temp_out}[$e, $j] = $heat
        ⟨if $heat > {hot_temp} - 20.0:
            {fault}[$e, $j] = {HOT}|{torque_limit}[$e, $j] = {effort}[$j] / (1.0 + wp.exp(0.1 * ($heat - {hot_temp})))|⟩
        """,
        threads="e j",
        kinds="math scalar_param",
    ),
    Idea(
        "gait_clock",
        "gait_clock phase_signal advance_gait gait_targets",
        "advance the phase of the gait and write its signal",
        """
        $phase = {gait}[$e] + {freq} * {step_dt}⟨ * {cmd}[$e, 0]|⟩
        ⟨{gait_out}[$e] = wp.sin($phase)|{gait_out}[$e] = wp.cos($phase) * {sharp}|{gait_out}[$e] = wp.tanh({sharp} * wp.sin($phase))|{gait_out}[$e] = wp.exp({sharp} * (wp.cos($phase) - 1.0))⟩
        ⟨{cost}[$e] = wp.abs(wp.sin(0.5 * $phase))|if {standing_cmd}[$e]:
            {gait_out}[$e] = 0.0|{terms}[$e, 3] = {w_dist} * wp.cos({yaw}[$e])|⟩
        """,
        threads="e",
        kinds="math scalar_param",
    ),
)
