"""Short ideas of the domain `solvers` on integers: status codes, counters, entry states, patterns, copies of indices."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

SHORT_STATE = (
    Idea(
        "advance_status",
        "advance_status update_solver_status step_status check_limits",
        "let each system go to its next status",
        """
        $st = {status}[$b]
        if $st == {RUNNING}:
            ⟨if {iters}[$b] ⟨>=|>⟩ {maxit}:
                {status}[$b] = {STALLED}|{status}[$b] = {STALLED} if {iters}[$b] > {maxit} else {RUNNING}|if {retry}[$b] > {budget} or {iters}[$b] > {maxit}:
                {status}[$b] = {STALLED}⟩
        elif $st == {STALLED}:
            ⟨{status}[$b] = {FAILED} if {retry}[$b] >= {budget} else {RUNNING}|if {retry}[$b] < {budget}:
                # try once more
                {status}[$b] = {RUNNING}⟩
        ⟨elif $st == {FAILED}:
            {status}[$b] = {RUNNING}⟨
            wp.atomic_add({running}, 0, 1)|⟩|⟩
        """,
        threads="b",
        kinds="multi_conditional control_flow",
        integer=True,
    ),
    Idea(
        "count_iterations",
        "count_iterations increment_iterations tick_systems bump_iters",
        "count the iteration of each system that ⟨1:is running|is in use|has not converged⟩",
        """
        if ⟨1:{status}[$b] == {RUNNING}|{on}[$b]|{status}[$b] != {CONVERGED}⟩:
            {iters}[$b] = ⟨{iters}[$b] + 1|wp.min({iters}[$b] + 1, {maxit})⟩
            ⟨wp.atomic_add({running}, 0, 1)|wp.atomic_add({count}, 0, {retry}[$b])⟩
        ⟨else:
            {iters}[$b] = 0|elif {retry}[$b] >= {budget}:
            # no attempt is left
            wp.atomic_add({count}, 3, 1)|⟩
        ⟨|{mask_out}[$b] = {status}[$b] == {CONVERGED}⟩
        """,
        threads="b",
        kinds="atomic control_flow atomics",
        integer=True,
    ),
    Idea(
        "release_bounds",
        "release_bounds update_working_set drop_active change_active_set",
        "release the unknowns ⟨1:whose multiplier has the wrong sign|that are held no more|that are held no more⟩ from their bounds",
        """
        ⟨1:if {active}[$i] * {sign}[$i] ⟨< 0|> 0⟩:
            {active}[$i] = 0
            ⟨wp.atomic_add({count}, 0, 1)|# stays free for a while
            {hold}[$i] = 2|⟩|if {hold}[$i] == 0 and {active}[$i] != 0:
            {active}[$i] = 0|if {hold}[$i] > 0:
            {hold}[$i] -= 1
        elif {active}[$i] != ⟨{sign}[$i]|0⟩:
            {active}[$i] = 0⟩
        ⟨elif ⟨{fixed}[$i]|{rtype}[$i] == {DROPPED}|{rtype}[$i] == {IDENT}⟩:
            # without an equation of its own, it is at no bound
            {active}[$i] = 0|⟩
        """,
        kinds="control_flow multi_conditional",
        integer=True,
    ),
    Idea(
        "drop_entries",
        "drop_entries mask_entries eliminate_entries invalidate_entries",
        "mark the entries that ⟨1:belong to fixed unknowns|are below the diagonal|are dropped⟩ as unused",
        """
        if ⟨1:{fixed}[$r] ⟨or|and⟩ {fixed}[$cc]|$cc < $r|{emask}[$e] == 0⟩:
            {slot}[$e] = -1
            ⟨wp.atomic_add({count}, 0, 1)|⟩
        elif {slot}[$e] > $e:
            # compression moves no entry upwards
            {slot}[$e] = $e
            ⟨wp.atomic_add({count}, 1, 1)|wp.atomic_add({touched}, $r, 1)|⟩
        ⟨else:
            wp.atomic_add({touched}, $r, 1)|⟩
        """,
        threads="e",
        kinds="control_flow multi_conditional sparse",
        integer=True,
    ),
    Idea(
        "copy_pattern",
        "copy_pattern clear_columns init_ell_columns copy_columns",
        "⟨1:copy the columns of each row|copy the columns in the new numbering|write the diagonal into each row⟩",
        """
        ⟨1:$j = {ell}[$i, $s]
        ⟨if $j == $i:
            # the diagonal is kept separately
            $j = -1|if $j > $i:
            # only the lower triangle
            $j = -1|if {fixed}[$i]:
            $j = -1|⟩
        {col_out}[$i, $s] = $j
        ⟨if $j >= 0:
            wp.atomic_add({touched}, $i, 1)|⟩|$j = {ell}[$i, $s]
        ⟨$r = {dup}[$i]|$r = $i⟩
        if $j >= 0:
            {col_out}[$r, $s] = {dup}[$j]
            ⟨wp.atomic_add({touched}, $r, 1)|⟩
        else:
            {col_out}[$r, $s] = -1|if $s == 0:
            {col_out}[$i, $s] = $i
        else:
            {col_out}[$i, $s] = ⟨-1|{ell}[$i, $s]⟩⟩
        """,
        threads="i s",
        kinds="multi_dim sparse control_flow",
        integer=True,
    ),
    Idea(
        "entry_copies",
        "copy_triplets store_triplets write_coo append_entries",
        "store the ⟨1:triplets|transposed triplets|renumbered triplets⟩ of the matrix",
        """
        hook entry
        ⟨1:{row_out}[$e] = $r
        {ccol_out}[$e] = $cc|{row_out}[$e] = $cc
        {ccol_out}[$e] = $r|{row_out}[$e] = {dup}[$r]
        {ccol_out}[$e] = {dup}[$cc]⟩
        ⟨{v_out}[$e] = {val}[$e]|{v_out}[$e] = {ca_} * {val}[$e]|{v_out}[$e] = {val}[$e] / {diag}[$r]|⟩
        ⟨|{key}[$e] = ⟨1:$r * {n} + $cc|$cc * {n} + $r|{dup}[$r] * {n} + {dup}[$cc]⟩⟩
        """,
        threads="e",
        kinds="gather_scatter sparse",
    ),
    Idea(
        "entry_key_chain",
        "band_keys entry_band_keys upper_keys classify_entries",
        "compute a sort key of each entry from its distance to the diagonal",
        """
        hook entry
        ⟨$key = @linear(@gap_of($r, $cc), @upper_of($r, $cc), {n})|$gap = @gap_of($r, $cc)
        $key = @linear($gap, @upper_of($r, $cc), {n})|$key = @linear(@upper_of($r, $cc), @gap_of($r, $cc), ⟨{n}|64⟩)⟩
        {key}[$e] = ⟨$key|$key * 4 + {emask}[$e]⟩
        ⟨|# a symmetric matrix: the larger index is the row
        {row_out}[$e] = @upper_of($r, $cc)|wp.atomic_max({band}, 0, @gap_of($r, $cc))⟩
        """,
        threads="e",
        kinds="helper_functions arithmetic sorting",
        integer=True,
    ),
    Idea(
        "coupled_rows",
        "count_coupled_rows product_bound two_step_pattern count_fill_paths",
        "count the entries of ⟨1:the rows that each row refers to|these rows right of the diagonal|these rows in the same colour⟩",
        """
        $num = int(0)
        for $k in range({row}[$i], {row}[$i + 1]):
            $j = {col}[$k]
            ⟨if $j ⟨==|>=⟩ $i:
                continue
            |if {fixed}[$j]:
                continue
            |⟩for $t in range({row}[$j], {row}[$j + 1]):
                ⟨1:⟨if {col}[$t] != $i:
                    $num += 1|$num += 1⟩|if {col}[$t] > $i:
                    $num += 1|if {color}[{col}[$t]] == {color}[$i]:
                    $num += 1⟩
        {nlink}[$i] = $num
        """,
        kinds="nested_loop control_flow sparse",
        integer=True,
    ),
    Idea(
        "common_columns",
        "common_columns pattern_overlap shared_columns count_matches",
        "count the columns of each row that ⟨1:both formats|its neighbour row⟩ contain",
        """
        $num = int(0)
        ⟨1:$r = $i|$r = ⟨($i + 1) % {n}|wp.min($i + 1, {n} - 1)⟩⟩
        for $t in range({used}[$r]):
            $j = {ell}[$r, $t]
            ⟨if $j < 0:
                continue
            |if $j == -1 or $j == $i:
                continue
            |⟩for $k in range({row}[$i], {row}[$i + 1]):
                if {col}[$k] == $j:
                    $num += 1
                    ⟨break|⟩
        {meet}[$i] = $num
        """,
        kinds="nested_loop control_flow sparse",
        integer=True,
    ),
)
