"""Ideas of the domain `estimation`: normal equations, scatter matrices, whitening, small linear systems."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

FITTING = (
    Idea(
        "normal_equations",
        "normal_equations assemble_normal build_jtj accumulate_rows",
        "sum the rows of each system to its ⟨1:3 by 3|2 by 2⟩ normal equations",
        """
        ⟨hook track
        |⟩⟨1:$M = wp.mat33()
        $y = wp.vec3()
        each row:
            $h = {row3}[$i, $k]
            $M += wp.outer($h, $h)⟨2:| * {weight}[$i]⟩
            $y += $h * {resid}[$i, $k]⟨2:| * {weight}[$i]⟩
        {N3_out}[$i] = $M⟨ + $eye3 * {lam}|⟩
        {v_out}[$i] = $y|$M = wp.mat22()
        $y = wp.vec2()
        each row:
            $h = {row2}[$i, $k]
            $M += wp.outer($h, $h)
            $y += $h * {resid}[$i, $k]
        {N2_out}[$i] = $M⟨ + $eye2 * {lam}|⟩
        {sol2}[$i] = $y⟩
        """,
        kinds="matrix vector control_flow linear_algebra combined",
    ),
    Idea(
        "robust_rows",
        "robust_normal irls_rows weighted_normal reweighted_sum",
        "sum the rows of each system with robust weights of the residuals",
        """
        $M = wp.mat33()
        ⟨1:$cost_i = float(0.0)
        |⟩each row:
            $e = {resid}[$i, $k]
            ⟨$w = @robust($e, {huber})|$w = float(1.0)
            if wp.abs($e) > {huber}:
                $w = {huber} / wp.abs($e)⟩
            ⟨1:$cost_i += $w * $e * $e
            |⟩$M += wp.outer({row3}[$i, $k], {row3}[$i, $k]) * $w
        {N3_out}[$i] = $M
        ⟨1:{f_out}[$i] = $cost_i|hook done⟩
        """,
        kinds="matrix control_flow scalar_param combined",
    ),
    Idea(
        "solve_small",
        "solve_systems solve_blocks direct_solve small_solve",
        "solve the small linear system of ⟨1:two|three|four⟩ unknowns of each track⟨2:| with regularization⟩",
        """
        hook track
        ⟨1:{sol2}[$i] = ⟨wp.inverse(⟨2:$A2|$A2 + $eye2 * {lam}⟩) * $b2|$x2 + wp.inverse(⟨2:$A2|$A2 + $eye2 * {lam}⟩) * ($b2 - $A2 * $x2)⟩|{sol3}[$i] = ⟨wp.inverse(⟨2:⟨$A3|@symmetric($A3)⟩|$A3 + $eye3 * {lam}⟩) * $b3|$x3 + wp.inverse(⟨2:$A3|$A3 + $eye3 * {lam}⟩) * ($b3 - $A3 * $x3)⟩|{sol4}[$i] = wp.inverse(⟨2:$A4|$A4 + $eye4 * {lam}⟩) * $b4⟩
        hook done
        """,
        kinds="matrix vector linear_algebra",
    ),
    Idea(
        "cramer",
        "cramer_solve solve_two_by_two explicit_inverse closed_form_solve",
        "⟨1:solve each system of two unknowns by Cramer's rule|invert each matrix of two rows⟩ if the determinant is large enough",
        """
        $M = $A2
        $det = ⟨$M[0, 0] * $M[1, 1] - $M[0, 1] * $M[1, 0]|wp.determinant($M)⟩
        if $det < ⟨0.8|0.9⟩:
            # nearly singular
            ⟨⟨1:{sol2}[$i] = wp.vec2(0.0, 0.0)|{N2_out}[$i] = $eye2⟩
            |⟩{flag}[$i] = 1
            return
        ⟨1:{sol2}[$i] = wp.vec2($M[1, 1] * $b2[0] - $M[0, 1] * $b2[1], $M[0, 0] * $b2[1] - $M[1, 0] * $b2[0]) / $det|{N2_out}[$i] = wp.mat22($M[1, 1], -$M[0, 1], -$M[1, 0], $M[0, 0]) ⟨/ $det|* (1.0 / $det)⟩⟩
        ⟨hook done|⟩
        """,
        kinds="matrix arithmetic control_flow",
    ),
    Idea(
        "gauss_newton",
        "gauss_newton_step levenberg_step newton_step damped_step",
        "update the parameters of each system by one ⟨1:Gauss-Newton|Levenberg-Marquardt|Newton⟩ step",
        """
        hook track
        ⟨1:$M = wp.transpose($A3) @ $A3
        {sol3}[$i] = $x3 - wp.inverse($M ⟨+ $eye3 * 0.1|+ $eye3 * {lam}⟩) * (wp.transpose($A3) * $b3)|$M = $A3 + wp.diag(wp.get_diag($A3)) * {lam}
        {sol3}[$i] = $x3 - wp.inverse($M) * $b3|$step = wp.inverse(⟨$A3|@symmetric($A3)⟩) * $b3
        if wp.length($step) > ⟨3:0.5|1.0⟩:
            # limit the step
            $step = wp.normalize($step) * ⟨3:0.5|1.0⟩
        {sol3}[$i] = $x3 - $step⟩
        hook done
        """,
        kinds="matrix vector scalar_param optimizers",
    ),
    Idea(
        "scatter_matrix",
        "scatter_matrices accumulate_scatter cluster_covariance sum_outer_products",
        "add each point to ⟨1:the scatter matrix|the sum and scatter matrix|the weighted scatter matrix⟩ of its cluster",
        """
        ⟨if $cl < 0:
            return
        |if $cl == {NONE} or {label}[$i] == {wanted}:
            return
        |if not {valid}[$i] or $cl < 0:
            return
        ⟩$d = $x3 - {mean}[$cl]
        ⟨1:wp.atomic_add({scat}, $cl, wp.outer($d, $d))|wp.atomic_add({scat}, $cl, wp.outer($d, $d))
        wp.atomic_add({sum3}, $cl, ⟨$x3|$d⟩)|wp.atomic_add({scat}, $cl, wp.outer($d, $d) * $wt)
        wp.atomic_add({wsum}, $cl, $wt)⟩
        ⟨wp.atomic_add({members}, $cl, 1)|⟩
        """,
        kinds="matrix vector atomic atomics combined control_flow",
    ),
    Idea(
        "global_scatter",
        "sum_matrices accumulate_hessian reduce_normal total_information",
        "sum ⟨1:the normal matrix|the covariance|the design⟩ of all tracks",
        """
        hook track
        wp.atomic_add({gram}, 0, ⟨1:⟨$A3 * $wt|$A3|wp.transpose($A3) @ $A3⟩|⟨$P3|@symmetric($P3)⟩|⟨wp.outer($h3, $h3) * $wt|wp.outer($h3, $h3)⟩⟩)
        ⟨1:⟨wp.atomic_add({Jtr}, 0, ⟨$b3|wp.transpose($A3) * $b3⟩)|wp.atomic_add({loss}, 0, wp.dot($b3, $b3))|wp.atomic_add({count}, 0, 1)|⟩|⟨wp.atomic_add({count}, 0, 1)|⟩|⟨wp.atomic_add({Jtr}, 0, $h3 * $z1)|wp.atomic_add({loss}, 0, $z1 * $z1)|wp.atomic_add({count}, 0, 1)|⟩⟩
        """,
        kinds="matrix atomic atomics",
    ),
    Idea(
        "whiten",
        "whiten_points whiten_residuals normalize_residuals decorrelate",
        "whiten ⟨1:each point|each innovation|the covariance of each point⟩ by the matrix of its cluster",
        """
        ⟨if $cl < 0:
            return
        |if $cl == {NONE}:
            ⟨{flag}[$i] = 1|{v_out}[$i] = $x3⟩
            return
        ⟩⟨1:{v_out}[$i] = {white}[$cl] * ($x3 - {mean}[$cl])|$nu = {white}[$cl] * ($z3 - $x3)
        {v_out}[$i] = $nu
        ⟨{f_out}[$i] = wp.dot($nu, $nu)|⟩|{P3_out}[$i] = @sandwich({white}[$cl], $P3)⟩
        """,
        kinds="matrix control_flow linear_algebra",
    ),
    Idea(
        "cluster_pairs",
        "reading_spread between_scatter cluster_scatter distances_to_means",
        "sum the outer products of the differences between the readings of each track and the cluster means⟨1:| for sensors in use| without its own cluster⟩",
        """
        ⟨hook track
        |⟩$M = wp.mat33()
        for $k in range(⟨1:{g}|{c}|{g}⟩):
            ⟨1:for $l in range({c}):
                $d = {read3}[$i, $l] - {mean}[$k]
                $M += wp.outer($d, $d)⟨| * {trust}[$l]⟩|if {enabled}[$k] == 0:
                continue
            for $l in range({g}):
                $d = {read3}[$i, $k] - {mean}[$l]
                $M += wp.outer($d, $d)⟨| * {trust}[$k]⟩|if $k != {group}[$i]:
                for $l in range({c}):
                    $d = {read3}[$i, $l] - {mean}[$k]
                    $M += wp.outer($d, $d)⟨| * {trust}[$l]⟩⟩
        {N3_out}[$i] = $M⟨1:⟨| / float({g} * {c})⟩||⟩
        """,
        kinds="matrix nested_loop combined control_flow",
    ),
    Idea(
        "sensor_pairs",
        "cross_covariance sensor_correlation pairwise_outer lagged_products",
        "sum the products of the readings of pairs of sensors of each track⟨1:| that are in use| with both weights⟩",
        """
        ⟨hook track
        |⟩$M = wp.mat33()
        for $k in range({c}):
            ⟨1:for $l in range($k):
                $M += wp.outer({read3}[$i, $k], {read3}[$i, $l])|if {enabled}[$k] == 0:
                continue
            for $l in range({c}):
                if $l != $k and {enabled}[$l] == 1:
                    $M += wp.outer({read3}[$i, $k], {read3}[$i, $l])|for $l in range(⟨$k + 1, {c}|{c}⟩):
                $M += wp.outer({read3}[$i, $k], {read3}[$i, $l]) * ({trust}[$k] * {trust}[$l])⟩
        {N3_out}[$i] = $M
        """,
        kinds="matrix nested_loop vector combined control_flow",
    ),
    Idea(
        "fixed_point",
        "richardson_iterations jacobi_refine refine_inverse newton_schulz",
        "refine ⟨1:the inverse|the solution⟩ of each small system by two steps",
        """
        ⟨1:$Y = $eye3 * 2.0 - $A3
        $Y = $Y @ (2.0 * $eye3 - $A3 @ $Y)
        {N3_out}[$i] = ⟨$Y|@symmetric($Y)|$Y @ (2.0 * $eye3 - $A3 @ $Y)⟩|$x = $x3 + ($b3 - $A3 * $x3) * {alpha}
        ⟨$x = $x + ($b3 - $A3 * $x) * {alpha}
        |⟩{sol3}[$i] = $x
        ⟨{f_out}[$i] = wp.length_sq($b3 - $A3 * $x)|{v_out}[$i] = $b3 - $A3 * $x|⟩⟩
        """,
        kinds="matrix arithmetic linear_algebra",
    ),
    Idea(
        "quadratic",
        "quadratic_form quadratic_cost evaluate_quadratic energy_terms",
        "evaluate the quadratic form of ⟨1:two|three|four⟩ variables of each system⟨2:| with its linear term| and add it to the total⟩",
        """
        ⟨1:$e = 0.5 * wp.dot($x2, $A2 * $x2)|$e = 0.5 * wp.dot($x3, $A3 * $x3)|$e = 0.5 * wp.dot($x4, $A4 * $x4)⟩
        ⟨2:{f_out}[$i] = $e|{f_out}[$i] = $e - ⟨1:wp.dot($b2, $x2)|wp.dot($b3, $x3)|wp.dot($b4, $x4)⟩|⟨{f_out}[$i] = $e
        |⟩wp.atomic_add({loss}, 0, $e)⟩
        """,
        kinds="matrix vector arithmetic",
    ),
)
