"""Short ideas of the domain `sampling` without floats: tags, streams of random numbers, lattices, agents, counts."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

SHORT_INTEGERS = (
    Idea(
        "copy_tags",
        "fill_missing copy_tags impute_tags gather_tags",
        "copy the category of ⟨1:each sample|the ancestor of each sample|the sample at an offset⟩ and replace missing ones",
        """
        ⟨1:$j = $i|$j = {pick_in}[$i]|$j = ($i + {shift}) % {n}⟩
        ⟨if {tag}[$j] == {MISSING}:
            {tag_out}[$i] = {fallback}
        else:
            {tag_out}[$i] = {tag}[$j]|{tag_out}[$i] = {fallback} if {tag}[$j] == {MISSING} else {tag}[$j]|# rejected ones count as missing
        if {tag}[$j] == {MISSING} or {flag}[$j] ⟨>=|==⟩ {BAD}:
            {tag_out}[$i] = {fallback}
        else:
            {tag_out}[$i] = {tag}[$j]⟩
        ⟨{many_out}[$i] = {many}[$j]|{state_out}[$i] = {seeds}[$j]|⟩
        """,
        kinds="control_flow gather_scatter scalar_param",
        integer=True,
    ),
    Idea(
        "reset_streams",
        "reset_streams clear_counters restart_streams init_streams",
        "restart the ⟨1:marked|old⟩ streams",
        """
        ⟨1:if not {valid}[$i]:
            return|if {stamp}[$i] + {every} > {epoch}:
            return⟩
        {many}[$i] = 0
        {seeds}[$i] = ⟨{seed} + $i|({seed} + $i * 17) % 499|{seed} ^ $i⟩
        ⟨{stamp}[$i] = {epoch}|{flag}[$i] = 0|wp.atomic_add({hits}, 0, 1)⟩
        ⟨{hit_out}[$i] = 0|⟩
        """,
        kinds="arithmetic control_flow",
        integer=True,
    ),
    Idea(
        "stream_chain",
        "advance_streams next_seeds jump_ahead scramble_seeds",
        "advance the state of each stream",
        """
        $h = @combine({seeds}[$i], ⟨{epoch}|{seed}|{grp}[$i]⟩)
        $h = @mix_bits($h)
        ⟨{seeds}[$i] = @combine($h, $i)|{seeds}[$i] = @next_state($h)|{seeds}[$i] = @mix_bits($h + {many}[$i])⟩
        ⟨{many}[$i] += 1|{pick}[$i] = $h % {n}|{tag_out}[$i] = $h & ⟨3|7⟩|if ($h & 1) == 0:
            # heads
            wp.atomic_add({hits}, 0, 1)⟩
        """,
        kinds="arithmetic helper_functions integer_bits",
        integer=True,
    ),
    Idea(
        "flip_sites",
        "flip_sites update_sites toggle_lattice apply_flips",
        "change the state of ⟨1:the open|the even|the odd⟩ sites of the lattice in place",
        """
        ⟨1:if {wall}[$gi, $gj] != 0:
            return|if ($gi + $gj) % 2 != 0:
            return|if ($gi + $gj) & 1 == 0:
            return⟩
        ⟨{spin}[$gi, $gj] = 1 - {spin}[$gi, $gj]|if {spin}[$gi, $gj] == 0:
            {spin}[$gi, $gj] = 1
        else:
            {spin}[$gi, $gj] = 0|{spin}[$gi, $gj] = {spin}[$gi, $gj] ^ 1⟩
        ⟨wp.atomic_add({hits}, 0, {spin}[$gi, $gj])|wp.atomic_add({hits}, 0, 1)|⟩
        """,
        threads="gi gj",
        kinds="control_flow cellular_automata multi_dim",
        integer=True,
    ),
    Idea(
        "rule_step",
        "rule_step automaton_step apply_rule neighbor_rule",
        "compute the next state of each site from ⟨1:two|three|four⟩ sites next to it",
        """
        $a = {spin}[($gi + 1) % {gx}, $gj]
        $b = {spin}[($gi + {gx} - 1) % {gx}, $gj]
        $cur = {spin}[$gi, $gj]
        ⟨1:$count = $a + $b|$count = $a + $b + {spin}[$gi, ($gj + 1) % {gy}]|$count = $a + $b + {spin}[$gi, ($gj + 1) % {gy}] + {spin}[$gi, ($gj + {gy} - 1) % {gy}]⟩
        ⟨{spin_out}[$gi, $gj] = ($count + $cur) % 2|{spin_out}[$gi, $gj] = 1 if $count ⟨>|==⟩ 1 else ⟨$cur|0⟩|{spin_out}[$gi, $gj] = 1 - $cur if $count > 1 else $cur|# the majority wins
        {spin_out}[$gi, $gj] = 1 if 2 * $count > ⟨1:2|3|4⟩ else 0⟩
        """,
        threads="gi gj",
        kinds="arithmetic cellular_automata stencil multi_dim",
        integer=True,
    ),
    Idea(
        "agent_clock",
        "step_health advance_agents update_compartments progress_infection",
        "advance the state of health of each agent in place",
        """
        $day = {days}[$ag] + 1
        {days}[$ag] = $day
        ⟨if {sir}[$ag] == {E} and $day > {latent}:
            {sir}[$ag] = {I}
            {days}[$ag] = 0
        elif {sir}[$ag] == {I} and $day > {sick}:
            {sir}[$ag] = {R}|if {sir}[$ag] == {I}:
            if $day ⟨>|>=⟩ {sick}:
                {sir}[$ag] = ⟨{R}|{D}⟩
        elif {sir}[$ag] == {R} and not {vax}[$ag]:
            {sir}[$ag] = {S}⟩
        ⟨elif {sir}[$ag] == {D}⟨ and $day > 10|⟩:
            {sir}[$ag] = {R}|elif {sir}[$ag] == {S}:
            wp.atomic_add({safe}, 0, 1)|⟩
        """,
        threads="ag",
        kinds="multi_conditional control_flow",
        integer=True,
    ),
    Idea(
        "count_pairs",
        "count_pairs joint_counts tally_classes confusion_counts",
        "count the samples of each ⟨1:group|pair of groups|bin⟩",
        """
        ⟨if {tag}[$i] ⟨== {MISSING}|< 0⟩:
            wp.atomic_add({lost}, 0, 1)
            return
        |if {flag}[$i] == {BAD}:
            return
        |if not {valid}[$i]:
            return
        |⟩⟨1:wp.atomic_add({gcount}, {grp}[$i], ⟨1|{many}[$i]⟩)|wp.atomic_add({joint}, {grp}[$i], {grp}[($i + 1) % {n}], 1)|wp.atomic_add({hcount}, wp.min({many}[$i], {bins} - 1), 1)⟩
        ⟨wp.atomic_add({hits}, 0, 1)|wp.atomic_max({top}, 0, {many}[$i])|⟩
        """,
        kinds="atomic histograms atomics",
        integer=True,
    ),
    Idea(
        "ring_write",
        "ring_write push_samples append_ring write_delay_line",
        "write the new sample of each channel into its ring buffer",
        """
        $slot = {head}[$c]
        ⟨{acc}[$c] += {fresh}[$c] - {buf}[$c, $slot]
        {buf}[$c, $slot] = {fresh}[$c]|{buf}[$c, $slot] = ⟨{fresh}[$c]|wp.abs({fresh}[$c])|wp.max({fresh}[$c], 0)|wp.clamp({fresh}[$c], -{trigger}, {trigger})⟩⟩
        ⟨if wp.abs({fresh}[$c]) > {trigger}:
            # the slot of a large sample
            {last_out}[$c] = $slot
        |⟩⟨{head}[$c] = ($slot + 1) % {ring}|$slot += 1
        if $slot == {ring}:
            $slot = 0
        {head}[$c] = $slot|if {bad}[$c] != 2:
            {head}[$c] = ($slot + 1) % {ring}⟩
        """,
        threads="c",
        kinds="arithmetic control_flow",
        integer=True,
    ),
    Idea(
        "count_repeats",
        "count_repeats equal_pairs recurrence_count self_matches",
        "count the pairs of ⟨1:equal|adjacent|ascending⟩ symbols in each sequence",
        """
        $count = int(0)
        for $k in range(1, {t}):
            ⟨if {series}[$i, $k] == 0:
                # a gap
                continue
            |⟩for $l in range($k):
                ⟨1:if {series}[$i, $k] == {series}[$i, $l]:|if {series}[$i, $k] == {series}[$i, $l] + 1:|if {series}[$i, $l] < {series}[$i, $k]:⟩
                    $count += 1
        {pairs_out}[$i] = $count⟨|
        wp.atomic_add({hits}, 0, $count)|
        wp.atomic_max({top}, 0, $count)⟩
        """,
        kinds="nested_loop control_flow",
        integer=True,
    ),
    Idea(
        "quality_ladder",
        "update_quality grade_samples refresh_status qc_step",
        "update the quality code of each sample",
        """
        $count = {many}[$i]⟨| + 1⟩
        if {tag}[$i] == {MISSING}:
            {flag}[$i] = {BAD}
            ⟨wp.atomic_add({lost}, 0, 1)|⟩
        elif $count < ⟨3|5⟩:
            # too few to judge
            {flag}[$i] = {SUSPECT}
        ⟨elif {flag}[$i] == {SUSPECT}:
            {flag}[$i] = 0
        |elif $count > 12 and {flag}[$i] > 0:
            {flag}[$i] = {flag}[$i] - 1
        |⟩⟨{many_out}[$i] = $count|⟩
        """,
        kinds="multi_conditional control_flow",
        integer=True,
    ),
)
