"""Ideas of the domain `solvers`: smoothers and preconditioners."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

SMOOTHERS = (
    Idea(
        "jacobi",
        "jacobi_step jacobi_sweep damped_jacobi relax_rows",
        "relax each row by one ⟨1:damped |⟩Jacobi step",
        """
        hook row
        $scale = ⟨1:⟨{omega} / {diag}[$i]|{omega} / ({diag}[$i] + {shift})⟩|1.0 / ⟨{diag}[$i]|({diag}[$i] + {shift})⟩⟩
        ⟨2:$sum = $scale * {b}[$i]|$sum = $scale * ({b}[$i] - {diag}[$i] * {x}[$i])|# the diagonal is stored separately
        $sum = $scale * ({b}[$i] - {diag}[$i] * {x}[$i])⟩
        each nz:
            ⟨2:$sum -= $scale * $a * {x}[$j]|if $j != $i:
                $sum -= $scale * $a * {x}[$j]|$sum -= $scale * $a * {x}[$j]⟩

        ⟨{x_out}[$i] = {x}[$i] + $sum|if {rtype}[$i] == {IDENT}:
            {x_out}[$i] = {b}[$i]
        else:
            {x_out}[$i] = {x}[$i] + $sum|if {fixed}[$i]:
            {x_out}[$i] = {x}[$i]
        else:
            {x_out}[$i] = {x}[$i] + $sum⟩
        ⟨{p_out}[$i] = $sum|⟩
        hook tally
        """,
        kinds="control_flow sparse linear_algebra",
    ),
    Idea(
        "color_sweep",
        "gauss_seidel_color colored_sweep sor_color relax_color",
        "relax the rows of one colour by a Gauss-Seidel step",
        """
        if {color}[$i] != {which}:
            {x_out}[$i] = {x}[$i]
            return
        ⟨if {rtype}[$i] == {IDENT}:
            {x_out}[$i] = {b}[$i]
            ⟨wp.atomic_add({count}, 1, 1)|⟩
            return|if {fixed}[$i]:
            {x_out}[$i] = {x}[$i]
            return|⟩

        $scale = ⟨1:{omega}|1.0⟩ / ⟨{diag}[$i]|({diag}[$i] + {shift})⟩
        $sum = $scale * {b}[$i]
        each nz:
            ⟨if $j != $i:|# of this colour is only the row itself
            if {color}[$j] != {which}:⟩
                $sum -= $scale * $a * {x}[$j]

        {x_out}[$i] = ⟨1:(1.0 - {omega}) * {x}[$i] + $sum|$sum⟩
        hook tally
        """,
        kinds="control_flow early_exit sparse linear_algebra",
        docs="rows of one colour do not depend on each other",
    ),
    Idea(
        "tridiag_smooth",
        "tridiagonal_rows line_system tridiag_step process_tridiag",
        "⟨1:relax|relax|compute the residual of⟩ the rows of a tridiagonal system",
        """
        hook row
        $sum = float(0.0)
        ⟨if $i > 0:
            $sum += {tri}[$i, 0] * {x}[$i - 1]
        if $i < {n} - 1:
            $sum += {tri}[$i, 2] * {x}[$i + 1]|for $t in range(3):
            $j = $i + $t - 1
            if $j < 0 or $j >= {n} or $j == $i:
                continue
            $sum += {tri}[$i, $t] * {x}[$j]|# neighbours beyond the ends count as the end
        $lo = wp.max($i - 1, 0)
        $hi = wp.min($i + 1, {n} - 1)
        $sum += {tri}[$i, 0] * {x}[$lo] + {tri}[$i, 2] * {x}[$hi]⟩

        ⟨1:$xn = ({b}[$i] - $sum) / {diag}[$i]
        {x_out}[$i] = {x}[$i] + {omega} * ($xn - {x}[$i])|$xn = {omega} * ({b}[$i] - $sum - {diag}[$i] * {x}[$i]) / {diag}[$i]
        # limit the step
        {x_out}[$i] = {x}[$i] + wp.clamp($xn, -{maxstep}, {maxstep})|$ri = {b}[$i] - $sum - {diag}[$i] * {x}[$i]
        {r_out}[$i] = $ri
        ⟨if wp.abs($ri) > {tol}:
            wp.atomic_add({total}, 0, $ri * $ri)|wp.atomic_add({total}, 0, $ri * $ri)|⟩⟩
        """,
        kinds="control_flow stencil linear_algebra",
    ),
    Idea(
        "precondition",
        "build_preconditioner jacobi_precond invert_diagonal setup_precond",
        "compute the preconditioner of each row⟨1:| from the sum of its entries| and apply it⟩",
        """
        hook row
        $a0 = {diag}[$i]
        ⟨1:if {rtype}[$i] == {IDENT}:
            {dinv}[$i] = 1.0
        elif {rtype}[$i] == {SCALED}:
            {dinv}[$i] = ⟨1.0 / wp.sqrt($a0)|{omega} / $a0⟩
        elif ⟨{fixed}|{ghost}⟩[$i]:
            # no correction
            {dinv}[$i] = 0.0
        else:
            {dinv}[$i] = 1.0 / ⟨$a0|($a0 + {shift})⟩|$sum = float(0.0)
        each nz:
            # l1 norm of the row without the diagonal
            if $j != $i:
                $sum += wp.abs($a)
        {dinv}[$i] = ⟨1.0 / ($sum + $a0)|1.0 / ($a0 + 0.5 * $sum)|{omega} / ($sum + $a0)⟩|$m = 1.0 / ($a0 + {shift})
        {dinv}[$i] = $m
        ⟨if wp.abs({r}[$i]) > {tol}:
            {p_out}[$i] = $m * {r}[$i]
        else:
            # this row has converged
            {p_out}[$i] = 0.0|{p_out}[$i] = $m * {r}[$i]⟩⟩
        hook tally
        """,
        kinds="control_flow linear_algebra",
    ),
    Idea(
        "block_precondition",
        "block_jacobi invert_blocks apply_block_precond block_diag_solve",
        "⟨1:invert the diagonal blocks|solve with the diagonal blocks|solve with the diagonal blocks⟩",
        """
        hook pin
        ⟨1:$A = {bdiag3}[$ib] + {shift} * wp.identity(n=3, dtype=float)
        ⟨$det = wp.determinant($A)
        if wp.abs($det) > 1.0:
            {binv3}[$ib] = wp.inverse($A)
        else:
            # small determinant: scaled identity
            {binv3}[$ib] = wp.identity(n=3, dtype=float) * {omega}|$inv = wp.inverse($A)
        {binv3}[$ib] = $inv
        {bsys3}[$ib] = $inv @ {bb3}[$ib]⟩|$A = {bdiag2}[$ib]
        $det = $A[0, 0] * $A[1, 1] - $A[0, 1] * $A[1, 0]
        $g = ⟨{omega} * |⟩{bb2}[$ib]
        if ⟨$det > 0.9|wp.abs($det) > 0.9⟩:
            $inv_det = 1.0 / $det
            $first = ($A[1, 1] * $g[0] - $A[0, 1] * $g[1]) * $inv_det
            $second = ($A[0, 0] * $g[1] - $A[1, 0] * $g[0]) * $inv_det
            {bsys2}[$ib] = wp.vec2($first, $second)
        else:
            # only the diagonal
            {bsys2}[$ib] = wp.vec2($g[0] / $A[0, 0], $g[1] / $A[1, 1])|$A = {bdiag3}[$ib]
        $g = {bb3}[$ib]
        $L = @cholesky3(@sym3($A))
        {bsys3}[$ib] = {omega} * @backward3($L, @forward3($L, $g))⟩
        """,
        threads="ib",
        kinds="matrix control_flow linear_algebra",
    ),
    Idea(
        "grid_relax",
        "poisson_step poisson_stencil laplace_step grid_poisson",
        "⟨1:relax|compute the residual of⟩ the Poisson equation on the grid",
        """
        $kind = {gmask}[$gi, $gj]
        if $kind == {SOLID}:
            ⟨1:{gout}[$gi, $gj] = ⟨0.0|{gu}[$gi, $gj]⟩|{gres}[$gi, $gj] = 0.0⟩
            return
        if $kind == {INLET}:
            ⟨1:{gout}[$gi, $gj] = {gf}[$gi, $gj]|{gres}[$gi, $gj] = {gf}[$gi, $gj] - {gu}[$gi, $gj]⟩
            return

        $center = {gu}[$gi, $gj]
        ⟨2:# zero beyond the border
        $sum = float(0.0)
        if $gi > 0:
            $sum += {gu}[$gi - 1, $gj]
        if $gi < {gx} - 1:
            $sum += {gu}[$gi + 1, $gj]
        if $gj > 0:
            $sum += {gu}[$gi, $gj - 1]
        if $gj < {gy} - 1:
            $sum += {gu}[$gi, $gj + 1]|$west = wp.max($gi - 1, 0)
        $east = wp.min($gi + 1, {gx} - 1)
        $south = wp.max($gj - 1, 0)
        $north = wp.min($gj + 1, {gy} - 1)
        $sum = {gu}[$west, $gj] + {gu}[$east, $gj] + {gu}[$gi, $south] + {gu}[$gi, $north]|# periodic grid
        $west = ($gi + {gx} - 1) % {gx}
        $east = ($gi + 1) % {gx}
        $south = ($gj + {gy} - 1) % {gy}
        $north = ($gj + 1) % {gy}
        $sum = {gu}[$west, $gj] + {gu}[$east, $gj] + {gu}[$gi, $south] + {gu}[$gi, $north]⟩
        ⟨1:$xn = 0.25 * ($sum ⟨-|+⟩ {hx} * {hx} * {gf}[$gi, $gj])
        {gout}[$gi, $gj] = $center + {omega} * ($xn - $center)|$ri = {gf}[$gi, $gj] - ($sum - 4.0 * $center) / ({hx} * {hx})
        {gres}[$gi, $gj] = $ri⟨
        wp.atomic_add({total}, 0, $ri * $ri)|⟩⟩
        """,
        threads="gi gj",
        kinds="multi_conditional stencil multi_dim",
    ),
)
