"""Ideas of the domain `grids`: multigrid, flags, voxels."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

TRANSFER = (
    Idea(
        "restrict",
        "restrict_residual full_weighting coarsen_field restrict_average",
        "restrict a fine field to the coarse grid by ⟨1:the mean of four cells|full weighting|the mean of four cells outside of obstacles⟩",
        """
        hook mask2
        # first of the four fine cells
        $fi = 2 * $i
        $fj = 2 * $j
        ⟨1:{coarse}[$i, $j] = 0.25 * ({fine}[$fi, $fj] + {fine}[$fi + 1, $fj] + {fine}[$fi, $fj + 1] + {fine}[$fi + 1, $fj + 1])
        |$sum = float(0.0)
        for $di in range(-1, 2):
            for $dj in range(-1, 2):
                # weights 4, 2 and 1
                $w = float((2 - wp.abs($di)) * (2 - wp.abs($dj)))
                $ii = wp.clamp($fi + $di, 0, 2 * {nx} - 1)
                $jj = wp.clamp($fj + $dj, 0, 2 * {ny} - 1)
                $sum += $w * {fine}[$ii, $jj]
        {coarse}[$i, $j] = ⟨$sum / 16.0|0.0625 * $sum⟩
        |if {flags}[$i, $j] == {SOLID}:
            {coarse}[$i, $j] = 0.0
            return
        # sum over the fine cells
        $sum = float(0.0)
        for $d in range(4):
            $sum += {fine}[$fi + $d // 2, $fj + $d % 2]
        {coarse}[$i, $j] = ⟨0.25 * $sum|$sum / 4.0⟩
        ⟩
        hook end2
        """,
        threads="i j",
        kinds="arithmetic nested_loop gather_scatter multi_dim",
    ),
    Idea(
        "prolong",
        "prolongate_correction interpolate_coarse add_correction upsample_error",
        "⟨1:add the correction of the coarse grid to the four cells below|interpolate the correction of the coarse grid and add it⟩",
        """
        hook begin2
        # error of the coarse solution
        $e = {corr}[$i, $j]
        ⟨1:for $d in range(4):
            # first of the four fine cells
            $fi = 2 * $i + $d // 2
            $fj = 2 * $j + $d % 2
            {fine_x}[$fi, $fj] += ⟨$e|{omega} * $e⟩
        |# cell centres of the fine grid: 3/4 of the nearest coarse cell
        $ex = {corr}[⟨6:$im|$ip⟩, $j]
        $ey = {corr}[$i, ⟨7:$jm|$jp⟩]
        {fine_x}[2 * $i⟨6: + 1|⟩, 2 * $j⟨7: + 1|⟩] += $e
        {fine_x}[2 * $i⟨6:| + 1⟩, 2 * $j⟨7: + 1|⟩] += 0.75 * $e + 0.25 * $ex
        {fine_x}[2 * $i⟨6: + 1|⟩, 2 * $j⟨7:| + 1⟩] += 0.75 * $e + 0.25 * $ey
        {fine_x}[2 * $i⟨6:| + 1⟩, 2 * $j⟨7:| + 1⟩] += 0.5 * $e + 0.25 * ($ex + $ey)
        ⟩
        ⟨|if wp.abs($e) > {theta}:
            wp.atomic_add({changed}, 0, 1)⟩
        hook end2
        """,
        threads="i j",
        kinds="linear_algebra gather_scatter multi_dim",
    ),
    Idea(
        "classify",
        "classify_cells mark_cells update_flags tag_cells",
        "classify each cell as ⟨1:solid, fluid or empty by its particles|fluid, surface or empty by its neighbours⟩",
        """
        ⟨hook mask2|⟩
        if {solid2}[$i, $j]:
            {kind_out}[$i, $j] = {SOLID}
            return

        # particles in the cell
        $num = {count2}[$i, $j]
        ⟨1:if $num > ⟨0|1⟩:
            {kind_out}[$i, $j] = {FLUID}
            ⟨wp.atomic_add({tally}, 0, 1)|⟩
        ⟨elif {flags}[$i, $j] == {INFLOW} or {flags}[$i, $j] == {OUTFLOW}:
            # open boundaries keep their code
            {kind_out}[$i, $j] = {flags}[$i, $j]
        |⟩else:
            {kind_out}[$i, $j] = {AIR}
        |$empty = int(0)
        each ⟨side|around⟩:
            if {count2}[$ii, $jj] == 0⟨| and not {solid2}[$ii, $jj]⟩:
                $empty += 1
        if $num == 0:
            {kind_out}[$i, $j] = {AIR}
        elif $empty > 0:
            # fluid at the surface
            {kind_out}[$i, $j] = {SURF}
            ⟨wp.atomic_add({changed}, 0, 1)|⟩
        else:
            {kind_out}[$i, $j] = {FLUID}
        ⟩
        hook end2
        """,
        threads="i j",
        kinds="control_flow multi_conditional nested_loop multi_dim",
        integer=True,
    ),
    Idea(
        "swap",
        "init_cells prepare_cells setup_state copy_state",
        "⟨1:copy the codes of all cells|reset the codes of all cells|reset the distances⟩",
        """
        ⟨1:{state_out}[$i, $j] = {state}[$i, $j]
        ⟨|{timer_out}[$i, $j] = {timer}[$i, $j]⟩
        |{kind_out}[$i, $j] = ⟨{FLUID}|{SOLID} if {solid2}[$i, $j] else {FLUID}|{SOLID} if {flags}[$i, $j] == {SOLID} else {FLUID}⟩
        ⟨|{age_out}[$i, $j] = 0⟩
        |# sources have distance zero
        {dist_out}[$i, $j] = 0 if {flags}[$i, $j] == {INFLOW} else {UNKNOWN}
        ⟨|{age_out}[$i, $j] = 0⟩
        ⟩
        hook end2
        """,
        threads="i j",
        kinds="arithmetic multi_dim",
        integer=True,
    ),
    Idea(
        "voxels",
        "count_neighbors surface_voxels voxel_adjacency shell_voxels",
        "⟨1:count the occupied neighbours of each voxel|mark the voxels at the surface|flip voxels with few equal neighbours⟩",
        """
        hook begin3
        ⟨1:|if {solid3}[$i, $j, $k] == 0:
            {surface}[$i, $j, $k] = False
            return
        |$self = {solid3}[$i, $j, $k]
        ⟩
        # neighbours that count
        $n = int(0)
        ⟨1:|$sides = int(0)|⟩
        each shell:
            ⟨1:$n += {solid3}[$ii, $jj, $kk]
            |$sides += 1
            if {solid3}[$ii, $jj, $kk] == 1:
                $n += 1
            |if {solid3}[$ii, $jj, $kk] == $self:
                $n += 1
            ⟩

        ⟨1:{degree}[$i, $j, $k] = $n
        ⟨|if $n > 3:
            wp.atomic_add({changed}, 0, 1)⟩
        |# any free side makes it a surface voxel
        ⟨{surface}[$i, $j, $k] = $n < $sides|if $n < $sides:
            {surface}[$i, $j, $k] = True
            wp.atomic_add({changed}, 0, 1)
        else:
            {surface}[$i, $j, $k] = False⟩
        |if $n < {few}:
            # isolated
            {voxout}[$i, $j, $k] = 1 - $self
            wp.atomic_add({changed}, 0, 1)
        else:
            {voxout}[$i, $j, $k] = $self
        ⟩
        hook end3
        """,
        threads="i j k",
        kinds="nested_loop control_flow stencil multi_dim",
        integer=True,
    ),
    Idea(
        "bricks",
        "downsample_occupancy build_occupancy_pyramid coarsen_voxels count_block",
        "⟨1:count the occupied voxels in each block of 2 x 2 x 2|merge each block of 2 x 2 x 2 voxels⟩",
        """
        hook begin3
        # neighbours that count
        $n = int(0)
        for $di in range(2):
            for $dj in range(2):
                for $dk in range(2):
                    ⟨$n += {fine_occ}[2 * $i + $di, 2 * $j + $dj, 2 * $k + $dk]
                    |if {fine_occ}[2 * $i + $di, 2 * $j + $dj, 2 * $k + $dk] != 0:
                        $n += 1
                    ⟩

        ⟨1:{occ_level}[$i, $j, $k] = $n
        |{voxout}[$i, $j, $k] = ⟨1 if $n >= 4 else 0|1 if $n > 4 else 0⟩
        ⟩
        ⟨if $n == 0 or $n ⟨== 8|>= 8⟩:
            # no need to refine
            {occ_full}[$i, $j, $k] = True
        |{occ_full}[$i, $j, $k] = $n == 0 or $n == 8
        |if $n > 4:
            wp.atomic_add({changed}, 0, 1)
        |⟩
        hook end3
        """,
        threads="i j k",
        kinds="nested_loop multi_dim gather_scatter",
        integer=True,
    ),
    Idea(
        "cubes",
        "classify_cubes marching_cubes_case cube_index surface_cells",
        "compute the marching cubes case of each cell from the signs at its corners",
        """
        if $i >= {nx} - 1 or $j >= {ny} - 1 or $k >= {nz} - 1:
            return
        ⟨hook begin3
        |⟩
        # one bit for each corner
        $case = int(0)
        ⟨for $d in range(8):
            # bit d of the case: corner d is inside
            if {phi3}[$i + ($d & 1), $j + (($d >> 1) & 1), $k + ($d >> 2)] < ⟨0.0|{theta}⟩:
                $case += 1 << $d
        |for $di in range(2):
            for $dj in range(2):
                for $dk in range(2):
                    $case = $case * 2
                    if {phi3}[$i + $di, $j + $dj, $k + $dk] < 0.0:
                        $case += 1
        ⟩
        {case_out}[$i, $j, $k] = ⟨$case|$case if {flags3}[$i, $j, $k] != {SOLID} else 0⟩
        ⟨# neither all outside nor all inside
        if $case != 0 and $case != 255:
            {surface}[$i, $j, $k] = True
            ⟨wp.atomic_add({changed}, 0, 1)|⟩
        else:
            {surface}[$i, $j, $k] = False|{surface}[$i, $j, $k] = $case > 0 and $case < 255|⟩
        hook end3
        """,
        threads="i j k",
        kinds="nested_loop control_flow signed_distance integer_bits multi_dim",
    ),
)
