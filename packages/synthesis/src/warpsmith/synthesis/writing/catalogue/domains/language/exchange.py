"""Atomic operations of all kinds, sorted tables, local arrays and tests of triangles and edges."""

from __future__ import annotations

from warpsmith.synthesis.language.types import FLOAT, INT, TYPES, VEC2, VEC3
from warpsmith.synthesis.writing.ideas.declare import data, size
from warpsmith.synthesis.writing.ideas.parts import Idea

UINT32, INT64, DOUBLE = TYPES["uint32"], TYPES["int64"], TYPES["float64"]

PARAMETERS = (
    size("knots", 8, 16, "num_knots table_len n_edges num_thresholds", "length of the sorted table"),
    data("sorted", FLOAT, -2.5, 2.5, "knots thresholds edges breakpoints", "values in ascending order", "knots", "sorted", shared=True),
    data("isorted", INT, 0, 400, "sorted_keys boundaries first_keys key_table", "keys in ascending order", "knots", "sorted", shared=True),
    data("level", FLOAT, -2.0, 2.0, "knot_values levels ordinates table_values", "value at each knot", "knots", shared=True),
    data("slot", INT, 0, 3, "slots owners claimed lock_words", "owner of each slot, changed in place"),
    data("before", INT, 0, 0, "previous old_owner seen_before old_values", "value before the exchange"),
    data("gor", INT, 0, 0, "or_masks group_flags any_bits presence", "union of the bits of each group", "bins", start=0.0),
    data("gand", INT, 0, 0, "and_masks common_bits all_bits shared_flags", "bits that all elements of a group have", "bins", start=511.0),
    data("gxor", INT, 0, 0, "parity_masks checksums toggled xor_masks", "parity of the keys of each group", "bins", start=0.0),
    data("gmax", INT, 0, 0, "max_key highest_key largest_id last_key", "largest key of each group", "bins", start=-1.0),
    data("gmin", INT, 0, 0, "min_key lowest_key smallest_id first_key", "smallest key of each group", "bins", start=100000.0),
    data("fmax", FLOAT, 0.0, 0.0, "group_max peak_value upper_bound max_x", "largest value of each group", "bins", start=-1000.0),
    data("fmin", FLOAT, 0.0, 0.0, "group_min lowest_value lower_bound_x min_x", "smallest value of each group", "bins", start=1000.0),
    data("umask", UINT32, 0, 0, "bit_table occupancy_bits umasks seen_bits", "bits of each group", "bins", start=0.0),
    data("vsum", VEC3, 0.0, 0.0, "vector_sums momentum_sums centroid_sum v_sums", "sum of the vectors of each group", "bins", start=0.0),
    data("wide", INT64, 0, 0, "wide_total checksum64 total_keys big_sum", "sum of the keys", "1", start=0.0),
    data("dbl", DOUBLE, 0.0, 0.0, "precise_total sum_d total_d double_sum", "sum in double precision", "1", start=0.0),
    data("ta", VEC3, -1.0, 1.0, "tri_a v0 corner_a first_vertices", "first corner of each triangle in m"),
    data("tb", VEC3, -1.0, 1.0, "tri_b v1 corner_b second_vertices", "second corner of each triangle in m"),
    data("tc", VEC3, -1.0, 1.0, "tri_c v2 corner_c third_vertices", "third corner of each triangle in m"),
    data("sect", INT, 0, 0, "intersects overlap_flags colliding hit_out", "1 for each triangle that intersects its partner"),
    data("st_out", VEC2, 0.0, 0.0, "edge_params st_out barycentrics edge_coords", "parameters of the closest points"),
    data("gap", FLOAT, 0.0, 0.0, "distances gap edge_distance separation", "distance of each pair of edges in m"),
    data("cell_of", INT, 0, 0, "intervals cell_index segment_of bin_out", "interval of each value"),
)  # fmt: skip

EXCHANGE = (
    Idea(
        "group_bits",
        "collect_bits merge_flags group_masks reduce_flags",
        "combine the ⟨1:bits|common bits|parities⟩ of the keys of each group",
        """
        hook begin
        ⟨2:$key = {keys}[$i]|$key = 1 << ({keys}[$i] % ⟨9|8⟩)|$key = {keys}[$i] ^ {flags}[$i]⟩
        ⟨1:wp.atomic_or({gor}, {lab}[$i], $key)|wp.atomic_and({gand}, {lab}[$i], $key)|wp.atomic_xor({gxor}, {lab}[$i], $key)⟩
        ⟨3:if $key ⟨> 60|% 2 == 0⟩:
            wp.atomic_add({counter}, 0, 1)|{i_out}[$i] = $key|⟩
        """,
        kinds="atomics integer_bits",
        integer=True,
    ),
    Idea(
        "group_bits_unsigned",
        "mark_presence set_bits occupancy_masks bitset_insert",
        "set a bit in the unsigned word of each group",
        """
        hook begin
        $key = wp.uint32({keys}[$i] ⟨% 32|& 31⟩)
        ⟨1:wp.atomic_or({umask}, {lab}[$i], wp.uint32(1) << $key)|wp.atomic_max({umask}, {lab}[$i], $key * wp.uint32(3))|wp.atomic_xor({umask}, {lab}[$i], $key)|wp.atomic_add({umask}, {lab}[$i], $key)⟩
        ⟨2:{i_out}[$i] = int($key)|{i_out}[$i] = wp.bit_count({keys}[$i])|⟩
        """,
        kinds="atomics integer_bits",
        integer=True,
    ),
    Idea(
        "group_extremes",
        "group_extremes min_max_keys key_range find_bounds",
        "find the ⟨1:largest key|smallest key|range of the values|range of the keys⟩ of each group",
        """
        hook begin
        $lab = {lab}[$i]
        ⟨1:wp.atomic_max({gmax}, $lab, {keys}[$i]⟨| * 2 + 1⟩)|wp.atomic_min({gmin}, $lab, {keys}[$i]⟨| + $i⟩)|wp.atomic_max({fmax}, $lab, {x}[$i])
        wp.atomic_min({fmin}, $lab, {x}[$i]⟨| * {w}[$i]⟩)|wp.atomic_max({gmax}, $lab, {keys}[$i])
        wp.atomic_min({gmin}, $lab, {keys}[$i])⟩
        ⟨2:wp.atomic_add({group_n}, $lab, 1)|⟩
        """,
        kinds="atomics reduction",
    ),
    Idea(
        "exchange_slots",
        "exchange_slots swap_owners replace_ids publish_values",
        "exchange the value of each slot ⟨2:|and compare it with the old one⟩",
        """
        hook begin
        $key = ⟨{keys}[$i]|{keys}[$i] * 2 + {lab}[$i]|{lab}[$i] + 1⟩
        $old = wp.atomic_exch({slot}, $i, $key)
        ⟨2:{before}[$i] = $old|if $old ⟨== 0|> 1⟩:
            {before}[$i] = $key
            wp.atomic_add({counter}, 0, 1)
        else:
            {before}[$i] = $old⟩
        """,
        kinds="atomics",
        integer=True,
    ),
    Idea(
        "claim_slots",
        "claim_slots try_lock acquire_slots compare_and_set",
        "claim each slot that ⟨2:is free|has the expected owner⟩",
        """
        hook begin
        $key = {keys}[$i] + ⟨4|10⟩
        $old = wp.atomic_cas({slot}, $i, ⟨2:0|{lab}[$i] % 4⟩, $key)
        ⟨3:if $old == ⟨2:0|{lab}[$i] % 4⟩:
            {before}[$i] = $key
            wp.atomic_add({counter}, 0, 1)
        else:
            {before}[$i] = ⟨-1|$old⟩|{before}[$i] = $old|{before}[$i] = wp.where($old == ⟨2:0|{lab}[$i] % 4⟩, 1, 0)⟩
        """,
        kinds="atomics",
        integer=True,
    ),
    Idea(
        "group_vectors",
        "sum_vectors group_momentum accumulate_vectors deposit_vectors",
        "add up ⟨1:vectors|moments|weighted points⟩ of each group",
        """
        hook begin
        ⟨1:wp.atomic_add({vsum}, {lab}[$i], {v}[$i])|wp.atomic_add({vsum}, {lab}[$i], wp.cross({p}[$i], {v}[$i]))|wp.atomic_sub({vsum}, {lab}[$i], {p}[$i] * {w}[$i])⟩
        ⟨2:wp.atomic_add({group_x}, {lab}[$i], {w}[$i])|wp.atomic_add({dbl}, 0, wp.float64({x}[$i]) * wp.float64({w}[$i]))|⟩
        """,
        kinds="atomics vector",
    ),
    Idea(
        "wide_totals",
        "sum_wide checksum_keys total_of_keys accumulate_wide",
        "add up keys in a wide integer",
        """
        hook begin
        ⟨2:wp.atomic_add({wide}, 0, wp.int64({keys}[$i]))|$q = wp.int64({keys}[$i]) * wp.int64(⟨1000003|70001⟩)
        wp.atomic_add({wide}, 0, $q)|if {flags}[$i] & {DIRTY} != 0:
            wp.atomic_add({wide}, 0, wp.int64({keys}[$i]) << wp.int64(⟨8|20⟩))⟩
        hook end
        """,
        kinds="atomics mixed_precision",
        integer=True,
    ),
    Idea(
        "find_interval",
        "find_intervals locate_knots bin_values interpolate_table",
        "find the interval of each value in a sorted table ⟨2:|and interpolate in it⟩",
        """
        hook begin
        $q = wp.lower_bound({sorted}, {x}[$i])
        ⟨2:{cell_of}[$i] = $q|$q = wp.clamp($q, 1, {knots} - 1)
        $t = wp.clamp(({x}[$i] - {sorted}[$q - 1]) / ({sorted}[$q] - {sorted}[$q - 1] + 0.05), 0.0, 1.0)
        {x_out}[$i] = {level}[$q - 1] + ($t⟨| * {w}[$i]⟩) * ({level}[$q] - {level}[$q - 1])|if $q == 0 or $q >= {knots} - 1:
            # outside of the table
            {cell_of}[$i] = -1
            return
        {cell_of}[$i] = $q
        {x_out}[$i] = {level}[$q]⟩
        """,
        kinds="sorting gather_scatter",
    ),
    Idea(
        "find_key",
        "lookup_keys find_segment search_sorted owner_of_key",
        "find the first key that is not smaller ⟨2:|in a part of the table⟩",
        """
        hook begin
        ⟨2:$q = wp.lower_bound({isorted}, {keys}[$i])|$q = wp.lower_bound({isorted}, ⟨1|2⟩, {knots} - 1, {keys}[$i])⟩
        ⟨3:{cell_of}[$i] = wp.min($q, {knots} - 1)|if $q < {knots} - 1 and {isorted}[$q] - {keys}[$i] < ⟨20|40⟩:
            {cell_of}[$i] = {isorted}[$q]
        else:
            {cell_of}[$i] = -1|{cell_of}[$i] = $q
        wp.atomic_add({group_n}, $q % {bins}, 1)⟩
        """,
        kinds="sorting",
        integer=True,
    ),
    Idea(
        "triangle_overlap",
        "triangle_overlaps tri_tri_test find_self_collisions test_pairs",
        "test each triangle against ⟨2:its partner|the next one|its partner, except itself⟩",
        """
        hook begin
        ⟨2:$j = {link}[$i]|$j = ($i + 1) % {n}|$j = {link}[$i]
        if $j == $i or {lab}[$j] == {lab}[$i]:
            {sect}[$i] = 0
            return⟩
        $hit = wp.intersect_tri_tri({ta}[$i], {tb}[$i], {tc}[$i], {ta}[$j], {tb}[$j], {tc}[$j])
        ⟨3:{sect}[$i] = $hit|if $hit != 0:
            wp.atomic_add({counter}, 0, 1)
        {sect}[$i] = wp.where($hit != 0, ⟨$j|1⟩, -1)⟩
        """.replace("⟨$j|1⟩, -1", "$j, -1"),
        kinds="contact",
    ),
    Idea(
        "edge_distance",
        "edge_distances closest_edges edge_edge_contacts edge_gaps",
        "find the closest points of each edge and ⟨2:the next one|its partner⟩",
        """
        hook begin
        $j = ⟨2:($i + 1) % {n}|{link}[$i]⟩
        $st = wp.closest_point_edge_edge({ta}[$i], {tb}[$i], {tb}[$j], {tc}[$j], ⟨1.0e-5|1.0e-6⟩)
        ⟨3:{gap}[$i] = $st[2]|$pa = {ta}[$i] + ({tb}[$i] - {ta}[$i]) * $st[0]
        $pb = {tb}[$j] + ({tc}[$j] - {tb}[$j]) * $st[1]
        {v_out}[$i] = $pb - $pa|if $st[2] < ⟨0.5|0.4⟩:
            wp.atomic_add({counter}, 0, 1)
            {st_out}[$i] = wp.vec2($st[0], $st[1])
        else:
            {st_out}[$i] = wp.vec2(-1.0, -1.0)⟩
        """,
        kinds="contact vector",
        forward_only=True,
    ),
    Idea(
        "local_scratch",
        "sort_window median_window rank_window window_statistics",
        "⟨2:sort|reverse|rank⟩ a window of keys in an array local to the thread",
        """
        $own = wp.zeros(shape=(4,), dtype=int)
        for $q in range(4):
            $own[$q] = {keys}[($i + $q) % {n}]

        ⟨2:for $ka in range(3):
            for $kb in range(3 - $ka):
                if $own[$kb] > $own[$kb + 1]:
                    $t = $own[$kb]
                    $own[$kb] = $own[$kb + 1]
                    $own[$kb + 1] = $t
        {i_out}[$i] = ⟨($own[1] + $own[2]) // 2|$own[3] - $own[0]|$own[0]⟩|for $ka in range(2):
            $t = $own[$ka]
            $own[$ka] = $own[3 - $ka]
            $own[3 - $ka] = $t
        {i_out}[$i] = ⟨$own[0] - $own[1]|$own[0] - $own[3]|$own[1] - $own[2]⟩|$t = int(0)
        for $ka in range(1, 4):
            if $own[$ka] < $own[0]:
                $t += 1
        {i_out}[$i] = $t⟩
        """,
        kinds="sorting nested_loop",
        integer=True,
    ),
    Idea(
        "thread_ids",
        "write_coordinates linear_ids fill_indices index_pattern",
        "write ⟨1:the linear index|a checkerboard|the distance to the border⟩ of each entry of a table",
        """
        ⟨1:{around}[$i, $j] = $i * {m} + $j|if ($i + $j) % 2 == 0:
            {around}[$i, $j] = 1
        else:
            {around}[$i, $j] = ⟨-1|0⟩|{around}[$i, $j] = wp.min(wp.min($i, {n} - 1 - $i), wp.min($j, {m} - 1 - $j))⟩
        """,
        threads="i j",
        kinds="multi_dim",
        integer=True,
    ),
)
