"""Ideas of the domain `queries`: rays against meshes, shadows, terrain, sensors."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

RAYS = (
    Idea(
        "cast_rays",
        "cast_rays raycast_mesh trace_rays mesh_intersect",
        "cast a ray from each point and store ⟨1:the distance|the distance and the normal|the triangle and the point⟩ of the hit",
        """
        hook mask
        $ro = {pt}[$i]⟨ + wp.vec3(0.0, 0.0, 1.0)|⟩
        $rd = ⟨{pdir}[$i]|wp.vec3(0.0, 0.0, -1.0)|wp.normalize({pgoal}[$i] - $ro + wp.vec3(0.0, 0.0, 0.01))⟩
        $query = wp.mesh_query_ray({mesh}, $ro, $rd, {tmax})
        ⟨2:if $query.result:
            ⟨1:{depth}[$i] = $query.t|{depth}[$i] = $query.t
            {nrm}[$i] = $query.normal|{pos}[$i] = $ro + $rd * $query.t
            {face_out}[$i] = $query.face⟩
            ⟨wp.atomic_add({hits}, 0, 1)|{flag}[$i] = {fmat}[$query.face]|⟩
        else:
            ⟨1:{depth}[$i] = ⟨{FAR}|{tmax}|-1.0⟩|{depth}[$i] = {FAR}
            {nrm}[$i] = wp.vec3(0.0, 0.0, 0.0)|{pos}[$i] = $ro + $rd * {tmax}
            {face_out}[$i] = {NONE}⟩|⟨1:$t = {tmax}|$t = float(⟨1.0e3|-1.0⟩)
        $n = wp.vec3(0.0)|$hit = int({NONE})
        $t = {tmax}⟩
        if $query.result⟨1:| and $query.sign > 0.0|⟩:
            $t = $query.t
            ⟨1:|$n = $query.normal|$hit = $query.face⟩
        ⟨1:{depth}[$i] = $t|{depth}[$i] = $t
        {nrm}[$i] = $n|{pos}[$i] = $ro + $rd * $t
        {face_out}[$i] = $hit⟩⟩
        """,
        kinds="mesh_query ray_tracing",
    ),
    Idea(
        "shadow_rays",
        "shadow_test visibility_to_light trace_shadows direct_light",
        "compute the light at each point, which is dark in the shadow of a mesh",
        """
        $ro = {pt}[$i] + {pdir}[$i] * {eps}
        ⟨1:$to = wp.vec3(⟨0.4, 0.3|-0.2, 0.5⟩, ⟨2.0|1.5⟩) - $ro
        $far = wp.length($to)
        $rd = $to / $far|$rd = wp.normalize(wp.vec3(⟨0.3, 0.2, 1.0|0.0, 0.4, 0.9⟩))
        $far = {tmax}⟩
        ⟨2:$cosine = wp.dot({pdir}[$i], $rd)
        if $cosine <= 0.0:
            # faces away from the light
            {lit}[$i] = 0.0
            return

        |$cosine = wp.max(wp.dot({pdir}[$i], $rd), 0.0)
        |$cosine = 0.5 + 0.5 * wp.dot({pdir}[$i], $rd)
        ⟩if wp.mesh_query_ray_anyhit({mesh}, $ro, $rd, $far):
            {lit}[$i] = ⟨0.1 * $cosine|$cosine * 0.2⟩
            ⟨wp.atomic_add({hits}, 0, 1)|{flag}[$i] = 1⟩
        else:
            {lit}[$i] = {light} * $cosine⟨1: / (1.0 + $far * $far)|⟩
        """,
        kinds="mesh_query ray_tracing",
    ),
    Idea(
        "ambient_occlusion",
        "ambient_occlusion bake_occlusion sky_visibility compute_ao",
        "count the rays from each point that ⟨1:reach the sky|a mesh blocks⟩",
        """
        hook mask
        $ro = {pt}[$i] + wp.vec3(0.0, 0.0, {eps})
        $count = int(0)
        ⟨2:for $k in range(⟨4:8|12|6⟩):
            $phi = float($k) * ⟨4:0.785|2.4|1.047⟩
            $rd = wp.vec3(⟨5:0.8|0.6⟩ * wp.cos($phi), ⟨5:0.8|0.6⟩ * wp.sin($phi), ⟨5:0.6|0.8⟩)
            if ⟨1:not |⟩wp.mesh_query_ray_anyhit({mesh}, $ro, $rd, {tmax}):
                $count += 1|for $k in range(4):
            for $l in range(⟨4:4|3|2⟩):
                $phi = float($k) * 1.57 + float($l) * 0.4
                $rise = 0.1 + 0.25 * float($l)
                ⟨$rd = wp.normalize(wp.vec3(wp.cos($phi), wp.sin($phi), $rise))|$rd = wp.vec3(wp.cos($phi), wp.sin($phi), $rise)⟩
                if ⟨1:not |⟩wp.mesh_query_ray_anyhit({mesh}, $ro, $rd, {tmax}):
                    $count += 1|for $k in range(⟨4:8|7|6⟩):
            $rd = @hemisphere($k)
            if wp.dot($rd, {pdir}[$i]) < 0.0:
                continue
            if ⟨1:not |⟩wp.mesh_query_ray_anyhit({mesh}, $ro, $rd, {tmax}):
                $count += 1⟩
        {number_out}[$i] = $count
        ⟨3:# share of the rays
        $share = float($count) / ⟨2:⟨4:8.0|12.0|6.0⟩|⟨4:16.0|12.0|8.0⟩|⟨4:8.0|7.0|6.0⟩⟩
        {lit}[$i] = {light} * ⟨1:$share|(1.0 - $share)⟩|if $count > ⟨4|5⟩:
            {flag}[$i] = 2
        ⟨elif $count > ⟨1|2⟩:
            {flag}[$i] = 1
        |⟩else:
            {flag}[$i] = 0|⟩
        """,
        kinds="mesh_query ray_tracing monte_carlo",
    ),
    Idea(
        "parity_inside",
        "inside_by_parity count_crossings point_in_mesh parity_test",
        "count how often rays from each point cross a mesh",
        """
        hook mask
        ⟨1:$count = wp.mesh_query_ray_count_intersections({mesh}, {pt}[$i], wp.vec3(⟨0.05, 0.02|0.0, 0.1|-0.1, 0.03⟩, 1.0))
        {flag}[$i] = ⟨$count % 2|$count & 1⟩
        ⟨if $count % 2 == 1:
            wp.atomic_add({hits}, 0, 1)|{number_out}[$i] = $count|⟩|# majority of three directions
        $votes = int(0)
        ⟨for $k in range(3):
            $rd = wp.vec3(0.11 * float($k - 1), 0.3 * float($k) - 0.2, 1.0)
            |for $k in range(3):
            $rd = wp.vec3(0.9 - 0.4 * float($k), 0.2 * float($k), 0.5)
            ⟩$count = wp.mesh_query_ray_count_intersections({mesh}, {pt}[$i], $rd)
            $votes += $count % 2
        {flag}[$i] = ⟨1 if $votes >= 2 else 0|wp.where($votes > 1, 1, 0)⟩
        ⟨{number_out}[$i] = $votes|⟩|$above = wp.mesh_query_ray_count_intersections({mesh}, {pt}[$i], wp.vec3(0.03, 0.01, 1.0))
        $under = wp.mesh_query_ray_count_intersections({mesh}, {pt}[$i], wp.vec3(0.02, -0.03, -1.0))
        if $above > 0 and $under == 0:
            # below the surface
            {flag}[$i] = 1
            ⟨wp.atomic_add({hits}, 0, 1)|{number_out}[$i] = $above|⟩
        else:
            {flag}[$i] = 0⟩
        """,
        kinds="mesh_query ray_tracing",
        integer=True,
    ),
    Idea(
        "terrain_height",
        "terrain_height sample_ground_height ground_below project_on_terrain",
        "⟨1:measure the height of each point above the ground|put each point on the ground⟩",
        """
        hook point
        ⟨2:$ro = wp.vec3($x[0], $x[1], ⟨1.0|2.0⟩)
        $query = wp.mesh_query_ray({terrain}, $ro, wp.vec3(0.0, 0.0, -1.0), ⟨4.0|10.0⟩)|$ro = $x + wp.vec3(0.0, 0.0, ⟨1.5|2.0⟩)
        $query = wp.mesh_query_ray({terrain}, $ro, wp.vec3(0.0, 0.0, -1.0), {tmax} + 2.0)⟩
        if ⟨$query.result|$query.result and $query.normal[2] > 0.9⟩:
            $ground = $ro[2] - $query.t
            ⟨1:{dist}[$i] = $x[2] - $ground
            ⟨if $x[2] < $ground:
                {flag}[$i] = {TOUCH}|{nrm}[$i] = $query.normal|⟩|⟨{moved}[$i] = wp.vec3($x[0], $x[1], $ground + {pr}[$i])|if $x[2] < $ground + {pr}[$i]:
                {moved}[$i] = wp.vec3($x[0], $x[1], $ground + {pr}[$i])
            else:
                {moved}[$i] = $x⟩⟩
        else:
            ⟨1:{dist}[$i] = ⟨{FAR}|$x[2]⟩|{moved}[$i] = $x
            ⟨wp.atomic_add({misses}, 0, 1)|⟩⟩
        """,
        kinds="mesh_query",
    ),
    Idea(
        "move_with_stop",
        "continuous_collision sweep_particles advance_with_hits stop_at_surface",
        "move each point to its next position unless a mesh is in the way",
        """
        hook point
        ⟨1:$step = {pgoal}[$i] - $x|$step = {pv}[$i] * {horizon}⟩
        $far = wp.length($step) + 1.0e-4
        $rd = $step / $far
        $query = wp.mesh_query_ray({mesh}, $x, $rd, $far⟨| + {pr}[$i]⟩)
        if $query.result⟨| and {pmask}[$i] & {FIXED} == 0⟩:
            # stop in front of the surface
            $n = $query.normal
            ⟨2:{moved}[$i] = $x + $rd * ($query.t - {eps})
            ⟨3:{vel_out}[$i] = {pv}[$i] - $n * (2.0 * wp.dot({pv}[$i], $n))|{vel_out}[$i] = wp.vec3(0.0)|⟩|# the rest of the way slides along the surface
            $rest = ⟨$step * (1.0 - $query.t / $far)|$rd * ($far - $query.t)⟩
            {moved}[$i] = $x + $rd * $query.t + $rest - $n * wp.dot($rest, $n)⟩
            {flag}[$i] = {TOUCH}
        else:
            {moved}[$i] = $x + $step
            {flag}[$i] = {MISS}
            ⟨2:⟨3:{vel_out}[$i] = {pv}[$i]|{vel_out}[$i] = {pv}[$i]|⟩|⟩
        """,
        kinds="mesh_query contact particles",
    ),
    Idea(
        "lidar",
        "lidar_scan cast_lidar_rays sensor_raycast scan_environment",
        "cast the rays of each sensor and store ⟨1:the distances|the distances and the points|a code of each return⟩",
        """
        ⟨2:if {son}[$e] == 0:
            {range_out}[$e, $r] = ⟨{FAR}|-1.0⟩
            ⟨1:|{scan_pos}[$e, $r] = {spos}[$e]|{scan_hit}[$e, $r] = {NONE}⟩
            return

        |⟩$ro = {spos}[$e]⟨| + wp.vec3(0.0, 0.0, 0.2)⟩
        $rd = ⟨{sdir}[$r]|wp.quat_rotate(wp.quat_from_axis_angle(wp.vec3(0.0, 0.0, 1.0), {yaw}[$e]), {sdir}[$r])⟩
        $query = wp.mesh_query_ray({mesh}, $ro, $rd, {tmax})
        $t = {tmax}
        if $query.result:
            ⟨$t = $query.t|# nothing is seen closer than the blind zone
            $t = wp.max($query.t, {margin})⟩
            ⟨1:|⟨wp.atomic_add({hits}, 0, 1)|⟩|if $query.t < ⟨{margin}|{dmax}⟩:
                {scan_hit}[$e, $r] = {TOUCH}
            else:
                {scan_hit}[$e, $r] = {NEAR}⟩
            ⟨wp.atomic_add({seen}, $e, 1)|⟩
        {range_out}[$e, $r] = ⟨$t|wp.min($t, {tmax})⟩
        ⟨1:|{scan_pos}[$e, $r] = $ro + $rd * $t|⟩
        """,
        threads="e r",
        kinds="mesh_query ray_tracing multi_dim",
        docs="One beam per thread; a beam without a return has the largest range",
    ),
    Idea(
        "height_scan",
        "height_scan measure_heights foot_height_sensor terrain_observation",
        "measure the height of the ground at the points around each robot",
        """
        ⟨1:$c = wp.cos({yaw}[$e])
        $s = wp.sin({yaw}[$e])
        $ox = $c * {soff}[$r][0] - $s * {soff}[$r][1]
        $oy = $s * {soff}[$r][0] + $c * {soff}[$r][1]|$ox = {soff}[$r][0]
        $oy = {soff}[$r][1]⟩
        $ro = wp.vec3({spos}[$e][0] + $ox, {spos}[$e][1] + $oy, ⟨1.0|{spos}[$e][2] + 2.0⟩)
        $query = wp.mesh_query_ray({terrain}, $ro, wp.vec3(0.0, 0.0, -1.0), ⟨5.0|100.0⟩)
        ⟨2:if $query.result:
            {heights}[$e, $r] = ⟨$ro[2] - $query.t|{spos}[$e][2] - ($ro[2] - $query.t)⟩
            ⟨if $query.normal[2] < ⟨0.95|0.9⟩:
                # too steep to stand on
                {scan_hit}[$e, $r] = {TOUCH}|{scan_hit}[$e, $r] = ⟨{NEAR}|1⟩
            wp.atomic_add({seen}, $e, 1)|⟩
        else:
            {heights}[$e, $r] = ⟨0.0|-1.0⟩|$z = {spos}[$e][2]
        if $query.result:
            $z = $ro[2] - $query.t
        {heights}[$e, $r] = ⟨wp.clamp({spos}[$e][2] - $z, -1.0, 1.0)|$z|({spos}[$e][2] - $z - 0.5) * {scale}⟩⟩
        """,
        threads="e r",
        kinds="mesh_query multi_dim",
    ),
    Idea(
        "nearest_return",
        "nearest_obstacle min_range_per_robot sensor_minimum closest_return",
        "⟨1:count the rays|find the rays of a short return|sum up the ranges⟩ of each sensor that a mesh stops",
        """
        $count = int(0)
        ⟨1:|$first = int({NONE})|$total = float(0.0)⟩
        for $k in range({r}):
            $query = wp.mesh_query_ray({mesh}, {spos}[$e], {sdir}[$k], {tmax})
            ⟨if not $query.result:
                continue
            ⟨1:$count += 1|if $query.t < {dmax}:
                $count += 1
                if $first < 0:
                    $first = $k|$count += 1
            $total += $query.t⟩|if $query.result⟨| and $query.t > {margin}⟩:
                ⟨1:$count += 1|if $query.t < {dmax}:
                    $count += 1
                    if $first < 0:
                        $first = $k|$total += $query.t
                $count += 1⟩⟩
        {returns}[$e] = $count
        ⟨1:|{first_ray}[$e] = $first|{nearest}[$e] = $total⟩
        """,
        threads="e",
        kinds="mesh_query ray_tracing",
    ),
)
