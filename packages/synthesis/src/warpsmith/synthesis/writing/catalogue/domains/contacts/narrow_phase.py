"""Ideas of the domain `contacts`: the narrow phase and the geometry of contacts."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

NARROW_PHASE = (
    Idea(
        "narrow_phase",
        "narrow_phase collide_primitives generate_contacts compute_pair_contacts",
        "compute the distance, the position and the normal of the contact of each pair",
        """
        ⟨if {pmode}[$p] == 0:
            return
        |⟩⟨if {gbody}[$ga] == {gbody}[$gb]:
            {p_dist}[$p] = 1.0
            return
        |⟩$ta = {gtype}[$ga]
        $tb = {gtype}[$gb]
        $xa = wp.transform_get_translation({X_ws}[$ga])
        $xb = wp.transform_get_translation({X_ws}[$gb])
        $size_a = {gsize}[$ga]
        $size_b = {gsize}[$gb]
        ⟨# bounding spheres for everything else
        $dist, $pos, $nrm = @sphere_sphere($xa, wp.length($size_a), $xb, wp.length($size_b))
        |$dist, $pos, $nrm = @sphere_sphere($xa, $size_a[0], $xb, $size_b[0])⟩

        if $ta == {PLANE}:
            ⟨$nrm = wp.quat_rotate(wp.transform_get_rotation({X_ws}[$ga]), wp.vec3(0.0, ⟨0.0, 1.0|1.0, 0.0⟩))
            |$nrm = wp.transform_vector({X_ws}[$ga], wp.vec3(0.0, ⟨0.0, 1.0|1.0, 0.0⟩))⟩
            ⟨if $tb == {CAPSULE}:
                # the lower end of the capsule
                $s = wp.transform_vector({X_ws}[$gb], wp.vec3(0.0, $size_b[1], 0.0))
                $low = $xb - $s * wp.sign(wp.dot($s, $nrm))
                $dist, $pos = @plane_sphere($nrm, $xa, $low, $size_b[0])
            else:
                $dist, $pos = @plane_sphere($nrm, $xa, $xb, $size_b[0])
            |$dist, $pos = @plane_sphere($nrm, $xa, $xb, $size_b[0])⟩
        elif $ta == {CAPSULE}⟨| and $tb == {SPHERE}| and $tb != {PLANE}⟩:
            $s = wp.transform_vector({X_ws}[$ga], wp.vec3(0.0, ⟨$size_a[1], 0.0|0.0, $size_a[1]⟩))
            $q = @on_segment($xa - $s, $xa + $s, $xb)
            $dist, $pos, $nrm = @sphere_sphere($q, $size_a[0], $xb, $size_b[0])
        elif $ta == {BOX} and ⟨$tb == {SPHERE}|$tb != {BOX}⟩:
            ⟨# closest point in the frame of the box
            $pl = wp.transform_point(wp.transform_inverse({X_ws}[$ga]), $xb)
            |$pl = wp.quat_rotate_inv(wp.transform_get_rotation({X_ws}[$ga]), $xb - $xa)⟩
            $q = wp.transform_point({X_ws}[$ga], @in_box($pl, $size_a))
            $dist, $pos, $nrm = @sphere_sphere($q, 0.0, $xb, $size_b[0])
        hook distance

        {p_dist}[$p] = $dist
        ⟨if $dist < {d_max}:
            {p_pos}[$p] = $pos
            {p_normal}[$p] = $nrm
        |{p_pos}[$p] = $pos
        {p_normal}[$p] = $nrm
        |if $dist >= {d_max}:
            {p_normal}[$p] = wp.vec3(0.0, 0.0, 0.0)
            return
        {p_normal}[$p] = $nrm
        {p_pos}[$p] = ⟨$pos|$pos - $nrm * (0.5 * $dist)⟩⟩
        """,
        threads="p",
        kinds="multi_conditional combined contact transform quaternion helper_functions early_exit",
        docs="Run the narrow phase for pairs of primitives; pairs without a special case are treated as spheres",
    ),
    Idea(
        "contact_points",
        "update_contact_points transform_contact_points refresh_contacts contact_points_world",
        "transform both points of each contact to the world and measure the gap between them",
        """
        hook contact
        ⟨if $ba < 0 and $bb < 0:
            return
        |if $ba == $bb:
            # no contact within one body
            {gap_out}[$c] = {d_max}
            return
        |⟩{wa_out}[$c] = $xa
        {wb_out}[$c] = $xb
        ⟨$gap = wp.dot($xa - $xb, $n)|$gap = wp.dot($n, $xa) - wp.dot($n, $xb)⟩
        ⟨if $sa >= 0:
            $gap -= {margin}[$sa]
        ⟨if $sb >= 0:
            $gap -= {margin}[$sb]
        |⟩|# points that drift apart sideways open the gap too
        $side = $xa - $xb - $n * $gap
        $gap = wp.max($gap, wp.length($side) - {d_max})
        |⟩{gap_out}[$c] = $gap
        """,
        threads="c",
        kinds="vector combined contact transform gather_scatter",
    ),
    Idea(
        "effective_mass",
        "compute_effective_mass contact_effective_mass prepare_contacts build_contact_masses",
        "compute the effective mass⟨1: and the bias velocity| and the bias velocity|⟩ of each contact along its normal",
        """
        hook contact
        ⟨if $ba < 0 and $bb < 0:
            # nothing that moves
            {mass_out}[$c] = 0.0
            return
        |if $ba == -1 and $bb == -1:
            return
        ⟩⟨# arms from the bodies to the contact
        $ra = wp.transform_vector($X_a, {pt_a}[$c])
        $rb = wp.transform_vector($X_b, {pt_b}[$c])
        |$ra = $xa - wp.transform_get_translation($X_a)
        $rb = $xb - wp.transform_get_translation($X_b)
        |$ra = $xa - wp.transform_point($X_a, ⟨{com}[wp.max($ba, 0)]|wp.vec3(0.0, 0.0, 0.0)⟩)
        $rb = $xb - wp.transform_get_translation($X_b)⟩
        $inv = float(0.0)
        if $ba >= 0:
            $Ia = {inv_inertia}[$ba]
            ⟨if {motion}[$ba] == {DYNAMIC}:
                $inv += @effective({inv_mass}[$ba], $Ia, $ra, $n)
            |$inv += @effective({inv_mass}[$ba], $Ia, $ra, $n)⟩
        if $bb >= 0:
            $Ib = {inv_inertia}[$bb]
            ⟨$inv += @effective({inv_mass}[$bb], $Ib, $rb, $n)
            |# rotate the inertia to the world
            $R = wp.quat_to_matrix(wp.transform_get_rotation({body_q}[$bb]))
            $inv += @effective({inv_mass}[$bb], $R * $Ib * wp.transpose($R), $rb, $n)⟩
        {mass_out}[$c] = 1.0 / ($inv + ⟨1.0e-2|0.1⟩)
        ⟨1:# Baumgarte term beyond the slop
        $depth = wp.max(-{dist}[$c] - {slop}, 0.0)
        {bias_out}[$c] = $depth * {erp} / {dt}
        |# separated bodies may close the gap within the step
        $bias = -{dist}[$c] / {dt}
        if {dist}[$c] < -{slop}:
            $bias = -({dist}[$c] + {slop}) * {erp} / {dt}
        ⟨if $vn < -{v_rest}:
            # bounce
            $bias -= {rest} * $vn
        |⟩{bias_out}[$c] = $bias
        |⟩
        """,
        threads="c",
        kinds="combined control_flow contact spatial helper_functions",
    ),
    Idea(
        "mix_materials",
        "combine_contact_materials mix_friction contact_material_params assign_contact_friction",
        "combine the friction⟨1: and the restitution| and the restitution|⟩ of both shapes of each contact",
        """
        hook contact
        ⟨4:$fa = {cmu}
        $fb = {cmu}
        if $sa >= 0:
            $fa = {gmu}[$sa]
        if $sb >= 0:
            $fb = {gmu}[$sb]
        |# shapes without a material use the default
        $fa = {cmu}
        $fb = {cmu}
        if $sa >= 0:
            $ma = {mat}[$sa]
            if $ma >= 0:
                $fa = {mat_mu}[$ma]
        if $sb >= 0:
            $mb = {mat}[$sb]
            if $mb != -1:
                $fb = {mat_mu}[$mb]
        |if $sa < 0 or $sb < 0:
            # contact with the ground
            {mu_out}[$c] = {cmu}
            return
        $fa = {gmu}[$sa]
        $fb = {gmu}[$sb]
        ⟩
        ⟨⟨4:$pa = int(0)
        $pb = int(0)
        if $sa >= 0 and $sb >= 0:
            $pa = {priority}[$sa]
            $pb = {priority}[$sb]
        |$pa = int(0)
        $pb = int(0)
        if $sa >= 0:
            $pa = {priority}[$sa]
        if $sb >= 0:
            $pb = {priority}[$sb]
        |$pa = {priority}[$sa]
        $pb = {priority}[$sb]
        ⟩{mu_out}[$c] = @combine($fa, $fb, $pa, $pb)
        |{mu_out}[$c] = wp.sqrt($fa * $fb)
        |if {condim}[$c] == 1:
            # frictionless
            {mu_out}[$c] = 0.0
        elif wp.min($fa, $fb) < 0.4:
            # the slippery shape decides
            {mu_out}[$c] = wp.min($fa, $fb)
        else:
            {mu_out}[$c] = 0.5 * ($fa + $fb)
        |{mu_out}[$c] = 2.0 * $fa * $fb / ($fa + $fb)⟩
        ⟨1:⟨4:if $sa >= 0 and $sb >= 0:
            {rest_out}[$c] = {grest}[$sa] * {grest}[$sb]
        ⟨else:
            {rest_out}[$c] = {rest}
        |⟩|$e = {rest}
        if $sa >= 0:
            $e = {grest}[$sa]
        elif $sb >= 0:
            $e = {grest}[$sb]
        {rest_out}[$c] = ⟨$e|wp.min($e, 0.5)⟩
        |{rest_out}[$c] = ⟨{grest}[$sa] * {grest}[$sb]|wp.max({grest}[$sa], {grest}[$sb])⟩
        ⟩|⟨4:|
        |if {priority}[$sa] == {priority}[$sb]:
            {rest_out}[$c] = 0.5 * ({grest}[$sa] + {grest}[$sb])
        else:
            # the shape of higher priority decides
            {rest_out}[$c] = {grest}[$sa] if {priority}[$sa] > {priority}[$sb] else {grest}[$sb]
        ⟩⟨4:$e = {rest}
        if $sa >= 0 and $sb >= 0:
            $e = wp.min({grest}[$sa], {grest}[$sb])
        {rest_out}[$c] = $e|{rest_out}[$c] = {rest}|⟩
        |⟩
        """,
        threads="c",
        kinds="multi_conditional control_flow contact gather_scatter",
    ),
)
