"""Ideas of the domain `graphs`: colours, independent sets, matchings, triangles."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

DECISIONS = (
    Idea(
        "color_conflicts",
        "find_conflicts resolve_conflicts check_coloring uncolor_conflicts",
        "⟨1:uncolour nodes with|uncolour nodes with|count the edges to, and uncolour nodes with,⟩ a neighbour of the same colour",
        """
        hook begin
        $mine = {color}[$i]
        if $mine ⟨< 0|== {NONE}⟩:
            ⟨{color_out}[$i] = $mine
            return|return⟩
        ⟨1:$lost = int(0)
        each nbr:
            if {color}[$j] == $mine:
                # the node of lower priority gives way
                if ⟨@beats({prio}[$j], $j, {prio}[$i], $i)|{prio}[$j] > {prio}[$i] or ({prio}[$j] == {prio}[$i] and $j < $i)|@hash($j, {salt}) >= @hash($i, {salt})⟩:
                    $lost = 1
        if $lost != 0:
            {color_out}[$i] = {NONE}
            wp.atomic_add({clash}, 0, 1)
        else:
            {color_out}[$i] = $mine|$lost = bool(False)
        each nbr:
            $lost = $lost or ({color}[$j] == $mine and ⟨$j < $i|{prio}[$j] >= {prio}[$i]|{deg}[$j] > {deg}[$i]⟩)
        {color_out}[$i] = wp.where($lost, {NONE}, $mine)
        ⟨if $lost:
            wp.atomic_add({clash}, 0, 1)|⟩|$count = int(0)
        each nbr:
            if {color}[$j] == $mine:
                $count += 1
        ⟨if $count > 0:
            wp.atomic_add({clash}, 0, $count)|wp.atomic_add({clash}, 0, $count)⟩
        {color_out}[$i] = wp.where($count > 0, {NONE}, $mine)⟩
        """,
        kinds="control_flow sparse",
        integer=True,
    ),
    Idea(
        "first_color",
        "assign_colors greedy_color first_fit_color pick_color",
        "give each uncoloured node the smallest colour that no neighbour has",
        """
        if {color}[$i] >= 0:
            ⟨{color_out}[$i] = {color}[$i]
            return|return⟩
        $bits = int(0)
        each nbr:
            hook nbr
            $theirs = {color}[$j]
            if $theirs >= 0:
                $bits = $bits | (1 << $theirs)

        ⟨1:$c = int(0)
        while ($bits >> $c) & 1 != 0:
            $c += 1|# lowest zero bit
        $free = ~$bits & ($bits + 1)
        $c = int(0)
        while $free > 1:
            $free = $free >> 1
            $c += 1|$c = int(0)
        for $t in range(8):
            if $bits & (1 << $t) == 0:
                $c = $t
                break⟩
        {color_out}[$i] = $c
        ⟨wp.atomic_add({hist}, wp.min($c, 7), 1)|wp.atomic_add({changed}, 0, 1)|⟩
        """,
        kinds="integer_bits while_loop control_flow",
        docs="a bit mask collects the colours of the neighbours",
        integer=True,
    ),
    Idea(
        "luby_step",
        "luby_step mis_round independent_set_step select_nodes",
        "decide which undecided nodes enter the independent set in this round",
        """
        $own = {state}[$i]
        if $own ⟨!= {FREE}|== {IN} or $own == {OUT}⟩:
            {state_out}[$i] = $own
            return

        $wins = bool(True)
        $removed = bool(False)
        $key = ⟨3:{prio}[$i]|@hash($i, {salt})|@hash($i, {salt} + {iter}[0])|{prio}[$i]⟩
        each nbr:
            if {state}[$j] == {IN}:
                $removed = True
            elif {state}[$j] == {FREE}:
                # undecided neighbours compete
                if ⟨3:@beats({prio}[$j], $j, $key, $i)|@hash($j, {salt}) > $key|@hash($j, {salt} + {iter}[0]) > $key|{prio}[$j] > $key or ({prio}[$j] == $key and $j < $i)⟩:
                    $wins = False

        if $removed:
            {state_out}[$i] = {OUT}
        elif $wins:
            {state_out}[$i] = {IN}
            wp.atomic_add({stat}, 0, 1)
        else:
            {state_out}[$i] = {FREE}
            ⟨wp.atomic_add({changed}, 0, 1)|⟩
        """,
        kinds="multi_conditional control_flow",
        docs="Luby's algorithm: local maxima of the priority enter the set, their neighbours leave",
        integer=True,
    ),
    Idea(
        "handshake",
        "match_handshake confirm_matching pair_nodes resolve_mates",
        "match the nodes that propose each other",
        """
        $j = {mate}[$i]
        if $j ⟨< 0|== {NONE}⟩ or $j == $i:
            ⟨{mate_out}[$i] = {NONE}|wp.atomic_add({stat}, 1, 1)⟩
            return
        $back = {mate}[$j]
        if $back == $i:
            {mate_out}[$i] = $j
            # one of the two counts the pair
            if $i < $j:
                wp.atomic_add({stat}, 0, 1)
        elif $back ⟨== {NONE}|< 0⟩:
            # free partner: try again
            {mate_out}[$i] = ⟨$j|{NONE}⟩
            ⟨wp.atomic_add({changed}, 0, 1)|wp.atomic_max({next}, $j, 1)⟩
        else:
            {mate_out}[$i] = ⟨{NONE}|wp.where({prio}[$i] > {prio}[$back], $j, {NONE})⟩
        """,
        kinds="multi_conditional gather_scatter early_exit",
        integer=True,
    ),
    Idea(
        "propose_mate",
        "propose_mates choose_partner matching_propose find_mate",
        "let each free node propose the ⟨1:neighbour with the fewest edges|neighbour of highest priority|nearest free neighbour⟩",
        """
        hook begin
        $best = int({NONE})
        $best_val = int(⟨1:1000|-1|1000⟩)
        each nbr:
            hook nbr
            if {state}[$j] == {OUT}⟨| or {mask}[$j] & {SEEN} != 0| or {mate}[$j] >= 0⟩:
                continue
            ⟨1:$theirs = {deg}[$j]
            if $theirs < $best_val⟨| or ($theirs == $best_val and $j < $best)⟩:
                $best_val = $theirs
                $best = $j|$theirs = {prio}[$j]
            if $theirs > $best_val⟨| or ($theirs == $best_val and $j < $best)⟩:
                $best_val = $theirs
                $best = $j|$theirs = wp.abs({sorted}[$j] - {sorted}[$i])
            if $theirs < $best_val:
                $best_val = $theirs
                $best = $j⟩

        {mate_out}[$i] = $best
        if $best ⟨>= 0|!= {NONE}⟩:
            wp.atomic_max({next}, $best, 1)
            ⟨wp.atomic_add({stat}, 0, 1)|⟩
        ⟨|else:
            wp.atomic_add({stat}, 1, 1)⟩
        """,
        kinds="control_flow atomic reduction sparse",
        integer=True,
    ),
    Idea(
        "edge_triangles",
        "count_triangles intersect_rows edge_support triangle_merge",
        "count the triangles at each edge by merging the two rows",
        """
        hook edge
        $a = int({row}[$u])
        $b = int({row}[$v])
        $a_end = {row}[$u + 1]
        $b_end = {row}[$v + 1]
        $count = int(0)
        while $a < $a_end and $b < $b_end:
            $na = {col}[$a]
            $nb = {col}[$b]
            ⟨1:if $na == $nb:
                $count += 1
                $a += 1
                $b += 1
            elif $na < $nb:
                $a += 1
            else:
                $b += 1|if $na ⟨2:<=|<=|<⟩ $nb:
                $a += 1
            if $nb ⟨2:<=|<|<=⟩ $na:
                $b += 1
            if $na == $nb⟨| and $na != $u and $na != $v⟩:
                # common neighbour
                $count += 1⟩

        {tri}[$e] = $count
        ⟨wp.atomic_add({tri_sum}, 0, $count)|if $count > 0:
            wp.atomic_add({tri_sum}, 0, $count)
            wp.atomic_add({stat}, 0, 1)|if $u < $v:
            wp.atomic_add({tri_sum}, 0, $count)|⟩
        """,
        threads="e",
        kinds="while_loop control_flow sparse",
        docs="the neighbours of each row are sorted",
        integer=True,
    ),
    Idea(
        "common_neighbors",
        "common_neighbors nbr_overlap jaccard_counts shared_neighbors",
        "count the common neighbours of each node and its entries of the neighbour table",
        """
        $j = {ell}[$i, $s]
        if $j < 0⟨| or $j == $i⟩:
            {common}[$i, $s] = ⟨{NONE}|-1⟩
            return
        ⟨if {mask}[$j] & {FROZEN} != 0:
            return|if {part}[$i] != {part}[$j]:
            return|⟩
        $count = int(0)
        for $a in range({width}):
            $na = {ell}[$i, $a]
            if $na ⟨< 0|== {NONE}⟩⟨| or $na == $j⟩:
                continue
            for $b in range({width}):
                if {ell}[$j, $b] == $na:
                    $count += 1
                    ⟨break|⟩

        {common}[$i, $s] = ⟨$count|wp.min($count, {deg}[$i])⟩
        ⟨wp.atomic_add({tri_sum}, 0, $count)|if $count > 0 and $i < $j:
            wp.atomic_add({tri_sum}, 0, $count)|if $count ⟨== 0|> 1⟩:
            wp.atomic_add({stat}, 0, 1)|⟩
        """,
        threads="i s",
        kinds="nested_loop control_flow multi_dim",
        integer=True,
    ),
)
