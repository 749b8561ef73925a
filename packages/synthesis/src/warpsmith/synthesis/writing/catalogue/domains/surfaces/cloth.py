"""Ideas of the domain `surfaces`: cloth of springs, constraints and seams."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

CLOTH = (
    Idea(
        "spring_forces",
        "eval_springs compute_spring_forces spring_force_kernel eval_edge_forces",
        "add the ⟨1:elastic|elastic and damping|damping|elastic⟩ force of each spring to its two vertices",
        """
        ⟨|||$ia = {ea}[$e]
        $ib = {eb}[$e]
        |$ia = {edge2}[$e][0]
        $ib = {edge2}[$e][1]
        ⟩hook edge
        $dvec = $xa - $xb
        $len = wp.length($dvec)
        ⟨if $len < 1.0e-4:
            return

        |if $ia == $ib:
            return

        ⟩$dir = $dvec / $len
        ⟨1:$f = $dir * ($ks * ($len - $l0))|# stiffness and damping act along the edge
        $rate = wp.dot($dir, $va - $vb)
        $f = $dir * ($ks * ($len - $l0) + {kd} * $rate)|$rate = wp.dot($dir, $va - $vb)
        $f = $dir * ({kd} * $rate)|$stretch = $len / $l0 - 1.0
        $f = $dir * ($ks * $l0 * $stretch)⟩
        ⟨|if $type == {SHEAR}:
            $f = $f * 0.5
        elif $type == {BEND}:
            $f = $f * 0.1
        |if $len < $l0:
            ⟨⟨# slack edges do not push
            |⟩return|# slack edges hardly push
            $f = $f * 0.1⟩
        |if $len > {smax} * $l0:
            # stiffen beyond the limit
            $f = $f + $dir * ($ks * ($len - {smax} * $l0))
        ⟩
        ⟨wp.atomic_sub({force}, $ia, $f)
        wp.atomic_add({force}, $ib, $f)|if not {pinned}[$ia]:
            wp.atomic_sub({force}, $ia, $f)
        if not {pinned}[$ib]:
            wp.atomic_add({force}, $ib, $f)|wp.atomic_add({force}, $ia, -$f)
        wp.atomic_add({force}, $ib, $f)⟩
        ⟨||{eenergy}[$e] = 0.5 * $ks * ($len - $l0) * ($len - $l0)|wp.atomic_add({energy}, 0, 0.5 * $ks * ($len - $l0) * ($len - $l0))⟩
        """,
        threads="e",
        kinds="vector atomic combined cloth",
    ),
    Idea(
        "distance_constraint",
        "solve_distance_constraints project_edges solve_springs_xpbd project_stretch",
        "project the length of each edge to ⟨2:its rest length|the allowed range|its rest length⟩ and accumulate the ⟨1:position|compliant XPBD|position⟩ corrections",
        """
        ⟨|||$ia = {ea}[$e]
        $ib = {eb}[$e]
        |$ia = {edge2}[$e][0]
        $ib = {edge2}[$e][1]
        ⟩hook edge
        $wsum = $wa + $wb
        if $wsum < ⟨0.5|0.6|0.8⟩:
            # both ends are heavy or held
            return

        $dvec = $xa - $xb
        $len = wp.length($dvec)
        if $len < 1.0e-3:
            return
        $dir = $dvec / $len
        ⟨2:$cons = $len - $l0|$cons = wp.max($len - $l0 * {smax}, 0.0) + wp.min($len - $l0 * {smin}, 0.0)|$cons = $len - $l0⟩
        ⟨|if $cons < 0.0⟨| and $type == {STRUCT}⟩:
            ⟨# only stretched edges are corrected
            return|# compressed edges are half as stiff
            $cons = $cons * 0.5⟩
        |if $type == {BEND} and $cons < 0.0:
            return
        ⟩
        ⟨1:$mag = $cons / $wsum|$alpha = {comp} / ({dt} * {dt})
        $dl = -($cons + $alpha * {lam}[$e]) / ($wsum + $alpha)
        {lam_out}[$e] = {lam}[$e] + $dl
        $mag = -$dl|$mag = {relax} * $cons / $wsum⟩

        wp.atomic_sub({delta}, $ia, $dir * ($wa * $mag))
        wp.atomic_add({delta}, $ib, $dir * ($wb * $mag))
        ⟨||wp.atomic_add({valence}, $ia, 1)
        wp.atomic_add({valence}, $ib, 1)⟩
        """,
        threads="e",
        kinds="atomic combined cloth",
    ),
    Idea(
        "strain_limit",
        "limit_strain clamp_edge_strain apply_strain_limits check_stretch",
        "classify the stretch of each edge⟨1:, store the energy| and mark edges that tear| and limit its length⟩",
        """
        ⟨|||$ia = {ea}[$e]
        $ib = {eb}[$e]
        |$ia = {edge2}[$e][0]
        $ib = {edge2}[$e][1]
        ⟩hook edge
        $len = wp.length($xb - $xa)
        $stretch = $len / $l0
        ⟨1:$excess = $stretch - 1.0|$state = int(0)|$goal = $len⟩
        if $stretch > {tear}:
            ⟨1:# a torn edge stores no energy
            $excess = 0.0|# the edge breaks in this step
            $state = int(2)|$goal = {smax} * $l0⟩
            ⟨wp.atomic_add({ncount}, 0, 1)|wp.atomic_add({valence}, $ia, 1)
            wp.atomic_add({valence}, $ib, 1)⟩
        elif $stretch > {smax}⟨| and $type != {BEND}⟩:
            ⟨1:$excess = {smax} - 1.0|$state = int(1)|$goal = 0.5 * ($len + {smax} * $l0)⟩
        elif $stretch < {smin}:
            ⟨1:$excess = {smin} - 1.0|$state = int(-1)|$goal = {smin} * $l0⟩
            ⟨|if $type == {STRUCT}:
                ⟨1:# threads buckle
                $excess = 0.0|$state = int(-2)|$goal = $l0⟩
            ⟩
        ⟨1:{eenergy}[$e] = 0.5 * $ks * $l0 * $l0 * $excess * $excess|{torn}[$e] = $state
        {eenergy}[$e] = 0.5 * $ks * ($len - $l0) * ($len - $l0)|{elen}[$e] = $goal⟩
        """,
        threads="e",
        kinds="multi_conditional control_flow cloth",
    ),
    Idea(
        "verlet",
        "integrate_cloth verlet_step integrate_vertices advance_particles",
        "advance the vertices of the cloth by one ⟨1:Verlet|semi-implicit Euler|Verlet⟩ step, with pinned vertices at rest",
        """
        if ⟨{pinned}[$i]|{vflag}[$i] & {PINNED} != 0⟩:
            {x_out}[$i] = $xi
            ⟨1:|{v_out}[$i] = wp.vec3(0.0, 0.0, 0.0)|{v_out}[$i] = wp.vec3(0.0, 0.0, 0.0)⟩
            return

        ⟨4:$w = ⟨{invm}[$i]|@free_weight({invm}[$i], {vflag}[$i])⟩
        |$w = {invm}[$i]
        ||⟩$acc = wp.vec3(0.0, {g}, 0.0)⟨4: + {force}[$i] * $w| - {kd} * $vi * $w||⟩
        ⟨1:$step = $xi - {prev}[$i]
        $xn = $xi + $step * (1.0 - {kd}) + $acc * ({dt} * {dt})|$vi = $vi + $acc * {dt}
        hook vel
        $xn = $xi + $vi * {dt}|$xn = 2.0 * $xi - {prev}[$i] + $acc * ({dt} * {dt})⟩
        hook pos
        {x_out}[$i] = $xn
        ⟨1:|{v_out}[$i] = $vi|{v_out}[$i] = ($xn - $xi) / {dt}⟩
        """,
        kinds="vector combined cloth",
    ),
    Idea(
        "apply_deltas",
        "apply_corrections apply_particle_deltas update_positions finish_iteration",
        "apply the averaged corrections to the positions ⟨1:|and update the velocities|and count the large steps⟩",
        """
        hook vertex
        $num = {valence}[$i]
        ⟨if $num == 0:
            {x_out}[$i] = $xi
            return
        |$num = wp.max($num, 1)
        ⟩
        $corr = {delta}[$i] * (⟨1.0|{relax}⟩ / float($num))
        ⟨|if wp.length($corr) > {spacing}:
            $corr = wp.normalize($corr) * {spacing}
        |$len = wp.length($corr)
        if $len > {spacing}:
            # limit the step
            $corr = $corr * ({spacing} / $len)
        ⟩
        $xn = $xi + $corr
        hook pos
        {x_out}[$i] = $xn
        ⟨1:|{v_out}[$i] = ($xn - {prev}[$i]) / {dt}|if wp.length($corr) > {margin}:
            wp.atomic_add({ncount}, 0, 1)⟩
        """,
        kinds="vector combined cloth",
    ),
    Idea(
        "bending",
        "eval_bending compute_dihedral_angles eval_hinges bend_energy",
        "compute the dihedral angle of each hinge and ⟨1:its energy|its energy and forces|the sum of the energies⟩",
        """
        $i0 = {hinge}[$h, 0]
        $i1 = {hinge}[$h, 1]
        $i2 = {hinge}[$h, 2]
        $i3 = {hinge}[$h, 3]
        $axis = {x}[$i1] - {x}[$i0]
        $n0 = wp.cross($axis, {x}[$i2] - {x}[$i0])
        $n1 = wp.cross({x}[$i3] - {x}[$i0], $axis)
        ⟨|# flat triangles have no angle
        ⟩if ⟨wp.length($n0) < 0.1 or wp.length($n1) < 0.1|wp.dot($n0, $n0) < 0.01 or wp.dot($n1, $n1) < 0.01⟩:
            {hangle}[$h] = 0.0
            return

        $sinv = wp.dot(wp.cross($n0, $n1), ⟨wp.normalize($axis)|$axis / wp.length($axis)⟩)
        $theta = wp.atan2($sinv, wp.dot($n0, $n1))
        $diff = $theta - {angle0}[$h]
        ⟨|# the material yields beyond this angle
        |⟩if wp.abs($diff) > {yield_}:
            ⟨$diff = {yield_} * wp.sign($diff)|$diff = {yield_} * $diff / wp.abs($diff)
            wp.atomic_add({ncount}, 0, 1)⟩
        {hangle}[$h] = $theta
        ⟨1:{henergy}[$h] = {kb}[$h] * $diff * $diff|{henergy}[$h] = 0.5 * {kb}[$h] * $diff * $diff
        $torque = {kb}[$h] * $diff * wp.length($axis)
        $f2 = $n0 * ($torque / wp.dot($n0, $n0))
        $f3 = $n1 * ($torque / wp.dot($n1, $n1))
        wp.atomic_add({force}, $i2, $f2)
        wp.atomic_add({force}, $i3, $f3)
        # each vertex of the edge takes half of the reaction
        wp.atomic_sub({force}, $i0, 0.5 * ($f2 + $f3))
        wp.atomic_sub({force}, $i1, 0.5 * ($f2 + $f3))|wp.atomic_add({energy}, 0, {kb}[$h] * (1.0 - wp.cos($diff)))⟩
        """,
        threads="h",
        kinds="vector math cloth",
    ),
    Idea(
        "seams",
        "close_seams sew_seams pull_stitches solve_seams",
        "pull the two vertices of each seam together while it closes",
        """
        $state = {seamstate}[$s]
        $ia = {seam}[$s, 0]
        $ib = {seam}[$s, 1]
        $dvec = {x}[$ib] - {x}[$ia]
        ⟨if $state == {OPEN}:
            return
        |if $state == {OPEN} or {pinned}[$ia]:
            return
        ⟩
        $goal = {seamlen}[$s]
        if $state == {CLOSING}:
            ⟨# move a part of the way
            |⟩$len = wp.length($dvec) + 0.001
            if $len > $goal:
                $corr = $dvec * ({relax} * ($len - $goal) / $len)
                ⟨wp.atomic_add({delta}, $ia, 0.5 * $corr)
                wp.atomic_sub({delta}, $ib, 0.5 * $corr)|wp.atomic_add({delta}, $ia, $corr * ($wa / ($wa + $wb + 0.01)))
                wp.atomic_sub({delta}, $ib, $corr * ($wb / ($wa + $wb + 0.01)))⟩
                ⟨wp.atomic_add({ncount}, 0, 1)|⟩
        else:
            # a closed seam keeps both vertices at their mean
            wp.atomic_add({delta}, $ia, 0.5 * $dvec)
            wp.atomic_sub({delta}, $ib, 0.5 * $dvec)
            ⟨|$rel = {v}[$ib] - {v}[$ia]
            wp.atomic_add({force}, $ia, {kd} * $rel)
            wp.atomic_sub({force}, $ib, {kd} * $rel)⟩
        """,
        threads="s",
        kinds="combined atomic control_flow cloth",
    ),
    Idea(
        "wind",
        "apply_wind eval_aerodynamics wind_forces air_drag",
        "add the drag and lift of the air to the vertices of each triangle",
        """
        ⟨|||$i0 = {flat}[3 * $t]
        $i1 = {flat}[3 * $t + 1]
        $i2 = {flat}[3 * $t + 2]
        |$i0 = {face}[$t][0]
        $i1 = {face}[$t][1]
        $i2 = {face}[$t][2]
        ⟩hook tri
        $vmean = ({v}[$i0] + {v}[$i1] + {v}[$i2]) ⟨/ 3.0|* 0.33333⟩
        $rel = {wind}[0] - $vmean
        ⟨$flow = wp.length($rel)
        if $flow < ⟨1.2|1.5⟩:
            return

        |⟩⟨# the length of the cross product is twice the area
        |⟩$across = wp.dot($cr, $rel)
        ⟨$f = $rel * ({drag} * wp.abs($across))|$f = $cr * ({lift} * $across)|$f = $rel * ({drag} * wp.abs($across)) + $cr * ({lift} * $across)⟩
        ⟨|if $across < 0.0:
            # the back side has less drag
            $f = $f * 0.5
        |if {mat}[$t] == {SILK}:
            # some of the air flows through thin silk
            $f = $f * 0.7
        ⟩
        $share = $f ⟨/ 3.0|/ 6.0⟩
        wp.atomic_add({force}, $i0, $share)
        wp.atomic_add({force}, $i1, $share)
        wp.atomic_add({force}, $i2, $share)
        """,
        threads="t",
        kinds="vector atomic cloth",
    ),
)
