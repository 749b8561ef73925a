"""Ideas of the domain `graphs`: breadth-first search, shortest paths and levels of dependencies."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

TRAVERSAL = (
    Idea(
        "bfs_push",
        "bfs_push expand_frontier bfs_step advance_frontier",
        "expand the frontier of a breadth-first search by one level",
        """
        hook begin
        ⟨$cur = {now}|$cur = {iter}[0]⟩
        if {level}[$i] != $cur:
            return

        # visit the neighbours that no level contains
        each nbr:
            hook nbr
            if {level}[$j] ⟨< 0|== {NONE}⟩⟨| and {mask}[$j] & {SEEN} == 0⟩:
                ⟨wp.atomic_max({next}, $j, 1)|wp.atomic_min({dist_out}, $j, $cur + 1)|wp.atomic_max({next}, $j, 1)
                # any change continues the search
                wp.atomic_max({changed}, 0, 1)|wp.atomic_min({dist_out}, $j, $cur + 1)
                wp.atomic_add({changed}, 0, 1)⟩
        hook tally
        """,
        kinds="atomic control_flow atomics sparse early_exit",
        docs="every thread of the frontier claims the unreached neighbours for the next level",
        integer=True,
    ),
    Idea(
        "bfs_pull",
        "bfs_pull bottom_up_step bfs_bottom_up pull_frontier",
        "search the frontier among the neighbours of each unreached node",
        """
        $own = {level}[$i]
        if $own >= 0:
            # already reached
            {level_out}[$i] = $own
            return

        $best = ⟨int(-1)|int({NONE})⟩
        ⟨1:for $p in range({row}[$i], {row}[$i + 1]):
            $j = {col}[$p]
            hook nbr
            if {level}[$j] == $cur:
                $best = $j
                ⟨break|break⟩|$p = int({row}[$i])
        $last = {row}[$i + 1]
        while $p < $last and $best < 0:
            $j = {col}[$p]
            if {level}[$j] == $cur⟨| and {emask}[$p] != 0⟩:
                $best = $j
            $p += 1|for $t in range({width}):
            $j = {ell}[$i, $t]
            if $j < 0:
                ⟨break|continue⟩
            if {level}[$j] == $cur:
                $best = ⟨$j|wp.max($best, $j)⟩⟩

        {pred}[$i] = $best
        ⟨{level_out}[$i] = wp.where($best >= 0, $cur + 1, {NONE})|if $best >= 0:
            {level_out}[$i] = $cur + 1
            wp.atomic_add({changed}, 0, 1)
        else:
            {level_out}[$i] = {NONE}⟩
        """,
        kinds="control_flow while_loop early_exit sparse",
        docs="the first neighbour on the frontier becomes the predecessor",
        integer=True,
    ),
    Idea(
        "relax_edges",
        "relax_edges bellman_ford_step sssp_relax edge_relaxation",
        "relax each edge of a shortest-path search",
        """
        $start = {dist}[$u]
        if $start ⟨>= {limit}|> {limit}⟩:
            # too far away to matter
            return
        $cand = $start + ⟨$c|@edge_cost($c, {etype}[$e])⟩

        if $cand < {dist}[$v]:
            wp.atomic_min({dist_out}, $v, $cand)
            ⟨wp.atomic_max({changed}, 0, 1)|wp.atomic_add({changed}, 0, 1)|wp.atomic_max({next}, $v, 1)⟩
        ⟨|elif $cand == {dist}[$v]:
            # a second path of the same length
            wp.atomic_add({stat}, 0, 1)|
        # undirected edge
        $back = {dist}[$v] + $c
        if $back < $start:
            wp.atomic_min({dist_out}, $u, $back)⟩
        """,
        threads="e",
        kinds="atomic control_flow atomics sparse",
        integer=True,
    ),
    Idea(
        "sssp_pull",
        "sssp_pull update_distances gather_distances min_plus_row",
        "take the shortest way to each node over its neighbours",
        """
        hook begin
        $best = int({dist}[$i])
        $via = int(⟨{NONE}|$i⟩)
        each road:
            hook nbr
            ⟨$reach = {dist}[$j]
            if $reach >= {INF}:
                continue
            $cand = $reach + $c|$cand = {dist}[$j] + $c|$cand = wp.min({dist}[$j] + $c, {INF})|$cand = {dist}[$j] + @edge_cost($c, {etype}[$p])⟩
            if $cand < $best⟨| or ($cand == $best and $j < $via)⟩:
                $best = $cand
                $via = $j

        {dist_new}[$i] = $best
        {pred}[$i] = $via
        ⟨if $best < {dist}[$i]:
            wp.atomic_add({changed}, 0, 1)|if $best != {dist}[$i]:
            wp.atomic_max({changed}, 0, 1)|⟩
        hook tally
        """,
        kinds="control_flow sparse reduction",
        docs="one step of the min-plus product of the adjacency and the distances",
        integer=True,
    ),
    Idea(
        "delta_buckets",
        "assign_buckets delta_step_bins bucket_nodes bin_by_distance",
        "assign each node to a bucket of a delta-stepping search",
        """
        hook begin
        $d = {dist}[$i]
        $b = ⟨$d // {delta}|wp.min($d // {delta}, 7)⟩

        if $d >= {INF} or {level}[$i] < 0:
            {bucket}[$i] = {NONE}
        elif $b < $cur:
            # settled
            {bucket}[$i] = $b
            wp.atomic_add({stat}, 0, 1)
        elif $d > {limit}:
            {bucket}[$i] = 7
            ⟨wp.atomic_add({stat}, 1, 1)|⟩
        else:
            {bucket}[$i] = $b
            ⟨wp.atomic_add({hist}, wp.min($b, 7), 1)|wp.atomic_add({stat}, 2, 1)|⟩
        """,
        kinds="multi_conditional atomic histograms",
        integer=True,
    ),
    Idea(
        "dependency_level",
        "compute_levels dependency_levels schedule_rows row_wavefront",
        "compute the level of each row from the rows that it depends on",
        """
        hook begin
        $top = int(⟨-1|0⟩)
        $ready = ⟨int(1)|int({active}[$i])⟩
        each nbr:
            # only the lower triangle matters
            if $j < $i:
                $dep = {level}[$j]
                if $dep < 0:
                    $ready = 0
                    ⟨|continue⟩
                $top = wp.max($top, $dep)

        if $ready != 0:
            {level_out}[$i] = $top + 1
            ⟨wp.atomic_add({hist}, wp.min($top + 1, 7), 1)|if {level}[$i] != $top + 1:
                wp.atomic_add({changed}, 0, 1)⟩
        else:
            {level_out}[$i] = ⟨{NONE}|{level}[$i]⟩
        hook tally
        """,
        kinds="control_flow sparse",
        docs="rows of one level of a triangular solve may run at the same time",
        integer=True,
    ),
)
