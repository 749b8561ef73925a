"""Short ideas of the domain `graphs` on integers: copies, tables, states that change in place, keys, small counts."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

SHORT_STATE = (
    Idea(
        "copy_nodes",
        "copy_node_state save_labels snapshot_nodes backup_node_data",
        "copy the ⟨1:labels and levels|labels and colours|levels and distances|states⟩ of the nodes⟨2:| in a new order| of partners⟩",
        """
        hook begin
        ⟨2:$r = $i|$r = {perm}[$i]|# nodes without a partner keep their own
        $r = {mate}[$i]
        if $r ⟨< 0|== {NONE}⟩:
            $r = $i⟩
        ⟨1:{label_out}[$i] = {label}[$r]
        {level_out}[$i] = {level}[$r]|{label_out}[$i] = {label}[$r]
        {color_out}[$i] = {color}[$r]|{level_out}[$i] = {level}[$r]
        {dist_new}[$i] = {dist}[$r]|{state_out}[$i] = {state}[$r]⟩
        ⟨|{tag_out}[$i] = {kind}[$r]|{isolated}[$i] = {deg}[$r] == 0⟩
        """,
        kinds="gather_scatter",
        integer=True,
    ),
    Idea(
        "fill_table",
        "fill_table clear_nbr_table init_ell reset_table",
        "⟨1:initialize the neighbour table|copy the neighbour table|copy the neighbour table|fill the neighbour table⟩",
        """
        ⟨1:if $s >= {deg}[$i]:
            {ell_out}[$i, $s] = {NONE}
        else:
            # as if all links were loops
            {ell_out}[$i, $s] = $i|$j = {ell}[$i, $s]
        ⟨if $j == $i:
            # no loops
            $j = {NONE}|if $j >= 0:
            $j = {perm}[$j]|⟩
        {ell_out}[$i, $s] = $j|⟨# the columns in reverse order
        $t = {width} - 1 - $s
        {ell_out}[$i, $s] = {ell}[$i, $t]|# the columns turn by one
        $t = ($s + 1) % {width}
        {ell_out}[$i, $t] = {ell}[$i, $s]⟩|$begin = {row}[$i]
        if $begin + $s < {row}[$i + 1]:
            {ell_out}[$i, $s] = {col}[$begin + $s]
        else:
            {ell_out}[$i, $s] = {NONE}⟩
        ⟨|if $s == 0:
            {deg_out}[$i] = {deg}[$i]|if $s == 0 and {deg}[$i] > {width}:
            # the row is too long
            wp.atomic_add({stat}, 0, 1)⟩
        """,
        threads="i s",
        kinds="multi_dim sparse",
        integer=True,
    ),
    Idea(
        "copy_edges",
        "pack_edge_pairs copy_edge_list interleave_edges store_edges",
        "copy the edge list to another layout",
        """
        hook edge
        ⟨1:{pair_out}[$e, 0] = $u
        {pair_out}[$e, 1] = $v|{src_out}[$e] = $u
        {dst_out}[$e] = $v|{src_out}[{eperm}[$e]] = $u
        {dst_out}[{eperm}[$e]] = $v|# reversed
        {pair_out}[$e, 0] = $v
        {pair_out}[$e, 1] = $u⟩
        ⟨{ekey}[$e] = $u * {n} + $v|{erow}[$e] = $u|{flag}[$e] = 1 if $u ⟨<|!=⟩ $v else 0|{ekey}[$e] = ($u << 8) + {etype}[$e]|⟩
        ⟨|{cost_out}[$e] = {cost}[$e]|if {etype}[$e] == {relation}:
            {cost_out}[$e] = {cost}[$e]⟩
        """,
        threads="e",
        kinds="gather_scatter",
        integer=True,
    ),
    Idea(
        "advance_state",
        "advance_node_state step_states update_mis_state node_state_machine",
        "let each node go to its next state",
        """
        ⟨$st = {state}[$i]|# undecided, selected, removed
        $st = {state}[$i]⟩
        if $st == {FREE}:
            ⟨if {deg}[$i] ⟨<|<=⟩ {kmin}:
                # few neighbours lose by it
                {state}[$i] = {IN}|{state}[$i] = {IN} if {reach}[$i] == 0 else {OUT}|if {reach}[$i] > 0:
                {state}[$i] = {OUT}⟩
        elif $st == {IN}:
            if {reach}[$i] ⟨> 1|!= 0⟩:
                {state}[$i] = {OUT}
        ⟨elif {reach}[$i] == 0|else⟩:
            {state}[$i] = {FREE}
            ⟨wp.atomic_add({changed}, 0, 1)|⟩
        """,
        kinds="multi_conditional control_flow",
        integer=True,
    ),
    Idea(
        "mark_frontier",
        "mark_reached assign_levels update_frontier set_level",
        "give the nodes that were reached the next level and count them",
        """
        ⟨if {reach}[$i] ⟨== 0|< 1⟩:
            return
        |if not {alive}[$i] or {reach}[$i] == 0:
            return
        |⟩if {level}[$i] ⟨== {NONE}|< 0⟩⟨| and {reach}[$i] > 0⟩:
            {level}[$i] = ⟨$cur + 1|{now} + 1⟩
            ⟨{pred}[$i] = {via}[$i]|⟩
            wp.atomic_add({changed}, 0, 1)
        ⟨else:
            wp.atomic_add({stat}, ⟨0|1⟩, 1)|⟩
        """,
        kinds="atomic control_flow atomics",
        integer=True,
    ),
    Idea(
        "commit_distances",
        "commit_distances apply_relaxation accept_offers update_dist",
        "take over the proposed distances that are ⟨1:shorter|shorter and within the limit|shorter by a margin⟩",
        """
        $cand = ⟨{offer}[$i]|wp.min({offer}[$i], {INF})⟩
        if ⟨1:$cand < {dist}[$i]|$cand < {dist}[$i] and $cand <= {limit}|$cand + ⟨1|2⟩ < {dist}[$i]⟩:
            {dist}[$i] = $cand
            ⟨{pred}[$i] = {via}[$i]|{next}[$i] = 1|{pred}[$i] = {via}[$i]
            {next}[$i] = 1⟩
            ⟨wp.atomic_add({changed}, 0, 1)|⟩
        ⟨|elif $cand == {dist}[$i]:
            wp.atomic_add({stat}, 1, 1)⟩
        """,
        kinds="control_flow atomic",
        integer=True,
    ),
    Idea(
        "age_priorities",
        "age_priorities bump_priority update_prio refresh_rank_keys",
        "raise the priority of each node ⟨1:by its degree|by its degree, up to a limit|if it is undecided|in turns⟩⟨2:|, and lower its quota⟩",
        """
        hook begin
        ⟨1:{prio}[$i] = {prio}[$i] + {boost} * {deg}[$i]|{prio}[$i] = wp.min({prio}[$i] + {deg}[$i] * {boost}, ⟨60|63⟩)|if {state}[$i] == {FREE}:
            {prio}[$i] = {prio}[$i] + {boost}|{prio}[$i] = ({prio}[$i] + {boost}) % ⟨61|64⟩⟩
        ⟨2:|# the links that were made
        {quota}[$i] = wp.max({quota}[$i] - {reach}[$i], 0)⟩
        """,
        kinds="arithmetic scalar_param",
        integer=True,
    ),
    Idea(
        "set_node_bits",
        "set_node_bits update_node_flags mark_visited toggle_flags",
        "set and clear the state bits of each node",
        """
        $bits = {mask}[$i]
        ⟨if {reach}[$i] ⟨> 0|!= 0⟩:
            $bits = $bits | {SEEN}|if $bits & {FROZEN} == 0:
            $bits = $bits | {SEEN}
            ⟨wp.atomic_add({changed}, 0, 1)|⟩|if not {alive}[$i]:
            # removed nodes do not move
            $bits = $bits | {FROZEN}⟩
        ⟨else:
            $bits = $bits & ~{SEEN}|elif {kind}[$i] == {GHOST}:
            # its owner moves it
            $bits = $bits | {FROZEN}|⟩
        {mask}[$i] = $bits
        ⟨|{tag_out}[$i] = ($bits >> 1) & 1|if $bits & {FROZEN} != 0:
            wp.atomic_add({stat}, 2, 1)⟩
        """,
        kinds="control_flow",
        integer=True,
    ),
    Idea(
        "two_hop_paths",
        "count_two_hop two_hop_paths second_neighbors path_counts",
        "count the paths of two edges that ⟨1:start at each node|return to each node|end in the same part⟩",
        """
        $count = int(0)
        for $p in range({row}[$i], {row}[$i + 1]):
            $j = {col}[$p]
            ⟨if $j == $i:
                continue
            |if {state}[$j] == {OUT}:
                continue
            |⟩for $t in range({row}[$j], {row}[$j + 1]):
                ⟨1:if {col}[$t] != $i:
                    $count += 1|if {col}[$t] == $i:
                    $count += 1|if {part}[{col}[$t]] == {part}[$i]:
                    $count += 1⟩
        {twohop}[$i] = $count
        ⟨|if $count == 0:
            wp.atomic_add({stat}, 0, 1)⟩
        """,
        kinds="nested_loop control_flow sparse",
        integer=True,
    ),
    Idea(
        "repeated_neighbors",
        "find_duplicates count_repeated_neighbors multi_edge_count duplicate_entries",
        "count the entries that repeat an earlier one in each row of the neighbour table",
        """
        $count = int(0)
        for $t in range(⟨1, {used}[$i]|{used}[$i]⟩):
            $j = {ell}[$i, $t]
            ⟨if $j < 0:
                continue
            |if $j ⟨== {NONE}|< 0⟩ or $j == $i:
                continue
            |⟩for $s in range($t):
                if {ell}[$i, $s] == $j:
                    $count += 1⟨|
                    # once for each entry
                    break⟩
        {dup}[$i] = $count
        ⟨|wp.atomic_add({stat}, ⟨0|3⟩, $count)|{deg_out}[$i] = {deg}[$i] - $count⟩
        """,
        kinds="nested_loop control_flow",
        integer=True,
    ),
)
