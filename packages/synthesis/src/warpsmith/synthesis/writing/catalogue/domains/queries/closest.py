"""Ideas of the domain `queries`: closest points of meshes, signs, contact, interpolation, triangles in boxes and balls."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

CLOSEST = (
    Idea(
        "signed_distance",
        "mesh_signed_distance query_sdf sample_mesh_sdf compute_distances",
        "compute the signed distance of each point from a mesh ⟨1:|and its side|and the closest triangle⟩",
        """
        hook point
        $query = wp.mesh_query_point⟨2:|_sign_normal|_sign_winding_number|_sign_parity⟩({mesh}, $x, ⟨{dmax}|{dmax}|0.5⟩)
        ⟨3:if $query.result:
            $cp = wp.mesh_eval_position({mesh}, $query.face, $query.u, $query.v)
            {dist}[$i] = $query.sign * wp.length($x - $cp)
            ⟨1:|{flag}[$i] = ⟨1 if $query.sign < 0.0 else 0|wp.where($query.sign < 0.0, 1, -1)⟩|{face_out}[$i] = $query.face⟩
        else:
            # nothing within reach
            {dist}[$i] = ⟨{dmax}|{FAR}⟩
            ⟨1:|{flag}[$i] = {MISS}|{face_out}[$i] = {NONE}⟩|$d = ⟨{dmax}|float(1.0e3)⟩
        if $query.result:
            $cp = wp.mesh_eval_position({mesh}, $query.face, $query.u, $query.v)
            ⟨$d = wp.length($x - $cp) * $query.sign|$d = $query.sign * wp.length($cp - $x) - {pr}[$i]⟩
            ⟨1:|{flag}[$i] = int($query.sign)|{face_out}[$i] = $query.face⟩
        {dist}[$i] = $d
        hook found
        |if not $query.result:
            {dist}[$i] = ⟨{FAR}|{dmax}⟩
            ⟨1:|{flag}[$i] = {MISS}|{face_out}[$i] = -1⟩
            return
        $cp = wp.mesh_eval_position({mesh}, $query.face, $query.u, $query.v)
        $delta = $x - $cp
        {dist}[$i] = wp.length($delta) * $query.sign
        ⟨1:|{flag}[$i] = ⟨2 if $query.sign < 0.0 else 1|wp.where($query.sign > 0.0, 1, 2)⟩|{face_out}[$i] = $query.face⟩⟩
        """,
        kinds="mesh_query signed_distance",
        docs="The sign is negative inside of the mesh",
    ),
    Idea(
        "snap_points",
        "project_to_mesh snap_to_surface closest_points project_points",
        "move each point to the closest point of a mesh ⟨1:|if it is near enough|along a part of the way⟩",
        """
        hook point
        $query = wp.mesh_query_point_no_sign({mesh}, $x, {dmax})
        ⟨2:if $query.result:
            $cp = wp.mesh_eval_position({mesh}, $query.face, $query.u, $query.v)
            ⟨1:{pos}[$i] = $cp|if wp.length($cp - $x) < {margin}:
                {pos}[$i] = $cp
                {face_out}[$i] = $query.face
            else:
                {pos}[$i] = $x
                {face_out}[$i] = {NONE}|{pos}[$i] = ⟨wp.lerp($x, $cp, ⟨0.5|0.25⟩)|$x + ($cp - $x) * 0.5⟩⟩
        else:
            {pos}[$i] = $x⟨|
            wp.atomic_add({misses}, 0, 1)⟩|$target = $x
        if $query.result:
            $target = wp.mesh_eval_position({mesh}, $query.face, $query.u, $query.v)
            ⟨⟨# lift it off the surface
            |⟩$target += wp.mesh_eval_face_normal({mesh}, $query.face) * ⟨{eps}|{pr}[$i]⟩|⟩
        ⟨1:{pos}[$i] = $target|if wp.length($target - $x) < {margin}:
            {pos}[$i] = $target
        else:
            {pos}[$i] = $x|{pos}[$i] = 0.5 * ($target + $x)⟩⟩
        hook found
        """,
        kinds="mesh_query",
    ),
    Idea(
        "mesh_contact",
        "particle_mesh_contact eval_mesh_contacts collide_mesh soft_contacts",
        "add the contact force of a mesh to each point ⟨1:without friction|with damping|with damping and friction⟩",
        """
        hook point
        $query = wp.mesh_query_point⟨2:_no_sign|_sign_normal|⟩({mesh}, $x, {dmax})
        if not $query.result:
            return

        $cp = wp.mesh_eval_position({mesh}, $query.face, $query.u, $query.v)
        $delta = $x - $cp
        $d = wp.length($delta)⟨2:| * $query.sign| * $query.sign⟩
        # negative where the surfaces overlap
        $gap = $d - ⟨{pr}[$i]|{margin}|({pr}[$i] + {margin})⟩
        if $gap < 0.0⟨| and {pmask}[$i] & {FIXED} == 0⟩:
            $n = ⟨wp.normalize($delta)⟨2:| * $query.sign| * $query.sign⟩|wp.mesh_eval_face_normal({mesh}, $query.face)⟩
            $f = $n * (-{ke} * $gap)
            ⟨1:|# velocity relative to the surface
            $vrel = {pv}[$i] - wp.mesh_eval_velocity({mesh}, $query.face, $query.u, $query.v)
            $vn = wp.dot($vrel, $n)
            $f -= $n * ({kd} * ⟨$vn|wp.min($vn, 0.0)⟩)|$vrel = {pv}[$i] - wp.mesh_eval_velocity({mesh}, $query.face, $query.u, $query.v)
            $vn = wp.dot($vrel, $n)
            $vt = $vrel - $n * $vn
            $f -= $n * ({kd} * $vn)
            $f -= $vt * (⟨{mu}|{fcost}[$query.face]⟩ * {ke} * -$gap / (wp.length($vt) + 0.1))⟩
            ⟨wp.atomic_add({force}, $i, $f)|{force}[$i] += $f⟩
            ⟨wp.atomic_add({hits}, 0, 1)|{flag}[$i] = {TOUCH}
            {nrm}[$i] = $n|⟩
        """,
        kinds="mesh_query contact",
    ),
    Idea(
        "interpolate_attributes",
        "sample_vertex_values transfer_attributes interpolate_on_mesh barycentric_transfer",
        "interpolate ⟨1:a value|a vector⟩ of the vertices at the closest point of a mesh",
        """
        hook point
        $query = wp.mesh_query_point_no_sign({mesh}, $x, ⟨{dmax}|{dmax}|0.4⟩)
        if $query.result:
            $face = $query.face
            $w = 1.0 - $query.u - $query.v
            ⟨3:$v0 = wp.mesh_get_index({mesh}, $face * 3)
            $v1 = wp.mesh_get_index({mesh}, $face * 3 + 1)
            $v2 = wp.mesh_get_index({mesh}, $face * 3 + 2)|$v0 = {tri}[$face * 3 + 0]
            $v1 = {tri}[$face * 3 + 1]
            $v2 = {tri}[$face * 3 + 2]⟩
            ⟨1:{attr}[$i] = {vattr}[$v0] * $query.u + {vattr}[$v1] * $query.v + {vattr}[$v2] * $w|{attr3}[$i] = $query.u * {vcol}[$v0] + $query.v * {vcol}[$v1] + $w * {vcol}[$v2]⟩
            ⟨{face_out}[$i] = $face|{flag}[$i] = {fmat}[$face]|⟩
        ⟨else:
            ⟨1:{attr}[$i] = ⟨-1.0|0.0⟩|{attr3}[$i] = wp.vec3(⟨0.0|0.5⟩)⟩
        |⟩hook found
        """,
        kinds="mesh_query gather_scatter",
    ),
    Idea(
        "classify_points",
        "classify_points point_states inside_outside label_points",
        "classify each point as inside, touching, near or free",
        """
        $query = wp.mesh_query_point_sign_normal({mesh}, {pt}[$i], {dmax})
        if not $query.result:
            {flag}[$i] = ⟨{MISS}|{NONE}⟩
            return

        $cp = wp.mesh_eval_position({mesh}, $query.face, $query.u, $query.v)
        $d = wp.length({pt}[$i] - $cp)⟨ - {pr}[$i]|⟩
        if $query.sign < 0.0⟨ and $d > 0.05|⟩:
            ⟨# below the surface
            |⟩{flag}[$i] = 3
            wp.atomic_add({fhit}, $query.face, 1)
        elif $d < {margin}:
            {flag}[$i] = {TOUCH}
            ⟨wp.atomic_add({fhit}, $query.face, 1)|⟩
        ⟨4:elif $d < ⟨1.5|2.0⟩ * {margin}:
            {flag}[$i] = {NEAR}
        |⟩else:
            {flag}[$i] = ⟨4:{MISS}|{NEAR}⟩
        """,
        kinds="mesh_query early_exit",
    ),
    Idea(
        "count_in_box",
        "count_triangles_in_box query_face_boxes aabb_overlaps mesh_overlap_counts",
        "count the triangles ⟨1:|of the wanted material⟩ whose boxes meet the box around each point",
        """
        hook mask
        ⟨2:$lower = {pt}[$i] - wp.vec3({pr}[$i])
        $upper = {pt}[$i] + wp.vec3({pr}[$i])|$size = wp.vec3({margin}, {margin}, {margin})
        $lower = {pt}[$i] - $size
        $upper = {pt}[$i] + $size|# box of the motion in this step
        $lower = wp.min({pt}[$i], {pgoal}[$i])⟨ - wp.vec3({margin})|⟩
        $upper = wp.max({pt}[$i], {pgoal}[$i])⟨ + wp.vec3({margin})|⟩⟩
        $count = int(0)
        ⟨3:$face = int(0)
        $query = wp.mesh_query_aabb({mesh}, $lower, $upper)
        while wp.mesh_query_aabb_next($query, $face):
            |for $face in wp.mesh_query_aabb({mesh}, $lower, $upper):
            |$query = wp.mesh_query_aabb({mesh}, $lower, $upper)
        for $face in $query:
            ⟩⟨1:$count += 1|if {fmat}[$face] == {which}:
                $count += 1⟩
        {number_out}[$i] = $count
        ⟨if $count == 0:
            wp.atomic_add({misses}, 0, 1)|{flag}[$i] = wp.min($count, ⟨3|4⟩)|⟩
        """,
        kinds="mesh_query while_loop",
        integer=True,
    ),
    Idea(
        "faces_in_ball",
        "gather_faces_in_sphere nearby_triangles ball_query_mesh sum_face_values",
        "⟨1:sum up the values of|count and mark|count and find the first of⟩ the triangles within a ball around each point",
        """
        hook mask
        $query = wp.mesh_query_sphere({mesh}, {pt}[$i], ⟨{pr}[$i]|{margin}|{dmax}⟩)
        $face = int(0)
        ⟨1:$total = float(0.0)
        while wp.mesh_query_next($query, $face):
            ⟨if {fmat}[$face] == ⟨0|{which}⟩:
                continue
            |⟩$total += {fcost}[$face]
        {attr}[$i] = $total|$count = int(0)
        while wp.mesh_query_next($query, $face):
            $count += 1
            wp.atomic_add({fhit}, $face, 1)
        {number_out}[$i] = $count|$first = int(⟨1 << 20|9999⟩)
        $count = int(0)
        while wp.mesh_query_next($query, $face):
            $first = wp.min($first, $face)
            $count += 1
        if $count == 0:
            $first = {NONE}
        {face_out}[$i] = $first
        {number_out}[$i] = $count⟩
        """,
        kinds="mesh_query while_loop",
    ),
    Idea(
        "mesh_tree",
        "query_mesh_bvh traverse_mesh_tree face_boxes_near bvh_of_mesh",
        "count the boxes of a mesh's hierarchy that ⟨1:meet a box around each point|a ray from each point meets⟩",
        """
        hook mask
        $tree = wp.mesh_get_bvh({mesh})
        ⟨2:$start = wp.mesh_get_group_root({mesh}, 0)
        |⟩⟨1:$query = wp.bvh_query_aabb($tree, {pt}[$i] - wp.vec3(⟨3:{margin}|{pr}[$i]⟩), {pt}[$i] + wp.vec3(⟨3:{margin}|{pr}[$i]⟩)⟨2:, $start|⟩)|$query = wp.bvh_query_ray($tree, {pt}[$i] + wp.vec3(0.0, 0.0, 1.0), wp.vec3(0.0, 0.0, -1.0)⟨2:, $start|⟩)⟩
        $face = int(0)
        $count = int(0)
        while wp.bvh_query_next($query, $face):
            ⟨4:$count += 1|if {fmat}[$face] == {which}:
                $count += 1⟩
        {number_out}[$i] = $count
        ⟨{flag}[$i] = wp.where($count > ⟨0|2⟩, {TOUCH}, {MISS})|⟩
        """,
        kinds="mesh_query while_loop",
        integer=True,
    ),
    Idea(
        "farthest_point",
        "farthest_mesh_point mesh_extent_from furthest_vertex bounding_radius",
        "compute ⟨1:the distance from each point to the farthest vertex of a mesh|the farthest vertex of a mesh for each point⟩",
        """
        hook point
        $query = wp.mesh_query_furthest_point_no_sign({mesh}, $x, {fmin})
        if $query.result:
            $cp = wp.mesh_eval_position({mesh}, $query.face, $query.u, $query.v)
            ⟨1:{dist}[$i] = wp.length($cp - $x)⟨| + {pr}[$i]⟩|{pos}[$i] = $cp
            ⟨{nrm}[$i] = wp.normalize($cp - $x)|⟩⟩
        """,
        kinds="mesh_query",
        forward_only=True,
    ),
)
