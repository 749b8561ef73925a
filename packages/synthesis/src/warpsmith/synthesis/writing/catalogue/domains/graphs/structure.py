"""Ideas of the domain `graphs`: degrees, conversions between formats, filters of edges."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

STRUCTURE = (
    Idea(
        "count_degrees",
        "count_degrees accumulate_degrees edge_degree_count degree_count",
        "count the edges at their ⟨1:two nodes|end|start|two nodes⟩",
        """
        hook edge
        ⟨1:wp.atomic_add({outdeg}, $u, 1)
        wp.atomic_add({indeg}, $v, 1)|wp.atomic_add({indeg}, $v, 1)|wp.atomic_add({outdeg}, $u, 1)|# both directions of an undirected edge
        if $u != $v:
            wp.atomic_add({outdeg}, $u, 1)
            wp.atomic_add({outdeg}, $v, 1)
        else:
            # a loop has one node
            wp.atomic_add({outdeg}, $u, ⟨1|2⟩)⟩
        ⟨|
        if {etype}[$e] == 0:
            wp.atomic_add({stat}, 0, 1)|
        # bridges to other parts
        if {part}[$u] != {part}[$v]:
            wp.atomic_add({stat}, 1, 1)⟩
        """,
        threads="e",
        kinds="atomic control_flow gather_scatter sparse atomics histograms",
        integer=True,
    ),
    Idea(
        "row_degrees",
        "row_degrees compute_degrees csr_degrees row_lengths",
        "compute the number of edges of each row and ⟨1:mark the isolated nodes|the largest degree⟩",
        """
        hook begin
        ⟨$d = {row}[$i + 1] - {row}[$i]|$begin = {row}[$i]
        $end = {row}[$i + 1]
        $d = $end - $begin⟩
        ⟨if $d > {width}:
            # longer rows are cut off
            ⟨wp.atomic_add({stat}, 1, $d - {width})|wp.atomic_add({stat}, 1, 1)⟩
            $d = {width}|⟩

        {deg_out}[$i] = $d
        ⟨1:{isolated}[$i] = $d == 0|if $d > ⟨0|1⟩:
            wp.atomic_max({maxdeg}, 0, $d)⟩
        """,
        kinds="control_flow atomic sparse reduction",
        integer=True,
    ),
    Idea(
        "edge_rows",
        "expand_rows csr_to_coo fill_row_ids edge_row_search",
        "find the row of each edge by a binary search in the row offsets",
        """
        ⟨1:$lo = int(0)
        $hi = int({n})
        # invariant: {row}[$lo] <= $e < {row}[$hi]
        while $hi - $lo > 1:
            $mid = ⟨($lo + $hi) // 2|($lo + $hi) >> 1|$lo + ($hi - $lo) // 2⟩
            if {row}[$mid] ⟨<= $e|< $e + 1⟩:
                $lo = $mid
            else:
                $hi = $mid
        $r = $lo|$r = @row_of({row}, {n}, $e)⟩

        ⟨{erow}[$e] = $r|if {row}[$r + 1] > $e and {emask}[$e] != 0:
            {erow}[$e] = $r
        else:
            {erow}[$e] = {NONE}⟩
        ⟨|{ekey}[$e] = $r * {n} + {col}[$e]|{flag}[$e] = wp.where({col}[$e] > $r, 1, 0)|if {col}[$e] == $r:
            wp.atomic_add({stat}, 0, 1)|$first = {row}[$r]
        if $e == $first:
            wp.atomic_add({stat}, 1, 1)⟩
        """,
        threads="e",
        kinds="while_loop sparse",
        docs="expand compressed row offsets to one row index per edge",
        integer=True,
    ),
    Idea(
        "fill_ell",
        "csr_to_ell fill_ell_table build_nbr_table pack_rows",
        "copy each row of the adjacency into a table of fixed width",
        """
        hook begin
        $begin = {row}[$i]
        $count = ⟨{row}[$i + 1] - $begin|wp.min({row}[$i + 1] - $begin, {width})⟩

        for $t in range({width}):
            if $t < $count:
                ⟨{ell_out}[$i, $t] = {col}[$begin + $t]|$j = {col}[$begin + $t]
                # keep the upper triangle
                if $j ⟨>|>=⟩ $i:
                    {ell_out}[$i, $t] = $j
                else:
                    {ell_out}[$i, $t] = {NONE}|$j = {col}[$begin + $t]
                {ell_out}[$i, $t] = wp.where({mask}[$j] & {FROZEN} == 0, $j, {NONE})⟩
            else:
                {ell_out}[$i, $t] = {NONE}
        ⟨|if $count == 0:
            wp.atomic_add({stat}, 3, 1)|{deg_out}[$i] = $count⟩
        """,
        kinds="control_flow multi_dim sparse gather_scatter",
        integer=True,
    ),
    Idea(
        "degree_bins",
        "bin_degrees degree_histogram classify_rows bin_rows_by_length",
        "sort the rows into bins by their length",
        """
        # short rows are served by threads, long ones by blocks
        if $d == 0:
            ⟨wp.atomic_add({hist}, 0, 1)|return⟩
        elif $d ⟨<= 1|< 2⟩:
            {bucket}[$i] = 1
            wp.atomic_add({hist}, 1, 1)
        elif $d ⟨<= 3|< 4⟩:
            {bucket}[$i] = 2
            wp.atomic_add({hist}, 2, 1)
        else:
            {bucket}[$i] = 3
            wp.atomic_add({hist}, 3, 1)
            ⟨wp.atomic_max({maxdeg}, 0, $d)|⟩
        """,
        kinds="multi_conditional atomic histograms atomics",
        integer=True,
    ),
    Idea(
        "filter_edges",
        "filter_edges mark_edges edge_keep_flags select_edges",
        "mark the edges that ⟨1:are short enough|weigh enough|connect nodes of one part⟩",
        """
        $keep = int(1)
        if $u ⟨==|>=⟩ $v:
            $keep = 0
        ⟨1:if wp.length({x}[$u] - {x}[$v]) > {radius}:
            $keep = 0|if {w}[$e] < {wmin}:
            $keep = 0|if {part}[$u] != {part}[$v]:
            $keep = 0⟩
        ⟨elif|if⟩ {etype}[$e] != {relation}:
            # only one type is used
            $keep = 0
        ⟨|if {mask}[$u] & {FROZEN} != 0 ⟨and|or⟩ {mask}[$v] & {FROZEN} != 0:
            $keep = 0|if not {alive}[$u] or not {alive}[$v]:
            $keep = 0⟩

        {flag}[$e] = $keep
        if $keep != 0:
            wp.atomic_add({stat}, 0, 1)
            ⟨wp.atomic_add({outdeg}, $u, 1)|wp.atomic_add({indeg}, $v, 1)⟩
        ⟨|else:
            wp.atomic_add({stat}, 1, 1)⟩
        """,
        threads="e",
        kinds="atomic control_flow",
        docs="the flags are scanned afterwards to compact the edge list",
    ),
    Idea(
        "reorder_edges",
        "reorder_edges scatter_sorted_edges permute_edges apply_edge_sort",
        "move the edges to their places in the sorted list",
        """
        $slot = {eperm}[$e]
        ⟨1:{src_out}[$slot] = $u
        {dst_out}[$slot] = $v|{dst_out}[$slot] = $v
        {src_out}[$slot] = $u
        {w_out}[$slot] = {w}[$e]|if $u ⟨<|>⟩ $v:
            {src_out}[$slot] = $u
            {dst_out}[$slot] = $v
        else:
            # swap the ends
            {src_out}[$slot] = $v
            {dst_out}[$slot] = $u|{src_out}[$slot] = {perm}[$u]
        {dst_out}[$slot] = {perm}[$v]⟩
        ⟨|{flag}[$slot] = wp.min({emask}[$e], 1)|{ekey}[$slot] = {etype}[$e]|{erow}[$slot] = $u⟩
        """,
        threads="e",
        kinds="gather_scatter sorting",
    ),
)
