"""Locals, loops, extras and helper functions of the domain `learning`."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.declare import helper, local
from warpsmith.synthesis.writing.ideas.parts import Extra

NAMES = {
    "label": "label y target cls",
    "peak": "max_logit m peak z_max",
    "total": "denom total z sum_exp",
    "logz": "log_z lse log_norm",
    "value": "loss_value loss l nll",
    "c": "c k cls j",
    "prob": "prob p pc p_k",
    "tc": "target_c t_c tk",
    "ae": "abs_err a e_abs",
    "weight": "weight wt w_row",
    "equal": "equal num_equal repeats dup",
    "prod": "prod m product rel",
    "dp": "dist_pos d_pos dp ap",
    "dn": "dist_neg d_neg dn an",
    "j": "j other nbr",
    "u": "u delta_p u_k",
    "gap": "gap violation hinge",
    "ratio": "ratio r rho",
    "g": "grad g grad_i gi",
    "m": "m m_new exp_avg_i mom",
    "v": "v v_new sq_avg_i vi",
    "vn": "v v_new vel_i vi",
    "vd": "v delta_n v_k",
    "w": "w param w_old wi",
    "err": "err diff e resid",
    "av": "adv_i a advantage_i",
    "gid": "gid group group_idx pg",
    "t": "t step_i pos_t",
    "lr": "lr lr_i rate step_size",
    "mh": "m_hat mhat m_corr",
    "vh": "v_hat vhat v_corr",
    "upd": "update delta dw step_vec",
    "it": "it step_i now_i t",
    "progress": "progress frac done_frac",
    "rate": "rate lr_now new_lr",
    "f": "k f c feat_idx",
    "ch": "ch ic c_in k",
    "winner": "best winner argmax top_cls",
    "id": "token word tok_id id",
    "e": "value emb_val e val",
    "dot": "dot qk acc s_dot",
    "s": "score s logit s_ij",
    "off": "bucket off rel rel_pos",
    "pos": "pos position p t",
    "ok": "visible ok allowed keep_it",
    "cs": "cos_a c ct cs",
    "sn": "sin_a s st sn",
    "a": "x0 a x_even first",
    "b": "x1 b x_odd second",
    "freq": "freq inv_freq_h omega w_h",
    "angle": "angle phi theta_i ang",
    "mean": "mean mu avg m",
    "var": "var sq_sum ss variance",
    "rstd": "rstd inv_std r rs",
    "x": "x xi val h_in",
    "y": "y out_val act_val res",
    "act": "act act_type fn activation",
    "rng": "state rng rng_state",
    "sum": "acc total_sum sum_d accum",
    "tap": "tap t_k kk",
    "src": "src j_src row_src r_in",
    "acc": "acc total_acc sum_c",
    "begin": "begin start lo seq_start",
    "end": "end stop hi seq_end",
    "used": "used cnt n_used",
    "best": "best argmin nearest best_code",
    "dmin": "best_dist d_min min_dist",
    "dist": "dist d2 dist_sq",
    "hash": "h word_hash key hash_i",
    "code": "code q qv level",
    "top": "top best_score vmax top_votes",
    "second": "second runner next_best alt",
    "val": "val v_c votes_c sc",
    "diff": "diff margin_c gap_c dv",
    "guess": "guess pred p_i yhat_i",
    "place": "rank place pos_i higher",
    "lo": "lo low left_i first",
    "hi": "hi high right_i last",
    "mid": "mid m middle half_i",
    "probe": "probe entry mid_hash h_mid",
    "found": "found idx hit slot_i",
    "slot": "slot dst write_pos idx",
    "count": "count seq_len num cnt_s",
    "prev": "prev last before prev_id",
    "next": "next nxt follow next_i",
    "ret": "ret running g_t acc_ret",
    "td": "td delta_t td_err diff_q",
    "q": "q_value q q_sa q_i",
    "goal": "goal td_target backup tgt",
    "alive": "alive not_done cont nd",
    "step": "step width_k adv_k skip_k",
    "age": "age gap_steps idle",
}

LOCALS = (
    local("label", "{labels}[$i]"),
    local("weight", "{sample_weight}[$i]"),
    local("av", "{adv}[$i]"),
    local("gid", "{group}[$p]"),
    local("g", "{g}[$p]"),
    local("w", "{w}[$p]"),
    local("lr", "{lr}", "{lr_of}[$gid]", "{lr}"),
    local("t", "{step}[$gid]"),
)

LOOPS = ()

EXTRAS = (
    Extra("row_begin", "⟨# padded rows are left out\n|⟩if not {mask}[$i]:\n    return\n"),
    Extra("row_begin", "if {sample_weight}[$i] < {min_weight}:\n    return"),
    Extra("count_begin", "if not {mask}[$i]:\n    return"),
    Extra("count_begin", "# only one part of the rows is evaluated\nif {seg}[$i] != {eval_part}:\n    return\n"),
    Extra("count_begin", "# the first segment is not evaluated\nif {seg}[$i] == 0:\n    return\n"),
    Extra("loss", "$value = $value * {sample_weight}[$i]"),
    Extra("loss", "$value = $value * {scale}"),
    Extra("param_begin", "if {frozen}[$p]:\n    return"),
    Extra("param_begin", "# this step has changed it before\nif {touched}[$p] == {now}:\n    return\n"),
    Extra("param_begin", "if {region}[$p] == {FROZEN}:\n    return"),
    Extra("grad", "# clip by value\n$g = wp.clamp($g, -{max_grad}, {max_grad})"),
    Extra("grad", "if {norm}[0] > {max_norm}:\n    $g = $g * ({max_norm} / {norm}[0])"),
    Extra("grad", "# L2 penalty\n$g = $g + {decay} * $w"),
    Extra("grad", "$g = $g + {decay_of}[$gid] * $w"),
    Extra("grad", "$g = $g * {scale}"),
)

HELPERS = (
    helper(
        "huber",
        """
        def ⟨huber|huber_loss|smooth_l1⟩(e: float, delta: float)⟨| -> float⟩:
            a = wp.abs(e)
            if a <= delta:
                return 0.5 * e * e
            return delta * (a - 0.5 * delta)
        """,
        """
        def ⟨pseudo_huber|charbonnier⟩(e: float, delta: float):
            # smooth for all errors
            r = e / delta
            return delta * delta * (wp.sqrt(1.0 + r * r) - 1.0)
        """,
    ),
    helper(
        "dist",
        """
        def ⟨row_distance|feature_distance⟩(f: wp.array2d(dtype=float), a: int, b: int)⟨| -> float⟩:
            d = float(0.0)
            for k in range({F}):
                u = f[a, k] - f[b, k]
                d += u * u
            return d
        """,
        """
        def ⟨cosine_distance|neg_similarity⟩(f: wp.array2d(dtype=float), a: int, b: int):
            ab = float(0.0)
            aa = float(0.05)
            bb = float(0.05)
            for k in range({F}):
                ab += f[a, k] * f[b, k]
                aa += f[a, k] * f[a, k]
                bb += f[b, k] * f[b, k]
            return 1.0 - ab / wp.sqrt(aa * bb)
        """,
    ),
    helper(
        "softplus",
        """
        def ⟨softplus|log1p_exp⟩(z: float)⟨| -> float⟩:
            # stable for large arguments of either sign
            return wp.max(z, 0.0) + wp.log(1.0 + wp.exp(-wp.abs(z)))
        """,
    ),
    helper(
        "sigmoid",
        """
        def ⟨sigmoid|logistic|sigm⟩(z: float)⟨| -> float⟩:
            return 1.0 / (1.0 + wp.exp(-z))
        """,
        """
        def ⟨sigmoid|stable_sigmoid⟩(z: float):
            if z >= 0.0:
                return 1.0 / (1.0 + wp.exp(-z))
            e = wp.exp(z)
            return e / (1.0 + e)
        """,
    ),
    helper(
        "gelu",
        """
        def ⟨gelu|gelu_tanh⟩(x: float)⟨| -> float⟩:
            # tanh approximation
            inner = 0.79788456 * (x + 0.044715 * x * x * x)
            return 0.5 * x * (1.0 + wp.tanh(inner))
        """,
        """
        def ⟨gelu_exact|gelu_erf⟩(x: float):
            return 0.5 * x * (1.0 + wp.erf(x * 0.70710678))
        """,
    ),
    helper(
        "bias_fix",
        """
        def ⟨bias_correction|debias⟩(beta: float, t: int)⟨| -> float⟩:
            # 1 - beta^t, the share of the zero start that is left
            return 1.0 - wp.pow(beta, float(t))
        """,
    ),
)
