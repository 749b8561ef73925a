"""Ideas of the domain `estimation`: predictions of states and covariances, process noise, inflation."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

FILTERS = (
    Idea(
        "predict_cov",
        "predict_covariance propagate_cov time_update_cov kf_predict_cov",
        "propagate the covariance of each track ⟨1:with two|with three|with four⟩ states by its motion model",
        """
        hook track
        ⟨1:$F = {F2}[⟨$mode_i|{model}[$i]⟩]
        {P2_out}[$i] = ⟨$F @ $P2 @ wp.transpose($F)|$F * $P2 * wp.transpose($F)⟩ + {Q2}[{model}[$i]]⟨| * {dt}|⟩|⟨$F = {F3}[$mode_i]
        {P3_out}[$i] = $F @ $P3 @ wp.transpose($F) + {Q3}[$mode_i]⟨| * {dt}⟩|{P3_out}[$i] = @sandwich({F3}[$mode_i], $P3) + {Q3}[$mode_i] * {dt}|$F = {F3}[$mode_i]
        {P3_out}[$i] = @symmetric($F @ $P3 @ wp.transpose($F)) + {Q3}[$mode_i]⟩|$F = {F4}[⟨$mode_i|{model}[$i]⟩]
        {P4_out}[$i] = $F @ $P4 @ wp.transpose($F)⟨| + {Q4}[$mode_i]| + {Q4}[{model}[$i]] * {dt}⟩⟩
        hook done
        """,
        kinds="matrix linear_algebra",
    ),
    Idea(
        "predict_state",
        "predict_states advance_mean time_update kf_predict",
        "advance the state of each track by ⟨1:its transition matrix|its transition matrix and velocity|a transition of four states⟩",
        """
        hook track
        ⟨1:⟨{x2_out}[$i] = {F2}[$mode_i] * $x2|$F = {F2}[$mode_i]
        {x2_out}[$i] = $F * $x2⟩|⟨{x3_out}[$i] = {F3}[$mode_i] * $x3 + $v3 * {dt}|{x3_out}[$i] = $x3 + {F3}[$mode_i] * $v3 * {dt}|$x = $x3 + $v3 * {dt}
        if $mode_i == {CV}:
            {x3_out}[$i] = $x
        else:
            {x3_out}[$i] = {F3}[$mode_i] * $x⟩|⟨{x4_out}[$i] = {F4}[$mode_i] * $x4|$F = {F4}[$mode_i]
        {x4_out}[$i] = $F * $x4⟩⟩
        hook done
        """,
        kinds="matrix vector linear_algebra",
    ),
    Idea(
        "constant_velocity",
        "cv_predict predict_cv constant_velocity_step kalman_cv",
        "predict position and velocity of each track by the constant-velocity model⟨1:|, with its covariance| and the discrete process noise⟩",
        """
        hook track
        $F = wp.mat22(1.0, {dt}, 0.0, 1.0)
        ⟨1:{x2_out}[$i] = $F * $x2|{x2_out}[$i] = $F * $x2
        {P2_out}[$i] = ⟨$F @ $P2 @ wp.transpose($F)|$F * $P2 * wp.transpose($F)⟩⟨| + {Q2}[{CV}]| * {infl}⟩|# white noise of the acceleration
        $q11 = {dt} * {dt} * {qc}
        $Qd = wp.mat22(0.25 * {dt} * {dt} * $q11, 0.5 * {dt} * $q11, 0.5 * {dt} * $q11, $q11)
        {P2_out}[$i] = ⟨$F @ $P2 @ wp.transpose($F)|$F * $P2 * wp.transpose($F)⟩ + $Qd⟩
        hook done
        """,
        kinds="matrix scalar_param linear_algebra",
    ),
    Idea(
        "process_noise",
        "build_process_noise make_q process_noise discretize_noise",
        "build the covariance of the process noise of each track for its motion model",
        """
        ⟨hook track
        |⟩$var_q = ⟨{qc}|{qc} * {infl}⟩
        ⟨1:if $mode_i == {CV}:
            {P2_out}[$i] = wp.mat22({dt} * {dt} * {dt} / 3.0, ⟨0.5 * {dt} * {dt}, 0.5 * {dt} * {dt}|0.0, 0.0⟩, {dt}) * $var_q
        elif $mode_i == {CA}:
            {P2_out}[$i] = wp.mat22({dt} * {dt}, 0.0, 0.0, 1.0) * ($var_q * {dt})
        else:
            {P2_out}[$i] = ⟨{Q2}[$mode_i] * $var_q|{Q2}[{TURN}]⟩|$scale_q = $var_q
        if $mode_i == {TURN}:
            # turns are hard to predict
            $scale_q = $var_q * ⟨2.0|4.0⟩
        elif {miss}[$i] ⟨> 2|>= {MAX_MISS}⟩:
            $scale_q = $var_q * {infl}
        {P3_out}[$i] = ⟨{Q3}[$mode_i] * $scale_q|$eye3 * ($scale_q * {dt})⟩⟩
        """,
        kinds="matrix multi_conditional scalar_param control_flow",
    ),
    Idea(
        "inflate",
        "inflate_covariance grow_uncertainty coast_tracks add_process_noise",
        "increase the covariance of tracks ⟨1:without a detection|by their age|by their motion model⟩ in place",
        """
        ⟨1:if {assoc}[$i] == {NONE}:
            {P3}[$i] += {Q3}[⟨{model}[$i]|{CV}⟩] * {dt}
            ⟨{miss}[$i] = {miss}[$i] + 1|{miss}[$i] += 1
            if {miss}[$i] > {MAX_MISS}:
                {mode}[$i] = {LOST}|⟩
        ⟨|else:
            {miss}[$i] = 0⟩|if {age}[$i] > {max_age}:
            return
        {P2}[$i] += {Q2}[{model}[$i]] * ⟨{dt}|{qc}⟩
        ⟨|{miss}[$i] += 1⟩|if {model}[$i] == {CV}:
            {P3}[$i] += {Q3}[{CV}] * {dt}
        elif {model}[$i] == {TURN}:
            # turns are hard to predict
            {P3}[$i] += {Q3}[{TURN}] * ⟨{qc}|(2.0 * {dt})⟩⟩
        """,
        kinds="matrix control_flow",
    ),
    Idea(
        "symmetrize",
        "symmetrize_covariance condition_cov regularize_cov repair_covariance",
        "make ⟨1:the covariance|a small matrix|the full covariance⟩ of each track symmetric⟨2:|, with a lower bound of its variances|, and add to its diagonal⟩",
        """
        hook track
        ⟨1:$M = ⟨($P3 + wp.transpose($P3)) * 0.5|@symmetric($P3)⟩
        ⟨2:{P3_out}[$i] = $M|{P3_out}[$i] = $M
        if wp.min(wp.get_diag($M)) < {floor}:
            {P3_out}[$i] = $M + $eye3 * 0.1
            ⟨wp.atomic_add({count}, 0, 1)|{flag}[$i] = 1|⟩|{P3_out}[$i] = $M + $eye3 * ⟨{lam}|(0.1 * wp.trace($M))⟩⟩|$M = ($P2 + wp.transpose($P2)) * 0.5
        ⟨2:{P2_out}[$i] = $M|{P2_out}[$i] = wp.mat22(wp.max($M[0, 0], {floor}), $M[0, 1], $M[1, 0], wp.max($M[1, 1], {floor}))|{P2_out}[$i] = $M + $eye2 * {lam}⟩|$M = ($P4 + wp.transpose($P4)) * 0.5
        ⟨2:{P4_out}[$i] = $M|if $M[3, 3] < {floor}:
            {P4_out}[$i] = $M + $eye4 * {lam}
        else:
            {P4_out}[$i] = $M|{P4_out}[$i] = $M + $eye4 * {lam}⟩⟩
        """,
        kinds="matrix linear_algebra",
    ),
    Idea(
        "mixing",
        "mix_models imm_mixing combine_models merge_estimates",
        "combine ⟨1:the covariances|the information matrices⟩ of each track over the sensors with their spread",
        """
        hook track
        ⟨1:$M = wp.mat33()
        each sensor:
            $d = {read3}[$i, $k] - $x3
            $M += {trust}[$k] * ⟨($P3 + wp.outer($d, $d))|wp.outer($d, $d)|({R3}[$k] + wp.outer($d, $d))⟩
        {P3_out}[$i] = $M|$Y = wp.mat33()
        $y = wp.vec3()
        each sensor:
            $W = wp.inverse({R3}[$k]) ⟨* {trust}[$k]|⟩
            $Y += $W
            $y += $W * {read3}[$i, $k]
        {P3_out}[$i] = $Y⟨| + {info3}[$i]⟩
        {v_out}[$i] = $y⟩
        hook done
        """,
        kinds="matrix vector control_flow combined linear_algebra",
    ),
    Idea(
        "reset_tracks",
        "initialize_tracks spawn_tracks reset_covariances init_states",
        "start ⟨1:unused tracks at their measurement|all tracks from the table of sensors|tracks by their state⟩ with an initial covariance",
        """
        ⟨1:if {mode}[$i] == {FREE}⟨| and {valid}[$i]⟩:
            {x3_out}[$i] = {z3}[$i]
            {P3_out}[$i] = ⟨{R3}[$sid]|$eye3 * $var_i|wp.diag(wp.vec3($var_i, $var_i, $var_i))⟩
            ⟨{mode_out}[$i] = {NEW}|{age_out}[$i] = 0
            {mode_out}[$i] = {NEW}⟩
        else:
            {x3_out}[$i] = {x3}[$i]
            {P3_out}[$i] = {P3}[$i]
            ⟨{mode_out}[$i] = {mode}[$i]|⟩|{P3_out}[$i] = {R3}[$sid]⟨| * {infl}| + $eye3 * $var_i⟩
        {v_out}[$i] = ⟨wp.vec3(0.0, 0.0, 0.0)|wp.vec3()|$v3⟩
        ⟨{mode_out}[$i] = {NEW}|{age_out}[$i] = {now} - {stamp}[$i]|⟩|$st = {mode}[$i]
        if $st == {SURE}:
            {P2_out}[$i] = {P2}[$i]
        elif $st == {NEW}:
            {P2_out}[$i] = {P2}[$i] * {infl}
        ⟨elif $st == {LOST}:
            # coasting tracks are uncertain
            {P2_out}[$i] = {P2}[$i] + {Q2}[{CV}]
        |⟩else:
            {P2_out}[$i] = $eye2 * $var_i
            ⟨{age_out}[$i] = 0|{flag}[$i] = 1|⟩⟩
        """,
        kinds="matrix",
    ),
)
