"""Ideas of the domain `geometry`: boxes of cells, orders, polygons and masks without floats."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

COUNTS = (
    Idea(
        "box_cells",
        "count_box_cells rasterize_boxes bin_boxes cover_cells",
        "count the cells that each box covers in a table of cells⟨1:| and in all⟩",
        """
        $bmin = {qlo}[$a]
        $bmax = {qhi}[$a]
        ⟨if {group}[$a] == {NONE}:
            {bcells}[$a] = 0
            return

        |if $bmin[0] > $bmax[0] or $bmin[1] > $bmax[1]:
            # empty box
            {bcells}[$a] = 0
            return

        |⟩$num = int(0)
        for $cx in range($bmin[0] / ⟨3:4|8⟩, $bmax[0] / ⟨3:4|8⟩ + 1):
            for $cy in range($bmin[1] / ⟨3:4|8⟩, $bmax[1] / ⟨3:4|8⟩ + 1):
                ⟨$slot = ($cx * 8 + $cy) % {BINS}|$slot = ($cx + 8 * $cy) & ({BINS} - 1)⟩
                wp.atomic_add({bins}, $slot, 1)
                $num += 1
        {bcells}[$a] = $num
        ⟨1:|wp.atomic_add({count}, 0, $num)⟩
        """,
        threads="a",
        kinds="nested_loop atomic atomics",
        integer=True,
    ),
    Idea(
        "box_filter",
        "filter_box_pairs integer_overlaps candidate_pairs pair_mask",
        "write the result of the overlap test of each pair of boxes of cells and their groups",
        """
        ⟨2:if $a >= $o:
            {pairs}[$a, $o] = 0
            return

        |if $a == $o:
            return

        ⟩$ga = {group}[$a]
        $gb = {group}[$o]
        ⟨if $ga == $gb and $ga != {NONE}:
            {pairs}[$a, $o] = 0
            return|if $ga < 0 and $gb < 0:
            # two boxes of no group
            {pairs}[$a, $o] = 0
            return⟩
        $amin = {qlo}[$a]
        $amax = {qhi}[$a]
        $bmin = {qlo}[$o]
        $bmax = {qhi}[$o]

        ⟨$apart = $amin[0] > $bmax[0] or $bmin[0] > $amax[0]
        if not $apart:
            $apart = $amin[1] > $bmax[1] or $bmin[1] > $amax[1]
        if $apart:
            {pairs}[$a, $o] = 0
        else:
            {pairs}[$a, $o] = 1
            ⟨wp.atomic_add({bcount}, $a, 1)
            ⟨2:wp.atomic_add({bcount}, $o, 1)|⟩|wp.atomic_add({count}, 0, 1)|⟩|$axes = int(0)
        for $k in range(3):
            if $amin[$k] <= $bmax[$k] and $bmin[$k] <= $amax[$k]:
                $axes += 1
        if $axes == 3:
            {pairs}[$a, $o] = 1
            ⟨wp.atomic_add({bcount}, $a, 1)
            ⟨2:wp.atomic_add({bcount}, $o, 1)|⟩|wp.atomic_add({count}, 0, 1)|⟩
        else:
            {pairs}[$a, $o] = 0⟩
        """,
        threads="a o",
        kinds="control_flow multi_conditional",
        integer=True,
    ),
    Idea(
        "order_map",
        "invert_order scatter_order build_inverse rank_of_point",
        "scatter the index of each point to its place in the order",
        """
        ⟨{rank}[{order}[$i]] = $i|$to = {order}[$i]
        {rank}[$to] = $i|$to = {order}[$i]
        if {alive}[$i]:
            {rank}[$to] = $i
        else:
            {rank}[$to] = {NONE}|$to = {order}[$i]
        {rank}[$to] = $i
        ⟨{cellid}[$to] = {raw}[$i] >> ⟨3|6⟩|{gathered}[$to] = {raw}[$i]⟩⟩
        ⟨|wp.atomic_add({bins}, {raw}[$i] & ({BINS} - 1), 1)⟩
        """,
        kinds="gather_scatter sorting",
        integer=True,
    ),
    Idea(
        "turns",
        "polygon_turns check_convexity count_turns classify_polygons",
        "count the left and right turns of each polygon of a lattice and classify it",
        """
        $first = {poff}[$g]
        $num = {poff}[$g + 1] - $first
        if $num < 3:
            # point or segment
            {pclass}[$g] = {NONE}
            return

        $lefts = int(0)
        $rights = int(0)
        for $j in range($num):
            $a = {pxyi}[$first + $j]
            $b = {pxyi}[$first + ($j + 1) % $num]
            $c = {pxyi}[$first + ($j + 2) % $num]
            $turn = @orient2d($a, $b, $c)
            ⟨if $turn > 0:
                $lefts += 1
            elif $turn < 0:
                $rights += 1|if $turn == 0:
                continue
            if $turn > 0:
                $lefts += 1
            else:
                $rights += 1⟩

        ⟨if $rights == 0:
            {pclass}[$g] = 1
            ⟨|wp.atomic_add({count}, 0, 1)⟩
        elif $lefts == 0:
            # convex, but clockwise
            {pclass}[$g] = 2
        else:
            {pclass}[$g] = 0|if $lefts > $rights:
            {pclass}[$g] = 1
        elif $rights > $lefts:
            {pclass}[$g] = 2
        else:
            {pclass}[$g] = 0⟩
        ⟨|{pnum}[$g] = $num⟩
        """,
        threads="g",
        kinds="multi_conditional control_flow helper_functions",
        integer=True,
    ),
    Idea(
        "voxel_faces",
        "count_exposed_faces mark_surface_voxels face_bits surface_mask",
        "set a bit for each face of a voxel that borders on another material",
        """
        $own = {mat}[$x, $y, $z]
        ⟨if $own == 0:
            # air has no faces
            {vox}[$x, $y, $z] = 0
            return

        |⟩$bits = int(0)
        ⟨if $x == 0 or {mat}[wp.max($x - 1, 0), $y, $z] != $own:
            $bits = $bits | 1
        if $x == {nx} - 1 or {mat}[wp.min($x + 1, {nx} - 1), $y, $z] != $own:
            $bits = $bits | 2
        if $y == 0 or {mat}[$x, wp.max($y - 1, 0), $z] != $own:
            $bits = $bits | 4
        if $y == {ny} - 1 or {mat}[$x, wp.min($y + 1, {ny} - 1), $z] != $own:
            $bits = $bits | 8|if $x > 0:
            if {mat}[$x - 1, $y, $z] != $own:
                $bits = $bits | 1
        if $x + 1 < {nx}:
            if {mat}[$x + 1, $y, $z] != $own:
                $bits = $bits | 2
        if $z > 0:
            if {mat}[$x, $y, $z - 1] != $own:
                $bits = $bits | 16
        if $z + 1 < {nz}:
            if {mat}[$x, $y, $z + 1] != $own:
                $bits = $bits | 32|for $off in range(2):
            $cy = $y + 2 * $off - 1
            if $cy >= 0 and $cy < {ny}:
                if {mat}[$x, $cy, $z] != $own:
                    $bits = $bits | (4 << $off)
            else:
                # the border is a face
                $bits = $bits | (4 << $off)⟩
        {vox}[$x, $y, $z] = $bits
        ⟨|if $bits != 0:
            wp.atomic_add({count}, 0, 1)|if $own == ⟨2|3⟩ and $bits > 0:
            wp.atomic_add({count}, 0, 1)⟩
        """,
        threads="x y z",
        kinds="control_flow stencil multi_dim integer_bits",
        integer=True,
    ),
    Idea(
        "fill_cells",
        "clear_voxels fill_cells copy_occupancy init_grid",
        "set each cell of the grid to its initial state",
        """
        ⟨{vox}[$x, $y, $z] = ⟨0|{occ}[$x, $y, $z]|{mat}[$x, $y, $z]|{occ}[$x, $y, $z] * {mat}[$x, $y, $z]|wp.where({mat}[$x, $y, $z] == {lane}, 1, 0)|wp.where({mat}[$x, $y, $z] > 0, 1, 0)⟩|if {mat}[$x, $y, $z] ⟨== 0|> 1⟩:
            {vox}[$x, $y, $z] = 0
        else:
            {vox}[$x, $y, $z] = {occ}[$x, $y, $z]|if $x == 0 or $y == 0⟨| or $z == 0⟩:
            # border
            {vox}[$x, $y, $z] = ⟨1|2⟩
        else:
            {vox}[$x, $y, $z] = {occ}[$x, $y, $z]⟩
        """,
        threads="x y z",
        kinds="multi_dim",
        integer=True,
    ),
    Idea(
        "pair_masks",
        "filter_shape_pairs collision_masks match_layers test_masks",
        "decide for each point and shape whether they may collide",
        """
        $bits = {pmask}[$i]
        $flags = {sflag}[$s]
        ⟨if not {alive}[$i]:
            {near}[$i, $s] = 0
            return
        |⟩if $flags & {ENABLED} == 0:
            {near}[$i, $s] = 0
        ⟨elif {sbody}[$s] < 0:
            # static shapes collide with all points
            {near}[$i, $s] = 1
            ⟨4:|wp.atomic_add({count}, 0, 1)⟩
        |⟩⟨elif {stype}[$s] == {PLANE}⟨| or {stype}[$s] == {BOX}⟩:
            {near}[$i, $s] = 1
            ⟨4:|wp.atomic_add({count}, 0, 1)⟩
        |⟩elif $bits & $flags != 0:
            {near}[$i, $s] = 1
            ⟨4:|wp.atomic_add({count}, 0, 1)⟩
        else:
            {near}[$i, $s] = 0
        """,
        threads="i s",
        kinds="multi_conditional control_flow",
        integer=True,
    ),
)
