"""Ideas of the domain `rendering`: tone mapping, fog, layers, samples, color spaces, splats."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

IMAGES = (
    Idea(
        "tone_map",
        "tone_map apply_tone_mapping develop_image map_brightness",
        "map the brightness of each pixel ⟨1:with one operator|with the operator of the pixel⟩",
        """
        hook pixel
        $rgb = {color}[$y, $x]⟨| * {exposure}⟩
        ⟨hook tone
        |⟩⟨1:⟨$rgb = wp.vec3($rgb[0] / (1.0 + $rgb[0]), $rgb[1] / (1.0 + $rgb[1]), $rgb[2] / (1.0 + $rgb[2]))|$rgb = wp.vec3(1.0 - wp.exp(-$rgb[0]), 1.0 - wp.exp(-$rgb[1]), 1.0 - wp.exp(-$rgb[2]))|$luma_in = @luminance($rgb)
        $rgb = $rgb * (1.0 / (1.0 + $luma_in))⟩|$op = {mode}[$y, $x]
        if $op == 0:
            $rgb = $rgb * (1.0 / (1.0 + @luminance($rgb)))
        elif $op == 1:
            # exponential film response
            $rgb = wp.vec3(1.0 - wp.exp(-$rgb[0]), 1.0 - wp.exp(-$rgb[1]), 1.0 - wp.exp(-$rgb[2]))
        elif $op == 2:
            $rgb = wp.vec3(wp.min($rgb[0], 1.0), wp.min($rgb[1], 1.0), wp.min($rgb[2], 1.0))
        ⟨|else:
            $rgb = wp.vec3(1.0, 1.0, 1.0) * @luminance($rgb)⟩⟩
        ⟨# gamma of displays
        {img_rgb}[$y, $x] = wp.vec3(wp.pow($rgb[0] + 0.01, 0.4545), wp.pow($rgb[1] + 0.01, 0.4545), wp.pow($rgb[2] + 0.01, 0.4545))|{img_rgb}[$y, $x] = $rgb|{img_rgb}[$y, $x] = {rgb_mat}[0] * $rgb⟩
        ⟨|{img_i}[$y, $x] = @channel(@luminance($rgb))|{img_f}[$y, $x] = @luminance($rgb)⟩
        """,
        threads="y x",
        kinds="math vector control_flow image_filter",
    ),
    Idea(
        "color_space",
        "convert_colors apply_color_matrix transform_colors correct_colors",
        "⟨1:convert each pixel by a color matrix|convert each pixel to luma and color differences|change the saturation of each pixel⟩",
        """
        hook pixel
        ⟨1:$rgb = {rgb_mat}[0] * $rgb_in|$luma_in = @luminance($rgb_in)
        $rgb = wp.vec3($luma_in, ($rgb_in[2] - $luma_in) * 0.5389, ($rgb_in[0] - $luma_in) * 0.635)|$gray = @luminance($rgb_in)
        $rgb = wp.vec3($gray, $gray, $gray) * (1.0 - {saturation}) + $rgb_in * {saturation}⟩
        {img_rgb}[$y, $x] = ⟨1:⟨$rgb|$rgb * {exposure}|wp.max($rgb, wp.vec3(0.0, 0.0, 0.0))⟩|$rgb|⟨$rgb|wp.max($rgb, wp.vec3(0.0, 0.0, 0.0))⟩⟩
        ⟨|{img_f}[$y, $x] = ⟨1:wp.max($rgb[0], wp.max($rgb[1], $rgb[2]))|$luma_in|$gray⟩|if $rgb_in[0] > $rgb_in[2]:
            # warm pixels
            wp.atomic_add({counter}, 0, 1)⟩
        """,
        threads="y x",
        kinds="matrix vector",
    ),
    Idea(
        "fog",
        "apply_fog depth_fog blend_fog fog_pass",
        "blend each pixel with the color of the fog by its depth, ⟨1:exponentially|with the square of the depth|by mode⟩",
        """
        hook pixel
        $z = {depth}[$y, $x]
        ⟨1:$clear = wp.exp(-{fog} * $z)|$clear = wp.exp(-{fog} * {fog} * $z * $z)|$clear = float(1.0)
        if {mode}[$y, $x] == 1:
            $clear = wp.exp(-{fog} * $z)
        elif {mode}[$y, $x] == 2:
            $clear = wp.exp(-{fog} * {fog} * $z * $z)
        elif {mode}[$y, $x] == 3:
            $clear = wp.clamp(1.0 - $z / {far}, 0.0, 1.0)⟩
        $haze = ⟨wp.vec3(0.7, 0.8, 0.9)|wp.vec3(0.5, 0.6, 0.7)|wp.vec3({ambient}, {ambient}, 0.2)⟩ * {exposure}
        {img_rgb}[$y, $x] = ⟨$rgb_in * $clear + $haze * (1.0 - $clear)|$haze + ($rgb_in - $haze) * $clear|wp.lerp($haze, $rgb_in, $clear)⟩
        ⟨|if $clear < 0.5:
            {img_id}[$y, $x] = {NO_HIT}
        else:
            {img_id}[$y, $x] = {ids}[$y, $x]|{img_f}[$y, $x] = 1.0 - $clear⟩
        """,
        threads="y x",
        kinds="math vector scalar_param",
    ),
    Idea(
        "lens_blur",
        "circle_of_confusion blur_radius defocus_amount depth_of_field_radius",
        "compute the blur radius of each pixel from its depth and the lens⟨1:| and limit it| and classify the pixels in front of and behind the focus⟩",
        """
        hook pixel
        $z = {depth}[$y, $x]
        # signed: negative in front of the plane in focus
        $blur = {aperture} * {focal} * ($z - {focus}) / ($z * {focus})
        ⟨# in pixels
        $blur = $blur * (0.5 * float({h}))
        |⟩⟨1:{img_f}[$y, $x] = ⟨wp.abs($blur)|$blur⟩|{img_f}[$y, $x] = ⟨wp.clamp($blur, -⟨3:0.5|0.25⟩, ⟨3:0.5|0.25⟩)|wp.min(wp.abs($blur), ⟨0.5|0.25⟩)⟩|{img_f}[$y, $x] = $blur
        if $z < {focus} - {blend}:
            {img_i}[$y, $x] = -1
        elif $z > {focus} + {blend}:
            {img_i}[$y, $x] = 1
        else:
            # sharp
            {img_i}[$y, $x] = 0
            ⟨wp.atomic_add({counter}, 0, 1)|⟩⟩
        """,
        threads="y x",
        kinds="arithmetic scalar_param",
    ),
    Idea(
        "vignette",
        "apply_vignette darken_corners lens_shading correct_falloff",
        "⟨1:darken|brighten⟩ each pixel by its distance from the center of the image",
        """
        hook pixel
        $u = (float($x) + 0.5) / float({w}) - 0.5
        $v = (float($y) + 0.5) / float({h}) - 0.5
        $r2 = $u * $u + $v * $v
        ⟨$share = 1.0 + {vig} * $r2|$share = 1.0 + {vig} * $r2 + 0.5 * {vig} * $r2 * $r2|$share = wp.exp({vig} * $r2)|# inverse of the cosine to the fourth power
        $share = (1.0 + {vig} * $r2) * (1.0 + {vig} * $r2)⟩
        {img_rgb}[$y, $x] = $rgb_in ⟨1:/|*⟩ $share
        ⟨|{img_f}[$y, $x] = $share|if $r2 > 0.25:
            # outside of the image circle
            {img_id}[$y, $x] = {NO_HIT}
        else:
            {img_id}[$y, $x] = {ids}[$y, $x]⟩
        """,
        threads="y x",
        kinds="arithmetic scalar_param vector",
    ),
    Idea(
        "composite",
        "composite_layers depth_composite merge_layers combine_buffers",
        "combine two layers ⟨1:by depth|by opacity|by depth and opacity⟩",
        """
        hook pixel
        ⟨1:if {depth_b}[$y, $x] < {depth}[$y, $x]:
            {img_rgb}[$y, $x] = {color_b}[$y, $x]
            {img_z}[$y, $x] = {depth_b}[$y, $x]
            ⟨2:{img_id}[$y, $x] = 1|# the second layer shows no object
            {img_id}[$y, $x] = {NO_HIT}
            wp.atomic_add({counter}, 0, 1)⟩
        else:
            {img_rgb}[$y, $x] = {color}[$y, $x]
            {img_z}[$y, $x] = {depth}[$y, $x]
            {img_id}[$y, $x] = ⟨2:0|{ids}[$y, $x]⟩|$a = {alpha}[$y, $x]
        ⟨if {ids}[$y, $x] == {NO_HIT}:
            # nothing below the second layer
            {img_rgb}[$y, $x] = {color_b}[$y, $x] * $a
            return
        |⟩{img_rgb}[$y, $x] = {color}[$y, $x] * (1.0 - $a) + {color_b}[$y, $x] * $a
        {img_f}[$y, $x] = $a|$a = {alpha}[$y, $x]
        if {depth_b}[$y, $x] > {depth}[$y, $x]⟨| + {blend}⟩:
            ⟨# hidden
            $a = 0.0|# hidden parts shine through a little
            $a = $a * 0.2⟩
        {img_rgb}[$y, $x] = ⟨{color}[$y, $x] * (1.0 - $a) + {color_b}[$y, $x] * $a|wp.lerp({color}[$y, $x], {color_b}[$y, $x], $a)⟩
        {img_z}[$y, $x] = wp.min({depth}[$y, $x], {depth_b}[$y, $x])⟩
        """,
        threads="y x",
        kinds="control_flow combined",
    ),
    Idea(
        "accumulate",
        "accumulate_samples add_frame accumulate_film progressive_update",
        "add the color of each pixel to the accumulation buffer⟨1:| with a weight| unless it is invalid⟩ and count the samples",
        """
        hook pixel
        ⟨1:{accum}[$y, $x] += $rgb_in|$weight = 1.0 / (1.0 + @luminance($rgb_in))
        {accum}[$y, $x] += $rgb_in * $weight
        ⟨{img_f}[$y, $x] = $weight|⟩|⟨if @luminance($rgb_in) > {threshold}:
            # fireflies are dropped
            wp.atomic_add({counter}, 0, 1)
            return
        {accum}[$y, $x] += $rgb_in|if {ids}[$y, $x] == {NO_HIT}:
            return
        {accum}[$y, $x] += $rgb_in⟩⟩
        {hits}[$y, $x] = {hits}[$y, $x] + 1
        ⟨|wp.atomic_add({energy}, 0, @luminance($rgb_in))|if {hits}[$y, $x] > 2:
            # converged
            {img_i}[$y, $x] = 1|wp.atomic_add({stats}, 1, 1)⟩
        """,
        threads="y x",
        kinds="vector combined",
    ),
    Idea(
        "resolve",
        "resolve_samples antialias average_samples filter_subpixels",
        "average the samples of each pixel⟨1:| with the weights of a filter| with less weight for bright samples⟩",
        """
        hook pixel
        $sum = wp.vec3()
        ⟨1:for $k in range(4):
            $sum += {samples}[$y, $x, $k]
        {img_rgb}[$y, $x] = $sum * 0.25|$total_w = float(0.0)
        # the grid of samples moves in every other frame
        $shift = 0.125 * float({frame} % 2)
        for $k in range(4):
            # offset of the sample from the center of the pixel
            $ox_k = 0.5 * float($k % 2) - 0.25 + $shift
            $oy_k = 0.5 * float($k // 2) - 0.25 + $shift
            $w_k = ⟨wp.exp(-⟨2.0|4.0⟩ * ($ox_k * $ox_k + $oy_k * $oy_k))|(1.0 - wp.abs($ox_k)) * (1.0 - wp.abs($oy_k))⟩
            $sum += {samples}[$y, $x, $k] * $w_k
            $total_w += $w_k
        {img_rgb}[$y, $x] = $sum / $total_w|$total_w = float(0.0)
        for $k in range(4):
            $w_k = 1.0 / (1.0 + @luminance({samples}[$y, $x, $k]))
            $sum += {samples}[$y, $x, $k] * $w_k
            $total_w += $w_k
        {img_rgb}[$y, $x] = $sum / $total_w⟩
        ⟨|$bright = int(0)
        for $k in range(4):
            if @luminance({samples}[$y, $x, $k]) > {threshold}:
                $bright += 1
        ⟨{img_i}[$y, $x] = $bright|if $bright >= 2:
            # bright enough for bloom
            {img_i}[$y, $x] = 1
            wp.atomic_add({counter}, 0, 1)
        else:
            {img_i}[$y, $x] = 0⟩|$spread = float(0.0)
        for $k in range(1, 4):
            $step_rgb = {samples}[$y, $x, $k] - {samples}[$y, $x, $k - 1]
            $spread += wp.dot($step_rgb, $step_rgb)
        {img_f}[$y, $x] = $spread⟩
        """,
        threads="y x",
        kinds="vector nested_loop combined image_filter",
        docs="Four samples for each pixel, on a two by two grid",
    ),
    Idea(
        "splat_points",
        "splat_points scatter_points rasterize_points accumulate_splats",
        "splat points to ⟨1:the nearest pixel|the four nearest pixels⟩ of the image",
        """
        hook point
        $sx = ($pt[0] * 0.4 + 0.5) * float({w})
        $sy = (0.5 - $pt[1] * 0.4) * float({h})
        $ix = int(wp.floor($sx))
        $iy = int(wp.floor($sy))
        ⟨1:if $ix < 0 or $iy < 0 or $ix >= {w} or $iy >= {h}:
            # outside of the image
            ⟨wp.atomic_add({counter}, 0, 1)
            |⟩return
        $weight = ⟨wp.exp(-$pt[2] * $pt[2])|{pt_size}[$p]⟩
        wp.atomic_add({splat}, $iy, $ix, {pt_rgb}[$p] * $weight)
        wp.atomic_add({splat_w}, $iy, $ix, $weight)|for $k in range(4):
            $cx = $ix + $k % 2
            $cy = $iy + $k // 2
            if $cx >= 0 and $cx < {w} and $cy >= 0 and $cy < {h}:
                $gap_x = $sx - float($cx)
                $gap_y = $sy - float($cy)
                $weight = ⟨wp.exp(-($gap_x * $gap_x + $gap_y * $gap_y) / {pt_size}[$p])|(1.0 - wp.abs($gap_x)) * (1.0 - wp.abs($gap_y))⟩
                wp.atomic_add({splat}, $cy, $cx, {pt_rgb}[$p] * $weight)
                wp.atomic_add({splat_w}, $cy, $cx, $weight)⟩
        ⟨|if {pt_size}[$p] > 1.0:
            # large splats
            wp.atomic_add({stats}, 3, 1)⟩
        """,
        threads="p",
        kinds="atomic combined control_flow gather_scatter atomics",
    ),
)
