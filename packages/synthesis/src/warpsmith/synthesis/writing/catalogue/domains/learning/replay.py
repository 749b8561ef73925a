"""Ideas of the domain `learning`: replay buffers, returns, advantages, batches gathered by index."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

REPLAY = (
    Idea(
        "insert",
        "replay_insert push_transitions store_transitions append_to_buffer write_buffer",
        "write each transition to its slot of the ring buffer",
        """
        ⟨if {skip}[$i]:
            # transitions after the end of an episode
            return
        |⟩⟨$slot = ({head}[0] + $i) % {cap}|$slot = {head}[0] + $i
        if $slot >= {cap}:
            $slot = $slot - {cap}⟩
        {buf_reward}[$slot] = {reward}[$i]
        {buf_action}[$slot] = {action}[$i]
        ⟨{buf_done}[$slot] = {done}[$i]|if {done}[$i]:
            {buf_done}[$slot] = True
            {buf_discount}[$slot] = 0.0
            ⟨wp.atomic_add({episodes}, 0, 1)|⟩
        else:
            {buf_discount}[$slot] = {gamma}⟩
        for $f in range({F}):
            {buf_obs}[$slot, $f] = {feat}[$i, $f]
        ⟨|# new transitions have the largest priority
        {buf_priority}[$slot] = {max_priority}[0]⟩
        """,
        kinds="",
    ),
    Idea(
        "sample",
        "replay_sample sample_batch draw_transitions sample_replay gather_batch",
        "draw a random transition for each row of the batch",
        """
        ⟨$rng = wp.rand_init({seed}, $i)|$rng = wp.rand_init({seed} + {now}, $i)⟩
        $slot = wp.randi($rng, 0, {cap})
        ⟨|if {old_done}[$slot]:
            # no transition across episodes
            $slot = wp.randi($rng, 0, {cap})|$other = wp.randi($rng, 0, {cap})
        # the better of two candidates
        if {priority}[$other] > {priority}[$slot]:
            $slot = $other⟩
        ⟨{drawn}[$i] = $slot
        |⟩{batch_reward}[$i] = {old_reward}[$slot]
        ⟨|{batch_action}[$i] = {old_action}[$slot]⟩
        ⟨|for $f in range({F}):
            {batch_obs}[$i, $f] = {old_obs}[$slot, $f]|# n-step return
        $ret = float(0.0)
        for $k in range(3):
            $ret += {old_reward}[($slot + $k) % {cap}] * wp.pow({gamma}, float($k))
        {batch_return}[$i] = $ret⟩
        """,
        kinds="gather_scatter random_noise",
    ),
    Idea(
        "returns",
        "compute_returns discounted_returns gae_advantages compute_gae td_lambda",
        "compute the ⟨1:discounted return|generalized advantage|discounted return|lambda return⟩ of each step backwards in time",
        """
        ⟨1:$ret = float({last_value}[$i])|$ret = float(0.0)|$ret = float(0.0)|$ret = float({last_value}[$i])⟩
        for $k in range({T}):
            $t = {T} - 1 - $k
            ⟨1:⟨if {roll_done}[$i, $t]:
                # the episode ends here
                $ret = {roll_reward}[$i, $t]
            else:
                $ret = {roll_reward}[$i, $t] + {gamma} * $ret|$alive = wp.where({roll_done}[$i, $t], 0.0, 1.0)
            $ret = {roll_reward}[$i, $t] + {gamma} * $alive * $ret⟩
            {roll_return}[$i, $t] = $ret
            ⟨{roll_adv}[$i, $t] = $ret - {roll_value}[$i, $t]|⟩|$after = wp.where($t + 1 < {T}, {roll_value}[$i, wp.min($t + 1, {T} - 1)], {last_value}[$i])
            if {roll_done}[$i, $t]:
                $ret = {roll_reward}[$i, $t] - {roll_value}[$i, $t]
            else:
                $td = {roll_reward}[$i, $t] + {gamma} * $after - {roll_value}[$i, $t]
                $ret = $td + {gamma} * {lam} * $ret
            ⟨{roll_adv}[$i, $t] = $ret
            |⟩{roll_return}[$i, $t] = $ret + {roll_value}[$i, $t]|if {roll_done}[$i, $t]:
                $ret = 0.0
            ⟨|elif {truncated}[$i, $t] != 0:
                # bootstrap from the value where time ran out
                $ret = float({roll_value}[$i, $t])⟩
            $ret = {roll_reward}[$i, $t] + {gamma} * $ret
            {roll_return}[$i, $t] = $ret
            ⟨{roll_adv}[$i, $t] = $ret - {roll_value}[$i, $t]|⟩|if {roll_done}[$i, $t]:
                $ret = float({roll_reward}[$i, $t])
            else:
                $ret = {roll_reward}[$i, $t] + {gamma} * ({lam} * $ret + (1.0 - {lam}) * {roll_value}[$i, $t])
            {roll_return}[$i, $t] = $ret
            ⟨{roll_adv}[$i, $t] = $ret - {roll_value}[$i, $t]|⟩⟩
        """,
        kinds="control_flow",
        docs="walk from the last step to the first; finished episodes cut the sum",
    ),
    Idea(
        "batch_gather",
        "gather_rows batch_gather index_select take_rows select_rows",
        "copy the selected row of each index⟨2:|, times its weight⟩",
        """
        ⟨$src = {pick}[$i]
        if $src ⟨< 0|== -1⟩:
            ⟨{gathered}[$i, $c] = 0.0
            |⟩return
        {gathered}[$i, $c] = {feat}[$src, $c]⟨2:| * {sample_weight}[$src]⟩|$src = {perm}[$i]
        {gathered}[$i, $c] = {feat}[$src, $c]⟨2:| * {sample_weight}[$src]⟩|{gathered}[{perm}[$i], $c] = {feat}[$i, $c]⟨2:| * {sample_weight}[$i]⟩⟩
        """,
        threads="i c",
        kinds="gather_scatter",
    ),
    Idea(
        "priorities",
        "update_priorities set_priorities td_errors compute_td_error priority_update",
        "compute the temporal difference error and the priority of each transition",
        """
        $act = {action}[$i]
        $q = {logits}[$i, $act]
        ⟨1:$next = {next_q}[$i, 0]
        for $c in range(1, {C}):
            $next = wp.max($next, {next_q}[$i, $c])|# double learning: one network selects, the other evaluates
        $pick = int(0)
        for $c in range(1, {C}):
            if {logits}[$i, $c] > {logits}[$i, $pick]:
                $pick = $c
        $next = {next_q}[$i, $pick]|$next = {next_q}[$i, {next_action}[$i]]⟩
        ⟨if {done}[$i]:
            $td = {reward}[$i] - $q
        else:
            $td = {reward}[$i] + {gamma} * $next - $q|$goal = {reward}[$i]
        if not {done}[$i]:
            $goal = $goal + {gamma} * $next
        $td = $goal - $q⟩
        {td}[$i] = $td
        ⟨|{new_priority}[$i] = wp.pow(wp.abs($td) + {eps}, {prio_exp})|{new_priority}[$i] = wp.min(wp.abs($td) + {eps}, {max_priority}[0])|wp.atomic_add({loss_sum}, 0, @huber($td, {delta}))⟩
        """,
        kinds="control_flow",
    ),
    Idea(
        "copy_weights",
        "copy_params hard_update sync_target copy_weights load_params",
        "copy ⟨1:all parameters|the parameters of one group⟩",
        """
        ⟨1:⟨{target}[$p] = {w}[$p]|{target}[$p] = {ema}[$p]⟩|if {group}[$p] == {sync_group}:
            {target}[$p] = {w}[$p]
        ⟨|else:
            {target}[$p] = {ema}[$p]⟩⟩
        """,
        threads="p",
        kinds="",
    ),
)
