"""Ideas of the domain `geometry`: bounding boxes and culling."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

BOUNDS = (
    Idea(
        "prim_bounds",
        "compute_triangle_bounds tri_aabbs primitive_bounds build_tri_boxes",
        "compute the bounding box of each triangle⟨1:| and its centre| and half of its surface⟩",
        """
        $va = {p}[{tri}[$t, 0]]
        $vb = {p}[{tri}[$t, 1]]
        $vc = {p}[{tri}[$t, 2]]
        ⟨|$i0 = {tri}[$t, 0]
        if {pmask}[$i0] & {VISIBLE} == 0⟨| and not {alive}[$i0]⟩:
            # a hidden triangle gets an empty box
            {tlo}[$t] = wp.vec3(1000.0, 1000.0, 1000.0)
            {thi}[$t] = wp.vec3(-1000.0, -1000.0, -1000.0)
            return
        ⟩
        $low = wp.min($va, wp.min($vb, $vc))
        $high = wp.max($va, wp.max($vb, $vc))
        ⟨|$pad = wp.vec3({margin}, {margin}, {margin})
        $low = $low - $pad
        $high = $high + $pad
        |$pad = {margin} + {rad}[{tri}[$t, 0]]
        $low = $low - wp.vec3($pad, $pad, $pad)
        $high = $high + wp.vec3($pad, $pad, $pad)
        ⟩
        {tlo}[$t] = $low

        {thi}[$t] = $high
        ⟨1:|{tcen}[$t] = ⟨0.5 * ($low + $high)|($va + $vb + $vc) / 3.0⟩|$ext = $high - $low
        {tval}[$t] = $ext[0] * $ext[1] + $ext[1] * $ext[2] + $ext[2] * $ext[0]⟩
        """,
        threads="t",
        kinds="vector",
    ),
    Idea(
        "enlarge",
        "enlarge_boxes inflate_aabbs update_boxes fatten_bounds",
        "enlarge each box by a margin⟨1:| and compute its volume| and count the thin ones⟩",
        """
        $low = {lo}[$a]
        $high = {hi}[$a]
        ⟨|if {group}[$a] < 0:
            # boxes of no group are not enlarged
            {olo}[$a] = $low
            {ohi}[$a] = $high
            return
        |if {group}[$a] != {groupmask}:
            return
        ⟩
        $ext = $high - $low
        ⟨if $ext[0] < 0.0 or $ext[1] < 0.0 or $ext[2] < 0.0:
            # an empty box becomes a point
            {olo}[$a] = $low
            {ohi}[$a] = $low
            ⟨|wp.atomic_add({count}, 0, 1)
            ⟩return
        |⟩$pad = ⟨wp.vec3({margin}, {margin}, {margin})|0.05 * $ext|0.05 * $ext + wp.vec3({margin}, {margin}, {margin})⟩
        {olo}[$a] = $low - $pad

        {ohi}[$a] = $high + $pad
        ⟨1:|{bval}[$a] = $ext[0] * $ext[1] * $ext[2]|if wp.min($ext) < {margin}:
            wp.atomic_add({count}, 0, 1)⟩
        """,
        threads="a",
        kinds="vector",
    ),
    Idea(
        "overlap_pairs",
        "find_box_overlaps broadphase_pairs test_aabb_pairs overlap_test",
        "test each pair of boxes for overlap⟨1:| and compute the shared volume| and count the overlaps of each box⟩",
        """
        ⟨2:if $o <= $a:
            return|if $a == $o:
            return⟩
        ⟨if {group}[$a] == {group}[$o]⟨ and {group}[$a] >= 0|⟩:
            # boxes of the same group do not collide
            {pairs}[$a, $o] = 0
            return
        |⟩
        $low = wp.max({lo}[$a], {lo}[$o])
        $high = wp.min({hi}[$a], {hi}[$o])
        ⟨|$high = $high + wp.vec3({margin}, {margin}, {margin})
        ⟩$ext = $high - $low
        ⟨if $ext[0] < 0.0 or $ext[1] < 0.0 or $ext[2] < 0.0:
            return
        {pairs}[$a, $o] = 1
        ⟨1:|{pen}[$a, $o] = $ext[0] * $ext[1] * $ext[2]|wp.atomic_add({bcount}, $a, 1)
        ⟨2:wp.atomic_add({bcount}, $o, 1)|⟩⟩|if $ext[0] > 0.0 and $ext[1] > 0.0 and $ext[2] > 0.0:
            {pairs}[$a, $o] = 1
            ⟨1:wp.atomic_add({count}, 0, 1)|{pen}[$a, $o] = $ext[0] * $ext[1] * $ext[2]|wp.atomic_add({bcount}, $a, 1)
            ⟨2:wp.atomic_add({bcount}, $o, 1)|⟩⟩
        else:
            {pairs}[$a, $o] = 0⟩
        """,
        threads="a o",
        kinds="combined",
    ),
    Idea(
        "frustum",
        "cull_boxes frustum_cull test_visibility cull_instances",
        "classify each box as inside, outside or crossing the planes of the frustum",
        """
        $center = 0.5 * ({lo}[$a] + {hi}[$a])
        $half = ⟨0.5 * ({hi}[$a] - {lo}[$a])|{hi}[$a] - $center⟩
        ⟨|if {group}[$a] == {NONE}:
            {bflag}[$a] = {OUTSIDE}
            return
        ⟩$outside = int(0)
        $crossing = int(0)
        for $k in range(⟨6|5|4⟩):
            $pl = {plane}[$k]
            $nrm = wp.vec3($pl[0], $pl[1], $pl[2])
            ⟨# radius of the box along the normal
            |⟩$reach = wp.abs($nrm[0] * $half[0]) + wp.abs($nrm[1] * $half[1]) + wp.abs($nrm[2] * $half[2])
            $dist = wp.dot($nrm, $center) + $pl[3] + {guard}
            if $dist ⟨< -$reach|+ $reach < 0.0⟩:
                $outside += 1
            elif $dist < $reach:
                $crossing += 1

        if $outside > 0:
            {bflag}[$a] = {OUTSIDE}
        elif $crossing > 0:
            {bflag}[$a] = {CROSSING}
            ⟨|wp.atomic_add({count}, 0, 1)⟩
        else:
            {bflag}[$a] = {INSIDE}
            ⟨|wp.atomic_add({count}, 0, 1)|if {group}[$a] == {groupmask}:
                wp.atomic_add({count}, 0, 1)⟩
        ⟨|{bdist}[$a] = wp.dot(wp.vec3({plane}[0][0], {plane}[0][1], {plane}[0][2]), $center) + {plane}[0][3]⟩
        """,
        threads="a",
        kinds="multi_conditional combined",
    ),
)
