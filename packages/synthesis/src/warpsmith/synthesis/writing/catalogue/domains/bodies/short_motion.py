"""Short ideas of the domain `bodies` on floats: forces, drives, motions, sums, frames and tensors of bodies."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

SHORT_MOTION = (
    Idea(
        "add_wrench",
        "add_wrench apply_disturbance accumulate_push add_external_wrench",
        "add a ⟨1:disturbance|disturbance and a drag|disturbance and the weight⟩ to the force on each body",
        """
        ⟨if {body_type}[$b] == {STATIC}:
            return
        |if not {mask}[$b]:
            return
        |⟩$f = ⟨1:{push}[$b]|{push}[$b] - {drag} * {body_qd}[$b]|{push}[$b] + wp.spatial_vector(wp.vec3(0.0), {mass}[$b] * {gravity}[0])⟩
        {body_f}[$b] += $f
        ⟨|{a3_out}[$b] = {inv_mass}[$b] * wp.spatial_bottom($f)|{a3_out}[$b] = wp.spatial_bottom($f) / {mass}[$b]⟩
        """,
        threads="b",
        kinds="vector spatial",
    ),
    Idea(
        "move_positions",
        "move_positions integrate_positions drift_bodies advance_positions",
        "move each body with its velocity⟨1:, at most at the largest speed||, unless it sleeps⟩",
        """
        $vel = ⟨{vel3}[$b]|{vel3}[$b] + {dt} * {acc3}[$b]|{vel3}[$b] + {dt} * {gravity}[0]⟩
        ⟨1:$len = wp.length($vel)
        if $len > {v_lim}:
            $vel = $vel * ({v_lim} / $len)|if {body_type}[$b] == {KINEMATIC}:
            # scripted bodies do not accelerate
            $vel = {vel3}[$b]|if {awake}[$b] == 0:
            $vel = wp.vec3(0.0)⟩
        {xpos}[$b] += ⟨{dt} * $vel|$vel * {dt}⟩
        ⟨|{v3_out}[$b] = $vel|wp.atomic_add({P_sum}, 0, {mass}[$b] * $vel)⟩
        """,
        threads="b",
        kinds="vector combined control_flow scalar_param",
    ),
    Idea(
        "drive_terms",
        "drive_terms pd_control joint_pd servo_torque",
        "compute the force of the controller of each degree of freedom",
        """
        hook dof
        ⟨$err = {target}[$d] - $dqi
        $f = @spring({ke}[$d], $err) + @damper({kd}[$d], $dqdi)|$f = @spring({gain_p}, {target}[$d] - $dqi) + @damper({gain_d}, $dqdi)⟩
        ⟨{dof_f}[$d] = @saturate($f, {effort}[$d])|{tau}[$d] += @saturate($f, {effort}[$d])|{dof_f}[$d] = @saturate($f, {effort}[$d]) + {tau}[$d]⟩
        ⟨{power}[$d] = $f * $dqdi|⟩
        """,
        threads="d",
        kinds="arithmetic helper_functions",
    ),
    Idea(
        "integrate_dofs",
        "integrate_dofs dof_step add_dof_velocity advance_dofs",
        "move each degree of freedom with its ⟨1:velocity|target velocity|velocity and force⟩",
        """
        hook dof
        $rate = ⟨1:$dqdi|{target}[$d]|$dqdi + {dt} * {tau}[$d] / {armature}[$d]⟩
        ⟨$rate = wp.clamp($rate, -{v_lim}, {v_lim})|if wp.abs($rate) > {v_lim}:
            $rate = {v_lim} * wp.sign($rate)|⟩
        {dq}[$d] += ⟨{dt} * $rate|$rate * {dt}⟩
        ⟨|{dqd_out}[$d] = $rate|{power}[$d] = $rate * {tau}[$d]⟩
        """,
        threads="d",
        kinds="arithmetic scalar_param",
    ),
    Idea(
        "gait_targets",
        "gait_targets sine_targets open_loop_gait reference_motion",
        "compute a periodic target for each degree of freedom",
        """
        $arg = {freq} * {time} + {lag}[$d]
        ⟨4:$q = {amp}[$d] * wp.sin($arg)|$q = {amp}[$d] * wp.tanh({gain_p} * wp.sin($arg))|$q = {amp}[$d] * (wp.sin($arg) + 0.5 * wp.cos(2.0 * $arg))|$q = {amp}[$d] * wp.exp(-{soft} * {time}) * wp.cos($arg)⟩
        {target_out}[$d] = ⟨$q + {target}[$d]|$q|wp.clamp($q, {lower}[$d], {upper}[$d])⟩
        ⟨4:⟨{dqd_out}[$d] = {amp}[$d] * {freq} * wp.cos($arg)|⟩||⟨{dqd_out}[$d] = {amp}[$d] * {freq} * (wp.cos($arg) - wp.sin(2.0 * $arg))|⟩|⟩
        """,
        threads="d",
        kinds="math scalar_param",
    ),
    Idea(
        "limit_costs",
        "limit_costs joint_limit_cost soft_limit_penalty range_barrier",
        "compute a smooth cost for positions near the ⟨1:limits|upper limit|lower limit⟩",
        """
        hook dof
        ⟨1:$excess = wp.abs($dqi) - {warn} * {upper}[$d]|$excess = $dqi - {warn} * {upper}[$d]|$excess = {warn} * {lower}[$d] - $dqi⟩
        {cost_d}[$d] = ⟨{soft} * wp.log(1.0 + wp.exp($excess / {soft}))|wp.exp({gain_p} * $excess)|{gain_p} / (1.0 + wp.exp(-$excess / {soft}))|0.5 * ($excess + wp.sqrt($excess * $excess + {soft}))⟩
        ⟨|if $excess > 0.0:
            {dof_class}[$d] = 1
        else:
            {dof_class}[$d] = 0|{dof_class}[$d] = 1 if $excess > 0.0 else 0⟩
        """,
        threads="d",
        kinds="math scalar_param losses",
    ),
    Idea(
        "actuator_heat",
        "actuator_heat motor_losses thermal_power loss_model",
        "compute the losses of each actuator from its ⟨1:control|activation⟩",
        """
        ⟨$load = ⟨1:{ctrl}[$u]|{act}[$u]⟩ * {gear}[$u]|$load = {f_max} * ⟨1:{ctrl}[$u]|{act}[$u]⟩⟩
        {heat}[$u] = ⟨$load * $load * wp.exp(0.01 * ({temp}[$u] - 25.0))|wp.sqrt($load * $load + {soft})|$load * wp.tanh($load / {soft})⟩
        ⟨{u_force}[$u] = $load|⟩
        """,
        threads="u",
        kinds="math",
    ),
    Idea(
        "activation_decay",
        "integrate_controls accumulate_controls integrate_activations add_activation",
        "integrate the control of each actuator into its activation",
        """
        ⟨if {u_dof}[$u] < 0:
            return
        |if {u_dyn}[$u] == {DYN_NONE}:
            return
        |⟩$rate = ⟨{ctrl}[$u]|{ctrl}[$u] / {tau_c}[$u]|wp.clamp({ctrl}[$u], -{v_lim}, {v_lim})⟩
        {act}[$u] += {dt} * $rate
        ⟨{u_force}[$u] = {gear}[$u] * {ctrl}[$u]|⟩
        """,
        threads="u",
        kinds="arithmetic scalar_param",
    ),
    Idea(
        "speed_classes",
        "speed_classes classify_bodies motion_state body_activity",
        "sort the bodies into classes by their ⟨1:speed|spin|speed of the centre of mass⟩",
        """
        $speed = ⟨1:wp.length({vel3}[$b])|wp.length({omega3}[$b])|wp.length({vel3}[$b] + wp.cross({omega3}[$b], {com}[$b]))⟩
        if $speed < ⟨{v_sleep}|0.7 * {v_sleep}⟩:
            {class_out}[$b] = 0
            ⟨wp.atomic_add({moved}, 0, 1)|⟩
        elif $speed < ⟨1:{v_max}|{w_max}|{v_max}⟩:
            {class_out}[$b] = 1
        else:
            {class_out}[$b] = 2
            ⟨wp.atomic_add({level_count}, {depth}[$b], 1)|⟩
        """,
        threads="b",
        kinds="multi_conditional combined scalar_param control_flow",
    ),
    Idea(
        "mass_times",
        "mass_times_vector mul_mass_matrix mass_product inertia_product",
        "multiply the ⟨1:mass matrix|related part of the mass matrix⟩ and the ⟨2:velocities|errors of the velocities|errors of the positions⟩",
        """
        hook dof
        $sum = float(0.0)
        for $j in range({nd}):
            ⟨1:|if {ancestor}[$d, $j] == 0:
                continue
            ⟩$sum += {M_in}[$d, $j] * ⟨2:{dqd}[$j]|({target}[$j] - {dqd}[$j])|({target}[$j] - {dq}[$j])⟩
        {row_f}[$d] = ⟨$sum|$sum + {armature}[$d] * ⟨2:$dqdi|({target}[$d] - $dqdi)|({target}[$d] - $dqi)⟩⟩
        """,
        threads="d",
        kinds="control_flow linear_algebra reduction",
    ),
    Idea(
        "child_forces",
        "child_dof_forces sum_child_efforts child_power children_momentum",
        "sum the ⟨1:power|forces|momentum⟩ of the degrees of freedom of the children of each body",
        """
        $sum = float(0.0)
        for $k in range({child_num}[$b]):
            $child = {children}[$b, $k]
            if $child ⟨>= 0|!= -1|>= 0 and {awake}[$child] == 1⟩:
                for $dof in range({dof_adr}[$child], {dof_adr}[$child + 1]):
                    $sum += ⟨1:⟨{tau}[$dof] * {dqd}[$dof]|wp.abs({tau}[$dof] * {dqd}[$dof])⟩|⟨{tau}[$dof]|wp.abs({tau}[$dof])⟩|{armature}[$dof] * {dqd}[$dof]⟩
        {child_sum}[$b] = $sum
        """,
        threads="b",
        kinds="nested_loop control_flow reduction",
    ),
    Idea(
        "site_velocities",
        "site_velocities point_velocity_world com_velocity lever_velocities",
        "compute the velocity of the centre of mass of each body in ⟨1:the world|its own frame⟩",
        """
        hook body
        $arm = @to_world({xquat}[$b], {com}[$b])
        ⟨$vel = {vel3}[$b] + @spin_vel({omega3}[$b], $arm)|$vel = {vel3}[$b] - @spin_vel($arm, {omega3}[$b])⟩
        {v3_out}[$b] = ⟨1:$vel|@to_local({xquat}[$b], $vel)⟩
        ⟨|{L_out}[$b] = {mass}[$b] * wp.cross($arm, $vel)|wp.atomic_add({P_sum}, 0, {mass}[$b] * $vel)⟩
        """,
        threads="b",
        kinds="vector quaternion helper_functions",
    ),
    Idea(
        "sum_momentum",
        "sum_momentum total_momentum accumulate_tree_momentum momentum_totals",
        "add the ⟨1:momentum of each body to the total|mass times position of each body to its tree⟩",
        """
        hook body
        ⟨if {body_type}[$b] == {STATIC}:
            return
        |if not {mask}[$b]:
            return
        |⟩$momentum = {mass}[$b] * ⟨1:⟨{vel3}[$b]|({vel3}[$b] + wp.cross({omega3}[$b], @to_world({xquat}[$b], {com}[$b])))⟩|⟨{xpos}[$b]|({xpos}[$b] + @to_world({xquat}[$b], {com}[$b]))⟩⟩
        ⟨1:wp.atomic_add({P_sum}, 0, $momentum)
        ⟨wp.atomic_add({E_sum}, 0, 0.5 * wp.dot($momentum, $momentum) / {mass}[$b])|⟩|wp.atomic_add({sub_com}, {root}[$b], $momentum)
        ⟨wp.atomic_add({sub_mass}, {root}[$b], {mass}[$b])|⟩⟩
        """,
        threads="b",
        kinds="vector atomic atomics",
    ),
    Idea(
        "scatter_torques",
        "scatter_torques actuator_scatter add_actuator_torques transmit_forces",
        "add the force of each actuator to its degree of freedom",
        """
        $dof = {u_dof}[$u]
        ⟨if $dof < 0:
            return
        |if $dof == -1 or {u_type}[$u] == {DAMPER}:
            return
        ⟩$f = ⟨{gear}[$u] * {ctrl}[$u]|{gain_p} * ({ctrl}[$u] - {gear}[$u] * {dq}[$dof])|{gear}[$u] * {act}[$u] - {gain_d} * {dqd}[$dof]⟩
        wp.atomic_add({qfrc}, $dof, ⟨$f|wp.clamp($f, -{f_max}, {f_max})⟩)
        ⟨{u_force}[$u] = $f|wp.atomic_add({moved}, 0, 1)|⟩
        """,
        threads="u",
        kinds="atomic arithmetic gather_scatter atomics",
    ),
    Idea(
        "shift_inertia",
        "shift_inertia parallel_axis offset_inertia inertia_at_origin",
        "move the inertia of each body to ⟨1:the origin of its frame|its parent's frame⟩ by the parallel axis theorem",
        """
        hook body
        $arm = ⟨1:{com}[$b]|{pos0}[$b] + {com}[$b]⟩
        ⟨$I = wp.identity(n=3, dtype=float) * wp.dot($arm, $arm) - wp.outer($arm, $arm)|$skew_arm = wp.skew($arm)
        $I = wp.transpose($skew_arm) * $skew_arm⟩
        {mat_out}[$b] = ⟨{inertia}[$b] + {mass}[$b] * $I|{mass}[$b] * $I + wp.diag({diag}[$b])⟩
        ⟨|{L_out}[$b] = ({inertia}[$b] + {mass}[$b] * $I) * {omega3}[$b]⟩
        """,
        threads="b",
        kinds="matrix vector",
    ),
    Idea(
        "apply_tensor",
        "apply_tensor angular_response gyro_response inverse_inertia_product",
        "compute the ⟨1:angular acceleration|angular momentum|angular momentum⟩ of each body",
        """
        hook body
        ⟨1:$res = {inv_inertia}[$b] * ⟨wp.spatial_top({push}[$b])|(wp.spatial_top({push}[$b]) - wp.cross({omega3}[$b], {inertia}[$b] * {omega3}[$b]))⟩|$res = {inertia}[$b] * {omega3}[$b]|$res = {mat_w}[$b] * wp.cw_mul({diag}[$b], wp.transpose({mat_w}[$b]) * {omega3}[$b])⟩
        ⟨if {body_type}[$b] ⟨== {STATIC}|!= {DYNAMIC}⟩:
            $res = wp.vec3(0.0, 0.0, 0.0)
        |⟩⟨1:{a3_out}|{L_out}|{L_out}⟩[$b] = ⟨1:⟨$res|{mat_w}[$b] * $res⟩|⟨$res|{mat_w}[$b] * $res⟩|$res⟩
        """,
        threads="b",
        kinds="matrix vector combined",
    ),
    Idea(
        "blend_frames",
        "blend_frames relax_frames matrix_rate rotate_frames",
        "compute ⟨1:the rate of change of|a smoothed|the symmetric part of⟩ the frame of each body",
        """
        hook body
        $frame = {mat_w}[$b]
        {mat_out}[$b] = ⟨1:wp.skew({omega3}[$b]) * $frame|$frame + ⟨0.1|0.2⟩ * (wp.quat_to_matrix({xquat}[$b]) - $frame)|0.5 * ($frame + wp.transpose($frame))⟩
        ⟨{v3_out}[$b] = $frame * {vel3}[$b]|{v3_out}[$b] = wp.transpose($frame) * {vel3}[$b]|⟩
        """,
        threads="b",
        kinds="matrix vector quaternion",
    ),
    Idea(
        "relative_rotation",
        "relative_rotation rotation_offset initial_offset heading_change",
        "compute the ⟨1:rotation from|position relative to⟩ the initial pose of each body",
        """
        hook body
        $q_init = ⟨4:wp.transform_get_rotation({default_q}[$b])|{quat0}[$b]⟩
        ⟨1:{quat_out2}[$b] = ⟨wp.quat_inverse($q_init) * {xquat}[$b]|{xquat}[$b] * wp.quat_inverse($q_init)⟩|{xpos_out}[$b] = ⟨wp.quat_rotate_inv($q_init, {xpos}[$b] - ⟨4:wp.transform_get_translation({default_q}[$b])|{pos0}[$b]⟩)|wp.quat_rotate(wp.quat_inverse($q_init), {xpos}[$b] - ⟨4:wp.transform_get_translation({default_q}[$b])|{pos0}[$b]⟩)⟩⟩
        ⟨# velocity in the initial frame
        {v3_out}[$b] = wp.quat_rotate_inv($q_init, {vel3}[$b])|⟩
        """,
        threads="b",
        kinds="vector quaternion transform",
    ),
)
