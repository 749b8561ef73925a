"""Ideas of the domain `solvers`: grids of two levels, patterns of factorizations, measures of matrices."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

ASSEMBLY = (
    Idea(
        "restrict_grid",
        "restrict_residual coarsen_grid full_weighting multigrid_restrict",
        "average the grid around each even point for the coarse level",
        """
        # odd points have no coarse partner
        if $gi % 2 != 0 or $gj % 2 != 0:
            return
        ⟨if {gmask}[$gi, $gj] == {SOLID}:
            {gcoarse}[$gi, $gj] = 0.0
            return|⟩
        $sum = float(0.0)
        for $t in range(3):
            for $s in range(3):
                $ii = $gi + $t - 1
                $jj = $gj + $s - 1
                ⟨1:if $ii >= 0 and $ii < {gx} and $jj >= 0 and $jj < {gy}:
                    if {gmask}[$ii, $jj] != ⟨{SOLID}|{INLET}⟩:
                        $sum += 0.0625 * float((2 - wp.abs($t - 1)) * (2 - wp.abs($s - 1))) * {gf}[$ii, $jj]|# points beyond the border repeat the border
                $ii = wp.clamp($ii, 0, {gx} - 1)
                $jj = wp.clamp($jj, 0, {gy} - 1)
                if {gmask}[$ii, $jj] != {SOLID}:
                    $sum += ⟨{gf}[$ii, $jj] / 9.0|0.0625 * float((2 - wp.abs($t - 1)) * (2 - wp.abs($s - 1))) * {gf}[$ii, $jj]⟩|if $ii < 0 or $ii >= {gx} or $jj < 0 or $jj >= {gy}:
                    continue
                if $t == 1 or $s == 1:
                    $sum += ⟨0.2 * {gf}[$ii, $jj]|wp.where($t == $s, 0.5, 0.125) * {gf}[$ii, $jj]⟩⟩

        {gcoarse}[$gi, $gj] = ⟨$sum|{hx} * {hx} * $sum⟩
        ⟨wp.atomic_add({total}, 0, $sum * $sum)|if wp.abs($sum) > {tol}:
            wp.atomic_add({count}, 0, 1)|⟩
        """,
        threads="gi gj",
        kinds="nested_loop stencil multi_dim",
        docs="⟨1:full weighting: 1/4 at the point, 1/8 at the sides, 1/16 at the corners|the border is continued outwards|"
        "the corners have no weight⟩",
    ),
    Idea(
        "prolong_grid",
        "prolong_correction interpolate_coarse multigrid_prolong refine_grid",
        "add the interpolated correction of the coarse points to the fine grid",
        """
        $odd_i = $gi % 2
        $odd_j = $gj % 2
        $i0 = $gi - $odd_i
        $j0 = $gj - $odd_j
        $i1 = ⟨wp.min($i0 + 2, $i0 + 2 * (({gx} - 1 - $i0) // 2))|wp.min($gi + $odd_i, {gx} - 1)⟩
        $j1 = ⟨wp.min($j0 + 2, $j0 + 2 * (({gy} - 1 - $j0) // 2))|wp.min($gj + $odd_j, {gy} - 1)⟩
        $corr = float(0.0)
        if $odd_i == 0 and $odd_j == 0:
            # the points coincide
            $corr = {gcorr}[$gi, $gj]
        elif $odd_j == 0:
            $corr = 0.5 * ({gcorr}[$i0, $gj] + {gcorr}[$i1, $gj])
        elif $odd_i == 0:
            $corr = 0.5 * ({gcorr}[$gi, $j0] + {gcorr}[$gi, $j1])
        else:
            $corr = 0.25 * ({gcorr}[$i0, $j0] + {gcorr}[$i1, $j0] + {gcorr}[$i0, $j1] + {gcorr}[$i1, $j1])

        ⟨{gout}[$gi, $gj] = {gu}[$gi, $gj] + ⟨$corr|{omega} * $corr⟩|if {gmask}[$gi, $gj] == {SOLID}:
            {gout}[$gi, $gj] = ⟨0.0|{gu}[$gi, $gj]⟩
        elif {gmask}[$gi, $gj] == {INLET}:
            {gout}[$gi, $gj] = {gf}[$gi, $gj]
        else:
            {gout}[$gi, $gj] = {gu}[$gi, $gj] + $corr|if {gmask}[$gi, $gj] != {SOLID}:
            $corr = wp.clamp($corr, -{maxstep}, {maxstep})
            {gout}[$gi, $gj] = {gu}[$gi, $gj] + $corr
            wp.atomic_add({total}, 0, $corr * $corr)⟩
        """,
        threads="gi gj",
        kinds="multi_conditional control_flow multi_dim",
    ),
    Idea(
        "symbolic_ilu",
        "symbolic_ilu count_fill_in ilu_pattern factorization_fill",
        "count the entries that an elimination adds to each row",
        """
        hook row
        $new = int(0)
        $old = int(0)
        for $k in range({row}[$i], {row}[$i + 1]):
            $j = {col}[$k]
            if $j < $i:
                # row j updates this row
                for $s in range({row}[$j], {row}[$j + 1]):
                    $target = {col}[$s]
                    if $target ⟨> $j|>= $j⟩:
                        $hit = int(0)
                        ⟨1:for $t in range({row}[$i], {row}[$i + 1]):
                            if {col}[$t] == $target:
                                $hit = 1
                                ⟨break|break⟩|$t = int({row}[$i])
                        while $t < {row}[$i + 1] and $hit == 0:
                            if {col}[$t] == $target:
                                $hit = 1
                            $t += 1⟩
                        if $hit == 0:
                            $new += 1
                        ⟨elif $target != $i|else⟩:
                            $old += 1
        {fill}[$i] = ⟨$new|wp.min($new, {n} - 1)⟩

        {kept}[$i] = $old
        ⟨wp.atomic_add({count}, 3, $new)|if $new > $old:
            wp.atomic_max({count}, 3, $new)|⟩
        """,
        kinds="nested_loop control_flow sparse",
        integer=True,
    ),
    Idea(
        "matrix_measures",
        "matrix_measures offdiag_norm jacobi_measure frobenius_parts",
        "sum the entries of each matrix ⟨1:on and off the diagonal|on and off the diagonal|by rows⟩",
        """
        hook system
        $tr = float(0.0)
        $off_sq = float(0.0)

        ⟨1:for $t in range(3):
            for $s in range(3):
                if $t == $s:
                    $tr += {m3}[$b][$t, $s]
                ⟨elif $t < $s|else⟩:
                    $off_sq += {m3}[$b][$t, $s] * {m3}[$b][$t, $s]
        {trace}[$b] = $tr
        {offnorm}[$b] = $off_sq
        ⟨wp.atomic_add({total}, 0, $off_sq)|⟩|for $t in range({dof}):
            for $s in range({dof}):
                if $t == $s:
                    $tr += {sA}[$b, $t, $t]
                ⟨elif $t < $s|else⟩:
                    $off_sq += {sA}[$b, $t, $s] * {sA}[$b, $t, $s]
        {trace}[$b] = $tr
        {offnorm}[$b] = $off_sq
        ⟨wp.atomic_add({total}, 0, $off_sq)|⟩|for $t in range({dof}):
            $tr += {sdiag}[$b, $t]
            for $s in range({dof}):
                if $s != $t:
                    # Gershgorin: the row without its diagonal
                    $off_sq += wp.abs({sA}[$b, $t, $s])
        {domin}[$b] = $tr - $off_sq⟩
        """,
        threads="b",
        kinds="nested_loop reduction linear_algebra",
    ),
)
