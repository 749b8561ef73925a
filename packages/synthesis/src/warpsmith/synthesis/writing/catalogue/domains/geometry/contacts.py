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
            |⟩⟨$total = $total + wp.max($d, {margin})|$total = $total + wp.clamp($d, {margin}, {rmax})|if $d > {margin}:
                $total = $total + $d⟩

        if $d < {margin}⟨| and $total < {tmax}⟩:
            {raydist}[$ray] = $total
            ⟨1:⟨5:{rayid}[$ray] = $j|wp.atomic_add({count}, 0, 1)|{rayid}[$ray] = $j
            wp.atomic_add({count}, 0, 1)⟩|⟨wp.atomic_add({count}, 0, 1)|⟩⟩
        else:
            # no hit
            {raydist}[$ray] = {tmax}
            ⟨1:⟨5:{rayid}[$ray] = {NONE}||{rayid}[$ray] = {NONE}⟩|⟩
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
        $depth = {rad}[{seg}[$t, 0]] + {rad}[{seg}[$other, 0]] ⟨|+ {margin} ⟩- $dist
        {tdist}[$t] = ⟨$dist|-$depth⟩
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
        "swap the children of tree nodes in place so that the ⟨3:one with the lower index|shallower one|shallower one⟩ comes first",
        """
        $l = {lio}[$k]
        $r = {rio}[$k]
        ⟨if $l < 0 or $r < 0:
            ⟨# leaf
            |wp.atomic_add({count}, 0, 1)
            |⟩return
        |if $l < 0:
            # a single child comes first
            {lio}[$k] = $r
            {rio}[$k] = {NONE}
            return
        if $r == {NONE}:
            return
        ⟩⟨3:if $l > $r:|if {level}[$l] > {level}[$r]:|if {level}[$l] > {level}[$r] or ({level}[$l] == {level}[$r] and $l > $r):⟩
            {lio}[$k] = $r
            {rio}[$k] = $l
            ⟨|wp.atomic_add({count}, 0, 1)⟩
        ⟨|elif $l == $r:
            # both name the same child
            {rio}[$k] = {NONE}⟩
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
            ⟨|if {pmask}[$i] & {ENABLED} == 0:
                # points that do not collide keep no partner
                {partner}[$i] = {NONE}⟩
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
        |# keep the height
        $step = wp.vec3($step[0], 0.0, $step[2])
        |if {pmask}[$i] & {VISIBLE} == 0:
            # hidden points move slowly
            $step = $step * 0.1
        ⟩{pio}[$i] += $step * ⟨6:{alpha}|{conf}[$i]|({alpha} * {conf}[$i])⟩
        ⟨|{pdist}[$i] = wp.length($step)|{pvel}[$i] += $step * (⟨6:{alpha}|{conf}[$i]|{alpha} * {conf}[$i]⟩ / {dt})⟩
        """,
        kinds="vector combined",
    ),
    Idea(
        "normalize_frames",
        "rotation_angles quaternion_angles frame_angles measure_rotations",
        "compute the angle⟨2:| and the heading⟩ of ⟨1:the rotation of each frame|the target rotation of each frame|the rotation of each frame to its target⟩",
        """
        hook frame
        $qi = ⟨1:{q}[$i]|{qb}[$i]|wp.quat_inverse({q}[$i]) * {qb}[$i]⟩
        ⟨$qw = wp.clamp($qi[3], -0.99, 0.99)
        $ang = 2.0 * wp.acos($qw)|$vlen = wp.sqrt($qi[0] * $qi[0] + $qi[1] * $qi[1] + $qi[2] * $qi[2] + 0.001)
        $ang = 2.0 * wp.atan2($vlen, $qi[3])⟩
        ⟨|if $ang > 3.1415927:
            # the shorter way
            $ang = 6.2831853 - $ang
        |if $ang > ⟨4:1.5|2.0⟩:
            # limit the angle
            $ang = ⟨4:1.5|2.0⟩
        ⟩{fang}[$i] = $ang
        ⟨2:|⟨{fyaw}[$i] = wp.atan2(2.0 * ($qi[3] * $qi[2] + $qi[0] * $qi[1]), 1.0 - 2.0 * ($qi[1] * $qi[1] + $qi[2] * $qi[2]))|$ahead = wp.quat_rotate($qi, wp.vec3(1.0, 0.0, 0.0))
        {fyaw}[$i] = wp.atan2($ahead[1], $ahead[0])⟩⟩
        """,
        kinds="math quaternion",
    ),
)
