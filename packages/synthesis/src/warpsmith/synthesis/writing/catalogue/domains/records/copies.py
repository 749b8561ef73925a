"""Ideas of the domain `records`: fills, copies with strides and offsets, transposes, gathers, scatters, padding."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

COPIES = (
    Idea(
        "fill",
        "fill_rows reset_columns initialize_rows clear_rows",
        "initialize ⟨1:values and flags|ids in ascending order|ids in descending order|values by partition|counters⟩ of rows",
        """
        ⟨|hook skip
        ⟩⟨1:{out_val}[$i] = {fillvalue}
        ⟨{out_flag}[$i] = 0
        {out_pos}[$i] = {NONE}|{out_flag}[$i] = ⟨{LIVE}|0⟩|{out_flag}[$i] = ⟨{LIVE}|0⟩
        {out_pos}[$i] = ⟨{NONE}|$i⟩⟩|{out_pos}[$i] = ⟨$i|{start_at} + $i|{start_at} + $i * {stride}⟩
        ⟨|{out_flag}[$i] = 0|{out_count}[$i] = 1⟩|{out_pos}[$i] = {n} - 1 - $i
        ⟨|{out_val}[$i] = {fillvalue}⟩|{out_val}[$i] = {fillvalue} if {part}[$i] == {which} else ⟨0|{NONE}|{values}[$i]⟩
        ⟨|{out_pos}[$i] = $i⟩|{out_count}[$i] = 0
        {out_pos}[$i] = $i
        ⟨{out_flag}[$i] = {LIVE}|{out_bool}[$i] = True⟩⟩
        """,
        kinds="arithmetic scalar_param",
        integer=True,
    ),
    Idea(
        "fill_table",
        "clear_cells fill_table reset_table init_cells",
        "set the cells ⟨1:to a default|to a default and the first column to the row number|of rows with a key below the pivot to zero|to their linear index⟩",
        """
        ⟨1:⟨{cells_out}[$i, $c] = {fillvalue}|{cells_out}[$i, $c] = {fillvalue} if {valid}[$i] else {NONE}⟩|if $c == 0:
            {cells_out}[$i, 0] = $i
        else:
            {cells_out}[$i, $c] = {fillvalue}|if {keys}[$i] < {pivot}:
            {cells_out}[$i, $c] = 0
        ⟨|else:
            {cells_out}[$i, $c] = {fillvalue}⟩|{cells_out}[$i, $c] = $i * {width} + $c⟨| + {start_at}⟩⟩
        """,
        threads="i c",
        kinds="arithmetic multi_dim scalar_param",
        integer=True,
    ),
    Idea(
        "gather",
        "gather_rows gather_values permute_rows take",
        "gather values by index⟨1:| with a default where the index is -1⟩",
        """
        hook skip
        ⟨1:$row = {order}[$i]
        {moved}[$i] = {values}[$row]
        ⟨{out_aux}[$i] = {keys}[$row]|{out_flag}[$i] = {state}[$row] & {LIVE}|⟩|$row = {rows}[$i]
        ⟨if $row < 0:
            {moved}[$i] = {fillvalue}
            ⟨{out_flag}[$i] = 0
            |⟩return
        {moved}[$i] = {values}[$row]|if $row >= 0:
            {moved}[$i] = {values}[$row]
            ⟨{out_aux}[$i] = {keys}[$row]|{out_flag}[$i] = 1⟩
        else:
            {moved}[$i] = {fillvalue}|if $row == {NONE}:
            {moved}[$i] = {fillvalue}
        elif ({state}[$row] & {LIVE}) != 0:
            {moved}[$i] = {values}[$row]
            {out_flag}[$i] = 1
        else:
            # the source row is not in use
            {moved}[$i] = 0
            {out_flag}[$i] = 0⟩⟩
        """,
        kinds="gather_scatter control_flow",
        integer=True,
    ),
    Idea(
        "scatter",
        "scatter_rows apply_permutation reorder_rows write_sorted",
        "write ⟨1:each row|keys and values|valid rows⟩ to the place that a permutation gives",
        """
        ⟨hook skip
        |⟩$pos = {order}[$i]
        ⟨1:{moved}[$pos] = {values}[$i]|{moved}[$pos] = {keys}[$i]
        {out_aux}[$pos] = {values}[$i]|if {valid}[$i]:
            {moved}[$pos] = {values}[$i]
            ⟨{out_aux}[$pos] = $i|⟩
        ⟨|else:
            {moved}[$pos] = {fillvalue}⟩⟩
        ⟨|# inverse of the permutation
        {out_pos}[$pos] = $i|if $pos != $i:
            wp.atomic_add({counter}, 0, 1)⟩
        """,
        kinds="gather_scatter",
        integer=True,
        alone=True,
    ),
    Idea(
        "strided_copy",
        "copy_strided copy_with_offset shift_copy copy_range",
        "copy values ⟨1:with an offset|with a stride|in a ring|in reverse order⟩",
        """
        hook skip
        ⟨1:$row = $i - {shift_by}
        if $row >= 0:
            {moved}[$i] = {values}[$row]
        ⟨else:
            {moved}[$i] = {fillvalue}|⟩|$row = $i * {stride} + {shift_by}
        ⟨if $row >= {n}:
            return
        {moved}[$i] = {values}[$row]|if $row < {n}:
            {moved}[$i] = {values}[$row]
            ⟨|{out_pos}[$i] = $row⟩|{moved}[$i] = {values}[$row % {n}]⟩|$row = ($i + {shift_by}) % {n}
        {moved}[$i] = {values}[$row]|$row = {n} - 1 - $i
        ⟨{moved}[$i] = {values}[$row]|{moved}[$row] = {values}[$i]⟩⟩
        """,
        kinds="arithmetic gather_scatter",
        integer=True,
    ),
    Idea(
        "transpose",
        "transpose_table rows_to_columns transpose pack_columns",
        "⟨1:transpose the table|transpose the rows in a given order|copy the columns in reverse order|rotate each row by its key⟩",
        """
        ⟨1:|$row = {order}[$i]
        ||⟩⟨|if not {valid}[$i]:
            return
        |if ({state}[$i] & {LIVE}) == 0:
            return
        |if {part}[$i] != {which}:
            {cells_t}[$c, ⟨1:$i|$row|$i|$i⟩] = {fillvalue}
            return
        ⟩⟨1:{cells_t}[$c, $i] = {cells}[$i, $c]|{cells_t}[$c, $row] = {cells}[$i, $c]|$mirrored = {width} - 1 - $c
        {cells_t}[$c, $i] = {cells}[$i, $mirrored]|$from_col = ($c + {keys}[$i]) % {width}
        {cells_t}[$c, $i] = {cells}[$i, $from_col]⟩
        ⟨|if $c == 0:
            # first cell of the row in the flat table
            {out_pos}[$i] = $i * {width}|if $c == 0:
            wp.atomic_add({counter}, 0, 1)⟩
        """,
        threads="i c",
        kinds="multi_dim gather_scatter",
        integer=True,
        alone=True,
    ),
    Idea(
        "pad",
        "lists_to_table pad_rows unpack_lists ragged_to_dense",
        "copy lists of different lengths to a table and ⟨1:fill the rest with a default|repeat the last item|wrap around⟩",
        """
        ⟨|if ({state}[$i] & {LIVE}) == 0:
            {cells_out}[$i, $c] = {NONE}
            return
        |if not {valid}[$i]:
            {cells_out}[$i, $c] = {fillvalue}
            return
        ⟩$start = {row_start}[$i]
        $end = {row_start}[$i + 1]
        ⟨1:$k = $start + $c
        ⟨if $k < $end:
            {cells_out}[$i, $c] = {items}[$k]
        else:
            {cells_out}[$i, $c] = {fillvalue}|if $k >= $end:
            {cells_out}[$i, $c] = {NONE}
            wp.atomic_add({misses}, 0, 1)
            return
        {cells_out}[$i, $c] = {items}[$k]⟩|if $start == $end:
            # an empty list has no last item
            {cells_out}[$i, $c] = {fillvalue}
        else:
            $k = wp.min($start + $c, $end - 1)
            {cells_out}[$i, $c] = {items}[$k]|$len = $end - $start
        if $len > 0:
            {cells_out}[$i, $c] = {items}[$start + $c % $len]
        ⟨|else:
            {cells_out}[$i, $c] = {NONE}⟩⟩
        ⟨|# length of the list
        if $c == 0:
            {out_count}[$i] = $end - $start|if $start + $c < $end:
            wp.atomic_add({stats}, {part}[$i], 1)⟩
        """,
        threads="i c",
        kinds="control_flow multi_dim gather_scatter",
        integer=True,
    ),
    Idea(
        "diff",
        "compare_tables find_changes diff_cells detect_changes",
        "compare two versions of a table cell by cell and ⟨1:count the changes of each column|mark the changed cells⟩",
        """
        ⟨|if {part}[$i] ⟨==|!=⟩ {which}:
            return
        |if not {valid}[$i]:
            return
        ⟩$now_value = {cells}[$i, $c]
        $before = {cells_b}[$i, $c]
        ⟨$change = $now_value - $before
        if wp.abs($change) ⟨<=|<⟩ {tolerance}:|if $now_value == $before or ({state}[$i] & {LOCKED}) != 0:|if 10 * wp.abs($now_value - $before) <= $before:⟩
            # no relevant change
            return
        ⟨1:wp.atomic_add({hist}, $c, 1)
        ⟨|if $now_value > $before:
            wp.atomic_add({stats}, 0, 1)|wp.atomic_add({stats}, 1 if $now_value > $before else 0, 1)⟩|{cells_out}[$i, $c] = ⟨1|$now_value|$now_value - $before⟩
        ⟨|wp.atomic_add({counter}, 0, 1)|wp.atomic_max({stats}, 1, wp.abs($now_value - $before))⟩⟩
        """,
        threads="i c",
        kinds="control_flow multi_dim early_exit",
        integer=True,
    ),
)
