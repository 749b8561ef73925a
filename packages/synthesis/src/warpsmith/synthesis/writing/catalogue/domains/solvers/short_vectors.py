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
        {p_init}[$i] = ⟨{b}[$i]|{b}[$i] / {diag}[$i]⟩|{r_copy}[$i] = {r}[$i]
        {p_init}[$i] = ⟨{r}[$i]|{r}[$i] / {diag}[$i]|-{r}[$i]⟩⟩
        ⟨if not {fixed}[$i]:
            {x_out}[$i] = ⟨1:0.0|{x}[$i]⟩|{x_out}[$i] = ⟨1:0.0|{x}[$i]⟩|⟩
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
            ⟨1:# the solution before the step
            {s_copy}[$b, $d] = {sx}[$b, $d] - ⟨{aa}|{alpha}[$b]⟩ * {sp}[$b, $d]|{s_copy}[$b, $d] = 0.0|{s_copy}[$b, $d] = ⟨{sx}[$b, $d] - {alpha}[$b] * {sp}[$b, $d]|0.0⟩⟩
        ⟨|{sr_out}[$b, $d] = {sr}[$b, $d]|if $d == 0:
            {cost_out}[$b] = wp.min({cost}[$b], {cost_try}[$b])⟩
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
        {x}[$i] += ⟨1:⟨{aa} * {p}[$i]|{aa} * {p}[$i] / {diag}[$i]|wp.clamp({aa} * {p}[$i], -{cap}, {cap})⟩|{aa} * {p}[$i]⟩
        ⟨1:⟨{p_out}[$i] = {r}[$i] + {bb} * {p}[$i]|{p_out}[$i] = {r}[$i] / {diag}[$i] + {bb} * {p}[$i]|⟩|{r}[$i] -= {aa} * {ap}[$i]⟩
        ⟨|wp.atomic_add({total}, 0, {aa} * {aa} * {p}[$i] * {p}[$i])|wp.atomic_add({total}, 0, {p}[$i] * {ap}[$i])⟩
        """,
        kinds="arithmetic scalar_param linear_algebra",
    ),
    Idea(
        "momentum_step",
        "momentum_step heavy_ball sgd_momentum apply_momentum",
        "move the unknowns of each system along ⟨1:momentum and gradient|the preconditioned gradient|the weighted gradient⟩",
        """
        ⟨if {status}[$b] != {RUNNING}:
            return
        |if not {on}[$b]:
            return
        |⟩⟨1:$step = {bb} * {smom}[$b, $d] - {aa} * {sgrad}[$b, $d]|$step = -{aa} * {sgrad}[$b, $d] / {sdiag}[$b, $d]|$step = -{aa} * {wA}[$b, $d] * {sgrad}[$b, $d]⟩
        {sx}[$b, $d] += ⟨$step|wp.clamp($step, -{cap}, {cap})⟩
        {sm_out}[$b, $d] = $step
        ⟨|wp.atomic_add({dot_rr}, $b, {sgrad}[$b, $d] * {sgrad}[$b, $d])⟩
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
                ⟩$sum += ⟨1:wp.abs($a)|$a * $a|$a|$a * {x}[$j]⟩
        {rsum}[$i] = ⟨$sum|$sum + {diag}[$i]⟨1:| * {diag}[$i]|| * {x}[$i]⟩⟩
        ⟨|wp.atomic_add({total}, 0, $sum)⟩
        """,
        kinds="control_flow sparse reduction",
    ),
    Idea(
        "dense_sum",
        "quadratic_form energy_form total_coupling dense_energy",
        "compute the quadratic form of the ⟨1:solution|weights|direction⟩ of each system",
        """
        $sum = float(0.0)
        for $j in range({nv}[$b]):
            ⟨if {wA}[$b, $j] < {cut}:
                continue
            |⟩for $t in range(⟨2:{nv}[$b]|$j + 1|$j, {nv}[$b]⟩):
                $sum += {sA}[$b, $j, $t] * ⟨1:{sx}[$b, $j] * {sx}[$b, $t]|{wA}[$b, $j] * {wA}[$b, $t]|{sp}[$b, $j] * {sp}[$b, $t]⟩
        {quad}[$b] = ⟨0.5 * $sum|$sum⟩
        """,
        threads="b",
        kinds="nested_loop control_flow linear_algebra reduction",
        docs="⟨2:all entries|the lower triangle|the upper triangle⟩ of the matrix",
    ),
    Idea(
        "threshold",
        "soft_threshold shrinkage prox_l1 clip_values",
        "⟨1:shrink the value of each unknown towards zero|limit the value of each unknown⟩",
        """
        $value = ⟨{x}[$i] + {aa} * {p}[$i]|{x}[$i] + {aa} * {r}[$i]|{x}[$i]⟩
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
        "scale each row by ⟨1:the root of its diagonal|a power of its diagonal|the logarithm of its diagonal|a decaying weight⟩",
        """
        hook row
        $scale = ⟨1:1.0 / wp.sqrt({diag}[$i] + {soften})|wp.pow({diag}[$i], -{power})|1.0 / wp.log(1.0 + {diag}[$i])|wp.exp(-{soften} * {diag}[$i])⟩
        {scaled}[$i] = ⟨$scale * {b}[$i]|$scale * ({b}[$i] - {r}[$i])|$scale * {r}[$i]⟩
        ⟨{dinv}[$i] = $scale * $scale|{dinv}[$i] = $scale|⟩
        """,
        kinds="math arithmetic linear_algebra",
    ),
    Idea(
        "smooth_penalty",
        "smooth_penalty penalty_terms robust_residual soften_residual",
        "compute a smooth ⟨1:penalty|logarithmic penalty|saturation⟩ of each residual",
        """
        $q = ⟨{r}[$i] / {soften}|{aa} * {r}[$i]|{aa} * ({b}[$i] - {x}[$i])⟩
        {scaled}[$i] = ⟨1:wp.sqrt(1.0 + $q * $q) - 1.0|wp.log(1.0 + $q * $q)|wp.tanh($q)⟩⟨| * {winv}[$i]⟩
        ⟨|{r_out}[$i] = $q ⟨1:/ wp.sqrt(1.0 + $q * $q)|/ (1.0 + $q * $q)|* (1.0 - wp.tanh($q) * wp.tanh($q))⟩|{r_out}[$i] = {r}[$i] * wp.exp(-$q * $q)⟩
        ⟨|if wp.abs($q) > 1.0:
            # outliers
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
        "⟨1:block_residual|relax_diagonal⟩ ⟨1:block_defect|block_relaxation⟩ ⟨1:local_residual|local_relaxation⟩ "
        "⟨1:node_residual|node_relaxation⟩",
        "⟨1:compute the residual of the diagonal blocks|relax each diagonal block by its residual⟩",
        """
        hook pin
        ⟨$r3 = @defect3({bb3}[$ib], @apply3({bdiag3}[$ib], {bx3}[$ib]))|$ax = @apply3({bdiag3}[$ib], {bx3}[$ib])
        $r3 = @defect3({bb3}[$ib], $ax)⟩
        {by3}[$ib] = ⟨1:⟨$r3|{bwt}[$ib] * $r3⟩|⟨@axpy3({aa}, $r3, {bx3}[$ib])|@axpy3({bwt}[$ib], $r3, {bx3}[$ib])⟩⟩
        ⟨|wp.atomic_add({total}, 0, wp.dot($r3, $r3))⟩
        """,
        threads="ib",
        kinds="matrix vector helper_functions linear_algebra",
    ),
    Idea(
        "block_update",
        "block_update add_block_step relax_blocks correct_blocks",
        "add the ⟨1:preconditioned residual|weighted residual|limited residual⟩ to each block⟨2:, reduced where it is large| that is free| that is free⟩",
        """
        ⟨1:$step = wp.inverse({bdiag3}[$ib]) * {bf3}[$ib]|$step = {bwt}[$ib] * {bf3}[$ib]|$step = wp.normalize({bf3}[$ib]) * wp.min(wp.length({bf3}[$ib]), {cap})⟩
        ⟨2:if wp.length_sq($step) > {cut}:
            $step = {bb} * $step
        {bx3}[$ib] += {aa} * $step|if {bfixed}[$ib] ⟨== 0|!= 3⟩:
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
        "limit the step of each block⟨1: by its length| to its free components| to the side of the right-hand side⟩",
        """
        $step = ⟨{aa} * {bf3}[$ib]|{bwt}[$ib] * {bf3}[$ib]⟩
        if ⟨1:wp.length_sq($step) > {cap} * {cap}|{bfixed}[$ib] == ⟨1|2⟩|wp.dot($step, {bb3}[$ib]) < 0.0⟩:
            ⟨1:$step = wp.normalize($step) * {cap}|$step = wp.cw_mul($step, wp.vec3(⟨1.0, 1.0, 0.0|0.0, 1.0, 1.0|0.0, 0.0, 1.0⟩))|$step = $step - wp.dot($step, {bb3}[$ib]) / (wp.length_sq({bb3}[$ib]) + {soften}) * {bb3}[$ib]⟩
        ⟨{bstep}[$ib] = $step|{by3}[$ib] = {bx3}[$ib] + $step⟩
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
        ⟨if {bfixed}[$ib] != 3:
            |if {bwt}[$ib] > {cut}:
            |⟩wp.atomic_add({bacc3}, $ib, ⟨2:{bval3}[$eb] * {bx3}[$jb]|{bval3}[$eb] * ({bx3}[$jb] - {bx3}[$ib])|{bwt}[$ib] * ({bval3}[$eb] * {bx3}[$jb])⟩)
        ⟨1:|if $ib != $jb:
            wp.atomic_add({bacc3}, $jb, wp.transpose({bval3}[$eb]) * ⟨2:{bx3}[$ib]|({bx3}[$ib] - {bx3}[$jb])|({bwt}[$ib] * {bx3}[$ib])⟩)⟩
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
        ⟨1:$D = {bdiag3}[$ib] + ⟨{aa}|{shift}|{bwt}[$ib]⟩ * wp.identity(n=3, dtype=float)|$D = 0.5 * ({bdiag3}[$ib] + wp.transpose({bdiag3}[$ib])) + ⟨{aa}|{shift}⟩ * wp.identity(n=3, dtype=float)|$D = ⟨{bwt}[$ib]|{aa}⟩ * {bdiag3}[$ib]⟩
        {bmat_out}[$ib] = $D
        ⟨|{by3}[$ib] = $D * {bx3}[$ib]|{by3}[$ib] = {bb3}[$ib] - $D * {bx3}[$ib]⟩
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
        # error of the secant condition
        $diff = {g2}[$b] - {hess}[$b] * $step
        $H = {hess}[$b] + ⟨1:|{bb} * ⟩⟨wp.outer($diff, $step) / (wp.dot($step, $step) + {soften})|wp.outer($diff, $diff) / (wp.abs(wp.dot($diff, $step)) + {soften})⟩
        {hess_out}[$b] = $H
        ⟨|{det}[$b] = wp.determinant($H)|wp.atomic_add({total}, 0, wp.length_sq($diff))⟩
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
        ⟩$err = ⟨{r}[$i]|{r}[$i] / {diag}[$i]|{b}[$i] - {diag}[$i] * {x}[$i]⟩
        wp.atomic_add({total}, 0, ⟨1:$err * $err|wp.abs($err)|{winv}[$i] * $err * $err⟩)
        ⟨if wp.abs($err) > {cut}:
            wp.atomic_add({count}, ⟨0|{rtype}[$i]⟩, 1)|{r_out}[$i] = $err|⟩
        """,
        kinds="atomic reduction linear_algebra",
    ),
)
