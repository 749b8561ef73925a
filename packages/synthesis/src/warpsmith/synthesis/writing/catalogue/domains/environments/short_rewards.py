"""Short ideas of the domain `environments`: rewards, frames, sums over bodies."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

SHORT_REWARDS = (
    Idea(
        "track_command",
        "tracking_reward velocity_reward command_reward track_velocity",
        "compute the reward for following the ⟨1:commanded velocity|commanded turn rate|desired height⟩",
        """
        $err = ⟨1:{cmd}[$e, 0] - {lin}[$e][0]|{cmd}[$e, 2] - {ang}[$e][2]|{height}[$e] - {target_h}⟩
        $rew = {w_track} * ⟨wp.exp(-$err * $err / {sigma})|wp.exp(-wp.abs($err) * {sharp})|@kernel_reward($err * $err, {sigma})⟩
        ⟨if {status}[$e] == {INACTIVE}:
            $rew = 0.0
        |if {done}[$e]:
            $rew = $rew - {fall_cost}
        |⟩{reward}[$e] = $rew⟨| * {step_dt}⟩
        ⟨{terms}[$e, 1] = wp.abs($err)|{cost}[$e] = $err * $err|⟩
        """,
        threads="e",
        kinds="math scalar_param",
    ),
    Idea(
        "weigh_terms",
        "sum_reward_terms weigh_terms total_reward combine_terms",
        "add up the weighted terms of the reward of each environment",
        """
        $u = {height}[$e] - {target_h}
        $rew = {w_orient} * {upright}[$e] - {w_dist} * $u * $u
        ⟨$d = {act}[$e, 0] - {act_last}[$e, 0]
        $rew = $rew - {w_rate} * $d * $d
        |$rew = $rew + {w_alive}
        |$rew = $rew - {w_torque} * {tau_in}[$e, 0] * {tau_in}[$e, 0]
        |⟩{reward}[$e] = $rew⟨ * {step_dt}|⟩
        ⟨{cost}[$e] = {w_dist} * $u * $u|{terms}[$e, 0] = {w_orient} * {upright}[$e]|⟩
        """,
        threads="e",
        kinds="arithmetic scalar_param",
    ),
    Idea(
        "add_returns",
        "accumulate_returns add_rewards discount_returns update_returns",
        "add the reward of the step to the return of each environment",
        """
        $rew = ⟨{w_orient} * {upright}[$e]|{w_alive} + {w_orient} * {upright}[$e]|{w_track} * {lin}[$e][0]⟩
        ⟨if {status}[$e] == {INACTIVE}:
            return
        |if {steps}[$e] < {grace}:
            return
        |⟩{return_sum}[$e] += $rew⟨3:| * {step_dt}| * wp.pow({discount}, float({steps}[$e]))⟩
        {reward}[$e] = $rew
        ⟨wp.atomic_add({log_return}, {level}[$e], $rew)|⟨3:{steps}[$e] += 1|{steps}[$e] += 1|⟩|⟩
        """,
        threads="e",
        kinds="arithmetic scalar_param",
    ),
    Idea(
        "project_gravity",
        "project_gravity body_frame rotate_to_body local_frame",
        "rotate ⟨1:gravity|the velocity|the command⟩ into the frame of each robot",
        """
        $g = ⟨1:wp.vec3(0.0, 0.0, -1.0)|{lin}[$e]|wp.vec3({cmd}[$e, 0], {cmd}[$e, 1], 0.0)⟩
        $lv = ⟨wp.quat_rotate_inv({rot}[$e], $g)|wp.quat_rotate(wp.quat_inverse({rot}[$e]), $g)⟩
        ⟨1:{up_out}|{local_out}|{local_out}⟩[$e] = $lv
        ⟨1:⟨{cost}[$e] = $lv[0] * $lv[0] + $lv[1] * $lv[1]|if $lv[2] > 0.0:
            # upside down
            {reason}[$e] = {FELL}|⟩|⟨# error of the forward velocity
        {cost}[$e] = ($lv[0] - {cmd}[$e, 0]) * ($lv[0] - {cmd}[$e, 0])|{up_out}[$e] = wp.quat_rotate_inv({rot}[$e], wp.vec3(0.0, 0.0, -1.0))|⟩|⟨{cost}[$e] = wp.length_sq($g - {lin}[$e])|⟩⟩
        """,
        threads="e",
        kinds="vector quaternion",
    ),
    Idea(
        "goal_vector",
        "goal_vector goal_distance check_goal reach_check",
        "compute the vector from each robot to its goal and check whether it is close",
        """
        $d = {goal}[$e] - {pos}[$e]
        {to_goal}[$e] = ⟨$d|wp.quat_rotate_inv({rot}[$e], $d)⟩
        if ⟨wp.length($d)|wp.abs($d[0]) + wp.abs($d[1])⟩ < {near}:
            {success}[$e] = 1
            ⟨wp.atomic_add({wins}, 0, 1)|{track_reward}[$e] = {bonus}|⟩
        ⟨else:
            # far away, the count starts again
            {near_steps}[$e] = 0
        |⟩⟨{dist_out}[$e] = wp.length($d)|⟩
        """,
        threads="e",
        kinds="combined control_flow vector scalar_param",
    ),
    Idea(
        "rotate_matrix",
        "rotate_vectors to_body_frame apply_rotation transform_velocity",
        "rotate the velocity of each robot into its own frame",
        """
        $m = ⟨wp.transpose({R}[$e])|wp.transpose(wp.quat_to_matrix({rot}[$e]))|wp.quat_to_matrix(wp.quat_inverse({rot}[$e]))⟩
        {local_out}[$e] = $m @ ⟨{lin}[$e]|({lin}[$e] + {impulse}[$e])⟩
        ⟨{up_out}[$e] = $m @ wp.vec3(0.0, 0.0, -1.0)|{R_out}[$e] = $m|{to_goal}[$e] = $m @ ({goal}[$e] - {pos}[$e])|⟩
        """,
        threads="e",
        kinds="matrix vector",
    ),
    Idea(
        "world_inertia",
        "world_inertia rotate_inertia inertia_to_world update_inertia",
        "rotate the inertia of each robot to the world frame",
        """
        ⟨if {status}[$e] == {INACTIVE}:
            return
        |⟩$m = ⟨{R}[$e]|wp.quat_to_matrix({rot}[$e])⟩
        $s = $m @ {I_body}[$e] @ wp.transpose($m)
        ⟨{R_out}[$e] = $s|{R_out}[$e] = wp.inverse($s)|wp.atomic_add({I_sum}, 0, $s)⟩
        ⟨# energy of the rotation
        {cost}[$e] = 0.5 * wp.dot({ang}[$e], $s @ {ang}[$e])|⟩
        """,
        threads="e",
        kinds="matrix linear_algebra",
    ),
    Idea(
        "turn_matrix",
        "integrate_rotation update_rotation advance_attitude turn_bodies",
        "advance the rotation of each robot by its angular velocity",
        """
        ⟨if {status}[$e] == {INACTIVE}:
            {R_out}[$e] = {R}[$e]
            return
        |⟩$m = ⟨wp.skew({ang}[$e]) * {step_dt}|wp.skew({ang}[$e] * {step_dt})⟩
        ⟨{R_out}[$e] = {R}[$e] + $m @ {R}[$e]|{R_out}[$e] = (wp.identity(n=3, dtype=float) + $m + $m @ $m * 0.5) @ {R}[$e]|{R_out}[$e] = {R}[$e] - {R}[$e] @ wp.transpose($m)⟩
        ⟨{up_out}[$e] = wp.transpose({R}[$e]) @ wp.vec3(0.0, 0.0, -1.0)|⟩
        """,
        threads="e",
        kinds="matrix scalar_param",
    ),
    Idea(
        "foot_load",
        "sum_contact_load foot_load load_per_env contact_sum",
        "add up the contact forces of each environment",
        """
        $sum = float(0.0)
        for $f in range({used_feet}):
            ⟨if not {touching}[$e, $f]:
                continue
            |⟩⟨for $k in range(3):
                $sum += wp.abs({foot_force}[$e, $f][$k])|$sum += wp.max({foot_force}[$e, $f][2], 0.0)
            # horizontal components
            for $k in range(2):
                $sum += wp.abs({foot_force}[$e, $f][$k])⟩
        ⟨for $b in range({used_bodies}):
            ⟨if {body_kind}[$b] != {STATIC}:
                |⟩$sum += {body_force}[$e, $b]
        |⟩{load}[$e] = $sum
        """,
        threads="e",
        kinds="nested_loop arithmetic reduction",
    ),
    Idea(
        "action_roughness",
        "action_smoothness history_cost jerk_penalty action_variation",
        "add up the ⟨1:squared|absolute⟩ changes of the actions in the buffer of each environment",
        """
        $sum = float(0.0)
        for $k in range(1, {used_steps}):
            for $j in range({used_dofs}):
                $d = {act_hist}[$e, $k, $j] - {act_hist}[$e, $k - 1, $j]
                $sum += ⟨|{w_rate} * ⟩⟨1:$d * $d|wp.abs($d)⟩
        {cost}[$e] = $sum⟨| / float({used_dofs})⟩
        ⟨{terms}[$e, 2] = -$sum|⟩
        """,
        threads="e",
        kinds="nested_loop arithmetic reduction",
    ),
    Idea(
        "motor_power",
        "add_power mechanical_power energy_usage sum_torques",
        "add the power of each joint to the energy of its environment",
        """
        $tau = {tau_in}[$e, $j]⟨| * {strength}[$e, $j]⟩
        ⟨if {broken}[$e] == $j:
            return
        |if {stuck}[$e]:
            return
        |⟩wp.atomic_add({energy}, $e, ⟨wp.abs($tau * {qd}[$e, $j])|0.05 * $tau * $tau|wp.max($tau * {qd}[$e, $j], 0.0)⟩ * {step_dt})
        ⟨if wp.abs($tau) > {effort}[$j]:
            wp.atomic_add({saturated}, $e, 1)|# copper losses heat the winding
        {temp_out}[$e, $j] = {temp}[$e, $j] + 0.05 * $tau * $tau * {step_dt}|⟩
        """,
        threads="e j",
        kinds="atomic arithmetic scalar_param atomics reduction",
    ),
    Idea(
        "slip_cost",
        "slip_penalty foot_slip add_slip slide_cost",
        "add the slip of each foot in contact to the cost of its environment",
        """
        ⟨if not {touching}[$e, $f]:
            return|if {foot_force}[$e, $f][2] < {force_min}:
            return⟩
        $v = {foot_vel}[$e, $f]
        wp.atomic_add({slip}, $e, ⟨$v[0] * $v[0] + $v[1] * $v[1]|{w_dist} * ($v[0] * $v[0] + $v[1] * $v[1])|wp.length(wp.vec2($v[0], $v[1]))|{mu} * wp.max({foot_force}[$e, $f][2], 0.0) * wp.length(wp.vec2($v[0], $v[1]))⟩)
        ⟨{contact_out}[$e, $f] = True|# viscous friction
        {foot_f_out}[$e, $f] = wp.vec3(-{kdamp} * $v[0], -{kdamp} * $v[1], 0.0)|⟩
        """,
        threads="e f",
        kinds="atomic vector atomics contact",
    ),
    Idea(
        "done_codes",
        "done_codes check_done termination_codes classify_end",
        "find the reason for which each episode ends",
        """
        if {height}[$e] < {min_h}:
            {reason}[$e] = {FELL}
            ⟨{done_out}[$e] = True|{reward}[$e] = -{fall_cost}|⟩
        elif ⟨wp.length({pos}[$e])|wp.abs({pos}[$e][0])⟩ > {bounds}:
            {reason}[$e] = {OUT}
        ⟨|elif {upright}[$e] < 0.0⟨| and {steps}[$e] > {grace}⟩:
            {reason}[$e] = {CRASH}⟩
        elif {steps}[$e] > {max_steps}:
            {reason}[$e] = {TIMEOUT}
            ⟨{timeout_out}[$e] = True|⟩
        """,
        threads="e",
        kinds="multi_conditional control_flow combined",
    ),
)
