"""Ideas of the domain `queries`: broad phase, culling, picking and sums in a hierarchy of boxes."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

BOXES = (
    Idea(
        "count_overlaps",
        "count_overlaps broad_phase_count query_aabb overlap_counts",
        "count the items ⟨1:|in the wanted layers|of other groups⟩ whose boxes meet the box of each query",
        """
        hook query
        ⟨2:$query = wp.bvh_query_aabb({bvh}, {qlo}[$q], {qup}[$q])|$lower = {qc}[$q] - {qh}[$q]
        $upper = {qc}[$q] + {qh}[$q]
        $query = wp.bvh_query_aabb({bvh}, $lower, $upper)|$size = wp.vec3({margin})
        $query = wp.bvh_query_aabb({bvh}, {qlo}[$q] - $size, {qup}[$q] + $size)⟩
        $count = int(0)
        each candidate:
            ⟨1:$count += 1|if {bmask}[$item] & {layer} != 0:
                $count += 1|if {bgroup}[$item] != {qgroup}[$q] or {bgroup}[$item] < 0:
                $count += 1⟩
            ⟨wp.atomic_add({btouch}, $item, 1)|⟩
        {qcount}[$q] = ⟨$count|wp.min($count, {most})⟩
        ⟨if $count == 0:
            wp.atomic_add({misses}, 0, 1)|wp.atomic_add({pairs}, 0, $count)|⟩
        """,
        threads="q",
        kinds="bvh_query while_loop",
        integer=True,
    ),
    Idea(
        "pick_item",
        "pick_topmost select_by_priority best_candidate highest_priority",
        "select the item ⟨1:of the highest priority|of the least index|that comes next after the previous one⟩ among those that ⟨2:contain each point|meet the box of each query|a ray from each point meets⟩",
        """
        hook query
        $query = ⟨2:wp.bvh_query_aabb({bvh}, {qc}[$q], {qc}[$q])|wp.bvh_query_aabb({bvh}, {qlo}[$q], {qup}[$q])|wp.bvh_query_ray({bvh}, {qc}[$q], {qd}[$q])⟩
        ⟨1:$best = int(-1)
        $most = int(-1)|$best = int(⟨9999|1 << 20⟩)|$best = int({b})⟩
        each candidate:
            hook item
            ⟨1:$prio = {bprio}[$item]
            ⟨# the lower index wins a tie
            |⟩if $prio > $most or ($prio == $most and $item < $best):
                $most = $prio
                $best = $item|$best = wp.min($best, $item)|if $item > {qlast}[$q]:
                $best = wp.min($best, $item)⟩
        ⟨1:{qbest}[$q] = $best
        ⟨if $best >= 0:
            wp.atomic_add({btouch}, $best, 1)|⟩|if $best > 1000:
            $best = {NONE}
        {qbest}[$q] = $best|{qbest}[$q] = wp.where($best < {b}, $best, {NONE})⟩
        """,
        threads="q",
        kinds="bvh_query",
        integer=True,
    ),
    Idea(
        "closest_item",
        "find_closest_item nearest_candidate closest_shape nearest_light",
        "find the item near each query whose ⟨1:center|box⟩ is closest",
        """
        hook query
        $best = int({NONE})
        $least = float(⟨1.0e6|10.0|1.0e3⟩)
        $query = ⟨2:wp.bvh_query_sphere({bvh}, {qc}[$q], {qr}[$q])|wp.bvh_query_aabb({bvh}, {qc}[$q] - wp.vec3({qr}[$q]), {qc}[$q] + wp.vec3({qr}[$q]))⟩
        each candidate:
            hook item
            $d = ⟨1:wp.length({bpos}[$item] - {qc}[$q])|@box_gap({qc}[$q], {bpos}[$item], {bown}[$item])⟩
            if $d < $least⟨1:| or ($d == $least and $item < $best)⟩:
                $least = $d
                $best = $item
        {qbest}[$q] = $best
        ⟨if $best >= 0:
            wp.atomic_add({btouch}, $best, 1)
            ⟨wp.atomic_add({pairs}, 0, 1)|⟩|if $best < 0:
            wp.atomic_add({misses}, 0, 1)|{qcode}[$q] = ⟨1 if $best == {qlast}[$q] else 0|wp.where($best >= 0, {NEAR}, {MISS})⟩|⟩
        """,
        threads="q",
        kinds="bvh_query",
    ),
    Idea(
        "ray_depth",
        "optical_depth ray_through_boxes count_ray_boxes transparency",
        "⟨1:sum up the values|count|collect the layers⟩ of the items whose boxes a ray of each query meets",
        """
        hook query
        ⟨$query = wp.bvh_query_ray({bvh}, {qc}[$q], {qd}[$q])|$rd = wp.normalize({qc}[$q] - wp.vec3(0.1, 2.0, 0.3))
        $query = wp.bvh_query_ray({bvh}, wp.vec3(0.1, 2.0, 0.3), $rd)|$start = wp.bvh_get_group_root({bvh}, 0)
        $query = wp.bvh_query_ray({bvh}, {qc}[$q], {qd}[$q], $start)⟩
        ⟨1:$total = float(0.0)|$count = int(0)|$code = int(0)⟩
        each candidate:
            hook item
            ⟨1:$total += {bval}[$item]|$count += 1|$code = $code | {bmask}[$item]⟩
        ⟨1:{qsum}[$q] = $total|{qcount}[$q] = $count
        ⟨{qcode}[$q] = ⟨1 if $count > 1 else 0|wp.where($count > ⟨0|1⟩, {TOUCH}, {MISS})⟩|if $count > 0:
            wp.atomic_add({hits}, 0, 1)|⟩|{qcode}[$q] = $code⟨ & {layer}|⟩
        ⟨if $code == 0:
            wp.atomic_add({misses}, 0, 1)|⟩⟩
        """,
        threads="q",
        kinds="bvh_query ray_tracing",
    ),
    Idea(
        "light_sum",
        "gather_lights accumulate_influence sphere_influence sum_nearby_items",
        "sum up ⟨1:the influence of|the vectors from|the masses of⟩ the items near each query",
        """
        hook query
        ⟨1:$total = float(0.0)|$fs = wp.vec3()|$total = float(0.0)⟩
        $query = wp.bvh_query_sphere({bvh}, {qc}[$q], ⟨{qr}[$q]|{dmax}⟩⟨|, wp.bvh_get_group_root({bvh}, 0)⟩)
        each candidate:
            hook item
            $delta = {qc}[$q] - {bpos}[$item]
            ⟨1:$total += {bval}[$item] / (1.0 + ⟨wp.dot($delta, $delta)|wp.length_sq($delta)⟩)|$fs += $delta * ({bval}[$item] / (⟨0.1|0.05⟩ + wp.length($delta)))|⟨if {bmask}[$item] & {layer} != 0:
                |⟩$total += {bval}[$item]⟩
        ⟨1:{qsum}[$q] = $total⟨| * {light}⟩|{qvec}[$q] = $fs|{qsum}[$q] = $total⟩
        """,
        threads="q",
        kinds="bvh_query",
    ),
    Idea(
        "capsule_sweep",
        "sweep_capsule capsule_candidates swept_sphere_query thick_ray",
        "count the items that a ball of each query meets ⟨1:on its way|on its way, and mark them⟩",
        """
        hook query
        ⟨2:$step = {qd}[$q] * {tmax}|$step = {qup}[$q] - {qc}[$q]|$step = {qd}[$q]⟩
        $query = wp.bvh_query_capsule({bvh}, {qc}[$q], $step, ⟨{qr}[$q]|{margin}⟩)
        $count = int(0)
        $last = int({NONE})
        each candidate:
            hook item
            $count += 1
            ⟨$last = wp.max($last, $item)|if {bmask}[$item] & {layer} != 0:
                $last = wp.max($last, $item)⟩
            ⟨1:|wp.atomic_add({btouch}, $item, 1)⟩
        {qcount}[$q] = $count
        {qbest}[$q] = $last
        ⟨if $count > 0:
            wp.atomic_add({pairs}, 0, $count)|⟩
        """,
        threads="q",
        kinds="bvh_query",
    ),
    Idea(
        "self_pairs",
        "count_self_overlaps all_pairs_count item_neighbors broad_phase_self",
        "count the items whose boxes meet the box of each item ⟨1:|and have a larger index|and belong to another group⟩",
        """
        $lower = {bpos}[$b] - {bown}[$b]⟨| - wp.vec3({margin})⟩
        $upper = {bpos}[$b] + {bown}[$b]⟨| + wp.vec3({margin})⟩
        $query = wp.bvh_query_aabb({bvh}, $lower, $upper)
        $j = int(0)
        $count = int(0)
        ⟨2:$first = int($b)
        |⟩while wp.bvh_query_next($query, $j):
            if $j ⟨1:== $b|<= $b|== $b or ({bgroup}[$j] == {bgroup}[$b] and {bgroup}[$b] >= 0)⟩:
                continue
            ⟨if {bmask}[$j] & {bmask}[$b] == 0:
                # no common layer
                continue
            |⟩$count += 1
            ⟨2:$first = wp.min($first, $j)|⟩
        {bcount}[$b] = $count
        ⟨2:{bfirst}[$b] = $first
        |⟩⟨if $count > 0:
            wp.atomic_add({pairs}, 0, $count)|⟩
        """,
        threads="b",
        kinds="bvh_query contact",
        integer=True,
    ),
    Idea(
        "voxelize_boxes",
        "rasterize_boxes cell_occupancy occupancy_grid voxelize_items",
        "⟨1:count|mark|collect the layers of⟩ the items in each cell of a map",
        """
        $size = 2.0 / float({w})
        $lower = wp.vec3(-1.0 + $size * float($u), -1.0 + $size * float($c), ⟨-0.5|0.0⟩)
        $upper = $lower + wp.vec3($size, $size, ⟨0.5|1.0⟩)
        $query = wp.bvh_query_aabb({bvh}, $lower, $upper)
        $item = int(0)
        $count = int(0)
        while wp.bvh_query_next($query, $item):
            ⟨1:$count += 1|if {bmask}[$item] & {layer} != 0:
                $count = 1|$count = $count | {bmask}[$item]⟩
        {occ}[$u, $c] = $count
        ⟨if $count > 0:
            wp.atomic_add({hits}, 0, 1)|if $count == 0:
            wp.atomic_add({misses}, 0, 1)|⟩
        """,
        threads="u c",
        kinds="bvh_query multi_dim",
        integer=True,
    ),
    Idea(
        "tri_tri",
        "triangle_intersections intersect_triangles self_intersection tri_tri_test",
        "count the triangles that intersect the triangle of each query, among ⟨1:those in its box|all⟩",
        """
        hook query
        $a = {qc}[$q]
        $b1 = $a + {qu}[$q]
        $c = $a + {qw}[$q]
        $count = int(0)
        ⟨1:$query = wp.bvh_query_aabb({bvh}, wp.min($a, wp.min($b1, $c)), wp.max($a, wp.max($b1, $c)))
        each candidate:
            hook item
            $ta = {bcorner}[$item]
            if wp.intersect_tri_tri($a, $b1, $c, $ta, $ta + {bu}[$item], $ta + {bw}[$item]) != 0:
                $count += 1|for $item in range({b}):
            ⟨if $item == {qid}[$q]:
                continue
            |⟩$ta = {bcorner}[$item]
            $tb = $ta + {bu}[$item]
            if wp.intersect_tri_tri($a, $b1, $c, $ta, $tb, $ta + {bw}[$item]) ⟨> 0|!= 0⟩:
                $count += 1⟩
        {qcount}[$q] = $count
        ⟨if $count > 0:
            wp.atomic_add({hits}, 0, 1)|⟩
        """,
        threads="q",
        kinds="bvh_query contact",
    ),
    Idea(
        "edge_edge",
        "edge_edge_contacts closest_edges edge_proximity segment_distances",
        "sum up ⟨1:the penalty forces|the overlaps⟩ between the edge of each query and the edges near it",
        """
        hook query
        $a = {qc}[$q]
        $c = $a + {qu}[$q]
        ⟨1:$fs = wp.vec3()|$total = float(0.0)⟩
        $query = wp.bvh_query_aabb({bvh}, wp.min($a, $c) - wp.vec3({dmax}), wp.max($a, $c) + wp.vec3({dmax}))
        each candidate:
            $ta = {bcorner}[$item]
            $tb = $ta + {bedge}[$item]
            # parameters of both edges and the distance
            $st = wp.closest_point_edge_edge($a, $c, $ta, $tb, 1.0e-5)
            if $st[2] < {dmax}:
                ⟨1:$delta = wp.lerp($a, $c, $st[0]) - wp.lerp($ta, $tb, $st[1])
                $fs += $delta * (⟨{ke}|{ke} * {bval}[$item]⟩ * ({dmax} - $st[2]) / (⟨0.05|0.02⟩ + $st[2]))|$total += {dmax} - $st[2]⟩
        ⟨1:{qvec}[$q] = $fs|{qsum}[$q] = $total⟨|
        if $total > 0.0:
            wp.atomic_add({hits}, 0, 1)⟩⟩
        """,
        threads="q",
        kinds="bvh_query contact",
        forward_only=True,
    ),
    Idea(
        "group_root",
        "query_group_boxes group_overlaps root_query count_in_group",
        "count the items of the first group that ⟨1:meet the box|lie within the radius⟩ of each query",
        """
        hook query
        $start = wp.bvh_get_group_root({bvh}, 0)
        ⟨1:$query = wp.bvh_query_aabb({bvh}, {qlo}[$q], {qup}[$q], $start)|$query = wp.bvh_query_sphere({bvh}, {qc}[$q], {qr}[$q], $start)⟩
        $count = int(0)
        each candidate:
            ⟨$count += 1|$count += 1
            wp.atomic_add({btouch}, $item, 1)|if {bmask}[$item] & {layer} != 0:
                $count += 1⟩
        {qcount}[$q] = ⟨$count|wp.min($count, {most})⟩
        ⟨if $count == 0:
            wp.atomic_add({misses}, 0, 1)|⟩
        """,
        threads="q",
        kinds="bvh_query",
        integer=True,
    ),
)
