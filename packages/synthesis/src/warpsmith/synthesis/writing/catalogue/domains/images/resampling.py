"""Ideas of the domain `images`: copies, resampling, warping, depth."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

RESAMPLING = (
    Idea(
        "copy",
        "rearrange_pixels copy_region copy_pixels remap_image",
        "⟨1:flip the image from left to right|flip the image upside down|rotate the image by half a turn|crop a part of the image|take every second pixel of the image|shift the image with wrap-around⟩",
        """
        # gather: one read for each output pixel
        {moved}[$y, $x] = ⟨1:{gray}[$y, {w} - 1 - $x]|{gray}[{h} - 1 - $y, $x]|{gray}[{h} - 1 - $y, {w} - 1 - $x]|{large}[$y + {shift_y}, $x + {shift_x}]|{large}[2 * $y, 2 * $x]|{gray}[($y + {shift_y}) % {h}, ($x + {shift_x}) % {w}]⟩
        ⟨1:⟨|{bits_out}[$y, $x] = {bits}[$y, {w} - 1 - $x]|{comp_out}[$y, $x] = {comp}[$y, {w} - 1 - $x]⟩|⟨|{bits_out}[$y, $x] = {bits}[{h} - 1 - $y, $x]|{comp_out}[$y, $x] = {comp}[{h} - 1 - $y, $x]⟩|⟨|{bits_out}[$y, $x] = {bits}[{h} - 1 - $y, {w} - 1 - $x]|{comp_out}[$y, $x] = {comp}[{h} - 1 - $y, {w} - 1 - $x]⟩|||⟨|{bits_out}[$y, $x] = {bits}[($y + {shift_y}) % {h}, ($x + {shift_x}) % {w}]|{comp_out}[$y, $x] = {comp}[($y + {shift_y}) % {h}, ($x + {shift_x}) % {w}]⟩⟩
        hook end
        """,
        threads="y x",
        kinds="arithmetic gather_scatter multi_dim",
        integer=True,
    ),
    Idea(
        "pad",
        "copy_or_fill place_image paste_image",
        "⟨1:move the image and fill the border|paste the image where the mask is set|copy the part of the image inside of a frame⟩",
        """
        ⟨1:$sy = $y - {shift_y}
        $sx = $x - {shift_x}
        if ⟨$sy >= 0 and $sx >= 0|@inside($sy, $sx, {h}, {w})⟩:
            # gather: one read for each output pixel
            {moved}[$y, $x] = {gray}[$sy, $sx]
        else:
            {moved}[$y, $x] = {fill}
        |if {mask}[$y, $x]:
            {moved}[$y, $x] = {gray}[$y, $x]
        else:
            {moved}[$y, $x] = ⟨{gray_b}[$y, $x]|{fill}⟩
        |# a frame of one pixel
        if $y == 0 or $x == 0 or $y >= {h} - 1 or $x >= {w} - 1:
            {moved}[$y, $x] = {fill}
            return
        {moved}[$y, $x] = {gray}[$y, $x]
        ⟩
        hook end
        """,
        threads="y x",
        kinds="control_flow gather_scatter multi_dim",
        integer=True,
    ),
    Idea(
        "reset",
        "reset_buffers init_images prepare_buffers init_labels",
        "⟨1:clear the image and the mask|give each pixel its own label|fill the buffers⟩",
        """
        ⟨1:{gray_out}[$y, $x] = ⟨{fill}|0⟩
        {mask_out}[$y, $x] = ⟨$x >= {shift_x} and $y >= {shift_y}|False⟩
        |⟨# the linear index is unique
        |⟩{comp_out}[$y, $x] = ⟨$y * {w} + $x|$y * {w} + $x if {bits}[$y, $x] == 1 else -1|$x * {h} + $y⟩
        |{gray_out}[$y, $x] = {gray}[$y, $x]
        {visits}[$y, $x] = 0
        {disp_out}[$y, $x] = {NONE}
        ⟩
        hook end
        """,
        threads="y x",
        kinds="arithmetic multi_dim",
        integer=True,
    ),
    Idea(
        "resize",
        "downsample_image resize_bilinear pyramid_down reduce_image",
        "reduce the image to half its size ⟨1:by the mean of four pixels|with a binomial filter|by taking the nearest pixel or the mean|by the largest of four pixels⟩",
        """
        hook begin
        # first pixel of the block
        $sy = 2 * $y
        $sx = 2 * $x
        ⟨1:{resized}[$y, $x] = 0.25 * ({source}[$sy, $sx] + {source}[$sy, $sx + 1] + {source}[$sy + 1, $sx] + {source}[$sy + 1, $sx + 1])
        |$sum = float(0.0)
        for $dy in range(4):
            for $dx in range(4):
                # 1 3 3 1
                $wy = 1.0 if $dy == 0 or $dy == 3 else 3.0
                $wx = 1.0 if $dx == 0 or $dx == 3 else 3.0
                $yy = wp.clamp($sy + $dy - 1, 0, 2 * {h} - 1)
                $xx = wp.clamp($sx + $dx - 1, 0, 2 * {w} - 1)
                $sum += $wy * $wx * {source}[$yy, $xx]
        {resized}[$y, $x] = $sum / 64.0
        |if {mask}[$y, $x]:
            {resized}[$y, $x] = {source}[$sy, $sx]
        else:
            $top = {source}[$sy, $sx] + {source}[$sy, $sx + 1]
            $bottom = {source}[$sy + 1, $sx] + {source}[$sy + 1, $sx + 1]
            {resized}[$y, $x] = 0.25 * ($top + $bottom)
        |$top = wp.max({source}[$sy, $sx], {source}[$sy, $sx + 1])
        $bottom = wp.max({source}[$sy + 1, $sx], {source}[$sy + 1, $sx + 1])
        {resized}[$y, $x] = wp.max($top, $bottom)
        ⟩
        hook end
        """,
        threads="y x",
        kinds="arithmetic image_filter gather_scatter multi_dim",
    ),
    Idea(
        "warp",
        "warp_image remap_flow backward_warp warp_by_flow",
        "fetch each pixel from the position that its ⟨flow|displacement⟩ vector points to",
        """
        hook begin
        # displacement in pixels
        $d = {flow}[$y, $x]
        $sx = float($x) + $d[0]
        $sy = float($y) + $d[1]
        ⟨1:{warped}[$y, $x] = @bilinear({img}, $sy, $sx, {h}, {w})
        |if $sx < 0.0 or $sy < 0.0 or $sx > float({w} - 1) or $sy > float({h} - 1):
            # outside of the image
            {valid_out}[$y, $x] = False
            return
        {warped}[$y, $x] = @bilinear({img}, $sy, $sx, {h}, {w})
        {valid_out}[$y, $x] = True
        |$x0 = wp.clamp(int(wp.floor($sx)), 0, {w} - 2)
        $y0 = wp.clamp(int(wp.floor($sy)), 0, {h} - 2)
        $ax = wp.clamp($sx - float($x0), 0.0, 1.0)
        $ay = wp.clamp($sy - float($y0), 0.0, 1.0)
        $top = {img}[$y0, $x0] * (1.0 - $ax) + {img}[$y0, $x0 + 1] * $ax
        $bottom = {img}[$y0 + 1, $x0] * (1.0 - $ax) + {img}[$y0 + 1, $x0 + 1] * $ax
        {warped}[$y, $x] = $top * (1.0 - $ay) + $bottom * $ay
        ⟨|if {mask_b}[$y0, $x0]:
            # the source is occluded
            wp.atomic_add({hits}, 0, 1)⟩
        ⟩
        hook end
        """,
        threads="y x",
        kinds="vector fields image_filter multi_dim",
    ),
    Idea(
        "unproject",
        "depth_to_points unproject_depth backproject point_map",
        "compute the position of each pixel from its depth",
        """
        hook begin
        # depth in m
        $z = {depth}[$y, $x]
        if $z > {far}⟨| or not {mask}[$y, $x]⟩:
            {valid_out}[$y, $x] = False
            ⟨{cloud}[$y, $x] = wp.vec3(0.0, 0.0, 0.0)
            |⟩return
        ⟨$px = (float($x) ⟨|+ 0.5 ⟩- {cxp}) / {fx}
        $py = (float($y) ⟨|+ 0.5 ⟩- {cyp}) / {fy}
        $ray = wp.vec3($px, $py, 1.0)
        |$ray = wp.vec3((float($x) - {cxp}) / {fx}, (float($y) - {cyp}) / {fy}, 1.0)
        ⟩{cloud}[$y, $x] = ⟨$ray * $z|$z * wp.normalize($ray)|wp.vec3($ray[0] * $z, -$ray[1] * $z, -$z)⟩
        {valid_out}[$y, $x] = True
        ⟨|if {label}[$y, $x] == {which}:
            wp.atomic_add({hits}, 0, 1)|# jump to the right neighbour
        if wp.abs($z - {depth}[$y, wp.min($x + 1, {w} - 1)]) > 0.5:
            {bits_out}[$y, $x] = 1
        else:
            {bits_out}[$y, $x] = 0⟩
        hook end
        """,
        threads="y x",
        kinds="vector combined scalar_param multi_dim",
    ),
    Idea(
        "background",
        "update_background background_subtract foreground_mask running_average",
        "compare the frame with a background model and update the model",
        """
        hook begin
        # intensity of the pixel, 0 to 1
        $v = {img}[$y, $x]
        # model of the background
        $bg = {mean_bg}[$y, $x]
        # change against the model
        $diff = wp.abs($v - $bg)
        ⟨if $diff > {low}:
            # foreground: the model changes slowly
            {bits_out}[$y, $x] = 1
            {mean_bg_out}[$y, $x] = wp.lerp($bg, $v, ⟨0.1 * {learn}|0.02⟩)
            ⟨wp.atomic_add({hits}, 0, 1)|⟩
        else:
            {bits_out}[$y, $x] = 0
            {mean_bg_out}[$y, $x] = ⟨wp.lerp($bg, $v, {learn})|(1.0 - {learn}) * $bg + {learn} * $v|$bg + {learn} * ($v - $bg)⟩
        |$rate = {learn} if {mask}[$y, $x] else 0.5 * {learn}
        {mean_bg_out}[$y, $x] = $bg + $rate * ($v - $bg)
        if $diff > {high}:
            {bits_out}[$y, $x] = 1
        elif $diff > {low} and {label}[$y, $x] != {BACKGROUND}:
            {bits_out}[$y, $x] = 1
            wp.atomic_add({hits}, 0, 1)
        else:
            {bits_out}[$y, $x] = 0⟩
        hook end
        """,
        threads="y x",
        kinds="control_flow scalar_param multi_dim",
    ),
)
