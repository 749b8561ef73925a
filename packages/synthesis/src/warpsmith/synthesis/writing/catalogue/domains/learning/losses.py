"""Ideas of the domain `learning`: losses of classifiers, regressions, policies and embeddings."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

LOSSES = (
    Idea(
        "cross_entropy",
        "cross_entropy_loss softmax_cross_entropy nll_loss cross_entropy_forward ce_loss",
        "compute the cross entropy of each row with its class label",
        """
        ⟨$label = {labels}[$i]|⟩
        ⟨if $label == {ignore}:
            return|if $label < 0:
            # no label: the row does not count
            {loss}[$i] = 0.0
            return⟩
        hook row_begin

        # the largest logit keeps the exponentials small
        $peak = {logits}[$i, 0]
        for $c in range(1, {C}):
            $peak = wp.max($peak, {logits}[$i, $c])
        $total = float(0.0)
        for $c in range({C}):
            $total += wp.exp(⟨1:{logits}[$i, $c] - $peak|({logits}[$i, $c] - $peak) / {temp}⟩)
        ⟨1:⟨$logz = $peak + wp.log($total)
        $value = $logz - {logits}[$i, $label]|$value = wp.log($total) + $peak - {logits}[$i, $label]⟩|⟨$logz = $peak / {temp} + wp.log($total)
        $value = $logz - {logits}[$i, $label] / {temp}|$value = wp.log($total) - ({logits}[$i, $label] - $peak) / {temp}⟩⟩
        ⟨2:||# label smoothing
        $mean = float(0.0)
        for $c in range({C}):
            $mean += {logits}[$i, $c] / float({C})
        $value = $value + {smooth} * ({logits}[$i, $label] - $mean)⟨1:| / {temp}⟩|# down-weight rows that are already classified well
        $prob = wp.exp(-$value)
        $value = $value * (1.0 - $prob)⟨| * (1.0 - $prob)⟩⟩
        ⟨|$value = $value * {class_weight}[$label]⟩
        hook loss

        {loss}[$i] = $value
        ⟨|wp.atomic_add({loss_sum}, 0, $value)
        ⟨|wp.atomic_add({loss_count}, 0, 1)⟩⟩
        ⟨2:|for $c in range({C}):
            $prob = wp.exp(⟨1:{logits}[$i, $c] - $peak|({logits}[$i, $c] - $peak) / {temp}⟩) / $total
            if $c == $label:
                $prob = $prob - 1.0
            {dlogits}[$i, $c] = $prob⟨1:| / {temp}⟩⟨ * {scale}|⟩||⟩
        """,
        kinds="math control_flow losses early_exit",
        docs="negative log likelihood of the label under the softmax of the scores; rows without a label are skipped",
    ),
    Idea(
        "regression",
        "regression_loss huber_loss value_loss l1_loss mse_loss",
        "compute the ⟨1:Huber|quadratic|log-cosh|quantile⟩ loss of each prediction",
        """
        hook row_begin
        $err = {pred}[$i] - {truth}[$i]
        ⟨1:⟨$value = @huber($err, {delta})|$ae = wp.abs($err)
        if $ae < {delta}:
            $value = 0.5 * $err * $err
            ⟨2:{dpred}[$i] = $err|⟩
        else:
            # linear beyond the threshold, so that outliers do not dominate
            $value = {delta} * ($ae - 0.5 * {delta})
            ⟨2:{dpred}[$i] = {delta} * wp.sign($err)|⟩⟩|⟨3:$value = 0.5 * $err * $err|$value = $err * $err⟩
        ⟨{dpred}[$i] = ⟨3:$err|2.0 * $err⟩|⟩|$ae = wp.abs($err)
        $value = $ae + wp.log(0.5 + 0.5 * wp.exp(-2.0 * $ae))
        ⟨{dpred}[$i] = wp.tanh($err)|⟩|if $err > 0.0:
            $value = (1.0 - {quantile}) * $err
        else:
            $value = -{quantile} * $err⟩
        hook loss
        ⟨if wp.abs($err) > {delta} * 2.0:
            wp.atomic_add({outliers}, 0, 1)|⟩
        {reg_loss}[$i] = $value
        ⟨|wp.atomic_add({loss_sum}, 0, $value)⟩
        """,
        kinds="control_flow math losses",
    ),
    Idea(
        "triplet",
        "triplet_loss triplet_margin_loss metric_loss hinge_pairs contrastive_loss",
        "compute the ⟨1:triplet|soft triplet⟩ loss of each row with its positive and negative row",
        """
        if {neg_id}[$i] ⟨< 0|== -1⟩:
            ⟨|{pair_loss}[$i] = 0.0⟩
            return
        hook row_begin
        ⟨2:$pos = {pos_id}[$i]
        $dp = float(0.0)
        $dn = float(0.0)
        for $f in range({F}):
            $u = {feat}[$i, $f] - {feat}[$pos, $f]
            $vd = {feat}[$i, $f] - {feat}[{neg_id}[$i], $f]
            $dp += ⟨$u * $u|wp.abs($u)⟩
            $dn += ⟨$vd * $vd|wp.abs($vd)⟩|$dp = @dist({feat}, $i, {pos_id}[$i])
        $dn = @dist({feat}, $i, {neg_id}[$i])⟩

        ⟨1:$gap = $dp - $dn + {margin}
        if $gap > 0.0:
            # the negative is closer than the margin permits
            $value = $gap⟨| * $gap⟩
            {pair_loss}[$i] = $value
            ⟨wp.atomic_add({active}, 0, 1)
            wp.atomic_add({loss_sum}, 0, $value)|wp.atomic_add({active}, 0, 1)|⟩|$gap = ($dp - $dn) / ⟨{margin}|{temp}⟩
        {pair_loss}[$i] = @softplus($gap)⟩
        """,
        kinds="control_flow losses",
    ),
    Idea(
        "tags",
        "bce_with_logits tag_loss multilabel_loss sigmoid_focal_loss binary_cross_entropy",
        "compute the binary cross entropy of the tags of each row",
        """
        hook row_begin
        $value = float(0.0)
        ⟨1:|$used = int(0)
        ⟩for $c in range({C}):
            if {multi}[$i, $c] < 0:
                # unknown tags have no loss
                continue
            ⟨1:|$used += 1
            ⟩$z = {logits}[$i, $c]
            $l = @softplus($z)
            if {multi}[$i, $c] == 1:
                $l = $l - $z
                ⟨if $z > 0.0:
                    wp.atomic_add({tag_hits}, $c, 1)|⟩
            ⟨||elif $z < 0.0:
                wp.atomic_add({tag_hits}, $c, 1)⟩
            ⟨|$l = $l * {class_weight}[$c]|$prob = @sigmoid($z)
            # weight of hard examples
            if {multi}[$i, $c] == 1:
                $l = $l * (1.0 - $prob)
            else:
                $l = $l * $prob⟩
            ⟨{bce}[$i, $c] = $l|⟩
            $value += $l
        ⟨1:|# mean over the known tags
        $value = $value / float(wp.max($used, 1))⟩
        hook loss
        {loss}[$i] = $value
        """,
        kinds="nested_loop math control_flow losses multi_conditional",
    ),
    Idea(
        "ppo",
        "ppo_loss surrogate_loss policy_gradient_loss clipped_policy_loss ppo_surrogate",
        "compute the clipped surrogate loss of each action",
        """
        hook row_begin
        $ratio = wp.exp({logp}[$i] - {logp_old}[$i])
        ⟨$lo = 1.0 - {clip}
        $hi = 1.0 + {clip}
        $value = -wp.min($ratio * $av, wp.clamp($ratio, $lo, $hi) * $av)|⟨1:|$value = float(0.0)⟩
        if $av > 0.0:
            # no reward for ratios beyond the range
            $value = -wp.min($ratio, 1.0 + {clip}) * $av
        else:
            $value = -wp.max($ratio, 1.0 - {clip}) * $av⟩
        if $ratio < 1.0 - {clip} or $ratio > 1.0 + {clip}:
            wp.atomic_add({clipped}, 0, 1)
            ⟨|{outlier}[$i] = 1⟩
        ⟨|# value of the state, in the same pass
        $err = {pred}[$i] - {truth}[$i]
        $value = $value + {vf} * ⟨$err * $err|@huber($err, {delta})⟩⟩
        ⟨|$value = $value + {ent} * wp.exp({logp}[$i]) * {logp}[$i]⟩
        hook loss
        {policy_loss}[$i] = $value
        ⟨|wp.atomic_add({loss_sum}, 0, $value)|{kl}[$i] = $ratio - 1.0 - ({logp}[$i] - {logp_old}[$i])⟩
        """,
        kinds="control_flow math losses",
        docs="clipped objective of proximal policy optimization: the ratio of probabilities may not leave its range for a gain",
    ),
    Idea(
        "distillation",
        "distill_loss kl_divergence kd_loss soft_cross_entropy teacher_loss",
        "compute the divergence of each row from the probabilities of the teacher",
        """
        hook row_begin
        $total = float(0.0)
        for $c in range({C}):
            $total += wp.exp({logits}[$i, $c] / {temp})
        $logz = wp.log($total)

        $value = float(0.0)
        for $c in range({C}):
            $tc = {targets}[$i, $c]
            ⟨|if $tc < {floor}:
                continue⟩
            $lp = {logits}[$i, $c] / {temp} - $logz
            ⟨$value += $tc * (wp.log($tc) - $lp)|$value -= $tc * $lp⟩
        ⟨|# gradients shrink with the square of the temperature
        $value = $value * {temp} * {temp}⟩
        hook loss
        {distill}[$i] = $value
        """,
        kinds="math losses",
    ),
)
