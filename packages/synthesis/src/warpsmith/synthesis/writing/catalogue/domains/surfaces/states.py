"""Ideas of the domain `surfaces`: changes in place, states of vertices, volume constraints."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

STATES = (
    Idea(
        "flip_winding",
        "flip_winding orient_triangles fix_orientation swap_corners",
        "reverse the winding of triangles in place",
        """
        $b = {trio}[$t, 1]
        $c = {trio}[$t, 2]
        ⟨if $b == $c:
            # degenerate
            wp.atomic_add({ncount}, 0, 1)
            return
        |if $b == $c or {trio}[$t, 0] == $b:
            return
        |⟩⟨if {side}[$t] == 1:|if {side}[$t] == 1 and {mat}[$t] != {target}:|$other = wp.max({adj}[$t, 0], 0)
        if {side}[$other] < {side}[$t]:⟩
            {trio}[$t, 1] = $c
            {trio}[$t, 2] = $b
            ⟨5:⟨|wp.atomic_add({ncount}, 0, 1)⟩|{tflag}[$t] = 1|⟨|wp.atomic_add({ncount}, 0, 1)⟩⟩
        ⟨5:elif $b < {trio}[$t, 0]:
            # rotate, to begin with a smaller index
            {trio}[$t, 1] = $c
            {trio}[$t, 2] = {trio}[$t, 0]
            {trio}[$t, 0] = $b|else:
            {tflag}[$t] = 0|⟩
        """,
        threads="t",
        kinds="control_flow",
        integer=True,
    ),
    Idea(
        "sleep_states",
        "update_sleep_states advance_vertex_states update_awake_flags step_states",
        "advance the state and the counter of each vertex",
        """
        $state = {vstate}[$i]
        $left = {timer}[$i]
        ⟨|if {pinned}[$i]:
            {vstate}[$i] = {ASLEEP}
            return

        ⟩if $state == {AWAKE}:
            ⟨if {vflag}[$i] & {SELECTED} == 0:|if {vflag}[$i] & {SELECTED} == 0 and {vmask}[$i] != 2:⟩
                # count the quiet steps
                $left = $left + 1
                if $left > ⟨2|3|4⟩:
                    $state = {DROWSY}
                    $left = 0
            ⟨|else:
                $left = 0⟩
        elif $state == {DROWSY}:
            $left = $left + 1
            ⟨if {ring}[$i, 0] >= 0 and {vflag}[wp.max({ring}[$i, 0], 0)] & {SELECTED} != 0:
                # a neighbour is active
                $state = {AWAKE}|if {vflag}[$i] & {SELECTED} != 0:
                $state = {AWAKE}⟩
            elif $left > ⟨1|2⟩:
                $state = {ASLEEP}
            ⟨|wp.atomic_add({ncount}, 0, 1)⟩
        else:
            if {vflag}[$i] ⟨== {SELECTED}|& {SELECTED} != 0⟩:
                $state = {AWAKE}
                $left = 0
        {vstate}[$i] = $state
        {timer}[$i] = $left
        """,
        kinds="multi_conditional control_flow",
        integer=True,
    ),
    Idea(
        "advance_inplace",
        "advance_cloth integrate_particles apply_velocity move_vertices",
        "add the step of each vertex to its position ⟨1:in place|and velocity in place|in place⟩",
        """
        hook vertex
        $w = ⟨{invm}[$i]|@free_weight({invm}[$i], {vflag}[$i])⟩
        $f = {force}[$i]
        ⟨|if {bc}[$i] == {DIRICHLET}:
            # only the plane of the ground
            $f = wp.vec3($f[0], 0.0, $f[2])
        |if wp.length($f) > ⟨5:3.0|2.5⟩:
            $f = wp.normalize($f) * ⟨5:3.0|2.5⟩
        ⟩$acc = $f * $w + wp.vec3(0.0, {g}, 0.0)
        ⟨|# drag of the air
        $acc = $acc - {drag} * ($vi - {wind}[0])
        |$acc = $acc - {kd} * $vi
        ⟩⟨1:{xio}[$i] += $vi * {dt} + $acc * (0.5 * {dt} * {dt})|{vio}[$i] += $acc * {dt}
        {xio}[$i] += ($vi + $acc * {dt}) * {dt}|$step = ($vi + $acc * {dt}) * {dt}
        ⟨if wp.length($step) > {margin}:
            $step = $step * ({margin} / wp.length($step))
            ⟨|wp.atomic_add({ncount}, 0, 1)⟩
        |⟩{xio}[$i] += $step⟩
        """,
        kinds="vector cloth",
    ),
    Idea(
        "volume_constraint",
        "solve_volume_constraints project_tet_volumes xpbd_volume conserve_volume",
        "project the volume of each tetrahedron to its rest volume and accumulate the corrections",
        """
        ⟨if {emat}[$c] == {LINEAR}:
            # compressible material
            return

        |⟩$x0 = {x}[$t0]
        $x1 = {x}[$t1]
        $x2 = {x}[$t2]
        $x3 = {x}[$t3]
        ⟨|# gradients of the volume by each vertex
        ⟩$g1 = wp.cross($x2 - $x0, $x3 - $x0) / 6.0
        $g2 = wp.cross($x3 - $x0, $x1 - $x0) / 6.0
        $g3 = wp.cross($x1 - $x0, $x2 - $x0) / 6.0
        $g0 = -($g1 + $g2 + $g3)
        ⟨$w0 = {invm}[$t0]
        $w1 = {invm}[$t1]
        $w2 = {invm}[$t2]
        $w3 = {invm}[$t3]|$w0 = @free_weight({invm}[$t0], {vflag}[$t0])
        $w1 = @free_weight({invm}[$t1], {vflag}[$t1])
        $w2 = @free_weight({invm}[$t2], {vflag}[$t2])
        $w3 = @free_weight({invm}[$t3], {vflag}[$t3])⟩

        $wsum = $w0 * wp.dot($g0, $g0) + $w1 * wp.dot($g1, $g1) + $w2 * wp.dot($g2, $g2) + $w3 * wp.dot($g3, $g3)
        ⟨if $wsum < ⟨0.05|0.1⟩:
            ⟨wp.atomic_add({inverted}, 0, 1)
            |⟩return
        |⟩$V = wp.dot($g1, $x1 - $x0)
        $cons = $V - {vol}[$c]
        ⟨|if $cons > 0.0 and {emat}[$c] == {STVK}:
            # only compression is corrected
            return
        |# limit the correction of one step
        $cons = wp.clamp($cons, -0.5, 0.5)
        ⟩$s = $cons⟨| * {relax}⟩ / ($wsum + ⟨{comp}|{comp} / ({dt} * {dt})|0.05⟩)
        wp.atomic_sub({delta}, $t0, $g0 * ($w0 * $s))
        wp.atomic_sub({delta}, $t1, $g1 * ($w1 * $s))
        wp.atomic_sub({delta}, $t2, $g2 * ($w2 * $s))
        wp.atomic_sub({delta}, $t3, $g3 * ($w3 * $s))
        ⟨|for $k in range(4):
            wp.atomic_add({valence}, {tet}[$c, $k], 1)⟩
        """,
        threads="c",
        kinds="vector atomic finite_elements cloth",
    ),
    Idea(
        "pressure",
        "apply_pressure inflate_surface add_pressure_forces pressure_volume",
        "add the force of the inner pressure on each triangle to its vertices and sum the volume",
        """
        hook tri
        # volume of the tetrahedron with the origin
        $part = wp.dot($p0, wp.cross($p1, $p2)) / 6.0
        wp.atomic_add({volsum}, 0, $part)
        ⟨$press = {pgas}|# the pressure falls with the height of the centroid
        $press = {pgas} + {rho} * {g} * ($p0[1] + $p1[1] + $p2[1]) / 3.0⟩
        ⟨|if {side}[$t] == 1:
            $press = -$press
        ⟩$push = $cr * ($press ⟨* 0.16667|/ 6.0⟩)
        ⟨for $k in range(3):
            $id = {tri}[$t, $k]
            if ⟨not {pinned}[$id]|{vflag}[$id] & {PINNED} == 0⟩:
                wp.atomic_add({force}, $id, $push)|wp.atomic_add({force}, $i0, $push)
        wp.atomic_add({force}, $i1, $push)
        wp.atomic_add({force}, $i2, $push)|if {mat}[$t] == {target}:
            # openings hold no pressure
            return
        wp.atomic_add({force}, $i0, $push)
        wp.atomic_add({force}, $i1, $push)
        wp.atomic_add({force}, $i2, $push)⟩
        """,
        threads="t",
        kinds="vector atomic cloth",
    ),
    Idea(
        "quality",
        "triangle_quality classify_triangles element_quality mark_slivers",
        "compute the quality of each triangle and sort it into classes",
        """
        $la = wp.length_sq($p1 - $p0)
        $lb = wp.length_sq($p2 - $p1)
        $lc = wp.length_sq($p0 - $p2)
        $area = 0.5 * wp.length($cr)
        # one for equilateral triangles
        $qual = ⟨6.9282|4.0 * 1.7320508⟩ * $area / ($la + $lb + $lc + 0.001)
        {tqual}[$t] = $qual
        $long = wp.max($la, wp.max($lb, $lc))
        ⟨if $area < {tol}:
            {tclass}[$t] = ⟨3|-1⟩
            ⟨|wp.atomic_add({ncount}, 0, 1)⟩
        elif $qual < ⟨0.3|0.4⟩:
            # sliver or needle
            if $long > ⟨10.0|9.0⟩:
                {tclass}[$t] = 2
            else:
                {tclass}[$t] = 1
        else:
            {tclass}[$t] = 0|if $qual < ⟨0.5|0.4⟩⟨| and $area > {tol}⟩:
            {tclass}[$t] = 1
            ⟨wp.atomic_add({ncount}, 0, 1)|wp.atomic_max({vmark}, $i0, 1)
            wp.atomic_max({vmark}, $i1, 1)
            wp.atomic_max({vmark}, $i2, 1)⟩
        elif $long > ⟨8.0|10.0⟩:
            {tclass}[$t] = 2
        else:
            {tclass}[$t] = 0⟩
        """,
        threads="t",
        kinds="multi_conditional",
    ),
)
