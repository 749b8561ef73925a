"""Ideas of the domain `images`: binary patterns, matching of rows, runs, tables."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

PATTERNS = (
    Idea(
        "pattern",
        "local_binary_pattern census_transform lbp_descriptor encode_neighborhood",
        "encode the surroundings of each pixel in a binary code⟨1:| and count its bits| and count the local maxima⟩",
        """
        hook begin
        $center = {gray}[$y, $x]
        # one bit for each neighbour
        $code = int(0)
        each around:
            ⟨$code = $code * 2
            if {gray}[$yy, $xx] ⟨>= $center|> $center + {delta}⟩:
                $code += 1
            |if {gray}[$yy, $xx] ⟨> $center|>= $center + {delta}⟩:
                $code = 2 * $code + 1
            else:
                $code = 2 * $code
            |$code = ($code << 1) + (1 if {gray}[$yy, $xx] > $center else 0)
            ⟩

        {code_out}[$y, $x] = $code
        ⟨1:|$ones = @popcount($code)
        if $ones > {need}:
            wp.atomic_add({hits}, 0, 1)
        wp.atomic_add({hist}, $ones, 1)
        |# no neighbour is brighter
        if $code == 0:
            wp.atomic_add({hits}, 0, 1)
        ⟩
        hook end
        """,
        threads="y x",
        kinds="nested_loop integer_bits image_filter multi_dim",
        integer=True,
    ),
    Idea(
        "disparity",
        "match_rows block_matching stereo_match best_disparity",
        "find the shift with the lowest difference between the rows of two images",
        """
        hook begin
        # lowest cost so far
        $best = int(⟨100000|2147483647⟩)
        $shift = int(⟨0|-1⟩)
        for $d in range(⟨4|5|6⟩):
            ⟨if $x - $d < 0:
                ⟨continue|break⟩
            |⟩$cost = int(0)
            for $k in range(-1, 2):
                ⟨$xx = wp.clamp($x + $k, 0, {w} - 1)
                $sx = wp.clamp($x + $k - $d, 0, {w} - 1)|$xx = wp.min(wp.max($x + $k, 0), {w} - 1)
                $sx = wp.max($xx - $d, 0)⟩
                $diff = {gray}[$y, $xx] - {gray_b}[$y, $sx]
                $cost += ⟨wp.abs($diff)|$diff * $diff|wp.min(wp.abs($diff), {delta})⟩
            if $cost < $best:
                $best = $cost
                $shift = $d

        {disp_out}[$y, $x] = $shift
        ⟨{cost_out}[$y, $x] = $best
        |if $best > $cut:
            # no reliable match
            {mask_out}[$y, $x] = False
        else:
            {mask_out}[$y, $x] = True
            wp.atomic_add({hits}, 0, 1)
        |⟩
        hook end
        """,
        threads="y x",
        kinds="nested_loop control_flow gather_scatter multi_dim",
        integer=True,
    ),
    Idea(
        "runs",
        "scan_rows row_scan analyze_rows process_rows",
        "scan each row for ⟨1:runs of foreground pixels|the longest run of similar pixels|the first foreground pixel|prefix sums of the foreground⟩",
        """
        ⟨1:$runs = int(0)
        $inside = int(0)
        for $x in range({w}):
            $bit = {bits}[$y, $x]
            ⟨if $bit == 1 and $inside == 0:
                # a run begins
                $runs += 1
            $inside = $bit|if $bit != $inside:
                if $bit == 1:
                    $runs += 1
                $inside = $bit⟩
            ⟨{run_id}[$y, $x] = $runs if $bit == 1 else 0|⟩
        {runs_out}[$y] = $runs
        |$longest = int(0)
        $start = int(0)
        while $start < {w}:
            $stop = $start + 1
            while $stop < {w} and ⟨{label}[$y, wp.min($stop, {w} - 1)] == {label}[$y, $start]|wp.abs({gray}[$y, wp.min($stop, {w} - 1)] - {gray}[$y, $start]) <= {delta}⟩:
                $stop += 1
            $longest = wp.max($longest, $stop - $start)
            $start = $stop
        {longest_out}[$y] = $longest
        |$first = int(-1)
        ⟨for $x in range({w}):
            if {bits}[$y, $x] == 1⟨| and {gray}[$y, $x] > {cut}⟩:
                $first = $x
                break
        |$x = int(0)
        while $x < {w} and $first < 0:
            if {bits}[$y, $x] == 1⟨| and not {mask_b}[$y, $x]⟩:
                $first = $x
            $x += 1
        ⟩{first_out}[$y] = $first
        ⟨|if $first >= 0:
            # not an empty row
            wp.atomic_add({hits}, 0, 1)⟩
        |$count = int(0)
        for $x in range({w}):
            ⟨$count += {bits}[$y, $x]
            {scan_out}[$y, $x] = $count|# exclusive
            {scan_out}[$y, $x] = $count
            if {label}[$y, $x] != {BACKGROUND}:
                $count += 1⟩
        {rown}[$y] = $count
        ⟩
        """,
        threads="y",
        kinds="control_flow nested_loop while_loop reduction",
        integer=True,
    ),
    Idea(
        "tone_lut",
        "⟨1:apply_lut|equalize_histogram|remap_classes⟩ ⟨1:lookup_table|spread_levels|invert_classes⟩ remap_levels",
        "⟨1:replace each grey level by its entry in a table|spread the grey levels by the cumulative histogram|invert or replace the grey levels by class⟩",
        """
        ⟨hook begin|⟩
        # grey level, 0 to 255
        $g = {gray}[$y, $x]
        ⟨1:{gray_out}[$y, $x] = {lut}[$g]
        |⟨$total = {h} * {w}|$total = wp.max({cdf}[255], 1)⟩
        $rank = {cdf}[$g]
        {gray_out}[$y, $x] = wp.clamp($rank * 255 // $total, 0, 255)
        |$lab = {label}[$y, $x]
        if $lab == {BACKGROUND}:
            {gray_out}[$y, $x] = $g
        elif $lab == {which}:
            {gray_out}[$y, $x] = {lut}[$g]
        else:
            {gray_out}[$y, $x] = 255 - $g
        ⟩
        ⟨|if {mask}[$y, $x]:
            wp.atomic_add({hist}, $g // 16, 1)|⟨1:if wp.abs({lut}[$g] - $g) > {delta}:
            wp.atomic_add({changed}, 0, 1)||⟩⟩
        hook end
        """,
        threads="y x",
        kinds="gather_scatter histograms multi_dim",
        integer=True,
    ),
)
