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

        |⟩⟨1:$f = {f}[$i] + wp.vec3(0.0, {gz} * {m}[$i], 0.0)|$f = {wind}[$i] * ({drag} * {m}[$i])|$f = ({goal}[$i] - {x}[$i]) * {spring_k}⟩
        {v}[$i] += $f * (⟨{w}[$i] * {sub_dt}|{sub_dt} / {m}[$i]⟩)
        ⟨{pull}[$i] += $f|{a_out}[$i] = $f * {w}[$i]|⟩
        """,
        kinds="vector scalar_param arithmetic particles",
    ),
    Idea(
        "drift",
        "drift advect_particles move_particles apply_displacement",
        "move each particle ⟨1:with its velocity|with the wind|by its correction⟩",
        """
        $d = ⟨1:{v}[$i] * {sub_dt}|{wind}[$i] * {sub_dt}|{shift}[$i] * {relax}⟩
        ⟨if {mat}[$i] == ⟨{SAND}|{SNOW}⟩:
            # this type is moved elsewhere
            return
        |if wp.length($d) > {rad}[$i]:
            # at most one radius
            $d = wp.normalize($d) * {rad}[$i]
        |if {flags}[$i] & {ACTIVE} == 0:
            return
        |if {flags}[$i] & {PINNED} != 0:
            # held particles only slide
            $d = wp.vec3($d[0], 0.0, $d[2])
        ⟩{x}[$i] += $d
        ⟨{speed_out}[$i] = wp.length($d) / {sub_dt}|{v_out}[$i] = $d / {sub_dt}|⟩
        """,
        kinds="combined vector particles",
    ),
    Idea(
        "blend_fields",
        "blend_velocities mix_fields interpolate_state lerp_positions",
        "blend two fields of the particles",
        """
        $blend = ⟨{relax}|1.0 - {relax}|{drag} * {sub_dt}⟩
        ⟨{x_out}[$i] = {x}[$i] + ({xp}[$i] - {x}[$i]) * $blend|{x_out}[$i] = {x}[$i] * (1.0 - $blend) + {goal}[$i] * $blend|{x_out}[$i] = wp.lerp({xp}[$i], {x}[$i], $blend)⟩
        ⟨{v_out}[$i] = {v}[$i] * (1.0 - $blend) + {wind}[$i] * $blend|{v_out}[$i] = wp.lerp({v}[$i], {wind}[$i], $blend)|{v_out}[$i] = {v}[$i] + ({wind}[$i] - {v}[$i]) * $blend⟩
        ⟨{rho_out}[$i] = {rho}[$i] * (1.0 - $blend) + {rho0} * $blend|{rho_out}[$i] = {rho}[$i] + ({rho0} - {rho}[$i]) * $blend|⟩
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
        ⟨$f += @anchor_force({x}[$i], {goal}[$i], {spring_k})|if {group}[$i] ⟨== {which}|>= 0⟩:
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
        $v = @cap_speed({v}[$i] + $f * ({w}[$i] * {sub_dt}), {vmax})
        ⟨|if {mat}[$i] == {SAND}:
            # grains creep
            $v = @cap_speed($v, {vsleep})
        |if {flags}[$i] & {PINNED} != 0:
            $v = wp.vec3(0.0, 0.0, 0.0)
        |if {mat}[$i] == {SNOW}:
            # the elastic phase is pulled back
            $v = $v + @anchor_force({x}[$i], {xp}[$i], {spring_k}) * ({w}[$i] * {sub_dt})
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
        ⟨$p = {x}[$i]|$p = {x}[$i] + {v}[$i] * {sub_dt}⟩
        if $p[⟨1:1|0⟩] < ⟨1:{ground}|-{box}⟩:
            {touch}[$i] = 0
            ⟨{x_out}[$i] = ⟨1:wp.vec3($p[0], {ground}, $p[2])|wp.vec3(-{box}, $p[1], $p[2])⟩|wp.atomic_add({hits}, 0, 1)|⟩
        elif $p[⟨1:1|0⟩] > {box}:
            {touch}[$i] = 1
        ⟨elif wp.abs($p[2]) > {box}:
            {touch}[$i] = 2
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
        ⟨if {group}[$i] != {which}:
            return
        |if {flags}[$i] & {ACTIVE} == 0:
            return
        |⟩⟨$d = {x}[$i]|# about the point of the ground below the origin
        $d = {x}[$i] - wp.vec3(0.0, {ground}, 0.0)⟩
        wp.atomic_add({inertia}, 0, wp.outer($d, $d) * ⟨{m}[$i]|(1.0 / {w}[$i])⟩)
        ⟨1:|wp.atomic_add({drift}, 0, {v}[$i] * {m}[$i])⟩
        ⟨wp.atomic_add({energy}, 0, 0.5 * {m}[$i] * wp.dot({v}[$i], {v}[$i]))|wp.atomic_add({counter}, 0, 1)|⟩
        """,
        kinds="matrix atomic vector reduction atomics",
    ),
    Idea(
        "deposit",
        "deposit_mass scatter_mass add_to_cells bin_mass",
        "add the mass ⟨1:and the number |⟩of the particles to their cells",
        """
        $bin = {cell}[$i]
        ⟨if {mat}[$i] == {SNOW}:
            return
        |if {rho}[$i] < {rho0}:
            # the free surface
            return
        |if {flags}[$i] & {ACTIVE} == 0:
            return
        |⟩wp.atomic_add({cmass}, $bin, ⟨{m}[$i]|1.0 / {w}[$i]⟩)
        ⟨1:wp.atomic_add({ccount}, $bin, 1)|⟩
        ⟨# the kinetic energy goes with the mass
        wp.atomic_add({energy}, 0, 0.5 * {m}[$i] * wp.dot({v}[$i], {v}[$i]))|wp.atomic_add({drift}, 0, {v}[$i] * {m}[$i])|⟩
        """,
        kinds="atomic arithmetic atomics histograms gather_scatter particles",
    ),
    Idea(
        "update_deformation",
        "update_deformation evolve_F step_def_grad advance_strain",
        "advance the deformation gradient of each particle",
        """
        $L = {L}[$i]
        ⟨{F_out}[$i] = {F}[$i] + $L * {F}[$i] * {sub_dt}|{F_out}[$i] = (wp.identity(n=3, dtype=float) + $L * {sub_dt}) @ {F}[$i]|# second order in time
        $step = $L * {sub_dt}
        {F_out}[$i] = {F}[$i] + $step @ {F}[$i] + ($step @ $step @ {F}[$i]) * 0.5⟩
        ⟨{rate_out}[$i] = -{rho}[$i] * wp.trace($L)|{rho_out}[$i] = {rho0} / wp.determinant({F}[$i])|if {mat}[$i] == {WATER}:
            {rate_out}[$i] = -{rho}[$i] * wp.trace($L)|⟩
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
        ⟨1:$strain = ⟨($F + wp.transpose($F)) * 0.5 - wp.identity(n=3, dtype=float)|0.5 * ($F + wp.transpose($F)) - wp.identity(n=3, dtype=float)⟩
        $stress = $strain * (2.0 * {shear}) + wp.identity(n=3, dtype=float) * ({bulk} * ⟨($J - 1.0)|wp.trace($strain)⟩)|$stress = ($F @ wp.transpose($F) - wp.identity(n=3, dtype=float)) * ({shear} / $J) + wp.identity(n=3, dtype=float) * ({bulk} * ⟨($J - 1.0)|wp.log($J) / $J⟩)⟩
        ⟨|if {mat}[$i] == {SAND} and $J > 1.0:
            # loose sand bears no stress
            $stress = wp.mat33()
        |if {mat}[$i] == {WATER}:
            # a fluid has a pressure only
            $stress = wp.identity(n=3, dtype=float) * ({bulk} * ($J - 1.0))
        ⟩{S_out}[$i] = $stress
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
            ⟨$sum += ({v}[$j] - {v}[$i]) * ({m}[$j] / {rho}[$j])|$r = wp.length({x}[$j] - {x}[$i])⟨| + 0.001⟩
            $sum += ({v}[$j] - {v}[$i]) * (⟨{m}[$j] / {rho}[$j]|2.0 * {m}[$j] / ({rho}[$i] + {rho}[$j])⟩ * @weight($r, {h}))|if {mat}[$j] == {mat}[$i]:
                $sum += ({v}[$j] - {v}[$i]) * ({m}[$j] / {rho}[$j])⟩
        {v_out}[$i] = {v}[$i] + $sum * ⟨0.5|0.25⟩
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
            $r = wp.sqrt(wp.dot($d, $d) + ⟨0.01|1.0e-3⟩)
            ⟨if ⟨{mat}[$j] != {SNOW}|{flags}[$j] & {ACTIVE} != 0|$j != $i⟩:
                |⟩⟨1:$sum += {m}[$j] * wp.dot({v}[$i] - {v}[$j], $d) * @slope($r, {h}) / $r|$sum += wp.dot({v}[$j] - {v}[$i], $d) * ({m}[$j] / {rho}[$j] * @slope($r, {h}) / $r)|$sum += ({heat}[$i] - {heat}[$j]) * (2.0 * {m}[$j] / {rho}[$j] * @slope($r, {h}) / $r)⟩
        ⟨1:{rate_out}|{div_out}|{hrate}⟩[$i] = $sum
        """,
        kinds="combined control_flow sph particles reduction",
    ),
    Idea(
        "tait",
        "tait_pressure eos_pressure update_pressure state_equation_step",
        "compute the pressure of each particle from its density",
        """
        $ratio = {rho}[$i] / {rho0}
        ⟨$press = {bulk} * (wp.pow($ratio, ⟨7.0|5.0|3.0⟩) - 1.0)|$press = {bulk} * (wp.exp($ratio - 1.0) - 1.0)|$press = {bulk} * wp.log($ratio)⟩
        ⟨{p_out}[$i] = wp.max($press, 0.0)|{p_out}[$i] = $press|if $ratio < 1.0:
            # no tension
            $press = 0.0
        {p_out}[$i] = $press⟩
        ⟨{pterm}[$i] = $press / ({rho}[$i] * {rho}[$i])|{sound}[$i] = wp.sqrt({bulk} / {rho}[$i])|⟩
        """,
        kinds="math scalar_param sph particles",
    ),
    Idea(
        "step_limit",
        "cfl_limit compute_time_step stable_step local_time_step",
        "compute the largest stable time step of each particle",
        """
        # speed of sound
        $cs = wp.sqrt({bulk} / {rho}[$i])
        ⟨$speed = wp.length({v}[$i])|$speed = wp.length({v}[$i] - {wind}[$i])|$speed = wp.sqrt(wp.dot({v}[$i], {v}[$i]) + 0.01)⟩
        ⟨{limit_out}[$i] = {relax} * {h} / ($cs + $speed)|{limit_out}[$i] = wp.min({relax} * {rad}[$i] / ($cs + $speed), {sub_dt})|# the force limits the step, too
        $limit = wp.sqrt({rad}[$i] / (wp.length({f}[$i]) * {w}[$i] + 0.1))
        {limit_out}[$i] = {relax} * wp.min({h} / ($cs + $speed), $limit)⟩
        ⟨if $speed > $cs:
            # supersonic
            wp.atomic_add({counter}, 0, 1)|{sound}[$i] = $cs|⟩
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
            if ⟨$j != $i|{flags}[$j] & {ACTIVE} != 0|{mat}[$j] == {mat}[$i]⟩:
                ⟨$d = {x}[$j] - {x}[$i]
                $sum += ({v}[$j] - {v}[$i]) * ({mu} * {m}[$j] / ({rho}[$i] * {rho}[$j] * (wp.length_sq($d) + 0.1)))|$sum += ({v}[$j] - {v}[$i]) * (2.0 * {mu} * {m}[$j] / ({rho}[$i] * ({rho}[$i] + {rho}[$j])))|$d = {x}[$j] - {x}[$i]
                $sum += $d * (wp.dot({v}[$j] - {v}[$i], $d) * {mu} * {m}[$j] / ({rho}[$i] * {rho}[$j] * (wp.length_sq($d) + 0.1)))⟩
        ⟨{a_out}[$i] = $sum|{a_out}[$i] = $sum + {f}[$i] * {w}[$i]⟩
        """,
        kinds="combined control_flow vector sph scalar_param particles",
    ),
    Idea(
        "cool_down",
        "cool_particles decay_temperature radiate_heat exponential_decay",
        "let the temperature of each particle decay",
        """
        $t = {heat}[$i]
        ⟨$t = $t * wp.exp(-{cool} * {sub_dt})|⟨# radiation
        |⟩$t = $t - {cool} * {sub_dt} * wp.pow($t, 4.0)|# small particles cool faster
        $t = $t * wp.exp(-{cool} * {sub_dt} * {smax} / {rad}[$i])⟩
        ⟨if {status}[$i] == {FADING}:
            # these cool once more
            $t = $t * wp.exp(-{cool} * {sub_dt})
        |if $t < ⟨1:0.4|0.5⟩:
            # no colder than the air
            $t = ⟨1:0.4|0.5⟩
        |if {flags}[$i] & {ACTIVE} == 0:
            # not exposed to the air
            $t = {heat}[$i]
        ⟩{heat_out}[$i] = $t
        ⟨{size_out}[$i] = {smax} * $t|# hot particles rise
        {v_out}[$i] = {v}[$i] - wp.vec3(0.0, {gz} * $t * {sub_dt}, 0.0)|⟩
        """,
        kinds="math control_flow scalar_param particles",
    ),
)
