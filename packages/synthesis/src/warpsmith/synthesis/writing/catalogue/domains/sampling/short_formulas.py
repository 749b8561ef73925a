"""Short ideas of the domain `sampling`: elementwise formulas and sums."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

SHORT_FORMULAS = (
    Idea(
        "gather_samples",
        "gather_samples copy_samples thin_samples select_samples",
        "copy ⟨1:the ancestor of each sample|the samples in rotated order|the samples in reverse order⟩",
        """
        ⟨if {flag}[$i] == {BAD}:
            return
        |if not {valid}[$i]:
            {x_out}[$i] = 0.0
            return
        |if $i % {every} != 0:
            return
        |⟩$j = ⟨1:{pick_in}[$i]|($i + {shift}) % {n}|{n} - 1 - $i⟩
        {x_out}[$i] = {x}[$j]
        ⟨{wt_out}[$i] = {wt}[$j]|{p_out}[$i] = {p}[$j]|⟩
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
            {sig_out}[$c, $s] = ⟨1:0.0|{sig}[$c, 0]⟩
        else:
            {sig_out}[$c, $s] = {sig}[$c, $s] * ⟨{scale}|{gain}[$c]⟩|if $s >= {len}[$c]:
            {sig_out}[$c, $s] = ⟨1:0.0|{sig}[$c, {len}[$c] - 1]⟩
            return
        {sig_out}[$c, $s] = {sig}[$c, $s] * ⟨{scale}|{gain}[$c]⟩|$x = {sig}[$c, $s]
        if {bad}[$c] ⟨== 1|> 1⟩:
            $x = ⟨1:float(0.0)|{sig}[$c, 0]⟩
        {sig_out}[$c, $s] = $x⟨| * {gain}[$c]⟩|if $s < {len}[$c]⟨| and {bad}[$c] != 2⟩:
            {sig_out}[$c, $s] = {sig}[$c, $s]
        else:
            {sig_out}[$c, $s] = ⟨1:0.0|{sig}[$c, {len}[$c] - 1]⟩⟩
        ⟨if {bad}[$c] != 0:
            wp.atomic_add({lost}, 0, 1)|⟩
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
        |⟩wp.atomic_add({gsum}, $g, ⟨1:{x}[$i]|{x}[$i] * {wt}[$i]|{x}[$i] * {x}[$i]⟩)
        ⟨wp.atomic_add({gsq}, $g, {x}[$i] * {x}[$i])|wp.atomic_add({gcount}, $g, 1)|wp.atomic_add({gsq}, $g, ({x}[$i] - {mean}[$g]) * ({x}[$i] - {mean}[$g]))|⟩
        """,
        kinds="atomic arithmetic atomics reduction gather_scatter",
    ),
    Idea(
        "book_value",
        "book_value portfolio_value sum_positions mark_to_market",
        "add up the value of the positions of each portfolio",
        """
        $sum = float(0.0)
        each position:
            ⟨if {sector}[$as] == {only}:
                # excluded
                continue
            |⟩⟨$sum += float(⟨{qty}[$k]|wp.abs({qty}[$k])⟩) * {quote}[$as]|if {qty}[$k] ⟨1:>|<⟩ 0:
                # ⟨1:long|short⟩ positions only
                $sum += float({qty}[$k]) * ({quote}[$as] ⟨1:-|+⟩ {fee})|$sum += {quote}[$as] * float({qty}[$k]) - {fee} * float(wp.abs({qty}[$k]))⟩
        {lot_out}[$bk] = $sum
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
        ⟨for $k in range({obs}):
            for $j in range(⟨1:{feat}|$fa + 1, {feat}⟩):
                |for $j in range(⟨1:{feat}|$fa + 1, {feat}⟩):
            for $k in range({obs}):
                ⟩⟨1:⟨if $j != $fa:
                    |if $j == $fa:
                    continue
                ⟩|⟩$sum += ⟨|{wt}[$k] * ⟩{table}[$k, $fa] * {table}[$k, $j]
        {feat_out}[$fa] = $sum⟨| / float({obs})⟩
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
                ⟨1:$sum += {coef}[$k] * {sig}[$c, $s - $k]⟨| * {sig}[$c, $s]| * {gain}[$c]⟩|$sum += {sig}[$c, $s] * {sig}[$c, $s - $k]⟨| * (1.0 - float($k) / float({lags}))⟩⟩
        {chan_out}[$c] = $sum⟨| / float({t})⟩
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
        $z = $r * ⟨wp.cos|wp.sin⟩(6.2831853 * {u2}[$i])|$z = -wp.log({u1}[$i]) / {slope}|$z = wp.log({u1}[$i] / (1.0 - {u1}[$i]))⟨| / {slope}⟩|$z = wp.tan(wp.pi * ({u1}[$i] - 0.5))⟩
        {x_out}[$i] = {bias} + ⟨{scale}|{r}[$i]|{dev}[{grp}[$i]]⟩ * $z
        ⟨if $z > ⟨0.5|0.75⟩:
            # in the upper tail
            wp.atomic_add({hits}, 0, 1)|{z_out}[$i] = $z|⟩
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
        |⟩{x_out}[$i] = {x}[$i] + ⟨{step}|{scale}|{r}[$i]⟩ * $z
        ⟨{many_out}[$i] = {many}[$i] + 1|{z_out}[$i] = $z|⟩
        """,
        kinds="scalar_param arithmetic monte_carlo random_noise",
    ),
    Idea(
        "rescale",
        "rescale_samples normalize_range affine_samples map_range",
        "map each ⟨1:sample to the unit range|uniform number to a range|sample by a linear function⟩",
        """
        $x = ⟨1:({x}[$i] - {lo}) / ({hi} - {lo})|⟨{lo} + ({hi} - {lo}) * {u1}[$i]|wp.lerp({lo}, {hi}, {u1}[$i])⟩|⟨{x}[$i] * {scale} + {bias}|({x}[$i] + {bias}) * {scale}⟩⟩
        ⟨1:⟨$x = wp.clamp($x, 0.0, 1.0)
        |⟩||⟨$x = wp.clamp($x, {lo}, {hi})
        |⟩⟩{x_out}[$i] = $x
        ⟨{z_out}[$i] = ($x - {mean}[{grp}[$i]]) / {dev}[{grp}[$i]]|wp.atomic_add({gsum}, {grp}[$i], $x⟨| * {wt}[$i]⟩)|⟩
        """,
        kinds="scalar_param arithmetic",
    ),
    Idea(
        "leak",
        "leaky_update decay_sums accumulate_errors integrate_error",
        "add the scaled errors to the running sums",
        """
        $delta = ⟨{x}[$i] - {y}[$i]|({x}[$i] - {y}[$i]) * {wt}[$i]|{x}[$i] * {scale} - {y}[$i]⟩
        ⟨if wp.abs($delta) > {clip}:
            # an outlier counts less
            $delta = $delta * {alpha}
        |if {flag}[$i] == {SUSPECT}:
            return
        |⟩{m1}[$i] += {alpha} * $delta
        {m2}[$i] += ⟨$delta * $delta|{alpha} * $delta * $delta⟩
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
        $pay = ⟨{spot}[$i] * @normal_cdf($d1) - {strike}[$i] * @normal_cdf($d1 - {vol}[$i])|({spot}[$i] - {strike}[$i]) * @normal_cdf($d1) + {vol}[$i] * {spot}[$i] * @normal_pdf($d1)|@payoff({spot}[$i], {strike}[$i], {right}[$i]) + {vol}[$i] * {spot}[$i] * @normal_pdf($d1)⟩
        ⟨{price_out}[$i] = $pay * wp.exp(-{rate} * {mat}[$i])|{price_out}[$i] = $pay / (1.0 + {rate} * {mat}[$i])
        {delta_out}[$i] = @normal_cdf($d1)|{price_out}[$i] = $pay - {fee}|{price_out}[$i] = wp.max($pay - {fee}, 0.0)⟩
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
        ⟨wp.atomic_add({gsum}, {grp}[$i], $x⟨| * {wt}[$i]⟩)|⟩
        """,
        kinds="arithmetic helper_functions scalar_param",
    ),
    Idea(
        "grade",
        "grade_samples classify_values bin_by_level label_samples",
        "classify each sample by its value",
        """
        $x = ⟨{x}[$i]|{x}[$i] - {mean}[{grp}[$i]]⟩
        if $x < {lo} * ⟨1:0.5|0.25|0.75⟩:
            {tag_out}[$i] = 0
            ⟨2:# limit the extremes
            {x_out}[$i] = {lo} * ⟨1:0.5|0.25|0.75⟩|wp.atomic_add({lost}, 0, 1)|⟩
        elif $x > {hi} * ⟨1:0.5|0.25|0.75⟩:
            {tag_out}[$i] = 2
            ⟨2:{x_out}[$i] = {hi} * ⟨1:0.5|0.25|0.75⟩|wp.atomic_add({lost}, 0, 1)|⟩
        ⟨elif {flag}[$i] == {SUSPECT}:
            {tag_out}[$i] = {MISSING}
        |⟩else:
            {tag_out}[$i] = 1
            ⟨2:{x_out}[$i] = $x||⟩
        """,
        kinds="multi_conditional control_flow scalar_param",
    ),
    Idea(
        "wave_math",
        "synthesize_wave evaluate_wave modulate_signal envelope",
        "evaluate the ⟨1:decaying|modulated|chirped⟩ oscillation of each sample",
        """
        $a = {slope} * {x}[$i] + {bias}
        ⟨1:$z = wp.exp(-{alpha} * {r}[$i]) * ⟨wp.sin|wp.cos⟩($a)|$z = ⟨wp.cos|wp.sin⟩($a) * (1.0 + {alpha} * wp.sin({y}[$i]))|# the frequency grows with the value
        $z = ⟨wp.sin|wp.cos⟩($a * {x}[$i])⟩
        {x_out}[$i] = $z⟨| * {scale}⟩
        ⟨if $z > 0.25:
            wp.atomic_add({hits}, 0, 1)|wp.atomic_add({gsq}, {grp}[$i], $z * $z)|⟩
        """,
        kinds="math scalar_param",
    ),
)
