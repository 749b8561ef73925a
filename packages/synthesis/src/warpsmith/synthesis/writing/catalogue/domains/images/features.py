"""Ideas of the domain `images`: feature maps, boxes, images in linear memory."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

FEATURES = (
    Idea(
        "conv",
        "conv2d conv3x3 convolve_channels conv_forward",
        "convolve a feature map with a bank of 3 x 3 filters",
        """
        ⟨|if not {mask}[$y, $x]:
            {conv_out}[$o, $y, $x] = 0.0
            return
        ⟩
        $sum = float(⟨2:0.0|{bias}[$o]|0.0⟩)
        for $c in range({ch}):
            ⟨if {keep}[$c] == 0:
                continue
            |⟩for $dy in range(3):
                ⟨1:$yy = $y + $dy - 1
                if $yy < 0 or $yy >= {h}:
                    continue
                |$yy = wp.clamp($y + $dy - 1, 0, {h} - 1)
                |$yy = @reflect($y + $dy - 1, {h})
                ⟩for $dx in range(3):
                    ⟨1:$xx = $x + $dx - 1
                    if $xx >= 0 and $xx < {w}:
                        $sum += {filt}[$o, $c, $dy, $dx] * {feat}[{chan_map}[$c], $yy, $xx]
                    |$xx = wp.clamp($x + $dx - 1, 0, {w} - 1)
                    $sum += {filt}[$o, $c, $dy, $dx] * {feat}[{chan_map}[$c], $yy, $xx]
                    |$sum += {feat}[{chan_map}[$c], $yy, @reflect($x + $dx - 1, {w})] * {filt}[$o, $c, $dy, $dx]
                    ⟩

        {conv_out}[$o, $y, $x] = $sum⟨2:|| + {bias}[$o]⟩
        """,
        threads="o y x",
        kinds="nested_loop multi_dim",
        docs="Direct convolution, one thread for each output element",
    ),
    Idea(
        "depthwise",
        "depthwise_conv channel_filter depthwise_3x3 filter_channels",
        "filter each channel with its own 3 x 3 filter⟨1:| and apply its activation⟩",
        """
        hook channel
        $sum = float({beta_c}[$c])
        for $dy in range(-1, 2):
            for $dx in range(-1, 2):
                ⟨if @inside($y + $dy, $x + $dx, {h}, {w}):
                    $sum += {dw}[$c, $dy + 1, $dx + 1] * {feat}[$src, $y + $dy, $x + $dx]
                |$yy = wp.clamp($y + $dy, 0, {h} - 1)
                $xx = wp.clamp($x + $dx, 0, {w} - 1)
                $sum += {dw}[$c, $dy + 1, $dx + 1] * {feat}[$src, $yy, $xx]
                ⟩

        ⟨1:{dw_out}[$c, $y, $x] = $sum
        |⟨$kind = {act}[$c]
        if $kind == {RELU}:
            $sum = wp.max($sum, 0.0)
        elif $kind == {LEAKY}:
            if $sum < 0.0:
                $sum = {leak} * $sum
        elif $kind == {SIGMOID}:
            $sum = 1.0 / (1.0 + wp.exp(-$sum))|if {act}[$c] == {RELU}:
            $sum = wp.max($sum, 0.0)
        elif {act}[$c] == {LEAKY}:
            $sum = $sum if $sum > 0.0 else {leak} * $sum⟩
        {dw_out}[$c, $y, $x] = $sum
        ⟩
        hook channel_end
        """,
        threads="c y x",
        kinds="nested_loop image_filter stencil multi_dim",
    ),
    Idea(
        "pool",
        "pool2x2 pool_features downsample_features reduce_2x2",
        "reduce each channel by ⟨1:the maximum of 2 x 2 elements and keep its position|the mean of 2 x 2 elements|the maximum or the mean of 2 x 2 elements⟩",
        """
        hook channel
        ⟨1:$best = float({big}[$src, 2 * $y, 2 * $x])
        $arg = int(0)
        for $k in range(1, 4):
            $s = {big}[$src, 2 * $y + $k // 2, 2 * $x + $k % 2]
            if $s > $best:
                $best = $s
                $arg = $k
        {pool_out}[$c, $y, $x] = $best
        {pool_arg}[$c, $y, $x] = $arg
        |⟨$sum = float(0.0)
        for $dy in range(2):
            for $dx in range(2):
                $sum += {big}[$src, 2 * $y + $dy, 2 * $x + $dx]
        {pool_out}[$c, $y, $x] = 0.25 * $sum|$n = float(0.0)
        # mean of the positive elements
        $sum = float(0.0)
        for $k in range(4):
            $s = {big}[$src, 2 * $y + $k // 2, 2 * $x + $k % 2]
            if $s > 0.0:
                $sum += $s
                $n += 1.0
        {pool_out}[$c, $y, $x] = $sum / wp.max($n, 1.0)⟩
        |$a = {big}[$src, 2 * $y, 2 * $x]
        $b = {big}[$src, 2 * $y, 2 * $x + 1]
        $d = {big}[$src, 2 * $y + 1, 2 * $x]
        $e = {big}[$src, 2 * $y + 1, 2 * $x + 1]
        if {act}[$c] == {RELU}:
            {pool_out}[$c, $y, $x] = wp.max(wp.max($a, $b), wp.max($d, $e))
        else:
            {pool_out}[$c, $y, $x] = 0.25 * ($a + $b + $d + $e)
        ⟩
        hook channel_end
        """,
        threads="c y x",
        kinds="control_flow gather_scatter reduction multi_dim",
    ),
    Idea(
        "batchnorm",
        "batch_norm normalize_channels channel_affine instance_norm",
        "normalize each channel by its mean and variance⟨1:| and apply a leaky rectifier⟩",
        """
        hook channel
        # one channel at one pixel
        $v = {feat}[$src, $y, $x]
        ⟨$inv = 1.0 / wp.sqrt({var_c}[$c] + {eps})
        # zero mean, unit variance
        $t = ($v - {mean_c}[$c]) * $inv
        |$t = ($v - {mean_c}[$c]) / wp.sqrt({var_c}[$c] + {eps})
        ⟩$t = {gamma_c}[$c] * $t + {beta_c}[$c]
        ⟨|if {mask_b}[$y, $x]:
            # padding
            $t = 0.0|$t = wp.clamp($t, -6.0, 6.0)|if {label}[$y, $x] == {BACKGROUND}:
            {norm_out}[$c, $y, $x] = {beta_c}[$c]
            return⟩
        {norm_out}[$c, $y, $x] = ⟨1:$t|⟨$t if $t > 0.0 else {leak} * $t|wp.max($t, {leak} * $t)⟩⟩
        hook channel_end
        """,
        threads="c y x",
        kinds="math multi_dim",
    ),
    Idea(
        "layout",
        "hwc_to_chw transpose_layout planar_from_interleaved copy_channels",
        "copy an image with channels last to planes",
        """
        hook channel
        ⟨{chw_out}[$c, $y, $x] = {hwc}[$y, $x, $src]
        |{chw_out}[$c, $y, $x] = {hwc}[{h} - 1 - $y, $x, $c]
        |{chw_out}[$c, $y, $x] = {hwc}[$y, $x, {ch} - 1 - $c]
        |$v = {hwc}[$y, $x, $src]
        {chw_out}[$c, $y, $x] = ⟨($v - {mean_c}[$c]) / wp.sqrt({var_c}[$c] + {eps})|2.0 * $v - 1.0⟩
        |if {mask}[$y, $x]:
            {chw_out}[$c, $y, $x] = {hwc}[$y, $x, $src]
        else:
            {chw_out}[$c, $y, $x] = ⟨{mean_c}[$c]|0.0⟩
        ⟩
        hook channel_end
        """,
        threads="c y x",
        kinds="arithmetic gather_scatter multi_dim",
    ),
    Idea(
        "requant",
        "⟨1:quant_relu|shift_zero_point|halve_int8⟩ ⟨1:rectify_int8|saturate_int8|requantize_int8⟩",
        "⟨1:rectify a quantized feature map|remove the zero point of a quantized feature map and limit it|halve a quantized feature map with rounding⟩",
        """
        hook channel
        # signed 8-bit value
        $q = {q_in}[$src, $y, $x]
        $z = {zero}[$c]
        ⟨1:# zero of the real numbers
        ⟨{q_out}[$c, $y, $x] = wp.max($q, $z)|if $q < $z:
            {q_out}[$c, $y, $x] = $z
            wp.atomic_add({changed}, 0, 1)
        else:
            {q_out}[$c, $y, $x] = $q⟩
        |$t = $q - $z
        {q_out}[$c, $y, $x] = wp.clamp($t, -128, 127)
        ⟨|if $t > 127 or $t < -128:
            # saturated
            wp.atomic_add({changed}, 0, 1)⟩
        |$t = $q - $z
        if $t >= 0:
            $t = ($t + 1) // 2
        else:
            $t = -((1 - $t) // 2)
        {q_out}[$c, $y, $x] = $t + $z
        ⟩
        hook channel_end
        """,
        threads="c y x",
        kinds="control_flow arithmetic multi_dim",
        integer=True,
    ),
    Idea(
        "boxes",
        "⟨1:box_pixel_count|roi_pool|count_in_boxes⟩ ⟨1:box_coverage|average_boxes|box_class_count⟩",
        "⟨1:count the foreground pixels of each box|average the intensities of each box|count the pixels of the class of each box⟩",
        """
        hook box
        # corner of the box
        $x0 = {bx}[$b]
        $y0 = {by}[$b]
        ⟨$x1 = wp.min($x0 + 4, {w})
        $y1 = wp.min($y0 + 3, {h})
        |$x1 = wp.min($x0 + 5, {w})
        $y1 = wp.min($y0 + 3, {h})
        ⟩
        ⟨1:$n = int(0)
        for $yy in range($y0, $y1):
            for $xx in range($x0, $x1):
                $n += {bits}[$yy, $xx]
        {box_count}[$b] = $n
        |$sum = float(0.0)
        ⟨5:|$n = int(0)
        ⟩for $yy in range($y0, $y1):
            for $xx in range($x0, $x1):
                ⟨5:$sum += {img}[$yy, $xx]|if {mask}[$yy, $xx]:
                    $sum += {img}[$yy, $xx]
                    $n += 1⟩
        {box_mean}[$b] = $sum / float(⟨5:($y1 - $y0) * ($x1 - $x0)|wp.max($n, 1)⟩)
        |$n = int(0)
        for $yy in range($y0, $y1):
            for $xx in range($x0, $x1):
                if {label}[$yy, $xx] == {box_label}[$b]:
                    $n += 1
                    ⟨wp.atomic_add({hits}, 0, 1)|⟩
        {box_count}[$b] = $n
        ⟩
        """,
        threads="b",
        kinds="nested_loop gather_scatter reduction",
    ),
    Idea(
        "linear_filter",
        "filter_rows linear_stencil smooth_flat gradient_flat",
        "filter an image that is stored row by row",
        """
        hook flat
        # row and column of the linear index
        $row = $p // {pitch}
        $colx = $p % {pitch}
        ⟨$left = {flat_f}[$p - 1] if $colx > 0 else {flat_f}[$p]
        $right = {flat_f}[$p]
        if $colx < {pitch} - 1 and $p + 1 < {pixels}:
            $right = {flat_f}[$p + 1]
        |$left = {flat_f}[$row * {pitch} + wp.max($colx - 1, 0)]
        $right = {flat_f}[wp.min($row * {pitch} + wp.min($colx + 1, {pitch} - 1), {pixels} - 1)]
        ⟩
        ⟨$up = {flat_f}[$p - {pitch}] if $row > 0 else 0.0
        $down = {flat_f}[$p + {pitch}] if $p + {pitch} < {pixels} else 0.0
        |# rows above and below, clamped
        $up = {flat_f}[$p]
        $down = {flat_f}[$p]
        if $row > 0:
            $up = {flat_f}[$p - {pitch}]
        if $p + {pitch} < {pixels}:
            $down = {flat_f}[$p + {pitch}]
        ⟩
        {flat_f_out}[$p] = ⟨0.25 * ($left + $right + $up + $down)|4.0 * {flat_f}[$p] - $left - $right - $up - $down|wp.abs($right - $left) + wp.abs($down - $up)|wp.max(wp.max($left, $right), wp.max($up, $down))⟩
        """,
        threads="p",
        kinds="control_flow stencil image_filter",
    ),
    Idea(
        "gather",
        "gather_pixels permute_pixels reorder_pixels remap_linear",
        "gather pixels by a list of indices",
        """
        hook flat
        ⟨{flat_out}[$p] = {flat}[{order}[$p]]
        |$src = {order}[$p]
        {flat_out}[$p] = {flat}[$src]
        |$src = {order}[$p]
        if {kinds}[$src] == {kinds}[$p]:
            {flat_out}[$p] = {flat}[$src]
        else:
            {flat_out}[$p] = ⟨{flat}[$p]|{fill}⟩
        |$src = {order}[$p]
        {flat_out}[$p] = ⟨({flat}[$p] + {flat}[$src]) // 2|{lut}[{flat}[$src]]|{flat}[$src] if {kinds}[$src] == {which} else {fill}⟩
        ⟩
        """,
        threads="p",
        kinds="control_flow gather_scatter",
        integer=True,
    ),
)
