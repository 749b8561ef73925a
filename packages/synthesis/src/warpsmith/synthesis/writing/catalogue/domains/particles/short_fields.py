"""Short ideas of the domain `particles`: fields that are added, scaled and summed; deformation; SPH."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

SHORT_FIELDS = (
    Idea(
        "kick",
        "kick apply_impulse add_acceleration integrate_velocity",
        "add the ⟨1:forces|drag of the wind|pull of the anchors⟩ of a substep to each velocity",
        """
        ⟨if {flags}[$i] & {PINNED} != 0:
            return

        |if {w}[$i] < 0.5:
            # too heavy to move
            return

        |⟩⟨1:$f = {f}[$i] + wp.vec3(0.0, {gz}⟨ * {m}[$i]|⟩, 0.0)|$f = {wind}[$i] * {drag}|$f = ({goal}[$i] - {x}[$i]) * {spring_k}⟩
        {v}[$i] += $f * (⟨{w}[$i] * {sub_dt}|{sub_dt} / {m}[$i]|0.5 * {sub_dt} * {w}[$i]⟩)
        ⟨{pull}[$i] += $f|{a_out}[$i] = $f * {w}[$i]|⟩
        """,
        kinds="vector scalar_param arithmetic particles",
    ),
    Idea(
        "drift",
        "drift advect_particles move_particles apply_displacement",
        "move each particle ⟨1:with its velocity|with the wind|by its correction⟩",
        """
        $d = ⟨1:{v}[$i] * {sub_dt}|({v}[$i] + {wind}[$i]) * {sub_dt}|{shift}[$i] * {relax}⟩
        ⟨if {mat}[$i] == ⟨{SAND}|{SNOW}⟩:
            $d = $d * 0.5
        |if wp.length($d) > {rad}[$i]:
            # at most one radius
            $d = wp.normalize($d) * {rad}[$i]
        |if {group}[$i] < 0 and {flags}[$i] & {ACTIVE} == 0:
            return
        |if $d[1] > 0.0 and {flags}[$i] & {PINNED} != 0:
            $d = wp.vec3($d[0], 0.0, $d[2])
        ⟩{x}[$i] += $d
        ⟨{speed_out}[$i] = wp.length($d) / {sub_dt}|{xp}[$i] += $d * 0.5|{delta}[$i] -= $d|⟩
        """,
        kinds="combined vector particles",
    ),
    Idea(
        "blend_fields",
        "blend_velocities mix_fields interpolate_state lerp_positions",
        "blend two fields of the particles",
        """
        $a = ⟨{relax}|{drag}|{sub_dt} * 20.0⟩
        ⟨{x_out}[$i] = {x}[$i] + ({xp}[$i] - {x}[$i]) * $a|{x_out}[$i] = {x}[$i] * (1.0 - $a) + {goal}[$i] * $a|{x_out}[$i] = wp.lerp({xp}[$i], {x}[$i], $a)⟩
        ⟨{v_out}[$i] = {v}[$i] * (1.0 - $a) + {wind}[$i] * $a|{v_out}[$i] = {v}[$i] - {wind}[$i] * $a|{v_out}[$i] = ({x}[$i] - {xp}[$i]) / {sub_dt}⟩
        ⟨{rho_out}[$i] = {rho}[$i] + {rho0} * $a|{heat_out}[$i] = {heat}[$i] * (1.0 - $a) + {rho}[$i] * $a|⟩
        """,
        kinds="vector arithmetic scalar_param particles",
    ),
    Idea(
        "force_chain",
        "sum_forces external_forces eval_forces accumulate_forces",
        "sum up the external forces of each particle",
        """
        $f = @gravity_force({m}[$i], {gz})
        $f += @drag_force(⟨{v}[$i]|{v}[$i] - {wind}[$i]⟩, {drag})
        ⟨$f += @anchor_force({x}[$i], {goal}[$i], {spring_k})|if {group}[$i] ⟨== {which}|> 0⟩:
            $f += @anchor_force({x}[$i], {xp}[$i], {spring_k})⟩
        ⟨{pull}[$i] += $f|{a_out}[$i] = $f * {w}[$i]|{a_out}[$i] = $f / {m}[$i]⟩
        """,
        kinds="vector scalar_param helper_functions particles",
    ),
    Idea(
        "velocity_chain",
        "step_velocity damp_and_limit advance_velocity limit_velocities",
        "advance the velocity of each particle with drag and a limit",
        """
        $f = @gravity_force({m}[$i], {gz}) + @drag_force({v}[$i], {drag})⟨| + {f}[$i]⟩
        $v = @cap_speed({v}[$i] + $f * {sub_dt}, {vmax})
        ⟨|if {mat}[$i] == {SAND}:
            $v = @cap_speed($v, {vsleep})
        |if {flags}[$i] & {PINNED} != 0:
            $v = wp.vec3(0.0, 0.0, 0.0)
        |if {mat}[$i] == {SNOW}⟨| and {group}[$i] >= 0⟩:
            $v = $v + @anchor_force({x}[$i], {xp}[$i], {spring_k}) * {sub_dt}
        ⟩{v_out}[$i] = $v
        ⟨|{x_out}[$i] = {x}[$i] + $v * {sub_dt}⟩
        """,
        kinds="vector helper_functions particles",
    ),
    Idea(
        "wall_codes",
        "detect_walls classify_walls wall_contacts boundary_flags",
        "find the ⟨1:wall|side⟩ that each particle has crossed",
        """
        ⟨$p = {x}[$i]|$p = {x}[$i] + {v}[$i] * {sub_dt}|$p = {x}[$i] - {xp}[$i]⟩
        if $p[⟨1:1|0⟩] < ⟨{ground}|-{box}⟩:
            {touch}[$i] = ⟨0|1⟩
            ⟨{x_out}[$i] = $p|wp.atomic_add({hits}, 0, 1)|{p_out}[$i] = {rho}[$i]⟩
        elif $p[⟨1:1|0⟩] > {box}:
            {touch}[$i] = 2
        ⟨elif wp.abs($p[2]) > {box}⟨| and {mat}[$i] != {SNOW}⟩:
            {touch}[$i] = ⟨3|4⟩
        |⟩else:
            {touch}[$i] = {NONE}
        """,
        kinds="multi_conditional combined control_flow contact particles",
    ),
    Idea(
        "sum_moments",
        "sum_momentum reduce_particles total_moments accumulate_inertia",
        "add up the ⟨1:second moments|second moments and the momentum⟩ of the particles",
        """
        ⟨if {group}[$i] == {which}:
            return
        |if {flags}[$i] & {ACTIVE} == 0:
            return
        |⟩$d = ⟨{x}[$i]|{x}[$i] - {goal}[$i]|{x}[$i] - {xp}[$i]⟩
        wp.atomic_add({inertia}, 0, wp.outer($d, ⟨$d|$d|{v}[$i]⟩) * ⟨{m}[$i]|{rho}[$i]⟩)
        ⟨1:|wp.atomic_add({drift}, 0, {v}[$i] * {m}[$i])⟩
        ⟨wp.atomic_add({energy}, 0, wp.dot($d, $d))|wp.atomic_add({counter}, 0, 1)|⟩
        """,
        kinds="matrix atomic vector reduction atomics",
    ),
    Idea(
        "deposit",
        "deposit_mass scatter_mass add_to_cells bin_mass",
        "add the mass ⟨1:and the number |⟩of the particles to their cells",
        """
        $c = {cell}[$i]
        ⟨if {mat}[$i] == {SNOW}:
            return
        |if {rho}[$i] < {rho0}:
            # the free surface
            return
        |⟩wp.atomic_add({cmass}, $c, ⟨{m}[$i]|{m}[$i] * {rho}[$i] / {rho0}|1.0 / {w}[$i]|{m}[$i] + {rho}[$i] * {rad}[$i]⟩)
        ⟨1:wp.atomic_add({ccount}, $c, 1)|⟩
        ⟨if $c ⟨==|>⟩ {which}:
            wp.atomic_add({energy}, 0, 0.5 * {m}[$i] * wp.dot({v}[$i], {v}[$i]))|wp.atomic_add({energy}, 0, {m}[$i])|⟩
        """,
        kinds="atomic arithmetic atomics histograms gather_scatter particles",
    ),
    Idea(
        "update_deformation",
        "update_deformation evolve_F step_def_grad advance_strain",
        "advance the deformation gradient of each particle",
        """
        $L = {L}[$i]⟨| * {relax}⟩
        ⟨{F_out}[$i] = {F}[$i] + $L * {F}[$i] * {sub_dt}|{F_out}[$i] = (wp.identity(n=3, dtype=float) + $L * {sub_dt}) @ {F}[$i]|{F_out}[$i] = {F}[$i] + ($L + wp.transpose($L)) * (0.5 * {sub_dt})⟩
        ⟨{rate_out}[$i] = -{rho}[$i] * wp.trace($L)|{rho_out}[$i] = {rho}[$i] / wp.determinant({F}[$i])|if {mat}[$i] == {WATER}:
            {rate_out}[$i] = wp.trace({L}[$i])|⟩
        """,
        kinds="matrix arithmetic scalar_param particles",
    ),
    Idea(
        "stress",
        "compute_stress neo_hookean particle_stress linear_stress",
        "compute the ⟨1:linear elastic|neo-Hookean⟩ stress of each particle",
        """
        $F = {F}[$i]
        $J = wp.determinant($F)
        ⟨1:$e = ⟨($F + wp.transpose($F)) * 0.5 - wp.identity(n=3, dtype=float)|{L}[$i] * {sub_dt}⟩
        $s = $e * {shear} + wp.identity(n=3, dtype=float) * ({bulk} * ⟨($J - 1.0)|wp.trace($e)⟩)|$s = $F @ wp.transpose($F) * ({shear} / $J) - wp.identity(n=3, dtype=float) * ⟨{shear}|({shear} - {bulk} * ($J - 1.0))⟩⟩
        ⟨|if {mat}[$i] == {SAND}⟨| and $J > 1.0⟩:
            $s = $s * 0.5
        ⟩{S_out}[$i] = $s⟨| * {w}[$i]⟩
        ⟨|{rho_out}[$i] = {rho0} / $J⟩
        """,
        kinds="matrix scalar_param particles",
    ),
    Idea(
        "xsph",
        "xsph_velocity smooth_velocity filter_velocities mean_velocity",
        "smooth the velocity of each particle over its neighbours",
        """
        $sum = wp.vec3()
        for $k in range({start}[$i], {start}[$i + 1]):
            $j = {list}[$k]
            ⟨$sum += ({v}[$j] - {v}[$i]) * ({drag} * {m}[$j] / {rho}[$j])|$r = wp.length({x}[$j] - {x}[$i])⟨| + 0.001⟩
            $sum += ({v}[$j] - {v}[$i]) * @weight($r, {h})⟨| * {drag}⟩|if {mat}[$j] == {mat}[$i]:
                $sum += {v}[$j] - {v}[$i]|$sum += {v}[$j] * ({m}[$j] / ({rho}[$i] + {rho}[$j]))⟩
        ⟨{v_out}[$i] = {v}[$i] + $sum * ⟨0.5|0.25⟩|{a_out}[$i] = $sum|{pull}[$i] += $sum⟩
        """,
        kinds="combined vector sph particles",
    ),
    Idea(
        "density_rate",
        "density_rate continuity_equation sum_divergence velocity_divergence",
        "sum up the ⟨1:rate of change of the density|divergence of the velocity|flow of heat⟩ at each particle",
        """
        $sum = float(0.0)
        for $k in range({start}[$i], {start}[$i + 1]):
            $j = {list}[$k]
            $d = {x}[$i] - {x}[$j]
            ⟨if ⟨{mat}[$j] != {SNOW}|{flags}[$j] & {ACTIVE} != 0|{group}[$j] >= 0⟩:
                |⟩⟨1:$sum += {m}[$j] * wp.dot({v}[$i] - {v}[$j], $d)|$sum += wp.dot({v}[$j] - {v}[$i], $d) * ({m}[$j] / {rho}[$j])|$sum += ({heat}[$j] - {heat}[$i]) / (wp.dot($d, $d) + 0.1)⟩
        {rate_out}[$i] = $sum⟨| * 0.5| + {heat}[$i]⟩
        """,
        kinds="combined control_flow sph particles reduction",
    ),
    Idea(
        "tait",
        "tait_pressure eos_pressure update_pressure state_equation_step",
        "compute the pressure of each particle from its density",
        """
        $r = {rho}[$i] / {rho0}
        ⟨$press = {bulk} * (wp.pow($r, ⟨7.0|5.0|3.0⟩) - 1.0)|$press = {bulk} * (wp.exp({shear} * ($r - 1.0)) - 1.0)|$press = {bulk} * wp.log($r)⟨| * $r⟩⟩
        ⟨{p_out}[$i] = wp.max($press, 0.0)|{p_out}[$i] = $press|if $r < 1.0:
            # no tension
            $press = $press * ⟨0.0|0.1|{drag}⟩
        {p_out}[$i] = $press⟩
        ⟨{a_out}[$i] = {x}[$i] * ($press / {rho}[$i])|{rate_out}[$i] = $press * {w}[$i]|⟩
        """,
        kinds="math scalar_param sph particles",
    ),
    Idea(
        "step_limit",
        "cfl_limit compute_time_step stable_step local_time_step",
        "compute the largest stable time step of each particle",
        """
        # speed of sound
        $c = wp.sqrt({bulk} / {rho}[$i])
        ⟨$speed = wp.length({v}[$i])|$speed = wp.length({v}[$i] - {wind}[$i])|$speed = wp.sqrt(wp.dot({v}[$i], {v}[$i]) + 0.01)⟩
        ⟨{limit_out}[$i] = {relax} * {h} / ($c + $speed)|{limit_out}[$i] = wp.min({relax} * {rad}[$i] / ($c + $speed), {sub_dt})|$a = wp.sqrt({rad}[$i] / (wp.length({f}[$i]) * {w}[$i] + 0.1))
        {limit_out}[$i] = {relax} * wp.min({h} / ($c + $speed), $a)⟩
        ⟨if $speed > $c⟨| * 0.5⟩:
            # supersonic
            wp.atomic_add({counter}, 0, 1)|{speed_out}[$i] = $speed / $c|⟩
        """,
        kinds="math sph scalar_param particles",
    ),
    Idea(
        "viscous_step",
        "apply_viscosity viscous_damping diffuse_velocity artificial_viscosity",
        "sum up the viscous acceleration of each particle",
        """
        $sum = wp.vec3()
        for $k in range({start}[$i], {start}[$i + 1]):
            $j = {list}[$k]
            if ⟨$j != $i|{group}[$j] != {which}|{mat}[$j] == {mat}[$i]⟩:
                ⟨$d = {x}[$j] - {x}[$i]
                $sum += ({v}[$j] - {v}[$i]) * ({drag} * {m}[$j] / ({rho}[$j] * (wp.length_sq($d) + 0.1)))|$sum += ({v}[$j] - {v}[$i]) * (2.0 * {drag} * {m}[$j] / ({rho}[$i] + {rho}[$j]))|$d = {x}[$j] - {x}[$i]
                $sum += $d * (wp.dot({v}[$j] - {v}[$i], $d) * {drag} * {m}[$j])⟩
        ⟨{a_out}[$i] = $sum|{a_out}[$i] = $sum + {f}[$i]|{pull}[$i] += $sum⟩
        """,
        kinds="combined control_flow vector sph scalar_param particles",
    ),
    Idea(
        "cool_down",
        "cool_particles decay_temperature radiate_heat exponential_decay",
        "let the temperature of each particle decay",
        """
        $t = {heat}[$i]
        ⟨$t = {heat}[$i] * wp.exp(-{cool} * {sub_dt})|$t = $t - {cool} * {sub_dt} * wp.pow($t, 4.0)|$t = $t / wp.sqrt(1.0 + {cool} * {sub_dt})|$t = {rho}[$i] + ($t - {rho}[$i]) * wp.exp(-{cool} * {sub_dt} * {rad}[$i])⟩
        ⟨if {status}[$i] == {FADING}:
            $t = $t * 0.5
        |if $t > {rho}[$i] and {mat}[$i] == {SNOW}:
            $t = {rho}[$i]
        |if {flags}[$i] & {ACTIVE} == 0:
            $t = {heat}[$i]
        ⟩{heat_out}[$i] = $t
        ⟨{size_out}[$i] = {smax} * $t|{v_out}[$i] = {v}[$i] + {wind}[$i] * $t|⟩
        """,
        kinds="math control_flow scalar_param particles",
    ),
    Idea(
        "grid_pull",
        "grid_attraction sum_over_nodes brute_force_field node_forces",
        "sum up the attraction of all grid nodes for each particle",
        """
        $sum = wp.vec2()
        for $ga in range({gx}):
            for $gb in range({gy}):
                $d = wp.vec2(float($ga), float($gb)) ⟨- {x2}[$i]|* 0.5 - {x2}[$i]⟩
                ⟨if {occn}[$ga, $gb] > ⟨0|1⟩:
                    |⟩$sum += $d * (⟨float({occn}[$ga, $gb])|{m}[$i]|{charge}[$i]⟩ / (wp.dot($d, $d) + ⟨1.0|0.5|{reach}⟩))
        ⟨{v2_out}[$i] = {v2}[$i] + $sum * 0.01|{v2}[$i] += $sum|{v2_out}[$i] = $sum⟩
        """,
        kinds="nested_loop combined vector fields particles",
    ),
    Idea(
        "bucket_sums",
        "count_buckets row_occupancy sum_buckets scan_row",
        "count the ⟨1:occupied slots|particles of a group|oldest frames⟩ in each column of cells",
        """
        $count = int(0)
        for $gb in range({gy}):
            for $k in range({slots}):
                $j = {occ}[$gi, $gb, $k]
                if ⟨1:$j >= 0⟨| and {flags}[$j] & {ACTIVE} != 0⟩|$j >= 0 and {group}[$j] ⟨==|!=⟩ {which}|$j != {NONE} and {age}[$j] > 20⟩:
                    $count += ⟨1|1|{mat}[$j]⟩
        {col_count}[$gi] = $count⟨|
        wp.atomic_add({counter}, 0, $count)|
        wp.atomic_max({cmax}, 0, $count)⟩
        """,
        threads="gi",
        kinds="nested_loop control_flow gather_scatter",
        integer=True,
    ),
)
