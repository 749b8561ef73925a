"""Ideas of the domain `geometry`: rays and closest points."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

RAYS = (
    Idea(
        "ray_box",
        "intersect_ray_boxes ray_aabb slab_test ray_box_hits",
        "intersect each ray with each box by the slab test",
        """
        ⟨if {group}[$box] == {NONE}:
            return
        |if ({rmask}[$ray] >> wp.max({group}[$box], 0)) & 1 == 0:
            # the ray ignores this layer
            return
        |⟩$org = {ro}[$ray]
        $dir = {rd}[$ray]
        $low = wp.min({lo}[$box], {hi}[$box])
        $high = wp.max({lo}[$box], {hi}[$box])
        $tnear = float(⟨0.0|0.01⟩)
        $tfar = float({tmax})
        for $k in range(⟨3|3|len($dir)⟩):
            ⟨$inv = 1.0 / ($dir[$k] + wp.sign($dir[$k]) * 0.001)
            $ta = ($low[$k] - $org[$k]) * $inv
            $tb = ($high[$k] - $org[$k]) * $inv
            $tnear = wp.max($tnear, wp.min($ta, $tb))
            $tfar = wp.min($tfar, wp.max($ta, $tb))|if wp.abs($dir[$k]) > 0.01:
                $ta = ($low[$k] - $org[$k]) / $dir[$k]
                $tb = ($high[$k] - $org[$k]) / $dir[$k]
                $tnear = wp.max($tnear, wp.min($ta, $tb))
                $tfar = wp.min($tfar, wp.max($ta, $tb))
            elif $org[$k] < $low[$k] or $org[$k] > $high[$k]:
                # parallel and outside of the slab
                $tfar = float(-1.0)⟩

        if $tnear ⟨<= $tfar|< $tfar⟩:
            {rayhit}[$ray, $box] = 1
            {rayt}[$ray, $box] = $tnear
            ⟨|wp.atomic_add({count}, 0, 1)|wp.atomic_add({raycount}, $ray, 1)⟩
        else:
            {rayhit}[$ray, $box] = 0
            {rayt}[$ray, $box] = ⟨-1.0|{tmax}⟩
        """,
        threads="ray box",
        kinds="control_flow combined ray_tracing",
    ),
    Idea(
        "ray_sphere",
        "intersect_spheres ray_sphere trace_spheres sphere_hits",
        "intersect each ray with a sphere⟨1:| and compute the normal| and shade the hit⟩",
        """
        ⟨|if {rmask}[$ray] & ⟨1|4⟩ == 0:
            {raydist}[$ray] = {tmax}
            return
        ⟩$j = $ray % {s}
        $oc = {ro}[$ray] - {spos}[$j]
        $bq = wp.dot($oc, {rd}[$ray])
        $rad = {sscale}[$j][0]⟨| + {margin}⟩
        $cq = wp.dot($oc, $oc) - $rad * $rad
        $disc = $bq * $bq - $cq
        if $disc < ⟨0.01|0.02⟩:
            # miss
            {raydist}[$ray] = {tmax}
            ⟨1:|{raynrm}[$ray] = wp.vec3(0.0, 0.0, 0.0)|{rayshade}[$ray] = 0.0⟩
            ⟨|{rayid}[$ray] = {NONE}
            ⟩return

        $root = wp.sqrt($disc)
        $thit = -$bq - $root
        if $thit < 0.0:
            # the origin is inside
            $thit = -$bq + $root
            ⟨|wp.atomic_add({count}, 0, 1)⟩
        ⟨|if $thit < 0.0:
            {raydist}[$ray] = {tmax}
            return
        |$thit = wp.clamp($thit, 0.0, {tmax})
        ⟩{raydist}[$ray] = $thit
        ⟨|{rayid}[$ray] = $j
        ⟩⟨1:|$hit = {ro}[$ray] + $thit * {rd}[$ray]
        {raynrm}[$ray] = ($hit - {spos}[$j]) / $rad|$nrm = ({ro}[$ray] + $thit * {rd}[$ray] - {spos}[$j]) / $rad
        {rayshade}[$ray] = ⟨wp.max(wp.dot($nrm, wp.vec3(0.577, 0.577, 0.577)), 0.0)|0.5 - 0.5 * wp.dot($nrm, {rd}[$ray])|wp.exp(-0.5 * $thit)⟩⟩
        """,
        threads="ray",
        kinds="math ray_tracing",
    ),
    Idea(
        "ray_triangle",
        "intersect_triangles ray_triangle moller_trumbore trace_triangles",
        "intersect each ray with the triangles and count the hits",
        """
        $org = {ro}[$ray]
        $dir = {rd}[$ray]
        $num = int(0)
        $first = int(-1)
        for $j in range({t}):
            ⟨|if {pmask}[{tri}[$j, 0]] == 0:
                continue
            ⟩$va = {p}[{tri}[$j, 0]]
            $eb = {p}[{tri}[$j, 1]] - $va
            $ec = {p}[{tri}[$j, 2]] - $va
            $pv = wp.cross($dir, $ec)
            $det = wp.dot($eb, $pv)
            ⟨if wp.abs($det) < 0.001:
                # parallel to the plane of the triangle
                continue|if $det < 0.001:
                # parallel or seen from behind
                continue⟩
            $tv = $org - $va
            $bu = wp.dot($tv, $pv) / $det
            if $bu < 0.0 or $bu > 1.0:
                continue
            $qv = wp.cross($tv, $eb)
            $bv = wp.dot($dir, $qv) / $det
            if $bv < 0.0 or $bu + $bv > 1.0:
                continue
            ⟨$dist = wp.dot($ec, $qv) / $det
            if $dist > 0.0⟨| and $dist < {tmax}⟩:
                $num += 1
                if $first < 0:
                    $first = $j|if wp.dot($ec, $qv) / $det > 0.0:
                $num += 1
                if $first < 0:
                    $first = $j⟩

        {raynum}[$ray] = $num
        ⟨{rayid}[$ray] = $first|if $num % 2 == 1:
            # odd number of crossings: the origin is inside
            wp.atomic_add({count}, 0, 1)|if $first >= 0:
            wp.atomic_add({trihits}, $first, 1)⟩
        """,
        threads="ray",
        kinds="combined control_flow ray_tracing",
    ),
    Idea(
        "closest_segment",
        "closest_points_on_segments project_to_segments segment_distance point_segment",
        "compute the closest point of ⟨1:a segment|three segments|a segment⟩ for each point and the distance",
        """
        hook point
        $pos = {p}[$i]
        ⟨1:$j = $i % {t}
        $sa = {p}[{seg}[$j, 0]]
        $sb = {p}[{seg}[$j, 1]]
        $ab = $sb - $sa
        $den = wp.dot($ab, $ab)
        $par = float(0.0)
        if $den > 0.001:
            $par = wp.clamp(wp.dot($pos - $sa, $ab) / $den, 0.0, 1.0)
            ⟨|if $par == 0.0 or $par == 1.0:
                # end points
                wp.atomic_add({count}, 0, 1)⟩
        $near = $sa + $par * $ab|$near = $pos
        $least = float(100.0)
        for $k in range(3):
            $j = ($i + $k) % {t}
            ⟨|if {seg}[$j, 0] == {seg}[$j, 1]:
                continue
            ⟩$cand = @closest_on_segment($pos, {p}[{seg}[$j, 0]], {p}[{seg}[$j, 1]])
            $dsq = wp.length_sq($cand - $pos)
            if $dsq < $least⟨| and {seg}[$j, 0] != $i and {seg}[$j, 1] != $i⟩:
                $least = $dsq
                $near = $cand|$j = $i % {t}
        $near = @closest_on_segment($pos, {p}[{seg}[$j, 0]], {p}[{seg}[$j, 1]])⟩

        ⟨{pnear}[$i] = $near|{pnear}[$i] = $near
        ⟨{pdist}[$i] = wp.length($pos - $near + wp.vec3(0.0, 0.001, 0.0))|{pdist}[$i] = wp.sqrt(wp.length_sq($pos - $near) + 0.0001)⟩|$gap = wp.sqrt(wp.length_sq($pos - $near) + 0.0001) - {rad}[$i]
        if $gap < 0.0:
            # touching
            {pdist}[$i] = $gap
            wp.atomic_add({count}, 0, 1)
        else:
            {pdist}[$i] = 0.0⟩
        """,
        kinds="combined control_flow",
    ),
    Idea(
        "closest_triangle",
        "closest_point_on_triangles project_to_triangles point_triangle nearest_on_triangle",
        "compute the closest point of a triangle for each point by the region that contains it",
        """
        $j = ⟨$i % {t}|wp.min($i / 2, {t} - 1)⟩
        $pos = {p}[$i]
        $va = {p}[{tri}[$j, 0]]
        $vb = {p}[{tri}[$j, 1]]
        $vc = {p}[{tri}[$j, 2]]
        $ab = $vb - $va
        $ac = $vc - $va
        $d1 = wp.dot($ab, $pos - $va)
        $d2 = wp.dot($ac, $pos - $va)
        $d3 = wp.dot($ab, $pos - $vb)
        $d4 = wp.dot($ac, $pos - $vb)
        $d5 = wp.dot($ab, $pos - $vc)
        $d6 = wp.dot($ac, $pos - $vc)
        $near = $va
        if $d1 <= 0.0 and $d2 <= 0.0:
            # corner a
            $near = $va
        elif $d3 >= 0.0 and $d4 <= $d3:
            $near = $vb
        elif $d6 >= 0.0 and $d5 <= $d6:
            $near = $vc
        elif $d1 * $d4 - $d3 * $d2 <= 0.0 and $d1 >= 0.0 and $d3 <= 0.0:
            # edge a b
            $near = $va + $ab * ($d1 / ($d1 - $d3 + 0.001))
        elif $d5 * $d2 - $d1 * $d6 <= 0.0 and $d2 >= 0.0 and $d6 <= 0.0:
            # edge a c
            $near = $va + $ac * ($d2 / ($d2 - $d6 + 0.001))
        elif $d3 * $d6 - $d5 * $d4 <= 0.0 and $d4 >= $d3 and $d5 >= $d6:
            # edge b c
            $near = $vb + ($vc - $vb) * (($d4 - $d3) / ($d4 - $d3 + $d5 - $d6 + 0.001))
        else:
            # inside: project to the plane
            $nrm = wp.cross($ab, $ac)
            $near = $pos - $nrm * (wp.dot($pos - $va, $nrm) / (wp.dot($nrm, $nrm) + 0.01))
            ⟨|wp.atomic_add({count}, 0, 1)⟩

        {pnear}[$i] = $near
        ⟨|{pdist}[$i] = wp.sqrt(wp.length_sq($near - $pos) + 0.0001)|$dist = wp.sqrt(wp.length_sq($near - $pos) + 0.0001)
        {pdist}[$i] = wp.min($dist, {rmax})|$dist = wp.sqrt(wp.length_sq($near - $pos) + 0.0001)
        if $dist < {rmax}:
            {pdist}[$i] = $dist
        else:
            # too far away
            {pdist}[$i] = {rmax}⟩
        """,
        kinds="multi_conditional combined",
    ),
)
