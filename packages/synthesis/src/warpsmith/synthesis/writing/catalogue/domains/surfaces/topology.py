"""Ideas of the domain `surfaces`: connectivity, without floats."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

TOPOLOGY = (
    Idea(
        "count_valence",
        "count_valence count_vertex_faces vertex_degree count_incident",
        "count the triangles around each vertex",
        """
        ⟨|if {mat}[$t] == {target}:
            return
        |if {mat}[$t] != {target}:
            return
        ⟩⟨if $i0 == $i1 or $i1 == $i2 or $i2 == $i0:
            # degenerate triangles do not count
            wp.atomic_add({ncount}, 0, 1)
            return

        |if $i0 == $i1 or $i1 == $i2 or $i2 == $i0:
            return

        |⟩⟨wp.atomic_add({valence}, $i0, 1)
        wp.atomic_add({valence}, $i1, 1)
        wp.atomic_add({valence}, $i2, 1)|for $k in range(3):
            $id = {tri}[$t, $k]
            ⟨wp.atomic_add({valence}, $id, 1)|if {vflag}[$id] & {SELECTED} != 0:
                wp.atomic_add({valence}, $id, 1)|if not {pinned}[$id]:
                wp.atomic_add({valence}, $id, 1)⟩|for $k in range(3):
            ⟨wp.atomic_add({valence}, {flat}[$t * 3 + $k], 1)|$id = {flat}[$t * 3 + $k]
            if $id != {flat}[$t * 3 + ($k + 1) % 3]:
                wp.atomic_add({valence}, $id, 1)⟩⟩
        """,
        threads="t",
        kinds="atomic control_flow gather_scatter atomics",
        integer=True,
    ),
    Idea(
        "boundary_vertices",
        "mark_boundary_vertices find_boundary flag_boundary classify_edges",
        "classify the edges by their number of triangles and mark the vertices on the boundary",
        """
        ⟨|||$ia = {ea}[$e]
        $ib = {eb}[$e]
        |$ia = {edge2}[$e][0]
        $ib = {edge2}[$e][1]
        ⟩$left = {wing}[$e, 0]
        $right = {wing}[$e, 1]
        ⟨|if $ia == $ib:
            # collapsed edge
            {eclass}[$e] = {NONE}
            return

        ⟩if $left < 0 and $right < 0:
            # loose edge
            {eclass}[$e] = 3
        elif $left < 0 or $right < 0:
            {eclass}[$e] = 1
            ⟨|wp.atomic_add({ncount}, 0, 1)⟩
            ⟨3:wp.atomic_max({vmark}, $ia, 1)
            wp.atomic_max({vmark}, $ib, 1)|# only selected vertices take part
            if {vflag}[$ia] & {SELECTED} != 0:
                wp.atomic_max({vmark}, $ia, 1)
            if {vflag}[$ib] & {SELECTED} != 0:
                wp.atomic_max({vmark}, $ib, 1)|wp.atomic_add({vmark}, $ia, 1)
            wp.atomic_add({vmark}, $ib, 1)⟩
        ⟨elif {mat}[$left] != {mat}[$right]:
            # crease between two materials
            {eclass}[$e] = 2
            ⟨3:wp.atomic_max({vmark}, $ia, 2)||wp.atomic_add({vmark}, $ia, 1)⟩
        |elif $left == $right⟨| or {side}[$left] != {side}[$right]⟩:
            {eclass}[$e] = 4
        |⟩else:
            {eclass}[$e] = ⟨0|5⟩
        """,
        threads="e",
        kinds="multi_conditional control_flow",
        integer=True,
    ),
    Idea(
        "neighbor_search",
        "find_adjacent_triangles build_adjacency match_edges find_opposite",
        "find the triangle across each edge of a triangle ⟨1:by its vertex ids|by edge keys⟩",
        """
        ⟨|if {mat}[$t] == {target}:
            return

        ⟩for $k in range(3):
            $a = {tri}[$t, $k]
            $b = {tri}[$t, ($k + 1) % 3]
            ⟨1:|$key = @edge_key($a, $b)
            ⟩$found = int(-1)
            # all triangles around the first vertex share it
            for $kk in range({vstart}[$a], {vstart}[$a + 1]):
                $other = {vlist}[$kk]
                if $other == $t:
                    continue
                for $n in range(3):
                    ⟨1:⟨if {tri}[$other, $n] == $b and {tri}[$other, ($n + 1) % 3] == $a:|if {tri}[$other, $n] == $b:⟩|if @edge_key({tri}[$other, $n], {tri}[$other, ($n + 1) % 3]) == $key:⟩
                        $found = $other
                        ⟨|break⟩
                ⟨|if $found >= 0:
                    break⟩
            {across}[$t, $k] = $found
            ⟨|if $found < 0:
                wp.atomic_add({ncount}, 0, 1)⟩
        """,
        threads="t",
        kinds="nested_loop control_flow early_exit",
        integer=True,
    ),
    Idea(
        "ring_contains",
        "has_edge check_edge_exists find_half_edge lookup_edge",
        "look up each edge in the list of neighbours of its first vertex",
        """
        ⟨|||$ia = {ea}[$e]
        $ib = {eb}[$e]
        |$ia = {edge2}[$e][0]
        $ib = {edge2}[$e][1]
        ⟩⟨$a = $ia
        $b = $ib|$a = wp.min($ia, $ib)
        $b = wp.max($ia, $ib)⟩
        $where = int(-1)
        ⟨for $kk in range({nstart}[$a], {nstart}[$a + 1]):
            if {nlist}[$kk] == $b:
                $where = $kk
                ⟨break|⟨|wp.atomic_add({ncount}, 0, 1)⟩⟩|$kk = {nstart}[$a]
        while $kk < {nstart}[$a + 1] and $where < 0:
            if {nlist}[$kk] == $b:
                $where = $kk
            $kk = $kk + 1⟩
        ⟨5:|if $where < 0:
            # try the other direction
            for $n in range({nstart}[$b], {nstart}[$b + 1]):
                if {nlist}[$n] == $a:
                    $where = $n
                    break
        ⟩
        ⟨{eslot}[$e] = $where|if $where < 0:
            {eslot}[$e] = {NONE}
            ⟨|wp.atomic_add({valence}, $a, 1)⟩
        else:
            {eslot}[$e] = $where⟨5:⟨ - {nstart}[$a]|⟩|⟩⟩
        """,
        threads="e",
        kinds="control_flow nested_loop while_loop",
        integer=True,
    ),
    Idea(
        "find_root",
        "find_component_roots compress_paths find_roots label_components",
        "follow the parents of each vertex to the root of its component ⟨1:|and count the steps|and count the vertices of each root⟩",
        """
        $root = $i
        $steps = int(0)
        while {parent}[$root] != $root and $steps < ⟨8|12|16⟩:
            $root = {parent}[$root]
            $steps = $steps + 1
        ⟨|if {parent}[$root] != $root:
            # no root within reach
            $root = {NONE}
        |if $steps > 3:
            wp.atomic_add({ncount}, 0, 1)
        ⟩
        {root}[$i] = $root
        ⟨1:|{depth}[$i] = $steps|if $root >= 0:
            wp.atomic_add({valence}, $root, 1)⟩
        """,
        kinds="while_loop control_flow",
        integer=True,
    ),
    Idea(
        "remap_triangles",
        "remap_triangles weld_indices renumber_faces compact_indices",
        "replace the vertex indices of each triangle by the new ones of the welded mesh",
        """
        ⟨for $k in range(3):
            $new = {remap}[{tri}[$t, $k]]
            {tri_out}[$t, $k] = $new
            ⟨|if $new >= 0:
                wp.atomic_add({valence}, $new, 1)|if $new == {NONE}:
                wp.atomic_add({ncount}, 0, 1)⟩|$a = {remap}[$i0]
        $b = {remap}[$i1]
        $c = {remap}[$i2]
        ⟨$alive = ⟨$a >= 0 and $b >= 0 and $c >= 0|$a != $b and $b != $c and $c != $a⟩
        if not $alive:|if $a == {NONE} or $b == {NONE} or $c == {NONE}:⟩
            # the triangle collapses
            {tri_out}[$t, 0] = {NONE}
            {tri_out}[$t, 1] = {NONE}
            {tri_out}[$t, 2] = {NONE}
            ⟨|wp.atomic_add({ncount}, 0, 1)
            ⟩return

        ⟨if {side}[$t] == 1:
            # keep the winding consistent
            {tri_out}[$t, 0] = $a
            {tri_out}[$t, 1] = $c
            {tri_out}[$t, 2] = $b
        else:
            {tri_out}[$t, 0] = $a
            {tri_out}[$t, 1] = $b
            {tri_out}[$t, 2] = $c|{tri_out}[$t, 0] = $a
        {tri_out}[$t, 1] = $b
        {tri_out}[$t, 2] = $c⟩⟩
        """,
        threads="t",
        kinds="control_flow gather_scatter",
        integer=True,
    ),
    Idea(
        "face_components",
        "propagate_labels flood_labels relax_component_labels spread_ids",
        "take the least label of each triangle and its neighbours⟨1:| and report changes⟩",
        """
        $best = {label}[$t]
        for $k in range(3):
            $other = {adj}[$t, $k]
            ⟨if $other < 0:
                # boundary edge
                continue
            ⟨|if {mat}[$other] != {mat}[$t]:
                continue
            ⟩$best = wp.min($best, {label}[$other])|if $other >= 0:
                ⟨$best = wp.min($best, {label}[$other])|if {label}[$other] < $best⟨| and {mat}[$other] == {mat}[$t]| and {side}[$other] == {side}[$t]⟩:
                    $best = {label}[$other]⟩⟩
        ⟨|# one jump to the representative
        $best = wp.min($best, {label}[$best])
        ⟩{label_out}[$t] = $best
        ⟨1:|if $best != {label}[$t]:
            wp.atomic_add({ncount}, 0, 1)⟩
        """,
        threads="t",
        kinds="control_flow",
        integer=True,
    ),
    Idea(
        "edge_cells",
        "hash_edges count_edge_buckets bucket_edges edge_histogram",
        "count the edges of all triangles in a table of buckets by their keys",
        """
        ⟨|if {mat}[$t] == {target}:
            return
        ⟩for $k in range(3):
            $a = {tri}[$t, $k]
            $b = {tri}[$t, ($k + 1) % 3]
            if $a == $b:
                continue
            ⟨$key = @edge_key($a, $b)|$key = wp.min($a, $b) * 73 + wp.max($a, $b) * 19⟩
            ⟨$bucket = $key % {BUCKETS}|$bucket = ($key ^ ($key >> 5)) & ({BUCKETS} - 1)⟩
            wp.atomic_add({bucketcount}, $bucket, 1)
            ⟨|{ekey}[$t, $k] = $key⟩
            ⟨|if $a > $b:
                # runs against the order of the vertices
                wp.atomic_add({ncount}, 0, 1)|if {pinned}[$a] and {pinned}[$b]:
                # held edge
                wp.atomic_add({ncount}, 0, 1)⟩
        """,
        threads="t",
        kinds="atomic control_flow integer_bits histograms",
        integer=True,
    ),
    Idea(
        "select_vertices",
        "⟨1:grow|shrink⟩_selection ⟨1:dilate|erode⟩_selection ⟨1:expand|contract⟩_selected",
        "⟨1:grow|shrink⟩ the selection by the ring of neighbours of each vertex",
        """
        $sel = ({vflag}[$i] & {SELECTED}) ⟨!= 0|> 0⟩
        ⟨|if {pinned}[$i]:
            {vmark}[$i] = ⟨0|-1⟩
            return
        ⟩$hits = int(0)
        each ring:
            if ({vflag}[$j] & {SELECTED}) != 0:
                $hits += 1
        ⟨1:if $sel or $hits >= ⟨3|4|5⟩:
            {vmark}[$i] = 1
        else:
            {vmark}[$i] = 0|if $sel and $hits >= ⟨2|3|4⟩:
            {vmark}[$i] = 1
        else:
            {vmark}[$i] = 0⟩
        ⟨|{valence}[$i] = $hits|if $sel and $hits == 0:
            # a lone vertex
            wp.atomic_add({ncount}, 0, 1)⟩
        """,
        kinds="control_flow stencil",
        integer=True,
    ),
)
