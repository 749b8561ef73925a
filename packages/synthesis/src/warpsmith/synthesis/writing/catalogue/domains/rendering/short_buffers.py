"""Ideas of the domain `rendering`: short kernels for pixels, buffers, counters and flags, many of them in place."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.parts import Idea

SHORT_BUFFERS = (
    Idea(
        "add_samples",
        "accumulate_samples add_frame accumulate_color film_add",
        "add ⟨1:the color of each pixel|the weighted color|the samples⟩ to the film in place",
        """
        ⟨hook pixel
        |⟩⟨1:{accum}[$y, $x] += ⟨{color}[$y, $x]|{color}[$y, $x] * {exposure}⟩|{accum}[$y, $x] += {color}[$y, $x] * {alpha}[$y, $x]|{accum}[$y, $x] += ({samples}[$y, $x, 0] + {samples}[$y, $x, 1] + {samples}[$y, $x, 2] + {samples}[$y, $x, 3]) * 0.25⟩
        {hits}[$y, $x] = ⟨{hits}[$y, $x] + 1|wp.min({hits}[$y, $x] + 1, 255)⟩
        """,
        threads="y x",
        kinds="vector arithmetic",
    ),
    Idea(
        "fade",
        "fade_pixels decay_counts age_pixels decrement_counts",
        "⟨1:halve|decrease|reset|limit⟩ the number of samples of each pixel in place⟨2:| except for the selected object| in every second frame⟩",
        """
        ⟨2:|if {ids}[$y, $x] == {wanted}:
            return
        |if {frame} % 2 == ($x + $y) % 2:
            return
        ⟩⟨1:{hits}[$y, $x] = {hits}[$y, $x] >> 1|{hits}[$y, $x] = wp.max({hits}[$y, $x] - 1, 0)|if {ids}[$y, $x] ⟨== {NO_HIT}|< 0|== 0⟩:
            {hits}[$y, $x] = 0|if {hits}[$y, $x] > ⟨3:1|2⟩:
            {hits}[$y, $x] = ⟨3:1|2⟩
            ⟨wp.atomic_add({counter}, 0, 1)|⟩⟩
        """,
        threads="y x",
        kinds="control_flow integer_bits",
        integer=True,
    ),
    Idea(
        "remap_ids",
        "remap_ids relabel_pixels replace_object clean_segmentation",
        "replace the object of pixels ⟨1:that show the selected one|in the background|by its ⟨2:group|material⟩⟩ in place",
        """
        ⟨1:if {ids}[$y, $x] == {wanted}:
            {ids}[$y, $x] = ⟨{NO_HIT}|0⟩
            ⟨wp.atomic_add({counter}, 0, 1)|⟩|if {ids}[$y, $x] ⟨< 0|== {NO_HIT}⟩:
            {ids}[$y, $x] = {wanted}
            ⟨wp.atomic_add({counter}, 0, 1)|⟩
        elif {ids}[$y, $x] == {wanted}:
            {ids}[$y, $x] = {NO_HIT}|$id = {ids}[$y, $x]
        if $id ⟨>= 0|!= {NO_HIT}⟩:
            {ids}[$y, $x] = ⟨2:{obj_group}[$id]|{obj_mat}[$id]⟩⟩
        """,
        threads="y x",
        kinds="control_flow",
        integer=True,
    ),
    Idea(
        "set_bits",
        "set_instance_flags mark_instances update_visibility toggle_flags",
        "set the state bits of ⟨1:static instances|instances with a parent|every other instance⟩ in place",
        """
        ⟨1:if ({inst_flags}[$q] & {STATIC}) != 0:
            {inst_flags}[$q] = ⟨{inst_flags}[$q] | {VISIBLE}|{inst_flags}[$q] ^ {VISIBLE}⟩
            ⟨wp.atomic_add({counter}, 0, 1)|⟩
        ⟨|else:
            {inst_flags}[$q] = {VISIBLE}⟩|if {inst_parent}[$q] ⟨>= 0|!= {NO_HIT}⟩:
            # it moves with its parent
            {inst_flags}[$q] = {inst_flags}[$q] & ~{STATIC}
            ⟨wp.atomic_add({counter}, 0, 1)|⟩
        else:
            {inst_flags}[$q] = {inst_flags}[$q] | {STATIC}|if $q % 2 == {frame} % 2:
            {inst_flags}[$q] = {inst_flags}[$q] | {VISIBLE}
        ⟨|else:
            {inst_flags}[$q] = {inst_flags}[$q] & ~{VISIBLE}
            ⟨wp.atomic_add({counter}, 0, 1)|⟩⟩⟩
        """,
        threads="q",
        kinds="control_flow",
        integer=True,
    ),
    Idea(
        "advance_rays",
        "advance_rays next_bounce step_paths update_ray_states",
        "advance the state of each ray in place ⟨1:by its hit|by its number of bounces|to the next one⟩",
        """
        ⟨1:if {ray_state}[$i] == {R_NEW}:
            {ray_state}[$i] = {R_TRACED}
        elif {ray_state}[$i] == {R_TRACED}:
            {ray_state}[$i] = {R_SHADOW} if {hit_id}[$i] >= 0 else {R_DONE}
        ⟨elif {ray_state}[$i] == {R_SHADOW}:
            {ray_state}[$i] = {R_DONE}
            wp.atomic_add({counter}, 0, 1)|⟩|{bounce}[$i] = {bounce}[$i] + 1
        if {bounce}[$i] > {max_bounce}:
            {ray_state}[$i] = {R_DONE}
            ⟨{out_flag}[$i] = 1|wp.atomic_add({stats}, 0, 1)|⟩|if {hit_id}[$i] ⟨== {NO_HIT}|< 0⟩:
            {ray_state}[$i] = {R_DONE}
            return
        {bounce}[$i] += 1
        {ray_state}[$i] = wp.min({ray_state}[$i] + 1, {R_DONE})⟩
        """,
        kinds="control_flow",
        integer=True,
    ),
    Idea(
        "shift_packed",
        "shift_bits darken_packed rotate_channels mask_channels",
        "⟨1:halve|mask|rotate|invert⟩ the channels of packed pixels in place",
        """
        ⟨if {ids}[$y, $x] < 0:
            return
        |if {mode}[$y, $x] == 0:
            return
        |⟩⟨1:{packed}[$y, $x] = ({packed}[$y, $x] >> 1) & ⟨8355711|0x7F7F7F⟩|{packed}[$y, $x] = {packed}[$y, $x] & ⟨65280|255|16711680⟩|$word = {packed}[$y, $x]
        {packed}[$y, $x] = (($word << 8) & 16777215) | ($word >> 16)|{packed}[$y, $x] = 16777215 - {packed}[$y, $x]⟩
        ⟨wp.atomic_add({counter}, 0, 1)|⟩
        """,
        threads="y x",
        kinds="integer_bits",
        integer=True,
    ),
    Idea(
        "window_max",
        "dilate_ids max_in_row label_spread row_occupancy",
        "⟨1:find the largest object id in the row|count pixels of the same object in the row|count the neighbors of another object⟩ of each pixel",
        """
        ⟨hook pixel
        |⟩⟨1:$top = int({NO_HIT})
        for $k in range({w}):
            $top = wp.max($top, {ids}[$y, $k])
        {img_id}[$y, $x] = $top|$same = int(0)
        for $k in range(⟨{w}|$x|$x + 1, {w}⟩):
            if {ids}[$y, $k] == {ids}[$y, $x]:
                $same += 1
        {img_i}[$y, $x] = $same|$same = int(0)
        for $k in range(wp.max($x - 1, 0), wp.min($x + 2, {w})):
            if {ids}[$y, $k] != {ids}[$y, $x]:
                $same += 1
        {img_i}[$y, $x] = $same⟩
        """,
        threads="y x",
        kinds="control_flow",
        integer=True,
    ),
    Idea(
        "box_sum",
        "box_sum count_neighbors window_sum depth_complexity",
        "sum ⟨1:the depths of all pixels with the same object as each pixel|the opacities around each pixel|the colors ⟨2:of the rows above each pixel|of the whole image for each pixel⟩⟩",
        """
        ⟨hook pixel
        |⟩⟨1:$total = float(0.0)
        for $ty in range({h}):
            for $tx in range({w}):
                if {ids}[$ty, $tx] == {ids}[$y, $x]⟨| and {depth}[$ty, $tx] < {far} * 0.3⟩:
                    $total += {depth}[$ty, $tx]
        {img_f}[$y, $x] = $total|$total = float(0.0)
        for $ty in range(wp.max($y - ⟨3:1|2⟩, 0), wp.min($y + ⟨3:2|3⟩, {h})):
            for $tx in range(wp.max($x - ⟨3:1|2⟩, 0), wp.min($x + ⟨3:2|3⟩, {w})):
                $total += {alpha}[$ty, $tx]
        {img_f}[$y, $x] = $total⟨ / ⟨3:9.0|25.0⟩|⟩|$rgb = wp.vec3()
        for $ty in range(⟨2:$y|{h}⟩):
            for $tx in range({w}):
                ⟨if {depth}[$ty, $tx] < {far} * 0.3:
                    $rgb += {color}[$ty, $tx]|$rgb += {color_b}[$ty, $tx] * {alpha}[$ty, $tx]⟩
        {img_rgb}[$y, $x] = $rgb⟩
        """,
        threads="y x",
        kinds="nested_loop control_flow",
    ),
    Idea(
        "depth_range",
        "depth_bounds count_depths depth_statistics measure_depth",
        "⟨1:count the pixels of each depth|sum the depth of visible pixels|keep the least depth of each pixel⟩",
        """
        ⟨hook pixel
        |⟩⟨1:$bin_z = wp.min(int({depth}[$y, $x] * 2.0), 15)
        wp.atomic_add({bins}, $bin_z, 1)|if {depth}[$y, $x] < {depth_b}[$y, $x]:
            wp.atomic_add({energy}, 0, {depth}[$y, $x])
            wp.atomic_add({counter}, 0, 1)|wp.atomic_min({zbuf}, $y, $x, int({depth}[$y, $x] * 1000.0))⟩
        """,
        threads="y x",
        kinds="atomic atomics",
    ),
    Idea(
        "copy_rays",
        "copy_rays save_rays gather_rays reorder_rays",
        "copy ⟨1:origins and directions|hits|states⟩ of rays ⟨2:|in the order of the queue⟩",
        """
        ⟨2:⟨1:{out_o}[$i] = {origins}[$i]
        {out_d}[$i] = {dirs}[$i]|{out_t}[$i] = {hit_t}[$i]
        {out_id}[$i] = {hit_id}[$i]
        ⟨{out_n}[$i] = {hit_n}[$i]|⟩|{out_state}[$i] = {ray_state}[$i]
        {out_count}[$i] = {bounce}[$i]⟩|$src = {pixel_of}[$i]
        ⟨1:{out_o}[$i] = {origins}[$src]
        {out_d}[$i] = {dirs}[$src]|{out_t}[$i] = {hit_t}[$src]
        {out_id}[$i] = {hit_id}[$src]|{out_state}[$i] = {ray_state}[$src]
        ⟨{out_count}[$i] = {bounce}[$src]|⟩⟩⟩
        """,
        kinds="gather_scatter",
    ),
)
