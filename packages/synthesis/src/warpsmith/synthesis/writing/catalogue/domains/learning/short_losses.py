"""Short ideas of the domain `learning`: losses of predictions, points, rotations and maps; activations."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

SHORT_LOSSES = (
    Idea(
        "squared_error",
        "mse_loss squared_error l2_loss weighted_mse",
        "compute the ⟨1:squared|weighted squared|relative⟩ error of each prediction",
        """
        $err = {pred}[$i] - {truth}[$i]
        ⟨if {seg}[$i] == {eval_part}:
            # held out for the evaluation
            return
        |if not {mask}[$i]:
            return
        |⟩{reg_loss}[$i] = ⟨1:{scale} * $err * $err|{sample_weight}[$i] * $err * $err|$err * $err / (1.0 + {truth}[$i] * {truth}[$i])⟩
        ⟨{dpred}[$i] = ⟨1:2.0 * {scale} * $err|2.0 * {sample_weight}[$i] * $err|2.0 * $err / (1.0 + {truth}[$i] * {truth}[$i])⟩|wp.atomic_add({loss_sum}, 0, $err * $err)|wp.atomic_add({loss_sum}, 0, $err * $err)
        wp.atomic_add({loss_count}, 0, 1)|⟩
        """,
        kinds="arithmetic scalar_param losses",
    ),
    Idea(
        "robust_error",
        "charbonnier_loss robust_loss cauchy_loss log_cosh_loss",
        "compute the ⟨1:Charbonnier|Cauchy|Welsch|logistic⟩ loss of each prediction",
        """
        $err = ({pred}[$i] - {truth}[$i]) / ⟨{cut}|{delta}⟩
        $value = ⟨1:wp.sqrt(1.0 + $err * $err) - 1.0|wp.log(1.0 + $err * $err)|1.0 - wp.exp(-$err * $err)|wp.log(0.5 * (wp.exp($err) + wp.exp(-$err)))⟩
        ⟨if not {mask}[$i]:
            $value = 0.0
        |⟩{loss}[$i] = $value⟨| * {sample_weight}[$i]| * {scale}⟩
        ⟨wp.atomic_add({loss_sum}, 0, $value)|if wp.abs($err) > ⟨1.0|2.0⟩:
            wp.atomic_add({outliers}, 0, 1)|# derivative by the scaled error
        {dpred}[$i] = ⟨1:$err / wp.sqrt(1.0 + $err * $err)|2.0 * $err / (1.0 + $err * $err)|2.0 * $err * wp.exp(-$err * $err)|wp.tanh($err)⟩|⟩
        """,
        kinds="math scalar_param losses",
    ),
    Idea(
        "point_loss",
        "point_loss position_loss endpoint_error flow_loss",
        "compute the ⟨1:squared distance|distance along the normal⟩ of each predicted point from its target",
        """
        $u = {pt}[$i] - {pt_true}[$i]
        ⟨1:$value = wp.dot($u, $u)|$value = wp.abs(wp.dot($u, {normal}[$i]))⟩
        ⟨if $value > {cut}:
            # too far for a match
            wp.atomic_add({outliers}, 0, 1)
            return
        |if not {mask}[$i]:
            return
        |if {sample_weight}[$i] < {min_weight}:
            return
        |⟩{loss}[$i] = $value
        ⟨{pt_grad}[$i] ⟨=|+=⟩ ⟨1:2.0 * $u|wp.sign(wp.dot($u, {normal}[$i])) * {normal}[$i]⟩|wp.atomic_add({loss_sum}, 0, $value)|⟩
        """,
        kinds="combined vector losses",
    ),
    Idea(
        "chamfer",
        "nearest_point_loss match_loss pair_loss contrastive_points",
        "compute the loss of each point with its ⟨1:positive|positive and negative|neighbour⟩ point",
        """
        $j = {pos_id}[$i]
        $u = {pt}[$i] - {pt_true}[$j]
        $value = ⟨2:wp.length($u)|wp.dot($u, $u)⟩
        if ⟨1:$value > {margin}|{neg_id}[$i] >= 0|{seg}[$j] != {seg}[$i]⟩:
            $value = ⟨1:$value - {margin}|wp.max($value - ⟨2:wp.length|wp.length_sq⟩({pt}[$i] - {pt_true}[{neg_id}[$i]]) + {margin}, 0.0)|$value * {gamma}⟩
            ⟨1:wp.atomic_add({active}, 0, 1)|wp.atomic_add({loss_sum}, 0, $value)|{pt_grad}[$i] = {gamma} * ⟨2:wp.normalize($u)|2.0 * $u⟩⟩
        {pair_loss}[$i] = $value⟨| * {sample_weight}[$i]⟩
        """,
        kinds="combined control_flow vector losses gather_scatter",
    ),
    Idea(
        "rotation_loss",
        "rotation_loss frobenius_loss pose_loss orientation_error",
        "compute the error of each predicted rotation",
        """
        ⟨if not {mask}[$i]:
            return
        |⟩⟨$d = {rot}[$i] - {rot_true}[$i]
        $value = ⟨wp.ddot($d, $d)|wp.length_sq($d @ {pt}[$i])⟩|# the relative rotation; its trace is 3 without an error
        $d = ⟨wp.transpose({rot}[$i]) @ {rot_true}[$i]|{rot}[$i] @ wp.transpose({rot_true}[$i])⟩
        $value = ⟨3.0 - wp.trace($d)|0.5 * (3.0 - wp.trace($d))⟩⟩
        {rot_loss}[$i] = $value⟨ * {scale}| * {sample_weight}[$i]|⟩
        ⟨wp.atomic_add({loss_sum}, 0, $value)|{rot_out}[$i] = $d|⟩
        """,
        kinds="matrix losses",
    ),
    Idea(
        "hinge",
        "hinge_loss margin_loss ranking_loss clipped_error",
        "compute the ⟨1:hinge loss|squared hinge loss|insensitive loss⟩ of each row",
        """
        ⟨1:$gap = {margin} - {pred}[$i] * {truth}[$i]|$gap = {margin} - {pred}[$i] * {truth}[$i]|$gap = wp.abs({pred}[$i] - {truth}[$i]) - {margin}⟩
        if $gap > 0.0⟨| and {labels}[$i] != {ignore}| and {mask}[$i]⟩:
            {loss}[$i] = $gap⟨1:| * $gap|⟩
            ⟨{dpred}[$i] = ⟨1:-{truth}[$i]|-2.0 * $gap * {truth}[$i]|wp.sign({pred}[$i] - {truth}[$i])⟩|wp.atomic_add({active}, 0, 1)|wp.atomic_add({loss_sum}, 0, $gap)⟩
        ⟨else:
            {loss}[$i] = 0.0|⟩
        """,
        kinds="control_flow scalar_param losses",
    ),
    Idea(
        "loss_ladder",
        "select_loss mixed_loss per_segment_loss loss_by_kind",
        "compute the loss of each row by the kind of its segment",
        """
        $err = {pred}[$i] - {truth}[$i]
        if {seg}[$i] == 0:
            {loss}[$i] = 0.5 * $err * $err
            ⟨{dpred}[$i] = $err|⟩
        elif {seg}[$i] == 1⟨ and {mask}[$i]|⟩:
            {loss}[$i] = ⟨wp.abs($err)|@huber($err, {delta})⟩
        ⟨elif {sample_weight}[$i] < {min_weight}:
            {loss}[$i] = 0.0
        |⟩else:
            {loss}[$i] = ⟨{scale} * $err * $err|wp.max((1.0 - {quantile}) * $err, -{quantile} * $err)|$err * $err * {sample_weight}[$i]⟩
        """,
        kinds="multi_conditional control_flow losses",
    ),
    Idea(
        "total_variation",
        "total_variation smoothness_loss map_roughness gradient_penalty",
        "add up the ⟨1:absolute|squared|robust⟩ differences of adjacent values of each map",
        """
        $sum = float(0.0)
        for $yi in range(⟨2:{fh}|1, {fh}⟩):
            for $xi in range(1, {fw}):
                $d = {fmap}[$o, $yi, $xi] - {fmap}[$o, $yi, $xi - 1]
                ⟨1:$sum += wp.abs($d)|$sum += $d * $d|$sum += @huber($d, {delta})⟩⟨2:|
                $dy = {fmap}[$o, $yi, $xi] - {fmap}[$o, $yi - 1, $xi]
                ⟨1:$sum += wp.abs($dy)|$sum += $dy * $dy|$sum += @huber($dy, {delta})⟩⟩
        {tv_out}[$o] = $sum⟨| / float({fh} * ({fw} - 1))⟩
        ⟨wp.atomic_add({loss_sum}, 0, $sum)|⟩
        """,
        threads="o",
        kinds="nested_loop arithmetic losses reduction",
    ),
    Idea(
        "logit_chain",
        "binary_loss logistic_loss bce_rows pairwise_logistic",
        "compute the logistic loss of each row",
        """
        $s = @linear_unit({pred}[$i], {sharp}, ⟨{margin}|-{margin}⟩)
        $tc = ⟨{targets}[$i, 0]|@linear_unit({targets}[$i, 0], 1.0 - {smooth}, 0.5 * {smooth})⟩
        $value = @softplus($s) - $tc * $s
        {loss}[$i] = $value⟨| * {sample_weight}[$i]⟩
        ⟨{dpred}[$i] = {sharp} * (@sigmoid($s) - $tc)|wp.atomic_add({loss_sum}, 0, $value)|wp.atomic_add({loss_sum}, 0, $value)
        {dpred}[$i] = {sharp} * (@sigmoid($s) - $tc)⟩
        """,
        kinds="math scalar_param losses helper_functions",
    ),
    Idea(
        "activate",
        "activate apply_nonlinearity gated_unit activation_forward",
        "apply the ⟨1:gate and the activation|activation⟩ to each value",
        """
        $x = @linear_unit({pre}[$i, $d], ⟨{sharp}|1.0⟩, {unit_bias}[$d])
        $y = ⟨$x * @sigmoid($x)|@softplus($x)|@gelu($x)|wp.tanh($x)⟩
        ⟨1:$y = ⟨$y * {gate}[$i, $d]|@linear_unit($y, {gate}[$i, $d], {pre}[$i, $d])⟩|⟩
        {activated}[$i, $d] = $y
        ⟨if $y > {fire_level}:
            wp.atomic_add({firing}, $d, 1)|⟩
        """,
        threads="i d",
        kinds="math helper_functions multi_dim",
    ),
    Idea(
        "score_sums",
        "sum_scores query_key_sums attention_mass dot_all_keys",
        "⟨2:add up|average⟩ the products of each query with ⟨1:all keys|the keys of its length⟩",
        """
        $sum = float(0.0)
        for $t in range(⟨1:{used_keys}|{lengths}[$i]⟩):
            ⟨if {key_ids}[$i, $t] ⟨< 0|== {PAD}⟩:
                continue
            |⟩⟨$sum += {bias}[$i, $t]
            |⟩for $f in range({used_feat}):
                $sum += {query}[$i, $f] * {key}[$t, $f]⟨| * {inv_sqrt}⟩
        {attn_out}[$i] = $sum⟨2:| / float(⟨1:{used_keys}|{lengths}[$i]⟩)⟩
        """,
        kinds="nested_loop arithmetic",
    ),
    Idea(
        "bias_grad",
        "bias_grad reduce_bias column_sums accumulate_bias_grad",
        "add the gradient of each ⟨1:row|active unit⟩ to the bias of its channel",
        """
        $g = {d_embedded}[$i, $d]
        ⟨1:⟨if {ids}[$i] == {PAD}:
            return
        |⟩|if {pre}[$i, $d] < ⟨0.0|{fire_level}⟩:
            return
        ⟩wp.atomic_add({d_bias}, $d, $g * ⟨{scale}|{gate}[$i, $d]|{sample_weight}[$i]⟩)
        ⟨1:⟨wp.atomic_add({d_pos}, {place}[$i], $d, $g)|⟩|⟨wp.atomic_add({firing}, $d, 1)|wp.atomic_add({d_pos}, {place}[$i], $d, $g)|⟩⟩
        """,
        threads="i d",
        kinds="atomic arithmetic atomics reduction",
    ),
    Idea(
        "covariance",
        "⟨1:build_covariance|relative_rotations⟩ ⟨1:rotate_scales|rotation_difference⟩ ⟨1:covariance_from_rotation|compare_rotations⟩",
        "⟨1:build the covariance of each rotation and its extents|compute the relative rotation of each prediction and its target⟩",
        """
        ⟨1:⟨$prod = {rot}[$i] @ wp.diag({size3}[$i])
        {rot_out}[$i] = $prod @ wp.transpose($prod)|$prod = {rot}[$i] @ wp.diag(wp.cw_mul({size3}[$i], {size3}[$i]))
        {rot_out}[$i] = $prod @ wp.transpose({rot}[$i])⟩⟨| + wp.identity(n=3, dtype=float) * {eps}⟩
        ⟨|# large extents cost
        {loss}[$i] = {decay} * wp.dot({size3}[$i], {size3}[$i])⟩|$prod = ⟨{rot}[$i] @ wp.transpose({rot_true}[$i])|wp.transpose({rot_true}[$i]) @ {rot}[$i]⟩
        {rot_out}[$i] = $prod
        ⟨|{rot_loss}[$i] = 3.0 - wp.trace($prod)⟩⟩
        """,
        kinds="matrix linear_algebra",
    ),
)
