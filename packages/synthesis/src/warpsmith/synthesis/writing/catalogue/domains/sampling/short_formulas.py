"""Short ideas of the domain `sampling`: elementwise formulas and sums."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

SHORT_FORMULAS = (
    Idea(
        "gather_samples",
        "gather_samples copy_samples thin_samples select_samples",
        "copy ⟨1:the ancestor of each sample|each sample|the samples in reverse order⟩",
        """
        ⟨if {flag}[$i] == {BAD}:
            return
        |if not {valid}[$i]:
            {x_out}[$i] = {bias}
            return
        |if $i % {every} != 0:
            return
        |⟩$j = ⟨1:{pick_in}[$i]|($i + {shift}) % {n}|{n} - 1 - $i⟩
        {x_out}[$i] = {x}[$j]
        ⟨{est_out}[$i] = {wt}[$j]|{est_out}[$i] = {y}[$j] - {y}[$i]|{est_out}[$i] = {wt}[$j] * {scale}⟩
        ⟨{pick}[$i] = $j|{tag_out}[$i] = {tag}[$j]|⟩
        """,
        kinds="gather_scatter monte_carlo",
    ),
    Idea(
        "mute",
        "mute_channels clear_channels copy_valid mask_signal",
        "copy the samples of each channel and ⟨1:mute|hold⟩ bad ones",
        """
        ⟨if {bad}[$c] != 0:
            {sig_out}[$c, $s] = ⟨1:0.0|{inp}[$c]⟩
        else:
            {sig_out}[$c, $s] = {sig}[$c, $s] * {gain}[$c]|if $s >= {len}[$c]:
            {sig_out}[$c, $s] = ⟨1:{bias}|{inp}[$c]⟩
            return
        {sig_out}[$c, $s] = {sig}[$c, $s] * ⟨{scale}|{gain}[$c]⟩|{sig_out}[$c, $s] = {sig}[$c, $s]
        if {bad}[$c] ⟨== 1|> 1⟩ and $s ⟨> 4|% {every} == 0⟩:
            {sig_out}[$c, $s] = ⟨1:{bias}|{inp}[$c] * {scale}⟩|if $s < {len}[$c]⟨| and {bad}[$c] != 2⟩:
            {sig_out}[$c, $s] = {sig}[$c, $s] - ⟨1:{bias}|{inp}[$c]⟩⟩
        ⟨{level_out}[$c, $s] = {bad}[$c] + 1|⟩
        """,
        threads="c s",
        kinds="control_flow multi_dim",
    ),
    Idea(
        "group_sums",
        "group_sums accumulate_groups segment_sum reduce_by_group",
        "add up the ⟨1:values|weighted values|squares⟩ of each group",
        """
        $g = {grp}[$i]
        ⟨if $g == {only}:
            return
        |if {x}[$i] > {hi}:
            wp.atomic_add({lost}, 0, 1)
            return
        |if not {valid}[$i]:
            return
        |⟩wp.atomic_add({gsum}, $g, ⟨1:{x}[$i]⟨| - {bias}| * {scale}⟩|{x}[$i] * {wt}[$i]|{wt}[$i] * {x}[$i] * {x}[$i]⟩)
        ⟨wp.atomic_add({gsq}, $g, {y}[$i] * {y}[$i])|wp.atomic_add({gcount}, $g, 1)|wp.atomic_add({gsq}, $g, ({x}[$i] - {mean}[$g]) * ({x}[$i] - {mean}[$g]))|⟩
        """,
        kinds="atomic arithmetic atomics reduction gather_scatter",
    ),
    Idea(
        "book_value",
        "book_value portfolio_value sum_positions mark_to_market",
        "add up the value of the positions of each portfolio",
        """
        $sum = float(0.0)
        for $k in range({pstart}[$bk], {pstart}[$bk + 1]):
            ⟨$as = {asset}[$k]
            $sum += float({qty}[$k]) * {quote}[$as]|if {qty}[$k] ⟨>|<⟩ 0:
                $sum += float({qty}[$k]) * ({quote}[{asset}[$k]] - {fee})|if {qty}[$k] == 0:
                continue
            $sum += float(⟨wp.abs({qty}[$k])|{qty}[$k]⟩) * {quote}[{asset}[$k]]|$sum += {quote}[{asset}[$k]] * float({qty}[$k]) - {fee} * float(wp.abs({qty}[$k]))⟩
        {lot_out}[$bk] = $sum⟨| * 0.01| + {bias}⟩
        ⟨wp.atomic_add({gsum}, 0, $sum)|⟩
        """,
        threads="bk",
        kinds="control_flow gather_scatter reduction",
    ),
    Idea(
        "gram_sums",
        "gram_row feature_products correlation_sums row_moments",
        "add up the products of each feature with ⟨1:all others|later ones⟩",
        """
        $sum = float(0.0)
        for $k in range({obs}):
            for $j in range(⟨1:{feat}|$fa, {feat}⟩):
                ⟨$sum += {table}[$k, $fa] * {table}[$k, $j]|$sum += ({table}[$k, $fa] - {table}[$k, $j]) * {bias}|if $j != $fa:
                    $sum += {table}[$k, $fa] * {table}[$k, $j]|$sum += wp.abs({table}[$k, $fa] - {table}[$k, $j])|$d = {table}[$k, $fa] - {table}[$k, $j]
                $sum += $d * $d⟩
        {feat_out}[$fa] = $sum⟨| / float({obs})| * 0.5⟩
        """,
        threads="fa",
        kinds="nested_loop arithmetic linear_algebra reduction",
    ),
    Idea(
        "lag_sums",
        "lag_energy correlate_taps sum_lags filter_energy",
        "add up the ⟨1:filtered|lagged⟩ products of each channel",
        """
        $sum = float(0.0)
        for $k in range(⟨1:{order}|1, {lags}⟩):
            for $s in range($k, {t}⟨|, {every}⟩):
                ⟨1:$sum += {coef}[$k] * {sig}[$c, $s - $k]⟨| * {sig}[$c, $s]| * {gain}[$c]⟩|$sum += {sig}[$c, $s] * {sig}[$c, $s - $k]⟨| / float($k)⟩⟩
        {chan_out}[$c] = $sum⟨| * 0.5| + {bias}⟩
        ⟨{y_out}[$c] = {inp}[$c] - {bias}|⟩
        """,
        threads="c",
        kinds="nested_loop arithmetic reduction",
    ),
    Idea(
        "box_muller",
        "box_muller normal_transform inverse_transform transform_uniforms",
        "turn uniform numbers into ⟨1:normal|exponential|logistic|Cauchy⟩ ones",
        """
        ⟨1:$r = wp.sqrt(-2.0 * wp.log({u1}[$i]))
        $z = $r * ⟨wp.cos|wp.sin⟩(6.2831853 * {u2}[$i])|$z = -wp.log({u1}[$i]) / {slope}|$z = wp.log({u1}[$i] / (1.0 - {u1}[$i]))⟨| / {slope}⟩|$z = wp.tan(1.4 * ({u1}[$i] - 0.5)) + 0.5 * wp.cos({u2}[$i])⟩
        {x_out}[$i] = {bias} + ⟨{scale}|{r}[$i]|{wt}[$i]⟩ * $z
        ⟨if $z > {slope}⟨| and {grp}[$i] != {only}⟩:
            wp.atomic_add({hits}, 0, 1)|{est_out}[$i] = wp.exp(-0.5 * $z * $z)|⟩
        """,
        kinds="math scalar_param monte_carlo",
    ),
    Idea(
        "draw",
        "draw_samples sample_uniform perturb_samples add_noise",
        "add random numbers to each sample",
        """
        $rng = wp.rand_init({seed}, ⟨$i|{seeds}[$i]|$i + {epoch}⟩)
        ⟨$z = wp.randn($rng)|$z = wp.randf($rng) - 0.5|$z = wp.randf($rng, -1.0, 1.0)|$z = -wp.log(1.0 - 0.9 * wp.randf($rng))⟩
        ⟨if {tag}[$i] == {MISSING}:
            $z = 0.0
        |⟩{x_out}[$i] = {x}[$i] + ⟨{alpha}|{scale}|{r}[$i]⟩ * $z
        ⟨if wp.randf($rng) < {u1}[$i]:
            {hit_out}[$i] = 1|{pick}[$i] = wp.randi($rng, 0, {n})|⟩
        """,
        kinds="scalar_param arithmetic monte_carlo random_noise",
    ),
    Idea(
        "rescale",
        "rescale_samples normalize_range affine_samples map_range",
        "map each sample ⟨1:to a range|to the unit range and back⟩",
        """
        ⟨$x = {x}[$i] * {scale} + {bias}|$x = ({x}[$i] - {lo}) / ({hi} - {lo})|$x = {lo} + ({hi} - {lo}) * {u1}[$i]|$x = ({x}[$i] + {bias}) * {wt}[$i]⟩
        ⟨1:$x = wp.clamp($x, ⟨{lo}, {hi}|0.0, {scale}⟩)|$x = $x * {slope} - {bias}⟩
        {x_out}[$i] = $x
        ⟨{est_out}[$i] = $x * {wt}[$i]|{z_out}[$i] = $x - {y}[$i]|wp.atomic_add({gsum}, {grp}[$i], $x)|⟩
        """,
        kinds="scalar_param arithmetic",
    ),
    Idea(
        "leak",
        "leaky_update decay_sums accumulate_errors integrate_error",
        "add the scaled errors to the running sums",
        """
        $delta = ⟨{x}[$i] - {y}[$i]|({x}[$i] - {y}[$i]) * {wt}[$i]|{x}[$i] * {scale} - {y}[$i]⟩
        ⟨if wp.abs($delta) > {slope}:
            # an outlier counts less
            $delta = $delta * {alpha}
        |if {flag}[$i] == {SUSPECT}:
            return
        |⟩{m1}[$i] += {alpha} * $delta
        {m2}[$i] += ⟨$delta * $delta|{alpha} * $delta * $delta|wp.abs($delta)⟩
        ⟨{many}[$i] += 1|{stamp}[$i] = {epoch}|⟩
        """,
        kinds="arithmetic scalar_param",
    ),
    Idea(
        "option_chain",
        "option_bounds quick_price spread_value digital_value",
        "approximate the value of each option",
        """
        $d1 = ({spot}[$i] - {strike}[$i]) / ({vol}[$i] * {spot}[$i])
        $pay = ⟨{spot}[$i] * @normal_cdf($d1) - {strike}[$i] * @normal_cdf($d1 - {vol}[$i])|({spot}[$i] - {strike}[$i]) * @normal_cdf($d1) + {vol}[$i] * @normal_pdf($d1)|@payoff({spot}[$i], {strike}[$i], {right}[$i]) + {vol}[$i] * @normal_pdf($d1)⟩
        ⟨{price_out}[$i] = $pay * wp.exp(-{rate} * {mat}[$i])|{price_out}[$i] = $pay / (1.0 + {rate} * {mat}[$i])
        {delta_out}[$i] = @normal_cdf($d1)|{price_out}[$i] = wp.sqrt($pay * $pay + {fee})|{price_out}[$i] = $pay - {fee} * @normal_pdf($d1 - {rate})⟩
        """,
        kinds="scalar_param helper_functions",
    ),
    Idea(
        "squash_chain",
        "squash_samples soft_transform link_function smooth_map",
        "map each sample through a smooth function",
        """
        $x = @affine({x}[$i], {scale}, {bias})
        $x = ⟨@soft_abs|@logistic⟩($x⟨| - {y}[$i]⟩)
        {x_out}[$i] = ⟨@affine($x, {slope}, {lo})|@logistic({slope} * $x)|@soft_abs($x - {hi})⟩
        ⟨{est_out}[$i] = $x * {wt}[$i]|wp.atomic_add({gsum}, {grp}[$i], $x)|{est_out}[$i] = @logistic({y}[$i])|⟩
        """,
        kinds="arithmetic helper_functions scalar_param",
    ),
    Idea(
        "grade",
        "grade_samples classify_values bin_by_level label_samples",
        "classify each sample by its value",
        """
        $x = ⟨{x}[$i]|{x}[$i] * {scale}|{x}[$i] - {mean}[{grp}[$i]]⟩
        if $x < {lo} * ⟨0.5|0.25⟩:
            {rank_out}[$i] = 0
            ⟨{x_out}[$i] = {lo}|wp.atomic_add({lost}, 0, 1)|⟩
        elif $x > {hi} * ⟨0.5|0.75⟩:
            {rank_out}[$i] = ⟨2|3⟩
            ⟨{x_out}[$i] = {hi}|⟩
        ⟨elif {flag}[$i] == {SUSPECT}:
            {rank_out}[$i] = {MISSING}
        |⟩else:
            {rank_out}[$i] = 1
            ⟨{x_out}[$i] = $x|⟩
        """,
        kinds="multi_conditional control_flow scalar_param",
    ),
    Idea(
        "wave_math",
        "synthesize_wave evaluate_wave modulate_signal envelope",
        "evaluate the ⟨1:decaying|modulated⟩ oscillation of each sample",
        """
        $a = {slope} * {x}[$i] + {bias}
        ⟨1:$z = wp.exp(-{alpha} * {r}[$i]) * ⟨wp.sin|wp.cos⟩($a)|$z = ⟨wp.cos|wp.sin⟩($a) * (1.0 + {alpha} * wp.sin({y}[$i]))|$z = wp.tanh($a) * {r}[$i]⟩
        ⟨if {grp}[$i] == {only}:
            $z = $z * {scale}
        |⟩{z_out}[$i] = $z⟨| * {wt}[$i]⟩
        ⟨{est_out}[$i] = wp.atan2($z, {r}[$i])|{est_out}[$i] = wp.sqrt($z * $z + {alpha})|⟩
        """,
        kinds="math scalar_param",
    ),
)
