"""Short ideas of the domain `contacts` on floats: forces, velocities, frames, penalties, loads and impulses."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

SHORT_FORCES = (
    Idea(
        "normal_chain",
        "normal_forces spring_damper_normal penalty_normal_force normal_force_chain",
        "compute the normal force of each contact from its depth and its velocity",
        """
        hook contact
        ⟨$f = @gap_force({stiff}[$c], {dist}[$c]) + @closing({visc}, {bias_in}[$c])|$gap = {dist}[$c] - {soft}
        $f = @gap_force({ke}, $gap) + @closing({kd}, {bias_in}[$c])|$f = @gap_force({stiff}[$c], {dist}[$c]) * (1.0 + @closing({visc}, {bias_in}[$c]))⟩
        $top = {ke} * {d_max}
        ⟨{f_hertz}[$c] = @cap_force($f, $top)|{impulse}[$c] += {dt} * @cap_force($f, $top)⟩
        ⟨# energy of the spring
        {pen_out}[$c] = 0.5 * @gap_force({stiff}[$c], {dist}[$c]) * wp.max(-{dist}[$c], 0.0)|⟩
        """,
        threads="c",
        kinds="arithmetic helper_functions contact scalar_param",
    ),
    Idea(
        "add_impulse",
        "add_impulse accumulate_impulses impulse_step relax_impulses",
        "change the impulse of each contact by ⟨1:its velocity|its depth|its velocity and depth⟩",
        """
        hook contact
        $f = ⟨1:{gain} * {bias_in}[$c]|{gain} * ({dist}[$c] + {slop})|{gain} * ({bias_in}[$c] + {erp} * {dist}[$c] / {dt})⟩
        ⟨# no large change in one step
        $f = wp.clamp($f, -{heavy}, {heavy})|# no change where the shapes are apart
        if {dist}[$c] > {slop}:
            $f = 0.0|⟩
        {impulse}[$c] -= ⟨$f|{relax} * $f⟩
        """,
        threads="c",
        kinds="arithmetic scalar_param contact",
    ),
    Idea(
        "split_velocity",
        "split_velocity normal_and_tangent slip_velocity decompose_velocity",
        "compute the force of each contact from the normal and the tangential part of its relative velocity",
        """
        hook contact
        $tang = @across({relv}[$c], $n)
        ⟨{force_c}[$c] = -{kd} * @along({relv}[$c], $n) - {visc} * $tang|{force_c}[$c] = -{kd} * @along({relv}[$c], $n) - {mu}[$c] * @squash($tang, {v_str})|# Coulomb friction, smooth where the contact sticks
        $load = {impulse}[$c] / {dt}
        {force_c}[$c] = $load * ($n - {mu}[$c] * @squash($tang, {v_str}))⟩
        ⟨# normal speed and slip
        {v_c}[$c] = wp.vec3(wp.dot({relv}[$c], $n), wp.length($tang), 0.0)|# speed after a bounce
        {bias_out}[$c] = -{rest} * wp.min(wp.dot({relv}[$c], $n), 0.0)|{mu_slip}[$c] = {mu}[$c] * wp.length(@squash($tang, {v_str}))|⟩
        """,
        threads="c",
        kinds="vector helper_functions contact",
    ),
    Idea(
        "coulomb_limit",
        "coulomb_limit clamp_friction project_to_cone friction_cone",
        "limit the ⟨1:tangential force|viscous friction|friction of the slip⟩ of each contact by its cone",
        """
        hook contact
        $tang = ⟨1:{force}[$c] - wp.dot({force}[$c], $n) * $n|-{visc} * ({relv}[$c] - wp.dot({relv}[$c], $n) * $n)|-{kf} * {slip_v}[$c]⟩
        $limit = {mu}[$c] * ⟨wp.abs(wp.dot({force}[$c], $n))|wp.max(wp.dot({force}[$c], $n), 0.0)|{stiff}[$c] * wp.max(-{dist}[$c], 0.0)⟩
        $len = wp.length($tang)
        if $len > $limit:
            $tang = $tang * ($limit / $len)
        {force_c}[$c] = ⟨$tang|$tang + wp.dot({force}[$c], $n) * $n⟩
        """,
        threads="c",
        kinds="vector combined control_flow contact",
    ),
    Idea(
        "shift_points",
        "shift_points move_contact_points drift_positions update_positions",
        "move the position of each contact ⟨1:along its normal|with its relative velocity|out of the penetration⟩",
        """
        hook contact
        $push = ⟨1:{relax} * {dist}[$c] * $n|{dt} * {relv}[$c]|{erp} * wp.max(-{dist}[$c] - {slop}, 0.0) * $n⟩
        ⟨# fast contacts move less
        if wp.length_sq({relv}[$c]) > 1.0:
            $push = 0.5 * $push|if {state}[$c] == {SEPARATE}:
            $push = wp.vec3(0.0, 0.0, 0.0)|⟩
        ⟨{pos}[$c] += $push|{pos_out}[$c] = {pos}[$c] + $push⟩
        """,
        threads="c",
        kinds="vector scalar_param contact",
    ),
    Idea(
        "scatter_forces",
        "scatter_forces add_contact_forces apply_forces_to_bodies body_force_sum",
        "add the force of each contact to ⟨1:the body of its first shape|the bodies of both shapes⟩",
        """
        ⟨1:if $sa < 0:
            return
        $body = {gbody}[$sa]
        if $body >= 0:
            wp.atomic_add({b_force}, $body, ⟨{force}[$c]|{gain} * {force}[$c]|{force}[$c] + $n * ({impulse}[$c] / {dt})⟩)
            ⟨wp.atomic_add({per_body}, $body, 1)|⟩|if $ba >= 0:
            wp.atomic_add({b_force}, $ba, ⟨2:{force}[$c]|{gain} * {force}[$c]|{force}[$c] - {visc} * {slip_v}[$c]⟩)
        if $bb >= 0:
            wp.atomic_sub({b_force}, $bb, ⟨2:{force}[$c]|{gain} * {force}[$c]|{force}[$c] - {visc} * {slip_v}[$c]⟩)⟩
        """,
        threads="c",
        kinds="atomic vector combined contact",
    ),
    Idea(
        "touch_loads",
        "touch_loads accumulate_touch sensor_loads sum_touch_forces",
        "add the ⟨1:impulses|impulses above a threshold|forces⟩ of contacts to the touch sensor of the ⟨2:first|second⟩ body",
        """
        hook contact
        if ⟨2:$ba|$bb⟩ < 0:
            return
        $id = {sensor}[⟨2:$ba|$bb⟩]
        if $id >= 0⟨| and {impulse}[$c] > {f_min}| and {state}[$c] != {SEPARATE}⟩:
            wp.atomic_add({touch}, $id, ⟨1:{impulse}[$c]|wp.max({impulse}[$c] - {light}, 0.0)|{impulse}[$c] / {dt}⟩)
            ⟨wp.atomic_add({touch_n}, $id, 1)|⟩
        """,
        threads="c",
        kinds="atomic arithmetic contact atomics",
    ),
    Idea(
        "load_classes",
        "load_classes classify_contacts contact_load_class bin_contacts",
        "sort the contacts into classes by their ⟨1:impulse|depth|speed⟩",
        """
        $level = ⟨1:{impulse}[$c]|-{dist}[$c] / {d_max}|wp.length({slip_v}[$c])⟩
        if $level < {light}:
            {type_out}[$c] = ⟨3:0|1⟩
            ⟨wp.atomic_add({event_n}, ⟨3:0|1⟩, 1)|⟩
        elif $level < {heavy}:
            {type_out}[$c] = ⟨3:1|2⟩
            ⟨wp.atomic_add({event_n}, ⟨3:1|2⟩, 1)|⟩
        else:
            {type_out}[$c] = ⟨3:2|3⟩
            ⟨wp.atomic_add({event_n}, ⟨3:2|3⟩, 1)|⟩
        """,
        threads="c",
        kinds="multi_conditional scalar_param control_flow contact",
    ),
    Idea(
        "smooth_penalty",
        "smooth_penalty soft_contact barrier_energy contact_penalty",
        "compute a ⟨1:soft one-sided penalty|pseudo-Huber penalty|penalty that decays exponentially⟩ from the distance of each contact",
        """
        hook contact
        $q = ⟨({soft} - {dist}[$c]) / {soft}|-{dist}[$c] / {soft}|1.0 - {dist}[$c] / {d_max}⟩
        {pen_out}[$c] = ⟨1:{soft} * wp.log(1.0 + wp.exp($q))|wp.sqrt(1.0 + $q * $q) - 1.0|wp.exp(0.5 * $q)⟩⟨| * {stiff}[$c]⟩
        ⟨{imped}[$c] = 1.0 / (1.0 + wp.exp(-$q))|{imped}[$c] = 0.5 + 0.5 * wp.tanh($q)|⟩
        """,
        threads="c",
        kinds="math scalar_param contact",
    ),
    Idea(
        "slip_friction",
        "slip_friction stribeck_friction smooth_friction friction_by_speed",
        "compute the friction coefficient of each contact from its slip velocity",
        """
        hook contact
        $ratio = ⟨wp.length({slip_v}[$c]) / {v_str}|wp.sqrt(wp.length_sq({slip_v}[$c]) + 1.0e-4) / {v_str}|wp.length_sq({slip_v}[$c]) / ({v_str} * {v_str})⟩
        {mu_slip}[$c] = ⟨{mu}[$c] * wp.tanh($ratio)|{mu}[$c] * (1.0 + {gain} * wp.exp(-$ratio))|{mu}[$c] * $ratio / wp.sqrt(1.0 + $ratio * $ratio)⟩
        ⟨{mu_out}[$c] = wp.sqrt({mu}[$c] * {cmu})|⟩
        """,
        threads="c",
        kinds="math contact",
    ),
    Idea(
        "decay_wear",
        "decay_wear accumulate_wear wear_step contact_heating",
        "add the energy that slip has lost in the step to the wear of each contact",
        """
        hook contact
        $loss = ⟨{mu}[$c] * {impulse}[$c] * wp.length({slip_v}[$c])|{dt} * {visc} * wp.length_sq({slip_v}[$c])|{mu}[$c] * {impulse}[$c] * wp.sqrt(wp.length_sq({slip_v}[$c]) + 1.0e-4)⟩
        ⟨# some of the heat flows away within the step
        {heat}[$c] += $loss * wp.exp(-{dt} / {tc})|# wear grows slower at large losses
        {heat}[$c] += ⟨wp.log(1.0 + $loss)|1.0 - wp.exp(-$loss)⟩⟩
        ⟨# worn contacts grip less
        {mu_slip}[$c] = {mu}[$c] * ⟨wp.exp(-$loss)|(1.0 - wp.tanh($loss))⟩|⟩
        """,
        threads="c",
        kinds="math scalar_param contact",
    ),
    Idea(
        "body_load",
        "body_load sum_contact_loads body_contact_energy contact_totals",
        "sum the ⟨1:impulses|losses by friction|elastic energies|elastic forces⟩ of the contacts of each body",
        """
        hook body
        $sum = float(0.0)
        each body_contact:
            ⟨|if {state}[$con] != {SEPARATE}:
                |if {dist}[$con] < 0.0:
                ⟩$sum += ⟨1:{impulse}[$con]|{mu}[$con] * {impulse}[$con] * wp.length({slip_v}[$con])|0.5 * {stiff}[$con] * {dist}[$con] * {dist}[$con]|{stiff}[$con] * wp.max(-{dist}[$con], 0.0)⟩
        {load}[$b] = $sum
        """,
        threads="b",
        kinds="control_flow reduction contact sparse",
    ),
    Idea(
        "edge_sums",
        "edge_sums body_edge_impulses pyramid_load row_impulse_sum",
        "sum the ⟨1:impulses|absolute impulses|squared impulses⟩ of all edges of the contacts of each body",
        """
        $sum = float(0.0)
        each body_contact:
            for $e in range(⟨{condim}[$con]|{edges}⟩):
                ⟨if ⟨1:{row_f}[$con, $e]|wp.abs({row_f}[$con, $e])|{row_f}[$con, $e]⟩ > ⟨1:⟨0.0|{light}⟩|{light}|0.0⟩:
                    |⟩$sum += ⟨1:{row_f}[$con, $e]|wp.abs({row_f}[$con, $e])|{row_f}[$con, $e] * {row_f}[$con, $e]⟩
        {load}[$b] = $sum
        """,
        threads="b",
        kinds="nested_loop control_flow contact reduction",
    ),
    Idea(
        "to_frame",
        "to_frame contact_frame_velocity rotate_to_contact local_velocity",
        "express the relative velocity at each contact in its frame",
        """
        hook contact
        ⟨2:# the rows of the frame are its axes
        |# the columns of the frame are its axes
        |⟩$v = ⟨2:{frame}[$c]|wp.transpose({frame}[$c])|{frame}[$c]⟩ * {relv}[$c]
        {v_c}[$c] = ⟨$v|wp.cw_mul($v, wp.vec3(1.0, {mu}[$c], {mu}[$c]))⟩
        ⟨# speed after a bounce
        {bias_out}[$c] = -{rest} * wp.min($v[0], 0.0)|{force_c}[$c] = ⟨2:{frame}[$c]|wp.transpose({frame}[$c])|{frame}[$c]⟩ * {force}[$c]|{n_out}[$c] = ⟨2:{frame}[$c]|wp.transpose({frame}[$c])|{frame}[$c]⟩ * $n|⟩
        """,
        threads="c",
        kinds="matrix vector contact",
    ),
    Idea(
        "normal_projector",
        "normal_projector tangent_projector contact_tensor anisotropic_stiffness",
        "compute the ⟨1:projector to the tangent plane|stiffness matrix|damping matrix⟩ of each contact",
        """
        hook contact
        $P = wp.outer($n, $n)
        {frame_out}[$c] = ⟨1:wp.identity(n=3, dtype=float) - $P|⟨{stiff}[$c]|{ke}⟩ * $P + {kf} * (wp.identity(n=3, dtype=float) - $P)|{kd} * $P⟨| + {visc} * (wp.identity(n=3, dtype=float) - $P)⟩⟩
        ⟨# damping along the normal
        {force_c}[$c] = -{kd} * ($P * {relv}[$c])|# drag in the tangent plane
        {force_c}[$c] = -{visc} * ({relv}[$c] - $P * {relv}[$c])|⟩
        """,
        threads="c",
        kinds="matrix vector contact",
    ),
    Idea(
        "tangent_solve",
        "tangent_solve friction_block_step tangential_update solve_friction_block",
        "compute the tangential impulse of each contact that stops its slip",
        """
        hook contact
        $t1, $t2 = @tangents($n)
        $slip = wp.vec2(wp.dot({slip_v}[$c], $t1), wp.dot({slip_v}[$c], $t2))
        $tang = ⟨{tangent}[$c] - wp.inverse({block2}[$c]) * $slip|{tangent}[$c] - wp.inverse({block2}[$c] + {soft} * wp.identity(n=2, dtype=float)) * $slip|-(wp.inverse({block2}[$c] + {soft} * wp.identity(n=2, dtype=float)) * $slip)⟩
        ⟨$limit = {mu}[$c] * {impulse}[$c]
        if wp.length($tang) > $limit:
            $tang = wp.normalize($tang) * $limit|if {condim}[$c] == 1:
            # frictionless
            $tang = wp.vec2(0.0, 0.0)|⟩
        {tan_out}[$c] = ⟨$tang|{relax} * $tang⟩
        """,
        threads="c",
        kinds="matrix combined scalar_param contact linear_algebra",
    ),
    Idea(
        "separate_bodies",
        "move_bodies integrate_positions advance_bodies step_positions",
        "move each body with its ⟨1:velocity|damped velocity⟩⟨2:, unless it is static|, limited in speed|, unless it sleeps⟩",
        """
        hook body
        $v = ⟨1:{bv}[$b]|⟨{bv}[$b] / (1.0 + {dt} * {visc} * {inv_mass}[$b])|{bv}[$b] * (1.0 - {dt} * {visc})⟩⟩
        ⟨2:if {motion}[$b] ⟨== {STATIC}|!= {DYNAMIC}⟩:
            $v = wp.vec3(0.0)|if wp.length($v) > 1.0:
            $v = wp.normalize($v)|if {awake}[$b] == 0:
            $v = wp.vec3(0.0)⟩
        {bx}[$b] += {dt} * $v
        ⟨|# slow bodies may fall asleep
        if wp.length($v) < {v_rest}:
            {idle}[$b] += 1⟩
        """,
        threads="b",
        kinds="vector combined control_flow",
    ),
)
