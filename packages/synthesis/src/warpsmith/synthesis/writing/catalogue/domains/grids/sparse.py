"""Ideas of the domain `grids`: linear indices, sparse cells, particles and grids."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

SPARSE = (
    Idea(
        "adjacency",
        "build_neighbor_table cell_neighbors linear_neighbors init_adjacency",
        "⟨1:write the neighbours of each cell to a table, with -1 outside of the grid|split the linear index of each cell⟩",
        """
        hook cell
        ⟨# the linear index grows along x first
        |⟩$i = $c % {row}
        $j = ($c // {row}) % {rows}
        $k = $c // ({row} * {rows})
        ⟨1:⟨{nbrs_out}[$c, 0] = $c - 1 if $i > 0 else -1
        {nbrs_out}[$c, 1] = $c + 1 if $i < {row} - 1 and $c + 1 < {cells} else -1
        {nbrs_out}[$c, 2] = $c - {row} if $j > 0 else -1
        {nbrs_out}[$c, 3] = $c + {row} if $j < {rows} - 1 and $c + {row} < {cells} else -1
        {nbrs_out}[$c, 4] = $c - {row} * {rows} if $k > 0 else -1
        {nbrs_out}[$c, 5] = $c + {row} * {rows} if $c + {row} * {rows} < {cells} else -1
        |for $d in range(6):
            {nbrs_out}[$c, $d] = -1
        if $i > 0:
            {nbrs_out}[$c, 0] = $c - 1
        if $i < {row} - 1 and $c + 1 < {cells}:
            {nbrs_out}[$c, 1] = $c + 1
        if $j > 0:
            {nbrs_out}[$c, 2] = @linear($i, $j - 1, $k, {row}, {rows})
        if $j < {rows} - 1 and $c + {row} < {cells}:
            {nbrs_out}[$c, 3] = @linear($i, $j + 1, $k, {row}, {rows})
        if $k > 0:
            {nbrs_out}[$c, 4] = @linear($i, $j, $k - 1, {row}, {rows})
        $above = @linear($i, $j, $k + 1, {row}, {rows})
        if $above < {cells}:
            {nbrs_out}[$c, 5] = $above
        ⟩|{coord_out}[$c, 0] = $i
        {coord_out}[$c, 1] = $j
        {coord_out}[$c, 2] = $k
        ⟨|if $i == 0 or $j == 0 or $k == 0:
            wp.atomic_add({changed}, 0, 1)|# checkerboard
        if ($i + $j + $k) % 2 == {parity}:
            wp.atomic_add({changed}, 0, 1)⟩
        ⟩
        """,
        threads="c",
        kinds="arithmetic control_flow gather_scatter",
        integer=True,
    ),
    Idea(
        "flat_laplace",
        "laplacian_linear smooth_linear apply_stencil_1d flat_diffusion",
        "apply ⟨1:the Laplacian|a diffusion step|the gradient magnitude⟩ to a field that is stored in linear memory",
        """
        hook cell
        $i = $c % {row}
        # neighbours in the same row
        $center = {val}[$c]
        $left = ⟨{val}[$c - 1] if $i > 0 else $center|{val}[wp.max($c - 1, 0)]⟩
        $right = $center
        if $i < {row} - 1 and $c + 1 < {cells}:
            $right = {val}[$c + 1]
        # cells of the rows below and above
        ⟨$down = {val}[$c - {row}] if $c >= {row} else $center
        $up = {val}[$c + {row}] if $c + {row} < {cells} else $center
        |$down = {val}[($c + {cells} - {row}) % {cells}]
        $up = {val}[($c + {row}) % {cells}]
        ⟩
        ⟨1:{val_out}[$c] = ($left + $right + $down + $up - 4.0 * $center)⟨| * {inv_h} * {inv_h}⟩
        |$lap = $left + $right + $down + $up - 4.0 * $center
        {val_out}[$c] = ⟨$center + {kappa} * $lap|$center + {kappa} * {dt} * $lap⟩
        ⟨|if {cflag}[$c] != {SOLID}:
            wp.atomic_add({total}, 0, $center)⟩
        |$gx = 0.5 * ($right - $left)
        $gy = 0.5 * ($up - $down)
        {val_out}[$c] = wp.sqrt($gx * $gx + $gy * $gy + 1.0e-4)
        ⟩
        """,
        threads="c",
        kinds="control_flow stencil fields",
    ),
    Idea(
        "sparse_sum",
        "sparse_stencil gather_active active_laplacian neighbor_sum",
        "⟨1:sum the neighbours of each active cell|apply a Laplacian to the active cells|sum the fluid neighbours of each active cell⟩",
        """
        # linear index of the active cell
        $c = {ids}[$a]
        ⟨|if {cflag}[$c] == {SOLID}:
            {sparse_out}[$a] = 0.0
            return
        ⟩
        ⟨1:$sum = float(0.0)|$center = {val}[$c]
        # sum over the neighbours
        $sum = float(0.0)|$sum = float(0.0)
        $n = float(0.0)⟩
        for $d in range(6):
            # -1 outside of the grid
            $nbr = {nbrs}[$c, $d]
            ⟨if $nbr < 0:
                ⟨1:continue|# mirrored at the wall
                continue|continue⟩
            ⟨1:$sum += {val}[$nbr]|$sum += {val}[$nbr] - $center|if {cflag}[$nbr] == {FLUID}:
                $sum += {val}[$nbr]
                $n += 1.0⟩
            |if $nbr >= 0:
                ⟨1:$sum += {val}[$nbr]|$sum += {val}[$nbr] - $center|if {cflag}[$nbr] != {SOLID}:
                    $sum += {val}[$nbr]
                    $n += 1.0⟩
            ⟩
        {sparse_out}[$a] = ⟨1:$sum|$center + {kappa} * $sum|$sum / wp.max($n, 1.0)⟩
        """,
        threads="a",
        kinds="control_flow nested_loop sparse gather_scatter",
    ),
    Idea(
        "sparse_flags",
        "active_neighbors pack_neighbor_flags classify_active count_fluid_sides",
        "⟨1:count the fluid neighbours of each active cell|encode the fluid neighbours of each active cell in bits|classify each active cell by its neighbours⟩",
        """
        # linear index of the active cell
        $c = {ids}[$a]
        ⟨if {cflag}[$c] == {SOLID}:
            {sparse_code}[$a] = -1
            return
        |⟩
        # neighbours that count
        $n = int(0)
        ⟨1:|$bits = int(0)|$walls = int(0)⟩
        for $d in range(6):
            # -1 outside of the grid
            $nbr = {nbrs}[$c, $d]
            if $nbr < 0:
                ⟨1:continue|continue|# the edge of the grid is a wall
                $walls += 1
                continue⟩
            ⟨$t = {cflag}[$nbr]
            if $t == {FLUID}|if {cflag}[$nbr] == {FLUID}⟩:
                $n += 1
                ⟨1:|$bits += 1 << $d|⟩
            ⟨1:||elif {cflag}[$nbr] == {SOLID}:
                $walls += 1⟩

        ⟨1:{sparse_code}[$a] = $n
        |{sparse_code}[$a] = $bits
        ⟨|if $n == 0:
            wp.atomic_add({changed}, 0, 1)⟩
        |if $walls > 2:
            # a corner
            {sparse_code}[$a] = 2
        elif $walls > 0 and $n > 0:
            {sparse_code}[$a] = 1
        else:
            {sparse_code}[$a] = 0
        ⟩
        """,
        threads="a",
        kinds="control_flow multi_conditional sparse gather_scatter",
        integer=True,
    ),
    Idea(
        "scatter",
        "particles_to_grid p2g_scatter splat_mass rasterize_particles",
        "add mass ⟨1:and momentum |⟩of each particle to the four grid nodes around it",
        """
        hook particle
        # position in cells
        $x = {pos}[$pt]
        # lower left node
        $i0 = wp.clamp(int($x[0]), 0, {nx} - 2)
        $j0 = wp.clamp(int($x[1]), 0, {ny} - 2)
        # position inside of the cell, 0 to 1
        $fx = $x[0] - float($i0)
        $fy = $x[1] - float($j0)
        # mass in kg
        $m = {pmass}[$pt]
        ⟨for $di in range(2):
            for $dj in range(2):
                ⟨$wx = $fx if $di == 1 else 1.0 - $fx
                $wy = $fy if $dj == 1 else 1.0 - $fy
                |$wx = 1.0 - wp.abs($fx - float($di))
                $wy = 1.0 - wp.abs($fy - float($dj))
                ⟩wp.atomic_add({grid_m}, $i0 + $di, $j0 + $dj, $wx * $wy * $m)
                ⟨1:wp.atomic_add({grid_mv}, $i0 + $di, $j0 + $dj, $wx * $wy * $m * {pvel}[$pt])|⟩
        |# bilinear weights of the four corners
        wp.atomic_add({grid_m}, $i0, $j0, (1.0 - $fx) * (1.0 - $fy) * $m)
        wp.atomic_add({grid_m}, $i0 + 1, $j0, $fx * (1.0 - $fy) * $m)
        wp.atomic_add({grid_m}, $i0, $j0 + 1, (1.0 - $fx) * $fy * $m)
        wp.atomic_add({grid_m}, $i0 + 1, $j0 + 1, $fx * $fy * $m)
        ⟨1:$mv = {pvel}[$pt] * $m
        wp.atomic_add({grid_mv}, $i0, $j0, (1.0 - $fx) * (1.0 - $fy) * $mv)
        wp.atomic_add({grid_mv}, $i0 + 1, $j0, $fx * (1.0 - $fy) * $mv)
        wp.atomic_add({grid_mv}, $i0, $j0 + 1, (1.0 - $fx) * $fy * $mv)
        wp.atomic_add({grid_mv}, $i0 + 1, $j0 + 1, $fx * $fy * $mv)|⟩
        ⟩
        ⟨|{pcell}[$pt] = $i0 * {ny} + $j0⟩
        """,
        threads="pt",
        kinds="nested_loop atomic gather_scatter particles",
    ),
    Idea(
        "gather",
        "grid_to_particles g2p_gather sample_velocity interpolate_to_particles",
        "interpolate the grid velocity at each particle",
        """
        hook particle
        # position in cells
        $x = {pos}[$pt]
        # lower left node
        $i0 = wp.clamp(int($x[0]), 0, {nx} - 2)
        $j0 = wp.clamp(int($x[1]), 0, {ny} - 2)
        # position inside of the cell, 0 to 1
        $fx = $x[0] - float($i0)
        $fy = $x[1] - float($j0)
        ⟨$v = wp.vec2()
        for $di in range(2):
            for $dj in range(2):
                $w = (1.0 - wp.abs($fx - float($di))) * (1.0 - wp.abs($fy - float($dj)))
                ⟨if {solid2}[$i0 + $di, $j0 + $dj]:
                    continue
                |⟩$v = $v + $w * {vel}[$i0 + $di, $j0 + $dj]
        |$low = wp.lerp({vel}[$i0, $j0], {vel}[$i0 + 1, $j0], $fx)
        $high = wp.lerp({vel}[$i0, $j0 + 1], {vel}[$i0 + 1, $j0 + 1], $fx)
        $v = wp.lerp($low, $high, $fy)
        ⟩
        ⟨|# mix of the new and the old velocity
        $v = $v * (1.0 - {flip}) + {pvel}[$pt] * {flip}|if {flags}[$i0, $j0] == {OUTFLOW}:
            $v = {pvel}[$pt]|# gravity
        $v = $v - wp.vec2(0.0, {g} * {dt})⟩
        {pic}[$pt] = $v
        ⟨|{pcell}[$pt] = $i0 * {ny} + $j0|if {solid2}[$i0, $j0]:
            wp.atomic_add({changed}, 0, 1)⟩
        """,
        threads="pt",
        kinds="nested_loop vector gather_scatter particles fields",
    ),
    Idea(
        "bin",
        "bin_particles count_cells cell_of_particle assign_cells",
        "⟨1:find the cell of each particle|find the cell of each particle and count its particles|drop particles in obstacles⟩",
        """
        hook particle
        # position in cells
        $x = {pos}[$pt]
        # cell that contains the particle
        $i = wp.clamp(int(⟨2:$x[0]|wp.floor($x[0])|$x[0] + 0.5⟩), 0, {nx} - 1)
        $j = wp.clamp(int(⟨2:$x[1]|wp.floor($x[1])|$x[1] + 0.5⟩), 0, {ny} - 1)
        ⟨1:{pcell}[$pt] = ⟨$i * {ny} + $j|$j * {nx} + $i⟩
        |{pcell}[$pt] = $i * {ny} + $j
        wp.atomic_add({nodecount}, $i, $j, 1)
        ⟨|if {flags}[$i, $j] != {FLUID}:
            wp.atomic_add({changed}, 0, 1)⟩
        |if {solid2}[$i, $j]:
            # no cell
            {pcell}[$pt] = -1
            ⟨wp.atomic_add({changed}, 0, 1)
            |⟩return
        {pcell}[$pt] = $i * {ny} + $j
        ⟨|wp.atomic_add({nodecount}, $i, $j, 1)⟩
        ⟩
        """,
        threads="pt",
        kinds="control_flow gather_scatter particles",
    ),
)
