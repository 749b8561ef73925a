"""Ideas of the domain `particles`: integration, boundaries, sleep, copies."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

MOTION = (
    Idea(
        "integrate",
        "integrate_particles step_particles integrate update_particles",
        "advance ⟨1:velocities and positions|the state⟩ of particles by one step of ⟨2:semi-implicit Euler|explicit Euler|velocity Verlet⟩",
        """
        hook begin
        ⟨if {flags}[$i] & {PINNED} != 0:
            # held particles stay where they are
            {x_out}[$i] = {x}[$i]
            {v_out}[$i] = wp.vec3(⟨0.0, 0.0, 0.0|⟩)
            return

        |⟩⟨2:# kick, then drift
        $v = $v + $acc * {dt}
        hook velocity
        $x = $x + $v * {dt}|$x = $x + $v * {dt}
        $v += $acc * {dt}
        hook velocity|$x = $x + $v * {dt} + $acc * (0.5 * {dt} * {dt})
        $v = $v + $acc * {dt}
        hook velocity⟩
        hook position

        ⟨1:{v_out}[$i] = $v
        {x_out}[$i] = $x|{x_out}[$i] = $x
        {v_out}[$i] = $v⟩
        hook moved
        """,
        kinds="vector combined particles",
    ),
    Idea(
        "collide_ground",
        "collide_ground ground_contact resolve_plane bounce_particles",
        "reflect particles from ⟨1:the ground|the walls of a box|a sphere⟩ with ⟨5:restitution and friction|restitution|friction⟩",
        """
        hook begin
        ⟨1:⟨2:$n = wp.vec3(0.0, 1.0, 0.0)
        $depth = {ground} - $x[1]|$depth = {ground} + {rad}[$i] - $x[1]
        $n = wp.vec3(0.0, 1.0, 0.0)⟩|$n = wp.vec3(-1.0, 0.0, 0.0)
        $depth = $x[0] - {box}
        if $x[2] > {box}⟨ and $x[2] > $x[0]|⟩:
            $n = wp.vec3(0.0, 0.0, -1.0)
            $depth = $x[2] - {box}|⟨3:# the obstacle is at the origin
        |⟩$r = wp.length($x) + 1.0e-4
        $n = $x / $r
        $depth = {ball} - $r⟩

        if $depth > 0.0:
            $vn = wp.dot($v, $n)
            ⟨4:$x = $x + $n * $depth|$x += $depth * $n⟩
            if $vn < 0.0:
                # only particles that approach are reflected
                $vt = $v - $n * $vn
                ⟨5:$v = $vt * (1.0 - {fric}) - $n * ($vn * {rest_c})|$v = $vt - $n * ({rest_c} * $vn)|$v = $vt * wp.max(1.0 - {fric}, 0.0)⟩
                ⟨6:wp.atomic_add({hits}, 0, 1)|⟩

        {x_out}[$i] = $x
        {v_out}[$i] = $v
        """,
        kinds="combined vector multi_conditional contact particles",
    ),
    Idea(
        "wrap_box",
        "wrap_positions apply_periodic wrap_particles periodic_boundary",
        "wrap positions into the periodic box and count the crossings",
        """
        hook begin
        ⟨1:$at = $x|$at = $x + $v * {dt}⟩
        ⟨2:for $k in range(3):
            if $at[$k] > {box}:
                {image}[$i, $k] += 1
            elif $at[$k] < -{box}:
                {image}[$i, $k] -= 1|for $k in range(3):
            if wp.abs($at[$k]) > {box}:
                # the sign tells the direction of the crossing
                {image}[$i, $k] ⟨+= int(wp.sign($at[$k]))|= {image}[$i, $k] + int(wp.sign($at[$k]))⟩
                ⟨wp.atomic_add({counter}, 0, 1)|⟩⟩


        ⟨3:⟨4:# at most one crossing per step
        |⟩{x_out}[$i] = wp.vec3(@wrap($at[0], {box}), @wrap($at[1], {box}), @wrap($at[2], {box}))|$d = wp.vec3()
        for $ax in range(3):
            if $at[$ax] > {box}:
                $d[$ax] -= 2.0 * {box}
            elif $at[$ax] < -{box}:
                $d[$ax] += 2.0 * {box}
        {x_out}[$i] = $at + $d⟩
        """,
        kinds="control_flow combined particles helper_functions",
    ),
    Idea(
        "sleep",
        "update_sleep sleep_particles update_awake put_to_sleep",
        "count the frames for which each particle has been slow, and put it to sleep",
        """
        ⟨1:hook begin
        |⟩⟨2:$speed = wp.length($v)|$speed = wp.max(wp.max(wp.abs($v[0]), wp.abs($v[1])), wp.abs($v[2]))|$speed = wp.sqrt(wp.dot($v, $v) + 1.0e-6)⟩
        $count = {timer}[$i]
        if $speed < {vsleep}:
            $count += 1
            ⟨3:if $count > {patience}:
                {awake_out}[$i] = 0
                ⟨wp.atomic_add({counter}, 0, 1)
                |⟩$count = {patience}
            else:
                {awake_out}[$i] = 1|{awake_out}[$i] = 1
            if $count >= {patience}:
                $count = {patience}
                {awake_out}[$i] = 0⟩
        else:
            $count = 0
            {awake_out}[$i] = 1
        ⟨{speed_out}[$i] = $speed
        |⟩{timer}[$i] = $count
        """,
        kinds="control_flow multi_conditional particles",
        docs="A particle sleeps after it has been slower than a threshold for a number of frames",
    ),
    Idea(
        "measure",
        "measure_motion particle_energy sum_energy compute_energies",
        "compute the kinetic energy of each particle and sum up ⟨1:energy|momentum|energy and momentum⟩",
        """
        hook begin
        # kinetic energy in J
        ⟨2:$ke = 0.5 * {m}[$i] * wp.dot($v, $v)|$ke = 0.5 * wp.length_sq($v) / {w}[$i]|$speed = wp.length($v)
        $ke = 0.5 * {m}[$i] * $speed * $speed⟩
        ⟨3:if {flags}[$i] & {PINNED} != 0:
            # held particles do not move
            $ke = 0.0
        |⟩{ke_out}[$i] = $ke
        ⟨1:wp.atomic_add({energy}, 0, $ke)|wp.atomic_add({drift}, 0, $v * {m}[$i])|wp.atomic_add({energy}, 0, $ke)
        wp.atomic_add({drift}, 0, $v * {m}[$i])⟩
        ⟨4:wp.atomic_add({counter}, 0, ⟨1|{flags}[$i] & {ACTIVE}⟩)|wp.atomic_add({census}, {owner}[$i], 1)|⟩
        """,
        kinds="atomic vector reduction atomics particles",
    ),
    Idea(
        "predict",
        "predict_positions pbd_predict apply_external predict_particles",
        "predict positions from velocities and ⟨1:gravity|external forces⟩",
        """
        hook begin
        ⟨2:if ⟨{flags}[$i] & {PINNED} != 0|{status}[$i] == {DEAD}⟩:
            # stays where it is
            {x_out}[$i] = {x}[$i]
            {v_out}[$i] = wp.vec3(⟨0.0, 0.0, 0.0|⟩)
            return

        |⟩$v = $v + ⟨1:wp.vec3(0.0, {gz}, 0.0)|$f * $w⟩ * {dt}
        ⟨3:$v = $v * wp.exp(-{drag} * {dt})|$v = $v / (1.0 + {drag} * {dt})|$v -= $v * ({drag} * {dt})⟩
        hook velocity
        {v_out}[$i] = $v
        {x_out}[$i] = ⟨4:$x + $v * {dt}|{x}[$i] + 0.5 * {dt} * ($v + {v}[$i])⟩
        """,
        kinds="vector scalar_param particles",
    ),
    Idea(
        "finish_step",
        "update_velocities finish_step pbd_update velocity_from_positions",
        "derive velocities from the ⟨1:corrected|old and new⟩ positions",
        """
        hook begin
        # mean velocity over the step
        ⟨2:$d = {x}[$i] - {xp}[$i]
        $v = $d / {dt}|$v = ({x}[$i] - {xp}[$i]) * (1.0 / {dt})⟩
        ⟨3:if wp.length($v) > {h} / {dt}:
            # no farther than the support radius in one step
            $v = wp.normalize($v) * ({h} / {dt})
        |if {mat}[$i] == {SAND}:
            $v = $v * (1.0 - {fric})
        |⟩hook velocity
        {v_out}[$i] = $v
        ⟨4:{x_out}[$i] = {x}[$i]|{x_out}[$i] = {xp}[$i] + $v * {dt}|⟩
        """,
        kinds="vector combined scalar_param particles cloth",
    ),
    Idea(
        "restore",
        "reset_particles restore_state copy_state load_initial",
        "⟨1:copy the initial state to particles|reset particles⟩ that are marked",
        """
        ⟨2:if not {mask}[$i]:
            return|if {flags}[$i] & ⟨{ACTIVE}|{PINNED}⟩ == 0⟨ or not {mask}[$i]|⟩:
            return⟩

        ⟨3:{x_out}[$i] = {xp}[$i]
        ⟨{v_out}[$i] = wp.vec3(0.0, 0.0, 0.0)
        |⟩|{x_out}[$i] = {x}[$i]
        {v_out}[$i] = {v}[$i]
        |{v_out}[$i] = ⟨{v}[$i]|wp.vec3(0.0, 0.0, 0.0)⟩
        ⟨{rho_out}[$i] = ⟨{rho0}|{rho}[$i]⟩
        |⟩⟩⟨{timer}[$i] = 0
        |⟩⟨{touch}[$i] = {NONE}
        |⟩⟨{mat_out}[$i] = {mat}[$i]|{group_out}[$i] = {group}[$i]|⟩
        """,
        kinds="control_flow particles",
    ),
)
