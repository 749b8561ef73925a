"""Ideas of the domain `estimation`: innovations, gates, gains, updates and fusion of estimates."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

UPDATES = (
    Idea(
        "innovation",
        "compute_innovation innovation_step residual_and_gate measurement_residual",
        "compute the innovation of each measurement and its covariance⟨1:|, with its squared Mahalanobis distance| and reject outliers⟩",
        """
        hook track
        $nu = $z3 - ⟨$x3|($x3 + $v3 * {dt})⟩
        $S = $P3 + {R3}[$sid]
        ⟨1:{nu_out}[$i] = $nu
        {P3_out}[$i] = $S|{nu_out}[$i] = $nu
        {f_out}[$i] = ⟨wp.dot($nu, wp.inverse($S) * $nu)|@mahalanobis($nu, $S)⟩|$d2 = @mahalanobis($nu, $S)
        if $d2 > {gate}:
            # outlier
            {flag}[$i] = 1
            ⟨wp.atomic_add({count}, 0, 1)|{pick}[$i] = {NONE}|⟩
        else:
            {nu_out}[$i] = $nu
            ⟨{f_out}[$i] = $d2|⟩⟩
        hook done
        """,
        kinds="matrix vector linear_algebra",
    ),
    Idea(
        "gate",
        "gate_measurements chi_square_gate mahalanobis_gate reject_outliers",
        "mark measurements outside the gate ⟨1:of two states|of the position|with a wider gate for new tracks⟩",
        """
        hook track
        ⟨1:$y = $z2 - $x2
        $S = $P2 + {R2}[$sid]
        $d2 = wp.dot($y, wp.inverse($S) * $y)|$nu = $z3 - $x3
        $d2 = @mahalanobis($nu, $P3 + {R3}[$sid])|$nu = $z3 - $x3
        $d2 = @mahalanobis($nu, $P3 + {R3}[$sid])
        if {mode}[$i] == {NEW}:
            $d2 = $d2 * 0.5⟩
        ⟨{f_out}[$i] = $d2
        |⟩if $d2 ⟨> {gate}|>= {gate}⟩:
            ⟨5:{flag}[$i] = 1|{bits_out}[$i] = {bits}[$i] | {BIT_OUT}⟩
            ⟨wp.atomic_add({by_sensor}, {sensor}[$i], 1)|{pick}[$i] = {NONE}|⟩
        ⟨|else:
            ⟨5:{flag}[$i] = 0|{bits_out}[$i] = {bits}[$i]⟩|elif $d2 < 0.5:
            # close to the prediction
            wp.atomic_add({count}, 0, 1)⟩
        """,
        kinds="matrix control_flow combined scalar_param",
    ),
    Idea(
        "gain",
        "kalman_gain compute_gain gain_matrix kf_gain",
        "compute the Kalman gain of ⟨1:the position of|the two states of|the four states of⟩ each track",
        """
        hook track
        ⟨1:{K3_out}[$i] = ⟨$P3 @ wp.inverse($P3 + {R3}[$sid])|$P3 * wp.inverse(@symmetric($P3) + {R3}[$sid])⟩|{P2_out}[$i] = $P2 @ wp.inverse($P2 + ⟨{R2}[$sid]|$eye2 * $var_i⟩)|$S = $P4 + $eye4 * $var_i
        {P4_out}[$i] = $P4 @ wp.inverse($S)⟩
        hook done
        """,
        kinds="matrix linear_algebra",
    ),
    Idea(
        "kalman_update",
        "kalman_update measurement_update kf_update correct_state",
        "correct the state of each track by its measurement, with the covariance ⟨1:in the short form|in Joseph form|not updated⟩",
        """
        hook track
        ⟨2:$K = $P3 @ wp.inverse($P3 + {R3}[$sid])
        {x3_out}[$i] = $x3 + $K * ($z3 - $x3)
        ⟨1:{P3_out}[$i] = ($eye3 - $K) @ $P3|# positive definite for any gain
        $IK = $eye3 - $K
        {P3_out}[$i] = @sandwich($IK, $P3) + @sandwich($K, {R3}[$sid])|⟩|$K = $P2 @ wp.inverse($P2 + {R2}[$sid])
        {x2_out}[$i] = $x2 + $K * ($z2 - $x2)
        ⟨1:{P2_out}[$i] = $P2 - $K @ $P2|$IK = $eye2 - $K
        {P2_out}[$i] = $IK @ $P2 @ wp.transpose($IK) + $K @ {R2}[$sid] @ wp.transpose($K)|⟩⟩
        ⟨hook done|{mode_out}[$i] = {SURE}|⟩
        """,
        kinds="matrix vector linear_algebra",
    ),
    Idea(
        "scalar_update",
        "scalar_update sequential_update update_with_range rank_one_update",
        "correct each track by one scalar measurement⟨1:| if it passes the gate⟩",
        """
        hook track
        $Ph = $P3 * $h3
        $s = wp.dot($h3, $Ph) + ⟨$var_i|wp.max($var_i, 0.5)⟩
        $e = $z1 - wp.dot($h3, $x3)
        ⟨1:{x3_out}[$i] = $x3 + $Ph * ($e / $s)
        {P3_out}[$i] = $P3 - wp.outer($Ph, $Ph) ⟨/ $s|* (1.0 / $s)⟩|if $e * $e > {gate} * $s:
            {x3_out}[$i] = $x3
            {P3_out}[$i] = $P3
            ⟨{flag}[$i] = 1|wp.atomic_add({count}, 0, 1)|⟩
        else:
            {x3_out}[$i] = $x3 + $Ph * ($e / $s)
            {P3_out}[$i] = $P3 - wp.outer($Ph, $Ph) / $s⟩
        """,
        kinds="matrix vector linear_algebra",
    ),
    Idea(
        "fuse_pair",
        "fuse_estimates covariance_intersection merge_tracks fuse_tracks",
        "fuse two estimates of each track by ⟨1:covariance intersection|the sum of their information|a fixed share⟩",
        """
        hook track
        ⟨1:$Y = wp.inverse($P3) * {mix} + wp.inverse({R3}[$sid]) * (1.0 - {mix})
        {P3_out}[$i] = wp.inverse($Y)|$Y = {info3}[$i] + wp.inverse({R3}[$sid])
        {x3_out}[$i] = wp.inverse($Y) * ({info3}[$i] * $x3 + wp.inverse({R3}[$sid]) * $z3)|$M = $P3 * {mix} + {R3}[$sid] * (1.0 - {mix})
        {P3_out}[$i] = ⟨$M|@symmetric($M)|$M + wp.outer($z3 - $x3, $z3 - $x3) * ({mix} * (1.0 - {mix}))⟩
        ⟨{x3_out}[$i] = $x3 * {mix} + $z3 * (1.0 - {mix})|{x3_out}[$i] = wp.lerp($z3, $x3, {mix})|⟩⟩
        hook done
        """,
        kinds="matrix linear_algebra",
    ),
    Idea(
        "information_add",
        "accumulate_information add_information information_update gather_information",
        "add the information of each measurement to the ⟨1:track|cluster|whole system⟩ in place",
        """
        ⟨1:if {valid}[$i]:
            {info3}[$i] += ⟨wp.outer($h3, $h3) * {weight}[$i]|wp.inverse({R3}[$sid])|wp.outer($h3, $h3)⟩
            ⟨{hit}[$i] += 1|{stamp}[$i] = {now}|⟩
        ⟨|else:
            {miss}[$i] += 1⟩|if $cl >= 0:
            wp.atomic_add({scat}, $cl, wp.outer($h3, $h3) * {weight}[$i])
            ⟨wp.atomic_add({members}, $cl, 1)|wp.atomic_add({sum3}, $cl, $h3 * {weight}[$i])|⟩|hook track
        wp.atomic_add({gram}, 0, wp.outer($h3, $h3) * {weight}[$i])
        wp.atomic_add({Jtr}, 0, $h3 * ({weight}[$i] * ⟨$z1|($z1 - wp.dot($h3, $x3))⟩))⟩
        """,
        kinds="matrix vector",
    ),
    Idea(
        "likelihood",
        "⟨1:log_likelihood|likelihoods|log_likelihood⟩ measurement_likelihood model_likelihood score_measurement",
        "compute ⟨1:the logarithm of the likelihood|the likelihood|the logarithm of the likelihood⟩ of each measurement⟨1:|| and its sum⟩",
        """
        hook track
        $nu = $z3 - $x3
        $S = $P3 + {R3}[$sid]
        $det = wp.determinant($S)
        ⟨1:{f_out}[$i] = -0.5 * (@mahalanobis($nu, $S) + wp.log($det))|{f_out}[$i] = wp.exp(-0.5 * @mahalanobis($nu, $S))⟨| / wp.sqrt($det)⟩|$ll = -0.5 * (@mahalanobis($nu, $S) + wp.log($det)⟨| + 5.513⟩)
        {f_out}[$i] = $ll
        wp.atomic_add({loss}, 0, -$ll)⟩
        """,
        kinds="matrix math",
    ),
    Idea(
        "weighted_fusion",
        "fuse_sensors weighted_mean sensor_fusion inverse_variance_fusion",
        "fuse the readings of the sensors of each track by their weights⟨1:| with the spread of the readings| and robust weights⟩",
        """
        hook track
        $y = wp.vec3()
        ⟨1:$total = float(0.0)
        each sensor:
            $y += {read3}[$i, $k] * {trust}[$k]
            $total += {trust}[$k]
        {x3_out}[$i] = $y / wp.max($total, 0.1)
        ⟨{f_out}[$i] = $total|⟩|$M = wp.mat33()
        each sensor:
            $d = {read3}[$i, $k] - $x3
            $y += $d * {trust}[$k]
            $M += wp.outer($d, $d) * {trust}[$k]
        {nu_out}[$i] = $y
        {P3_out}[$i] = $M|$total = float(0.0)
        each sensor:
            $e = wp.length({read3}[$i, $k] - $x3)
            if $e < {huber} * 2.0:
                $y += {read3}[$i, $k] * @robust($e, {huber})
                $total += @robust($e, {huber})
        {x3_out}[$i] = $y / wp.max($total, 0.1)⟩
        hook done
        """,
        kinds="vector control_flow combined",
        forward_only=True,
    ),
    Idea(
        "batch_bias",
        "update_biases estimate_bias bias_step adapt_offset",
        "correct the bias of each sensor in place by ⟨1:the readings of all tracks|the reading of the first track|its weight⟩",
        """
        ⟨1:if {enabled}[$u] == 1:
            $y = wp.vec3()
            for $k in range({n}):
                $y += ({read3}[$k, $u] - {x3}[$k]) * ⟨{alpha}|{weight}[$k]|({alpha} * {weight}[$k])⟩
            {bias}[$u] += $y / float({n})|{bias}[$u] += ({read3}[0, $u] - {x3}[0]) * {alpha}|if {trust}[$u] > {mix}:
            {bias}[$u] += ({read3}[0, $u] - {x3}[0]) * ({trust}[$u] * {alpha})
        elif {enabled}[$u] == 1:
            {bias}[$u] += ({read3}[0, $u] - {x3}[0]) * ⟨0.1|{beta}⟩⟩
        """,
        threads="u",
        kinds="vector scalar_param",
    ),
)
