"""Ideas of the domain `estimation`: life cycles of tracks, association tables, ages and counters."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

TRACKS = (
    Idea(
        "life_cycle",
        "update_track_states manage_tracks track_life_cycle step_states",
        "update the state of each track ⟨1:by its hits and misses|by its detection|in place⟩",
        """
        ⟨1:$st = {mode}[$i]
        if $st == {NEW} and {hit}[$i] >= {MIN_HITS}:
            {mode_out}[$i] = {SURE}
        elif $st == {SURE} and {miss}[$i] > {MAX_MISS}:
            {mode_out}[$i] = {LOST}
        ⟨elif $st == {LOST} and {age}[$i] > {max_age}:
            {mode_out}[$i] = {FREE}
        |⟩else:
            {mode_out}[$i] = $st|if {assoc}[$i] != {NONE}:
            {mode_out}[$i] = ⟨{SURE}|{SURE} if {hit}[$i] >= {MIN_HITS} else {NEW}⟩
            {age_out}[$i] = {age}[$i] + 1
        elif {miss}[$i] >= {MAX_MISS}:
            {mode_out}[$i] = {FREE}
            ⟨wp.atomic_add({count}, 0, 1)|⟩
        else:
            {mode_out}[$i] = {LOST}|if {mode}[$i] == {FREE}:
            return
        if {assoc}[$i] >= 0:
            {mode}[$i] = {SURE}
            {miss}[$i] = 0
        else:
            {miss}[$i] = ⟨{miss}[$i] + 1|@clamp_count({miss}[$i] + 1, 9)⟩
            if {miss}[$i] > {MAX_MISS}:
                {mode}[$i] = {LOST}⟩
        """,
        kinds="multi_conditional control_flow",
        integer=True,
    ),
    Idea(
        "ages",
        "age_tracks tick_tracks update_counters increment_ages",
        "count ⟨1:frames|misses and hits|frames since the last detection⟩ of each track in place",
        """
        ⟨hook track
        |⟩⟨1:{age}[$i] = ⟨{age}[$i] + 1|wp.min({age}[$i] + 1, 99)|({age}[$i] + 1) % 64⟩
        ⟨|if {age}[$i] > {max_age}:
            {flag}[$i] = 1
            wp.atomic_add({count}, 0, 1)⟩|if {valid}[$i]:
            {hit}[$i] += 1
            {miss}[$i] = 0
        else:
            {miss}[$i] += 1
            ⟨{hit}[$i] = {hit}[$i] >> 1|{hit}[$i] = wp.max({hit}[$i] - 1, 0)|⟩|if {assoc}[$i] >= 0:
            {stamp}[$i] = {now}
        {age_out}[$i] = ⟨{now} - {stamp}[$i]|wp.max({now} - {stamp}[$i], 0)⟩⟩
        """,
        kinds="control_flow",
        integer=True,
    ),
    Idea(
        "nearest_detection",
        "associate_nearest nearest_detection assign_detections best_match",
        "select the detection of least cost of each track⟨1:| within the gate| that no track uses⟩",
        """
        ⟨hook track
        |⟩$best = int({NONE})
        $low = int(⟨{gate_mm}|1000⟩)
        for $k in range({m}):
            ⟨1:$cst = {cost}[$i, $k]
            if $cst < $low:
                $low = $cst
                $best = $k|$cst = {cost}[$i, $k]
            if $cst < {gate_mm} and $cst < $low:
                $low = $cst
                $best = $k|if {det_used}[$k] != {NONE}:
                continue
            if {cost}[$i, $k] < $low:
                $low = {cost}[$i, $k]
                $best = $k⟩
        {pick}[$i] = $best
        ⟨{rank}[$i] = $low|if $best >= 0:
            {rank}[$i] = {det_score}[$best]|⟩
        """,
        kinds="control_flow",
        integer=True,
    ),
    Idea(
        "cost_gate",
        "gate_costs count_candidates mask_costs candidate_pairs",
        "⟨1:mark pairs beyond the gate in the cost table|count the pairs within the gate by the state of the track|raise the costs of weak detections⟩",
        """
        ⟨1:if {cost}[$i, $d] > {gate_mm}:
            {cost}[$i, $d] = ⟨9999|1000⟩
        ⟨|elif {mode}[$i] == {LOST}:
            # lost tracks match less readily
            {cost}[$i, $d] = {cost}[$i, $d] + ⟨20|40⟩⟩|if {cost}[$i, $d] <= {gate_mm}⟨| and {det_score}[$d] > 30⟩:
            wp.atomic_add({per_mode}, {mode}[$i], 1)
            ⟨wp.atomic_add({by_sensor}, {sensor}[$i], 1)|⟩|if {label}[$i] != {wanted}:
            ⟨return
        |{cost}[$i, $d] = 9999
            return
        ⟩if {det_score}[$d] < 30:
            {cost}[$i, $d] = {cost}[$i, $d] ⟨* 2|+ 50|+ {gate_mm}⟩⟩
        """,
        threads="i d",
        kinds="control_flow",
        integer=True,
        alone=True,
    ),
    Idea(
        "duplicates",
        "suppress_duplicates find_conflicts resolve_conflicts count_shared",
        "find tracks that share their detection with ⟨1:an older track|a track of lower index|a track of the same class⟩",
        """
        $j = {assoc}[$i]
        if $j == {NONE}:
            ⟨{rank}[$i] = {NONE}
            |⟩return
        $rank = int(0)
        for $k in range(⟨1:{n}|$i|{n}⟩):
            if ⟨1:{assoc}[$k] == $j and {age}[$k] > {age}[$i]|{assoc}[$k] == $j|$k != $i and {assoc}[$k] == $j and {label}[$k] == {label}[$i]⟩:
                $rank += 1
        ⟨{rank}[$i] = $rank|if $rank > 0:
            {flag}[$i] = 1
            ⟨wp.atomic_add({count}, 0, 1)|{pick}[$i] = {NONE}|⟩⟩
        """,
        kinds="control_flow multi_conditional",
        integer=True,
    ),
    Idea(
        "overlap_count",
        "count_window_rows inlier_runs count_inliers row_agreement",
        "⟨1:count the pairs of rows of each system that are both used|count the pairs of rows of each system of which one is used|find the longest run of used rows of each system⟩",
        """
        $rank = int(0)
        ⟨1:for $k in range({r}):
            for $l in range(⟨$k|$k + 1, {r}⟩):
                if {inlier}[$i, $k] == 1 and {inlier}[$i, $l] == 1:
                    $rank += 1|for $k in range({r}):
            if {inlier}[$i, $k] == 0:
                continue
            for $l in range({r}):
                $rank += 1 - {inlier}[$i, $l]|for $k in range({r}):
            $l = int($k)
            while $l < {r} and {inlier}[$i, $l] == 1:
                $l += 1
            $rank = wp.max($rank, $l - $k)⟩
        {rank}[$i] = $rank
        ⟨if $rank ⟨> 4|== 0⟩:
            {flag}[$i] = 1|⟩
        """,
        kinds="nested_loop control_flow",
        integer=True,
    ),
    Idea(
        "census",
        "count_track_states state_census track_statistics tally_tracks",
        "count tracks ⟨1:by state|by class|by sensor|by cluster⟩",
        """
        ⟨hook track
        |⟩⟨1:wp.atomic_add({per_mode}, {mode}[$i], 1)
        ⟨if @is_alive({mode}[$i]):
            wp.atomic_add({count}, 0, 1)|⟩|wp.atomic_add({per_mode}, {label}[$i], 1)
        ⟨if {label}[$i] == {wanted}:
            wp.atomic_add({count}, 0, 1)|⟩|if {valid}[$i]:
            wp.atomic_add({by_sensor}, {sensor}[$i], 1)
        ⟨|else:
            wp.atomic_add({count}, 0, 1)⟩|if $cl >= 0:
            wp.atomic_add({members}, $cl, 1)
            ⟨wp.atomic_add({count}, 0, 1)|⟩⟩
        """,
        kinds="atomic atomics histograms",
        integer=True,
    ),
    Idea(
        "gather_tracks",
        "gather_tracks compact_tracks copy_tracks reorder_tracks",
        "copy ⟨1:the state|age and class|states and flags|the detection⟩ of each track ⟨2:from its slot|to its slot⟩",
        """
        ⟨2:⟨1:{mode_out}[$i] = {mode}[{slot}[$i]]|{age_out}[$i] = {age}[{slot}[$i]]
        {rank}[$i] = {label}[{slot}[$i]]|$from_slot = {slot}[$i]
        {mode_out}[$i] = {mode}[$from_slot]
        {bits_out}[$i] = {bits}[$from_slot]|$from_slot = {slot}[$i]
        {pick}[$i] = {assoc}[$from_slot]
        ⟨{age_out}[$i] = {age}[$from_slot]|⟩⟩|⟨1:{mode_out}[{slot}[$i]] = {mode}[$i]|{age_out}[{slot}[$i]] = {age}[$i]
        {rank}[{slot}[$i]] = {label}[$i]|$to_slot = {slot}[$i]
        {mode_out}[$to_slot] = {mode}[$i]
        {bits_out}[$to_slot] = {bits}[$i]|$to_slot = {slot}[$i]
        {pick}[$to_slot] = {assoc}[$i]
        ⟨{rank}[$to_slot] = $i|⟩⟩⟩
        """,
        kinds="gather_scatter",
        integer=True,
        alone=True,
    ),
    Idea(
        "flag_bits",
        "update_flags set_track_bits mark_updated clear_flags",
        "change the bits of each track in place ⟨1:after an update|without a detection|for new tracks⟩",
        """
        ⟨1:if {assoc}[$i] >= 0:
            {bits}[$i] = {bits}[$i] | {BIT_UPD}
        else:
            {bits}[$i] = {bits}[$i] & ⟨~{BIT_UPD}|(BIT_MASK)⟩|if {assoc}[$i] == {NONE} and not @has_bit({bits}[$i], {BIT_FIX}):
            ⟨{bits}[$i] = {bits}[$i] & ~{BIT_UPD}|{bits}[$i] |= {BIT_OUT}
            {miss}[$i] += 1⟩
            ⟨wp.atomic_add({count}, 0, 1)|⟩|if {mode}[$i] == {NEW} and ({bits}[$i] & {BIT_UPD}) != 0:
            {bits}[$i] = {bits}[$i] | {BIT_FIX}
        elif {mode}[$i] == {FREE}:
            {bits}[$i] = 0⟩
        """.replace("(BIT_MASK)", "({BIT_OUT} + {BIT_FIX})"),
        kinds="control_flow",
        integer=True,
    ),
    Idea(
        "robust_weights",
        "robust_weights outlier_weights irls_weights reweight",
        "compute the robust weight of each measurement⟨1:| by its motion model| and its cost⟩",
        """
        hook track
        $e = $z1 - wp.dot($h3, $x3)
        ⟨1:{f_out}[$i] = ⟨@robust($e, {huber})|wp.exp(-0.5 * $e * $e / ({huber} * {huber}))|@robust($e, {huber}) * @inverse_var($var_i, {trust}[$sid])⟩|$c_k = {huber} * {huber}
        if {model}[$i] == {CV}:
            {f_out}[$i] = $c_k / ($c_k + $e * $e)
        elif {model}[$i] == {CA}:
            {f_out}[$i] = wp.exp(-0.5 * $e * $e / $c_k)
        else:
            {f_out}[$i] = 1.0 / wp.sqrt(1.0 + $e * $e / $c_k)|$w = @robust($e, {huber})
        {f_out}[$i] = $w
        wp.atomic_add({loss}, 0, 0.5 * $w * $e * $e)⟩
        """,
        kinds="scalar_param arithmetic",
    ),
)
