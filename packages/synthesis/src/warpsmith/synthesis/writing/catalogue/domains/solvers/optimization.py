"""Ideas of the domain `solvers`: Newton steps, line search, trust regions, least squares, bounds."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

OPTIMIZATION = (
    Idea(
        "newton_scalar",
        "newton_step scalar_newton solve_rows_newton newton_clamped",
        "take ⟨1:one|several|several⟩ Newton steps for a scalar equation at each unknown",
        """
        hook row
        $xn = ⟨1:{x}[$i]|float({x}[$i])|float({x}[$i])⟩
        ⟨1:# f(x) = x^3 + a x - b
        $f = $xn * $xn * $xn + {diag}[$i] * $xn - {b}[$i]
        $df = 3.0 * $xn * $xn + {diag}[$i]
        $step = $f / $df
        if $step > {maxstep}:
            $step = {maxstep}
        elif $step < -{maxstep}:
            $step = -{maxstep}
        $xn = $xn - $step|for $t in range(⟨2|3|4⟩):
            $f = $xn * $xn * $xn + {diag}[$i] * $xn - {b}[$i]
            $df = 3.0 * $xn * $xn + {diag}[$i]
            $xn = $xn - wp.clamp($f / $df, -{maxstep}, {maxstep})|for $t in range(⟨2|3|5⟩):
            # implicit equation x = b - sin(x) / a
            $f = $xn + wp.sin($xn) / {diag}[$i] - {b}[$i]
            $df = 1.0 + wp.cos($xn) / {diag}[$i]
            $xn = $xn - $f / $df⟩

        ⟨{x_out}[$i] = wp.clamp($xn, {lower}[$i], {upper}[$i])|{x_out}[$i] = $xn|if $xn < {lower}[$i]:
            {x_out}[$i] = {lower}[$i]
            {active_out}[$i] = -1
        elif $xn > {upper}[$i]:
            {x_out}[$i] = {upper}[$i]
            {active_out}[$i] = 1
        else:
            {x_out}[$i] = $xn⟩
        """,
        kinds="control_flow arithmetic",
    ),
    Idea(
        "line_search",
        "line_search backtrack_step armijo_check accept_step",
        "accept or shorten the step of each system by the Armijo rule",
        """
        hook system
        $al = {alpha}[$b]
        ⟨$bound = {cost}[$b] + {c1} * $al * {slope}[$b]
        $gain = $bound - {cost_try}[$b]|$gain = {cost}[$b] - {cost_try}[$b] + {c1} * $al * {slope}[$b]⟩

        if {slope}[$b] >= 0.0:
            # not a descent direction
            {status_out}[$b] = {FAILED}
            {alpha_out}[$b] = ⟨0.0|-$al⟩
        elif $gain ⟨> 0.0|>= 0.0⟩:
            {status_out}[$b] = {CONVERGED}
            {alpha_out}[$b] = $al
            {cost_out}[$b] = {cost_try}[$b]
            ⟨wp.atomic_add({count}, 1, 1)|⟩
        elif {iters}[$b] > {maxit}:
            {status_out}[$b] = {STALLED}
            {alpha_out}[$b] = ⟨{shrink} * {shrink} * $al|0.0⟩
        else:
            {status_out}[$b] = {RUNNING}
            ⟨{alpha_out}[$b] = {shrink} * $al|# minimum of the parabola through the known values
            $curv = {cost_try}[$b] - {cost}[$b] - {slope}[$b] * $al
            $best_al = -0.5 * {slope}[$b] * $al * $al / ($curv + 0.05)
            {alpha_out}[$b] = wp.clamp($best_al, 0.1 * $al, {shrink} * $al)⟩
            ⟨{iters_out}[$b] = {iters}[$b] + 1|⟩
        """,
        threads="b",
        kinds="multi_conditional scalar_param optimizers",
    ),
    Idea(
        "trust_region",
        "update_trust_region trust_region_step adapt_radius gain_ratio_update",
        "adapt the radius of the trust region to the quality of the model",
        """
        $ratio = ({cost}[$b] - {cost_try}[$b]) / {model}[$b]
        $rad = {radius}[$b]
        if $ratio < 0.25:
            # poor model: shrink
            {radius_out}[$b] = {shrink} * ⟨$rad|wp.min($rad, {steplen}[$b])⟩
        elif $ratio > 0.75 and {steplen}[$b] > ⟨0.8|0.6⟩ * $rad:
            # the step was limited by the radius
            {radius_out}[$b] = wp.min({grow} * $rad, ⟨{maxstep}|2.0⟩)
            ⟨wp.atomic_add({count}, 2, 1)|⟩
        else:
            {radius_out}[$b] = $rad
        ⟨|
        if $ratio ⟨> 0.1|> 0.0⟩:
            {cost_out}[$b] = {cost_try}[$b]
            {status_out}[$b] = {CONVERGED}
            {iters_out}[$b] = {iters}[$b] + 1
        else:
            {cost_out}[$b] = {cost}[$b]
            {status_out}[$b] = ⟨{STALLED}|{RUNNING}⟩|
        {iters_out}[$b] = {iters}[$b] + 1
        {cost_out}[$b] = wp.where($ratio > 0.1, {cost_try}[$b], {cost}[$b])⟩
        """,
        threads="b",
        kinds="multi_conditional scalar_param optimizers",
    ),
    Idea(
        "lm_step",
        "lm_step levenberg_marquardt damped_gauss_newton solve_normal",
        "solve the damped normal equations of each system and adapt the damping",
        """
        $A = @sym2({m2}[$b])
        $mu = {damp}[$b]
        ⟨$h00 = $A[0, 0] + $mu
        $h11 = $A[1, 1] + $mu|# damping relative to the diagonal
        $h00 = $A[0, 0] * (1.0 + $mu)
        $h11 = $A[1, 1] * (1.0 + $mu)⟩
        $h01 = $A[0, 1]
        $det = wp.max($h00 * $h11 - $h01 * $h01, 0.1)
        $g = {g2}[$b]
        $s0 = -($h11 * $g[0] - $h01 * $g[1]) / $det
        $s1 = -($h00 * $g[1] - $h01 * $g[0]) / $det
        ⟨$step = wp.vec2($s0, $s1)|$step = wp.vec2(wp.clamp($s0, -{maxstep}, {maxstep}), wp.clamp($s1, -{maxstep}, {maxstep}))⟩
        ⟨|$len = wp.length($step)
        if $len > {maxstep}:
            $step = $step * ({maxstep} / $len)⟩
        {x2}[$b] = $step

        if {cost_try}[$b] < {cost}[$b]:
            {damp_out}[$b] = ⟨$mu * {shrink}|wp.max($mu * {shrink}, 0.02)|$mu / {grow}⟩
            {cost_out}[$b] = {cost_try}[$b]
            ⟨wp.atomic_add({count}, 1, 1)|⟩
        else:
            {damp_out}[$b] = $mu * {grow}
            {cost_out}[$b] = {cost}[$b]⟨
            {status_out}[$b] = {STALLED}|⟩
        """,
        threads="b",
        kinds="matrix control_flow optimizers linear_algebra",
        docs="Levenberg-Marquardt: more damping after a failed step, less after a success",
    ),
    Idea(
        "normal_equations",
        "accumulate_normal_equations build_jtj assemble_gauss_newton residual_blocks",
        "add each residual to the normal equations of its system",
        """
        $k = {owner}[$c]
        ⟨if {ctype}[$c] == {OFF}:
            return|if not {on}[$k]:
            return|if {status}[$k] == {CONVERGED}:
            return⟩
        $ri = {res}[$c]
        $row_j = {jac}[$c]
        ⟨$wgt = @robust($ri, {huber})|$wgt = float(1.0)
        if wp.abs($ri) > {huber}:
            # outlier
            $wgt = {huber} / wp.abs($ri)|$wgt = 1.0 / (1.0 + $ri * $ri)⟩
        ⟨wp.atomic_add({jtj}, $k, $wgt * wp.outer($row_j, $row_j))
        wp.atomic_add({jtr}, $k, -$wgt * $ri * $row_j)|$wj = $wgt * $row_j
        wp.atomic_add({jtj}, $k, wp.outer($wj, $row_j))
        wp.atomic_add({jtr}, $k, -$ri * $wj)⟩

        ⟨wp.atomic_add({dot_rr}, $k, $wgt * $ri * $ri)|if wp.abs($ri) > {tol}:
            wp.atomic_add({dot_rr}, $k, $ri * $ri)|⟩
        """,
        threads="c",
        kinds="vector atomic control_flow optimizers linear_algebra",
    ),
    Idea(
        "gradient_step",
        "gradient_step optimizer_step update_parameters descend",
        "update each unknown by ⟨1:gradient descent with momentum|an adaptive step|a step that grows while its sign stays⟩",
        """
        hook system
        $g = {sgrad}[$b, $d]⟨| + {shift} * {sx}[$b, $d]⟩
        ⟨|$g = wp.clamp($g, -{maxstep}, {maxstep})|if wp.abs($g) > {maxstep}:
            # clip the gradient
            $g = {maxstep} * wp.sign($g)⟩
        ⟨1:$mom = {b1} * {smom}[$b, $d] ⟨+ $g|+ (1.0 - {b1}) * $g⟩
        {sm_out}[$b, $d] = $mom
        {sx_out}[$b, $d] = {sx}[$b, $d] - {rate} * ⟨$mom|($g + {b1} * $mom)⟩|$mom = {b1} * {smom}[$b, $d] + (1.0 - {b1}) * $g
        $sq = {b2} * {svar}[$b, $d] + (1.0 - {b2}) * $g * $g
        {sm_out}[$b, $d] = $mom
        {sv_out}[$b, $d] = $sq
        {sx_out}[$b, $d] = {sx}[$b, $d] - {rate} * $mom / (wp.sqrt($sq) + 1.0e-4)|# steps grow while the sign stays
        $prev = {smom}[$b, $d]
        if $g * $prev > 0.0:
            {sm_out}[$b, $d] = {grow} * $prev
            {sx_out}[$b, $d] = {sx}[$b, $d] - {grow} * {rate} * $prev
        else:
            {sm_out}[$b, $d] = {shrink} * $g
            {sx_out}[$b, $d] = {sx}[$b, $d] - {shrink} * {rate} * $g⟩

        ⟨wp.atomic_add({dot_rr}, $b, $g * $g)|⟩
        """,
        threads="b d",
        kinds="arithmetic scalar_param optimizers multi_dim",
    ),
    Idea(
        "project_bounds",
        "project_bounds box_projection active_set_step clamp_unknowns",
        "step each unknown along the residual and keep it within its bounds",
        """
        hook row
        ⟨if {active}[$i] ⟨== -1 and {r}[$i] < 0.0|!= 0 and {r}[$i] * float({active}[$i]) > 0.0⟩:
            # stays at its bound
            {x_out}[$i] = ⟨wp.where({active}[$i] < 0, {lower}[$i], {upper}[$i])|{x}[$i]⟩
            {active_out}[$i] = {active}[$i]
            return|⟩
        $xn = {x}[$i] + ⟨{omega} * {r}[$i]|{omega} * {r}[$i] / {diag}[$i]|wp.clamp({r}[$i], -{maxstep}, {maxstep})⟩

        if $xn < {lower}[$i]:
            {x_out}[$i] = {lower}[$i]
            {active_out}[$i] = -1
            ⟨wp.atomic_add({count}, 0, 1)|⟩
        elif $xn > {upper}[$i]:
            {x_out}[$i] = {upper}[$i]
            {active_out}[$i] = 1
            ⟨wp.atomic_add({count}, 1, 1)|⟩
        else:
            {x_out}[$i] = $xn
            {active_out}[$i] = 0
            # free unknowns decide about convergence
            wp.atomic_add({total}, 0, {r}[$i] * {r}[$i])
        """,
        kinds="multi_conditional control_flow optimizers",
    ),
    Idea(
        "active_flags",
        "update_active_set flag_free_rows compact_flags count_free",
        "find out which rows change between free and bound",
        """
        $old = {active}[$i]
        ⟨$free = not {fixed}[$i] and $old == 0|$free = $old == 0⟩
        if $free⟨| and {rtype}[$i] != {DROPPED}⟩:
            {active_out}[$i] = 0
            wp.atomic_add({count}, 0, 1)
        elif $old < 0:
            {active_out}[$i] = -1
            ⟨wp.atomic_add({count}, 1, 1)|⟩
        elif ⟨{color}[$i] == {which}|{level}[$i] >= {depth}⟩:
            # released for this sweep
            {active_out}[$i] = 0
            ⟨wp.atomic_add({count}, 2, 1)|⟩
        else:
            {active_out}[$i] = $old
            ⟨wp.atomic_add({count}, 3, 1)|⟩
        """,
        kinds="multi_conditional control_flow",
        integer=True,
    ),
)
