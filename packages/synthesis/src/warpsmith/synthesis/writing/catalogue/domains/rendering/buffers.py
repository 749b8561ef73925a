"""Ideas of the domain `rendering`: packed pixels, sprites, dithering, id buffers, depth tests, histograms, clears."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

BUFFERS = (
    Idea(
        "pack_pixels",
        "pack_pixels encode_rgb8 write_packed_colors colors_to_int",
        "pack the color of each pixel into an integer, ⟨1:8 bits for each channel|5, 6 and 5 bits|8 bits for each channel in reverse order⟩",
        """
        hook pixel
        $r8 = @channel($rgb_in[0]⟨2:| * {exposure}⟩)
        $g8 = @channel($rgb_in[1]⟨2:| * {exposure}⟩)
        $b8 = @channel($rgb_in[2]⟨2:| * {exposure}⟩)
        ⟨|if {ids}[$y, $x] == {wanted}:
            # mark the selected object
            $r8 = 255
        ⟩⟨1:{img_i}[$y, $x] = ⟨$r8 + ($g8 << 8) + ($b8 << 16)|$r8 | ($g8 << 8) | ($b8 << 16)⟩|{img_i}[$y, $x] = (($r8 >> 3) << 11) + (($g8 >> 2) << 5) + ($b8 >> 3)|{img_i}[$y, $x] = $b8 | ($g8 << 8) | ($r8 << 16)⟩
        ⟨|if $r8 + $g8 + $b8 > ⟨600|500⟩:
            # nearly white
            wp.atomic_add({counter}, 0, 1)⟩
        """,
        threads="y x",
        kinds="arithmetic integer_bits helper_functions",
    ),
    Idea(
        "unpack_pixels",
        "unpack_pixels decode_packed swizzle_pixels extract_channels",
        "⟨1:exchange red and blue of packed pixels|reduce packed pixels to gray|invert packed pixels|keep one channel of packed pixels⟩",
        """
        $word = {packed}[$y, $x]
        ⟨if {ids}[$y, $x] == {NO_HIT}:
            {img_i}[$y, $x] = 0
            return
        |if {ids}[$y, $x] == {wanted}:
            # the selected object keeps its color
            {img_i}[$y, $x] = $word
            return
        |⟩$r8 = $word & 255
        $g8 = ($word >> 8) & 255
        $b8 = ($word >> 16) & 255
        ⟨1:{img_i}[$y, $x] = $b8 | ($g8 << 8) | ($r8 << 16)|⟨# integer weights of the luma
        |⟩$gray = (77 * $r8 + 150 * $g8 + 29 * $b8) >> 8
        {img_i}[$y, $x] = ⟨$gray|$gray * 65793⟩|{img_i}[$y, $x] = (255 - $r8) + ((255 - $g8) << 8) + ((255 - $b8) << 16)|$pick = {mode}[$y, $x]
        if $pick == 0:
            {img_i}[$y, $x] = $r8
        elif $pick == 1:
            {img_i}[$y, $x] = $g8
        elif $pick == 2:
            {img_i}[$y, $x] = $b8
        else:
            {img_i}[$y, $x] = wp.max($r8, wp.max($g8, $b8))⟩
        ⟨|wp.atomic_add({bins}, $g8 >> 4, 1)|if $r8 > $b8:
            # warm pixels
            wp.atomic_add({counter}, 0, 1)⟩
        """,
        threads="y x",
        kinds="arithmetic integer_bits",
        integer=True,
    ),
    Idea(
        "sprite",
        "blit_sprite draw_sprite stamp_glyph copy_sprite",
        "draw a sprite ⟨1:at an offset|repeatedly|mirrored⟩ and leave transparent pixels unchanged",
        """
        ⟨1:$sx = $x - {ox}
        $sy = $y - {oy}
        if $sx < 0 or $sx >= {tw} or $sy < 0 or $sy >= {th}:
            {img_i}[$y, $x] = {packed}[$y, $x]
            return|$sx = ($x + {frame}) % {tw}
        $sy = ($y + {frame} // 2) % {th}|$sx = {tw} - 1 - ($x - {ox})
        $sy = $y - {oy}
        if $sx < 0 or $sx >= {tw}:
            return
        if $sy < 0 or $sy >= {th}:
            return⟩
        $entry = {sprite}[$sy, $sx]
        ⟨if $entry < 0:
            # transparent
            {img_i}[$y, $x] = {packed}[$y, $x]
        else:
            {img_i}[$y, $x] = {palette}[$entry]
            ⟨# the sprite belongs to the selected object
            {img_id}[$y, $x] = {wanted}|wp.atomic_add({counter}, 0, 1)⟩|if $entry == -1:
            return
        {img_i}[$y, $x] = {palette}[⟨$entry|($entry + {frame}) % 64⟩]
        ⟨wp.atomic_add({counter}, 0, 1)|{img_id}[$y, $x] = {wanted}⟩|{img_i}[$y, $x] = {packed}[$y, $x]
        if $entry >= 0:
            # the selected object stays in front
            if {ids}[$y, $x] != {wanted}:
                {img_i}[$y, $x] = {palette}[$entry]
                wp.atomic_add({counter}, 0, 1)⟩
        """,
        threads="y x",
        kinds="control_flow multi_conditional early_exit gather_scatter",
        integer=True,
    ),
    Idea(
        "dither",
        "ordered_dither dither_image threshold_pixels quantize_dithered",
        "reduce the gray value of packed pixels with ⟨1:a threshold pattern|a pattern and a few levels⟩",
        """
        $gray = {packed}[$y, $x] & 255
        ⟨if {ids}[$y, $x] < 0:
            return
        |⟩$limit = {bayer}[$y ⟨% 4|& 3⟩, ⟨$x|($x + {frame})⟩ ⟨% 4|& 3⟩]
        ⟨1:if $gray > $limit * 16:
            {img_i}[$y, $x] = ⟨255|1⟩
            ⟨wp.atomic_add({counter}, 0, 1)|⟩
        else:
            {img_i}[$y, $x] = 0|$level = $gray // 64
        ⟨# the remainder decides between two levels
        |⟩if ($gray % 64) > $limit * 4 and $level < 3:
            $level += 1
        {img_i}[$y, $x] = $level
        ⟨wp.atomic_add({bins}, $level, 1)|⟩⟩
        """,
        threads="y x",
        kinds="arithmetic integer_bits image_filter",
        integer=True,
    ),
    Idea(
        "id_edges",
        "find_id_edges outline_objects segment_borders mark_boundaries",
        "mark the pixels at the border of ⟨1:any object|the selected object⟩ in a buffer of ids",
        """
        $here_id = {ids}[$y, $x]
        ⟨if $here_id == {NO_HIT}:
            {img_i}[$y, $x] = 0
            return
        |⟩⟨1:|if $here_id != {wanted}:
            ⟨{img_i}[$y, $x] = 0
            |⟩return
        ⟩$edges = int(0)
        ⟨if $x > 0:
            if {ids}[$y, $x - 1] != $here_id:
                $edges += 1
        if $x + 1 < {w}:
            if {ids}[$y, $x + 1] != $here_id:
                $edges += 1
        if $y > 0:
            if {ids}[$y - 1, $x] != $here_id:
                $edges += 1
        ⟨if $y + 1 < {h}:
            if {ids}[$y + 1, $x] != $here_id:
                $edges += 1|⟩|for $dy in range(-1, 2):
            for $dx in range(-1, 2):
                # clamp to the image
                $ny = wp.clamp($y + $dy, 0, {h} - 1)
                $nx = wp.clamp($x + $dx, 0, {w} - 1)
                if {ids}[$ny, $nx] != $here_id:
                    $edges += 1|$left_id = {ids}[$y, wp.max($x - 1, 0)]
        $upper_id = {ids}[wp.max($y - 1, 0), $x]
        if $left_id != $here_id:
            $edges += 1
        if $upper_id != $here_id⟨| and $upper_id >= 0⟩:
            $edges += 1⟩
        {img_i}[$y, $x] = ⟨$edges|1 if $edges > 0 else 0|255 if $edges ⟨> 1|> 0⟩ else 0⟩
        ⟨|if $edges > 1:
            wp.atomic_add({counter}, 0, 1)|wp.atomic_max({stats}, 0, $edges)⟩
        """,
        threads="y x",
        kinds="control_flow multi_conditional stencil image_filter",
        integer=True,
    ),
    Idea(
        "z_test",
        "depth_test write_depth z_prepass rasterize_depth",
        "write the depth of each point in mm to the depth buffer of ⟨1:its pixel|its pixel and the pixel to the right⟩",
        """
        hook point
        # the camera stands two meters in front of the points
        $z = $pt[2] + 2.0
        ⟨if $z < {near} * 10.0:
            # too close to the camera
            ⟨wp.atomic_add({stats}, 1, 1)
            |⟩return
        |⟩$sx = int(wp.floor(($pt[0] * {focal} ⟨2:/ $z|* 0.4⟩ + 0.5) * float({w})))
        $sy = int(wp.floor((0.5 - $pt[1] * {focal} ⟨2:/ $z|* 0.4⟩) * float({h})))
        if $sx < 0 or $sx >= {w}⟨1:| - 1⟩:
            return
        if $sy >= 0 and $sy < {h}:
            wp.atomic_min({zbuf}, $sy, $sx, int($z * 1000.0))
            ⟨1:|wp.atomic_min({zbuf}, $sy, $sx + 1, int($z * 1000.0))
            ⟩⟨wp.atomic_add({tile_count}, wp.min($sy // {TILE}, 3), wp.min($sx // {TILE}, 3), 1)|wp.atomic_add({counter}, 0, 1)|⟩
        """,
        threads="p",
        kinds="atomic control_flow early_exit combined atomics",
    ),
    Idea(
        "brightness",
        "luminance_histogram brightness_bins measure_exposure count_brightness",
        "count the pixels of each ⟨1:brightness|logarithmic brightness|dominant channel⟩",
        """
        hook pixel
        ⟨1:$luma_k = @luminance($rgb_in)
        $bin = wp.clamp(int($luma_k * ⟨8.0|10.0⟩), 0, 15)|$luma_k = @luminance($rgb_in)
        ⟨# one bin for each half stop
        |⟩$bin = wp.clamp(int(wp.log2($luma_k + 0.02) * 2.0 + 12.0), 0, 15)|$bin = int(0)
        if $rgb_in[1] > $rgb_in[0] and $rgb_in[1] >= $rgb_in[2]:
            $bin = 1
        elif $rgb_in[2] > $rgb_in[0]:
            $bin = 2⟩
        wp.atomic_add({bins}, $bin, 1)
        ⟨|{img_i}[$y, $x] = $bin|if $bin >= ⟨1:12|12|2⟩:
            # ⟨1:overexposed|overexposed|mostly blue⟩
            wp.atomic_add({counter}, 0, 1)
            {img_i}[$y, $x] = 1
        else:
            {img_i}[$y, $x] = 0|if $bin >= ⟨1:12|12|2⟩:
            wp.atomic_add({tile_count}, wp.min($y // {TILE}, 3), wp.min($x // {TILE}, 3), 1)⟩
        """,
        threads="y x",
        kinds="atomic histograms atomics",
    ),
    Idea(
        "clear",
        "clear_buffers reset_frame init_framebuffer clear_image",
        "clear ⟨1:ids and packed colors|the pixels of the background|the lines of one field|all but the selected object⟩",
        """
        ⟨1:{img_id}[$y, $x] = {NO_HIT}
        {img_i}[$y, $x] = ⟨0|{palette}[0]|16777215⟩|if {ids}[$y, $x] ⟨== {NO_HIT}|< 0⟩:
            {img_i}[$y, $x] = ⟨0|{palette}[0]⟩
        else:
            {img_i}[$y, $x] = {packed}[$y, $x]|if $y % 2 == {frame} % 2:
            {img_i}[$y, $x] = 0
        ⟨else:
            {img_i}[$y, $x] = {packed}[$y, $x]|⟩|if {ids}[$y, $x] != {wanted}:
            {img_id}[$y, $x] = {NO_HIT}
            ⟨{img_i}[$y, $x] = 0
            |⟩return
        {img_id}[$y, $x] = {wanted}⟩
        ⟨|if $y == 0 and $x < 8:
            {stats}[$x] = 0⟩
        """,
        threads="y x",
        kinds="arithmetic multi_dim",
        integer=True,
    ),
    Idea(
        "copy_image",
        "flip_image copy_region scroll_image crop_image",
        "copy packed pixels ⟨1:upside down|scrolled|with doubled pixels|cropped⟩",
        """
        ⟨1:$from_x = ⟨$x|{w} - 1 - $x⟩
        $from_y = {h} - 1 - $y|$from_x = ($x + {frame}) % {w}
        $from_y = ⟨$y|($y + {frame}) % {h}⟩|$from_x = $x // 2
        $from_y = $y // 2|$from_x = $x + {ox}
        $from_y = $y + {oy}
        if $from_x < 0 or $from_x >= {w} or $from_y < 0 or $from_y >= {h}:
            {img_i}[$y, $x] = ⟨0|{palette}[0]⟩
            return⟩
        {img_i}[$y, $x] = {packed}[$from_y, $from_x]
        ⟨|{img_id}[$y, $x] = {ids}[$from_y, $from_x]|if {ids}[$from_y, $from_x] == {wanted}:
            # pixels of the selected object
            wp.atomic_add({counter}, 0, 1)⟩
        """,
        threads="y x",
        kinds="arithmetic multi_dim gather_scatter",
        integer=True,
    ),
)
