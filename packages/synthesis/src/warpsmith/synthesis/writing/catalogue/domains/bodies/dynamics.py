"""Ideas of the domain `bodies`: forces on bodies, integration, momentum and inertia."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

DYNAMICS = (
    Idea(
        "integrate_bodies",
        "integrate_bodies integrate_rigid_bodies step_bodies semi_implicit_step",
        "advance the pose and the velocity of each body by one semi-implicit Euler step⟨1:, with the gyroscopic torque||⟩",
        """
        hook body
        ⟨2:# bodies that do not respond to forces keep their state
        if {body_type}[$b] == {STATIC}:
            {q_out}[$b] = {body_q}[$b]
            {qd_out}[$b] = wp.spatial_vector(⟨0.0, 0.0, 0.0, 0.0, 0.0, 0.0|wp.vec3(), wp.vec3()⟩)
            return
        |if {body_type}[$b] != {DYNAMIC}:
            {q_out}[$b] = {body_q}[$b]
            {qd_out}[$b] = {body_qd}[$b]
            return
        |if {body_type}[$b] == {KINEMATIC}:
            # prescribed motion
            $X0 = {body_q}[$b]
            $w0 = wp.spatial_top({body_qd}[$b])
            $x0 = wp.transform_get_translation($X0) + wp.spatial_bottom({body_qd}[$b]) * {dt}
            {q_out}[$b] = wp.transform($x0, @quat_step(wp.transform_get_rotation($X0), $w0, {dt}))
            {qd_out}[$b] = {body_qd}[$b]
            return
        |⟩
        # linear part
        ⟨$v1 = $v + ($force * {inv_mass}[$b] + {gravity}[0]) * {dt}
        |$a = $force * {inv_mass}[$b]
        if {flags}[$b] & {NO_GRAVITY} == 0:
            $a += {gravity}[0]
        $v1 = $v + $a * {dt}
        |$v1 = $v + $force * ({inv_mass}[$b] * {dt}) + {gravity}[0] * {dt}⟩

        # angular part in the frame of the body
        ⟨1:$wb = wp.quat_rotate_inv($r, $w)
        $tb = wp.quat_rotate_inv($r, $torque) - wp.cross($wb, {inertia}[$b] * $wb)
        $w1 = wp.quat_rotate($r, $wb + {inv_inertia}[$b] * $tb * {dt})
        |$tb = wp.quat_rotate_inv($r, $torque)
        $w1 = $w + wp.quat_rotate($r, {inv_inertia}[$b] * $tb) * {dt}
        |$Iw = @rotate_inertia($r, {inv_inertia}[$b])
        $w1 = $w + $Iw * $torque * {dt}⟩
        hook velocity

        ⟨$r1 = @quat_step($r, $w1, {dt})
        |$r1 = wp.normalize($r + wp.quat($w1, 0.0) * $r * (0.5 * {dt}))⟩
        ⟨# the centre of mass moves with the linear velocity
        $x1 = $xcom + $v1 * {dt}
        {q_out}[$b] = wp.transform($x1 - wp.quat_rotate($r1, {com}[$b]), $r1)
        |{q_out}[$b] = wp.transform($p + $v1 * {dt}, $r1)⟩
        {qd_out}[$b] = wp.spatial_vector($w1, $v1)
        """,
        threads="b",
        kinds="vector combined control_flow spatial transform quaternion early_exit helper_functions struct",
        docs="Integrate rigid bodies with semi-implicit Euler: velocities first, then positions with the new velocities",
    ),
    Idea(
        "external_forces",
        "apply_body_forces accumulate_forces eval_body_forces add_external_wrench",
        "add gravity⟨1:, drag||, damping⟩ and external forces to the wrench of each body",
        """
        hook body
        ⟨if {body_type}[$b] == {STATIC}:
            return

        |if {body_type}[$b] != {DYNAMIC}:
            return

        |⟩⟨$f = $force + $m * {gravity}[0]|$f = {mass}[$b] * {gravity}[0] + $force⟩
        $t = $torque⟨| + wp.cross(wp.quat_rotate($r, {com}[$b]), $f)⟩
        ⟨if {flags}[$b] & {SLEEPING} != 0:
            # sleeping bodies feel no force from the outside
            $f = wp.vec3(0.0, 0.0, 0.0)
        |⟩⟨1:$speed = wp.length($v)
        # drag grows with the square of the speed
        ⟨$f -= $v * ({drag} * $speed)|if $speed > {v_max}:
            $f -= $v * ({drag} * ($speed - {v_max}))⟩
        |⟨$t += wp.cross($xcom, $f)|⟩
        |$f -= $v * ({lin_damp} * $m)
        $t -= $w * {ang_damp}⟩

        ⟨{f_sum}[$b] += wp.spatial_vector($t, $f)|wp.atomic_add({f_sum}, $b, wp.spatial_vector($t, $f))
        |wp.atomic_add({f_sum}, $b, wp.spatial_vector($t, $f))
        if $par >= 0:
            # the parent carries the load, too
            wp.atomic_add({f_sum}, $par, wp.spatial_vector($t, $f))
        |# the load of a welded body acts on the body that holds it
        wp.atomic_add({f_sum}, {weld}[$b], wp.spatial_vector($t, $f))⟩
        """,
        threads="b",
        kinds="vector combined spatial transform atomics",
    ),
    Idea(
        "momentum",
        "compute_momentum body_momentum sum_momentum eval_energy",
        "compute the angular momentum of each body⟨1: and the total linear momentum| and the kinetic energies|⟩",
        """
        hook body
        ⟨$Iw = @rotate_inertia($r, {inertia}[$b])
        $spin = $Iw * $w
        |$wb = wp.quat_rotate_inv($r, $w)
        $spin = wp.quat_rotate($r, {inertia}[$b] * $wb)
        |$wb = wp.quat_rotate_inv($r, $w)
        $spin = wp.quat_rotate($r, wp.cw_mul({diag}[$b], $wb))
        |$R = wp.quat_to_matrix($r)
        $spin = $R * ({inertia}[$b] * (wp.transpose($R) * $w))⟩
        ⟨$L = $spin
        if {body_type}[$b] == {STATIC}:
            $L = wp.vec3(0.0, 0.0, 0.0)
        |# about the world origin
        $L = $spin + ⟨wp.cross($xcom, $v * $m)|wp.cross($xcom, $v) * $m|wp.cross($p, $v) * $m⟩
        |$L = $spin
        ⟩{L_out}[$b] = $L
        ⟨1:# linear momentum
        ⟨if {body_type}[$b] == {DYNAMIC}:
            wp.atomic_add({P_sum}, 0, $v * $m)
        |wp.atomic_add({P_sum}, 0, $m * $v)⟩
        |# translational and rotational parts
        wp.atomic_add({E_sum}, 0, 0.5 * $m * wp.dot($v, $v))
        ⟨if {flags}[$b] & {SLEEPING} == 0:
            wp.atomic_add({E_sum}, 1, 0.5 * wp.dot($w, $spin))
        |wp.atomic_add({E_sum}, 1, 0.5 * wp.dot($w, $spin))⟩
        |⟩
        """,
        threads="b",
        kinds="vector matrix spatial transform quaternion linear_algebra helper_functions",
    ),
    Idea(
        "world_inertia",
        "compute_world_inertia update_inertia rotate_body_inertia body_inertia_world",
        "rotate the inertia of each body to the world⟨1:| and shift it to the root of its tree| and shift it to its parent⟩",
        """
        hook body
        ⟨2:$I = {inertia}[$b]
        |$I = wp.diag({diag}[$b])
        |# rounding may have made it unsymmetric
        $I = ({inertia}[$b] + wp.transpose({inertia}[$b])) * 0.5⟩
        ⟨$Iw = @rotate_inertia($r, $I)|$R = wp.quat_to_matrix($r)
        $Iw = $R * $I * wp.transpose($R)
        |$Iw = $R @ $I @ wp.transpose($R)⟩
        ⟨1:|
        # parallel axis theorem
        $base = {root}[$b]
        $c = ⟨$xcom|$p⟩ - wp.transform_get_translation({body_q}[$base])
        ⟨if $base != $b:
            $K = wp.skew($c)
            $Iw = $Iw - $K * $K * $m
        |$Iw = $Iw + (wp.identity(n=3, dtype=float) * wp.dot($c, $c) - wp.outer($c, $c)) * $m⟩
        |if $par >= 0:
            $K = wp.skew($xcom - wp.transform_get_translation({body_q}[$par]))
            $Iw = $Iw + wp.transpose($K) * $K * $m⟩
        {Iw_out}[$b] = $Iw
        ⟨{xcom_out}[$b] = $xcom|⟩
        """,
        threads="b",
        kinds="matrix spatial transform quaternion linear_algebra helper_functions",
    ),
    Idea(
        "subtree_com",
        "accumulate_subtree_com subtree_moments sum_tree_mass tree_center_of_mass",
        "add the mass and the moment of each body to ⟨1:its tree|its parent|the ancestors of the body⟩",
        """
        hook body
        ⟨$moment = $xcom * $m|$moment = {xpos}[$b] * $m|$moment = ({xpos}[$b] + wp.quat_rotate({xquat}[$b], {com}[$b])) * $m⟩
        ⟨1:$base = {root}[$b]
        ⟨if $base == $b and {body_type}[$b] == {STATIC}:
            # a fixed base does not count
            return
        |⟩wp.atomic_add({sub_mass}, $base, $m)
        wp.atomic_add({sub_com}, $base, $moment)
        |⟨if $par < 0:
            return
        wp.atomic_add({sub_mass}, $par, $m)
        wp.atomic_add({sub_com}, $par, $moment)
        |if $par != -1⟨| and {body_type}[$b] == {DYNAMIC}⟩:
            wp.atomic_add({sub_com}, $par, $moment)
            wp.atomic_add({sub_mass}, $par, $m)⟩
        |$cur = $b
        # at most ⟨4:three|four|six⟩ links up the chain
        for $k in range(⟨4:3|4|6⟩):
            if $cur >= 0:
                wp.atomic_add({sub_mass}, $cur, $m)
                wp.atomic_add({sub_com}, $cur, $moment)
                $cur = {parent}[$cur]⟩
        """,
        threads="b",
        kinds="atomic vector combined atomics transform gather_scatter",
    ),
)
