"""Ideas of the domain `graphs`: connected components, label propagation, parts of a partition."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

LABELS = (
    Idea(
        "min_label",
        "propagate_labels label_step connected_components_step exchange_labels",
        "give each node the ⟨1:smallest|largest⟩ label of its neighbourhood",
        """
        hook begin
        $mine = {label}[$i]
        $best = int($mine)
        each nbr:
            hook nbr
            ⟨1:⟨$best = wp.min($best, {label}[$j])|if {label}[$j] < $best:
                $best = {label}[$j]⟩|$theirs = {label}[$j]
            if $theirs > $best⟨| and {active}[$j] != 0⟩:
                $best = $theirs⟩

        ⟨{label_out}[$i] = $best
        if $best != $mine:
            wp.atomic_add({changed}, 0, 1)|if $best != $mine:
            {label_out}[$i] = $best
            wp.atomic_max({changed}, 0, 1)
        else:
            {label_out}[$i] = $mine|# shortcut: the label of the label's node
        {label_out}[$i] = ⟨1:wp.min|wp.max⟩($best, {label}[wp.min($best, {n} - 1)])⟩
        hook tally
        """,
        kinds="control_flow reduction sparse",
        integer=True,
    ),
    Idea(
        "hook_roots",
        "hook_components union_edges uf_hook link_roots",
        "hook the larger root of each edge to the smaller one",
        """
        ⟨1:$ra = @find({parent}, $u)
        $rb = @find({parent}, $v)|$ra = int($u)
        while {parent}[$ra] < $ra:
            $ra = {parent}[$ra]
        $rb = int($v)
        while {parent}[$rb] < $rb:
            $rb = {parent}[$rb]|$ra = {parent}[$u]
        $rb = {parent}[$v]|$ra = {parent}[{parent}[$u]]
        $rb = {parent}[{parent}[$v]]⟩
        if $ra == $rb:
            # already in one component
            ⟨wp.atomic_add({stat}, 0, 1)
            return|return⟩

        ⟨wp.atomic_min({link_out}, wp.max($ra, $rb), wp.min($ra, $rb))|if $ra > $rb:
            wp.atomic_min({link_out}, $ra, $rb)
        else:
            wp.atomic_min({link_out}, $rb, $ra)|$hi = wp.max($ra, $rb)
        $lo = wp.min($ra, $rb)
        # only roots may be linked
        if {parent}[$hi] >= $hi:
            wp.atomic_min({link_out}, $hi, $lo)⟩
        ⟨wp.atomic_add({changed}, 0, 1)|wp.atomic_max({changed}, 0, 1)⟩
        """,
        threads="e",
        kinds="atomic control_flow while_loop early_exit atomics",
        docs="union-find: links always lead to smaller ids, so that no cycle can form",
        integer=True,
    ),
    Idea(
        "compress",
        "compress_paths pointer_jump flatten_forest shortcut_roots",
        "replace the parent of each node by ⟨1:its root|its root|its ancestor after some jumps⟩",
        """
        hook begin
        ⟨1:$r = int($i)
        $count = int(0)
        while {parent}[$r] < $r:
            $r = {parent}[$r]
            $count += 1|$r = int({parent}[$i])
        $count = int(0)
        while True:
            $up = {parent}[$r]
            if $up >= $r:
                break
            $r = $up
            $count += 1|$r = int($i)
        $count = int(0)
        for $t in range(⟨2|3|4⟩):
            $up = {parent}[$r]
            if $up ⟨!=|<⟩ $r:
                $r = $up
                $count += 1⟩

        {root_out}[$i] = $r
        ⟨{hops}[$i] = $count|if $count > 1:
            wp.atomic_add({changed}, 0, 1)|wp.atomic_add({csize}, $r, 1)|# roots are counted on their own
        if $r == $i:
            wp.atomic_add({stat}, 0, 1)
        else:
            wp.atomic_add({csize}, $r, 1)⟩
        """,
        kinds="while_loop control_flow gather_scatter",
        integer=True,
    ),
    Idea(
        "majority_label",
        "majority_label community_step vote_labels most_frequent_label",
        "give each node the most frequent label among its neighbours",
        """
        $best = int({label}[$i])
        $best_count = int(0)
        for $s in range({width}):
            $j = {ell}[$i, $s]
            if $j < 0:
                continue
            $theirs = {label}[$j]
            $count = int(0)
            # votes for this label
            for $t in range({width}):
                $other = {ell}[$i, $t]
                if $other >= 0:
                    if {label}[$other] == $theirs⟨| and {active}[$other] != 0⟩:
                        $count += 1
            if $count > $best_count or ($count == $best_count and $theirs ⟨<|>⟩ $best):
                $best_count = $count
                $best = $theirs

        ⟨{label_out}[$i] = $best|# keep the label without a clear majority
        if $best_count > 1:
            {label_out}[$i] = $best
        else:
            {label_out}[$i] = {label}[$i]⟩
        ⟨if $best != {label}[$i]:
            wp.atomic_add({changed}, 0, 1)|wp.atomic_add({csize}, $best, 1)|⟩
        """,
        kinds="nested_loop control_flow",
        docs="ties are decided by the label itself so that the result is deterministic",
        integer=True,
    ),
    Idea(
        "part_boundary",
        "mark_boundary find_halo partition_boundary boundary_nodes",
        "mark the nodes whose neighbours belong to other parts",
        """
        $mine = {part}[$i]
        $bits = int(0)
        $count = int(0)
        each nbr:
            $theirs = {part}[$j]
            if $theirs != $mine:
                $bits = $bits | (1 << $theirs)
                $count += 1
                ⟨wp.atomic_add({cut}, $mine, $theirs, 1)|⟩

        {halo}[$i] = ⟨wp.where($bits != 0, 1, 0)|wp.where($count > 0, 1, 0)|wp.min($count, 1)⟩
        {pbits}[$i] = ⟨$bits|$bits | (1 << $mine)⟩
        ⟨if $bits != 0:
            wp.atomic_add({stat}, 0, 1)|if $count == 0:
            # interior node
            wp.atomic_add({stat}, 1, 1)|wp.atomic_add({load}, $mine, 1)⟩
        """,
        kinds="atomic integer_bits",
        integer=True,
    ),
    Idea(
        "core_peel",
        "peel_core k_core_step remove_low_degree kcore_peel",
        "remove the nodes of too small a degree and tell their neighbours",
        """
        if {state}[$i] == {OUT}:
            # removed before
            return
        if {deg}[$i] ⟨1:>= {kmin}|> {kmin}⟩:
            {state_out}[$i] = {state}[$i]
            return

        {state_out}[$i] = {OUT}
        {core}[$i] = ⟨1:{kmin} - 1|{kmin}⟩
        ⟨wp.atomic_add({changed}, 0, 1)|wp.atomic_max({changed}, 0, 1)|⟩
        each nbr:
            hook nbr
            if {state}[$j] != {OUT}:
                ⟨wp.atomic_add({deg_left}, $j, 1)|wp.atomic_add({deg_left}, $j, 1)
                # it may fall below the limit in the next round
                if {deg}[$j] ⟨<=|==⟩ {kmin}⟨1:| + 1⟩:
                    wp.atomic_max({next}, $j, 1)⟩
        """,
        kinds="atomic control_flow early_exit sparse",
        integer=True,
    ),
)
