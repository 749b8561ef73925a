"""Ideas of the domain `grids`: directions as loops, for lattice Boltzmann and drainage."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

LATTICE = (
    Idea(
        "collide",
        "lbm_collide collide_bgk collision_step bgk_relax",
        "relax the populations of each cell towards ⟨1:their equilibrium|their equilibrium under a force|the equilibrium of the inflow or of their own density⟩",
        """
        ⟨if {flags}[$i, $j] == {SOLID}:
            # full-way bounce back
            for $q in range(9):
                {f_out}[$q, $i, $j] = {f}[{opp}[$q], $i, $j]
            return
        |if {solid2}[$i, $j]:
            return
        |⟩
        # density and momentum
        $rho = float(0.0)
        $mx = float(0.0)
        $my = float(0.0)
        for $q in range(9):
            $fq = {f}[$q, $i, $j]
            $rho += $fq
            $mx += $fq * float({cx}[$q])
            $my += $fq * float({cy}[$q])

        # macroscopic velocity
        $ux = $mx / $rho
        $uy = $my / $rho
        ⟨1:|# the force shifts the velocity
        $uy += {gy} * {dt}|if {flags}[$i, $j] == {INFLOW}:
            $ux = {inflow}
            $uy = 0.0⟩
        $uu = $ux * $ux + $uy * $uy

        for $q in range(9):
            # velocity along the lattice direction
            $cu = $ux * float({cx}[$q]) + $uy * float({cy}[$q])
            $eq = @equilibrium({wq}[$q], $rho, $cu, $uu)
            {f_out}[$q, $i, $j] = ⟨{f}[$q, $i, $j] - ({f}[$q, $i, $j] - $eq) / $tau|wp.lerp({f}[$q, $i, $j], $eq, 1.0 / $tau)|(1.0 - 1.0 / $tau) * {f}[$q, $i, $j] + $eq / $tau⟩
        ⟨|{macro_rho}[$i, $j] = $rho|{macro_rho}[$i, $j] = $rho
        {macro_vel}[$i, $j] = wp.vec2($ux, $uy)|{macro_vel}[$i, $j] = wp.vec2($ux, $uy)⟩
        hook end2
        """,
        threads="i j",
        kinds="math fields multi_dim helper_functions",
    ),
    Idea(
        "stream",
        "lbm_stream stream_pull streaming_step propagate_populations",
        "move the populations along their lattice directions ⟨with bounce-back at obstacles|and reflect those that come from a wall⟩",
        """
        hook mask2
        ⟨if {solid2}[$i, $j]:
            return
        |⟩
        for $q in range(9):
            ⟨1:# the cell that the population comes from, with wrap-around
            $ii = ($i - {cx}[$q] + {nx}) % {nx}
            $jj = ($j - {cy}[$q] + {ny}) % {ny}
            |$ii = @wrap($i - {cx}[$q], {nx})
            $jj = wp.clamp($j - {cy}[$q], 0, {ny} - 1)
            |$ii = $i - {cx}[$q]
            $jj = $j - {cy}[$q]
            if not @inside($ii, $jj, {nx}, {ny}):
                # half-way bounce back at the edge of the grid
                {f_out}[$q, $i, $j] = {f}[{opp}[$q], $i, $j]
                continue
            ⟩if {flags}[$ii, $jj] == {SOLID}:
                {f_out}[$q, $i, $j] = {f}[{opp}[$q], $i, $j]
            ⟨elif {flags}[$ii, $jj] == {INFLOW}:
                # moving wall
                {f_out}[$q, $i, $j] = {f}[{opp}[$q], $i, $j] + 6.0 * {wq}[$q] * float({cx}[$q]) * {inflow}
            |elif {flags}[$ii, $jj] == {OUTFLOW}:
                {f_out}[$q, $i, $j] = {f}[$q, $i, $j]
            |⟩else:
                {f_out}[$q, $i, $j] = {f}[$q, $ii, $jj]
        hook end2
        """,
        threads="i j",
        kinds="control_flow nested_loop gather_scatter multi_dim",
    ),
    Idea(
        "drainage",
        "flow_direction d8_flow steepest_descent compute_d8",
        "find the direction of the steepest descent of each cell⟨1:| and its slope|, and count the pits⟩",
        """
        # height in m
        $z = {land}[$i, $j]
        hook mask2
        # steepest slope so far
        $best = float(0.0)
        $dir = int(-1)
        for $d in range(8):
            ⟨$di = {d8x}[$d]
            $dj = {d8y}[$d]
            |# skip the cell itself
            $q = $d if $d < 4 else $d + 1
            $di = $q // 3 - 1
            $dj = $q % 3 - 1
            ⟩$ii = ⟨wp.clamp($i + $di, 0, {nx} - 1)|wp.max(wp.min($i + $di, {nx} - 1), 0)⟩
            $jj = wp.clamp($j + $dj, 0, {ny} - 1)
            $drop = ($z - {land}[$ii, $jj])⟨| / wp.sqrt(float($di * $di + $dj * $dj) + 0.01)⟩
            if $drop > $best⟨| and not {solid2}[$ii, $jj]⟩:
                $best = $drop
                $dir = $d

        {flow_dir}[$i, $j] = $dir
        ⟨1:|{slope_out}[$i, $j] = $best
        |if $dir < 0:
            # a pit: water stays here
            wp.atomic_add({changed}, 0, 1)
        elif $best > $rest:
            wp.atomic_add({tally}, $dir % 8, 1)
        ⟩
        hook end2
        """,
        threads="i j",
        kinds="control_flow nested_loop gather_scatter multi_dim",
    ),
)
