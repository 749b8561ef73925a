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
            $err = 0.5 * $err
        |if not {mask}[$i]:
            return
        |⟩{reg_loss}[$i] = ⟨1:{scale} * $err * $err|{sample_weight}[$i] * $err * $err|$err * $err / ({truth}[$i] * {truth}[$i] + {cut})⟩
        ⟨{dpred}[$i] = 2.0 * {scale} * $err|wp.atomic_add({loss_sum}, 0, $err * $err)|{dpred}[$i] = {sample_weight}[$i] * $err
        wp.atomic_add({loss_count}, 0, 1)|⟩
        """,
        kinds="arithmetic scalar_param losses",
    ),
    Idea(
        "robust_error",
        "charbonnier_loss robust_loss cauchy_loss log_cosh_loss",
        "compute the ⟨1:Charbonnier|Cauchy|Welsch|logistic⟩ loss of each prediction",
        """
        $err = ({pred}[$i] - {truth}[$i]) ⟨/ {cut}|* {scale}⟩
        $value = ⟨1:wp.sqrt(1.0 + $err * $err) - 1.0|wp.log(1.0 + $err * $err)|1.0 - wp.exp(-$err * $err)|wp.log(0.5 * (wp.exp($err) + wp.exp(-$err)))⟩
        ⟨if not {mask}[$i]:
            $value = 0.0
        |⟩{loss}[$i] = $value⟨| * {sample_weight}[$i]| * {cut}⟩
        ⟨wp.atomic_add({loss_sum}, 0, $value)|if wp.abs($err) > ⟨1.0|{scale}⟩:
            wp.atomic_add({outliers}, 0, 1)|{dpred}[$i] = $err|⟩
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
        ⟨if $value > {cut}⟨| and {seg}[$i] != {eval_part}⟩:
            # too far for a match
            wp.atomic_add({outliers}, 0, 1)
            return
        |if {mask}[$i]:
            $value = $value * {scale}
        |if {sample_weight}[$i] < {min_weight}:
            $value = $value * {sample_weight}[$i]
        ⟩{loss}[$i] = $value
        ⟨{pt_grad}[$i] = $u * {scale}|wp.atomic_add({loss_sum}, 0, $value)|{pt_grad}[$i] += $u|⟩
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
        $value = ⟨wp.length($u)|wp.dot($u, $u)⟩
        if ⟨1:$value > {margin}|{neg_id}[$i] >= 0|{seg}[$j] != {seg}[$i]⟩:
            $value = ⟨1:$value - {margin}|$value + {margin} * wp.dot({pt}[$i], {pt_true}[{neg_id}[$i]])|$value * {scale}⟩
            ⟨wp.atomic_add({active}, 0, 1)|{pt_grad}[$i] = $u⟩
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
        |⟩$d = ⟨{rot}[$i] - {rot_true}[$i]|wp.transpose({rot}[$i]) @ {rot_true}[$i]|{rot}[$i] @ {rot_true}[$i] - {rot_true}[$i]⟩
        $value = ⟨wp.ddot($d, $d)|3.0 - wp.trace($d)|wp.length_sq($d @ {pt}[$i])⟩
        {rot_loss}[$i] = $value⟨ * {scale}| * {sample_weight}[$i]|⟩
        ⟨wp.atomic_add({loss_sum}, 0, $value)|{rot_out}[$i] = $d * {scale}|{pt_grad}[$i] = $d @ {pt}[$i]|⟩
        """,
        kinds="matrix losses",
    ),
    Idea(
        "hinge",
        "hinge_loss margin_loss ranking_loss clipped_error",
        "compute the ⟨1:hinge loss|squared hinge loss|insensitive loss⟩ of each row",
        """
        ⟨1:$gap = {margin} - {pred}[$i] * {truth}[$i]|$gap = {margin} - {pred}[$i] + {truth}[$i]|$gap = wp.abs({pred}[$i] - {truth}[$i]) - {margin}⟩
        if $gap > 0.0⟨| and {labels}[$i] != {ignore}| and {mask}[$i]⟩:
            {loss}[$i] = $gap⟨1:| * $gap| * {scale}⟩
            ⟨{dpred}[$i] = -{truth}[$i]|wp.atomic_add({active}, 0, 1)|wp.atomic_add({loss_sum}, 0, $gap)⟩
        ⟨else:
            {loss}[$i] = 0.1 * $gap|elif {seg}[$i] == {eval_part}:
            {loss}[$i] = $gap * {decay}|⟩
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
        ⟨elif {labels}[$i] < 2:
            {loss}[$i] = {scale} * $err
        |⟩else:
            {loss}[$i] = ⟨{scale} * {truth}[$i]|wp.max($err, {scale} * $err)|$err * $err * {sample_weight}[$i]⟩
        """,
        kinds="multi_conditional control_flow losses",
    ),
    Idea(
        "total_variation",
        "total_variation smoothness_loss map_roughness gradient_penalty",
        "add up the ⟨1:absolute|squared⟩ differences of adjacent values of each map",
        """
        $sum = float(0.0)
        for $yi in range(⟨{fh}|1, {fh}⟩):
            for $xi in range(1, {fw}):
                $d = {fmap}[$o, $yi, $xi] - {fmap}[$o, $yi, $xi - 1]
                ⟨1:$sum += wp.abs($d)|$sum += $d * $d⟩⟨| * {scale}⟩
        {tv_out}[$o] = $sum⟨| * 0.5| / float({fh})⟩
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
        $s = @linear_unit({pred}[$i], {scale}, ⟨{margin}|-{margin}⟩)
        $value = @softplus($s) - ⟨{truth}[$i] * $s|@linear_unit($s, {scale}, {truth}[$i])⟩
        {loss}[$i] = $value⟨| * {sample_weight}[$i]⟩
        ⟨{dpred}[$i] = @linear_unit($s, {scale}, {truth}[$i])|{dpred}[$i] = @sigmoid($s) - {truth}[$i]|wp.atomic_add({loss_sum}, 0, $value)
        {dpred}[$i] = {scale} * @sigmoid($s)⟩
        """,
        kinds="math scalar_param losses helper_functions",
    ),
    Idea(
        "activate",
        "activate apply_nonlinearity gated_unit activation_forward",
        "apply the ⟨1:gate and the activation|activation⟩ to each value",
        """
        $x = @linear_unit({pre}[$i, $d], ⟨{scale}|{unit_bias}[$d]⟩, {unit_bias}[$d])
        $y = ⟨$x * @sigmoid($x)|@softplus($x)|@gelu($x)|wp.tanh($x)⟩
        ⟨1:$y = @linear_unit($y, {gate}[$i, $d], {scale})|⟩
        {activated}[$i, $d] = $y
        ⟨if $y > {scale}:
            wp.atomic_add({firing}, $d, 1)|⟩
        """,
        threads="i d",
        kinds="math helper_functions multi_dim",
    ),
    Idea(
        "score_sums",
        "sum_scores query_key_sums attention_mass dot_all_keys",
        "add up the products of each query with ⟨1:all keys|the keys of its length⟩",
        """
        $sum = float(0.0)
        for $t in range(⟨1:{used_keys}|{lengths}[$i]⟩):
            ⟨if {key_ids}[$i, $t] ⟨< 0|> 10⟩:
                continue
            |⟩for $f in range({used_feat}):
                $sum += {query}[$i, $f] * {key}[$t, $f]⟨| * {inv_sqrt}| * {bias}[$i, $t]⟩
        {attn_out}[$i] = $sum⟨| * 0.125| + {pred}[$i]⟩
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
        |⟩|if {pre}[$i, $d] < ⟨0.0|{margin}⟩:
            return
        ⟩wp.atomic_add({d_bias}, $d, $g * ⟨{scale}|{gate}[$i, $d]|{sample_weight}[$i]⟩)
        ⟨wp.atomic_add({firing}, $d, 1)|wp.atomic_add({d_pos}, {place}[$i], $d, $g)|{activated}[$i, $d] = $g * {pre}[$i, $d]|⟩
        """,
        threads="i d",
        kinds="atomic arithmetic atomics reduction",
    ),
    Idea(
        "covariance",
        "build_covariance rotate_scales compose_rotations covariance_from_rotation",
        "build the ⟨1:covariance|product⟩ of each rotation",
        """
        ⟨1:$m = {rot}[$i] @ wp.diag({pt}[$i])
        {rot_out}[$i] = $m @ wp.transpose($m)|$m = {rot}[$i] @ ⟨{rot_true}[$i]|wp.transpose({rot_true}[$i])⟩
        {rot_out}[$i] = $m * {scale}⟩⟨| + wp.identity(n=3, dtype=float) * {decay}⟩
        ⟨{rot_loss}[$i] = wp.trace($m)|{rot_loss}[$i] = wp.determinant($m) * {scale}|{pt_grad}[$i] = $m @ {pt_true}[$i]|⟩
        """,
        kinds="matrix linear_algebra",
    ),
)
