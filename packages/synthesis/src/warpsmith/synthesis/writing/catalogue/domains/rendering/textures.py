"""Ideas of the domain `rendering`: texture lookups in arrays, environment maps, procedural patterns."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

TEXTURES = (
    Idea(
        "sample_texture",
        "sample_texture texture_lookup bilinear_sample lookup_colors",
        "look up the texture at the coordinates of each hit ⟨1:at the nearest texel|with linear interpolation⟩ and ⟨2:repeat it|repeat its border|wrap by mode⟩",
        """
        hook ray
        $st = {uv}[$i]
        $u = $st[0] * float({tw})⟨ - 0.5|⟩
        $v = ⟨$st[1]|(1.0 - $st[1])⟩ * float({th})⟨ - 0.5|⟩
        $tx = int(wp.floor($u))
        $ty = int(wp.floor($v))
        ⟨2:$tx0 = @wrap($tx, {tw})
        $ty0 = @wrap($ty, {th})|$tx0 = wp.clamp($tx, 0, {tw} - 1)
        $ty0 = wp.clamp($ty, 0, {th} - 1)|$tx0 = @wrap($tx, {tw})
        $ty0 = @wrap($ty, {th})
        if {wrap_mode}[$i] == {CLAMP}:
            $tx0 = wp.clamp($tx, 0, {tw} - 1)
            $ty0 = wp.clamp($ty, 0, {th} - 1)
        ⟨elif {wrap_mode}[$i] > {CLAMP} and $tx // {tw} == 1:
            # mirrored copy
            $tx0 = {tw} - 1 - @wrap($tx, {tw})|⟩⟩
        ⟨1:{out_rgb}[$i] = ⟨{texels}[$ty0, $tx0]|wp.cw_mul({texels}[$ty0, $tx0], {base_color}[$i])⟩
        ⟨{out_f}[$i] = {height_map}[$ty0, $tx0]|if {height_map}[$ty0, $tx0] > 0.5:
            # in relief
            {out_flag}[$i] = 1|⟩|# weights of the four texels
        $fx = $u - float($tx)
        $fy = $v - float($ty)
        $tx1 = ⟨2:($tx0 + 1) % {tw}|wp.min($tx0 + 1, {tw} - 1)|($tx0 + 1) % {tw}⟩
        $ty1 = ⟨2:($ty0 + 1) % {th}|wp.min($ty0 + 1, {th} - 1)|($ty0 + 1) % {th}⟩
        $upper = {texels}[$ty0, $tx0] * (1.0 - $fx) + {texels}[$ty0, $tx1] * $fx
        $under = {texels}[$ty1, $tx0] * (1.0 - $fx) + {texels}[$ty1, $tx1] * $fx
        ⟨{out_rgb}[$i] = $upper * (1.0 - $fy) + $under * $fy|$rgb = wp.lerp($upper, $under, $fy)
        hook shade
        {out_rgb}[$i] = $rgb|{out_rgb}[$i] = wp.cw_mul($upper * (1.0 - $fy) + $under * $fy, {throughput}[$i])⟩⟩
        """,
        kinds="vector combined image_filter helper_functions",
        docs="Texture coordinates of 1 span the whole texture",
    ),
    Idea(
        "environment",
        "sample_environment env_lookup sky_color environment_map",
        "look up the environment map in the direction of each ⟨1:ray|reflected ray⟩ ⟨2:that hits nothing|⟩",
        """
        hook ray
        ⟨2:if {hit_t}[$i] < {tmax}[$i]:
            # the ray ends at a surface
            return
        |⟩⟨1:$dir_e = $d|$dir_e = @reflect($d, $n)⟩
        # longitude and latitude
        $phi = wp.atan2($dir_e[2], $dir_e[0] + 0.01)
        $theta = wp.acos(wp.clamp($dir_e[1], -0.99, 0.99))
        $u = ($phi / 6.2831853 + 0.5) * float({tw})
        $v = $theta / 3.1415927 * float({th})
        $tx = int(wp.floor($u)) % {tw}
        $ty = wp.clamp(int(wp.floor($v)), 0, {th} - 1)
        ⟨$sky = {texels}[$ty, $tx]|# interpolate along the longitude
        $fx = $u - wp.floor($u)
        $sky = {texels}[$ty, $tx] * (1.0 - $fx) + {texels}[$ty, ($tx + 1) % {tw}] * $fx|# brighter at the horizon
        $sky = {texels}[$ty, $tx] * (0.5 + 0.5 * wp.sin($theta))⟩
        {out_rgb}[$i] = ⟨wp.cw_mul($sky, {throughput}[$i])|$sky * {exposure}⟩
        ⟨|if $ty < {th} // 2:
            # upper half
            {out_flag}[$i] = 1|{out_f}[$i] = @luminance($sky)⟩
        """,
        kinds="math vector ray_tracing",
    ),
    Idea(
        "pattern",
        "procedural_pattern checker_color eval_pattern floor_pattern",
        "color each hit by ⟨1:a checkerboard|stripes|rings|bricks⟩",
        """
        hook ray
        $rgb = {base_color}[$i]
        ⟨1:$cx = int(wp.floor($p[0] * ⟨2.0|1.5⟩))
        $cz = int(wp.floor($p[2] * ⟨2.0|1.5⟩))
        ⟨if @wrap($cx + $cz, 2) == 1:|if (($cx ^ $cz) & 1) == 1:⟩
            $rgb = $rgb * 0.3|$wave = wp.sin($p[0] * ⟨4.0|6.0⟩⟨| + $p[1]⟩)
        if $wave > ⟨0.0|0.3⟩:
            $rgb = $rgb * (0.5 + 0.5 * $wave)|$ring = wp.sqrt($p[0] * $p[0] + $p[2] * $p[2] + 0.01) * ⟨3.0|4.0⟩
        $rgb = $rgb * (0.6 + 0.4 * wp.cos($ring))|$course = int(wp.floor($p[1] * 4.0))
        # every other course is moved by half a brick
        $shift = 0.5 if @wrap($course, 2) == 1 else 0.0
        $along = $p[0] * 2.0 + $shift
        $along = $along - wp.floor($along)
        if $along < 0.1:
            $rgb = wp.vec3(0.6, 0.6, 0.6)⟩
        hook shade
        {out_rgb}[$i] = $rgb
        ⟨|{out_f}[$i] = @luminance($rgb)⟩
        """,
        kinds="math vector control_flow",
    ),
    Idea(
        "bump",
        "bump_normals height_to_normals perturb_normals normals_from_heights",
        "tilt the normal of each hit by the slope of a height map",
        """
        hook ray
        $st = {uv}[$i]
        $tx = int($st[0] * float({tw})) % {tw}
        $ty = int($st[1] * float({th})) % {th}
        $right = ($tx + 1) % {tw}
        $below = ($ty + 1) % {th}
        ⟨$dh_u = {height_map}[$ty, $right] - {height_map}[$ty, $tx]
        $dh_v = {height_map}[$below, $tx] - {height_map}[$ty, $tx]|# central differences with wrapped indices
        $dh_u = 0.5 * ({height_map}[$ty, $right] - {height_map}[$ty, ($tx + {tw} - 1) % {tw}])
        $dh_v = 0.5 * ({height_map}[$below, $tx] - {height_map}[($ty + {th} - 1) % {th}, $tx])⟩
        ⟨$tangent = wp.vec3(1.0, 0.0, 0.0)
        if wp.abs($n[0]) > 0.9:
            $tangent = wp.vec3(0.0, 1.0, 0.0)
        $bitangent = wp.cross($n, $tangent)
        |$tangent = wp.vec3($n[2], 0.0, -$n[0])
        $bitangent = wp.cross($n, $tangent)
        ⟩$tilted = $n - ($tangent * $dh_u + $bitangent * $dh_v) * ⟨{bump_k}|0.5|0.25⟩
        {out_n}[$i] = ⟨wp.normalize($tilted)|$tilted⟩
        ⟨|{out_f}[$i] = wp.sqrt($dh_u * $dh_u + $dh_v * $dh_v + 1.0e-3)|if wp.dot($tilted, $l) < 0.0:
            # turned away from the light
            {out_flag}[$i] = 1
            wp.atomic_add({counter}, 0, 1)⟩
        """,
        kinds="vector image_filter",
    ),
)
