"""Ideas of the domain `images`: colour spaces, tone mapping, blending, demosaicing, quantization."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

COLORS = (
    Idea(
        "grade",
        "adjust_colors color_grade ⟨1:saturation_contrast|balance_colors|apply_color_matrix⟩",
        "adjust ⟨1:saturation and contrast|the white balance and the contrast|the colours with a matrix⟩ of the image",
        """
        hook begin
        ⟨1:$lum = ⟨@luminance($col)|wp.dot($col, wp.vec3(⟨5:0.2126, 0.7152, 0.0722|0.299, 0.587, 0.114⟩))⟩
        $c = $col * {sat_k} + wp.vec3($lum, $lum, $lum) * (1.0 - {sat_k})
        $c = ($c - wp.vec3(⟨4:0.5, 0.5, 0.5|0.18, 0.18, 0.18⟩)) * {contrast} + wp.vec3(⟨4:0.5, 0.5, 0.5|0.18, 0.18, 0.18⟩)
        |$c = wp.cw_mul($col, wp.vec3({wb_r}, 1.0, {wb_b}))
        $c = ($c - wp.vec3(⟨4:0.5, 0.5, 0.5|0.18, 0.18, 0.18⟩)) * {contrast} + wp.vec3(⟨4:0.5, 0.5, 0.5|0.18, 0.18, 0.18⟩)
        |$c = {ccm}[0] * $col
        ⟨|$c = $c * $expo⟩
        ⟩
        ⟨|if {label}[$y, $x] == {which}:
            # highlight the selected class
            $c = $c + wp.vec3(0.0, 0.2, 0.0)|if $x < {w} // 2:
            # original on the left
            $c = $col|if {mask_b}[$y, $x]:
            $c = 0.5 * ($c + {rgb_b}[$y, $x])⟩
        {rgb_out}[$y, $x] = ⟨$c|wp.max($c, wp.vec3(0.0, 0.0, 0.0))|wp.vec3(wp.clamp($c[0], 0.0, 1.0), wp.clamp($c[1], 0.0, 1.0), wp.clamp($c[2], 0.0, 1.0))⟩
        ⟨1:||⟨|{lum_out}[$y, $x] = @luminance($c)⟩⟩
        hook end
        """,
        threads="y x",
        kinds="vector image_filter multi_dim",
    ),
    Idea(
        "hsv",
        "rgb_to_hsv convert_hsv hue_saturation color_to_hsv",
        "convert colours to hue, saturation and value",
        """
        hook begin
        # channels, 0 to 1
        $r = {rgb}[$y, $x][0]
        $g = {rgb}[$y, $x][1]
        $b = {rgb}[$y, $x][2]
        # largest and smallest channel
        $hi = wp.max($r, wp.max($g, $b))
        $lo = wp.min($r, wp.min($g, $b))
        $delta = $hi - $lo + 0.001

        $hue = float(0.0)
        ⟨# the largest channel decides on the sextant
        |⟩if $r >= $g and $r >= $b:
            ⟨$hue = ($g - $b) / $delta
            if $hue < 0.0:
                $hue += 6.0|$hue = ($g - $b) / $delta + (6.0 if $g < $b else 0.0)⟩
        elif $g >= $b:
            $hue = 2.0 + ($b - $r) / $delta
        else:
            $hue = 4.0 + ($r - $g) / $delta
        {hsv_out}[$y, $x] = wp.vec3($hue / 6.0, $delta / ($hi + 0.001), $hi)
        ⟨|if $delta > {low} and $hi > {thresh}:
            # a saturated, bright pixel
            {mask_out}[$y, $x] = True
            wp.atomic_add({hist}, int(wp.clamp($hue, 0.0, 5.0)), 1)|if $hi < {low}:
            wp.atomic_add({hits}, 0, 1)⟩
        hook end
        """,
        threads="y x",
        kinds="control_flow multi_conditional image_filter multi_dim",
    ),
    Idea(
        "tonemap",
        "tone_map tonemap_image hdr_to_ldr apply_tone_curve",
        "map the radiance of each pixel to a display colour",
        """
        hook begin
        # exposure in linear units
        $c = {hdr}[$y, $x] * $expo
        ⟨1:$l = @luminance($c) + 0.0001
        ⟨# extended Reinhard curve
        |⟩$scale = (1.0 + $l / ({white} * {white})) / (1.0 + $l)
        $c = $c * $scale
        |$c = wp.vec3(@aces($c[0]), @aces($c[1]), @aces($c[2]))
        |# exponential curve of each channel
        $c = wp.vec3(1.0 - wp.exp(-$c[0]), 1.0 - wp.exp(-$c[1]), 1.0 - wp.exp(-$c[2]))
        |$peak = wp.max($c[0], wp.max($c[1], $c[2]))
        if $peak > {white}:
            # keep the hue of overexposed pixels
            $c = $c * ({white} / $peak)
            ⟨wp.atomic_add({hits}, 0, 1)|⟩
        $c = $c / {white}
        ⟩
        ⟨|# vignette
        $u = (float($x) + 0.5) / float({w}) - 0.5
        $v2 = (float($y) + 0.5) / float({h}) - 0.5
        $c = $c * (1.0 - ⟨0.5|0.8⟩ * ($u * $u + $v2 * $v2))|if {mask_b}[$y, $x]:
            # dim the masked pixels
            $c = 0.5 * $c⟩
        {ldr_out}[$y, $x] = ⟨$c|wp.vec3(@encode($c[0]), @encode($c[1]), @encode($c[2]))|wp.vec3(wp.pow($c[0] + 0.01, 1.0 / {gam}), wp.pow($c[1] + 0.01, 1.0 / {gam}), wp.pow($c[2] + 0.01, 1.0 / {gam}))⟩
        hook end
        """,
        threads="y x",
        kinds="math vector image_filter multi_dim",
    ),
    Idea(
        "blend",
        "blend_layers composite_over blend_images apply_blend_mode",
        "blend the foreground with the background by the mode of each pixel",
        """
        hook begin
        # foreground and background
        $top = {rgb}[$y, $x]
        $under = {rgb_b}[$y, $x]
        $a = {alpha}[$y, $x]
        ⟨|if not {mask}[$y, $x]:
            {rgb_out}[$y, $x] = $under
            return
        ⟩
        $mix = $top
        ⟨$m = {mode}[$y, $x]
        if $m == {MULTIPLY}:
            $mix = wp.cw_mul($top, $under)
        elif $m == {SCREEN}:
            $mix = $top + $under - wp.cw_mul($top, $under)
        ⟨elif $m != {NORMAL}:
            # add and limit
            $mix = wp.min($top + $under, wp.vec3(1.0, 1.0, 1.0))|⟩
        |if {mode}[$y, $x] == {NORMAL}:
            $mix = $top
        elif {mode}[$y, $x] == {MULTIPLY}:
            $mix = wp.cw_mul($top, $under)
        elif {mode}[$y, $x] == {SCREEN}:
            $one = wp.vec3(1.0, 1.0, 1.0)
            $mix = $one - wp.cw_mul($one - $top, $one - $under)
        else:
            $mix = 0.5 * ($top + $under)
        ⟩
        {rgb_out}[$y, $x] = ⟨$under + ($mix - $under) * $a|$mix * $a + $under * (1.0 - $a)|wp.lerp($under, $mix, $a)⟩
        hook end
        """,
        threads="y x",
        kinds="combined vector control_flow multi_conditional multi_dim",
    ),
    Idea(
        "over",
        "composite_layers alpha_composite accumulate_layers front_to_back",
        "composite four layers of each pixel ⟨4:over the background|front to back⟩",
        """
        hook begin
        $color = wp.vec3()
        # transmittance of the layers so far
        $through = float(1.0)
        for $k in range(4):
            $s = {layers}[$k, $y, $x]
            ⟨if $s[3] < ⟨0.05|0.1⟩:
                # nearly transparent
                continue
            |⟩$w = $through * $s[3]
            $color = $color + wp.vec3($s[0], $s[1], $s[2]) * $w
            $through = $through * (1.0 - $s[3])

        ⟨4:⟨$color = $color + {rgb_b}[$y, $x] * $through
        {rgb_out}[$y, $x] = $color|{rgb_out}[$y, $x] = $color + $through * {rgb_b}[$y, $x]⟩|{rgba_out}[$y, $x] = wp.vec4($color[0], $color[1], $color[2], 1.0 - $through)⟩
        ⟨|if $through < 0.1:
            # opaque pixel
            wp.atomic_add({hits}, 0, 1)|{lum_out}[$y, $x] = @luminance($color)⟩
        hook end
        """,
        threads="y x",
        kinds="vector combined multi_dim",
        docs="Volume-rendering style compositing of a short list of layers",
    ),
    Idea(
        "demosaic",
        "demosaic_bilinear debayer interpolate_bayer raw_to_rgb",
        "interpolate the colour of each pixel from a Bayer pattern",
        """
        hook begin
        $v = {mosaic}[$y, $x]
        # neighbours that share an edge or a corner
        $cross = 0.25 * ({mosaic}[$yu, $x] + {mosaic}[$yd, $x] + {mosaic}[$y, $xl] + {mosaic}[$y, $xr])
        $diag = 0.25 * ({mosaic}[$yu, $xl] + {mosaic}[$yu, $xr] + {mosaic}[$yd, $xl] + {mosaic}[$yd, $xr])
        $hor = 0.5 * ({mosaic}[$y, $xl] + {mosaic}[$y, $xr])
        $ver = 0.5 * ({mosaic}[$yu, $x] + {mosaic}[$yd, $x])

        ⟨$site = ($y % 2) * 2 + $x % 2
        if $site == 0:
            # red
            {rgb_out}[$y, $x] = wp.vec3($v, $cross, $diag)
        elif $site == 1:
            {rgb_out}[$y, $x] = wp.vec3($hor, $v, $ver)
        elif $site == 2:
            {rgb_out}[$y, $x] = wp.vec3($ver, $v, $hor)
        else:
            {rgb_out}[$y, $x] = wp.vec3($diag, $cross, $v)
        |$rgb = wp.vec3($v, $cross, $diag)
        if $y & 1 == 0:
            if $x & 1 == 1:
                # green in a red row
                $rgb = wp.vec3($hor, $v, $ver)
        else:
            if $x & 1 == 0:
                $rgb = wp.vec3($ver, $v, $hor)
            else:
                $rgb = wp.vec3($diag, $cross, $v)
        {rgb_out}[$y, $x] = ⟨$rgb|$rgb * $expo|wp.cw_mul($rgb, wp.vec3({wb_r}, 1.0, {wb_b}))⟩
        ⟩
        ⟨|if $v > 0.9:
            # close to saturation
            {mask_out}[$y, $x] = False
            wp.atomic_add({hits}, 0, 1)
        else:
            {mask_out}[$y, $x] = True⟩
        hook end
        """,
        threads="y x",
        kinds="control_flow vector multi_conditional image_filter multi_dim",
    ),
    Idea(
        "dither",
        "ordered_dither quantize_levels posterize dither_image",
        "reduce the grey levels⟨1: with an ordered dither| by rounding⟩",
        """
        ⟨hook begin|⟩
        # grey level, 0 to 255
        $g = {gray}[$y, $x]
        ⟨$step = 256 // {levels}
        |$step = 255 // ({levels} - 1)
        ⟩
        ⟨1:# threshold of the 4 x 4 pattern
        $t = {bayer}[⟨$y % 4, $x % 4|$y & 3, $x & 3⟩]
        $level = $g // $step
        $rest = $g - $level * $step
        if $rest * 16 > $t * $step:
            $level += 1
        |$level = ($g + $step // 2) // $step
        ⟩
        ⟨{quant_out}[$y, $x] = wp.min($level, {levels} - 1)|{gray_out}[$y, $x] = wp.min($level * $step, 255)
        ⟨if wp.abs(wp.min($level * $step, 255) - $g) > {delta}:
            wp.atomic_add({changed}, 0, 1)|⟩⟩
        hook end
        """,
        threads="y x",
        kinds="arithmetic image_filter multi_dim",
        integer=True,
    ),
    Idea(
        "pack",
        "pack_colors unpack_blend adjust_packed packed_ops",
        "⟨1:average packed colours and a grey image|darken packed colours|swap the red and blue bytes of packed colours|compute the grey level of packed colours⟩",
        """
        hook begin
        # bytes from low to high: red, green, blue
        $px = {packed}[$y, $x]
        $r = @channel($px, 0)
        $g = @channel($px, 1)
        $b = @channel($px, 2)
        ⟨1:$v = {gray}[$y, $x]
        $r = ($r + $v) // 2
        $g = ($g + $v) // 2
        $b = ($b + $v) // 2
        {packed_out}[$y, $x] = $r + ($g << 8) + ($b << 16)
        |if {label}[$y, $x] ⟨== {BACKGROUND}|!= {which}⟩:
            $r = $r >> 1
            $g = $g >> 1
            $b = $b >> 1
        {packed_out}[$y, $x] = ($b << 16) + ($g << 8) + $r
        |{packed_out}[$y, $x] = $b + ($g << 8) + ($r << 16)
        ⟨|if $r > $b:
            wp.atomic_add({hits}, 0, 1)⟩
        |# integer weights that sum up to 256
        $v = (77 * $r + 150 * $g + 29 * $b) >> 8
        {gray_out}[$y, $x] = $v
        ⟨|if $v > $cut:
            {bits_out}[$y, $x] = 1
        else:
            {bits_out}[$y, $x] = 0|wp.atomic_add({hist}, $v // 16, 1)⟩
        ⟩
        hook end
        """,
        threads="y x",
        kinds="arithmetic integer_bits helper_functions multi_dim",
        integer=True,
    ),
)
