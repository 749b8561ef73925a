"""Ideas of the domain `records`: classes, conditions, levels and intervals of rows."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

SELECTION = (
    Idea(
        "partition",
        "three_way_partition classify_by_pivot split_keys partition_flags",
        "classify each row as below, in or above ⟨1:the band that begins at the pivot|the range⟩ and count the classes",
        """
        hook skip
        ⟨1:if $key < {pivot}:
            {out_flag}[$i] = -1
            wp.atomic_add({stats}, 0, 1)
        elif $key <= {pivot} + {tolerance}:
            {out_flag}[$i] = 0
            wp.atomic_add({stats}, 1, 1)
        else:
            {out_flag}[$i] = 1
            wp.atomic_add({stats}, 2, 1)|$side = int(0)
        if $key < {lo}:
            $side = -1
        elif $key >= {hi}:
            $side = 1
        {out_flag}[$i] = $side
        ⟨wp.atomic_add({stats}, $side + 1, 1)|if $side != 0:
            wp.atomic_add({stats}, 3, 1)
            return⟩
        ⟨|{out_val}[$i] = $key - {lo}⟩⟩
        """,
        kinds="atomic multi_conditional control_flow scalar_param sorting",
        integer=True,
    ),
    Idea(
        "filter",
        "evaluate_filter apply_predicates filter_rows match_conditions",
        "evaluate ⟨1:a comparison with an operator of each row|two conditions and combine them⟩",
        """
        hook skip
        ⟨1:$op = {op}[$i]
        ⟨{out_bool}[$i] = @compare($op, {keys}[$i], {pivot})|$keep = @compare($op, {keys}[$i], {pivot})
        {out_bool}[$i] = $keep
        ⟨if $keep:
            wp.atomic_add({counter}, 0, 1)|if $keep and {valid}[$i]:
            wp.atomic_add({stats}, $op, 1)⟩|$keep = bool(False)
        if $op == {OP_EQ}:
            $keep = {keys}[$i] == {queries}[$i]
        elif $op == {OP_NE}:
            $keep = {keys}[$i] != {queries}[$i]
        elif $op == {OP_LT}:
            $keep = {keys}[$i] < {queries}[$i]
        else:
            $keep = {keys}[$i] >= {queries}[$i]
        {out_bool}[$i] = $keep⟩|$in_range = {keys}[$i] >= {lo} and {keys}[$i] ⟨<|<=⟩ {hi}
        $accepted = @compare({op}[$i], {values}[$i], {pivot})
        ⟨{out_bool}[$i] = $in_range ⟨and|or⟩ $accepted|if $in_range != $accepted:
            # exactly one of the conditions
            {out_bool}[$i] = True
            wp.atomic_add({counter}, 0, 1)
        else:
            {out_bool}[$i] = False|{out_bool}[$i] = $in_range and not $accepted⟩⟩
        """,
        kinds="control_flow multi_conditional helper_functions",
        integer=True,
    ),
    Idea(
        "rescale",
        "rescale_values map_range quantize_values normalize_range",
        "map the ⟨1:keys|values⟩ between two limits to levels ⟨2:and clamp the rest|and mark the rest⟩",
        """
        hook skip
        $raw = ⟨1:$key|$val⟩
        $span = {hi} - {lo}
        ⟨2:$level_in = wp.clamp($raw - {lo}, 0, $span)
        {out_val}[$i] = ⟨$level_in * ⟨255|{MASK}⟩ // $span|($level_in * ⟨255|{MASK}⟩ + $span // 2) // $span|255 * $level_in * $level_in // ($span * $span)⟩
        ⟨|# what the limits cut off
        {out_aux}[$i] = $raw - $level_in - {lo}|{out_flag}[$i] = 1 if $raw == $level_in + {lo} else 0⟩|if $raw < {lo} or $raw ⟨>|>=⟩ {hi}:
            {out_val}[$i] = {fillvalue}
            ⟨wp.atomic_add({stats}, 0 if $raw < {lo} else 1, 1)
            |wp.atomic_add({misses}, 0, 1)
            |⟩return
        {out_val}[$i] = ($raw - {lo}) * ⟨255|{MASK}|100⟩ // $span⟩
        """,
        kinds="arithmetic scalar_param",
        integer=True,
    ),
    Idea(
        "levels",
        "assign_levels classify_rows assign_priority schedule_rows",
        "assign a priority to each row by ⟨1:its age and cost|its state|its age and partition⟩ and ⟨2:count the rows|add up the work⟩ of each priority",
        """
        hook skip
        ⟨1:$level = @priority({ages}[$i], {cost}[$i])|$level = int({NORMAL})
        $bits = {state}[$i]
        if ($bits & {LIVE}) == 0:
            $level = {IDLE}
        elif ($bits & {LOCKED}) != 0:
            $level = {LATE}
        elif ($bits & {DIRTY}) != 0:
            ⟨# changed rows are written first
            |⟩$level = {BEST}|if {part}[$i] == {which}:
            $level = @priority({ages}[$i] * 2, {cost}[$i])
        ⟨elif {ages}[$i] > {MAX_AGE}:
            $level = int({BEST})
        |⟩else:
            $level = int({LATE})⟩
        ⟨|# promote rows that waited too long
        if $level > {BEST} and {ages}[$i] > {MAX_AGE}:
            $level -= 1
        ⟩{out_val}[$i] = $level
        wp.atomic_add({stats}, $level, ⟨2:1|{cost}[$i]⟩)
        ⟨|if $level == {BEST}:
            {out_flag}[$i] = 1
            wp.atomic_add({counter}, 0, 1)
        else:
            {out_flag}[$i] = 0|# sort key: priority, then age
        {out_aux}[$i] = $level * {RADIX} + wp.min({ages}[$i], {MASK})⟩
        """,
        kinds="atomic multi_conditional control_flow",
        integer=True,
    ),
    Idea(
        "overlaps",
        "count_overlaps find_overlaps interval_overlaps conflict_search",
        "find the intervals that overlap each interval⟨1: and count them| and stop at the first one| and store the longest common part⟩",
        """
        hook skip
        $from_tick = {begins}[$i]
        $to_tick = {begins}[$i] + {lengths}[$i]
        ⟨1:$count = int(0)
        for $k in range({n}):
            if $k ⟨== $i|<= $i⟩:
                continue
            $other_begin = {begins}[$k]
            ⟨if $other_begin < $to_tick and $other_begin + {lengths}[$k] > $from_tick:
                $count += 1|if $other_begin >= $to_tick:
                continue
            if $other_begin + {lengths}[$k] > $from_tick:
                $count += 1⟩
        {out_count}[$i] = $count|$best = int({NONE})
        $k = int(0)
        while $k < {n} and $best ⟨== {NONE}|< 0⟩:
            if $k != $i:
                if {begins}[$k] < $to_tick and {begins}[$k] + {lengths}[$k] > $from_tick:
                    $best = $k
            $k += 1
        {out_pos}[$i] = $best|$best = int(0)
        for $k in range({n}):
            if $k != $i:
                $common = wp.min($to_tick, {begins}[$k] + {lengths}[$k]) - wp.max($from_tick, {begins}[$k])
                ⟨if $common > $best:
                    $best = $common
                    {out_pos}[$i] = $k|$best = wp.max($best, $common)⟩
        {out_count}[$i] = $best⟩
        ⟨|if $from_tick <= {now} and {now} < $to_tick:
            # active at the current tick
            {out_flag}[$i] = 1
        else:
            {out_flag}[$i] = 0|{out_aux}[$i] = $to_tick⟩
        """,
        kinds="control_flow multi_conditional while_loop",
        docs="Intervals are half open; intervals that only touch do not overlap",
        integer=True,
    ),
)
