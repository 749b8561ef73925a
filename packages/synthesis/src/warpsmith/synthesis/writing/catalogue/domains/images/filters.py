"""Ideas of the domain `images`: smoothing, gradients, edges, windows."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

FILTERS = (
    Idea(
        "blur",
        "smooth_image blur_image filter_window convolve_image",
        "smooth the image with ⟨1:a binomial window of 3 x 3|a mean of 3 x 3|a filter of 5 x 5 weights|a Gaussian window|a mean over the valid pixels of 3 x 3⟩",
        """
        hook begin
        # sum over the window
        $sum = float(0.0)
        $norm = float(0.0)
        ⟨1:for $dy in range(-1, 2):
            for $dx in range(-1, 2):
                # 4 in the centre, 2 at the edges, 1 at the corners
                $w = float((2 - wp.abs($dy)) * (2 - wp.abs($dx)))
                $sum += $w * {img}[wp.clamp($y + $dy, 0, {h} - 1), wp.clamp($x + $dx, 0, {w} - 1)]
                $norm += $w
        |for $dy in range(-1, 2):
            for $dx in range(-1, 2):
                if @inside($y + $dy, $x + $dx, {h}, {w}):
                    $sum += {img}[$y + $dy, $x + $dx]
                    $norm += 1.0
        |for $dy in range(5):
            $yy = ⟨wp.clamp($y + $dy - 2, 0, {h} - 1)|wp.max(wp.min($y + $dy - 2, {h} - 1), 0)⟩
            for $dx in range(5):
                $xx = wp.clamp($x + $dx - 2, 0, {w} - 1)
                $sum += {taps}[$dy, $dx] * {img}[$yy, $xx]
                $norm += {taps}[$dy, $dx]
        |for $dy in range(-1, 2):
            for $dx in range(-1, 2):
                $yy = @reflect($y + $dy, {h})
                $xx = @reflect($x + $dx, {w})
                $w = @gauss(wp.sqrt(float($dy * $dy + $dx * $dx)), {sigma_s})
                $sum += $w * {img}[$yy, $xx]
                $norm += $w
        |for $dy in range(-1, 2):
            for $dx in range(-1, 2):
                $yy = ($y + $dy + {h}) % {h}
                $xx = ($x + $dx + {w}) % {w}
                if {mask}[$yy, $xx]:
                    $sum += {img}[$yy, $xx]
                    $norm += 1.0
        ⟩
        {blur_out}[$y, $x] = ⟨$sum / wp.max($norm, 1.0)|$sum / ($norm + 0.001)|wp.lerp({img}[$y, $x], $sum / wp.max($norm, 1.0), ⟨0.5|0.8⟩)⟩
        hook end
        """,
        threads="y x",
        kinds="nested_loop image_filter stencil multi_dim",
    ),
    Idea(
        "sobel",
        "⟨2:sobel_gradient|scharr_filter|central_gradient|prewitt_gradient⟩ image_gradient compute_edges",
        "compute the image gradient⟨1: and its magnitude|, its magnitude and its direction| and classify its strength|⟩ with ⟨2:the Sobel operator|the Scharr operator|central differences|the Prewitt operator⟩",
        """
        hook begin
        ⟨3:|# no gradient at the border
        if $x == 0 or $y == 0 or $x >= {w} - 1 or $y >= {h} - 1:
            ⟨1:{grad_out}[$y, $x] = 0.0|{grad_out}[$y, $x] = 0.0|{edge_code}[$y, $x] = 0|{gx_out}[$y, $x] = 0.0⟩
            return
        ⟩
        ⟨2:$gx = ({img}[$yu, $xr] + 2.0 * {img}[$y, $xr] + {img}[$yd, $xr]) - ({img}[$yu, $xl] + 2.0 * {img}[$y, $xl] + {img}[$yd, $xl])
        $gy = ({img}[$yd, $xl] + 2.0 * {img}[$yd, $x] + {img}[$yd, $xr]) - ({img}[$yu, $xl] + 2.0 * {img}[$yu, $x] + {img}[$yu, $xr])
        |$gx = 3.0 * ({img}[$yu, $xr] - {img}[$yu, $xl]) + 10.0 * ({img}[$y, $xr] - {img}[$y, $xl]) + 3.0 * ({img}[$yd, $xr] - {img}[$yd, $xl])
        $gy = 3.0 * ({img}[$yd, $xl] - {img}[$yu, $xl]) + 10.0 * ({img}[$yd, $x] - {img}[$yu, $x]) + 3.0 * ({img}[$yd, $xr] - {img}[$yu, $xr])
        $gx = $gx / 16.0
        $gy = $gy / 16.0
        |$gx = 0.5 * ({img}[$y, $xr] - {img}[$y, $xl])
        $gy = 0.5 * ({img}[$yd, $x] - {img}[$yu, $x])
        |$gx = float(0.0)
        $gy = float(0.0)
        for $m in range(-1, 2):
            $yy = wp.clamp($y + $m, 0, {h} - 1)
            $xx = wp.clamp($x + $m, 0, {w} - 1)
            $gx += {img}[$yy, $xr] - {img}[$yy, $xl]
            $gy += {img}[$yd, $xx] - {img}[$yu, $xx]
        ⟩
        # gradient magnitude
        $mag = wp.sqrt($gx * $gx + $gy * $gy + 1.0e-6)
        ⟨1:{grad_out}[$y, $x] = $mag
        |{grad_out}[$y, $x] = $mag
        if $mag > $tlow:
            {angle_out}[$y, $x] = wp.atan2($gy, $gx + wp.sign($gx) * 0.01)
        |if $mag > $thigh:
            {edge_code}[$y, $x] = {STRONG}
            wp.atomic_add({hits}, 0, 1)
        elif $mag > $tlow:
            {edge_code}[$y, $x] = {WEAK}
        else:
            {edge_code}[$y, $x] = 0
        |{gx_out}[$y, $x] = $gx⟨4:| / $mag⟩
        {gy_out}[$y, $x] = $gy⟨4:| / $mag⟩
        ⟩
        ⟨|wp.atomic_add({whist}, {ori}[$y, $x], $mag)|⟩
        hook end
        """,
        threads="y x",
        kinds="math image_filter stencil multi_dim",
        docs="Gradient of a grey image with a window of 3 x 3 pixels",
    ),
    Idea(
        "bilateral",
        "bilateral_filter denoise_bilateral joint_bilateral edge_preserving_smooth",
        "smooth the image but keep its edges, with weights by ⟨4:|distance and ⟩⟨1:intensity|the intensity of a guide image|class⟩",
        """
        hook begin
        # intensity of the pixel, 0 to 1
        $v = {img}[$y, $x]
        ⟨1:|$guide = {aux}[$y, $x]|$own = {region}[$y, $x]⟩
        $sum = float($v)
        # the pixel itself counts fully
        $norm = float(1.0)
        each around:
            $s = {img}[$yy, $xx]
            ⟨1:$diff = $s - $v
            $w = ⟨@gauss($diff, $sig)|wp.exp(-0.5 * $diff * $diff / ($sig * $sig))|1.0 / (1.0 + $diff * $diff / ($sig * $sig))⟩
            |$w = @gauss({aux}[$yy, $xx] - $guide, $sig)
            |if {region}[$yy, $xx] != $own:
                continue
            $w = @gauss($s - $v, $sig)
            ⟩⟨4:|# squared distance
            $d2 = float(($yy - $y) * ($yy - $y) + ($xx - $x) * ($xx - $x))
            $w = $w * wp.exp(-0.5 * $d2 / ({sigma_s} * {sigma_s}))⟩
            $sum += $w * $s
            $norm += $w

        {bil_out}[$y, $x] = $sum / $norm
        ⟨|if wp.abs($sum / $norm - $v) > {low}:
            wp.atomic_add({changed}, 0, 1)|# enough similar neighbours
        {mask_out}[$y, $x] = $norm > 1.5⟩
        hook end
        """,
        threads="y x",
        kinds="nested_loop math image_filter multi_dim",
    ),
    Idea(
        "unsharp",
        "unsharp_mask sharpen_image local_contrast enhance_detail",
        "sharpen the image by ⟨1:the difference to its smoothed version|its Laplacian|the difference to the mean of its window|a blurred copy⟩",
        """
        hook begin
        # intensity of the pixel, 0 to 1
        $v = {img}[$y, $x]
        ⟨1:$soft = (4.0 * $v + {img}[$yu, $x] + {img}[$yd, $x] + {img}[$y, $xl] + {img}[$y, $xr]) / 8.0
        $detail = $v - $soft
        |$detail = 4.0 * $v - {img}[$yu, $x] - {img}[$yd, $x] - {img}[$y, $xl] - {img}[$y, $xr]
        |$mean = ({img}[$yu, $xl] + {img}[$yu, $x] + {img}[$yu, $xr] + {img}[$y, $xl] + {img}[$y, $xr]) / 8.0
        $mean += ({img}[$yd, $xl] + {img}[$yd, $x] + {img}[$yd, $xr]) / 8.0
        $detail = $v - $mean
        |$detail = $v - {aux}[$y, $x]
        ⟩
        ⟨|# flat areas contain only noise
        if wp.abs($detail) < {low}:
            {sharp_out}[$y, $x] = $v
            return
        |if {label}[$y, $x] == {BACKGROUND}:
            $detail = 0.5 * $detail|$detail = wp.clamp($detail, -{high}, {high})⟩
        {sharp_out}[$y, $x] = ⟨$v + $amount * $detail|wp.clamp($v + $amount * $detail, 0.0, 1.0)⟩
        hook end
        """,
        threads="y x",
        kinds="arithmetic image_filter multi_dim",
    ),
    Idea(
        "nms",
        "non_max_suppression thin_edges suppress_non_maxima canny_nms",
        "keep only the ridges of the gradient magnitude⟨1:| and classify them as weak or strong edges⟩",
        """
        # strength of the edge
        $m0 = {mag}[$y, $x]
        ⟨if $m0 < $tlow:
            {nms_out}[$y, $x] = 0.0
            return
        |hook begin
        |⟩
        # gradient direction in steps of 45 degrees
        $dir = {ori}[$y, $x]
        # neighbours along the gradient
        ⟨$ma = float(0.0)
        $mb = float(0.0)
        if $dir == 0:
            $ma = {mag}[$y, $xl]
            $mb = {mag}[$y, $xr]
        elif $dir == 1:
            $ma = {mag}[$yu, $xr]
            $mb = {mag}[$yd, $xl]
        elif $dir == 2:
            $ma = {mag}[$yu, $x]
            $mb = {mag}[$yd, $x]
        else:
            $ma = {mag}[$yu, $xl]
            $mb = {mag}[$yd, $xr]
        |$dx = 0 if $dir == 2 else 1
        $dy = -1 if $dir == 1 else wp.min($dir, 1)
        $ma = {mag}[wp.clamp($y + $dy, 0, {h} - 1), wp.clamp($x + $dx, 0, {w} - 1)]
        $mb = {mag}[wp.clamp($y - $dy, 0, {h} - 1), wp.clamp($x - $dx, 0, {w} - 1)]
        ⟩
        if $m0 ⟨> $ma and $m0 >= $mb|>= $ma and $m0 >= $mb⟩:
            {nms_out}[$y, $x] = $m0
            ⟨1:|{edge_code}[$y, $x] = {STRONG} if $m0 > $thigh else {WEAK}
            wp.atomic_add({hits}, 0, 1)⟩
        else:
            {nms_out}[$y, $x] = 0.0
        hook end
        """,
        threads="y x",
        kinds="control_flow multi_conditional image_filter multi_dim",
    ),
    Idea(
        "boxmean",
        "local_mean box_filter_sat adaptive_threshold window_mean",
        "compute the mean of ⟨2:a window of 3 x 3|a window of 5 x 5⟩ pixels from the integral image⟨1:| and mark pixels above it|, and count the brighter pixels⟩",
        """
        hook begin
        # window, cut off at the border
        $y0 = wp.max($y - ⟨2:1|2⟩, 0)
        $x0 = wp.max($x - ⟨2:1|2⟩, 0)
        $y1 = wp.min($y + ⟨2:2|3⟩, {h})
        $x1 = wp.min($x + ⟨2:2|3⟩, {w})
        ⟨$area = float(($y1 - $y0) * ($x1 - $x0))
        # four corners of the integral image
        $sum = {sat}[$y1, $x1] - {sat}[$y0, $x1] - {sat}[$y1, $x0] + {sat}[$y0, $x0]|$sum = {sat}[$y1, $x1] + {sat}[$y0, $x0]
        $sum = $sum - {sat}[$y0, $x1] - {sat}[$y1, $x0]
        $area = float($y1 - $y0) * float($x1 - $x0)⟩
        # mean of the window
        $mean = $sum / wp.max($area, 1.0)
        {mean_out}[$y, $x] = $mean
        ⟨1:|{binary_out}[$y, $x] = {img}[$y, $x] > ⟨$mean|$mean * {thresh}|$mean - {low}⟩
        |if {img}[$y, $x] > $mean:
            ⟨{binary_out}[$y, $x] = True
            |⟩wp.atomic_add({hits}, 0, 1)
        ⟩
        hook end
        """,
        threads="y x",
        kinds="arithmetic image_filter gather_scatter multi_dim",
    ),
    Idea(
        "median",
        "median_filter rank_filter median_3x3 despeckle",
        "replace each pixel by the ⟨1:median|second lowest value|median, if it differs much from it⟩ of its window",
        """
        $v = {gray}[$y, $x]
        ⟨hook begin|⟩
        ⟨# a sample whose rank is in the middle
        |⟩$mid = int($v)
        each window:
            # rank of this sample
            $s = {gray}[$yy, $xx]
            $less = int(0)
            $same = int(0)
            for $qy in range(-1, 2):
                for $qx in range(-1, 2):
                    $other = {gray}[wp.clamp($y + $qy, 0, {h} - 1), wp.clamp($x + $qx, 0, {w} - 1)]
                    if $other < $s:
                        $less += 1
                    elif $other == $s:
                        $same += 1
            if $less <= ⟨1:4|1|4⟩ and $less + $same > ⟨1:4|1|4⟩:
                $mid = $s

        ⟨1:{rank_out}[$y, $x] = $mid
        |{rank_out}[$y, $x] = $mid
        |if wp.abs($mid - $v) > {delta}:
            # impulse noise
            {rank_out}[$y, $x] = $mid
            wp.atomic_add({changed}, 0, 1)
        else:
            {rank_out}[$y, $x] = $v
        ⟩
        hook end
        """,
        threads="y x",
        kinds="nested_loop image_filter sorting multi_dim",
        integer=True,
    ),
)
