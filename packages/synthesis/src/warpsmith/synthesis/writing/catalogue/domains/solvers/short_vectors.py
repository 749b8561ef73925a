"""Short ideas of the domain `solvers` on floats: vector updates, sums, thresholds, blocks, small matrices."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

SHORT_VECTORS = (
    Idea(
        "init_cg",
        "init_cg init_directions copy_residual start_iteration",
        "copy the ⟨1:right-hand side|residual⟩ to the start vectors of the iteration",
        """
        hook row
        ⟨1:{r_copy}[$i] = {b}[$i]
        {p_init}[$i] = ⟨{b}[$i]|{b}[$i] / {diag}[$i]|{aa} * {b}[$i]⟩|{r_copy}[$i] = {r}[$i]
        {p_init}[$i] = ⟨{r}[$i]|{r}[$i] / {diag}[$i]|-{r}[$i]⟩⟩
        ⟨if not {fixed}[$i]:
            {x_out}[$i] = {x}[$i]|{x_out}[$i] = {x}[$i]|⟩
        """,
        kinds="linear_algebra",
    ),
    Idea(
        "save_best",
        "save_best keep_best_solution backup_solution store_if_better",
        "save the solution of the systems that ⟨1:have improved|are in use|have not failed⟩",
        """
        ⟨1:if {cost_try}[$b] ⟨<|<=⟩ {cost}[$b]:|if {on}[$b]:|if {status}[$b] != {FAILED}:⟩
            {s_copy}[$b, $d] = {sx}[$b, $d]
            ⟨{sp_out}[$b, $d] = {sp}[$b, $d]|⟩
        else:
            {s_copy}[$b, $d] = ⟨{sx}[$b, $d] - {aa} * {sp}[$b, $d]|{sx}[$b, $d] - {alpha}[$b] * {sp}[$b, $d]|0.0⟩
        ⟨|{sr_out}[$b, $d] = {sr}[$b, $d]|if $d == 0:
            {cost_out}[$b] = {cost_try}[$b]⟩
        """,
        threads="b d",
        kinds="control_flow multi_dim linear_algebra",
    ),
    Idea(
        "axpy_in_place",
        "axpy_in_place add_scaled update_solution axpy",
        "add multiples of the direction to the solution⟨1:| and subtract them from the residual⟩",
        """
        hook row
        {x}[$i] += ⟨{aa} * {p}[$i]|{aa} * ({p}[$i] + {bb} * {flux}[$i])|{aa} * {p}[$i] / {diag}[$i]⟩
        ⟨1:⟨{p_out}[$i] = {bb} * {p}[$i] + {flux}[$i]|{p_out}[$i] = {b}[$i] - {bb} * {p}[$i]⟩|{r}[$i] -= {aa} * ⟨{flux}[$i]|{bb} * {flux}[$i]⟩⟩
        ⟨|wp.atomic_add({total}, 0, {aa} * {p}[$i] * {p}[$i])⟩
        """,
        kinds="arithmetic scalar_param linear_algebra",
    ),
    Idea(
        "momentum_step",
        "momentum_step heavy_ball sgd_momentum apply_momentum",
        "move the unknowns of each system along ⟨1:momentum and gradient|the gradient, with weight decay⟩",
        """
        ⟨if {status}[$b] != {RUNNING}:
            return
        |if not {on}[$b]:
            return
        |⟩⟨1:$step = {bb} * {smom}[$b, $d] - {aa} * {sgrad}[$b, $d]|$step = {aa} * ({sgrad}[$b, $d] + {bb} * {sp}[$b, $d])⟩
        ⟨{sx}[$b, $d] += $step|{sx}[$b, $d] -= $step / {sdiag}[$b, $d]|{sx}[$b, $d] += wp.clamp($step, -{cap}, {cap})⟩
        {sm_out}[$b, $d] = ⟨$step|$step * {wA}[$b, $d]⟩
        """,
        threads="b d",
        kinds="arithmetic scalar_param multi_dim optimizers",
    ),
    Idea(
        "row_sums",
        "row_abs_sums row_norms_sq row_sums off_diagonal_sums",
        "sum the ⟨1:magnitudes|squares|values|products with the vector⟩ of the entries of each row",
        """
        hook row
        $sum = float(0.0)
        each nz:
            ⟨|if {rtype}[$j] != {DROPPED}:
                ⟩$sum += ⟨1:wp.abs($a)|$a * $a|{aa} * $a|$a * {x}[$j]⟩
        {y}[$i] = ⟨$sum|0.5 * $sum|$sum + {diag}[$i]|$sum - {b}[$i]⟩
        """,
        kinds="control_flow sparse reduction",
    ),
    Idea(
        "dense_sum",
        "quadratic_form energy_form total_coupling dense_energy",
        "compute the ⟨1:quadratic form|sum of all couplings|square sum of the entries⟩ of each system",
        """
        $sum = float(0.0)
        for $j in range({nv}[$b]):
            ⟨if {wA}[$b, $j] < {cut}:
                continue
            |⟩for $t in range(⟨{nv}[$b]|$j + 1|$j, {nv}[$b]⟩):
                $sum += ⟨1:{sA}[$b, $j, $t] * {sx}[$b, $j] * {sx}[$b, $t]|{sA}[$b, $j, $t] * {wA}[$b, $t]|{sA}[$b, $j, $t] * {sA}[$b, $j, $t]⟩
        {quad}[$b] = ⟨0.5 * $sum|$sum|$sum + {cost}[$b]⟩
        """,
        threads="b",
        kinds="nested_loop control_flow linear_algebra reduction",
    ),
    Idea(
        "threshold",
        "soft_threshold shrinkage prox_l1 clip_values",
        "⟨1:shrink the value of each unknown towards zero|limit the value of each unknown⟩",
        """
        $value = ⟨{x}[$i] - {aa} * {flux}[$i]|{x}[$i] + {aa} * {r}[$i]|{aa} * {x}[$i]⟩
        if $value > {cut}:
            {soft}[$i] = ⟨1:$value - {cut}|{cut} + {bb} * ($value - {cut})⟩
        elif $value < -{cut}:
            {soft}[$i] = ⟨1:$value + {cut}|{bb} * ($value + {cut}) - {cut}⟩
        ⟨elif {fixed}[$i]:
            {soft}[$i] = {b}[$i]
        |⟩else:
            {soft}[$i] = ⟨1:0.0|$value⟩
        """,
        kinds="multi_conditional scalar_param control_flow optimizers",
    ),
    Idea(
        "scale_rows",
        "scale_rows equilibrate_rows row_scaling apply_scaling",
        "scale each row by ⟨1:the root of its diagonal|a power of its diagonal|a logarithm of its diagonal|a decaying weight⟩",
        """
        hook row
        $scale = ⟨1:1.0 / wp.sqrt({diag}[$i] + {soften})|wp.pow({diag}[$i], -{power})|wp.log({diag}[$i] + {soften})|wp.exp(-{soften} * {diag}[$i])⟩
        {scaled}[$i] = ⟨$scale * {b}[$i]|$scale * ({b}[$i] - {r}[$i])|$scale * {b}[$i] + {bb} * {x}[$i]⟩
        ⟨{dinv}[$i] = $scale * ⟨$scale|{winv}[$i]⟩|⟩
        """,
        kinds="math arithmetic linear_algebra",
    ),
    Idea(
        "smooth_penalty",
        "smooth_penalty barrier_terms robust_residual log_barrier",
        "compute a smooth ⟨1:penalty|barrier|saturation⟩ of each residual",
        """
        $q = ⟨{r}[$i] / {soften}|{aa} * {r}[$i]|({x}[$i] - {lower}[$i]) * {aa}⟩
        {scaled}[$i] = ⟨1:wp.sqrt(1.0 + $q * $q) - 1.0|wp.log(1.0 + $q * $q)|wp.tanh($q)⟩⟨| * {winv}[$i]⟩
        ⟨|{r_out}[$i] = $q / wp.sqrt(1.0 + $q * $q)|{r_out}[$i] = wp.exp(-$q * $q)⟩
        ⟨|if {fixed}[$i]:
            wp.atomic_add({count}, 0, 1)⟩
        """,
        kinds="math scalar_param optimizers",
    ),
    Idea(
        "adaptive_step",
        "adaptive_step rmsprop_step adam_update scaled_gradient",
        "compute the adaptive step of each unknown",
        """
        $var = @blend({svar}[$b, $d], {sgrad}[$b, $d] * {sgrad}[$b, $d], {bb})
        ⟨$delta = {sgrad}[$b, $d] / @rms($var, {soften})|$delta = @blend({smom}[$b, $d], {sgrad}[$b, $d], {bb}) / @rms($var, {soften})⟩
        ⟨{sx_out}[$b, $d] = {sx}[$b, $d] - @clip({aa} * $delta, {cap})|{sx}[$b, $d] -= @clip({aa} * $delta, {cap})⟩
        ⟨{sv_out}[$b, $d] = $var|⟩
        """,
        threads="b d",
        kinds="math scalar_param helper_functions optimizers",
    ),
    Idea(
        "block_residual",
        "block_residual block_defect local_residual node_residual",
        "compute the residual of the diagonal blocks",
        """
        hook pin
        ⟨$r3 = @defect3({bb3}[$ib], @apply3({bdiag3}[$ib], {bx3}[$ib]))|$ax = @apply3({bdiag3}[$ib], {bx3}[$ib])
        $r3 = @defect3({bb3}[$ib], $ax)⟩
        {by3}[$ib] = ⟨@axpy3({aa}, $r3, {bx3}[$ib])|@axpy3({bwt}[$ib], $r3, {bf3}[$ib])|@axpy3({bb}, {bf3}[$ib], $r3)⟩
        ⟨|wp.atomic_add({total}, 0, wp.dot($r3, $r3))⟩
        """,
        threads="ib",
        kinds="matrix vector helper_functions linear_algebra",
    ),
    Idea(
        "block_update",
        "block_update add_block_step relax_blocks correct_blocks",
        "add the ⟨1:preconditioned residual|residual|limited residual⟩ to each block⟨2:, reduced where it is large| that is free| that is free⟩",
        """
        ⟨1:$step = {bdiag3}[$ib] * {bf3}[$ib]|$step = {bwt}[$ib] * {bf3}[$ib]|$step = wp.normalize({bf3}[$ib]) * {cap}⟩
        ⟨2:if wp.length_sq($step) > {cut}:
            $step = {bb} * $step
        {bx3}[$ib] += {aa} * $step|if {bfixed}[$ib] ⟨== 0|< 2⟩:
            {bx3}[$ib] += {aa} * $step
            ⟨{bstep}[$ib] = $step|⟩|if {bfixed}[$ib] == 3:
            $step = wp.vec3(0.0)
        {bx3}[$ib] += {aa} * $step⟩
        ⟨|wp.atomic_add({total}, 0, wp.dot($step, {bf3}[$ib]))⟩
        """,
        threads="ib",
        kinds="vector combined linear_algebra",
    ),
    Idea(
        "limit_blocks",
        "limit_blocks clamp_steps3 project_blocks fix_components",
        "limit the step of each block⟨1: by its length| component by component| along its residual⟩",
        """
        $step = ⟨{aa} * {bf3}[$ib]|{bx3}[$ib] - {bf3}[$ib]|{bwt}[$ib] * {bf3}[$ib]⟩
        if ⟨1:wp.length_sq($step) > {cap} * {cap}|{bfixed}[$ib] ⟨!= 0|> 1⟩|wp.dot($step, {bb3}[$ib]) < 0.0⟩:
            ⟨1:$step = wp.normalize($step) * {cap}|$step = wp.cw_mul($step, wp.vec3(1.0, 1.0, ⟨0.0|{bwt}[$ib]⟩))|$step = $step - {bb} * {bb3}[$ib]⟩
        {bstep}[$ib] = ⟨$step|$step + {bx3}[$ib]⟩
        ⟨|wp.atomic_add({total}, 0, wp.length_sq($step))⟩
        """,
        threads="ib",
        kinds="vector combined control_flow scalar_param",
    ),
    Idea(
        "scatter_blocks",
        "scatter_blocks add_block_products block_spmv_add push_blocks",
        "add the product of each block and its vector to the ⟨1:row|row and the column⟩ of the block",
        """
        $ib = {browid}[$eb]
        $jb = {bcol}[$eb]
        ⟨if $ib ⟨!=|<⟩ $jb:
            |if {bfixed}[$ib] != 3:
            |if {bwt}[$ib] > {cut}:
            ⟩wp.atomic_add({bacc3}, $ib, ⟨{bval3}[$eb] * {bx3}[$jb]|{bval3}[$eb] * ({bx3}[$jb] - {bx3}[$ib])|{bwt}[$ib] * ({bval3}[$eb] * {bx3}[$jb])⟩)
        ⟨1:|wp.atomic_sub({bacc3}, $jb, wp.transpose({bval3}[$eb]) * {bx3}[$ib])⟩
        """,
        threads="eb",
        kinds="matrix vector combined atomic sparse",
    ),
    Idea(
        "shift_blocks",
        "shift_blocks regularize_blocks damp_diagonal add_identity",
        "⟨1:add a multiple of the identity to each diagonal block|symmetrize each diagonal block and shift it|scale each diagonal block⟩",
        """
        hook pin
        ⟨1:$D = {bdiag3}[$ib] + {aa} * wp.identity(n=3, dtype=float)|$D = {bb} * ({bdiag3}[$ib] + wp.transpose({bdiag3}[$ib]))|$D = {bwt}[$ib] * {bdiag3}[$ib]⟩
        ⟨{bmat_out}[$ib] = $D|{bmat_out}[$ib] = $D + wp.outer({bx3}[$ib], {bx3}[$ib])|{bmat_out}[$ib] = $D + wp.diag({bf3}[$ib])⟩
        ⟨|{by3}[$ib] = $D * {bx3}[$ib]|{by3}[$ib] = {bx3}[$ib] * {aa}⟩
        """,
        threads="ib",
        kinds="matrix scalar_param",
    ),
    Idea(
        "rank_one_update",
        "rank_one_update secant_update update_hessian broyden_update",
        "add a ⟨1:rank-one term|damped rank-one term⟩ to the matrix of each system",
        """
        hook system
        $step = {dir2}[$b]
        ⟨$diff = {g2}[$b] - {hess}[$b] * $step|$diff = {bb} * {g2}[$b]|$diff = {g2}[$b]⟩
        {hess_out}[$b] = ⟨1:{hess}[$b] + ⟨wp.outer($diff, $step)|{aa} * wp.outer($diff, $step)|wp.outer($diff, $step) / {soften}⟩|{hess}[$b] + wp.outer($diff, $diff) / (wp.dot($step, $step) + {soften})⟩
        ⟨|{x2}[$b] = {hess}[$b] * $step|{det}[$b] = wp.determinant({hess}[$b])⟩
        """,
        threads="b",
        kinds="matrix vector scalar_param optimizers",
    ),
    Idea(
        "residual_totals",
        "residual_totals accumulate_norm add_squares sum_residuals",
        "sum the ⟨1:squares|magnitudes|weighted squares⟩ of the residuals of ⟨2:all rows|free rows|one colour⟩",
        """
        ⟨2:|if {fixed}[$i]:
            return
        |if {color}[$i] != {which}:
            return
        ⟩$err = ⟨{r}[$i]|{b}[$i] - {x}[$i]|{aa} * {r}[$i] + {bb} * {flux}[$i]⟩
        wp.atomic_add({total}, 0, ⟨1:$err * $err|wp.abs($err)|{winv}[$i] * $err * $err⟩)
        ⟨if wp.abs($err) > {cut}:
            wp.atomic_add({count}, ⟨0|{rtype}[$i]⟩, 1)|{r_out}[$i] = $err|⟩
        """,
        kinds="atomic reduction linear_algebra",
    ),
)
