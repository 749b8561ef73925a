"""Ideas of the domain `records`: short kernels that change columns in place, set flags and copy cells."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

SHORT_COLUMNS = (
    Idea(
        "bump",
        "increment_ages tick_rows age_rows advance_ages",
        "increase the age of rows in place ⟨1:up to the limit|and reset expired ones|except for locked ones⟩",
        """
        ⟨1:⟨{ages}[$i] = wp.min({ages}[$i] + ⟨1|2⟩, {MAX_AGE})|if {ages}[$i] < {MAX_AGE}:
            {ages}[$i] += 1
        ⟨|else:
            {out_flag}[$i] = 1⟩⟩|{ages}[$i] = {ages}[$i] + 1
        if {ages}[$i] > {MAX_AGE}:
            {ages}[$i] = 0
            ⟨wp.atomic_add({counter}, 0, 1)|{state}[$i] = 0|{out_flag}[$i] = 1|⟩|if ({state}[$i] & {LOCKED}) ⟨!= 0|== {LOCKED}⟩:
            return
        {ages}[$i] += 1
        ⟨|{out_flag}[$i] = 1|wp.atomic_add({counter}, 0, 1)⟩⟩
        """,
        kinds="integer_bits",
        integer=True,
    ),
    Idea(
        "mark",
        "mark_rows set_state_bits touch_rows flag_dirty",
        "set state bits of rows in place ⟨1:where the key is in the range|of one partition|where the first column has changed⟩",
        """
        ⟨1:if {keys}[$i] >= {lo} and {keys}[$i] < {hi}:
            {state}[$i] = {state}[$i] | ⟨{DIRTY}|{LIVE}|({DIRTY} + {LIVE})⟩
        ⟨|else:
            {state}[$i] = {state}[$i] & {LOCKED}⟩|if {part}[$i] == {which}:
            {state}[$i] = {state}[$i] | ⟨{LOCKED}|{DIRTY}|({DIRTY} + {LOCKED})⟩
            ⟨wp.atomic_add({counter}, 0, 1)|⟩|if {cells}[$i, 0] != {cells_b}[$i, 0] and {valid}[$i]:
            {state}[$i] = {state}[$i] | {DIRTY}
            ⟨wp.atomic_add({counter}, 0, 1)|{out_flag}[$i] = 1|⟩⟩
        """,
        kinds="control_flow",
        integer=True,
    ),
    Idea(
        "clamp_values",
        "clamp_values limit_column saturate_rows clip_values",
        "limit the values of rows in place ⟨1:to the range|to the pivot and count them|by partition⟩",
        """
        ⟨hook skip
        |⟩⟨1:{values}[$i] = ⟨wp.clamp({values}[$i], {lo}, {hi})|wp.min(wp.max({values}[$i], 0), {hi})⟩|if {values}[$i] > {pivot}:
            {values}[$i] = {pivot}
            ⟨{out_flag}[$i] = 1|wp.atomic_add({counter}, 0, 1)|wp.atomic_add({stats}, {part}[$i], 1)⟩|if {part}[$i] == 0:
            {values}[$i] = wp.min({values}[$i], {hi})
        elif {part}[$i] == 1:
            {values}[$i] = wp.max({values}[$i], {lo})
        else:
            {values}[$i] = ⟨wp.clamp({values}[$i], {lo}, {hi})|wp.min({values}[$i], {pivot})|wp.max({values}[$i], 0)⟩⟩
        """,
        kinds="scalar_param",
        integer=True,
    ),
    Idea(
        "invalidate",
        "invalidate_rows drop_rows clear_links release_rows",
        "remove ⟨1:the link of rows|the group of rows|the values of rows⟩ in place where ⟨2:the row has expired|the row is not valid|the key is too small⟩",
        """
        if ⟨2:{ages}[$i] > {MAX_AGE}|not {valid}[$i]|{keys}[$i] < {pivot}⟩:
            ⟨1:{rows}[$i] = {NONE}
            ⟨{out_flag}[$i] = 1|⟩|{group}[$i] = {NONE}
            ⟨wp.atomic_add({misses}, 0, 1)|⟩|{values}[$i] = {fillvalue}
            {state}[$i] = ⟨0|{state}[$i] & {LOCKED}⟩⟩
        ⟨|else:
            # rows that stay
            wp.atomic_add({counter}, 0, 1)⟩
        """,
        kinds="control_flow",
        integer=True,
    ),
    Idea(
        "queue_heads",
        "advance_heads rotate_queues consume_items drain_queues",
        "advance the queues in place by ⟨1:their budget|one item|the arriving item⟩",
        """
        ⟨1:$count = wp.min({fill}[$q], {budget}[$q])
        {head}[$q] = ({head}[$q] + $count) % {depth}
        {fill}[$q] = {fill}[$q] - $count
        ⟨{taken}[$q] = $count|⟩|if {fill}[$q] ⟨> 0|!= 0⟩:
            ⟨{queue_out}[$q] = {ring}[$q, {head}[$q]]
            |⟩{head}[$q] = ({head}[$q] + 1) % {depth}
            {fill}[$q] -= 1
        ⟨|else:
            wp.atomic_add({misses}, 0, 1)⟩|if {arrivals}[$q] >= 0:
            if {fill}[$q] < {depth} - 1:
                {fill}[$q] += 1
            else:
                wp.atomic_add({dropped}, 0, 1)⟩
        """,
        threads="q",
        kinds="arithmetic",
        integer=True,
    ),
    Idea(
        "clear_cells",
        "clear_row_cells zero_column erase_cells blank_records",
        "overwrite cells in place ⟨1:of invalid rows|of one column|above the limit⟩",
        """
        ⟨1:if not {valid}[$i]:
            {cells}[$i, $c] = ⟨{fillvalue}|0|{NONE}⟩
            ⟨wp.atomic_add({counter}, 0, 1)|⟩|if $c == ⟨0|{width} - 1⟩:
            {cells}[$i, $c] = ⟨{keys}[$i]|{fillvalue}|$i⟩|if {cells}[$i, $c] > {pivot}:
            {cells}[$i, $c] = ⟨{pivot}|{fillvalue}|0⟩
            ⟨wp.atomic_add({counter}, 0, 1)|⟩⟩
        """,
        threads="i c",
        kinds="control_flow",
        integer=True,
    ),
    Idea(
        "copy_column",
        "copy_columns extract_column fill_missing copy_if_changed",
        "copy ⟨1:the cells of rows|cells that have changed|one column|values of valid rows⟩",
        """
        ⟨1:{cells_out}[$i, $c] = ⟨{cells}[$i, $c]|{cells}[$i, {width} - 1 - $c]|{cells}[{order}[$i], $c]⟩|if {cells}[$i, $c] != {cells_b}[$i, $c]:
            {cells_out}[$i, $c] = {cells_b}[$i, $c]
            ⟨wp.atomic_add({counter}, 0, 1)|⟩
        else:
            {cells_out}[$i, $c] = {cells}[$i, $c]|if $c == ⟨0|{width} - 1⟩:
            {moved}[$i] = {cells}[$i, $c]|{cells_out}[$i, $c] = {cells}[$i, $c] if {valid}[$i] else {fillvalue}⟩
        """,
        threads="i c",
        kinds="gather_scatter multi_dim",
        integer=True,
    ),
    Idea(
        "reset_counters",
        "reset_counts zero_outputs init_groups clear_results",
        "reset ⟨1:the results of rows|the links of rows|the counters of rows⟩",
        """
        ⟨1:{out_val}[$i] = {fillvalue}
        {out_pos}[$i] = {NONE}|{rows}[$i] = ⟨{NONE}|$i|wp.max($i - 1, 0)⟩
        ⟨{parent}[$i] = $i|⟩|{out_count}[$i] = ⟨0|1⟩
        {out_pos}[$i] = $i⟩
        ⟨|{out_flag}[$i] = ⟨0|{LIVE}⟩⟩
        """,
        kinds="gather_scatter",
        integer=True,
    ),
    Idea(
        "rescale_reals",
        "accumulate_scores add_measurements update_weights smooth_values",
        "add ⟨1:the weighted measurement|the deviation from the group|the scaled feature⟩ of each row in place",
        """
        ⟨1:if {valid}[$i]:
            {score}[$i] += {reals}[$i] * {weights}[$i]
            ⟨wp.atomic_add({counter}, 0, 1)|⟩|if $grp >= 0:
            {score}[$i] += ({reals}[$i] - {levels}[$grp]) ⟨* {scale}|* {weights}[$i]|⟩
            ⟨wp.atomic_add({members}, $grp, 1)|⟩|{score}[$i] += {real_cells}[$i, 0] * {scale}
        ⟨|# outliers are marked
        if wp.abs({real_cells}[$i, 0]) > {clip}:
            {out_flag}[$i] = 1⟩⟩
        """,
        kinds="arithmetic",
    ),
)
