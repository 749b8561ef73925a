"""Ideas of the domain `rendering`: rays against spheres, planes, boxes, triangles, lists of objects, trees."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

INTERSECTIONS = (
    Idea(
        "closest_shape",
        "trace_rays intersect_scene closest_hit find_nearest_hit",
        "find the nearest ⟨1:sphere|object of three types|box⟩ that each ray hits⟨2:| and its normal| and count the hits⟩",
        """
        hook ray
        $best_t = float({far})
        $best_id = int({NO_HIT})
        for $k in range({COUNT}):
            ⟨1:$t = @hit_sphere($o, $d, {center}[$k], {radius}[$k])|$shape = {kind}[$k]
            $t = float(-1.0)
            if $shape == {SPHERE}:
                $t = @hit_sphere($o, $d, {center}[$k], {radius}[$k])
            elif $shape == {BOX}:
                $t = @hit_box($o, $d, {center}[$k] - {extent}[$k], {center}[$k] + {extent}[$k])
            ⟨elif $shape == {PLANE}|else⟩:
                $t = @hit_plane($o, $d, {center}[$k], {up}[$k])|$t = @hit_box($o, $d, {center}[$k] - {extent}[$k], {center}[$k] + {extent}[$k])⟩
            ⟨if $t > {near} and $t < $best_t:|if $t > 0.0 and $t < $best_t:⟩
                $best_t = $t
                $best_id = $k

        ⟨# rays without a hit
        |⟩if $best_id ⟨< 0|== {NO_HIT}⟩:
            {out_t}[$i] = -1.0
            {out_id}[$i] = {NO_HIT}⟨2:|
            {out_n}[$i] = wp.vec3(0.0, 0.0, 0.0)|⟩
        else:
            {out_t}[$i] = $best_t
            {out_id}[$i] = $best_id
            ⟨2:|⟨1:{out_n}[$i] = wp.normalize($o + $d * $best_t - {center}[$best_id])|if {kind}[$best_id] == {SPHERE}:
                {out_n}[$i] = wp.normalize($o + $d * $best_t - {center}[$best_id])
            else:
                {out_n}[$i] = {up}[$best_id]|# the largest component shows the side of the box
            $local = wp.cw_div($o + $d * $best_t - {center}[$best_id], {extent}[$best_id])
            if wp.abs($local[0]) > wp.max(wp.abs($local[1]), wp.abs($local[2])):
                {out_n}[$i] = wp.vec3(wp.sign($local[0]), 0.0, 0.0)
            elif wp.abs($local[1]) > wp.abs($local[2]):
                {out_n}[$i] = wp.vec3(0.0, wp.sign($local[1]), 0.0)
            else:
                {out_n}[$i] = wp.vec3(0.0, 0.0, wp.sign($local[2]))⟩|wp.atomic_add({counter}, 0, 1)⟩
        hook hit_end
        """,
        kinds="control_flow multi_conditional combined ray_tracing helper_functions",
        docs="Distances of objects behind the ray are negative",
    ),
    Idea(
        "count_spheres",
        "count_hits all_hits overlap_count count_crossed_spheres",
        "⟨1:count the spheres that each ray crosses|store the first sphere of the list that each ray hits|test whether each ray hits any sphere⟩",
        """
        hook ray
        ⟨1:$hits = int(0)|$found = int({NO_HIT})|{out_flag}[$i] = 0⟩
        for $k in range({objects}):
            ⟨if {obj_group}[$k] & {ray_mask}[$i] == 0:
                # the ray ignores this group
                continue
            |⟩$oc = {obj_pos}[$k] - $o
            $along = wp.dot($oc, $d)
            ⟨if $along < 0.0:
                continue
            |⟩$miss = wp.dot($oc, $oc) - $along * $along
            if $miss < {obj_rad}[$k] * {obj_rad}[$k]:
                ⟨1:$hits += 1|if $found ⟨< 0|== {NO_HIT}⟩:
                    $found = $k|{out_flag}[$i] = 1
                    wp.atomic_add({counter}, 0, 1)
                    return⟩
        ⟨1:{out_count}[$i] = $hits
        ⟨if $hits > 0:
            wp.atomic_add({stats}, 3, 1)|⟩|{out_id}[$i] = $found
        ⟨if $found != {NO_HIT}:
            {out_state}[$i] = {R_TRACED}
        else:
            {out_state}[$i] = {R_DONE}|⟩|⟨|{out_state}[$i] = {R_DONE}⟩⟩
        """,
        kinds="control_flow multi_conditional combined ray_tracing",
    ),
    Idea(
        "triangles",
        "intersect_triangles trace_mesh ray_mesh_hits moller_trumbore",
        "test each ray against all triangles and ⟨1:count the hits|store the last triangle that it hits|count hits of either side⟩",
        """
        hook ray
        ⟨1:$hits = int(0)|$found = int({NO_HIT})|$fronts = int(0)
        $backs = int(0)⟩
        for $k in range({tris}):
            $p0 = {vertices}[{faces}[$k, 0]]
            $e1 = {vertices}[{faces}[$k, 1]] - $p0
            $e2 = {vertices}[{faces}[$k, 2]] - $p0
            $h = wp.cross($d, $e2)
            $det = wp.dot($e1, $h)
            if ⟨wp.abs($det) < 1.0e-3|$det < 1.0e-3 and $det > -1.0e-3⟩:
                # parallel or degenerate
                continue
            $to_o = $o - $p0
            $bu = wp.dot($to_o, $h) / $det
            ⟨if $bu < 0.0 or $bu > 1.0:
                continue
            |⟩$bv = wp.dot($d, wp.cross($to_o, $e1)) / $det
            if ⟨$bu >= 0.0 and $bv >= 0.0 and $bu + $bv <= 1.0|wp.min($bu, $bv) >= 0.0 and $bu + $bv <= 1.0⟩:
                $t = wp.dot($e2, wp.cross($to_o, $e1)) / $det
                if $t > {EPS}⟨| and $t < {tmax}[$i]⟩:
                    ⟨1:$hits += 1|$found = $k|if $det > 0.0:
                        $fronts += 1
                    else:
                        $backs += 1⟩
        ⟨1:{out_count}[$i] = $hits
        ⟨|# an odd number of crossings: the origin lies inside
        {out_flag}[$i] = $hits % 2⟩|{out_id}[$i] = $found
        ⟨|if $found >= 0:
            wp.atomic_add({counter}, 0, 1)⟩|{out_count}[$i] = $fronts + $backs
        {out_flag}[$i] = ⟨wp.where($backs > $fronts, 1, 0)|1 if $backs > $fronts else 0⟩⟩
        """,
        kinds="control_flow multi_conditional combined ray_tracing",
        docs="Moeller-Trumbore test: barycentric coordinates and the distance from one determinant",
    ),
    Idea(
        "barycentric",
        "interpolate_hits shade_triangles hit_attributes barycentric_position",
        "compute ⟨1:the position|the geometric normal|the position and the area⟩ at barycentric coordinates of the triangle of each hit",
        """
        hook ray
        $tri = {hit_id}[$i]
        if $tri ⟨< 0|== {NO_HIT}⟩:
            ⟨{out_flag}[$i] = 0
            |⟩return
        $ia = {faces}[$tri, 0]
        $ib = {faces}[$tri, 1]
        $ic = {faces}[$tri, 2]
        $e1 = {vertices}[$ib] - {vertices}[$ia]
        $e2 = {vertices}[$ic] - {vertices}[$ia]
        ⟨1:$bu = {jitter}[$i][0]
        $bv = {jitter}[$i][1] * (1.0 - $bu)
        {out_o}[$i] = {vertices}[$ia] + $e1 * $bu + $e2 * $bv|$raw = wp.cross($e1, $e2)
        $flip = ⟨1.0 if wp.dot($raw, $d) < 0.0 else -1.0|1.0⟩
        {out_n}[$i] = $raw * ($flip / wp.sqrt(wp.dot($raw, $raw) + 1.0e-3))|$raw = wp.cross($e1, $e2)
        {out_f}[$i] = 0.5 * wp.sqrt(wp.dot($raw, $raw) + 1.0e-3)
        {out_o}[$i] = {vertices}[$ia] + ($e1 + $e2) ⟨/ 3.0|* (0.5 * {jitter}[$i][0])⟩⟩
        ⟨|{out_id}[$i] = $tri|if $ia == $ib or $ib == $ic:
            # degenerate triangle
            wp.atomic_add({stats}, 4, 1)⟩
        """,
        kinds="vector ray_tracing",
    ),
    Idea(
        "shadow",
        "trace_shadow_rays shadow_test occlusion_test any_hit",
        "test whether ⟨1:spheres|boxes and spheres⟩ block the way to the light at each hit",
        """
        hook ray
        ⟨if {hit_id}[$i] < 0:
            return
        |if wp.dot($n, $l) < 0.0:
            # the surface faces away
            {out_flag}[$i] = 1
            return
        |⟩$start_p = $p + $n * {EPS}
        ⟨2:$blocked = int(0)
        for $k in range({COUNT}):
            if $k != {hit_id}[$i]:
                ⟨1:$t = @hit_sphere($start_p, $l, {center}[$k], {radius}[$k])|$t = @hit_box($start_p, $l, {center}[$k] - {extent}[$k], {center}[$k] + {extent}[$k])
                if {kind}[$k] == {SPHERE}:
                    $t = @hit_sphere($start_p, $l, {center}[$k], {radius}[$k])⟩
                if $t > 0.0⟨| and $t < {tmax}[$i]⟩:
                    $blocked += 1
        {out_flag}[$i] = ⟨wp.min($blocked, 1)|1 if $blocked > 0 else 0⟩
        ⟨|if $blocked == 0:
            # lit
            wp.atomic_add({counter}, 0, 1)
            {out_state}[$i] = {R_TRACED}
        else:
            {out_state}[$i] = {R_DONE}⟩|for $k in range({COUNT}):
            ⟨1:$t = @hit_sphere($start_p, $l, {center}[$k], {radius}[$k])|if {kind}[$k] == {PLANE}:
                continue
            $t = @hit_box($start_p, $l, {center}[$k] - {extent}[$k], {center}[$k] + {extent}[$k])
            if {kind}[$k] == {SPHERE}:
                $t = @hit_sphere($start_p, $l, {center}[$k], {radius}[$k])⟩
            if $t > {EPS} and $t < {tmax}[$i]:
                # one blocker is enough
                {out_flag}[$i] = 1
                ⟨{out_id}[$i] = $k
                |⟩return
        {out_flag}[$i] = 0
        ⟨|wp.atomic_add({counter}, 0, 1)⟩⟩
        """,
        kinds="control_flow multi_conditional combined ray_tracing early_exit",
    ),
    Idea(
        "tree_walk",
        "traverse_bvh walk_tree bvh_any_hit stackless_traversal",
        "walk a tree of boxes without a stack and ⟨1:count the leaves|store the last leaf|stop at the first leaf⟩ that each ray may hit",
        """
        hook ray
        $node = int(0)
        $visits = int(0)
        ⟨1:$hits = int(0)|$found = int({NO_HIT})|$found = int({NO_HIT})⟩
        while $node < {nodes}⟨1:|| and $found < 0⟩:
            $visits += 1
            $t = @hit_box($o, $d, {node_lo}[$node], {node_hi}[$node])
            if $t ⟨< 0.0|< 0.0 or $t > {tmax}[$i]⟩:
                # jump over the subtree
                $node += {skip}[$node]
            else:
                $item = {leaf}[$node]
                if $item ⟨>= 0|!= {NO_HIT}⟩:
                    ⟨1:$hits += 1|$found = $item|$found = $item⟩
                $node += 1
        ⟨1:{out_count}[$i] = $hits|{out_id}[$i] = $found|{out_id}[$i] = $found⟩
        ⟨wp.atomic_max({stats}, 5, $visits)|wp.atomic_add({stats}, 6, $visits)⟩
        ⟨1:|⟨|{out_count}[$i] = $visits⟩|⟨|{out_count}[$i] = $visits⟩⟩
        """,
        kinds="control_flow ray_tracing while_loop early_exit combined",
        docs="Nodes are stored in depth-first order; each node contains the size of its subtree",
        forward_only=True,
    ),
)
