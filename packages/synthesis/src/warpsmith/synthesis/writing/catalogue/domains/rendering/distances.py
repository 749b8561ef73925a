"""Ideas of the domain `rendering`: signed distances, sphere tracing, soft shadows, volumes."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

DISTANCES = (
    Idea(
        "scene_distance",
        "eval_sdf scene_sdf evaluate_distance map_scene",
        "evaluate the distance to ⟨1:the union of all objects|the blended union of all objects|the first object without the second⟩ at each point",
        """
        hook ray
        ⟨1:$dist = float({far})
        for $k in range({COUNT}):
            $dk = @sd_shape({kind}[$k], $p, {center}[$k], {extent}[$k], {up}[$k])
            ⟨$dist = wp.min($dist, $dk)|if $dk < $dist:
                $dist = $dk
                {out_id}[$i] = $k⟩|$dist = @sd_shape({kind}[0], $p, {center}[0], {extent}[0], {up}[0])
        for $k in range(1, {COUNT}):
            $dk = @sd_shape({kind}[$k], $p, {center}[$k], {extent}[$k], {up}[$k])
            $dist = @blend_min($dist, $dk, {blend})|$solid = @sd_sphere($p, {center}[0], {radius}[0])
        $hole = @sd_box($p, {center}[1], {extent}[1])
        $dist = ⟨wp.max($solid, -$hole)|-wp.min(-$solid, $hole)⟩⟩
        {out_f}[$i] = ⟨$dist|wp.min($dist, 1.0)⟩
        ⟨|if $dist < 0.0:
            {out_flag}[$i] = 1
            wp.atomic_add({counter}, 0, 1)
        else:
            {out_flag}[$i] = 0|if $dist < {blend}:
            # close to a surface
            {out_state}[$i] = {R_TRACED}
        elif $dist > 2.0:
            {out_state}[$i] = {R_DONE}
        else:
            {out_state}[$i] = {R_NEW}⟩
        """,
        kinds="control_flow combined signed_distance helper_functions",
        docs="Distances are negative inside",
    ),
    Idea(
        "sphere_trace",
        "sphere_trace march_rays raymarch trace_sdf",
        "march each ray by ⟨1:the distance to the scene|the distance to two blended objects⟩ for a fixed number of steps",
        """
        hook ray
        $t = float(⟨0.0|{near}⟩)
        $last_dist = float(0.0)
        for $k in range(⟨{STEPS}|8|12⟩):
            $here = ⟨$o + $d * $t|@ray_at($o, $d, $t)⟩
            ⟨1:$dist = @sd_sphere($here, {center}[0], {radius}[0])
            $dist = wp.min($dist, @sd_box($here, {center}[1], {extent}[1]))
            ⟨|$dist = wp.min($dist, @sd_plane($here, {center}[2], {up}[2]))⟩|$dist = @blend_min(@sd_sphere($here, {center}[0], {radius}[0]), @sd_sphere($here, {center}[1], {radius}[1]), {blend})⟩
            $last_dist = $dist
            ⟨# shorter steps keep the ray from passing through blended parts
            $t += 0.8 * wp.max($dist, 0.0)|if $dist > {EPS}:
                $t += ⟨$dist|0.9 * $dist⟩|$t += ⟨0.9|0.7⟩ * $dist⟩

        {out_t}[$i] = $t
        ⟨if $last_dist < ⟨0.05|0.1⟩:
            {out_flag}[$i] = 1
            ⟨wp.atomic_add({counter}, 0, 1)|wp.atomic_add({stats}, 0, 1)⟩
        else:
            {out_flag}[$i] = 0|if $t > {tmax}[$i]:
            # left the scene
            {out_state}[$i] = {R_DONE}
        else:
            {out_state}[$i] = {R_TRACED}
            {out_o}[$i] = $o + $d * $t|{out_f}[$i] = $last_dist⟩
        """,
        kinds="control_flow combined signed_distance ray_tracing helper_functions",
    ),
    Idea(
        "march_until",
        "sphere_trace_adaptive march_until_hit trace_until_surface raymarch_loop",
        "march each ray until it reaches a surface or leaves the scene",
        """
        hook ray
        $t = float({near})
        $count = int(0)
        $found = int({NO_HIT})
        while $count < ⟨32|24|48⟩ and $t < {tmax}[$i]:
            $here = @ray_at($o, $d, $t)
            $dist = float({far})
            $which = int(0)
            for $k in range({COUNT}):
                $dk = @sd_shape({kind}[$k], $here, {center}[$k], {extent}[$k], {up}[$k])
                if $dk < $dist:
                    $dist = $dk
                    $which = $k
            if $dist < ⟨0.02|0.01⟩:
                $found = $which
                break
            $t += ⟨$dist|0.9 * $dist⟩
            $count += 1
        {out_id}[$i] = $found
        {out_count}[$i] = $count
        ⟨if $found == {NO_HIT}:
            wp.atomic_add({stats}, 7, 1)
            return
        {out_flag}[$i] = 1|if $found >= 0:
            {out_state}[$i] = {R_TRACED}
        elif $count >= 24:
            # out of steps
            {out_state}[$i] = {R_NEW}
        else:
            {out_state}[$i] = {R_DONE}|⟩
        """,
        kinds="control_flow nested_loop signed_distance ray_tracing while_loop early_exit",
        forward_only=True,
    ),
    Idea(
        "sdf_normal",
        "sdf_normals estimate_normals gradient_normals surface_normals",
        "estimate the normal at each point by ⟨1:central differences|four samples of a tetrahedron⟩ of the distance",
        """
        hook ray
        $eps = ⟨0.05|0.1|0.02⟩
        ⟨$kind_k = {kind}[0]
        $c = {center}[0]
        $half = {extent}[0]
        $axis_k = {up}[0]|$sel = wp.max({hit_id}[$i], 0) % {COUNT}
        $kind_k = {kind}[$sel]
        $c = {center}[$sel]
        $half = {extent}[$sel]
        $axis_k = {up}[$sel]⟩
        ⟨1:$dx = wp.vec3($eps, 0.0, 0.0)
        $dy = wp.vec3(0.0, $eps, 0.0)
        $dz = wp.vec3(0.0, 0.0, $eps)
        $gx = @sd_shape($kind_k, $p + $dx, $c, $half, $axis_k) - @sd_shape($kind_k, $p - $dx, $c, $half, $axis_k)
        $gy = @sd_shape($kind_k, $p + $dy, $c, $half, $axis_k) - @sd_shape($kind_k, $p - $dy, $c, $half, $axis_k)
        $gz = @sd_shape($kind_k, $p + $dz, $c, $half, $axis_k) - @sd_shape($kind_k, $p - $dz, $c, $half, $axis_k)
        $raw = wp.vec3($gx, $gy, $gz) / (2.0 * $eps)|$k0 = wp.vec3(1.0, -1.0, -1.0)
        $k1 = wp.vec3(-1.0, -1.0, 1.0)
        $k2 = wp.vec3(-1.0, 1.0, -1.0)
        $k3 = wp.vec3(1.0, 1.0, 1.0)
        $raw = $k0 * @sd_shape($kind_k, $p + $k0 * $eps, $c, $half, $axis_k)
        $raw += $k1 * @sd_shape($kind_k, $p + $k1 * $eps, $c, $half, $axis_k)
        $raw += $k2 * @sd_shape($kind_k, $p + $k2 * $eps, $c, $half, $axis_k)
        $raw += $k3 * @sd_shape($kind_k, $p + $k3 * $eps, $c, $half, $axis_k)
        $raw = $raw / (4.0 * $eps)⟩
        {out_n}[$i] = ⟨$raw|$raw / wp.sqrt(wp.dot($raw, $raw) + 0.01)⟩
        ⟨|if wp.dot($raw, $d) > 0.0:
            # seen from inside
            {out_flag}[$i] = 1⟩
        """,
        kinds="vector signed_distance helper_functions",
    ),
    Idea(
        "soft_shadow",
        "soft_shadows ambient_occlusion sdf_occlusion shade_occlusion",
        "estimate ⟨1:the soft shadow toward the light|the ambient occlusion along the normal⟩ from distances at a few points",
        """
        hook ray
        ⟨1:$light_share = float(1.0)
        $t = float({step})
        for $k in range(⟨6|8|5⟩):
            $here = $p + $l * $t
            $dist = wp.min(@sd_sphere($here, {center}[0], {radius}[0]), @sd_box($here, {center}[1], {extent}[1]))
            # narrow gaps let little light through
            $light_share = wp.min($light_share, ⟨4.0|6.0⟩ * wp.max($dist, 0.0) / $t)
            $t += {step}⟨| + 0.05 * float($k)⟩|$blocked = float(0.0)
        $weight = float(1.0)
        for $k in range(⟨4|5|6⟩):
            $reach = {step} * float($k + 1)
            $here = $p + $n * $reach
            $dist = @blend_min(@sd_sphere($here, {center}[0], {radius}[0]), @sd_box($here, {center}[1], {extent}[1]), {blend})
            $blocked += $weight * wp.max($reach - $dist, 0.0)
            $weight = $weight * ⟨0.5|0.7⟩
        $light_share = wp.exp(-{absorb} * $blocked)⟩

        {out_f}[$i] = ⟨$light_share|wp.clamp($light_share, 0.0, 1.0) * (1.0 - {ambient}) + {ambient}⟩
        ⟨|if $light_share < ⟨0.7|0.9⟩:
            {out_flag}[$i] = 1
            wp.atomic_add({counter}, 0, 1)
        else:
            {out_flag}[$i] = 0|{out_rgb}[$i] = {base_color}[$i] * $light_share⟩
        """,
        kinds="control_flow math signed_distance",
    ),
    Idea(
        "volume",
        "integrate_volume march_volume volume_render absorption_march",
        "integrate ⟨1:the absorption|absorption and emission|the density⟩ of a grid along each ray",
        """
        hook ray
        ⟨1:$trans = float(1.0)|$trans = float(1.0)
        $glow = wp.vec3()|$depth_sum = float(0.0)⟩
        for $k in range(⟨{STEPS}|6|8⟩):
            $here = $o + $d * (⟨(float($k) + 0.5)|float($k)⟩ * {step})
            # nearest cell; the volume fills the cube from -2 to 2
            $cx = wp.clamp(int(wp.floor(($here[0] + 2.0) * 0.25 * float({cells}))), 0, {cells} - 1)
            $cy = wp.clamp(int(wp.floor(($here[1] + 2.0) * 0.25 * float({cells}))), 0, {cells} - 1)
            $cz = wp.clamp(int(wp.floor(($here[2] + 2.0) * 0.25 * float({cells}))), 0, {cells} - 1)
            $sigma = {volume}[$cx, $cy, $cz] * {absorb}
            ⟨1:$trans = $trans * ⟨wp.exp(-$sigma * {step})|(1.0 - wp.min($sigma * {step}, 0.9))⟩|$glow += {base_color}[$i] * ($trans * $sigma * {step})
            $trans = $trans * wp.exp(-$sigma * {step})|⟨$depth_sum += $sigma * {step}|# thin parts do not count
            if $sigma > 0.3:
                $depth_sum += ($sigma - 0.3) * {step}⟩⟩

        ⟨1:{out_f}[$i] = ⟨$trans|1.0 - $trans⟩|{out_rgb}[$i] = $glow⟨| + wp.vec3({ambient}, {ambient}, {ambient}) * $trans⟩
        ⟨{out_f}[$i] = $trans|⟩|{out_f}[$i] = ⟨$depth_sum|wp.exp(-$depth_sum)⟩⟩
        ⟨1:⟨|if $trans < 0.6:
            wp.atomic_add({counter}, 0, 1)⟩|⟨|if $trans < 0.6:
            {out_state}[$i] = {R_DONE}
        else:
            {out_state}[$i] = {R_TRACED}⟩|⟩
        """,
        kinds="math control_flow ray_tracing",
    ),
)
