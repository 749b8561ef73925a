"""Ideas of the domain `contacts`: boxes around shapes, pair filters and the broad phase."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

BROAD_PHASE = (
    Idea(
        "update_aabbs",
        "compute_shape_aabbs update_aabbs compute_bounds geom_aabb",
        "compute the box around each shape in the world",
        """
        hook shape
        $x = wp.transform_get_translation($X)
        $q = wp.transform_get_rotation($X)
        ⟨$h = wp.vec3($ext[0], $ext[0], $ext[0])|# the sphere around any other shape
        $h = wp.vec3(wp.length($ext))⟩
        if {gtype}[$g] == {CAPSULE}:
            # the segment between the two caps
            $s = wp.quat_rotate($q, wp.vec3(0.0, ⟨$ext[1], 0.0|0.0, $ext[1]⟩))
            $h = wp.vec3(wp.abs($s[0]) + $ext[0], wp.abs($s[1]) + $ext[0], wp.abs($s[2]) + $ext[0])
        ⟨6:elif {gtype}[$g] == {BOX}:
            $R = wp.quat_to_matrix($q)
            $hx = wp.abs($R[0, 0]) * $ext[0] + wp.abs($R[0, 1]) * $ext[1] + wp.abs($R[0, 2]) * $ext[2]
            $hy = wp.abs($R[1, 0]) * $ext[0] + wp.abs($R[1, 1]) * $ext[1] + wp.abs($R[1, 2]) * $ext[2]
            $hz = wp.abs($R[2, 0]) * $ext[0] + wp.abs($R[2, 1]) * $ext[1] + wp.abs($R[2, 2]) * $ext[2]
            $h = wp.vec3($hx, $hy, $hz)
        |elif {gtype}[$g] == {BOX} or {gtype}[$g] == {MESH}:
            # bounding sphere of the box
            $rad = wp.length($ext)
            $h = wp.vec3($rad, $rad, $rad)
        |elif {gtype}[$g] == {BOX}:
            $ex = wp.quat_rotate($q, wp.vec3($ext[0], 0.0, 0.0))
            $ey = wp.quat_rotate($q, wp.vec3(0.0, $ext[1], 0.0))
            $ez = wp.quat_rotate($q, wp.vec3(0.0, 0.0, $ext[2]))
            $h = wp.abs($ex) + wp.abs($ey) + wp.abs($ez)
        ⟩elif {gtype}[$g] == {PLANE}:
            ⟨# planes have no bounds
            $h = wp.vec3(1.0e3, 1.0e3, 1.0e3)
            |# a large thin slab
            $h = wp.vec3(100.0, 100.0, 0.1)⟩
        ⟨6:⟨elif {gtype}[$g] == {SPHERE}:
            $h = wp.vec3($ext[0], $ext[0], $ext[0])
        |⟩||⟨elif {gtype}[$g] == {MESH}:
            # bounding sphere of the mesh
            $h = wp.vec3(wp.length($ext))
        |⟩⟩
        ⟨$grow = wp.vec3({margin}[$g], {margin}[$g], {margin}[$g])|$grow = wp.vec3({margin}[$g] + {pad}, {margin}[$g] + {pad}, {margin}[$g] + {pad})|$grow = wp.vec3({pad}, {pad}, {pad})⟩
        {lower_out}[$g] = $x - $h - $grow
        {upper_out}[$g] = $x + $h + $grow
        """,
        threads="g",
        kinds="multi_conditional combined contact transform quaternion",
    ),
    Idea(
        "shape_poses",
        "update_shape_poses transform_shapes compute_geom_poses shapes_to_world",
        "compute the pose of each shape in the world from its body's",
        """
        hook shape
        $body = {gbody}[$g]
        ⟨if $body < 0:
            # static shapes keep their local pose
            {X_ws_out}[$g] = {X_bs}[$g]
            return
        $X_wb = {body_q}[$body]
        |$X_wb = wp.transform_identity()
        if $body >= 0:
            $X_wb = {body_q}[$body]
        |if $body == -1:
            return
        if {awake}[$body] == 0:
            {X_ws_out}[$g] = {X_ws}[$g]
            return
        $X_wb = {body_q}[$body]
        ⟩⟨{X_ws_out}[$g] = $X_wb * {X_bs}[$g]
        |{X_ws_out}[$g] = wp.transform_multiply($X_wb, {X_bs}[$g])
        |$x = wp.transform_point($X_wb, wp.transform_get_translation({X_bs}[$g]))
        $q = wp.transform_get_rotation($X_wb) * wp.transform_get_rotation({X_bs}[$g])
        {X_ws_out}[$g] = wp.transform($x, wp.normalize($q))⟩
        """,
        threads="g",
        kinds="control_flow contact transform quaternion early_exit gather_scatter",
    ),
    Idea(
        "support_points",
        "support_points eval_support shape_support_map compute_support",
        "find the support point of each shape along a direction",
        """
        hook shape
        ⟨$dl = wp.quat_rotate_inv(wp.transform_get_rotation($X), {dir}[$g])|$dl = wp.transform_vector(wp.transform_inverse($X), {dir}[$g])⟩
        $s = ⟨wp.vec3(0.0, 0.0, 0.0)|$dl * {pad}⟩
        if {gtype}[$g] == {SPHERE}:
            $s = $dl * $ext[0]
        elif {gtype}[$g] == {BOX}:
            ⟨$s = wp.vec3(wp.sign($dl[0]) * $ext[0], wp.sign($dl[1]) * $ext[1], wp.sign($dl[2]) * $ext[2])
            |$sx = $ext[0] if $dl[0] >= 0.0 else -$ext[0]
            $sy = $ext[1] if $dl[1] >= 0.0 else -$ext[1]
            $sz = $ext[2] if $dl[2] >= 0.0 else -$ext[2]
            $s = wp.vec3($sx, $sy, $sz)⟩
        elif {gtype}[$g] == {CAPSULE}:
            # sphere around one end of the segment
            ⟨if $dl[⟨5:1|2⟩] > 0.0:
                $s = ⟨5:wp.vec3(0.0, $ext[1], 0.0)|wp.vec3(0.0, 0.0, $ext[1])⟩ + $dl * $ext[0]
            else:
                $s = ⟨5:wp.vec3(0.0, -$ext[1], 0.0)|wp.vec3(0.0, 0.0, -$ext[1])⟩ + $dl * $ext[0]
            |$s = wp.vec3(0.0, wp.sign($dl[1]) * $ext[1], 0.0) + $dl * $ext[0]⟩
        ⟨elif {gtype}[$g] == {PLANE}:
            $s = $dl - wp.vec3(0.0, 0.0, $dl[2])
        |⟩
        ⟨if {gflags}[$g] & {SENSOR} == 0:
            # inflate by the margin
            $s += $dl * {margin}[$g]
        |$s += $dl * {margin}[$g]
        |⟩{support}[$g] = wp.transform_point($X, $s)
        """,
        threads="g",
        kinds="multi_conditional combined contact transform quaternion",
        docs="Evaluate the support mapping: the farthest point of each shape in the given direction",
    ),
    Idea(
        "filter_pairs",
        "filter_pairs broad_phase_pairs test_explicit_pairs nxn_broadphase",
        "mark the pairs of shapes that may collide⟨1: and give them a sort key||⟩",
        """
        ⟨if {pmode}[$p] == 0:
            # switched off by the user
            {hit}[$p] = 0
            return
        |⟩⟨if $ga == $gb:
            return
        |if {gbody}[$ga] == {gbody}[$gb]:
            # shapes of one body do not collide
            {hit}[$p] = 0
            ⟨1:{pair_key}[$p] = -1
            ||⟩return
        |if $ga == $gb or ({gtype}[$ga] == {PLANE} and {gtype}[$gb] == {PLANE}):
            {hit}[$p] = 0
            return
        ⟩$ok = int(1)
        ⟨if not @groups_collide({group}[$ga], {group}[$gb]):
            $ok = 0
        |if not @masks_collide({contype}[$ga], {affinity}[$ga], {contype}[$gb], {affinity}[$gb]):
            $ok = 0
        |if ({contype}[$ga] & {affinity}[$gb]) == 0 and ({contype}[$gb] & {affinity}[$ga]) == 0:
            $ok = 0
        |if {group}[$ga] != {group}[$gb] and {group}[$ga] >= 0 and {group}[$gb] >= 0:
            $ok = 0⟩
        ⟨elif ({gflags}[$ga] & {gflags}[$gb] & {COLLIDE}) == 0:
            $ok = 0
        |elif {gtype}[$ga] >= {BOX} and {gtype}[$gb] == {MESH}:
            # handled by the mesh pipeline
            $ok = 0
        |⟩
        $code = @pair_code($ga, $gb, {ng})
        ⟨if $ok == 1 and @is_excluded({filter}, {nx}, $code):
            $ok = 0
        |⟩{hit}[$p] = $ok
        ⟨1:{pair_key}[$p] = $code if $ok == 1 else -1
        |⟨if $ok != 0:
            wp.atomic_add({total}, 0, 1)
        |⟩|if $ok == 1:
            wp.atomic_add({hits}, $ga, 1)
            wp.atomic_add({hits}, $gb, 1)
            {pair_key}[$p] = @hash($code)
        else:
            {pair_key}[$p] = -1⟩
        """,
        threads="p",
        kinds="control_flow multi_conditional contact early_exit helper_functions integer_bits",
        integer=True,
    ),
    Idea(
        "all_pairs",
        "broad_phase_all_pairs nxn_candidates count_overlapping_pairs all_pairs_overlap",
        "test all pairs of shapes for overlapping boxes⟨1: and count the candidates of each shape||⟩",
        """
        ⟨if $g2 <= $g:
            return
        |if $g >= $g2:
            # each pair once
            return
        ⟩⟨if {gbody}[$g] == {gbody}[$g2]:
            return

        |if ({contype}[$g] & {affinity}[$g2]) == 0 and ({contype}[$g2] & {affinity}[$g]) == 0:
            return

        |if not @groups_collide({group}[$g], {group}[$g2]):
            return

        |⟩⟨if not @aabb_overlap({lower}[$g], {upper}[$g], {lower}[$g2], {upper}[$g2]):
            return
        |$near = @aabb_overlap({lower}[$g], {upper}[$g], {lower}[$g2], {upper}[$g2])
        if {gtype}[$g] == {PLANE} or {gtype}[$g2] == {PLANE}:
            # planes are not bounded
            $near = True
        if not $near:
            return
        |$lo_a = {lower}[$g]
        $hi_b = {upper}[$g2]
        for $k in range(3):
            if $lo_a[$k] > $hi_b[$k]:
                return
            if {lower}[$g2][$k] > {upper}[$g][$k]:
                return
        ⟩{overlaps}[$g, $g2] = 1
        ⟨1:wp.atomic_add({hits}, $g, 1)
        wp.atomic_add({hits}, $g2, 1)
        |wp.atomic_add({total}, 0, 1)
        |⟩
        """,
        threads="g g2",
        kinds="control_flow multi_conditional contact multi_dim early_exit helper_functions",
        forward_only=True,
    ),
)
