"""Ideas of the domain `images`: histograms, projections, corners, perspective."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

HISTOGRAMS = (
    Idea(
        "histogram",
        "build_histogram count_bins accumulate_histogram",
        "count the pixels of each ⟨1:bin of intensities|bin of intensities, without ignored classes|direction, weighted by the gradient magnitude|bin of grey levels⟩",
        """
        hook begin
        ⟨1:$bin = wp.min(int({img}[$y, $x] * 16.0), 15)
        wp.atomic_add({hist}, $bin, 1)
        |if {truth}[$y, $x] == {ignore}:
            return
        $bin = wp.clamp(int({img}[$y, $x] * 16.0), 0, 15)
        wp.atomic_add({hist}, $bin, 1)
        |$m0 = {mag}[$y, $x]
        if $m0 > $tlow:
            ⟨wp.atomic_add({whist}, {ori}[$y, $x], $m0)|# half of the weight goes to the next bin
            $bin = {ori}[$y, $x]
            wp.atomic_add({whist}, $bin, 0.5 * $m0)
            wp.atomic_add({whist}, ($bin + 1) % 4, 0.5 * $m0)⟩
        |$bin = {gray}[$y, $x] ⟨// 16|>> 4⟩
        wp.atomic_add({hist}, $bin, 1)
        ⟨|if $bin == 0 or $bin == 15:
            # under- or overexposed
            wp.atomic_add({hits}, 0, 1)⟩
        ⟩
        hook end
        """,
        threads="y x",
        kinds="atomic histograms reduction multi_dim",
    ),
    Idea(
        "cooccurrence",
        "cooccurrence_matrix joint_histogram glcm_count texture_matrix",
        "count the pairs of grey levels of ⟨1:neighbouring pixels|two images|similar neighbouring pixels⟩",
        """
        hook begin
        ⟨1:if $x >= {w} - 1⟨| or $y >= {h} - 1⟩:
            # no right neighbour
            return
        ||if $x == 0 or $y == 0:
            return
        ⟩
        # eight grey levels
        $a = {gray}[$y, $x] ⟨// 32|>> 5⟩
        ⟨1:$b = {gray}[⟨$y|wp.min($y + 1, {h} - 1)⟩, $x + 1] ⟨// 32|>> 5⟩
        |$b = {gray_b}[$y, $x] ⟨// 32|>> 5⟩
        |$b = {gray}[⟨$y|$y - 1⟩, $x - 1] ⟨// 32|>> 5⟩
        if wp.abs($a - $b) > ⟨2|3⟩:
            return
        ⟩
        wp.atomic_add({pairs}, $a, $b, 1)
        ⟨# the matrix is symmetric
        wp.atomic_add({pairs}, $b, $a, 1)|if $a == $b:
            wp.atomic_add({hits}, 0, 1)|⟩
        hook end
        """,
        threads="y x",
        kinds="atomic histograms reduction multi_dim",
        integer=True,
    ),
    Idea(
        "projection",
        "projection_profile row_column_sums accumulate_profile project_mask",
        "count the foreground pixels of each row ⟨4:and column|and find the last one of each column|and find the brightest one of each column⟩⟨1:|, and count each class⟩",
        """
        ⟨if {bits}[$y, $x] == 0:
            return
        |if not {mask}[$y, $x] or {bits}[$y, $x] != 1:
            return
        |hook begin
        if {bits}[$y, $x] == 0:
            return
        ⟩
        ⟨4:wp.atomic_add({row_sum}, $y, 1)
        wp.atomic_add({col_sum}, $x, 1)
        |wp.atomic_add({row_sum}, $y, 1)
        wp.atomic_max({col_sum}, $x, $y)
        |wp.atomic_add({row_sum}, $y, 1)
        wp.atomic_max({col_sum}, $x, {gray}[$y, $x])
        ⟩
        ⟨1:|$lab = {label}[$y, $x]
        if $lab != {BACKGROUND}:
            wp.atomic_add({hist}, $lab, 1)
        ⟩
        hook end
        """,
        threads="y x",
        kinds="atomic histograms reduction multi_dim",
        integer=True,
    ),
    Idea(
        "corners",
        "⟨1:harris_response|min_eigenvalue|detect_corners⟩ structure_tensor corner_score",
        "compute ⟨1:the Harris response|the smaller eigenvalue of the structure tensor|the Harris response and mark corners⟩ of each pixel",
        """
        hook begin
        $tensor = wp.mat22(⟨0.0, 0.0, 0.0, 0.0|0.001, 0.0, 0.0, 0.001⟩)
        for $dy in range(-1, 2):
            for $dx in range(-1, 2):
                # the border repeats
                $yy = wp.clamp($y + $dy, ⟨1|0⟩, {h} - 2)
                $xx = wp.clamp($x + $dx, ⟨1|0⟩, {w} - 2)
                ⟨$gx = {img}[$yy, $xx + 1] - {img}[$yy, $xx]
                $gy = {img}[$yy + 1, $xx] - {img}[$yy, $xx]
                |$gx = 0.5 * ({img}[$yy, $xx + 1] - {img}[$yy, wp.max($xx - 1, 0)])
                $gy = 0.5 * ({img}[$yy + 1, $xx] - {img}[wp.max($yy - 1, 0), $xx])
                ⟩$grad = wp.vec2($gx, $gy)
                $tensor = $tensor + wp.outer($grad, $grad)⟨| * {taps}[$dy + 2, $dx + 2]⟩

        # invariants of the structure tensor
        $tr = wp.trace($tensor)
        $det = wp.determinant($tensor)
        ⟨1:{corner}[$y, $x] = $det - ⟨0.04|0.05|0.06⟩ * $tr * $tr
        |# half of the trace minus the radius of Mohr's circle
        {corner}[$y, $x] = 0.5 * $tr - wp.sqrt(wp.max(0.25 * $tr * $tr - $det, 0.0) + 1.0e-4)
        |$score = $det - 0.05 * $tr * $tr
        {corner}[$y, $x] = $score
        if $score > {corner_t}:
            {mask_out}[$y, $x] = True
            wp.atomic_add({hits}, 0, 1)
        ⟩
        hook end
        """,
        threads="y x",
        kinds="matrix nested_loop image_filter linear_algebra multi_dim",
    ),
    Idea(
        "perspective",
        "warp_perspective apply_homography map_pixels rectify_image",
        "map each pixel by a homography⟨1:| and its colour by a matrix| and fetch the nearest source pixel⟩",
        """
        hook begin
        ⟨$p = wp.vec3(float($x) + 0.5, float($y) + 0.5, 1.0)
        |$p = wp.vec3(float($x), float($y), 1.0)
        ⟩$q = {hom}[0] * $p
        ⟨# points behind the camera are limited
        |⟩$inv = 1.0 / wp.max($q[2], 0.2)
        ⟨1:{coord_out}[$y, $x] = wp.vec2($q[0] * $inv, $q[1] * $inv)
        |{rgb_out}[$y, $x] = {ccm}[0] * {rgb}[$y, $x]
        {coord_out}[$y, $x] = wp.vec2($q[0], $q[1]) * $inv
        |$sx = int($q[0] * $inv)
        $sy = int($q[1] * $inv)
        {coord_out}[$y, $x] = wp.vec2($q[0] * $inv, $q[1] * $inv)
        if @inside($sy, $sx, {h}, {w}):
            {gray_out}[$y, $x] = {gray}[$sy, $sx]
            ⟨{mask_out}[$y, $x] = True|wp.atomic_add({hits}, 0, 1)⟩
        else:
            {gray_out}[$y, $x] = {fill}
        ⟩
        hook end
        """,
        threads="y x",
        kinds="matrix vector multi_dim",
    ),
    Idea(
        "color_stats",
        "⟨1:transform_colors|color_distance|classify_colors⟩ color_statistics",
        "⟨1:transform colours to another basis|compute the ⟨4:squared Mahalanobis distance|likelihood|Mahalanobis distance⟩ of each colour|transform colours and classify them⟩",
        """
        hook begin
        # difference to the mean colour
        $diff = $col - ⟨wp.vec3(0.5, 0.4, 0.3)|{rgb_b}[$y, $x]⟩
        ⟨1:{rgb_out}[$y, $x] = {ccm}[0] * $diff
        |$precision = {ccm}[0] * wp.transpose({ccm}[0]) + wp.identity(n=3, dtype=float)
        # squared distance
        $d2 = wp.dot($diff, $precision * $diff)
        {value_out}[$y, $x] = ⟨4:$d2|wp.exp(-0.5 * $d2)|wp.sqrt($d2 + 1.0e-4)⟩
        ⟨if $d2 < 0.3:
            # belongs to the class
            wp.atomic_add({hits}, 0, 1)|⟩
        |$t = wp.transpose({ccm}[0]) * $diff
        {rgb_out}[$y, $x] = $t
        if $t[0] > ⟨0.1|0.2⟩ and $t[1] < 0.4:
            {note}[$y, $x] = 1
        elif $t[2] > ⟨0.1|0.2⟩:
            {note}[$y, $x] = 2
        else:
            {note}[$y, $x] = 0
        ⟩
        hook end
        """,
        threads="y x",
        kinds="matrix image_filter multi_dim",
    ),
)
