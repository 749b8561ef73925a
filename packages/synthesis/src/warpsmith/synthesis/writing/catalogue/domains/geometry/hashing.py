"""Ideas of the domain `geometry`: Morton codes, hashing, orders, lattice polygons, voxels."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

HASHING = (
    Idea(
        "morton",
        "compute_morton_codes morton_encode point_codes zorder_keys",
        "compute the Morton code of each point on a lattice",
        """
        hook point
        $pos = {p}[$i]
        ⟨$cx = wp.clamp(int(($pos[0] + 2.0) / {cell}), 0, {RES} - 1)
        $cy = wp.clamp(int(($pos[1] + 2.0) / {cell}), 0, {RES} - 1)
        $cz = wp.clamp(int(($pos[2] + 2.0) / {cell}), 0, {RES} - 1)|# normalize to the unit cube
        $unit = ($pos + wp.vec3(2.0, 2.0, 2.0)) * 0.25
        $cx = wp.min(int($unit[0] * float({RES})), {RES} - 1)
        $cy = wp.min(int($unit[1] * float({RES})), {RES} - 1)
        $cz = wp.min(int($unit[2] * float({RES})), {RES} - 1)⟩
        $key = ⟨@morton3($cx, $cy, $cz)|@expand_bits($cx) | (@expand_bits($cy) << 1) | (@expand_bits($cz) << 2)⟩
        ⟨|if not {alive}[$i]:
            # unused points go to the end
            $key = ⟨1073741823|$key + 536870912⟩
        |if {pmask}[$i] & {VISIBLE} == 0:
            {code}[$i] = {NONE}
            return
        ⟩{code}[$i] = $key
        ⟨|{cell3}[$i] = wp.vec3i($cx, $cy, $cz)|wp.atomic_add({bins}, $key % {BINS}, 1)⟩
        """,
        kinds="vector integer_bits",
    ),
    Idea(
        "hash_points",
        "hash_points count_cells assign_buckets spatial_hash_points",
        "compute the cell of each point in a hash table and count the points of each cell",
        """
        hook point
        $pos = ⟨{p}[$i]|{src}[$i]|{p}[$i] + {shift}[$i]⟩
        $cx = int(wp.floor($pos[0] / {cell}))
        $cy = int(wp.floor($pos[1] / {cell}))
        $cz = int(wp.floor($pos[2] / {cell}))
        ⟨$slot = @cell_hash($cx + 64, $cy + 64, $cz + 64)|$slot = @cell_hash(wp.abs($cx), wp.abs($cy), wp.abs($cz))⟩

        {cellid}[$i] = $slot
        wp.atomic_add({bins}, $slot, 1)
        ⟨|{cell3}[$i] = wp.vec3i($cx, $cy, $cz)|if {alive}[$i]:
            wp.atomic_add({count}, 0, 1)⟩
        """,
        kinds="atomic histograms integer_bits atomics",
    ),
    Idea(
        "decode",
        "decode_morton cell_of_code unpack_codes morton_to_cell",
        "decode the Morton code of each point to the coordinates of its cell⟨1:| and compute the code of a neighbour| and compute the index of the cell⟩",
        """
        $key = {raw}[$i]
        ⟨|if not {alive}[$i]:
            {cellid}[$i] = {NONE}
            return
        ⟩$cx = @compact_bits($key)
        $cy = @compact_bits($key >> 1)
        $cz = @compact_bits($key >> 2)
        ⟨|# the finest level is merged
        $cx = $cx >> 1
        $cy = $cy >> 1
        $cz = $cz >> 1
        ⟩⟨1:{cell3}[$i] = wp.vec3i($cx, $cy, $cz)|if $cx + 1 < {RES}:
            {code}[$i] = @morton3($cx + 1, $cy, $cz)
        else:
            ⟨# no neighbour beyond the border
            {code}[$i] = {NONE}|# periodic
            {code}[$i] = @morton3(0, $cy, $cz)⟩|{cellid}[$i] = ($cz * 128 + $cy) * 128 + $cx⟩
        ⟨|if $cx >= {RES}:
            # beyond the grid
            wp.atomic_add({count}, 0, 1)|# points of each coarse cell
        wp.atomic_add({bins}, (($cx >> 5) << 4) | (($cy >> 5) << 2) | ($cz >> 5), 1)⟩
        """,
        kinds="control_flow integer_bits",
        integer=True,
    ),
    Idea(
        "rank_points",
        "rank_codes compute_ranks counting_rank sort_positions",
        "compute the rank of each point by the number of ⟨3:smaller|smaller|larger⟩ codes",
        """
        hook point
        $own = {raw}[$i]⟨2:| & 65535| >> 6⟩
        $smaller = int(0)
        for $j in range({n}):
            ⟨|if {pmask}[$j] == 0:
                continue
            ⟩$other = {raw}[$j]⟨2:| & 65535| >> 6⟩
            ⟨3:if $other < $own:
                $smaller += 1
            elif $other == $own and $j < $i:
                # equal codes keep their order
                $smaller += 1|if $other < $own or ($other == $own and $j < $i):
                $smaller += 1|if $other > $own:
                $smaller += 1⟩

        {rank}[$i] = $smaller
        ⟨|if $smaller == 0:
            wp.atomic_add({count}, 0, 1)|if $smaller < {n} // 2:
            # first half of the order
            wp.atomic_add({count}, 0, 1)⟩
        """,
        kinds="control_flow sorting nested_loop",
        integer=True,
    ),
    Idea(
        "reorder",
        "reorder_points gather_sorted permute_points apply_order",
        "copy the ⟨1:points|points and their radii|codes⟩ to sorted order",
        """
        ⟨1:⟨{gp}[$i] = {p}[{order}[$i]]|$from = {order}[$i]
        ⟨|if not {alive}[$from]:
            return
        ⟩{gp}[$i] = {p}[$from]|# from the last to the first
        $from = {order}[{n} - 1 - $i]
        {gp}[$i] = {p}[$from]⟩|$from = {order}[$i]
        ⟨|if not {alive}[$from]:
            # unused points get no radius
            {gr}[$i] = 0.0
            return
        ⟩{gp}[$i] = {p}[$from]
        {gr}[$i] = ⟨{rad}[$from]|wp.max({rad}[$from], {margin})⟩|$from = {order}[$i]
        ⟨|if {pmask}[$from] & {VISIBLE} == 0:
            {gathered}[$i] = ⟨{NONE}|0⟩
            return
        |if {alive}[$from]:
            wp.atomic_add({count}, 0, 1)
        ⟩{gathered}[$i] = {raw}[$from]⟩
        """,
        kinds="gather_scatter",
    ),
    Idea(
        "cell_starts",
        "find_cell_starts mark_cell_ranges build_cell_table run_starts",
        "mark where a new cell begins in the sorted codes",
        """
        $cur = {codes}[$k] ⟨2:>> 5|>> 6|/ 64⟩
        if ⟨$k == 0|$k < 1⟩:
            {cstart}[$k] = 1
            {ccell}[$k] = $cur
            ⟨3:|wp.atomic_add({count}, 0, 1)⟩
        elif {codes}[$k - 1] ⟨2:>> 5|>> 6|/ 64⟩ != $cur:
            ⟨3:|wp.atomic_add({count}, 0, 1)
            ⟩{cstart}[$k] = 1
            {ccell}[$k] = $cur
        else:
            {cstart}[$k] = 0
            {ccell}[$k] = {NONE}
        """,
        threads="k",
        kinds="control_flow multi_conditional sorting",
        integer=True,
    ),
    Idea(
        "lattice_winding",
        "lattice_point_in_polygon winding_numbers polygon_winding classify_lattice_points",
        "compute the winding number of a polygon of a lattice around each point",
        """
        $poly = ⟨$i % {g}|$i * {g} // {n}⟩
        $q = {cellxy}[$i]
        $first = {poff}[$poly]
        $last = {poff}[$poly + 1]
        ⟨if $last - $first < 3:
            # no area
            {wind}[$i] = 0
            return

        |⟩$wn = int(0)
        for $j in range($first, $last):
            $a = {pxyi}[$j]
            ⟨$next = $j + 1
            if $next == $last:
                $next = $first|$next = $first + ($j - $first + 1) % ($last - $first)⟩
            $b = {pxyi}[$next]
            ⟨if $a[1] <= $q[1]:
                if $b[1] > $q[1] and @orient2d($a, $b, $q) > 0:
                    $wn += 1
            elif $b[1] <= $q[1] and @orient2d($a, $b, $q) < 0:
                $wn -= 1|if $a[1] <= $q[1] and $b[1] > $q[1]:
                # upward crossing
                if @orient2d($a, $b, $q) > 0:
                    $wn += 1
            elif $a[1] > $q[1] and $b[1] <= $q[1]:
                if @orient2d($a, $b, $q) < 0:
                    $wn -= 1|$side = @orient2d($a, $b, $q)
            if $a[1] <= $q[1] and $b[1] > $q[1] and $side > 0:
                $wn += 1
            if $a[1] > $q[1] and $b[1] <= $q[1] and $side < 0:
                $wn -= 1⟩
        {wind}[$i] = $wn
        ⟨|if $wn != 0:
            wp.atomic_add({pcount}, $poly, 1)|if $wn % 2 != 0:
            # inside by the even-odd rule
            wp.atomic_add({count}, 0, 1)⟩
        """,
        kinds="multi_conditional control_flow helper_functions",
        integer=True,
    ),
    Idea(
        "count_neighbors",
        "count_occupied_neighbors dilate_voxels erode_voxels classify_voxels",
        "⟨1:count the occupied neighbours of|dilate|erode⟩ each cell of the voxel grid",
        """
        ⟨|if {mat}[$x, $y, $z] == 0:
            {vox}[$x, $y, $z] = 0
            return

        ⟩$num = int(0)
        ⟨for $dx in range(-1, 2):
            for $dy in range(-1, 2):
                for $dz in range(-1, 2):
                    ⟨if $dx == 0 and $dy == 0 and $dz == 0:
                        continue
                    |⟩$cx = $x + $dx
                    $cy = $y + $dy
                    $cz = $z + $dz
                    if $cx >= 0 and $cx < {nx} and $cy >= 0 and $cy < {ny} and $cz >= 0 and $cz < {nz}:
                        $num += {occ}[$cx, $cy, $cz]|# the six faces
        if $x > 0:
            $num += {occ}[$x - 1, $y, $z]
        if $x + 1 < {nx}:
            $num += {occ}[$x + 1, $y, $z]
        if $y > 0:
            $num += {occ}[$x, $y - 1, $z]
        if $y + 1 < {ny}:
            $num += {occ}[$x, $y + 1, $z]
        if $z > 0:
            $num += {occ}[$x, $y, $z - 1]
        if $z + 1 < {nz}:
            $num += {occ}[$x, $y, $z + 1]|for $off in range(⟨1, 3|1, 2⟩):
            $num += {occ}[wp.max($x - $off, 0), $y, $z] + {occ}[wp.min($x + $off, {nx} - 1), $y, $z]
            $num += {occ}[$x, wp.max($y - $off, 0), $z] + {occ}[$x, wp.min($y + $off, {ny} - 1), $z]
            $num += {occ}[$x, $y, wp.max($z - $off, 0)] + {occ}[$x, $y, wp.min($z + $off, {nz} - 1)]⟩
        ⟨1:{vox}[$x, $y, $z] = $num|if {occ}[$x, $y, $z] == 1 or $num > ⟨2|3|4⟩:
            {vox}[$x, $y, $z] = 1
        else:
            {vox}[$x, $y, $z] = 0|if {occ}[$x, $y, $z] == 1 and $num > ⟨2|3⟩:
            {vox}[$x, $y, $z] = 1
        else:
            {vox}[$x, $y, $z] = 0⟩
        ⟨|if $num == 0:
            wp.atomic_add({count}, 0, 1)|if {mat}[$x, $y, $z] == ⟨2|3⟩ and $num > 2:
            wp.atomic_add({count}, 0, 1)⟩
        """,
        threads="x y z",
        kinds="nested_loop stencil multi_dim",
        integer=True,
    ),
    Idea(
        "voxelize",
        "voxelize_points rasterize_points splat_occupancy mark_voxels",
        "count the points in each voxel and ⟨2:skip those outside of|move those outside to the border of⟩ the grid",
        """
        hook point
        $pos = {p}[$i]
        $cx = int(wp.floor($pos[0] / {cell})) + {nx} / 2
        $cy = int(wp.floor($pos[1] / {cell})) + {ny} / 2
        $cz = int(wp.floor($pos[2] / {cell})) + {nz} / 2
        ⟨2:if $cx < 0 or $cx >= {nx}:
            ⟨7:wp.atomic_add({count}, 0, 1)
            |⟩return
        if $cy < 0 or $cy >= {ny} or $cz < 0 or $cz >= {nz}:
            ⟨7:wp.atomic_add({count}, 0, 1)
            |⟩return
        |$cx = wp.clamp($cx, 0, {nx} - 1)
        $cy = wp.clamp($cy, 0, {ny} - 1)
        $cz = wp.clamp($cz, 0, {nz} - 1)
        ⟩⟨wp.atomic_add({voxcount}, $cx, $cy, $cz, 1)|if {occ}[$cx, $cy, $cz] == 0:
            wp.atomic_add({voxcount}, $cx, $cy, $cz, 1)
        else:
            # the cell is already solid
            {cellid}[$i] = ($cz * {ny} + $cy) * {nx} + $cx⟩
        ⟨|wp.atomic_add({voxmass}, $cx, $cy, $cz, {conf}[$i])|wp.atomic_add({voxmass}, $cx, $cy, $cz, {conf}[$i] * {pval}[$i])⟩
        """,
        kinds="atomic",
    ),
)
