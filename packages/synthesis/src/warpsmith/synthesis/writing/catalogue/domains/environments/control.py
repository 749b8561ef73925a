"""Ideas of the domain `environments`: actuators, delays and filters of actions, contacts of feet."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

CONTROL = (
    Idea(
        "pd_control",
        "pd_control compute_torques apply_actions actuator_torques joint_pd",
        "compute the torque of each joint from its action",
        """
        hook joint_begin
        $want = {default}[$j] + {act_scale} * $a
        ⟨1:$tau = {kp}[$j] * ($want - $q) - {kd}[$j] * $qd|$mode = {mode}[$j]
        if $mode == {POSITION}:
            $tau = {kp}[$j] * ($want - $q) - {kd}[$j] * $qd
        elif $mode == {VELOCITY}:
            $tau = {kd}[$j] * ($a - $qd)
        ⟨elif $mode == {TORQUE}:
            $tau = $a * $limit
        else:
            # passive joint
            $tau = -{kd}[$j] * $qd|else:
            $tau = $a * {effort}[$j]⟩|# velocity extrapolated from two steps
        $tau = {kp}[$j] * ($want - $q) - {kd}[$j] * ({qd}[$e, $j] + 0.5 * ({qd}[$e, $j] - {qd_last}[$e, $j]))⟩
        hook torque
        ⟨if wp.abs($tau) > $limit:
            $tau = wp.clamp($tau, -$limit, $limit)
            wp.atomic_add({saturated}, $e, 1)|$tau = wp.clamp($tau, -$limit, $limit)|$tau = @limit_to($tau, $limit)|if $tau > $limit:
            $tau = $limit
        elif $tau < -$limit:
            $tau = -$limit⟩
        ⟨|# soft stops at the limits of the joint
        if {q}[$e, $j] > {upper}[$j]:
            $tau = wp.min($tau, 0.0)
        elif {q}[$e, $j] < {lower}[$j]:
            $tau = wp.max($tau, 0.0)⟩
        {tau}[$e, $j] = $tau
        ⟨|{target}[$e, $j] = $want⟩
        """,
        threads="e j",
        kinds="control_flow",
        docs="position control with damping, limited by the effort of the joint",
    ),
    Idea(
        "delay",
        "delay_actions apply_action_delay read_delayed_action lagged_actions pop_action",
        "read the action of each joint from the ring buffer, as old as the delay of the environment",
        """
        ⟨hook joint_begin
        |⟩⟨$lag = {lag}[$e]
        if $lag == 0:
            # no delay: the newest action
            {delayed}[$e, $j] = {act}[$e, $j]
            return
        $slot = ({ring}[$e] + {RING} - $lag) % {RING}|$slot = {ring}[$e] - {lag}[$e]
        if $slot < 0:
            $slot = $slot + {RING}|$slot = ({ring}[$e] - {lag}[$e] + {RING}) % {RING}⟩
        ⟨$a = {act_hist}[$e, $slot, $j]|# between two samples
        $prev = {act_hist}[$e, ($slot + {RING} - 1) % {RING}, $j]
        $a = {smooth} * {act_hist}[$e, $slot, $j] + (1.0 - {smooth}) * $prev|if {steps}[$e] < {lag}[$e]:
            # the buffer is not filled yet
            $a = 0.0
        else:
            $a = {act_hist}[$e, $slot, $j]⟩
        {delayed}[$e, $j] = ⟨$a|wp.clamp($a, -{clip_act}, {clip_act})⟩
        """,
        threads="e j",
        kinds="control_flow gather_scatter",
    ),
    Idea(
        "filter_actions",
        "filter_actions smooth_actions limit_action_rate slew_actions process_actions",
        "smooth the action of each joint",
        """
        hook joint_begin
        $a = wp.clamp({act}[$e, $j], -{clip_act}, {clip_act})
        $prev = {act_last}[$e, $j]
        ⟨1:⟨$a = {smooth} * $a + (1.0 - {smooth}) * $prev
        |⟩|⟨$a = {smooth} * $a + (1.0 - {smooth}) * $prev
        |⟩|⟩⟨1:$rate = $a - $prev
        if wp.abs($rate) > {rate_limit}:
            ⟨$a = $prev + {rate_limit} * wp.sign($rate)|$rate = {rate_limit} * wp.sign($rate)
            $a = $prev + $rate
            wp.atomic_add({saturated}, $e, 1)⟩|$a = wp.clamp($a, $prev - {rate_limit}, $prev + {rate_limit})|if {steps}[$e] > 0:
            # the first action of an episode has no predecessor
            $a = {smooth} * $a + (1.0 - {smooth}) * $prev⟩
        {act_out}[$e, $j] = $a
        ⟨{target}[$e, $j] = wp.clamp({default}[$j] + {act_scale} * $a, {lower}[$j], {upper}[$j])|if {mode}[$j] == {POSITION}:
            $want = {default}[$j] + {act_scale} * $a
            {target}[$e, $j] = wp.clamp($want, {lower}[$j], {upper}[$j])
        else:
            {target}[$e, $j] = $a|⟩
        """,
        threads="e j",
        kinds="control_flow",
    ),
    Idea(
        "motor_model",
        "dc_motor_limits update_motors motor_model actuator_limits thermal_model",
        "compute the torque that each motor can deliver and its temperature",
        """
        hook joint_begin
        # torque falls with the speed
        $frac = wp.clamp(1.0 - wp.abs({qd}[$e, $j]) / {vel_range}, ⟨0.0|0.1⟩, 1.0)
        $heat = {temp}[$e, $j]
        ⟨if $heat > {hot_temp}:
            # reduced power above the limit
            $frac = $frac * wp.max(1.0 - 0.02 * ($heat - {hot_temp}), 0.2)
            {fault}[$e, $j] = {HOT}
            ⟨wp.atomic_add({saturated}, $e, 1)|⟩|if $heat > {hot_temp}:
            {fault}[$e, $j] = {HOT}
            if wp.abs({qd}[$e, $j]) > {vel_limit}[$j]:
                {fault}[$e, $j] = {HOT} + {FAST}
                $frac = 0.0
        elif wp.abs({qd}[$e, $j]) > {vel_limit}[$j]:
            {fault}[$e, $j] = {FAST}
            $frac = $frac * 0.5⟩
        {torque_limit}[$e, $j] = $frac * {effort}[$j]
        ⟨|# copper losses heat the winding, the case cools it
        $loss = 0.05 * {tau_in}[$e, $j] * {tau_in}[$e, $j]
        {temp_out}[$e, $j] = $heat + ($loss - 0.1 * ($heat - 20.0)) * {dt}⟩
        """,
        threads="e j",
        kinds="control_flow scalar_param multi_conditional",
    ),
    Idea(
        "ground_contact",
        "foot_ground_contact eval_foot_contacts ground_reaction contact_forces penalty_contact",
        "compute the force of the ground on each foot",
        """
        hook foot_begin
        $depth = ⟨-{foot_pos}[$e, $f][2]|0.1 - {foot_pos}[$e, $f][2]⟩
        $v = {foot_vel}[$e, $f]
        if $depth <= 0.0:
            ⟨{contact_out}[$e, $f] = False
            |⟩return

        # spring and damper along the normal; the ground does not pull
        $fn = wp.max({ke} * $depth - {kdamp} * $v[2], 0.0)
        ⟨$slide = wp.vec3($v[0], $v[1], 0.0)
        $ft = -$slide * wp.min({kdamp}, ⟨{mu}|{friction}[$e]⟩ * $fn / (wp.length($slide) + 0.01))|$slide = wp.vec3($v[0], $v[1], 0.0)
        $ft = -{kdamp} * $slide
        if wp.length($ft) > {mu} * $fn:
            # limited by Coulomb friction
            $ft = wp.normalize($ft) * {mu} * $fn|$ft = wp.vec3(-{kdamp} * $v[0], -{kdamp} * $v[1], 0.0)⟩
        {foot_f_out}[$e, $f] = $ft + wp.vec3(0.0, 0.0, $fn)
        ⟨{contact_out}[$e, $f] = True|{contact_out}[$e, $f] = $fn > {force_min}|⟩
        """,
        threads="e f",
        kinds="vector control_flow combined contact early_exit",
    ),
    Idea(
        "air_time",
        "feet_air_time update_air_time feet_contact_reward gait_reward track_contacts",
        "update the air time of each foot and reward steps that are long enough",
        """
        hook foot_begin
        $touch = {foot_force}[$e, $f][2] > {force_min}
        ⟨$air = {air}[$e, $f]
        if $touch:
            if not {touching}[$e, $f]:
                # first contact after a swing
                wp.atomic_add({air_reward}, $e, $air - {air_min})
                ⟨wp.atomic_add({steps_taken}, $e, 1)|⟩
            {air_out}[$e, $f] = 0.0
            ⟨{touch_steps}[$e, $f] += 1|{touch_steps}[$e, $f] = {touch_steps}[$e, $f] + 1|⟩
        else:
            {air_out}[$e, $f] = $air + {dt}
            ⟨{touch_steps}[$e, $f] = 0|⟩|$landed = $touch and not {touching}[$e, $f]
        if $landed and {air}[$e, $f] > {air_min}:
            wp.atomic_add({air_reward}, $e, {air}[$e, $f] - {air_min})
            wp.atomic_add({steps_taken}, $e, 1)
        {air_out}[$e, $f] = wp.where($touch, 0.0, {air}[$e, $f] + {dt})⟩
        {contact_out}[$e, $f] = $touch
        ⟨|if $touch:
            $v = {foot_vel}[$e, $f]
            # feet on the ground shall not slip
            wp.atomic_add({slip}, $e, $v[0] * $v[0] + $v[1] * $v[1])⟩
        """,
        threads="e f",
        kinds="control_flow atomic multi_conditional contact atomics",
    ),
)
