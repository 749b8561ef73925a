"""Ideas of the domain `learning`: optimizers, schedules of the learning rate, norms and averages of parameters."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

OPTIMIZERS = (
    Idea(
        "sgd",
        "sgd_step sgd_momentum_step apply_sgd momentum_update update_params",
        "update each parameter by ⟨1:gradient descent|gradient descent with momentum|Nesterov momentum|the sign of the momentum⟩",
        """
        hook param_begin
        ⟨$gid = {group}[$p]|⟩
        $g = {g}[$p]
        hook grad
        ⟨1:⟨|if wp.abs($g) < {min_grad}:
            # too small to matter
            {w_out}[$p] = $w
            return⟩
        {w_out}[$p] = $w - $lr * $g|$vn = {vel}[$p] * {mu} + $g
        {vel_out}[$p] = $vn
        {w_out}[$p] = $w - $lr * $vn|$vn = {mu} * {vel}[$p] + $g
        $upd = $g + {mu} * $vn
        {vel_out}[$p] = $vn
        {w_out}[$p] = $w - $lr * $upd|$vn = {mu} * {vel}[$p] + (1.0 - {mu}) * $g
        {vel_out}[$p] = {beta2} * {vel}[$p] + (1.0 - {beta2}) * $g
        ⟨{w_out}[$p] = $w - $lr * wp.sign($vn)|if $vn > 0.0:
            {w_out}[$p] = $w * (1.0 - $lr * {decay}) - $lr
        else:
            {w_out}[$p] = $w * (1.0 - $lr * {decay}) + $lr⟩⟩
        """,
        threads="p",
        kinds="arithmetic optimizers",
    ),
    Idea(
        "adam",
        "adam_step adamw_step adam_update apply_adam adam_kernel",
        "update each parameter by ⟨1:Adam|Adam with decoupled weight decay|rectified Adam|AMSGrad⟩",
        """
        hook param_begin
        ⟨$gid = {group}[$p]|⟩
        $g = {g}[$p]
        hook grad

        # moments of the gradient
        $m = {beta1} * {m1}[$p] + (1.0 - {beta1}) * $g
        $v = {beta2} * {m2}[$p] + (1.0 - {beta2}) * $g * $g
        {m1_out}[$p] = $m
        {m2_out}[$p] = $v

        ⟨3:⟨$t = {step}[$gid]|$t = wp.max({step}[$gid], 1)⟩
        # the moments start at zero
        $mh = $m / @bias_fix({beta1}, $t)
        $vh = $v / @bias_fix({beta2}, $t)|$t = float({step}[$gid])
        $mh = $m / (1.0 - wp.pow({beta1}, $t))
        $vh = $v / (1.0 - wp.pow({beta2}, $t))|$mh = $m
        $vh = $v|$mh = $m / @bias_fix({beta1}, {now})
        $vh = $v / @bias_fix({beta2}, {now})⟩
        $upd = $mh / (wp.sqrt($vh) + {eps})
        ⟨1:{w_out}[$p] = $w - $lr * $upd|⟨{w_out}[$p] = $w - $lr * ($upd + {decay} * $w)|if $gid == 0:
            # biases and norms do not decay
            {w_out}[$p] = $w - $lr * $upd
        else:
            {w_out}[$p] = $w - $lr * $upd - $lr * {decay_of}[$gid] * $w⟩|if {step}[$gid] < 4:
            # too few steps to estimate the variance
            {w_out}[$p] = $w - $lr * $mh
        else:
            {w_out}[$p] = $w - $lr * $upd|$vmax = wp.max({vmax}[$p], $vh)
        {vmax_out}[$p] = $vmax
        {w_out}[$p] = $w - $lr * $mh / (wp.sqrt($vmax) + {eps})⟩
        """,
        threads="p",
        kinds="arithmetic math scalar_param optimizers helper_functions",
        docs="one step of Adam ⟨3:with|with|without|with⟩ bias correction; moments and parameters go to separate arrays",
    ),
    Idea(
        "adaptive",
        "rmsprop_step adagrad_step rmsprop_update adagrad_update adaptive_step",
        "update each parameter by ⟨1:RMSProp|Adagrad|centred RMSProp|RMSProp with momentum⟩",
        """
        hook param_begin
        ⟨1:⟨$gid = {group}[$p]|⟩|⟨$gid = {group}[$p]|⟩|$gid = {group}[$p]|⟩
        $g = {g}[$p]
        hook grad
        ⟨1:$v = {beta2} * {m2}[$p] + (1.0 - {beta2}) * $g * $g
        {m2_out}[$p] = $v|$v = {m2}[$p] + $g * $g
        {m2_out}[$p] = $v|$v = {beta2} * {m2}[$p] + (1.0 - {beta2}) * $g * $g
        $m = {beta2} * {m1}[$p] + (1.0 - {beta2}) * $g
        {m1_out}[$p] = $m
        {m2_out}[$p] = $v
        # variance instead of the second moment
        $v = wp.max($v - $m * $m, {eps})|$v = {beta2} * {m2}[$p] + (1.0 - {beta2}) * $g * $g
        {m2_out}[$p] = $v⟩
        ⟨$upd = $g / (wp.sqrt($v) + {eps})|$upd = $g / wp.sqrt($v + {eps})⟩
        ⟨1:||⟨|if wp.abs($upd) > {max_norm}:
            $upd = {max_norm} * wp.sign($upd)
            wp.atomic_add({hot}, $gid, 1)⟩|$upd = $upd + {mu} * {vel}[$p]
        {vel_out}[$p] = $upd⟩
        {w_out}[$p] = $w - $lr * $upd
        """,
        threads="p",
        kinds="arithmetic math optimizers",
    ),
    Idea(
        "schedule",
        "update_lr lr_schedule schedule_learning_rate step_scheduler set_lr",
        "compute the learning rate of each parameter group from its schedule",
        """
        $it = {iter}[$k]
        $rate = {base}[$k]
        if $it < {warmup}:
            # linear warm-up
            {lr_out}[$k] = $rate * float($it + 1) / float({warmup})
            ⟨4:|{phase}[$k] = 1
            |{phase}[$k] = 1
            ⟩return
        ⟨4:⟨|if $it > {horizon}:
            {lr_out}[$k] = {min_lr}
            return⟩|{phase}[$k] = 2|if $it >= {horizon}:
            {lr_out}[$k] = {min_lr}
            {phase}[$k] = 3
            return⟩

        ⟨$progress = wp.min(float($it - {warmup}) / float({horizon} - {warmup}), 1.0)|$progress = wp.clamp(float($it - {warmup}) / float({horizon} - {warmup}), 0.0, 1.0)⟩
        if {kind}[$k] == {LINEAR}:
            $rate = $rate * (1.0 - $progress)⟨ + {min_lr} * $progress|⟩
        elif {kind}[$k] == {COSINE}:
            $rate = {min_lr} + 0.5 * ($rate - {min_lr}) * (1.0 + wp.cos({PI} * $progress))
        ⟨elif {kind}[$k] == {EXP}:
            $drops = ($it - {warmup}) // {period}
            $rate = $rate * wp.pow({gamma}, float($drops))|elif {kind}[$k] != {CONSTANT}:
            # inverse square root
            $rate = $rate * wp.sqrt(float({warmup}) / float($it + 1))⟩
        {lr_out}[$k] = ⟨$rate|wp.max($rate, {min_lr})⟩
        """,
        threads="k",
        kinds="multi_conditional control_flow math scalar_param optimizers early_exit",
    ),
    Idea(
        "clip_grads",
        "clip_grad_norm clip_gradients scale_grads clip_by_norm apply_clip",
        "clip the gradient of each parameter",
        """
        ⟨|hook param_begin⟩
        $gid = {group}[$p]
        $g = {g}[$p]
        ⟨$norm = {norm}[0]
        if $norm > {max_norm}:
            # scale the whole gradient to the largest norm
            $g = $g * {max_norm} / ($norm + {eps})
            ⟨wp.atomic_add({hot}, $gid, 1)|⟩|$ratio = {max_norm} / wp.max({norm}[0], {eps})
        $g = $g * wp.min($ratio, 1.0)|$limit = {max_grad}
        if $g > $limit:
            $g = $limit
            wp.atomic_add({hot}, $gid, 1)
        elif $g < -$limit:
            $g = -$limit
            wp.atomic_add({hot}, $gid, 1)|# adaptive: relative to the parameter itself
        $limit = {max_grad} * wp.max(wp.abs($w), {eps})
        if wp.abs($g) > $limit:
            $g = $limit * wp.sign($g)
            ⟨wp.atomic_add({hot}, $gid, 1)|⟩⟩
        {g_out}[$p] = $g
        """,
        threads="p",
        kinds="control_flow arithmetic optimizers",
    ),
    Idea(
        "grad_norm",
        "accumulate_grad_norm group_norms sum_squared_grads compute_grad_norm reduce_norm",
        "add up the squared ⟨1:gradients|distances from the average|gradients|weights⟩ of each parameter group",
        """
        hook param_begin
        ⟨$gid = {group}[$p]|⟩
        ⟨1:$g = {g}[$p]|$g = {w}[$p] - {ema}[$p]|$g = {g}[$p]
        hook grad|$g = {w}[$p]⟩
        ⟨1:⟨if wp.abs($g) > {max_grad}:
            $g = {max_grad} * wp.sign($g)
            wp.atomic_add({hot}, $gid, 1)
        |⟩||⟨if wp.abs($g) > {max_grad}:
            wp.atomic_add({hot}, $gid, 1)
            $g = {max_grad} * wp.sign($g)
        |⟩|⟩⟨wp.atomic_add({sq}, $gid, $g * $g)|wp.atomic_add({sq}, {group}[$p], $g * $g)|# the first group contains the biases
        if $gid ⟨> 0|!= 0⟩:
            wp.atomic_add({sq}, $gid, $g * $g)|if {region}[$p] == 0:
            # only the weights
            wp.atomic_add({sq}, $gid, $g * $g)⟩
        """,
        threads="p",
        kinds="atomic optimizers reduction",
    ),
    Idea(
        "ema",
        "update_ema polyak_update soft_update update_target ema_step",
        "move the averaged parameters towards the parameters",
        """
        hook param_begin
        ⟨$rate = {tau}|# slow at first
        $rate = wp.min({tau} * float({now}), 0.5)|$gid = {group}[$p]
        $rate = wp.min({tau} * float({step}[$gid]), 0.5)|$rate = float(1.0) / float({step}[$gid] + 1)⟩
        ⟨{ema_out}[$p] = $rate * $w + (1.0 - $rate) * {ema}[$p]|{ema_out}[$p] = {ema}[$p] + $rate * ($w - {ema}[$p])|if {touched}[$p] < 0:
            # the first time, copy the parameter
            {ema_out}[$p] = $w
            return
        ⟨{ema_out}[$p] = {ema}[$p] + ($w - {ema}[$p]) * $rate|$d = $w - {ema}[$p]
        if wp.abs($d) > {max_grad}:
            $d = {max_grad} * wp.sign($d)
        {ema_out}[$p] = {ema}[$p] + $rate * $d⟩|{ema_out}[$p] = wp.lerp({ema}[$p], $w, $rate)⟩
        """,
        threads="p",
        kinds="arithmetic optimizers",
    ),
)
