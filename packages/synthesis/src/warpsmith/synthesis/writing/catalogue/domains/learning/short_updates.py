"""Short ideas of the domain `learning`: optimizers, copies and resets of parameters."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

SHORT_UPDATES = (
    Idea(
        "sgd_inplace",
        "sgd_inplace apply_gradients update_weights gradient_step",
        "subtract the scaled ⟨1:gradient|momentum|mean of the gradients⟩ from each parameter in place",
        """
        ⟨if {frozen}[$p]:
            return
        |if {region}[$p] == {FROZEN}:
            return
        |if wp.abs({g}[$p]) < {min_grad}:
            return
        |⟩⟨1:|$vn = {mu} * {vel}[$p] + {g}[$p]
        {vel_out}[$p] = $vn
        |$m = {beta1} * {m1}[$p] + (1.0 - {beta1}) * {g}[$p]
        {m1_out}[$p] = $m
        ⟩{w}[$p] -= ⟨{lr}|{lr_of}[{group}[$p]]⟩ * ⟨1:{g}[$p]|$vn|$m⟩
        ⟨{touched}[$p] = {now}|wp.atomic_add({sq}, {group}[$p], {g}[$p] * {g}[$p])|⟩
        """,
        threads="p",
        kinds="arithmetic scalar_param optimizers",
    ),
    Idea(
        "point_step",
        "step_points update_positions sgd_points descend_points",
        "move each optimized point ⟨1:against its gradient|along its momentum⟩",
        """
        ⟨if {frozen}[$p]:
            return
        |if {region}[$p] == {FROZEN}:
            return
        |⟩⟨1:{xyz}[$p] -= {gxyz}[$p] * ⟨{lr}|{lr_of}[{group}[$p]]⟩|$m = {mxyz}[$p] * {mu} + {gxyz}[$p]
        {mxyz_out}[$p] = $m
        {xyz}[$p] -= $m * ⟨{lr}|{lr_of}[{group}[$p]]⟩⟩
        ⟨{touched}[$p] = {now}|wp.atomic_add({sq}, {group}[$p], wp.dot({gxyz}[$p], {gxyz}[$p]))|⟩
        """,
        threads="p",
        kinds="vector scalar_param optimizers",
    ),
    Idea(
        "clip_points",
        "clip_point_grads limit_steps clip_vectors trust_region",
        "limit the step of each point and apply it",
        """
        $g = {gxyz}[$p]⟨| * {scale}| + {mxyz}[$p] * {mu}⟩
        $norm = ⟨wp.length($g)|wp.sqrt(wp.dot($g, $g) + {eps})⟩
        if $norm > {max_grad}⟨| and not {frozen}[$p]⟩:
            # keep the direction
            $g = $g * ({max_grad} / $norm)
            ⟨wp.atomic_add({hot}, {group}[$p], 1)|⟩
        {xyz_out}[$p] = {xyz}[$p] - $g * {lr}
        ⟨|wp.atomic_add({sq}, {group}[$p], wp.dot($g, $g))⟩
        """,
        threads="p",
        kinds="combined vector control_flow optimizers",
    ),
    Idea(
        "rms_step",
        "rms_step adaptive_update normalize_grads scale_by_rms",
        "scale each gradient by its ⟨1:root mean square|running mean square⟩",
        """
        ⟨if {frozen}[$p]:
            return
        |⟩$g = {g}[$p]
        $v = ⟨{m2}[$p] + $g * $g|{beta2} * {m2}[$p] + (1.0 - {beta2}) * $g * $g|wp.max({m2}[$p], $g * $g)⟩
        {w_out}[$p] = {w}[$p] - {lr} * ⟨$g|{m1}[$p]⟩ / ⟨(wp.sqrt($v) + {eps})|wp.sqrt($v + {eps})|wp.pow($v + {eps}, 0.25)⟩
        ⟨{m2_out}[$p] = $v|wp.atomic_add({sq}, {group}[$p], $g * $g)|⟩
        """,
        threads="p",
        kinds="math scalar_param optimizers",
    ),
    Idea(
        "newton_step",
        "precondition_step newton_step matrix_update whiten_gradients",
        "update each point by its preconditioned gradient",
        """
        ⟨if {frozen}[$p]:
            {xyz_out}[$p] = {xyz}[$p]
            return
        |⟩$g = ⟨{precond}[$p]|0.5 * ({precond}[$p] + wp.transpose({precond}[$p]))⟩ @ {gxyz}[$p]
        ⟨$g = $g + {mxyz}[$p] * {mu}
        |⟩{xyz_out}[$p] = {xyz}[$p] - $g * ⟨{lr}|{lr_of}[{group}[$p]]⟩
        ⟨wp.atomic_add({sq}, {group}[$p], wp.dot($g, {gxyz}[$p]))|wp.atomic_add({sq}, {group}[$p], wp.dot($g, $g))|⟩
        """,
        threads="p",
        kinds="matrix vector optimizers linear_algebra",
    ),
    Idea(
        "add_grads",
        "accumulate_grads sum_gradients add_to_group reduce_gradients",
        "add the squared gradient of each parameter to the norm of its group",
        """
        ⟨if {frozen}[$p]:
            return
        |if {touched}[$p] == {now}:
            return
        |⟩$g = {g}[$p]⟨ * {scale}| + {decay} * {w}[$p]|⟩
        ⟨if wp.abs($g) > {max_grad}:
            $g = {max_grad} * wp.sign($g)
            wp.atomic_add({hot}, {group}[$p], 1)
        |$g = wp.clamp($g, -{max_grad}, {max_grad})
        |if wp.abs($g) < {min_grad}:
            return
        |⟩wp.atomic_add({sq}, {group}[$p], $g * $g)
        ⟨{g_out}[$p] = $g|⟩
        """,
        threads="p",
        kinds="atomic arithmetic optimizers atomics reduction",
    ),
    Idea(
        "rate_ladder",
        "scheduled_rate warmup_rate set_rates group_rates",
        "set the learning rate of each group",
        """
        $it = {iter}[$k]
        if $it < {warmup}:
            {lr_out}[$k] = {base}[$k] * float($it) / float({warmup})
        elif $it > {horizon}:
            {lr_out}[$k] = {min_lr}
        ⟨|elif {kind}[$k] == {COSINE}:
            {lr_out}[$k] = {base}[$k] * (0.5 + 0.5 * wp.cos({PI} * float($it) / float({horizon})))
        |elif {kind}[$k] == {LINEAR}:
            {lr_out}[$k] = {base}[$k] * (1.0 - float($it) / float({horizon}))
        ⟩else:
            {lr_out}[$k] = {base}[$k] * ⟨wp.exp(-0.02 * float($it))|wp.pow({gamma}, float($it) / float({period}))|wp.sqrt(float({warmup}) / float($it))⟩
        """,
        threads="k",
        kinds="multi_conditional math scalar_param optimizers",
    ),
    Idea(
        "moment_chain",
        "update_moments lion_step ema_update momentum_chain",
        "update the moments of each parameter with weight decay",
        """
        $g = @decayed({g}[$p], {w}[$p], {decay})
        $m = @mix({m1}[$p], $g, {beta1})
        ⟨{m2_out}[$p] = @mix({m2}[$p], $g * $g, {beta2})|{w_out}[$p] = {w}[$p] - {lr} * $m|# only the sign of the mean counts
        {w_out}[$p] = {w}[$p] - {lr} * wp.sign(@mix({m1}[$p], $g, {beta2}))|{ema_out}[$p] = @mix({ema}[$p], {w}[$p] - {lr} * $m, {beta})⟩
        {m1_out}[$p] = $m
        """,
        threads="p",
        kinds="scalar_param arithmetic optimizers helper_functions",
    ),
    Idea(
        "age_params",
        "age_parameters count_stale tick_update_age mark_updated",
        "count the steps since each parameter was changed",
        """
        ⟨if {frozen}[$p]:
            return
        |if {region}[$p] == {FROZEN}:
            {idle}[$p] = 0
            return
        |⟩if {touched}[$p] == {now}⟨| or {frozen}[$p]⟩:
            {idle}[$p] = 0
        ⟨elif {touched}[$p] < 0:
            # never updated
            {idle}[$p] = {now}
        |elif {idle}[$p] > 6:
            wp.atomic_add({stale}, {group}[$p], 1)
        |⟩else:
            {idle}[$p] = {idle}[$p] + ⟨1|{every}⟩
        """,
        threads="p",
        kinds="control_flow multi_conditional optimizers",
        integer=True,
    ),
    Idea(
        "copy_params",
        "copy_params sync_target load_weights restore_params",
        "copy the ⟨1:parameters|averaged parameters⟩ of ⟨2:a group|unfrozen parts⟩",
        """
        ⟨2:if {group}[$p] != {sync_group}:
            return|if {frozen}[$p]:
            return⟩
        {target}[$p] = ⟨1:{w}[$p]|{ema}[$p]⟩
        ⟨{vel_out}[$p] = {vel}[$p]|{m1_out}[$p] = {m1}[$p]
        {m2_out}[$p] = {m2}[$p]|{ema_out}[$p] = {w}[$p]|{ema_out}[$p] = {ema}[$p] + {tau} * ({w}[$p] - {ema}[$p])|⟩
        ⟨{touched}[$p] = {now}|{idle}[$p] = 0|⟩
        """,
        threads="p",
        kinds="control_flow scalar_param",
    ),
    Idea(
        "zero_grads",
        "zero_grads clear_moments reset_optimizer init_state",
        "reset the ⟨1:gradient|moments⟩ of each parameter that is ⟨2:not frozen|new⟩",
        """
        ⟨2:if {frozen}[$p]:
            return|if {touched}[$p] >= 0:
            return⟩
        ⟨1:⟨{g_out}[$p] = 0.0|# the gradient starts with the weight decay
        {g_out}[$p] = {decay} * {w}[$p]|{g_out}[$p] = {decay_of}[{group}[$p]] * {w}[$p]⟩|{m1_out}[$p] = 0.0
        {m2_out}[$p] = ⟨0.0|{eps}⟩
        ⟨{vel_out}[$p] = 0.0|{vmax_out}[$p] = 0.0|⟩⟩
        ⟨{ema_out}[$p] = {w}[$p]
        |⟩⟨2:{touched}[$p] = ⟨{now}|-1⟩|{idle}[$p] = 0⟩
        """,
        threads="p",
        kinds="scalar_param arithmetic optimizers",
    ),
    Idea(
        "step_groups",
        "step_groups advance_groups count_steps tick_groups",
        "advance the step of each parameter group in place⟨1:| and set its phase⟩",
        """
        ⟨if {kind}[$k] == {CONSTANT}:
            return
        |⟩{iter}[$k] = {iter}[$k] + ⟨1:{every}|⟨1|{every}⟩⟩
        if {iter}[$k] > {horizon}:
            ⟨1:# the schedule starts again
            {iter}[$k] = ⟨0|{warmup}⟩
            ⟨{kind}[$k] = {LINEAR}|{step}[$k] = 1|⟩|{phase}[$k] = 3
            ⟨{iter}[$k] = {horizon}|⟩⟩
        ⟨1:elif {iter}[$k] % {period} < {every}:
            # a period is over
            {step}[$k] = {step}[$k] + 1|elif {iter}[$k] ⟨<|<=⟩ {warmup}:
            {phase}[$k] = 1
        else:
            {phase}[$k] = 2⟩
        """,
        threads="k",
        kinds="control_flow multi_conditional scalar_param optimizers",
        integer=True,
    ),
)
