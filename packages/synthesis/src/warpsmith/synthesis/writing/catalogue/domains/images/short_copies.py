"""Short ideas of the domain `images`: copies, conversions, counters and codes that change in place."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

SHORT_COPIES = (
    Idea(
        "copy_colors",
        "copy_colors copy_image restore_background duplicate_frame",
        "copy the colour of each ⟨1:pixel|pixel of the background|pixel and swap red and blue|valid pixel⟩",
        """
        ⟨1:|||if ⟨not {mask}[$y, $x]|{zone}[$y, $x] != {zone_id}⟩:
            return
        ⟩{rgb_out}[$y, $x] = ⟨1:{rgb}[$y, $x]|{rgb_b}[$y, $x]|wp.vec3({rgb}[$y, $x][2], {rgb}[$y, $x][1], {rgb}[$y, $x][0])|{rgb}[$y, $x]⟩
        ⟨{lum_out}[$y, $x] = @luminance(⟨1:{rgb}|{rgb_b}|{rgb}|{rgb}⟩[$y, $x])|{gray_out}[$y, $x] = {gray}[$y, $x]|⟩
        ⟨|{note}[$y, $x] = {label}[$y, $x]⟩
        """,
        threads="y x",
        kinds="vector multi_dim image_filter",
    ),
    Idea(
        "fill_canvas",
        "fill_canvas clear_image init_planes set_background",
        "set each pixel to ⟨1:a given level|a level of its zone|a ramp along the rows⟩",
        """
        ⟨|if ⟨{locked}[$y, $x]|not {roi}[$y, $x]|{label}[$y, $x] == {which}⟩:
            return
        ⟩{value_out}[$y, $x] = ⟨1:{tone}|⟨wp.where({zone}[$y, $x] == {zone_id}, {tone}, 0.0)|{tone} * float({zone}[$y, $x]) / 3.0⟩|⟨{tone} * |⟩float($x) / float({w} - 1)⟩
        ⟨{rgb_out}[$y, $x] = wp.vec3({tone}, ⟨{tone}, {tone}|0.0, 0.0⟩)|{gray_out}[$y, $x] = ⟨0|{fill}⟩|⟩
        ⟨|{note}[$y, $x] = 0⟩
        """,
        threads="y x",
        kinds="scalar_param multi_dim image_filter",
    ),
    Idea(
        "crop_pixels",
        "crop_pixels shift_image flip_rows mirror_image",
        "copy each pixel from ⟨1:a shifted position|the mirrored column|every second pixel of a larger image⟩",
        """
        ⟨|if ⟨{locked}[$y, $x]|not {roi}[$y, $x]⟩:
            {moved}[$y, $x] = ⟨{fill}|0⟩
            return
        ⟩{moved}[$y, $x] = ⟨1:{gray}[wp.min($y + {shift_y}, {h} - 1), wp.min($x + {shift_x}, {w} - 1)]|{gray}[$y, {w} - 1 - $x]|{large}[2 * $y⟨| + 1⟩, 2 * $x⟨| + 1⟩]⟩
        """,
        threads="y x",
        kinds="arithmetic gather_scatter multi_dim image_filter",
        integer=True,
    ),
    Idea(
        "to_planar",
        "hwc_to_chw split_channels to_planar normalize_planes",
        "copy each channel to its own plane⟨1:| and remove its mean| and normalize it| and adjust its brightness⟩",
        """
        ⟨|if {keep}[$c] == ⟨0|3⟩:
            return
        ⟩{chw_out}[$c, $y, $x] = ⟨1:{hwc}[$y, $x, ⟨$c|{ch} - 1 - $c|{chan_map}[$c]⟩]|{hwc}[$y, $x, $c] - {mean_c}[$c]|{gamma_c}[$c] * ({hwc}[$y, $x, $c] - {mean_c}[$c])⟨| + {beta_c}[$c]⟩|{gain} * {hwc}[$y, $x, $c] + {bias0}⟩
        """,
        threads="c y x",
        kinds="arithmetic scalar_param multi_dim",
    ),
    Idea(
        "rasterize_lines",
        "flatten_image write_raster linearize_pixels pack_rows",
        "write the grey level of each pixel to a flat buffer",
        """
        # row by row
        $at = ⟨$y * {w} + $x|({h} - 1 - $y) * {w} + $x|$y * {w} + {w} - 1 - $x⟩
        ⟨|if not {mask}[$y, $x]:
            {line}[$at] = ⟨-1|{fill}⟩
            return
        ⟩{line}[$at] = ⟨{gray}[$y, $x]|255 - {gray}[$y, $x]|{gray}[$y, $x] * 256 + {gray_b}[$y, $x]|{lut}[{gray}[$y, $x]]⟩
        ⟨|{note}[$y, $x] = $at⟩
        """,
        threads="y x",
        kinds="arithmetic gather_scatter",
        integer=True,
    ),
    Idea(
        "gather_pixels",
        "gather_pixels permute_pixels lookup_levels remap_buffer",
        "gather the levels of the pixels ⟨1:in the given order|by the tone table|in the given order by the tone table⟩",
        """
        # level after the lookup
        $level = ⟨1:{flat}[{order}[$p]]|{lut}[{flat}[$p]]|{lut}[{flat}[{order}[$p]]]⟩
        ⟨|if {kinds}[$p] == ⟨{BACKGROUND}|{which}⟩:
            {flat_out}[$p] = ⟨0|{fill}⟩
            return
        ⟩{flat_out}[$p] = $level
        ⟨|wp.atomic_add({hist}, $level // 16, 1)⟩
        """,
        threads="p",
        kinds="control_flow gather_scatter",
        integer=True,
    ),
    Idea(
        "levels_to_float",
        "levels_to_float normalize_bytes convert_pixels decode_levels",
        "convert the level of each pixel to a number⟨4:|, with gain and offset|, with gain and limits⟩",
        """
        ⟨|if {kinds}[$p] ⟨==|!=⟩ {which}:
            return
        ⟩$v = float({flat}[⟨$p|{order}[$p]⟩]) ⟨/ 255.0|/ 127.5 - 1.0⟩
        {flat_f_out}[$p] = ⟨4:$v|{gain} * $v + {bias0}|wp.clamp({gain} * $v, 0.0, 1.0)⟩
        """,
        threads="p",
        kinds="arithmetic scalar_param gather_scatter",
    ),
    Idea(
        "threshold_inplace",
        "threshold_image ⟨4:saturate_side|replace_levels|solarize|darken_levels⟩ cut_levels",
        "change the grey level of pixels ⟨1:above|below⟩ the threshold in place",
        """
        $level = {grayio}[$y, $x]
        # ⟨4:saturate one side|replace one side|invert one side|darken one side⟩
        if $level ⟨1:>|<⟩ ⟨{cut}|{class_cut}[{label}[$y, $x]]⟩:
            {grayio}[$y, $x] = ⟨4:255|{fill}|255 - $level|$level // 2⟩
            ⟨|wp.atomic_add({hits}, 0, 1)⟩
        ⟨elif {label}[$y, $x] == {BACKGROUND}:
            {grayio}[$y, $x] = 0|else:
            {grayio}[$y, $x] = ⟨0|{lut}[$level]⟩|⟩
        """,
        threads="y x",
        kinds="control_flow scalar_param image_filter",
        integer=True,
    ),
    Idea(
        "relabel_inplace",
        "relabel_pixels ⟨4:remove_class|fill_background⟩ replace_class",
        "change the class of pixels in place",
        """
        $cls = {labelio}[$y, $x]
        ⟨|if {locked}[$y, $x]:
            return
        |if {zone}[$y, $x] != {zone_id}:
            return
        ⟩if $cls == ⟨4:{which}|{BACKGROUND}⟩:
            {labelio}[$y, $x] = ⟨4:⟨{ignore}|{label}[$y, $x]|{BACKGROUND}⟩|⟨{label}[$y, $x]|{which}⟩⟩
            ⟨|wp.atomic_add({changed}, 0, 1)⟩
        ⟨|⟨4:elif $cls > {which}:
            # close the gap
            {labelio}[$y, $x] = $cls - 1|elif not {mask}[$y, $x]:
            {labelio}[$y, $x] = {BACKGROUND}⟩⟩
        """,
        threads="y x",
        kinds="control_flow multi_conditional",
        integer=True,
    ),
    Idea(
        "count_frames",
        "count_valid_frames update_visits track_age frame_counter",
        "count the frames of each pixel in place",
        """
        # valid frames count up
        if ⟨{mask}[$y, $x]|{track}[$y, $x] >= 0|{gray}[$y, $x] > {cut}|{label}[$y, $x] == {which}⟩:
            {seen}[$y, $x] = {seen}[$y, $x] + 1
        else:
            {seen}[$y, $x] = ⟨0|wp.max({seen}[$y, $x] - 1, 0)⟩
            ⟨|wp.atomic_add({changed}, 0, 1)⟩
        ⟨|{note}[$y, $x] = wp.where({seen}[$y, $x] > {hold}, 1, 0)⟩
        """,
        threads="y x",
        kinds="control_flow scalar_param",
        integer=True,
    ),
    Idea(
        "pixel_states",
        "advance_pixel_state motion_state_machine update_tracks step_states",
        "advance the state of each pixel in place",
        """
        $st = {tmode}[$y, $x]
        # background, candidate, moving, held
        if $st == 0:
            {tmode}[$y, $x] = ⟨wp.where({mask}[$y, $x], 1, 0)|wp.where({gray}[$y, $x] > {cut}, 1, 0)|1⟩
        elif $st == 1:
            ⟨{tmode}[$y, $x] = 2|if {gray}[$y, $x] > {cut}:
                {tmode}[$y, $x] = 2⟩
        ⟨elif $st == 2:
            {tmode}[$y, $x] = 3
            ⟨|{hold_t}[$y, $x] = {hold}⟩
        |⟩else:
            {tmode}[$y, $x] = ⟨0|wp.where({roi}[$y, $x], 1, 0)⟩
        """,
        threads="y x",
        kinds="multi_conditional control_flow",
        integer=True,
    ),
    Idea(
        "plane_bits",
        "update_bit_planes set_mask_bits clear_planes toggle_bits",
        "change the flag bits of each pixel in place",
        """
        # bits before the update
        $bitv = {bitio}[$y, $x]
        if ⟨$bitv & {mbits} != 0|{mask}[$y, $x]|{track}[$y, $x] < 0|{zone}[$y, $x] == {zone_id}⟩:
            {bitio}[$y, $x] = ⟨$bitv & ~{mbits}|$bitv ^ {mbits}|0⟩
        ⟨|else:
            {bitio}[$y, $x] = ⟨$bitv | {mbits}|{mbits}⟩⟩
        ⟨|{bits_out}[$y, $x] = ⟨$bitv & 1|($bitv >> 1) & 1⟩⟩
        """,
        threads="y x",
        kinds="control_flow integer_bits",
        integer=True,
    ),
    Idea(
        "box_states",
        "update_box_states track_boxes expire_boxes manage_tracks",
        "update the state and the counter of each box in place",
        """
        # matched boxes stay alive
        if {boxseen}[$b] ⟨>= 0|!= {NONE}⟩:
            {boxmiss}[$b] = 0
            {boxmode}[$b] = 1
        elif {boxmiss}[$b] ⟨> {hold}|> 2⟩:
            {boxmode}[$b] = ⟨3|0⟩
            ⟨|wp.atomic_add({changed}, 0, 1)⟩
        else:
            {boxmiss}[$b] = {boxmiss}[$b] + 1
            ⟨|{boxmode}[$b] = 2⟩
        """,
        threads="b",
        kinds="multi_conditional control_flow",
        integer=True,
    ),
    Idea(
        "count_levels",
        "⟨1:histogram_levels|count_classes|count_zones⟩ ⟨1:level_histogram|class_histogram|zone_histogram⟩ bin_pixels",
        "count the pixels of each ⟨1:grey level|class|zone⟩",
        """
        ⟨|if ⟨not {mask}[$y, $x]|{track}[$y, $x] < 0|{locked}[$y, $x]⟩:
            return
        ⟩wp.atomic_add({hist}, ⟨1:{gray}[$y, $x] // 16|{label}[$y, $x]|{zone}[$y, $x]⟩, 1)
        ⟨|⟨1:{quant_out}[$y, $x] = {gray}[$y, $x] // 16|if {fg}[$y, $x] == 1:
            wp.atomic_add({hits}, 0, 1)|if {fg}[$y, $x] == 1:
            wp.atomic_add({hits}, 0, 1)⟩⟩
        """,
        threads="y x",
        kinds="atomic histograms atomics",
        integer=True,
    ),
    Idea(
        "match_template",
        "match_template count_matches window_votes compare_window",
        "count the pixels of the window of each pixel that ⟨1:exceed|match|stay below⟩ the template",
        """
        $num = int(0)
        # window with ⟨2:clamped|wrapped⟩ border
        for $dy in range({kh}):
            for $dx in range({kw}):
                $level = {gray}[⟨2:wp.min($y + $dy, {h} - 1), wp.min($x + $dx, {w} - 1)|($y + $dy) % {h}, ($x + $dx) % {w}⟩]
                if ⟨1:$level > {tmpl}[$dy, $dx]⟨| + {delta}⟩|wp.abs($level - {tmpl}[$dy, $dx]) <= {delta}|$level < {tmpl}[$dy, $dx]⟩:
                    $num += 1
        {matches}[$y, $x] = $num
        ⟨|if $num >= {need}:
            wp.atomic_add({hits}, 0, 1)⟩
        """,
        threads="y x",
        kinds="nested_loop control_flow stencil",
        integer=True,
    ),
    Idea(
        "box_pixels",
        "count_box_pixels ⟨1:box_foreground|bright_box_pixels|box_class_count⟩ pixels_in_box",
        "count the ⟨1:foreground pixels|bright pixels|pixels of a class⟩ of each box",
        """
        ⟨|if {box_label}[$b] == {ignore}:
            return
        ⟩$num = int(0)
        # pixels of the box
        for $dy in range({kh}):
            for $dx in range({kw}):
                ⟨1:$num += {fg}|if {gray}|if {label}⟩[⟨2:({by}[$b] + $dy) % {h}, ({bx}[$b] + $dx) % {w}|wp.min({by}[$b] + $dy, {h} - 1), wp.min({bx}[$b] + $dx, {w} - 1)⟩]⟨1:| > ⟨{cut}|{tmpl}[$dy, $dx]⟩:
                    $num += 1| == {box_label}[$b]:
                    $num += 1⟩
        {boxn}[$b] = $num
        ⟨|wp.atomic_add({hits}, 0, $num)⟩
        """,
        threads="b",
        kinds="nested_loop reduction",
        integer=True,
    ),
    Idea(
        "row_counts",
        "count_row_pixels row_profile ⟨1:row_foreground|count_changes|bright_row_pixels|row_class_count⟩",
        "count the ⟨1:foreground pixels|changes of the class|bright pixels|pixels of one class⟩ of each row",
        """
        $num = int(0)
        for $x in range(⟨1:{w}|1, {w}|{w}|{w}⟩):
            if ⟨1:{fg}[$y, $x] == 1|{label}[$y, $x] != {label}[$y, $x - 1]|{gray}[$y, $x] > {cut}|{label}[$y, $x] == {which}⟩⟨| and {mask}[$y, $x]⟩:
                $num += 1
        {rown}[$y] = $num
        ⟨|wp.atomic_add({hits}, 0, $num)⟩
        """,
        threads="y",
        kinds="control_flow reduction",
        integer=True,
    ),
)  # fmt: skip
