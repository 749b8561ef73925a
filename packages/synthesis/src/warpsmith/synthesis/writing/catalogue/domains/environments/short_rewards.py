"""Short ideas of the domain `environments`: rewards, frames, sums over bodies."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

SHORT_REWARDS = (
    Idea(
        "track_command",
        "tracking_reward velocity_reward command_reward track_velocity",
        "compute the reward for following the ⟨1:commanded velocity|commanded turn rate|gait⟩",
        """
        $err = ⟨1:{cmd}[$e, 0] - {lin}[$e][0]|{cmd}[$e, 2] - {ang}[$e][2]|wp.sin({gait}[$e]) - {upright}[$e]⟩
        $rew = {w_track} * ⟨wp.exp(-$err * $err / {sigma})|wp.exp(-wp.abs($err) * {sharp})|wp.sqrt(1.0 / (1.0 + $err * $err))⟩
        ⟨if {status}[$e] == {INACTIVE}:
            $rew = 0.0
        |if {done}[$e]:
            $rew = $rew - {w_dist}
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
        $rew = {w_track} * {upright}[$e] - {w_dist} * {height}[$e]
        ⟨$rew = $rew - {w_rate} * {act}[$e, 0] * {act}[$e, 0]
        |$rew = $rew + {w_orient} * (1.0 - {yaw}[$e] * {yaw}[$e])
        |$rew = $rew - {w_torque} * wp.dot({lin}[$e], {lin}[$e])
        |⟩{reward}[$e] = $rew⟨ * {step_dt}| + {discount} * {return_sum}[$e]| / (1.0 + {payload}[$e] * {payload}[$e])⟩
        ⟨{cost}[$e] = {w_dist} * {friction}[$e]|{terms}[$e, 0] = {upright}[$e] * {w_track}|⟩
        """,
        threads="e",
        kinds="arithmetic scalar_param",
    ),
    Idea(
        "add_returns",
        "accumulate_returns add_rewards discount_returns update_returns",
        "add the reward of the step to the return of each environment",
        """
        $rew = ⟨{w_track} * {upright}[$e]|{height}[$e] - {sharp}|{w_dist} * ({upright}[$e] + {height}[$e])⟩
        ⟨if {status}[$e] == {INACTIVE}:
            return
        |if {steps}[$e] < {grace}:
            return
        |⟩{return_sum}[$e] += $rew⟨| * {discount}| * {step_dt}⟩
        {reward}[$e] = $rew
        ⟨wp.atomic_add({log_return}, {level}[$e], $rew)|{steps}[$e] += 1|⟩
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
        $lv = wp.quat_rotate_inv({rot}[$e], $g)
        {up_out}[$e] = $lv⟨| * {sharp}| - {impulse}[$e]⟩
        ⟨{cost}[$e] = $lv[0] * $lv[0] + $lv[1] * $lv[1]|{local_out}[$e] = wp.quat_rotate({rot}[$e], {ang}[$e])|if $lv[2] > 0.0:
            # upside down
            {reason}[$e] = {FELL}|⟩
        """,
        threads="e",
        kinds="vector quaternion",
    ),
    Idea(
        "goal_vector",
        "goal_vector goal_distance check_goal reach_check",
        "compute the vector from each robot to its goal and check ⟨1:whether it is close|its distance⟩",
        """
        $d = {goal}[$e] - {pos}[$e]⟨| + {impulse}[$e]| - {origin}[$e] * 0.1⟩
        {to_goal}[$e] = $d
        if ⟨wp.length($d)|wp.abs($d[0]) + wp.abs($d[1])⟩ < {near}:
            {success}[$e] = ⟨1|{level}[$e] + 1⟩
            ⟨wp.atomic_add({wins}, 0, 1)|{dist_out}[$e] = wp.length($d)|{track_reward}[$e] = {w_dist}⟩
        ⟨elif {near_steps}[$e] > {hold}:
            {near_steps}[$e] = 0|⟩
        """,
        threads="e",
        kinds="combined control_flow vector scalar_param",
    ),
    Idea(
        "rotate_matrix",
        "rotate_vectors to_world_frame apply_rotation transform_velocity",
        "rotate the vectors of each robot by its matrix",
        """
        $m = ⟨{R}[$e]|wp.transpose({R}[$e])|wp.quat_to_matrix({rot}[$e])|{R}[$e] @ wp.quat_to_matrix({rot}[$e])⟩
        {local_out}[$e] = $m @ ⟨{lin}[$e]|({lin}[$e] - {impulse}[$e])|wp.cross({ang}[$e], {impulse}[$e])⟩
        ⟨{up_out}[$e] = $m @ {ang}[$e]|{R_out}[$e] = $m @ {I_body}[$e]|{cost}[$e] = wp.trace($m)|{to_goal}[$e] = {goal}[$e] - $m @ {hand}[$e]|⟩
        """,
        threads="e",
        kinds="matrix vector",
    ),
    Idea(
        "world_inertia",
        "world_inertia rotate_inertia inertia_to_world update_inertia",
        "rotate the inertia of each robot to the world frame",
        """
        $m = {R}[$e]
        $s = $m @ {I_body}[$e] @ wp.transpose($m)⟨| * (1.0 + {payload}[$e])| + wp.identity(n=3, dtype=float) * {sharp}⟩
        ⟨{R_out}[$e] = $s|{R_out}[$e] = wp.inverse($s)|wp.atomic_add({I_sum}, 0, $s)⟩
        ⟨{local_out}[$e] = $s @ {ang}[$e]|{cost}[$e] = 0.5 * wp.dot({ang}[$e], $s @ {ang}[$e])|⟩
        """,
        threads="e",
        kinds="matrix linear_algebra",
    ),
    Idea(
        "turn_matrix",
        "integrate_rotation update_rotation advance_attitude turn_bodies",
        "advance the rotation of each robot by its angular velocity",
        """
        $v = {ang}[$e]⟨| + {impulse}[$e]| * {discount}⟩
        $m = wp.skew($v) * {step_dt}
        ⟨{R_out}[$e] = {R}[$e] + $m @ {R}[$e]|{R_out}[$e] = (wp.identity(n=3, dtype=float) + $m + $m @ $m * 0.5) @ {R}[$e]|{R_out}[$e] = {R}[$e] - {R}[$e] @ wp.transpose($m)⟩
        ⟨{up_out}[$e] = $m @ {goal}[$e]|if {status}[$e] == {INACTIVE}:
            {up_out}[$e] = $v|⟩
        """,
        threads="e",
        kinds="matrix scalar_param",
    ),
    Idea(
        "foot_load",
        "sum_contact_load foot_load load_per_env contact_sum",
        "add up the contact forces of the feet and bodies of each environment",
        """
        $sum = float(0.0)
        for $f in range({used_feet}):
            for $b in range(⟨{used_bodies}|1, {used_bodies}⟩):
                ⟨$sum += {body_force}[$e, $b] * {air}[$e, $f]|if {touching}[$e, $f]:
                    $sum += {body_force}[$e, $b]|$sum += {foot_force}[$e, $f][2] * {mass}[$b]|if {body_kind}[$b] != {STATIC}⟨| and {touching}[$e, $f]⟩:
                    $sum += wp.length({foot_force}[$e, $f]) * {mass}[$b]⟩
        {load}[$e] = $sum⟨| * 0.1| + {payload}[$e]⟩
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
                ⟨1:$sum += $d * $d|$sum += wp.abs($d)⟩⟨| * {kd}[$j]| * {w_dist}⟩
        {cost}[$e] = $sum⟨| * 0.1| + {height}[$e]⟩
        ⟨{terms}[$e, 2] = {upright}[$e] * {w_rate}|⟩
        """,
        threads="e",
        kinds="nested_loop arithmetic reduction",
    ),
    Idea(
        "motor_power",
        "add_power mechanical_power energy_usage sum_torques",
        "add the power of each joint to the energy of its environment",
        """
        $tau = {tau_in}[$e, $j]⟨| * {strength}[$e, $j]| * {gain_d}⟩
        ⟨if {broken}[$e] == $j:
            return
        |if {stuck}[$e]:
            return
        |⟩wp.atomic_add({energy}, $e, ⟨wp.abs($tau * {qd}[$e, $j])|$tau * $tau * {w_torque}|wp.max($tau * {qd}[$e, $j], 0.0)⟩ * {step_dt})
        ⟨if {q}[$e, $j] > {upper}[$j]:
            wp.atomic_add({limit_hits}, $j, 1)|{temp_out}[$e, $j] = {temp}[$e, $j] + $tau * $tau * {step_dt}|⟩
        """,
        threads="e j",
        kinds="atomic arithmetic scalar_param atomics reduction",
    ),
    Idea(
        "slip_cost",
        "slip_penalty foot_slip add_slip stumble_cost",
        "add the ⟨1:slip|load⟩ of each foot in contact to the cost of its environment",
        """
        ⟨if not {touching}[$e, $f]:
            return|if {foot_force}[$e, $f][2] < ⟨{force_min}|{gain_p}⟩:
            return⟩
        $v = ⟨1:{foot_vel}[$e, $f]|{foot_force}[$e, $f]⟩
        wp.atomic_add({slip}, $e, ⟨{w_dist} * ($v[0] * $v[0] + $v[1] * $v[1])|wp.length(wp.vec2($v[0], $v[1]))|wp.dot($v, $v) * {air}[$e, $f]⟩)
        ⟨wp.atomic_add({steps_taken}, $e, 1)|{foot_f_out}[$e, $f] = $v * -{mu}|⟩
        """,
        threads="e f",
        kinds="atomic vector atomics contact",
    ),
    Idea(
        "done_codes",
        "done_codes check_done termination_codes classify_end",
        "find the reason for which each episode ends",
        """
        if {height}[$e] < ⟨{min_h}|{sharp} * 0.2⟩:
            {reason}[$e] = {FELL}
            ⟨{done_out}[$e] = True|{reward}[$e] = -{w_dist}|⟩
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
