"""Ideas of the domain `geometry`: signed distances of shapes."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

SHAPES = (
    Idea(
        "point_shape",
        "eval_shape_distances point_shape_sdf query_sdf shape_distances",
        "compute the signed distance of each point to each shape",
        """
        ⟨if {sflag}[$s] & {ENABLED} == 0:
            return
        |if not {alive}[$i]:
            return
        |⟩⟨$body = {sbody}[$s]
        $pos = {p}[$i]
        if $body >= 0:
            # the shape moves with its body
            $pos = wp.transform_point(wp.transform_inverse({xf}[$body]), $pos)
        $local = wp.quat_rotate_inv({srot}[$s], $pos - {spos}[$s])|$local = wp.quat_rotate_inv({srot}[$s], {p}[$i] - {spos}[$s])|$local = {p}[$i] - {spos}[$s]⟩
        ⟨$d = @sd_shape({stype}[$s], $local, {sscale}[$s])|$kind = {stype}[$s]
        $d = float(0.0)
        if $kind == {SPHERE}:
            $d = @sd_sphere($local, {sscale}[$s][0])
        elif $kind == {BOX}:
            $d = @sd_box($local, {sscale}[$s])
        elif $kind == {CAPSULE}:
            $d = @sd_capsule($local, {sscale}[$s][0], {sscale}[$s][1])
        elif $kind == {CYLINDER}:
            $d = @sd_cylinder($local, {sscale}[$s][0], {sscale}[$s][1])
        else:
            # plane through the origin of the shape
            $d = $local[1]⟩

        ⟨{sd}[$i, $s] = $d|{sd}[$i, $s] = $d - {rad}[$i]|{sd}[$i, $s] = $d - {rad}[$i]
        if $d < {margin} + {rad}[$i]:
            {near}[$i, $s] = 1
            ⟨|wp.atomic_add({count}, 0, 1)⟩
        else:
            {near}[$i, $s] = 0⟩
        """,
        threads="i s",
        kinds="multi_conditional combined signed_distance quaternion helper_functions transform",
    ),
    Idea(
        "scene",
        "eval_scene_sdf scene_distance closest_shape nearest_shape",
        "compute the distance of each point to the closest shape of the scene⟨1:| and its index| with a smooth blend⟩",
        """
        hook point
        $pos = {p}[$i]
        $best = float(⟨10.0|1.0e3|100.0⟩)
        ⟨1:|$which = int(-1)
        |⟩for $j in range({FEW}):
            ⟨|if {sflag}[$j] & {ENABLED} == 0:
                continue
            |if {sbody}[$j] < 0 and {stype}[$j] == {PLANE}:
                continue
            ⟩$local = ⟨wp.quat_rotate_inv({srot}[$j], $pos - {spos}[$j])|$pos - {spos}[$j]⟩
            $d = @sd_shape({stype}[$j], $local, {sscale}[$j])⟨| - {margin}| - {rad}[$i]⟩
            ⟨1:$best = wp.min($best, $d)|if $d < $best:
                $best = $d
                $which = $j|$best = @smooth_min($best, $d, {blend})⟩

        ⟨{pd}[$i] = $best|{pd}[$i] = wp.abs($best) - {shell}|{pd}[$i] = wp.clamp($best, -1.0, 1.0)⟩
        ⟨1:⟨|if $best < 0.0:
            # inside of a shape
            wp.atomic_add({count}, 0, 1)⟩|{pshape}[$i] = $which|⟩
        """,
        kinds="control_flow combined signed_distance helper_functions",
    ),
    Idea(
        "contact",
        "eval_sdf_contacts sdf_contact_force push_out_points resolve_penetration",
        "push each point out of ⟨1:the sphere or box it penetrates|its shape along the gradient of the distance⟩",
        """
        hook point
        $pos = {p}[$i]
        $j = $i % {s}
        $rel = $pos - {spos}[$j]
        ⟨1:$size = {sscale}[$j]
        $push = wp.vec3(0.0, 0.0, 0.0)
        if {stype}[$j] == {SPHERE}:
            $len = wp.length($rel) + 0.001
            $depth = $size[0] + {rad}[$i] - $len
            if $depth > 0.0:
                $push = $rel * ($depth / $len)
                ⟨|wp.atomic_add({count}, 0, 1)⟩
        elif {stype}[$j] == {PLANE}:
            # only the height matters
            if $rel[1] < {rad}[$i]:
                $push = wp.vec3(0.0, {rad}[$i] - $rel[1], 0.0)
                ⟨|wp.atomic_add({count}, 0, 1)⟩
        else:
            # other shapes are boxes that push upwards
            $d = @sd_box($rel, $size) - {rad}[$i]
            if $d < 0.0:
                $push = wp.vec3(0.0, -$d, 0.0)|$kind = {stype}[$j]
        $d = @sd_shape($kind, $rel, {sscale}[$j]) - {rad}[$i]
        if $d > ⟨5:{margin}|0.0⟩:
            {ppush}[$i] = wp.vec3(0.0, 0.0, 0.0)
            return

        # gradient by differences
        $h = float(⟨0.01|0.02⟩)
        $gx = @sd_shape($kind, $rel + wp.vec3($h, 0.0, 0.0), {sscale}[$j]) - @sd_shape($kind, $rel - wp.vec3($h, 0.0, 0.0), {sscale}[$j])
        $gy = @sd_shape($kind, $rel + wp.vec3(0.0, $h, 0.0), {sscale}[$j]) - @sd_shape($kind, $rel - wp.vec3(0.0, $h, 0.0), {sscale}[$j])
        $gz = @sd_shape($kind, $rel + wp.vec3(0.0, 0.0, $h), {sscale}[$j]) - @sd_shape($kind, $rel - wp.vec3(0.0, 0.0, $h), {sscale}[$j])
        $push = wp.vec3($gx, $gy, $gz) * (⟨5:({margin} - $d)|-$d⟩ / (2.0 * $h))⟩
        {ppush}[$i] = ⟨$push|$push * {stiff}⟩
        ⟨|{pfix}[$i] = $pos + $push⟩
        """,
        kinds="combined multi_conditional signed_distance contact",
    ),
    Idea(
        "csg",
        "combine_distances csg_combine merge_sdf sdf_boolean",
        "combine the distances of two shapes by the operation of each point",
        """
        $d1 = @sd_sphere({p}[$i] - {spos}[0], {sscale}[0][0])
        $d2 = @sd_box({p}[$i] - {spos}[1], {sscale}[1])
        $op = {csgop}[$i]
        $d = float(0.0)

        if $op == 0:
            # union
            $d = wp.min($d1, $d2)
            ⟨|if $d < 0.0:
                wp.atomic_add({count}, 0, 1)⟩
        elif $op == 1:
            $d = wp.max($d1, $d2)
        elif $op == 2:
            # difference
            $d = wp.max($d1, -$d2)
        else:
            $d = ⟨@smooth_min($d1, $d2, {blend})|$d1 + {alpha} * ($d2 - $d1)⟩
        ⟨|$d = wp.abs($d) - {shell}
        |if $d > {rmax}:
            $d = {rmax}
        ⟩{pd}[$i] = $d
        ⟨|{pshape}[$i] = wp.where($d1 < $d2, 0, 1)|if $d1 < $d2:
            {pshape}[$i] = 0
        else:
            {pshape}[$i] = 1⟩
        """,
        kinds="multi_conditional control_flow signed_distance helper_functions",
    ),
    Idea(
        "grid_sdf",
        "fill_distance_grid rasterize_sdf build_level_set sample_sdf_grid",
        "fill the grid with the signed distance to ⟨1:a shape|several shapes|a shape⟩",
        """
        $pos = wp.vec3(float($x), float($y), float($z)) * {cell} - wp.vec3(⟨1.5, 1.5, 1.5|2.0, 1.0, 2.0⟩)
        ⟨1:$d = @sd_box($pos - {spos}[0], {sscale}[0])|$d = float(10.0)
        for $j in range({FEW}):
            ⟨|if {sflag}[$j] & {ENABLED} == 0:
                continue
            ⟩$dj = @sd_shape({stype}[$j], $pos - {spos}[$j], {sscale}[$j])
            ⟨$d = wp.min($d, $dj)|if $dj < $d:
                $d = $dj|$d = @smooth_min($d, $dj, {blend})⟩|$d = ⟨@sd_capsule|@sd_cylinder⟩(wp.quat_rotate_inv({srot}[1], $pos - {spos}[1]), {sscale}[1][0], {sscale}[1][1])⟩
        ⟨|if {mat}[$x, $y, $z] == ⟨3|2⟩:
            # thicker walls in this material
            $d = $d - {shell}
        |if $x == 0 or $y == 0 or $z == 0:
            # keep the border outside
            $d = wp.max($d, {margin})
        ⟩{phi}[$x, $y, $z] = $d
        ⟨|if $d < {iso}:
            {inside}[$x, $y, $z] = 1
        else:
            {inside}[$x, $y, $z] = 0|if $d < {iso}:
            wp.atomic_add({count}, 0, 1)|if wp.abs($d) < {cell}:
            # narrow band
            {inside}[$x, $y, $z] = 1
            wp.atomic_add({count}, 0, 1)⟩
        """,
        threads="x y z",
        kinds="vector signed_distance multi_dim",
    ),
    Idea(
        "grid_normal",
        "grid_gradient sdf_normals level_set_gradient distance_normals",
        "compute the gradient of the distance grid ⟨1:by central differences|and mark the cells at the surface|by upwind differences⟩",
        """
        ⟨if $x == 0 or $x == {nx} - 1 or $y == 0 or $y == {ny} - 1 or $z == 0 or $z == {nz} - 1:
            {grad}[$x, $y, $z] = wp.vec3(0.0, 0.0, 0.0)
            return

        $xm = $x - 1
        $xp = $x + 1
        $ym = $y - 1
        $yp = $y + 1
        $zm = $z - 1
        $zp = $z + 1|# repeat the border
        $xm = wp.max($x - 1, 0)
        $xp = wp.min($x + 1, {nx} - 1)
        $ym = wp.max($y - 1, 0)
        $yp = wp.min($y + 1, {ny} - 1)
        $zm = wp.max($z - 1, 0)
        $zp = wp.min($z + 1, {nz} - 1)⟩
        ⟨1:$gx = {dist}[$xp, $y, $z] - {dist}[$xm, $y, $z]
        $gy = {dist}[$x, $yp, $z] - {dist}[$x, $ym, $z]
        $gz = {dist}[$x, $y, $zp] - {dist}[$x, $y, $zm]
        $gv = wp.vec3($gx, $gy, $gz) / (2.0 * {cell})|$gx = {dist}[$xp, $y, $z] - {dist}[$xm, $y, $z]
        $gy = {dist}[$x, $yp, $z] - {dist}[$x, $ym, $z]
        $gz = {dist}[$x, $y, $zp] - {dist}[$x, $y, $zm]
        $gv = wp.vec3($gx, $gy, $gz) * (0.5 / {cell})
        $cur = {dist}[$x, $y, $z]
        if $cur * {dist}[$xp, $y, $z] < 0.0 or $cur * {dist}[$x, $yp, $z] < 0.0⟨| or $cur * {dist}[$x, $y, $zp] < 0.0⟩:
            # the sign changes
            {inside}[$x, $y, $z] = 1
            ⟨|wp.atomic_add({count}, 0, 1)⟩
        else:
            {inside}[$x, $y, $z] = 0|$cur = {dist}[$x, $y, $z]
        $gx = wp.max($cur - {dist}[$xm, $y, $z], 0.0) + wp.min({dist}[$xp, $y, $z] - $cur, 0.0)
        $gy = wp.max($cur - {dist}[$x, $ym, $z], 0.0) + wp.min({dist}[$x, $yp, $z] - $cur, 0.0)
        $gz = wp.max($cur - {dist}[$x, $y, $zm], 0.0) + wp.min({dist}[$x, $y, $zp] - $cur, 0.0)
        $gv = wp.vec3($gx, $gy, $gz) / {cell}⟩
        ⟨|$len = wp.length($gv)
        if $len > ⟨0.5|0.8⟩:
            # steep cells get a unit vector
            $gv = $gv / $len
        |if {mat}[$x, $y, $z] == 0:
            # no surface in the air
            $gv = wp.vec3(0.0, 0.0, 0.0)
        ⟩{grad}[$x, $y, $z] = $gv
        """,
        threads="x y z",
        kinds="vector stencil signed_distance multi_dim",
    ),
)
