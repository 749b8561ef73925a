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
        $my = {sy} * $pos[1] + {oy}|$mx = ($pos[0] - {ox}) / {sx}
        $my = ($pos[1] - {oy}) / {sy}|$mx = {sx} * ($pos[0] - {ox})
        $my = {sy} * ($pos[1] - {oy}) + {sx} * $pos[2]⟩
        ⟨|if $mx > ⟨1.0|1.5⟩:
            # reflect at the border
            $mx = 2.0 - $mx
        |if not {alive}[$i]:
            $my = {oy}
        ⟩⟨{uvout}[$i] = wp.vec2($mx, $my)|{uvout}[$i] = wp.vec2($mx, $my)
        {sumxy}[$i] = $mx * $my|{sumxy}[$i] = $mx * $mx + $my * $my|{sumxy}[$i] = ($mx + $my) * {rad}[$i]⟩
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
        ⟨1:$ang = {rate} * $pos[1] + {ox}
        $c = wp.cos($ang)
        $s = wp.sin($ang)
        $out = wp.vec3($c * $pos[0] - $s * $pos[2], $pos[1], $s * $pos[0] + $c * $pos[2])|# the axis becomes an arc
        $ang = {rate} * $pos[0]
        $rr = 1.0 / {rate} - $pos[1]
        $out = wp.vec3($rr * wp.sin($ang), 1.0 / {rate} - $rr * wp.cos($ang), $pos[2] + {oy})|$k = {sx} * wp.exp(-{rate} * wp.abs($pos[1] - {oy}))
        $out = wp.vec3($k * $pos[0], $pos[1], $k * $pos[2])⟩
        ⟨|if $pos[1] > {oy} ⟨+ 1.0|+ 0.5⟩:
            $out = $pos
        |$out = {sy} * $out
        ⟩{pnear}[$i] = $out
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
            {pdist}[$i] = 0.0
            return
        ⟩⟨$wt = wp.exp(-$len / {rmax})|$wt = wp.exp(-0.5 * $len * $len / ({rmax} * {rmax}))|$wt = 1.0 / (1.0 + wp.pow($len / {rmax}, ⟨2.0|3.0⟩))|$wt = 0.5 + 0.5 * wp.cos(wp.min($len / {rmax}, 3.0))|$wt = wp.log(1.0 + {rmax} / $len)⟩
        {pdist}[$i] = $wt⟨| * {conf}[$i]⟩
        ⟨|{pnear}[$i] = $rel * ($wt / $len)|wp.atomic_add({resnum}, 0, $wt)|{pshape}[$i] = int($len / {cell})⟩
        """,
        kinds="math",
    ),
)
