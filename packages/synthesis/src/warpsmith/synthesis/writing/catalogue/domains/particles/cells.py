"""Ideas of the domain `particles`: cells of a grid, sort keys, transfers between particles and a grid."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

CELLS = (
    Idea(
        "cell_keys",
        "compute_keys hash_particles compute_cell_keys sort_keys",
        "compute ⟨1:the Morton code|the hash|the linear index⟩ of the cell of each particle as its sort key",
        """
        ⟨2:hook begin
        |if {keep}[$i] == 0:
            # behind all others
            {key_out}[$i] = ⟨2147483647|1 << 30⟩
            return
        |⟩$cx = {ix}[$i]
        $cy = {iy}[$i]
        $cz = ⟨3:{iz}[$i]|wp.min({iz}[$i], 7)⟩
        ⟨1:$key = @interleave($cx, $cy, $cz)|$key = @hash($cx, $cy, $cz, {cells})
        ⟨wp.atomic_add({ccount}, $key, 1)
        |⟩|⟨$key = @flatten($cx, $cy, $cz, {gx})|$key = ($cz * {gy} + $cy) * {gx} + $cx⟩⟩
        ⟨4:if {mat}[$i] == {SAND}:
            # a separate range of keys
            $key += ⟨4096|8192⟩
        |$key = ($key << 2) + {mat}[$i]
        |⟩{key_out}[$i] = $key
        """,
        kinds="arithmetic",
        integer=True,
    ),
    Idea(
        "bin_particles",
        "count_cells bin_particles cell_histogram count_particles",
        "count ⟨1:the particles|the mass of the particles|the active particles⟩ in each cell",
        """
        hook begin
        ⟨2:$bin = {cell}[$i]|# particles outside count for the cells at the border
        $cx = wp.clamp(int(({x}[$i][0] + {box}) * {inv_dx}), 0, 3)
        $cy = wp.clamp(int(({x}[$i][2] + {box}) * {inv_dx}), 0, 3)
        $bin = $cy * 4 + $cx⟩
        ⟨1:wp.atomic_add({ccount}, $bin, 1)|wp.atomic_add({cmass}, $bin, {m}[$i])
        wp.atomic_add({ccount}, $bin, 1)|if {flags}[$i] & {ACTIVE} != 0:
            wp.atomic_add({ccount}, $bin, 1)
            ⟨wp.atomic_add({cmass}, $bin, 1.0 / {w}[$i])|wp.atomic_add({cmass}, $bin, {m}[$i])⟩⟩
        ⟨3:wp.atomic_add({census}, {owner}[$i], 1)
        |⟩{key_out}[$i] = ⟨$bin|$bin * 4 + {mat}[$i]|($bin << 2) + {mat}[$i]⟩
        """,
        kinds="atomic histograms atomics gather_scatter particles",
    ),
    Idea(
        "cell_ranges",
        "find_cell_ranges mark_cell_bounds cell_boundaries find_cell_start",
        "store where the particles of each cell begin and end in the sorted order",
        """
        $key = {sorted}[$i]
        ⟨1:if $i == 0:
            {cfirst}[$key] = 0
        elif {sorted}[$i - 1] != $key:
            {cfirst}[$key] = $i
            ⟨2:{cend}[{sorted}[$i - 1]] = $i|wp.atomic_add({counter}, 0, 1)|{cend}[{sorted}[$i - 1]] = $i
            wp.atomic_add({counter}, 0, 1)⟩|$first = $i == 0
        if $i > 0:
            $first = {sorted}[$i - 1] != $key
        if $first:
            {cfirst}[$key] = $i
            ⟨2:wp.atomic_add({counter}, 0, 1)|if $i > 0:
                {cend}[{sorted}[$i - 1]] = $i⟩|$prev = int(-1)
        if $i > 0:
            $prev = {sorted}[$i - 1]
        if $prev != $key:
            # empty cells between both keys begin here, too
            for $bin_id in range($prev + 1, $key + 1):
                {cfirst}[$bin_id] = $i
                ⟨|if $bin_id < $key:
                    wp.atomic_add({counter}, 0, 1)⟩⟩
        ⟨3:if $i == {n} - 1:
            {cend}[$key] = {n}|⟨{group_out}[$i] = {group}[{order}[$i]]|{mat_out}[$i] = {mat}[{order}[$i]]⟩|⟩
        """,
        kinds="control_flow sorting multi_conditional",
        integer=True,
    ),
    Idea(
        "reorder",
        "reorder_particles gather_sorted apply_permutation permute_state",
        "copy the state of the particles ⟨1:into sorted order|back to the original order|into the reverse of the sorted order⟩",
        """
        ⟨1:$src = {order}[$i]
        $dst = $i|$dst = {order}[$i]
        $src = $i|$src = {order}[{n} - 1 - $i]
        $dst = $i⟩
        ⟨2:{x_out}[$dst] = {x}[$src]
        ⟨{v_out}[$dst] = {v}[$src]
        |⟩|{v_out}[$dst] = {v}[$src]
        |{x_out}[$dst] = {x}[$src]
        ⟨{rho_out}[$dst] = {rho}[$src]|{p_out}[$dst] = {p}[$src]⟩
        |{x_out}[$dst] = {x}[$src]
        {v_out}[$dst] = {v}[$src]
        {rho_out}[$dst] = {rho}[$src]
        ⟩⟨3:{mat_out}[$dst] = {mat}[$src]
        |{group_out}[$dst] = {group}[$src]
        |{mat_out}[$dst] = {mat}[$src]
        {group_out}[$dst] = {group}[$src]
        |⟩⟨4:{serial_out}[$dst] = {serial}[$src]|if {flags}[$src] & {ACTIVE} != 0:
            wp.atomic_add({counter}, 0, 1)|⟩
        """,
        kinds="arithmetic gather_scatter sorting",
    ),
    Idea(
        "crowding",
        "count_nearby local_crowding scan_cells neighborhood_count",
        "count the particles ⟨1:in the cells around each particle|of the same type in the cells around each particle⟩",
        """
        hook begin
        $cx = {ix}[$i]
        $cy = {iy}[$i]
        # the cells around the own cell
        $count = int(0)
        ⟨2:for $oy in range(-1, 2):
            for $ox in range(-1, 2):
                $nx = $cx + $ox
                $ny = $cy + $oy
                if $nx < 0 or $ny < 0⟨ or $nx >= {gx} or $ny >= {gy}| or $nx > 8 or $ny > 8⟩:
                    continue|for $ny in range(wp.max($cy - 1, 0), wp.min($cy + 2, ⟨{gy}|9⟩)):
            for $nx in range(wp.max($cx - 1, 0), wp.min($cx + 2, ⟨{gx}|9⟩)):
                ⟨if $nx == $cx and $ny == $cy:
                    continue|⟩⟩
                for $k in range({occn}[$nx, $ny]):
                    $j = {occ}[$nx, $ny, $k]
                    if $j < 0⟨:
                        break| or $j == $i:
                        continue|:
                        continue⟩
                    ⟨1:$count += 1|if {mat}[$j] == {mat}[$i]:
                        $count += 1⟩
        ⟨3:{crowd}[$i] = $count|{crowd}[$i] = wp.min($count, ⟨8|6⟩)⟩
        ⟨4:if $count == 0:
            wp.atomic_add({counter}, 0, 1)|wp.atomic_max({cmax}, 0, $count)|⟩
        """,
        kinds="nested_loop multi_conditional gather_scatter early_exit",
        integer=True,
    ),
    Idea(
        "smooth_counts",
        "window_counts box_sum_cells cell_occupancy density_map",
        "sum up the particles ⟨1:in the 3 x 3 block|in the row and column|in the four adjacent cells⟩ around each cell",
        """
        $count = int(0)
        ⟨1:for $oy in range(-1, 2):
            for $ox in range(-1, 2):
                $nx = $gi + $ox
                $ny = $gj + $oy
                if $nx >= 0 and $nx < {gx} and $ny >= 0 and $ny < {gy}:
                    $count += {occn}[$nx, $ny]|for $k in range({gx}):
            $count += {occn}[$k, $gj]
        for $k in range({gy}):
            # the own cell is counted already
            if $k != $gj:
                $count += {occn}[$gi, $k]|if $gi > 0:
            $count += {occn}[$gi - 1, $gj]
        if $gi ⟨< {gx} - 1|+ 1 < {gx}⟩:
            $count += {occn}[$gi + 1, $gj]
        if $gj > 0:
            $count += {occn}[$gi, $gj - 1]
        if $gj ⟨< {gy} - 1|+ 1 < {gy}⟩:
            $count += {occn}[$gi, $gj + 1]⟩

        ⟨2:if {occn}[$gi, $gj] == 0:
            # empty cells need no sum
            {sum_out}[$gi, $gj] = 0
        ⟨elif $count > ⟨4:6|8⟩:
            # all crowded cells are alike
            {sum_out}[$gi, $gj] = ⟨4:6|8⟩
        |⟩else:
            {sum_out}[$gi, $gj] = $count|{sum_out}[$gi, $gj] = ⟨1:⟨$count|$count - {occn}[$gi, $gj]⟩|⟨$count|$count - {occn}[$gi, $gj]⟩|$count⟩⟩
        ⟨3:wp.atomic_max({cmax}, 0, {occn}[$gi, $gj])|if $count ⟨== 0|> 3⟩:
            wp.atomic_add({counter}, 0, 1)|⟩
        """,
        threads="gi gj",
        kinds="nested_loop control_flow multi_conditional stencil multi_dim",
        integer=True,
    ),
    Idea(
        "to_grid",
        "p2g scatter_to_grid particle_to_grid splat_particles",
        "scatter ⟨1:mass and momentum|mass|momentum⟩ of the particles to the nodes of a grid",
        """
        hook begin
        # position in units of cells
        $xg = {x2}[$i] * {inv_dx}
        ⟨2:$bx = int($xg[0] - 0.5)
        $by = int($xg[1] - 0.5)
        $wx = @bspline($xg[0] - float($bx))
        $wy = @bspline($xg[1] - float($by))
        for $ga in range(3):
            for $gb in range(3):
                $weight = $wx[$ga] * $wy[$gb]|# bilinear weights of four nodes
        $bx = int($xg[0])
        $by = int($xg[1])
        $fx = $xg[0] - float($bx)
        $fy = $xg[1] - float($by)
        for $ga in range(2):
            for $gb in range(2):
                $weight = (1.0 - $fx) * (1.0 - $fy)
                if $ga == 1 and $gb == 1:
                    $weight = $fx * $fy
                elif $ga == 1:
                    $weight = $fx * (1.0 - $fy)
                elif $gb == 1:
                    $weight = (1.0 - $fx) * $fy⟩
                ⟨1:wp.atomic_add({gm}, $bx + $ga, $by + $gb, $weight * {m}[$i])
                wp.atomic_add({gp}, $bx + $ga, $by + $gb, ⟨({v2}[$i] + wp.vec2(0.0, {gz} * {dt}))|{v2}[$i]⟩ * ($weight * {m}[$i]))|wp.atomic_add({gm}, $bx + $ga, $by + $gb, $weight⟨ * {m}[$i]| / {w}[$i]⟩)|wp.atomic_add({gp}, $bx + $ga, $by + $gb, ⟨({v2}[$i] + wp.vec2(0.0, {gz} * {dt}))|{v2}[$i]⟩ * ($weight * {m}[$i]))⟩
        """,
        kinds="nested_loop atomic combined gather_scatter fields atomics particles",
    ),
    Idea(
        "from_grid",
        "g2p gather_from_grid grid_to_particle sample_grid",
        "interpolate the velocity of the grid at each particle and move it",
        """
        hook begin
        ⟨1:$xg = {x2}[$i] * {inv_dx}|$xg = ({x2}[$i] + {v2}[$i] * (0.5 * {dt})) * {inv_dx}⟩
        $bx = int($xg[0] - 0.5)
        $by = int($xg[1] - 0.5)
        $wx = @bspline($xg[0] - float($bx))
        $wy = @bspline($xg[1] - float($by))

        # sum over the nine nodes around the particle
        $vel = ⟨2:wp.vec2()|wp.vec2(0.0, {gz} * {dt})⟩
        for $ga in range(3):
            for $gb in range(3):
                ⟨3:$vel += {gv}[$bx + $ga, $by + $gb] * ($wx[$ga] * $wy[$gb])|$weight = $wx[$ga] * $wy[$gb]
                $vel = $vel + $weight * {gv}[$bx + $ga, $by + $gb]|$node = {gv}[$bx + $ga, $by + $gb]
                $vel += $node * $wx[$ga] * $wy[$gb]⟩
        ⟨4:if {mat}[$i] == {SAND}:
            $vel = $vel * (1.0 - {fric})
        elif {mat}[$i] == {SNOW}:
            # half of the old velocity, so that less is lost
            $vel = 0.5 * ($vel + {v2}[$i])
        |if {flags}[$i] & {PINNED} != 0:
            $vel = wp.vec2(0.0, 0.0)
        |⟩{v2_out}[$i] = $vel
        {x2_out}[$i] = {x2}[$i] + ⟨5:$vel * {dt}|0.5 * {dt} * ($vel + {v2}[$i])⟩
        """,
        kinds="nested_loop combined vector gather_scatter fields particles",
    ),
    Idea(
        "grid_pull",
        "grid_attraction sum_over_nodes brute_force_field node_forces",
        "sum up the attraction of all grid nodes for each particle",
        """
        $sum = wp.vec2()
        for $ga in range({gx}):
            for $gb in range({gy}):
                $d = wp.vec2(float($ga), float($gb)) ⟨- {x2}[$i]|* 0.5 - {x2}[$i]⟩
                ⟨if {occn}[$ga, $gb] > ⟨0|1⟩:
                    |⟩$sum += $d * ({sub_dt} * ⟨float({occn}[$ga, $gb])|{m}[$i]|{charge}[$i]⟩ / (wp.dot($d, $d) + ⟨1.0|0.5|{reach} * {reach}⟩))
        ⟨{v2_out}[$i] = {v2}[$i] + $sum|{v2}[$i] += $sum⟩
        """,
        kinds="nested_loop combined vector fields particles",
    ),
    Idea(
        "bucket_sums",
        "count_buckets row_occupancy sum_buckets scan_row",
        "count the ⟨1:occupied slots|particles of a group|old particles⟩ in each column of cells",
        """
        $count = int(0)
        for $gb in range({gy}):
            for $k in range(⟨{slots}|wp.min({occn}[$gi, $gb], {slots})⟩):
                $j = {occ}[$gi, $gb, $k]
                if ⟨1:$j >= 0⟨| and {flags}[$j] & {ACTIVE} != 0⟩|$j >= 0 and {group}[$j] == {which}|$j != {NONE} and {age}[$j] > 20⟩:
                    $count += 1
        {col_count}[$gi] = $count⟨|
        wp.atomic_add({counter}, 0, $count)|
        if $count == 0:
            # an empty column
            wp.atomic_add({counter}, 0, 1)⟩
        """,
        threads="gi",
        kinds="nested_loop control_flow gather_scatter",
        integer=True,
    ),
)
