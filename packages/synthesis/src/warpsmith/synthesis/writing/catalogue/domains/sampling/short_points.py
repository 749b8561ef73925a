"""Short ideas of the domain `sampling`: points in the plane and their matrices."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

SHORT_POINTS = (
    Idea(
        "drift_walkers",
        "drift_walkers move_walkers langevin_drift push_walkers",
        "move each walker ⟨1:with its drift|towards its home|away from the origin⟩",
        """
        ⟨if {flag}[$i] >= {BAD}:
            return
        |if not {valid}[$i]:
            return
        |if {grp}[$i] == {only}:
            return
        ⟩$d = ⟨1:{vel}[$i] * {dt}|({home}[$i] - {p}[$i]) * {alpha}|{p}[$i] * ({step} / (wp.length({p}[$i]) + 0.1))⟩⟨| + wp.vec2({eps}[$i], {eps}[{n} - 1 - $i]) * {step}| * {r}[$i]⟩
        ⟨{p_out}[$i] = {p}[$i] + $d
        {dist_out}[$i] = wp.length($d)|⟨1:{p}[$i] += $d|{p_out}[$i] = {p}[$i] + $d|{p_out}[$i] = {p}[$i] + $d⟩|{p_out}[$i] = {p}[$i] + $d⟩
        """,
        kinds="combined vector scalar_param monte_carlo",
    ),
    Idea(
        "inside",
        "count_inside disc_hits reject_walkers mark_inside",
        "count the walkers ⟨1:inside|outside⟩ a disc",
        """
        $d = {p}[$i]⟨| - {home}[$i]| + {vel}[$i] * {dt}⟩
        if ⟨2:wp.length($d)|wp.dot($d, $d)⟩ ⟨1:<|>⟩ {range}⟨2:| * {range}⟩:
            wp.atomic_add({hits}, 0, 1)
            {hit_out}[$i] = 1
        ⟨else:
            ⟨1:# back to the start
            {p_out}[$i] = {home}[$i]|{p_out}[$i] = {p}[$i]⟩|else:
            {hit_out}[$i] = 0|⟩
        ⟨wp.atomic_add({p_sum}, 0, {p}[$i])|{dist_out}[$i] = wp.length($d)|⟩
        """,
        kinds="combined atomic vector control_flow monte_carlo",
    ),
    Idea(
        "transform_points",
        "transform_points apply_matrix mix_samples rotate_walkers",
        "multiply each point by its matrix",
        """
        ⟨$A = {A}[$i]|$A = {A}[$i] @ {C}[$i]|$A = wp.transpose({A}[$i])|$A = {A}[$i] * {scale}⟩
        {p_out}[$i] = ⟨$A @ {p}[$i]|$A @ ({p}[$i] - {home}[$i])|{home}[$i] + $A @ ({p}[$i] - {home}[$i])⟩
        ⟨{dist_out}[$i] = wp.length($A @ {p}[$i])|{A_out}[$i] = $A @ wp.transpose($A)|{A_out}[$i] = $A|⟩
        """,
        kinds="matrix vector linear_algebra",
    ),
    Idea(
        "sum_outer",
        "sum_covariance accumulate_scatter outer_products second_moments",
        "add up the outer products of the points",
        """
        ⟨if {grp}[$i] == {only}:
            return
        |if not {valid}[$i]:
            return
        |if {flag}[$i] == {BAD}:
            return
        ⟩$d = {p}[$i]⟨| - {home}[$i]| - {p}[{pick_in}[$i]]⟩
        wp.atomic_add({cov_sum}, 0, wp.outer($d, $d)⟨| * {wt}[$i]| / float({n})⟩)
        ⟨wp.atomic_add({p_sum}, 0, $d)|{A_out}[$i] = wp.outer($d, $d)|wp.atomic_add({hits}, 0, 1)|⟩
        """,
        kinds="matrix atomic combined vector reduction atomics",
    ),
    Idea(
        "mahalanobis",
        "mahalanobis gaussian_density whitened_distance log_likelihood",
        "compute the ⟨1:distance|density⟩ of each point under its covariance",
        """
        $d = {p}[$i] - {home}[$i]
        ⟨$m = wp.dot($d, wp.inverse({C}[$i]) @ $d)|$q = wp.inverse({C}[$i]) @ $d
        $m = wp.dot($d, $q)⟩
        ⟨1:{dist_out}[$i] = wp.sqrt(wp.abs($m) + 0.01)|{est_out}[$i] = ⟨wp.exp(-0.5 * $m)|-0.5 * $m - 0.5 * wp.log(wp.determinant({C}[$i]))|wp.exp(-0.5 * $m) / (6.2831853 * wp.sqrt(wp.determinant({C}[$i])))⟩⟩
        ⟨if $m > ⟨1.0|{clip}⟩:
            # far from the mean
            wp.atomic_add({lost}, 0, 1)|⟩
        """,
        kinds="matrix math linear_algebra",
    ),
)
