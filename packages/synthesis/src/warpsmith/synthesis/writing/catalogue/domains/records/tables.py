"""Ideas of the domain `records`: joins, aggregates of groups, parents, features and scores."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

TABLES = (
    Idea(
        "join",
        "join_tables left_join lookup_join resolve_keys",
        "join ⟨1:each row|each valid row⟩ with the lookup table by its key",
        """
        hook skip
        ⟨1:|if not {valid}[$i]:
            {out_val}[$i] = {fillvalue}
            return
        ⟩⟨2:$slot = @lower({table_keys}, {m}, {queries}[$i])
        $found = int(0)
        if $slot < {m}:
            if {table_keys}[$slot] == {queries}[$i]:
                $found = 1|$slot = int({NONE})
        for $k in range({m}):
            if {table_keys}[$k] == {queries}[$i]:
                $slot = $k
                break
        $found = 1 if $slot != {NONE} else 0⟩

        if $found == 1:
            {out_val}[$i] = {table_vals}[$slot]
            ⟨|{out_pos}[$i] = $slot|{out_flag}[$i] = 1⟩
            hook lookup_hit
        else:
            # unknown keys get a default
            {out_val}[$i] = {fillvalue}
            hook lookup_miss
        """,
        kinds="control_flow multi_conditional while_loop",
        integer=True,
    ),
    Idea(
        "group_by",
        "aggregate_groups group_by_sum accumulate_groups group_statistics",
        "accumulate ⟨1:the sums and sizes|the extremes|the sizes|the work and the number of heavy rows⟩ of all groups",
        """
        hook skip
        ⟨if $grp ⟨< 0|== {NONE}⟩:
            ⟨# rows without a group
            |⟩⟨wp.atomic_add({misses}, 0, 1)
            |⟩return
        ⟨1:wp.atomic_add({totals}, $grp, {values}[$i])
        wp.atomic_add({members}, $grp, 1)|wp.atomic_min({lowest}, $grp, {values}[$i])
        wp.atomic_max({highest}, $grp, {values}[$i])|wp.atomic_add({members}, $grp, 1)|wp.atomic_add({totals}, $grp, {cost}[$i])
        if {cost}[$i] > {HEAVY}:
            wp.atomic_add({members}, $grp, 1)⟩
        hook group_done|if $grp ⟨>= 0|!= {NONE}⟩:
            ⟨1:wp.atomic_add({totals}, $grp, {values}[$i])
            wp.atomic_add({members}, $grp, 1)|wp.atomic_min({lowest}, $grp, {values}[$i])
            wp.atomic_max({highest}, $grp, {values}[$i])|wp.atomic_add({members}, $grp, 1)|wp.atomic_add({totals}, $grp, {cost}[$i])
            if {cost}[$i] > {HEAVY}:
                wp.atomic_add({members}, $grp, 1)⟩
            hook group_done⟩
        """,
        kinds="atomic histograms control_flow reduction atomics",
        integer=True,
    ),
    Idea(
        "roots",
        "find_roots follow_parents compute_depth count_ancestors",
        "follow the parents of each row to ⟨1:its root|an ancestor in the active partition⟩ and store ⟨2:the row|the number of steps⟩",
        """
        hook skip
        $node = int($i)
        $hops = int(0)
        ⟨1:while {parent}[$node] >= 0 and $hops < {STEPS}:
            $node = {parent}[$node]
            $hops += 1|⟨while $hops < {STEPS}:
            if {part}[$node] == {which}:
                break
            $up = {parent}[$node]
            if $up ⟨< 0|== {NONE}⟩:
                break
            $node = $up
            $hops += 1|$up = {parent}[$i]
        while $up >= 0 and {part}[$node] != {which} and $hops < {STEPS}:
            $node = $up
            $up = {parent}[$node]
            $hops += 1⟩⟩
        ⟨2:{out_pos}[$i] = $node
        ⟨|if $hops == {STEPS}:
            # a cycle, or a chain that is too long
            wp.atomic_add({dropped}, 0, 1)⟩|{out_count}[$i] = $hops
        ⟨|if $hops == 0:
            {out_flag}[$i] = 1
            wp.atomic_add({counter}, 0, 1)
        else:
            {out_flag}[$i] = 0⟩⟩
        """,
        kinds="control_flow while_loop early_exit gather_scatter",
        integer=True,
    ),
    Idea(
        "normalize",
        "normalize_features standardize_columns scale_features clip_features",
        "⟨1:center features by the mean of the group of the row|scale features|clip features to a range⟩",
        """
        ⟨2:|if not {valid}[$i]:
            {real_out}[$i, $c] = 0.0
            return
        |if ({state}[$i] & {LIVE}) == 0:
            return
        ⟩$x = {real_cells}[$i, $c]
        ⟨1:$grp_id = {group}[$i]
        if $grp_id >= 0:
            $x = $x - {levels}[$grp_id]
        {real_out}[$i, $c] = $x⟨| * {scale}⟩|{real_out}[$i, $c] = $x * {scale}⟨| * {weights}[$i]⟩|⟨{real_out}[$i, $c] = wp.clamp($x, -{clip}, {clip})|if $x > {clip}:
            {real_out}[$i, $c] = {clip}⟨4:| + 0.1 * ($x - {clip})⟩
            ⟨|wp.atomic_add({counter}, 0, 1)⟩
        elif $x < -{clip}:
            {real_out}[$i, $c] = -{clip}⟨4:| + 0.1 * ($x + {clip})⟩
        else:
            {real_out}[$i, $c] = $x⟩⟩
        """,
        threads="i c",
        kinds="arithmetic",
    ),
    Idea(
        "weighted_sums",
        "group_weighted_sum accumulate_measurements group_moments sum_by_group",
        "add the weighted ⟨1:measurements|squared deviations|clipped measurements⟩ of the rows of each group",
        """
        hook skip
        $grp_id = {group}[$i]
        if $grp_id < 0:
            ⟨wp.atomic_add({misses}, 0, 1)
            |⟩return
        $w = {weights}[$i]
        $x = {reals}[$i]
        ⟨1:$term = $w * $x|$diff = $x - {levels}[$grp_id]
        ⟨$term = $w * $diff * $diff|# Huber: linear for large deviations
        $size = wp.abs($diff)
        $term = 0.5 * $w * $diff * $diff
        if $size > {clip}:
            $term = $w * {clip} * ($size - 0.5 * {clip})⟩|$term = $w * wp.clamp($x, -{clip}, {clip})⟩
        wp.atomic_add({group_real}, $grp_id, $term)
        ⟨wp.atomic_add({group_weight}, $grp_id, $w)|wp.atomic_add({group_weight}, $grp_id, $w)
        {score}[$i] = $term|{score}[$i] = $term / $w⟩
        ⟨|wp.atomic_add({members}, $grp_id, 1)⟩
        """,
        kinds="atomic arithmetic reduction",
    ),
    Idea(
        "scores",
        "score_rows rank_score rate_rows compute_scores",
        "compute the score of each row from ⟨1:its features|the measurements of its items⟩",
        """
        hook skip
        $total_score = float(0.0)
        ⟨1:for $k in range({width}):
            ⟨$total_score += {real_cells}[$i, $k] * {scale}|$x = {real_cells}[$i, $k]
            if $x > 0.0:
                $total_score += $x
            else:
                $total_score += {scale} * $x|# later columns count more
            $total_score += {real_cells}[$i, $k] * float($k + 1)⟩|for $k in range({row_start}[$i], {row_start}[$i + 1]):
            $item = {items}[$k]
            ⟨if $item == 0:
                continue
            |⟩$row = wp.min($item, {n} - 1)
            ⟨$total_score += {weights}[$row] * {reals}[$row]|$total_score += {weights}[$row] * wp.exp(-{scale} * wp.abs({reals}[$row]))|if {valid}[$row]:
                $total_score += {reals}[$row]⟩⟩
        {score}[$i] = $total_score
        ⟨|⟨1:if $total_score > {clip}:
            {out_flag}[$i] = 1|{out_count}[$i] = {row_start}[$i + 1] - {row_start}[$i]⟩|if $grp >= 0:
            wp.atomic_add({group_real}, $grp, $total_score)⟩
        """,
        kinds="control_flow",
    ),
)
