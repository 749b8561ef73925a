"""Ideas of the domain `queries`: lookups in textures of one to three dimensions."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

TEXTURES = (
    Idea(
        "curve_lookup",
        "lookup_curve apply_ramp evaluate_curve transfer_function",
        "look up ⟨1:the value of a curve|a color|a curve by the material⟩ for each sample",
        """
        hook sample
        ⟨2:$s = {tin}[$t]|$s = wp.clamp({tin}[$t] * {scale}, 0.0, 1.0)|$s = @luma({trgb}[$t])⟩
        ⟨1:{tval}[$t] = wp.texture_sample({ramp}, ⟨$s|1.0 - $s⟩, dtype=float)|$texel = wp.texture_sample({ramp}, $s, dtype=float)
        {tcol}[$t] = ⟨wp.vec3($texel, $texel * 0.5, 1.0 - $texel)|wp.lerp({trgb}[$t], wp.vec3(1.0, 0.6, 0.2), $texel)⟩|if {tmat}[$t] == ⟨0|{which}⟩:
            {tval}[$t] = wp.texture_sample({ramp}, $s, dtype=float)
        ⟨elif {tmat}[$t] == ⟨1|2⟩:
            # linear materials
            {tval}[$t] = $s
        |⟩else:
            {tval}[$t] = ⟨1.0 - $s|0.5 * ($s + wp.texture_sample({ramp}, 1.0 - $s, dtype=float))⟩⟩
        """,
        threads="t",
        kinds="texture",
    ),
    Idea(
        "torque_curve",
        "torque_from_speed motor_curve curve_slope linearize_curve",
        "look up a curve and its slope for each sample",
        """
        hook sample
        $s = {tin}[$t]
        $texel = wp.texture_sample({ramp}, $s, dtype=float)
        $next = wp.texture_sample({ramp}, $s + {texel}, dtype=float)
        ⟨# difference quotient
        |⟩$grad = ($next - ⟨1:$texel) / {texel}|wp.texture_sample({ramp}, $s - {texel}, dtype=float)) / (2.0 * {texel})⟩
        ⟨2:{tval}[$t] = $texel + $grad * (⟨0.5|0.25⟩ * {texel})|{tval}[$t] = $grad
        if $texel > {level}:
            {tflag}[$t] = 1
            ⟨wp.atomic_add({bright}, 0, 1)|⟩|# where the tangent meets the axis
        {tval}[$t] = $texel - $grad * $s⟩
        """,
        threads="t",
        kinds="texture",
    ),
    Idea(
        "albedo",
        "sample_albedo shade_textured alpha_test lookup_colors",
        "look up the color and the opacity of each sample ⟨1:|and blend it with the color below|and discard transparent samples⟩",
        """
        hook sample
        $rgba = wp.texture_sample({rgba}, ⟨{uv}[$t]|{uv2}[$t]|{uv2}[$t] * 0.5⟩, dtype=wp.vec4)
        $rgb = wp.vec3($rgba[0], $rgba[1], $rgba[2])
        ⟨1:{tcol}[$t] = ⟨$rgb * {light}|wp.cw_mul($rgb, {trgb}[$t])⟩
        ⟨{tval}[$t] = $rgba[3]|⟩|{tcol}[$t] = ⟨$rgb * $rgba[3] + {trgb}[$t] * (1.0 - $rgba[3])|wp.lerp({trgb}[$t], $rgb, $rgba[3])⟩|if $rgba[3] < {level}:
            {tflag}[$t] = ⟨0|{NONE}⟩
            {tcol}[$t] = ⟨{trgb}[$t]|wp.vec3(0.0, 0.0, 0.0)⟩
            ⟨wp.atomic_add({misses}, 0, 1)
            |⟩return

        {tflag}[$t] = 1
        {tcol}[$t] = $rgb⟩
        """,
        threads="t",
        kinds="texture",
    ),
    Idea(
        "premultiply",
        "premultiply_alpha sample_rgba composite_sprite tint_sprite",
        "look up each sample and multiply its color by its opacity",
        """
        $rgba = wp.texture_sample({rgba}, ⟨{uv}[$t]|{uv}[$t][0], 1.0 - {uv}[$t][1]|{uv2}[$t]⟩, dtype=wp.vec4)
        $opacity = ⟨$rgba[3]|wp.min($rgba[3] * {scale}, 1.0)⟩
        ⟨{trgba}[$t] = wp.vec4($rgba[0] * $opacity, $rgba[1] * $opacity, $rgba[2] * $opacity, $opacity)|# tinted by the color of the sample
        {trgba}[$t] = wp.vec4($rgba[0] * {trgb}[$t][0] * $opacity, $rgba[1] * {trgb}[$t][1] * $opacity, $rgba[2] * {trgb}[$t][2] * $opacity, $opacity)|if {tmat}[$t] == {which}:
            # stored with multiplied colors
            {trgba}[$t] = $rgba
        else:
            {trgba}[$t] = wp.vec4($rgba[0] * $opacity, $rgba[1] * $opacity, $rgba[2] * $opacity, $opacity)⟩
        """,
        threads="t",
        kinds="texture",
    ),
    Idea(
        "bump_normal",
        "bump_normals normal_from_height perturb_normals height_to_normal",
        "compute the normal at each ⟨1:sample|sample, tilted by a height map⟩",
        """
        hook sample
        $uv_at = {uv}[$t]
        $right = wp.texture_sample({image}, $uv_at + wp.vec2({texel}, 0.0), dtype=float)
        $up = wp.texture_sample({image}, $uv_at + wp.vec2(0.0, {texel}), dtype=float)
        ⟨2:$here = wp.texture_sample({image}, $uv_at, dtype=float)
        $dx = $right - $here
        $dy = $up - $here|$dx = $right - wp.texture_sample({image}, $uv_at - wp.vec2({texel}, 0.0), dtype=float)
        $dy = $up - wp.texture_sample({image}, $uv_at - wp.vec2(0.0, {texel}), dtype=float)⟩
        ⟨1:{tvec}[$t] = wp.normalize(wp.vec3(-$dx * {scale}, -$dy * {scale}, ⟨1.0|{texel}⟩))|$n = {tn}[$t] + wp.vec3($dx, $dy, 0.0) * (-{scale})
        {tvec}[$t] = wp.normalize($n)⟩
        ⟨if wp.abs($dx) + wp.abs($dy) > {low_v}:
            {tflag}[$t] = 1|⟩
        """,
        threads="t",
        kinds="texture",
    ),
    Idea(
        "map_height",
        "sample_height_map agent_height terrain_elevation lookup_elevation",
        "look up the ground below each agent in a map of heights ⟨1:|and the slope|and whether it is under water⟩",
        """
        ⟨2:$x0 = {tpos}[$t]
        $h0 = wp.texture_sample({height_tex}, $x0, dtype=float)|$px = {tpos}[$t][0]
        $py = {tpos}[$t][1]
        $h0 = wp.texture_sample({height_tex}, $px⟨| + 0.5⟩, $py⟨| + 0.5⟩, dtype=float)⟩
        ⟨1:{tval}[$t] = $h0 * ⟨{scale}|4.0⟩|$east = wp.texture_sample({height_tex}, {tpos}[$t] + wp.vec2(⟨3:1.0|0.5⟩, 0.0), dtype=float)
        $north = wp.texture_sample({height_tex}, {tpos}[$t] + wp.vec2(0.0, ⟨3:1.0|0.5⟩), dtype=float)
        {tval}[$t] = ⟨wp.sqrt(($east - $h0) * ($east - $h0) + ($north - $h0) * ($north - $h0) + 1.0e-4)|wp.abs($east - $h0) + wp.abs($north - $h0)⟩|if $h0 < {level}:
            {tflag}[$t] = {NONE}
            {tval}[$t] = {level}
        else:
            {tflag}[$t] = {tmat}[$t]
            {tval}[$t] = $h0⟩
        """,
        threads="t",
        kinds="texture",
    ),
    Idea(
        "region_mask",
        "read_region_mask apply_stencil test_cookie mask_samples",
        "read a mask at each sample and store ⟨1:its class|the color where the mask is set⟩",
        """
        $texel = wp.texture_sample({mask_tex}, ⟨{uv}[$t]|{uv2}[$t]|wp.vec2({uv}[$t][0], 1.0 - {uv}[$t][1])⟩, dtype=float)
        ⟨1:if $texel < {low_v}:
            {tflag}[$t] = ⟨{MISS}|{NONE}⟩
        elif $texel < {level}⟨| + 0.2⟩:
            {tflag}[$t] = {NEAR}
        else:
            {tflag}[$t] = {TOUCH}
            ⟨wp.atomic_add({bright}, 0, 1)|⟩|if $texel > {level}:
            {tcol}[$t] = {trgb}[$t]⟨| * {light}⟩
            {tflag}[$t] = 1
            ⟨wp.atomic_add({bright}, 0, 1)|⟩
        else:
            {tcol}[$t] = ⟨wp.vec3(0.0, 0.0, 0.0)|{trgb}[$t] * 0.2⟩⟩
        """,
        threads="t",
        kinds="texture",
    ),
    Idea(
        "flow_map",
        "advect_by_flow_map distort_uv move_by_wind flow_lookup",
        "move each ⟨1:sample by the vector of a flow map|sample backward and look up an image there⟩",
        """
        hook sample
        $vel = wp.texture_sample({flow_tex}, {uv}[$t], dtype=wp.vec2)
        ⟨2:|# midpoint rule
        $vel = wp.texture_sample({flow_tex}, {uv}[$t] + $vel * (0.5 * ⟨3:{dt}|{texel}⟩), dtype=wp.vec2)
        ⟩⟨1:{tuv}[$t] = {uv}[$t] + $vel * ⟨3:{dt}|{texel}⟩
        ⟨if wp.length($vel) > {level}:
            {tflag}[$t] = 1|⟩|$back = {uv}[$t] - $vel * ⟨3:{dt}|{texel}⟩
        {tval}[$t] = wp.texture_sample(⟨{image}|{tiled}⟩, $back, dtype=float)⟩
        """,
        threads="t",
        kinds="texture",
    ),
    Idea(
        "color_grade",
        "apply_color_lut grade_colors lookup_lut tone_map_lut",
        "replace each color by that of a table of colors ⟨1:|for a part|where it is bright⟩",
        """
        hook sample
        $rgb = {trgb}[$t]
        $rgba = wp.texture_sample({lut3}, ⟨$rgb|$rgb[0], $rgb[1], $rgb[2]⟩, dtype=wp.vec4)
        $graded = wp.vec3($rgba[0], $rgba[1], $rgba[2])
        ⟨1:{tcol}[$t] = $graded|{tcol}[$t] = wp.lerp($rgb, $graded, ⟨0.5|0.75|$rgba[3]⟩)|if @luma($rgb) > {level}:
            {tcol}[$t] = $graded
            ⟨wp.atomic_add({bright}, 0, 1)
            |⟩⟨{tflag}[$t] = 1|⟩
        else:
            {tcol}[$t] = $rgb⟩
        """,
        threads="t",
        kinds="texture",
    ),
    Idea(
        "fog_march",
        "march_fog accumulate_density ray_march_texture fog_depth",
        "sum up the density along a ray from each sample ⟨1:|and compute the transmittance⟩",
        """
        hook sample
        $total = float(0.0)
        $x0 = {st3}[$t]
        for $k in range(⟨4|6|8⟩):
            ⟨2:$s = (float($k) + 0.5) * {step}
            $total += wp.texture_sample({fog}, $x0 + {tn}[$t] * $s, dtype=float) * {step}|$total += wp.texture_sample({fog}, $x0, dtype=float) * {step}
            $x0 = $x0 + {tn}[$t] * {step}|$d = wp.texture_sample({fog}, $x0 + {tn}[$t] * (float($k) * {step}), dtype=float)
            if $d > {low_v}:
                $total += ($d - {low_v}) * {step}⟩
        ⟨1:{tval}[$t] = $total|{tval}[$t] = wp.exp(-$total⟨| * {scale}⟩)
        ⟨{tcol}[$t] = {trgb}[$t] * wp.exp(-$total)|if $total > {low_v}:
            {tflag}[$t] = 1|⟩⟩
        """,
        threads="t",
        kinds="texture ray_tracing",
    ),
    Idea(
        "triplanar",
        "triplanar_mapping project_texture detail_mapping blend_planes",
        "look up ⟨1:an image along the three axes and blend by the normal|an image and a repeating detail⟩",
        """
        hook sample
        ⟨1:$p0 = {st3}[$t]
        $n = {tn}[$t]
        $tx0 = wp.texture_sample({tiled}, $p0[1] * 2.0, $p0[2] * 2.0, dtype=float)
        $ty0 = wp.texture_sample({tiled}, $p0[2] * 2.0, $p0[0] * 2.0, dtype=float)
        $tz0 = wp.texture_sample({tiled}, $p0[0] * 2.0, $p0[1] * 2.0, dtype=float)
        # the squares of a unit vector sum up to one
        {tval}[$t] = $tx0 * $n[0] * $n[0] + $ty0 * $n[1] * $n[1] + $tz0 * $n[2] * $n[2]|$base = wp.texture_sample({image}, {uv}[$t], dtype=float)
        $fine = wp.texture_sample({tiled}, {uv}[$t] * ⟨4.0|3.0⟩, dtype=float)
        ⟨{tval}[$t] = $base * (0.5 + $fine)|{tval}[$t] = wp.lerp($base, $fine, ⟨0.25|0.5⟩)|if {tmat}[$t] == {which}:
            {tval}[$t] = $base + ($fine - 0.5) * {scale}
        else:
            {tval}[$t] = $base⟩⟩
        """,
        threads="t",
        kinds="texture",
    ),
    Idea(
        "resample_image",
        "resize_image resample zoom_image rotate_image",
        "resample an image: ⟨1:scale it|blur it|turn it⟩",
        """
        $su = (float($z) + 0.5) / float({w})
        $sv = (float($y) + 0.5) / float({h})
        ⟨1:{pix}[$y, $z] = wp.texture_sample(⟨{mirror_tex}|{image}⟩, ⟨$su, $sv|0.25 + 0.5 * $su, 0.25 + 0.5 * $sv|wp.vec2($su, 1.0 - $sv)⟩, dtype=float)|$total = float(0.0)
        ⟨for $k in range(-1, 2):
            $total += wp.texture_sample({mirror_tex}, $su + float($k) * {DU}, $sv, dtype=float)
        {pix}[$y, $z] = $total / 3.0|for $l in range(-1, 2):
            for $k in range(-1, 2):
                $total += wp.texture_sample({mirror_tex}, $su + float($k) * {DU}, $sv + float($l) * {DU}, dtype=float)
        {pix}[$y, $z] = $total / 9.0|for $k in range(⟨2:4|6⟩):
            # along the diagonal
            $total += wp.texture_sample({image}, $su + float($k) * {DU}, $sv + float($k) * {DU}, dtype=float)
        {pix}[$y, $z] = $total / ⟨2:4.0|6.0⟩⟩|$c = wp.cos({TILT})
        $s = wp.sin({TILT})
        # around the center of the image
        $ru = 0.5 + $c * ($su - 0.5) - $s * ($sv - 0.5)
        $rv = 0.5 + $s * ($su - 0.5) + $c * ($sv - 0.5)
        {pix}[$y, $z] = wp.texture_sample(⟨{mirror_tex}|{tiled}|{image}⟩, wp.vec2($ru, $rv), dtype=float)⟩
        """,
        threads="y z",
        kinds="texture image_filter",
    ),
    Idea(
        "image_normals",
        "height_map_normals sobel_normals texture_gradients bake_normal_map",
        "compute ⟨1:the normal map|the slope⟩ of an image of heights",
        """
        $su = (float($z) + 0.5) / float({w})
        $sv = (float($y) + 0.5) / float({h})
        $left = wp.texture_sample({image}, $su - {DU}, $sv, dtype=float)
        $right = wp.texture_sample({image}, $su + {DU}, $sv, dtype=float)
        $under = wp.texture_sample({image}, $su, $sv - {DU}, dtype=float)
        $above = wp.texture_sample({image}, $su, $sv + {DU}, dtype=float)
        $dx = ($right - $left) / (2.0 * {DU})
        $dy = ($above - $under) / (2.0 * {DU})
        ⟨1:$n = wp.vec3(-$dx * ⟨2:{GAIN}|{pixin}[$y, $z]⟩, -$dy * ⟨2:{GAIN}|{pixin}[$y, $z]⟩, 1.0)
        ⟨{pixn}[$y, $z] = wp.normalize($n)|{pixn}[$y, $z] = wp.normalize($n) * 0.5 + wp.vec3(0.5, 0.5, 0.5)⟩|{pix}[$y, $z] = ⟨wp.sqrt($dx * $dx + $dy * $dy + 1.0e-4)|wp.abs($dx) + wp.abs($dy)⟩⟩
        ⟨# 1 at vertical edges
        {pixlab}[$y, $z] = 1 if wp.abs($dx) > wp.abs($dy) else ⟨0|2⟩|⟩
        """,
        threads="y z",
        kinds="texture image_filter",
    ),
    Idea(
        "quantize_image",
        "threshold_image quantize_texture posterize segment_levels",
        "sort each pixel of an image into ⟨1:two|three|several⟩ levels",
        """
        $su = (float($z) + 0.5) / float({w})
        $sv = (float($y) + 0.5) / float({h})
        $texel = wp.texture_sample(⟨{mask_tex}|{mirror_tex}|{image}⟩, wp.vec2($su, $sv), dtype=float)
        ⟨1:if $texel > {HALF}:
            {pixlab}[$y, $z] = 1
            wp.atomic_add({bright}, 0, 1)
        else:
            {pixlab}[$y, $z] = 0|if $texel < {DARK}:
            {pixlab}[$y, $z] = ⟨0|{NONE}⟩
        elif $texel < {DARK} + ⟨0.3|0.25⟩:
            {pixlab}[$y, $z] = 1
        else:
            {pixlab}[$y, $z] = 2
            ⟨wp.atomic_add({bright}, 0, 1)|⟩|$q0 = wp.min(int($texel * ⟨2:8.0|4.0⟩), ⟨2:7|3⟩)
        {pixlab}[$y, $z] = $q0
        ⟨wp.atomic_add({lhist}, $q0, 1)|⟩⟩
        """,
        threads="y z",
        kinds="texture histograms image_filter",
    ),
)
