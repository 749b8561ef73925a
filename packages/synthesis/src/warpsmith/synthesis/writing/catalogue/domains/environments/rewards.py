"""Ideas of the domain `environments`: rewards and penalties."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

REWARDS = (
    Idea(
        "locomotion",
        "compute_reward locomotion_reward compute_rewards walking_reward task_reward",
        "compute the reward of each walking robot from several terms",
        """
        # tracking of the commanded velocity
        $v = {lin}[$e]
        ⟨$ex = {cmd}[$e, 0] - $v[0]
        $ey = {cmd}[$e, 1] - $v[1]
        $err = $ex * $ex + $ey * $ey|$err = wp.length_sq(wp.vec3({cmd}[$e, 0], {cmd}[$e, 1], 0.0) - $v)⟩
        $track = {w_track} * ⟨wp.exp(-$err / {sigma})|@kernel_reward($err, {sigma})⟩
        ⟨|$yaw_err = {cmd}[$e, 2] - {ang}[$e][2]
        $track = $track + 0.5 * {w_track} * wp.exp(-$yaw_err * $yaw_err / {sigma})⟩

        $pen = float(0.0)
        for $k in range({DOF}):
            ⟨$u = {act}[$e, $k] - {act_last}[$e, $k]
            $pen += {w_rate} * $u * $u|$u = {act}[$e, $k] - {act_last}[$e, $k]
            $pen += {w_rate} * $u * $u + {w_torque} * {tau_in}[$e, $k] * {tau_in}[$e, $k]|$pen += {w_torque} * wp.abs({tau_in}[$e, $k] * {qd}[$e, $k])⟩
            ⟨|$pen += @outside({q}[$e, $k], {lower}[$k], {upper}[$k])⟩
        ⟨|$u = {height}[$e] - {target_h}
        $pen += ⟨5.0|10.0⟩ * $u * $u⟩
        $rew = $track - $pen⟨ + {w_alive}|⟩⟨| + {w_orient} * {upright}[$e]⟩
        ⟨|⟨if {height}[$e] < {min_h}:
            # fallen robots get the penalty only
            $rew = -$pen|if {upright}[$e] > 0.9:
            $rew = $rew + {w_orient}⟩⟩
        hook reward_end
        {reward}[$e] = $rew
        ⟨|{terms}[$e, 0] = $track
        {terms}[$e, 1] = -$pen|{terms}[$e, 0] = $track
        {terms}[$e, 1] = $pen
        {terms}[$e, 2] = $err⟩
        """,
        threads="e",
        kinds="math combined scalar_param control_flow",
        docs="weighted sum of tracking, smoothness and effort",
    ),
    Idea(
        "reach",
        "reach_reward compute_reach_reward manipulation_reward goal_reward pick_place_reward",
        "compute the reward of each arm ⟨1:for the distance of its hand from the goal|for carrying the object to the goal⟩",
        """
        hook env_begin
        ⟨1:$to_goal = {goal}[$e] - {hand}[$e]
        $d = wp.length($to_goal)
        $rew = ⟨-$d|{w_track} * wp.exp(-$d * $d / {sigma})|1.0 / (1.0 + $d * $d)⟩|$d = wp.length({object}[$e] - {hand}[$e])
        ⟨$rew = -{w_track} * $d|$rew = {w_track} / (1.0 + $d * $d)⟩
        if {held}[$e]:
            # carry it to the goal
            $d = wp.length({goal}[$e] - {object}[$e])
            $rew = {w_track} * (2.0 - $d)
            ⟨if {object}[$e][2] > {target_h}:
                $rew = $rew + {w_alive}|⟩⟩
        if $d < {goal_tol}:
            $rew = $rew + {bonus}
            ⟨{near_steps}[$e] += 1
            if {near_steps}[$e] >= {hold}:
                {success}[$e] = 1
                wp.atomic_add({wins}, 0, 1)|{success}[$e] = 1
            wp.atomic_add({wins}, 0, 1)|{near_steps}[$e] = {near_steps}[$e] + 1⟩
        ⟨|else:
            {near_steps}[$e] = 0⟩
        hook reward_end
        {track_reward}[$e] = $rew
        ⟨|{dist_out}[$e] = $d⟩
        """,
        threads="e",
        kinds="combined control_flow multi_conditional",
    ),
    Idea(
        "joint_limits",
        "joint_limit_penalty dof_limits_cost penalize_limits soft_limit_penalty limit_cost",
        "add up penalties for joints near their limits",
        """
        hook joint_begin
        ⟨1:$over = @outside({q}[$e, $j], {lower}[$j], {upper}[$j])|$mid = 0.5 * ({lower}[$j] + {upper}[$j])
        $over = wp.abs({q}[$e, $j] - $mid) - 0.45 * ({upper}[$j] - {lower}[$j])|$over = wp.max({q}[$e, $j] - {upper}[$j], 0.0) + wp.max({lower}[$j] - {q}[$e, $j], 0.0)⟩
        if $over > 0.0:
            wp.atomic_add({limit_cost}, $e, $over⟨| * $over⟩)
            ⟨wp.atomic_add({limit_hits}, $j, 1)|⟩
        ⟨|wp.atomic_add({energy}, $e, wp.abs({tau_in}[$e, $j] * {qd}[$e, $j]))|# motors that brake do not give power back
        wp.atomic_add({energy}, $e, wp.max({tau_in}[$e, $j] * {qd}[$e, $j], 0.0))⟩
        """,
        threads="e j",
        kinds="atomic control_flow atomics reduction",
    ),
    Idea(
        "log_episodes",
        "log_episodes accumulate_stats record_finished episode_statistics log_returns",
        "add the returns and lengths of finished episodes to the statistics of their level",
        """
        if not {done}[$e]:
            return
        ⟨$lvl = {level}[$e]|⟩
        wp.atomic_add({log_count}, $lvl, 1)
        wp.atomic_add({log_return}, $lvl, {return_sum}[$e])
        ⟨|wp.atomic_add({log_length}, $lvl, {steps}[$e])⟩
        ⟨|if {return_sum}[$e] > {bonus}:
            # good enough for the next level
            wp.atomic_add({promoted}, $lvl, 1)⟩
        ⟨|{snapshot}[$e] = {steps}[$e]⟩
        """,
        threads="e",
        kinds="atomic control_flow reduction atomics",
    ),
)
