"""Ideas of the domain `records`: flags for compaction, steps of prefix sums, runs, deltas, first rows of groups."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

SCANNING = (
    Idea(
        "select_flags",
        "flag_rows mark_selected build_compaction_flags select_rows",
        "mark the rows ⟨1:whose key lies in a range|that are in use and belong to the active partition|whose key differs from that of the previous row⟩ and count them",
        """
        hook skip
        ⟨2:$flag = int(0)
        ⟨1:⟨if $key >= {lo} and $key ⟨<|<=⟩ {hi}:
            $flag = 1|if {lo} <= $key:
            if $key < {hi}:
                $flag = 1⟩|if ({state}[$i] & {LIVE}) != 0 and {part}[$i] == {which}:
            ⟨# locked rows stay where they are
            |⟩if ({state}[$i] & {LOCKED}) == 0:
                $flag = 1|if $i == 0:
            $flag = 1
        else:
            if {sorted_keys}[$i] != {sorted_keys}[$i - 1]:
                $flag = 1⟩
        {out_flag}[$i] = $flag
        if $flag == 1:
            wp.atomic_add({counter}, 0, 1)
            ⟨|wp.atomic_add({bitmap}, $i // {BLOCK}, 1 << ($i % {BLOCK}))|wp.atomic_max({stats}, 3, $i)⟩|⟨1:if $key < {lo} or $key >= {hi}:
            {out_flag}[$i] = 0
            return|if ({state}[$i] & {LIVE}) == 0:
            {out_flag}[$i] = 0
            return
        if {part}[$i] != {which}:
            {out_flag}[$i] = 0
            return|if $i > 0:
            if {sorted_keys}[$i] == {sorted_keys}[$i - 1]:
                {out_flag}[$i] = 0
                return⟩
        {out_flag}[$i] = 1
        wp.atomic_add({counter}, 0, 1)⟩
        """,
        kinds="atomic control_flow multi_conditional early_exit",
        integer=True,
    ),
    Idea(
        "compact",
        "compact_rows stream_compaction gather_selected pack_valid",
        "move ⟨1:valid rows|rows with keys below the pivot⟩ to the front and keep their order",
        """
        ⟨1:if not {valid}[$i]:
            return|if {keys}[$i] >= {pivot}:
            return⟩
        # the position is the number of selected rows before this one
        $pos = int(0)
        for $k in range($i):
            ⟨1:if {valid}[$k]:|if {keys}[$k] < {pivot}:⟩
                $pos += 1
        {moved}[$pos] = ⟨{values}[$i]|{keys}[$i]|$i|{keys}[$i] * 128 + {values}[$i] + 40⟩
        ⟨|{out_pos}[$i] = $pos|wp.atomic_max({stats}, 5, $pos + 1)|{out_pos}[$i] = $pos
        wp.atomic_add({counter}, 0, 1)⟩
        """,
        kinds="control_flow gather_scatter early_exit",
        integer=True,
    ),
    Idea(
        "scan_step",
        "scan_step hillis_steele_pass prefix_sum_step inclusive_scan_pass",
        "⟨1:add the value one stride before to each row in a step of a prefix sum|take the larger of two values one stride apart in a step of a prefix maximum|add values within segments in a step of a segmented scan⟩",
        """
        $val = {values}[$i]
        ⟨3:if $i >= {stride}:
            ⟨1:$val += {values}[$i - {stride}]|$val = wp.max($val, {values}[$i - {stride}])|if {part}[$i - {stride}] == {part}[$i]:
                $val += {values}[$i - {stride}]⟩
        {out_val}[$i] = $val
        ⟨|# contribution of the earlier rows
        {out_aux}[$i] = $val - {values}[$i]|wp.atomic_max({stats}, 0, $val)⟩|if $i < {stride}:
            {out_val}[$i] = $val
            return
        $other = $i - {stride}
        ⟨1:{out_val}[$i] = $val + {values}[$other]|if {values}[$other] > $val:
            $val = {values}[$other]
        {out_val}[$i] = $val|if {part}[$other] != {part}[$i]:
            # a segment begins between the two rows
            {out_val}[$i] = $val
            return
        {out_val}[$i] = $val + {values}[$other]⟩⟩
        """,
        kinds="control_flow",
        integer=True,
    ),
    Idea(
        "upsweep",
        "scan_upsweep reduce_tree_step upsweep tree_reduce_pass",
        "combine pairs of partial results in the up-sweep of a ⟨1:prefix sum|tree of maxima|tree of minima⟩",
        """
        $right = ($i + 1) * 2 * {stride} - 1
        if $right >= {n}:
            return
        $left = $right - {stride}
        ⟨1:{values}[$right] = {values}[$right] + {values}[$left]|⟨{values}[$right] = wp.max({values}[$right], {values}[$left])|if {values}[$left] > {values}[$right]:
            {values}[$right] = {values}[$left]⟩|{values}[$right] = wp.min({values}[$right], {values}[$left])⟩
        ⟨|{out_pos}[$i] = $left|# nodes of the tree
        {out_flag}[$right] = 1⟩
        """,
        kinds="arithmetic early_exit reduction",
        integer=True,
        alone=True,
    ),
    Idea(
        "add_carry",
        "add_block_offsets propagate_carry add_block_sums finish_scan",
        "add the sum of all earlier blocks to the partial sums of each block⟨1:| except the first one⟩",
        """
        hook skip
        $block = $i // {BLOCK}
        ⟨1:{out_val}[$i] = {values}[$i] + {block_sums}[$block]|if $block == 0:
            {out_val}[$i] = {values}[$i]
        else:
            {out_val}[$i] = {values}[$i] + {block_sums}[$block]⟩
        ⟨|# the last row of a block carries the total of the block
        if $i % {BLOCK} == {BLOCK} - 1:
            wp.atomic_max({stats}, 4, {values}[$i])|{out_pos}[$i] = $i % {BLOCK}|{out_aux}[$i] = {block_sums}[$block]⟩
        """,
        kinds="arithmetic",
        integer=True,
    ),
    Idea(
        "run_lengths",
        "run_length_encode find_runs measure_runs encode_runs",
        "find the first row of each run of equal keys and measure the run",
        """
        $key = {sorted_keys}[$i]
        if $i > 0:
            ⟨if {sorted_keys}[$i - 1] == $key:
                # not the first row of its run
                {out_count}[$i] = 0
                return|$previous = {sorted_keys}[$i - 1]
            if $previous == $key:
                {out_count}[$i] = 0
                ⟨{out_flag}[$i] = 0
                |⟩return⟩

        ⟨$end = $i + 1
        while $end < {n}:
            if {sorted_keys}[$end] != $key:
                break
            $end += 1
        {out_count}[$i] = $end - $i|$count = int(1)
        for $k in range($i + 1, {n}):
            if {sorted_keys}[$k] != $key:
                break
            $count += 1
        {out_count}[$i] = $count|$end = int($i)
        $same = bool(True)
        while $same:
            $end += 1
            if $end >= {n}:
                $same = False
            else:
                $same = {sorted_keys}[$end] == $key
        {out_count}[$i] = $end - $i⟩
        ⟨|{out_val}[$i] = $key|wp.atomic_add({counter}, 0, 1)|{out_val}[$i] = $key
        {out_flag}[$i] = 1
        wp.atomic_add({counter}, 0, 1)⟩
        """,
        kinds="control_flow while_loop early_exit multi_conditional",
        docs="Run-length encoding of sorted keys; rows inside a run have length 0",
        integer=True,
    ),
    Idea(
        "delta_code",
        "delta_encode encode_deltas zigzag_encode delta_pack",
        "encode each value as ⟨1:the difference to the previous one|the zigzag code of the difference to the previous one|the difference to the first value of its block⟩",
        """
        hook skip
        ⟨1:$previous = int(⟨0|{start_at}⟩)
        if $i > 0:
            $previous = {values}[$i - 1]
        $delta = {values}[$i] - $previous
        {out_val}[$i] = $delta|if $i == 0:
            {out_val}[$i] = @zigzag({values}[0])
            return
        $delta = {values}[$i] - {values}[$i - 1]
        {out_val}[$i] = @zigzag($delta)|$first_row = $i - $i % {BLOCK}
        $delta = {values}[$i] - {values}[$first_row]
        {out_val}[$i] = $delta⟩
        ⟨|# bits that the code needs
        $bits = int(0)
        $rest = wp.abs($delta)
        while $rest > 0:
            $rest = $rest >> 1
            $bits += 1
        ⟨{out_count}[$i] = $bits|wp.atomic_max({stats}, 6, $bits)⟩|if wp.abs($delta) > {tolerance}:
            {out_flag}[$i] = 1
            wp.atomic_add({counter}, 0, 1)⟩
        """,
        kinds="control_flow arithmetic",
        integer=True,
    ),
    Idea(
        "group_ranges",
        "find_cell_ranges mark_group_boundaries build_cell_start group_offsets",
        "store the first and last row of each key of the sorted rows",
        """
        $key = {sorted_keys}[$i]
        ⟨if $i == 0:
            {first}[$key] = 0
        else:
            $previous = {sorted_keys}[$i - 1]
            if $key != $previous:
                {first}[$key] = $i
                {last}[$previous] = $i
        # the last row closes its group
        if $i == {n} - 1:
            {last}[$key] = {n}|$previous = int({NONE})
        if $i > 0:
            $previous = {sorted_keys}[$i - 1]
        if $previous != $key:
            {first}[$key] = $i
            ⟨if $previous >= 0:
                {last}[$previous] = $i|⟩
            ⟨|wp.atomic_add({counter}, 0, 1)⟩|if $i == 0 or {sorted_keys}[wp.max($i - 1, 0)] != $key:
            {first}[$key] = $i
        if $i == {n} - 1 or {sorted_keys}[wp.min($i + 1, {n} - 1)] != $key:
            {last}[$key] = $i + 1⟩
        """,
        kinds="control_flow multi_conditional gather_scatter sorting",
        docs="Rows are sorted by key, so that each key has one contiguous range of rows",
        integer=True,
        alone=True,
    ),
)
