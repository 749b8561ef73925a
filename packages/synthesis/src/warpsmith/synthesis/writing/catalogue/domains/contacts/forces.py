"""Ideas of the domain `contacts`: penalty forces, friction and touch sensors."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

FORCES = (
    Idea(
        "contact_forces",
        "eval_body_contacts eval_rigid_contacts apply_contact_forces penalty_contact_forces",
        "compute penalty forces with friction at each contact and add them to both bodies",
        """
        hook contact
        ⟨if $ba == $bb:
            return
        |if $ba < 0 and $bb < 0:
            return
        |if {condim}[$c] == 4 or $ba == $bb:
            # handled by another kernel
            return
        ⟩⟨if $d > 0.0:
            # separated
            return

        |if $d >= -{slop}:
            # no deeper than what is tolerated
            return

        ⟩⟨3:$kn = {ke}
        $dn = {kd}
        |# average of both shapes
        $kn = {ke}
        $dn = {kd}
        if $sa >= 0 and $sb >= 0:
            $kn = 0.5 * ({gke}[$sa] + {gke}[$sb])
            $dn = 0.5 * ({gkd}[$sa] + {gkd}[$sb])
        |$kn = {ke}
        $dn = {kd}
        if $sa >= 0:
            $kn = {gke}[$sa]
            $dn = {gkd}[$sa]
        ⟩
        $vt = $vrel - $n * $vn
        ⟨$fn = -$kn * $d
        |$fn = -$kn * $d - $dn * wp.min($vn, 0.0)
        |# damping only while the bodies approach
        $fn = -$kn * $d
        if $vn < 0.0:
            $fn -= $dn * $vn
        |$fn = $kn * wp.max(-$d, 0.0) - $dn * $vn⟩
        $ft = $vt * (-{kf})
        hook friction
        $total_f = $n * $fn + $ft

        if $ba >= 0:
            wp.atomic_add({f_body}, $ba, wp.spatial_vector(wp.cross($ra, $total_f), $total_f))
        if $bb >= 0:
            wp.atomic_sub({f_body}, $bb, wp.spatial_vector(wp.cross($rb, $total_f), $total_f))
        ⟨{force_c}[$c] = $total_f|⟩
        """,
        threads="c",
        kinds="atomic combined scalar_param contact spatial transform atomics early_exit",
        docs="Evaluate spring-damper contact forces with viscous friction; negative distances are penetrations",
    ),
    Idea(
        "ground_contacts",
        "eval_ground_contacts ground_contact_forces collide_with_ground apply_ground_contact",
        "push bodies out of the ground⟨1: with friction|, with friction|⟩ at one point for each contact",
        """
        hook contact
        ⟨if $ba < 0:
            # static shapes
            return
        |if $ba == -1:
            return
        if {motion}[$ba] ⟨== {STATIC}|!= {DYNAMIC}⟩:
            return
        |if $ba < 0 or {condim}[$c] == 1:
            return
        ⟩$X_body = {body_q}[$ba]
        $point = wp.transform_point($X_body, {pt_a}[$c])
        $arm = $point - ⟨wp.transform_get_translation($X_body)|wp.transform_point($X_body, {com}[$ba])⟩
        $vel = ⟨@point_velocity({body_qd}[$ba], $arm)|wp.spatial_bottom({body_qd}[$ba]) + wp.cross(wp.spatial_top({body_qd}[$ba]), $arm)⟩
        $height = $point[⟨7:1|2⟩]
        ⟨# lowest point of a sphere
        $height -= {gsize}[$sa][0]
        |⟩$up = wp.vec3(0.0, ⟨7:1.0, 0.0|0.0, 1.0⟩)
        $speed = wp.dot($vel, $up)
        ⟨if $height < 0.0:
            $fn = -{ke} * $height
            if $speed < 0.0:
                $fn -= {kd} * $speed
            $f = $up * $fn
            ⟨1:$slip = $vel - $up * $speed
            $f -= $slip * {kf}
            |$slip = $vel - $up * $speed
            $s = wp.length($slip) + 0.01
            $f -= $slip * (wp.min({kf} * $s, {cmu} * $fn) / $s)
            |⟩{force_c}[$c] = $f
            wp.atomic_add({f_body}, $ba, wp.spatial_vector(wp.cross($arm, $f), $f))
        |if $height >= 0.0:
            return
        $f = $up * (-{ke} * $height - {kd} * wp.min($speed, 0.0))
        ⟨1:$f -= ($vel - $up * $speed) * {kf}
        |$slip = $vel - $up * $speed
        $s = wp.length($slip) + 0.01
        $f -= $slip * (wp.min({kf} * $s, -{mu}[$c] * {ke} * $height) / $s)
        |⟩{force_c}[$c] = $f
        wp.atomic_add({f_body}, $ba, wp.spatial_vector(wp.cross($arm, $f), $f))⟩
        """,
        threads="c",
        kinds="combined control_flow scalar_param contact spatial transform early_exit",
    ),
    Idea(
        "touch_sensors",
        "accumulate_touch read_touch_sensors contact_sensor_forces update_contact_sensors",
        "add the normal impulses of contacts to the touch sensors of ⟨1:the first body|the second body|both bodies⟩",
        """
        hook contact
        $f = ⟨{impulse}[$c]|{impulse}[$c] / {dt}⟩
        ⟨if {impulse}[$c] < {f_min}:
            # too weak to count
            return
        |⟩⟨1:$body = $ba
        |$body = $bb
        |if $ba >= 0:
            $ia = {sensor}[$ba]
            if $ia >= 0:
                wp.atomic_add({touch}, $ia, $f)
                ⟨wp.atomic_add({touch_n}, $ia, 1)|⟩
        $body = $bb
        ⟩⟨if $body < 0:
            return
        $id = {sensor}[$body]
        if $id != -1:
            wp.atomic_add({touch}, $id, $f)
            wp.atomic_add({touch_n}, $id, 1)
        |if $body >= 0:
            $id = {sensor}[$body]
            if $id >= 0:
                wp.atomic_add({touch}, $id, $f)
                ⟨if {state}[$c] == {STICK}:
                    wp.atomic_add({touch_n}, $id, 1)
                |wp.atomic_add({touch_n}, $id, 1)⟩⟩
        """,
        threads="c",
        kinds="atomic control_flow multi_conditional contact atomics gather_scatter early_exit",
    ),
    Idea(
        "net_forces",
        "net_contact_forces sum_body_contacts gather_contact_impulses body_contact_load",
        "sum the normal impulses of the contacts of each body⟨1: that stick||⟩",
        """
        hook body
        $sum = float(0.0)
        each body_contact:
            ⟨1:if {state}[$con] == {STICK}⟨| or {state}[$con] == {SLIDE}⟩:
                $sum += {impulse}[$con]
            |if ⟨{dist}[$con] < 0.0|{impulse}[$con] > {f_min}⟩:
                $sum += {impulse}[$con]
            |⟨# only upward components
            $up = {normal}[$con][⟨1|2⟩]
            if $up > 0.0:
                $sum += {impulse}[$con] * $up
            |$sum += {impulse}[$con] / {dt}⟩⟩

        {net}[$b] = $sum
        """,
        threads="b",
        kinds="control_flow contact sparse reduction gather_scatter",
    ),
)
