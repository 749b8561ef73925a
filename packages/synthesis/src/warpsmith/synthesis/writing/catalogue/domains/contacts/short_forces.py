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
        ⟨{f_hertz}[$c] = @cap_force($f, {heavy})|{impulse}[$c] += {dt} * @cap_force($f, {heavy})⟩
        ⟨{pen_out}[$c] = $f * {mu}[$c]|⟩
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
        $f = ⟨1:{gain} * {bias_in}[$c]|{gain} * ({dist}[$c] + {soft})|{gain} * {bias_in}[$c] + {visc} * {dist}[$c]⟩
        ⟨$f = wp.clamp($f, -{heavy}, {heavy})|if $f > {light}:
            $f = {light}|⟩
        {impulse}[$c] -= ⟨$f|{relax} * $f|$f / (1.0 + {mu}[$c])⟩
        ⟨|{imp_out}[$c] = $f|{pen_out}[$c] = $f * $f⟩
        """,
        threads="c",
        kinds="arithmetic scalar_param contact",
    ),
    Idea(
        "split_velocity",
        "split_velocity normal_and_tangent slip_velocity decompose_velocity",
        "split the relative velocity at each contact into a normal and a tangential part",
        """
        hook contact
        $tang = @across({relv}[$c], $n)
        ⟨{force_c}[$c] = {gain} * @along({relv}[$c], $n) + {visc} * @squash($tang, {soft})|{force_c}[$c] = -{mu}[$c] * @squash($tang, {soft}) - {gain} * @along({relv}[$c], $n)⟩
        ⟨{v_c}[$c] = $tang|{n_out}[$c] = $n - {visc} * $tang|{pen_out}[$c] = wp.length_sq($tang)|⟩
        """,
        threads="c",
        kinds="vector helper_functions contact",
    ),
    Idea(
        "coulomb_limit",
        "coulomb_limit clamp_friction project_to_cone friction_cone",
        "limit the tangential ⟨1:force|velocity|slip⟩ of each contact by its cone",
        """
        hook contact
        $tang = ⟨1:{force}[$c] - wp.dot({force}[$c], $n) * $n|{relv}[$c] - wp.dot({relv}[$c], $n) * $n|{gain} * {slip_v}[$c]⟩
        $limit = ⟨{mu}[$c] * {impulse}[$c] + {soft}|{gain} * {mu}[$c]|{mu}[$c] * wp.abs({dist}[$c]) + {light}⟩
        $len = wp.length($tang)
        if $len > $limit:
            $tang = $tang * ($limit / $len)
        {force_c}[$c] = ⟨$tang|-$tang|$tang + {impulse}[$c] * $n⟩
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
        $push = ⟨1:{gain} * {dist}[$c] * $n|{gain} * {relv}[$c]|{erp} * wp.max(-{dist}[$c] - {slop}, 0.0) * $n⟩
        ⟨# fast contacts move less
        if wp.length_sq({relv}[$c]) > {heavy}:
            $push = {light} * $push|if {state}[$c] == {SEPARATE}:
            $push = wp.vec3(0.0, 0.0, 0.0)|⟩
        ⟨{pos}[$c] += $push|{pos_out}[$c] = {pos}[$c] + $push|{pos_out}[$c] = {pos}[$c] + wp.cross($push, {slip_v}[$c])⟩
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
            wp.atomic_add({b_force}, $body, ⟨{force}[$c]|{gain} * {force}[$c]|{force}[$c] + {impulse}[$c] * $n⟩)
            ⟨wp.atomic_add({per_body}, $body, 1)|⟩|if $ba >= 0:
            wp.atomic_add({b_force}, $ba, ⟨{force}[$c]|{gain} * {force}[$c]⟩)
        if $bb >= 0:
            wp.atomic_sub({b_force}, $bb, ⟨{force}[$c]|{mu}[$c] * {force}[$c]⟩)⟩
        """,
        threads="c",
        kinds="atomic vector combined contact",
    ),
    Idea(
        "touch_loads",
        "touch_loads accumulate_touch sensor_loads sum_touch_forces",
        "add the impulses above a threshold to the touch sensors",
        """
        hook contact
        $f = ⟨{impulse}[$c]|wp.max({impulse}[$c] - {light}, 0.0)|{gain} * {impulse}[$c]⟩
        ⟨|if $f > {f_min}:
            ⟩wp.atomic_add({touch}, ⟨$c|{key}[$c]⟩ % {nt}, $f)
        ⟨wp.atomic_add({touch_n}, {age}[$c] % {nt}, 1)|{pen_out}[$c] = $f * {dist}[$c]|⟩
        """,
        threads="c",
        kinds="atomic arithmetic contact atomics",
    ),
    Idea(
        "load_classes",
        "load_classes classify_contacts contact_load_class bin_contacts",
        "sort the contacts into classes by their ⟨1:impulse|depth|speed⟩",
        """
        $level = ⟨1:{impulse}[$c]|4.0 * wp.abs({dist}[$c])|wp.length({slip_v}[$c])⟩
        if $level < {light}:
            {type_out}[$c] = ⟨0|{seen}[$c]⟩
            ⟨wp.atomic_add({event_n}, 0, 1)|⟩
        elif $level < {heavy}:
            {type_out}[$c] = ⟨3|{condim}[$c]|2 + {state}[$c]⟩
        else:
            {type_out}[$c] = ⟨9|-1⟩
            ⟨wp.atomic_add({event_n}, 2, 1)|⟩
        """,
        threads="c",
        kinds="multi_conditional scalar_param control_flow contact",
    ),
    Idea(
        "smooth_penalty",
        "smooth_penalty soft_contact barrier_energy contact_penalty",
        "compute a smooth ⟨1:penalty|barrier|decaying force⟩ from the distance of each contact",
        """
        hook contact
        $q = ⟨({soft} - {dist}[$c]) / {soft}|-{gain} * {dist}[$c] / {soft}|{gain} - {dist}[$c] / {d_max}⟩
        {pen_out}[$c] = ⟨1:{soft} * wp.log(1.0 + wp.exp($q))|wp.sqrt(1.0 + $q * $q) - 1.0|wp.exp(0.5 * $q)⟩⟨| * {mu}[$c]⟩
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
        $ratio = ⟨wp.length({slip_v}[$c]) / {v_str}|wp.abs({bias_in}[$c]) / {v_str}|wp.length_sq({slip_v}[$c]) / ({v_str} * {v_str})⟩
        {mu_slip}[$c] = ⟨{mu}[$c] * wp.tanh($ratio)|{mu}[$c] * (1.0 + {gain} * wp.exp(-$ratio))|{mu}[$c] * $ratio / wp.sqrt(1.0 + $ratio * $ratio)⟩
        ⟨{mu_out}[$c] = wp.sqrt({mu}[$c] * {cmu})|{pen_out}[$c] = {visc} * wp.log(1.0 + $ratio)|⟩
        """,
        threads="c",
        kinds="math contact",
    ),
    Idea(
        "decay_wear",
        "decay_wear accumulate_wear wear_step contact_heating",
        "add the loss of the step to the wear of each contact",
        """
        hook contact
        $loss = ⟨{mu}[$c] * {impulse}[$c] * wp.length({slip_v}[$c])|{visc} * wp.length_sq({slip_v}[$c])|{gain} * wp.sqrt({impulse}[$c] + {soft})⟩
        ⟨{heat}[$c] += {dt} * $loss|{heat}[$c] += $loss * wp.exp(-{stiff}[$c] * {soft})|{heat}[$c] += {dt} * $loss / (1.0 + $loss)⟩
        ⟨{pen_out}[$c] = wp.exp(-$loss)|{pen_out}[$c] = wp.log(1.0 + $loss)|⟩
        """,
        threads="c",
        kinds="math scalar_param contact",
    ),
    Idea(
        "body_load",
        "body_load sum_contact_loads body_contact_energy contact_totals",
        "sum the ⟨1:impulses|dissipated power|squared distances|normal velocities⟩ of the contacts of each body",
        """
        hook body
        $sum = float(0.0)
        each body_contact:
            ⟨|if {state}[$con] ⟨!=|==⟩ {SEPARATE}:
                ⟩$sum += ⟨1:{impulse}[$con]|{mu}[$con] * {impulse}[$con] * {bias_in}[$con]|{gain} * {dist}[$con] * {dist}[$con]|{bias_in}[$con]⟩
        {load}[$b] = ⟨$sum|0.5 * $sum|$sum + {inv_mass}[$b]|{light} + $sum⟩
        """,
        threads="b",
        kinds="control_flow reduction contact sparse",
    ),
    Idea(
        "edge_sums",
        "edge_sums body_edge_impulses pyramid_load row_impulse_sum",
        "sum the impulses of all edges of the contacts of each body",
        """
        $sum = float(0.0)
        each body_contact:
            for $e in range(⟨{condim}[$con]|{edges}⟩):
                ⟨if {row_f}[$con, $e] ⟨>|<⟩ 0.0:
                    |⟩$sum += ⟨{row_f}[$con, $e]|{mu}[$con] * {row_f}[$con, $e]|{row_f}[$con, $e] * {row_f}[$con, $e]|wp.length({row_J}[$con, $e])⟩
        {load}[$b] = ⟨$sum|0.5 * $sum|$sum + {inv_mass}[$b]⟩
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
        $v = ⟨{frame}[$c] * {relv}[$c]|wp.transpose({frame}[$c]) * {relv}[$c]|{frame}[$c] * ({relv}[$c] - {visc} * {slip_v}[$c])⟩
        {v_c}[$c] = ⟨$v|$v + {soft} * {force}[$c]|wp.cw_mul($v, wp.vec3(1.0, {mu}[$c], {mu}[$c]))⟩
        ⟨{bias_out}[$c] = $v[0]⟨| - {erp} * {dist}[$c]⟩|{n_out}[$c] = {frame}[$c] * $n|{pen_out}[$c] = wp.dot($v, {force}[$c])|⟩
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
        {frame_out}[$c] = ⟨1:wp.identity(n=3, dtype=float) - ⟨$P|{gain} * $P⟩|{stiff}[$c] * $P + {kf} * wp.identity(n=3, dtype=float)|{visc} * $P⟨| + {mu}[$c] * {frame}[$c]⟩⟩
        ⟨{force_c}[$c] = $P * {relv}[$c]|{force_c}[$c] = {relv}[$c] - $P * {relv}[$c]|{pen_out}[$c] = wp.dot({relv}[$c], $P * {relv}[$c])|⟩
        """,
        threads="c",
        kinds="matrix vector contact",
    ),
    Idea(
        "tangent_solve",
        "tangent_solve friction_block_step tangential_update solve_friction_block",
        "compute the tangential impulse of each contact from its mobility",
        """
        hook contact
        $tang = ⟨{tangent}[$c] - {gain} * ({block2}[$c] * {tangent}[$c])|{block2}[$c] * {tangent}[$c]|wp.inverse({block2}[$c] + {gain} * wp.identity(n=2, dtype=float)) * {tangent}[$c]⟩
        ⟨if wp.length($tang) > {light}:
            $tang = wp.normalize($tang) * {light}|if {condim}[$c] == 1:
            # frictionless
            $tang = wp.vec2(0.0, 0.0)|⟩
        {tan_out}[$c] = ⟨$tang|{relax} * $tang|$tang * {mu}[$c]⟩
        """,
        threads="c",
        kinds="matrix combined scalar_param contact linear_algebra",
    ),
    Idea(
        "separate_bodies",
        "separate_bodies push_out_bodies relax_bodies damp_bodies",
        "move each body with its ⟨1:velocity|velocity and inverse mass⟩, unless it is static",
        """
        hook body
        $v = ⟨1:{bv}[$b]|{gain} * {inv_mass}[$b] * {bv}[$b]⟩
        ⟨if {motion}[$b] ⟨==|!=⟩ {STATIC}:
            $v = wp.vec3(0.0)|if wp.length($v) > {heavy}:
            $v = wp.normalize($v) * {heavy}|if {awake}[$b] == 0:
            $v = {visc} * $v⟩
        {bx}[$b] += ⟨{dt} * $v|{gain} * $v⟩
        ⟨|{load}[$b] = wp.dot($v, $v)|{net}[$b] = wp.length_sq($v)⟩
        """,
        threads="b",
        kinds="vector combined control_flow",
    ),
)
