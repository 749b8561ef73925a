"""Ideas of the domain `geometry`: maps of points by formulas."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

MAPS = (
    Idea(
        "affine",
        "affine_map rescale_points normalize_points shift_points",
        "map each point by scales and shifts",
        """
        $pos = {p}[$i]
        ⟨$mx = {sx} * $pos[0] + {ox}
        $my = {sy} * $pos[⟨5:1|2⟩] + {oy}|$mx = ($pos[0] - {ox}) / {sx}
        $my = ($pos[⟨5:1|2⟩] - {oy}) / {sy}|$mx = {sx} * ($pos[0] - {ox})
        $my = {sy} * ($pos[⟨5:1|2⟩] - {oy})⟩
        ⟨|if $mx > ⟨2:1.0|1.5⟩:
            # reflect at the border
            $mx = ⟨2:2.0|3.0⟩ - $mx
        |# stay in the window
        $my = wp.clamp($my, -1.5, 1.5)
        ⟩⟨{uvout}[$i] = wp.vec2($mx, $my)|{uvout}[$i] = wp.vec2($mx, $my)
        {sumxy}[$i] = $mx * $mx + $my * $my⟩
        """,
        kinds="arithmetic scalar_param",
    ),
    Idea(
        "deform",
        "twist_points bend_points deform_points taper_shape",
        "⟨1:twist|bend|taper⟩ the points by the given parameters",
        """
        hook point
        $pos = {p}[$i]
        ⟨1:$ang = {rate} * $pos[1]
        $c = wp.cos($ang)
        $s = wp.sin($ang)
        $out = wp.vec3($c * $pos[0] - $s * $pos[2], $pos[1], $s * $pos[0] + $c * $pos[2])|# the axis becomes an arc
        $ang = {rate} * $pos[0]
        $rr = 1.0 / {rate} - $pos[1]
        $out = wp.vec3($rr * wp.sin($ang), 1.0 / {rate} - $rr * wp.cos($ang), $pos[2])|$k = {sx} * wp.exp(-{rate} * wp.abs($pos[1] - {oy}))
        $out = wp.vec3($k * $pos[0], $pos[1], $k * $pos[2])⟩
        ⟨|if $pos[1] > {oy} ⟨+ 1.0|+ 0.5⟩:
            # the upper part stays
            $out = $pos
        |# blend with the original
        $out = wp.lerp($pos, $out, {alpha})
        ⟩{pfix}[$i] = $out
        ⟨|{pdist}[$i] = wp.length($out - $pos + wp.vec3(0.01, 0.0, 0.0))|{pdist}[$i] = wp.sqrt(wp.dot($out, $out) + 0.01)⟩
        """,
        kinds="math scalar_param",
    ),
    Idea(
        "falloff",
        "radial_falloff eval_kernel_weights distance_weights influence_weights",
        "compute the influence of a centre on each point by its distance",
        """
        hook point
        $rel = {p}[$i] - {spos}[⟨0|1⟩]
        $len = wp.sqrt(wp.dot($rel, $rel) + ⟨0.01|0.001⟩)
        ⟨|if $len > ⟨2.0|2.5⟩ * {rmax}:
            {resw}[$i] = 0.0
            return
        ⟩⟨$wt = wp.exp(-$len / {rmax})|$wt = wp.exp(-0.5 * $len * $len / ({rmax} * {rmax}))|$wt = 1.0 / (1.0 + wp.pow($len / {rmax}, ⟨2.0|3.0⟩))|$wt = 0.5 + 0.5 * wp.cos(wp.min($len / {rmax}, 3.1415927))|$wt = wp.log(1.0 + {rmax} / $len)⟩
        {resw}[$i] = $wt⟨| * {conf}[$i]⟩
        ⟨|{ppush}[$i] = $rel * ($wt / $len)|wp.atomic_add({resnum}, 0, $wt)⟩
        """,
        kinds="math",
    ),
    Idea(
        "kernel_weight",
        "kernel_weights falloff_weights radial_weight distance_response",
        "compute the ⟨1:Gaussian|inverse distance|logarithmic|cosine⟩ weight of each point",
        """
        # distance in m
        $d = ⟨wp.length({p}[$i])|wp.length({src}[$i] - {dst}[$i])|wp.length({p}[$i] - {spos}[0])⟩
        {resw}[$i] = ⟨|{conf}[$i] * ⟩⟨1:wp.exp(-$d * $d / ({width} * {width}))|{amp} / wp.sqrt({width} * {width} + $d * $d)|{amp} * wp.log(1.0 + {width} / ($d + {width}))|{amp} * (0.5 + 0.5 * wp.cos({rate} * $d))⟩
        ⟨|{pout}[$i] = wp.where($d < {rnear}, 1, 0)⟩
        """,
        kinds="math scalar_param arithmetic",
    ),
    Idea(
        "planar_angle",
        "polar_angles heading_of_points bearing twist_angle",
        "compute the angle of each point ⟨1:in the plane|above the plane|after a twist⟩",
        """
        $ang = ⟨1:wp.atan2({p}[$i][1] - {oy}, {p}[$i][0] - {ox})|wp.atan2({p}[$i][2], wp.length(wp.vec2({p}[$i][0] - {ox}, {p}[$i][1] - {oy})))|wp.atan2({p}[$i][1], {p}[$i][0]) + {rate} * {p}[$i][2]⟩
        {fang}[$i] = ⟨$ang|wp.where($ang < 0.0, $ang + 6.2831853, $ang)⟩
        ⟨{uvout}[$i] = wp.vec2(wp.cos($ang), wp.sin($ang))|{pout}[$i] = wp.where($ang > 0.0, 1, 0)|⟩
        """,
        kinds="math scalar_param",
    ),
)
