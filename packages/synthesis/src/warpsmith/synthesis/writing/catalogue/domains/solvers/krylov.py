"""Ideas of the domain `solvers`: conjugate gradients for many systems."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

KRYLOV = (
    Idea(
        "cg_step",
        "cg_update cg_update_x_r pcg_step update_solution",
        "⟨1:advance the solution and the residual of each running system|advance the solution and the residual of each running system|advance the solution of each running system⟩",
        """
        hook system
        ⟨$al = {alpha}[$b]|$al = @safe_div({rz}[$b], {pap}[$b])|$al = float(0.0)
        if {pap}[$b] > {tol}:
            $al = {rz}[$b] / {pap}[$b]⟩

        {sx_out}[$b, $d] = {sx}[$b, $d] + $al * {sp}[$b, $d]
        ⟨1:$rn = {sr}[$b, $d] - $al * {sap}[$b, $d]
        {sr_out}[$b, $d] = $rn
        wp.atomic_add({dot_rr}, $b, $rn * $rn)|$rn = {sr}[$b, $d] - $al * {sap}[$b, $d]
        {sr_out}[$b, $d] = $rn
        # the preconditioner is the diagonal
        $zn = $rn / {sdiag}[$b, $d]
        {sz_out}[$b, $d] = $zn
        wp.atomic_add({dot_rz}, $b, $rn * $zn)|if $d == 0:
            {alpha_out}[$b] = $al
            {iters_out}[$b] = {iters}[$b] + 1⟩
        """,
        threads="b d",
        kinds="arithmetic atomic linear_algebra reduction multi_dim",
    ),
    Idea(
        "cg_direction",
        "update_direction cg_update_p search_direction conjugate_direction",
        "compute the new search direction of each system",
        """
        hook system
        $bt = ⟨{beta}[$b]|@safe_div({rzn}[$b], {rz}[$b])|{rzn}[$b] / {rz}[$b]⟩
        ⟨|# restart after a number of iterations
        if {iters}[$b] % ⟨8|10⟩ == 0:
            $bt = 0.0
        |if {rzn}[$b] > {rz}[$b]:
            $bt = 0.0
        ⟩
        $pn = ⟨{sz}[$b, $d]|{sr}[$b, $d]|{sr}[$b, $d] / {sdiag}[$b, $d]|-{sgrad}[$b, $d]⟩ + $bt * {sp}[$b, $d]

        {sp_out}[$b, $d] = $pn
        ⟨|if $d == 0:
            {beta_out}[$b] = $bt
            ⟨{iters_out}[$b] = {iters}[$b] + 1|⟩⟩
        """,
        threads="b d",
        kinds="arithmetic linear_algebra multi_dim",
    ),
    Idea(
        "cg_dots",
        "accumulate_dots dot_products residual_norms batched_dots",
        "add the products of each unknown to the sums of its system",
        """
        hook system
        $ri = {sr}[$b, $d]
        ⟨wp.atomic_add({dot_rr}, $b, $ri * $ri)|wp.atomic_add({dot_rz}, $b, $ri * {sz}[$b, $d])|wp.atomic_add({dot_rr}, $b, $ri * $ri)
        wp.atomic_add({dot_rz}, $b, $ri * {sz}[$b, $d])|wp.atomic_add({dot_rz}, $b, $ri * $ri / {sdiag}[$b, $d])⟩
        ⟨wp.atomic_add({dot_pap}, $b, {sp}[$b, $d] * {sap}[$b, $d])|if wp.abs($ri) > {tol}:
            # unknowns that still change
            wp.atomic_add({count}, 1, 1)|⟩

        ⟨{sz_out}[$b, $d] = $ri / {sdiag}[$b, $d]|⟩
        """,
        threads="b d",
        kinds="atomic reduction linear_algebra atomics multi_dim",
    ),
    Idea(
        "cg_scalars",
        "cg_scalars update_alpha_beta check_convergence solver_status",
        "compute the step lengths and the status of each system",
        """
        ⟨if {status}[$b] == {CONVERGED} or {status}[$b] == {FAILED}:
            # finished before
            {status_out}[$b] = {status}[$b]
            return|hook system⟩
        ⟨$ratio = {norm}[$b] / {norm0}[$b]|$ratio = wp.sqrt({rzn}[$b]) / {norm0}[$b]|# relative for large residuals, absolute for small ones
        $ratio = {norm}[$b] / wp.max({norm0}[$b], 1.0)⟩

        if $ratio < {tol}:
            {status_out}[$b] = {CONVERGED}
            ⟨wp.atomic_add({count}, 0, 1)|⟩
        elif {iters}[$b] ⟨+ 1 |⟩>= {maxit}:
            {status_out}[$b] = {STALLED}
        elif {pap}[$b] <= 0.0:
            # the matrix is not positive definite
            {status_out}[$b] = {FAILED}
        else:
            {status_out}[$b] = {RUNNING}
            {alpha_out}[$b] = ⟨{rz}[$b] / wp.max({pap}[$b], {TINY})|@safe_div({rz}[$b], {pap}[$b])|{omega} * {rz}[$b] / wp.max({pap}[$b], {TINY})⟩
            {beta_out}[$b] = ⟨{rzn}[$b] / {rz}[$b]|@safe_div({rzn}[$b], {rz}[$b])⟩
            {iters_out}[$b] = {iters}[$b] + 1
        """,
        threads="b",
        kinds="multi_conditional control_flow scalar_param",
    ),
    Idea(
        "masked_axpy",
        "masked_axpy axpy_systems vector_update scale_add",
        "combine the vectors of each system",
        """
        hook system
        ⟨{sx_out}[$b, $d] = {ca_} * {sx}[$b, $d] + {cb_} * {sp}[$b, $d]|{sx_out}[$b, $d] = {ca_} * {sx}[$b, $d] + {cb_} * {alpha}[$b] * {sp}[$b, $d]|{sp_out}[$b, $d] = {sz}[$b, $d] + {beta}[$b] * {sp}[$b, $d]|if {norm}[$b] > {tol} * {norm0}[$b]:
            {sx_out}[$b, $d] = {sx}[$b, $d] + {ca_} * {sp}[$b, $d]
        else:
            # below the tolerance
            {sx_out}[$b, $d] = {sx}[$b, $d]⟩
        ⟨|{sr_out}[$b, $d] = {sr}[$b, $d] - {alpha}[$b] * {sap}[$b, $d]|{sz_out}[$b, $d] = {sr}[$b, $d] / {sdiag}[$b, $d]⟩
        """,
        threads="b d",
        kinds="arithmetic scalar_param multi_dim linear_algebra",
    ),
    Idea(
        "copy_systems",
        "copy_state reset_search init_residual start_iteration",
        "start the iteration: ⟨1:copy the residual to the direction|copy the solution|clear the result⟩",
        """
        ⟨1:⟨{sp_out}[$b, $d] = {sr}[$b, $d]|$zn = {sr}[$b, $d] / {sdiag}[$b, $d]
        {sz_out}[$b, $d] = $zn
        {sp_out}[$b, $d] = $zn⟩|{sx_out}[$b, $d] = {sx}[$b, $d]|{sx_out}[$b, $d] = 0.0
        {sr_out}[$b, $d] = -{sgrad}[$b, $d]
        ⟨{sp_out}[$b, $d] = -{sgrad}[$b, $d]|⟩⟩
        ⟨if $d == 0:
            ⟨{status_out}[$b] = {RUNNING}|{iters_out}[$b] = 0|{status_out}[$b] = {RUNNING}
            {iters_out}[$b] = 0⟩|⟩
        """,
        threads="b d",
        kinds="multi_dim",
    ),
    Idea(
        "count_status",
        "count_status summarize_solvers status_histogram update_status",
        "count the systems by their status",
        """
        $code = {status}[$b]
        $steps = int({iters}[$b])
        ⟨if not {on}[$b]:
            {status_out}[$b] = $code
            return|⟩
        if $code == {RUNNING}:
            if {iters}[$b] ⟨>=|>⟩ {maxit}:
                # out of iterations
                $code = {STALLED}
            else:
                $steps += 1
                wp.atomic_add({running}, 0, 1)
        ⟨elif $code == {STALLED}:
            # starts again
            $code = {RUNNING}
            $steps = 0
            ⟨|wp.atomic_add({running}, 0, 1)⟩|⟩

        {iters_out}[$b] = $steps

        {status_out}[$b] = $code
        wp.atomic_add({count}, $code, 1)
        """,
        threads="b",
        kinds="atomic control_flow histograms atomics",
        integer=True,
    ),
)
