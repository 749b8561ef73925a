"""Ideas of the domain `geometry`: curves, registration of point clouds, flags of points."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

CURVES = (
    Idea(
        "bezier",
        "eval_bezier sample_curve evaluate_spline curve_points",
        "evaluate the ⟨1:Bezier|Catmull-Rom⟩ curve at each sample⟨5:| and its tangent| and its distance to a point⟩",
        """
        hook point
        $j = ⟨{curve}[$i]|wp.min({curve}[$i], {c} - 4)|{curve}[$i] / 4 * 4⟩
        $u = ⟨{param}[$i]|{param}[$i] * {param}[$i] * (3.0 - 2.0 * {param}[$i])⟩
        $ca = {ctrl}[$j % {c}]
        $cb = {ctrl}[($j + 1) % {c}]
        $cc = {ctrl}[($j + 2) % {c}]
        $cd = {ctrl}[($j + 3) % {c}]
        ⟨1:$pos = @bernstein($ca, $cb, $cc, $cd, $u)|# tangents at the inner points
        $ma = 0.5 * ($cc - $ca)
        $mb = 0.5 * ($cd - $cb)
        $u2 = $u * $u
        $u3 = $u2 * $u
        $pos = (2.0 * $u3 - 3.0 * $u2 + 1.0) * $cb + ($u3 - 2.0 * $u2 + $u) * $ma + (3.0 * $u2 - 2.0 * $u3) * $cc + ($u3 - $u2) * $mb⟩
        ⟨|if {pmask}[$i] & {VISIBLE} == 0:
            $pos = $ca
        |if $j + 3 >= {c}:
            # the curve is closed
            wp.atomic_add({count}, 0, 1)
        ⟩{cpos}[$i] = $pos
        ⟨5:|{ctan}[$i] = ⟨1:3.0 * ((1.0 - $u) * (1.0 - $u) * ($cb - $ca) + 2.0 * $u * (1.0 - $u) * ($cc - $cb) + $u * $u * ($cd - $cc))|6.0 * ($u2 - $u) * ($cb - $cc) + (3.0 * $u2 - 4.0 * $u + 1.0) * $ma + (3.0 * $u2 - 2.0 * $u) * $mb⟩|{pdist}[$i] = wp.length($pos - {p}[$i])⟩
        """,
        kinds="vector",
    ),
    Idea(
        "keyframes",
        "sample_keyframes interpolate_knots eval_tracks lookup_knots",
        "find the knots around the parameter of each sample and interpolate the control points",
        """
        $u = {param}[$i]
        $span = @find_span({knots}, {c}, $u)
        $ka = {knots}[$span]
        $kb = {knots}[$span + 1]
        $frac = wp.clamp(($u - $ka) / (wp.max($kb - $ka, 0.0) + 0.05), 0.0, 1.0)
        ⟨|if {pmask}[$i] == 0:
            # hold the last key
            $frac = 0.0
        |# ease in and out
        $frac = $frac * $frac * (3.0 - 2.0 * $frac)
        ⟩⟨$pos = wp.lerp({ctrl}[$span], {ctrl}[$span + 1], $frac)|$pos = (1.0 - $frac) * {ctrl}[$span] + $frac * {ctrl}[$span + 1]|$before = {ctrl}[wp.max($span - 1, 0)]
        $pos = {ctrl}[$span] + $frac * ({ctrl}[$span + 1] - {ctrl}[$span]) + 0.5 * $frac * ($frac - 1.0) * ({ctrl}[$span + 1] - 2.0 * {ctrl}[$span] + $before)⟩

        {cpos}[$i] = $pos
        ⟨|{cspan}[$i] = $span|{ctan}[$i] = {ctrl}[$span + 1] - {ctrl}[$span]⟩
        """,
        kinds="vector helper_functions while_loop",
    ),
    Idea(
        "icp_residual",
        "icp_residuals point_to_plane registration_error eval_correspondences",
        "compute the ⟨1:point-to-plane|point-to-point⟩ residuals of the matching points of two clouds",
        """
        $j = {match}[$i]
        if $j ⟨< 0|== {NONE}⟩:
            # no matching point
            ⟨|{resw}[$i] = 0.0
            ⟩return
        ⟨|if not {alive}[$i]:
            return
        ⟩$moved = ⟨wp.quat_rotate({rot1}[0], {src}[$i]) + {tra1}[0]|{src}[$i] + {tra1}[0]⟩
        $diff = $moved - {dst}[$j]
        ⟨1:$res = wp.dot($diff, {nrm}[$j])|$res = wp.length($diff)⟩
        ⟨|if wp.length($diff) > ⟨1.5|2.0⟩ * {rmax}:
            # outlier
            wp.atomic_add({count}, 0, 1)
            return
        ⟩⟨$wt = {conf}[$i]|$wt = @huber_weight($res, {huber})|$wt = {conf}[$i] * @huber_weight($res, {huber})⟩

        ⟨{res}[$i] = $res
        {resw}[$i] = $wt|{res}[$i] = $wt * $res|wp.atomic_add({reserr}, 0, $wt * $res * $res)
        wp.atomic_add({resnum}, 0, $wt)⟩
        """,
        kinds="vector combined",
    ),
    Idea(
        "icp_system",
        "accumulate_normal_equations build_icp_system sum_covariance cross_covariance",
        "add the matching points of two clouds to the ⟨1:cross-covariance matrix|normal equations|cross-covariance matrix⟩",
        """
        $j = {match}[$i]
        if $j ⟨< 0|== {NONE}⟩⟨| or {pmask}[$i] == 0⟩:
            return

        $wt = ⟨{conf}[$i]|1.0|{conf}[$i] * {conf}[$i]⟩
        ⟨1:⟨$pa = {src}[$i] + {tra1}[0]
        $pb = {dst}[$j]|$pa = {src}[$i]
        $pb = {dst}[$j]⟩
        wp.atomic_add({hmat}, 0, wp.outer($pa, $pb) * $wt)
        wp.atomic_add({hvec}, 0, $pa * $wt)
        wp.atomic_add({hvec2}, 0, $pb * $wt)|$nn = {nrm}[$j]
        $arm = wp.cross({src}[$i], $nn)
        $err = wp.dot({dst}[$j] - {src}[$i], $nn)
        ⟨|if wp.abs($err) > {rmax}:
            return
        |$wt = $wt * @huber_weight($err, {huber})
        ⟩# blocks of the 6x6 system
        wp.atomic_add({hmat}, 0, wp.outer($arm, $arm) * $wt)
        ⟨|wp.atomic_add({hmat2}, 0, wp.outer($arm, $nn) * $wt)
        ⟩wp.atomic_add({hvec}, 0, $arm * ($err * $wt))
        wp.atomic_add({hvec2}, 0, $nn * ($err * $wt))|$pa = wp.quat_rotate({rot1}[0], {src}[$i])
        $wpa = $pa * $wt
        wp.atomic_add({hmat}, 0, wp.outer($wpa, {dst}[$j]))
        wp.atomic_add({hvec}, 0, $wpa)⟩
        ⟨|wp.atomic_add({count}, 0, 1)|wp.atomic_add({resnum}, 0, $wt)⟩
        """,
        kinds="matrix atomic linear_algebra",
    ),
    Idea(
        "flags",
        "update_point_flags refresh_flags merge_masks set_point_bits",
        "update the flag bits of each point",
        """
        $bits = {pmask}[$i]
        ⟨if {alive}[$i]:
            $bits = $bits | {ENABLED}
        else:
            # unused points keep only their visibility
            $bits = $bits & {VISIBLE}|if {match}[$i] < 0:
            $bits = $bits & ⟨{ENABLED}|1⟩
        elif {alive}[$i]:
            $bits = $bits | {VISIBLE}|if not {alive}[$i]:
            {pstate}[$i] = 0
            return
        $par = {up}[$i]
        if $par >= 0:
            # inherit the bits of the parent
            $bits = $bits | ({pmask}[$par] & {VISIBLE})|if {ttl}[$i] == 0:
            # the mark has expired
            $bits = $bits & {ENABLED}
        else:
            $bits = $bits | {VISIBLE}⟩

        {pstate}[$i] = $bits
        ⟨|if $bits == {VISIBLE}:
            wp.atomic_add({count}, 0, 1)|if $bits & {ENABLED} != 0:
            wp.atomic_add({bins}, {raw}[$i] % {BINS}, 1)|{prank}[$i] = ($bits & 1) + ($bits >> 1)⟩
        """,
        kinds="control_flow",
        integer=True,
    ),
    Idea(
        "reset_points",
        "reset_queries init_results clear_results prepare_search",
        "reset the results of each point before the search",
        """
        ⟨{pnear}[$i] = {p}[$i]|{pnear}[$i] = {src}[$i]|{pnear}[$i] = wp.vec3(0.0, 0.0, 0.0)⟩
        ⟨{pdist}[$i] = {rmax}|{pdist}[$i] = {rad}[$i] + {margin}|⟩
        ⟨|{pshape}[$i] = {NONE}|if {alive}[$i]:
            {pshape}[$i] = 0
        else:
            {pshape}[$i] = {NONE}⟩
        """,
        kinds="",
    ),
)
