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
        ⟩$d = ⟨1:{vel}[$i] * {alpha}|({home}[$i] - {p}[$i]) * {alpha}|{p}[$i] * ({alpha} / (wp.length({p}[$i]) + 0.1))⟩⟨| + wp.vec2({eps}[$i], {u1}[$i]) * {alpha}| * {wt}[$i]⟩
        ⟨{p_out}[$i] = {p}[$i] + $d
        {dist_out}[$i] = wp.length($d)|⟨1:{p}[$i] += $d|{vel}[$i] += $d|{home}[$i] += $d * {scale}⟩|{p_out}[$i] = {p}[$i] + $d * {scale}⟩
        """,
        kinds="combined vector scalar_param monte_carlo",
    ),
    Idea(
        "inside",
        "count_inside disc_hits reject_walkers mark_inside",
        "count the walkers ⟨1:inside|outside⟩ a disc",
        """
        $d = {p}[$i]⟨| - {home}[$i]| + {vel}[$i] * {alpha}⟩
        if ⟨wp.length($d)|wp.dot($d, $d)⟩ ⟨1:<|>⟩ {range}:
            wp.atomic_add({hits}, 0, 1)
            {hit_out}[$i] = ⟨1|{grp}[$i] + 1⟩
        ⟨else:
            # back into the disc
            {p_out}[$i] = $d * {alpha}|elif {grp}[$i] == {only}:
            {p_out}[$i] = {home}[$i]|⟩
        ⟨wp.atomic_add({p_sum}, 0, $d)|{dist_out}[$i] = wp.length($d)|⟩
        """,
        kinds="combined atomic vector control_flow monte_carlo",
    ),
    Idea(
        "transform_points",
        "transform_points apply_matrix mix_samples rotate_walkers",
        "multiply each point by its matrix",
        """
        ⟨$A = {A}[$i]|$A = {A}[$i] @ {C}[$i]|$A = wp.transpose({A}[$i])|$A = {A}[$i] * {scale}⟩
        {p_out}[$i] = $A @ ⟨{p}[$i]|({p}[$i] - {home}[$i])⟩⟨ + {home}[$i]|⟩
        ⟨{dist_out}[$i] = wp.determinant($A)|{A_out}[$i] = $A @ wp.transpose($A)|{dist_out}[$i] = wp.trace($A)|{A_out}[$i] = $A|⟩
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
        ⟩$d = {p}[$i] - ⟨{home}[$i]|wp.vec2({bias}, {scale})|{p}[{pick_in}[$i]]⟩
        wp.atomic_add({cov_sum}, 0, wp.outer($d, $d)⟨ * {wt}[$i]|| * {alpha}⟩)
        ⟨wp.atomic_add({p_sum}, 0, $d)|{dist_out}[$i] = wp.dot($d, $d)|{A_out}[$i] = wp.outer($d, {vel}[$i])|⟩
        """,
        kinds="matrix atomic combined vector reduction atomics",
    ),
    Idea(
        "mahalanobis",
        "mahalanobis gaussian_density whitened_distance log_likelihood",
        "compute the ⟨1:distance|density⟩ of each point under its covariance",
        """
        $d = {p}[$i] - {home}[$i]
        $m = ⟨wp.dot($d, wp.inverse({C}[$i]) @ $d)|wp.dot($d, {C}[$i] @ $d)|wp.dot($d, $d) / wp.determinant({C}[$i])⟩
        ⟨1:{dist_out}[$i] = wp.sqrt(wp.abs($m) + {alpha})|{est_out}[$i] = ⟨wp.exp(-0.5 * $m)|-0.5 * $m - wp.log(wp.determinant({C}[$i]))|wp.exp(-{alpha} * $m) * {wt}[$i]⟩⟩
        ⟨if $m > {scale}:
            wp.atomic_add({lost}, 0, 1)|⟩
        """,
        kinds="matrix math linear_algebra",
    ),
)
