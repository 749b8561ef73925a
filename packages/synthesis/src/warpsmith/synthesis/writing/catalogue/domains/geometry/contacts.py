"""Ideas of the domain `geometry`: ray marching, contacts of capsules, changes in place."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

CONTACTS = (
    Idea(
        "sphere_trace",
        "sphere_trace raymarch_sdf march_rays trace_distance_field",
        "march each ray through the distance field of ⟨1:a shape|the scene⟩",
        """
        ⟨|if {rmask}[$ray] & ⟨1|2⟩ == 0:
            {raydist}[$ray] = {tmax}
            return
        ⟩$org = {ro}[$ray]
        $dir = {rd}[$ray]
        ⟨1:$j = $ray % {s}
        |⟩$total = float(0.0)
        $d = float(0.0)
        for $it in range(⟨6|8|5⟩):
            $pos = $org + $total * $dir
            ⟨1:$d = @sd_shape({stype}[$j], $pos - {spos}[$j], {sscale}[$j])|$d = wp.min(@sd_sphere($pos - {spos}[0], {sscale}[0][0]), @sd_box($pos - {spos}[1], {sscale}[1]))⟩
            ⟨# advance by the distance
            |⟩⟨$total = $total + wp.max($d, {shell})|$total = $total + wp.clamp($d, {shell}, {rmax})|if $d > {shell}:
                $total = $total + $d⟩

        if $d < {blend}⟨| and $total < {tmax}⟩:
            {raydist}[$ray] = $total
            ⟨{rayid}[$ray] = ⟨1:$j|0⟩|wp.atomic_add({count}, 0, 1)|{rayid}[$ray] = 1
            wp.atomic_add({count}, 0, 1)⟩
        else:
            # no hit
            {raydist}[$ray] = {tmax}
            ⟨|{rayid}[$ray] = {NONE}⟩
        """,
        threads="ray",
        kinds="control_flow combined signed_distance ray_tracing",
    ),
    Idea(
        "capsule_contact",
        "collide_capsules capsule_contacts segment_segment closest_segments",
        "compute the closest points of two segments and the contact between their capsules",
        """
        $other = ($t + ⟨1|2|3⟩) % {t}
        $pa = {p}[{seg}[$t, 0]]
        $da = {p}[{seg}[$t, 1]] - $pa
        $pb = {p}[{seg}[$other, 0]]
        $db = {p}[{seg}[$other, 1]] - $pb
        $gap = $pa - $pb
        $aa = wp.dot($da, $da)
        $bb = wp.dot($db, $db)
        $ab = wp.dot($da, $db)
        ⟨|if {seg}[$t, 0] == {seg}[$other, 0] or {seg}[$t, 1] == {seg}[$other, 1]:
            # joined capsules do not collide
            {tdist}[$t] = 0.0
            return

        ⟩# parameters of the closest points
        $det = $aa * $bb - $ab * $ab
        $sa = float(⟨0.0|0.5⟩)
        if $det > ⟨0.05|0.1⟩:
            $sa = wp.clamp(($ab * wp.dot($db, $gap) - $bb * wp.dot($da, $gap)) / $det, 0.0, 1.0)
        $sb = wp.clamp(($ab * $sa + wp.dot($db, $gap)) / ($bb + 0.01), 0.0, 1.0)
        $diff = $gap + $sa * $da - $sb * $db
        $dist = wp.length($diff) + 0.001
        $depth = {rad}[{seg}[$t, 0]] + {rad}[{seg}[$other, 0]] ⟨+ {margin}|+ {rmax}⟩ - $dist
        {tdist}[$t] = ⟨$dist|-$depth|$depth⟩
        if $depth > 0.0:
            # the force is split by the parameters
            $push = $diff * ({stiff} * $depth / $dist)
            ⟨wp.atomic_add({pf}, {seg}[$t, 0], $push * (1.0 - $sa))
            wp.atomic_add({pf}, {seg}[$t, 1], $push * $sa)
            |wp.atomic_add({pf}, {seg}[$t, 0], $push * (1.0 - $sa))
            wp.atomic_add({pf}, {seg}[$t, 1], $push * $sa)
            wp.atomic_sub({pf}, {seg}[$other, 0], $push * (1.0 - $sb))
            wp.atomic_sub({pf}, {seg}[$other, 1], $push * $sb)
            ⟩⟨wp.atomic_add({count}, 0, 1)|{ttouch}[$t] = 1
        else:
            {ttouch}[$t] = 0|⟩
        """,
        threads="t",
        kinds="vector combined contact",
    ),
    Idea(
        "swap_children",
        "order_children swap_children sort_node_children rotate_nodes",
        "swap the children of tree nodes in place so that the first one comes first in memory",
        """
        $l = {lio}[$k]
        $r = {rio}[$k]
        ⟨if $l < 0 or $r < 0:
            ⟨# leaf
            |wp.atomic_add({count}, 0, 1)
            |⟩return
        |if $l < 0:
            return
        if $r == {NONE}:
            {rio}[$k] = $l
            return
        ⟩⟨if $l > $r:|if {level}[$l] > {level}[$r]:|if {level}[$l] > {level}[$r] or ({level}[$l] == {level}[$r] and $l > $r):⟩
            {lio}[$k] = $r
            {rio}[$k] = $l
            ⟨|wp.atomic_add({count}, 0, 1)⟩
        ⟨|elif $l == $r:
            # a single child
            {rio}[$k] = {NONE}
        |else:
            {split}[$k] = $r - $l
        |elif {level}[$k] == {qlevel}:
            {ndepth}[$k] = {skip}[$k]⟩
        """,
        threads="k",
        kinds="control_flow multi_conditional",
        integer=True,
    ),
    Idea(
        "age_contacts",
        "age_contacts update_contact_cache decay_hits refresh_cache",
        "update the age and the partner of each point in the cache in place",
        """
        $old = {age}[$i]
        $now = {match}[$i]
        ⟨|if not {alive}[$i]:
            {age}[$i] = 0
            return
        ⟩if $now == {NONE}:
            # lost contact
            ⟨{age}[$i] = wp.max($old - ⟨1|2⟩, 0)|{age}[$i] = $old / 2|{age}[$i] = 0⟩
        elif $now == {partner}[$i]:
            {age}[$i] = ⟨$old + 1|wp.min($old + 1, ⟨4|8⟩)⟩
            ⟨|wp.atomic_add({count}, 0, 1)⟩
        else:
            {partner}[$i] = $now
            {age}[$i] = ⟨1|0⟩
            ⟨|if {pmask}[$now] & {ENABLED} == 0:
                {partner}[$i] = {NONE}⟩
        ⟨|if $old > 2:
            wp.atomic_add({bins}, $old, 1)⟩
        """,
        kinds="multi_conditional control_flow",
        integer=True,
    ),
    Idea(
        "relax_points",
        "relax_points project_to_sphere snap_points move_points",
        "move the points in place towards ⟨1:their targets|the surface of a sphere⟩",
        """
        hook point
        $pos = {p}[$i]
        ⟨1:$j = {match}[$i]
        if $j < 0:
            ⟨# no target
            |⟩return
        $step = {dst}[$j] - $pos|$rel = $pos - {spos}[0]
        $len = wp.length($rel) + 0.01
        $step = $rel * ({sscale}[0][0] / $len - 1.0)⟩
        ⟨|$far = wp.length($step)
        if $far > {rmax}:
            # limit the step
            $step = $step * ({rmax} / $far)
            ⟨|wp.atomic_add({count}, 0, 1)⟩
        |if {jtype}[$i] == {HINGE}:
            $step = wp.vec3($step[0], 0.0, $step[2])
        elif {jtype}[$i] == {LOCKED}:
            $step = $step * 0.1
        ⟩{pio}[$i] += $step * ⟨{alpha}|{conf}[$i]|({alpha} * {conf}[$i])⟩
        ⟨|{pdist}[$i] = wp.length($step)|{pvel}[$i] += $step / {dt}⟩
        """,
        kinds="vector combined",
    ),
    Idea(
        "normalize_frames",
        "normalize_rotations rotation_angles quaternion_to_axis frame_angles",
        "compute the angle and the heading of the rotation of each frame",
        """
        hook frame
        $qi = ⟨{q}[$i]|wp.quat_inverse({q}[$i])|{q}[$i] * {qb}[$i]⟩
        ⟨$qw = wp.clamp($qi[3], -0.99, 0.99)
        $ang = 2.0 * wp.acos($qw)|$vlen = wp.sqrt($qi[0] * $qi[0] + $qi[1] * $qi[1] + $qi[2] * $qi[2] + 0.001)
        $ang = 2.0 * wp.atan2($vlen, $qi[3])⟩
        ⟨|if $ang > 3.1415927:
            # the shorter way
            $ang = 6.2831853 - $ang
        |if $ang > {wmax}:
            $ang = {wmax}
        ⟩{fang}[$i] = ⟨$ang|wp.cos($ang)|0.5 * (1.0 - wp.cos($ang))|wp.degrees($ang) * 0.01⟩
        ⟨|{fyaw}[$i] = wp.atan2(2.0 * ($qi[3] * $qi[2] + $qi[0] * $qi[1]), 1.2 + wp.abs($qi[1]) - $qi[2] * $qi[2])|{fyaw}[$i] = wp.asin(wp.clamp(2.0 * ($qi[3] * $qi[1] - $qi[2] * $qi[0]), -0.99, 0.99))|{fyaw}[$i] = wp.exp(-{damp} * $ang) * {param}[$i]⟩
        """,
        kinds="math quaternion",
    ),
)
