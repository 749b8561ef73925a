"""Ideas of the domain `contacts`: constraint rows, impulses, position corrections and warm starts."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

SOLVER = (
    Idea(
        "jacobian_rows",
        "build_contact_jacobian contact_rows friction_pyramid_rows assemble_contact_rows",
        "build a row of the contact Jacobian for each edge of the friction pyramid",
        """
        ⟨if $c >= {ncon}[0]:
            return
        |if $c >= {ncon}[0] or {invalid}[$c]:
            return
        |if {invalid}[$c]:
            return
        ⟩⟨if {condim}[$c] == 1 and $e > 0:
            # frictionless contacts have one row
            return
        |if $e >= {condim}[$c]:
            return
        ⟩$t1, $t2 = @tangents($n)
        $dir = $n
        ⟨if $e == 1:
            $dir = $t1
        elif $e == 2:
            $dir = $t2
        elif $e == 3:
            $dir = wp.normalize(⟨$t1 + $t2|$t1 - $t2⟩)
        |if $e == 0:
            $dir = $n + $t1 * $mu_c
        elif $e == 1:
            $dir = $n - $t1 * $mu_c
        elif $e == 2:
            $dir = $n + $t2 * $mu_c
        else:
            $dir = $n - $t2 * $mu_c
        |# two opposite edges for each tangent
        $sgn = 1.0 - 2.0 * float($e % 2)
        if $e < 2:
            $dir = $n + $t1 * ($sgn * $mu_c)
        else:
            $dir = $n + $t2 * ($sgn * $mu_c)⟩
        if $ba >= 0:
            $arm = ⟨8:wp.transform_vector({body_q}[$ba], {pt_a}[$c])|{pos}[$c] - wp.transform_point({body_q}[$ba], {com}[$ba])|{pos}[$c] - wp.transform_get_translation({body_q}[$ba])⟩
            {J_a}[$c, $e] = wp.spatial_vector(wp.cross($arm, $dir), $dir)
        ⟨else:
            {J_a}[$c, $e] = wp.spatial_vector(0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
        |⟩if $bb >= 0⟨| and $bb != $ba⟩:
            $arm = ⟨8:wp.transform_vector({body_q}[$bb], {pt_b}[$c])|{pos}[$c] - wp.transform_point({body_q}[$bb], {com}[$bb])|{pos}[$c] - wp.transform_get_translation({body_q}[$bb])⟩
            {J_b}[$c, $e] = wp.spatial_vector(-wp.cross($arm, $dir), -$dir)
        """,
        threads="c e",
        kinds="multi_conditional combined contact spatial transform multi_dim helper_functions",
    ),
    Idea(
        "solve_contacts",
        "solve_contacts contact_iteration jacobi_contact_solve apply_contact_impulses",
        "run one Jacobi iteration of the contact impulses⟨1: with friction|, with friction|⟩ and scatter the changes of velocity",
        """
        hook contact
        ⟨if $ba < 0 and $bb < 0:
            return
        |if $ba == $bb:
            {imp_out}[$c] = {impulse}[$c]
            return
        ⟩$old = {impulse}[$c]
        $inv = float(0.1)
        if $ba >= 0:
            $inv += @effective({inv_mass}[$ba], {inv_inertia}[$ba], $ra, $n)
        if $bb >= 0:
            $inv += @effective({inv_mass}[$bb], {inv_inertia}[$bb], $rb, $n)
        ⟨$bias = wp.min({dist}[$c] + {slop}, 0.0) * {erp} / {dt}
        |$bias = float(0.0)
        if {dist}[$c] < 0.0:
            $bias = {dist}[$c] * {erp} / {dt}
        |$bias = {rest} * wp.min($vn, 0.0)⟩
        $lam = wp.max($old - {relax} * ($vn + $bias) / $inv, 0.0)
        {imp_out}[$c] = $lam
        $j = $n * ($lam - $old)
        ⟨1:$slip = $vrel - $n * $vn
        $len = wp.sqrt(wp.dot($slip, $slip) + 1.0e-4)
        $jt = wp.min($len / $inv, $mu_c * $lam)
        $j -= $slip * ($jt / $len)
        |$t1, $t2 = @tangents($n)
        $box = $mu_c * $lam
        $g1 = wp.clamp({tangent}[$c][0] - wp.dot($vrel, $t1) / $inv, -$box, $box)
        $g2 = wp.clamp({tangent}[$c][1] - wp.dot($vrel, $t2) / $inv, -$box, $box)
        {fric_out}[$c] = wp.vec2($g1, $g2)
        $j += $t1 * ($g1 - {tangent}[$c][0]) + $t2 * ($g2 - {tangent}[$c][1])
        |⟩
        if $ba >= 0⟨ and {motion}[wp.max($ba, 0)] == {DYNAMIC}|⟩:
            $wa = {inv_inertia}[$ba] * wp.cross($ra, $j)
            wp.atomic_add({dv}, $ba, wp.spatial_vector($wa, $j * {inv_mass}[$ba]))
        if $bb >= 0:
            $wb = {inv_inertia}[$bb] * wp.cross($rb, $j)
            wp.atomic_sub({dv}, $bb, wp.spatial_vector($wb, $j * {inv_mass}[$bb]))
        """,
        threads="c",
        kinds="atomic combined contact spatial transform atomics helper_functions",
        docs="One projected Jacobi iteration: impulses are clamped to push only, friction stays within the cone",
    ),
    Idea(
        "position_correction",
        "solve_contact_positions position_correction resolve_penetration project_contacts",
        "move the bodies of contacts that penetrate apart",
        """
        hook contact
        ⟨$depth = -{dist}[$c] - {slop}
        |$depth = wp.dot($xb - $xa, $n) - {slop}
        |$depth = -{dist}[$c]
        ⟩if $depth <= 0.0:
            return
        ⟨if $ba < 0 and $bb < 0:
            return
        |⟩$wa = float(0.0)
        $wb = float(0.0)
        if $ba >= 0:
            ⟨$wa = {inv_mass}[$ba]
            |if {motion}[$ba] == {DYNAMIC}:
                $wa = {inv_mass}[$ba]⟩
        if $bb >= 0:
            ⟨$wb = {inv_mass}[$bb]
            |# sleeping bodies do not move
            if {awake}[$bb] == 1:
                $wb = {inv_mass}[$bb]⟩
        ⟨$push = $n * ({erp} * $depth / ($wa + $wb + 0.1))
        |$push = $n * (wp.min({erp} * $depth, {d_max}) / ($wa + $wb + 0.1))
        |# compliant constraint
        $alpha = 1.0 / ({ke} * {dt} * {dt})
        $push = $n * ({relax} * $depth / ($wa + $wb + $alpha))⟩
        if $ba >= 0:
            wp.atomic_add({dx}, $ba, $push * $wa)
            ⟨wp.atomic_add({n_corr}, $ba, 1)|⟩
        if $bb >= 0:
            wp.atomic_sub({dx}, $bb, $push * $wb)
            ⟨wp.atomic_add({n_corr}, $bb, 1)|⟩
        """,
        threads="c",
        kinds="atomic vector combined contact atomics early_exit",
    ),
    Idea(
        "warm_start",
        "warm_start_contacts apply_warm_start restore_impulses warmstart_impulses",
        "start the impulse of each contact from that of the step before⟨1: and apply it to the bodies| and apply its linear part|⟩",
        """
        hook contact
        $m = {match}[$c]
        ⟨if $m < 0:
            # a new contact
            {warm_imp}[$c] = 0.0
            return
        |if $m == -1 or {age}[$c] == 0:
            {warm_imp}[$c] = 0.0
            return
        ⟩$lam = {impulse}[$m] * {warm}
        ⟨if wp.dot({normal}[$m], $n) < 0.0:
            # the normal has turned around
            $lam = 0.0
        |if {state}[$m] == {SEPARATE}:
            $lam = 0.0
        elif {state}[$m] == {SLIDE}:
            # less reliable than a sticking contact
            $lam = 0.5 * $lam
        |⟩{warm_imp}[$c] = $lam
        ⟨1:$j = $n * $lam
        ⟨|$t1, $t2 = @tangents($n)
        $j += ($t1 * {tangent}[$m][0] + $t2 * {tangent}[$m][1]) * {warm}
        ⟩if $ba >= 0:
            $arm = ⟨8:wp.transform_vector({body_q}[$ba], {pt_a}[$c])|{pos}[$c] - wp.transform_get_translation({body_q}[$ba])⟩
            $spin = {inv_inertia}[$ba] * wp.cross($arm, $j)
            wp.atomic_add({warm_dv}, $ba, wp.spatial_vector($spin, $j * {inv_mass}[$ba]))
        if $bb >= 0:
            $arm = ⟨8:wp.transform_vector({body_q}[$bb], {pt_b}[$c])|{pos}[$c] - wp.transform_get_translation({body_q}[$bb])⟩
            $spin = {inv_inertia}[$bb] * wp.cross($arm, $j)
            wp.atomic_sub({warm_dv}, $bb, wp.spatial_vector($spin, $j * {inv_mass}[$bb]))
        |if $ba >= 0:
            wp.atomic_add({warm_dv}, $ba, wp.spatial_vector(wp.vec3(0.0, 0.0, 0.0), $n * ($lam * {inv_mass}[$ba])))
        ⟨if $bb >= 0:
            wp.atomic_sub({warm_dv}, $bb, wp.spatial_vector(wp.vec3(0.0, 0.0, 0.0), $n * ($lam * {inv_mass}[$bb])))
        |⟩|⟩
        """,
        threads="c",
        kinds="control_flow combined contact spatial atomics gather_scatter early_exit",
    ),
)
