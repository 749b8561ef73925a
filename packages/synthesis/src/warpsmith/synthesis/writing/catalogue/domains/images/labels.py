"""Ideas of the domain `images`: masks, morphology, components, regions, patterns; most of integers."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

LABELS = (
    Idea(
        "morphology",
        "morphology_step morph_3x3 clean_mask filter_mask",
        "⟨1:erode|dilate|clean|find the inner boundary of⟩ the binary image⟨| with a window of 3 x 3⟩",
        """
        hook begin
        # pixels that are set
        $n = int(0)
        ⟨2:|$total = int(0)⟩
        each window:
            ⟨2:$n += {bits}[$yy, $xx]
            |$total += 1
            if {bits}[$yy, $xx] == 1:
                $n += 1
            ⟩

        # state before the pass
        $was = {bits}[$y, $x]
        ⟨1:⟨{bits_out}[$y, $x] = 1 if $n ⟨2:== 9|== $total⟩ else 0|if $was == 1 and $n < ⟨2:9|$total⟩:
            {bits_out}[$y, $x] = 0
            wp.atomic_add({changed}, 0, 1)
        else:
            {bits_out}[$y, $x] = $was⟩
        |⟨{bits_out}[$y, $x] = wp.min($n, 1)|if $n > 0:
            {bits_out}[$y, $x] = 1
        else:
            {bits_out}[$y, $x] = 0|if $was == 0 and $n ⟨> 0|>= {need}⟩:
            # grows into the background
            {bits_out}[$y, $x] = 1
            wp.atomic_add({changed}, 0, 1)
        else:
            {bits_out}[$y, $x] = $was⟩
        |if $was == 1 and $n <= {need}:
            {bits_out}[$y, $x] = 0
            ⟨wp.atomic_add({changed}, 0, 1)|⟩
        elif $was == 0 and ⟨2:$n >= 7|$total - $n <= 2⟩:
            # fill a hole
            {bits_out}[$y, $x] = 1
        else:
            {bits_out}[$y, $x] = $was
        |⟨{bits_out}[$y, $x] = 1 if $was == 1 and $n < ⟨2:9|$total⟩ else 0|if $was == 0 or $n == ⟨2:9|$total⟩:
            return
        {bits_out}[$y, $x] = 1⟩
        ⟩
        hook end
        """,
        threads="y x",
        kinds="nested_loop control_flow image_filter cellular_automata multi_dim",
        integer=True,
    ),
    Idea(
        "components",
        "propagate_labels label_propagation connected_components_step merge_labels",
        "⟨1:lower the label of each foreground pixel to the lowest label of its neighbours|lower the label of each pixel to that of its neighbours of the same class|lower the label of each pixel to that of its ⟨4:foreground|bright⟩ neighbours⟩",
        """
        # label before this pass
        $own = {comp}[$y, $x]
        ⟨3:if {bits}[$y, $x] == 0:
            {comp_out}[$y, $x] = {NONE}
            return
        |if $own == {NONE}:
            # background stays background
            {comp_out}[$y, $x] = {NONE}
            return
        |hook begin
        ⟩
        # lowest label so far
        $low = int($own)
        each around:
            ⟨1:$other = {comp}[$yy, $xx]
            if $other ⟨!= {NONE}|>= 0⟩ and $other < $low:
                $low = $other
            |$other = {comp}[$yy, $xx]
            if {label}[$yy, $xx] == {label}[$y, $x] and $other >= 0:
                $low = wp.min($low, $other)
            |$other = {comp}[$yy, $xx]
            if $other >= 0 and $other < $low and ⟨4:{bits}[$yy, $xx] == 1|{gray}[$yy, $xx] > {cut}⟩:
                $low = $other
            ⟩

        {comp_out}[$y, $x] = $low
        ⟨if $low != $own:
            wp.atomic_add({changed}, 0, 1)|if $low < $own:
            # another pass is necessary
            wp.atomic_add({changed}, 0, 1)|⟩
        hook end
        """,
        threads="y x",
        kinds="nested_loop control_flow gather_scatter multi_dim",
        integer=True,
    ),
    Idea(
        "regions",
        "region_moments accumulate_regions label_statistics superpixel_sums",
        "accumulate ⟨1:size and centre|size and bounding columns|size and intensity|the size⟩ of each region",
        """
        # region of the pixel
        $lab = {region}[$y, $x]
        ⟨if $lab < 0:
            return
        |if $lab == {NONE} or not {mask}[$y, $x]:
            return
        |if $lab < 0 or {label}[$y, $x] == {ignore}:
            # not part of a region
            return
        ⟩
        wp.atomic_add({area}, $lab, 1)
        ⟨1:wp.atomic_add({sum_x}, $lab, $x)
        wp.atomic_add({sum_y}, $lab, $y)
        |wp.atomic_min({min_x}, $lab, $x)
        wp.atomic_max({max_x}, $lab, $x)
        |wp.atomic_add({region_sum}, $lab, {img}[$y, $x]⟨| * {alpha}[$y, $x]⟩)
        |⟩
        ⟨|if {bits}[$y, $x] == 1:
            wp.atomic_add({hits}, 0, 1)|# border between two regions
        if {region}[$y, wp.min($x + 1, {w} - 1)] != $lab or {region}[wp.min($y + 1, {h} - 1), $x] != $lab:
            {bits_out}[$y, $x] = 1
        else:
            {bits_out}[$y, $x] = 0⟩
        hook end
        """,
        threads="y x",
        kinds="atomic reduction gather_scatter multi_dim",
    ),
    Idea(
        "confusion",
        "confusion_counts update_confusion segmentation_metrics count_matches",
        "count ⟨1:the pixels of each pair of true and predicted class|correct and incorrect pixels of each class⟩",
        """
        # true class, -1 for unknown
        $gt = {truth}[$y, $x]
        ⟨if $gt < 0 or $gt == {ignore}:
            return
        |if $gt == {NONE}:
            # unknown truth
            return
        ⟩
        # predicted class
        $lab = {label}[$y, $x]
        ⟨1:wp.atomic_add({confusion}, $gt, $lab, 1)
        |if $lab == $gt:
            wp.atomic_add({hist}, $gt, 1)
            ⟨{mask_out}[$y, $x] = True|⟩
        else:
            wp.atomic_add({changed}, 0, 1)
            ⟨# the upper half counts false predictions
            wp.atomic_add({hist}, 8 + $lab, 1)|⟩
        ⟩
        ⟨|if $lab != {BACKGROUND} and $gt != {BACKGROUND}:
            wp.atomic_add({hits}, 0, 1)⟩
        hook end
        """,
        threads="y x",
        kinds="atomic control_flow histograms losses multi_dim",
        integer=True,
    ),
    Idea(
        "masks",
        "combine_masks update_mask merge_selection mask_logic",
        "combine ⟨1:two masks|two masks and the classes|a mask and the grey levels⟩ to one mask",
        """
        ⟨1:⟨$ok = {mask}[$y, $x] and not {mask_b}[$y, $x]|$ok = {mask}[$y, $x] or {mask_b}[$y, $x]|$ok = {mask}[$y, $x] != {mask_b}[$y, $x]⟩
        {mask_out}[$y, $x] = $ok
        |$lab = {label}[$y, $x]
        $ok = {mask}[$y, $x]
        if $lab == {which}:
            $ok = ⟨True|$ok or {mask_b}[$y, $x]⟩
        elif $lab == {BACKGROUND}:
            $ok = False
        {mask_out}[$y, $x] = $ok
        |$g = {gray}[$y, $x]
        if not {mask}[$y, $x] or $g < $cut:
            {mask_out}[$y, $x] = False
            return
        $ok = ⟨$g - $cut < {delta}|{gray_b}[$y, $x] >= $cut|{gray_b}[$y, $x] - $g < {delta}⟩
        {mask_out}[$y, $x] = $ok
        ⟩
        ⟨if $ok:
            wp.atomic_add({hits}, 0, 1)|if $ok:
            {seen}[$y, $x] += 1
        else:
            {seen}[$y, $x] = 0|⟩
        hook end
        """,
        threads="y x",
        kinds="control_flow multi_dim",
        integer=True,
    ),
    Idea(
        "hysteresis",
        "hysteresis_step grow_edges link_edges edge_tracking",
        "promote weak edges next to strong ones",
        """
        # 0 none, 1 weak, 2 strong
        $code = {edge_code}[$y, $x]
        ⟨if $code != {WEAK}:
            {edge_out}[$y, $x] = $code
            return
        |if $code == {STRONG}:
            {edge_out}[$y, $x] = {STRONG}
            return
        if $code == 0:
            return
        ⟩
        ⟨hook begin|⟩
        # pixels that are set
        $n = int(0)
        each around:
            if {edge_code}[$yy, $xx] == {STRONG}:
                $n += 1

        if ⟨$n > 0|$n >= 2|$n > 1 or ($n == 1 and {gray}[$y, $x] > $cut)⟩:
            {edge_out}[$y, $x] = {STRONG}
            wp.atomic_add({changed}, 0, 1)
        else:
            {edge_out}[$y, $x] = ⟨0|{WEAK}|$code⟩
        hook end
        """,
        threads="y x",
        kinds="nested_loop control_flow early_exit multi_dim",
        integer=True,
    ),
)
